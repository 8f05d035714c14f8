"""What an author says about a game of one's own, in a file beside its rules.

``mygame.toml`` beside ``mygame.kif`` may have a ``title``, a ``summary`` and a table ``drawing``
with hints for the picture, as the ``meta.toml`` of a game of the library has. Whatever else stands
in it belongs to somebody else, and so does a file that has none of these three.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

from woodstock.errors import HintError

# tomllib came into the standard library with Python 3.11; tomli is the same module before.
_toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

__all__ = ["Beside", "read_beside"]

_PLACE = re.compile(r"\s*\(at (line (?P<line>\d+), column (?P<column>\d+)|end of document)\)$")


@dataclass(frozen=True)
class Beside:
    r"""The words and hints beside a rulesheet. `path` is their file, `text` what is in it.

    >>> Beside(Path("mine.toml"), 'title = "Mine"\n[drawing]\nrows = 3').place("rows")
    'mine.toml:3:1'
    """

    path: Path
    text: str
    title: str = ""
    summary: str = ""
    drawing: Mapping[str, Any] = field(default_factory=lambda: MappingProxyType({}), hash=False)

    def place(self, key: str) -> str:
        """Where a key is written: file, line and column."""
        spelled = re.compile(rf"^[ \t]*(\[drawing\.)?[\"']?{re.escape(key)}\b", re.MULTILINE)
        found = spelled.search(self.text, max(0, self.text.find("[drawing")))
        if found is None:
            return str(self.path)
        start = found.end() - len(found.group().lstrip())
        line = self.text.count("\n", 0, start) + 1
        return f"{self.path}:{line}:{start - (self.text.rfind(chr(10), 0, start) + 1) + 1}"


def read_beside(rules: Path) -> Beside | None:
    """What stands beside a file with rules; None where nothing does.

    `HintError` names the place of what cannot be read.
    """
    path = rules.with_suffix(".toml")
    if path == rules:
        return None
    try:
        text = path.read_bytes().decode("utf-8-sig")
        table = _toml.loads(text)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        return None
    except UnicodeDecodeError:
        raise HintError(f"{path}: this is no text in UTF-8") from None
    except ValueError as problem:
        raise HintError(_syntax(path, str(problem))) from None
    except RecursionError:
        raise HintError(f"{path}: this is nested too deeply") from None
    words = {key: table.get(key, "") for key in ("title", "summary")}
    for key, value in words.items():
        if not isinstance(value, str):
            raise HintError(f'{path}: {key!r} is no text; write {key} = "..."')
    drawing = table.get("drawing", {})
    if not isinstance(drawing, dict):
        raise HintError(f"{path}: 'drawing' is no table; write its hints below a line [drawing]")
    return Beside(path, text, **words, drawing=MappingProxyType(drawing))


def _syntax(path: Path, message: str) -> str:
    """A complaint of the TOML reader with the place in front.

    >>> _syntax(Path("a.toml"), "Invalid value (at line 2, column 8)")
    'a.toml:2:8: this is no TOML: Invalid value'
    """
    found = _PLACE.search(message)
    where = f"{path}:{found['line']}:{found['column']}" if found and found["line"] else str(path)
    return f"{where}: this is no TOML: {_PLACE.sub('', message)}"
