"""Presets: searches by name, and what suits a kind of game.

How the constants were chosen is told in docs/strength.md.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import replace

from woodstock import _core
from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.search.options import (
    DeterminizationOptions,
    OptionError,
    Options,
    StageOptions,
    TreeOptions,
)
from woodstock.solve.concepts import concept_of

__all__ = [
    "LITERAL",
    "PRESETS",
    "REHEARSED",
    "UnknownSearchError",
    "about_search",
    "chosen_options",
    "options_of",
    "parse",
    "preset_of",
    "search_names",
]

Changes = Mapping[str, object]
"""Options that differ from a preset."""

_PAPER = StageOptions(
    concept="maximin",
    solver="split",
    propagation="str",
    heuristic="dom/ddeg",
    preprocessing="sac",
    order="utility",
    samples=10_000,
    sampling="literal",
    horizon=200,
    solving_share=0.9,
    shrinking=False,
)
"""MAC-UCB by the letter: Algorithms 1 to 3 of RIA 2017, with the figures of Constraints 2016."""
_GRAVE = TreeOptions(choice="grave", exploration=0.2)

PRESETS: Mapping[str, tuple[Options, str]] = {
    "uct": (TreeOptions(), "UCT: Monte-Carlo tree search, ISMCTS where something is hidden"),
    "grave": (_GRAVE, "GRAVE: UCT with all-moves-as-first values of an ancestor"),
    "cfr": (
        TreeOptions(choice="regret", mixed=True, solve_nodes=5000),
        "regret matching in a tree; CFR+ on the whole of small games",
    ),
    "flat-ucb": (TreeOptions(max_depth=1), "a bandit over the moves of the position"),
    "mac-ucb": (StageOptions(), "MAC-UCB: stages solved one by one, sampled by UCB1"),
    "mac-ucb-ii": (
        StageOptions(samples=_core.MacUcbIIOptions().samples),
        "MAC-UCB-II: stages of beliefs, for hidden information",
    ),
    "fc-ucb": (StageOptions(solver="fc"), "MAC-UCB with forward checking in place of MAC"),
    "uct-sym": (
        TreeOptions(symmetry="rules", symmetry_share=0.2),
        "UCT that searches symmetric positions once",
    ),
    "grave-sym": (
        replace(_GRAVE, symmetry="rules"),
        "GRAVE that searches symmetric positions once",
    ),
    "mac-ucb-sym": (StageOptions(symmetry="stage"), "MAC-UCB with the symmetries of each stage"),
    "mac-ucb-paper": (_PAPER, "MAC-UCB by the letter of the papers, nothing tuned"),
    "mac-ucb-sym-paper": (
        # 45 % solving, 30 % sampling, 25 % symmetries: the first is a share of the first two.
        replace(_PAPER, solving_share=0.6, symmetry="microstructure", symmetry_share=0.25),
        "MAC-UCB-SYM by the letter: microstructures with the nogoods of UCB",
    ),
    "mac-ucb-ii-paper": (
        replace(_PAPER, belief="halves"),
        "MAC-UCB-II by the letter: the belief is a product of halves",
    ),
    "woodstock": (
        TreeOptions(halving=True, solve_nodes=5000, plan_share=0.85),
        "the strongest: plans alone, plays by the kind of game, and rehearses in the start clock",
    ),
    "pimc": (DeterminizationOptions(), "perfect information Monte Carlo, to compare"),
}
"""What each search is made with unless told otherwise, and what it is."""

LITERAL = frozenset(PRESETS[name][0] for name in PRESETS if name.endswith("-paper"))
"""The options of those that keep to the letter of the papers."""

REHEARSED = frozenset({"woodstock"})
"""Searches that take the options which rehearsals have found to suit a game."""

_BY_POLICY: Changes = {
    "playout_policy": True,
    "leaves": 256,
    "exploration": 0.7,
    "policy_prior": 16.0,
    "policy_exploration": 0.4,
    "risk_exponent": 2.0,
    "halving": False,
    "stage_share": 0.2,
}


class UnknownSearchError(WoodstockError, LookupError):
    """A name that no search has."""

    def __init__(self, name: str) -> None:
        self.name = name
        near = difflib.get_close_matches(name.lower(), PRESETS, n=1)
        hint = f"; did you mean {near[0]}?" if near else ""
        super().__init__(f"no search called {name!r}{hint} (there are {', '.join(search_names())})")


def search_names() -> tuple[str, ...]:
    """The names of all searches, sorted.

    >>> {"mac-ucb", "uct", "woodstock"} <= set(search_names())
    True
    """
    return tuple(sorted(PRESETS))


def options_of(name: str) -> Options:
    """The options of a search, as they are unless told otherwise.

    >>> options_of("uct").leaves
    64
    >>> options_of("uctt")
    Traceback (most recent call last):
    ...
    woodstock.search.presets.UnknownSearchError: no search called 'uctt'; did you mean uct? ...
    """
    if name not in PRESETS:
        raise UnknownSearchError(name)
    return PRESETS[name][0]


def about_search(name: str) -> str:
    """What a search is, in a line.

    >>> about_search("fc-ucb")
    'MAC-UCB with forward checking in place of MAC'
    """
    options_of(name)
    return PRESETS[name][1]


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
        options[Options.SHORT.get(key, key)] = value.strip()
    return name.strip(), options


def chosen_options(name: str, changes: Changes) -> Options:
    """The options of a search with some changes, texts or values; all of them are checked.

    >>> chosen_options("uct", {"leaves": "32"}).leaves
    32
    >>> chosen_options("pimc", {"inner": "pimc"})
    Traceback (most recent call last):
    ...
    woodstock.search.options.OptionError: pimc: inner cannot be 'pimc'; there are cfr, fc-ucb, ...
    """
    try:
        found = options_of(name).changed(changes)
    except OptionError as problem:
        raise OptionError(f"{name}: {problem}") from None
    if isinstance(found, DeterminizationOptions):
        others = [one for one in search_names() if one != name]
        if found.inner not in others:
            there = ", ".join(others)
            raise OptionError(f"{name}: inner cannot be {found.inner!r}; there are {there}")
    return found


def preset_of(game: Game) -> Changes:
    """The options that `woodstock` takes for a kind of game, before those of a rehearsal.

    Alone against chance it asks stages of beliefs, and a tree beyond which it plays by a learned
    policy, and believes who finds the better move; it takes risks, since it will think again.
    Against others it looks closely at a few states, and takes the others to see everything: what it
    does then holds whatever they know. Of a team they know what they remember.

    >>> preset_of(Game.from_library("wumpus"))["playout_policy"]
    True
    >>> preset_of(Game.from_library("nim"))
    {}
    """
    if game.information == "complete":
        return {}
    if len(game.players) == 1:
        return _BY_POLICY
    if concept_of(game) == "team":
        return {"halving": False}
    return {"others": "everything", "determinizations": 32, "halving": False}
