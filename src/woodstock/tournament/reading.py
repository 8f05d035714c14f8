"""Reading a description: typed values out of TOML, and mistakes with their place and a remedy."""

from __future__ import annotations

import difflib
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, TypeVar

from woodstock.errors import WoodstockError

# tomllib came into the standard library with Python 3.11; tomli is the same module before.
toml = import_module("tomllib" if sys.version_info >= (3, 11) else "tomli")

__all__ = ["DescriptionError", "Section", "read_section", "toml"]

_T = TypeVar("_T")
_MISSING: Any = object()
_HEAD = re.compile(r"^\s*(\[\[?)\s*([\w.\"-]+)\s*\]\]?")
_KEY = re.compile(r"^\s*([\w\"-]+)\s*=")


class DescriptionError(WoodstockError, ValueError):
    """A description of a tournament that says something else than it may."""


def read_section(text: str, name: str) -> Section:
    r"""The whole of a text in TOML; `name` is what messages call it.

    >>> section = read_section("seed = 3\n[ring]\nmatches = 20", "my.toml")
    >>> section.whole("seed", 0), section.section("ring").whole("matches", 0)
    (3, 20)
    >>> read_section("[ring]\nmatches = 'many'", "my.toml").section("ring").whole("matches", 0)
    Traceback (most recent call last):
    ...
    woodstock.tournament.reading.DescriptionError: my.toml, line 2: [ring] matches must be ...
    """
    try:
        data = toml.loads(text)
    except ValueError as problem:
        raise DescriptionError(f"{name}: this is no TOML: {problem}") from None
    return Section(data, name, _lines(text), "")


def _lines(text: str) -> dict[str, int]:
    """On which line a table or a key begins, by its path; those in braces are not looked into."""
    found: dict[str, int] = {}
    counts: dict[str, int] = {}
    path = ""
    for number, line in enumerate(text.splitlines(), 1):
        head, key = _HEAD.match(line), _KEY.match(line)
        if head:
            path = head[2].replace('"', "")
            if head[1] == "[[":
                counts[path] = counts.get(path, 0) + 1
                path = f"{path} {counts[path]}"
            found.setdefault(path, number)
        elif key:
            found.setdefault(f"{path}/{key[1]}".replace('"', ""), number)
    return found


class Section:
    """A table of a description. What is not asked for before `done` is a mistake."""

    def __init__(
        self, data: Mapping[str, Any], name: str, lines: Mapping[str, int], path: str
    ) -> None:
        self._data = data
        self._name = name
        self._lines = lines
        self._path = path
        self._asked: set[str] = set()

    def __contains__(self, key: str) -> bool:
        return key in self._data

    def error(self, key: str, words: str) -> DescriptionError:
        """A mistake at a key, or in the table itself where the key is empty."""
        line = self._lines.get(f"{self._path}/{key}") or self._lines.get(self._path)
        place = f"{self._name}, line {line}" if line else self._name
        head = f"[{self._path}] " if self._path else ""
        return DescriptionError(f"{place}: {head}{key}{' ' if key else ''}{words}")

    def text(self, key: str, default: str = _MISSING, among: Sequence[str] = ()) -> str:
        """A text, perhaps one of some."""
        found: str = self._value(key, default, str, "a text in quotes")
        if among and found not in among:
            near = difflib.get_close_matches(found, among, n=1)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise self.error(key, f"must be one of {', '.join(among)}, not {found!r}{hint}")
        return found

    def flag(self, key: str, default: bool) -> bool:
        """True or false."""
        found: bool = self._value(key, default, bool, "true or false")
        return found

    def whole(self, key: str, default: int = _MISSING, least: int = 0) -> int:
        """A whole number, not below the least."""
        found = self._value(key, default, int, "a whole number")
        if isinstance(found, bool) or found < least:
            raise self.error(key, f"must be a whole number from {least} on, not {found!r}")
        return int(found)

    def number(self, key: str, default: float = _MISSING, least: float = 0.0) -> float:
        """A number, not below the least."""
        return self._number(key, self._value(key, default, (int, float), "a number"), least)

    def numbers(self, key: str, default: Sequence[float] = _MISSING) -> tuple[float, ...]:
        """A number, or a list of them."""
        found = self._value(key, default, (int, float, list, tuple), "a number or a list of them")
        many = found if isinstance(found, (list, tuple)) else [found]
        if not many:
            raise self.error(key, "is empty; write at least one number")
        return tuple(self._number(key, one, 0.0) for one in many)

    def texts(self, key: str) -> list[str]:
        """A list of texts; none where there is none."""
        found = self._value(key, [], list, "a list of texts")
        for one in found:
            if not isinstance(one, str):
                raise self.error(key, f"must be a list of texts; {one!r} is none")
        return list(found)

    def lists(self, key: str, size: int, what: str) -> list[tuple[str, ...]]:
        """A list of lists of so many texts; none where there is none."""
        found = self._value(key, [], list, f"a list of {what}")
        for one in found:
            texts = isinstance(one, list) and all(isinstance(part, str) for part in one)
            if not texts or len(one) != size:
                raise self.error(key, f"must be a list of {what}; {one!r} is none")
        return [tuple(one) for one in found]

    def section(self, key: str) -> Section:
        """A table in this one; an empty one where there is none."""
        found = self._value(key, {}, dict, f"a table, [{key}]")
        path = f"{self._path}.{key}" if self._path else key
        return Section(found, self._name, self._lines, path)

    def sections(self, key: str) -> list[Section]:
        """Tables of the same name, ``[[key]]``; none where there are none."""
        found = self._value(key, [], list, f"a table, [[{key}]]")
        if not all(isinstance(one, dict) for one in found):
            raise self.error(key, f"must be tables; write [[{key}]] above each")
        path = f"{self._path}.{key}" if self._path else key
        return [
            Section(one, self._name, self._lines, f"{path} {number}")
            for number, one in enumerate(found, 1)
        ]

    def read(self, key: str, make: Callable[[], _T]) -> _T:
        """What is made of a value; its `ValueError` becomes a mistake at the key."""
        try:
            return make()
        except DescriptionError:
            raise
        except (ValueError, LookupError) as problem:
            raise self.error(key, f"is wrong: {problem}") from None

    def done(self) -> None:
        """All keys that mean something have been asked for."""
        for key in self._data:
            if key not in self._asked:
                near = difflib.get_close_matches(key, sorted(self._asked), n=1)
                hint = f"did you mean {near[0]}?" if near else "leave it out"
                known = ", ".join(sorted(self._asked))
                raise self.error(key, f"means nothing here; {hint} (there are {known})")

    def _value(self, key: str, default: Any, kinds: Any, what: str) -> Any:
        self._asked.add(key)
        found = self._data.get(key, default)
        if found is _MISSING:
            raise self.error("", f"lacks {key}; add {key} = {what}".strip())
        wrong = isinstance(found, bool) and kinds is not bool
        if wrong or not isinstance(found, kinds):
            raise self.error(key, f"must be {what}, not {found!r}")
        return found

    def _number(self, key: str, found: Any, least: float) -> float:
        if isinstance(found, bool) or not isinstance(found, (int, float)) or not found >= least:
            raise self.error(key, f"must be a number from {least:g} on, not {found!r}")
        return float(found)
