"""Check rules that were written a moment ago, and say what is wrong with them.

The sheet below has three mistakes: a ``?y`` is bound nowhere, ``succ`` is misspelt once, and a
goal is worth more than 100. The first one is an error, the others are warnings.
"""

from __future__ import annotations

from collections import Counter

from woodstock.gdl.checker import check
from woodstock.gdl.reader import read_text

SHEET = """
    (role climber)
    (init (height 0))
    (succ 0 1) (succ 1 2) (succ 2 3)
    (<= (legal climber up) (true (height ?x)) (suc ?x ?y))
    (legal climber rest)
    (<= (next (height ?y)) (does climber up) (true (height ?x)))
    (<= (next (height ?x)) (does climber rest) (true (height ?x)))
    (<= terminal (true (height 3)))
    (<= (goal climber 1000) (true (height 3)))
"""


def findings_of(text: str) -> Counter[str]:
    """Print every finding with its place and remedy; the number of errors and of warnings.

    >>> findings_of("(role x) (legal x wait) terminal (goal x 100)")
    <text>:1:1: warning: the game is over before it begins
        look at the rules for init and terminal
    Counter({'warning': 1})
    """
    _, findings = check(read_text(text))
    for found in findings:
        print(f"{found.file}:{found.line}:{found.column}: {found.severity}: {found.message}")
        print(f"    {found.remedy}")
    return Counter(found.severity for found in findings)


def main() -> None:
    """Check the sheet above."""
    counts = findings_of(SHEET)
    print(f"errors: {counts['error']}, warnings: {counts['warning']}")


if __name__ == "__main__":
    main()
