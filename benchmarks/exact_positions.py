"""Positions whose exact value is known, and what their moves are worth.

Connect four is solved by a program of its own (`sticks/connect_four_solver.cpp`). In other games
the positions come from the ends of games between players with little time, and our own proofs say
what they are worth: going back from the end, the last one that is proved in `PROOF_SECONDS`. Only
positions in which the choice matters are kept: some move must be worse than the best.
"""

from __future__ import annotations

import json
import random
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from playouts import build
from side_match import load

from woodstock import Game, State, games
from woodstock.gdl.keywords import RANDOM
from woodstock.gdl.terms import Term
from woodstock.search import Limits, make_searcher

CONNECT_FOUR = "connect-four"
PLIES = (10, 24)
"""How many discs a position of connect four has, at least and at most."""
PROVER, PROOF_SECONDS, MEMORY_MB = "uct", 2.0, 1024
"""Who proves what positions are worth, and how long (CPU) and with how much memory it may try."""
EASY_SECONDS = 0.005
"""What is proved in less than this is no question to anybody."""
STEP = 2
"""How many plies before the last position that was proved the next one lies."""
TRIES = 20
"""So many games one after the other may end without a position worth keeping."""
SIMULATIONS, RANDOM_MOVES = 1024, 0.1
"""How the players of those games play: simulations for a move, and how often at random."""


@dataclass(frozen=True)
class Known:
    """A position: the joint moves that lead there, who has to choose, what it is worth.

    `values` has moves whose value is known, all of them in connect four.
    """

    moves: list[list[str]]
    role: str
    best: float
    values: dict[str, float]

    @property
    def matters(self) -> bool:
        """Whether something can be thrown away.

        >>> Known([], "x", 1.0, {"a": 1.0, "b": 0.5}).matters
        True
        """
        return any(value < self.best for value in self.values.values())

    def state(self, game: Game) -> State:
        """The position itself."""
        state = game.initial_state()
        for joint in self.moves:
            state = state.apply(joint)
        return state


def known_positions(game: str, count: int, seed: int, file: Path | None = None) -> list[Known]:
    """So many positions of a game; they are kept in the file, if there is one."""
    if file is not None and file.exists():
        return [Known(**one) for one in json.loads(file.read_text(encoding="utf-8"))]
    rng = random.Random(f"{Path(game).stem}/{seed}")
    draw = connect_four if game == CONNECT_FOUR else near_the_end
    found = [*islice(draw(load(game), rng), count)]
    if file is not None:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps([asdict(one) for one in found]), encoding="utf-8")
    return found


def worth(game: Game, known: Known, move: str) -> float | None:
    """What a move in a position is worth to who makes it; None where nobody can prove it."""
    if move not in known.values:
        after = _after(known.state(game), known.role, game.term(move))
        value = proved_value(after, known.role)
        if value is None:
            return None
        known.values[move] = value
    return known.values[move]


def proved_value(state: State, role: str, seconds: float = PROOF_SECONDS) -> float | None:
    """The exact value of a position to a role, if there is a proof within so much CPU time."""
    if state.is_terminal:
        return state.game.engine.utility(state.goal(role) or 0)
    searcher = make_searcher(PROVER, state.game, role, seed=1, memory_mb=MEMORY_MB)
    found = searcher.think(state, limits=Limits(cpu_seconds=seconds))
    return round(found.value, 6) if found.proved else None


def connect_four(game: Game, rng: random.Random) -> Iterator[Known]:
    """Positions of connect four from games with a little sense, solved by the stick."""
    with subprocess.Popen(
        [build("connect-four-solver")], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as solver:
        assert solver.stdin is not None
        assert solver.stdout is not None
        while True:
            state, moves = game.initial_state(), list[list[str]]()
            for _ in range(rng.randint(*PLIES)):
                if not state.is_terminal:
                    moves.append(sensible(state, rng))
                    state = state.apply(moves[-1])
            if state.is_terminal:
                continue
            solver.stdin.write(drops(moves) + "\n")
            solver.stdin.flush()
            answer = json.loads(solver.stdout.readline())
            values = {
                f"(drop {column})": (value + 1) / 2
                for column, value in enumerate(answer, 1)
                if value is not None
            }
            known = Known(moves, _mover(state), max(values.values()), values)
            if known.matters:
                yield known


def drops(moves: Sequence[Sequence[str]]) -> str:
    """Joint moves of connect four as the solver reads them.

    >>> drops([["(drop 4)", "noop"], ["noop", "(drop 3)"]])
    '43'
    """
    return "".join(move[-2] for joint in moves for move in joint if move != "noop")


def sensible(state: State, rng: random.Random) -> list[str]:
    """A random joint move of a game played in turns, but not against the simplest sense.

    One that wins at once, or that keeps another from winning at once, is made before others.
    """
    role = _mover(state)
    legal = state.legal_moves(role)
    after = {move: _after(state, role, move) for move in legal}
    scale = state.game.engine.goal_scale

    def is_lost(then: State) -> bool:
        return not then.is_terminal and any(
            end.is_terminal and not end.goal(role) for end in map(then.apply, then.joint_moves())
        )

    winning = [m for m in legal if after[m].is_terminal and after[m].goal(role) == scale]
    safe = [move for move in legal if not is_lost(after[move])]
    return _joint(state, role, rng.choice(winning or safe or legal))


def near_the_end(game: Game, rng: random.Random) -> Iterator[Known]:
    """Positions from games between weak players, at most one of each.

    It gives up when there was none in `TRIES` games.
    """
    tries = 0
    while tries < TRIES:
        tries += 1
        states, moves = weak_game(game, rng)
        found = None
        for place in range(len(states) - 1 - STEP, -1, -STEP):
            if len(states[place].turn) != 1:
                continue
            role = _mover(states[place])
            quick = proved_value(states[place], role, EASY_SECONDS)
            best = proved_value(states[place], role) if quick is None else quick
            if best is None:
                break
            if quick is None and best > 0:
                found = place, role, best
        if found is not None:
            place, role, best = found
            known = Known(moves[:place], role, best, {})
            legal = [str(move) for move in states[place].legal_moves(role)]
            for move in rng.sample(legal, len(legal)):
                worth(game, known, move)
                if known.matters:
                    tries = 0
                    yield known
                    break


def weak_game(game: Game, rng: random.Random) -> tuple[list[State], list[list[str]]]:
    """The states and joint moves of a game between weak players."""
    states, moves = [game.initial_state()], list[list[str]]()
    seats = {
        role: make_searcher(PROVER, game, role, seed=rng.getrandbits(32)) for role in game.players
    }
    while not (state := states[-1]).is_terminal:
        if RANDOM in state.turn:
            joint = dict(zip(state.roles, state.random_joint_move(rng)))
            if (role := chooser(state)) is not None and rng.random() >= RANDOM_MOVES:
                found = seats[role].think(state, limits=Limits(simulations=SIMULATIONS))
                joint[role] = found.move
            moves.append([str(move) for move in joint.values()])
        elif len(state.turn) == 1 and rng.random() >= RANDOM_MOVES:
            role = _mover(state)
            found = seats[role].think(state, limits=Limits(simulations=SIMULATIONS))
            moves.append(_joint(state, role, found.move))
        else:
            moves.append([str(move) for move in state.random_joint_move(rng)])
        states.append(state.apply(moves[-1]))
    return states, moves


def chooser(state: State) -> str | None:
    """The player who alone has a choice, whatever is drawn at the same time.

    >>> chooser(load("tic-tac-toe").initial_state())
    'x'
    >>> chooser(load("matching-pennies").initial_state())
    """
    players = [role for role in state.turn if role != RANDOM]
    return players[0] if len(players) == 1 else None


def _mover(state: State) -> str:
    """Who has a choice; where nobody has, anybody with a move that says something."""
    return next(iter(state.turn), state.roles[0])


def _joint(state: State, role: str, move: Term) -> list[str]:
    return [str(move if one == role else state.legal_moves(one)[0]) for one in state.roles]


def _after(state: State, role: str, move: Term) -> State:
    return state.apply(_joint(state, role, move))


def small_breakthrough(folder: Path, size: int = 5) -> str:
    """Breakthrough on a board that is small enough to be proved from its middle: a file."""
    text = games.rules_text("breakthrough")
    for number in range(size + 1, 9):
        text = text.replace(f"(index {number})", "").replace(f"(succ {number - 1} {number})", "")
    text = text.replace("(home black 7)", f"(home black {size - 1})")
    text = text.replace("(home black 8)", f"(home black {size})")
    text = text.replace("(far white 8)", f"(far white {size})")
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"breakthrough-{size}x{size}.kif"
    file.write_text(text, encoding="utf-8")
    return str(file)
