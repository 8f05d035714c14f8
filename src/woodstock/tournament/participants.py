"""Participants: players of ours with their options, and programs behind HTTP."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal

from woodstock.errors import WoodstockError
from woodstock.player import UnknownPlayerError, make_player
from woodstock.protocol.hosted_players import Address
from woodstock.search import search_names
from woodstock.search.written import written
from woodstock.tournament.reading import Section

__all__ = ["LITERAL_PRESETS", "Participant", "read_participants"]

Kind = Literal["player", "address", "command", "absent"]
_KINDS: tuple[Kind, ...] = ("player", "address", "command", "absent")

LITERAL_PRESETS: Mapping[str, str] = MappingProxyType(
    {
        "mac-ucb-paper": "MAC-UCB as the papers' text has it, nothing tuned",
        "mac-ucb-sym-paper": "MAC-UCB-SYM as the papers' text has it, nothing tuned",
        "mac-ucb-ii-paper": "MAC-UCB-II as the papers' text has it, nothing tuned",
    }
)
"""Presets that tables may ask for before there are such players: a reason then, no mistake."""


@dataclass(frozen=True)
class Participant:
    """Who takes part: a `name`, and what stands behind it.

    `kind` says what `text` is: ``player``, one of ours with its options; ``address``, HOST:PORT of
    a program that listens there; ``command``, a command line that starts one, with ``{port}`` in
    it; ``absent``, the reason why there is nobody.

    >>> Participant("mine", "player", "uct:C=0.4").key
    'mine=uct:C=0.4'
    >>> Participant.of("uct").key, Participant.of("uct").missing
    ('uct', None)
    """

    name: str
    kind: Kind
    text: str
    dialect: str = "auto"

    @classmethod
    def of(cls, text: str) -> Participant:
        """A player of ours, or the HOST:PORT of a program, under its own name.

        >>> Participant.of("localhost:9147").kind
        'address'
        """
        return cls(text, "address" if _is_address(text) else "player", text)

    @property
    def is_ours(self) -> bool:
        """Whether it plays in this process, so that its CPU time can be measured."""
        return self.kind == "player"

    @property
    def key(self) -> str:
        """The participant in ids of matches; a file of values is told by its content."""
        text = self.text if self.kind != "address" else f"http://{self.text}"
        digest = self._values_digest()
        whole = f"{text}#{digest}" if digest else text
        return whole if self.name == self.text else f"{self.name}={whole}"

    @property
    def missing(self) -> str | None:
        """Why it cannot take part; None where it can, as far as can be told beforehand."""
        if self.kind == "absent":
            return self.text
        if self.kind == "player":
            try:
                make_player(self.text, 0)
            except UnknownPlayerError as problem:
                return f"there is no player {problem.name} yet"
            except (WoodstockError, OSError) as problem:
                return str(problem)
        return None

    def _values_digest(self) -> str:
        if self.kind != "player" or self.text.partition(":")[0] not in search_names():
            return ""
        file = written(self.text).file
        if file is None or not Path(file).is_file():
            return ""
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:8]


def read_participants(section: Section) -> tuple[Participant, ...]:
    """The participants of a description: ``participants = [...]`` and ``[[participant]]``."""
    found = [_short(section, text) for text in section.texts("participants")]
    found += [_long(one) for one in section.sections("participant")]
    if not found:
        raise section.error("", 'lacks participants; add participants = ["uct", "random"]')
    names = [one.name for one in found]
    for name in names:
        if names.count(name) > 1:
            raise section.error("participants", f"has {name!r} twice; give each a name of its own")
    return tuple(found)


def _short(section: Section, text: str) -> Participant:
    participant = Participant.of(text)
    _check(section, "participants", participant)
    return participant


def _long(section: Section) -> Participant:
    given = [kind for kind in _KINDS if kind in section]
    if len(given) != 1:
        have = " and ".join(given) or "nothing"
        raise section.error("", f"must have one of {', '.join(_KINDS)}, and has {have}")
    kind = given[0]
    text = section.text(kind)
    name = section.text("name", text)
    dialect = section.text("dialect", "auto", among=("auto", "gdl", "gdl2", "gdl2-old"))
    section.done()
    participant = Participant(name, kind, text, dialect)
    _check(section, kind, participant)
    return participant


def _check(section: Section, key: str, one: Participant) -> None:
    if not one.name.strip() or "|" in one.name:
        raise section.error("name", f"{one.name!r} cannot be a name; it is empty or has a | in it")
    if one.kind == "address":
        section.read(key, lambda: Address.parse(one.text))
    if one.kind == "command":
        section.read(key, lambda: shlex.split(one.text))
        if "{port}" not in one.text:
            words = "does not say where to listen; put {port} where the port belongs"
            raise section.error(key, words)
    if one.kind == "player" and one.text.partition(":")[0].strip() not in LITERAL_PRESETS:
        section.read(key, lambda: make_player(one.text, 0))


def _is_address(text: str) -> bool:
    try:
        Address.parse(text)
    except ValueError:
        return False
    return True
