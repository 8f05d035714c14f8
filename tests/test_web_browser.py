"""Matches on the page in a real browser: people click, drag, type, reload, and meet by link."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from effort import LONG, effort
from page_support import Seat, begin, machine, people, play_on, recorded
from web_support import CHROMIUM, Server
from woodstock import Game, games

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

KINDS = {
    "tic-tac-toe": "a board",
    "breakthrough": "pieces that go from place to place",
    "reflect-connect-6": "connection",
    "orchard": "dice",
    "war": "cards",
    "kuhn-poker": "hidden hands",
    "monty-hall": "hidden by chance",
    "bomberman": "moves at the same time",
    "dots-and-boxes-suicide": "lines between dots",
    "buttons-and-lights-3": "a puzzle",
}
"""Games of all kinds, for the usual run."""
LAST = {"breakthrough": 12, "reflect-connect-6": 14, "dots-and-boxes-suicide": 10}
"""Of how many plies only the end is played there, so that it does not take long."""


def played_part(name: str) -> tuple[list[list[str]], list[list[str]]]:
    """The recorded match: what is taken as played, and what is played by hand."""
    line = recorded(name)
    last = effort(LAST.get(name, len(line)), 40 if len(line) > 80 else len(line))
    cut = max(0, len(line) - last)
    # Chance goes its own way: such a match is played from the first move on.
    return ([], line) if Game.from_library(name).has_chance else (line[:cut], line)


@pytest.mark.parametrize("name", games.names() if LONG else KINDS)
def test_a_match_is_played_by_hand(page: Page, name: str) -> None:
    before, line = played_part(name)
    seat = begin(page, name, people(Game.from_library(name).players), before)
    done = play_on(seat, line)
    assert done.end is not None
    assert done.end["over"]
    assert done.by_board + done.by_list > 0
    page.wait_for_selector(".end:not([hidden])")
    assert "of 100" in page.locator(".end").inner_text()
    assert page.locator(".moves .move").count() == done.end["ply"]


def test_a_match_is_played_by_the_list_alone(page: Page) -> None:
    seat = begin(page, "tic-tac-toe", people(("x", "o")))
    done = play_on(seat, recorded("tic-tac-toe"), only_list=True)
    assert (done.by_board, done.end is not None and done.end["over"]) == (0, True)


def test_a_match_is_played_by_the_keyboard_alone(page: Page) -> None:
    seat = begin(page, "tic-tac-toe", people(("x", "o")))
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.locator(".board-svg [data-place]:focus").count():
            break
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    assert seat.until_ply(1)["line"] == [["(mark 2 1)", "noop"]]
    now = seat.now()
    while not now["over"]:
        # The focus stays on the board, on a cell that can be taken.
        page.wait_for_selector(".board-svg .may:focus")
        page.keyboard.press("Enter")
        now = seat.until_ply(now["ply"] + 1)
    page.wait_for_selector(".end:not([hidden])")


def test_a_move_is_found_by_typing(page: Page) -> None:
    seat = begin(page, "hex", people(Game.from_library("hex").players))
    now = seat.now()
    role = now["waiting"][0]
    wanted = now["view"]["moves"][role][-1]
    page.locator(".board-search").focus()
    page.keyboard.type(wanted["label"])
    page.keyboard.press("Enter")
    assert wanted["move"] in seat.until_ply(1)["line"][0]


def test_pieces_are_dragged(page: Page) -> None:
    seat = begin(page, "breakthrough", people(("white", "black")))
    start, end = (
        seat.cell(place).bounding_box()
        for one in seat.now()["view"]["moves"]["white"]
        if one["move"] == "(move 3 2 3 3)"
        for place in one["places"]
    )
    assert start is not None
    assert end is not None

    def drag(x: float, y: float) -> None:
        page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
        page.mouse.down()
        page.mouse.move(x, y, steps=6)
        page.mouse.up()

    # Where it cannot go it is let go of.
    drag(start["x"] + start["width"] / 2, start["y"] - 4 * start["height"])
    assert seat.now()["ply"] == 0
    drag(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2)
    assert seat.until_ply(1)["line"][0][0] == "(move 3 2 3 3)"
    assert page.locator(".board-ghost").count() == 0


def test_take_back_and_hint_against_a_player(page: Page) -> None:
    seat = begin(page, "tic-tac-toe", {"x": {"kind": "person"}, "o": machine()})
    seat.cell(seat.now()["view"]["moves"]["x"][4]["places"][0]).click()
    seat.until_ply(2)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint:not([hidden]) table")
    # What is advised is played by one click.
    advised = page.locator(".hint tbody tr").first.locator("button")
    words = advised.inner_text()
    advised.click()
    assert seat.until_ply(4)["line"][2][0] == f"({words})"
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector('.actions[data-ply="2"]')
    page.get_by_role("button", name="Take back").click()
    page.wait_for_selector('.actions[data-ply="0"]')
    assert seat.now()["ply"] == 0


def test_seats_are_changed_and_somebody_resigns(page: Page) -> None:
    seat = begin(page, "tic-tac-toe", people(("x", "o")))
    page.get_by_role("button", name="Seats").click()
    page.get_by_label("Who plays o").select_option("legal")
    page.locator("dialog").get_by_role("button", name="Change").click()
    page.wait_for_selector("dialog", state="detached")
    seat.cell("0,1,1").click()
    assert seat.until_ply(2)["seats"]["o"]["player"] == "legal"
    page.on("dialog", lambda asked: asked.accept())
    page.get_by_role("button", name="Resign").click()
    page.wait_for_selector(".end:not([hidden])")
    assert "x resigned" in page.locator(".end").inner_text()
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_selector('.actions[data-ply="0"]')
    assert seat.table not in page.url


def test_reload_in_the_middle(page: Page) -> None:
    seat = begin(page, "tic-tac-toe", people(("x", "o")))
    seat.cell("0,1,1").click()
    seat.until_ply(1)
    page.reload()
    page.wait_for_selector(".board-svg [data-place].may")
    assert page.locator(".moves .move").count() == 1
    seat.cell("0,0,0").click()
    assert seat.until_ply(2)["ply"] == 2


def test_two_people_by_link(page: Page, browser: Browser, page_server: Server) -> None:
    owner = begin(page, "tic-tac-toe", people(("x", "o")))
    links = {
        role: page.get_by_role("textbox", name=f"Link for {role}").input_value()
        for role in ("x", "o")
    }
    contexts = {role: browser.new_context(base_url=page_server.address) for role in links}
    sides = {}
    for role, link in links.items():
        side = contexts[role].new_page()
        side.goto(link)
        side.wait_for_selector(".board-svg")
        sides[role] = Seat(side, owner.table, link.partition("key=")[2])
    for ply, (role, move) in enumerate(zip("xoxox", ("1 1", "2 1", "1 2", "2 2", "1 3"))):
        here = sides[role]
        here.page.wait_for_selector(f'.actions[data-ply="{ply}"]')
        place = next(
            one["places"][0]
            for one in here.now()["view"]["moves"][role]
            if one["move"] == f"(mark {move})"
        )
        # Whose turn it is not has nothing to click.
        other = sides["o" if role == "x" else "x"]
        assert other.page.locator(".board-svg .may").count() == 0
        here.cell(place).click()
        owner.until_ply(ply + 1)
    for role, words in (("x", "You win"), ("o", "x wins")):
        sides[role].page.wait_for_selector(".end:not([hidden])")
        assert words in sides[role].page.locator(".end").inner_text()
    for context in contexts.values():
        context.close()


def test_killed_and_started_again(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path)
    context = browser.new_context(base_url=server.address)
    page = context.new_page()
    seat = begin(page, "tic-tac-toe", {"x": {"kind": "person"}, "o": machine()})
    seat.cell("0,1,1").click()
    line = seat.until_ply(2)["line"]
    server.kill()
    again = Server(tmp_path, port=server.port)
    try:
        # The page that is still open goes on by itself, and so does the link.
        page.wait_for_selector(".board-svg .may")
        seat.cell("0,0,0").click()
        assert seat.until_ply(4)["line"][:2] == line
        page.reload()
        page.wait_for_selector('.actions[data-ply="4"]')
        assert page.locator(".moves .move").count() == 4
    finally:
        context.close()
        again.close()


def test_home_finds_a_game(page: Page) -> None:
    page.goto("/")
    page.get_by_role("searchbox").first.fill("breakthrough")
    page.get_by_role("link", name="Breakthrough", exact=False).first.click()
    page.wait_for_url("**/play/**")
    page.locator("#start").click()
    page.wait_for_selector(".board-svg [data-place]")
