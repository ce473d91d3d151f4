"""Findings as an array of bytes and back: what travels and is stored is plain data."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from metaeval.properties.findings import Counterexample, Finding, Panel


def pack(findings: Sequence[Finding]) -> NDArray[np.uint8]:
    """Findings as JSON, byte by byte."""
    text = json.dumps([asdict(finding) for finding in findings], default=_native)
    return np.frombuffer(text.encode(), dtype=np.uint8)


def _native(number: np.generic) -> Any:
    return number.item()


def unpack(packed: NDArray[np.uint8]) -> tuple[Finding, ...]:
    """The findings that were packed."""
    return tuple(_finding(_tuples(fields)) for fields in json.loads(packed.tobytes()))


def _tuples(value: Any) -> Any:
    """JSON knows lists only; matrices are tuples."""
    if isinstance(value, list):
        return tuple(_tuples(one) for one in value)
    if isinstance(value, dict):
        return {name: _tuples(one) for name, one in value.items()}
    return value


def _finding(fields: dict[str, Any]) -> Finding:
    example = fields.pop("example")
    if example is not None:
        panels = tuple(Panel(**panel) for panel in example.pop("panels"))
        example = Counterexample(panels=panels, **example)
    return Finding(example=example, **fields)
