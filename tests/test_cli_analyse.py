"""``woodstock analyse`` and ``woodstock bench search``: what a search finds, and how fast."""

from __future__ import annotations

import io
import math
from typing import Any

import pytest
from rich.console import Console

from cli_support import answer, woodstock
from games_support import load
from player_support import Crashing, Fake, Late, Patient, decision
from woodstock import Game, State
from woodstock.belief import Belief, ObservationHistories
from woodstock.cli.decision import decision_table
from woodstock.errors import CircuitError
from woodstock.match import play_line
from woodstock.player import legal_moves
from woodstock.search import Decision, Limits, make_searcher

ANALYSE = ["analyse", "tic-tac-toe", "--seconds", "60", "--player", "uct"]


class Makes:
    """Stands in for `make_searcher` and remembers what it was asked for."""

    def __init__(self, kind: Any, *more: object) -> None:
        self.kind, self.more = kind, more
        self.asked: list[tuple[str, str, dict[str, Any]]] = []
        self.made: list[Fake] = []

    def __call__(self, name: str, game: Game, role: str, **options: Any) -> Fake:
        self.asked.append((name, role, options))
        self.made.append(self.kind(role, *self.more))
        return self.made[-1]


def use(monkeypatch: pytest.MonkeyPatch, kind: Any, *more: object) -> Makes:
    makes = Makes(kind, *more)
    monkeypatch.setattr("woodstock.tune.preparation.make_searcher", makes)
    monkeypatch.setattr("woodstock.search.bench.make_searcher", makes)
    return makes


def test_all_moves_are_valued(monkeypatch: pytest.MonkeyPatch) -> None:
    makes = use(monkeypatch, Patient)
    found = answer(*ANALYSE, "--seconds", "1", "--threads", "2", "--memory", "64", "--seed", "5")
    assert makes.asked == [
        (
            "uct",
            "x",
            {"seed": 5, "threads": 2, "memory_mb": 64, "rehearsed": None, "net": None},
        )
    ]
    state = Game.from_library("tic-tac-toe").initial_state()
    expected = makes.made[0].answer(state).to_json()
    assert {key: found[key] for key in expected} == expected
    assert (found["game"], found["role"], found["player"]) == ("tic-tac-toe", "x", "uct")
    assert found["move"] == "(mark 3 3)"
    assert [move["value"] for move in found["moves"]] == [0.75] + [0.375] * 8
    assert found["line"] == [["(mark 3 3)", "noop"]]


def test_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Fake)
    text = woodstock(*ANALYSE, "--after", "(mark 2 2)").stdout
    assert "tic-tac-toe: the moves of o" in text
    assert "│ x │" in text
    assert "move        value    ±  visits  bounds" in text
    assert "(mark 3 3)   75.0  8.4     100" in text
    assert text.count("(mark ") == 9  # eight moves, and the best line
    assert "expected: x (mark 3 3)" in text
    assert "800 simulations (2,000 a CPU second), 1,234 nodes, depth 7, 0.5 s" in text


def test_proofs_and_bounds_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Proves(Fake):
        def answer(self, situation: State | Belief) -> Decision:
            legal = legal_moves(situation, self.role)
            return decision(*legal, value=1.0, proved=True)

    use(monkeypatch, Proves)
    text = woodstock(*ANALYSE).stdout
    assert text.count("proved") == 10
    found = answer(*ANALYSE)
    assert found["proved"]
    assert found["moves"][0]["proved"]


def test_the_role_can_be_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    makes = use(monkeypatch, Fake)
    assert answer(*ANALYSE, "--role", "o")["move"] == "noop"
    assert answer(*ANALYSE, "--after", "(mark 2 2)")["role"] == "o"
    assert [role for _, role, _ in makes.asked] == ["o", "o"]


def test_an_interrupt_shows_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    makes = use(monkeypatch, Late)
    from woodstock.player import Question

    real = Question.wait

    def interrupted(self: Question, until: float) -> bool:
        while not makes.made[0].asked:
            real(self, until)
        raise KeyboardInterrupt

    monkeypatch.setattr(Question, "wait", interrupted)
    result = woodstock(*ANALYSE, "--seconds", "600")
    assert result.exit_code == 130
    assert "(mark 3 3)   75.0" in result.stdout
    assert makes.made[0].stops > 0


def test_a_search_that_cannot_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Crashing, CircuitError("the search needs a circuit"))
    result = woodstock(*ANALYSE)
    assert result.exit_code == 1
    assert "woodstock: the search needs a circuit" in result.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ["--role", "z"],
        ["--seconds", "0"],
        ["--after", "(mark 1 1); (mark 2 1); (mark 1 2); (mark 2 2); (mark 1 3)"],
    ],
)
def test_wrong_usage_is_2(arguments: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Fake)
    result = woodstock(*ANALYSE, *arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr


class Busy(Fake):
    """Works long enough to be measured."""

    def answer(self, situation: State | Belief) -> Decision:
        sum(range(200_000))
        return super().answer(situation)


def test_bench_search(monkeypatch: pytest.MonkeyPatch) -> None:
    makes = use(monkeypatch, Busy)
    (row,) = answer("bench", "search", "nim", "--seconds", "0.05", "--player", "fake")["games"]
    assert (row["game"], row["player"], row["role"]) == ("nim", "fake", "player1")
    # It proved nothing and still came back early: it is asked again until the time is used up.
    assert row["searches"] == len(makes.made) > 1
    assert row["simulations"] == row["searches"] * 1_200
    assert row["nodes"] == row["searches"] * 1_234
    assert [options["seed"] for _, _, options in makes.asked] == list(range(1, len(makes.made) + 1))
    rate = row["simulations"] / row["cpu_seconds"]
    assert row["simulations_per_cpu_second"] == pytest.approx(rate, rel=0.01)
    assert row["cpu_seconds"] >= 0.05
    text = woodstock("bench", "search", "nim", "--seconds", "0.05", "--player", "fake").stdout
    assert text.splitlines()[1].startswith("nim ")
    assert "fake, 1 thread, from the first position" in text


def test_bench_search_of_what_cannot_be_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, Crashing, CircuitError("the search needs a circuit"))
    result = woodstock("bench", "search", "nim", "--player", "fake")
    assert result.exit_code == 1
    assert "woodstock: nim: the search needs a circuit" in result.stderr


CAVE = "(place wumpus 2 2); (place gold 4 4); (place pit 2 1); (place pit 3 3)"


def test_the_order_of_the_table_is_the_order_of_advice() -> None:
    """In the cave, some moves are tried more often than others that are worth more for sure."""
    game = load("wumpus")
    searcher = make_searcher("woodstock", game, "hunter", seed=1)
    state, histories = game.initial_state(), ObservationHistories(game, seed=1)
    for moves, reached in play_line(state, CAVE):
        state = reached
        histories.see(moves, state)
    belief = histories.believed("hunter", state, math.inf)
    assert isinstance(belief, Belief)
    told: list[Decision] = []
    found = searcher.think(belief, limits=Limits(simulations=60_000), on_progress=told.append)
    visits = [one.visits for one in found.moves]
    assert visits != sorted(visits, reverse=True), "this shows nothing"
    assert all(one.moves[0].move == one.move for one in (found, *told))
    least = [one.trusted[0] for one in found.moves[1:]]
    assert least == sorted(least, reverse=True)
    table = Console(width=80, file=io.StringIO())
    table.print(decision_table(found, state.roles, 80, rows=3))
    text = table.file.getvalue().splitlines()  # type: ignore[attr-defined]
    assert text[1].startswith(f"* {found.move} ")
    assert text[2].startswith(f"  {found.moves[1].move} ")
    assert "* its choice" in text[-2] + text[-1]
