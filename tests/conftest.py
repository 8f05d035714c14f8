"""What all tests share.

Tests may import benchmarks and tools, which are scripts and no part of the package.
"""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import pytest
from hypothesis import settings

from player_support import Fake, SimulatedClock

sys.path += [
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tools")
]

# How long an example takes says more about the machine than about what is tested.
settings.register_profile("woodstock", deadline=None)
settings.load_profile("woodstock")

# Games are kept for other tests, and looking through them for garbage again and again is a tenth
# of all that the tests do.
gc.set_threshold(100_000, 50, 100)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimulatedClock:
    """The clock of players and fake searches: how busy the machine is does not matter."""
    clock = SimulatedClock()
    monkeypatch.setattr(Fake, "clock", clock)
    return clock
