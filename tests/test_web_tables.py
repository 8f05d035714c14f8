"""Matches on the page: who may do what, when, and what the others are told."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest

from table_support import Match, desk, person, player
from woodstock.web.hands import CrewError

Json = dict[str, Any]

TWO = {"x": person(), "o": person()}
SECOND = {"x": person(), "o": player()}


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with desk() as opened:
        yield opened


def test_a_move_counts_once_and_in_its_place(client: Any) -> None:
    match = Match.begin(client, "tic-tac-toe", TWO)
    assert match.move("x", "(mark 2 2)")["line"] == [["(mark 2 2)", "noop"]]
    status, said = match.ask("move", role="x", move="(mark 1 1)", ply=0)
    assert (status, "gone on" in said["error"]) == (409, True)
    status, said = match.ask("move", role="o", move="(mark 2 2)", ply=1)
    assert (status, said["error"]) == (403, "(mark 2 2) is not legal for o")
    assert match.look()["line"] == [["(mark 2 2)", "noop"]]


def test_each_link_plays_its_role_and_no_other(client: Any) -> None:
    match = Match.begin(client, "tic-tac-toe", TWO)
    assert match.look()["you"] == ["x", "o"]
    assert match.look(match.keys["o"])["you"] == ["o"]
    # Whoever came by the link plays from now on; who has set up the table does not any more.
    assert match.look()["you"] == ["x"]
    assert match.ask("move", match.keys["o"], role="x", move="(mark 1 1)", ply=0)[0] == 403
    assert match.ask("resign", match.keys["o"], role="x")[0] == 403
    assert match.ask("seats", match.keys["o"], seats={"x": player()})[0] == 403
    match.move("x", "(mark 1 1)")
    assert match.ask("move", role="o", move="(mark 1 2)", ply=1)[0] == 403
    assert match.move("o", "(mark 1 2)", match.keys["o"])["ply"] == 2


def test_who_watches_does_nothing_and_who_has_no_key_sees_nothing(client: Any) -> None:
    match = Match.begin(client, "tic-tac-toe", TWO)
    seen = match.look(match.watch)
    assert (seen["you"], seen["owner"], seen["links"], seen["watch"]) == ([], False, {}, None)
    for what in ("move", "undo", "resign", "seats", "hint"):
        body = {"role": "x", "ply": 0, "move": "(mark 1 1)", "seats": {}}
        assert match.ask(what, match.watch, **body)[0] == 403
    for key in ("wrong", "", match.owner[:-1]):
        address = f"/api/tables/{match.table}"
        assert client.get(address, params={"key": key}).status_code == 403
        assert client.get(f"{address}/record", params={"key": key}).status_code == 403
        assert client.get(f"{address}/events", params={"key": key}).status_code == 403
    assert client.get("/api/tables/nobody-has-this", params={"key": "k"}).status_code == 404


def test_simultaneous_moves_wait_for_all(client: Any) -> None:
    roles = first, second = ["j1", "j2"]
    match = Match.begin(client, "matching-pennies", {role: person() for role in roles})
    moves = match.look()["view"]["moves"]
    chosen = moves[first][0]["move"]
    now = match.move(first, chosen, match.keys[first])
    assert (now["ply"], now["moved"], now["waiting"], now["line"]) == (0, [first], [second], [])
    other = match.look(match.keys[second])
    assert (other["moved"], other["line"]) == ([first], [])
    status, said = match.ask("move", match.keys[first], role=first, move=chosen, ply=0)
    assert (status, said["error"]) == (409, f"{first} has chosen already")
    # Whoever waits may think again.
    now = match.do("undo", match.keys[first])
    assert (now["moved"], now["waiting"]) == ([], roles)
    match.move(first, moves[first][1]["move"], match.keys[first])
    end = match.move(second, moves[second][0]["move"], match.keys[second])
    assert end["line"] == [[moves[first][1]["move"], moves[second][0]["move"]]]
    assert end["over"]


def test_taking_back_leads_to_the_last_choice(client: Any) -> None:
    match = Match.begin(client, "tic-tac-toe", SECOND)
    status, said = match.ask("undo")
    assert (status, said["error"]) == (403, "there is nothing to take back")
    match.move("x", "(mark 2 2)")
    match.until(lambda now: now["ply"] == 2)
    match.move("x", "(mark 1 3)")
    match.until(lambda now: now["ply"] == 4)
    now = match.do("undo")
    assert (now["ply"], now["waiting"]) == (2, ["x"])
    assert now["line"][0] == ["(mark 2 2)", "noop"]
    assert match.do("undo")["ply"] == 0


def test_what_was_over_goes_on_when_it_is_taken_back(client: Any) -> None:
    match = Match.begin(client, "tic-tac-toe", TWO)
    for role, move in zip("xoxox", ("1 1", "2 1", "1 2", "2 2", "1 3"), strict=True):
        now = match.move(role, f"(mark {move})")
    assert (now["over"], now["goals"], now["view"]["goals"]["x"]) == (True, {"x": 100, "o": 0}, 100)
    assert match.ask("move", role="o", move="(mark 3 3)", ply=5)[0] == 409
    assert match.ask("resign", role="o")[0] == 409
    now = match.do("undo")
    assert (now["over"], now["ply"], now["goals"]) == (False, 4, None)
    assert match.move("x", "(mark 3 3)")["ply"] == 5


def test_resigning_ends_it(client: Any) -> None:
    match = Match.begin(client, "tic-tac-toe", TWO)
    match.move("x", "(mark 1 1)")
    now = match.do("resign", role="o")
    assert (now["over"], now["resigned"], now["waiting"], now["goals"]) == (True, "o", [], None)
    record = client.get(f"/api/tables/{match.table}/record", params={"key": match.watch}).json()
    assert record["isAborted"]
    assert record["moves"] == [["(mark 1 1)", "noop"]]
    now = match.do("undo")
    assert (now["over"], now["resigned"], now["ply"]) == (False, None, 1)


def test_seats_are_changed_in_the_middle(client: Any) -> None:
    match = Match.begin(client, "tic-tac-toe", TWO)
    match.look(match.keys["o"])
    match.move("x", "(mark 2 2)")
    match.do("seats", seats={"o": player()})
    # The link of a seat that a player has now leads nowhere.
    answer = client.get(f"/api/tables/{match.table}", params={"key": match.keys["o"]})
    assert answer.status_code == 403
    now = match.until(lambda now: now["ply"] == 2)
    assert (now["seats"]["o"], now["you"]) == ({**player()}, ["x"])
    now = match.do("seats", seats={"x": player("random"), "o": person()})
    assert now["you"] == ["o"]
    assert match.keys["o"] not in now["links"]["o"]
    now = match.until(lambda now: now["ply"] == 3)
    assert now["waiting"] == ["o"]
    for seats in ({"z": person()}, {"o": {"kind": "ghost"}}, {"o": player("nobody")}, 3):
        assert match.ask("seats", seats=seats)[0] == 400


class Answering:
    """A job that ends at once, as it is told to."""

    def __init__(self, answer: Json | CrewError) -> None:
        self._answer = answer

    async def result(self) -> Json:
        if isinstance(self._answer, CrewError):
            raise self._answer
        return self._answer

    def stop(self) -> None:
        return


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (CrewError("too slow", "late"), "was late"),
        ({"move": "(mark 9 9)", "value": None}, "chose (mark 9 9), which is not legal"),
        (CrewError("it has died", "died"), "failed"),
    ],
)
def test_who_makes_no_legal_move_gets_a_random_one(
    client: Any, monkeypatch: pytest.MonkeyPatch, answer: Json | CrewError, said: str
) -> None:
    crew = client.app.state.crew
    monkeypatch.setattr(crew, "start", lambda *_, **__: Answering(answer))
    match = Match.begin(client, "tic-tac-toe", SECOND)
    match.move("x", "(mark 2 2)")
    now = match.until(lambda now: now["ply"] == 2)
    assert now["errors"] == [f"2. o {said}; a random move was made instead"]
    assert now["line"][1][1].startswith("(mark ")
    record = client.get(f"/api/tables/{match.table}/record", params={"key": match.owner}).json()
    assert record["errors"][1][1] != ""


def test_a_player_that_is_killed_is_asked_again_and_then_gets_a_random_move(client: Any) -> None:
    match = Match.begin(client, "connect-four", {"red": person(), "black": player("uct", 30.0)})
    match.move("red", "(drop 4)")
    crew = client.app.state.crew
    killed: set[int] = set()
    for _ in range(2):
        found: list[int] = []

        def working(_: Json, found: list[int] = found) -> bool:
            hands = [job.hand for job in crew._running if job.person == match.table]
            found[:] = [hand.pid for hand in hands if hand is not None and hand.pid not in killed]
            return bool(found)

        match.until(working)
        killed.add(found[0])
        os.kill(found[0], signal.SIGKILL)
    now = match.until(lambda now: now["ply"] == 2)
    assert now["errors"] == ["2. black failed; a random move was made instead"]


def test_a_player_that_is_busy_elsewhere_is_asked_again(
    client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    crew, tried = client.app.state.crew, []
    start = crew.start

    def full(*given: Any, **named: Any) -> Any:
        tried.append(1)
        if len(tried) == 1:
            raise CrewError("too many are waiting", "busy")
        return start(*given, **named)

    monkeypatch.setattr("woodstock.web.table.BUSY_SECONDS", 0.01)
    monkeypatch.setattr(crew, "start", full)
    match = Match.begin(client, "tic-tac-toe", SECOND)
    match.move("x", "(mark 2 2)")
    now = match.until(lambda now: now["ply"] == 2)
    assert (len(tried), now["errors"]) == (2, [])


def test_a_hint_changes_nothing(client: Any) -> None:
    line = [["(mark 1 1)", "noop"], ["noop", "(mark 2 1)"], ["(mark 1 2)", "noop"]]
    line.append(["noop", "(mark 2 2)"])
    match = Match.begin(client, "tic-tac-toe", TWO, line=line)
    found = match.do("hint", role="x", seconds=1)
    assert found["move"] == "(mark 1 3)"
    assert found["decision"]["moves"][0]["move"] == "(mark 1 3)"
    assert match.look()["ply"] == 4
    assert match.ask("hint", role="x", seconds=10_000)[0] == 400


def test_chance_is_drawn_by_the_seed(client: Any) -> None:
    lines = []
    for _ in range(2):
        match = Match.begin(client, "kuhn-poker", {"alice": player(), "bob": player()}, seed=7)
        lines.append(match.until(lambda now: now["over"])["line"])
    assert lines[0] == lines[1]


def test_a_match_begins_where_a_line_ends(client: Any) -> None:
    match = Match.begin(client, "tic-tac-toe", TWO, line=[["(mark 2 2)", "noop"]])
    assert (match.look()["ply"], match.look()["waiting"]) == (1, ["o"])
    # Who did it can take it back, though nobody did it here.
    assert match.do("undo", match.keys["x"])["ply"] == 0
    asked = {"game": "tic-tac-toe", "line": [["(mark 9 9)", "noop"]]}
    assert client.post("/api/tables", json=asked).status_code == 400
    assert client.post("/api/tables", json={"game": "no-such-game"}).status_code == 404
    for seed in (-1, "one", True, 2**40):
        wrong = {"game": "tic-tac-toe", "seed": seed}
        assert client.post("/api/tables", json=wrong).status_code == 400


STUCK = """
(role a) (role b) (init (step 1))
(<= (legal a (go ?n)) (number ?n)) (number 1) (number 2)
(<= (legal b wait) (true (step 1)))
(<= (next (step 2)) (does a (go ?n)))
(<= terminal (true (step 3))) (goal a 50) (goal b 50)
"""


def test_rules_that_leave_somebody_without_a_move_end_the_match(client: Any) -> None:
    ref = "sha256:" + client.post("/api/rules", json={"text": STUCK}).json()["digest"]
    match = Match.begin(client, ref, {"a": person(), "b": player()})
    match.move("a", "(go 1)")
    now = match.until(lambda now: now["problem"])
    assert now["problem"] == "the rules leave b without a move"
    status, said = match.ask("move", role="a", move="(go 1)", ply=1)
    assert (status, said["error"]) == (409, now["problem"])
    # However many look, nobody tries again what cannot work.
    turn = client.app.state.tables._awake[match.table]._turn
    assert match.look()["problem"] == now["problem"]
    assert client.app.state.tables._awake[match.table]._turn is turn
    assert match.do("undo")["problem"] == ""


def test_a_match_is_cut_at_the_longest_line() -> None:
    with desk(None, line_moves=2) as client:
        match = Match.begin(client, "tic-tac-toe", TWO)
        match.move("x", "(mark 2 2)")
        match.move("o", "(mark 1 1)")
        now = match.until(lambda now: now["problem"])
        assert now["problem"] == "the match is cut after 2 moves"
        asked = {"game": "tic-tac-toe", "line": [["(mark 1 1)", "noop"]] * 3}
        assert client.post("/api/tables", json=asked).status_code == 400
