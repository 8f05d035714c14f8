"""That backgammon, Can't Stop and Orchard are played by their rules."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from functools import cache

import pytest

from games_support import joint, load, texts
from independent.dice_boards import (
    BAR,
    FACES,
    OFF,
    Backgammon,
    Board,
    CantStop,
    Harvest,
    Orchard,
    Table,
    checkers,
    most,
    plays,
)
from independent.model import Model, hold_against, model_counts
from woodstock import State, games

# The models in plain Python: depth to which sequences are counted, and how many matches.
MODELS: dict[str, tuple[Model, int, int]] = {
    "backgammon": (Backgammon(), 5, 8),
    "cant-stop": (CantStop(), 5, 5),
    "orchard": (Orchard(), 9, 20),
}


@pytest.mark.parametrize("name", MODELS)
def test_counts_of_the_model(name: str) -> None:
    model, depth, _ = MODELS[name]
    golden = games.perft_counts(name)
    assert len(golden) > depth
    assert tuple(model_counts(model, depth)) == golden[: depth + 1]


@pytest.mark.parametrize("name", MODELS)
def test_matches_of_the_model(name: str) -> None:
    model, _, matches = MODELS[name]
    lengths = [hold_against(model, name, seed) for seed in range(matches)]
    assert max(lengths) <= (games.meta(name).max_plies or 0)


# --- backgammon ---------------------------------------------------------------------------------


def side(**points: int) -> tuple[int, ...]:
    """Checkers by their owner's points: p6=2 for two on the 6-point, bar=1; the rest is off."""
    found = [0] * 26
    for name, count in points.items():
        found[BAR if name == "bar" else int(name[1:])] = count
    found[OFF] = 15 - sum(found)
    return tuple(found)


def table(board: Board, turn: int, numbers: Iterable[int], rolls: int = 7) -> State:
    """A position of backgammon in the rulesheet."""
    position = Table(board, turn, tuple(sorted(numbers)), rolls)
    return load("backgammon").state(sorted(Backgammon().fluents(position)))


def white_moves(board: Board, *numbers: int) -> set[str]:
    moves = set(texts(table(board, 0, numbers).legal_moves("white")))
    return {move.removeprefix("(move ").removesuffix(")") for move in moves}


def scattered(rng: random.Random) -> Table:
    """Any position with few checkers before many blocks, so that the dice are hard to use."""
    reach = rng.choice((range(1, 26), range(1, 7), range(1, 13), (3, 8, 13, 18, 23, 25)))
    own = [0] * 26
    for _ in range(rng.choice((1, 1, 2, 2, 3, 4, 8, 15))):
        own[rng.choice(reach)] += 1
    enemy = [0] * 26
    for place in rng.sample(range(1, 25), rng.randrange(3, 7)):
        if not own[BAR - place]:
            enemy[place] = rng.choice((2, 2, 2, 1))
    enemy[BAR] = rng.randrange(2) if any(enemy) else 1
    own[OFF], enemy[OFF] = 15 - sum(own), 15 - sum(enemy)
    one, two = rng.choice(FACES), rng.choice(FACES)
    numbers = (min(one, two), max(one, two)) if one != two else (one,) * rng.randrange(1, 5)
    turn = rng.randrange(2)
    sides = (own, enemy) if turn == 0 else (enemy, own)
    return Table(Board(tuple(sides[0]), tuple(sides[1])), turn, numbers, 7)


def test_backgammon_uses_as_much_of_the_dice_as_possible() -> None:
    """The rulesheet looks one move ahead by a formula; the model tries everything."""
    model, game, rng = Backgammon(), load("backgammon"), random.Random(11)
    kinds: Counter[str] = Counter()
    for _ in range(3000):
        position = scattered(rng)
        state = game.state(sorted(model.fluents(position)))
        assert not state.is_terminal
        legal = model.legal(position)
        for role in game.roles:
            assert texts(state.legal_moves(role)) == sorted(legal[role])
        board, turn, numbers, _ = position
        assert turn is not None
        alone = {(i, d) for d in set(numbers) for i, _ in board.steps(turn, d)}
        if alone and len(alone) > len(legal[game.roles[turn]]):
            kinds["larger" if most(board, turn, numbers) == 1 else "both"] += 1
        elif not alone:
            kinds["none"] += 1
    assert kinds["both"] > 100
    assert kinds["larger"] > 100
    assert kinds["none"] > 20


# How many different boards the first roll of a match can lead to, had it been this one.
OPENINGS = {
    1: (42,),
    2: (15, 75),
    3: (16, 17, 73),
    4: (14, 18, 17, 52),
    5: (8, 8, 9, 9, 4),
    6: (10, 14, 14, 14, 7, 11),
}


def test_backgammon_has_the_known_plays_of_the_start() -> None:
    """In plain Python and in the rulesheet; 3-1 has sixteen."""
    start = Backgammon().initial().board

    @cache
    def boards(state: State) -> frozenset[frozenset[str]]:
        if texts(state.legal_moves("black")) == texts(state.legal_moves("white")):
            fluents = {str(fluent) for fluent in state.fluents}
            return frozenset([frozenset(f for f in fluents if f.startswith("(point"))])
        moves = texts(state.legal_moves("white"))
        return frozenset().union(*(boards(joint(state, {"white": move})) for move in moves))

    for large, numbers in OPENINGS.items():
        for small, number in enumerate(numbers, start=1):
            roll = (large,) * 4 if small == large else (small, large)
            found = plays(start, 0, roll)
            assert len(found) == number
            assert boards(table(start, 0, roll)) == {frozenset(checkers(b)) for b in found}


def test_backgammon_rolls_the_dice_evenly() -> None:
    """Fifteen rolls have probability 1/18 and six 1/36; the opening roll is no double."""
    start = load("backgammon").initial_state()
    opening = Counter(joint(start, {"random": move}) for move in texts(start.legal_moves("random")))
    assert len(opening) == 30
    for role in ("white", "black"):
        assert sum(f"(turn {role})" in texts(after.fluents) for after in opening) == 15
    state = joint(start, {"random": "(roll 3 1)"})
    for move in ("(move 8 3)", "(move 6 1)"):
        state = joint(state, {"white": move})
    rolls = Counter(joint(state, {"random": move}) for move in texts(state.legal_moves("random")))
    assert Counter(rolls.values()) == {2: 15, 1: 6}
    assert all("(turn black)" in texts(after.fluents) for after in rolls)


FAR = side(p24=15)  # to white, all enemies stand on its 1-point


def test_backgammon_must_use_both_numbers() -> None:
    # Everything goes, and every first move leaves a second.
    assert white_moves(Board(side(p9=1, p7=1), FAR), 5, 3) == {"9 5", "9 3", "7 5", "7 3"}
    # The 2-point is blocked, so only the checker on 9 can use the 5: it must not use the 3.
    board = Board(side(p9=1, p7=1), side(p24=13, p23=2))
    assert white_moves(board, 5, 3) == {"9 5", "7 3"}
    # Where nothing but a 3 can be used, 9 3 is fine again.
    assert white_moves(board, 3) == {"9 3", "7 3"}


def test_backgammon_must_use_the_larger_number() -> None:
    # From 12 the 6 leads to 6 and the 5 to 7, but 1 is blocked: only one can be used.
    board = Board(side(p12=1), FAR)
    assert white_moves(board, 6, 5) == {"12 6"}
    # With 6 blocked as well only the 5 can be.
    assert white_moves(Board(side(p12=1), side(p24=13, p19=2)), 6, 5) == {"12 5"}
    # With 7 blocked only the 6 can be; with both blocked chance goes on.
    assert white_moves(Board(side(p12=1), side(p24=13, p18=2)), 6, 5) == {"12 6"}
    state = table(Board(side(p12=1), side(p24=11, p18=2, p19=2)), 0, (6, 5))
    assert texts(state.legal_moves("white")) == ["noop"]
    assert len(state.legal_moves("random")) == 36
    assert "(turn black)" in texts(joint(state, {"random": "(roll 2 2)"}).fluents)


def test_backgammon_comes_in_from_the_bar_first() -> None:
    board = Board(side(bar=1, p13=1), FAR)
    assert white_moves(board, 4, 2) == {"bar 4", "bar 2"}
    # 21 is held: the 2 must enter, the 4 is for afterwards.
    board = Board(side(bar=1, p13=1), side(p4=2, p24=13))
    assert white_moves(board, 4, 2) == {"bar 2"}
    # Two on the bar, and only one number enters: it must be used, and that is all.
    board = Board(side(bar=2, p13=1), side(p4=2, p24=13))
    assert white_moves(board, 4, 2) == {"bar 2"}
    after = joint(table(board, 0, (4, 2)), {"white": "(move bar 2)"})
    assert texts(after.legal_moves("white")) == ["noop"]


def test_backgammon_hits_a_blot() -> None:
    state = table(Board(side(p8=2), side(p22=1, p10=14)), 0, (5, 6))
    after = joint(state, {"white": "(move 8 5)"})
    hit = Board(side(p8=1, p3=1), side(bar=1, p10=14))
    assert checkers(hit) <= set(texts(after.fluents))
    assert len(after.fluents) == len(checkers(hit)) + 4  # turn, die, tens, units


def test_backgammon_bears_off_from_home_only() -> None:
    assert white_moves(Board(side(p6=1, p4=1, p7=1), FAR), 4) == {"6 4", "7 4"}
    assert white_moves(Board(side(p6=1, p4=1), FAR), 4) == {"6 4", "4 4"}
    assert white_moves(Board(side(p5=1, p4=1), FAR), 6) == {"5 6"}
    assert white_moves(Board(side(p5=1, p3=1), FAR), 4) == {"noop"}
    # The 2-point is blocked. The 6 can bear off once the last outsider is home with the 2.
    board = Board(side(p8=1, p5=1), side(p24=13, p23=2))
    assert white_moves(board, 6, 2) == {"8 2"}


def test_backgammon_is_won_by_the_fifteenth_checker() -> None:
    for turn, name in enumerate(("white", "black")):
        sides = (side(p2=1), side(p20=2))
        board = Board(*(sides if turn == 0 else sides[::-1]))
        state = table(board, turn, (3, 3, 3, 3))
        assert not state.is_terminal
        after = joint(state, {name: f"(move {2 if turn == 0 else 23} 3)"})
        assert after.is_terminal
        assert after.goal(name) == 100
        assert after.goal("black" if turn == 0 else "white") == 0


def test_backgammon_ends_after_250_rolls() -> None:
    board = Board(side(p20=2), side(p20=2))
    assert not table(board, 0, (), 249).is_terminal
    last = table(board, 0, (4,), 250)
    assert not last.is_terminal  # the roll may be used
    over = joint(last, {"white": "(move 20 4)"})
    assert over.is_terminal
    assert (over.goal("white"), over.goal("black")) == (50, 50)


# --- Can't Stop ---------------------------------------------------------------------------------


def climb(*fluents: str, dice: Iterable[int] = ()) -> State:
    """Red is at the dice."""
    shown = [f"(die {i} {v})" for i, v in enumerate(dice, start=1)]
    return load("cant-stop").state(["(turn red)", "(tens 0)", "(units 4)", *fluents, *shown])


# Of 1296 rolls of four dice, how many go on when the three runners are in these columns.
CHANCES: dict[tuple[int, ...], int] = {
    (6, 7, 8): 1192,
    (4, 6, 8): 1181,
    (2, 7, 12): 1012,
    (2, 3, 12): 568,
}


@pytest.mark.parametrize("columns", CHANCES)
def test_cant_stop_has_the_known_chances(columns: tuple[int, ...]) -> None:
    """92 % with 6, 7 and 8 is the most, 44 % with 2, 3 and 12 the least."""
    state = climb(*(f"(at {column} 1 runner)" for column in columns))
    lucky, rolls = 0, 0
    for first in state.legal_moves("random"):
        half = joint(state, {"random": str(first)})
        assert not any(str(move).startswith("(climb") for move in half.legal_moves("red"))
        for second in half.legal_moves("random"):
            rolled = joint(half, {"random": str(second)})
            rolls += 1
            lucky += texts(rolled.legal_moves("red")) != ["noop"]
    assert rolls == 1296
    assert lucky == CHANCES[columns]


def test_cant_stop_climbs_both_sums_or_chooses() -> None:
    red = "red"
    assert texts(climb(dice=(1, 2, 3, 4)).legal_moves(red)) == [
        "(climb 3 7)",
        "(climb 4 6)",
        "(climb 5 5)",
    ]
    # One runner is left: 3 and 7 exclude each other, as do 4 and 6; 5 needs one only.
    two = ("(at 2 1 runner)", "(at 12 1 runner)")
    assert texts(climb(*two, dice=(1, 2, 3, 4)).legal_moves(red)) == [
        "(climb 3)",
        "(climb 4)",
        "(climb 5 5)",
        "(climb 6)",
        "(climb 7)",
    ]
    # None is left: only columns with a runner.
    three = (*two, "(at 7 4 runner)")
    assert texts(climb(*three, dice=(1, 2, 3, 4)).legal_moves(red)) == ["(climb 7)"]
    # A column is closed to both by whoever has reached its top, and to a runner on top.
    for closed in ("(at 7 13 blue)", "(at 7 13 red)", "(at 7 13 runner)"):
        moves = texts(climb(closed, dice=(1, 2, 3, 4)).legal_moves(red))
        assert moves == ["(climb 3)", "(climb 4 6)", "(climb 5 5)"]


def test_cant_stop_climbs_no_farther_than_the_top() -> None:
    for square, reached in ((0, 2), (1, 3), (2, 3)):
        own = (f"(at 12 {square} red)",) if square else ()
        state = joint(climb(*own, dice=(6, 6, 6, 6)), {"red": "(climb 12 12)"})
        assert f"(at 12 {reached} runner)" in texts(state.fluents)
        assert texts(state.legal_moves("red")) == ["go", "stop"]


def test_cant_stop_loses_the_turn_by_a_bust() -> None:
    marks = ("(at 7 3 red)", "(at 2 1 blue)")
    runners = ("(at 7 5 runner)", "(at 2 1 runner)", "(at 3 1 runner)")
    state = climb(*marks, *runners, dice=(5, 5, 6, 6))
    assert texts(state.legal_moves("red")) == ["noop"]
    after = joint(state, {"random": "(roll first 1 2)"})
    kept = {*marks, "(turn blue)", "(tens 0)", "(units 5)", "(die 1 1)", "(die 2 2)"}
    assert set(texts(after.fluents)) == kept


def test_cant_stop_keeps_the_turn_by_a_stop() -> None:
    marks = ("(at 7 3 red)", "(at 2 1 blue)", "(at 9 4 red)")
    runners = ("(at 7 5 runner)", "(at 2 3 runner)", "(at 3 1 runner)")
    state = joint(climb(*marks, *runners, "deciding"), {"red": "stop"})
    kept = {"(at 7 5 red)", "(at 2 3 red)", "(at 3 1 red)", "(at 9 4 red)"}
    assert set(texts(state.fluents)) == {*kept, "(turn blue)", "(tens 0)", "(units 5)"}


def test_cant_stop_is_won_by_three_columns() -> None:
    tops = ("(at 2 3 red)", "(at 8 11 red)", "(at 12 3 blue)", "(at 3 5 blue)")
    state = climb(*tops, "(at 11 5 runner)", "deciding")
    assert not state.is_terminal
    assert not joint(state, {"red": "go"}).is_terminal
    won = joint(state, {"red": "stop"})
    assert won.is_terminal
    assert (won.goal("red"), won.goal("blue")) == (100, 0)


def test_cant_stop_ends_after_a_hundred_turns() -> None:
    fluents = ("(turn blue)", "(tens 9)", "(units 9)", "deciding", "(at 6 2 runner)")
    state = load("cant-stop").state(fluents)
    assert not state.is_terminal
    over = joint(state, {"blue": "stop"})
    assert over.is_terminal
    assert (over.goal("red"), over.goal("blue")) == (50, 50)


# --- Orchard ------------------------------------------------------------------------------------

Choice = Callable[[list[float]], float]


def chance_to_win(choice: Choice, harvest: Harvest) -> float:
    """Of Orchard, if a basket is worth what `choice` makes of its fruits, smallest tree first."""

    @cache
    def rolled(trees: tuple[int, ...], raven: int, basket: int) -> float:
        if not any(trees):
            return 1.0
        if raven == 9:
            return 0.0
        left = max(basket - 1, 0)
        picks = [rolled(_less(trees, i), raven, left) for i, tree in enumerate(trees) if tree]
        if basket:
            return choice(picks)
        values = [*picks, rolled(trees, raven + 1, 0), rolled(trees, raven, 2)]
        return sum(values) / len(values)

    return rolled(tuple(sorted(harvest.fruit)), harvest.raven, harvest.basket)


def _less(trees: tuple[int, ...], at: int) -> tuple[int, ...]:
    return tuple(sorted((*trees[:at], trees[at] - 1, *trees[at + 1 :])))


def test_orchard_is_won_as_often_as_computed() -> None:
    """With the best choices 68.4 %, which are those of the fullest tree."""
    best = chance_to_win(max, Harvest())
    assert best == pytest.approx(0.684047498127, abs=1e-12)
    assert chance_to_win(lambda picks: picks[-1], Harvest()) == pytest.approx(best, abs=1e-12)
    worst = chance_to_win(lambda picks: picks[0], Harvest())
    assert worst == pytest.approx(0.532399142152, abs=1e-12)
    even = chance_to_win(lambda picks: sum(picks) / len(picks), Harvest())
    assert even == pytest.approx(0.631998012670, abs=1e-12)
    found = load("orchard").initial_state().playouts(100_000, seed=1)
    for role in ("alice", "bob"):
        assert abs(found.mean_goals[role] / 100 - even) < 5 * found.goal_errors[role] / 100


def test_orchard_is_worth_the_same_in_the_rulesheet() -> None:
    """The end of the game is searched through in the rules themselves."""

    @cache
    def worth(state: State) -> float:
        if state.is_terminal:
            goals = state.goals()
            assert goals["alice"] == goals["bob"]
            return (goals["alice"] or 0) / 100
        values = [worth(after) for _, after in state.successors()]
        rolling = texts(state.legal_moves("random")) != ["noop"]
        return sum(values) / len(values) if rolling else max(values)

    model = Orchard()
    ends = ((3, 2, 1, 0), 5), ((0, 0, 0, 1), 8), ((2, 2, 2, 2), 7), ((0, 4, 0, 3), 3)
    for fruit, raven in ends:
        harvest = Harvest(fruit, raven)
        state = load("orchard").state(sorted(model.fluents(harvest)))
        assert worth(state) == pytest.approx(chance_to_win(max, harvest), abs=1e-12)


def test_orchard_gives_two_fruits_for_a_basket() -> None:
    state = load("orchard").initial_state()
    faces = texts(state.legal_moves("random"))
    assert len(faces) == 6
    state = joint(state, {"random": "(roll basket)"})
    for _ in range(2):
        assert texts(state.legal_moves("bob")) == ["noop"]
        state = joint(state, {"alice": "(pick plum)"})
    assert {"(fruit plum 8)", "(turn bob)"} <= set(texts(state.fluents))
    assert len(state.legal_moves("random")) == 6


def test_orchard_takes_no_second_fruit_from_empty_trees() -> None:
    last = Harvest((0, 1, 0, 0), raven=8, turn=1)
    state = load("orchard").state(sorted(Orchard().fluents(last)))
    assert texts(state.legal_moves("random")) == ["(roll basket)", "(roll cherry)", "(roll raven)"]
    picked = joint(joint(state, {"random": "(roll basket)"}), {"bob": "(pick cherry)"})
    assert picked.is_terminal
    assert (picked.goal("alice"), picked.goal("bob")) == (100, 100)
    lost = joint(state, {"random": "(roll raven)"})
    assert lost.is_terminal
    assert (lost.goal("alice"), lost.goal("bob")) == (0, 0)
