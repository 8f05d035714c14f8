"""The checker: one finding for each restriction of the specification, none for public quirks."""

from __future__ import annotations

import pytest

from woodstock import Game
from woodstock.errors import GdlError
from woodstock.gdl import checker
from woodstock.gdl.checker import check
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.reader import read_text

GOOD = """(role x)
(init (c 0))
(<= (legal x noop) (true (c ?n)))
(<= (next (c 1)) (true (c 0)))
(<= terminal (true (c 1)))
(<= (goal x 50) (true (c ?n)))
(d 1)
"""
LAST = GOOD.count("\n") + 1


def findings(text: str, *, thorough: bool = False) -> list[Diagnostic]:
    _, found = check(read_text(text, "g.kif"), thorough=thorough)
    return found


def test_a_good_sheet_has_no_findings() -> None:
    assert findings(GOOD, thorough=True) == []


def test_the_rule_that_is_wrong_is_blamed() -> None:
    """The second of two rules for legal depends on a move, by way of a helper."""
    helper = "(<= (moved ?r) (does ?r noop))"
    wrong = "(<= (legal x stay) (d 1) (moved x))"
    (found,) = findings(f"{GOOD}{helper}\n{wrong}\n")
    assert found.line == LAST + 1
    assert "stay" in str(found.rule)


# Clause added to a good sheet, severity, code, part of the message, column.
ADDED = [
    ("(true (c 1))", "error", "keyword", "'true' cannot be the head", 1),
    ("(<= (does x noop) (d 1))", "error", "keyword", "'does' cannot be the head", 5),
    ("(<= (distinct a b) (d 1))", "error", "keyword", "'distinct' cannot be the head", 5),
    ("(<= (not (d 1)) (d 1))", "error", "keyword", "'not' cannot be the head", 5),
    ("(<= (or (d 1)) (d 1))", "error", "keyword", "'or' cannot be the head", 5),
    ("(<= (role y) (d 1))", "warning", "keyword", "roles given by a rule", 5),
    ("(<= (d 2) (init (c 0)))", "warning", "keyword", "'init' stands in a body", 5),
    ("(<= (d 2) (next (c 0)))", "warning", "keyword", "'next' stands in a body", 5),
    ("(<= (legal x b) (does x noop))", "error", "keyword", "legal depends on 'does'", 5),
    ("(<= terminal (does x noop))", "error", "keyword", "terminal depends on 'does'", 5),
    ("(<= (goal x 0) (does x noop))", "error", "keyword", "goal depends on 'does'", 5),
    ("(<= (init (c 5)) (true (c 1)))", "error", "keyword", "init depends on 'true'", None),
    ("(<= (base (c 5)) (true (c 1)))", "warning", "keyword", "base depends on 'true'", 5),
    ("(legal x)", "error", "arity", "legal takes 2 arguments, not 1", 1),
    ("(<= (next (c 2)) (true c 1))", "error", "arity", "true takes 1 arguments, not 2", 5),
    ("(<= (next (c 2)) terminal (terminal 1))", "error", "arity", "terminal takes 0", 5),
    ("(d 1 2)", "warning", "arity", "d has 2 arguments here and 1 elsewhere", 1),
    ("(next (c ?n))", "error", "unsafe", "?n of the head is bound by no", 1),
    ("(<= (next (c ?n)) (not (d ?n)))", "error", "unsafe", "?n of the head is bound", 5),
    ("(<= (next (c 3)) (distinct ?n 1))", "error", "unsafe", "?n in 'distinct' is never", 18),
    ("(<= (next (c 3)) (d 1) (not (d ?n)) (not (true (c ?n))))", "error", "unsafe",
     "?n stands under several 'not'", 24),
    ("(<= (next (c 3)) (not (d ?n)))", "warning", "unsafe", "read as: for no ?n", 18),
    ("(<= (sees ?r bell) (d 1))", "warning", "unsafe", "?r is bound by no condition", 5),
    ("(<= (next (c 3)) (dd 1))", "warning", "undefined", "dd/1 is defined nowhere", 5),
    ("(goal x 101)", "warning", "goal", "the goal value 101 is not", 1),
    ("(goal x -1)", "warning", "goal", "the goal value -1 is not", 1),
    ("(goal x much)", "warning", "goal", "the goal value much is not", 1),
    ("(goal x (f 1))", "warning", "goal", "the goal value (f 1) is not", 1),
    ("(<= d0 (not d0))", "error", "unstratified", "negation depends on itself", 5),
    ("(<= d0 (not d1)) (<= d1 d2) (<= d2 d0)", "error", "unstratified", "negation depends", None),
    ("(<= (n (s ?x)) (n ?x)) (n z)", "warning", "recursion", "(n ?x) may build ever larger", 5),
    ("(<= d0 (not d1 d2))", "error", "malformed", "'not' takes one formula", 8),
]  # fmt: skip


@pytest.mark.parametrize(("clause", "severity", "code", "message", "column"), ADDED)
def test_findings(clause: str, severity: str, code: str, message: str, column: int | None) -> None:
    found = [one for one in findings(GOOD + clause) if message in one.message]
    assert len(found) == 1, [str(one) for one in findings(GOOD + clause)]
    (finding,) = found
    assert (finding.severity, finding.code) == (severity, code)
    assert finding.remedy
    assert finding.rule.startswith("(")
    assert finding.file == "g.kif"
    if column is not None:
        # A finding about several rules shows the first, which may stand in the good part.
        assert finding.line == LAST or finding.rule in GOOD
        assert finding.column == column


@pytest.mark.parametrize(
    ("keyword", "severity", "message"),
    [
        ("role", "error", "there are no roles"),
        ("legal", "error", "no rule says which moves are legal"),
        ("terminal", "error", "no rule says when the game is over"),
        ("goal", "warning", "no rule gives a goal"),
        ("init", "warning", "nothing holds at the start"),
        ("next", "warning", "no rule says what follows a move"),
    ],
)
def test_missing_rules(keyword: str, severity: str, message: str) -> None:
    kept = [line for line in GOOD.splitlines() if keyword not in line]
    found = [(one.severity, one.code, one.message) for one in findings("\n".join(kept))]
    assert (severity, "missing", message) in found


def test_a_game_may_begin_with_nothing() -> None:
    empty = """(role x) (legal x (mark a)) (legal x (mark b)) (goal x 50)
        (<= (next (marked ?c)) (does x (mark ?c))) (<= terminal (true (marked a)))"""
    assert findings(empty, thorough=True) == []


def test_findings_of_the_first_position() -> None:
    idle = findings(GOOD + "(role y) (goal y 0)", thorough=True)
    assert [(one.severity, one.code) for one in idle] == [("error", "start")]
    assert "y has no legal move" in idle[0].message
    over = findings(GOOD + "(init (c 1))", thorough=True)
    assert [(one.severity, one.code) for one in over] == [("warning", "start")]


def test_first_position_that_cannot_be_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    growing = GOOD + "(n z) (<= (n (s ?x)) (n ?x)) (<= (legal x (m ?y)) (n ?y))"
    found = findings(growing, thorough=True)
    assert "evaluation" in [one.code for one in found]
    monkeypatch.setattr(checker, "_EVALUATION_SECONDS", -1.0)
    slow = GOOD + "(<= (e ?x ?y ?z) (t ?x) (t ?y) (t ?z)) (<= (legal x a) (e ?x ?y ?z))"
    slow += " ".join(f"(t {i})" for i in range(20))
    assert "evaluation" in [one.code for one in findings(slow, thorough=True)]


def test_unstratified_rules_are_refused_by_game() -> None:
    with pytest.raises(GdlError, match="negation depends on itself") as caught:
        Game.from_text(GOOD + "(<= d0 (not d0))", engine="lifted")
    assert [finding.code for finding in caught.value.diagnostics] == ["unstratified"]


# What public rulesheets do, and engines have to play.
QUIRKS = {
    "goal unless another goal": "(<= (goal ?r 0) (role ?r) (not (goal ?r 50)))",
    "tests before binders": "(<= (next (c 2)) (not (d ?n)) (distinct ?n 3) (true (c ?n)))",
    "bare variables": "(<= (next ?f) (true ?f) (does x ?m))",
    "init by rule": "(<= (init (c ?n)) (d ?n) (not (d 1)))",
    "init by bare variable": "(<= (init ?f) (start ?f)) (start (c 5))",
    "a variable as goal value": "(<= (goal x ?v) (true (c ?v)) (d 9))",
    "odd names": "(+ 1 2) (<= (next (++ ?x)) (+ ?x 2))",
    "upper case": "(<= (NEXT (C 2)) (TRUE (c 0)) (NOT (D 7)))",
    "one name for several things": "(<= (next (d d)) (d ?x) (true (d d)))",
    "legal in a body": "(<= terminal (true (c 4)) (not (legal x noop)))",
    "base and input": "(base (c 0)) (base (c 1)) (<= (input x noop) (role x))",
    "recursion": "(<= (up ?x ?y) (s ?x ?y)) (<= (up ?x ?z) (up ?x ?y) (s ?y ?z)) (s 0 1) (s 1 2)",
    "many literals": f"(<= (next (c 7)) {' '.join(f'(d {i})' for i in range(102))})",
    "many variables": f"(<= (next (c 7)) {' '.join(f'(d ?v{i})' for i in range(26))})",
}


@pytest.mark.parametrize("quirk", QUIRKS)
def test_public_quirks_are_playable(quirk: str) -> None:
    errors = [f for f in findings(GOOD + QUIRKS[quirk], thorough=True) if f.severity == "error"]
    assert not errors


def test_nothing_is_said_twice() -> None:
    found = findings(GOOD + "(<= (next (c 3)) (or (dd 1) (and (dd 1) (d 1))))")
    assert len(found) == len(set(found)) == 1


def test_findings_as_text_and_json() -> None:
    (finding,) = findings(GOOD + "(goal x 101)")
    assert str(finding).startswith(f"g.kif:{LAST}:1: the goal value 101")
    assert finding.to_json()["rule"] == "(goal x 101)"
