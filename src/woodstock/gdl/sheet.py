"""A rulesheet as it was written: rules in file order, each with its place in the text.

Formulas are kept as terms (`not`, `or`, `and` and `distinct` are functors like any other), so
reading and writing lose nothing but white space and comments. What the rules *mean* is the
business of `woodstock.gdl.rules`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

from woodstock.errors import GdlSyntaxError
from woodstock.gdl.diagnostics import Diagnostic, Severity
from woodstock.gdl.terms import Compound, Term, Variable, to_kif

__all__ = ["Clause", "Sheet", "SourceText", "Spelling"]


@dataclass(frozen=True)
class Clause:
    """A fact or a rule. `offsets` are the places of the head and of each body formula."""

    head: Term
    body: tuple[Term, ...] = ()
    offsets: tuple[int, ...] = field(default=(0,), compare=False)

    def to_kif(self) -> str:
        """The clause in KIF, on one line.

        >>> Clause(Compound(("next", "p")), (Compound(("true", "p")),)).to_kif()
        '(<= (next p) (true p))'
        """
        if not self.body:
            return to_kif(self.head)
        return f"(<= {to_kif(self.head)} {' '.join(to_kif(f) for f in self.body)})"

    def place(self, formula: int = -1) -> int:
        """The offset of body formula `formula` (the head for -1), or the nearest one known."""
        return self.offsets[formula + 1 if formula + 1 < len(self.offsets) else 0]


class SourceText:
    """The text of a sheet, able to say on which line and column an offset lies."""

    def __init__(self, text: str, name: str = "<text>") -> None:
        self.text = text
        self.name = name
        self._starts: list[int] | None = None

    def position(self, offset: int) -> tuple[int, int]:
        r"""Line and column (both from 1) of an offset.

        >>> SourceText("ab\ncd").position(4)
        (2, 2)
        """
        if self._starts is None:
            self._starts = [0]
            self._starts.extend(i + 1 for i, c in enumerate(self.text) if c == "\n")
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def diagnostic(
        self,
        severity: Severity,
        code: str,
        offset: int,
        message: str,
        remedy: str,
        rule: str = "",
        play: str = "",
    ) -> Diagnostic:
        """A finding at an offset of this text."""
        line, column = self.position(offset)
        return Diagnostic(severity, code, message, remedy, self.name, line, column, rule, play)

    def syntax_error(self, offset: int, message: str, remedy: str) -> GdlSyntaxError:
        """The error for text that cannot be read, ready to be raised."""
        return GdlSyntaxError([self.diagnostic("error", "syntax", offset, message, remedy)])


class Spelling:
    """Gives equal symbols one spelling: the first one the sheet uses.

    GDL compares symbols without regard to case, yet a game server expects moves back in the
    letters of its own rules. Keywords are always lower case.
    """

    def __init__(self, keywords: Iterable[str]) -> None:
        self._known = {word: word for word in keywords}

    def constant(self, word: str) -> str:
        """The spelling of a constant or functor."""
        return self._known.setdefault(word.lower(), word)

    def variable(self, name: str) -> Variable:
        """The variable of a name."""
        return Variable(name.lower())

    def term(self, term: Term) -> Term:
        """A term from elsewhere, respelled as this sheet spells its symbols."""
        if isinstance(term, str):
            return self._known.get(term.lower(), term)
        if isinstance(term, Variable):
            return term
        return Compound(self.term(part) for part in term)


@dataclass(frozen=True)
class Sheet:
    """The clauses of a rulesheet in file order."""

    clauses: tuple[Clause, ...]
    source: SourceText = field(compare=False, repr=False)
    spelling: Spelling = field(compare=False, repr=False)

    def to_kif(self) -> str:
        """The whole sheet in KIF, one clause a line."""
        return "".join(clause.to_kif() + "\n" for clause in self.clauses)
