"""What a player knows of a match from what it is told.

In GDL everybody is told all moves, and the state is known. In GDL-II a role is told its percepts;
together with its own moves they are an `woodstock.belief.ObservationHistory`, which knows what may
be the state.

Messages get lost, come twice, and carry moves that were made for us because our own came too late.
So nothing is taken from what we answered where the message says otherwise, and what does not fit is
taken for what it most likely is:

* moves that are legal now: a turn has gone by;
* the moves of the last turn once more, not legal now: the message was repeated;
* moves that would be legal one turn later: a message was lost, and some moves that lead there are
  taken for those of the turn nobody told us about;
* percepts that our own move cannot have led to, where messages do not say which move was made for
  us, nor count turns: another move was, or the message was repeated, or one was lost;
* percepts that nothing we thought possible leads to: a turn has gone by all the same;
* anything else: we do not know what it means, and stay where we are.

Who is asked for a move knows that the match is not over. Where the rules let everybody perceive all
moves, as game managers have it that send GDL games to players of GDL-II, the percepts are read as
moves, and nothing has to be looked for. Where a server tells all moves of a game that hides some,
they are followed, and the player is shown what the rules let its role perceive of them.

>>> from woodstock import Game
>>> from woodstock.gdl.terms import parse_term
>>> hearing = Hearing(Game.from_library("tic-tac-toe"), "o", seed=1)
>>> hearing.hear(None)
'told'
>>> hearing.hear([parse_term("(mark 1 1)"), "noop"])
'told'
>>> hearing.turn, len(hearing.state.legal_moves("o"))
(1, 8)
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from time import monotonic
from typing import Literal, TypeAlias

from woodstock.belief import ObservationHistory, Situation, Tracker, make_tracker
from woodstock.belief.evidence import Seeing, report_of_moves
from woodstock.errors import WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.terms import Compound, Term

__all__ = ["Hearing", "News", "sees_anything"]

News = Literal["told", "repeated", "guessed", "strange"]
"""``told``: a turn later; ``repeated``: nothing new; ``guessed``: later, but where exactly is
guessed; ``strange``: nobody knows."""

Observations: TypeAlias = list[tuple[Term | None, tuple[Term, ...] | None]]
"""Turns as `ObservationHistory.record` takes them."""

JOINT_MOVES = 400
"""How many joint moves are tried for a turn nobody told us about; of more, so many are drawn."""
MOST_LOST = 100
"""Turns after which a match that we were told nothing of cannot be found again."""


def sees_anything(game: Game) -> bool:
    """Whether the rules say what roles perceive: whether they are GDL-II.

    >>> sees_anything(Game.from_library("tic-tac-toe"))
    False
    """
    heads = (clause.head for clause in game.rules.sheet.clauses)
    return any(isinstance(head, Compound) and head[0] == "sees" for head in heads)


class Hearing:
    """Follows a match by what one role is told. `make` makes the tracker of its beliefs."""

    def __init__(
        self, game: Game, role: str, *, seed: int, make: Callable[..., Tracker] = make_tracker
    ) -> None:
        self._game = game
        self._role = role
        self._rng = random.Random(seed)
        self._perceives = sees_anything(game)
        self._report = report_of_moves(game.rules)
        self._seeing = Seeing(game.rules)
        self._hides = (
            self._perceives
            and self._report is None
            # Of rules that are not ground nothing can be proved; the attempt would take long.
            and (game.engine.name == "lifted" or game.information != "complete")
        )
        self._history = ObservationHistory(game, role, seed=seed, make=make)
        self._known: State | None = game.initial_state()  # as long as moves are told
        self._last: tuple[Term, ...] | None = None
        self._begun = False
        self.sure = True
        """Whether everything that was told could be made sense of, without guessing."""

    @property
    def turn(self) -> int:
        """The number of joint moves that have been made."""
        return self._history.turn

    @property
    def state(self) -> State:
        """The state, or one that agrees with everything told."""
        if self._known is not None:
            return self._known
        belief = self._history.belief()
        # Whether it goes on is in some games by far the costliest question.
        return (belief if len(belief.positions) == 1 else belief.going_on()).heaviest

    @property
    def situation(self) -> Situation:
        """What a player is to be asked about: the state, or our history if the rules hide it."""
        return self._history if self._hides else self.state

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
        news = self._hear(told, turn, move, until)
        self._begun = True
        self.sure = self.sure and news in ("told", "repeated")
        return news

    def _hear(
        self, told: Sequence[Term] | None, turn: int | None, move: Term | None, until: float
    ) -> News:
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
        lost = None if turn is None else turn - 1 - self.turn
        if lost is not None and not 0 <= lost <= MOST_LOST:
            return "repeated" if lost < 0 else "strange"
        if self._known is not None and self._tells_moves(self._known, terms, until):
            return self._follow(self._known, self._joint(terms), own, lost, until)
        self._known = None
        return self._perceive(terms, own, lost, until)

    def _tells_moves(self, state: State, terms: tuple[Term, ...], until: float) -> bool:
        """Whether moves are what is told; the first turn tells, and so it stays."""
        if not self._perceives or self._report is not None or self.turn:
            return True
        if len(terms) != len(state.roles) or not _allows(state, terms):
            return False
        perceived = self._suppose([(None, terms)], until)
        self._history.go_back(0)
        return not perceived

    def _joint(self, terms: tuple[Term, ...]) -> tuple[Term, ...] | None:
        """The joint move that is told, if one is."""
        if self._report is not None:
            made = dict(map(self._report, terms))
            terms = tuple(made[role] for role in self._game.roles if role in made)
        return terms if len(terms) == len(self._game.roles) else None

    def _follow(
        self,
        state: State,
        joint: tuple[Term, ...] | None,
        own: Term | None,
        lost: int | None,
        until: float,
    ) -> News:
        """Moves were told, after so many turns of which we know that nobody told us."""
        hopeless = until + 3 * (until - monotonic())
        if joint is not None:
            for missing in (0, 1) if lost is None else (lost,):
                if missing and lost is None and joint == self._last:
                    return "repeated"
                before = self._later(state, missing, own if lost is None else None, hopeless)
                found = next((one for one in before if _allows(one, joint)), None)
                if found is not None:
                    self._take(found.apply_unchecked(joint), missing + 1, joint)
                    return "guessed" if missing else "told"
        if not self._perceives:
            return "strange"
        turns = 1 + (lost or 0)
        after = next(self._later(state, turns, None if lost else own, hopeless), None)
        if after is None:
            return "strange"
        self._take(after, turns)
        return "guessed"

    def _take(self, state: State, turns: int, joint: tuple[Term, ...] | None = None) -> None:
        self._known, self._last = state, joint
        for _ in range(turns - 1):
            self._history.record(None, None)
        if joint is None:
            self._history.record(None, None)
        else:
            self._history.see(joint[self._game.roles.index(self._role)], state)

    def _perceive(
        self, percepts: tuple[Term, ...], own: Term | None, lost: int | None, until: float
    ) -> News:
        """Percepts were told, after so many turns of which we know that nobody told us."""
        last, self._last = self._last, percepts
        if lost is not None:
            agrees = self._suppose([*[(None, None)] * lost, (own, percepts)], until)
            return "told" if agrees and not lost else "guessed"
        # Most often percepts tell at once that another move was made for us.
        fits = own is None or self._seeing.of(self._role, percepts).allows(self._role, own)
        told: Observations = [(own if fits else None, percepts)]
        meant: list[tuple[News, Observations]] = [("told", told)]
        if own is not None and fits:
            meant.append(("told", [(None, percepts)]))
        if percepts == last:
            meant.append(("repeated", []))
        meant.append(("guessed", [(own, None), (None, percepts)]))
        before = self.turn
        for news, observations in meant:
            now = monotonic()
            if self._suppose(observations, now + (until - now) / 2):
                return news
            if monotonic() > until:
                return "guessed"
            self._history.go_back(before)
        self._suppose(told, until)
        return "guessed"

    def _suppose(self, observations: Observations, until: float) -> bool:
        """Take it that these turns have gone by; whether that can be."""
        for observation in observations:
            self._history.record(*observation)
        self._history.belief(until)
        return not observations or not self._history.surprised

    def _later(
        self, state: State, turns: int, own: Term | None, hopeless: float
    ) -> Iterator[State]:
        """Where a match that goes on may be some turns later, in random order.

        First come those where the first of our moves is our own, if that is known.
        """
        if not turns:
            yield state
            return
        for joint in self._joint_moves(state, own):
            after = state.apply_unchecked(joint)
            if not after.is_terminal:
                yield from self._later(after, turns - 1, None, hopeless)
            if monotonic() > hopeless:
                return
        if own is not None:
            yield from self._later(state, turns, None, hopeless)

    def _joint_moves(self, state: State, own: Term | None) -> Iterator[tuple[Term, ...]]:
        if own is not None and not state.is_legal(self._role, own):
            return
        options = [
            (own,) if own is not None and role == self._role else state.legal_moves(role)
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
