"""Playing matches on the command line: one that is watched, or many that are summed up."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from woodstock.cli.guard import WRONG, UsageError, print_json
from woodstock.cli.options import EngineChoice, load_game
from woodstock.cli.progress import Working, errors
from woodstock.cli.results import Keeper, print_result, print_standings
from woodstock.cli.watch import MatchView
from woodstock.match import MatchRecord, Played, Turn, play_series
from woodstock.match import standings as standings_of

__all__ = ["GamesOption", "Matches", "PlayMatch", "RecordOption", "SwapOption", "WatchOption"]

GamesOption = Annotated[
    int | None,
    typer.Option(
        "--games", min=1, help="Play so many matches and sum them up.", show_default=False
    ),
]
SwapOption = Annotated[
    bool, typer.Option("--swap", help="Players move on by one role from match to match.")
]
RecordOption = Annotated[
    Path | None,
    typer.Option(
        metavar="PATH",
        help="Keep what is played: in a file, as JSON; with --games in a folder, one file a match, "
        "or in a file that ends in .jsonl, one line a match.",
    ),
]
WatchOption = Annotated[
    bool | None,
    typer.Option("--watch/--no-watch", help="Show every position.", show_default=False),
]

PlayMatch = Callable[[Mapping[str, str], int, Callable[[Turn], None]], MatchRecord]
"""Plays a match between players of these names, by role; somebody hears of every turn."""


class Matches:
    """What commands that play matches share: game and seed, what is kept, and what is shown.

    `shown` says whether positions are. How a match is played is for the commands to say.
    """

    def __init__(
        self,
        game: str,
        engine: EngineChoice,
        *,
        games: int | None,
        swap: bool,
        seed: int | None,
        record: Path | None,
        watch: bool | None,
        as_json: bool,
        force: bool = False,
    ) -> None:
        if swap and games is None:
            raise UsageError("--swap goes with --games")
        self.seed = random.SystemRandom().randrange(1 << 32) if seed is None else seed
        self.keeper = Keeper(record, many=games is not None, force=force)
        with Working(f"Preparing {game}"):
            self.game = load_game(game, engine)
        # With --json the match can be watched too, but not where the answer goes.
        self.console = errors if as_json else Console(highlight=False)
        self.shown = (games is None and not as_json) if watch is None else watch
        self._games = games
        self._swap = swap
        self._as_json = as_json

    def view(
        self, delay: float = 0.0, *, save_always: bool = False, times: bool = False
    ) -> MatchView:
        """Who shows and keeps every turn."""
        console = self.console if self.shown else None
        return MatchView(console, self.keeper, delay, save_always=save_always, times=times)

    def one(self, called: Mapping[str, str], play: PlayMatch, view: MatchView) -> None:
        """One match, shown while it is played."""
        view.begin(self.game, dict(called), self.seed)
        try:
            played = play(called, self.seed, view.turn)
        except KeyboardInterrupt:
            view.save()
            raise
        view.keeper.finished(played)
        if self._as_json:
            print_json(played.to_json())
        else:
            print_result(self.console, played)
        _complain([played])

    def many(
        self, names: list[str], play: PlayMatch, view: MatchView, settings: Mapping[str, Any]
    ) -> None:
        """A series of matches; the answer tells the settings too."""
        assert self._games is not None
        game, total = self.game, self._games
        played: list[Played] = []
        stopped: BaseException | None = None
        with Working(f"Playing {game.name}") as line:

            def begin(number: int, called: dict[str, str], one: int) -> None:
                line.update(f"Playing {game.name}: match {number + 1} of {total}", number, total)
                view.begin(game, called, one)

            def turn(turn: Turn) -> None:
                what = f"match {len(played) + 1} of {total}, move {turn.number}"
                line.update(f"Playing {game.name}: {what}", len(played), total)
                view.turn(turn)

            try:
                for one in play_series(
                    game,
                    names,
                    seed=self.seed,
                    games=total,
                    swap=self._swap,
                    on_begin=begin,
                    play=lambda called, number: play(called, number, turn),
                ):
                    played.append(one)
                    view.keeper.finished(one.record)
            except (KeyboardInterrupt, OSError) as problem:
                stopped = problem
        if stopped is not None:
            # What has been played is worth showing; the code still says that it was not all.
            if played and not self._as_json:
                print_standings(self.console, standings_of(names, played))
            if isinstance(stopped, OSError):
                raise stopped
            view.save()
            raise KeyboardInterrupt(f"{len(played)} of {total} matches were played")
        self._sum_up(names, played, settings)

    def _sum_up(self, names: list[str], played: list[Played], settings: Mapping[str, Any]) -> None:
        game, found = self.game, standings_of(names, played)
        if self._as_json:
            print_json(
                {
                    "game": game.name,
                    "engine": game.engine.name,
                    "notes": list(game.notes),
                    "players": names,
                    "seed": self.seed,
                    "games": self._games,
                    "swap": self._swap,
                    **settings,
                    "matches": [one.to_json() for one in played],
                    "standings": [one.to_json() for one in found],
                }
            )
        else:
            print_standings(self.console, found)
            self.console.print(
                f"{len(played)} matches of {game.name} (seed {self.seed}).", markup=False
            )
        _complain([one.record for one in played])


def _complain(records: Sequence[MatchRecord]) -> None:
    """Say which matches are none, and leave with a code that says so too."""
    broken = [one.problem for one in records if one.is_aborted]
    silent = Counter(f"{player} ({role})" for one in records for role, player in one.silent.items())
    if broken:
        what = "the match was" if len(records) == 1 else f"{len(broken)} were"
        _error(f"{what} broken off: {broken[0]}")
    for who, count in silent.items():
        where = "" if len(records) == 1 else f" in {count} of {len(records)} matches"
        _error(f"{who} never answered{where}; moves were drawn for it, the result says nothing")
    if broken or silent:
        raise typer.Exit(WRONG)


def _error(text: str) -> None:
    errors.print(f"woodstock: {text}", markup=False, soft_wrap=True)
