"""Every page for everybody: axe finds nothing serious, in light and in dark."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from effort import effort
from page_support import begin, machine, people, recorded
from web_support import CHROMIUM, Server
from woodstock import Game
from woodstock.match import play_match
from woodstock.player import make_player

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

SERIOUS = ("serious", "critical")


def home(page: Page) -> None:
    page.goto("/")
    page.wait_for_selector(".game-link")


def rules(page: Page) -> None:
    page.goto("/rules")
    page.locator("#rules-text").fill("(role x) (init (a 1)) (<= (next (a ?n)) (true (a 1)))")
    page.wait_for_selector(".findings .finding.bad")


def setup(page: Page) -> None:
    page.goto("/play/new?game=chess")
    page.wait_for_selector("#start")


def match(page: Page) -> None:
    begin(page, "breakthrough", people(("white", "black")), recorded("breakthrough")[:6])


def hint(page: Page) -> None:
    begin(page, "tic-tac-toe", {"x": {"kind": "person"}, "o": machine()})
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint:not([hidden]) table")


def hidden(page: Page) -> None:
    begin(page, "kuhn-poker", people(("alice", "bob")))


def over(page: Page) -> None:
    begin(page, "tic-tac-toe", people(("x", "o")), recorded("tic-tac-toe"))
    page.wait_for_selector(".end:not([hidden])")


def analysis(page: Page) -> None:
    page.goto("/analyse?game=tic-tac-toe&against=uct&seconds=1")
    page.wait_for_selector(".analyse-board svg")
    page.wait_for_selector(".thinker-moves tbody tr")
    page.get_by_text("Edit the position").click()


def inside(page: Page) -> None:
    page.goto("/inside?game=tic-tac-toe")
    page.wait_for_selector(".page-inside svg")


def watch(page: Page) -> None:
    page.goto("/watch")
    page.wait_for_selector(".page-watch h2")


def record(page: Page) -> None:
    players = {role: make_player("random", 3) for role in ("x", "o")}
    text = json.dumps(play_match(Game.from_library("tic-tac-toe"), players, seed=3).to_json())
    added = page.request.post("/api/records", data={"name": "match.json", "text": text}).json()
    page.goto(f"/record/{added['records'][0]['id']}")
    page.wait_for_selector(".replay-board svg")


def nothing(page: Page) -> None:
    page.goto("/play/nobody-has-this?key=none")
    page.wait_for_selector("main h1")


PAGES = [home, rules, setup, match, hint, hidden, over, analysis, inside, watch, record, nothing]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", effort([1200], [1200, 390]))
def test_axe_finds_nothing_serious(
    browser: Browser, page_server: Server, scheme: Any, width: int
) -> None:
    # What is not about colours is the same in the dark.
    asked = {"runOnly": ["color-contrast"]} if scheme == "dark" else {}
    found = []
    context = browser.new_context(
        base_url=page_server.address,
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        reduced_motion="reduce",
    )
    for visit in PAGES:
        page = context.new_page()
        page.set_default_timeout(30_000)
        visit(page)
        for one in axe.Axe().run(page, options=asked).response["violations"]:
            if one["impact"] in SERIOUS:
                where = [node["target"] for node in one["nodes"]][:4]
                found.append((visit.__name__, one["id"], one["help"], where))
        page.close()
    context.close()
    assert not found
