"""Does negation depend on itself? Can recursion build terms without end?

The specification asks both by predicate. Real sheets say ``(goal ?r 0)`` holds unless
``(goal ?r 100)`` does, which is one predicate but no cycle. So the graph here has *rules* as its
nodes: a rule depends on another when one of its literals can be matched by the other's head.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from woodstock.gdl.rules import Kind, Literal, Predicate, Rule, Rules
from woodstock.gdl.terms import Term, Variable, variables

MAX_PAIRS = 2_000_000

__all__ = ["HeadIndex", "components", "may_match", "negative_cycle", "recursion_without_bound"]


def components(graph: Sequence[Sequence[int]]) -> list[list[int]]:
    """Strongly connected components of a graph given by successor lists, successors first.

    >>> components([[1], [2, 0], [2]])
    [[2], [1, 0]]
    """
    # Tarjan's algorithm with an explicit stack: rule graphs can be deep.
    index = [-1] * len(graph)
    low = [0] * len(graph)
    on_stack = [False] * len(graph)
    stack: list[int] = []
    found: list[list[int]] = []
    counter = 0
    for root in range(len(graph)):
        if index[root] >= 0:
            continue
        work = [(root, 0)]
        while work:
            node, edge = work.pop()
            if edge == 0:
                index[node] = low[node] = counter
                counter += 1
                stack.append(node)
                on_stack[node] = True
            descended = False
            for position in range(edge, len(graph[node])):
                target = graph[node][position]
                if index[target] < 0:
                    work.append((node, position + 1))
                    work.append((target, 0))
                    descended = True
                    break
                if on_stack[target]:
                    low[node] = min(low[node], index[target])
            if descended:
                continue
            if low[node] == index[node]:
                component = []
                while True:
                    member = stack.pop()
                    on_stack[member] = False
                    component.append(member)
                    if member == node:
                        break
                found.append(component)
            if work:
                parent = work[-1][0]
                low[parent] = min(low[parent], low[node])
    return found


def may_match(left: Term, right: Term) -> bool:
    """Whether two terms with variables apart could be equal (variables match anything)."""
    if isinstance(left, Variable) or isinstance(right, Variable):
        return True
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(may_match(a, b) for a, b in zip(left, right))
    return left == right


def negative_cycle(rules: Rules) -> list[Rule] | None:
    """Rules that depend on each other through a negation, None when there are none.

    Gives up (None) on sheets with millions of pairs to look at: engines find such a cycle when
    they meet it.
    """
    used = _negated_region(rules)
    nodes = [rule for rule in rules.rules if rule.head in used]
    heads = HeadIndex(nodes)
    graph: list[list[int]] = []
    negative: set[tuple[int, int]] = set()
    effort = 0
    for number, rule in enumerate(nodes):
        targets: list[int] = []
        for literal in rule.body:
            candidates = heads.candidates(literal)
            effort += len(candidates)
            if effort > MAX_PAIRS:
                return None
            for target in candidates:
                if all(may_match(a, b) for a, b in zip(literal.arguments, nodes[target].arguments)):
                    targets.append(target)
                    if literal.kind is Kind.NEGATIVE:
                        negative.add((number, target))
        graph.append(targets)
    home = {node: n for n, component in enumerate(components(graph)) for node in component}
    for source, target in sorted(negative):
        if home[source] == home[target]:
            members = {node for node, place in home.items() if place == home[source]}
            return [nodes[source], *_path(graph, target, source, members, nodes)]
    return None


class HeadIndex:
    """Finds the rules whose heads may match a literal, by one of its known arguments."""

    def __init__(self, nodes: Sequence[Rule]) -> None:
        self._all: dict[Predicate, list[int]] = {}
        self._known: dict[tuple[Predicate, int, object], list[int]] = {}
        self._open: dict[tuple[Predicate, int], list[int]] = {}
        for number, rule in enumerate(nodes):
            self._all.setdefault(rule.head, []).append(number)
            for position, argument in enumerate(rule.arguments):
                if isinstance(argument, Variable):
                    self._open.setdefault((rule.head, position), []).append(number)
                else:
                    key = (rule.head, position, _outline(argument))
                    self._known.setdefault(key, []).append(number)

    def candidates(self, literal: Literal) -> list[int]:
        """Rules that may match, few of them where an argument is known."""
        best = self._all.get(literal.predicate, [])
        for position, argument in enumerate(literal.arguments):
            if not isinstance(argument, Variable):
                known = self._known.get((literal.predicate, position, _outline(argument)), [])
                open_ones = self._open.get((literal.predicate, position), [])
                if len(known) + len(open_ones) < len(best):
                    best = known + open_ones
        return best


def _outline(term: Term) -> object:
    """What two terms must share to match: the constant, or functor and arity."""
    return (term[0], len(term)) if isinstance(term, tuple) else term


def _path(
    graph: list[list[int]], start: int, end: int, members: set[int], nodes: list[Rule]
) -> list[Rule]:
    """The rules on a shortest way from `start` to `end` inside a component."""
    before = {start: start}
    queue = [start]
    for node in queue:
        if node == end:
            break
        for target in graph[node]:
            if target in members and target not in before:
                before[target] = node
                queue.append(target)
    way = [end]
    while way[-1] != start:
        way.append(before[way[-1]])
    return [nodes[n] for n in reversed(way)]


def _predicate_components(rules: Rules) -> list[list[Predicate]]:
    """The groups of predicates that depend on each other."""
    names = list(rules.by_head)
    number = {predicate: i for i, predicate in enumerate(names)}
    graph: list[list[int]] = [[] for _ in names]
    for rule in rules.rules:
        graph[number[rule.head]].extend(
            number[l.predicate] for l in rule.body if l.predicate in number
        )
    return [[names[i] for i in component] for component in components(graph)]


def _negated_region(rules: Rules) -> set[Predicate]:
    """The predicates that lie on a cycle with a negative edge, by predicate: usually none."""
    region: set[Predicate] = set()
    for component in _predicate_components(rules):
        members = set(component)
        for predicate in members:
            for rule in rules.by_head[predicate]:
                if any(l.kind is Kind.NEGATIVE and l.predicate in members for l in rule.body):
                    region |= members
    return region


def recursion_without_bound(rules: Rules) -> Iterator[tuple[Rule, Literal]]:
    """Recursive literals that break the specification's recursion restriction.

    Each argument of a recursive literal must be ground, an argument of the head as it stands, or
    have its variables bound by a condition outside the recursion.
    """
    groups = _predicate_components(rules)
    home = {predicate: n for n, group in enumerate(groups) for predicate in group}
    for rule in rules.rules:
        outside: set[Variable] = set()
        inside = []
        for literal in rule.body:
            if literal.kind is not Kind.POSITIVE:
                continue
            if home.get(literal.predicate, -1) == home[rule.head]:
                inside.append(literal)
            else:
                outside.update(literal.variables())
        grows = any(_is_open(a) for a in rule.arguments)
        for literal in inside:
            # Terms grow upwards through the head, or downwards through what is asked for.
            if not grows and not any(_is_open(a) for a in literal.arguments):
                continue
            for argument in literal.arguments:
                loose = set(variables(argument)) - outside
                if loose and argument not in rule.arguments:
                    yield rule, literal
                    break


def _is_open(term: Term) -> bool:
    """Whether a term is compound and holds a variable."""
    return isinstance(term, tuple) and next(variables(term), None) is not None
