"""What nets are shown comes from the rules: patterns are lines, symmetries keep values."""

from __future__ import annotations

import random
import re

import pytest

from woodstock import Game, _core
from woodstock.learn.features import ValueSymmetry, rule_features, value_symmetries


def fluents_of(game: Game) -> list[str]:
    return [str(fluent) for fluent in game.circuit().numbering.fluents]


def patterns_of(game: Game) -> set[frozenset[str]]:
    names = fluents_of(game)
    found = [frozenset(names[f] for f in inside) for inside, _ in rule_features(game).patterns]
    assert len(found) == len(set(found))
    return set(found)


def lines(width: int, height: int, length: int, colours: tuple[str, ...]) -> set[frozenset[str]]:
    out = set()
    for x in range(1, width + 1):
        for y in range(1, height + 1):
            for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
                cells = [(x + i * dx, y + i * dy) for i in range(length)]
                if all(1 <= a <= width and 1 <= b <= height for a, b in cells):
                    out |= {frozenset(f"(cell {a} {b} {c})" for a, b in cells) for c in colours}
    return out


@pytest.mark.parametrize(
    ("name", "board"),
    [
        ("connect-four", (7, 6, 4, ("red", "black"))),
        ("connect-four-8x6", (8, 6, 4, ("red", "black"))),
        ("tic-tac-toe", (3, 3, 3, ("x", "o"))),
        ("pentago", (6, 6, 5, ("red", "black"))),
    ],
)
def test_games_of_lines_have_just_their_lines(
    name: str, board: tuple[int, int, int, tuple[str, ...]]
) -> None:
    assert patterns_of(Game.load(name)) == lines(*board)


def test_stones_of_the_other_block_a_line_and_free_cells_do_not() -> None:
    game = Game.load("tic-tac-toe")
    names = fluents_of(game)
    other = {"x": "o", "o": "x"}
    for inside, blockers in rule_features(game).patterns:
        wanted = {re.sub("[xo]", lambda m: other[m[0]], names[f]) for f in inside}
        assert {names[f] for f in blockers} == wanted


def test_a_pattern_may_leave_open_which_piece_it_is() -> None:
    """Quarto: four pieces of one quality in a line; eight pieces have it, and eight block."""
    game = Game.load("quarto")
    patterns = rule_features(game).patterns
    assert len(patterns) == 10 * 8
    for inside, blockers in patterns:
        assert (len(inside), len(blockers)) == (4 * 8, 4 * 8)


def test_same_seed_same_patterns_and_limits_are_kept() -> None:
    engine = Game.load("connect-four").circuit()
    program, simulator = engine.grounding.program, engine.simulator()
    once = _core.rule_patterns(program, simulator, seed=3)
    assert _core.rule_patterns(program, simulator, seed=3) == once
    few = _core.rule_patterns(program, simulator, features=40)
    assert len(few) == 10
    cheap = _core.rule_patterns(program, simulator, steps=5)
    assert 0 < len(cheap) < len(once)
    with pytest.raises(ValueError, match="another game"):
        _core.rule_patterns(program, Game.load("nim").circuit().simulator())


@pytest.mark.parametrize(
    ("name", "fluents"),
    [
        ("breakthrough", {"(control white)"}),
        ("chinese-checkers", {"(control red)", "(control green)"}),
        ("pentago", {"(turning red)", "(placing red)", "(turning black)"}),
        ("connect-four-simultaneous", set()),
        ("eight-puzzle", set()),
    ],
)
def test_whose_turn_it_is_is_found(name: str, fluents: set[str]) -> None:
    game = Game.load(name)
    found = _core.control_fluents(game.circuit().simulator())
    assert {fluents_of(game)[f] for f in found} == fluents


def test_chance_does_not_hide_whose_turn_it_is() -> None:
    game = Game.load("backgammon")
    found = _core.control_fluents(game.circuit().simulator(), chance=game.roles.index("random"))
    assert [fluents_of(game)[f] for f in found] == ["(turn white)"]


def image(symmetry: ValueSymmetry, position: bytes) -> bytes:
    value = int.from_bytes(position, "little")
    after = sum(1 << to for f, to in enumerate(symmetry.fluents) if value >> f & 1)
    return after.to_bytes(len(position), "little")


@pytest.mark.parametrize("exchange", [False, True])
@pytest.mark.parametrize(
    "name",
    ["tic-tac-toe", "connect-four", "breakthrough", "chinese-checkers", "randomised-tic-tac-toe"],
)
def test_symmetries_keep_play_and_goals(name: str, exchange: bool) -> None:
    """What follows a state follows its image, and everybody's goals go along with their roles."""
    game = Game.load(name)
    engine = game.circuit()
    found = value_symmetries(game, seconds=600, exchange_roles=exchange)
    if name != "chinese-checkers" or exchange:
        assert found
    chance = random.Random(1)
    for symmetry in found:
        assert sorted(symmetry.fluents) == list(range(len(symmetry.fluents)))
        assert (symmetry.roles == tuple(range(len(game.roles)))) != exchange
        state = game.initial_state()
        if not exchange:
            assert image(symmetry, state.position) == state.position
        while True:
            mirrored = image(symmetry, state.position)
            assert engine.terminal(mirrored) == state.is_terminal
            for role, becomes in enumerate(symmetry.roles):
                assert engine.goals(mirrored, becomes) == engine.goals(state.position, role)
            if state.is_terminal:
                break
            successors = [position for _, position, _ in engine.successors(state.position)]
            wanted = sorted(image(symmetry, position) for position in successors)
            assert wanted == sorted(position for _, position, _ in engine.successors(mirrored))
            state = state.apply({r: chance.choice(list(state.legal_moves(r))) for r in state.roles})
