"""What players get to know: complete, shared or private information.

* ``complete``: after every turn everybody knows the state. There is nothing to perceive (then all
  moves are told), or every move is perceived by all.
* ``shared``: not complete, but whatever one player perceives, all do (Koriche, Lagrue, Piette and
  Tabary, IJCAI 2016, section 2.3).
* ``private``: some player perceives what another does not. The witness says who and what.
* ``unknown``: neither was proved, and no witness was met.

Complete and shared information are proved on the ground rules, private information by an example.

>>> from woodstock import Game
>>> information_of(Game.from_library("tic-tac-toe")).kind
'complete'
>>> print(information_of(Game.from_library("monty-hall")))
shared: whatever one player perceives, all do
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from woodstock import _core
from woodstock.gdl.rules import Predicate
from woodstock.ground.engine import PackedEngine

if TYPE_CHECKING:
    from woodstock.game import Game

__all__ = ["Information", "InformationKind", "information_of"]

InformationKind: TypeAlias = Literal["complete", "shared", "private", "unknown"]

MATCHES, PLIES, SECONDS = 20, 100, 1.0
"""Random matches that a witness is looked for in, how far each is played, and how many CPU seconds
they may take in all: a busy machine does not change what a game is taken for."""

Body: TypeAlias = frozenset[int]


@dataclass(frozen=True)
class Information:
    """The kind of a game's information, and why it is of this kind."""

    kind: InformationKind
    why: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.why}"


def information_of(game: Game) -> Information:
    """What the players of a game get to know."""
    if not any(rule.head == Predicate("sees", 2) for rule in game.rules.rules):
        return Information("complete", "there are no percepts, all moves are told")
    engine = game.engine
    if isinstance(engine, PackedEngine):
        found = _Percepts(game, engine)
        if found.tell_all_moves():
            return Information("complete", "everybody perceives every move")
        if found.are_shared():
            return Information("shared", "whatever one player perceives, all do")
    witness = _witness(game)
    if witness is not None:
        return Information("private", witness)
    return Information("unknown", "nobody was seen to perceive what others do not")


class _Percepts:
    """The rules about percepts, ground. Atoms that mean the same have the same number."""

    def __init__(self, game: Game, engine: PackedEngine) -> None:
        grounding = engine.grounding
        program = grounding.program
        self._same = _meanings(program)
        self._players = game.players
        self._percepts: dict[str, dict[str, int]] = {role: {} for role in self._players}
        self._bodies: dict[int, frozenset[Body]] = {}
        for (role, percept), atom in zip(grounding.percepts, program.percept_atoms()):
            if role in self._percepts:
                self._percepts[role][str(percept)] = self._same[atom]
                self._bodies[self._same[atom]] = _bodies(program, atom, self._same)
        self._moves: dict[str, list[int]] = {role: [] for role in game.roles}
        for (role, _), (legal, does) in zip(grounding.moves, program.move_atoms()):
            if legal:
                self._moves[role].append(does)

    def tell_all_moves(self) -> bool:
        """Whether everybody can tell the moves of everybody else from its percepts.

        A move is told by a percept that comes with it always, and with nothing else. One move of a
        role may be told by silence.
        """
        for player in self._players:
            told = set(self._told(player))
            for role, moves in self._moves.items():
                if role != player and sum(does not in told for does in moves) > 1:
                    return False
        return True

    def _told(self, player: str) -> Iterator[int]:
        for percept in self._percepts[player].values():
            bodies = self._bodies[percept]
            for body in bodies:
                if len(body) == 1 and all(body <= other for other in bodies):
                    yield from body

    def are_shared(self) -> bool:
        """Whether all players have the same percepts for the same reasons."""
        first, *others = self._percepts.values()
        return all(other == first for other in others)


def _bodies(program: _core.GroundProgram, atom: int, same: Mapping[int, int]) -> frozenset[Body]:
    if program.is_fact(atom):
        return frozenset((frozenset(),))
    return frozenset(
        frozenset(same[abs(literal)] * (1 if literal > 0 else -1) for literal in body)
        for body in program.rules_of(atom)
    )


def _meanings(program: _core.GroundProgram) -> dict[int, int]:
    """For each atom the first one that holds for the same reasons; recursions mean themselves."""
    same: dict[int, int] = {}
    known: dict[frozenset[Body], int] = {}
    for first, last, recursive in program.components():
        for atom in range(first, last):
            same[atom] = atom
        if not recursive and not program.is_input(first):
            same[first] = known.setdefault(_bodies(program, first, same), first)
    return same


def _witness(game: Game) -> str | None:
    """A percept of one player that another did not have, in words."""
    rng = random.Random(0)
    players = game.players
    until = time.thread_time() + SECONDS
    for _ in range(MATCHES if len(players) > 1 else 0):
        state = game.initial_state()
        for ply in range(PLIES):
            if time.thread_time() > until:
                return None
            if state.is_terminal or not all(map(state.legal_moves, state.roles)):
                break
            state = state.apply(state.random_joint_move(rng))
            seen = {player: frozenset(state.percepts(player)) for player in players}
            for one in players:
                for other in players:
                    for percept in sorted(map(str, seen[one] - seen[other])):
                        return f"{one} perceives {percept} in turn {ply + 1}, {other} does not"
    return None
