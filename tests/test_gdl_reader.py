"""Reading and writing rulesheets: both spellings, places, encodings, limits."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import strategies
from effort import effort
from woodstock import games
from woodstock.errors import GdlSyntaxError
from woodstock.gdl.infix import write_infix
from woodstock.gdl.reader import MAX_BYTES, decode, read_file, read_text
from woodstock.gdl.sheet import Clause, Sheet, SourceText
from woodstock.gdl.terms import MAX_DEPTH, Compound, Term, Variable, parse_term, to_kif

repeatable = settings(max_examples=effort(60, 150), derandomize=True, database=None)


def kif(text: str) -> list[str]:
    return read_text(text, form="kif").to_kif().splitlines()


def problem(text: str, form: str = "kif") -> str:
    with pytest.raises(GdlSyntaxError) as caught:
        read_text(text, "sheet", form)  # type: ignore[arg-type]
    (finding,) = caught.value.diagnostics
    assert finding.severity == "error"
    assert finding.code == "syntax"
    assert finding.remedy
    return f"{finding.line}:{finding.column} {finding.message}"


# --- KIF ------------------------------------------------------------------------------------------


def test_clauses_in_file_order_with_white_space_and_comments() -> None:
    text = "; a game\n(role  x)(init(cell 1\n\t1 b)) ; (role ghost)\r\n(<= terminal (not (true z)))"
    assert kif(text) == ["(role x)", "(init (cell 1 1 b))", "(<= terminal (not (true z)))"]


@pytest.mark.parametrize("arrow", ["<=", "<-", ":-", "←"])
def test_arrows(arrow: str) -> None:
    assert kif(f"({arrow} p q)") == ["(<= p q)"]


def test_a_rule_without_conditions_is_a_fact() -> None:
    assert kif("(<= (legal ?r noop))") == ["(legal ?r noop)"]


def test_zero_arity_atoms_with_and_without_parentheses() -> None:
    sheet = read_text("(<= (terminal) (open)) (<= terminal open)", form="kif")
    assert sheet.clauses[0] == sheet.clauses[1]


def test_rules_as_the_one_list_of_a_start_message() -> None:
    assert kif("((role x) (<= p q) r)") == ["(role x)", "(<= p q)", "r"]


def test_symbols_compare_without_case_and_keep_their_first_spelling() -> None:
    assert kif("(Role Red) (INIT (Cell RED ?X)) (cell red ?x)") == [
        "(role Red)",
        "(init (Cell Red ?x))",
        "(Cell Red ?x)",
    ]
    sheet = read_text("(role Red)")
    assert sheet.spelling.term(Compound(("ROLE", "rED"))) == ("role", "Red")
    assert sheet.spelling.term("Unheard") == "Unheard"


def test_one_name_as_relation_function_and_constant() -> None:
    assert kif("(step (step step)) (+ 1 ++)") == ["(step (step step))", "(+ 1 ++)"]


def test_places() -> None:
    sheet = read_text("(role x)\n  (<= (p ?a)\n    (q ?a)\n    (not r))", "g.kif")
    rule = sheet.clauses[1]
    assert [sheet.source.position(rule.place(i)) for i in (-1, 0, 1)] == [(2, 7), (3, 5), (4, 5)]
    assert rule.place(7) == rule.place(-1)
    assert SourceText("a\n\nb").position(3) == (3, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(role x", "1:1 '(' is never closed"),
        ("(role x)\n(p (q)", "2:1 '(' is never closed"),
        ("(role x))", "1:9 ')' closes nothing"),
        ("(role ())", "1:7 empty parentheses"),
        ("(p ?)", "1:4 '?' is not a variable"),
        ("(?p x)", "1:2 a term must begin with a name"),
        ("(p ((q a) r))", "1:5 a term must begin with a name"),
        ("(<=)", "1:1 a rule without a head"),
        ("(role x)\n(p (<= q r))", "2:5 "),
        ("", "1:1 there are no rules here"),
        ("; nothing", "1:1 there are no rules here"),
        ("(role \0)", "1:7 this is not text"),
        ("(role \ud800)", "1:7 half a character (a lone surrogate)"),
    ],
)
def test_syntax_errors_say_where(text: str, expected: str) -> None:
    assert problem(text).startswith(expected)


def test_nesting_limit() -> None:
    def nested(depth: int) -> str:
        return "(f " * depth + "x" + ")" * depth

    assert len(kif(nested(MAX_DEPTH))) == 1
    assert problem(nested(MAX_DEPTH + 1)) == (
        f"1:{3 * MAX_DEPTH + 1} parentheses nested deeper than {MAX_DEPTH}"
    )
    assert "nested deeper" in problem("f(" * 2000 + "x" + ")" * 2000 + ".", "infix")
    assert "nested deeper" in problem("p :- " + "not " * 2000 + "q.", "infix")
    assert "nested deeper" in problem("(" * 10**6)


# --- infix ----------------------------------------------------------------------------------------


def test_infix_is_recognised_and_means_the_same() -> None:
    text = """% the papers' spelling
        role(alice).
        legal(P, noop) :- role(P), not true(control(P)).
        next(control(alice)) <= or(true(z), not(does(_, noop))), distinct(a, b).
        terminal :- not not true(over)."""
    assert read_text(text).to_kif().splitlines() == [
        "(role alice)",
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))",
        "(<= (next (control alice)) (or (true z) (not (does ?_1 noop))) (distinct a b))",
        "(<= terminal (not (not (true over))))",
    ]


def test_every_underscore_is_a_variable_of_its_own() -> None:
    (clause,) = read_text("p(X) :- q(_, _1, _, X).").clauses
    (literal,) = clause.body
    assert isinstance(literal, tuple)
    assert len(set(literal[1:])) == 4


def test_quoted_names_and_kif_variables() -> None:
    assert (
        read_text(r"'Cell'('++', 'it\'s', ?n+).", form="infix").to_kif() == "(Cell ++ it's ?n+)\n"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("role(x)", "1:8 expected '.'"),
        ("role(x.", "1:7 expected ')'"),
        ("role(,x).", "1:6 expected a term"),
        ("role(x) :- .", "1:12 expected a term"),
        ("role(#).", "1:6 unexpected character '#'"),
        ("p('?x').", "1:3 '?x' is no name"),
        ("p('a b').", "1:3 'a b' is no name"),
        ("p('').", "1:3 '' is no name"),
        ("q :- '<='(a, b).", "1:6 "),
    ],
)
def test_infix_errors_say_where(text: str, expected: str) -> None:
    found = problem(text, "infix").replace("\"'", "'").replace("'\"", "'")
    assert found.startswith(expected)


# --- files ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "game.kif"
    path.write_bytes("(role é)".encode(encoding))
    assert read_file(path).to_kif() == "(role é)\n"


def test_bytes_that_are_no_text() -> None:
    with pytest.raises(GdlSyntaxError, match=r"g:2:3: byte 0xe9 is not UTF-8"):
        decode("ab\ncdé".encode("latin-1"), "g")
    with pytest.raises(GdlSyntaxError):
        decode(b"\xff\xfe(")


def test_size_limit(tmp_path: Path) -> None:
    path = tmp_path / "large.kif"
    path.write_bytes(b"(role x)" + b" " * MAX_BYTES)
    with pytest.raises(GdlSyntaxError, match="larger than 8 MB"):
        read_file(path)
    with pytest.raises(GdlSyntaxError, match="larger than 8 MB"):
        read_text(" " * (MAX_BYTES + 1))


def test_a_missing_file_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_file(tmp_path / "none.kif")


# --- laws -----------------------------------------------------------------------------------------


def folded(term: Term) -> object:
    """A term without its case."""
    if isinstance(term, tuple):
        return tuple(folded(part) for part in term)
    return ("?", term.name) if isinstance(term, Variable) else term.lower()


def all_folded(clauses: Sequence[Clause]) -> list[object]:
    return [(folded(c.head), [folded(f) for f in c.body]) for c in clauses]


def as_read(clauses: Sequence[Clause]) -> Sheet:
    return read_text("".join(c.to_kif() + "\n" for c in clauses), form="kif")


@repeatable
@given(st.lists(strategies.clauses(), min_size=1, max_size=4))
def test_kif_reads_back(clauses: list[Clause]) -> None:
    sheet = as_read(clauses)
    assert all_folded(sheet.clauses) == all_folded(clauses)
    assert read_text(sheet.to_kif(), form="kif").clauses == sheet.clauses


@repeatable
@given(st.lists(strategies.clauses(), min_size=1, max_size=4))
def test_infix_reads_back(clauses: list[Clause]) -> None:
    sheet = as_read(clauses)
    assert read_text(write_infix(sheet), form="infix").clauses == sheet.clauses


@repeatable
@given(strategies.terms())
def test_terms_read_back(term: Term) -> None:
    assert parse_term(to_kif(term)) == term
    assert parse_term(f"  {to_kif(term).replace(' ', chr(10))} ") == term


@pytest.mark.parametrize("name", games.names())
def test_library_sheets_read_back_in_both_spellings(name: str) -> None:
    sheet = read_text(games.rules_text(name))
    assert read_text(sheet.to_kif()).clauses == sheet.clauses
    assert read_text(write_infix(sheet)).clauses == sheet.clauses


@pytest.mark.parametrize(
    "text", ["", "(", ")", "a b", "()", "(f", "f)", "((f a) x)", "(?f x)", "(f " * 300 + ")" * 300]
)
def test_what_is_not_one_term(text: str) -> None:
    with pytest.raises(ValueError, match="term"):
        parse_term(text)
