"""Positions whose exact value is known: the solver of connect four, our proofs, the counting."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from itertools import islice
from pathlib import Path

import blunders
import exact_positions
import pytest
from exact_positions import Known, drops, known_positions, proved_value, small_breakthrough, worth
from playouts import build

from games_support import load
from woodstock import Game, State
from woodstock.solve import explore, solve


def solve_by_stick(*positions: str) -> list[list[int | None]]:
    """What the solver says about some positions."""
    lines = "".join(f"{position}\n" for position in positions)
    done = subprocess.run(
        [build("connect-four-solver")], input=lines, capture_output=True, text=True, check=True
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


def random_drops(plies: int, rng: random.Random) -> tuple[str, State]:
    """A position of connect four that goes on, after random moves."""
    while True:
        state, moves = load("connect-four").initial_state(), list[list[str]]()
        while not state.is_terminal and len(moves) < plies:
            joint = state.random_joint_move(rng)
            moves.append([str(move) for move in joint])
            state = state.apply(joint)
        if not state.is_terminal:
            return drops(moves), state


# The solver of connect four.


def test_the_solver_agrees_with_a_look_at_all_states() -> None:
    rng = random.Random(1)
    drawn = [random_drops(rng.randint(30, 38), rng) for _ in range(20)]
    seen = set()
    for (_, state), found in zip(drawn, solve_by_stick(*(text for text, _ in drawn))):
        (role,) = state.turn or (None,)
        if role is None:
            continue
        wanted = solve(state.game, role, graph=explore(state)).move_values(state)
        assert {
            f"(drop {column})": (value + 1) / 2
            for column, value in enumerate(found, 1)
            if value is not None
        } == {str(move): value for move, value in wanted.items()}
        seen |= {*wanted.values()}
    assert seen == {0.0, 0.5, 1.0}


def test_a_mirrored_position_has_mirrored_values() -> None:
    rng = random.Random(2)
    positions = [random_drops(16, rng)[0] for _ in range(8)]
    mirrored = ["".join(str(8 - int(drop)) for drop in one) for one in positions]
    assert solve_by_stick(*mirrored) == [found[::-1] for found in solve_by_stick(*positions)]


def test_who_threatens_two_cells_wins_and_a_threat_must_be_met() -> None:
    # Three at the bottom with room on both sides: red wins there, or takes its time.
    (red,) = solve_by_stick("374757")
    assert [column for column, value in enumerate(red, 1) if value == 1] == [2, 6, 7]
    assert solve_by_stick("37475") == [[-1] * 7]
    # Three in the first column: black must go there.
    (black,) = solve_by_stick("1717166")
    assert black[1:] == [-1] * 6


@pytest.mark.parametrize("position", ["8", "1111111", "12121212"])
def test_what_is_no_position_is_refused(position: str) -> None:
    done = subprocess.run(
        [build("connect-four-solver")], input=position, capture_output=True, text=True
    )
    assert done.returncode == 2
    assert position in done.stderr


# Positions.


def test_positions_of_connect_four_matter_and_are_kept(tmp_path: Path) -> None:
    file = tmp_path / "known.json"
    found = known_positions("connect-four", 3, 1, file)
    assert known_positions("connect-four", 3, 1, file) == found
    for known in found:
        state = known.state(load("connect-four"))
        assert state.turn == (known.role,)
        assert {str(move) for move in state.legal_moves(known.role)} == {*known.values}
        assert known.matters


def test_positions_near_the_end_are_worth_what_is_proved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exact_positions, "EASY_SECONDS", 0.0)
    monkeypatch.setattr(exact_positions, "SIMULATIONS", 8)
    game = load("tic-tac-toe")
    found = [*islice(exact_positions.near_the_end(game, random.Random(1)), 5)]
    assert len(found) == 5
    for known in found:
        state = known.state(game)
        wanted = solve(game, known.role, graph=explore(state))
        assert known.best == wanted.value()
        for move, value in wanted.move_values(state).items():
            assert worth(game, known, str(move)) == value


def test_what_is_over_is_worth_its_goal() -> None:
    state = load("nim").initial_state()
    while not state.is_terminal:
        state = state.apply([state.legal_moves(role)[0] for role in state.roles])
    assert [proved_value(state, role) for role in state.roles] == [
        (state.goal(role) or 0) / 100 for role in state.roles
    ]


def test_breakthrough_is_made_smaller(tmp_path: Path) -> None:
    game = Game.load(small_breakthrough(tmp_path))
    state = game.initial_state()
    assert len(state.fluents) == 21
    assert len(state.legal_moves("white")) == 13


# Counting.


def test_blunders_are_counted_and_what_nobody_knows_is_not() -> None:
    losses: dict[str, list[float | None]] = {"n": [0.0, 1.0, None], "o": [0.5, 0.5, 0.0]}
    records = [
        {"name": name, "cpu": 0.02, "lost": lost} for name, own in losses.items() for lost in own
    ]
    lines = [*blunders.table([("nim", "n", "o")], [0.02], records)]
    assert lines[0] == "| game | positions | new, 20 ms | old, 20 ms |"
    assert (
        lines[2] == f"| nim | 3 | {blunders.share(records[:2])} | {blunders.share(records[3:])} |"
    )
    assert blunders.share(records[:3]).startswith("50.0 [")
    assert blunders.share([]) == ""


def test_the_command_asks_both_sides_and_goes_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.jsonl"
    words = ["--games=connect-four", "--positions=2", "--start=0", f"--out={out}"]
    words += ["--new-player=uct", "--old-player=legal", f"--old={sys.executable}"]
    assert blunders.main([*words, "--cpu=0.01"]) == 0
    assert blunders.main([*words, "--cpu=0.01,0.02"]) == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 8
    assert "| connect-four | 2 | " in capsys.readouterr().out


def test_a_known_position_says_whether_it_matters() -> None:
    assert not Known([], "x", 0.0, {"a": 0.0}).matters
