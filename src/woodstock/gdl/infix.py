r"""The infix spelling of GDL that the papers use.

A rule is written ``next(F) :- true(F), not taken(X).``, a fact ``role(alice).``
Names that begin with a capital letter or ``_`` are variables, ``_`` alone is a fresh one, ``%``
begins a comment. ``:-``, ``<=`` and ``←`` are the same arrow. Names that would not read back
(capitals, signs) stand in single quotes: ``'Cell'``, ``'++'``; a variable may also be written as
in KIF, ``?n++``. Inside quotes ``\'`` is a quote.
"""

from __future__ import annotations

import re

from woodstock.gdl.keywords import CONNECTIVES, KEYWORDS
from woodstock.gdl.kif import ARROWS
from woodstock.gdl.sheet import Clause, Sheet, SourceText, Spelling
from woodstock.gdl.terms import MAX_DEPTH, Compound, Term, Variable

__all__ = ["read_infix", "write_infix"]

_TOKEN = re.compile(
    r"(?P<skip>\s+|%[^\n\r]*)"
    r"|(?P<arrow>:-|<=|←)"
    r"|(?P<name>[a-z0-9][A-Za-z0-9_]*)"
    r"|(?P<variable>[A-Z_][A-Za-z0-9_]*)"
    r"|(?P<quoted>'(?:[^'\\]|\\.)*')"
    r"|\?(?P<kif_variable>'(?:[^'\\]|\\.)*'|[^\s(),.'%]+)"
    r"|(?P<sign>[(),.])"
    r"|(?P<bad>.)",
    re.DOTALL,
)
_KIF_NAME = re.compile(r"[^\s();]+\Z")
_KIF_VARIABLE = re.compile(r"[^\s(),.'%;]+\Z")
_PLAIN = re.compile(r"[a-z0-9][A-Za-z0-9_]*\Z")
_CAPITAL = re.compile(r"(?:[A-Z]|_(?=.))[A-Za-z0-9_]*\Z")


def read_infix(source: SourceText) -> Sheet:
    r"""Read a sheet; raises `GdlSyntaxError` with the place of the first mistake.

    >>> read_infix(SourceText("legal(P,noop) :- role(P), not true(control(P)).")).to_kif()
    '(<= (legal ?p noop) (role ?p) (not (true (control ?p))))\n'
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
                text = match.group(kind)
                if text[0] == "'":
                    text = self.unquoted(text, match.start())
                self.tokens.append((kind, text, match.start()))
        self.tokens.append(("end", "", len(source.text)))
        self.at = 0
        self.fresh = 0
        self.taken = {text.lower() for kind, text, _ in self.tokens if kind.endswith("variable")}

    def unquoted(self, text: str, offset: int) -> str:
        """What a quoted name says; only names that KIF can write too are taken."""
        name = re.sub(r"\\(.)", r"\1", text[1:-1])
        if not _KIF_NAME.match(name) or name[0] == "?" or name in ARROWS:
            raise self.source.syntax_error(
                offset, f"{text} is no name", "leave blanks, ( ) ; and a first ? out of names"
            )
        return name

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
                while f"_{self.fresh}" in self.taken:
                    self.fresh += 1
                return self.spelled.variable(f"_{self.fresh}")
            return self.spelled.variable(text)
        if kind not in ("name", "quoted"):
            found = f"{text!r}" if kind != "end" else "the end of the text"
            raise self.source.syntax_error(
                offset, f"expected a term, found {found}", "write a term"
            )
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
        name = term.name
        if "a" <= name[0] <= "z":
            name = name[0].upper() + name[1:]
        if _CAPITAL.match(name):
            return name
        return f"?{name}" if _KIF_VARIABLE.match(name) else f"?{_quoted(name)}"
    if isinstance(term, str):
        return term if _PLAIN.match(term) else _quoted(term)
    functor = str(term[0])
    shown = functor if _PLAIN.match(functor) else _quoted(functor)
    return f"{shown}({','.join(_infix(argument) for argument in term[1:])})"


def _quoted(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("'", "\\'")
    return f"'{escaped}'"
