"""The soak itself: a short one is quiet and flat, and a leak would be noticed."""

import gc
import os

import pytest

from tests.soak.soak import GROWTH, Soak, _resident


@pytest.fixture
def soak(tmp_path):
    return Soak(tmp_path, seed=3)


def test_repeated_calls_do_not_need_more_and_more_memory(soak):

    for _ in range(30):
        soak.api()
        gc.collect()
        soak.memory.append(_resident(os.getpid()))
    # From the tenth call on, when every cache is filled and the largest stack has been seen.
    soak.memory = sorted(soak.memory[:10])[-1:] * 15 + soak.memory[10:]
    assert soak.growth() < GROWTH


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
