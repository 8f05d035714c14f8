"""The searches by name, with their constants.

A configuration is a native search and the options it is made with; `options_of` tells them all. How
the constants were chosen is told in docs/strength.md.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeVar

from woodstock import _core
from woodstock.circuit.engine import CircuitEngine
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM
from woodstock.search.concepts import concept_of
from woodstock.search.symmetry import Finder

__all__ = [
    "CONFIGURATIONS",
    "REHEARSED",
    "OptionError",
    "UnknownSearchError",
    "build",
    "check_name",
    "common_options",
    "native_fields",
    "native_options",
    "native_part",
    "option_errors",
    "options_of",
    "parse",
    "search_names",
    "settle",
]


class OptionError(WoodstockError, ValueError):
    """An option that a search does not have, or a value it cannot use."""


N = TypeVar("N", bound=_core.SearchOptions)

_OF_THE_GAME = {"concept", "role", "chance", "seed", "memory", "known_fluents"}
"""Native options that nobody gives by their names: they follow from the game and the player."""


def native_fields(kind: type[_core.SearchOptions]) -> dict[str, Any]:
    """The options that a native search has, and their values unless told otherwise.

    >>> native_fields(_core.TreeSearchOptions)["playouts"]
    8
    """
    made = kind()
    names = (name for base in reversed(kind.__mro__) for name in vars(base))
    return {
        name: getattr(made, name)
        for name in names
        if isinstance(getattr(kind, name), property) and name not in _OF_THE_GAME
    }


def native_options(kind: type[N], values: Mapping[str, object]) -> N:
    """Native options with these values, which have been checked.

    >>> native_options(_core.TreeSearchOptions, {"leaves": 32}).leaves
    32
    >>> native_options(_core.TreeSearchOptions, {"leaves": 0})
    Traceback (most recent call last):
    ...
    woodstock.search.configurations.OptionError: leaves must be between 1 and 4096
    """
    made = kind()
    for name, value in values.items():
        if not isinstance(getattr(kind, name, None), property):
            raise OptionError(f"{kind.__name__} has no option {name!r}")
        try:
            setattr(made, name, value)
        except ValueError as problem:
            raise OptionError(str(problem)) from None
        except TypeError:  # of another kind, too large for the native side, or negative
            raise OptionError(f"{name} cannot be {value!r}") from None
    try:
        made.check()
    except ValueError as problem:
        raise OptionError(str(problem)) from None
    return made


_SYMMETRY: dict[str, Any] = {"symmetry": "none", "symmetry_share": 0.25, "elements": 128}

_TREE: dict[str, Any] = {
    **_SYMMETRY,
    "concept": "auto",
    **native_fields(_core.TreeSearchOptions),
    **native_fields(_core.InformationSearchOptions),
    "determinizations": 0,
    "playout_policy": False,
}

_STAGES: dict[str, Any] = {
    **_SYMMETRY,
    "concept": "auto",
    "solver": "compiled",
    **native_fields(_core.MacUcbIIOptions),
    **native_fields(_core.MacUcbOptions),
}

CONFIGURATIONS: Mapping[str, Mapping[str, Any]] = {
    "uct": _TREE,
    "grave": {**_TREE, "choice": "grave", "exploration": 0.2},
    "cfr": {**_TREE, "choice": "regret", "mixed": True, "solve_nodes": 5000},
    "flat-ucb": {**_TREE, "max_depth": 1},
    "mac-ucb": _STAGES,
    "mac-ucb-ii": {**_STAGES, **native_fields(_core.MacUcbIIOptions)},
    "fc-ucb": {**_STAGES, "solver": "fc"},
    "uct-sym": {**_TREE, "symmetry": "rules", "symmetry_share": 0.2},
    "grave-sym": {**_TREE, "choice": "grave", "exploration": 0.2, "symmetry": "rules"},
    "mac-ucb-sym": {**_STAGES, "symmetry": "stage"},
    "woodstock": {**_TREE, "halving": True, "stage_share": 0.0, "solve_nodes": 5000},
    "pimc": {"determinizations": 8, "inner": "uct"},
}
"""Every option of every search; what it is not given, a search takes from here."""

REHEARSED = frozenset({"woodstock"})
"""Searches that take the options which rehearsals have found to suit a game."""

_SHORT = {"C": "exploration"}


class UnknownSearchError(WoodstockError, LookupError):
    """A name that no search has."""

    def __init__(self, name: str) -> None:
        self.name = name
        near = difflib.get_close_matches(name.lower(), CONFIGURATIONS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        known = ", ".join(sorted(CONFIGURATIONS))
        super().__init__(f"no search called {name!r}{hint} (there are {known})")


def search_names() -> tuple[str, ...]:
    """The names of all searches, sorted.

    >>> {"mac-ucb", "uct", "woodstock"} <= set(search_names())
    True
    """
    return tuple(sorted(CONFIGURATIONS))


def check_name(name: str) -> None:
    """`UnknownSearchError` for a name that no search has."""
    if name not in CONFIGURATIONS:
        raise UnknownSearchError(name)


def options_of(name: str) -> dict[str, Any]:
    """The options of a search and their values.

    >>> options_of("uct")["leaves"]
    64
    >>> options_of("uctt")
    Traceback (most recent call last):
    ...
    woodstock.search.configurations.UnknownSearchError: no search called 'uctt'; did you mean ...
    """
    check_name(name)
    return dict(CONFIGURATIONS[name])


def parse(text: str) -> tuple[str, dict[str, str]]:
    """A name with options taken apart.

    >>> parse("uct:C=0.5,leaves=32")
    ('uct', {'exploration': '0.5', 'leaves': '32'})
    """
    name, _, rest = text.partition(":")
    options = {}
    for part in filter(None, (one.strip() for one in rest.split(","))):
        key, equals, value = part.partition("=")
        if not equals:
            raise OptionError(f"{part!r} in {text!r} is no option; write name=value")
        key = key.strip()
        options[_SHORT.get(key, key)] = value.strip()
    return name.strip(), options


def build(
    name: str,
    game: Game,
    engine: CircuitEngine,
    role: str,
    *,
    seed: int,
    threads: int,
    memory: int,
    options: Mapping[str, object],
) -> tuple[_core.Searcher, Finder]:
    """The native search of a name, and who looks for its symmetries.

    `options` go before those of the configuration.
    """
    chosen = settle(name, options)
    # One of its own: calls of the same simulator wait for each other.
    simulator = engine.new_simulator(threads=threads)
    common = common_options(game, engine, role, chosen["concept"], seed=seed, memory=memory)
    solver = chosen.get("solver")
    symmetry, share, elements = (chosen[key] for key in _SYMMETRY)
    # Networks have a place for each fluent, also for those that nothing depends on.
    idle = solver in (None, "compiled")
    with option_errors(name):
        finder = Finder(game, symmetry, share=share, elements=elements, idle=idle)
        if solver is None:
            tree = native_part(_core.TreeSearchOptions, chosen, common)
            return _core.TreeSearch(simulator, tree), finder
        stages = native_part(_core.MacUcbOptions, chosen, common)
        return _core.MacUcb(simulator, stages, _stages(game, solver, simulator)), finder


def native_part(kind: type[N], chosen: Mapping[str, object], common: Mapping[str, object]) -> N:
    """Native options with those of all options of a search that this kind has."""
    part = {key: chosen[key] for key in native_fields(kind) if key in chosen}
    return native_options(kind, {**common, **part})


@contextmanager
def option_errors(name: str) -> Iterator[None]:
    """What is wrong with options, as `OptionError` that tells the search."""
    try:
        yield
    except ValueError as problem:
        raise OptionError(f"{name}: {problem}") from None


def common_options(
    game: Game, engine: CircuitEngine, role: str, concept: str, *, seed: int, memory: int
) -> dict[str, Any]:
    """What all native searches are told."""
    roles = list(engine.roles)
    return {
        "role": roles.index(role),
        "chance": roles.index(RANDOM) if RANDOM in roles else None,
        "concept": concept_of(game) if concept == "auto" else concept,
        "seed": seed,
        "memory": memory,
    }


def _stages(game: Game, solver: Any, simulator: _core.Simulator) -> _core.StageSolver | None:
    if solver == "compiled":
        return None
    # The networks are a large part of the house, and few searches need them.
    from woodstock.search.stages import make_stages

    return make_stages(game, solver, simulator)


def settle(name: str, options: Mapping[str, object]) -> dict[str, Any]:
    """All options of a search, with values of the right kind.

    >>> settle("uct", {"leaves": "32"})["leaves"]
    32
    >>> settle("uct", {"leafs": 32})
    Traceback (most recent call last):
    ...
    woodstock.search.configurations.OptionError: uct has no option 'leafs'; did you mean leaves?
    """
    chosen = options_of(name)
    for key, value in options.items():
        if key not in chosen:
            near = difflib.get_close_matches(key, chosen, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(chosen)}"
            raise OptionError(f"{name} has no option {key!r}; {hint}")
        chosen[key] = _convert(name, key, value, type(chosen[key]))
    # Also what this game will not need: nonsense is nonsense in every game.
    with option_errors(name):
        for kind in _kinds(chosen):
            concept = chosen["concept"]
            native_part(kind, chosen, {} if concept == "auto" else {"concept": concept})
    if chosen.get("determinizations", 1) < (1 if "inner" in chosen else 0):
        raise OptionError(f"{name}: determinizations must be at least 1")
    inner = chosen.get("inner")
    if inner is not None and (inner not in CONFIGURATIONS or "inner" in CONFIGURATIONS[inner]):
        others = ", ".join(other for other, has in CONFIGURATIONS.items() if "inner" not in has)
        raise OptionError(f"{name}: inner cannot be {inner!r}; there are {others}")
    return chosen


def _kinds(chosen: Mapping[str, object]) -> tuple[type[_core.SearchOptions], ...]:
    """What options a search may become: where everything is seen, and where something is hidden."""
    if "choice" in chosen:
        return (_core.TreeSearchOptions, _core.InformationSearchOptions)
    return (_core.MacUcbOptions, _core.MacUcbIIOptions) if "order" in chosen else ()


def _convert(name: str, key: str, value: object, kind: type) -> object:
    try:
        if kind is bool and isinstance(value, str):
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[
                value.lower()
            ]
        if kind is int and isinstance(value, float) and value != int(value):
            raise ValueError
        return kind(value)
    except (KeyError, OverflowError, TypeError, ValueError):
        raise OptionError(f"{name}: {key} cannot be {value!r}") from None
