"""The lifted interpreter and the analysis of recursion it relies on."""

from __future__ import annotations

import pytest

from woodstock.errors import EvaluationError
from woodstock.gdl.interpreter import Interpreter, View
from woodstock.gdl.reader import read_text
from woodstock.gdl.rules import Predicate, Rules, normalise
from woodstock.gdl.stratification import components, negative_cycle, recursion_without_bound
from woodstock.gdl.tabling import Stopped, stopped_by
from woodstock.gdl.terms import parse_term


def rules_of(text: str) -> Rules:
    rules, findings = normalise(read_text(text, form="kif"))
    assert not findings
    return rules


def moves(text: str, *fluents: str) -> list[str]:
    """The moves of role r in a state."""
    return sorted(map(str, view(text, *fluents).legal("r")))


def view(text: str, *fluents: str) -> View:
    return Interpreter(rules_of("(role r) " + text)).view(map(parse_term, fluents))


CHAIN = "(s 0 1) (s 1 2) (s 2 3) (<= (legal r (go ?y)) (up 0 ?y)) "


@pytest.mark.parametrize(
    "recursion",
    [
        "(<= (up ?x ?z) (s ?x ?y) (up ?y ?z))",
        "(<= (up ?x ?z) (up ?x ?y) (s ?y ?z))",
        "(<= (up ?x ?z) (up ?x ?y) (up ?y ?z))",
        "(<= (up ?x ?z) (s ?x ?y) (over ?y ?z)) (<= (over ?x ?z) (up ?x ?z))",
    ],
    ids=["right", "left", "double", "mutual"],
)
def test_recursion(recursion: str) -> None:
    base = CHAIN + "(<= (up ?x ?y) (s ?x ?y)) " + recursion
    assert moves(base) == ["(go 1)", "(go 2)", "(go 3)"]
    assert moves(base + " (s 3 0)") == ["(go 0)", "(go 1)", "(go 2)", "(go 3)"]


def test_recursion_over_the_state() -> None:
    path = """(<= (reach ?x) (true (at ?x))) (<= (reach ?y) (reach ?x) (true (road ?x ?y)))
        (<= (legal r (to ?x)) (reach ?x))"""
    assert moves(path, "(at a)", "(road a b)", "(road b c)", "(road c a)", "(road x y)") == [
        "(to a)", "(to b)", "(to c)",
    ]  # fmt: skip
    assert moves(path, "(at x)", "(road x y)") == ["(to x)", "(to y)"]


def test_only_the_lists_that_are_asked_for_are_built() -> None:
    # All lists of 25 items out of 3 are 3^25; the call names one.
    items = "(item a) (item b) (item c) "
    lists = "(<= (list nil)) (<= (list (cons ?h ?t)) (item ?h) (list ?t)) "
    one = "nil"
    for number in range(25):
        one = f"(cons {'abc'[number % 3]} {one})"
    text = items + lists + "(<= (legal r ok) (true (holds ?l)) (list ?l))"
    assert moves(text, f"(holds {one})") == ["ok"]
    assert moves(text, f"(holds {one.replace('nil', 'end')})") == []


def test_lists_are_taken_apart_and_put_together() -> None:
    text = """(<= (append nil ?y ?y) (true (right ?y)))
        (<= (append (cons ?h ?t) ?y (cons ?h ?z)) (true (left ?l)) (tail (cons ?h ?t) ?l)
            (append ?t ?y ?z))
        (<= (tail ?l ?l) (true (left ?l))) (<= (tail ?t ?l) (tail (cons ?h ?t) ?l))
        (<= (legal r ?z) (true (left ?x)) (true (right ?y)) (append ?x ?y ?z))"""
    assert moves(text, "(left (cons a (cons b nil)))", "(right (cons c nil))") == [
        "(cons a (cons b (cons c nil)))"
    ]


def test_negation_below_recursion() -> None:
    text = """(<= (safe ?x) (true (cell ?x)) (not (true (mined ?x))))
        (<= (reach ?x) (true (at ?x))) (<= (reach ?y) (reach ?x) (s ?x ?y) (safe ?y))
        (s 0 1) (s 1 2) (s 2 3)
        (<= (legal r (to ?x)) (reach ?x)) (<= (legal r stay) (not (reach 3)))"""
    cells = ["(at 0)", *(f"(cell {i})" for i in range(4))]
    assert moves(text, *cells) == ["(to 0)", "(to 1)", "(to 2)", "(to 3)"]
    assert moves(text, *cells, "(mined 2)") == ["(to 0)", "(to 1)", "stay"]


def test_negation_with_a_variable_of_its_own() -> None:
    text = (
        "(<= (legal r pass) (not (true (free ?x)))) (<= (legal r twin) (not (true (pair ?x ?x))))"
    )
    assert moves(text) == ["pass", "twin"]
    assert moves(text, "(free 1)", "(pair 1 2)") == ["twin"]
    assert moves(text, "(free 1)", "(pair 2 2)") == []


def test_tests_may_stand_before_their_binders() -> None:
    text = "(<= (legal r (m ?x)) (distinct ?x b) (not (q ?x)) (p ?x)) (p a) (p b) (p c) (q c)"
    assert moves(text) == ["(m a)"]


def test_negation_that_depends_on_itself_is_found_while_playing() -> None:
    # Not by predicate, not by rule, but for these facts it does.
    text = "(<= (win ?x) (true (move ?x ?y)) (not (win ?y))) (<= (legal r (m ?x)) (win ?x))"
    assert moves(text, "(move 1 2)", "(move 2 3)") == ["(m 2)"]
    with pytest.raises(EvaluationError, match="negation"):
        moves(text, "(move 1 2)", "(move 2 1)")


def test_terms_that_grow_without_end_are_reported_in_any_state() -> None:
    text = "(<= (n (s ?x)) (n ?x)) (<= (n z) (true go)) (<= (legal r (m ?y)) (n ?y))"
    assert moves(text) == []
    with pytest.raises(EvaluationError):
        moves(text, "go")


def test_many_arguments() -> None:
    names = " ".join(f"?x{i}" for i in range(80))
    ones = " ".join("1" for _ in range(80))
    text = f"(wide {ones}) (<= (copy {names}) (wide {names})) (<= (legal r yes) (copy {names}))"
    assert moves(text) == ["yes"]
    assert moves(f"(wide {ones}) (<= (legal r no) (not (wide {names})))") == []


def test_moves_and_percepts() -> None:
    text = """(role r) (role q) (init (c 0)) (<= (init (c ?x)) (start ?x)) (start 7)
        (<= (next (last ?r ?m)) (does ?r ?m)) (<= (next (c ?x)) (true (c ?x)) (not (does q clear)))
        (<= (sees r (saw ?m)) (does q ?m)) (<= (sees ?p bell) (role ?p) (does r ring))"""
    game = Interpreter(rules_of(text))
    assert sorted(map(str, game.initial())) == ["(c 0)", "(c 7)"]
    position = game.view(game.initial())
    after, percepts = position.after(["ring", "clear"])
    assert sorted(map(str, after)) == ["(last q clear)", "(last r ring)"]
    assert sorted((r, str(p)) for r, p in percepts) == [
        ("q", "bell"), ("r", "(saw clear)"), ("r", "bell"),
    ]  # fmt: skip
    other, percepts = position.after(["wait", "wait"])  # answers of the first move are forgotten
    assert "(c 7)" in map(str, other)
    assert [(r, str(p)) for r, p in percepts] == [("r", "(saw wait)")]


def test_static_answers_are_kept_and_others_are_not() -> None:
    text = "(role r) (d 1) (d 2) (<= (e ?x) (d ?x)) (<= (legal r ?x) (e ?x) (true (on ?x)))"
    game = Interpreter(rules_of(text))
    first = game.view([parse_term("(on 1)")])
    assert first.legal("r") == ["1"]
    kept = dict(game._static)
    assert {call[0].name for call in kept} == {"e"}
    assert game.view([parse_term("(on 2)")]).legal("r") == ["2"]
    assert game._static == kept
    assert first.legal("r") == ["1"]


def test_questions_without_a_state() -> None:
    game = Interpreter(rules_of("(role a) (role b) (<= (input ?r noop) (role ?r)) (p)"))
    assert sorted(game.ask(Predicate("input", 2))) == [("a", "noop"), ("b", "noop")]
    assert game.ask(Predicate("nothing", 1)) == []


def test_time_limit() -> None:
    facts = " ".join(f"(t {i})" for i in range(30))
    text = f"(role r) {facts} (<= (p ?x ?y ?z) (t ?x) (t ?y) (t ?z)) (<= (legal r a) (p ?x ?y ?z))"
    game = Interpreter(rules_of(text), seconds=0.0)
    with pytest.raises(EvaluationError, match="too long"):
        game.view([]).legal("r")


def test_a_question_that_nobody_wants_answered_any_more() -> None:
    asked = []

    def stop() -> bool:
        asked.append(True)
        return len(asked) == 3

    facts = " ".join(f"(t {i})" for i in range(20))
    here = view(f"{facts} (<= (p ?x ?y ?z) (t ?x) (t ?y) (t ?z)) (<= (legal r ?x) (p ?x ?y ?z))")
    with stopped_by(stop), pytest.raises(Stopped):
        here.legal("r")
    assert len(asked) == 3
    assert len(here.legal("r")) == 20  # nothing is left over of it


# --- stratification -------------------------------------------------------------------------------


def test_components_of_a_graph() -> None:
    found = components([[1], [2], [0, 3], [], [4, 3]])
    assert [sorted(component) for component in found] == [[3], [0, 1, 2], [4]]
    deep = 50_000  # deeper than Python's stack
    assert len(components([[i + 1] for i in range(deep)] + [[0]])) == 1


@pytest.mark.parametrize(
    ("text", "cyclic"),
    [
        ("(<= p (not q)) (<= q r)", False),
        ("(<= p (not p))", True),
        ("(<= p (not q)) (<= q (not p))", True),
        ("(<= p q) (<= q (not r)) (<= r p)", True),
        ("(<= p q) (<= q p)", False),
        ("(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))", False),
        ("(<= (goal ?r 0) (role ?r) (not (goal ?r ?v)) (v ?v))", True),
        ("(<= (goal ?r 0) (not (goal ?r 1))) (<= (goal ?r 1) (not (goal ?r 0)))", True),
        ("(<= (p (f ?x)) (q ?x) (not (p (g ?x))))", False),
        ("(<= (p (f ?x)) (q ?x) (not (p ?x)))", True),
    ],
)
def test_negative_cycles_by_rule(text: str, cyclic: bool) -> None:
    rules, _ = normalise(read_text("(role x) " + text))
    cycle = negative_cycle(rules)
    assert (cycle is not None) == cyclic
    if cycle is not None:
        assert all(rule in rules.rules for rule in cycle)


@pytest.mark.parametrize(
    ("text", "broken"),
    [
        ("(<= (n (s ?x)) (n ?x))", True),
        ("(<= (n (s ?x)) (n ?x) (bound ?x))", False),
        ("(<= (list (cons ?h ?t)) (item ?h) (list ?t))", True),
        ("(<= (up ?x ?z) (up ?x ?y) (s ?y ?z))", False),
    ],
)
def test_recursion_restriction(text: str, broken: bool) -> None:
    assert bool(list(recursion_without_bound(rules_of(text)))) == broken
