"""Analysing and replaying in a real browser: values, variations, edited positions, records."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

import pytest

from page_support import recorded
from web_support import CHROMIUM
from woodstock import Game
from woodstock.match import play_match
from woodstock.player import make_player

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

WINNING = [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"]]
WINNING += [["(mark 1 2)", "noop"], ["noop", "(mark 2 2)"]]
"""x has two in a row and is to move."""


def analyse(page: Page, game: str, line: Any = (), more: str = "") -> None:
    page.goto(f"/analyse?game={game}&line={quote(json.dumps([*line]))}{more}")
    page.wait_for_selector(".analyse-board svg")


def first_thinker(page: Page) -> Locator:
    return page.locator(".thinker").first


def test_values_appear_improve_and_are_proved(page: Page) -> None:
    from playwright.sync_api import expect

    analyse(page, "tic-tac-toe", WINNING)
    best = first_thinker(page).locator(".thinker-moves tbody tr").first
    expect(best).to_contain_text("proved win", timeout=30_000)
    expect(best).to_contain_text("mark 1 3")
    assert first_thinker(page).locator(".thinker-moves tbody tr").count() == 5
    # On the board too, and in the graph.
    expect(page.locator(".analyse-board .board-mark.bar").first).to_be_attached()
    expect(page.locator(".graph-dot").first).to_be_attached()
    # The best line is played by one click.
    first_thinker(page).locator(".thinker-line button").first.click()
    expect(page.locator(".analyse-status")).to_contain_text("The game is over: x 100")
    assert "(mark 1 3)" in page.evaluate("() => new URLSearchParams(location.search).get('line')")


def test_visits_grow_while_one_looks(page: Page) -> None:
    from playwright.sync_api import expect

    analyse(page, "breakthrough", more="&player=uct&seconds=60")
    figures = first_thinker(page).locator(".thinker-figures")
    expect(figures).to_contain_text("simulations", timeout=30_000)
    before = figures.inner_text()
    expect(figures).not_to_have_text(before, timeout=30_000)
    page.get_by_role("button", name="Stop").first.click()
    expect(page.get_by_role("button", name="Analyse", exact=True)).to_be_visible()


def test_variations_make_a_tree(page: Page) -> None:
    from playwright.sync_api import expect

    line = recorded("tic-tac-toe")[:3]
    analyse(page, "tic-tac-toe", line)
    for role in ("x", "o"):
        page.keyboard.press("ArrowLeft")
        expect(page.locator(".analyse-status")).to_contain_text(f"{role} to move")
    free = page.locator(".analyse-board .board-svg .may").last
    free.click()
    expect(page.locator(".analyse-status")).to_contain_text("x to move")
    moves = page.locator(".tree-box .tree-move")
    expect(moves).to_have_count(5)  # the start, three moves and the variation
    here = page.evaluate("() => new URLSearchParams(location.search).get('line')")
    # Up and down lead from one variation to the other.
    page.locator("h1").click()
    page.keyboard.press("ArrowUp")
    expect(page.locator(".tree-box [aria-current]")).to_have_text(re.compile(line[1][1][1:-1]))
    # A link leads to the same position.
    page.goto(f"/analyse?game=tic-tac-toe&line={quote(here)}")
    expect(page.locator(".tree-box .tree-move")).to_have_count(3)
    page.get_by_role("button", name="Delete from here").click()
    expect(page.locator(".tree-box .tree-move")).to_have_count(2)


def test_a_position_is_edited(page: Page) -> None:
    from playwright.sync_api import expect

    analyse(page, "tic-tac-toe")
    page.get_by_text("Edit the position").click()
    page.get_by_label("Add a fluent").fill("(cell 1 1 ?x)")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator("#fluent-problem")).to_contain_text("without variables")
    for old, new in (("(cell 1 1 b)", "(cell 1 1 x)"), ("(cell 2 2 b)", "(cell 2 2 x)")):
        page.get_by_role("button", name=f"Remove {old}").click()
        page.get_by_label("Add a fluent").fill(new)
        page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_role("button", name="Use this position").click()
    expect(page.locator(".analyse-board .may")).to_have_count(7)
    best = first_thinker(page).locator(".thinker-moves tbody tr").first
    expect(best).to_contain_text("mark 3 3", timeout=30_000)
    # The address has it: somebody else sees the same.
    page.reload()
    expect(page.locator(".analyse-board .may")).to_have_count(7)


def test_two_players_are_compared(page: Page) -> None:
    from playwright.sync_api import expect

    analyse(page, "tic-tac-toe", WINNING)
    page.get_by_label("Compare two players").check()
    page.get_by_role("combobox", name="Second player").select_option("uct")
    for number in (0, 1):
        best = page.locator(".thinker").nth(number).locator(".thinker-moves tbody tr").first
        expect(best).to_contain_text("mark 1 3", timeout=30_000)
    assert "against=uct" in page.url


def drop(page: Page, name: str, text: str) -> None:
    """Let a file fall onto the page."""
    held = page.evaluate_handle(
        """([name, text]) => {
            const held = new DataTransfer();
            held.items.add(new File([text], name, {type: "application/json"}));
            return held;
        }""",
        [name, text],
    )
    page.dispatch_event("main", "drop", {"dataTransfer": held})


def test_a_dropped_record_is_replayed(page: Page) -> None:
    from playwright.sync_api import expect

    players = {role: make_player("random", 3) for role in ("x", "o")}
    record = play_match(Game.from_library("tic-tac-toe"), players, seed=3)
    plies = len(record.moves)
    page.goto("/watch")
    page.wait_for_selector(".page-watch h2")
    drop(page, "nothing.json", '{"moves": 3}')
    expect(page.locator("#toasts")).to_contain_text("nothing.json")
    drop(page, "match.json", json.dumps(record.to_json()))
    page.wait_for_url("**/record/**")
    expect(page.locator(".replay-counter")).to_have_text(re.compile(rf"0 / {plies}"))
    expect(page.locator(".replay-moves li")).to_have_count(plies)
    page.get_by_role("button", name="One move on").click()
    expect(page.locator(".replay-counter")).to_have_text(re.compile(rf"1 / {plies}"))
    page.keyboard.press("End")
    expect(page.locator(".replay-said")).to_contain_text("The end.")
    page.locator(".replay-moves button").nth(1).click()
    expect(page.locator(".replay-counter")).to_have_text(re.compile(rf"2 / {plies}"))
