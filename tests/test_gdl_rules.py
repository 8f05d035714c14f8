"""What clauses mean: conjunctions of literals, whatever connectives they were written with."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strategies
from ground_support import assert_same_match, rules_of
from woodstock.engine import LiftedEngine
from woodstock.gdl import rules as rules_module
from woodstock.gdl.checker import check
from woodstock.gdl.reader import read_text
from woodstock.gdl.rules import MAX_DISJUNCTS, Predicate, normalise


def meaning(text: str) -> list[str]:
    rules, findings = normalise(read_text(text, form="kif"))
    assert not findings, findings
    return [str(rule) for rule in rules.rules]


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("q", ["q"]),
        ("(and q r)", ["q r"]),
        ("(or q r)", ["q", "r"]),
        ("(or q (and r s))", ["q", "r s"]),
        ("(and (or q r) (or s t))", ["q s", "q t", "r s", "r t"]),
        ("(not q)", ["(not q)"]),
        ("(not (not q))", ["q"]),
        ("(not (or q r))", ["(not q) (not r)"]),
        ("(not (and q r))", ["(not q)", "(not r)"]),
        ("(not (or q (not (and r s))))", ["(not q) r s"]),
        ("(or q)", ["q"]),
        ("(distinct a b)", ["(distinct a b)"]),
        ("q q (q)", ["q"]),
        ("(q ?x) (not (distinct ?x a))", ["(q a)"]),
        ("(q ?x) (r ?y) (not (distinct ?x ?y))", ["(q ?y) (r ?y)"]),
        ("(q ?x ?y) (not (distinct (f ?x b) (f a ?y)))", ["(q a b)"]),
        ("(or (q ?x) (not (distinct ?x ?x)))", ["(q ?x)", ""]),
    ],
)
def test_connectives(body: str, expected: list[str]) -> None:
    assert meaning(f"(<= p {body})") == [f"(<= p {one})" if one else "p" for one in expected]


@pytest.mark.parametrize("pair", ["a b", "(f a) a", "(f ?x) ?x", "(f a) (f b)", "(f a) (f a a)"])
def test_equalities_without_a_solution_drop_the_rule(pair: str) -> None:
    assert meaning(f"(<= p (q ?x) (not (distinct {pair})))") == []


def test_equalities_reach_the_head() -> None:
    assert meaning("(<= (p ?x ?y) (q ?y) (not (distinct ?x (f ?y))))") == [
        "(<= (p (f ?y) ?y) (q ?y))"
    ]


def test_predicates_are_told_apart_by_arity() -> None:
    rules, _ = normalise(read_text("(p 1) (p 1 2) (<= p (p 1))"))
    assert set(rules.by_head) == {Predicate("p", n) for n in (0, 1, 2)}


def test_roles_in_file_order_each_once() -> None:
    rules, _ = normalise(read_text("(role o) (role x) (role O) (role RANDOM) (<= (role y) (q y))"))
    assert rules.roles == ("o", "x", "random")


@pytest.mark.parametrize("head", ["(legal ?p noop)", "(goal ?p 0)", "(sees ?p bell)"])
def test_an_unbound_role_means_every_role(head: str) -> None:
    rules, (finding,) = normalise(read_text(f"(<= {head} (true z))"))
    assert str(rules.rules[0]) == f"(<= {head} (true z) (role ?p))"
    assert finding.severity == "warning"
    assert "(role ?p)" in finding.remedy


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("(<= p ?x)", "the variable ?x stands where a relation is needed"),
        ("(<= ?x p)", "the variable ?x stands where a relation is needed"),
        ("(<= p (not q r))", "'not' takes one formula"),
        ("(<= p (not))", "'not' without a formula"),
        ("(<= p q (or))", "'or' without a formula"),
        ("(<= p (distinct a))", "'distinct' compares two terms"),
        ("(<= p (distinct a b c))", "'distinct' compares two terms"),
    ],
)
def test_malformed_clauses(clause: str, message: str) -> None:
    rules, (finding,) = normalise(read_text(f"(role x)\n{clause}"))
    assert (finding.severity, finding.code, finding.line) == ("error", "malformed", 2)
    assert message in finding.message
    assert finding.remedy
    assert finding.rule
    assert len(rules.rules) == 1


# --- many alternatives ----------------------------------------------------------------------------

LARGE = MAX_DISJUNCTS + 6
BASE = """(role x) (init (c 0)) (legal x noop) (<= terminal (true (c 9))) (goal x 50)
    (d 0) (d 1) (d 2) (p 0 0) (p 1 3) (p 2 69) """
CASES = {
    "tests of what the rest binds": "(<= (next (c ?a)) (d ?a) (d ?b) {})".format(
        " ".join(f"(or (distinct ?a {i}) (distinct ?b {i}))" for i in range(8))
    ),
    "negations": "(<= (next (c ?x)) (d ?x) (or {}))".format(
        " ".join(f"(not (p ?x {i}))" for i in range(LARGE))
    ),
    "variables of their own": "(<= (next (c 1)) (or {}))".format(
        " ".join(f"(and (p ?x{i} {i}) (d ?x{i}) (distinct ?x{i} 0))" for i in range(LARGE))
    ),
    "a product inside": "(<= (next (c ?x)) (d ?x) (or (d 4) (and (or {}) (or {}))))".format(
        " ".join(f"(p ?x {i})" for i in range(9)), " ".join(f"(p ?y {i})" for i in range(9))
    ),
    "equalities": "(<= (next (c ?x)) (or {}))".format(
        " ".join(f"(and (d {i}) (not (distinct ?x {i})))" for i in range(LARGE))
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_large_disjunctions_are_playable_and_mean_the_same(
    case: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded = rules_of(BASE + CASES[case])
    monkeypatch.setattr(rules_module, "MAX_DISJUNCTS", 10**9)
    written_out = rules_of(BASE + CASES[case])
    engines = {"written out": LiftedEngine(written_out), "folded": LiftedEngine(folded)}
    assert_same_match(engines, folded, seed=1, plies=2)
    after, _ = engines["folded"].next(engines["folded"].initial(), ["noop"])
    assert after


def test_a_large_disjunction_becomes_a_relation() -> None:
    rules, _ = normalise(read_text(BASE + CASES["negations"]))
    assert len(rules.by_head[Predicate("next", 1)]) == 1


def test_too_many_alternatives_are_refused_at_once() -> None:
    ors = " ".join(f"(or a{i} b{i})" for i in range(40))
    _, findings = check(read_text(f"(<= p (or q (and {ors})))"), thorough=False)
    assert "malformed" in {finding.code for finding in findings}


def test_hostile_equations_are_refused_at_once() -> None:
    doubling = " ".join(f"(not (distinct ?a{i} (f ?a{i + 1} ?a{i + 1})))" for i in range(60))
    deep = " ".join(f"(not (distinct ?a{i} {'(f ' * 150}?a{i + 1}{')' * 150}))" for i in range(20))
    for equations in (doubling, deep):
        _, findings = normalise(read_text(f"(<= p (q ?a0) {equations})"))
        assert [finding.code for finding in findings] == ["malformed"]


@settings(
    max_examples=30, derandomize=True, database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
@given(strategies.games(), st.integers(0, 2**32))
def test_folding_keeps_the_meaning_of_random_games(text: str, seed: int) -> None:
    plain = rules_of(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules_module, "MAX_DISJUNCTS", 1)
        folded = rules_of(text)
    engines = {"plain": LiftedEngine(plain), "folded": LiftedEngine(folded)}
    assert_same_match(engines, plain, random.Random(seed).randrange(99), plies=5)


@pytest.mark.parametrize(
    ("condition", "holds"),
    [
        ("(not (and (p ?x) (r ?x)))", True),
        ("(not (and (p ?x) (q ?x)))", False),
        ("(not (and (p ?x) (distinct ?x 1)))", False),
        ("(not (and (r ?x) (distinct ?x 7)))", True),
        ("(not (or (s ?x) (r ?x)))", False),
        ("(not (or (s ?x) (t ?x)))", True),
        ("(p ?y) (not (and (q ?x) (less ?y ?x)))", False),
        ("(q ?y) (not (and (q ?x) (less ?y ?x)))", True),
    ],
)
def test_a_negated_conjunction_speaks_of_all_its_own_variables(condition: str, holds: bool) -> None:
    facts = "(p 1) (p 2) (q 2) (q 3) (r 7) (less 1 2) (less 1 3) (less 2 3)"
    sheet = f"(role x) (legal x noop) (<= terminal (true over)) (goal x 1) {facts}"
    rules = rules_of(f"{sheet} (<= (legal x yes) {condition})")
    engine = LiftedEngine(rules)
    assert ("yes" in engine.legal(engine.initial(), 0)) is holds
