"""Plans by constraints: a network of all turns, and maintaining arc consistency on it.

The game is over behind the last turn, with a goal above the best so far. A search that learns from
its failures looks for moves, or shows that there are none. Nobody knows beforehand how long a plan
is, so networks of several lengths take turns, those that were taken up first more often (Rintanen
2004): the search is not stuck on one that is hard to refute. There are two kinds. In an exact one
the game goes on in every turn, and of moves that commute one order alone is allowed: these are
refuted soonest. In the other kind the game may end sooner: one of them stands for many lengths.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count

from woodstock.errors import WoodstockError
from woodstock.game import State
from woodstock.plan.effects import relevant_atoms
from woodstock.plan.horizon import Horizon, NotWanted, entries_of
from woodstock.plan.order import order_of
from woodstock.plan.relaxed import Reach
from woodstock.plan.task import Task
from woodstock.scsp.encode.ground_rules import grounding_of
from woodstock.scsp.encode.template import Template, template

__all__ = ["run"]

NAME = "mac"
MOST_RULES = 60_000
"""Ground rules beyond which no network of a turn is made."""
LARGEST, ROOM = 6_000_000, 10_000_000
"""Entries of the tables of a network, and of all that are kept at a time: some 45 bytes each."""
BUILDING = 200
"""Decisions on a network that take as long as to make it."""
MOST_PAIRS = 20_000
"""Pairs of moves of which one order is forbidden, at most."""
NODES = 500
"""Decisions for a network before another has its turn, at first; half as many more each time."""
SHARE, LESS = 0.8, 0.3
"""What a network gets of the effort of the one before it, and if it misses the highest goal."""
PLAYOUTS = 64
"""Games that are played at random, to see how long they are."""
WINDOW = 256
"""Lengths that are looked at together; the next ones are twice as many."""
MOST_TURNS = 10_000
"""No longer plans are looked for."""


def run(task: Task) -> None:
    """Look for plans on networks until the task is over.

    Returns before where the rules are too large for it, which it says, or where it has shown that
    nothing better is left.

    >>> from time import monotonic
    >>> from woodstock import Game
    >>> game = Game.load("buttons-and-lights-7")
    >>> task = Task(game, game.initial_state(), until=monotonic() + 60)
    >>> run(task)
    >>> plan = task.plan()
    >>> plan.goal, plan.proof, plan.horizon
    (100, 'proved', 6)
    """
    if task.offer([], NAME):
        task.lower_bound_to(task.best, NAME)
    if task.over:
        return
    rules = grounding_of(task.game).program.rule_count
    if rules > MOST_RULES:
        task.tell(f"{NAME}: {rules:,} ground rules are too many for a network")
        return
    try:
        _Search(task, template(task.game)).run()
    except NotWanted:
        return
    except WoodstockError as error:
        task.tell(f"{NAME}: {error}")


def _spread(size: int) -> Iterator[tuple[int, bool]]:
    """Places from the first on, and in turn with them probes all over: the last, the middle ...

    Tells of each whether it is a probe.

    >>> [place for place, probe in _spread(4) if probe], list(_spread(1))
    ([3, 2, 1, 3], [(0, False), (0, True)])
    """
    denominator = 2
    probes = iter([size - 1])
    for place in range(size):
        yield place, False
        probe = next(probes, None)
        if probe is None:
            step = size / denominator
            probes = iter([int(step * i) for i in range(1, denominator, 2)])
            denominator *= 2
            probe = next(probes)
        yield probe, True


class _Length:
    """Plans of one length, or of no more turns than that: what is known of them."""

    def __init__(self, turns: int, top: int, sooner: bool) -> None:
        self.turns = turns
        self.top = top
        """None of them reaches more; -1: there is none worth looking for."""
        self.sooner = sooner
        self.share = 1.0
        self.network: Horizon | None = None
        self.spent = 0
        self.nodes = NODES

    @property
    def due(self) -> float:
        # A decision on twice as many turns takes twice as long.
        return (self.spent + self.turns * self.nodes) / self.share


class _Search:
    def __init__(self, task: Task, turn: Template) -> None:
        self.task = task
        self.template = turn
        self.state = State(task.game, task.start)
        self.role = task.game.players[0]
        self.reach = Reach(turn, self.state, self.role)
        self.commuting, self.strict = self._commuting()
        self.entries = entries_of(turn, len(self.commuting))
        played = task.circuit.new_simulator().playouts(task.start, [PLAYOUTS], 1, WINDOW)
        self.longest = played[0].longest
        """The longest game that was played at random."""
        self.highest = task.ceiling
        """No state at all in which the game is over is worth more."""
        self.live: list[_Length] = []
        self.refuted: list[tuple[int, int]] = []
        """Turns, and what no plan of no more turns exceeds."""
        self.complete = False
        """Whether all lengths that there are have been met."""
        self.too_long = 0
        """The first length whose network is too large; 0: none was met."""

    def _go_on(self) -> bool:
        return not self.task.over

    def _commuting(self) -> tuple[Sequence[tuple[int, int]], bool]:
        """Pairs of moves of which one order is enough; whether also where they end the game."""
        task, circuit = self.task, self.task.circuit
        if len(task.game.roles) > 1:
            return (), False
        program = circuit.grounding.program
        legal = [atom for atom, _ in program.move_atoms()]
        roots = [program.terminal_atom, *legal, *task.goal_atoms(0)]
        order = order_of(program, relevant_atoms(program, roots), task.fluents)
        if order is None or order.size > MOST_PAIRS:
            return (), False
        number = circuit.numbering.move_number
        values = {
            number(0, move): value
            for value, move in enumerate(self.template.turn.moves[0])
            if move is not None
        }
        pairs = [(values[a], values[b]) for a, b in order.pairs() if a in values and b in values]
        return pairs, order.strict

    def _orders(self, turns: int, last: int) -> Sequence[tuple[int, int]]:
        """Pairs of moves of which one order is enough, behind so many turns of a plan."""
        return self.commuting if self.strict or turns + 1 < last else ()

    # Lengths

    def _lengths(self) -> Iterator[_Length]:
        """What propagation does not refute, in the order in which it is taken up."""
        share, begin, size = 1.0, 1, WINDOW
        seen: set[tuple[int, bool]] = set()
        while begin <= MOST_TURNS and not self.complete and not self.too_long:
            window = sorted(self._window(begin, size), key=lambda one: (-one[1], one[0]))
            begin, size = begin + size, 2 * size
            most = max((top for _, top in window), default=-1)
            for turns, top, sooner in self._ordered(window):
                if (turns, sooner) not in seen:
                    seen.add((turns, sooner))
                    # One that may be over sooner has what shorter ones may reach too.
                    one = _Length(turns, self.highest if sooner else top, sooner)
                    one.share = share if top == most else share * LESS
                    share *= SHARE
                    yield one

    def _ordered(self, window: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, bool]]:
        """Lengths that promise more first, then shorter ones; behind the first some likely ones."""
        for number, (place, probe) in enumerate(_spread(len(window))):
            yield *window[place], probe
            if not number:
                # Plans are rarely much longer than games at random.
                likely = [one for one in window if one[0] <= self.longest + self.longest // 4 + 1]
                if likely:
                    turns = max(turns for turns, _ in likely)
                    yield turns, max(top for _, top in likely), True
                    yield *max(likely, key=lambda one: (one[0] <= self.longest, one[0])), False

    def _window(self, begin: int, size: int) -> Iterator[tuple[int, int]]:
        """Lengths from `begin` on, each with the highest goal that it may reach."""
        limit = self.task.horizon
        for turns in range(begin, begin + size):
            if not self._go_on():
                return
            goals = self.reach.goals(turns)
            nothing_behind = self.reach.known and self.reach.most_from(turns) <= self.task.best
            if goals is None or nothing_behind or (limit is not None and turns > limit):
                self.complete = True
                return
            if turns * self.entries > LARGEST:
                self.too_long = turns
                return
            if goals and min(goals[0], self.highest) > self.task.best:
                yield turns, min(goals[0], self.highest)

    # Work

    def run(self) -> None:
        self._judge_ends()
        lengths = self._lengths()
        waiting = next(lengths, None)
        while self._go_on():
            if self.reach.known and self.task.horizon is None:
                self.task.lower_bound_to(self.reach.most_from(0), NAME)
            for one in [*self.live, *([waiting] if waiting else [])]:
                met = [top for turns, top in self.refuted if one.turns <= turns]
                one.top = min([one.top, *met])
            self.live = [one for one in self.live if one.top > self.task.best]
            chosen = min(self.live, key=lambda one: one.due, default=None)
            if waiting is not None and (chosen is None or waiting.due < chosen.due):
                self.live.append(waiting)
                chosen, waiting = waiting, next(lengths, None)
            if chosen is None:
                break
            if chosen.top > self.task.best:
                self._work(chosen)
        if waiting is None and not self.live and self.complete:
            self.task.lower_bound_to(self.task.best, NAME)
        elif self.too_long and self._go_on():
            size = self.too_long * self.entries
            self.task.tell(
                f"{NAME}: a network of {self.too_long} turns is too large ({size:,} entries)"
            )

    def _judge_ends(self) -> None:
        """Refute goals that no last turn leads to, whatever comes before it."""
        last = Horizon(self.template, 1, None, self.role, go_on=self._go_on)
        while last.possible and last.solver.propagate() and self._go_on():
            self.highest = last.goals()[0]
            value = last.values_of(self.highest)[0]
            found = last.solver.first([(last.score, value)], max_nodes=4 * NODES, go_on=self._go_on)
            if found.count or not found.complete:
                break
            left = [v for v in last.solver.domain(last.score) if v != value]
            last.possible = last.solver.restrict(last.score, left)
        else:
            if not self._go_on():
                return
            self.highest = -1
        self.task.lower_bound_to(self.highest, NAME)

    def _make_room(self, one: _Length) -> None:
        """Give up the networks whose turn is far away where all take too much room."""
        others = [other for other in self.live if other.network is not None]
        others.sort(key=lambda other: other.due)
        while others and sum(o.turns for o in [*others, one]) * self.entries > ROOM:
            others.pop().network = None

    def _work(self, one: _Length) -> None:
        """Give a length its share: for the highest goal, then for any that is better."""
        if one.network is None:
            self._make_room(one)
            one.spent += one.turns * BUILDING
            one.network = Horizon(
                self.template,
                one.turns,
                self.state,
                self.role,
                orders=lambda turns: () if one.sooner else self._orders(turns, one.turns),
                sooner=one.sooner,
                go_on=self._go_on,
            )
            one.network.possible = one.network.possible and one.network.solver.propagate()
        one.spent += one.turns * one.nodes
        nodes, one.nodes = one.nodes, one.nodes * 3 // 2
        if self._ask(one, nodes, highest=True) and len(one.network.goals()) > 1:
            self._ask(one, nodes // 4 + 4 * one.turns, highest=False)
        if one.sooner:
            self.refuted.append((one.turns, one.top))

    def _ask(self, one: _Length, nodes: int, *, highest: bool) -> bool:
        """Search for so many decisions; whether there may be more to find."""
        network = one.network
        assert network is not None
        if not network.possible or not network.want_more_than(self.task.best):
            network.possible = False
            one.top = min(one.top, self.task.best)
            return False
        one.top = min(one.top, network.goals()[0])
        assumed = [(network.score, network.values_of(network.goals()[0])[0])] if highest else []
        found = network.solver.first(assumed, max_nodes=nodes, go_on=self._go_on)
        if found.count:
            number = self.task.circuit.numbering.move_number
            moves = network.moves(found)
            self.task.offer([tuple(map(number, count(), joint)) for joint in moves], NAME)
        elif found.complete:
            refuted = [value for _, value in assumed] or network.solver.domain(network.score)
            left = [v for v in network.solver.domain(network.score) if v not in refuted]
            network.possible = network.solver.restrict(network.score, left)
            top = network.goals()[0] if network.possible else -1
            one.top = min(one.top, max(top, self.task.best))
        return self._go_on() and network.possible
