"""What players say about their moves, on standard error."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

import typer

from woodstock.cli.progress import errors

__all__ = ["LogOption", "player_log"]

LogOption = Annotated[
    bool, typer.Option("--log", help="Say on standard error why each move was chosen.")
]


class _Handler(logging.Handler):
    """Prints messages above a progress bar, without tracebacks: those are for programmers."""

    def emit(self, record: logging.LogRecord) -> None:
        text = record.getMessage()
        if record.exc_info and record.exc_info[1] is not None:
            text += f": {record.exc_info[1]!r}"
        try:
            errors.print(text, markup=False, soft_wrap=True)
        except (OSError, ValueError, SystemExit):
            # Nobody reads it any more; who plays must not care. Rich would end the process.
            return


@contextmanager
def player_log(wanted: bool, name: str = "woodstock.player") -> Iterator[None]:
    """Print what goes wrong in players and, if it is wanted, why each move was chosen.

    >>> with player_log(False):
    ...     logging.getLogger("woodstock.player").info("not printed")
    """
    logger = logging.getLogger(name)
    handler, level = _Handler(), logger.level
    logger.addHandler(handler)
    logger.setLevel(logging.INFO if wanted else logging.WARNING)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)
