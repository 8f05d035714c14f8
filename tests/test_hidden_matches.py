"""Local matches where something is hidden: who is shown what, and that everybody plays by it."""

from __future__ import annotations

import pytest

from effort import effort
from games_support import load
from woodstock import Game, State, games
from woodstock.belief import ObservationHistory, Situation, believed
from woodstock.gdl.terms import Term
from woodstock.match import MatchRecord, Session, play_match, seat_players
from woodstock.player import Player, legal_moves, player_names

HIDDEN = [name for name in games.names() if games.meta(name).kind == "hidden"]


class Spy(Player):
    """Keeps what it is shown, and plays the first legal move, or whatever it is told to."""

    def __init__(self, *answers: Term) -> None:
        self.shown: list[Situation] = []
        self._answers = iter(answers)

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        pass

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        self.shown.append(situation)
        return next(self._answers, legal_moves(believed(situation), role)[0])


def states_of(game: Game, record: MatchRecord) -> list[State]:
    """The states of a match, with their percepts."""
    states = [game.initial_state()]
    for moves in record.moves:
        states.append(states[-1].apply(moves))
    return states


@pytest.mark.parametrize("name", ["monty-hall", "kuhn-poker", "pacman-hidden", "wumpus"])
def test_players_are_shown_sights_and_nothing_else(name: str) -> None:
    game = load(name)
    spies = {role: Spy() for role in game.players}
    record = play_match(game, spies, seed=3, max_moves=8)
    states = states_of(game, record)
    for role, spy in spies.items():
        assert len(spy.shown) == len(record.moves)
        (history,) = set(spy.shown)
        assert isinstance(history, ObservationHistory)
        assert history.role == role
        number = game.roles.index(role)
        made = [game.term(moves[number]) for moves in record.moves]
        assert [observation.move for observation in history.observations] == made
        seen = [frozenset(state.percepts(role)) for state in states[1:]]
        assert [observation.percepts for observation in history.observations] == seen
        assert states[-1] in history.belief().chances


def test_where_nothing_is_hidden_players_are_shown_the_state() -> None:
    game = load("tic-tac-toe")
    spies = {role: Spy() for role in game.roles}
    record = play_match(game, spies, seed=3)
    assert spies["x"].shown == spies["o"].shown == states_of(game, record)[:-1]


def test_a_move_made_in_place_of_a_wrong_one_is_what_is_remembered() -> None:
    game = load("monty-hall")
    spy = Spy("(choose 9)")
    record = play_match(game, {"candidate": spy}, seed=2)
    assert record.errors[0][0] == "IL (choose 9)"
    (history,) = set(spy.shown)
    assert isinstance(history, ObservationHistory)
    assert history.observations[0].move == game.term(record.moves[0][0])
    assert history.belief().exact


def test_the_same_seed_gives_the_same_match() -> None:
    game = load("kuhn-poker")
    first, again = (
        play_match(game, seat_players(game, ["random", "random"], seed=5), seed=5) for _ in range(2)
    )
    assert first.moves == again.moves


MOVES = effort(4, 6)


def seatings() -> list[tuple[str, tuple[str, ...]]]:
    """Every player in every game that hides something, as few matches as there are seats for."""
    found = []
    for name in HIDDEN:
        seats, names = games.meta(name).players, player_names()
        padded = [*names, *names[: -len(names) % seats]]
        found += [(name, tuple(padded[i : i + seats])) for i in range(0, len(padded), seats)]
    return found


@pytest.mark.parametrize(("name", "players"), seatings())
def test_every_player_plays_by_what_it_has_seen(
    name: str, players: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    game = load(name)
    seated = seat_players(game, players, seed=1, memory_mb=16)
    record = play_match(game, seated, seed=1, start_clock=0.02, play_clock=0.05, max_moves=MOVES)
    assert len(record.moves) == MOVES or record.is_completed
    # A busy machine makes answers and beliefs late, and that is no mistake of theirs.
    wrong = {error for joint in record.errors for error in joint} - {"", "TO"}
    assert not wrong or "there is no belief yet" in caplog.text


# Somebody at the board.


def test_a_session_shows_what_the_person_may_see() -> None:
    session = Session(load("monty-hall"), "candidate", {}, seed=1)
    session.play("(choose 1)")
    history = session.situation
    assert isinstance(history, ObservationHistory)
    assert len(history.belief().states) == 3
    assert session.state in history.belief().chances


def test_what_is_undone_was_never_seen() -> None:
    game = load("kuhn-poker")
    spy = Spy()
    session = Session(game, "alice", {"bob": spy}, seed=1)
    session.play("noop")
    mine = session.situation
    assert isinstance(mine, ObservationHistory)
    before, cards = list(mine.observations), mine.belief().chances
    session.play("check")
    session.play("noop")
    assert len(mine.belief().states) == 2
    theirs = spy.shown[-1]
    assert isinstance(theirs, ObservationHistory)
    assert (mine.turn, theirs.turn) == (3, 3)
    assert session.undo()
    assert session.situation is mine
    assert mine.observations == before
    assert mine.belief().chances == cards
    assert theirs.turn == 1
    session.play("bet")
    assert mine.turn == theirs.turn == 2
    assert session.state in mine.belief().chances
    assert session.state in theirs.belief().chances


def test_hidden_games_have_something_to_show() -> None:
    assert "monty-hall" in HIDDEN
    assert all(load(name).information != "complete" for name in HIDDEN)
