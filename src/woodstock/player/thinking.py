"""The player that thinks: a search behind a clock, with a legal move at hand all the time."""

from __future__ import annotations

import logging
import random
import weakref
from collections.abc import Callable
from typing import TypeAlias

from woodstock.background import busy
from woodstock.belief import Belief, Situation
from woodstock.belief.observation_histories import belief_until
from woodstock.errors import StateError, WoodstockError
from woodstock.game import Game, State
from woodstock.gdl.terms import Term
from woodstock.player.clock import SYSTEM_CLOCK, Clock, TurnClock
from woodstock.player.contract import Answer, Player, Reason
from woodstock.player.question import Question, Study, leave_alone
from woodstock.player.ready import legal_moves
from woodstock.player.recall import Recall
from woodstock.search import Searcher
from woodstock.search.plain_searcher import PlainSearcher
from woodstock.tune import Preparation

__all__ = ["SearcherMaker", "ThinkingPlayer"]

SearcherMaker: TypeAlias = Callable[[Game, str], Searcher]
"""Makes a search for a role of a game; a `WoodstockError` says that it cannot play this game."""

PLAIN_MARGIN, PLAIN_RESERVE = 0.1, 0.6
"""Seconds, and the part of them that is left when the plain search is given up: threads that run
Python take turns of some milliseconds, and whoever waits for the answer has to wait for a turn."""
LIFTED_MARGIN = 0.05
"""The margin, in seconds, of a belief on rules that are not ground: what comes after it takes some
of these milliseconds, too."""
MAKING_MARGIN = 0.1
"""The margin, in seconds and at most half of the clock, while a search is still being made, be it
for another player of this process."""
LAG_SHARE, LAG_FADES = 1.5, 0.8
"""How much longer than the last searches' delays a margin is, and how fast delays are forgotten."""
REHEARSAL_SHARE, LEARNING_SHARE, REHEARSAL_CLOCK = 0.7, 0.85, 1.0
"""The part of the start clock that rehearsals may take, the same where there is something to learn,
which lasts longer than what is found out about the first state, and the shortest clock worth it."""
STOP_SECONDS, STOP_SHARE = 0.5, 0.3
"""How long a turn waits for a search that is still busy when it begins: seconds, and part of the
clock. Usually a few milliseconds are enough."""
CLOSE_SECONDS = 1.0
"""The same where no clock runs: when a player is no longer wanted."""

HURRY_SECONDS = 0.05
"""How long a search is asked to stop by who does not wait for it."""

_log = logging.getLogger("woodstock.player")


class ThinkingPlayer(Player):
    """Plays with a search, and always answers in time with a legal move.

    `make` makes the search. `margin` is what is kept free at the end of each clock, in seconds;
    by default `default_margin`. With `ponder` it goes on learning or thinking while others think. A
    `preparation` gets most of the start clock, and `threads` to learn on; `make` is expected to use
    what it finds. Where something is hidden, the belief is worked out first, in a small part of the
    clock, and the search is asked about that; nobody knows where to think ahead then. The search
    runs on a thread of its own:

    * one that raises is dropped, the rest of the clock goes to `PlainSearcher`, and the next turn
      gets a new search; one that cannot play this game at all is not asked again;
    * one that is still busy near the deadline is asked to stop; if it does not, the player answers
      with the best move it has told of, or with the ready one. A search that comes back later is
      used again, and told to end earlier; one that is still busy in the next turn is left alone,
      and a new one is made on a new thread.

    Deadlines are readings of `clock`, which is the machine's but where time is simulated.
    The logger ``woodstock.player`` has one line a turn (INFO), and warnings for what went wrong.
    """

    def __init__(
        self,
        make: SearcherMaker,
        *,
        seed: int,
        margin: float | None = None,
        ponder: bool = False,
        preparation: Preparation | None = None,
        threads: int = 1,
        clock: Clock = SYSTEM_CLOCK,
    ) -> None:
        self._make = make
        self._rng = random.Random(seed)
        self._margin = margin
        self._ponder = ponder
        self._preparation = preparation
        self._threads = threads
        self._clock = clock
        self._searcher: Searcher | None = None
        self._plain: PlainSearcher | None = None
        self._plays: tuple[Game, str] | None = None
        self._refused = False
        self._lag = 0.0
        self._legal: tuple[Term, ...] = ()
        self._recall = Recall(clock)
        self._open: list[Question] = []
        self._study: list[Study] = []
        self._asked: Question | None = None
        # A player that nobody has any more must not think on, nor one at the end of the process.
        weakref.finalize(self, _stop_all, self._open)
        weakref.finalize(self, _stop_all, self._study)

    def prepare(self, game: Game, role: str, deadline: float) -> None:
        """Learn and rehearse, make the search and let it look at the first state."""
        clock = self._turn_clock(deadline)
        self._sit_down(game, role)
        if self._is_free(clock):
            source = self._source()
            preparation, length = self._preparation, clock.deadline - clock.begun
            if preparation is not None and length >= REHEARSAL_CLOCK:
                source = self._after_preparation(preparation, game, clock, source)
            start = game.initial_state()
            known = game.information == "complete"
            situation = start if known else Belief.certain(start, role)
            question = self._question(source, situation, clock.search_until)
            self._finish(question, clock)
            if question.decision is not None:
                answer = Answer(
                    question.decision.move, "search", question.decision, self._since(clock)
                )
                _log.info("%s, %s: prepared, would play %s", game.name, role, answer)

    def choose(self, situation: Situation, role: str, deadline: float) -> Term:
        """A legal move: the search's, if it answers in time."""
        clock = self._turn_clock(deadline).with_margin(LAG_SHARE * self._lag)
        self._end_study(situation.game, clock)
        if busy():
            clock = clock.with_margin(MAKING_MARGIN)
        self._sit_down(situation.game, role)
        about = self._about(situation, clock)
        legal = self._moves(about, role)
        ready = self._rng.choice(legal)
        if about is None:
            answer = Answer(ready, "fallback", None, self._since(clock))
        elif len(legal) == 1:
            answer = Answer(ready, "only move", None, self._since(clock))
        else:
            answer = self._think(about, role, legal, ready, clock)
        self.last_answer = answer
        _log.info("%s, %s: %s", situation.game.name, role, answer)
        if self._ponder and isinstance(situation, State) and not self._learn_on(situation.game):
            self._think_ahead(situation, role, answer.move, clock)
        return answer.move

    def close(self) -> None:
        """End what is being thought; the player can be asked again all the same.

        From another thread, it lets a `prepare` or `choose` return soon.
        """
        asked = self._asked
        if asked is not None:
            if asked.searcher is None and self._preparation is not None and self._plays is not None:
                self._preparation.stop(self._plays[0])
            asked.stop(HURRY_SECONDS)
        else:
            _stop_all(self._open)
            _stop_all(self._study)

    def _sit_down(self, game: Game, role: str) -> None:
        if self._plays != (game, role):
            _stop_all(self._open)
            _stop_all(self._study)
            self._plays = game, role
            self._searcher, self._plain, self._refused, self._lag = None, None, False, 0.0
            self._legal, self._recall = (), Recall(self._clock)

    def _turn_clock(self, deadline: float) -> TurnClock:
        return TurnClock.of(self._clock.now(), deadline, self._margin)

    def _since(self, clock: TurnClock) -> float:
        return self._clock.now() - clock.begun

    def _question(
        self, source: Callable[[], Searcher], about: State | Belief, until: float | None
    ) -> Question:
        return Question(source, about, until, clock=self._clock)

    def _about(self, situation: Situation, clock: TurnClock) -> State | Belief | None:
        """What a search is asked about; None where nobody can say what is believed.

        Every turn asks, also those without a choice: so there is never much to catch up with.
        """
        if isinstance(situation, State):
            return situation
        if situation.game.engine.name == "lifted":
            clock = clock.with_margin(LIFTED_MARGIN)
        return self._recall.belief(situation, belief_until(clock.search_until), clock.stop_at)

    def _moves(self, about: State | Belief | None, role: str) -> tuple[Term, ...]:
        """The legal moves, or those known last: if nothing is believed, there is but luck."""
        assert self._plays is not None
        try:
            if about is not None:
                self._legal = legal_moves(about, role)
        except StateError:
            if isinstance(about, State):
                raise  # a belief may be a guess, a state is not
        self._legal = self._legal or legal_moves(self._plays[0].initial_state(), role)
        return self._legal

    def _think(
        self,
        about: State | Belief,
        role: str,
        legal: tuple[Term, ...],
        ready: Term,
        clock: TurnClock,
    ) -> Answer:
        if self._is_free(clock):
            question = self._question(self._source(), about, clock.search_until)
            self._finish(question, clock)
            if question.problem is None:
                return _judge(question, "search", legal, ready, self._since(clock))
        # The fast search has failed, refused, or is still being made: there is a slow one.
        plain = self._plain or PlainSearcher(role, self._rng.getrandbits(63))
        margin = max(PLAIN_MARGIN, clock.margin)
        late = TurnClock.of(self._clock.now(), clock.deadline, margin, PLAIN_RESERVE)
        question = self._question(lambda: plain, about, late.search_until)
        self._wait(question, late)
        # One that is still busy ends by itself, after its ply, and is not asked again.
        self._plain = plain if question.done else None
        if question.problem is not None:
            _log.warning("the plain search failed", exc_info=question.problem)
        return _judge(question, "plain search", legal, ready, self._since(clock))

    def _think_ahead(self, state: State, role: str, move: Term, clock: TurnClock) -> None:
        """Go on thinking where the match will be, as far as that is known."""
        if self._refused:
            return
        try:
            expected = _expected(state, role, move)
            if expected.is_terminal or any(one.situation == expected for one in self._open):
                return
        except WoodstockError as problem:
            _log.warning("nothing to think ahead of: %s", problem)
            return
        if self._is_free(clock):
            self._open.append(self._question(self._source(), expected, None))

    def _learn_on(self, game: Game) -> bool:
        """Go on learning while others think, if that promises more than thinking ahead."""
        preparation = self._preparation
        if preparation is None or self._open or not preparation.can_study(game):
            return False
        self._study.append(
            Study(
                lambda: preparation.study(game), lambda: preparation.stop(game), clock=self._clock
            )
        )
        return True

    def _end_study(self, game: Game, clock: TurnClock) -> None:
        """No thread learns while a move is searched; a search that knows too little goes."""
        for study in self._study:
            if not study.stop(self._patience(clock)):
                leave_alone(study)
                _log.warning("the training does not end, and takes time from the search")
            if study.problem is not None:
                _log.warning("the training failed", exc_info=study.problem)
            if self._preparation is not None and self._preparation.renew(game):
                self._searcher = None
        self._study.clear()

    @staticmethod
    def _patience(clock: TurnClock) -> float:
        return min(STOP_SECONDS, STOP_SHARE * (clock.deadline - clock.begun))

    def _source(self) -> Callable[[], Searcher]:
        """Hands over the search, which is made first if there is none."""
        assert self._plays is not None
        game, role = self._plays
        kept, make, self._searcher = self._searcher, self._make, None
        return lambda: kept if kept is not None else make(game, role)

    def _after_preparation(
        self, preparation: Preparation, game: Game, clock: TurnClock, source: Callable[[], Searcher]
    ) -> Callable[[], Searcher]:
        """The same source, which learns and rehearses before it makes the search."""
        if not preparation.needed_for(game):
            return source
        share = LEARNING_SHARE if preparation.learns(game) else REHEARSAL_SHARE
        until = clock.begun + share * (clock.search_until - clock.begun)
        threads = self._threads

        def prepare_first() -> Searcher:
            try:
                found = preparation.go_on(game, until, threads=threads)
                _log.info("rehearsed: %s", found)
            except Exception as problem:  # the search can be made all the same
                _log.warning("the rehearsal failed", exc_info=problem)
            return source()

        return prepare_first

    def _is_free(self, clock: TurnClock) -> bool:
        """End what is still being thought; whether the search can be asked now."""
        if self._open:
            question = self._open[0]
            if not question.stop(self._patience(clock)) and question.searcher is None:
                return False  # still being made
            self._open.clear()
            self._settle(question)
        return not self._refused

    def _finish(self, question: Question, clock: TurnClock) -> None:
        """Wait for the search as long as the clock allows."""
        self._wait(question, clock)
        if question.done:
            self._settle(question)
        else:
            self._open.append(question)
        # How late one is that has not come back, nobody knows: more than the margin had room for.
        delay = self._clock.now() - clock.search_until if question.done else clock.margin
        self._lag = max(delay, self._lag * LAG_FADES)

    def _wait(self, question: Question, clock: TurnClock) -> None:
        self._asked = question
        try:
            # Who makes a search runs Python, and may keep it for a while.
            middle = (clock.begun + clock.deadline) / 2
            early = min(clock.stop_at, max(middle, clock.deadline - MAKING_MARGIN))
            if question.wait(early):
                return
            if question.searcher is None:
                question.stop(0.0)
            elif not question.wait(clock.stop_at):
                question.stop(clock.answer_at - self._clock.now())
        except BaseException:
            question.stop(0.0)
            raise
        finally:
            self._asked = None

    def _settle(self, question: Question) -> None:
        """Take the search back, or leave it where it went wrong."""
        problem = question.problem
        if not question.done:
            leave_alone(question)
            _log.warning("the search is stuck and left alone; a new one is made")
        elif problem is None:
            self._searcher = question.searcher
        elif question.searcher is None and isinstance(problem, WoodstockError):
            self._refused = True
            _log.warning("there is no fast search for this game: %s", problem)
        else:
            _log.warning("the search failed; the next turn gets a new one", exc_info=problem)


def _judge(
    question: Question, reason: Reason, legal: tuple[Term, ...], ready: Term, seconds: float
) -> Answer:
    """The answer that follows from what a search said, and be it nothing."""
    found = question.decision
    if found is None and not question.done:
        found, reason = question.latest, "best so far"
    if found is not None and found.move in legal:
        return Answer(found.move, reason, found, seconds)
    if found is not None:
        _log.error("the search answered %s, which is not legal", found.move)
    return Answer(ready, "fallback", None, seconds)


def _expected(state: State, role: str, move: Term) -> State:
    """Where a move leads if nobody else has a choice; the same state where somebody has."""
    options = {other: state.legal_moves(other) for other in state.roles if other != role}
    if all(len(moves) == 1 for moves in options.values()):
        return state.apply({role: move, **{other: moves[0] for other, moves in options.items()}})
    return state


def _stop_all(questions: list[Question] | list[Study]) -> None:
    for question in questions:
        if not question.stop(CLOSE_SECONDS):
            leave_alone(question)
    questions.clear()
