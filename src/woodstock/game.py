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

import reprlib
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from woodstock import games
from woodstock.engine import Engine, LiftedEngine
from woodstock.errors import (
    ArgumentError,
    CircuitError,
    GdlError,
    GroundingError,
    HintError,
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
from woodstock.state import State

if TYPE_CHECKING:
    from woodstock.circuit.engine import CircuitEngine
    from woodstock.information import InformationKind

__all__ = ["EngineName", "Game", "State"]

LIFTED_SECONDS = 120.0
"""CPU seconds after which the lifted engine gives up on one question: rules may not terminate."""

EngineName = Literal["auto", "circuit", "ground", "lifted"]


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
        rules, findings = check(sheet, thorough=False)
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
        self.memo: dict[str, Any] = {}
        """What others have found out about the game, each under a name of its own. It may know the
        game, and goes when that goes."""
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

        A `Path` is always a file; `from_file` tells of hints beside it. `UnknownGameError` names
        the nearest games of the library.

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
        drawing = _hints_beside(Path(source))
        return cls(sheet, name=name, engine=engine, limits=limits, drawing=drawing)

    @classmethod
    def from_file(
        cls, path: str | Path, *, engine: EngineName = "auto", limits: GroundingLimits | None = None
    ) -> Game:
        """The game of a rulesheet file, in either spelling, with the hints of its author.

        Hints for the picture are the table ``drawing`` of a TOML file of the same name beside the
        rules; `HintError` says what is wrong with one.
        """
        drawing = _hints_beside(Path(path))
        return cls(
            read_file(path), name=Path(path).stem, engine=engine, limits=limits, drawing=drawing
        )

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
            raise ArgumentError(
                f"{len(budgets)} budgets for {len(states)} states; give one for each"
            )
        if any(budget < 0 for budget in budgets):
            raise ArgumentError("a budget is a number of playouts, 0 or more")
        if not 0 <= seed < 1 << 64:
            raise ArgumentError("the seed is a number from 0 to 2**64 - 1")
        if not 1 <= max_plies < 1 << 32:
            raise ArgumentError("max_plies is a number from 1 to 2**32 - 1")
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


def _hints_beside(path: Path) -> Mapping[str, Any] | None:
    """The hints that an author has put beside the rules, if they can be understood."""
    beside = games.read_beside(path)
    if beside is None or not beside.drawing:
        return None
    from woodstock.drawing import hint_mistakes

    mistakes = hint_mistakes(beside.drawing)
    if mistakes:
        raise HintError("\n".join(f"{beside.place(key)}: {said}" for key, said in mistakes))
    return beside.drawing


def _plain(value: Any) -> Any:
    """Read-only mappings as dictionaries, which can be pickled."""
    if isinstance(value, Mapping):
        return {key: _plain(inner) for key, inner in value.items()}
    return value
