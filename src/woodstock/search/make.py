"""Searches by name."""

from __future__ import annotations

import logging
import random
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from woodstock import _core
from woodstock.belief.known import known_fluents
from woodstock.game import Game
from woodstock.gdl.keywords import RANDOM
from woodstock.learn import Values
from woodstock.plan import cannot_plan
from woodstock.search.belief_searcher import BeliefSearcher
from woodstock.search.determinization import Determinization
from woodstock.search.equilibrium import solved_if_small
from woodstock.search.options import (
    DeterminizationOptions,
    OptionError,
    Options,
    StageOptions,
    TreeOptions,
    native_options,
)
from woodstock.search.planning import PlanningSearcher
from woodstock.search.portfolio import Portfolio
from woodstock.search.presets import LITERAL, REHEARSED, chosen_options, options_of, preset_of
from woodstock.search.searcher import Searcher, SearchError
from woodstock.search.state_searcher import StateSearcher
from woodstock.search.styles import USUAL, Style
from woodstock.search.symmetry import BeliefFinder, Finder
from woodstock.search.written import written
from woodstock.solve.concepts import concept_of

__all__ = ["make_searcher"]

_log = logging.getLogger("woodstock.search")


def make_searcher(
    name: str,
    game: Game,
    role: str,
    *,
    seed: int = 0,
    threads: int = 1,
    memory_mb: int = 256,
    rehearsed: Style | None = None,
    net: _core.ValueNet | None = None,
    **options: object,
) -> Searcher:
    """A search by its name, for one role of one game.

    Options can also be part of the name, as in ``uct:exploration=0.5,leaves=32``. Raises
    `CircuitError` where the game has no circuit, `UnknownSearchError` for a name that is none and
    `OptionError` for options that it does not have or that mean nothing in this game. Options that
    are not given are those of the preset; ``woodstock`` searches in the style that was `rehearsed`
    (`woodstock.tune.Rehearsal` finds one), or by its tree if options of that are given.
    ``values=net`` and ``values=blend`` need a `net` of the game; ``values=FILE`` has it in a file,
    with `ValuesError` or `OSError` where that is not one of this game. Where something is hidden,
    what is made thinks about a `woodstock.belief.Belief`.

    >>> game = Game.from_library("nim", engine="lifted")
    >>> make_searcher("uct", game, "player1")
    Traceback (most recent call last):
    ...
    woodstock.errors.CircuitError: this needs the circuit engine, but nim plays on the lifted one; \
load it with engine="circuit" to see why
    """
    chosen, asked, file = written(name)
    given: dict[str, object] = {**asked, **options}
    chosen_options(chosen, given)  # a wrong name is told before anything about the game
    style = (rehearsed or USUAL) if chosen in REHEARSED else None
    if file is not None:
        values = Values.load(file, game)
        net = values.net
        style = (rehearsed or Style.of_values(values)) if chosen in REHEARSED else None
    maker = _Maker(game, role, seed=seed, threads=threads, memory=memory_mb << 20, net=net)
    settled, nodes = _settled(chosen, game, style, given)
    try:
        settled.check_for(game, given)
        searcher = maker.make(settled, nodes)
    except OptionError as problem:
        raise OptionError(f"{chosen}: {problem}") from None
    share = _plan_share(chosen, given)
    if not share or cannot_plan(game) is not None:
        return searcher
    return PlanningSearcher(searcher, game, role, share=share, threads=threads, seed=seed)


def _plan_share(chosen: str, given: Mapping[str, object]) -> float:
    """How much of the time is for plans, whatever style the rest has."""
    options = chosen_options(chosen, given)
    return options.plan_share if isinstance(options, TreeOptions) else 0.0


def _settled(
    chosen: str, game: Game, style: Style | None, given: Mapping[str, object]
) -> tuple[Options, int]:
    """The options that a search is made with, and up to how many nodes a game is solved."""
    known: dict[str, object] = {}
    if style is not None:
        known = {**preset_of(game), **(style.options if style.search == chosen else {})}
    settled = chosen_options(chosen, {**known, **given})
    nodes = _nodes(settled)
    # Options that are given are those of the preset's own search. Small games are solved whatever
    # the style.
    if style is not None and style.search != chosen and not set(given) - {"solve_nodes"}:
        settled = chosen_options(style.search, style.options)
    return settled, nodes


def _nodes(options: Options) -> int:
    if isinstance(options, DeterminizationOptions):
        options = options_of(options.inner)
    return options.solve_nodes if isinstance(options, TreeOptions) else 0


class _Maker:
    """Makes the searches of one role of one game."""

    def __init__(
        self,
        game: Game,
        role: str,
        *,
        seed: int,
        threads: int,
        memory: int,
        net: _core.ValueNet | None,
    ) -> None:
        self._engine = game.circuit()
        if role not in game.players:
            raise SearchError(f"{game.name} has no player {role!r}: {', '.join(game.players)}")
        self._game = game
        self._role = role
        self._seed = seed
        self._threads = threads
        self._memory = memory
        self._net = net
        self._hidden = game.information != "complete"

    def make(self, options: Options, nodes: int) -> Searcher:
        """A search, behind a solver of games that have up to so many nodes."""
        if isinstance(options, DeterminizationOptions):
            inner = options_of(options.inner)
            searcher = self._about_states(inner)
            if not self._hidden:
                return self._solved_if_small(searcher, inner, nodes)
            count = options.determinizations
            return Determinization(searcher, self._role, determinizations=count, seed=self._seed)
        about = self._about_beliefs if self._hidden else self._about_states
        return self._solved_if_small(about(options), options, nodes)

    def _about_states(self, options: Options) -> Searcher:
        # One of its own: calls of the same simulator wait for each other.
        simulator = self._engine.new_simulator(threads=self._threads)
        assert isinstance(options, (TreeOptions, StageOptions))
        common = self._common(options)
        net, solver = self._net_for(options), None
        native: _core.Searcher
        if isinstance(options, StageOptions):
            solver = _stage_solver(self._game, options, simulator)
        try:
            if isinstance(options, TreeOptions):
                tree = native_options(_core.TreeSearchOptions, options, **common)
                native = _core.TreeSearch(simulator, tree, net)
            else:
                share = options.symmetry_share
                stages = native_options(_core.MacUcbOptions, options, alike_share=share, **common)
                native = _core.MacUcb(simulator, stages, solver, net)
                if options.symmetry == "microstructure":
                    native.use_alike(_alike(self._game))
        except ValueError as problem:  # a net of another game
            raise OptionError(str(problem)) from None
        finder = Finder(
            self._game,
            options.symmetry,
            share=options.symmetry_share,
            elements=options.elements,
            # Networks have a place for each fluent, also for those that nothing depends on.
            idle=solver is None,
        )
        return StateSearcher(native, self._game, self._engine, self._role, finder)

    def _net_for(self, options: TreeOptions | StageOptions) -> _core.ValueNet | None:
        if options.values == "playouts":
            return None
        if self._net is None:
            raise OptionError(f"values={options.values} needs a net, and none is given")
        return self._net

    def _about_beliefs(self, options: Options) -> Searcher:
        """Trees are information-set searches then, stages those of MAC-UCB-II.

        With `stage_share`, MAC-UCB-II gets that share of the time first, and whoever finds the
        better move for us, or proves it, is believed.
        """
        simulator = self._engine.new_simulator()
        common = self._common(options)
        if isinstance(options, TreeOptions):
            known = known_fluents(self._game) if options.playout_policy else b""
            sets = native_options(
                _core.InformationSearchOptions, options, known_fluents=known, **common
            )
            searcher = self._believer(
                _core.InformationSearch(simulator, sets), options.determinizations
            )
            if not options.stage_share:
                return searcher
            first = self._about_beliefs(options_of("mac-ucb-ii"))
            return Portfolio(first, searcher, options.stage_share)
        assert isinstance(options, StageOptions)
        solver = _stage_solver(self._game, options, simulator)
        stages = native_options(_core.MacUcbIIOptions, options, **common)
        native = _core.MacUcbII(simulator, stages, solver)
        if options.symmetry == "none":
            return self._believer(native, 0)
        finder = BeliefFinder(self._game, share=options.symmetry_share, elements=options.elements)
        return self._believer(native, 0, partial(finder.look, native))

    def _believer(
        self,
        native: _core.BeliefSearcher,
        determinizations: int,
        look: Callable[[float | None], None] | None = None,
    ) -> Searcher:
        return BeliefSearcher(
            native,
            self._game,
            self._engine,
            self._role,
            determinizations=determinizations,
            rng=random.Random(self._seed),
            look=look,
        )

    def _solved_if_small(self, sampling: Searcher, options: Options, nodes: int) -> Searcher:
        if not nodes:
            return sampling
        return solved_if_small(
            sampling,
            self._game,
            self._role,
            nodes=nodes,
            concept=self._concept(options),
            seed=self._seed,
        )

    def _common(self, options: Options) -> dict[str, Any]:
        """What all native searches are told."""
        roles = self._engine.roles
        return {
            "role": roles.index(self._role),
            "chance": roles.index(RANDOM) if RANDOM in roles else None,
            "concept": self._concept(options),
            "seed": self._seed,
            "memory": self._memory,
        }

    def _concept(self, options: Options) -> str:
        assert isinstance(options, (TreeOptions, StageOptions))
        return concept_of(self._game) if options.concept == "auto" else options.concept


def _stage_solver(
    game: Game, options: StageOptions, simulator: _core.Simulator
) -> _core.StageSolver | None:
    if options.solver == "compiled":
        return None
    # The networks are a large part of the house, and few searches need them.
    from woodstock.scsp.encode import EncodingError
    from woodstock.search.stages import make_stages

    try:
        return make_stages(
            game,
            options.solver,
            simulator,
            propagation=options.propagation,
            heuristic=options.heuristic,
            preprocessing=options.preprocessing,
        )
    except EncodingError as problem:
        # All solvers find the same: who keeps to the papers plays on, on the circuit.
        if options not in LITERAL:
            raise
        _log.info("%s has no network, its stages are solved by the circuit: %s", game, problem)
        return None


def _alike(game: Game) -> Callable[[bytes, Sequence[int], Sequence[bool], float], Sequence[int]]:
    from woodstock.search.alike import Alike

    return Alike(game)
