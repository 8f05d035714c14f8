"""Progress on standard error, for work that lasts: nothing at all is shown in the first seconds."""

from __future__ import annotations

import threading
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

__all__ = ["Working", "errors"]

_PATIENCE = 2.0

errors = Console(stderr=True, highlight=False)
"""The console of messages that are not the answer."""


class Working:
    """A line that says what is going on, shown once it has gone on for two seconds.

    On a terminal it moves and disappears; in a log it is one plain line.

    >>> with Working("Counting") as line:
    ...     line.update("Counting depth 3", 10, 20)
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._done: float = 0
        self._total: float | None = None
        self._lock = threading.Lock()
        self._progress: Progress | None = None
        self._timer = threading.Timer(_PATIENCE, self._show)
        self._timer.daemon = True

    def __enter__(self) -> Working:
        self._timer.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        problem: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._timer.cancel()
        with self._lock:
            if self._progress is not None:
                self._progress.stop()
            self._timer.function = lambda: None  # should it be waiting for the lock

    def update(self, text: str, done: float = 0, total: float | None = None) -> None:
        """Say what is being done now, and how far it has come."""
        self._text, self._done, self._total = text, done, total
        progress = self._progress
        if progress is not None:
            progress.update(progress.task_ids[0], description=text, completed=done, total=total)

    def _show(self) -> None:
        with self._lock:
            if self._timer.finished.is_set():
                return
            if not errors.is_terminal:
                errors.print(f"{self._text} ...", markup=False)
                return
            self._progress = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}", markup=False),
                BarColumn(bar_width=24),
                TimeElapsedColumn(),
                console=errors,
                transient=True,
            )
            self._progress.add_task(self._text, completed=int(self._done), total=self._total)
            self._progress.start()
