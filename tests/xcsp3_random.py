"""Random instances of XCSP3 with constraints that are no tables, each with its meaning in Python.

The meaning is written down here once more, in the plainest way, so that what the reader makes of an
instance can be held against it.
"""

from __future__ import annotations

import operator
import random
from collections.abc import Callable, Mapping
from itertools import pairwise, product
from typing import NamedTuple

Env = Mapping[str, int]
Meaning = Callable[[Env], int]


class Undefined(Exception):
    """A division by zero."""


class Part(NamedTuple):
    """A piece of XCSP3 and what it means for values of the variables."""

    text: str
    meaning: Meaning


class RandomInstance(NamedTuple):
    """An instance: its text, its domains, its constraints, and the objective if it has one."""

    text: str
    domains: dict[str, list[int]]
    constraints: list[Part]
    objective: Part | None
    maximise: bool

    def solutions(self) -> list[dict[str, int]]:
        """All solutions, by trying everything."""
        names = list(self.domains)
        every = (dict(zip(names, values)) for values in product(*self.domains.values()))
        found = [env for env in every if all(holds(c, env) for c in self.constraints)]
        if self.objective is None:
            return found
        # The objective must have a value.
        defined = Part("", lambda env: self.value(env) is not None)
        return [env for env in found if holds(defined, env)]

    def value(self, env: Env) -> int:
        """What the objective is worth."""
        assert self.objective is not None
        return int(self.objective.meaning(env))


def holds(part: Part, env: Env) -> bool:
    try:
        return bool(part.meaning(env))
    except Undefined:
        return False


def _div(a: int, b: int) -> int:
    if b == 0:
        raise Undefined
    return int(a / b)


BINARY: dict[str, Callable[[int, int], int]] = {
    "sub": operator.sub,
    "div": _div,
    "mod": lambda a, b: a - b * _div(a, b),
    "dist": lambda a, b: abs(a - b),
    "lt": operator.lt,
    "le": operator.le,
    "ge": operator.ge,
    "gt": operator.gt,
    "ne": operator.ne,
    "imp": lambda a, b: bool(b) or not a,
    "pow": lambda a, b: a ** (b if b >= 0 else _div(1, 0)),
}
MANY: dict[str, Callable[[list[int]], int]] = {
    "add": sum,
    "mul": lambda v: v[0] * (MANY["mul"](v[1:]) if v[1:] else 1),
    "min": min,
    "max": max,
    "and": lambda v: all(x != 0 for x in v),
    "or": lambda v: any(x != 0 for x in v),
    "xor": lambda v: len([x for x in v if x]) % 2,
    "iff": lambda v: all(x != 0 for x in v) or all(x == 0 for x in v),
    "eq": lambda v: all(x == v[0] for x in v),
}
UNARY: dict[str, Callable[[int], int]] = {
    "neg": operator.neg,
    "abs": abs,
    "sqr": lambda a: a * a,
    "not": lambda a: a == 0,
}
COMPARE = {name: BINARY[name] for name in ("lt", "le", "ge", "gt", "ne")} | {"eq": operator.eq}


class Maker:
    """Makes one instance from a seed."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.domains: dict[str, list[int]] = {}

    def instance(self) -> RandomInstance:
        size = self.dice.randint(2, 4)
        low = self.dice.randint(-2, 1)
        shared = list(range(low, low + self.dice.randint(2, 3)))
        self.domains = {f"x[{i}]": shared for i in range(size)}
        self.domains["y"] = sorted(self.dice.sample(range(-3, 6), self.dice.randint(1, 4)))
        array = f'<array id="x" size="[{size}]"> {" ".join(map(str, shared))} </array>'
        var = f'<var id="y"> {" ".join(map(str, self.domains["y"]))} </var>'
        constraints = [self.constraint() for _ in range(self.dice.randint(1, 3))]
        objective = self.expression(2) if self.dice.random() < 0.3 else None
        maximise = self.dice.random() < 0.5
        word, goal = "maximize" if maximise else "minimize", ""
        if objective is not None:
            body = objective.text
            if self.dice.random() < 0.5:
                objective = self.weighted()
                body = objective.text
            kind = ' type="sum"' if "<list>" in body else ""
            goal = f"<objectives><{word}{kind}> {body} </{word}></objectives>"
        text = (
            f'<instance format="XCSP3" type="{"CSP" if objective is None else "COP"}">'
            f"<variables> {array} {var} </variables>"
            f"<constraints> {' '.join(c.text for c in constraints)} </constraints>{goal}</instance>"
        )
        return RandomInstance(text, self.domains, constraints, objective, maximise)

    # Expressions

    def atom(self) -> Part:
        if self.dice.random() < 0.25:
            number = self.dice.randint(-3, 4)
            return Part(str(number), lambda env: number)
        name = self.dice.choice(list(self.domains))
        return Part(name, lambda env: env[name])

    def expression(self, depth: int) -> Part:
        if depth == 0 or self.dice.random() < 0.2:
            return self.atom()
        kind = self.dice.randrange(6)
        if kind == 0:
            name = self.dice.choice(list(UNARY))
            (a,) = parts = [self.expression(depth - 1)]
            unary = UNARY[name]
            return Part(f"{name}({a.text})", lambda env: unary(a.meaning(env)))
        if kind == 1:
            c, a, b = parts = [self.expression(depth - 1) for _ in range(3)]

            def chosen(env: Env) -> int:
                # All parts are worked out: what is undefined anywhere is not allowed.
                test, yes, no = (part.meaning(env) for part in parts)
                return yes if test else no

            return Part(f"if({c.text},{a.text},{b.text})", chosen)
        if kind == 2:
            a = self.expression(depth - 1)
            members = [self.atom() for _ in range(self.dice.randint(1, 3))]
            word = self.dice.choice(["in", "notin"])
            inner = ",".join(member.text for member in members)
            return Part(
                f"{word}({a.text},set({inner}))",
                lambda env: (a.meaning(env) in [m.meaning(env) for m in members]) == (word == "in"),
            )
        if kind in (3, 4):
            name = self.dice.choice([name for name in BINARY if name != "pow"])
            a, b = self.expression(depth - 1), self.expression(depth - 1)
            binary = BINARY[name]
            return Part(f"{name}({a.text},{b.text})", lambda e: binary(a.meaning(e), b.meaning(e)))
        name = self.dice.choice(list(MANY))
        parts = [self.expression(depth - 1) for _ in range(self.dice.randint(2, 3))]
        many = MANY[name]
        text = f"{name}({','.join(part.text for part in parts)})"
        return Part(text, lambda env: many([part.meaning(env) for part in parts]))

    def items(self, least: int = 2, depth: int = 1) -> list[Part]:
        return [self.expression(depth) for _ in range(self.dice.randint(least, 4))]

    def condition(self) -> tuple[str, Callable[[int, Env], bool]]:
        kind = self.dice.randrange(4)
        word = self.dice.choice(["in", "notin"])
        low = self.dice.randint(-3, 3)
        if kind == 0:
            high = low + self.dice.randint(0, 4)
            return f"({word},{low}..{high})", lambda v, _: (low <= v <= high) == (word == "in")
        if kind == 1:
            chosen = sorted({low, self.dice.randint(-4, 6)})
            inner = ",".join(map(str, chosen))
            return f"({word},{{{inner}}})", lambda v, _: (v in chosen) == (word == "in")
        name = self.dice.choice(list(COMPARE))
        right = self.expression(1) if kind == 2 else self.atom()
        return f"({name},{right.text})", lambda v, env: bool(COMPARE[name](v, right.meaning(env)))

    # Constraints

    def constraint(self) -> Part:
        makers = [self.intension, self.intension, self.all_different, self.sum, self.sum]
        makers += [self.element, self.count, self.extremum, self.ordered, self.group, self.matrix]
        return self.dice.choice([*makers, self.cardinality])()

    def intension(self) -> Part:
        found = self.expression(3)
        return Part(f"<intension> {found.text} </intension>", found.meaning)

    def all_different(self) -> Part:
        items = self.items()
        free = [self.dice.randint(-2, 3)] if self.dice.random() < 0.4 else []
        body = " ".join(item.text for item in items)
        if free:
            body = f"<list> {body} </list> <except> {free[0]} </except>"

        def different(env: Env) -> bool:
            values = [item.meaning(env) for item in items]
            values = [value for value in values if value not in free]
            return len(set(values)) == len(values)

        return Part(f"<allDifferent> {body} </allDifferent>", different)

    def matrix(self) -> Part:
        names = list(self.domains)
        cells = [[self.dice.choice(names) for _ in range(2)] for _ in range(2)]
        (a, b), (c, d) = cells

        def different(env: Env) -> bool:
            return all(env[p] != env[q] for p, q in ((a, b), (c, d), (a, c), (b, d)))

        text = f"<matrix> ({a},{b})({c},{d}) </matrix>"
        return Part(f"<allDifferent> {text} </allDifferent>", different)

    def weighted(self) -> Part:
        items = self.items(1)
        factors = [self.dice.randint(-2, 3) for _ in items]
        body = f"<list> {' '.join(item.text for item in items)} </list>"
        body += f"<coeffs> {' '.join(map(str, factors))} </coeffs>"
        return Part(body, lambda e: sum(f * i.meaning(e) for f, i in zip(factors, items)))

    def sum(self) -> Part:
        whole = self.weighted()
        text, test = self.condition()
        return Part(
            f"<sum> {whole.text} <condition> {text} </condition> </sum>",
            lambda env: test(whole.meaning(env), env),
        )

    def count(self) -> Part:
        items, values = self.items(1), [self.atom() for _ in range(self.dice.randint(1, 2))]
        text, test = self.condition()
        body = f"<list> {' '.join(i.text for i in items)} </list>"
        body += f"<values> {' '.join(v.text for v in values)} </values>"

        def counted(env: Env) -> bool:
            wanted = [value.meaning(env) for value in values]
            return test(len([i for i in items if i.meaning(env) in wanted]), env)

        return Part(f"<count> {body} <condition> {text} </condition> </count>", counted)

    def cardinality(self) -> Part:
        items = self.items(1)
        values = sorted({self.dice.randint(-2, 3) for _ in range(2)})
        low = self.dice.randint(0, 1)
        closed = self.dice.random() < 0.3

        def counted(env: Env) -> bool:
            found = [item.meaning(env) for item in items]
            inside = not closed or all(value in values for value in found)
            return inside and all(low <= found.count(value) <= 2 for value in values)

        return Part(
            f"<cardinality> <list> {' '.join(i.text for i in items)} </list>"
            f'<values closed="{str(closed).lower()}"> {" ".join(map(str, values))} </values>'
            f"<occurs> {' '.join([f'{low}..2'] * len(values))} </occurs> </cardinality>",
            counted,
        )

    def extremum(self) -> Part:
        items = self.items(1)
        text, test = self.condition()
        word, best = self.dice.choice([("maximum", max), ("minimum", min)])
        return Part(
            f"<{word}> <list> {' '.join(i.text for i in items)} </list>"
            f"<condition> {text} </condition> </{word}>",
            lambda env: test(best(item.meaning(env) for item in items), env),
        )

    def ordered(self) -> Part:
        items = self.items(2)
        name = self.dice.choice(["lt", "le", "ge", "gt"])

        def rising(env: Env) -> bool:
            values = [item.meaning(env) for item in items]
            return all(COMPARE[name](a, b) for a, b in pairwise(values))

        return Part(
            f"<ordered> <list> {' '.join(i.text for i in items)} </list>"
            f"<operator> {name} </operator> </ordered>",
            rising,
        )

    def element(self) -> Part:
        items = self.items(1)
        index = self.dice.choice(list(self.domains))
        start = self.dice.randint(-1, 1)
        text, test = self.condition()

        def chosen(env: Env) -> bool:
            values = [item.meaning(env) for item in items]  # none may be undefined
            place = env[index] - start
            return 0 <= place < len(values) and test(values[place], env)

        return Part(
            f'<element> <list startIndex="{start}"> {" ".join(i.text for i in items)} </list>'
            f"<index> {index} </index> <condition> {text} </condition> </element>",
            chosen,
        )

    def group(self) -> Part:
        """The same constraint for several arguments."""
        name, number = self.dice.choice(list(COMPARE)), self.dice.randint(-1, 2)
        pairs = [(self.atom(), self.expression(1)) for _ in range(self.dice.randint(1, 3))]
        args = " ".join(f"<args> {a.text} {b.text} </args>" for a, b in pairs)
        inner = f"<intension> {name}(%0,add(%1,{number})) </intension>"
        return Part(
            f"<group> {inner} {args} </group>",
            lambda e: all(COMPARE[name](a.meaning(e), b.meaning(e) + number) for a, b in pairs),
        )
