"""What all tests share.

Tests may import benchmarks and tools, which are scripts and no part of the package.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from ground_support import kept_grounding
from player_support import Fake, SimulatedClock
from woodstock.gdl.rules import Rules
from woodstock.ground import grounder
from woodstock.ground.grounder import Grounding
from woodstock.ground.limits import GroundingLimits
from woodstock.scsp.encode import ground_rules as scsp_rules

sys.path += [
    str(Path(__file__).resolve().parents[1] / folder) for folder in ("benchmarks", "tools")
]

# How long an example takes says more about the machine than about what is tested.
settings.register_profile("woodstock", deadline=None)
settings.load_profile("woodstock")

# Games are kept for other tests, and looking through them for garbage again and again is a tenth
# of all that the tests do.
gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session", autouse=True)
def no_cache() -> Iterator[None]:
    """What tests learn is not kept, nor is what the user has kept used in tests."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WOODSTOCK_CACHE", "off")
        yield


@pytest.fixture(scope="session", autouse=True)
def kept_groundings() -> Iterator[None]:
    """Ground rules in this process, and once: a child for each takes longer than most tests.

    Who asks for limits or options of its own gets a child, as users do.
    """
    real = grounder.ground_rules

    def ground(rules: Rules, limits: GroundingLimits | None = None, **options: Any) -> Grounding:
        usual = not options and limits in (None, GroundingLimits())
        return kept_grounding(rules) if usual else real(rules, limits, **options)

    with pytest.MonkeyPatch.context() as patch:
        for module in (grounder, scsp_rules):
            patch.setattr(module, "ground_rules", ground)
        yield


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> SimulatedClock:
    """The clock of players and fake searches: how busy the machine is does not matter."""
    clock = SimulatedClock()
    monkeypatch.setattr(Fake, "clock", clock)
    return clock
