"""Battle of numbers on boards of any size."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["RULES"]

_RULES = """\
; Battle of numbers on {size}x{size}: fighters with numbers walk towards the enemy and take
; fighters that are not stronger, diagonally; who has taken more in the end wins.
; Only fighters are fluents; a cell without one is empty.

(role red)
(role green)
(opponent red green)
(opponent green red)

(index 1)
(<= (index ?n) (succ ?m ?n))
(limit {limit})
(all {size})

; Red stands in column 1 and walks to the right, green in column {size} and walks to the left.
(<= (forward red ?x1 ?x2) (succ ?x1 ?x2))
(<= (forward green ?x1 ?x2) (succ ?x2 ?x1))
(<= (beside ?n ?m) (succ ?n ?m))
(<= (beside ?n ?m) (succ ?m ?n))
(<= (near ?n ?n) (index ?n))
(<= (near ?n ?m) (beside ?n ?m))
(<= (walk ?p ?x1 ?y1 ?x2 ?y2) (forward ?p ?x1 ?x2) (near ?y1 ?y2))
(<= (attack ?x1 ?y1 ?x2 ?y2) (beside ?x1 ?x2) (beside ?y1 ?y2))

; A fighter beats its equals and all smaller ones, but 1 beats {size}, and {size} does not beat 1.
(<= (greater ?n ?m) (succ ?m ?n))
(<= (greater ?n ?m) (succ ?l ?n) (greater ?l ?m))
(<= (beats ?n ?n) (index ?n))
(<= (beats ?n ?m) (greater ?n ?m) (not (spared ?n ?m)))
(beats 1 {size})
(spared {size} 1)

(<= (base (cell ?x ?y ?n ?p)) (index ?x) (index ?y) (index ?n) (role ?p))
(<= (base (control ?p)) (role ?p))
(<= (base (taken ?p 0)) (role ?p))
(<= (base (taken ?p ?n)) (role ?p) (index ?n))
(base (step 0))
(<= (base (step ?n)) (tick ?m ?n))
(<= (input ?p (move ?x1 ?y1 ?x2 ?y2)) (walk ?p ?x1 ?y1 ?x2 ?y2))
(<= (input ?p (move ?x1 ?y1 ?x2 ?y2)) (role ?p) (attack ?x1 ?y1 ?x2 ?y2))
(<= (input ?p noop) (role ?p))

{start}
(init (taken red 0))
(init (taken green 0))
(init (control red))
(init (step 0))

; A fighter walks forward, straight or diagonally, to an empty cell, or takes an enemy on any
; of the four diagonals.
(<= (owns ?p ?x ?y) (true (cell ?x ?y ?n ?p)))
(<= (occupied ?x ?y) (owns ?p ?x ?y))
; (beatable Q X Y N): on (X, Y) stands a fighter of Q that number N beats.
(<= (beatable ?q ?x ?y ?n) (true (cell ?x ?y ?m ?q)) (beats ?n ?m))
(<= (open ?p ?x1 ?y1 ?x2 ?y2)
    (walk ?p ?x1 ?y1 ?x2 ?y2) (owns ?p ?x1 ?y1) (not (occupied ?x2 ?y2)))
(<= (open ?p ?x1 ?y1 ?x2 ?y2) (attack ?x1 ?y1 ?x2 ?y2) (opponent ?p ?q)
    (true (cell ?x1 ?y1 ?n ?p)) (beatable ?q ?x2 ?y2 ?n))
(<= (legal ?p (move ?x1 ?y1 ?x2 ?y2)) (true (control ?p)) (open ?p ?x1 ?y1 ?x2 ?y2))
(<= (legal ?p noop) (opponent ?p ?q) (true (control ?q)))

(<= (leaves ?x ?y) (does ?p (move ?x ?y ?x2 ?y2)))
(<= (enters ?p ?x ?y) (does ?p (move ?x1 ?y1 ?x ?y)))
(<= (entered ?x ?y) (enters ?p ?x ?y))
(<= (mover ?n) (leaves ?x ?y) (true (cell ?x ?y ?n ?p)))
(<= (next (cell ?x ?y ?n ?p)) (enters ?p ?x ?y) (mover ?n))
(<= (next (cell ?x ?y ?n ?p))
    (true (cell ?x ?y ?n ?p)) (not (leaves ?x ?y)) (not (entered ?x ?y)))

(<= (takes ?p) (enters ?p ?x ?y) (opponent ?p ?q) (owns ?q ?x ?y))
(more 0 1)
(<= (more ?n ?m) (succ ?n ?m))
(<= (next (taken ?p ?n)) (true (taken ?p ?n)) (not (takes ?p)))
(<= (next (taken ?p ?m)) (true (taken ?p ?n)) (takes ?p) (more ?n ?m))
(<= (next (control ?p)) (opponent ?p ?q) (true (control ?q)))
(<= (next (step ?n)) (true (step ?m)) (tick ?m ?n))

; The game ends when a side is gone, when the player to move cannot, or at the limit.
(<= (mobile ?p) (open ?p ?x1 ?y1 ?x2 ?y2))
(<= terminal (all ?n) (true (taken ?p ?n)))
(<= terminal (true (control ?p)) (not (mobile ?p)))
(<= terminal (limit ?n) (true (step ?n)))

(<= (above ?n ?m) (more ?m ?n))
(<= (above ?n ?m) (more ?l ?n) (above ?l ?m))
(<= (leads ?p) (opponent ?p ?q) (true (taken ?p ?n)) (true (taken ?q ?m)) (above ?n ?m))
(<= decided (leads ?p))
(<= (goal ?p 100) (leads ?p))
(<= (goal ?p 50) (role ?p) (not decided))
(<= (goal ?p 0) (opponent ?p ?q) (leads ?q))

{succ}
{tick}
"""


def _lines(facts: Iterable[str], width: int = 98) -> str:
    """The facts one after the other, as many in a line as fit."""
    lines = [""]
    for fact in facts:
        if len(lines[-1]) + 1 + len(fact) > width:
            lines.append("")
        lines[-1] += f" {fact}" if lines[-1] else fact
    return "\n".join(lines)


def _rules(size: int) -> str:
    # Odd numbers up, even numbers down: 1 3 5 4 2. Green's column is red's upside down.
    order = [*range(1, size + 1, 2), *range(size - size % 2, 0, -2)]
    red = (f"(init (cell 1 {y} {n} red))" for y, n in enumerate(order, 1))
    green = (f"(init (cell {size} {y} {n} green))" for y, n in enumerate(reversed(order), 1))
    limit = 2 * size * (size - 1)  # what all fighters can walk
    return _RULES.format(
        size=size,
        limit=limit,
        start=_lines([*red, *green], 90),
        succ=_lines(f"(succ {n} {n + 1})" for n in range(1, size)),
        tick=_lines(f"(tick {n} {n + 1})" for n in range(limit)),
    )


RULES: dict[str, str] = {
    "battle-of-numbers": _rules(5),
    "battle-of-numbers-big": _rules(8),
}
"""The small board has five fighters on a side, the big one eight."""
