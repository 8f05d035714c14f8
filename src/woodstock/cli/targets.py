"""Files that commands write: what is there already is only replaced by its like."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from woodstock.files import check_target
from woodstock.learn.values import MAGIC
from woodstock.match.record import is_record

__all__ = [
    "ForceOption",
    "check_network",
    "check_page",
    "check_picture",
    "check_record",
    "check_values_file",
]

ForceOption = Annotated[
    bool, typer.Option("--force", help="Overwrite a file even if it is something else.")
]


def _check(what: str, is_ours: Callable[[bytes], bool]) -> Callable[[Path | None, bool], None]:
    def check(path: Path | None, force: bool) -> None:
        if path is not None:
            check_target(path, what, is_ours, force=force)

    return check


check_record = _check("record of a match", is_record)
"""Complain where a file is there that is no record."""

check_network = _check("XCSP3 file", lambda head: b"<instance" in head)
"""Complain where a file is there that is no network."""

check_picture = _check("SVG picture", lambda head: b"<svg" in head)
"""Complain where a file is there that is no picture."""

check_page = _check("HTML page", lambda head: b"<html" in head.lower())
"""Complain where a file is there that is no page."""

check_values_file = _check("file of values", lambda head: head.startswith(MAGIC))
"""Complain where a file is there that holds no values."""
