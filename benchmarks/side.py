"""One side of a match between two installations: a process that is asked for moves in JSON lines.

``PYTHON benchmarks/side.py`` runs under the interpreter of the installation whose player is wanted,
and needs nothing but `woodstock` there, old or new: what differs between versions is in `Prepared`.
Each line on standard input is a request, each line on standard output its answer:

    {"do": "prepare", "game": NAME, "player": TEXT, "start": SECONDS, "seed": N, "keep": FILE}
    {"do": "match", "roles": [ROLE, ...], "seed": N}
    {"do": "think", "role": ROLE, "moves": [[MOVE, ...], ...], "cpu": SECONDS}

A game is a name of the library or a file. The start clock is spent once; what came of it is kept in
FILE, if one is named, and read from there the next time. The moves are all joint moves of the match
so far; what the role may not see is not shown to its player. All times are CPU times of this
process, also the start clock: a busy machine is as fair as an idle one.
"""

from __future__ import annotations

import json
import math
import sys
import time
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, redirect_stdout
from pathlib import Path
from types import ModuleType
from typing import Any
from unittest import mock

from woodstock import Game, State
from woodstock.belief import ObservationHistories, believed
from woodstock.player import make_player
from woodstock.search import Limits, Searcher, make_searcher
from woodstock.search.presets import REHEARSED
from woodstock.tune import Rehearsal

learn: ModuleType | None
try:
    from woodstock import learn
except ImportError:  # an old installation rehearses options and learns nothing
    learn = None

UNSEARCHING = frozenset({"random", "legal"})
"""Players that do not think and take no time."""


@contextmanager
def cpu_clock() -> Iterator[None]:
    """Let CPU seconds pass for seconds: deadlines are readings of `time.monotonic` everywhere."""
    with ExitStack() as stack:
        stack.enter_context(mock.patch.object(time, "monotonic", time.process_time))
        if learn is not None:
            train = learn.Training.go_on

            # Native code has a clock of its own, and must be told.
            def go_on(training: Any, *, until: float | None = None, **more: Any) -> Any:
                if until is not None:
                    more["cpu_seconds"] = max(0.0, until - time.monotonic())
                return train(training, **more)

            stack.enter_context(mock.patch.object(learn.Training, "go_on", go_on))
        yield


class Prepared:
    """What a player found out about a game in the start clock: the one place that knows how.

    `found` can be written as JSON: the `style` that was chosen and the `trials` behind it, in
    words, and what a search is made with.
    """

    def __init__(self, game: Game, player: str) -> None:
        self.game = game
        self.player = player
        self.found: dict[str, Any] = {}
        self._rehearses = player.partition(":")[0] in REHEARSED
        self._learns = learn is not None and any(f"values={v}" in player for v in ("net", "blend"))

    def spend(self, seconds: float, seed: int) -> None:
        """Spend the start clock, if the player has a use for it."""
        if seconds <= 0 or not (self._rehearses or self._learns):
            return
        if learn is None:
            self._rehearse_options(seconds, seed)
        else:
            self._learn_and_rehearse(seconds, seed)

    def _rehearse_options(self, seconds: float, seed: int) -> None:
        """Until version 1aeb2a9: rehearsals look for options of one search."""
        rehearsal: Any = Rehearsal(self.game, seed)
        with cpu_clock():
            rehearsal.go_on(time.monotonic() + seconds)
        options = rehearsal.options
        style = ",".join(f"{key}={value}" for key, value in options.items())
        self.found = {
            "style": f"woodstock:{style}" if style else "woodstock",
            "trials": [str(trial) for trial in rehearsal.trials],
            "options": options,
        }

    def _learn_and_rehearse(self, seconds: float, seed: int) -> None:
        values: Any = "none" if "values=playouts" in self.player else "auto"
        rehearsal = Rehearsal(self.game, seed, values=values)
        with cpu_clock():
            rehearsal.go_on(time.monotonic() + seconds, only_learn=not self._rehearses)
        known = rehearsal.values
        self.found = {
            "style": str(rehearsal.style) if self._rehearses else self.player,
            "trials": [str(trial) for trial in rehearsal.trials],
            "learned": None if known is None else str(known.about),
            "values": None if known is None else b64encode(known.to_bytes()).decode(),
        }

    def searcher(self, role: str, seed: int) -> Searcher:
        """A new search for a match, with an empty tree."""
        more: dict[str, Any] = {}
        if "options" in self.found:
            more["rehearsed"] = self.found["options"]
        elif self.found and learn is not None:
            from woodstock.search.styles import Style

            if self._rehearses:
                more["rehearsed"] = Style.parse(self.found["style"])
            if self.found["values"] is not None:
                more["net"] = learn.Values.from_bytes(b64decode(self.found["values"])).net
        return make_searcher(self.player, self.game, role, seed=seed, **more)


class Seat:
    """A role of the match that is played, and who plays it."""

    def __init__(self, prepared: Prepared, role: str, seed: int) -> None:
        self._role = role
        self._searcher: Searcher | None = None
        if prepared.player in UNSEARCHING:
            self._simple = make_player(prepared.player, seed)
        else:
            self._searcher = prepared.searcher(role, seed)

    def think(self, histories: ObservationHistories, state: State, cpu: float) -> dict[str, Any]:
        """The move, the simulations that it took, and the CPU time."""
        begun, thread = time.process_time(), time.thread_time()
        situation = histories.situation(self._role, state)
        if self._searcher is None:
            move, simulations, proved = (
                self._simple.choose(situation, self._role, math.inf),
                0,
                False,
            )
        else:
            with cpu_clock():
                about = believed(situation, time.monotonic() + cpu)
            left = max(0.0, cpu - (time.thread_time() - thread))
            found = self._searcher.think(about, limits=Limits(cpu_seconds=left))
            move, simulations, proved = found.move, found.simulations, found.proved
        spent = time.process_time() - begun
        return {"move": str(move), "simulations": simulations, "proved": proved, "cpu": spent}


class Side:
    """Answers requests."""

    def __init__(self) -> None:
        self._prepared: Prepared | None = None
        self._seats: dict[str, Seat] = {}
        self._histories: ObservationHistories | None = None
        self._states: list[State] = []

    def prepare(
        self, game: str, player: str, start: float, seed: int, keep: str | None
    ) -> dict[str, Any]:
        """Load a game and spend the start clock on it."""
        prepared = Prepared(Game.load(game), player)
        file = Path(keep) if keep else None
        begun = time.process_time()
        if file is not None and file.exists():
            prepared.found = json.loads(file.read_text(encoding="utf-8"))
        else:
            prepared.spend(start, seed)
            if file is not None:
                whole = file.with_suffix(".part")
                whole.write_text(json.dumps(prepared.found), encoding="utf-8")
                whole.replace(file)
        self._prepared = prepared
        words = {key: prepared.found.get(key) for key in ("style", "trials", "learned")}
        return {"cpu": time.process_time() - begun, **words}

    def match(self, roles: list[str], seed: int) -> dict[str, Any]:
        """Sit down for a new match, in the seats of these roles."""
        prepared = self._prepared
        if prepared is None:
            raise RuntimeError("nothing is prepared")
        self._seats.clear()  # the old trees go before new ones grow
        self._seats = {role: Seat(prepared, role, seed + n) for n, role in enumerate(roles)}
        self._histories = ObservationHistories(prepared.game, seed=seed)
        self._states = [prepared.game.initial_state()]
        return {}

    def think(self, role: str, moves: list[list[str]], cpu: float) -> dict[str, Any]:
        """The move of a role after these joint moves."""
        histories, states = self._histories, self._states
        if histories is None:
            raise RuntimeError("no match is being played")
        for joint in moves[len(states) - 1 :]:
            state = states[-1]
            terms = [state.game.term(move) for move in joint]
            states.append(state.apply(terms))
            histories.see(terms, states[-1])
        return self._seats[role].think(histories, states[-1], cpu)


def main() -> int:
    """Answer requests until there are no more."""
    side = Side()
    known: dict[str, Callable[..., dict[str, Any]]] = {
        "prepare": side.prepare,
        "match": side.match,
        "think": side.think,
    }
    answers = sys.stdout
    with redirect_stdout(sys.stderr):  # what else is printed is no answer
        for line in sys.stdin:
            request = json.loads(line)
            try:
                answer = known[request.pop("do")](**request)
            except Exception as problem:
                answer = {"error": f"{type(problem).__name__}: {problem}"}
            answers.write(json.dumps(answer) + "\n")
            answers.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
