"""The clocks of a match, on the terminal, while its manager waits for answers."""

from __future__ import annotations

import time
from contextlib import AbstractContextManager, nullcontext

from rich.console import Console
from rich.live import Live
from rich.text import Text

from woodstock.protocol.manager import Waiting

__all__ = ["ClockLine"]


class ClockLine:
    """The last line of a terminal: who is waited for, and how much of which clock is used.

    Nothing is shown on a console that is none, or no terminal.
    """

    def __init__(self, console: Console | None) -> None:
        self._console = console if console is not None and console.is_terminal else None
        self._waiting: Waiting | None = None

    def shown(self) -> AbstractContextManager[object]:
        """Shows the line as long as the context lasts."""
        if self._console is None:
            return nullcontext()
        return Live(
            console=self._console, get_renderable=self._line, transient=True, refresh_per_second=5
        )

    def wait(self, waiting: Waiting) -> None:
        """The players have been asked."""
        self._waiting = waiting

    def _line(self) -> Text:
        return Text() if self._waiting is None else clock_text(self._waiting, time.monotonic())


def clock_text(waiting: Waiting, now: float) -> Text:
    """What is shown at a moment.

    >>> clock_text(Waiting(3, {"x": 15.0, "o": 5.0}, since=10.0, answered={"o": 0.25}), 12.0).plain
    '  3. x 2.0 of 15 s   o 0.2 s'
    """
    line = Text("start " if waiting.number == 0 else f"{waiting.number:>3}. ", style="bold")
    for role, seconds in waiting.seconds.items():
        used = waiting.answered.get(role)
        line.append(f"{role} ", style="not bold dim")
        if used is None:
            used = now - waiting.since
            style = "not bold red" if used > seconds else "not bold yellow"
            line.append(f"{used:.1f} of {seconds:g} s   ", style=style)
        else:
            line.append(f"{used:.1f} s   ", style="not bold green")
    line.rstrip()
    return line
