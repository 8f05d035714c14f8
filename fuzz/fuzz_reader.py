"""Feed the front end rulesheets full of mistakes; nothing but a `WoodstockError` may come out.

    python fuzz/fuzz_reader.py --runs 1000000 --seed 1 --jobs 2
    python fuzz/fuzz_reader.py fuzz/crashes/1f0c...       # an input again

Inputs are decoded, read, normalised and checked; what is accepted must survive writing and reading
in both spellings, and whole games that are still playable are asked for their first position. The
inputs depend on the seed alone, not on the number of jobs. An input that fails or takes more than
five seconds is saved to `fuzz/crashes/`, and the exit status is 1.
"""

from __future__ import annotations

import sys

from campaign import Campaign, main
from mutation import Mutator

from woodstock.errors import WoodstockError
from woodstock.gdl.checker import check, look_for_oversights
from woodstock.gdl.infix import write_infix
from woodstock.gdl.interpreter import Interpreter
from woodstock.gdl.reader import decode, read_text
from woodstock.gdl.rules import normalise
from woodstock.gdl.sheet import Sheet

WHOLE, CHECKED, WRITTEN = 100, 8, 16
"""One input in so many is a whole game; is checked; is written and read again."""


class Sheets(Mutator):
    """Rulesheets, and now and then a whole game."""

    def input(self, number: int) -> bytes:
        """A rulesheet with mistakes."""
        return self.small() if number % WHOLE else self.whole()


def front_end(data: bytes, number: int) -> None:
    """Everything a rulesheet from outside goes through; `number` decides how far this one goes."""
    sheet = read_text(decode(data))
    if number % WRITTEN == 0:
        written_and_read(sheet)
    if number % WHOLE == 0:
        rules, findings = check(sheet, thorough=False)
        look_for_oversights(rules, findings)
        if not any(finding.severity == "error" for finding in findings):
            game = Interpreter(rules, seconds=1.0)
            view = game.view(game.initial())
            if not view.terminal():
                view.after([next(iter(view.legal(role)), "noop") for role in rules.roles])
    elif number % CHECKED == 0:
        check(sheet, thorough=False)
    else:
        normalise(sheet)


def written_and_read(sheet: Sheet) -> None:
    """Writing loses nothing, in either spelling."""
    try:
        kif = read_text(sheet.to_kif(), form="kif")
        infix = read_text(write_infix(sheet), form="infix")
    except WoodstockError as problem:
        # What the reader accepted once it must accept again.
        raise AssertionError(f"what was written cannot be read: {problem}") from problem
    if kif.clauses != sheet.clauses:
        raise AssertionError("KIF does not read back as the same rules")
    if infix.clauses != sheet.clauses:
        raise AssertionError("infix does not read back as the same rules")


PLAN = Campaign(__doc__ or "", front_end, Sheets)

if __name__ == "__main__":
    sys.exit(main(PLAN))
