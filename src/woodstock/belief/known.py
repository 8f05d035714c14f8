"""What a role always knows: fluents that are the same in all states of its information set.

Where the robot stands is known to it though dirt is not, own marks are though the other's are not.
What is known makes a good summary of what has been done and perceived. It is learnt from a few
random matches: a fluent is known as long as no belief was in doubt about it. Clocks, which are the
same in all matches at the same turn, say nothing and are left out.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from time import monotonic
from weakref import WeakKeyDictionary

from woodstock.belief.particle_filter import ParticleFilter
from woodstock.game import Game, State
from woodstock.gdl.terms import Term

__all__ = ["known_fluents"]

MATCHES, PLIES = 8, 60
"""How many random matches are looked at, and how far."""
STATES = 200
"""How many states of a belief are looked at."""
SECONDS = 0.5
"""After so long, what has been seen has to do."""

_found: WeakKeyDictionary[Game, tuple[int, ...]] = WeakKeyDictionary()


def known_fluents(game: Game) -> bytes:
    """For each role a packed state of the fluents that it always knows, one after the other.

    >>> game = Game.from_library("monty-hall")
    >>> size = len(known_fluents(game)) // len(game.roles)
    >>> mask = int.from_bytes(known_fluents(game)[:size], "little")
    >>> fluents = game.possible_fluents
    >>> sorted(str(fluent) for i, fluent in enumerate(fluents) if mask >> i & 1)
    ['(chosen 1)', '(chosen 2)', '(chosen 3)', '(open 1)', '(open 2)', '(open 3)']
    """
    engine = game.circuit()
    if game not in _found:
        _found[game] = _look(game)
    return b"".join(mask.to_bytes(engine.circuit.state_size, "little") for mask in _found[game])


def _look(game: Game) -> tuple[int, ...]:
    doubts = [0] * len(game.roles)
    always: list[int] = []  # by turn: what held in all matches
    ever: list[int] = []  # and in any
    until = monotonic() + SECONDS
    for number in range(MATCHES):
        rng = random.Random(number)
        trackers = {
            role: ParticleFilter(
                game,
                role,
                seed=number,
                expanded=STATES,
                hypotheses=STATES,
                particles=STATES,
                reinvigorated=0,  # that takes too long for a first look
            )
            for role in game.players
        }
        state = game.initial_state()
        for turn in range(PLIES):
            if state.is_terminal or monotonic() > until:
                break
            joint = state.random_joint_move(rng)
            state = state.apply_unchecked(joint)
            now = _bits(state)
            if turn == len(always):
                always.append(now)
                ever.append(now)
            always[turn] &= now
            ever[turn] |= now
            for place, role in enumerate(game.roles):
                if role in trackers:
                    doubts[place] |= _doubt(trackers[role], joint[place], state, until)
    moving, seen = 0, _bits(game.initial_state())
    for least, most in zip(always, ever):
        moving |= least ^ most
        seen |= most
    # What was never met is most likely known when it comes: gold in the hand.
    unseen = (1 << len(game.possible_fluents or ())) - 1 & ~seen
    return tuple((moving | unseen) & ~doubt for doubt in doubts)


def _doubt(tracker: ParticleFilter, move: Term, state: State, until: float) -> int:
    """The fluents that a belief is in doubt about after a turn."""
    tracker.advance(move, state.percepts(tracker.belief.role), until)
    return _differences(map(_number, tracker.belief.positions), _bits(state))


def _differences(states: Iterable[int], one: int) -> int:
    found = 0
    for state in states:
        found |= state ^ one
    return found


def _bits(state: State) -> int:
    return _number(state.position)


def _number(position: bytes) -> int:
    return int.from_bytes(position, "little")
