"""What a role may not know never leaves the server, whoever asks and however.

Two things are held. Of all that is sent to somebody, nothing names what they may not know. And what
they are sent does not depend on it: of two matches that a role cannot tell apart, it is sent the
same, to the byte.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from effort import effort
from table_support import Ear, Match, desk, person, player
from woodstock import Game, State

Json = dict[str, Any]

BLIND = """
; Both mark cells of a board that they do not see; who comes second is told so, and nothing else.
(role left) (role right) (role random)
(init (turn left)) (init (step 1)) (init (mined none))
(<= (init (cell ?x ?y b)) (index ?x) (index ?y))
(index 1) (index 2) (index 3) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
(other left right) (other right left)
(<= (legal ?r (mark ?x ?y)) (true (turn ?r)) (index ?x) (index ?y) (not (true (tried ?r ?x ?y))))
(<= (legal ?r noop) (other ?r ?s) (true (turn ?s)))
(<= (legal random (mine ?x)) (true (mined none)) (index ?x))
(<= (legal random noop) (not (true (mined none))))
(<= (next (mined ?x)) (does random (mine ?x)))
(<= (next (mined ?x)) (true (mined ?x)) (distinct ?x none))
(<= (next (turn ?s)) (true (turn ?r)) (other ?r ?s))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (tried ?r ?x ?y)) (does ?r (mark ?x ?y)))
(<= (next (tried ?r ?x ?y)) (true (tried ?r ?x ?y)))
(<= (next (cell ?x ?y ?r)) (does ?r (mark ?x ?y)) (true (cell ?x ?y b)))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (distinct ?c b))
(<= (next (cell ?x ?y b)) (true (cell ?x ?y b)) (not (marked ?x ?y)))
(<= (marked ?x ?y) (does ?r (mark ?x ?y)))
(<= (sees ?r late) (does ?r (mark ?x ?y)) (not (true (cell ?x ?y b))))
(<= (sees ?r (turn ?s)) (role ?r) (true (turn ?t)) (other ?t ?s))
(<= terminal (true (step 5)))
(<= (goal ?r 100) (true (cell ?x ?x ?r)) (distinct ?r b))
(<= (goal ?r 0) (role ?r) (not (has ?r)))
(<= (has ?r) (true (cell ?x ?x ?r)))
"""


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with desk() as opened:
        yield opened


@pytest.fixture(scope="module")
def refs(client: Any) -> dict[str, str]:
    """The games by name, as requests call them."""
    found = client.post("/api/rules", json={"text": BLIND}).json()
    assert found["ok"], found
    known = ("kuhn-poker", "war", "monty-hall")
    return {**{name: name for name in known}, "blind": f"sha256:{found['digest']}"}


def game_of(name: str) -> Game:
    return Game.from_text(BLIND) if name == "blind" else Game.from_library(name)


def all_joints(state: State) -> Iterator[tuple[str, ...]]:
    moves = [[str(move) for move in state.legal_moves(role)] for role in state.roles]
    return itertools.product(*moves)


def alike(game: Game, role: str, line: Sequence[tuple[str, ...]], rng: random.Random) -> list[Any]:
    """Lines that a role cannot tell from this one: some of them, where there are many."""
    mine = game.roles.index(role)
    found: list[tuple[list[tuple[str, ...]], State]] = [([], game.initial_state())]
    actual = game.initial_state()
    for joint in line:
        actual = actual.apply(joint)
        percepts = set(actual.percepts(role))
        longer = []
        for begun, state in found:
            for other in all_joints(state):
                if other[mine] != joint[mine]:
                    continue
                after = state.apply(other)
                same = set(after.percepts(role)) == percepts
                if same and after.is_terminal == actual.is_terminal:
                    longer.append(([*begun, other], after))
        rng.shuffle(longer)
        found = longer[:40]
    return found


def without_names(told: bytes, match: Match) -> bytes:
    """What was sent, with the names of this table and its keys taken out."""
    secrets = {match.table, match.owner, match.watch, *match.keys.values()}
    for secret in secrets:
        told = told.replace(secret.encode(), b"...")
    return re.sub(rb'"stamp": ?\d+', b'"stamp": 0', told)


def random_line(game: Game, plies: int, rng: random.Random) -> list[tuple[str, ...]]:
    state, line = game.initial_state(), []
    for _ in range(plies):
        if state.is_terminal:
            break
        line.append(rng.choice(list(all_joints(state))))
        state = state.apply(line[-1])
    return line[:-1] if state.is_terminal else line


def sent_to(client: Any, ref: str, role: str, line: Sequence[Any]) -> bytes:
    """All that somebody with a link of a role is sent of a match after a line."""
    seats = {one: person() for one in client_players(client, ref)}
    match = Match.begin(client, ref, seats, line=[list(joint) for joint in line])
    key = match.keys[role]
    address = f"/api/tables/{match.table}"
    looked = client.get(address, params={"key": key}).content
    with Ear(client, match.table, key) as ear:
        ear.until_ply(len(line))
    refused = client.get(f"{address}/record", params={"key": key})
    assert refused.status_code == 409
    return without_names(looked + ear.heard + refused.content, match)


def client_players(client: Any, ref: str) -> list[str]:
    found: list[str] = client.post("/api/position", json={"game": ref}).json()["players"]
    return found


@pytest.mark.parametrize("name", ["kuhn-poker", "blind", "monty-hall"])
def test_what_is_sent_does_not_depend_on_what_is_hidden(
    client: Any, refs: dict[str, str], name: str
) -> None:
    game, tried = game_of(name), 0
    for seed in range(effort(4, 30)):
        rng = random.Random(seed)
        line = random_line(game, rng.randint(2, 5), rng)
        role = rng.choice(game.players)
        others = [one for one, _ in alike(game, role, line, rng) if one != line]
        if not others:
            continue
        tried += 1
        sent = sent_to(client, refs[name], role, line)
        assert sent == sent_to(client, refs[name], role, others[0]), (role, line, others[0])
    assert tried


def unknown_moves(told: Json, roles: Sequence[str], role: str) -> None:
    """Whether the moves of others are left out wherever moves are told."""
    for joint in told["line"]:
        for one, move in zip(roles, joint, strict=True):
            assert (move is not None) == (one == role)
    view = told["view"]
    assert set(view["last"]["moves"]) <= {role}
    assert set(view["moves"]) <= {role}
    assert set(view["percepts"]) <= {role}
    assert "fluents" not in view or not view["fluents"]
    assert "chance" not in view


def texts(data: Any) -> Iterator[str]:
    """All texts anywhere in an object."""
    if isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from texts(value)
    elif isinstance(data, list):
        for value in data:
            yield from texts(value)
    elif isinstance(data, str):
        yield data


@pytest.mark.parametrize("name", ["kuhn-poker", "blind", "war"])
def test_nothing_that_is_sent_names_a_secret(client: Any, refs: dict[str, str], name: str) -> None:
    """Two persons by link and somebody who watches play a whole match."""
    game, rng = game_of(name), random.Random(5)
    match = Match.begin(client, refs[name], {role: person() for role in game.players})
    keys = {**match.keys, "watch": match.watch}
    told: dict[str, list[Json]] = {who: [match.look(key)] for who, key in keys.items()}
    secret: dict[str, set[str]] = {who: set() for who in keys}
    with ExitStack() as open_streams:
        ears = {
            who: open_streams.enter_context(Ear(client, match.table, key))
            for who, key in keys.items()
        }
        for _ in range(200):
            line = client.app.state.tables._awake[match.table].state.line
            if last_state(game, line).is_terminal:
                break
            _note_secrets(game, line, secret)
            for role in game.players:
                told[role] += _choose(match, role, rng)
            told["watch"].append(match.look(match.watch))
        for who, ear in ears.items():
            ear.until_ply(len(line))
            _check(who, [*told[who], *ear.events()], game, secret[who])
    # At the end everybody sees everything.
    end = match.look(match.watch)
    assert end["over"]
    assert end["line"] == line


def last_state(game: Game, line: Sequence[Sequence[str]]) -> State:
    state = game.initial_state()
    for joint in line:
        state = state.apply(tuple(joint))
    return state


def _choose(match: Match, role: str, rng: random.Random) -> list[Json]:
    """What a role is shown, and answered if there is something for it to choose."""
    now = match.look(match.keys[role])
    moves = now["view"]["moves"].get(role, [])
    if role not in now["waiting"] or not moves:
        return [now]
    chosen = rng.choice(moves)["move"]
    body = {"role": role, "ply": now["ply"], "move": chosen}
    return [now, match.ask("move", match.keys[role], **body)[1]]


def _note_secrets(game: Game, line: Sequence[Sequence[str]], secret: dict[str, set[str]]) -> None:
    """Joint moves of chance and of others that a role has not been told of by its percepts."""
    state = game.initial_state()
    for joint in line:
        state = state.apply(tuple(joint))
        for who in secret:
            heard = " ".join(map(str, state.percepts(who))) if who in game.roles else ""
            for role, move in zip(game.roles, joint, strict=True):
                # One word (noop, pass) names nothing; what was perceived may be named.
                if role != who and move.startswith("(") and move not in heard:
                    secret[who].add(move)


def _check(who: str, told: list[Json], game: Game, secret: set[str]) -> None:
    before = [one for one in told if "ply" in one and not one["over"]]
    assert before
    for one in before:
        if who == "watch":
            assert all(move is None for joint in one["line"] for move in joint)
            assert one["view"]["dim"]
            assert one["view"]["svg"] == before[0]["view"]["svg"]
        else:
            unknown_moves(one, game.roles, who)
            # Own moves may be called as the others' are.
            mine = {move for joint in one["line"] for move in joint if move}
            mine |= {move["move"] for moves in one["view"]["moves"].values() for move in moves}
            said = set(texts({**one, "view": {**one["view"], "svg": ""}}))
            assert not (secret - mine) & said
    if who == "watch":
        assert not any(move in json.dumps(before) for move in secret)


def test_a_secret_that_was_shown_is_not_taken_back(client: Any) -> None:
    """Who gives up sees everything; the match cannot go on after that as if it were not so."""
    match = Match.begin(client, "kuhn-poker", {"alice": person(), "bob": person()})
    match.look(match.keys["bob"])
    match.until(lambda now: now["ply"] == 1)
    match.do("resign", role="alice")
    assert match.look()["line"][0][2] is not None
    status, said = match.ask("undo")
    assert status == 409
    assert "seen" in said["error"]
    # Alone against players it is everybody's own affair.
    alone = Match.begin(client, "kuhn-poker", {"alice": person(), "bob": player()})
    alone.until(lambda now: now["ply"] == 1)
    alone.do("resign", role="alice")
    assert not alone.do("undo")["over"]


def test_players_of_ours_may_be_watched_in_the_open_by_who_set_them_up(client: Any) -> None:
    match = Match.begin(client, "kuhn-poker", {"alice": player("uct", 20.0), "bob": player()})
    now = match.until(lambda now: now["ply"] == 1)
    assert now["line"][0][2] is not None
    assert match.look(match.watch)["line"] == [[None, None, None]]
    # A person who sits down later has not seen it.
    match.do("seats", seats={"bob": person()})
    now = match.look()
    assert [move is None for move in now["line"][0]] == [True, False, True]
