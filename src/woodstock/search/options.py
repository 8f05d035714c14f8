"""The options of searches: typed, frozen, and checked whatever the game is.

One class a family of searches, one field an option, with its range and what it is for; what they
are unless told otherwise is said in one place, the native core (core/search/options.h).
`woodstock players NAME` shows them.

>>> TreeOptions().leaves
64
>>> TreeOptions().changed({"leaves": "32"}).leaves
32
>>> TreeOptions(exploration=-1)
Traceback (most recent call last):
...
woodstock.search.options.OptionError: exploration cannot be -1; give a number of 0 or more
>>> TreeOptions().changed({"leafs": 32})
Traceback (most recent call last):
...
woodstock.search.options.OptionError: no option 'leafs'; did you mean leaves?
"""

from __future__ import annotations

import dataclasses
import difflib
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, TypeAlias, TypeVar, get_args

from woodstock import _core
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM
from woodstock.search.symmetry import Source
from woodstock.solve.concepts import CONCEPTS

__all__ = [
    "DeterminizationOptions",
    "Heuristic",
    "Option",
    "OptionError",
    "Options",
    "Preprocessing",
    "Propagation",
    "StageOptions",
    "StageSolverName",
    "TreeOptions",
    "native_options",
]

Applies = Literal["always", "seen", "certain", "hidden", "alone"]
"""In which games an option means something: in all, where everything is seen, where nothing is left
to chance either, where something is hidden, or where something is hidden from who plays alone."""

StageSolverName: TypeAlias = Literal["compiled", "mac", "fc", "split"]
"""``compiled``: the circuit; ``mac``: MAC on the template; ``fc``: forward checking on it;
``split``: MAC on what has no chance in it, forward checking on what has."""
Propagation: TypeAlias = Literal["ct", "str2", "str"]
"""By what MAC keeps arc consistency: Compact-Table, STR2 or STR."""
Heuristic: TypeAlias = Literal["lex", "dom", "dom/ddeg", "dom/wdeg"]
"""Which variable of a stage MAC decides next; ``lex``: along the order of the network."""
Preprocessing: TypeAlias = Literal["none", "sac"]
"""What is done to a stage before it is solved: nothing more, or singleton arc consistency."""

_REASONS: dict[Applies, str] = {
    "seen": "is for games in which everything is seen",
    "certain": "is for games in which everything is seen and nothing is left to chance",
    "hidden": "is for games in which something is hidden",
    "alone": "is for who plays alone where something is hidden",
}
_TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
_POWERS = tuple(1 << power for power in range(7))

_tree, _sets = _core.TreeSearchOptions(), _core.InformationSearchOptions()
_stages, _beliefs = _core.MacUcbOptions(), _core.MacUcbIIOptions()


class OptionError(WoodstockError, ValueError):
    """An option that a search does not have, that does not apply, or a value it cannot use."""


@dataclass(frozen=True)
class Option:
    """What is known of an option beside its name and its default.

    `low` and `high` bound numbers, `values` are all there are; `above` tells that the lower bound
    itself is excluded.
    """

    about: str
    applies: Applies = "always"
    low: float = -math.inf
    high: float = math.inf
    above: bool = False
    values: tuple[object, ...] = ()

    @property
    def range(self) -> str:
        """The values that it may have, in words.

        >>> Option("", low=0).range, Option("", low=0, high=1).range
        ('0 or more', '0 to 1')
        >>> Option("").range
        'any name'
        """
        if self.values:
            return "yes, no" if self.values == (True, False) else ", ".join(map(str, self.values))
        if self.above:
            return f"above {self.low:g}"
        if self.low == -math.inf:
            return "any name"
        bounded = self.high < 2**32 - 1
        return f"{self.low:g} to {self.high:g}" if bounded else f"{self.low:g} or more"

    def allows(self, value: object) -> bool:
        """Whether a value of the right kind is in the range."""
        if self.values:
            return value in self.values
        if isinstance(value, str):
            return True
        assert isinstance(value, (int, float))
        # False for what is not a number, and for infinity.
        within = self.low <= value <= self.high and value < math.inf
        return within and not (self.above and value == self.low)


def _option(default: Any, about: str, applies: Applies = "always", **bounds: Any) -> Any:
    values = tuple(bounds.pop("values", ()))
    if isinstance(default, bool):
        values = (True, False)
    return dataclasses.field(
        default=default, metadata={"option": Option(about, applies, values=values, **bounds)}
    )


O = TypeVar("O", bound="Options")
S = TypeVar("S", bound="StageOptions")


@dataclass(frozen=True, kw_only=True)
class Options:
    """What every search is told. Wrong values raise `OptionError`, whatever the game is."""

    SHORT: ClassVar[Mapping[str, str]] = {"C": "exploration"}

    def __post_init__(self) -> None:
        for name, option, value in self.described():
            kept = _converted(name, option, value, type(self).__dataclass_fields__[name].default)
            object.__setattr__(self, name, kept)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """The names of all options of the family."""
        return tuple(one.name for one in dataclasses.fields(cls))

    def described(self) -> Iterator[tuple[str, Option, Any]]:
        """Each option's name, what is known of it, and its value."""
        for one in dataclasses.fields(self):
            yield one.name, one.metadata["option"], getattr(self, one.name)

    def changed(self: O, values: Mapping[str, object]) -> O:
        """The same with other values, which may be texts; `OptionError` for unknown names."""
        names = self.names()
        for name in values:
            if name not in names:
                near = difflib.get_close_matches(name, names, n=1)
                hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(names)}"
                raise OptionError(f"no option {name!r}; {hint}")
        return dataclasses.replace(self, **values)

    def check_for(self, game: Game, given: Mapping[str, object]) -> None:
        """`OptionError` where something was given that means nothing in this game.

        >>> TreeOptions().check_for(Game.from_library("nim"), {"others": "next"})
        Traceback (most recent call last):
        ...
        woodstock.search.options.OptionError: others is for games in which something is hidden, ...
        """
        hidden = game.information != "complete"
        alone = hidden and len(game.players) == 1
        chance = RANDOM in game.roles
        holds: dict[Applies, bool] = {
            "always": True,
            "seen": not hidden,
            "certain": not hidden and not chance,
            "hidden": hidden,
            "alone": alone,
        }
        for name, option, _ in self.described():
            if name in given and not holds[option.applies]:
                sees = "something is hidden" if hidden else "everything is seen"
                if option.applies == "alone" and hidden:
                    sees = f"{len(game.players)} play"
                if option.applies == "certain" and not hidden:
                    sees = "there is chance"
                raise OptionError(
                    f"{name} {_REASONS[option.applies]}, and in {game.name} {sees}; leave it out"
                )


def _converted(name: str, option: Option, value: object, default: object) -> object:
    """A value of the kind of the default, from a text if need be."""
    kind = type(default)
    try:
        if kind is bool and isinstance(value, str):
            value = _TRUTHS[value.lower()]
        if kind is bool and not isinstance(value, bool):
            raise TypeError
        if kind is int and isinstance(value, float) and value != int(value):
            raise ValueError
        if kind is str and not isinstance(value, str):
            raise TypeError
        kept = kind(value)  # type: ignore[call-arg]
        if option.allows(kept):
            return kept
    except (KeyError, OverflowError, TypeError, ValueError):
        pass
    what = "a whole number of " if kind is int else "a number of " if kind is float else ""
    if option.above:
        what = "a number "
    shown = option.range if option.values else f"{what}{option.range}"
    raise OptionError(f"{name} cannot be {value!r}; give {shown}") from None


@dataclass(frozen=True, kw_only=True)
class _Common(Options):
    concept: str = _option(
        "auto",
        "solution concept; auto: what fits the game",
        values=("auto", *CONCEPTS),
    )
    max_plies: int = _option(
        _tree.max_plies, "moves after which a playout is broken off", low=1, high=2**32 - 1
    )
    symmetry: Source = _option(  # noqa: RUF009
        "none",
        "symmetries that are searched once: of the rules, of the network of a turn, of each stage",
        "seen",
        values=get_args(Source),
    )
    symmetry_share: float = _option(
        0.25, "share of the time for finding them", "seen", low=0, high=1
    )
    elements: int = _option(128, "symmetries that are used at most", "seen", low=1)


@dataclass(frozen=True, kw_only=True)
class TreeOptions(_Common):
    """Of searches in trees: `uct`, `grave`, `cfr`, `flat-ucb`, their `-sym`, and `woodstock`.

    Where something is hidden they are information-set searches (ISMCTS).
    """

    choice: str = _option(
        _tree.choice, "how moves are chosen in the tree", values=("ucb", "grave", "regret")
    )
    exploration: float = _option(_tree.exploration, "C of UCB, in playouts; short: C", low=0)
    leaves: int = _option(_tree.leaves, "leaves that a pass takes in", low=1, high=4096)
    playouts: int = _option(_tree.playouts, "playouts from each of them", values=_POWERS)
    halving: bool = _option(_tree.halving, "sequential halving at the root")
    max_depth: int = _option(_tree.max_depth, "of the tree; 0: no bound", low=0, high=2**32 - 1)
    reference: float = _option(
        _tree.reference, "GRAVE: visits that make a node a reference for those below", low=0
    )
    mast: float = _option(
        _tree.mast,
        "MAST: how much better than usual the moves are that playouts prefer; 0: none",
        "seen",
        low=0,
    )
    proof_numbers: float = _option(
        _tree.proof_numbers,
        "PN-MCTS: what moves near a proof are worth beyond their value; 0: nothing",
        "certain",
        low=0,
    )
    proof_steps: float = _option(
        _tree.proof_steps,
        "states opened after each pass by proof numbers, without playouts; 0: none",
        "certain",
        low=0,
    )
    values: str = _option(
        _tree.values,
        "of leaves: by playouts, or a blend with a net",
        "seen",
        values=("playouts", "blend"),
    )
    net_weight: float = _option(
        _tree.net_weight, "share of the net in a blend", "seen", low=0, high=1
    )
    solve_nodes: int = _option(0, "trees of up to so many nodes are solved by CFR+; 0: none", low=0)
    mixed: bool = _option(_sets.mixed, "play the average strategy, not its best move", "hidden")
    others: str = _option(
        _sets.others,
        "what the others are taken to know",
        "hidden",
        values=("memories", "next", "everything"),
    )
    determinizations: int = _option(
        0, "states of a belief that a thought looks at; 0: all", "hidden", low=0
    )
    playout_policy: bool = _option(False, "learn a playout policy by what a role knows", "hidden")
    policy_exploration: float = _option(
        _sets.policy_exploration, "C of that policy", "hidden", low=0
    )
    policy_prior: float = _option(
        _sets.policy_prior, "visits that it counts for in the tree", "hidden", low=0
    )
    risk_exponent: float = _option(
        _sets.risk_exponent, "goals count by this power", "alone", low=0, above=True
    )
    plan_share: float = _option(
        0.0, "share of the time for plans, for who plays alone or in a team", "seen", low=0, high=1
    )
    stage_share: float = _option(
        0.0, "share of the time that MAC-UCB-II gets first", "hidden", low=0, high=1
    )


@dataclass(frozen=True, kw_only=True)
class StageOptions(_Common):
    """Of searches stage by stage: `mac-ucb`, `fc-ucb`, and all others called after `mac-ucb`.

    To say how a table solver works is to ask for one: ``propagation=str`` alone means MAC.
    """

    TABLES: ClassVar[frozenset[str]] = frozenset({"propagation", "heuristic", "preprocessing"})

    symmetry: Source = _option(  # noqa: RUF009
        "none",
        "symmetries that are searched once: of the rules, of the network of a turn, of each stage, "
        "or of the microstructure of each stage with nogoods",
        values=get_args(Source),
    )
    symmetry_share: float = _option(0.25, "share of the time for finding them", low=0, high=1)
    elements: int = _option(128, "symmetries that are used at most", low=1)
    samples: int = _option(
        _stages.samples, "playouts of the solutions of a stage", low=1, high=2**32 - 1
    )
    solver: StageSolverName = _option(  # noqa: RUF009
        "compiled",
        "who solves stages: the circuit, MAC, forward checking, or MAC and that split by chance",
        values=get_args(StageSolverName),
    )
    propagation: Propagation = _option(  # noqa: RUF009
        "ct", "by what MAC keeps arc consistency", values=get_args(Propagation)
    )
    heuristic: Heuristic = _option(  # noqa: RUF009
        "lex", "which variable a table solver decides next", values=get_args(Heuristic)
    )
    preprocessing: Preprocessing = _option(  # noqa: RUF009
        "none", "what a table solver does to a stage first", values=get_args(Preprocessing)
    )
    order: str = _option(
        _stages.order,
        "which stage is solved next",
        values=("utility", "principal", "depth"),
    )
    sampling: str = _option(
        _stages.sampling,
        "in bulk, or literal: UCB1 game by game, none of them twice",
        values=("bulk", "literal"),
    )
    horizon: int = _option(
        _stages.horizon,
        "turns after which a literal sample counts 0; 0: none",
        low=0,
        high=2**32 - 1,
    )
    batch: int = _option(
        _stages.batch, "samples that are played together", "seen", low=1, high=2**32 - 1
    )
    solving_share: float = _option(
        _stages.solving_share,
        "share of the time for solving, the rest is for sampling; 0: as it comes",
        low=0,
        high=1,
    )
    shrinking: bool = _option(
        _stages.shrinking, "means of few samples are drawn to that of their stage"
    )
    cache: bool = _option(_stages.cache, "a transposition table of stages", "seen")
    values: str = _option(
        _stages.values,
        "of new states: by playouts, by a net alone, or a blend of both",
        "seen",
        values=("playouts", "net", "blend"),
    )
    net_weight: float = _option(
        _stages.net_weight, "share of the net in a blend", "seen", low=0, high=1
    )
    answer: str = _option(
        _stages.answer,
        "with the move of the best value, or the one followed most often",
        "seen",
        values=("value", "followed"),
    )
    belief: str = _option(
        _beliefs.belief,
        "how likely states are: exact, or halves, the product of the paper",
        "hidden",
        values=("exact", "halves"),
    )
    proof_steps: float = _option(
        _stages.proof_steps,
        "stages solved by proof numbers, without samples, after each that is sampled; 0: none",
        "seen",
        low=0,
    )
    hypotheses: int = _option(
        _beliefs.hypotheses, "states of a belief in a stage", "hidden", low=1, high=2**32 - 1
    )
    successors: int = _option(
        _beliefs.successors, "successors of such a stage", "hidden", low=1, high=2**32 - 1
    )

    def changed(self: S, values: Mapping[str, object]) -> S:
        """See `Options.changed`."""
        if self.solver == "compiled" and "solver" not in values and self.TABLES & values.keys():
            values = {"solver": "mac", **values}
        return super().changed(values)

    def check_for(self, game: Game, given: Mapping[str, object]) -> None:
        """See `Options.check_for`; also where the stages are solved by who has no use for it.

        >>> StageOptions(solver="fc").check_for(Game.from_library("nim"), {"propagation": "str"})
        Traceback (most recent call last):
        ...
        woodstock.search.options.OptionError: propagation is for solver=mac or split, ...
        """
        super().check_for(game, given)
        for name in sorted(self.TABLES & given.keys()):
            if self.solver == "compiled" or (self.solver == "fc" and name == "propagation"):
                raise OptionError(
                    f"{name} is for solver=mac or split, and stages are solved by {self.solver}; "
                    "leave it out"
                )


@dataclass(frozen=True, kw_only=True)
class DeterminizationOptions(Options):
    """Of `pimc`, perfect information Monte Carlo."""

    determinizations: int = _option(8, "states that are drawn from the belief", low=1)
    inner: str = _option("uct", "the search that thinks about each of them")


N = TypeVar("N", bound=_core.SearchOptions)


def native_options(kind: type[N], options: Options, **more: object) -> N:
    """The native options of one kind: those of ours that it has, and what follows from the game.

    >>> native_options(_core.TreeSearchOptions, TreeOptions(leaves=32), seed=7).leaves
    32
    """
    made = kind()
    for name, _, value in options.described():
        if name != "concept" and isinstance(getattr(kind, name, None), property):
            setattr(made, name, value)
    for name, value in more.items():
        setattr(made, name, value)
    try:
        made.check()
    except ValueError as problem:
        raise OptionError(str(problem)) from None
    return made
