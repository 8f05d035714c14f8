"""Hypothesis strategies: terms, rulesheets of any shape, and small games that can be played.

`games()` makes programs that are safe, stratified and finite by construction. Every argument has
a *sort*, so that terms cannot grow: ``c`` is a constant, ``t`` a constant or ``(k constant)``,
``r`` a role. Relations stand in layers; a rule negates lower layers only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

from woodstock.gdl.sheet import Clause
from woodstock.gdl.terms import Compound, Term, Variable

Draw = Callable[[st.SearchStrategy[Any]], Any]

# --- sheets of any shape, for readers and writers -------------------------------------------------

_SIGNS = "abcxyzABCXYZ0123456789_+-*/<>=!.,:'\"%äßıİΣς٣é←"
_ARROWS = {"<=", "<-", ":-", "←"}


def names() -> st.SearchStrategy[str]:
    """Names KIF can hold: no blank, parenthesis or semicolon, no leading question mark."""
    plain = st.sampled_from(
        ["a", "b", "cell", "Cell", "x1", "next", "true", "or", "not", "++", "7"]
    )
    odd = st.text(_SIGNS, min_size=1, max_size=4).filter(lambda name: name not in _ARROWS)
    return plain | odd


def variable_terms() -> st.SearchStrategy[Variable]:
    """Variables in the lower case that readers give them."""
    return names().map(lambda name: Variable(name.lower()))


def terms() -> st.SearchStrategy[Term]:
    """Terms of some depth, with variables."""

    def deeper(inner: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
        return st.builds(
            lambda functor, arguments: Compound((functor, *arguments)),
            names(),
            st.lists(inner, min_size=1, max_size=3),
        )

    return st.recursive(names() | variable_terms(), deeper, max_leaves=8)


def clauses() -> st.SearchStrategy[Clause]:
    """Facts and rules; whether they mean anything is another matter."""
    heads = terms().filter(lambda term: not isinstance(term, Variable))
    return st.builds(
        lambda head, body: Clause(head, tuple(body)), heads, st.lists(terms(), max_size=3)
    )


# --- small games, for engines ---------------------------------------------------------------------


@dataclass(frozen=True)
class Relation:
    """A relation or fluent: how an atom of it is written, and the sorts of its arguments."""

    template: str
    sorts: str

    def atom(self, arguments: Sequence[str]) -> str:
        return self.template.format(*arguments)


STATIC = [Relation("(d {})", "c"), Relation("(e {} {})", "cc"), Relation("(w {})", "t")]
FLUENTS = [
    Relation("z", ""),
    Relation("(f {})", "c"),
    Relation("(g {} {})", "cc"),
    Relation("(h {} {})", "tc"),
    Relation("(own {})", "r"),
]
MOVES = [Relation("noop", ""), Relation("(m {})", "c"), Relation("(mm {} {})", "tc")]
ROLE = Relation("(role {})", "r")
TRUE = [Relation(f"(true {fluent.template})", fluent.sorts) for fluent in FLUENTS]
DOES = [Relation(f"(does {{}} {_shift})", "r" + move.sorts) for move, _shift in zip(
    MOVES, ("noop", "(m {})", "(mm {} {})"))]  # fmt: skip
LEGAL = [Relation(r.template.replace("does", "legal"), r.sorts) for r in DOES]


@dataclass
class _Body:
    """A rule's conditions while they are drawn, and the variables they bind, by sort."""

    literals: list[str] = field(default_factory=list)
    bound: dict[str, list[str]] = field(default_factory=lambda: {"c": [], "t": [], "r": []})
    fresh: int = 0


class _Maker:
    def __init__(self, draw: Draw, roles: Sequence[str], constants: Sequence[str]) -> None:
        self.draw = draw
        self.roles = roles
        self.constants = constants
        self.lines: list[str] = [f"(role {role})" for role in roles]

    def flip(self, chance: int = 2) -> bool:
        return bool(self.draw(st.integers(0, chance - 1)) == 0)

    def pick(self, items: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(items))

    def constant(self, sort: str) -> str:
        name: str = self.pick(self.roles if sort == "r" else self.constants)
        return f"(k {name})" if sort == "t" and self.flip() else name

    def known(self, sort: str, body: _Body) -> str:
        """A term whose variables the body binds already."""
        if sort == "t" and body.bound["c"] and self.flip(3):
            return f"(k {self.pick(body.bound['c'])})"
        names = body.bound[sort] + (body.bound["c"] if sort == "t" else [])
        if names and not self.flip(4):
            return str(self.pick(names))
        return self.constant(sort)

    def pattern(self, sort: str, body: _Body, new: list[tuple[str, str]], deep: bool) -> str:
        """A term of a positive condition: it may bind new variables, also inside another term."""
        choice = self.draw(st.integers(0, 5))
        if choice == 0:
            return self.known(sort, body) if deep else self.constant(sort)
        if choice == 1 and sort == "t" and deep:
            return f"(k {self.pattern('c', body, new, deep)})"
        if choice == 2 and body.bound[sort]:
            return str(self.pick(body.bound[sort]))
        name = f"?{sort}{self.draw(st.integers(1, 3))}"
        new.append((sort, name))
        return name

    def positive(self, relation: Relation, body: _Body, deep: bool = True) -> str:
        new: list[tuple[str, str]] = []
        text = relation.atom([self.pattern(sort, body, new, deep) for sort in relation.sorts])
        for sort, name in new:
            if name not in body.bound[sort]:
                body.bound[sort].append(name)
        return text

    def test(self, lower: Sequence[Relation], body: _Body) -> str:
        """A condition that binds nothing: distinct, its negation, a negation, a disjunction."""
        kind = self.draw(st.integers(0, 5))
        if kind == 0:
            sort = self.pick("ctr")
            return f"(distinct {self.known(sort, body)} {self.known(sort, body)})"
        if kind == 1:
            sort = self.pick("ct")
            return f"(not (distinct {self.known(sort, body)} {self.known(sort, body)}))"
        if kind == 2:
            parts = [self.test(lower, body) for _ in range(self.draw(st.integers(1, 3)))]
            parts.append(self.check(self.pick(lower), body))
            return f"({self.pick(['or', 'or', 'and'])} {' '.join(parts)})"
        if kind == 3:
            return f"(not (and {self.test(lower, body)} {self.check(self.pick(lower), body)}))"
        relation = self.pick(lower)
        if relation.sorts and self.flip(4):  # "for no ?u": a variable of its own
            arguments = [self.known(sort, body) for sort in relation.sorts]
            body.fresh += 1
            arguments[self.draw(st.integers(0, len(arguments) - 1))] = f"?u{body.fresh}"
            return f"(not {relation.atom(arguments)})"
        return f"(not {self.check(relation, body)})"

    def check(self, relation: Relation, body: _Body) -> str:
        return relation.atom([self.known(sort, body) for sort in relation.sorts])

    def body(
        self,
        positive: Sequence[Relation],
        lower: Sequence[Relation],
        first: Sequence[Relation] = (),
        most: int = 4,
        itself: Relation | None = None,
    ) -> _Body:
        body = _Body()
        wanted = list(first)
        wanted.extend(self.pick(positive) for _ in range(self.draw(st.integers(0, most))))
        # GDL forbids recursion to larger terms.
        body.literals = [self.positive(one, body, deep=one is not itself) for one in wanted]
        for _ in range(self.draw(st.integers(0, 2))):
            body.literals.append(self.test(lower, body))
        if self.flip(3):  # tests may stand before what binds their variables
            body.literals = self.draw(st.permutations(body.literals))
        return body

    def rule(self, keyword: str, relation: Relation, body: _Body) -> None:
        atom = self.check(relation, body)
        head = f"({keyword} {atom})" if keyword else atom
        self._write(head, body.literals)
        tests = [i for i, one in enumerate(body.literals) if one.startswith(("(not", "(distinct"))]
        if tests and self.flip(3):  # a twin that differs in one sign: what rewriting may mix up
            twin, at = list(body.literals), self.pick(tests)
            one = twin[at]
            twin[at] = one[5:-1] if one.startswith("(not") else f"(not {one})"
            self._write(head, twin)

    def _write(self, head: str, literals: Sequence[str]) -> None:
        conditions = " ".join(literals)
        self.lines.append(f"(<= {head} {conditions})" if conditions else head)

    def some(self, most: int) -> range:
        return range(self.draw(st.integers(1, most)))


@st.composite
def games(draw: Draw) -> str:
    """The KIF text of a small game in which every role always has a move."""
    roles = draw(st.sampled_from([["p"], ["p", "o"], ["o", "random"], ["p", "o", "random"]]))
    make = _Maker(draw, roles, ["a", "b", "3"][: draw(st.integers(2, 3))])
    make.lines.extend(f"(d {name})" for name in make.constants)
    for relation in STATIC[1:]:
        for _ in make.some(4):
            make.lines.append(make.check(relation, _Body()))
    _fluents_at_start(make)
    visible = [*STATIC, ROLE, *TRUE]
    if make.flip():
        visible.append(_differ(make))
    helpers = _layers(make, "q", visible, 3)
    lower = [*visible, *helpers]
    make.lines.append("(<= (legal ?r noop) (role ?r))")
    for relation in LEGAL[1:]:
        for _ in make.some(2):
            make.rule("", relation, make.body(lower, lower, [ROLE]))
    make.lines.append("(<= terminal (true over))")  # rules that never hold may be dropped
    for _ in make.some(2):
        make.rule("", Relation("terminal", ""), make.body([*lower, *LEGAL], [*lower, *LEGAL]))
    _goals(make, lower)
    after = [*lower, *DOES, *LEGAL]
    after += _layers(make, "n", after, 2)
    _next(make, after)
    for _ in range(draw(st.integers(0, 2))):
        percept = Relation(f"(sees {{}} {make.pick(['bell', '(saw {})', '(saw {} {})'])})", "rct")
        sorts = percept.sorts[: percept.template.count("{}")]
        make.rule("", Relation(percept.template, sorts), make.body(after, after, [ROLE]))
    return "\n".join(make.lines) + "\n"


def _fluents_at_start(make: _Maker) -> None:
    for _ in make.some(5):
        make.lines.append(f"(init {make.check(make.pick(FLUENTS), _Body())})")
    for _ in range(make.draw(st.integers(0, 2))):
        make.rule("init", make.pick(FLUENTS), make.body(STATIC, STATIC))
    if make.flip(3):  # by a bare variable
        make.lines.append("(<= (init ?x) (start ?x))")
        for _ in make.some(2):
            make.lines.append(f"(start {make.check(make.pick(FLUENTS), _Body())})")


def _differ(make: _Maker) -> Relation:
    """ "These two differ", as board games say it of cells: dense, and worth writing out."""
    names = ["?a1", "?a2", "?b1", "?b2"][:: 2 if make.flip() else 1]
    relation = Relation(f"(differ{' {}' * len(names)})", "c" * len(names))
    half = len(names) // 2
    for first, second in zip(names[:half], names[half:]):
        kept = " ".join(f"(d {name})" for name in names)
        make.lines.append(f"(<= {relation.atom(names)} {kept} (distinct {first} {second}))")
    return relation


def _layers(make: _Maker, name: str, below: Sequence[Relation], most: int) -> list[Relation]:
    """Helper relations, each defined by lower ones and, positively, by itself."""
    made: list[Relation] = []
    for number in range(make.draw(st.integers(0, most))):
        sorts = make.pick(["", "c", "t", "cc", "tc", "rc"])
        places = "".join(" {}" for _ in sorts)
        relation = Relation(f"({name}{number}{places})" if sorts else f"{name}{number}", sorts)
        lower = [*below, *made]
        for _ in make.some(3):
            make.rule("", relation, make.body([*lower, relation], lower, itself=relation))
        made.append(relation)
    return made


def _goals(make: _Maker, lower: Sequence[Relation]) -> None:
    for _ in make.some(3):
        value = make.pick(["0", "30", "100"])
        make.rule("", Relation(f"(goal {{}} {value})", "r"), make.body(lower, lower, [ROLE], 2))
    if make.flip(3):  # not stratified by predicate, as in many public sheets
        make.lines.append("(<= (goal ?r 50) (role ?r) (not (goal ?r 100)) (not (goal ?r 0)))")


def _next(make: _Maker, after: Sequence[Relation]) -> None:
    for fluent, holds in zip(FLUENTS, TRUE):
        kind = make.draw(st.integers(0, 3))
        if kind == 0:  # merely persists
            arguments = [f"?x{i}" for i in range(len(fluent.sorts))]
            make.lines.append(f"(<= (next {fluent.atom(arguments)}) {holds.atom(arguments)})")
        for _ in range(make.draw(st.integers(0, 2)) if kind else 0):
            make.rule("next", fluent, make.body(after, after))
    if make.flip(4):
        make.lines.append(f"(<= (next ?f) (true ?f) {make.test(after, _Body())})")
