"""The ``woodstock`` command: one small module a command, each a few lines of the library.

Exit codes: 0 fine, 1 the thing asked about is wrong, 2 wrong usage, 130 interrupted.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command (with the process's arguments unless others are given).

    Ends with `SystemExit` carrying the exit code, like every console script.
    """
    # Little is imported before interrupts are taken care of.
    from woodstock.cli.interrupts import interruptible

    with interruptible():
        from woodstock.lifeline import hold_line

        hold_line()
        from woodstock.cli.app import run

        return run(arguments)
