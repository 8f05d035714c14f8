from __future__ import annotations

import clingo
import pytest

from core_support import (
    INPUTS,
    TIC_TAC_TOE,
    address_of,
    ground_in_python,
    ground_natively,
    term_text,
)
from woodstock._core import Category, GroundProgram, Observer


@pytest.mark.parametrize("keep_all", [False, True])
def test_native_and_python_observer_record_the_same_program(keep_all: bool) -> None:
    native = ground_natively(TIC_TAC_TOE, keep_all=keep_all)
    assert native.to_bytes() == ground_in_python(TIC_TAC_TOE, keep_all=keep_all).to_bytes()


def test_interface_of_tic_tac_toe() -> None:
    program = ground_natively(TIC_TAC_TOE)
    fluents = [term_text(program, term) for term in program.fluents()]
    assert len(fluents) == 29
    assert [fluents[i] for i in program.initial()] == [
        *(f"f4({x},{y},3)" for x in (11, 12, 13) for y in (11, 12, 13)),
        "f5(1)",
    ]
    assert len(program.moves()) == 20
    assert [term_text(program, role) for role in program.roles()] == ["1", "2"]
    assert len(program.goals()) == 6
    assert len(program.percepts()) == 18
    assert program.category(program.terminal_atom) is Category.TERMINAL
    assert program.stratified


def test_facts_keep_their_place_in_the_interface() -> None:
    program = ground_natively("p0(1). p1(2). p4(1,3). p5(2). p6. p7(1,50). p8(1,9).")
    assert program.initial() == [0]
    (legal, does) = program.move_atoms()[0]
    assert program.is_fact(legal)
    assert does != 0
    assert program.is_fact(program.fluent_atoms()[0][1])
    assert program.is_fact(program.terminal_atom)
    assert all(program.is_fact(atom) for atom in program.goal_atoms() + program.percept_atoms())


def test_deeply_nested_terms() -> None:
    depth = 3000
    text = "f1(" * depth + "7" + ")" * depth
    program = ground_natively(f"p0(1). p1({text}). p5({text}) :- p2({text}).")
    assert program.term_count == depth + 2
    assert len(program.fluents()) == 1


def test_rule_limit_stops_grounding() -> None:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], "p1(1..1000). p5(X) :- p2(X)." + INPUTS)
    observer = Observer(address_of(control), max_rules=100)
    with pytest.raises(RuntimeError):
        control.ground([("base", [])])
    assert observer.limit_reached
    assert observer.rule_count == 100
    with pytest.raises(RuntimeError, match="limit"):
        observer.finish()


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("p1(1). p5(1) ; p5(2) :- p2(1).", "single head"),
        ("p1(1). p5(1) :- 1 <= #sum { 1 : p2(1); 2 : p2(2) }. {p2(2)}.", "weight"),
        ("p1(1). #minimize { 1 : p2(1) }.", "minimize"),
        ("p1(1). #external p30(1).", "external"),
    ],
)
def test_statements_without_a_meaning_here_are_refused(text: str, problem: str) -> None:
    with pytest.raises(RuntimeError, match=problem):
        _ground_and_finish(text)


@pytest.mark.parametrize("text", ["q(1).", 'p16("s").', "p16(-1).", "p16(g(1)).", "{p16(1)}."])
def test_names_of_another_kind_are_refused(text: str) -> None:
    with pytest.raises(RuntimeError):
        _ground_and_finish(text)


def test_an_observer_finishes_once() -> None:
    control = clingo.Control(["--warn=none"])
    observer = Observer(address_of(control))
    control.ground([("base", [])])
    assert observer.finish().atom_count == 0
    with pytest.raises(RuntimeError):
        observer.finish()


def test_no_control_no_observer() -> None:
    with pytest.raises(ValueError, match="control"):
        Observer(0)


def _ground_and_finish(text: str) -> GroundProgram:
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text + INPUTS)
    observer = Observer(address_of(control))
    try:
        control.ground([("base", [])])
    except RuntimeError:
        assert observer.problem
    return observer.finish()
