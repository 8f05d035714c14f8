"""The game manager: finishes every match, whatever players do."""

from __future__ import annotations

import asyncio
import json
import random
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from games_support import load
from protocol_support import PATIENCE, QUICK, Behaviour, Stranger, says, until
from woodstock import Game, State
from woodstock.belief import Situation
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term, parse_term
from woodstock.match import MatchRecord, Turn
from woodstock.player import Player, make_player
from woodstock.protocol.crew import warm_up
from woodstock.protocol.hosted_players import (
    Address,
    Clocks,
    Dialect,
    HostedPlayer,
    LocalPlayer,
    RemotePlayer,
)
from woodstock.protocol.http import reply
from woodstock.protocol.manager import Waiting, host_match
from woodstock.protocol.messages import (
    Message,
    Play,
    Start,
    Stop,
    spaced,
)
from woodstock.protocol.scramble import Scrambler
from woodstock.protocol.server import PlayerServer, ServerOptions


async def silent(self: Stranger, message: Message, writer: asyncio.StreamWriter) -> None:
    await asyncio.sleep(30)


async def closing(self: Stranger, message: Message, writer: asyncio.StreamWriter) -> None:
    return


async def trickling(self: Stranger, message: Message, writer: asyncio.StreamWriter) -> None:
    for byte in reply("( mark 1 1 )" if isinstance(message, Play) else "ready"):
        writer.write(bytes([byte]))
        await writer.drain()
        await asyncio.sleep(0.1)


def host(game: Game, seats: Mapping[str, HostedPlayer], **options: Any) -> MatchRecord:
    settings = {"seed": 1, "start_clock": 30, "play_clock": 60, **options}
    return asyncio.run(host_match(game, seats, **settings))


def local(name: str = "legal") -> LocalPlayer:
    return LocalPlayer(lambda: make_player(name, 1), name)


TIC_TAC_TOE = load("tic-tac-toe")


async def against(stranger: Stranger, **options: Any) -> MatchRecord:
    async with stranger:
        seats: dict[str, HostedPlayer] = {"x": RemotePlayer(stranger.address), "o": local()}
        settings = {"seed": 1, "start_clock": 30, "play_clock": 60, **options}
        return await host_match(TIC_TAC_TOE, seats, **settings)


def test_local_players_play_a_match() -> None:
    record = host(TIC_TAC_TOE, {"x": local("random"), "o": local()})
    assert record.is_completed
    assert not any(any(joint) for joint in record.errors)
    assert record.players == ("random", "legal")


def test_what_a_player_hears_is_what_servers_say() -> None:
    def answer(message: Message) -> str:
        return "ready" if isinstance(message, Start) else "( mark 1 1 )"

    stranger = Stranger(says(answer))
    record = asyncio.run(against(stranger))
    start, first, *turns, stop = stranger.heard
    assert isinstance(start, Start)
    assert (start.role, start.start_clock, start.play_clock) == ("x", 30, 60)
    assert start.rules.startswith("( role x ) ( role o ) ")
    assert first == Play(record.match_id, None)
    told = [tuple(map(parse_term, joint)) for joint in record.moves]
    assert turns == [Play(record.match_id, joint) for joint in told[:-1]]
    assert stop == Stop(record.match_id, told[-1])
    # The same move twice is not legal.
    assert record.errors[0] == ("", "")
    assert record.errors[2] == ("IL ( mark 1 1 )", "")


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        ("( MARK 1 1 )", "IL ( MARK 1 1 )"),
        ("(mark 9 9)", "IL ( mark 9 9 )"),
        ("busy", "IL busy"),
        ("nil", "IL nil"),
        ("(mark 1 1", "IL null"),
        ("", "IL null"),
        ("(mark 1 1) (mark 2 2)", "IL null"),
        (b"rubbish", "CE"),
        (b"HTTP/1.0 200 OK\r\nContent-length: 99999999\r\n\r\n", "CE"),
        (b"HTTP/1.0 500 Oh\r\n\r\n(mark 9 9)", "IL ( mark 9 9 )"),
        (b"\xff" * 1000, "CE"),
    ],
)
def test_bad_answers_are_noted_and_replaced(answer: str | bytes, error: str) -> None:
    record = asyncio.run(against(Stranger(says(lambda message: answer))))
    assert record.is_completed
    wrong = [joint[0] for joint in record.errors[::2]]
    assert set(wrong) == {error}
    state = TIC_TAC_TOE.initial_state()
    for joint in record.moves:
        state = state.apply(joint)
    assert state.is_terminal


@pytest.mark.parametrize(
    ("behaviour", "error", "clock"),
    [(silent, "TO", 0.05), (closing, "CE", 60), (trickling, "TO", 0.05)],
)
def test_players_that_do_not_answer_do_not_stop_a_match(
    behaviour: Behaviour, error: str, clock: float
) -> None:
    own = {"x": Clocks(clock, clock)}
    record = asyncio.run(against(Stranger(behaviour), clocks=own, max_moves=2))
    assert record.errors[0][0] == error
    assert len(record.moves) == 2


def test_nobody_there_at_all() -> None:
    record = host(TIC_TAC_TOE, {"x": RemotePlayer(Address("127.0.0.1", 1)), "o": local()})
    assert record.is_completed
    assert record.errors[0] == ("CE", "")


def test_a_local_player_that_fails_is_replaced_too() -> None:
    class Failing(Player):
        def prepare(self, game: Game, role: str, deadline: float) -> None:
            raise RuntimeError("not today")

        def choose(self, state: object, role: str, deadline: float) -> Term:
            return "nonsense"

    seat = LocalPlayer(Failing, "failing")
    record = host(TIC_TAC_TOE, {"x": seat, "o": local()})
    assert record.errors[0] == ("IL nonsense", "")


def test_a_match_that_is_cancelled_is_aborted_everywhere() -> None:
    stranger = Stranger(silent)

    async def run() -> None:
        async with stranger:
            seats: dict[str, HostedPlayer] = {"x": RemotePlayer(stranger.address), "o": local()}
            match = asyncio.create_task(
                host_match(TIC_TAC_TOE, seats, seed=1, start_clock=0.1, play_clock=PATIENCE)
            )
            await until(lambda: any(isinstance(one, Play) for one in stranger.heard))
            match.cancel()
            with pytest.raises(asyncio.CancelledError):
                await match

    asyncio.run(run())
    assert str(stranger.heard[-1]).startswith("( ABORT ")


def test_every_turn_is_told() -> None:
    turns: list[Turn] = []
    record = host(TIC_TAC_TOE, {"x": local(), "o": local()}, on_turn=turns.append)
    assert [turn.number for turn in turns] == list(range(1, len(record.moves) + 1))


def test_roles_can_have_clocks_of_their_own() -> None:
    waits: list[Waiting] = []
    stranger = Stranger(says(lambda message: "( mark 1 1 )"))
    own = {"x": Clocks(20, 70)}
    record = asyncio.run(against(stranger, clocks=own, on_wait=waits.append))
    assert str(stranger.heard[0]).endswith(" 20 70)")
    assert record.to_json()["woodstock"]["clocks"] == {"x": [20, 70]}
    assert [one.number for one in waits] == list(range(len(record.moves) + 1))
    assert [one.seconds for one in waits[:2]] == [{"x": 20, "o": 30}, {"x": 70, "o": 60}]
    assert all(set(one.answered) == {"x", "o"} for one in waits)
    assert all(0 <= used < 70 for one in waits for used in one.answered.values())


def test_a_match_that_is_over_before_it_begins() -> None:
    game = Game.from_text(
        "(role x) (role o) (init over) (<= terminal (true over)) (goal x 100) "
        "(goal o 0) (legal x noop) (legal o noop)"
    )
    stranger = Stranger(says(lambda message: "ready"))

    async def run() -> MatchRecord:
        async with stranger:
            seats: dict[str, HostedPlayer] = {
                "x": RemotePlayer(stranger.address, "gdl2"),
                "o": local(),
            }
            return await host_match(game, seats, seed=1, start_clock=60, play_clock=60)

    record = asyncio.run(run())
    assert record.is_completed
    assert not record.is_aborted
    assert record.goal_values == (100, 0)
    assert str(stranger.heard[-1]) == f"( STOP {record.match_id} 0 NIL NIL )"


@pytest.mark.parametrize("name", ["tic-tac-toe", "monty-hall", "matching-pennies"])
@pytest.mark.parametrize("dialect", ["gdl", "gdl2", "gdl2-old"])
@pytest.mark.parametrize("scramble", [False, True])
def test_player_and_manager_play_with_each_other(
    name: str, dialect: Dialect, scramble: bool
) -> None:
    warm_up()
    game = load(name)
    roles = game.players

    async def run() -> MatchRecord:
        servers = [PlayerServer(ServerOptions(port=0, seat=QUICK)) for _ in roles]
        for server in servers:
            await server.open()
        try:
            seats = {
                role: RemotePlayer(Address("127.0.0.1", server.port), dialect)
                for role, server in zip(roles, servers)
            }
            return await host_match(
                game, seats, seed=2, start_clock=60, play_clock=60, scramble=scramble
            )
        finally:
            for server in servers:
                server.close()

    record = asyncio.run(run())
    assert record.is_completed
    assert not any(any(joint) for joint in record.errors), record.errors
    assert record.scrambled == scramble


def test_a_scrambled_game_is_the_same_game() -> None:
    game = load("backgammon")
    scrambler = Scrambler(3)
    clauses = [scrambler.clause(clause) for clause in game.rules.sheet.clauses]
    other = Game.from_text("\n".join(clause.to_kif() for clause in clauses))
    state, same = game.initial_state(), other.initial_state()
    rng = random.Random(1)
    for _ in range(10):
        for role in game.roles:
            said = str(scrambler.term(role))
            legal = {scrambler.unscramble(move) for move in same.legal_moves(said)}
            assert legal == set(state.legal_moves(role))
        joint = state.random_joint_move(rng)
        state, same = state.apply(joint), same.apply([scrambler.term(move) for move in joint])
    assert RANDOM in other.roles
    assert {scrambler.unscramble(fluent) for fluent in same.fluents} == set(state.fluents)


def test_records_are_readable_at_any_moment(tmp_path: Path) -> None:
    path = tmp_path / "match.json"
    lengths: list[int] = []

    def keep(turn: Turn) -> None:
        turn.record.write(path)
        lengths.append(len(json.loads(path.read_text())["moves"]))

    host(TIC_TAC_TOE, {"x": local(), "o": local()}, on_turn=keep)
    assert lengths == list(range(1, len(lengths) + 1))


def test_a_move_is_said_with_blanks() -> None:
    assert spaced(parse_term("(move (a b) c)")) == "( move ( a b ) c )"


class Slow(Player):
    """A player that needs longer than it has, and must not be asked by two at a time."""

    def __init__(self) -> None:
        self.asked, self.inside = 0, 0
        self.release = threading.Event()

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        return

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        assert isinstance(situation, State)
        self.asked += 1
        assert not self.inside
        self.inside += 1
        self.release.wait(PATIENCE)
        self.inside -= 1
        return situation.legal_moves(role)[0]

    def close(self) -> None:
        raise RuntimeError("not that either")


def test_a_slow_local_player_keeps_nobody_else_from_answering() -> None:
    slow = Slow()
    seats = {"x": LocalPlayer(lambda: slow, "slow"), "o": local()}
    try:
        record = host(TIC_TAC_TOE, seats, clocks={"x": Clocks(30, 0.05)}, max_moves=4)
    finally:
        slow.release.set()
    assert [joint[0] for joint in record.errors] == ["TO"] * len(record.errors)
    assert not any(joint[1] for joint in record.errors)
    assert slow.asked < len(record.moves)


def test_who_fails_at_the_start_is_noted() -> None:
    record = host(TIC_TAC_TOE, {"x": RemotePlayer(Address("127.0.0.1", 1)), "o": local()})
    assert record.to_json()["woodstock"]["startErrors"] == {"x": "CE"}


def test_an_address_that_is_none() -> None:
    record = host(TIC_TAC_TOE, {"x": RemotePlayer(Address("foo..bar", 9147)), "o": local()})
    assert record.is_completed
    assert {joint[0] for joint in record.errors} == {"CE"}


def test_the_real_words_are_illegal_in_a_scrambled_match() -> None:
    record = asyncio.run(against(Stranger(says(lambda message: "(mark 1 1)")), scramble=True))
    assert record.is_completed
    assert {joint[0] for joint in record.errors} == {"IL ( mark 1 1 )"}


def test_a_long_answer_is_noted_in_short() -> None:
    record = asyncio.run(against(Stranger(says(lambda message: "a" * 10_000))))
    assert all(len(joint[0]) == 200 for joint in record.errors[::2])


def test_matches_have_names_of_their_own() -> None:
    seats = {"x": local(), "o": local()}
    names = {host(TIC_TAC_TOE, seats).match_id for _ in range(2)}
    assert len(names) == 2
