"""What all tests share.

Tests may import benchmarks and tools, which are scripts and no part of the package.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import settings

from ground_support import kept_grounding
from player_support import Fake, SimulatedClock
from web_support import Server, browsing, served
from woodstock.gdl.rules import Rules
from woodstock.ground import grounder
from woodstock.ground.grounder import Grounding
from woodstock.ground.limits import GroundingLimits
from woodstock.scsp.encode import ground_rules as scsp_rules

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

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


@pytest.fixture(scope="module")
def page_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """The page, served by a process of its own."""
    with served(tmp_path_factory.mktemp("page")) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """A browser; as long as it is open, no other loop can run in this thread."""
    with browsing() as started:
        yield started


@pytest.fixture
def page(browser: Browser, page_server: Server) -> Iterator[Page]:
    """A tab, in which nothing may go wrong unseen."""
    size = {"width": 1200, "height": 900}
    context = browser.new_context(base_url=page_server.address, viewport=size)  # type: ignore[arg-type]
    opened = context.new_page()
    opened.set_default_timeout(30_000)
    wrong: list[str] = []
    opened.on("pageerror", lambda problem: wrong.append(str(problem)))
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    # A request that was refused is told there too, and is no mistake of the page.
    assert not [text for text in wrong if "Failed to load resource" not in text]
