"""Buttons and lights with any number of panels.

A panel has three lights and three buttons. In the plain games one panel counts and the others are
there to mislead; in the joint game every panel that is lit counts.
"""

from __future__ import annotations

__all__ = ["RULES"]

_HEAD = """\
; {title}: {panels} panels of three lights p, q and r.
; Button a toggles p, button b swaps p and q, button c swaps q and r.
; {goal}

(role robot)

{facts}
(light p) (light q) (light r)
(wired a p) (wired b p) (wired b q) (wired c q) (wired c r)
(swaps b p q) (swaps b q p) (swaps c q r) (swaps c r q)
(<= (button ?b) (wired ?b ?l))

(<= (base (on ?x ?l)) (panel ?x) (light ?l))
(base (step 0))
(<= (base (step ?n)) (succ ?m ?n))
(<= (input robot (press ?x ?b)) (panel ?x) (button ?b))

(init (step 0))

(<= (legal robot (press ?x ?b)) (panel ?x) (button ?b))

(<= (touched ?x ?l) (does robot (press ?x ?b)) (wired ?b ?l))
(<= (next (on ?x p)) (does robot (press ?x a)) (not (true (on ?x p))))
(<= (next (on ?x ?l)) (does robot (press ?x ?b)) (swaps ?b ?l ?m) (true (on ?x ?m)))
(<= (next (on ?x ?l)) (true (on ?x ?l)) (not (touched ?x ?l)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))

(<= (lit ?x) (true (on ?x p)) (true (on ?x q)) (true (on ?x r)))
"""

_ONE_PANEL = """\
(<= terminal (lit {target}))
(<= terminal (true (step {presses})))
(<= (goal robot 100) (lit {target}))
(<= (goal robot 0) (not (lit {target})))
"""

_ALL_PANELS = """\
(<= dark (panel ?x) (not (lit ?x)))
(<= terminal (not dark))
(<= terminal (true (step {presses})))

; (litUpTo X N): N of the panels 1 to X are lit.
(litUpTo 0 0)
(<= (litUpTo ?x ?n) (succ ?w ?x) (lit ?x) (litUpTo ?w ?m) (succ ?m ?n))
(<= (litUpTo ?x ?n) (succ ?w ?x) (panel ?x) (not (lit ?x)) (litUpTo ?w ?n))
(<= (goal robot ?v) (litUpTo {panels} ?n) (worth ?n ?v))
"""


def _facts(name: str, rows: list[str]) -> str:
    """Facts of one relation, several on a line."""
    per_line = max(1, 96 // (len(f"({name} {rows[-1]}) ")))
    facts = [f"({name} {row})" for row in rows]
    lines = [facts[i : i + per_line] for i in range(0, len(facts), per_line)]
    return "\n".join(" ".join(line) for line in lines)


def _sheet(title: str, goal: str, end: str, panels: int, presses: int, worth: bool) -> str:
    facts = [
        _facts("panel", [str(i) for i in range(1, panels + 1)]),
        _facts("succ", [f"{i} {i + 1}" for i in range(presses)]),
    ]
    if worth:
        facts.append(_facts("worth", [f"{n} {n * 100 // panels}" for n in range(panels + 1)]))
    figures = {"panels": panels, "presses": presses, "target": (panels + 1) // 2}
    head = _HEAD.format(
        title=title, goal=goal.format(**figures), facts="\n".join(facts), panels=panels
    )
    return head + end.format(**figures)


def _plain(panels: int) -> str:
    goal = "All lights of panel {target} have to be on after {presses} presses at most."
    return _sheet("Buttons and lights", goal, _ONE_PANEL, panels, presses=6, worth=False)


def _joint(panels: int) -> str:
    goal = "Light all panels with {presses} presses, six for each; a lit panel is worth its share."
    return _sheet(
        "Joint buttons and lights", goal, _ALL_PANELS, panels, presses=6 * panels, worth=True
    )


RULES: dict[str, str] = {
    **{f"buttons-and-lights-{panels}": _plain(panels) for panels in (3, 7, 10)},
    "joint-buttons-and-lights-25": _joint(25),
}
"""The rules of each member of the family, by its name in the library."""
