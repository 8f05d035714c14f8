"""Matches outlive the server, and there are never more than fit: journals and limits."""

from __future__ import annotations

import asyncio
import random
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest

from effort import effort
from table_support import Match, desk, person, player
from woodstock.web.journal import Journals
from woodstock.web.seats import MatchState

Json = dict[str, Any]

GAMES = {
    "tic-tac-toe": ("x", "o"),
    "matching-pennies": ("j1", "j2"),
    "kuhn-poker": ("alice", "bob"),
}


def state_in(folder: Path, table: str) -> MatchState:
    """A match as its file alone tells it."""
    journal = Journals(folder / "tables", most=9).find(table)
    assert journal is not None
    state = MatchState()
    for entry in journal.read():
        state.take(entry)
    return state


def anything(match: Match, rng: random.Random, roles: tuple[str, ...]) -> None:
    """Something that somebody may do, or may not."""
    now = match.look()
    what = rng.choice(["move"] * 6 + ["undo", "undo", "resign", "seats", "claim", "wrong"])
    role = rng.choice(roles)
    if what == "move":
        for one in now["waiting"]:
            moves = now["view"]["moves"].get(one)
            if one in now["you"] and moves:
                chosen = rng.choice(moves)["move"]
                match.ask("move", role=one, ply=now["ply"], move=chosen)
                return
    elif what == "seats":
        seat = rng.choice([person(), player("random")])
        match.ask("seats", seats={role: seat})
    elif what == "claim":
        keys = match.client.app.state.tables._awake[match.table].state.keys  # type: ignore[attr-defined]
        if role in keys:
            match.look(keys[role])
    else:
        match.ask("move" if what == "wrong" else what, role=role, ply=0, move="(mark 9 9)")


@pytest.mark.parametrize("game", GAMES)
def test_a_journal_tells_the_whole_match(tmp_path: Path, game: str) -> None:
    """Whatever was done: what is read again is what was there."""
    with desk(tmp_path) as client:
        for seed in range(effort(2, 20)):
            roles, rng = GAMES[game], random.Random(seed)
            match = Match.begin(client, game, {role: person() for role in roles}, seed=seed)
            for _ in range(effort(15, 40)):
                anything(match, rng, roles)
            state = client.app.state.tables._awake[match.table].state  # type: ignore[attr-defined]
            assert asdict(state_in(tmp_path, match.table)) == asdict(state)


def test_a_match_goes_on_under_the_same_links(tmp_path: Path) -> None:
    with desk(tmp_path) as client:
        match = Match.begin(client, "matching-pennies", {"j1": person(), "j2": person()})
        moves = match.look()["view"]["moves"]
        match.move("j2", moves["j2"][0]["move"], match.keys["j2"])
        before = match.look()
    with desk(tmp_path) as again:
        match.client = again
        now = match.look()
        # What comes after a new start is newer than all that was told before.
        assert now.pop("stamp") > before.pop("stamp")
        assert now == before
        assert (before["moved"], before["you"]) == (["j2"], ["j1"])
        assert match.move("j1", moves["j1"][0]["move"])["over"]


def test_a_line_that_was_being_written_is_as_if_it_had_not_begun(tmp_path: Path) -> None:
    with desk(tmp_path) as client:
        match = Match.begin(client, "tic-tac-toe", {"x": person(), "o": person()})
        match.move("x", "(mark 2 2)")
    path = tmp_path / "tables" / f"{match.table}.jsonl"
    path.write_bytes(path.read_bytes() + b'{"joint":["noop","(mark 1')
    with desk(tmp_path) as again:
        match.client = again
        assert match.look()["ply"] == 1
        assert match.move("o", "(mark 1 1)")["ply"] == 2
    assert state_in(tmp_path, match.table).line[1] == ["noop", "(mark 1 1)"]


def test_pasted_rules_are_there_again(tmp_path: Path) -> None:
    text = "(role me) (init (at 1)) (legal me go) (legal me stay) (<= (next (at 2)) (does me go)) "
    text += "(<= (next (at 1)) (does me stay)) (<= terminal (true (at 2))) (goal me 100)"
    with desk(tmp_path) as client:
        found = client.post("/api/rules", json={"text": text}).json()
        match = Match.begin(client, f"sha256:{found['digest']}", {})
    with desk(tmp_path) as again:
        match.client = again
        assert match.move("me", "go")["goals"] == {"me": 100}


def test_matches_that_nobody_looks_at_sleep(tmp_path: Path) -> None:
    with desk(tmp_path, tables=2) as client:
        matches = [Match.begin(client, "tic-tac-toe", {"x": person()}) for _ in range(4)]
        tables = client.app.state.tables  # type: ignore[attr-defined]
        for match in matches:
            match.move("x", "(mark 2 2)")
            assert len(tables._awake) <= 2
        assert [match.look()["ply"] for match in matches] == [1] * 4
        # Where somebody looks at both, there is no room for a third.
        for table in tables._awake.values():
            table.listeners += 1
        answer = client.post("/api/tables", json={"game": "tic-tac-toe"})
        assert answer.status_code == 503
        assert "too many matches" in answer.json()["error"]


def test_without_a_folder_a_match_that_makes_room_is_gone() -> None:
    with desk(None, tables=1) as client:
        first = Match.begin(client, "tic-tac-toe", {"x": person()})
        Match.begin(client, "tic-tac-toe", {"x": person()})
        answer = client.get(f"/api/tables/{first.table}", params={"key": first.owner})
        assert answer.status_code == 404


def test_the_oldest_journals_make_room(tmp_path: Path) -> None:
    with desk(tmp_path, kept_tables=3, tables=1) as client:
        for _ in range(5):
            Match.begin(client, "tic-tac-toe", {})
        assert len(list((tmp_path / "tables").glob("*.jsonl"))) == 3


def test_there_are_only_so_many_streams() -> None:
    with desk(None, sessions=2) as client:
        match = Match.begin(client, "tic-tac-toe", {"x": person(), "o": person()})
        client.app.state.streams = 2  # type: ignore[attr-defined]
        address = f"/api/tables/{match.table}/events"
        answer = client.get(address, params={"key": match.owner})
        assert answer.status_code == 503
        assert "too many look" in answer.json()["error"]


def test_whoever_leaves_is_not_counted_any_more(tmp_path: Path) -> None:
    """A stream that is closed gives its place back, and the match may sleep."""
    from starlette.datastructures import State

    from woodstock.web.streams import _counted

    async def leave() -> tuple[int, int]:
        async def told() -> Any:
            while True:
                yield "x"

        state = State()
        stream = _counted(told(), state)
        await anext(stream)
        during = state.streams
        await stream.aclose()  # type: ignore[attr-defined]
        return during, state.streams

    assert asyncio.run(leave()) == (1, 0)
