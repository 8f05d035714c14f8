"""Laws of grounding, on random games and on the library: every engine says the same."""

from __future__ import annotations

import random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import strategies
from effort import effort
from ground_support import (
    assert_same_match,
    assert_same_position,
    assert_same_step,
    engines_of,
    everything_pays,
    ground_here,
    library_grounding,
    random_states,
    rules_of,
)
from woodstock import games
from woodstock._core import GroundProgram
from woodstock.circuit.engine import CircuitEngine
from woodstock.engine import Engine, LiftedEngine
from woodstock.gdl.domains import Domains, TermSet
from woodstock.gdl.rules import Predicate, Rules
from woodstock.gdl.terms import Term
from woodstock.ground import child
from woodstock.ground.engine import GroundEngine
from woodstock.ground.grounder import Grounding
from woodstock.ground.prepare import prepare
from woodstock.ground.translate import translate

# Derandomised: a failure is the same tomorrow and on every machine.
random_games = settings(
    max_examples=effort(25, 60),
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
seeds = st.integers(0, 2**32)


def _assert_same_everywhere(rules: Rules, seed: int) -> None:
    engines = engines_of(rules)
    assert_same_match(engines, rules, seed, plies=6)
    rng = random.Random(seed)
    for positions in random_states(engines, rules, rng, 4):
        joint = assert_same_position(engines, positions, rules, rng, "random state")
        if joint is not None:
            after = assert_same_step(engines, positions, joint, "random state")
            assert_same_position(engines, after, rules, rng, "after a random state")


@random_games
@given(strategies.games(), seeds)
def test_engines_agree_on_random_games(text: str, seed: int) -> None:
    _assert_same_everywhere(rules_of(text), seed)


@random_games
@given(strategies.games(), seeds)
def test_engines_agree_when_every_rewriting_pays(text: str, seed: int) -> None:
    with everything_pays():
        _assert_same_everywhere(rules_of(text), seed)


@random_games
@given(strategies.games(), seeds)
def test_domains_hold_all_that_play_shows_in_random_games(text: str, seed: int) -> None:
    rules = rules_of(text)
    _assert_domains_cover_play(rules, ground_here(rules), seed, plies=6)


@random_games
@given(strategies.games())
def test_both_observers_record_the_same_program(text: str) -> None:
    rules = rules_of(text)
    for split in (True, False):
        asp = translate(prepare(rules, split=split).rules, rules.roles)
        native = child.ground(asp, 0)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr("woodstock._core.Observer", _no_native_observer)
            portable = child.ground(asp, 0)
        assert _described(portable.program) == _described(native.program)
        assert portable.instances == native.instances


def _described(program: GroundProgram) -> object:
    """A program in words: observers may number terms differently."""

    def text(term: int) -> str:
        symbol, arguments = program.term(term)
        return f"{symbol}({','.join(map(text, arguments))})" if arguments else str(symbol)

    def name(atom: int) -> str:
        predicate, arguments = program.atom(atom)
        return f"p{predicate}({','.join(map(text, arguments))})"

    def literal(number: int) -> str:
        return f"{'-' if number < 0 else ''}{name(abs(number))}"

    rules = {
        name(atom): (
            program.is_fact(atom),
            sorted(sorted(map(literal, body)) for body in program.rules_of(atom)),
        )
        for atom in range(1, program.atom_count + 1)
    }
    interface = [
        sorted(map(text, program.fluents())),
        sorted(text(program.fluents()[i]) for i in program.initial()),
        sorted((text(role), text(move)) for role, move in program.moves()),
        sorted((text(role), text(value)) for role, value in program.goals()),
        sorted((text(role), text(percept)) for role, percept in program.percepts()),
    ]
    return rules, interface, program.stratified


def _no_native_observer(address: int, *limits: object) -> None:
    raise RuntimeError("clingo's C API cannot be reached")


@pytest.mark.parametrize("name", games.names())
def test_engines_agree_on_the_library(name: str) -> None:
    rules = rules_of(games.rules_text(name))
    grounding = library_grounding(name)
    engines: dict[str, Engine] = {
        "lifted": LiftedEngine(rules),
        "ground": GroundEngine(grounding, rules.roles),
        "circuit": CircuitEngine(grounding, rules.roles),
    }
    for seed in range(effort(1, 2)):
        assert_same_match(engines, rules, seed, plies=120, seconds=effort(0.2, 0.6))


@pytest.mark.parametrize(
    "name", ["connect-four", "eight-puzzle", "nim", "randomised-tic-tac-toe", "tic-tac-toe"]
)
def test_splitting_keeps_the_meaning_of_library_games(name: str) -> None:
    rules = rules_of(games.rules_text(name))
    engines = engines_of(rules)
    rng = random.Random(name)
    for positions in random_states(engines, rules, rng, 6):
        joint = assert_same_position(engines, positions, rules, rng, "random state")
        if joint is not None:
            assert_same_step(engines, positions, joint, "random state")


@pytest.mark.parametrize("name", games.names())
def test_domains_hold_all_that_play_shows_in_the_library(name: str) -> None:
    rules = rules_of(games.rules_text(name))
    _assert_domains_cover_play(rules, library_grounding(name), 1, plies=40)


def _assert_domains_cover_play(rules: Rules, grounding: Grounding, seed: int, plies: int) -> None:
    domains = Domains(rules.rules)
    (fluents,) = domains.of(Predicate("true", 1))
    movers, moves = domains.of(Predicate("does", 2))
    engine = GroundEngine(grounding, rules.roles)
    rng = random.Random(seed)
    position = engine.initial()
    for _ in range(plies):
        assert all(_holds(fluents, fluent) for fluent in engine.fluents(position))
        legal = [engine.legal(position, role) for role in range(len(rules.roles))]
        for role, options in zip(rules.roles, legal):
            assert not options or _holds(movers, role)
            assert all(_holds(moves, move) for move in options)
        if not all(legal) or engine.terminal(position):
            break
        position, _ = engine.next(position, [rng.choice(options) for options in legal])


def _holds(values: TermSet, term: Term) -> bool:
    """Whether a set contains a term, without spelling the set out."""
    if values.top:
        return True
    if isinstance(term, str):
        return term in values.constants
    assert isinstance(term, tuple)
    arguments = values.functors.get((str(term[0]), len(term) - 1))
    return arguments is not None and all(map(_holds, arguments, term[1:]))
