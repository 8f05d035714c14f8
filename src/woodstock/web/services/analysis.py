"""What the moves of a position are worth, told while it is found out.

`analyse` asks a search about one position, or, for a whole line, about each of its positions. Where
something is hidden and a role is named, the search is asked about what that role can know. Where
only chance moves, the outcomes are listed with their probabilities and what they are worth.

>>> from woodstock import Game
>>> game = Game.from_library("nim")
>>> told = []
>>> found = analyse(game, {"player": "woodstock", "seconds": 5}, told.append, lambda: False)
>>> found["role"], found["value"], found["proved"]
('player1', 1.0, True)
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from woodstock.belief import Belief, ObservationHistories
from woodstock.game import Game, State
from woodstock.gdl.keywords import players_of
from woodstock.plan import cannot_plan
from woodstock.plan.policy import cannot_have_policy
from woodstock.player import Question
from woodstock.search import Decision, Searcher, search_names
from woodstock.search.plain_searcher import PlainSearcher
from woodstock.search.written import written
from woodstock.tune import Preparation, Rehearsals
from woodstock.web.services.contract import ServiceError, Stopped, Tell
from woodstock.web.services.plans import number, plan
from woodstock.web.services.position import line_of, reach

__all__ = ["analyse", "plan"]

LEAST_SECONDS, MOST_SECONDS = 0.05, 3600.0
REFRESH, PULSE = 0.25, 0.05
"""Seconds between two reports, and between two looks whether anybody still wants them."""
GRACE = 5.0
"""Seconds after its time in which a search may still answer."""
TOLD_MOVES = 250
"""Moves in a report on the way; the result has all of them."""
MEMORY_MB = 256
OUTCOMES, PLAYOUTS = 64, 64
"""Outcomes of chance that are valued, and the random games that do so at first."""


def analyse(game: Game, request: dict[str, Any], tell: Tell, stopped: Stopped) -> dict[str, Any]:
    """Value the moves of a position; ``what`` may also be ``"plan"`` or ``"review"``.

    The request has a position (``line``, ``fluents``), and perhaps ``role``, ``player``,
    ``seconds`` and ``seed``. Progress and result are decisions as `Decision.to_json` gives them,
    with the ``role`` they are for. A review is of all positions of the line: it tells
    ``{"ply", "values", "proved"}`` of each, and shares the seconds among them.
    """
    what = request.get("what", "analyse")
    if what == "plan":
        return plan(game, request, tell, stopped)
    work = _Analysis(game, request, tell, stopped)
    if what == "review":
        return work.review(request)
    if what != "analyse":
        raise ServiceError(f"analyse cannot do {what!r}; it does analyse, plan or review")
    return work.position(request)


class _Analysis:
    """One request: who thinks, for how long, and who listens."""

    def __init__(
        self, game: Game, request: Mapping[str, Any], tell: Tell, stopped: Stopped
    ) -> None:
        self.game, self.tell, self.stopped = game, tell, stopped
        self.player = _search(game, request.get("player", "woodstock"))
        self.seconds = number(request, "seconds", 5.0, LEAST_SECONDS, MOST_SECONDS)
        self.seed = int(number(request, "seed", 1, 0, 2**63 - 1))
        self._prepared: Preparation | None = None
        self._searchers: dict[str, Searcher] = {}

    def position(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """The moves of one position."""
        until = time.monotonic() + self.seconds
        states = reach(self.game, dict(request))
        state = states[-1]
        if state.is_terminal:
            raise ServiceError("the game is over here; nobody has a move")
        mine = _role(state, request.get("role"))
        named = request.get("role") is not None
        common: dict[str, Any] = {
            "role": mine,
            "player": self.player,
            "ply": len(states) - 1,
            "plans": _can_plan(self.game),
        }
        if state.turn and not players_of(state.turn) and not (named and self._hidden):
            return self._chance(state, mine, until, common)
        about: State | Belief = state
        if self._hidden:
            if request.get("fluents"):
                # How it came to this position nobody knows, so nothing can be inferred from that.
                about = Belief.certain(state, mine, len(states) - 1)
                common["knows"] = "the position is taken as known"
            else:
                self.tell({**common, "working": "on what may be"})
                about = self._belief(request, states, mine, until)
                sure = "all of them" if about.exact else "a sample"
                count = len(about.chances)
                common["knows"] = f"{count:,} state{'s' if count != 1 else ''}, {sure}"
        found = self._think(about, mine, until, common)
        return {**found.to_json(), **common}

    def review(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """What each position of a line is worth, with everything seen."""
        states = reach(self.game, dict(request))
        left = time.monotonic() + self.seconds
        plies: list[dict[str, Any]] = []
        for ply, state in enumerate(states):
            if self.stopped():
                break
            share = max(LEAST_SECONDS, (left - time.monotonic()) / (len(states) - ply))
            plies.append({"ply": ply, **self._value(state, time.monotonic() + share)})
            self.tell(plies[-1])
        return {"plies": plies, "player": self.player}

    @property
    def _hidden(self) -> bool:
        return self.game.information != "complete"

    def _belief(
        self, request: Mapping[str, Any], states: Sequence[State], role: str, until: float
    ) -> Belief:
        """What a role can know after a line."""
        histories = ObservationHistories(self.game, seed=self.seed)
        for moves, after in zip(line_of(dict(request)), states[1:], strict=True):
            histories.see([self.game.term(move) for move in moves], after)
        found = histories.believed(role, states[-1], until)
        return found if isinstance(found, Belief) else Belief.certain(found, role)

    def _value(self, state: State, until: float) -> dict[str, Any]:
        """The utilities of a state to the players."""
        if state.is_terminal:
            goals = {role: (state.goal(role) or 0) / 100 for role in self.game.players}
            return {"values": goals, "proved": True}
        mine = _role(state, None)
        about = Belief.certain(state, mine) if self._hidden else state
        found = self._think(about, mine, until, None)
        values = {role: round(value, 6) for role, value in found.values.items()}
        return {"values": values, "proved": found.proved, "role": mine, "move": str(found.move)}

    def _chance(
        self, state: State, mine: str, until: float, common: dict[str, Any]
    ) -> dict[str, Any]:
        """The outcomes of chance: how likely each is and what it is worth."""
        reached = state.successors()
        share = 1 / len(reached)
        place = next(i for i, r in enumerate(state.roles) if r not in self.game.players)
        outcomes: list[dict[str, Any]] = [
            {"move": str(joint[place]), "probability": round(share, 6)} for joint, _ in reached
        ]
        if len(reached) <= OUTCOMES:
            after = [one for _, one in reached]
            if self.game.engine.name == "circuit":
                tallies = self.game.playouts(after, [PLAYOUTS] * len(after), seed=self.seed)
                for outcome, tally in zip(outcomes, tallies, strict=True):
                    goals = tally.mean_goals
                    outcome["values"] = {
                        role: round((goals[role] or 0) / 100, 6) for role in self.game.players
                    }
                    outcome["by"] = "playouts"
                self.tell(_expected(outcomes, mine, common))
            for done, (outcome, one) in enumerate(zip(outcomes, after, strict=True)):
                if self.stopped():
                    break
                part = max(LEAST_SECONDS, (until - time.monotonic()) / (len(after) - done))
                found = self._value(one, time.monotonic() + part)
                outcome |= {"values": found["values"], "by": "search", "proved": found["proved"]}
                self.tell(_expected(outcomes, mine, common))
        return _expected(outcomes, mine, common)

    def _think(
        self, about: State | Belief, role: str, until: float, common: Mapping[str, Any] | None
    ) -> Decision:
        """Ask the search; what it tells on its way is told on, if `common` says with what."""
        question = Question(lambda: self._searcher(role), about, until)
        told, last = None, time.monotonic() - REFRESH / 2
        while not question.wait(time.monotonic() + PULSE):
            now = time.monotonic()
            latest = question.latest
            if common is not None and latest is not told and now - last >= REFRESH:
                told, last = latest, now
                if latest is not None:
                    self.tell({**_short(latest), **common})
            if self.stopped() or now > until + GRACE:
                break
        question.stop(GRACE)
        if question.problem is not None:
            raise question.problem
        found = question.decision or question.latest
        if found is None:
            raise ServiceError(f"{self.player} has found nothing in this time; give it more")
        return found

    def _searcher(self, role: str) -> Searcher:
        if role not in self._searchers:
            self._searchers[role] = self._make(role)
        return self._searchers[role]

    def _make(self, role: str) -> Searcher:
        # Without a circuit only the plain search can play, and it is the one the default falls to.
        if self.game.engine.name != "circuit" and self.player == "woodstock":
            return PlainSearcher(role, seed=self.seed)
        if self._prepared is None:
            rehearsals = Rehearsals.of_text("auto", cache=True, game=self.game)
            self._prepared = Preparation(self.player, rehearsals)
        return self._prepared.searcher(self.game, role, seed=self.seed, memory_mb=MEMORY_MB)


def _search(game: Game, text: object) -> str:
    """The search that is asked for, if it is one that a page may ask for."""
    name = str(text).partition(":")[0].strip()
    if not isinstance(text, str) or name not in search_names():
        known = ", ".join(search_names())
        raise ServiceError(f"{name[:40]!r} does not value moves; these do: {known}")
    if written(text).file is not None:
        raise ServiceError("files of values cannot be named here")
    return text


def _role(state: State, wanted: object) -> str:
    """Whose moves to value; by default the first player that has a choice."""
    players = state.game.players
    if wanted is None:
        turn = state.turn
        return next((role for role in players if role in turn), players[0])
    if wanted not in players:
        raise ServiceError(f"no player {str(wanted)[:40]!r}; there are {', '.join(players)}")
    return str(wanted)


def _can_plan(game: Game) -> bool:
    return cannot_plan(game) is None or cannot_have_policy(game) is None


def _short(decision: Decision) -> dict[str, Any]:
    """A decision for a report: of thousands of moves, only the best."""
    found = decision.to_json()
    more = len(found["moves"]) - TOLD_MOVES
    if more > 0:
        found["moves"] = found["moves"][:TOLD_MOVES]
        found["more"] = more
    return found


def _expected(
    outcomes: list[dict[str, Any]], mine: str, common: Mapping[str, Any]
) -> dict[str, Any]:
    """The outcomes so far, and what may be expected of them."""
    found: dict[str, Any] = {**common, "chance": [dict(one) for one in outcomes], "moves": []}
    if all("values" in one for one in outcomes):
        roles = outcomes[0]["values"]
        found["values"] = {
            role: round(sum(one["probability"] * one["values"][role] for one in outcomes), 6)
            for role in roles
        }
        found["value"] = found["values"][mine]
        found["proved"] = all(one.get("proved", False) for one in outcomes)
    return found
