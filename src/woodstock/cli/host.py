"""``woodstock host``: a game manager for players anywhere.

A clock can be given for everybody and for single roles. How a player is told what happens goes
with its address, so that it stays with the player when the roles are swapped.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from enum import Enum
from typing import Annotated, NamedTuple, get_args

import typer

from woodstock.cli.clocks import ClockLine
from woodstock.cli.guard import UsageError
from woodstock.cli.log import LogOption, player_log
from woodstock.cli.matches import (
    GamesOption,
    Matches,
    RecordOption,
    SwapOption,
    WatchOption,
)
from woodstock.cli.options import AsJson, EngineChoice, EngineOption, GameArgument
from woodstock.cli.targets import ForceOption
from woodstock.game import Game
from woodstock.match import MatchRecord, Turn
from woodstock.match.local import seat_seed
from woodstock.player import make_player
from woodstock.protocol.hearing import sees_anything
from woodstock.protocol.hosted_players import (
    Address,
    Clocks,
    Dialect,
    HostedPlayer,
    LocalPlayer,
    RemotePlayer,
)
from woodstock.protocol.manager import host_match

__all__ = ["command"]


class DialectChoice(str, Enum):
    """How players are told what happens."""

    AUTO = "auto"
    GDL = "gdl"
    GDL2 = "gdl2"
    GDL2_OLD = "gdl2-old"


def command(
    game: GameArgument,
    player: Annotated[
        list[str],
        typer.Option(
            metavar="ROLE=WHO",
            help="Who plays a role: HOST:PORT, or the name of a player of our own. Once for each "
            "role but chance. HOST:PORT/DIALECT for one that is told in its own dialect.",
        ),
    ],
    start_clock: Annotated[
        list[str] | None,
        typer.Option(
            metavar="[ROLE=]SECONDS",
            help="To prepare. Again, with a role: a clock of its own.",
            show_default="30",
        ),
    ] = None,
    play_clock: Annotated[
        list[str] | None,
        typer.Option(metavar="[ROLE=]SECONDS", help="For a move; likewise.", show_default="15"),
    ] = None,
    dialect: Annotated[
        DialectChoice,
        typer.Option(
            help="gdl tells all moves, gdl2 percepts with the turn and the last move, gdl2-old "
            "percepts alone; auto: gdl, or gdl2 where the rules say who sees what."
        ),
    ] = DialectChoice.AUTO,
    scramble: Annotated[
        bool, typer.Option("--scramble", help="Send the rules in other words.")
    ] = False,
    games: GamesOption = None,
    swap: SwapOption = False,
    seed: Annotated[
        int | None,
        typer.Option(min=0, help="Of chance and of the moves of who fails.", show_default=False),
    ] = None,
    record: RecordOption = None,
    force: ForceOption = False,
    watch: WatchOption = None,
    log: LogOption = False,
    engine: EngineOption = EngineChoice.AUTO,
    as_json: AsJson = False,
) -> None:
    """Host a match between players on the network and here, and finish it whatever they do."""
    matches = Matches(
        game,
        engine,
        games=games,
        swap=swap,
        seed=seed,
        record=record,
        watch=watch,
        as_json=as_json,
        force=force,
    )
    loaded = matches.game
    called = _called(loaded, player)
    starts = _seconds(loaded, "--start-clock", start_clock or [], 30.0, 0.0)
    plays = _seconds(loaded, "--play-clock", play_clock or [], 15.0, 0.01)
    chosen = _dialect(loaded, dialect.value)
    for who in called.values():
        _hosted(loaded, who, chosen, 0)  # what is wrong is told before anybody is asked
    view = matches.view(save_always=True, times=True)
    line = ClockLine(matches.console if matches.shown and games is None else None)
    own = {role: Clocks(starts.of(role), plays.of(role)) for role in {**starts.own, **plays.own}}

    def play(names: Mapping[str, str], number: int, on_turn: Callable[[Turn], None]) -> MatchRecord:
        players = {
            role: _hosted(loaded, who, chosen, seat_seed(role, number))
            for role, who in names.items()
        }
        with line.shown():
            return asyncio.run(
                host_match(
                    loaded,
                    players,
                    seed=number,
                    start_clock=starts.everybody,
                    play_clock=plays.everybody,
                    clocks=own,
                    scramble=scramble,
                    on_turn=on_turn,
                    on_wait=line.wait,
                )
            )

    with player_log(log):
        if games is None:
            matches.one(called, play, view)
        else:
            settings = {
                "start_clock": starts.everybody,
                "play_clock": plays.everybody,
                "clocks": own,
                "scramble": scramble,
                "dialect": chosen,
            }
            matches.many(list(called.values()), play, view, settings)


class _Seconds(NamedTuple):
    everybody: float
    own: dict[str, float]

    def of(self, role: str) -> float:
        return self.own.get(role, self.everybody)


def _seconds(game: Game, option: str, given: list[str], default: float, least: float) -> _Seconds:
    """A clock as it was given: for everybody, and for single roles."""
    everybody, own = default, dict[str, float]()
    for text in given:
        role, equals, number = text.rpartition("=")
        if equals and role not in game.players:
            raise UsageError(f"{option} {text}: {game.name} has no player {role!r}")
        try:
            seconds = float(number)
        except ValueError:
            seconds = -1.0
        if not least <= seconds < 1e6:
            raise UsageError(f"{option} {text}: {number!r} is no time; {least:g} seconds at least")
        if equals:
            own[role] = seconds
        else:
            everybody = seconds
    return _Seconds(everybody, own)


def _called(game: Game, given: list[str]) -> dict[str, str]:
    """Who plays which role, in the order of the roles."""
    roles = game.players
    found: dict[str, str] = {}
    for text in given:
        role, equals, who = text.partition("=")
        if not equals or not who:
            raise UsageError(f"{text!r} names no player; write ROLE=HOST:PORT or ROLE=NAME")
        if role not in roles:
            raise UsageError(f"{game.name} has no player {role!r}: {', '.join(roles)}")
        if role in found:
            raise UsageError(f"{role} has two players")
        found[role] = who
    missing = [role for role in roles if role not in found]
    if missing:
        raise UsageError(f"nobody plays {', '.join(missing)}; add --player {missing[0]}=HOST:PORT")
    return {role: found[role] for role in roles}


def _hosted(game: Game, who: str, common: str, seed: int) -> HostedPlayer:
    address, _, own = who.partition("/")
    try:
        return RemotePlayer(Address.parse(address), _dialect(game, own or common), who)
    except ValueError:
        make_player(who, seed)
        return LocalPlayer(lambda: make_player(who, seed), who)


def _dialect(game: Game, name: str) -> Dialect:
    if name == DialectChoice.AUTO.value:
        return "gdl2" if sees_anything(game) else "gdl"
    for known in get_args(Dialect):
        if name == known:
            return known  # type: ignore[no-any-return]
    raise UsageError(f"{name!r} is no dialect: {', '.join(get_args(Dialect))}")
