"""The game library: rules written for WoodStock, with golden counts and a recorded match each.

A game is a folder: ``rules.kif`` (the rules), ``meta.toml`` (what a person wants to know of them),
``perft.json`` (how many lines of play there are to each depth) and ``playthrough.json`` (a recorded
random match). ``python tools/record_game.py`` writes the last two.

>>> from woodstock import games
>>> "tic-tac-toe" in games.names()
True
>>> games.meta("connect-four").board
'7x6'
>>> games.perft_counts("tic-tac-toe")[:4]
(1, 9, 72, 504)
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from woodstock.errors import UnknownGameError
from woodstock.games.beside import Beside, read_beside
from woodstock.games.meta import GameMeta, PaperReference, read_meta
from woodstock.gdl.reader import read_file, read_text
from woodstock.gdl.sheet import Sheet

__all__ = [
    "FILES",
    "Beside",
    "GameMeta",
    "PaperReference",
    "drawing_hints",
    "is_library_text",
    "meta",
    "names",
    "perft_counts",
    "playthrough",
    "read_beside",
    "read_sheet",
    "rules_path",
    "rules_text",
    "words_about",
]

FILES = ("rules.kif", "meta.toml", "perft.json", "playthrough.json")
"""The files that make a folder a game of the library."""

_LONGEST = 400
"""Signs of a comment that are taken for what a game is about."""
_LIBRARY = Path(__file__).resolve().parent


def names() -> tuple[str, ...]:
    """The games of the library, sorted by name.

    >>> names()[:2]
    ('amazons-torus-10x10', 'backgammon')
    """
    return tuple(sorted(rules.parent.name for rules in _LIBRARY.glob("*/rules.kif")))


def rules_path(name: str) -> Path:
    """The file that holds a game's rules.

    >>> rules_path("nim").name
    'rules.kif'
    >>> rules_path("tictactoe")
    Traceback (most recent call last):
    ...
    woodstock.errors.UnknownGameError: no game or file called 'tictactoe'; did you mean \
tic-tac-toe? ('woodstock games' lists the library)
    """
    return _file(name, "rules.kif")


def read_sheet(source: str | Path) -> tuple[str, Sheet]:
    """The name and the rulesheet of a game of the library or, where there is none, of a file.

    A `Path` is always a file. Raises `UnknownGameError` where there is neither, and what
    `woodstock.gdl.reader.read_file` raises.

    >>> name, sheet = read_sheet("nim")
    >>> name, Path(sheet.source.name).name
    ('nim', 'rules.kif')
    """
    if isinstance(source, str) and source in names():
        return source, read_text(rules_text(source), str(rules_path(source)))
    path = Path(source)
    try:
        return path.stem, read_file(path)
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError):
        # What looks like a file is not taken for a game that was misspelt.
        looks_like_file = len(path.parts) > 1 or bool(path.suffix)
        near = () if looks_like_file else _nearest(str(source))
        raise UnknownGameError(str(source), near) from None


def rules_text(name: str) -> str:
    """A game's rules as KIF text.

    >>> rules_text("nim").startswith("; Nim")
    True
    """
    return rules_path(name).read_text(encoding="utf-8")


def is_library_text(name: str, text: str) -> bool:
    """Whether a text is that of the library's game of this name.

    >>> is_library_text("nim", rules_text("nim")), is_library_text("nim", "(role x)")
    (True, False)
    """
    return name in names() and text == rules_text(name)


def words_about(name: str, sheet: Sheet) -> tuple[str, str]:
    r"""The title of a game and a sentence about it, as far as somebody has written them.

    Of a game of the library they are in its ``meta.toml``, of one's own in the file beside its
    rules, or else in the comment at the head of these.

    >>> words_about(*read_sheet("nim"))[0]
    'Nim'
    >>> words_about("mine", read_text("; A game of mine.\n; It is short.\n(role x)"))
    ('mine', 'A game of mine. It is short.')
    """
    if is_library_text(name, sheet.source.text):
        return meta(name).title, meta(name).summary
    beside = read_beside(Path(sheet.source.name))
    title, summary = (beside.title, beside.summary) if beside else ("", "")
    return title or name, summary or _head_comment(sheet.source.text)


def _head_comment(text: str) -> str:
    lines = []
    for line in text.splitlines():
        if line.strip()[:1] not in (";", "%"):
            break
        lines.append(line.strip().lstrip(";% \t").rstrip())
        if not lines[-1]:
            break
    words = " ".join(line for line in lines if line)
    return words if len(words) <= _LONGEST else words[: _LONGEST - 3].rsplit(" ", 1)[0] + " ..."


@cache
def meta(name: str) -> GameMeta:
    """What the library says about a game.

    >>> meta("hex").summary
    'Build an unbroken chain of stones between your two edges.'
    """
    return read_meta(_file(name, "meta.toml"))


def drawing_hints(name: str) -> Mapping[str, Any] | None:
    """The drawing hints of a game; None for a game that is not of the library.

    >>> drawing_hints("hex")["shape"]
    'hex'
    >>> drawing_hints("my own game") is None
    True
    """
    return meta(name).drawing if name in names() else None


def perft_counts(name: str) -> tuple[int, ...]:
    """The golden counts: entry d is the number of joint-move sequences of length d.

    A sequence ends where the game ends, so sequences that reach an end earlier are not counted.

    >>> perft_counts("matching-pennies")
    (1, 4)
    """
    data = json.loads(_file(name, "perft.json").read_text(encoding="utf-8"))
    return tuple(int(count) for count in data["depth_counts"])


def playthrough(name: str) -> dict[str, Any]:
    """A recorded random match: ``game``, ``seed`` and ``plies`` with states, moves and goals.

    >>> match = playthrough("nim")
    >>> match["plies"][0]["state"]
    ['(control player1)', '(heap a 1)', '(heap b 5)', '(heap c 4)', '(heap d 2)']
    >>> match["plies"][-1]["terminal"]
    True
    """
    data: dict[str, Any] = json.loads(_file(name, "playthrough.json").read_text(encoding="utf-8"))
    return data


def _file(name: str, file: str) -> Path:
    # Compared with the list, not with the disk: a name such as "../x" must not leave the library.
    if name not in names():
        raise UnknownGameError(name, _nearest(name))
    return _LIBRARY / name / file


def _nearest(name: str) -> list[str]:
    return difflib.get_close_matches(name.lower(), names(), n=3)
