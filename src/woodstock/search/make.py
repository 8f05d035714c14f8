"""Searches by name."""

from __future__ import annotations

from collections.abc import Mapping

from woodstock.game import Game
from woodstock.search.belief_searcher import make_belief_searcher
from woodstock.search.configurations import REHEARSED, build, check_name, options_of, parse, settle
from woodstock.search.determinization import Determinization
from woodstock.search.equilibrium import solved_if_small
from woodstock.search.presets import preset_of
from woodstock.search.searcher import Searcher, SearchError
from woodstock.search.state_searcher import StateSearcher

__all__ = ["make_searcher"]


def make_searcher(
    name: str,
    game: Game,
    role: str,
    *,
    seed: int = 0,
    threads: int = 1,
    memory_mb: int = 256,
    rehearsed: Mapping[str, object] | None = None,
    **options: object,
) -> Searcher:
    """A search by the name of its player, for one role of one game.

    Options can also be part of the name, as in ``uct:exploration=0.5,leaves=32``. Raises
    `CircuitError` where the game has no circuit, `UnknownSearchError` for a name that is none and
    `OptionError` for options it does not have. Options that are not given are those of the preset;
    ``woodstock`` takes those that were `rehearsed` before them (`woodstock.tune.Rehearsal` finds
    some). Where something is hidden, what is made thinks about a `woodstock.belief.Belief`.

    >>> game = Game.from_library("nim", engine="lifted")
    >>> make_searcher("uct", game, "player1")
    Traceback (most recent call last):
    ...
    woodstock.errors.CircuitError: this needs the circuit engine, but nim plays on the lifted one; \
load it with engine="circuit" to see why
    """
    chosen, written = parse(name)
    check_name(chosen)
    given: dict[str, object] = {**written, **options}
    engine = game.circuit()
    if role not in game.players:
        raise SearchError(f"{game.name} has no player {role!r}: {', '.join(game.players)}")
    hidden = game.information != "complete"
    known = {**preset_of(game), **(rehearsed or {})} if chosen in REHEARSED else {}
    if hidden and chosen != "pimc":
        sampling = make_belief_searcher(
            chosen,
            game,
            engine,
            role,
            seed=seed,
            memory=memory_mb << 20,
            options={**known, **given},
        )
        return solved_if_small(sampling, chosen, game, role, seed=seed, options=given)
    worlds = options_of("pimc")["determinizations"]
    if chosen == "pimc":
        settled = settle(chosen, given)
        chosen, worlds, given = settled["inner"], settled["determinizations"], {}
    native, finder = build(
        chosen,
        game,
        engine,
        role,
        seed=seed,
        threads=threads,
        memory=memory_mb << 20,
        options={**known, **given},
    )
    searcher = StateSearcher(native, game, engine, role, finder)
    if hidden:
        return Determinization(searcher, role, determinizations=worlds, seed=seed)
    return solved_if_small(searcher, chosen, game, role, seed=seed, options=given)
