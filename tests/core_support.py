"""Small games in the form that the translation hands to clingo, and ways to ground them.

Predicates are called p<N> (2 true, 3 does, 4 legal, 5 next, ...), constants are integers and
function terms f<N>(...); both kinds of numbers are symbols.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import clingo
from clingo import _internal
from hypothesis import strategies as st

from woodstock._core import Evaluator, GroundProgram, Observer, ProgramBuilder

INPUTS = "{p2(F)} :- p1(F).  {p2(F)} :- p5(F).  {p3(R,A)} :- p4(R,A)."

# Symbols: roles 1 and 2, blank 3, cell 4, control 5, mark 6, noop 7, coordinates 11 to 13.
TIC_TAC_TOE = """
p0(1;2). p20(11..13).
p1(f4(X,Y,3)) :- p20(X), p20(Y).  p1(f5(1)).
p4(R,f6(X,Y)) :- p2(f4(X,Y,3)), p2(f5(R)), p0(R).
p4(1,7) :- p2(f5(2)).  p4(2,7) :- p2(f5(1)).
p5(f4(X,Y,R)) :- p3(R,f6(X,Y)), p2(f4(X,Y,3)).
p5(f4(X,Y,R)) :- p2(f4(X,Y,R)), p0(R).
p5(f4(X,Y,3)) :- p2(f4(X,Y,3)), p3(R,f6(A,B)), X != A.
p5(f4(X,Y,3)) :- p2(f4(X,Y,3)), p3(R,f6(A,B)), Y != B.
p5(f5(1)) :- p2(f5(2)).  p5(f5(2)) :- p2(f5(1)).
p21(R) :- p2(f4(X,11,R)), p2(f4(X,12,R)), p2(f4(X,13,R)), p0(R).
p21(R) :- p2(f4(11,Y,R)), p2(f4(12,Y,R)), p2(f4(13,Y,R)), p0(R).
p21(R) :- p2(f4(11,11,R)), p2(f4(12,12,R)), p2(f4(13,13,R)), p0(R).
p21(R) :- p2(f4(11,13,R)), p2(f4(12,12,R)), p2(f4(13,11,R)), p0(R).
p22 :- p2(f4(X,Y,3)).
p6 :- p21(R).  p6 :- not p22.
p7(R,100) :- p21(R).  p7(R,0) :- p21(O), p0(R), R != O.
p7(R,50) :- p0(R), not p21(1), not p21(2).
p8(R,f6(X,Y)) :- p3(O,f6(X,Y)), p0(R), R != O.
"""

FLUENTS = range(5)
HELPERS = range(4)
MOVES = [(1, 10), (1, 11), (2, 10), (2, 11)]

state_literals = st.one_of(
    st.sampled_from([f"p2({f})" for f in FLUENTS]),
    st.sampled_from([f"not p2({f})" for f in FLUENTS]),
)
move_literals = st.sampled_from(
    [f"{sign}p3({r},{a})" for r, a in MOVES for sign in ("", "not ")],
)


@st.composite
def rulesheets(draw: st.DrawFn) -> str:
    """Rules with positive recursion among the helpers 0 and 1, and negation only below."""
    rules = ["p0(1;2)."]
    rules += [f"p1({f})." for f in draw(st.sets(st.sampled_from(FLUENTS), max_size=3))]

    def rule(head: str, *parts: st.SearchStrategy[str]) -> None:
        for _ in range(draw(st.integers(0, 3))):
            body = draw(st.lists(st.one_of(*parts), min_size=1, max_size=3))
            rules.append(f"{head} :- {', '.join(body)}.")

    recursive = st.sampled_from(["p16(0)", "p16(1)"])
    below = st.sampled_from(["not p16(0)", "not p16(1)", "p16(1)", "p16(2)"])
    helper = st.sampled_from([f"{sign}p16({h})" for h in (0, 1, 2) for sign in ("", "not ")])
    moved = st.sampled_from(["p16(3)", "not p16(3)"])
    rule("p16(0)", state_literals, recursive)
    rule("p16(1)", state_literals, recursive)
    rule("p16(2)", state_literals, below)
    rule("p16(3)", state_literals, helper, move_literals)
    for role, move in MOVES:
        if draw(st.booleans()):
            rules.append(f"p4({role},{move}).")
        else:
            rule(f"p4({role},{move})", state_literals, helper)
    for fluent in FLUENTS:
        rule(f"p5({fluent})", state_literals, helper, move_literals, moved)
    rule("p6", state_literals, helper)
    rule("p7(1,100)", state_literals, helper)
    rule("p8(2,5)", move_literals, moved)
    return "\n".join(rules) + "\n"


def address_of(control: clingo.Control) -> int:
    """Where the C structure behind a control lies."""
    return int(_internal._ffi.cast("uintptr_t", control._rep))  # type: ignore[attr-defined]


def ground_natively(text: str, *, keep_all: bool = False, max_rules: int = 0) -> GroundProgram:
    """Ground with the native observer."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text + INPUTS)
    observer = Observer(address_of(control), max_rules)
    control.ground([("base", [])])
    return observer.finish(keep_all)


class BuilderObserver(clingo.Observer):
    """The same by way of Python callbacks and a ProgramBuilder."""

    def __init__(self) -> None:
        self.builder = ProgramBuilder()

    def rule(self, choice: bool, head: Sequence[int], body: Sequence[int]) -> None:
        if not choice:
            self.builder.add_rule(head[0], list(body))

    def term(self, symbol: clingo.Symbol) -> int:
        if symbol.type is clingo.SymbolType.Number:
            return self.builder.add_term(symbol.number)
        return self.builder.add_term(int(symbol.name[1:]), [self.term(a) for a in symbol.arguments])


def ground_in_python(text: str, *, keep_all: bool = False) -> GroundProgram:
    """Ground with a Python observer."""
    control = clingo.Control(["--warn=none"])
    control.add("base", [], text + INPUTS)
    observer = BuilderObserver()
    control.register_observer(observer, replace=True)
    control.ground([("base", [])])
    for atom in control.symbolic_atoms:
        arguments = [observer.term(argument) for argument in atom.symbol.arguments]
        observer.builder.add_atom(atom.literal, int(atom.symbol.name[1:]), arguments)
    return observer.builder.finish(keep_all)


def term_text(program: GroundProgram, term: int) -> str:
    """A term the way clingo writes it."""
    symbol, arguments = program.term(term)
    if not arguments:
        return str(symbol)
    return f"f{symbol}({','.join(term_text(program, argument) for argument in arguments)})"


def fluents_of(state: bytes) -> list[int]:
    """The indices of the fluents that hold."""
    return [8 * i + k for i, byte in enumerate(state) for k in range(8) if byte >> k & 1]


def joint_moves(program: GroundProgram, legal: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every combination of one legal move a role."""
    moves = program.moves()
    return product(*([m for m in legal if moves[m][0] == role] for role in program.roles()))


def reachable_states(program: GroundProgram, limit: int) -> Iterator[bytes]:
    """States that play can reach, breadth first, at most `limit` of them."""
    evaluator = Evaluator(program)
    queue = [evaluator.initial()]
    seen = set(queue)
    for state in queue:
        yield state
        terminal, legal, _ = evaluator.analyse(state)
        if terminal:
            continue
        for moves in joint_moves(program, legal):
            successor, _ = evaluator.next(state, moves)
            if successor not in seen and len(seen) < limit:
                seen.add(successor)
                queue.append(successor)
