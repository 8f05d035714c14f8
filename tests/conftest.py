"""What all tests share.

Tests may import benchmarks and tools, which are scripts and no part of the package.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from player_support import Fake, SimulatedClock

sys.path += [
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tools")
]


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimulatedClock:
    """The clock of players and fake searches: how busy the machine is does not matter."""
    clock = SimulatedClock()
    monkeypatch.setattr(Fake, "clock", clock)
    return clock
