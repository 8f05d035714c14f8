"""A person at the page: begins matches, moves by the board or by the list, and sees what happens.

Everything that a person does goes through the browser. What the tests want to know (which moves
there are, and how far the match is) they ask the server, as the person's own key may.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from woodstock import games

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

SLOW = 30_000
"""Milliseconds that a busy machine may need for what takes a few usually."""
LOOK = 0.02
"""Seconds between two looks at what is not there yet."""

Json = dict[str, Any]


def people(roles: Iterable[str]) -> Json:
    """Everybody is a person."""
    return {role: {"kind": "person"} for role in roles}


def machine(player: str = "legal", seconds: float = 0.2) -> Json:
    """The seat of a player."""
    return {"kind": "player", "player": player, "seconds": seconds}


def recorded(name: str) -> list[list[str]]:
    """The joint moves of the recorded match of a game of the library."""
    return [ply["moves"] for ply in games.playthrough(name)["plies"] if "moves" in ply]


@dataclass
class Seat:
    """A page that shows a match, and the key by which it does."""

    page: Page
    table: str
    key: str

    def now(self) -> Json:
        """The match as this person may see it."""
        answer = self.page.request.get(f"/api/tables/{self.table}?key={self.key}")
        assert answer.ok, answer.text()
        found: Json = answer.json()
        return found

    def open(self) -> None:
        """Go to the match."""
        self.page.goto(f"/play/{self.table}?key={self.key}")
        self.page.wait_for_selector(".board-figure svg, .board-figure pre")

    def cell(self, place: str) -> Locator:
        """A cell of the board."""
        return self.page.locator(f'.board-svg [data-place="{place}"]')

    def until_ply(self, ply: int) -> Json:
        """Wait until the match has come so far, for the server and on the page."""
        until = time.monotonic() + SLOW / 1000
        while time.monotonic() < until:
            now = self.now()
            if now["over"] or now["ply"] >= ply:
                self.page.wait_for_selector(f'.actions[data-ply="{now["ply"]}"]', state="attached")
                return now
            time.sleep(LOOK)
        raise AssertionError(f"the match did not reach ply {ply}")


def begin(page: Page, game: str, seats: Json, line: Sequence[Sequence[str]] = ()) -> Seat:
    """A new match, and the page of who has set it up."""
    asked = {"game": game, "seats": seats, "line": [*line], "seed": 1}
    made = page.request.post("/api/tables", data=asked)
    assert made.ok, made.text()
    found = made.json()
    seat = Seat(page, found["table"], found["owner"])
    seat.open()
    return seat


def move_by_board(seat: Seat, wanted: Json, ply: int) -> None:
    """Point at the places of a move, one after the other, until it is made."""
    page, move = seat.page, wanted["move"]
    places = wanted["places"] or wanted["area"][:1]
    for place in places:
        # Not forced: something that lies over the cell and takes the click is a mistake.
        seat.cell(place).click()
    chooser = page.locator(".board-chooser:not([hidden])")
    if chooser.count():
        chooser.locator(f'button[data-move="{move}"]').click()
        return
    if page.locator(".board-mark.chosen").count() and seat.now()["ply"] == ply:
        # Others go on from there: the same place again says that this is all.
        seat.cell(places[-1]).click()
        if chooser.count():
            chooser.locator(f'button[data-move="{move}"]').click()


def uncover(seat: Seat) -> None:
    """Say who looks now, where people at one screen may not see the same."""
    shown = seat.page.locator(".cover:not([hidden]) button")
    if shown.count():
        shown.click()


def move_by_list(seat: Seat, role: str, wanted: Json) -> None:
    """Choose a move in the list, found by typing where there are many."""
    button = seat.page.locator(
        f'.board-list button[data-move="{wanted["move"]}"][data-role="{role}"]'
    )
    if not button.count():
        seat.page.locator(".board-search").fill(wanted["label"])
    button.click()


@dataclass
class Played:
    """How the moves of a match were made, and how it ended."""

    by_board: int = 0
    by_list: int = 0
    end: Json | None = None


def play_on(
    seat: Seat,
    line: Sequence[Sequence[str]] = (),
    *,
    most: int = 600,
    only_list: bool = False,
) -> Played:
    """Play for all roles of this person: the moves of a line where they are legal, else any."""
    done, rng = Played(), random.Random(1)
    now = seat.now()
    for _ in range(most):
        if now["over"]:
            break
        _choose_all(seat, now, line, rng, done, only_list=only_list)
        now = seat.until_ply(now["ply"] + 1)
    done.end = now
    return done


def _choose_all(
    seat: Seat,
    now: Json,
    line: Sequence[Sequence[str]],
    rng: random.Random,
    done: Played,
    *,
    only_list: bool,
) -> None:
    """Choose for everybody who has a choice, or the only move of all."""
    ply = now["ply"]
    while True:
        open_roles = [
            role for role in now["waiting"] if role in now["you"] and now["view"]["moves"].get(role)
        ]
        if now["over"] or now["ply"] != ply or not open_roles:
            return
        role = open_roles[0]
        moves = now["view"]["moves"][role]
        wanted = rng.choice(moves)
        if ply < len(line):
            named = line[ply][now["view"]["roles"].index(role)]
            wanted = next((one for one in moves if one["move"] == named), wanted)
        pointed = bool(wanted["places"] or wanted.get("area"))
        uncover(seat)
        if len(moves) > 1 or pointed:
            # Where there is nothing to choose the page goes on by itself.
            if pointed and not only_list:
                move_by_board(seat, wanted, ply)
                done.by_board += 1
            else:
                move_by_list(seat, role, wanted)
                done.by_list += 1
        now = _until_chosen(seat, role, ply)


def _until_chosen(seat: Seat, role: str, ply: int) -> Json:
    """Wait until a choice has arrived, on the page too."""
    until = time.monotonic() + SLOW / 1000
    while time.monotonic() < until:
        now = seat.now()
        if now["over"] or now["ply"] != ply or role not in now["waiting"]:
            seat.page.wait_for_selector(f'.actions[data-ply="{now["ply"]}"]', state="attached")
            return now
        time.sleep(LOOK)
    raise AssertionError(f"{role} has not moved at ply {ply}")
