"""A person at the board: moves come from outside, the others are asked, and all can be undone."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping

from woodstock.belief import ObservationHistories, Situation
from woodstock.errors import IllegalMoveError, StateError, TraceError
from woodstock.game import Game, State
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term
from woodstock.match.local import Step, ask_all
from woodstock.match.record import MatchRecord
from woodstock.player import Player

__all__ = ["Session"]


class Session:
    """A game between somebody outside, who plays `role`, and players for all other roles.

    Chance is drawn from `seed`. The others get `play_clock` seconds for each move, and what they
    do wrong is set right as in a match. `state` is the true one; `situation` is what the person may
    know of it. `record` is the match so far, as `MatchRecord` keeps it; `names` are what the
    players are called there.

    >>> from woodstock import Game
    >>> from woodstock.player import make_player
    >>> game = Game.from_library("tic-tac-toe")
    >>> session = Session(game, "x", {"o": make_player("legal", 1)}, seed=1)
    >>> step = session.play("(mark 2 2)")
    >>> session.legal
    ('noop',)
    >>> print(*session.play("noop").moves)
    noop (mark 1 1)
    >>> session.undo(), session.state == game.initial_state()
    (True, True)
    """

    def __init__(
        self,
        game: Game,
        role: str,
        players: Mapping[str, Player],
        *,
        seed: int,
        play_clock: float = 15,
        names: Mapping[str, str] | None = None,
    ) -> None:
        others = set(game.players) - {role}
        if role not in game.players or set(players) != others:
            raise ValueError(f"players are needed for exactly {', '.join(sorted(others))}")
        self.game = game
        self.role = role
        self.state = game.initial_state()
        self.moves: list[tuple[Term, ...]] = []
        self._players = dict(players)
        self._manager = random.Random(f"manager/{seed}")
        self._histories = ObservationHistories(game, seed=seed)
        self._clock = play_clock
        self._before: list[State] = []
        called = {role: "person", RANDOM: RANDOM}
        called |= {other: type(one).__name__ for other, one in players.items()} | dict(names or {})
        self.record = MatchRecord.begin(
            game,
            [called[one] for one in game.roles],
            seed=seed,
            play_clock=play_clock,
            milliseconds=_now(),
        )
        self.record.people = (role,)
        self.record.add_state(self.state, _now())

    @property
    def legal(self) -> tuple[Term, ...]:
        """The moves of the person at the board; none when the game is over."""
        return () if self.state.is_terminal else self.state.legal_moves(self.role)

    @property
    def situation(self) -> Situation:
        """What the person at the board is shown: the state, or where it is hidden their history."""
        return self._histories.situation(self.role, self.state)

    def prepare(self, start_clock: float) -> None:
        """Let the other players get ready; one that fails is heard of when it has to move."""
        for role, player in self._players.items():
            try:
                player.prepare(self.game, role, time.monotonic() + start_clock)
            except Exception:
                continue

    def play(self, move: Term | str) -> Step:
        """Make a move, let the others make theirs at the same time, and go on to the next state.

        Raises `IllegalMoveError` for a move that is not legal; nothing has happened then.
        """
        chosen = self.game.term(move)
        if chosen not in self.legal:
            raise IllegalMoveError(f"{chosen} is not legal for {self.role}")
        everybody = {**self._players, self.role: _Person(chosen)}
        step = ask_all(self.state, self._histories, everybody, self._manager, self._clock)
        self._go_on(step)
        return step

    def resume(self, record: MatchRecord) -> None:
        """Go on where a match was left: its moves are made again, nobody is asked.

        `TraceError` where it is a match of other rules; the session is of no use then.

        >>> from woodstock import Game
        >>> from woodstock.player import make_player
        >>> game = Game.from_library("tic-tac-toe")
        >>> one, two = (Session(game, "x", {"o": make_player("legal", 1)}, seed=1) for _ in "12")
        >>> step = one.play("(mark 2 2)")
        >>> two.resume(one.record)
        >>> two.state == one.state, two.undo()
        (True, True)
        """
        for number, joint in enumerate(record.moves):
            try:
                # Luck is drawn for every turn, and must be where it was.
                self.state.random_joint_move(self._manager)
                moves = tuple(self.game.term(move) for move in joint)
                errors, values = record.errors[number], record.values[number]
                step = Step(moves, errors, (0.0,) * len(moves), values)
                self._go_on(step)
            except (IllegalMoveError, StateError, IndexError, ValueError) as problem:
                raise TraceError(f"move {number + 1} cannot be made again: {problem}") from None
        self.record.match_id, self.record.start_time = record.match_id, record.start_time
        self.record.state_times[:] = record.state_times

    def _go_on(self, step: Step) -> None:
        after = self.state.apply(step.moves)
        self._histories.see(step.moves, after)
        self._before.append(self.state)
        self.moves.append(step.moves)
        self.state = after
        self.record.add_moves(step.moves, step.errors, step.values)
        self.record.add_state(after, _now())

    def undo(self) -> bool:
        """Go back to where the person at the board had a choice last; False if that was never."""
        choices = [
            number
            for number, state in enumerate(self._before)
            if len(state.legal_moves(self.role)) > 1
        ]
        if not choices:
            return False
        self.state = self._before[choices[-1]]
        del self._before[choices[-1] :], self.moves[choices[-1] :]
        self._histories.go_back(choices[-1])
        self.record.go_back(choices[-1])
        return True

    def chose(self, number: int) -> tuple[str, ...]:
        """The roles that had a choice when the joint move of this number was made, from 0."""
        return self._before[number].turn

    @property
    def last_choice(self) -> tuple[State, tuple[Term, ...]] | None:
        """The state in which somebody chose last, and the moves of those who did; None at first."""
        for number in reversed(range(len(self.moves))):
            before = self._before[number]
            chosen = [m for r, m in zip(self.game.roles, self.moves[number]) if r in before.turn]
            if chosen:
                return before, tuple(chosen)
        return None


class _Person(Player):
    """Somebody who has made up their mind already."""

    def __init__(self, move: Term) -> None:
        self._move = move

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """The move that was made."""
        return self._move


def _now() -> int:
    return time.time_ns() // 1_000_000
