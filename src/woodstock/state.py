"""A point in play.

>>> from woodstock import Game
>>> state = Game.load("tic-tac-toe").initial_state()
>>> "(mark 2 2)" in state.legal_moves("x")
True
>>> state.apply(["(mark 2 2)", "noop"]).turn
('o',)
"""

from __future__ import annotations

import itertools
import random as _random
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, SupportsIndex

from woodstock.engine import Percepts
from woodstock.errors import IllegalMoveError, StateError
from woodstock.gdl.keywords import players_of
from woodstock.gdl.terms import Term
from woodstock.playouts import MAX_PLIES, Playouts

if TYPE_CHECKING:
    from woodstock.game import Game
    from woodstock.search import Decision, Limits

__all__ = ["JointMove", "Moves", "State"]

JointMove = Sequence[Term | str] | Mapping[str, Term | str]
"""One move for each role: in role order, or by role."""

BEST = "woodstock"
"""Who is asked for the best move if nobody else is named."""


class Moves(tuple[Term, ...]):
    """The moves open to a role: a tuple of terms, which also knows them by their texts.

    `in`, `index` and `count` take a move as a term or as a KIF text, in any case and with any
    blanks, like `State.apply`.

    >>> from woodstock import Game
    >>> moves = Game.load("tic-tac-toe").initial_state().legal_moves("x")
    >>> "( MARK 1 1 )" in moves, ("mark", "1", "1") in moves, "(mark 4 4)" in moves
    (True, True, False)
    >>> moves.index("(mark 1 3)")
    2
    """

    _game: Game

    @classmethod
    def of(cls, game: Game, moves: tuple[Term, ...]) -> Moves:
        """Some moves of a game."""
        made = cls(moves)
        made._game = game
        return made

    def __contains__(self, move: object) -> bool:
        return super().__contains__(self._term(move))

    def index(self, move: Any, start: SupportsIndex = 0, stop: SupportsIndex = 2**63 - 1, /) -> int:
        """The place of a move; `ValueError` where it is not legal."""
        return super().index(self._term(move), start, stop)

    def count(self, move: Any, /) -> int:
        """1 for a legal move, 0 for any other."""
        return super().count(self._term(move))

    def _term(self, move: object) -> object:
        # Most questions are about terms that need no reading.
        if not isinstance(move, str) or super().__contains__(move):
            return move
        try:
            return self._game.term(move)
        except IllegalMoveError:
            return move

    def __reduce__(self) -> Any:
        return tuple, ([*self],)


class State:
    """A point in play: small, immutable, hashable. Equal when the same fluents hold.

    `position` is what the engine of its game calls it: opaque, hashable, comparable, without
    meaning to any other engine (on the circuit the packed bits of the fluents).
    """

    __slots__ = ("_fluents", "_percepts", "game", "position")

    def __init__(self, game: Game, position: Any, percepts: Percepts | None = None) -> None:
        self.game = game
        self.position = position
        self._percepts: Percepts = percepts or tuple(() for _ in game.roles)
        self._fluents: frozenset[Term] | None = None

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles of the game, in the order of the rulesheet."""
        return self.game.roles

    @property
    def fluents(self) -> frozenset[Term]:
        """What holds here."""
        if self._fluents is None:
            self._fluents = self.game.engine.fluents(self.position)
        return self._fluents

    @property
    def is_terminal(self) -> bool:
        """Whether the game is over."""
        return self.game.engine.terminal(self.position)

    def legal_moves(self, role: str) -> Moves:
        """The moves open to a role, sorted by their text (also asked of a finished game)."""
        return Moves.of(self.game, self.game.engine.legal(self.position, self._role(role)))

    @property
    def turn(self) -> tuple[str, ...]:
        """The roles that have a choice here, chance among them: more than one legal move.

        Several where moves are made at once, none after the end.

        >>> from woodstock import Game
        >>> state = Game.load("tic-tac-toe").initial_state()
        >>> state.turn, state.apply(["(mark 2 2)", "noop"]).turn
        (('x',), ('o',))
        >>> Game.load("matching-pennies").initial_state().turn
        ('j1', 'j2')
        """
        if self.is_terminal:
            return ()
        return tuple(role for role in self.roles if len(self.legal_moves(role)) > 1)

    def is_legal(self, role: str, move: Term) -> bool:
        """Whether a move is open to a role.

        >>> from woodstock import Game
        >>> Game.load("tic-tac-toe").initial_state().is_legal("o", "noop")
        True
        """
        return self.game.engine.is_legal(self.position, self._role(role), self.game.term(move))

    def goal(self, role: str) -> int | None:
        """What the rules give a role here; None when they give nothing or several values."""
        values = self.game.engine.goals(self.position, self._role(role))
        return values[0] if len(values) == 1 else None

    def goals(self) -> dict[str, int | None]:
        """`goal` of every role, in role order."""
        return {role: self.goal(role) for role in self.roles}

    def percepts(self, role: str) -> tuple[Term, ...]:
        """What a role perceived (`sees`) of the joint move that led here."""
        return self._percepts[self._role(role)]

    def apply(self, moves: JointMove) -> State:
        """The state after a joint move: a sequence in role order or a mapping by role.

        Moves are terms or KIF texts. Raises `IllegalMoveError` for a move that is not legal, for
        a missing one, and when the game is over.
        """
        joint = self._joint(moves)
        if self.is_terminal:
            raise IllegalMoveError("the game is over; no moves are possible")
        for role, move in zip(self.roles, joint):
            if not self.game.engine.is_legal(self.position, self._role(role), move):
                legal = self.legal_moves(role)
                shown = ", ".join(map(str, legal[:6])) + (", ..." if len(legal) > 6 else "")
                raise IllegalMoveError(
                    f"{move} is not legal for {role}; legal: {shown or 'nothing at all'}"
                )
        return self.apply_unchecked(joint)

    def apply_unchecked(self, joint: Sequence[Term]) -> State:
        """The state after a joint move that is known to be legal; nothing is checked."""
        position, percepts = self.game.engine.next(self.position, joint)
        return State(self.game, position, percepts)

    def joint_moves(self) -> Iterator[tuple[Term, ...]]:
        """Every combination of one legal move for each role.

        >>> from woodstock import Game
        >>> len(list(Game.load("matching-pennies").initial_state().joint_moves()))
        4
        """
        return itertools.product(*(self.legal_moves(role) for role in self.roles))

    def random_joint_move(self, rng: _random.Random) -> tuple[Term, ...]:
        """A legal move for every role, each drawn uniformly; `StateError` where there is none."""
        joint = []
        for role in self.roles:
            legal = self.legal_moves(role)
            if not legal:
                raise StateError(
                    f"{role} has no legal move here; the rules do not say what follows"
                )
            joint.append(rng.choice(legal))
        return tuple(joint)

    def successors(self) -> list[tuple[tuple[Term, ...], State]]:
        """Every joint move and the state it leads to, in the order of `joint_moves`.

        Empty where the game is over or a role has no legal move. On the circuit all of them
        together cost little more than one.

        >>> from woodstock import Game
        >>> start = Game.load("matching-pennies").initial_state()
        >>> for (one, other), state in start.successors()[:2]:
        ...     print(one, other, state.goals())
        (retourne face) (retourne face) {'j1': 100, 'j2': 0}
        (retourne face) (retourne pile) {'j1': 0, 'j2': 100}
        """
        return [
            (joint, State(self.game, position, percepts))
            for joint, position, percepts in self.game.engine.successors(self.position)
        ]

    def playouts(
        self,
        count: int,
        *,
        seed: int = 0,
        threads: int = 1,
        isa: str = "auto",
        max_plies: int = MAX_PLIES,
    ) -> Playouts:
        """Play random games from here to the end; what came of them. See `Game.playouts`.

        >>> from woodstock import Game
        >>> state = Game.load("tic-tac-toe").initial_state()
        >>> state = state.apply(["(mark 2 2)", "noop"]).apply(["noop", "(mark 1 2)"])
        >>> found = state.playouts(1000, seed=7)
        >>> found == state.playouts(1000, seed=7, threads=2)
        True
        >>> found.mean_goals["x"] > 60, found.longest
        (True, 7)
        """
        (found,) = self.game.playouts(
            [self], [count], seed=seed, threads=threads, isa=isa, max_plies=max_plies
        )
        return found

    def best_move(
        self,
        role: str | None = None,
        *,
        seconds: float = 1.0,
        player: str = BEST,
        seed: int = 0,
        **options: Any,
    ) -> Term:
        """The move that a search finds best; where there is but one, without searching.

        See `analyse`, which also tells why.

        >>> from woodstock import Game
        >>> state = Game.load("tic-tac-toe").state(
        ...     ["(cell 1 1 x)", "(cell 1 2 x)", "(cell 2 1 o)", "(cell 2 2 o)",
        ...      "(cell 1 3 b)", "(cell 2 3 b)", "(control x)"])
        >>> print(state.best_move(seconds=60))
        (mark 1 3)
        """
        mine = self._asked(role)
        legal = self.legal_moves(mine)
        if len(legal) == 1:
            return legal[0]
        return self.analyse(mine, seconds=seconds, player=player, seed=seed, **options).move

    def analyse(
        self,
        role: str | None = None,
        *,
        seconds: float = 1.0,
        limits: Limits | None = None,
        player: str = BEST,
        seed: int = 0,
        **options: Any,
    ) -> Decision:
        """What a search thinks of the moves of a role: by default the only player with a choice.

        It thinks for some seconds, or until the `limits`, if they are given; with limits on nodes
        or simulations alone the same seed gives the same decision. `player` is the name of a
        search, to which `options` go (`woodstock.search.make_searcher`). Where the game has no
        circuit, a plain search answers for the default one. The role is taken to know the state;
        where something is hidden, ask a search about a `woodstock.belief.Belief`.

        Raises `StateError` after the end, and where the role must be named.

        >>> from woodstock import Game
        >>> state = Game.load("nim").initial_state()
        >>> found = state.analyse(seconds=60)
        >>> found.proved, found.value
        (True, 1.0)
        >>> Game.load("matching-pennies").initial_state().analyse()
        Traceback (most recent call last):
        ...
        woodstock.errors.StateError: j1 and j2 have a choice here; name the role that is meant
        """
        from woodstock import search
        from woodstock.search.plain_searcher import PlainSearcher

        mine = self._asked(role)
        if limits is None:
            limits = search.Limits(seconds=seconds)
        if self.game.engine.name != "circuit" and player == BEST:
            return PlainSearcher(mine, seed=seed).think(self, limits=limits)
        searcher = search.make_searcher(player, self.game, mine, seed=seed, **options)
        return searcher.think(self, limits=limits)

    def _asked(self, role: str | None) -> str:
        """The role whose moves are asked for."""
        if self.is_terminal:
            raise StateError("the game is over; there is nothing to decide")
        if role is not None:
            self._role(role)
            return role
        players = players_of(self.turn)
        if len(players) != 1:
            who = f"{' and '.join(players)} have" if players else "no player has"
            raise StateError(f"{who} a choice here; name the role that is meant")
        return players[0]

    @property
    def zobrist(self) -> int:
        """A hash of 64 bits, for tables of this `Game`'s own states: another copy may differ."""
        return self.game.engine.zobrist(self.position)

    def to_json(self) -> dict[str, Any]:
        """The state as plain data; `from_json` gives it back."""
        data: dict[str, Any] = {"fluents": sorted(str(f) for f in self.fluents)}
        if any(self._percepts):
            data["percepts"] = [[str(p) for p in seen] for seen in self._percepts]
        return data

    @classmethod
    def from_json(cls, game: Game, data: Mapping[str, Any]) -> State:
        """A state from what `to_json` gave; `StateError` when it is none of this game.

        >>> from woodstock import Game
        >>> state = Game.load("nim").initial_state()
        >>> State.from_json(state.game, state.to_json()) == state
        True
        """
        try:
            fluents = [game.term(f, StateError) for f in data["fluents"]]
            seen = data.get("percepts", [[] for _ in game.roles])
            percepts = tuple(tuple(game.term(p, StateError) for p in one) for one in seen)
        except (KeyError, TypeError, AttributeError) as problem:
            raise StateError(f"this is no state: {problem!r}") from None
        if len(percepts) != len(game.roles):
            raise StateError("this is no state: one list of percepts is needed for each role")
        return cls(game, game.engine.position(fluents), percepts)

    def _role(self, role: str) -> int:
        try:
            return self.roles.index(role)
        except ValueError:
            known = ", ".join(self.roles)
            raise StateError(f"no role {role!r}; this game has {known}") from None

    def _joint(self, moves: JointMove) -> tuple[Term, ...]:
        if isinstance(moves, Mapping):
            unknown = [role for role in moves if role not in self.roles]
            missing = [role for role in self.roles if role not in moves]
            if unknown or missing:
                raise IllegalMoveError(
                    f"moves are needed for exactly {', '.join(self.roles)}; "
                    f"missing: {missing or 'none'}, unknown: {unknown or 'none'}"
                )
            moves = [moves[role] for role in self.roles]
        if not isinstance(moves, Sequence) or isinstance(moves, str):
            raise IllegalMoveError(f"{moves!r} is no joint move; give a sequence or a mapping")
        if len(moves) != len(self.roles):
            raise IllegalMoveError(f"a joint move has one move for each of {', '.join(self.roles)}")
        return tuple(self.game.term(move) for move in moves)

    def __reduce__(self) -> Any:
        # Positions are numbered by one grounding: elsewhere only the fluents say what is meant.
        return State.from_json, (self.game, self.to_json())

    def __copy__(self) -> State:
        return self

    def __deepcopy__(self, memo: object) -> State:
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, State):
            return NotImplemented
        if self.game is other.game:
            return bool(self.position == other.position)
        return self.game.rules == other.game.rules and self.fluents == other.fluents

    def __hash__(self) -> int:
        return hash(self.fluents)

    def __repr__(self) -> str:
        return f"<State of {self.game.name}: {len(self.fluents)} fluents>"

    def draw(self, *, color: bool = False, columns: int | None = None) -> str:
        """The board as text, with ANSI colours on request; `draw_text` tells about `columns`.

        >>> from woodstock import Game
        >>> state = Game.load("tic-tac-toe").initial_state()
        >>> print(state.apply(["(mark 2 2)", "noop"]).draw())
            1   2   3
          ┌───┬───┬───┐
        3 │   │   │   │
          ├───┼───┼───┤
        2 │   │ x │   │
          ├───┼───┼───┤
        1 │   │   │   │
          └───┴───┴───┘
        ▶ control: o
        """
        from woodstock.drawing import draw_text

        game = self.game
        return draw_text(
            self.fluents,
            color=color,
            hints=game.drawing,
            domain=game.possible_fluents,
            columns=columns,
        )

    def svg(self) -> str:
        """The board as a standalone SVG picture."""
        from woodstock.drawing import draw_svg

        return draw_svg(self.fluents, hints=self.game.drawing, domain=self.game.possible_fluents)

    def __str__(self) -> str:
        return self.draw()

    def _repr_svg_(self) -> str:
        return self.svg()
