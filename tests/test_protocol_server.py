"""The player's server over loopback, with real workers."""

from __future__ import annotations

import asyncio
import os
import random
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path
from time import monotonic

import pytest

from games_support import load
from protocol_support import PATIENCE, QUICK, Client, until
from protocol_support import run as run_with
from woodstock import games
from woodstock.gdl.terms import Term, parse_term
from woodstock.protocol.crew import warm_up
from woodstock.protocol.http import HttpLimits, reply, request
from woodstock.protocol.messages import Play, Start, Stop, read_move
from woodstock.protocol.our_seat import OurSeat, SeatOptions

RULES = games.rules_text("tic-tac-toe")
MARK = parse_term("(mark 2 2)")
# Clocks are kept to the tenth of a second where there is a processor; benchmarks/soak.py measures
# that. Here it is enough that nobody waits for what takes minutes, and that a player which has to
# think has some seconds; all others answer at once, whatever their clocks.
THINKS = SeatOptions()


@pytest.fixture(scope="module", autouse=True)
def workers() -> None:
    warm_up()


def run(test: Callable[[Client], Awaitable[None]], **options: object) -> None:
    run_with(test, **{"seat": QUICK, **options})


def seat_of(client: Client) -> OurSeat:
    return client.server._seats["m"]


async def until_something_is_known(client: Client) -> None:
    """Until somebody knows a legal move for the turn."""
    await until(lambda: "m" in client.server._seats)
    seat = seat_of(client)
    await until(lambda: seat._turn is not None and seat._turn.legal is not None)


def start(match: str = "m", rules: str = RULES, role: str = "x", clocks: str = "300 300") -> str:
    return f"(START {match} {role} ({rules}) {clocks})"


def test_a_whole_match() -> None:
    async def test(client: Client) -> None:
        assert await client.ask("(INFO)") == "( ( name WoodStock ) ( status available ) )"
        assert await client.ask(start()) == "ready"
        assert await client.ask("(info)") == "( ( name WoodStock ) ( status busy ) )"
        rng = random.Random(1)
        state = load("tic-tac-toe").initial_state()
        told: tuple[Term, ...] | None = None
        while not state.is_terminal:
            answer = await client.ask(Play("m", told))
            move = read_move(answer)
            assert move in state.legal_moves("x")
            assert answer == "noop" or answer.startswith("( mark ")
            told = (move, rng.choice(state.legal_moves("o")))
            state = state.apply(told)
        assert await client.ask(Stop("m", told)) == "done"
        assert await client.ask("(INFO)") == "( ( name WoodStock ) ( status available ) )"

    run(test, seat=SeatOptions(player="uct"))


def test_the_bytes_of_an_answer() -> None:
    async def test(client: Client) -> None:
        info = request("( INFO )", "localhost", "W")
        assert await client.bytes(info) == reply("( ( name WoodStock ) ( status available ) )")
        found = await client.bytes(b"OPTIONS / HTTP/1.1\r\n\r\n")
        assert found == reply("")
        assert await client.bytes(b"GET /%28PING%29 HTTP/1.1\r\n\r\n") == reply("ready")

    run(test)


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"nonsense\r\n\r\n", b"400"),
        (request("(HELLO)", "h", "r"), b"400"),
        (request("(PLAY", "h", "r"), b"400"),
        (b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n", b"413"),
        (b"POST / HTTP/1.0\r\nX: " + b"y" * 200_000 + b"\r\n\r\n", b"431"),
        (b"POST / HTTP/1.0\r\nContent-Length: 50\r\n\r\n(IN", b"408"),
    ],
)
def test_what_cannot_be_read_gets_an_error_and_the_next_is_served(
    data: bytes, status: bytes
) -> None:
    async def test(client: Client) -> None:
        found = await client.bytes(data)
        assert found.startswith(b"HTTP/1.0 " + status)
        assert await client.ask("(PING)") == "ready"

    run(test, limits=HttpLimits(seconds=0.3, pause=0.05))


def test_other_matches_are_told_to_wait_and_repeated_messages_are_answered() -> None:
    async def test(client: Client) -> None:
        assert await client.ask(Play("m", None)) == "busy"
        assert await client.ask(Stop("m", None)) == "busy"
        assert await client.ask("(ABORT m)") == "busy"
        assert await client.ask(start()) == "ready"
        assert await client.ask(start("other")) == "busy"
        assert await client.ask(start()) == "ready"
        first = await client.ask(Play("m", None))
        assert await client.ask(Play("m", None)) == first
        assert await client.ask(Play("n", None)) == "busy"
        told = (MARK, "noop")  # what was made for us is not what we said
        assert await client.ask(Play("m", told)) == "noop"
        assert await client.ask(Play("m", told)) == "noop"
        again = await client.ask(Play("m", ("noop", parse_term("(mark 1 2)"))))
        assert read_move(again) != MARK
        assert await client.ask("(ABORT m)") == "aborted"
        assert await client.ask("(PING)") == "ready"

    run(test, seat=SeatOptions(player="legal"))


def test_several_matches_where_there_is_room() -> None:
    async def test(client: Client) -> None:
        names = ["a", "b"]
        found = await asyncio.gather(*(client.ask(start(name)) for name in names))
        assert found == ["ready", "ready"]
        assert await client.ask(start("c")) == "busy"
        moves = await asyncio.gather(*(client.ask(Play(name, None)) for name in names))
        assert all(move.startswith("( mark") for move in moves)

    run(test, matches=2)


LONG = "connect-four"


def test_it_answers_while_it_thinks_and_an_abort_ends_that() -> None:
    async def test(client: Client) -> None:
        rules = games.rules_text(LONG)
        role = load(LONG).roles[0]
        assert await client.ask(start("m", rules, role, "2 60")) == "ready"
        thinking = asyncio.create_task(client.ask(Play("m", None)))
        await until_something_is_known(client)
        answer, seconds = await client.timed("(INFO)")
        assert "busy" in answer
        assert seconds < PATIENCE
        assert await client.ask("(ABORT m)") == "aborted"
        begun = monotonic()
        assert read_move(await thinking) in load(LONG).initial_state().legal_moves(role)
        assert monotonic() - begun < 50

    run(test, seat=THINKS)


def test_play_before_start_is_answered() -> None:
    async def test(client: Client) -> None:
        rules, role = games.rules_text(LONG), load(LONG).roles[0]
        starting = asyncio.create_task(client.ask(start("m", rules, role, "300 4")))
        await until(lambda: "m" in client.server._seats)
        move, seconds = await client.timed(Play("m", None))
        assert read_move(move) in load(LONG).initial_state().legal_moves(role)
        assert seconds < PATIENCE
        starting.cancel()

    run(test, seat=THINKS)


BITS = 24


def _endless() -> str:
    """One fluent at a time of 2^24: nothing for who plays the rules as they are."""
    bits = [f"?b{number}" for number in range(BITS)]
    rules = ["(role x) (inverse 0 1) (inverse 1 0)", f"(init (c {' '.join('0' * BITS)}))"]
    for number, bit in enumerate(bits):
        after = [*bits[:number], "?new", *bits[number + 1 :]]
        rules.append(
            f"(legal x (flip {number})) (<= (next (c {' '.join(after)})) (does x (flip {number})) "
            f"(true (c {' '.join(bits)})) (inverse {bit} ?new))"
        )
    full = f"(true (c {' '.join('1' * BITS)}))"
    return " ".join([*rules, f"(<= terminal {full}) (goal x 50)"])


ENDLESS = _endless()


def test_rules_that_take_for_ever_to_ground_are_played_in_time() -> None:
    async def test(client: Client) -> None:
        answer, seconds = await client.timed(start("m", ENDLESS, "x", "2 2"))
        assert answer == "ready"
        assert seconds < PATIENCE
        for told in (None, (parse_term("(flip 1)"),), (parse_term("(flip 2)"),)):
            move, seconds = await client.timed(Play("m", told))
            assert read_move(move) in [parse_term(f"(flip {bit})") for bit in range(BITS)]
            assert seconds < PATIENCE
        assert client.server._seats["m"]._engine == "none"

    run(test)


def test_rules_without_sense_and_roles_that_are_none_get_an_answer() -> None:
    async def test(client: Client) -> None:
        for number, message in enumerate(
            [start("a", "(role x) (legal x"[:-8]), start("b", role="nobody"), start("c", "(p ?x)")]
        ):
            name = "abc"[number]
            assert await client.ask(message) == "ready"
            assert await client.ask(Play(name, None)) == "nil"
            assert await client.ask(f"(ABORT {name})") == "aborted"

    run(test)


def test_a_worker_that_dies_is_replaced() -> None:
    async def test(client: Client) -> None:
        rules, role = games.rules_text(LONG), load(LONG).roles[0]
        assert await client.ask(start("m", rules, role, "4 4")) == "ready"
        seat = seat_of(client)
        for duty in ("thinker", "keeper"):
            thinking = asyncio.create_task(client.timed(Play("m", None)))
            await until_something_is_known(client)
            pid = seat._workers[duty]._process.pid
            os.kill(pid, signal.SIGKILL)
            move, seconds = await thinking
            assert read_move(move) in load(LONG).initial_state().legal_moves(role)
            assert seconds < PATIENCE

    run(test, seat=THINKS)


def test_workers_that_have_just_died_are_replaced_too() -> None:
    async def test(client: Client) -> None:
        assert await client.ask(start("m")) == "ready"
        seat = seat_of(client)
        for worker in seat._workers.values():
            worker._process.kill()
            worker._process.join()
        # Before the loop has had time to notice.
        move = await client.server.answer(str(Play("m", None)))
        assert read_move(move) in load("tic-tac-toe").initial_state().legal_moves("x")

    run(test)


def test_a_player_that_was_killed_joins_again(tmp_path: Path) -> None:
    game = load("tic-tac-toe")
    state = game.initial_state()

    async def first(client: Client) -> None:
        assert await client.ask(start()) == "ready"
        await client.ask(Play("m", None))
        await client.ask(Play("m", (MARK, "noop")))

    async def second(client: Client) -> None:
        # The answer to its last message was never sent; the server made some move instead.
        after = state.apply([MARK, "noop"]).apply(["noop", parse_term("(mark 1 1)")])
        told = ("noop", parse_term("(mark 1 1)"))
        answers = [await client.ask(Play("m", told)) for _ in range(2)]
        assert all(read_move(answer) in after.legal_moves("x") for answer in answers)
        assert await client.ask(Play("unknown", None)) == "busy"
        assert await client.ask(Stop("m", (parse_term("(mark 3 3)"), "noop"))) == "done"
        assert await client.ask(Play("m", None)) == "busy"

    run(first, log_dir=tmp_path)
    run(second, log_dir=tmp_path)
    (journal,) = tmp_path.iterdir()
    assert journal.name == "m.jsonl"


def test_a_flood_of_slow_requests_does_not_keep_others_out() -> None:
    async def test(client: Client) -> None:
        slow = [await asyncio.open_connection("127.0.0.1", client.server.port) for _ in range(20)]
        for _, writer in slow:
            writer.write(b"POST / HTTP/1.0\r\nContent-Le")
        assert await client.ask("(PING)") == "ready"
        first = await asyncio.wait_for(slow[0][0].read(), PATIENCE)
        assert first.startswith(b"HTTP/1.0 503")
        for _, writer in slow:
            writer.close()

    run(test, connections=4)


def test_a_match_with_the_name_of_an_older_one_begins_anew(tmp_path: Path) -> None:
    async def first(client: Client) -> None:
        for _ in range(2):
            assert await client.ask(start()) == "ready"
            assert read_move(await client.ask(Play("m", None))) != "busy"
            assert await client.ask("(ABORT m)") == "aborted"
        assert await client.ask(start()) == "ready"
        await client.ask(Play("m", None))

    async def second(client: Client) -> None:
        assert await client.ask(Play("m", (MARK, "noop"))) == "noop"

    run(first, log_dir=tmp_path)
    run(second, log_dir=tmp_path)


def test_moves_that_look_like_a_repetition_are_a_turn_where_they_are_legal() -> None:
    rules = """(role x) (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
        (legal x wait) (<= (legal x go) (true (step 2)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 4))) (goal x 50)"""

    async def test(client: Client) -> None:
        assert await client.ask(start("m", rules)) == "ready"
        assert await client.ask(Play("m", None)) == "wait"
        assert await client.ask(Play("m", ("wait",))) == "wait"
        assert await client.ask(Play("m", ("wait",))) in ("wait", "go")
        assert await client.ask(Play("m", ("go",))) == "wait"

    run(test)


def test_a_start_of_the_match_that_is_played() -> None:
    async def test(client: Client) -> None:
        assert await client.ask(start()) == "ready"
        assert await client.ask(start(role="o")) == "busy"
        first = (MARK, "noop")
        assert await client.ask(Play("m", None)) != "noop"
        assert await client.ask(Play("m", first)) == "noop"
        # It came twice: the match goes on ...
        assert await client.ask(start()) == "ready"
        second = ("noop", parse_term("(mark 1 1)"))
        move = read_move(await client.ask(Play("m", second)))
        state = load("tic-tac-toe").initial_state().apply(first).apply(second)
        assert move in state.legal_moves("x")
        # ... or the server has been started again, and begins anew.
        assert await client.ask(start()) == "ready"
        assert await client.ask(Play("m", None)) != "noop"
        assert await client.ask(Play("m", first)) == "noop"

    run(test)


def test_a_folder_that_is_gone_costs_no_move(tmp_path: Path) -> None:
    folder = tmp_path / "logs"

    async def test(client: Client) -> None:
        assert await client.ask(start()) == "ready"
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()
        folder.write_text("no folder")
        assert read_move(await client.ask(Play("m", None))) != "nil"
        assert await client.ask(Stop("m", (MARK, "noop"))) == "done"
        assert await client.ask(start("n")) == "ready"
        assert read_move(await client.ask(Play("n", None))) != "nil"

    run(test, log_dir=folder)


def test_an_abort_ends_the_preparation() -> None:
    async def test(client: Client) -> None:
        starting = asyncio.create_task(client.ask(start("m", ENDLESS, "x", "300 1")))
        await until(lambda: "m" in client.server._seats)
        assert await client.ask("(ABORT m)") == "aborted"
        assert await asyncio.wait_for(starting, PATIENCE) == "ready"
        assert await client.ask("(PING)") == "ready"

    run(test)


def test_what_makes_no_sense_is_forgotten_with_the_next_message() -> None:
    async def test(client: Client) -> None:
        game = load("monty-hall")
        message = Start("m", "candidate", games.rules_text("monty-hall"), 60, 60)
        assert await client.ask(message) == "ready"
        await client.ask("(PLAY m 1 (choose ?x) ())")
        assert read_move(await client.ask(Play("m", None))) in game.initial_state().legal_moves(
            "candidate"
        )

    run(test)


def test_a_giant_message_keeps_nobody_waiting() -> None:
    async def test(client: Client) -> None:
        starting = asyncio.create_task(client.ask(start("m", ENDLESS, "x", "300 1")))
        await until(lambda: "m" in client.server._seats)
        giant = "(PLAY m (" + "(flip 1) " * 20_000 + "))"
        asking = [asyncio.create_task(client.ask(giant + " " * number)) for number in range(5)]
        assert "busy" in await client.ask("(INFO)")
        assert not starting.done()
        await asyncio.gather(*asking)
        too_long = await client.bytes(request("(PLAY m (" + "a " * 200_000 + "))", "h", "r"))
        assert too_long.startswith(b"HTTP/1.0 400")
        assert not starting.done()
        assert await client.ask("(ABORT m)") == "aborted"
        assert await starting == "ready"

    run(test)
