"""From a table of the papers to tournaments: who plays for whom, how often and how long."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Literal, get_args

from woodstock.tournament.clocks import ClockKind, MoveClock
from woodstock.tournament.description import (
    AloneOptions,
    Description,
    GameEntry,
    RingOptions,
)
from woodstock.tournament.facts import GameSource
from woodstock.tournament.papers.tables import PaperGroup, PaperTable
from woodstock.tournament.participants import Participant

__all__ = ["VARIANTS", "PlannedGroup", "ReproductionScale", "Variant", "pair_of", "plan_table"]

Variant = Literal["paper", "ours", "best"]
"""``paper``: presets that do what the papers' text says. ``ours``: our search of the same name.
``best``: the player `woodstock` in the place of the papers' own."""
VARIANTS: tuple[Variant, ...] = get_args(Variant)

_OURS: Mapping[str, str] = MappingProxyType(
    {
        "MAC-UCB": "mac-ucb",
        "MAC-UCB-SYM": "mac-ucb-sym",
        "MAC-UCB-II": "mac-ucb-ii",
        "FC-UCB": "fc-ucb",
        "UCT": "uct",
        "UCT-SYM": "uct-sym",
        "GRAVE": "grave",
        "GRAVE-SYM": "grave-sym",
        "CFR": "cfr",
    }
)
_PAPER: Mapping[str, str] = MappingProxyType(
    {
        "MAC-UCB": "mac-ucb-paper",
        "MAC-UCB-SYM": "mac-ucb-sym-paper",
        "MAC-UCB-II": "mac-ucb-ii-paper",
    }
)
_BLOCK = 5
"""Rounds of a cell before it is another's turn: time may be up before all is played."""
DEFAULT_MATCHES = 20


@dataclass(frozen=True)
class ReproductionScale:
    """What is scaled: matches of a cell (or a part of the papers' number), and clocks.

    `rivals` has addresses of programs by the papers' names; these play by the clock.
    """

    clocks: tuple[float, ...] = (0.05,)
    kind: ClockKind = "cpu"
    start: float = 10.0
    matches: int | None = None
    scale: float | None = None
    variants: tuple[Variant, ...] = ("paper", "ours")
    games: tuple[str, ...] = ()
    rivals: Mapping[str, str] = field(default_factory=dict)
    seed: int = 1

    def matches_of(self, table: PaperTable) -> int:
        """The matches of a cell.

        >>> from woodstock.tournament.papers.tables import paper_table
        >>> ReproductionScale(scale=0.01).matches_of(paper_table("002-T3"))
        50
        """
        if self.scale is not None and table.matches:
            return max(2, round(self.scale * table.matches))
        return self.matches or DEFAULT_MATCHES


@dataclass(frozen=True)
class PlannedGroup:
    """The tournament that is to fill one variant of a group; for programs far away, another one."""

    group: PaperGroup
    variant: Variant
    descriptions: tuple[Description, ...]


def player_of(name: str, variant: Variant, scale: ReproductionScale, own: bool) -> Participant:
    """Who plays for somebody of the papers; `own` is whose figures these are."""
    if name in scale.rivals:
        return Participant(name, "address", scale.rivals[name])
    if name not in _OURS:
        reason = f"{name} is not ours; give its address: --rival {name}=HOST:PORT"
        return Participant(name, "absent", reason)
    if variant == "best" and own and name in _PAPER:
        return Participant.of("woodstock")
    if variant == "paper":
        return Participant.of(_PAPER.get(name, _OURS[name]))
    return Participant.of(_OURS[name])


def pair_of(
    first: str, second: str, variant: Variant, scale: ReproductionScale
) -> tuple[Participant, Participant]:
    """Both players of a pair of the papers."""
    one = player_of(first, variant, scale, own=True)
    other = player_of(second, variant, scale, own=False)
    return one, other


def shared_option(group: PaperGroup, share: float) -> str:
    """The options of the first player at a share, in per cent.

    >>> from woodstock.tournament.papers.tables import paper_table
    >>> shared_option(paper_table("003-F2b").groups[0], 25)
    'symmetry_share=0.25,solving_share=0.5'
    """
    rest = max(0.1, group.whole - share)
    return group.option.format(share=share / 100, rest=rest / 100)


def plan_table(table: PaperTable, scale: ReproductionScale) -> Iterator[PlannedGroup]:
    """The tournaments of a table, group by group and variant by variant."""
    for group in table.groups:
        if group.kind == "networks":
            continue
        for variant in scale.variants:
            pairs = _pairs(group, variant, scale)
            yield PlannedGroup(group, variant, _descriptions(table, group, pairs, scale))


def _pairs(
    group: PaperGroup, variant: Variant, scale: ReproductionScale
) -> list[tuple[Participant, ...]]:
    if group.kind == "alone":
        # Only the first column is the papers' own player, and has variants.
        return [(player_of(one.first, variant, scale, own=True),) for one in group.columns]
    if group.kind == "ring":
        return [pair_of(one.first, one.second, variant, scale) for one in group.columns]
    first, second = pair_of(group.first, group.second, variant, scale)
    if group.kind == "shares":
        texts = [f"{first.text}:{shared_option(group, share)}" for share in group.shares]
        return [(Participant.of(text), second) for text in texts]
    return [(first, second)]


def _descriptions(
    table: PaperTable,
    group: PaperGroup,
    pairs: Sequence[tuple[Participant, ...]],
    scale: ReproductionScale,
) -> tuple[Description, ...]:
    games = tuple(
        GameEntry(GameSource.find(row.game))
        for row in group.rows
        if not scale.games or row.game in scale.games
    )
    moves = scale.clocks if group.kind == "clocks" else scale.clocks[-1:]
    clocks = tuple(MoveClock(scale.kind, move, scale.start) for move in moves)
    matches = scale.matches_of(table)
    made = []
    for far in (False, True):
        chosen = [pair for pair in pairs if far == any(not one.is_ours for one in pair)]
        known = [pair for pair in chosen if all(one.kind != "absent" for one in pair)]
        if far:
            clocks = tuple(replace(clock, kind="real") for clock in clocks)
        if not known or not games:
            continue
        participants = tuple(dict.fromkeys(one for pair in known for one in pair))
        made.append(
            Description(
                name=table.id,
                format="alone" if group.kind == "alone" else "ring",
                participants=participants,
                games=games,
                clocks=clocks,
                seed=scale.seed,
                ring=RingOptions(
                    pairs=tuple(
                        (pair[0].name, pair[1].name)
                        for pair in dict.fromkeys(known)
                        if len(pair) == 2
                    ),
                    matches=matches,
                    stop="never",
                    block=_BLOCK,
                ),
                alone=AloneOptions(matches),
            )
        )
    return tuple(made)
