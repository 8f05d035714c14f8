"""Engines of one game side by side, grounded in this process to save a child for each example."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import cache
from typing import Any
from unittest import mock

from woodstock import games
from woodstock.circuit.engine import CircuitEngine
from woodstock.engine import Engine, LiftedEngine
from woodstock.gdl.checker import check
from woodstock.gdl.domains import TermSet
from woodstock.gdl.reader import read_text
from woodstock.gdl.rules import Predicate, Rules
from woodstock.gdl.terms import Term, Variable, to_kif
from woodstock.ground import child, demand, reach, splitting, unfolding
from woodstock.ground.engine import GroundEngine, PackedEngine
from woodstock.ground.grounder import Grounding


def rules_of(text: str) -> Rules:
    """The rules of a text in which the checker finds no error."""
    rules, findings = check(read_text(text), thorough=False)
    errors = [str(finding) for finding in findings if finding.severity == "error"]
    assert not errors, "\n".join(errors)
    return rules


def ground_here(rules: Rules, *, split: bool = True) -> Grounding:
    """A grounding made without a child process."""
    result = child.best_grounding(rules, split=split, max_rules=1_000_000, seconds=60.0)
    assert result.program.stratified
    report = {"symbols": result.asp.symbols, "instances": result.instances}
    return Grounding(result.program, {**report, "seconds": 0.0, "memory_mb": 0.0})


_kept: dict[str, Grounding] = {}


def kept_grounding(rules: Rules) -> Grounding:
    """The same, made once for all tests that ask for it."""
    text = rules.sheet.to_kif()
    if text not in _kept:
        _kept[text] = ground_here(rules)
    return _kept[text]


@cache
def library_grounding(name: str) -> Grounding:
    """The grounding of a game of the library."""
    return kept_grounding(rules_of(games.rules_text(name)))


def engines_of(rules: Rules) -> dict[str, Engine]:
    """The oracle, and the engines on ground rules with and without splitting."""
    found: dict[str, Engine] = {"lifted": LiftedEngine(rules)}
    for name, split in (("split", True), ("unsplit", False)):
        grounding = ground_here(rules, split=split)
        found[name] = GroundEngine(grounding, rules.roles)
        found[f"{name} circuit"] = CircuitEngine(grounding, rules.roles)
    return found


@contextmanager
def everything_pays() -> Iterator[None]:
    """Lower all thresholds, so that small programs take the roads that only large ones do."""
    size = TermSet.size
    with ExitStack() as stack:
        for module, name, value in (
            (demand, "LARGE", 0.0),
            (reach, "COSTLY", 0.0),
            (splitting, "WORTHWHILE", 1.0),
            (unfolding, "DENSE", 0.0),
            (child, "SECOND_LOOK", (0, 1_000_000)),
            # Cuts pay where there are many values.
            (TermSet, "size", lambda values: 8.0 * size(values)),
        ):
            assert hasattr(module, name)
            stack.enter_context(mock.patch.object(module, name, value))
        yield


Snapshot = dict[str, object]


def snapshot(engine: Engine, position: Any, roles: Sequence[str]) -> Snapshot:
    """All that an engine says of a position, in words."""
    numbers = range(len(roles))
    return {
        "fluents": sorted(map(to_kif, engine.fluents(position))),
        "terminal": engine.terminal(position),
        "legal": [list(map(to_kif, engine.legal(position, role))) for role in numbers],
        "goals": [engine.goals(position, role) for role in numbers],
    }


def assert_same_match(
    engines: Mapping[str, Engine],
    rules: Rules,
    seed: int,
    plies: int,
    seconds: float = float("inf"),
) -> None:
    """Play one random match on all engines at once; go on after its end, which engines allow.

    The match is broken off after a number of plies, or of CPU seconds: some lifted games are slow.
    """
    rng = random.Random(seed)
    begun = time.process_time()
    positions = {name: engine.initial() for name, engine in engines.items()}
    for ply in range(plies + 1):
        joint = assert_same_position(engines, positions, rules, rng, f"ply {ply}")
        late = ply >= 4 and time.process_time() - begun > seconds
        if joint is None or ply == plies or late:
            return
        positions = assert_same_step(engines, positions, joint, f"ply {ply}")


def assert_same_position(
    engines: Mapping[str, Engine],
    positions: Mapping[str, Any],
    rules: Rules,
    rng: random.Random,
    where: str,
) -> list[Term] | None:
    """Compare all engines with the first; a random joint move, None where there is none."""
    oracle, *others = engines
    expected = snapshot(engines[oracle], positions[oracle], rules.roles)
    for name in others:
        assert snapshot(engines[name], positions[name], rules.roles) == expected, (where, name)
    legal = [engines[oracle].legal(positions[oracle], role) for role in range(len(rules.roles))]
    return [rng.choice(moves) for moves in legal] if all(legal) else None


def assert_same_step(
    engines: Mapping[str, Engine], positions: Mapping[str, Any], joint: Sequence[Term], where: str
) -> dict[str, Any]:
    """Make a joint move on all engines and compare what is perceived."""
    oracle, *others = engines
    stepped = {name: engine.next(positions[name], joint) for name, engine in engines.items()}
    for name in others:
        assert stepped[name][1] == stepped[oracle][1], (where, name, joint)
    return {name: after for name, (after, _) in stepped.items()}


def frozen_functors(rules: Rules) -> set[tuple[str, int]]:
    """Fluents that merely persist: grounding may take them from the initial state for good."""
    plain: dict[tuple[str, int], bool] = {}
    for rule in rules.by_head.get(Predicate("next", 1), ()):
        fluent = rule.arguments[0]
        if isinstance(fluent, Variable):
            return set()
        only = [(literal.predicate.name, literal.arguments) for literal in rule.body]
        key = functor(fluent)
        plain[key] = plain.get(key, True) and only == [("true", (fluent,))]
    return {key for key, persists in plain.items() if persists}


def functor(term: Term) -> tuple[str, int]:
    """Name and arity of a ground term."""
    return (str(term[0]), len(term) - 1) if isinstance(term, tuple) else (str(term), 0)


def random_states(
    engines: Mapping[str, Engine], rules: Rules, rng: random.Random, count: int
) -> Iterator[dict[str, Any]]:
    """Any sets of fluents that all engines know, reachable or not."""
    known = set.intersection(
        *(_reachable(e.grounding) for e in engines.values() if isinstance(e, PackedEngine))
    )
    start = engines["lifted"].fluents(engines["lifted"].initial())
    frozen = frozen_functors(rules)
    always = {f for e in engines.values() if isinstance(e, PackedEngine) for f in _always(e)}
    fixed = [f for f in start if functor(f) in frozen or f in always]
    loose = sorted((f for f in known - always if functor(f) not in frozen), key=to_kif)
    for _ in range(count):
        density = rng.random()
        chosen = [*fixed, *(fluent for fluent in loose if rng.random() < density)]
        yield {name: engine.position(chosen) for name, engine in engines.items()}


def _reachable(grounding: Grounding) -> set[Term]:
    """The fluents that the start or some move can give; others are only mentioned."""
    atoms = grounding.program.fluent_atoms()
    start = set(grounding.program.initial())
    return {f for i, f in enumerate(grounding.fluents) if i in start or atoms[i][1]}


def _always(engine: PackedEngine) -> set[Term]:
    """The fluents that hold at the start and after every move: no state is without them."""
    program = engine.grounding.program
    atoms = program.fluent_atoms()
    return {
        engine.grounding.fluents[i]
        for i in program.initial()
        if atoms[i][1] and program.is_fact(atoms[i][1])
    }
