"""The infix spelling of GDL that the papers use: ``next(F) :- true(F), not taken(X).``

Names that begin with a capital letter or ``_`` are variables, ``_`` alone is a fresh one, ``%``
begins a comment. ``:-``, ``<=`` and ``←`` are the same arrow. Names that would not read back
(capitals, signs) stand in single quotes: ``'Cell'``, ``'++'``; a variable may also be written as
in KIF, ``?n++``.
"""

from __future__ import annotations

import re

from woodstock.gdl.keywords import CONNECTIVES, KEYWORDS
from woodstock.gdl.kif import MAX_DEPTH
from woodstock.gdl.sheet import Clause, Sheet, SourceText, Spelling
from woodstock.gdl.terms import Compound, Term, Variable

__all__ = ["read_infix", "write_infix"]

_TOKEN = re.compile(
    r"(?P<skip>\s+|%[^\n\r]*)"
    r"|(?P<arrow>:-|<=|←)"
    r"|(?P<name>[a-z0-9][A-Za-z0-9_]*)"
    r"|(?P<variable>[A-Z_][A-Za-z0-9_]*)"
    r"|'(?P<quoted>[^'\s()]+)'"
    r"|\?(?P<kif_variable>[^\s(),]+)"
    r"|(?P<sign>[(),.])"
    r"|(?P<bad>.)",
    re.DOTALL,
)
_PLAIN = re.compile(r"[a-z0-9][A-Za-z0-9_]*\Z")
_CAPITAL = re.compile(r"(?:[A-Z]|_(?=.))[A-Za-z0-9_]*\Z")


def read_infix(source: SourceText) -> Sheet:
    """Read a sheet; raises `GdlSyntaxError` with the place of the first mistake.

    >>> read_infix(SourceText("legal(P,noop) :- role(P), not true(control(P)).")).to_kif()
    '(<= (legal ?P noop) (role ?P) (not (true (control ?P))))\\n'
    """
    return _Parser(source).sheet()


class _Parser:
    def __init__(self, source: SourceText) -> None:
        self.source = source
        self.spelled = Spelling(KEYWORDS)
        self.tokens: list[tuple[str, str, int]] = []
        for match in _TOKEN.finditer(source.text):
            kind = str(match.lastgroup)
            if kind == "bad":
                raise source.syntax_error(
                    match.start(), f"unexpected character {match.group()!r}", "remove or quote it"
                )
            if kind != "skip":
                self.tokens.append((kind, match.group(kind), match.start()))
        self.tokens.append(("end", "", len(source.text)))
        self.at = 0
        self.fresh = 0

    def sheet(self) -> Sheet:
        clauses = []
        while self.tokens[self.at][0] != "end":
            offsets = [self.tokens[self.at][2]]
            head = self.term(0)
            body: list[Term] = []
            if self.tokens[self.at][0] == "arrow":
                self.at += 1
                while True:
                    offsets.append(self.tokens[self.at][2])
                    body.append(self.formula(0))
                    if self.tokens[self.at][1] != ",":
                        break
                    self.at += 1
            self.expect(".", "end the clause with '.'")
            clauses.append(Clause(head, tuple(body), tuple(offsets)))
        return Sheet(tuple(clauses), self.source, self.spelled)

    def expect(self, sign: str, remedy: str) -> None:
        kind, text, offset = self.tokens[self.at]
        if kind != "sign" or text != sign:
            found = f"{text!r}" if kind != "end" else "the end of the text"
            raise self.source.syntax_error(offset, f"expected {sign!r}, found {found}", remedy)
        self.at += 1

    def formula(self, depth: int) -> Term:
        """A term, or ``not`` in front of one without parentheses."""
        kind, text, _ = self.tokens[self.at]
        following, sign, _ = self.tokens[min(self.at + 1, len(self.tokens) - 1)]
        if kind == "name" and text.lower() == "not" and (following != "sign" or sign not in "(,.)"):
            self.at += 1
            self.check_depth(depth)
            return Compound(("not", self.formula(depth + 1)))
        return self.term(depth)

    def check_depth(self, depth: int) -> None:
        if depth > MAX_DEPTH:
            raise self.source.syntax_error(
                self.tokens[self.at][2],
                f"terms nested deeper than {MAX_DEPTH}",
                "flatten the term, or look for a ')' missing before this place",
            )

    def term(self, depth: int) -> Term:
        self.check_depth(depth)
        kind, text, offset = self.tokens[self.at]
        if kind in ("variable", "kif_variable"):
            self.at += 1
            if text == "_" and kind == "variable":
                self.fresh += 1
                return self.spelled.variable(f"_{self.fresh}")
            return self.spelled.variable(text)
        if kind not in ("name", "quoted"):
            found = f"{text!r}" if kind != "end" else "the end of the text"
            raise self.source.syntax_error(offset, f"expected a term, found {found}", "write a term")
        self.at += 1
        functor = self.spelled.constant(text)
        if self.tokens[self.at][1] != "(" or self.tokens[self.at][0] != "sign":
            return functor
        self.at += 1
        if self.tokens[self.at][:2] == ("sign", ")"):
            self.at += 1
            return functor
        inner = self.formula if functor in CONNECTIVES else self.term
        arguments = [inner(depth + 1)]
        while self.tokens[self.at][:2] == ("sign", ","):
            self.at += 1
            arguments.append(inner(depth + 1))
        self.expect(")", "close the argument list with ')'")
        return Compound((functor, *arguments))


def write_infix(sheet: Sheet) -> str:
    """The sheet in infix spelling, one clause a line; `read_infix` gives the same rules back.

    >>> from woodstock.gdl.kif import read_kif
    >>> print(write_infix(read_kif(SourceText("(<= (++ ?x 2) (Succ ?x 2))"))), end="")
    '++'(X,2) :- 'Succ'(X,2).
    """
    lines = []
    for clause in sheet.clauses:
        body = ", ".join(_infix(formula) for formula in clause.body)
        lines.append(f"{_infix(clause.head)} :- {body}.\n" if body else f"{_infix(clause.head)}.\n")
    return "".join(lines)


def _infix(term: Term) -> str:
    if isinstance(term, Variable):
        name = term.name[:1].upper() + term.name[1:]
        return name if _CAPITAL.match(name) else f"?{term.name}"
    if isinstance(term, str):
        return term if _PLAIN.match(term) else f"'{term}'"
    functor = str(term[0])
    quoted = functor if _PLAIN.match(functor) else f"'{functor}'"
    return f"{quoted}({','.join(_infix(argument) for argument in term[1:])})"
