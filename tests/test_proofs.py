"""The benchmark of proofs: which positions it takes, and what it makes of the answers."""

from __future__ import annotations

import json
import random
from pathlib import Path

import proofs
import pytest
from exact_positions import chooser

from games_support import load
from woodstock import Game
from woodstock.solve.exact import solve
from woodstock.solve.graph import explore


def test_endgames_are_the_same_for_everybody_and_somebody_has_a_choice() -> None:
    game = load("tic-tac-toe")
    first, second = ([*proofs.endgames(game, 3, random.Random("tic-tac-toe/1"))] for _ in range(2))
    assert first == second
    for plies, state in first:
        assert len(state.turn) == 1
        assert 0 <= plies < 9 - min(proofs.BEFORE_END) + 1


def test_what_is_proved_of_an_endgame_is_its_exact_value() -> None:
    game = load("reversi")
    ((plies, state),) = proofs.endgames(game, 1, random.Random("reversi/1"))
    assert plies > 0
    found = proofs.prove("uct:proof_numbers=0.3", state, 1, 20.0)
    assert found["proved"]
    (role,) = state.turn
    assert found["value"] == solve(game, role, graph=explore(state, 200_000)).value()


def test_where_there_is_luck_a_player_has_a_choice_and_expectations_are_exact() -> None:
    sheet = Path(proofs.__file__).with_name("dice-race.kif")
    game = Game.from_file(sheet)
    ends = [*proofs.endgames(game, 2, random.Random("dice-race/1"), (5, 3))]
    for _, state in ends:
        role = chooser(state)
        assert role in ("red", "blue")
        exact = solve(game, role, graph=explore(state, 50_000)).value()
        for player in ("mac-ucb:proof_steps=64", "uct"):
            found = proofs.prove(player, state, 1, 20.0)
            assert found["proved"]
            assert found["value"] == pytest.approx(exact, abs=proofs.EXACT)
    # Another number of plies before the end is another position.
    ((later, _),) = proofs.endgames(game, 1, random.Random("dice-race/1"), (1,))
    assert ends[0][0] < later


def test_the_command_tells_who_proved_what(capsys: pytest.CaptureFixture[str]) -> None:
    players = ["uct", "uct:proof_numbers=0.3"]
    given = [f"--player={player}" for player in players]
    assert proofs.main([*given, "--games", "tic-tac-toe", "--positions", "2", "--cpu", "5"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [*found["players"]] == players
    for told in found["players"].values():
        assert told["positions"] == told["games"]["tic-tac-toe"]["positions"] == 2
    assert found["contradictions"] == []
    assert len(found["positions"]) == 2


def test_proofs_that_contradict_each_other_are_told() -> None:
    answers = {
        "a": {"proved": True, "value": 1.0, "cpu": 0.1},
        "b": {"proved": True, "value": 0.5, "cpu": 0.2},
    }
    found = proofs.report([{"game": "nim", "plies": 3, "answers": answers}], ["a", "b"])
    assert [one["plies"] for one in found["contradictions"]] == [3]
    agreed = {"a": answers["a"], "b": {"proved": False, "value": None, "cpu": 0.2}}
    told = proofs.report([{"game": "nim", "plies": 3, "answers": agreed}], ["a", "b"])
    assert told["contradictions"] == []
