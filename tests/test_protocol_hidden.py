"""Games that hide something, over loopback and in both dialects of GDL-II."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import pytest

from conformance_folder import FOLDER
from games_support import load
from protocol_support import QUICK, Client, Stranger, run, says
from woodstock import Game, State, games
from woodstock.belief import ObservationHistory, Situation
from woodstock.gdl.terms import Term
from woodstock.match import MatchRecord
from woodstock.player import Player, make_player
from woodstock.protocol import worker
from woodstock.protocol.crew import warm_up
from woodstock.protocol.hearing import Hearing, News
from woodstock.protocol.hosted_players import Dialect, HostedPlayer, LocalPlayer, RemotePlayer
from woodstock.protocol.manager import host_match
from woodstock.protocol.messages import Message, Play, Start, Stop, read_move
from woodstock.protocol.our_seat import SeatOptions
from woodstock.protocol.worker import TurnReport

LIBRARY = ["monty-hall", "kuhn-poker", "mastermind", "latent-tic-tac-toe-10x10"]
PUBLIC = [
    pytest.param(name, marks=pytest.mark.skipif(not FOLDER.exists(), reason="not here"))
    for name in ("kriegTTT_5x5.gdl", "blindtictactoe.gdl", "meier.gdl")
]
DIALECTS: Sequence[Dialect] = ("gdl2", "gdl2-old")


@pytest.fixture(scope="module", autouse=True)
def workers() -> None:
    warm_up()


@cache
def text_of(name: str) -> str:
    return games.rules_text(name) if "." not in name else (FOLDER / "gdl2" / name).read_text()


@cache
def game_of(name: str) -> Game:
    return load(name) if "." not in name else Game.from_text(text_of(name), name=name)


class Table:
    """A match of a game that hides something: our player at one role, luck at the others."""

    def __init__(self, name: str, dialect: Dialect, role: str = "", end: str = "") -> None:
        self.game = game_of(name)
        assert self.game.information != "complete"
        self.role = role or self.game.players[-1]
        self.state = self.game.initial_state()
        self.turn = 0
        self._rules = text_of(name) + end
        self._numbered = dialect == "gdl2"
        self._rng = random.Random(4)
        self._made: Term | None = None

    def start(self, clock: float = 300) -> Start:
        return Start("m", self.role, self._rules + "\n", clock, clock)

    def message(self) -> Play:
        told = self.state.percepts(self.role) if self.turn else None
        if self._numbered:
            return Play("m", told, self.turn, self._made)
        return Play("m", told)

    async def ask(self, client: Client) -> Term:
        """Our player's answer, which has to be legal."""
        move = read_move(await client.ask(self.message()))
        assert move in self.state.legal_moves(self.role), self.turn
        return move

    def go_on(self, move: Term | None = None) -> None:
        """Everybody moves; the move is drawn for our player where it gave none in time."""
        joint = list(self.state.random_joint_move(self._rng))
        place = self.game.roles.index(self.role)
        joint[place] = move or joint[place]
        self._made = joint[place]
        self.state = self.state.apply(joint)
        self.turn += 1

    def go_on_with_another(self, move: Term) -> bool:
        """The same where another move is made for our player; whether there is one."""
        others = [one for one in self.state.legal_moves(self.role) if one != move]
        self.go_on(self._rng.choice(others) if others else move)
        return bool(others)

    @property
    def is_over(self) -> bool:
        return self.state.is_terminal

    def heard(self, told: Sequence[TurnReport]) -> Hearing:
        """What somebody makes of what our player was told."""
        hearing = Hearing(self.game, self.role, seed=3)
        for one in told:
            hearing.hear(one.told, turn=one.turn, move=one.move)
        return hearing


def believes(hearing: Hearing, state: State) -> bool:
    assert isinstance(hearing.situation, ObservationHistory)
    belief = hearing.situation.belief()
    return state in belief.states or not belief.exact


def told_to(client: Client) -> list[TurnReport]:
    return client.server._seats["m"]._told


@pytest.mark.parametrize("name", [*LIBRARY, *PUBLIC])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_answer_is_legal_and_the_truth_is_believed(name: str, dialect: Dialect) -> None:
    table = Table(name, dialect)

    async def test(client: Client) -> None:
        assert await client.ask(table.start()) == "ready"
        for _ in range(7):
            if table.is_over:
                break
            table.go_on(await table.ask(client))
        if not table.is_over:
            await table.ask(client)
            hearing = table.heard(told_to(client))
            assert hearing.turn == table.turn
            assert hearing.sure
            assert believes(hearing, table.state)

    run(test, seat=QUICK)
    assert table.turn > 1


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_player_that_thinks(dialect: Dialect) -> None:
    table = Table("monty-hall", dialect)

    async def test(client: Client) -> None:
        assert await client.ask(table.start(clock=2)) == "ready"
        while not table.is_over:
            table.go_on(await table.ask(client))

    run(test, seat=SeatOptions(player="uct", margin=1, memory_mb=16))
    assert table.turn > 2


KRIEG = PUBLIC[0]


@pytest.mark.parametrize(
    ("name", "dialect"),
    [
        ("latent-tic-tac-toe-10x10", "gdl2"),
        ("mastermind", "gdl2"),
        pytest.param("kriegTTT_5x5.gdl", "gdl2", marks=KRIEG.marks),
        # Here the percepts tell which move was made.
        pytest.param("kriegTTT_5x5.gdl", "gdl2-old", marks=KRIEG.marks),
    ],
)
def test_another_move_that_was_made_for_us_is_believed(name: str, dialect: Dialect) -> None:
    table = Table(name, dialect)
    replaced = 0

    async def test(client: Client) -> None:
        nonlocal replaced
        assert await client.ask(table.start()) == "ready"
        for _ in range(6):
            replaced += table.go_on_with_another(await table.ask(client))
            assert not table.is_over
        await table.ask(client)
        hearing = table.heard(told_to(client))
        assert hearing.sure
        assert hearing.turn == table.turn
        assert believes(hearing, table.state)

    run(test, seat=QUICK)
    assert replaced


@pytest.mark.parametrize("name", ["monty-hall", "kuhn-poker", "wumpus"])
def test_turns_that_nobody_told_us_about(name: str) -> None:
    table = Table(name, "gdl2", game_of(name).players[0])

    async def test(client: Client) -> None:
        assert await client.ask(table.start()) == "ready"
        table.go_on(await table.ask(client))
        table.go_on()
        await table.ask(client)
        hearing = table.heard(told_to(client))
        assert not hearing.sure
        assert hearing.turn == table.turn == 2
        assert believes(hearing, table.state)

    run(test, seat=QUICK)


@pytest.mark.parametrize("name", ["kuhn-poker", KRIEG])
@pytest.mark.parametrize("dialect", DIALECTS)
def test_messages_that_come_twice(name: str, dialect: Dialect) -> None:
    table = Table(name, dialect, game_of(name).players[0])

    async def test(client: Client) -> None:
        assert await client.ask(table.start()) == "ready"
        for _ in range(2):
            await table.ask(client)
            table.go_on(await table.ask(client))
        for _ in range(2):
            await table.ask(client)
        told = told_to(client)
        assert len(told) == 6
        hearing = table.heard(told)
        assert hearing.sure
        assert hearing.turn == table.turn == 2
        assert believes(hearing, table.state)

    run(test, seat=QUICK)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_player_that_was_killed_joins_again(dialect: Dialect, tmp_path: Path) -> None:
    """What was perceived before is not forgotten; the rules end in a comment."""
    table = Table("wumpus", dialect, end="; the end")

    async def first(client: Client) -> None:
        assert await client.ask(table.start()) == "ready"
        for _ in range(4):
            table.go_on(await table.ask(client))

    async def second(client: Client) -> None:
        for _ in range(3):
            assert not table.is_over
            table.go_on(await table.ask(client))
            # So do those who work for it.
            for one in client.server._seats["m"]._workers.values():
                one._process.kill()
        hearing = table.heard(told_to(client))
        assert hearing.turn == table.turn - 1

    run(first, log_dir=tmp_path, seat=QUICK)
    if dialect == "gdl2":
        table.go_on()  # while nobody was there
    run(second, log_dir=tmp_path, seat=QUICK)
    text = "".join(path.read_text() for path in tmp_path.iterdir())
    assert text.count('"start"') == 1


class Slow:
    """Hears nothing, and takes all the time it is given."""

    def __init__(self) -> None:
        self.now = 100.0
        self.ends: list[float] = []

    def hear(self, told: object, *, turn: object, move: object, until: float) -> News:
        self.now = until
        self.ends.append(until)
        return "told"


def test_a_past_of_many_turns_takes_no_more_than_its_share(monkeypatch: pytest.MonkeyPatch) -> None:
    past = [TurnReport(number, (), None, None, 1.0) for number in range(20)]
    for clock in (5.0, 1000.0):
        hearing = Slow()
        monkeypatch.setattr(worker, "monotonic", lambda hearing=hearing: hearing.now)
        monkeypatch.setattr(worker, "belief_until", lambda until: 100 + (until - 100) / 5)
        worker._hear(hearing, [*past, TurnReport(20, (), None, None, 100 + clock)])  # type: ignore[arg-type]
        assert hearing.ends[-1] == pytest.approx(100 + clock / 5)
        assert hearing.ends[19] <= 100 + 20 * worker.PAST_SECONDS + 1e-6
        assert hearing.ends == sorted(hearing.ends)


class Peeping(Player):
    """A player that keeps what it is shown."""

    def __init__(self) -> None:
        self.shown: list[Situation] = []

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        return

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        self.shown.append(situation)
        state = situation if isinstance(situation, State) else situation.belief().likeliest
        return state.legal_moves(role)[0]


def host(game: Game, seats: dict[str, HostedPlayer], **options: float) -> MatchRecord:
    settings = {"start_clock": 60.0, "play_clock": 60.0, **options}
    return asyncio.run(host_match(game, seats, seed=2, **settings))  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["kuhn-poker", "tic-tac-toe"])
def test_players_of_the_manager_are_shown_what_their_role_may_see(name: str) -> None:
    game = load(name)
    seen = {role: Peeping() for role in game.players}
    seats: dict[str, HostedPlayer] = {
        role: LocalPlayer(lambda player=player: player, role)  # type: ignore[misc]
        for role, player in seen.items()
    }
    record = host(game, seats)
    assert record.is_completed
    assert not any(map(any, record.errors)), record.errors
    for role, player in seen.items():
        assert len(player.shown) == len(record.moves)
        if name == "tic-tac-toe":
            assert all(isinstance(one, State) for one in player.shown)
            continue
        history = player.shown[-1]
        assert isinstance(history, ObservationHistory)
        assert (history.role, history.turn) == (role, len(record.moves))
        made = [str(observation.move) for observation in history.observations]
        assert made == [joint[game.roles.index(role)] for joint in record.moves]


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_a_manager_tells(dialect: Dialect) -> None:
    """Percepts; in the final dialect also the move that was made instead of a bad one."""
    game = load("kuhn-poker")

    def answer(message: Message) -> str:
        return "ready" if isinstance(message, Start) else "nonsense"

    stranger = Stranger(says(answer))

    async def match() -> MatchRecord:
        async with stranger:
            seats: dict[str, HostedPlayer] = {
                "alice": RemotePlayer(stranger.address, dialect),
                "bob": LocalPlayer(lambda: make_player("random", 1), "random"),
            }
            return await host_match(game, seats, seed=2, start_clock=60, play_clock=60)

    record = asyncio.run(match())
    place = game.roles.index("alice")
    assert {joint[place] for joint in record.errors} == {"IL nonsense"}
    _, first, *turns, stop = stranger.heard
    numbered = dialect == "gdl2"
    assert str(first) == f"( PLAY {record.match_id} {'0 NIL ' if numbered else ''}NIL )"
    state = game.initial_state()
    for number, (message, joint) in enumerate(zip([*turns, stop], record.moves, strict=True), 1):
        state = state.apply(joint)
        assert isinstance(message, Play | Stop)
        assert message.told == state.percepts("alice")
        assert message.turn == (number if numbered else None)
        assert message.move == (game.term(joint[place]) if numbered else None)
    assert isinstance(stop, Stop)
