"""Games for one player: held against plain models, and solved."""

from __future__ import annotations

import itertools
import random
from collections import Counter, deque
from fractions import Fraction

import pytest

from games_support import joint, load, texts
from independent.explorers import VacuumCleaner, Wumpus
from independent.model import Model, hold_against, model_counts
from independent.one_player import (
    COLOURS,
    ButtonsAndLights,
    Hunter,
    Mastermind,
    Sudoku,
    Untwisty,
    Vectorracer,
    answer,
)
from woodstock import games

# The models, with the depth to which counts are compared.
MODELS: dict[str, tuple[Model, int]] = {
    "buttons-and-lights-3": (ButtonsAndLights(3), 6),
    "buttons-and-lights-7": (ButtonsAndLights(7), 4),
    "buttons-and-lights-10": (ButtonsAndLights(10), 3),
    "joint-buttons-and-lights-25": (ButtonsAndLights(25, joint=True), 2),
    "hunter": (Hunter(), 6),
    "untwisty": (Untwisty(), 9),
    "sudoku": (Sudoku(), 1),
    "vectorracer": (Vectorracer(), 8),
    "mastermind": (Mastermind(), 1),
    "vacuum-cleaner-random": (VacuumCleaner(), 3),
    "wumpus": (Wumpus(), 3),
}


@pytest.mark.parametrize("name", MODELS)
def test_counts_of_the_model(name: str) -> None:
    model, depth = MODELS[name]
    assert model_counts(model, depth) == list(games.perft_counts(name)[: depth + 1])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", MODELS)
def test_matches_of_the_model(name: str, seed: int) -> None:
    hold_against(MODELS[name][0], name, seed)


@pytest.mark.parametrize("panels", [3, 7, 10])
def test_six_presses_light_a_panel(panels: int) -> None:
    state = load(f"buttons-and-lights-{panels}").initial_state()
    for button in "abcaba":
        assert not state.is_terminal
        state = state.apply([f"(press {(panels + 1) // 2} {button})"])
    assert state.is_terminal
    assert state.goal("robot") == 100


def test_no_panel_is_lit_with_five_presses() -> None:
    counts = games.perft_counts("buttons-and-lights-3")
    assert counts == tuple(9**n for n in range(7))  # nothing ended before the sixth


def test_joint_panels_are_worth_four_points_each() -> None:
    state = load("joint-buttons-and-lights-25").initial_state()
    for panel in range(1, 26):
        assert state.goal("robot") == 4 * (panel - 1)
        for button in "abcaba":
            state = state.apply([f"(press {panel} {button})"])
    assert state.is_terminal
    assert state.goal("robot") == 100


def test_the_hunter_can_take_all_pawns() -> None:
    """A knight's tour from the corner, found by going where least ways lead on."""
    model = Hunter()

    def tour(path: list[tuple[int, int]]) -> list[tuple[int, int]] | None:
        if len(path) == 30:
            return path
        free = [cell for cell in model.jumps(path[-1]) if cell not in path]
        free.sort(key=lambda c: sum(further not in path for further in model.jumps(c)))
        found = (tour([*path, cell]) for cell in free)
        return next((whole for whole in found if whole), None)

    path = tour([(1, 1)])
    assert path is not None
    state = load("hunter").initial_state()
    for (x, y), (a, b) in itertools.pairwise(path):
        assert not state.is_terminal
        state = state.apply([f"(move {x} {y} {a} {b})"])
    assert state.is_terminal
    assert state.goal("robot") == 100


def test_the_corridor_is_untwisted_by_its_code() -> None:
    state = load("untwisty").initial_state()
    for button in Untwisty.code:
        state = state.apply([f"(press {button})"])
    assert state.is_terminal
    assert state.goal("robot") == 100


def test_sudoku_has_one_solution_and_pays_for_it() -> None:
    def solutions(position: str) -> list[str]:
        if "0" not in position:
            return [position]
        options = Sudoku().moves(position)
        cells = Counter((r, c) for r, c, _ in options)
        if len(cells) < position.count("0"):
            return []
        best = min(cells, key=lambda cell: cells[cell])
        found = []
        for r, c, digit in options:
            if (r, c) == best:
                at = 9 * (r - 1) + c - 1
                found += solutions(position[:at] + digit + position[at + 1 :])
        return found

    assert solutions(Sudoku.given) == [Sudoku.solution]
    state = load("sudoku").initial_state()
    for i, digit in enumerate(Sudoku.solution):
        if Sudoku.given[i] == "0":
            state = state.apply([f"(write {i // 9 + 1} {i % 9 + 1} {digit})"])
    assert state.is_terminal
    assert state.goal("robot") == 100


def test_the_fastest_racer_needs_fourteen_moves() -> None:
    model = Vectorracer()
    start = model.initial()[1:]
    queue, way = deque([start]), {start: ()}
    while queue:
        cell, speed = queue.popleft()
        if model.at(*cell) == "*":
            break
        for move in model.legal((0, cell, speed))["robot"]:
            after = model.after((0, cell, speed), (move,))[1:]
            if after not in way:
                way[after] = (*way[cell, speed], move)  # type: ignore[assignment]
                queue.append(after)
    moves = way[cell, speed]
    assert len(moves) == 14
    state = load("vectorracer").initial_state()
    for move in moves:
        assert not state.is_terminal
        state = state.apply([move])
    assert state.is_terminal
    assert state.goal("robot") == 100


def test_mastermind_answers_as_a_person_does() -> None:
    """All answers to one guess of each pattern, on a sample of codes."""
    game = load("mastermind")
    codes = list(itertools.product(COLOURS, repeat=4))
    rng = random.Random(4)
    r, o, y, g, *_ = COLOURS
    for guess in ((r, r, r, r), (r, r, r, o), (r, r, o, o), (r, r, o, y), (r, o, y, g)):
        for secret in rng.sample(codes, 40):
            made = [f"(secret {i} {colour})" for i, colour in enumerate(secret, 1)]
            state = game.state(["(guess 3)", *made]).apply([f"(try {' '.join(guess)})", "noop"])
            black, white = answer(secret, guess)
            assert texts(state.percepts("player")) == [f"(answer {black} {white})"]


def test_mastermind_answers_have_the_published_numbers() -> None:
    """Knuth, The computer as master mind (1976): the answers to 1122 among 1296 codes."""
    codes = list(itertools.product(COLOURS, repeat=4))
    found = Counter(answer(code, (*COLOURS[:1] * 2, *COLOURS[1:2] * 2)) for code in codes)
    assert [found[0, white] for white in range(5)] == [256, 256, 96, 16, 1]
    assert [found[1, white] for white in range(4)] == [256, 208, 36, 0]
    assert [found[2, white] for white in range(3)] == [114, 32, 4]
    assert [found[3, white] for white in range(2)] == [20, 0]
    assert found[4, 0] == 1


def test_switching_doors_wins_twice_in_three() -> None:
    start = load("monty-hall").initial_state()
    chances: dict[str, list[Fraction]] = {"switch": [], "stay": []}
    for first in start.joint_moves():
        chosen = start.apply(first)
        doors = chosen.legal_moves("random")
        for door in doors:
            opened = joint(chosen, {"random": str(door)})
            assert texts(opened.percepts("candidate")) == [str(door)]
            for decision, results in chances.items():
                goal = joint(opened, {"candidate": decision}).goal("candidate")
                results.append(Fraction(goal or 0, len(doors)))
    assert sum(chances["switch"]) / 9 == Fraction(200, 3)
    assert sum(chances["stay"]) / 9 == Fraction(100, 3)


def test_the_wumpus_falls_to_an_arrow_and_the_hunter_leaves_with_the_gold() -> None:
    state = load("wumpus").initial_state()
    for thing in ("wumpus 4 1", "gold 2 1", "pit 3 3", "pit 4 4"):
        state = joint(state, {"random": f"(place {thing})"})
    assert texts(state.percepts("hunter")) == []
    for move, seen in (
        ("(go west)", ["bump"]),
        ("(go east)", ["glitter"]),
        ("grab", []),
        ("(shoot east)", ["scream"]),
        ("(go west)", []),
        ("climb", []),
    ):
        state = joint(state, {"hunter": move})
        assert texts(state.percepts("hunter")) == seen
    assert state.is_terminal
    assert state.goal("hunter") == 100
