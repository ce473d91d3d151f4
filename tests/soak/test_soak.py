"""The soak itself: a short one is quiet and flat, and a leak would be noticed."""

import gc
import os
import random

import numpy as np
import pytest

from tests.soak.soak import GROWTH, Soak, _resident


@pytest.fixture
def soak(tmp_path):
    return Soak(tmp_path, seed=3)


def test_repeated_calls_do_not_need_more_and_more_memory(soak):
    held = []
    for _ in range(20):
        # The same work every time: what it needs is needed at once.
        soak.random, soak.rng = random.Random(5), np.random.default_rng(5)
        soak.api()
        gc.collect()
        held.append(_resident(os.getpid()))
    assert max(held[-5:]) - max(held[4:9]) < 8 << 20


def test_a_leak_is_noticed(soak):
    soak.memory = [(100 + n) << 20 for n in range(200)]
    assert soak.growth() > GROWTH


def test_a_failing_action_is_counted(soak, monkeypatch):
    for name in ("command", "kill", "api", "evaluation", "check", "fuzz"):
        monkeypatch.setattr(soak, name, _fails)
    soak.step()
    assert len(soak.failures) == 1
    assert "KeyError: 'a fault'" in soak.failures[0]


def _fails():
    raise KeyError("a fault")
