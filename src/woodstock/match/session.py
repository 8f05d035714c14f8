"""A person at the board: moves come from outside, the others are asked, and all can be undone."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping, Sequence

from woodstock.belief import ObservationHistories, Situation
from woodstock.errors import IllegalMoveError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.match.local import Step, ask_all
from woodstock.player import Player

__all__ = ["Session", "find_move"]

_SHOWN = 5


class Session:
    """A game between somebody outside, who plays `role`, and players for all other roles.

    Chance is drawn from `seed`. The others get `play_clock` seconds for each move, and what they
    do wrong is set right as in a match. `state` is the true one; `situation` is what the person may
    know of it.

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
        after = self.state.apply(step.moves)
        self._histories.see(step.moves, after)
        self._before.append(self.state)
        self.moves.append(step.moves)
        self.state = after
        return step

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
        return True


class _Person(Player):
    """Somebody who has made up their mind already."""

    def __init__(self, move: Term) -> None:
        self._move = move

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """The move that was made."""
        return self._move


def find_move(legal: Sequence[Term], text: str) -> Term:
    """The move that a person means: its number in the list, its text, or how its text begins.

    Numbers count from 1 and stand back where moves are numbers themselves. Parentheses, capitals
    and additional blanks do not matter. `IllegalMoveError` says what is wrong.

    >>> moves = ("(mark 1 1)", "(mark 1 2)", "noop")
    >>> find_move(moves, "2"), find_move(moves, "MARK 1  1"), find_move(moves, "n")
    ('(mark 1 2)', '(mark 1 1)', 'noop')
    >>> find_move(moves, "mark")
    Traceback (most recent call last):
    ...
    woodstock.errors.IllegalMoveError: 'mark' may be (mark 1 1) or (mark 1 2)
    """
    wanted = _plain(text)
    plain = [_plain(str(move)) for move in legal]
    if wanted in plain:
        return legal[plain.index(wanted)]
    if wanted.isdecimal() and not any(one.isdecimal() for one in plain):
        if 1 <= int(wanted) <= len(legal):
            return legal[int(wanted) - 1]
        raise IllegalMoveError(f"there is no move {wanted}; they go from 1 to {len(legal)}")
    meant = [move for move, one in zip(legal, plain) if wanted and one.startswith(wanted)]
    if len(meant) == 1:
        return meant[0]
    if not meant:
        raise IllegalMoveError(f"{text.strip()!r} is no legal move")
    shown = [*map(str, meant[:_SHOWN]), *(["another"] if len(meant) > _SHOWN else [])]
    raise IllegalMoveError(f"{text.strip()!r} may be {', '.join(shown[:-1])} or {shown[-1]}")


def _plain(text: str) -> str:
    return " ".join(text.replace("(", " ").replace(")", " ").lower().split())
