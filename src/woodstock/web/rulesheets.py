"""The rulesheets the page knows: those of the library, and those that somebody has pasted.

A pasted text is kept under its digest, in memory and, where there is a folder, in a file: a link to
it works after the server was started again. When there are too many, the oldest go.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from woodstock import games
from woodstock.errors import UnknownGameError, WoodstockError
from woodstock.files import write_whole

__all__ = ["Rulesheet", "Rulesheets", "UnknownRulesError", "digest_of"]

PASTED = "sha256:"
"""How the reference of a pasted rulesheet begins; its digest follows."""

LONGEST_REF = 200
_DIGEST = re.compile(r"[0-9a-f]{64}")


class UnknownRulesError(WoodstockError, LookupError):
    """A reference to rules that nobody has, or has any more."""


@dataclass(frozen=True)
class Rulesheet:
    """Rules as a text, with what is known about them.

    `hints` are those for the drawing; `digest` is the SHA-256 of the text.

    >>> Rulesheet.of_text("(role x)").ref[:14]
    'sha256:0162d40'
    """

    name: str
    title: str
    text: str
    digest: str
    hints: Mapping[str, Any] | None = field(default=None, hash=False)
    pasted: bool = False

    @property
    def ref(self) -> str:
        """What requests call it: its name in the library, or its digest."""
        return PASTED + self.digest if self.pasted else self.name

    @classmethod
    def of_text(cls, text: str) -> Rulesheet:
        """A text that somebody has pasted; it may be anything."""
        return cls("pasted", "Pasted rules", text, digest_of(text), pasted=True)

    @classmethod
    def of_library(cls, name: str) -> Rulesheet:
        """A game of the library; `UnknownGameError` where there is none of the name."""
        text = games.rules_text(name)
        hints = games.drawing_hints(name)
        title = games.meta(name).title
        return cls(name, title, text, digest_of(text), None if hints is None else dict(hints))


def digest_of(text: str) -> str:
    """The SHA-256 of a text.

    >>> digest_of("")[:8]
    'e3b0c442'
    """
    return hashlib.sha256(text.encode("utf-8", errors="surrogatepass")).hexdigest()


class Rulesheets:
    """All rulesheets by reference: ``name``, or ``sha256:DIGEST``.

    `most` pasted ones are kept, in `folder` if it is given.

    >>> known = Rulesheets(most=2)
    >>> known.find("nim").title
    'Nim'
    >>> known.find(known.keep("(role x)").ref).text
    '(role x)'
    >>> known.find("sha256:00")
    Traceback (most recent call last):
    ...
    woodstock.web.rulesheets.UnknownRulesError: nobody has these rules here (any more); paste \
them again
    """

    def __init__(self, folder: Path | None = None, *, most: int = 500) -> None:
        self._folder = folder
        self._most = most
        self._library: dict[str, Rulesheet] = {}
        self._pasted: OrderedDict[str, Rulesheet] = OrderedDict()
        if folder is not None:
            folder.mkdir(parents=True, exist_ok=True)

    def keep(self, text: str) -> Rulesheet:
        """Remember a pasted text."""
        sheet = Rulesheet.of_text(text)
        self._remember(sheet)
        if self._folder is not None and not (path := self._path(sheet.digest)).exists():
            write_whole(path, text.encode("utf-8", errors="surrogatepass"), private=True)
            self._tidy()
        return sheet

    def find(self, ref: object) -> Rulesheet:
        """The rules a request means; `UnknownRulesError` or `UnknownGameError` where none are."""
        if not isinstance(ref, str) or len(ref) > LONGEST_REF:
            raise UnknownRulesError("which game? name one of the library, or paste rules")
        if not ref.startswith(PASTED):
            if ref not in self._library:
                try:
                    self._library[ref] = Rulesheet.of_library(ref)
                except UnknownGameError as problem:
                    near = f"; did you mean {' or '.join(problem.suggestions)}?"
                    hint = near if problem.suggestions else ""
                    raise UnknownRulesError(f"no game called {ref[:80]!r}{hint}") from None
            return self._library[ref]
        digest = ref[len(PASTED) :]
        sheet = self._pasted.get(digest) or self._read(digest)
        if sheet is None:
            raise UnknownRulesError("nobody has these rules here (any more); paste them again")
        self._remember(sheet)
        return sheet

    def _read(self, digest: str) -> Rulesheet | None:
        if self._folder is None or not _DIGEST.fullmatch(digest):
            return None
        try:
            text = self._path(digest).read_bytes().decode("utf-8", errors="surrogatepass")
        except (OSError, ValueError):
            return None
        return Rulesheet.of_text(text) if digest_of(text) == digest else None

    def _remember(self, sheet: Rulesheet) -> None:
        self._pasted[sheet.digest] = sheet
        self._pasted.move_to_end(sheet.digest)
        while len(self._pasted) > self._most:
            self._pasted.popitem(last=False)

    def _path(self, digest: str) -> Path:
        assert self._folder is not None
        return self._folder / f"{digest}.kif"

    def _tidy(self) -> None:
        assert self._folder is not None
        files = sorted(self._folder.glob("*.kif"), key=_age)
        for path in files[: max(0, len(files) - self._most)]:
            path.unlink(missing_ok=True)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
