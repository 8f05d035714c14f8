"""What the tests of commands share."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

from woodstock.cli.app import app

_runner = CliRunner()


def woodstock(*arguments: str | Path, typed: str | None = None) -> Any:
    """What a command prints and ends with; anything but `SystemExit` fails the test."""
    result = _runner.invoke(app, [str(argument) for argument in arguments], input=typed)
    if result.exception is not None:
        assert isinstance(result.exception, SystemExit), result.exception
    return result


def answer(*arguments: str | Path, code: int = 0) -> dict[str, Any]:
    """The one JSON object on standard output."""
    result = woodstock(*arguments, "--json")
    assert result.exit_code == code, result.stderr
    assert result.stdout.count("\n") == 1
    found = json.loads(result.stdout)
    assert isinstance(found, dict)
    return found
