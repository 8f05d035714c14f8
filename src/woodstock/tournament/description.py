"""Descriptions: a tournament in TOML, read into typed values.

>>> text = '''
... format = "ring"
... participants = ["uct", "random"]
... games = ["nim"]
... [clock]
... kind = "simulations"
... move = 100
... [ring]
... matches = 20
... '''
>>> found = Description.parse(text, "my.toml")
>>> found.format, found.clocks[0].key, found.ring.matches
('ring', 'simulations=100+0', 20)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, get_args

from woodstock.errors import WoodstockError
from woodstock.tournament.clocks import CLOCK_KINDS, MoveClock
from woodstock.tournament.facts import GameSource
from woodstock.tournament.participants import Participant, read_participants
from woodstock.tournament.reading import DescriptionError, Section, read_section

__all__ = [
    "AloneOptions",
    "ChampionshipOptions",
    "ContinuousOptions",
    "Description",
    "FormatName",
    "GameEntry",
    "RingOptions",
    "RoundRobinOptions",
    "SwissOptions",
]

FormatName = Literal["ring", "round-robin", "swiss", "continuous", "championship", "alone"]

DEFAULT_MATCHES = 200


@dataclass(frozen=True)
class GameEntry:
    """A game of a tournament: its weight, how often it is played, and how matches begin."""

    source: GameSource
    weight: float = 1.0
    matches: int | None = None
    opening: int | None = None


@dataclass(frozen=True)
class RingOptions:
    """Pairs, and when each has been played long enough: ``sprt`` may stop before `matches`."""

    pairs: tuple[tuple[str, str], ...] = ()
    matches: int = DEFAULT_MATCHES
    stop: Literal["sprt", "never"] = "sprt"
    block: int = 10
    """Rounds of a pair before it is another's turn: a process that has a game ready stays with it
    for a while, and every pair has something to show early."""


@dataclass(frozen=True)
class RoundRobinOptions:
    """How many rounds every table has; a round has everybody in every seat."""

    rounds: int = 1


@dataclass(frozen=True)
class SwissOptions:
    """How many go to the final, and how many wins a duel takes there; 0: there is none."""

    final: int = 0
    wins: int = 2


@dataclass(frozen=True)
class ContinuousOptions:
    """How many matches at most."""

    matches: int = 1_000_000


@dataclass(frozen=True)
class ChampionshipOptions:
    """Groups, who goes on to which pool, duels to so many wins, and the games of the duels."""

    groups: int = 2
    winners: int = 2
    losers: int = 2
    wins: int = 3
    final_wins: int = 4
    duel_games: tuple[str, ...] = ()


@dataclass(frozen=True)
class AloneOptions:
    """How many matches everybody plays of each game."""

    matches: int = 100


@dataclass(frozen=True)
class Description:
    """A tournament. `clocks` has more than one where several are compared, or drawn from."""

    name: str
    format: FormatName
    participants: tuple[Participant, ...]
    games: tuple[GameEntry, ...]
    clocks: tuple[MoveClock, ...]
    seed: int = 0
    store: Path | None = None
    ring: RingOptions = field(default_factory=RingOptions)
    round_robin: RoundRobinOptions = field(default_factory=RoundRobinOptions)
    swiss: SwissOptions = field(default_factory=SwissOptions)
    continuous: ContinuousOptions = field(default_factory=ContinuousOptions)
    championship: ChampionshipOptions = field(default_factory=ChampionshipOptions)
    alone: AloneOptions = field(default_factory=AloneOptions)

    @classmethod
    def load(cls, path: str | Path) -> Description:
        """Read a file; `OSError` if there is none, `DescriptionError` for mistakes in it.

        Paths in it are those beside it, and so is the store, unless it says where that is.
        """
        path = Path(path)
        return cls.parse(path.read_text(encoding="utf-8"), path.name, path.parent, path.stem)

    @classmethod
    def parse(
        cls, text: str, name: str = "description", folder: Path | None = None, stem: str = ""
    ) -> Description:
        """Read a text; `name` is what messages call it."""
        section = read_section(text, name)
        kind = section.text("format", among=get_args(FormatName))
        participants = read_participants(section)
        store = section.text("store", f"{stem}.sqlite" if stem else "")
        found = cls(
            name=section.text("name", stem or "tournament"),
            format=kind,  # type: ignore[arg-type]
            participants=participants,
            games=_games(section, folder),
            clocks=_clocks(section.section("clock")),
            seed=section.whole("seed", 0),
            store=(folder or Path()) / store if store else None,
            ring=_ring(section.section("ring"), participants),
            round_robin=_round_robin(section.section("round-robin")),
            swiss=_swiss(section.section("swiss")),
            continuous=_continuous(section.section("continuous")),
            championship=_championship(section.section("championship")),
            alone=_alone(section.section("alone")),
        )
        section.done()
        _check(section, found)
        return found

    def participant(self, name: str) -> Participant:
        """The participant of this name."""
        return next(one for one in self.participants if one.name == name)


def _games(section: Section, folder: Path | None) -> tuple[GameEntry, ...]:
    found = [GameEntry(_source(section, "games", text, folder)) for text in section.texts("games")]
    for one in section.sections("game"):
        entry = GameEntry(
            source=_source(one, "name", one.text("name"), folder),
            weight=one.number("weight", 1.0),
            matches=one.whole("matches", least=1) if "matches" in one else None,
            opening=one.whole("opening") if "opening" in one else None,
        )
        one.done()
        found.append(entry)
    if not found:
        raise section.error("", 'lacks games; add games = ["tic-tac-toe"]')
    keys = [entry.source.key for entry in found]
    for entry in found:
        if keys.count(entry.source.key) > 1:
            raise section.error("games", f"has {entry.source.name} twice; leave one out")
    return tuple(found)


def _source(section: Section, key: str, text: str, folder: Path | None) -> GameSource:
    beside = None if folder is None else folder / text
    try:
        if beside is not None and Path(text).suffix and beside.is_file():
            return GameSource.find(str(beside))
        return GameSource.find(text)
    except WoodstockError as problem:
        raise section.error(key, f"is wrong: {problem}") from None


def _clocks(section: Section) -> tuple[MoveClock, ...]:
    kind = section.text("kind", "cpu", among=CLOCK_KINDS)
    moves = section.numbers("move", (0.05,) if kind == "cpu" else (1.0,))
    starts = section.numbers("start", {"cpu": (30.0,), "real": (10.0,)}.get(kind, (0.0,)))
    section.done()
    if kind == "simulations" and any(move != int(move) or move < 1 for move in moves):
        raise section.error("move", "must be whole numbers of simulations, from 1 on")
    if any(move <= 0 for move in moves):
        raise section.error("move", "must be above 0")
    if len(starts) not in (1, len(moves)):
        raise section.error("start", f"must be one number, or {len(moves)} as there are of move")
    both = zip(moves, starts * len(moves) if len(starts) == 1 else starts)
    return tuple(MoveClock(kind, move, start) for move, start in both)  # type: ignore[arg-type]


def _ring(section: Section, participants: Sequence[Participant]) -> RingOptions:
    known = [one.name for one in participants]
    pairs = [(one[0], one[1]) for one in section.lists("pairs", 2, "pairs of names")]
    for name in (name for pair in pairs for name in pair):
        if name not in known:
            raise section.error("pairs", f"names {name!r}; there are {', '.join(known)}")
    options = RingOptions(
        pairs=tuple(pairs),
        matches=section.whole("matches", DEFAULT_MATCHES, least=1),
        stop=section.text("stop", "sprt", among=("sprt", "never")),  # type: ignore[arg-type]
        block=section.whole("block", 10, least=1),
    )
    section.done()
    return options


def _round_robin(section: Section) -> RoundRobinOptions:
    options = RoundRobinOptions(section.whole("rounds", 1, least=1))
    section.done()
    return options


def _swiss(section: Section) -> SwissOptions:
    options = SwissOptions(section.whole("final", 0), section.whole("wins", 2, least=1))
    section.done()
    return options


def _continuous(section: Section) -> ContinuousOptions:
    options = ContinuousOptions(section.whole("matches", 1_000_000, least=1))
    section.done()
    return options


def _championship(section: Section) -> ChampionshipOptions:
    options = ChampionshipOptions(
        groups=section.whole("groups", 2, least=1),
        winners=section.whole("winners", 2, least=1),
        losers=section.whole("losers", 2),
        wins=section.whole("wins", 3, least=1),
        final_wins=section.whole("final_wins", 4, least=1),
        duel_games=tuple(section.texts("duel_games")),
    )
    section.done()
    return options


def _alone(section: Section) -> AloneOptions:
    options = AloneOptions(section.whole("matches", 100, least=1))
    section.done()
    return options


def _check(section: Section, found: Description) -> None:
    """What no single value can tell."""
    remote = [one.name for one in found.participants if one.kind in ("address", "command")]
    if remote and found.clocks[0].kind != "real":
        words = f"must be real, since {remote[0]} is a program whose CPU time nobody can bound"
        raise section.section("clock").error("kind", words)
    many = len(found.participants)
    if found.format == "championship":
        options = found.championship
        if many < options.groups * (options.winners + options.losers):
            needed = options.groups * (options.winners + options.losers)
            words = f"needs {needed} participants for its pools, and there are {many}"
            raise section.section("championship").error("", words)
        known = [entry.source.name for entry in found.games]
        for name in options.duel_games:
            if name not in known:
                words = f"names {name!r}, which is not among the games: {', '.join(known)}"
                raise section.section("championship").error("duel_games", words)
    if found.format == "swiss" and found.swiss.final > many:
        words = f"is {found.swiss.final}, and there are {many} participants"
        raise section.section("swiss").error("final", words)
    if found.format in ("ring", "round-robin", "swiss", "continuous") and many < 2:
        raise DescriptionError(f"a {found.format} needs two participants at least")
