"""Options of searches: typed, checked always, and refused where they mean nothing."""

from __future__ import annotations

import math
from typing import Any

import pytest

from games_support import load
from woodstock import _core
from woodstock.search import Limits, OptionError, make_searcher
from woodstock.search.options import Option, StageOptions, TreeOptions
from woodstock.search.presets import PRESETS, chosen_options, preset_of
from woodstock.search.styles import NetPromise, Style, candidates_of

NATIVE: dict[type[TreeOptions | StageOptions], tuple[Any, ...]] = {
    TreeOptions: (_core.TreeSearchOptions, _core.InformationSearchOptions),
    StageOptions: (_core.MacUcbOptions, _core.MacUcbIIOptions),
}


def natively_allowed(family: type[Any], name: str, value: object) -> bool:
    """Whether the native searches that have an option take the value."""
    for kind in NATIVE[family]:
        if isinstance(getattr(kind, name, None), property):
            made = kind()
            try:
                setattr(made, name, value)
                made.check()
            except (TypeError, ValueError):
                return False
    return True


def edges(option: Option, default: Any) -> list[tuple[object, bool]]:
    """Values around the bounds, and whether they are in the range."""
    if option.values or isinstance(default, str):
        return []
    whole = isinstance(default, int)
    step = 1 if whole else 1e-6
    found: list[tuple[object, bool]] = [
        (type(default)(option.low), not option.above),
        (type(default)(option.low - step), False),
    ]
    if option.high < math.inf:
        found += [(type(default)(option.high), True), (type(default)(option.high + step), False)]
    return found if whole else [*found, (math.nan, False), (math.inf, False)]


NUMBERS = [
    (family, name, value, allowed)
    for family in NATIVE
    for name, option, default in family().described()
    for value, allowed in edges(option, default)
]


@pytest.mark.parametrize(("family", "name", "value", "allowed"), NUMBERS)
def test_ranges_are_those_of_the_native_searches(
    family: type[Any], name: str, value: object, allowed: bool
) -> None:
    if allowed:
        assert getattr(family(**{name: value}), name) == value
        assert natively_allowed(family, name, value)
    else:
        with pytest.raises(OptionError, match=name):
            family(**{name: value})
        has = any(isinstance(getattr(kind, name, None), property) for kind in NATIVE[family])
        assert not has or not natively_allowed(family, name, value)


@pytest.mark.parametrize("family", NATIVE)
def test_every_listed_value_is_taken_and_no_other(family: type[Any]) -> None:
    for name, option, _ in family().described():
        for value in option.values:
            assert getattr(family(**{name: value}), name) == value
            assert name == "concept" or natively_allowed(family, name, value)
        if option.values:
            with pytest.raises(OptionError, match=f"{name} cannot be 'nonsense'; give"):
                family(**{name: "nonsense"})


def test_every_native_option_has_a_field_or_a_reason_not_to() -> None:
    """What follows from the game, and constants that nobody has ever had a use for."""
    of_the_game = {"concept", "role", "chance", "seed", "memory", "known_fluents"}
    constants = {"bias", "mixing", "confidence", "bonus"}
    constants.add("alike_share")  # this is symmetry_share
    for family, kinds in NATIVE.items():
        for kind in kinds:
            native = {
                name
                for base in kind.__mro__
                for name, value in vars(base).items()
                if isinstance(value, property)
            }
            assert native - set(family.names()) <= of_the_game | constants


@pytest.mark.parametrize(
    ("player", "game", "reason"),
    [
        ("uct:others=next", "tic-tac-toe", "others is for games in which something is hidden"),
        ("uct:mast=0.05", "monty-hall", "mast is for games in which everything is seen"),
        ("mac-ucb:batch=8", "monty-hall", "batch is for games in which everything is seen"),
        ("mac-ucb:solver=fc,propagation=str", "nim", "propagation is for solver=mac or split"),
        ("mac-ucb:solver=compiled,heuristic=dom", "nim", "heuristic is for solver=mac or split"),
        ("mac-ucb:hypotheses=9", "nim", "hypotheses is for games in which something is hidden"),
        ("uct:risk_exponent=2", "kuhn-poker", "risk_exponent is for who plays alone .* 2 play"),
        ("uct:proof_numbers=1", "kaseklau", "proof_numbers is for games .* there is chance"),
        ("uct:proof_numbers=1", "kuhn-poker", "proof_numbers is for .* something is hidden"),
        ("uct:proof_steps=8", "kaseklau", "proof_steps is for games .* there is chance"),
        ("cfr:proof_numbers=1", "nim", "proof_numbers .* are for moves chosen by ucb or grave"),
        ("uct:proof_steps=8", "chinese-checkers", "proof_steps are for contests"),
        ("mac-ucb:proof_steps=8", "chinese-checkers", "proof_steps are for contests"),
        ("uct:symmetry=rules", "monty-hall", "symmetry is for games in which everything is seen"),
    ],
)
def test_what_does_not_apply_is_refused_with_the_reason(
    player: str, game: str, reason: str
) -> None:
    rules = load(game)
    with pytest.raises(OptionError, match=reason):
        make_searcher(player, rules, rules.players[0])


@pytest.mark.parametrize("name", PRESETS)
@pytest.mark.parametrize("game", ["tic-tac-toe", "monty-hall", "kuhn-poker"])
def test_presets_apply_everywhere(name: str, game: str) -> None:
    rules = load(game)
    assert make_searcher(name, rules, rules.players[0]) is not None


@pytest.mark.parametrize("game", ["tic-tac-toe", "monty-hall", "kuhn-poker", "orchard"])
def test_what_suits_a_game_and_what_is_rehearsed_applies_to_it(game: str) -> None:
    rules = load(game)
    promises: tuple[NetPromise, ...] = ("none", "little", "much")
    tried = {str(one.change) for net in promises for one in candidates_of(rules, net=net)}
    for style in (Style("woodstock", preset_of(rules)), *map(Style.parse, sorted(tried))):
        chosen_options(style.search, style.options).check_for(rules, style.options)


def test_a_flat_bandit_is_a_tree_of_depth_one() -> None:
    rules = load("connect-four")
    found = [
        make_searcher(name, rules, "red", seed=1).think(
            rules.initial_state(), limits=Limits(simulations=4000)
        )
        for name in ("flat-ucb", "uct:max_depth=1", "uct")
    ]
    assert found[0].moves == found[1].moves
    assert found[0].moves != found[2].moves
    assert found[0].depth == 1


@pytest.mark.parametrize(
    ("game", "name", "option"),
    [
        ("connect-four", "mac-ucb:order=principal", "batch=64"),
        ("connect-four", "mac-ucb:order=principal", "cache=no"),
        ("connect-four", "grave:choice=grave", "reference=5"),
        ("connect-four", "uct:leaves=64", "proof_numbers=0.5"),
        ("connect-four", "uct:leaves=64", "proof_steps=4"),
        ("connect-four", "grave:choice=grave", "proof_numbers=0.5"),
        ("connect-four", "mac-ucb:order=principal", "proof_steps=4"),
    ],
)
def test_options_reach_the_searches(game: str, name: str, option: str) -> None:
    rules = load(game)
    plain, changed = (
        make_searcher(text, rules, rules.players[0], seed=1).think(
            rules.initial_state(), limits=Limits(simulations=200_000)
        )
        for text in (name, f"{name},{option}")
    )
    assert plain.moves != changed.moves
