from __future__ import annotations

import clingo
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core_support import (
    TIC_TAC_TOE,
    fluents_of,
    ground_natively,
    joint_moves,
    reachable_states,
    rulesheets,
    term_text,
)
from effort import effort
from woodstock._core import Evaluator, GroundProgram, prove_mutexes


def model(text: str, state: set[str], moves: set[str]) -> set[str]:
    """What clingo derives from the rules with the state and the moves as facts."""
    control = clingo.Control(["--warn=none"])
    facts = [f"p2({f})." for f in state] + [f"p3({m})." for m in moves]
    control.add("base", [], text + " ".join(facts))
    control.ground([("base", [])])
    found: list[set[str]] = []
    control.solve(on_model=lambda m: found.append({str(s) for s in m.symbols(atoms=True)}))
    assert len(found) == 1
    return found[0]


def pair_text(program: GroundProgram, pair: tuple[int, int]) -> str:
    return f"{term_text(program, pair[0])},{term_text(program, pair[1])}"


@settings(max_examples=effort(50, 150))
@given(rulesheets())
def test_evaluator_agrees_with_clingo(text: str) -> None:
    program = ground_natively(text)
    evaluator = Evaluator(program)
    fluents = [term_text(program, term) for term in program.fluents()]
    moves = [pair_text(program, pair) for pair in program.moves()]
    goals = [pair_text(program, pair) for pair in program.goals()]
    percepts = [pair_text(program, pair) for pair in program.percepts()]
    for state in reachable_states(program, 6):
        holding = {fluents[i] for i in fluents_of(state)}
        terminal, legal, goal = evaluator.analyse(state)
        expected = model(text, holding, set())
        assert terminal == ("p6" in expected)
        assert {f"p4({moves[i]})" for i in legal} == {a for a in expected if a[:3] == "p4("}
        assert {f"p7({goals[i]})" for i in goal} == {a for a in expected if a[:3] == "p7("}
        for joint in joint_moves(program, legal):
            successor, seen = evaluator.next(state, joint)
            expected = model(text, holding, {moves[i] for i in joint})
            following = {f"p5({fluents[i]})" for i in fluents_of(successor)}
            assert following == {a for a in expected if a[:3] == "p5("}
            assert {f"p8({percepts[i]})" for i in seen} == {a for a in expected if a[:3] == "p8("}


@settings(max_examples=effort(100, 300))
@given(rulesheets(), st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=5), st.booleans())
def test_proved_mutexes_hold_in_every_reachable_state(
    text: str, groups: list[list[int]], play_first: bool
) -> None:
    program = ground_natively(text)
    known = len(program.fluents())
    groups = [sorted({f for f in group if f < known}) for group in groups]
    groups += [[f, g] for f in range(known) for g in range(f)]
    kinds = prove_mutexes(program, groups, play_first=play_first)
    for state in reachable_states(program, 32):
        holding = set(fluents_of(state))
        for group, kind in zip(groups, kinds, strict=True):
            count = len(holding.intersection(group))
            assert kind == 0 or count <= 1
            assert kind != 2 or count == 1


def test_mutexes_of_tic_tac_toe() -> None:
    program = ground_natively(TIC_TAC_TOE)
    groups: dict[str, list[int]] = {}
    for index, term in enumerate(program.fluents()):
        text = term_text(program, term)
        groups.setdefault(text.rsplit(",", 1)[0] if "," in text else "control", []).append(index)
    assert prove_mutexes(program, list(groups.values())) == [2] * 10
    assert prove_mutexes(program, [[0, 28], *groups.values()])[0] == 0


def test_tic_tac_toe_has_the_known_number_of_states() -> None:
    program = ground_natively(TIC_TAC_TOE)
    assert sum(1 for _ in reachable_states(program, 10_000)) == 5478


def test_bad_arguments() -> None:
    program = ground_natively(TIC_TAC_TOE)
    evaluator = Evaluator(program)
    state = evaluator.initial()
    assert len(state) == evaluator.state_size == 4
    with pytest.raises(ValueError, match="size"):
        evaluator.analyse(state + b"\0")
    with pytest.raises(ValueError, match="beyond"):
        evaluator.analyse(state[:3] + b"\xff")
    with pytest.raises(ValueError, match="move"):
        evaluator.next(state, [99])
    with pytest.raises(ValueError, match="stratified"):
        Evaluator(
            ground_natively("p1(1). p16 :- p2(1), not p17. p17 :- p2(1), not p16. p6 :- p16.")
        )
