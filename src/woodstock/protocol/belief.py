"""What a player knows of a match from what it is told: the state, or states that it may be.

In GDL everybody is told all moves, and there is one state. In GDL-II a role knows its own moves and
percepts, and a sample of the states that agree with all of them is kept.

Messages get lost, come twice, and carry moves that were made for us because our own came too late.
So nothing is taken from what we answered where the message says otherwise, and what does not fit is
taken for what it most likely is:

* moves that are legal now: a turn has gone by;
* the moves of the last turn once more, not legal now: the message was repeated;
* moves that would be legal one turn later: a message was lost, and some moves that lead there are
  taken for those of the turn nobody told us about;
* percepts that nothing we thought possible leads to: a turn has gone by all the same;
* anything else: we do not know what it means, and stay where we are.

Who is asked for a move knows that the match is not over. Where the rules let everybody perceive all
moves, as game managers have it that send GDL games to players of GDL-II, the percepts are read as
moves, and nothing has to be looked for.

>>> from woodstock import Game
>>> from woodstock.gdl.terms import parse_term
>>> belief = Belief(Game.from_library("tic-tac-toe"), "o", random.Random(1))
>>> belief.hear(None)
'told'
>>> belief.hear([parse_term("(mark 1 1)"), "noop"])
'told'
>>> len(belief.states), len(belief.states[0].legal_moves("o"))
(1, 8)
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from time import monotonic
from typing import Literal

from woodstock.belief.evidence import Seeing, report_of_moves
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.terms import Compound, Term

__all__ = ["Belief", "News", "sees_anything"]

News = Literal["told", "repeated", "guessed", "strange"]
"""``told``: a turn later; ``repeated``: nothing new; ``guessed``: later, but where exactly is
guessed; ``strange``: nobody knows."""

STATES = 32
"""How many states that agree with the percepts are kept."""
JOINT_MOVES = 400
"""How many joint moves of a state are tried; of more, so many are drawn."""


def sees_anything(game: Game) -> bool:
    """Whether the rules say what roles perceive: whether they are GDL-II.

    >>> sees_anything(Game.from_library("tic-tac-toe"))
    False
    """
    heads = (clause.head for clause in game.rules.sheet.clauses)
    return any(isinstance(head, Compound) and head[0] == "sees" for head in heads)


class Belief:
    """Follows a match by what one role is told."""

    def __init__(self, game: Game, role: str, rng: random.Random, *, states: int = STATES) -> None:
        self._most = states
        self._game = game
        self._role = role
        self._rng = rng
        self._hidden = sees_anything(game)
        self._report = report_of_moves(game.rules)
        self._seeing = Seeing(game.rules)
        self._evidence = self._seeing.nothing
        self._last: tuple[Term, ...] | None = None
        self._begun = False
        self.sure = True
        """Whether everything that was told could be made sense of, without guessing."""
        self.turn = 0
        """The number of joint moves that have been made."""
        self.states: list[State] = [game.initial_state()]
        """States that agree with everything told; never empty."""

    def hear(
        self,
        told: Sequence[Term] | None,
        *,
        turn: int | None = None,
        move: Term | None = None,
        until: float = math.inf,
    ) -> News:
        """Take in what a message tells: see `woodstock.protocol.messages`.

        `turn` is the number of the turn where the message has it, `move` the last move that was
        made for us, or, where the message does not say, the one we answered. From `until` on, a
        reading of `time.monotonic`, one state that agrees with the percepts is enough, and some
        time later none is looked for any more.
        """
        self._until, self._hopeless = until, until + 3 * (until - monotonic())
        news = self._hear(told, turn, move)
        self._begun = True
        self.sure = self.sure and news in ("told", "repeated")
        return news

    def _hear(self, told: Sequence[Term] | None, turn: int | None, move: Term | None) -> News:
        if told is None and turn:
            told = ()  # KIF's other word for the empty list
        if told is None:
            if self.turn:
                return "strange"
            return "repeated" if self._begun else "told"
        try:
            terms = tuple(map(self._game.term, told))
            own = None if move is None else self._game.term(move)
        except WoodstockError:
            return "strange"
        if turn is not None and turn <= self.turn:
            return "repeated"
        skipped = turn is not None and self._skip_to(turn - 1)
        news = self._overhear(terms)
        if news == "strange" and self._hidden:
            news = self._perceive(terms, own)
        if news == "strange":
            news = self._follow(terms)
        if news == "strange" and self._hidden and self._go_on(own):
            news = "guessed"
        return "guessed" if skipped and news == "told" else news

    def _skip_to(self, turn: int) -> bool:
        """Turns that nobody told us about: anything may have happened. Whether there were any."""
        before = self.turn
        while self.turn < turn and self._go_on(None):
            pass
        return self.turn > before

    def _go_on(self, own: Term | None) -> bool:
        """A turn of which only our move is known, if that; whether there can have been one."""
        for move in (own, None) if own is not None else (None,):
            after = self._some(s for s in self._successors(move) if not s.is_terminal)
            if after:
                self._take(after, (), 1)
                return True
        return False

    def _overhear(self, percepts: tuple[Term, ...]) -> News:
        """Percepts that tell all moves."""
        if self._report is None:
            return "strange"
        made = {role: move for role, move in map(self._report, percepts) if role}
        if any(role not in made for role in self._game.roles):
            return "strange"
        return self._follow(tuple(made[role] for role in self._game.roles))

    def _follow(self, joint: tuple[Term, ...]) -> News:
        if len(joint) != len(self._game.roles):
            return "strange"
        after = [state._after(joint) for state in self.states if _allows(state, joint)]
        if len(after) > 1:
            after = [state for state in after if not state.is_terminal] or after
        if after:
            self._take(after, joint, 1)
            return "told"
        if joint == self._last:
            return "repeated"
        between = next((one for one in self._successors(None) if _allows(one, joint)), None)
        if between is not None:
            self._take([between._after(joint)], joint, 2)
            return "guessed"
        return "strange"

    def _perceive(self, percepts: tuple[Term, ...], own: Term | None) -> News:
        wanted = frozenset(percepts)
        self._evidence = self._seeing.of(self._role, percepts)
        try:
            return self._look_for(wanted, percepts, own)
        finally:
            self._evidence = self._seeing.nothing

    def _look_for(
        self, wanted: frozenset[Term], percepts: tuple[Term, ...], own: Term | None
    ) -> News:
        for move in (own, None) if own is not None else (None,):
            after = self._some(
                state
                for state in self._successors(move)
                if frozenset(state.percepts(self._role)) == wanted and not state.is_terminal
            )
            if after:
                self._take(after, percepts, 1)
                return "told"
        return "repeated" if percepts == self._last else "strange"

    def _take(self, states: list[State], told: tuple[Term, ...], turns: int) -> None:
        self.states = states
        self._last = told
        self.turn += turns

    def _some(self, states: Iterator[State]) -> list[State]:
        """The first different ones, as many as are kept."""
        found: dict[State, None] = {}
        for state in states:
            found[state] = None
            if len(found) == self._most or monotonic() > self._until:
                break
        return list(found)

    def _successors(self, own: Term | None) -> Iterator[State]:
        """States after joint moves in which our own is given or any, in random order.

        All states take turns, so that the first few stand for all.
        """
        waiting = [(state, self._joint_moves(state, own)) for state in self.states]
        while waiting:
            self._rng.shuffle(waiting)
            for state, joints in list(waiting):
                if monotonic() > self._hopeless:
                    return
                joint = next(joints, None)
                if joint is None:
                    waiting.remove((state, joints))
                else:
                    yield state._after(joint)

    def _may_have_made(self, state: State, role: str) -> Sequence[Term]:
        """The legal moves of a role that our percepts do not rule out."""
        return [move for move in state.legal_moves(role) if self._evidence.allows(role, move)]

    def _joint_moves(self, state: State, own: Term | None) -> Iterator[tuple[Term, ...]]:
        if own is not None and not state.is_legal(self._role, own):
            return
        options = [
            (own,) if own is not None and role == self._role else self._may_have_made(state, role)
            for role in self._game.roles
        ]
        if math.prod(map(len, options)) > JOINT_MOVES:
            for _ in range(JOINT_MOVES):
                yield tuple(map(self._rng.choice, options))
        else:
            joints = list(itertools.product(*options))
            self._rng.shuffle(joints)
            yield from joints


def _allows(state: State, joint: Sequence[Term]) -> bool:
    # Not asked whether it is the end: it was not, or nobody would have told us of moves, and in
    # some games that is by far the costliest question.
    return all(state.is_legal(role, move) for role, move in zip(state.roles, joint))
