"""Golden data of the library: counts of the game tree and a recorded match for each game.

``python -m woodstock.games.record [NAME ...]`` writes ``perft.json`` and ``playthrough.json``;
with ``--check`` it writes nothing and says which files would change.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterable, Sequence
from typing import Any, get_args

from woodstock import games
from woodstock.errors import UnknownGameError
from woodstock.game import EngineName, Game, State
from woodstock.gdl.terms import Term
from woodstock.match.perft import depth_counts
from woodstock.match.trace import digest

__all__ = ["main", "record_match"]

DEFAULT_MOVES = 50_000
DEFAULT_SEED = 1
MOST_SPELLED = 24
"""Moves of one role that are spelled out; of more the playthrough keeps number and digest."""


def record_match(game: Game, seed: int) -> dict[str, Any]:
    """Play a random match and note every state, all legal moves, the moves made and the goals.

    The first state is spelled out, the others by the fluents that are `new` and those `gone`;
    of many legal moves only the number and the digest are kept.

    >>> match = record_match(Game.from_library("matching-pennies"), seed=1)
    >>> match["plies"][0]["legal"]["j1"]
    ['(retourne face)', '(retourne pile)']
    >>> match["plies"][1]["gone"]
    ['(piece j1 inconnue)', '(piece j2 inconnue)']
    """
    rng = random.Random(seed)
    before, state = None, game.initial_state()
    plies: list[dict[str, Any]] = []
    while not state.is_terminal:
        moves = state.random_joint_move(rng)
        legal = {role: _recorded(texts_of(state.legal_moves(role))) for role in state.roles}
        joint = [str(move) for move in moves]
        plies.append({**_situation(before, state), "legal": legal, "moves": joint})
        before, state = state, state.apply(moves)
    goals = {role: state.goal(role) for role in state.roles}
    plies.append({**_situation(before, state), "terminal": True, "goals": goals})
    return {"game": game.name, "seed": seed, "plies": plies}


def texts_of(terms: Iterable[Term]) -> list[str]:
    """The terms as KIF texts, sorted."""
    return sorted(str(term) for term in terms)


def _situation(before: State | None, state: State) -> dict[str, Any]:
    found: dict[str, Any] = {"state": texts_of(state.fluents)}
    if before is not None:
        old, now = set(before.fluents), set(state.fluents)
        found = {"gone": texts_of(old - now), "new": texts_of(now - old)}
    seen = {role: texts_of(state.percepts(role)) for role in state.roles}
    if any(seen.values()):
        found["percepts"] = seen
    return found


def _recorded(texts: list[str]) -> list[str] | dict[str, Any]:
    if len(texts) <= MOST_SPELLED:
        return texts
    return {"n": len(texts), "sha256": digest(texts)}


def _perft_text(counts: Sequence[int]) -> str:
    return json.dumps({"depth_counts": list(counts)}) + "\n"


def _match_text(match: dict[str, Any]) -> str:
    """One ply a line: short files, and a changed ply shows as one changed line."""
    plies = ",\n".join("  " + json.dumps(ply) for ply in match["plies"])
    head = f'{{"game": {json.dumps(match["game"])}, "seed": {match["seed"]}, "plies": [\n'
    return f"{head}{plies}\n]}}\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns its exit code."""
    parser = argparse.ArgumentParser(
        prog="python -m woodstock.games.record",
        description="Write the golden counts and the recorded match of library games.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="games (default: all)")
    parser.add_argument("--moves", type=int, default=DEFAULT_MOVES, help="moves to make in all")
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, help="seed of the match")
    parser.add_argument("--engine", choices=get_args(EngineName), default="auto")
    parser.add_argument("--check", action="store_true", help="write nothing, report differences")
    options = parser.parse_args(arguments)
    try:
        for name in options.names:
            games.rules_path(name)
    except UnknownGameError as error:
        parser.error(str(error))  # exits with code 2, before anything is written

    changed = 0
    for name in options.names or games.names():
        game = Game.from_library(name, engine=options.engine)
        counts = depth_counts(game.initial_state(), moves=options.moves)
        texts = {
            "perft.json": _perft_text(counts),
            "playthrough.json": _match_text(record_match(game, options.seed)),
        }
        for file, text in texts.items():
            path = games.rules_path(name).with_name(file)
            if path.is_file() and path.read_text(encoding="utf-8") == text:
                continue
            changed += 1
            if options.check:
                print(f"{name}/{file} differs")
            else:
                path.write_text(text, encoding="utf-8")
        print(f"{name}: {' '.join(map(str, counts))}")
    return 1 if options.check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
