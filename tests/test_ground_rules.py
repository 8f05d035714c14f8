"""Grounding step by step: preparing rules, the program they become, the child's answers."""

from __future__ import annotations

import random
import subprocess

import pytest

from ground_support import (
    assert_same_position,
    engines_of,
    everything_pays,
    ground_here,
    random_states,
    rules_of,
    snapshot,
)
from woodstock import games
from woodstock.engine import LiftedEngine
from woodstock.errors import GroundingError
from woodstock.gdl.domains import HUGE, Domains, TermSet
from woodstock.gdl.reader import read_text
from woodstock.gdl.rules import Predicate, normalise
from woodstock.gdl.terms import Term, parse_term
from woodstock.ground import child
from woodstock.ground.engine import GroundEngine
from woodstock.ground.grounder import ground_rules
from woodstock.ground.prepare import prepare
from woodstock.ground.translate import FIRST_GUARD, translate

BASE = "(role x) (legal x noop) (<= terminal (true over)) (goal x 1) "


def prepared(text: str, *, split: bool = True) -> list[str]:
    return [str(rule) for rule in prepare(rules_of(BASE + text), split=split).rules]


def assert_engines_agree_at_the_start(text: str) -> None:
    rules = rules_of(BASE + text)
    found = [snapshot(e, e.initial(), rules.roles) for e in engines_of(rules).values()]
    assert found[1:] == found[:1] * (len(found) - 1)


def assert_engines_agree_anywhere(text: str, states: int = 8) -> None:
    rules = rules_of(BASE + text)
    engines = engines_of(rules)
    rng = random.Random(1)
    for positions in random_states(engines, rules, rng, states):
        assert_same_position(engines, positions, rules, rng, "random state")


# --- preparing ------------------------------------------------------------------------------------


def test_negation_with_a_variable_of_its_own_is_projected() -> None:
    text = "(init (f 1)) (init (f 2)) (<= (legal x stop) (not (true (f ?n))))"
    assert "(<= (legal x stop) (not some 0))" in prepared(text, split=False)
    assert_engines_agree_at_the_start(text)
    assert_engines_agree_at_the_start("(<= (legal x stop) (not (true (f ?n))))")


def test_what_no_keyword_needs_is_left_out() -> None:
    rules = prepared("(d 1) (<= (unused ?x) (d ?x)) (base (f 1)) (<= (input x noop) (d 1))")
    assert not any("unused" in rule or "base" in rule or "input" in rule for rule in rules)


@pytest.mark.parametrize(
    "start",
    [
        "(init (wall 1))",
        "(start (wall 1)) (<= (init ?f) (start ?f))",
        "(<= (init (wall ?x)) (d ?x) (distinct ?x 2)) (d 1) (d 2)",
    ],
    ids=["fact", "bare variable", "rule"],
)
def test_fluents_that_merely_persist(start: str) -> None:
    text = (
        start
        + """(<= (next (wall ?x)) (true (wall ?x))) (<= (legal x hit) (true (wall 1)))
        (<= (legal x go) (not (true (wall 2))))"""
    )
    assert_engines_agree_at_the_start(text)
    rules = rules_of(BASE + text)
    lifted = engines_of(rules)["lifted"]
    assert [str(m) for m in lifted.legal(lifted.initial(), 0)] == ["go", "hit", "noop"]


def test_long_joins_are_cut() -> None:
    board = " ".join(f"(n {i})" for i in range(12))
    text = (
        board
        + """(<= (init (at ?x ?y)) (n ?x) (n ?y))
        (<= (legal x far) (true (at ?a ?b)) (true (at ?b ?c)) (true (at ?c ?d))
            (true (at ?d ?e)))"""
    )
    rules = rules_of(BASE + text)
    assert ground_here(rules).instances * 10 < ground_here(rules, split=False).instances


def test_guards_do_not_reach_the_program() -> None:
    board = " ".join(f"(n {i})" for i in range(9))
    text = (
        board
        + """(<= (init (at ?x ?y)) (n ?x) (n ?y) (distinct ?x ?y))
        (<= (legal x (m ?a)) (true (at ?a ?b)) (true (at ?b ?c)) (not (true (at ?a ?c)))
            (true (at ?c ?d)) (distinct ?d ?a))"""
    )
    rules = rules_of(BASE + text)
    program = ground_here(rules).program
    assert all(program.atom(a)[0] < FIRST_GUARD for a in range(1, program.atom_count + 1))
    assert_engines_agree_at_the_start(text)


def test_dense_helpers_are_written_out() -> None:
    text = """(n 1) (n 2) (n 3) (n 4) (n 5) (<= (init (at ?x ?y)) (n ?x) (n ?y))
        (<= (differ ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (distinct ?a ?c))
        (<= (differ ?a ?b ?c ?d) (n ?a) (n ?b) (n ?c) (n ?d) (distinct ?b ?d))
        (<= (legal x two) (true (at ?a ?b)) (true (at ?c ?d)) (differ ?a ?b ?c ?d))"""
    two = [rule for rule in prepared(text) if rule.startswith("(<= (legal x two)")]
    assert two
    assert not any("differ" in rule for rule in two)
    assert_engines_agree_anywhere(text)
    # A single piece differs from none: few pieces are where a forgotten variant shows.
    rules = rules_of(BASE + text)
    for pieces in (["(at 1 1)"], ["(at 1 1)", "(at 1 2)"], ["(at 1 1)", "(at 2 1)"]):
        fluents = [parse_term(piece) for piece in pieces]
        legal = {
            name: list(map(str, engine.legal(engine.position(fluents), 0)))
            for name, engine in engines_of(rules).items()
        }
        expected = ["noop", "two"] if len(pieces) == 2 else ["noop"]
        assert legal == dict.fromkeys(legal, expected)


def test_parts_that_differ_in_a_sign_are_not_shared() -> None:
    board = " ".join(f"(n {i})" for i in range(7))
    rule = """(<= (legal x ({} ?a)) (true (at ?a ?b)) (true (at ?b ?c)) {} (true (at ?c ?d))
        (true (at ?d ?e)))"""
    text = f"""{board} (<= (init (at ?x ?y)) (n ?x) (n ?y))
        {rule.format("yes", "(true (at ?c ?c))")} {rule.format("no", "(not (true (at ?c ?c)))")}"""
    assert any("part " in one for one in prepared(text))
    assert_engines_agree_anywhere(text)


def test_translation_numbers_names_asp_does_not_know() -> None:
    rules = rules_of(BASE)
    asp = translate(rules.rules, rules.roles)
    assert asp.symbols == ["x", "noop", "over", "1"]
    odd = rules_of('(role +) (legal + (++ \'a)) (<= terminal (true "b")) (goal + 1)')
    assert ground_here(odd).moves == [("+", ("++", "'a"))]


# --- domains --------------------------------------------------------------------------------------


def test_term_sets() -> None:
    few = TermSet("ab", {("f", 1): [TermSet("a")]})
    many = TermSet("abc", {("f", 1): [TermSet("ab")], ("g", 1): [TermSet("a")]})
    assert few <= many
    assert not many <= few
    assert sorted(map(str, few.terms())) == ["(f a)", "a", "b"]
    assert few.meet(many).size() == few.size() == 3
    assert not TermSet("a").meet(TermSet("b"))
    assert many.meet(TermSet(top=True)) is many
    grown = TermSet("z")
    assert grown.add(many)
    assert not grown.add(few)
    assert many <= grown
    assert TermSet(top=True).size() == HUGE


def test_domains_of_lists_without_end_are_everything() -> None:
    rules = rules_of(BASE + "(n z) (<= (n (s ?x)) (n ?x)) (<= (legal x (m ?y)) (n ?y))")
    (numbers,) = Domains(rules.rules).of(Predicate("n", 1))
    deepest = numbers
    while not deepest.top:
        (deepest,) = deepest.functors["s", 1]
    assert Domains(rules.rules).of(Predicate("never", 2))[0].size() == 0


# --- the child process ----------------------------------------------------------------------------


def test_ground_rules_reports_figures() -> None:
    rules = rules_of(BASE + "(init (c 0)) (s 0 1) (<= (next (c ?y)) (true (c ?x)) (s ?x ?y))")
    started: list[subprocess.Popen[bytes]] = []
    result = ground_rules(rules, on_start=started.append)
    assert [process.poll() for process in started] == [0]
    assert {parse_term("(c 0)"), parse_term("(c 1)")} <= set(result.fluents)
    assert result.moves == [("x", "noop")]
    assert result.statistics["instances"] == result.instances > 0
    assert ground_rules(rules, split=False).fluents


def test_same_rules_same_program() -> None:
    rules = rules_of(
        BASE + "(n 1) (n 2) (n 3) (<= (legal x (m ?a ?b)) (n ?a) (n ?b) (distinct ?a ?b))"
    )
    assert ground_rules(rules).program.to_bytes() == ground_rules(rules).program.to_bytes()
    assert ground_rules(rules).program.to_bytes() == ground_here(rules).program.to_bytes()


def test_a_child_that_is_killed_is_an_error_of_ours() -> None:
    rules = rules_of(BASE)
    with pytest.raises(GroundingError):
        ground_rules(rules, on_start=lambda process: process.kill())


def test_rules_unstratified_only_when_ground() -> None:
    text = (
        BASE
        + """(init (e a b)) (init (e b a)) (<= (next ?f) (true ?f))
        (<= (win ?x) (true (e ?x ?y)) (not (win ?y))) (<= (legal x (m ?x)) (win ?x))"""
    )
    rules, _ = normalise(read_text(text))
    with pytest.raises(GroundingError) as caught:
        ground_rules(rules)
    assert caught.value.reason == "unstratified"


def test_the_portable_observer_knows_the_limit_too(monkeypatch: pytest.MonkeyPatch) -> None:
    facts = " ".join(f"(n {i})" for i in range(30))
    rules = rules_of(BASE + facts + "(<= (legal x (m ?a)) (n ?a) (not (true (f ?a)))) (init (f 1))")

    def refuse(*_: object) -> None:
        raise RuntimeError("no C API")

    monkeypatch.setattr("woodstock._core.Observer", refuse)
    with pytest.raises(child.GroundingStopped) as caught:
        child.best_grounding(rules, split=True, max_rules=3, seconds=9.0)
    assert caught.value.reason == "rules"


@pytest.mark.parametrize("name", ["tic-tac-toe", "nim", "hidden-matching-pennies", "connect-four"])
def test_grounding_over_a_relaxation(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rules = rules_of(games.rules_text(name))
    looks: list[list[Term]] = []
    fluents = child.fluents

    def spy(result: child.Ground) -> list[Term]:
        looks.append(fluents(result))
        return looks[-1]

    monkeypatch.setattr(child, "PATIENCE", 1e-9)
    monkeypatch.setattr(child, "fluents", spy)
    with everything_pays():
        engine = GroundEngine(ground_here(rules), rules.roles)
    assert len(looks) == 1
    oracle = LiftedEngine(rules)
    rng = random.Random(3)
    ours, wanted = engine.initial(), oracle.initial()
    for _ in range(30):
        assert engine.fluents(ours) == wanted <= set(looks[0])
        if oracle.terminal(wanted):
            break
        legal = [oracle.legal(wanted, role) for role in range(len(rules.roles))]
        assert [engine.legal(ours, role) for role in range(len(rules.roles))] == legal
        moves = [rng.choice(choices) for choices in legal]
        ours, seen = engine.next(ours, moves)
        wanted, expected = oracle.next(wanted, moves)
        assert seen == expected


def test_parts_do_not_widen_the_relations_they_are_made_of() -> None:
    def deep(term: str) -> str:
        return "(s " * 9 + term + ")" * 9

    numbers = range(30)
    text = (
        " ".join(f"(dd {deep(t)})" for t in ("a", "b", "d", "(s a)"))
        + f"(<= (walk ?x) (dd {deep('?x')}))"
        + " ".join(f"(y {i}) (w {i}) (q {i})" for i in numbers)
        + """(fa a) (fa b) (gg a) (gg d) (init (c 0)) (<= (next (c ?i)) (true (c ?i)))
        (<= (legal x (pp ?x ?y)) (p ?x ?y)) (<= (p ?x ?y) (walk ?x) (y ?y) (not (true (c ?y))))
        (<= (h1 ?x ?w) (fa ?x) (w ?w) (p ?x ?y) (q ?y))
        (<= (h2 ?x ?w) (gg ?x) (w ?w) (p ?x ?y) (q ?y))
        (<= (h3 ?x) (gg ?x) (fa ?x))
        (<= (legal x (m1 ?x ?w)) (h1 ?x ?w)) (<= (legal x (m2 ?x ?w)) (h2 ?x ?w))
        (<= (legal x (m3 ?x)) (h3 ?x))"""
    )
    assert_engines_agree_at_the_start(text)
