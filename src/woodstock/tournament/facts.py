"""What a tournament needs to know of a game before it is played: seats, chance, shared goals."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

from woodstock import games
from woodstock.errors import GdlError, WoodstockError
from woodstock.game import Game
from woodstock.gdl.checker import check
from woodstock.gdl.keywords import RANDOM, players_of
from woodstock.gdl.reader import read_text
from woodstock.tune import shares_goal
from woodstock.tune.matches import OPENING_PLIES

__all__ = ["GameFacts", "GameSource", "facts_of", "load_game"]

GAMES_KEPT = 4
"""Games that a process keeps ready: a schedule goes from game to game and comes back."""


@dataclass(frozen=True)
class GameSource:
    """A game by name, with the digest of its rules; `text` are the rules where no library has them.

    >>> GameSource.find("nim").key
    'nim@...'
    """

    name: str
    digest: str
    text: str | None = None

    @classmethod
    def find(cls, source: str) -> GameSource:
        """A game of the library, or of a file; `UnknownGameError` where there is neither."""
        name, sheet = games.read_sheet(source)
        text = sheet.source.text
        digest = hashlib.sha256(text.encode()).hexdigest()[:10]
        return cls(name, digest, None if source in games.names() else text)

    @property
    def key(self) -> str:
        """The game in ids of matches."""
        return f"{self.name}@{self.digest}"


@dataclass(frozen=True)
class GameFacts:
    """The players' roles, whether there is chance, and whether the players do not meet.

    `shared` is so where all have one goal, or there is but one player.
    """

    roles: tuple[str, ...]
    chance: bool
    shared: bool

    @property
    def seats(self) -> int:
        """How many play."""
        return len(self.roles)

    @property
    def opening(self) -> int:
        """Random moves to begin with: none where luck makes matches differ, or one plays."""
        return 0 if self.chance or self.seats == 1 else OPENING_PLIES


@lru_cache(maxsize=GAMES_KEPT)
def load_game(source: GameSource) -> Game:
    """The game, ready to be played; the last ones are kept."""
    if source.text is None:
        return Game.from_library(source.name)
    return Game.from_text(source.text, name=source.name)


def facts_of(source: GameSource, load: Callable[[GameSource], Game] = load_game) -> GameFacts:
    """The facts of a game; it is made ready for that, unless one plays alone.

    >>> facts_of(GameSource.find("kaseklau"))
    GameFacts(roles=('alice', 'bob'), chance=True, shared=False)
    """
    if source.text is None:
        _, sheet = games.read_sheet(source.name)
    else:
        sheet = read_text(source.text, source.name)
    rules, findings = check(sheet, thorough=False)
    errors = [finding for finding in findings if finding.severity == "error"]
    if errors:
        raise GdlError(errors)
    players = players_of(rules.roles)
    shared = len(players) == 1 or _shares(load(source))
    return GameFacts(players, RANDOM in rules.roles, shared)


def _shares(game: Game) -> bool:
    try:
        return shares_goal(game)
    except WoodstockError:
        return False  # without a circuit nobody can tell, and most games are no teams'
