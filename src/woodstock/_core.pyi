"""
Native core of WoodStock: ground programs, the engines that run on them, and constraints.
"""

from collections.abc import Callable, Sequence
import enum
from typing import Annotated, Final

import numpy
from numpy.typing import NDArray


class Statistics:
    """The size of a ground program."""

    @property
    def atoms(self) -> int: ...

    @property
    def rules(self) -> int: ...

    @property
    def literals(self) -> int: ...

    @property
    def fluents(self) -> int: ...

    @property
    def moves(self) -> int: ...

    @property
    def components(self) -> int: ...

    @property
    def recursive_components(self) -> int: ...

    @property
    def largest_recursive_component(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def bytes(self) -> int: ...

class Category(enum.Enum):
    """What GDL uses an atom for."""

    ROLE = 0

    INIT = 1

    TRUE = 2

    DOES = 3

    LEGAL = 4

    NEXT = 5

    TERMINAL = 6

    GOAL = 7

    SEES = 8

    OTHER = 255

class Phase(enum.Enum):
    """What must be known before an atom has a value."""

    CONSTANT = 0

    STATE = 1

    MOVE = 2

class GroundProgram:
    """
    Ground rules, immutable. Atoms are numbered from 1 in an order of evaluation; a body literal
    is an atom number, negative for a negated atom. Terms are numbered from 0.
    """

    @property
    def term_count(self) -> int: ...

    @property
    def atom_count(self) -> int: ...

    @property
    def rule_count(self) -> int: ...

    def term(self, term: int) -> tuple[int, list[int]]:
        """Symbol number and argument terms; arguments have smaller numbers."""

    def atom(self, atom: int) -> tuple[int, list[int]]:
        """Predicate number and argument terms."""

    def category(self, atom: int) -> Category: ...

    def is_fact(self, atom: int) -> bool:
        """Whether the atom always holds."""

    def is_input(self, atom: int) -> bool:
        """Whether it is a true or does atom."""

    def phase(self, atom: int) -> Phase: ...

    def component_of(self, atom: int) -> int: ...

    def rules_of(self, atom: int) -> list[list[int]]:
        """The bodies of the rules that conclude the atom."""

    def components(self) -> list[tuple[int, int, bool]]:
        """
        Strongly connected components, dependencies first: (first atom, last atom + 1,
        recursive).
        """

    @property
    def stratified(self) -> bool: ...

    def unstratified_witness(self) -> list[int]:
        """Atoms of one component with a negation inside; empty when stratified."""

    def fluents(self) -> list[int]:
        """The term of each fluent; the place in the list is the fluent's index."""

    def initial(self) -> list[int]:
        """Indices of the fluents that hold at first."""

    def moves(self) -> list[tuple[int, int]]:
        """(role term, move term) of each move."""

    def goals(self) -> list[tuple[int, int]]:
        """(role term, value term) of each goal."""

    def percepts(self) -> list[tuple[int, int]]:
        """(role term, percept term) of each percept."""

    def roles(self) -> list[int]:
        """The terms of the roles, not in the order of the rulesheet."""

    def fluent_atoms(self) -> list[tuple[int, int]]:
        """(true atom, next atom) of each fluent; 0 where there is none."""

    def move_atoms(self) -> list[tuple[int, int]]:
        """(legal atom, does atom) of each move; 0 where there is none."""

    def goal_atoms(self) -> list[int]:
        """The goal atom of each goal."""

    def percept_atoms(self) -> list[int]:
        """The sees atom of each percept."""

    @property
    def terminal_atom(self) -> int:
        """0 when never terminal."""

    def statistics(self) -> Statistics: ...

    def to_bytes(self) -> bytes:
        """A compact image, to be read on a machine of the same byte order."""

    @staticmethod
    def from_bytes(data: bytes) -> GroundProgram:
        """Reads an image; raises RuntimeError when it is none."""

class ProgramBuilder:
    """
    Collects terms, atoms and rules under the grounder's own atom numbers (from 1).
    """

    def __init__(self) -> None: ...

    def add_term(self, symbol: int, args: Sequence[int] = []) -> int:
        """The number of the term; equal terms, equal numbers."""

    def add_atom(self, atom: int, predicate: int, args: Sequence[int] = []) -> None:
        """Names an atom, before or after its use."""

    def add_rule(self, head: int, body: Sequence[int] = []) -> None:
        """A rule; without a body, a fact."""

    @property
    def rule_count(self) -> int: ...

    def finish(self, keep_all: bool = False) -> GroundProgram:
        """The simplified and ordered program. Empties the builder."""

class Observer:
    """
    Records what clingo grounds, through its C API. Pass the address of the control:
    int(ffi.cast('uintptr_t', control._rep)). Keep the observer until grounding has ended and
    the control until finish() has returned.
    """

    def __init__(self, control: int, max_rules: int = 0, max_seconds: float = 0.0) -> None:
        """
        Raises RuntimeError where clingo's C API cannot be found. 0 means no limit; seconds are
        CPU time of this process from now on.
        """

    @property
    def rule_count(self) -> int: ...

    @property
    def bytes(self) -> int:
        """Memory held by what was recorded."""

    @property
    def limit_reached(self) -> bool: ...

    @property
    def relation_sizes(self) -> list[tuple[int, int, int]]:
        """
        After finish(): (predicate, functor of the last argument or 2**32 - 1, atoms).
        """

    @property
    def problem(self) -> str:
        """What stopped grounding; empty when nothing."""

    def finish(self, keep_all: bool = False) -> GroundProgram:
        """The program, once, after grounding."""

class Evaluator:
    """
    The ground reference engine. A state is bytes: bit i % 8 of byte i // 8 is fluent i.
    """

    def __init__(self, program: GroundProgram) -> None:
        """Raises ValueError when the program is not stratified."""

    @property
    def state_size(self) -> int:
        """Length of a state in bytes."""

    def initial(self) -> bytes:
        """The first state."""

    def analyse(self, state: bytes) -> tuple[bool, list[int], list[int]]:
        """(terminal, indices of legal moves, indices of goals that hold)."""

    def next(self, state: bytes, moves: Sequence[int]) -> tuple[bytes, list[int]]:
        """(state after the moves, indices of percepts). Legality is not checked."""

def prove_mutexes(program: GroundProgram, groups: Sequence[Sequence[int]], budget_steps: int = 500000000, play_first: bool = True) -> list[int]:
    """
    What every reachable state holds of each group of fluent indices: 2 exactly one, 1 at most
    one, 0 not proved. A step of the budget is a look at one literal. Random play
    throws out wrong groups first unless play_first is false.
    """

class CircuitStatistics:
    """The size of a circuit."""

    @property
    def gates(self) -> int: ...

    @property
    def literals(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def recursions(self) -> int: ...

    @property
    def instructions(self) -> int: ...

    @property
    def operands(self) -> int: ...

    @property
    def runs(self) -> int: ...

    @property
    def slots(self) -> int: ...

    @property
    def guards(self) -> int: ...

    @property
    def guarded(self) -> int: ...

    @property
    def lanes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

class Circuit:
    """
    A ground program compiled for many lines of play at once. Immutable, shared by threads.
    """

    def __init__(self, program: GroundProgram, roles: int, move_roles: Sequence[int], goal_roles: Sequence[int], goal_values: Sequence[int], percept_roles: Sequence[int] = []) -> None:
        """
        The role of each move, goal and percept (-1: nobody's), and what each goal is worth.
        Raises ValueError when the program is not stratified or the lists do not fit it.
        """

    @property
    def state_size(self) -> int:
        """Length of a state in bytes."""

    @property
    def lanes(self) -> int:
        """Playouts that are worked on at once when there are enough."""

    def initial(self) -> bytes:
        """The first state."""

    def statistics(self) -> CircuitStatistics: ...

class Tally:
    """What came of the playouts from one state."""

    @property
    def playouts(self) -> int: ...

    @property
    def stuck(self) -> int:
        """Playouts that ended because some role had no legal move."""

    @property
    def cut(self) -> int:
        """Playouts that ended at the limit of plies."""

    @property
    def unclear(self) -> int:
        """How often a role did not have exactly one goal at the end."""

    @property
    def length_sum(self) -> int: ...

    @property
    def length_squares(self) -> int: ...

    @property
    def shortest(self) -> int: ...

    @property
    def longest(self) -> int: ...

    @property
    def goal_sums(self) -> list[int]:
        """For each role, the sum of its goals."""

    @property
    def goal_squares(self) -> list[int]:
        """For each role, the sum of the squares of its goals."""

class Visits:
    """What was found out about a batch of states."""

    @property
    def states(self) -> bytes:
        """The states, one after the other."""

    @property
    def keys(self) -> list[int]:
        """For each state its zobrist_hash."""

    @property
    def terminal(self) -> list[bool]:
        """For each state whether the game is over."""

    @property
    def legal(self) -> list[list[list[int]]]:
        """For each state and role the indices of its legal moves."""

    @property
    def goals(self) -> list[list[int]]:
        """
        For each state and role the highest goal that holds; 0 when there is none.
        """

class Rollouts:
    """What came of a few random games from each state."""

    @property
    def goals(self) -> list[list[int]]:
        """For each state and role the sum of its goals."""

    @property
    def squares(self) -> list[list[int]]:
        """For each state and role the sum of the squares of its goals."""

    @property
    def plies(self) -> int: ...

    @property
    def cut(self) -> int: ...

    @property
    def stuck(self) -> int: ...

    @property
    def played(self) -> list[list[tuple[int, int, list[int]]]]:
        """
        With a trace: for each state (index of a move, number of games in which it was
        made, for each role the sum of its goals over those games).
        """

class Simulator:
    """
    Plays on a circuit, with threads and memory of its own. States are bytes, one after the
    other; results do not depend on the instruction set or the number of threads.
    """

    def __init__(self, circuit: Circuit, isa: str = 'auto', threads: int = 1) -> None:
        """Raises ValueError for an instruction set this machine does not have."""

    @property
    def isa(self) -> str:
        """The instruction set in use."""

    @property
    def threads(self) -> int: ...

    def playouts(self, states: bytes, budgets: Sequence[int], seed: int = 0, max_plies: int = 100000) -> list[Tally]:
        """Plays budgets[i] random games from the i-th state; a Tally for each."""

    def analyse(self, states: bytes) -> list[tuple[bool, list[int], list[int]]]:
        """For each state (terminal, indices of legal moves, indices of goals)."""

    def legal_weights(self, states: bytes, weights: Sequence[float]) -> list[float]:
        """For each move the weights of the states in which it is legal."""

    def next(self, states: bytes, moves: Sequence[int], percepts: bool = True) -> tuple[bytes, list[list[int]]]:
        """
        The states after one move of each role, state by state, and indices of percepts.
        Legality is not checked; what illegal moves lead to has no meaning.
        """

    def expand(self, state: bytes, limit: int = 1000000, percepts: bool = True) -> tuple[list[list[int]], bytes, list[list[int]]]:
        """
        Every combination of legal moves, the states they lead to and indices of percepts.
        """

    def visit(self, states: bytes, moves: Sequence[int] = []) -> Visits:
        """
        Visits of the states after one move of each role, state by state, or, without moves, of
        the states themselves.
        """

    def rollouts(self, states: bytes, each: int, seed: int = 0, max_plies: int = 100000, trace: bool = False, preferences: Sequence[int] = []) -> Rollouts:
        """
        Rollouts: `each` random games (1, 2, 4, ... 64) from every state. Moves are made with equal
        chances, or by preference: one level, 0 to 3, for each move.
        """

def zobrist_hash(state: bytes) -> int:
    """A 64-bit hash of a state: equal states, equal hashes."""

def instruction_sets() -> list[str]:
    """The instruction sets the circuit can use here, the fastest first."""

class StateBatch:
    """
    Many states of a game side by side. Arrays are filled, never made: they are C-contiguous
    and have the shape that is named.
    """

    def __init__(self, circuit: Circuit, fluents: Sequence[int], actions: Sequence[int], percepts: Sequence[int], isa: str, threads: int, count: int, seed: int) -> None:
        """
        Columns are indices of the ground program, 2**32 - 1 for none; actions and percepts have
        as many for each role, role by role.
        """

    @property
    def count(self) -> int: ...

    @property
    def roles(self) -> int: ...

    @property
    def fluents(self) -> int: ...

    @property
    def actions(self) -> int: ...

    @property
    def percepts(self) -> int: ...

    @property
    def isa(self) -> str: ...

    @property
    def steps(self) -> int:
        """Steps since the seed was set."""

    def seed(self, seed: int) -> None: ...

    def reset(self, where: bytes = ...) -> None:
        """First states where a byte is not 0; everywhere without any."""

    def put(self, states: bytes) -> None:
        """All states, packed as circuits have them."""

    def get(self) -> bytes:
        """All states, packed as circuits have them."""

    def step(self, actions: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu', writable=False)], drawn: int = 0, restart: bool = False, percepts: bool = False) -> None:
        """
        One action for each role, state by state; bit r of `drawn` lets role r move at random.
        ValueError for one that is not legal, before anything has changed.
        """

    def read_legal(self, out: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], packed: bool = False) -> None:
        """(count, roles, actions), or bits, the first lowest."""

    def read_fluents(self, out: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], packed: bool = False) -> None:
        """(count, fluents), or bits."""

    def read_percepts(self, out: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')], packed: bool = False) -> None:
        """(count, roles, percepts) of the last step, or bits."""

    def read_over(self, out: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]) -> None: ...

    def read_stuck(self, out: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]) -> None: ...

    def read_ended(self, out: Annotated[NDArray[numpy.uint8], dict(order='C', device='cpu')]) -> None: ...

    def read_goals(self, out: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]) -> None:
        """(count, roles): the highest goals that hold now."""

    def read_final_goals(self, out: Annotated[NDArray[numpy.int32], dict(order='C', device='cpu')]) -> None:
        """(count, roles): those with which the game of each state ended last."""

class CspProblem:
    """
    Variables with finite domains, and tables of allowed or forbidden rows.
    """

    def __init__(self) -> None: ...

    def add_variable(self, size: int) -> int:
        """A variable with the values 0 .. size-1; its number."""

    def add_table(self, scope: Sequence[int], rows: Sequence[int]) -> None:
        """
        Some row must match. Rows come one after the other in one list; an entry is a value,
        -1 for any value, or -2 - v for any value but v.
        """

    def add_forbidden(self, scope: Sequence[int], rows: Sequence[int]) -> None:
        """No row may match. Entries are values, or -1 for any value."""

    @property
    def variables(self) -> int:
        """How many there are."""

    @property
    def constraints(self) -> int:
        """How many tables there are."""

class CspStatistics:
    """The work of a solver, of all its calls together."""

    @property
    def nodes(self) -> int:
        """Decisions made."""

    @property
    def fails(self) -> int:
        """Decisions that propagation refuted at once."""

    @property
    def propagations(self) -> int:
        """Domains that became smaller."""

    @property
    def revisions(self) -> int:
        """Tables that were run."""

    @property
    def solutions(self) -> int: ...

    @property
    def learned(self) -> int:
        """Clauses learned from failures."""

    @property
    def restarts(self) -> int: ...

class SolveResult:
    """What a search found."""

    @property
    def count(self) -> int: ...

    @property
    def complete(self) -> bool:
        """Whether there are no others."""

    @property
    def width(self) -> int:
        """Values of a solution."""

    @property
    def solutions(self) -> bytes:
        """
        All values, solution by solution, as unsigned 32-bit numbers of this machine:
        memoryview(...).cast('I') reads them.
        """

    def rows(self) -> list[tuple[int, ...]]:
        """The solutions that were stored, as tuples."""

class CspSolver:
    """
    Consistency and search on a problem as it was when the solver was made. One thread at a
    time: others get a RuntimeError. The same calls give the same results in the same order.
    """

    def __init__(self, problem: CspProblem, *, propagation: str = 'ct', heuristic: str = 'dom/ddeg', branching: str = 'values', first: Sequence[int] = [], seed: int = 0, learning: bool = False) -> None:
        """
        propagation: 'ct', 'str2', 'str' (all arc consistency) or 'fc' (forward checking);
        heuristic: 'dom/ddeg', 'dom/wdeg', 'dom' or 'lex'; branching: 'values' or 'binary';
        first: variables to be decided before all others; learning: whether first() learns from
        failures, for 'ct' alone; with it 'activity' is a heuristic too.
        """

    @property
    def variables(self) -> int:
        """How many there are."""

    @property
    def depth(self) -> int:
        """Levels that are open."""

    def push(self) -> None:
        """Propagates and opens a level."""

    def pop(self) -> None:
        """Undoes what was done to domains since the last push()."""

    def restrict(self, variable: int, values: Sequence[int]) -> bool:
        """Keeps these values and no others. False: no solution is left."""

    def assign(self, variables: Sequence[int], values: Sequence[int]) -> bool:
        """Gives each variable a value. False: no solution is left."""

    def propagate(self) -> bool:
        """Makes the domains consistent. False: no solution is left."""

    def sac(self) -> bool:
        """
        Takes away every value whose choice propagation refutes. False: no solution is left.
        """

    def domain(self, variable: int) -> list[int]:
        """The values that are left, ascending."""

    def solve(self, limit: int = 0, project: Sequence[int] | None = None, max_nodes: int = 0) -> SolveResult:
        """
        Solutions within the domains, which stay as they are; 0: no limit. With `project` only
        the values of these variables, and each combination once.
        """

    def count(self, limit: int = 0) -> int:
        """How many solutions there are, up to the limit."""

    def resume(self, limit: int = 0, max_nodes: int = 0) -> SolveResult:
        """
        Goes on with a solve() that ended at a limit; any other call in between ends it for
        good, and then this raises RuntimeError.
        """

    def first(self, assumed: Sequence[tuple[int, int]] = [], max_nodes: int = 0, go_on: Callable[[], bool] | None = None) -> SolveResult:
        """
        A solution in which these variables have these values, by a search that learns and
        starts anew; complete and without one where there is none. go_on is asked now and then;
        False ends the call.
        """

    def stop(self) -> None:
        """
        Ends the solve(), count(), first() or sac() that another thread is running, soon.
        """

    def statistics(self) -> CspStatistics: ...

class StageSolver:
    """
    Solves the stage of a state. All solvers of a game give the same answers.
    States are bytes, moves are numbers. One thread at a time.
    """

    def look(self, state: bytes) -> tuple[bool, list[list[int]], list[int], int]:
        """
        (terminal, legal moves of each role, goal of each role, key) of a state; nobody has a
        move where the game is over.
        """

    def solve(self, state: bytes, limit: int = 1000000) -> list[tuple[list[int], bytes, tuple[bool, list[list[int]], list[int], int]]] | None:
        """
        For each joint move (moves, state after them, what look() says of that one), or None
        when there are more than `limit`.
        """

    @property
    def nodes(self) -> int:
        """Search nodes of a table solver so far."""

class CompiledStages(StageSolver):
    """Stages on the circuit."""

    def __init__(self, simulator: Simulator) -> None: ...

class CspStages(StageSolver):
    """Stages as constraint networks."""

    def __init__(self, simulator: Simulator, problem: CspProblem, *, propagation: str, heuristic: str = 'lex', sac: bool = False, split: bool = False, terminal: int, slots: Sequence[tuple[int, int, Sequence[int]]], roles: Sequence[tuple[int, Sequence[int], int, Sequence[int]]], always: Sequence[int], chance: int | None = None) -> None:
        """
        Slots are (variable now, variable after, fluent of each value), roles (action, move of
        each value, score, goal of each value); -1 for none, chance the role whose moves are
        drawn. sac: singleton arc consistency first; split: hard and chance part apart.
        Raises ValueError when they do not fit the problem and the circuit.
        """

class Hypotheses:
    """States, how likely each is, and what roles remember."""

    def __init__(self, states: bytes, weights: Sequence[float], memories: Sequence[int], moves: Sequence[Sequence[int]] = []) -> None:
        """
        The states, one after the other; for each its weight, and a number for each role. `moves` has for each turn the joint moves that led to them, one after the other.
        """

    def __len__(self) -> int: ...

    @property
    def states(self) -> bytes: ...

    @property
    def weights(self) -> list[float]: ...

    @property
    def memories(self) -> list[int]: ...

    def ancestors(self, turns: int) -> int:
        """From how many hypotheses they come, so many turns ago."""

class ParticleFilter:
    """Follows a match by what one role does and perceives."""

    def __init__(self, simulator: Simulator, role: int) -> None: ...

    def all(self, before: Hypotheses, move: int | None, seen: int | None, excluded: bytes, *, most_moves: int, most: int, seconds: float) -> Hypotheses | None:
        """Everything that may follow; None where that is too much."""

    def some(self, before: Hypotheses, move: int | None, seen: int | None, excluded: bytes, *, count: int, tries: int, seed: int, seconds: float, hopeless: float) -> Hypotheses:
        """A sample of what may follow."""

    def forget(self, hypotheses: Hypotheses, seed: int) -> Hypotheses:
        """The same with equal states made one."""

    def rejuvenate(self, before: Hypotheses, told: Sequence[tuple[int | None, int | None, bytes]], *, count: int, steps: int, seed: int, seconds: float) -> Hypotheses:
        """
        Other matches that agree with all that was told, found by changing moves of these.
        """

def percept_key(percepts: Sequence[int]) -> int:
    """What stands for a set of percepts, given by their numbers."""

def remember(memory: int, move: int, seen: int) -> int:
    """A role's memory after it made a move and perceived a set of percepts."""

class SearchOptions:
    """
    What every search is told; see search/options.h for the meaning of all options.
    Memory is in bytes. Names that are none raise ValueError at once, other values in check().
    """

    def __init__(self) -> None: ...

    @property
    def concept(self) -> str: ...

    @concept.setter
    def concept(self, arg: str, /) -> None: ...

    def check(self) -> None:
        """Raises ValueError for values without sense in any game."""

    @property
    def role(self) -> int: ...

    @role.setter
    def role(self, arg: int, /) -> None: ...

    @property
    def chance(self) -> int | None: ...

    @chance.setter
    def chance(self, chance: int | None) -> None: ...

    @property
    def max_plies(self) -> int: ...

    @max_plies.setter
    def max_plies(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def memory(self) -> int: ...

    @memory.setter
    def memory(self, arg: int, /) -> None: ...

class SamplingOptions(SearchOptions):
    """What searches by sampling have in common."""

    @property
    def choice(self) -> str: ...

    @choice.setter
    def choice(self, arg: str, /) -> None: ...

    @property
    def exploration(self) -> float: ...

    @exploration.setter
    def exploration(self, arg: float, /) -> None: ...

    @property
    def leaves(self) -> int: ...

    @leaves.setter
    def leaves(self, arg: int, /) -> None: ...

    @property
    def playouts(self) -> int: ...

    @playouts.setter
    def playouts(self, arg: int, /) -> None: ...

    @property
    def halving(self) -> bool: ...

    @halving.setter
    def halving(self, arg: bool, /) -> None: ...

    @property
    def max_depth(self) -> int: ...

    @max_depth.setter
    def max_depth(self, arg: int, /) -> None: ...

    @property
    def reference(self) -> float: ...

    @reference.setter
    def reference(self, arg: float, /) -> None: ...

    @property
    def bias(self) -> float: ...

    @bias.setter
    def bias(self, arg: float, /) -> None: ...

    @property
    def mixing(self) -> float: ...

    @mixing.setter
    def mixing(self, arg: float, /) -> None: ...

class TreeSearchOptions(SamplingOptions):
    """Of TreeSearch."""

    def __init__(self) -> None: ...

    def check(self) -> None:
        """Raises ValueError for values without sense in any game."""

    @property
    def values(self) -> str: ...

    @values.setter
    def values(self, arg: str, /) -> None: ...

    @property
    def mast(self) -> float: ...

    @mast.setter
    def mast(self, arg: float, /) -> None: ...

    @property
    def proof_numbers(self) -> float: ...

    @proof_numbers.setter
    def proof_numbers(self, arg: float, /) -> None: ...

    @property
    def proof_steps(self) -> float: ...

    @proof_steps.setter
    def proof_steps(self, arg: float, /) -> None: ...

    @property
    def net_weight(self) -> float: ...

    @net_weight.setter
    def net_weight(self, arg: float, /) -> None: ...

class InformationSearchOptions(SamplingOptions):
    """Of InformationSearch."""

    def __init__(self) -> None: ...

    def check(self) -> None:
        """Raises ValueError for values without sense in any game."""

    @property
    def others(self) -> str: ...

    @others.setter
    def others(self, arg: str, /) -> None: ...

    @property
    def mixed(self) -> bool: ...

    @mixed.setter
    def mixed(self, arg: bool, /) -> None: ...

    @property
    def known_fluents(self) -> bytes: ...

    @known_fluents.setter
    def known_fluents(self, arg: bytes, /) -> None: ...

    @property
    def policy_exploration(self) -> float: ...

    @policy_exploration.setter
    def policy_exploration(self, arg: float, /) -> None: ...

    @property
    def policy_prior(self) -> float: ...

    @policy_prior.setter
    def policy_prior(self, arg: float, /) -> None: ...

    @property
    def risk_exponent(self) -> float: ...

    @risk_exponent.setter
    def risk_exponent(self, arg: float, /) -> None: ...

class StageSearchOptions(SearchOptions):
    """What searches by stages have in common."""

    @property
    def order(self) -> str: ...

    @order.setter
    def order(self, arg: str, /) -> None: ...

    @property
    def sampling(self) -> str: ...

    @sampling.setter
    def sampling(self, arg: str, /) -> None: ...

    @property
    def horizon(self) -> int: ...

    @horizon.setter
    def horizon(self, arg: int, /) -> None: ...

    @property
    def solving_share(self) -> float: ...

    @solving_share.setter
    def solving_share(self, arg: float, /) -> None: ...

    @property
    def shrinking(self) -> bool: ...

    @shrinking.setter
    def shrinking(self, arg: bool, /) -> None: ...

    @property
    def samples(self) -> int: ...

    @samples.setter
    def samples(self, arg: int, /) -> None: ...

    @property
    def confidence(self) -> float: ...

    @confidence.setter
    def confidence(self, arg: float, /) -> None: ...

    @property
    def bonus(self) -> float: ...

    @bonus.setter
    def bonus(self, arg: float, /) -> None: ...

class MacUcbOptions(StageSearchOptions):
    """Of MacUcb."""

    def __init__(self) -> None: ...

    def check(self) -> None:
        """Raises ValueError for values without sense in any game."""

    @property
    def values(self) -> str: ...

    @values.setter
    def values(self, arg: str, /) -> None: ...

    @property
    def answer(self) -> str: ...

    @answer.setter
    def answer(self, arg: str, /) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def alike_share(self) -> float: ...

    @alike_share.setter
    def alike_share(self, arg: float, /) -> None: ...

    @property
    def cache(self) -> bool: ...

    @cache.setter
    def cache(self, arg: bool, /) -> None: ...

    @property
    def proof_steps(self) -> float: ...

    @proof_steps.setter
    def proof_steps(self, arg: float, /) -> None: ...

    @property
    def net_weight(self) -> float: ...

    @net_weight.setter
    def net_weight(self, arg: float, /) -> None: ...

class MacUcbIIOptions(StageSearchOptions):
    """Of MacUcbII."""

    def __init__(self) -> None: ...

    def check(self) -> None:
        """Raises ValueError for values without sense in any game."""

    @property
    def belief(self) -> str: ...

    @belief.setter
    def belief(self, arg: str, /) -> None: ...

    @property
    def hypotheses(self) -> int: ...

    @hypotheses.setter
    def hypotheses(self, arg: int, /) -> None: ...

    @property
    def successors(self) -> int: ...

    @successors.setter
    def successors(self, arg: int, /) -> None: ...

class MoveValue:
    """What a search thinks of a move, given by its number."""

    @property
    def move(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def share(self) -> float: ...

    @property
    def visits(self) -> int: ...

    @property
    def lower(self) -> float: ...

    @property
    def upper(self) -> float: ...

class Decision:
    """What a search found out; moves are numbers."""

    @property
    def move(self) -> int: ...

    @property
    def value(self) -> float: ...

    @property
    def proved(self) -> bool: ...

    @property
    def values(self) -> list[float]: ...

    @property
    def moves(self) -> list[MoveValue]: ...

    @property
    def line(self) -> list[int]:
        """One move for each role, turn by turn."""

    @property
    def nodes(self) -> int: ...

    @property
    def simulations(self) -> int: ...

    @property
    def tree_nodes(self) -> int: ...

    @property
    def bytes(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def seconds(self) -> float: ...

    @property
    def cpu_seconds(self) -> float: ...

class Stop:
    """Ends a search from another thread."""

    def __init__(self) -> None: ...

    def set(self) -> None: ...

    @property
    def is_set(self) -> bool: ...

class Searcher:
    """Looks for the move of one role; remembers what it found."""

    def think(self, state: bytes, stop: Stop, seconds: float | None = None, cpu_seconds: float | None = None, nodes: int | None = None, simulations: int | None = None, progress: Callable[[Decision], None] | None = None) -> Decision:
        """
        Thinks until a limit is reached, the stop is set or the value is proved.
        """

    def use(self, quotient: Quotient | None) -> None:
        """
        Search states and moves that are equal up to these symmetries once. Forgets what was
        found out before. Raises ValueError when they are of another game.
        """

class BeliefSearcher:
    """Looks for the move of a role that does not know the state."""

    def think(self, belief: Hypotheses, ours: Sequence[int], stop: Stop, seconds: float | None = None, cpu_seconds: float | None = None, nodes: int | None = None, simulations: int | None = None, progress: Callable[[Decision], None] | None = None) -> Decision:
        """Thinks until a limit is reached or the stop is set."""

class TreeSearch(Searcher):
    """Monte-Carlo tree search in bulk."""

    def __init__(self, simulator: Simulator, options: TreeSearchOptions, net: ValueNet | None = None) -> None:
        """
        Raises ValueError for options without sense, or a net that does not fit.
        """

class MacUcb(Searcher):
    """Stages solved one by one and sampled by UCB1."""

    def __init__(self, simulator: Simulator, options: MacUcbOptions, stages: StageSolver | None = None, net: ValueNet | None = None) -> None:
        """
        Without stages, those of the circuit. Raises ValueError for options without sense, or
        a net that does not fit.
        """

    def use_alike(self, alike: Callable[[bytes, Sequence[int], Sequence[bool], float], Sequence[int]]) -> None:
        """
        Solve solutions of a stage once that are alike. Asked with the state, the joint moves
        one after the other, for each whether it is below the threshold, and seconds that it
        may take; answers with the number of the one that stands for each, or nothing.
        """

    @property
    def nogoods(self) -> int:
        """Solutions below the threshold, so far."""

    @property
    def spared(self) -> int:
        """Solutions that another stands for, so far."""

class InformationSearch(BeliefSearcher):
    """Multiple-observer information-set Monte-Carlo tree search (ISMCTS)."""

    def __init__(self, simulator: Simulator, options: InformationSearchOptions) -> None:
        """Raises ValueError for options without sense."""

class MacUcbII(BeliefSearcher):
    """MAC-UCB on beliefs that all share."""

    def __init__(self, simulator: Simulator, options: MacUcbIIOptions, stages: StageSolver | None = None) -> None:
        """
        Without stages, those of the circuit. Raises ValueError for options without sense.
        """

    def use(self, quotient: Quotient | None) -> None:
        """
        Search beliefs that are equal up to these symmetries once; None: every belief by
        itself. Raises ValueError when they are of another game.
        """

    @property
    def twins(self) -> int:
        """Beliefs of the last call that are equal, up to symmetry, to another."""

class Automorphisms:
    """A group of automorphisms of a coloured graph."""

    @property
    def generators(self) -> list[tuple[Annotated[memoryview, dict(dtype='uint32', writable=False)], Annotated[memoryview, dict(dtype='uint32', writable=False)]]]:
        """
        For each generator the vertices it moves, ascending, and where to. Each was checked.
        """

    @property
    def order(self) -> int:
        """Exact for the group of the generators."""

    @property
    def complete(self) -> bool:
        """Whether there are no other automorphisms."""

    @property
    def orbits(self) -> Annotated[memoryview, dict(dtype='uint32', writable=False)]:
        """For each vertex the smallest of its orbit."""

    @property
    def nodes(self) -> int:
        """Refinements of partitions after the first."""

    @property
    def seconds(self) -> float:
        """CPU time."""

def automorphisms(colors: Sequence[int], edges: Sequence[int] | Sequence[Sequence[int]], seconds: float = float('inf'), nodes: int = 4611686018427387904, engine: str = 'auto') -> Automorphisms:
    """
    Automorphisms of an undirected graph that keep the colours of its vertices. Edges are
    pairs of vertices, in two columns or one after the other; one told twice is one edge.
    Arrays of 32-bit numbers are read fastest. At a limit of time or nodes the answer is
    what was found so far. Engines: own, nauty (where the build found it); auto is own.
    Raises ValueError for a vertex that is not there, a loop, or an engine that is not
    there.
    """

def automorphism_engines() -> list[str]:
    """The engines that automorphisms() has here."""

class PermutationGroup:
    """
    The group that permutations of 0 .. degree-1 generate, each given as the
    images of all points. It does not change.
    """

    def __init__(self, degree: int, generators: Sequence[Sequence[int]], seconds: float = float('inf')) -> None:
        """
        Raises ValueError for what is no permutation, TimeoutError when the group is not
        found out in time.
        """

    @property
    def degree(self) -> int: ...

    @property
    def order(self) -> int: ...

    @property
    def generators(self) -> list[Annotated[memoryview, dict(dtype='uint32', writable=False)]]:
        """Those that were given; for a stabiliser, strong ones."""

    @property
    def orbits(self) -> Annotated[memoryview, dict(dtype='uint32', writable=False)]:
        """For each point the smallest of its orbit."""

    @property
    def proven(self) -> bool:
        """
        False for groups that are too large for a proof that none of their elements
        is missing; the chance that one is is less than one in 2^40.
        """

    def contains(self, p: Sequence[int]) -> bool:
        """Raises ValueError for what is no permutation."""

    def stabiliser(self, points: Sequence[int], seconds: float = float('inf')) -> PermutationGroup:
        """
        The subgroup that keeps each of the points. Raises ValueError for a point that is not
        there, TimeoutError when it is not found in time.
        """

    def elements(self, limit: int) -> Annotated[memoryview, dict(dtype='uint32', writable=False)]:
        """
        All elements, the identity first, as rows of images. Raises ValueError when there are
        more than `limit`.
        """

class Quotient:
    """States up to the symmetries of a group."""

    def __init__(self, fluents: int, moves: int, group: PermutationGroup, limit: int, idle: Sequence[int] = []) -> None:
        """
        The group acts on the fluents, then the moves. Of one with more elements than `limit`
        (at most 256) a subgroup is used. Raises ValueError for numbers that do not fit each other.
        """

    @property
    def size(self) -> int:
        """Elements in use, the identity included."""

    def representative(self, state: bytes) -> bytes:
        """
        The state that stands for a packed one: the same just for those that elements take to
        each other.
        """

class RuleGraph:
    """The graph of a ground program, for automorphisms()."""

    @property
    def colors(self) -> Annotated[memoryview, dict(dtype='uint32', writable=False)]:
        """Of each vertex."""

    @property
    def edges(self) -> Annotated[memoryview, dict(dtype='uint32', writable=False)]:
        """Two vertices each, one edge after the other."""

    @property
    def points(self) -> Annotated[memoryview, dict(dtype='uint32', writable=False)]:
        """
        The vertices of the program's fluents, moves and percepts; NO_VERTEX where there is none.
        """

    @property
    def idle(self) -> Annotated[memoryview, dict(dtype='uint32', writable=False)]:
        """Fluents that may change, but nothing depends on them."""

    NO_VERTEX: int = 4294967295

def rule_graph(program: GroundProgram, marked: bytes | None = None, since: bytes | None = None, exchange_roles: bool = False, chance: int | None = None, seconds: float = float('inf')) -> RuleGraph:
    """
    The ground rule graph. `marked` is a state: its fluents stay among themselves. `since` is
    a state as well: the graph is that of the rules that are left from there on. Players may
    be exchanged where that is wanted, but for the role whose term is `chance`. Raises
    TimeoutError when what is left is not found out in time.
    """

def clock_fluents(program: GroundProgram) -> bytes:
    """
    The fluents that go their way whatever anybody does, as a packed state.
    """

class Relaxation:
    """
    How far states are from an end with one of these goals, by a relaxation
    of the rules: an estimate. One thread at a time.
    """

    def __init__(self, program: GroundProgram, ends: Sequence[int]) -> None:
        """The ends are goal atoms."""

    unreachable: Final[int] = ...
    """(arg: object, /) -> int"""

    def distances(self, states: bytes) -> list[int]:
        """The turns to such an end for each of many packed states."""

    def faults(self, states: bytes) -> list[int]:
        """The fluents that would have to be otherwise for such a goal to hold."""

class SpaceStatus(enum.Enum):
    running = 0

    found = 1

    exhausted = 2

    full = 3

class SpaceSearch:
    """A search for plans among the states themselves; see core/plan/space.h."""

    def __init__(self, simulator: Simulator, start: bytes, role: int, relaxation: Relaxation | None = None, depth_weight: int = 1, distance_weight: int = 0, novelty: bool = False, horizon: int = 1000000, memory_mb: int = 512, ignored: bytes = ..., quotient: Quotient | None = None) -> None: ...

    def go_on(self, above: int, seconds: float) -> SpaceStatus:
        """
        For so many seconds, or until the game can be ended with more than `above`.
        """

    def moves(self, roles: int) -> list[list[int]]:
        """After `found`: the moves of all roles, turn by turn."""

    @property
    def goal(self) -> int: ...

    @property
    def complete(self) -> bool:
        """Whether `exhausted` is a proof: all that was left out was met before."""

    @property
    def states(self) -> int: ...

    @property
    def expanded(self) -> int: ...

    @property
    def depth(self) -> int: ...

    @property
    def nearest(self) -> int:
        """The least distance of all states so far."""

class NestedRollouts:
    """Nested rollout policy adaptation; see core/plan/nested.h."""

    def __init__(self, simulator: Simulator, start: bytes, role: int, relaxation: Relaxation | None = None, horizon: int = 1000000, lanes: int = 64, iterations: int = 32, rate: float = 1.0, by_turn: bool = False, seed: int = 0) -> None: ...

    def go_on(self, above: int, seconds: float) -> bool:
        """
        For so many seconds, or until an end with more than `above` is found: True.
        """

    def moves(self, roles: int) -> list[list[int]]:
        """After True: the moves of all roles, turn by turn."""

    @property
    def goal(self) -> int: ...

    @property
    def playouts(self) -> int: ...

class Features:
    """What a state shows a value net."""

    def __init__(self, fluents: int, patterns: Sequence[tuple[Sequence[int], Sequence[int]]] = []) -> None:
        """
        Patterns are fluents that some rule asks for together, and those that block them.
        Raises ValueError for lists that are not ascending or do not fit.
        """

    @property
    def fluents(self) -> int: ...

    @property
    def size(self) -> int: ...

    @property
    def patterns(self) -> list[tuple[list[int], list[int]]]: ...

    def of(self, state: bytes) -> list[int]:
        """The features that a packed state has."""

class ValueNet:
    """Tells what states are worth. Immutable, shared by threads."""

    @staticmethod
    def from_bytes(data: bytes) -> ValueNet:
        """Raises ValueError for whatever is no net of this version."""

    def to_bytes(self) -> bytes: ...

    def evaluate(self, states: bytes) -> list[float]:
        """Expected goals between 0 and 1, state by state, one for each role."""

    @property
    def fluents(self) -> int: ...

    @property
    def features(self) -> int: ...

    @property
    def patterns(self) -> int: ...

    @property
    def roles(self) -> int: ...

    @property
    def chance(self) -> int | None: ...

    @property
    def hidden(self) -> int: ...

    @property
    def controls(self) -> list[int]: ...

    @property
    def outputs(self) -> str: ...

class TrainerOptions:
    """See learn/trainer.h and learn/self_play.h."""

    def __init__(self) -> None: ...

    def check(self) -> None:
        """Raises ValueError for values without sense."""

    @property
    def chance(self) -> int | None: ...

    @chance.setter
    def chance(self, chance: int | None) -> None: ...

    @property
    def games(self) -> int: ...

    @games.setter
    def games(self, arg: int, /) -> None: ...

    @property
    def difference(self) -> bool: ...

    @difference.setter
    def difference(self, arg: bool, /) -> None: ...

    @property
    def opening(self) -> int: ...

    @opening.setter
    def opening(self, arg: int, /) -> None: ...

    @property
    def random_moves(self) -> float: ...

    @random_moves.setter
    def random_moves(self, arg: float, /) -> None: ...

    @property
    def temperature(self) -> float: ...

    @temperature.setter
    def temperature(self, arg: float, /) -> None: ...

    @property
    def first_trace(self) -> float:
        """The lambda of TD(lambda) ..."""

    @first_trace.setter
    def first_trace(self, arg: float, /) -> None: ...

    @property
    def trace(self) -> float:
        """... and what it falls to."""

    @trace.setter
    def trace(self, arg: float, /) -> None: ...

    @property
    def cut(self) -> float: ...

    @cut.setter
    def cut(self, arg: float, /) -> None: ...

    @property
    def successors(self) -> int: ...

    @successors.setter
    def successors(self, arg: int, /) -> None: ...

    @property
    def together(self) -> int: ...

    @together.setter
    def together(self, arg: int, /) -> None: ...

    @property
    def draws(self) -> int: ...

    @draws.setter
    def draws(self, arg: int, /) -> None: ...

    @property
    def max_plies(self) -> int: ...

    @max_plies.setter
    def max_plies(self, arg: int, /) -> None: ...

    @property
    def seed(self) -> int: ...

    @seed.setter
    def seed(self, arg: int, /) -> None: ...

    @property
    def threads(self) -> int: ...

    @threads.setter
    def threads(self, arg: int, /) -> None: ...

    @property
    def hidden(self) -> int: ...

    @hidden.setter
    def hidden(self, arg: int, /) -> None: ...

    @property
    def first(self) -> int: ...

    @first.setter
    def first(self, arg: int, /) -> None: ...

    @property
    def round(self) -> int: ...

    @round.setter
    def round(self, arg: int, /) -> None: ...

    @property
    def replay(self) -> int: ...

    @replay.setter
    def replay(self, arg: int, /) -> None: ...

    @property
    def batch(self) -> int: ...

    @batch.setter
    def batch(self, arg: int, /) -> None: ...

    @property
    def sharing(self) -> float: ...

    @sharing.setter
    def sharing(self, arg: float, /) -> None: ...

    @property
    def sharing_positions(self) -> float: ...

    @sharing_positions.setter
    def sharing_positions(self, arg: float, /) -> None: ...

    @property
    def averaging(self) -> float: ...

    @averaging.setter
    def averaging(self, arg: float, /) -> None: ...

    @property
    def rate(self) -> float: ...

    @rate.setter
    def rate(self, arg: float, /) -> None: ...

    @property
    def last_rate(self) -> float: ...

    @last_rate.setter
    def last_rate(self, arg: float, /) -> None: ...

class TrainingProgress:
    """How far a training has come."""

    @property
    def games(self) -> int: ...

    @property
    def positions(self) -> int: ...

    @property
    def successors(self) -> int: ...

    @property
    def rounds(self) -> int: ...

    @property
    def cut(self) -> int:
        """Games that were too long."""

    @property
    def loss(self) -> float:
        """Of the last round's targets."""

    @property
    def outcome_loss(self) -> float:
        """Log-loss of how the last round's games ended, as the net saw it."""

    @property
    def blind_loss(self) -> float:
        """The same of who only knows how often who wins."""

    @property
    def seconds(self) -> float: ...

    @property
    def cpu_seconds(self) -> float:
        """Of the calling threads."""

class Trainer:
    """Learns a value net from games against itself."""

    def __init__(self, circuit: Circuit, features: Features, options: TrainerOptions, symmetries: Sequence[tuple[Sequence[int], Sequence[int]]] = [], kinds: Sequence[Sequence[int]] = []) -> None:
        """
        Symmetries are permutations of fluents, and of roles, that change nothing; features of
        a kind share a part of their weights while they are learned.
        Raises ValueError for what does not fit the game.
        """

    def go_on(self, stop: Stop, seconds: float | None = None, cpu_seconds: float | None = None, positions: int | None = None, progress: Callable[[TrainingProgress], bool] | None = None) -> TrainingProgress:
        """
        Plays and learns until a limit is reached, the stop is set or `progress` says False.
        """

    @property
    def progress(self) -> TrainingProgress: ...

    @property
    def net(self) -> ValueNet:
        """What has been learned so far; None before anything has."""

def rule_patterns(program: GroundProgram, simulator: Simulator, *, shortest: int = 3, longest: int = 6, moves: bool = False, work: int = 500000, features: int = 8000, steps: float = 200.0, chance: int | None = None, seed: int = 1) -> list[tuple[list[int], list[int]]]:
    """
    Conjunctions of fluents that the rules for goals and the end ask for (with `moves`, those
    for moves and their effects too), each with the fluents that block it. A sample of random
    games tells what blocks and which patterns are on their way; at most `features` of them,
    and such as change `steps` counters a move, are kept.
    """

def control_fluents(simulator: Simulator, *, chance: int | None = None, seed: int = 1) -> list[int]:
    """
    Fluents that tell whose turn it is, found in a sample of random games; `chance` is the
    number of the role whose moves are drawn.
    """
