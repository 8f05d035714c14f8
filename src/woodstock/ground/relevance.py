"""Which rules matter: those that given predicates depend on."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from woodstock.gdl.rules import Rule, group_by_head

__all__ = ["relevant"]


def relevant(rules: Sequence[Rule], roots: Collection[str]) -> list[Rule]:
    """The rules that the predicates with these names depend on, in their order.

    >>> from woodstock.gdl.reader import read_text
    >>> from woodstock.gdl.rules import normalise
    >>> rules, _ = normalise(read_text("(<= terminal p) (<= p q) (r a)"))
    >>> [str(rule) for rule in relevant(rules.rules, {"terminal"})]
    ['(<= terminal p)', '(<= p q)']
    """
    by_head = group_by_head(rules)
    wanted = {head for head in by_head if head.name in roots}
    agenda = list(wanted)
    while agenda:
        for rule in by_head.get(agenda.pop(), ()):
            for literal in rule.body:
                if literal.predicate not in wanted:
                    wanted.add(literal.predicate)
                    agenda.append(literal.predicate)
    return [rule for rule in rules if rule.head in wanted]
