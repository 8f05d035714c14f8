"""How ``woodstock solve`` shows solutions and policies."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from woodstock.cli.progress import errors

if TYPE_CHECKING:
    from woodstock.scsp import Network, Policy
    from woodstock.scsp.answers import PolicyAnswer

__all__ = ["SHOWN_LINES", "answer_json", "print_answer", "print_array", "print_lines", "tell_only"]

SHOWN_LINES = 200
"""The most lines of a policy that are printed."""


def print_lines(solutions: Iterable[Mapping[str, Any]]) -> int:
    """One line a solution, whatever names and values of the file are; how many there were."""
    from woodstock.scsp.values import printable

    number = 0
    for solution in solutions:
        number += 1
        text = ", ".join(f"{name} = {value}" for name, value in solution.items())
        sys.stdout.write(f"{printable(text)}\n")
        sys.stdout.flush()
    return number


def print_array(solutions: Iterable[Mapping[str, Any]], file: Path) -> int:
    """The beginning of the JSON object up to its solutions; how many there were."""
    from woodstock.scsp.xcsp3.names import to_json

    sys.stdout.write(json.dumps({"file": str(file)})[:-1] + ', "solutions": [')
    number = 0
    for solution in solutions:
        number += 1
        plain = {name: to_json(value, name) for name, value in solution.items()}
        sys.stdout.write((", " if number > 1 else "") + json.dumps(plain))
    sys.stdout.write("]")
    return number


def tell_only(network: Network) -> None:
    """Say on standard error that the last variables are auxiliary, if there are any."""
    number = len(network.auxiliary)
    if number:
        last = "the last variable is" if number == 1 else f"the last {number:,} variables are"
        errors.print(f"({last} auxiliary; --only NAMES shows those you name)", markup=False)


# Policies


def print_answer(network: Network, answer: PolicyAnswer | None) -> None:
    """The policy and its value beside what is asked for."""
    from woodstock.scsp.answers import shortened

    if answer is None:
        sys.stdout.write("no policy satisfies the constraints that have to hold\n")
        return
    sys.stdout.write(f"{answer.measure} {_numbers(answer.value)}; ")
    sys.stdout.write(f"asked for: {_numbers(network.threshold)}\n")
    reached = "the best policy, a solution:", "no policy reaches that; the best one:"
    sys.stdout.write(f"{reached[not answer.reached]}\n")
    hidden = {variable.name for variable in network.auxiliary}
    lines = str(shortened(answer.policy, hidden)).splitlines()
    for line in lines[:SHOWN_LINES] or ["nothing is to be decided"]:
        sys.stdout.write(f"{line}\n")
    if len(lines) > SHOWN_LINES:
        left = len(lines) - SHOWN_LINES
        sys.stdout.write(f"… {left:,} more lines; --json has the whole policy\n")


def answer_json(network: Network, answer: PolicyAnswer | None) -> dict[str, Any]:
    """The same as JSON."""
    hidden = {variable.name for variable in network.auxiliary}
    return {
        "policy": None if answer is None else _policy_json(answer.policy, hidden),
        "measure": None if answer is None else answer.measure,
        "value": None if answer is None else [str(number) for number in answer.value],
        "threshold": [str(number) for number in network.threshold],
        "satisfiable": answer is not None and answer.reached,
    }


def _policy_json(policy: Policy, hidden: set[str]) -> dict[str, Any]:
    from woodstock.scsp.xcsp3.names import to_json

    decisions = {n: to_json(value, n) for n, value in policy.decisions if n not in hidden}
    if policy.chance is None:
        return {"decisions": decisions}
    branches = [
        {"value": to_json(value, policy.chance), "then": _policy_json(below, hidden)}
        for value, below in policy.branches
    ]
    return {"decisions": decisions, "chance": policy.chance, "branches": branches}


def _numbers(numbers: Iterable[Fraction]) -> str:
    """Each number as a fraction, and in per cent where that is easier to read."""
    shown = []
    for number in numbers:
        text = str(number) if number.denominator < 10**6 else f"about {float(number):.6f}"
        shown.append(text if number.denominator == 1 else f"{text} ({float(number):.1%})")
    return ", ".join(shown)
