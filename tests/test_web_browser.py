"""The page in a real browser: people click, type, reload, and two of them meet by link."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from effort import LONG
from web_support import CHROMIUM, Server, browsing, served
from woodstock import Game, games

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("playwright")
pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium on this machine")

SLOW = 30_000
"""Milliseconds that a busy machine may need for what takes one usually."""

KINDS = {
    "tic-tac-toe": "board",
    "hex": "connection",
    "kaseklau": "dice",
    "war": "cards",
    "kuhn-poker": "hidden",
    "connect-four-simultaneous": "simultaneous",
    "eight-puzzle": "puzzle",
    "breakthrough": "pieces that go from place to place",
}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with served(tmp_path_factory.mktemp("page")) as started:
        yield started


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with browsing() as started:
        yield started


@pytest.fixture
def page(browser: Browser, server: Server) -> Iterator[Page]:
    context = browser.new_context(base_url=server.address, viewport={"width": 1200, "height": 900})
    opened = context.new_page()
    opened.set_default_timeout(SLOW)
    wrong: list[str] = []
    opened.on("pageerror", lambda problem: wrong.append(str(problem)))
    opened.on("console", lambda said: wrong.append(said.text) if said.type == "error" else None)
    yield opened
    context.close()
    # A lost connection is told there too; mistakes of the script and of the policy are not that.
    assert not [text for text in wrong if "Failed to load resource" not in text]


def begin(page: Page, game: str, seats: dict[str, Any], line: Any = ()) -> dict[str, Any]:
    """A new table, and its page."""
    made = page.request.post(
        "/api/tables",
        data={"game": game, "seats": seats, "line": [*line], "seed": 1},
        headers={"Origin": page.url.split("/play")[0]} if page.url.startswith("http") else {},
    )
    assert made.ok, made.text()
    found: dict[str, Any] = made.json()
    page.goto(f"/play/{found['table']}?key={found['owner']}")
    page.wait_for_selector(".board-figure svg, .board-figure pre")
    return found


def people(roles: tuple[str, ...]) -> dict[str, Any]:
    return {role: {"kind": "person"} for role in roles}


def table_of(page: Page, made: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = page.request.get(
        f"/api/tables/{made['table']}?key={made['owner']}"
    ).json()
    return found


def wait_for_ply(page: Page, made: dict[str, Any], ply: int) -> dict[str, Any]:
    for _ in range(SLOW // 100):
        now = table_of(page, made)
        if now["over"] or now["ply"] >= ply:
            return now
        page.wait_for_timeout(100)
    raise AssertionError(f"the match did not reach ply {ply}")


def make_move(page: Page, role: str, wanted: dict[str, Any]) -> None:
    """Make a move as a person does: on the board where it has places, else in the list."""
    places = wanted.get("places") or []
    for place in places:
        page.locator(f'.board-svg [data-place="{place}"]').first.click(force=True)
        chooser = page.locator(".board-chooser:not([hidden])")
        if chooser.count():
            chooser.locator(f'button[data-move="{wanted["move"]}"]').click()
            return
    if not places:
        button = f'.board-list button[data-move="{wanted["move"]}"][data-role="{role}"]'
        if not page.locator(button).count():
            page.locator(".board-search").fill(wanted["label"])
        page.locator(button).click()


def play_line(page: Page, made: dict[str, Any], line: list[list[str]]) -> dict[str, Any]:
    """Play joint moves to the end, one person for all roles; chance does as it likes."""
    for joint in line:
        now = table_of(page, made)
        if now["over"]:
            break
        ply = now["ply"]
        for role, move in zip(now["view"]["roles"], joint, strict=True):
            open_moves = now["view"]["moves"].get(role, [])
            if role not in now["you"] or len(open_moves) < 2:
                continue
            wanted = next((one for one in open_moves if one["move"] == move), open_moves[0])
            make_move(page, role, wanted)
        wait_for_ply(page, made, ply + 1)
    return table_of(page, made)


def finish(page: Page, made: dict[str, Any], most: int) -> dict[str, Any]:
    """Go on with the first moves there are."""
    for _ in range(most):
        now = table_of(page, made)
        if now["over"]:
            return now
        play_line(page, made, [[""] * len(now["view"]["roles"])])
    return table_of(page, made)


def recorded(name: str) -> list[list[str]]:
    folder = Path(games.__file__).parent / name
    found: list[list[str]] = json.loads((folder / "playthrough.json").read_text())["moves"]
    return found


@pytest.mark.parametrize("name", KINDS)
def test_a_whole_match_is_played_by_clicks(page: Page, name: str) -> None:
    game = Game.from_library(name)
    line = recorded(name)
    # The end of the recorded match: what came before is as good as played.
    kept = len(line) if name == "tic-tac-toe" or LONG else min(len(line), 6)
    made = begin(page, name, people(game.players), line[: len(line) - kept])
    end = play_line(page, made, line[len(line) - kept :])
    if not end["over"]:  # chance went another way
        end = finish(page, made, most=80)
    assert end["over"]
    page.wait_for_selector(".end:not([hidden])")
    assert "of 100" in page.locator(".end").inner_text()


def test_keyboard_alone_plays(page: Page) -> None:
    made = begin(page, "tic-tac-toe", people(("x", "o")))
    page.locator('.board-svg [tabindex="0"]').focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    now = wait_for_ply(page, made, 1)
    assert now["line"] == [["(mark 2 3)", "noop"]]


def test_pieces_are_dragged(page: Page) -> None:
    made = begin(page, "breakthrough", people(("white", "black")))
    moves = table_of(page, made)["view"]["moves"]["white"]
    wanted = next(one for one in moves if one["move"] == "(move 3 2 3 3)")
    start, end = (
        page.locator(f'.board-svg [data-place="{place}"]').bounding_box()
        for place in wanted["places"]
    )
    assert start is not None
    assert end is not None
    page.mouse.move(start["x"] + start["width"] / 2, start["y"] + start["height"] / 2)
    page.mouse.down()
    page.mouse.move(end["x"] + end["width"] / 2, end["y"] + end["height"] / 2, steps=6)
    page.mouse.up()
    assert wait_for_ply(page, made, 1)["line"][0][0] == "(move 3 2 3 3)"


def test_take_back_and_hint_against_a_player(page: Page) -> None:
    seats = {"x": {"kind": "person"}, "o": {"kind": "player", "player": "legal", "seconds": 0.5}}
    made = begin(page, "tic-tac-toe", seats)
    place = table_of(page, made)["view"]["moves"]["x"][4]["places"][0]
    page.locator(f'.board-svg [data-place="{place}"]').click(force=True)
    wait_for_ply(page, made, 2)
    page.get_by_role("button", name="Hint").click()
    page.wait_for_selector(".hint:not([hidden]) table")
    page.get_by_role("button", name="Take back").click()
    page.wait_for_function("document.querySelectorAll('.moves .move').length === 0")
    assert table_of(page, made)["ply"] == 0


def test_reload_in_the_middle(page: Page) -> None:
    made = begin(page, "tic-tac-toe", people(("x", "o")))
    page.locator('.board-svg [data-place="0,1,1"]').click(force=True)
    wait_for_ply(page, made, 1)
    page.reload()
    page.wait_for_selector(".board-svg")
    assert page.locator(".moves .move").count() == 1


def test_two_people_by_link(page: Page, browser: Browser, server: Server) -> None:
    made = begin(page, "tic-tac-toe", people(("x", "o")))
    contexts = {role: browser.new_context(base_url=server.address) for role in ("x", "o")}
    sides = {role: context.new_page() for role, context in contexts.items()}
    for role, side in sides.items():
        side.goto(f"/play/{made['table']}?key={made['keys'][role]}")
        side.wait_for_selector(".board-svg")
    sides["x"].locator('.board-svg [data-place="0,0,0"]').click(force=True)
    wait_for_ply(page, made, 1)
    sides["o"].locator('.board-svg [data-place="0,1,1"].may').click(force=True)
    now = wait_for_ply(page, made, 2)
    assert [now["line"][0][0], now["line"][1][1]] == ["(mark 1 3)", "(mark 2 2)"]
    for context in contexts.values():
        context.close()


def test_killed_and_started_again(browser: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path)
    context = browser.new_context(base_url=server.address)
    page = context.new_page()
    made = begin(page, "tic-tac-toe", people(("x", "o")))
    page.locator('.board-svg [data-place="0,1,1"]').click(force=True)
    wait_for_ply(page, made, 1)
    server.kill()
    again = Server(tmp_path, port=server.port)
    try:
        page.reload()
        page.wait_for_selector(".board-svg")
        now = wait_for_ply(page, made, 1)
        assert now["line"] == [["(mark 2 2)", "noop"]]
        page.locator('.board-svg [data-place="0,0,0"]').click(force=True)
        assert wait_for_ply(page, made, 2)["ply"] == 2
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


OWN = """
(role left) (role right)
(init (turn left)) (init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 2 1 b)) (init (cell 2 2 b))
(<= (legal ?r (mark ?x ?y)) (true (turn ?r)) (true (cell ?x ?y b)))
(<= (legal ?r noop) (role ?r) (not (true (turn ?r))))
(<= (next (turn right)) (true (turn left)))
(<= (next (turn left)) (true (turn right)))
(<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (does ?r (mark ?u ?v))
    (or (distinct ?x ?u) (distinct ?y ?v)))
(<= open (true (cell ?x ?y b)))
(<= terminal (not open))
(<= (goal left 50) (not open)) (<= (goal right 50) (not open))
"""


def test_own_rules_are_tried_out(page: Page) -> None:
    page.goto("/rules")
    forgotten = OWN.replace("(or (distinct ?x ?u) (distinct ?y ?v))", "(distinct ?x ?x)")
    assert forgotten != OWN
    page.locator("textarea").fill(forgotten)
    page.get_by_text("random games;").wait_for()
    assert "lose their values after 1 move" in page.locator(".findings").inner_text()


def test_own_rules_are_pasted_and_played(page: Page) -> None:
    page.goto("/rules")
    page.locator("textarea").fill("(role left\n(init (a 1))")
    page.wait_for_function("/parenthes|never closed|missing|closed/i.test(document.body.innerText)")
    page.locator("textarea").fill(OWN)
    page.get_by_role("link", name="Play", exact=True).or_(
        page.get_by_role("button", name="Play", exact=True)
    ).last.click()
    page.wait_for_url("**/play/**")
    page.locator("#start").click()
    page.wait_for_selector(".board-svg [data-place].may")
