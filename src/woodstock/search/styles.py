"""Styles: ways to search that `woodstock` chooses from, game by game, by rehearsing them.

A style is a search with options, written like a player. Most are trees; some are other searches.

>>> style = Style.parse("mac-ucb:values=net")
>>> str(style.with_change(Style.parse("mac-ucb:answer=followed")))
'mac-ucb:values=net,answer=followed'
>>> str(style.with_change(Style.parse("woodstock:mast=0.05")))
'woodstock:mast=0.05'
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from woodstock.errors import WoodstockError
from woodstock.game import Game
from woodstock.learn import Values
from woodstock.search.presets import chosen_options, parse
from woodstock.search.written import NET_VALUES

__all__ = ["NET_STYLE", "USUAL", "Candidate", "NetPromise", "Style", "candidates_of"]

NetPromise: TypeAlias = Literal["none", "little", "much"]
"""Whether there is a net, and what is expected of it."""

NET_STYLE = "mac-ucb:values=net"
"""What usually does best with a net that suits a game."""


@dataclass(frozen=True)
class Style:
    """A search and the options in which it differs from its preset."""

    search: str = "woodstock"
    options: Mapping[str, object] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Style:
        """A style as it is written; `OptionError` or `UnknownSearchError` where it is none."""
        name, given = parse(text)
        settled = chosen_options(name, given)
        return cls(name, {key: getattr(settled, key) for key in given})

    @classmethod
    def of_values(cls, values: Values) -> Style:
        """The style that did best with values when they were tried, or the one that usually does.

        Values may be of another version, whose styles nobody knows here.
        """
        with suppress(WoodstockError):
            return cls.parse(values.about.style or NET_STYLE)
        return cls.parse(NET_STYLE)

    @property
    def needs_net(self) -> bool:
        """Whether it searches with a value net."""
        return self.options.get("values") in NET_VALUES

    def with_change(self, change: Style) -> Style:
        """This style with the options of another one of the same search; else that other one."""
        if change.search != self.search:
            return change
        return Style(self.search, {**self.options, **change.options})

    def __str__(self) -> str:
        options = ",".join(f"{key}={_text(value)}" for key, value in self.options.items())
        return f"{self.search}:{options}" if options else self.search


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


USUAL = Style()
"""What `woodstock` does before anything has been rehearsed."""


@dataclass(frozen=True)
class Candidate:
    """A change that is worth a rehearsal where the style so far is one of the search `base`."""

    change: Style
    base: str
    hope: float = 0.5
    """What it is expected to score, before it is tried."""

    @classmethod
    def parse(cls, text: str, base: str = "woodstock", hope: float = 0.5) -> Candidate:
        """A candidate whose change is written like a player."""
        return cls(Style.parse(text), base, hope)


# A net that suits a game leaves everything else behind, so it comes first; what it does not win
# by itself it may win in company.
_BY_NET = (
    Candidate.parse(NET_STYLE, hope=0.65),
    Candidate.parse("mac-ucb:answer=followed", base="mac-ucb"),
)
_BLEND = Candidate.parse("woodstock:values=blend")
# Of a net that knows little.
_LIGHT_BLEND = Candidate.parse("woodstock:values=blend,net_weight=0.2")
_PLAYOUTS = (
    Candidate.parse("woodstock:mast=0.05"),
    Candidate.parse("woodstock:choice=grave,exploration=0.2,halving=no"),
)
_OTHERS = (
    Candidate.parse("mac-ucb", hope=0.42),
    Candidate.parse("woodstock:exploration=0.8", hope=0.42),
    Candidate.parse("woodstock:exploration=0.3", hope=0.42),
    Candidate.parse("woodstock:symmetry=rules", hope=0.42),
)
_OPEN: Mapping[NetPromise, tuple[Candidate, ...]] = {
    "none": (*_PLAYOUTS, *_OTHERS),
    "little": (*_PLAYOUTS, _LIGHT_BLEND, *_OTHERS),
    "much": (*_BY_NET, _BLEND, *_PLAYOUTS, *_OTHERS),
}
_HIDDEN = (
    Candidate.parse("woodstock:playout_policy=yes,leaves=256"),
    Candidate.parse("woodstock:choice=grave,exploration=0.2"),
    Candidate.parse("woodstock:others=memories,determinizations=0"),
    Candidate.parse("woodstock:exploration=0.25"),
)
_ALONE = (
    Candidate.parse("woodstock:playout_policy=no,leaves=64,exploration=0.5,risk_exponent=1"),
    Candidate.parse("woodstock:risk_exponent=1"),
)


def candidates_of(game: Game, *, net: NetPromise = "none") -> tuple[Candidate, ...]:
    """What a rehearsal tries, in this order, each on top of what has won before.

    >>> [str(one.change) for one in candidates_of(Game.load("nim"))][:1]
    ['woodstock:mast=0.05']
    >>> [str(one.change) for one in candidates_of(Game.load("nim"), net="much")][:1]
    ['mac-ucb:values=net']
    """
    if game.information != "complete":
        return _ALONE if len(game.players) == 1 else _HIDDEN
    return _OPEN[net]
