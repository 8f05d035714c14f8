"""`playtest`: random games for some seconds, and what they show."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Sequence
from typing import Any

from woodstock.engine import Engine, LiftedEngine
from woodstock.errors import EvaluationError
from woodstock.game import Game
from woodstock.gdl.diagnostics import Diagnostic
from woodstock.gdl.findings import Findings
from woodstock.gdl.interpreter import Interpreter
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.rules import Predicate, Rules
from woodstock.gdl.sheet import Clause
from woodstock.gdl.tabling import stopped_by
from woodstock.gdl.terms import Term
from woodstock.playtest import troubles
from woodstock.playtest.bulk import Outcomes, play_many
from woodstock.playtest.figures import Interval, Lengths, PlayTest, Width
from woodstock.playtest.search import Trouble, find_line
from woodstock.playtest.usage import unused_clauses
from woodstock.playtest.walks import RandomGame, walk

__all__ = ["MOST_GAMES", "playtest"]

MOST_GAMES = 50_000
MOST_WALKS = 400
ENOUGH = 50
"""Games or states without which it means nothing that something was never met."""
SHARES = (0.25, 0.65, 0.75)
"""When playouts end, games that are kept, and the search for lines; rules have the rest."""


def playtest(
    game: Game,
    *,
    seconds: float = 3.0,
    seed: int = 0,
    games: int = MOST_GAMES,
    on_progress: Callable[[str, float], None] = lambda text, share: None,
) -> PlayTest:
    """Try a game out with random play for about so long; see `PlayTest`.

    Nothing that rules do takes longer than that by much, or is raised: rules that cannot be worked
    out in time become a finding. With few `games` and seconds enough, the seed decides everything.

    >>> game = Game.from_text('''(role x) (role o) (init (turn x)) (legal x go) (legal x stay)
    ...     (<= (legal o wait) (true (turn x))) (<= (next (turn o)) (does x go))
    ...     (<= (next (turn x)) (does x stay)) (<= terminal (true (turn z)))
    ...     (goal x 50) (goal o 50)''')
    >>> for one in playtest(game, seconds=30, games=50, seed=1).findings:
    ...     print(one.code, one.message, one.play, sep=" | ")
    stuck | o has no legal move after 1 move, and the game is not over | go
    endless | play can go on for ever: after 1 move everything is as it was at the start | stay
    """
    return _Tester(game, seconds, seed, games, on_progress).run()


class _Tester:
    def __init__(
        self,
        game: Game,
        seconds: float,
        seed: int,
        games: int,
        on_progress: Callable[[str, float], None],
    ) -> None:
        self.rules = game.rules
        self.seconds = seconds
        self.games = games
        self.seed = seed
        self.begun = time.monotonic()
        self.rng = random.Random(f"playtest/{seed}")
        self.on_progress = on_progress
        self.engine: Engine = game.engine
        if isinstance(game.engine, LiftedEngine):
            # Its own one has far more patience with a single question.
            self.engine = LiftedEngine(game.rules, seconds=seconds)
        self.players = [n for n, role in enumerate(self.rules.roles) if role != RANDOM]
        self.found: list[Diagnostic] = []
        self.report = Findings(self.rules.sheet, self.found)
        self.moves: set[tuple[int, Term]] = set()
        self.widths: list[list[int]] = [[] for _ in self.rules.roles]

    def until(self, share: float) -> Callable[[], bool]:
        """Whether this share of the time is over."""
        end = self.begun + self.seconds * share
        return lambda: time.monotonic() > end

    def run(self) -> PlayTest:
        limit = troubles.LIMIT
        walks: list[RandomGame] = []
        outcomes = None
        unused: list[Clause] = []
        states = 0
        with stopped_by(self.until(1.0)):
            try:
                start = self.engine.initial()
                if self.engine.name == "circuit":
                    outcomes, limit = self.play_many(start)
                walks = self.walk(start, limit)
                walks += self.lines(start, outcomes, limit)
            except EvaluationError as problem:
                self.broken(str(problem))
            if outcomes is None or not outcomes.lengths:
                outcomes = Outcomes.of(walks, self.players, len(self.rules.roles))
            self.judge(walks, outcomes, limit)
            if walks:
                self.on_progress("Looking for rules that never apply", SHARES[2])
                unused, states = unused_clauses(
                    self.rules, self.engine, walks, self.rng, self.until(1.0)
                )
        return self.played(walks, outcomes, limit, (unused if states >= ENOUGH else [], states))

    def play_many(self, start: Any) -> tuple[Outcomes, int]:
        return play_many(
            self.engine,
            start,
            seconds=self.seconds * SHARES[0],
            games=self.games,
            limit=troubles.LIMIT,
            seed=self.seed % 2**64,
            on_progress=lambda share: self.on_progress("Playing random games", share * SHARES[0]),
        )

    def walk(self, start: Any, limit: int) -> list[RandomGame]:
        out_of_time = self.until(SHARES[1])
        walks: list[RandomGame] = []
        while len(walks) < min(MOST_WALKS, self.games):
            share = min(SHARES[1], (time.monotonic() - self.begun) / self.seconds)
            self.on_progress("Playing random games", share)
            one = walk(self.engine, start, self.rng, limit, self.see, out_of_time)
            if one is None:
                break
            if one.ending == "broken":
                self.broken("what follows its moves takes too long", one)
                break
            walks.append(one)
            for widths in one.widths:
                for role, width in enumerate(widths):
                    if width > 1:
                        self.widths[role].append(width)
            if out_of_time():
                break
        return walks

    def see(self, role: int, moves: Sequence[Term]) -> None:
        self.moves.update((role, move) for move in moves)

    def broken(self, why: str, one: RandomGame | None = None) -> None:
        """Rules that cannot be worked out in time: worth a finding if nothing could be played."""
        if self.until(SHARES[1])() and (one is None or one.length > 0):
            return
        self.report.add(
            "warning", "evaluation", f"the game could not be played: {why}", "simplify the rules"
        )

    def lines(self, start: Any, outcomes: Outcomes | None, limit: int) -> list[RandomGame]:
        """Games that show what playouts met and no game that was kept shows."""
        found: list[RandomGame] = []
        troubles_met: tuple[tuple[Trouble, int], ...] = (
            () if outcomes is None else (("stuck", outcomes.stuck), ("unclear", outcomes.unclear))
        )
        for trouble, met in troubles_met:
            if met:
                self.on_progress("Looking for a line of play", SHARES[1])
                one = find_line(self.engine, start, trouble, self.rng, limit, self.until(SHARES[2]))
                if one is not None:
                    found.append(one)
        return found

    def judge(self, walks: list[RandomGame], outcomes: Outcomes, limit: int) -> None:
        """Report all that the games show."""
        rules, engine, report = self.rules, self.engine, self.report
        troubles.report_stuck(rules, walks, report)
        troubles.report_goals(rules, walks, report)
        troubles.report_losses(rules, engine, walks, report)
        troubles.report_endless(rules, walks, outcomes, limit, report)
        troubles.report_uncovered(rules, engine, walks, self.moves, _bounds(rules), report)

    def played(
        self,
        walks: list[RandomGame],
        outcomes: Outcomes,
        limit: int,
        usage: tuple[list[Clause], int],
    ) -> PlayTest:
        roles = self.rules.roles
        numbering = self.engine.numbering
        known = [] if numbering is None else [key for key in numbering.moves if key[0] >= 0]
        intervals = {roles[role]: Interval.of(outcomes.goals[role]) for role in self.players}
        source = self.rules.sheet.source
        return PlayTest(
            engine=self.engine.name,
            games=len(outcomes.lengths),
            walks=len(walks),
            limit=limit,
            cut=outcomes.cut,
            stuck=outcomes.stuck,
            lengths=Lengths.of(outcomes.lengths),
            goals={role: found for role, found in intervals.items() if found is not None},
            branching={
                roles[role]: Width(sum(widths) / len(widths), max(widths))
                for role, widths in enumerate(self.widths)
                if widths
            },
            moves=len(known),
            unused_moves=tuple(
                (roles[r], move)
                for r, move in known
                if (r, move) not in self.moves and len(walks) >= ENOUGH
            ),
            rules=sum(bool(clause.body) for clause in self.rules.sheet.clauses),
            rule_states=usage[1],
            unused_rules=tuple(usage[0]),
            findings=tuple(self.found),
            seconds=time.monotonic() - self.begun,
            lines={clause.to_kif(): source.position(clause.place())[0] for clause in usage[0]},
        )


def _bounds(
    rules: Rules,
) -> tuple[frozenset[Term] | None, frozenset[tuple[str, Term]] | None]:
    """What `base` and `input` allow; None where they are not given or cannot be worked out."""
    interpreter = Interpreter(rules, seconds=2.0)
    base = inputs = None
    try:
        if Predicate("base", 1) in rules.by_head:
            base = frozenset(row[0] for row in interpreter.ask(Predicate("base", 1)))
        if Predicate("input", 2) in rules.by_head:
            rows = interpreter.ask(Predicate("input", 2))
            inputs = frozenset((str(role), move) for role, move in rows)
    except EvaluationError:
        pass
    return base, inputs
