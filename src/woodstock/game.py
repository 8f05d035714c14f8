"""`Game` is the rules, `State` is a point in play.

>>> game = Game.from_library("tic-tac-toe")
>>> game.roles
('x', 'o')
>>> state = game.initial_state()
>>> len(state.legal_moves("x")), state.legal_moves("o")
(9, ('noop',))
>>> state = state.apply(["(mark 2 2)", "noop"])
>>> state.is_terminal
False
"""

from __future__ import annotations

import itertools
import random as _random
import reprlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from woodstock import games
from woodstock.engine import Engine, LiftedEngine, Percepts
from woodstock.errors import (
    ArgumentError,
    CircuitError,
    GdlError,
    GroundingError,
    IllegalMoveError,
    StateError,
)
from woodstock.gdl.checker import check, no_first_move
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.keywords import players_of
from woodstock.gdl.reader import read_file, read_text
from woodstock.gdl.rules import Rules
from woodstock.gdl.sheet import Sheet
from woodstock.gdl.terms import Compound, Term, Variable, is_ground, parse_term
from woodstock.ground.limits import GroundingLimits
from woodstock.playouts import MAX_PLIES, Playouts

if TYPE_CHECKING:
    from woodstock.circuit.engine import CircuitEngine
    from woodstock.information import InformationKind

__all__ = ["EngineName", "Game", "JointMove", "State"]

LIFTED_SECONDS = 120.0
"""CPU seconds after which the lifted engine gives up on one question: rules may not terminate."""

EngineName = Literal["auto", "circuit", "ground", "lifted"]
JointMove = Sequence[Term | str] | Mapping[str, Term | str]


class Game:
    """The rules of a game, ready to play. Immutable.

    `engine` is ``"circuit"`` (grounds the rules and compiles them), ``"ground"`` (grounds them),
    ``"lifted"`` (the reference interpreter) or ``"auto"``: the first of them that is possible
    within `limits`; where that is not the circuit, `notes` says why. `drawing` holds hints for
    drawing the board. Rules that cannot be played raise `GdlError`; lesser findings are in
    `warnings`.

    `roles` are all who make moves, in the order of the rulesheet; `players` are those of them that
    want something: all but chance. `engine` is the `woodstock.engine.Engine` that plays, its `name`
    says which; it answers questions about the positions of its own states.
    """

    def __init__(
        self,
        sheet: Sheet,
        *,
        name: str = "game",
        engine: EngineName = "auto",
        limits: GroundingLimits | None = None,
        drawing: Mapping[str, Any] | None = None,
    ) -> None:
        if not isinstance(sheet, Sheet):
            raise ArgumentError(
                f"{reprlib.repr(sheet)} is no rulesheet; Game.load takes a name of the library or "
                "a file, as in Game.load('nim'), and Game.from_text the text of the rules"
            )
        if engine not in get_args(EngineName):
            known = ", ".join(get_args(EngineName))
            raise ArgumentError(f"no engine {engine!r}; there are {known}")
        rules, findings = check(sheet, play=False)
        errors = [d for d in findings if d.severity == "error"]
        if errors:
            raise GdlError(errors)
        self.name = name
        self.drawing = drawing
        self.rules: Rules = rules
        self.roles: tuple[str, ...] = rules.roles
        self.players: tuple[str, ...] = players_of(rules.roles)
        self.warnings: tuple[Diagnostic, ...] = tuple(findings)
        self.notes: tuple[str, ...] = ()
        self._limits = limits or GroundingLimits()
        self.engine: Engine = self._choose(engine, self._limits)
        self._initial = self.engine.initial()
        idle = [r for i, r in enumerate(self.roles) if not self.engine.legal(self._initial, i)]
        if idle and not self.engine.terminal(self._initial):
            raise GdlError(no_first_move(sheet, idle))

    @classmethod
    def load(
        cls,
        source: str | Path,
        *,
        engine: EngineName = "auto",
        limits: GroundingLimits | None = None,
    ) -> Game:
        """The game of this name in the library or, where there is none, of this file.

        A `Path` is always a file. `UnknownGameError` names the nearest games of the library.

        >>> Game.load("nim")
        <Game nim: player1, player2 (circuit)>
        >>> Game.load("nimm")
        Traceback (most recent call last):
        ...
        woodstock.errors.UnknownGameError: no game or file called 'nimm'; did you mean nim? \
('woodstock games' lists the library)
        """
        if isinstance(source, str) and source in games.names():
            return cls.from_library(source, engine=engine, limits=limits)
        name, sheet = games.read_sheet(source)
        return cls(sheet, name=name, engine=engine, limits=limits)

    @classmethod
    def from_file(
        cls, path: str | Path, *, engine: EngineName = "auto", limits: GroundingLimits | None = None
    ) -> Game:
        """The game of a rulesheet file, in either spelling."""
        return cls(read_file(path), name=Path(path).stem, engine=engine, limits=limits)

    @classmethod
    def from_text(
        cls,
        text: str,
        *,
        name: str = "game",
        engine: EngineName = "auto",
        limits: GroundingLimits | None = None,
    ) -> Game:
        """The game of a text, in either spelling."""
        return cls(read_text(text), name=name, engine=engine, limits=limits)

    @classmethod
    def from_library(
        cls, name: str, *, engine: EngineName = "auto", limits: GroundingLimits | None = None
    ) -> Game:
        """A game of the library; `UnknownGameError` names the nearest ones.

        >>> Game.from_library("nim", engine="lifted").engine.name
        'lifted'
        """
        return cls(
            read_text(games.rules_text(name), f"{name}/rules.kif"),
            name=name,
            engine=engine,
            limits=limits,
            drawing=games.drawing_hints(name),
        )

    @property
    def has_chance(self) -> bool:
        """Whether chance, the role ``random``, makes moves: the one role that is no player.

        >>> game = Game.load("monty-hall")
        >>> game.has_chance, game.roles, game.players
        (True, ('candidate', 'random'), ('candidate',))
        """
        return len(self.players) < len(self.roles)

    @cached_property
    def information(self) -> InformationKind:
        """What players get to know: complete, shared or private information, or unknown.

        `woodstock.information.information_of` also says why.

        >>> Game.from_library("monty-hall").information
        'shared'
        """
        from woodstock.information import information_of

        return information_of(self).kind

    def _choose(self, engine: EngineName, limits: GroundingLimits) -> Engine:
        if engine == "lifted":
            return LiftedEngine(self.rules, seconds=LIFTED_SECONDS)
        # The native core is only loaded when it is wanted.
        from woodstock.circuit.engine import CircuitEngine
        from woodstock.ground.engine import GroundEngine
        from woodstock.ground.grounder import ground_rules

        try:
            grounding = ground_rules(self.rules, limits)
        except GroundingError as problem:
            if engine != "auto":
                raise
            self.notes = (f"plays on the lifted engine: {problem}",)
            return LiftedEngine(self.rules, seconds=LIFTED_SECONDS)
        if engine != "ground":
            try:
                return CircuitEngine(grounding, self.roles)
            except CircuitError as problem:
                if engine != "auto":
                    raise
                self.notes = (f"plays on the ground engine: {problem}",)
        return GroundEngine(grounding, self.roles)

    def circuit(self) -> CircuitEngine:
        """The circuit behind the game; `CircuitError` where another engine plays it.

        Searches, exact solving and the filters of beliefs run on it in native code.

        >>> Game.load("nim").circuit().name
        'circuit'
        >>> Game.load("nim", engine="lifted").circuit()
        Traceback (most recent call last):
        ...
        woodstock.errors.CircuitError: this needs the circuit engine, but nim plays on the lifted \
one; load it with engine="circuit" to see why
        """
        from woodstock.circuit.engine import CircuitEngine

        if not isinstance(self.engine, CircuitEngine):
            raise CircuitError(
                f"this needs the circuit engine, but {self.name} plays on the {self.engine.name} "
                'one; load it with engine="circuit" to see why'
            )
        return self.engine

    @property
    def possible_fluents(self) -> Sequence[Term] | None:
        """All fluents that may ever hold, where the engine knows them (a drawing's empty cells)."""
        return self.engine.possible_fluents()

    def initial_state(self) -> State:
        """The state the game starts in."""
        return State(self, self._initial)

    def state(self, fluents: Sequence[Term | str]) -> State:
        """The state in which exactly these fluents hold (terms or KIF texts)."""
        terms = [self.term(fluent, StateError) for fluent in fluents]
        return State(self, self.engine.position(terms))

    def playouts(
        self,
        states: Sequence[State],
        budgets: Sequence[int],
        *,
        seed: int = 0,
        threads: int = 1,
        isa: str = "auto",
        max_plies: int = MAX_PLIES,
    ) -> list[Playouts]:
        """Play `budgets[i]` random games from each state, all together; what came of them.

        Every playout that is begun is played to its end and counted: short games have no
        advantage. The result depends on the seed and the places in the lists alone, not on
        `threads` or on `isa`, the instruction set (``auto``: the fastest one this machine has).
        `max_plies` bounds the moves of a playout; `Playouts` tells how those are scored that end
        in an unusual way.

        Only the circuit is made for this. Other engines play one game after the other in Python,
        with other random numbers, and do not look at `threads` and `isa`.

        >>> game = Game.from_library("nim")
        >>> states = [after for _, after in game.initial_state().successors()]
        >>> found = game.playouts(states, [100] * len(states), seed=1)
        >>> sum(one.count for one in found)
        1200
        """
        if len(states) != len(budgets):
            raise ValueError(f"{len(budgets)} budgets for {len(states)} states; give one for each")
        if any(budget < 0 for budget in budgets):
            raise ValueError("a budget is a number of playouts, 0 or more")
        if not 0 <= seed < 1 << 64:
            raise ValueError("the seed is a number from 0 to 2**64 - 1")
        if not 1 <= max_plies < 1 << 32:
            raise ValueError("max_plies is a number from 1 to 2**32 - 1")
        tallies = self.engine.playouts(
            [self.position_of(state) for state in states],
            budgets,
            seed=seed,
            max_plies=max_plies,
            threads=threads,
            isa=isa,
        )
        return [Playouts.of(self.roles, tally) for tally in tallies]

    def position_of(self, state: State) -> Any:
        """The position of a state on this game's engine; the state may be of an equal game.

        `StateError` where it is of another one.
        """
        if state.game is self:
            return state.position
        if state.game.rules != self.rules:
            raise StateError(f"a state of {state.game.name} is none of {self.name}")
        return self.engine.position(state.fluents)

    def term(self, value: Term | str, error: type[Exception] = IllegalMoveError) -> Term:
        """A move or fluent from outside, in the spelling of these rules.

        >>> print(Game.from_library("tic-tac-toe").term("( MARK 1 1 )"))
        (mark 1 1)
        """
        if isinstance(value, str):
            try:
                value = parse_term(value)
            except ValueError as problem:
                raise error(f"{problem}; write a term such as (mark 1 1) or noop") from None
        if not isinstance(value, (str, tuple, Variable)):
            raise error(f"{value!r} is no term; write one such as (mark 1 1) or noop")
        if not is_ground(value):
            raise error(f"{value} holds a variable")
        if isinstance(value, tuple):
            value = Compound(value)
        return self.rules.sheet.spelling.term(value)

    def __repr__(self) -> str:
        return f"<Game {self.name}: {', '.join(self.roles)} ({self.engine.name})>"

    def __reduce__(self) -> Any:
        # Engines hold native memory: a copy in another process grounds again.
        text, drawing = self.rules.sheet.to_kif(), _plain(self.drawing)
        return _rebuild, (text, self.name, self.engine.name, self._limits, drawing)

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: object) -> Game:
        return self


def _rebuild(
    text: str,
    name: str,
    engine: EngineName,
    limits: GroundingLimits,
    drawing: Mapping[str, Any] | None,
) -> Game:
    return Game(read_text(text), name=name, engine=engine, limits=limits, drawing=drawing)


def _plain(value: Any) -> Any:
    """Read-only mappings as dictionaries, which can be pickled."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return value


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

    def legal_moves(self, role: str) -> tuple[Term, ...]:
        """The moves open to a role, sorted by their text (also asked of a finished game)."""
        return self.game.engine.legal(self.position, self._role(role))

    @property
    def turn(self) -> tuple[str, ...]:
        """The roles that have a choice here, chance among them: more than one legal move.

        Several where moves are made at once, none after the end.

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

        >>> Game.from_library("tic-tac-toe").initial_state().is_legal("o", "noop")
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

        >>> len(list(Game.from_library("matching-pennies").initial_state().joint_moves()))
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

        >>> start = Game.from_library("matching-pennies").initial_state()
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

        >>> state = Game.from_library("tic-tac-toe").initial_state()
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

        >>> state = Game.from_library("nim").initial_state()
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

    def draw(self, *, color: bool = False) -> str:
        """The board as text, with ANSI colours on request.

        >>> state = Game.from_library("tic-tac-toe").initial_state()
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
            self.fluents, color=color, hints=game.drawing, domain=game.possible_fluents
        )

    def svg(self) -> str:
        """The board as a standalone SVG picture."""
        from woodstock.drawing import draw_svg

        return draw_svg(self.fluents, hints=self.game.drawing, domain=self.game.possible_fluents)

    def __str__(self) -> str:
        return self.draw()

    def _repr_svg_(self) -> str:
        return self.svg()
