"""Reading the KIF spelling of GDL: ``(<= (next ?f) (true ?f))``, ``;`` comments.

A tokenizer of our own keeps the place of every term, which messages need.
"""

from __future__ import annotations

import re

from woodstock.gdl.keywords import KEYWORDS
from woodstock.gdl.sheet import Clause, Sheet, SourceText, Spelling
from woodstock.gdl.terms import MAX_DEPTH, Compound, Term

__all__ = ["ARROWS", "read_kif"]

_TOKEN = re.compile(r"[()]|;[^\n\r]*|[^\s();]+")
ARROWS = frozenset({"<=", "<-", ":-", "←"})


class _List:
    """An open or finished parenthesis: where it began, its items and their places."""

    __slots__ = ("items", "offset", "places")

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.items: list[Term | _List] = []
        self.places: list[int] = []


def read_kif(source: SourceText) -> Sheet:
    r"""Read a sheet; raises `GdlSyntaxError` with the place of the first mistake.

    >>> read_kif(SourceText("(role x) ; a comment")).to_kif()
    '(role x)\n'
    """
    top = _read_lists(source)
    spelled = Spelling(KEYWORDS)
    forms: list[Term | _List] = top.items
    places = top.places
    # A START message carries the rules as one list of clauses: accept that form too.
    if len(forms) == 1 and isinstance(forms[0], _List):
        inner = forms[0]
        if inner.items and isinstance(inner.items[0], _List):
            forms, places = inner.items, inner.places
    clauses: list[Clause] = []
    for form, place in zip(forms, places):
        if isinstance(form, _List) and form.items and form.items[0] in ARROWS:
            if len(form.items) == 1:
                raise source.syntax_error(
                    place, "a rule without a head", "write (<= head condition ...)"
                )
            parts = [
                _term(source, spelled, item, form.places[i + 1])
                for i, item in enumerate(form.items[1:])
            ]
            clauses.append(Clause(parts[0], tuple(parts[1:]), tuple(form.places[1:])))
        else:
            clauses.append(Clause(_term(source, spelled, form, place), (), (place,)))
    return Sheet(tuple(clauses), source, spelled)


def _read_lists(source: SourceText) -> _List:
    top = _List(0)
    stack = [top]
    for match in _TOKEN.finditer(source.text):
        token, offset = match.group(), match.start()
        if token == "(":
            if len(stack) > MAX_DEPTH:
                raise source.syntax_error(
                    offset,
                    f"parentheses nested deeper than {MAX_DEPTH}",
                    "flatten the term, or look for a ')' missing before this place",
                )
            opened = _List(offset)
            stack[-1].items.append(opened)
            stack[-1].places.append(offset)
            stack.append(opened)
        elif token == ")":
            if len(stack) == 1:
                raise source.syntax_error(
                    offset, "')' closes nothing", "remove it, or add the '(' it belongs to"
                )
            stack.pop()
        elif token[0] != ";":
            stack[-1].items.append(token)
            stack[-1].places.append(offset)
    if len(stack) > 1:
        raise source.syntax_error(stack[-1].offset, "'(' is never closed", "add the missing ')'")
    return top


def _term(source: SourceText, spelled: Spelling, item: Term | _List, place: int) -> Term:
    if not isinstance(item, _List):
        word = str(item)
        if word in ARROWS:
            raise source.syntax_error(
                place, f"{word!r} where no rule begins", "write (<= head condition ...)"
            )
        if word[0] != "?":
            return spelled.constant(word)
        if len(word) == 1:
            raise source.syntax_error(place, "'?' is not a variable", "write a name after it")
        return spelled.variable(word[1:])
    if not item.items:
        raise source.syntax_error(item.offset, "empty parentheses", "write a term inside, or none")
    parts = [_term(source, spelled, inner, at) for inner, at in zip(item.items, item.places)]
    functor = parts[0]
    if not isinstance(functor, str):
        raise source.syntax_error(
            item.places[0],
            "a term must begin with a name",
            "write (name argument ...), with no variable or list in front",
        )
    return functor if len(parts) == 1 else Compound(parts)
