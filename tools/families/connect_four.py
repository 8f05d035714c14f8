"""Connect four on boards of any size."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["RULES", "connect_four"]

_WIDTH = 100


def connect_four(columns: int, rows: int) -> str:
    """The rulesheet of connect four on a board of this size.

    >>> print(connect_four(7, 6).splitlines()[0])
    ; Connect four on 7 columns and 6 rows: four discs of one colour in a line win.
    """
    return f"""\
; Connect four on {columns} columns and {rows} rows: four discs of one colour in a line win.
; Only discs are fluents; a cell without a disc is free. Row 1 is the lowest.

(role red)
(role black)
(opponent red black)
(opponent black red)

{_facts(f"(column {i})" for i in range(1, columns + 1))}
{_facts(f"(row {i})" for i in range(1, rows + 1))}
{_facts(f"(succ {i} {i + 1})" for i in range(1, max(columns, rows)))}

(<= (base (cell ?c ?r ?p)) (column ?c) (row ?r) (role ?p))
(<= (base (control ?p)) (role ?p))
(<= (input ?p (drop ?c)) (role ?p) (column ?c))
(<= (input ?p noop) (role ?p))

(init (control red))

; A disc may be dropped into any column whose top cell is free.
(<= (filled ?c ?r) (true (cell ?c ?r ?p)))
(<= (open ?c) (column ?c) (not (filled ?c {rows})))
(<= (legal ?p (drop ?c)) (true (control ?p)) (open ?c))
(<= (legal ?p noop) (opponent ?p ?q) (true (control ?q)))

; It comes to rest in the lowest free cell of the column.
(<= (rest ?c 1) (column ?c) (not (filled ?c 1)))
(<= (rest ?c ?r) (succ ?below ?r) (filled ?c ?below) (row ?r) (not (filled ?c ?r)))
(<= (next (cell ?c ?r ?p)) (does ?p (drop ?c)) (rest ?c ?r))
(<= (next (cell ?c ?r ?p)) (true (cell ?c ?r ?p)))
(<= (next (control ?p)) (opponent ?p ?q) (true (control ?q)))

; Lines of four in four directions.
(<= (step east ?c1 ?r ?c2 ?r) (row ?r) (column ?c1) (column ?c2) (succ ?c1 ?c2))
(<= (step north ?c ?r1 ?c ?r2) (column ?c) (row ?r1) (row ?r2) (succ ?r1 ?r2))
(<= (step rising ?c1 ?r1 ?c2 ?r2) (step east ?c1 ?r1 ?c2 ?r1) (step north ?c2 ?r1 ?c2 ?r2))
(<= (step falling ?c1 ?r1 ?c2 ?r2) (step east ?c1 ?r1 ?c2 ?r1) (step north ?c2 ?r2 ?c2 ?r1))
(<= (line ?p) (true (cell ?c1 ?r1 ?p))
    (step ?d ?c1 ?r1 ?c2 ?r2) (true (cell ?c2 ?r2 ?p))
    (step ?d ?c2 ?r2 ?c3 ?r3) (true (cell ?c3 ?r3 ?p))
    (step ?d ?c3 ?r3 ?c4 ?r4) (true (cell ?c4 ?r4 ?p)))

(<= won (line ?p))
(<= room (open ?c))

(<= terminal won)
(<= terminal (not room))

(<= (goal ?p 100) (line ?p))
(<= (goal ?p 50) (role ?p) (not won))
(<= (goal ?p 0) (opponent ?p ?q) (line ?q))
"""


def _facts(facts: Iterable[str]) -> str:
    """The facts one after the other, in lines that are not too long.

    >>> print(_facts(f"(column {i})" for i in range(8, 13)))
    (column 8) (column 9) (column 10) (column 11) (column 12)
    """
    lines: list[str] = []
    for fact in facts:
        if lines and len(lines[-1]) + 1 + len(fact) <= _WIDTH:
            lines[-1] += f" {fact}"
        else:
            lines.append(fact)
    return "\n".join(lines)


RULES: dict[str, str] = {
    "connect-four": connect_four(7, 6),
    "connect-four-8x6": connect_four(8, 6),
    "connect-four-7x7": connect_four(7, 7),
    "connect-four-20x20": connect_four(20, 20),
}
