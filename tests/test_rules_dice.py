"""The rules of the dice games: Yahtzee, Pickomino, Käseklau, guessing a die."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable
from math import comb

import pytest

from games_support import joint, load, texts
from independent.dice import (
    BOXES,
    GuessDice,
    Kaseklau,
    Pickomino,
    Yahtzee,
    box_points,
)
from independent.model import Model, hold_against, model_counts
from woodstock import State, games

# With the depth to which counts are compared.
MODELS: dict[str, tuple[Model, int]] = {
    "guess-dice": (GuessDice(), 2),
    "kaseklau": (Kaseklau(), 6),
    "pickomino": (Pickomino(), 6),
    "yahtzee": (Yahtzee(), 3),
}


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", MODELS)
def test_matches_of_a_model(name: str, seed: int) -> None:
    assert hold_against(MODELS[name][0], name, seed) > 1


@pytest.mark.parametrize("name", MODELS)
def test_counts_of_a_model(name: str) -> None:
    model, depth = MODELS[name]
    golden = games.perft_counts(name)
    assert len(golden) > depth
    assert tuple(model_counts(model, depth)) == golden[: depth + 1]


def chances(state: State, plies: int) -> Counter[State]:
    """Where chance alone leads within so many plies, with how many of its ways: exactly, since its
    moves of one ply must be equally many everywhere."""
    layer = Counter({state: 1})
    for _ in range(plies):
        following: Counter[State] = Counter()
        numbers = set()
        for before, ways in layer.items():
            after = [successor for _, successor in before.successors()]
            numbers.add(len(after))
            for successor in after:
                following[successor] += ways
        assert len(numbers) == 1
        layer = following
    return layer


# Yahtzee.

NEW_SHEETS = [
    *(f"(total {p} {i} 0)" for p in ("alice", "bob") for i in ("thousands", "hundreds")),
    *(
        f"({f} {p} {i} 0)"
        for f in ("total", "subtotal")
        for p in ("alice", "bob")
        for i in ("tens", "units")
    ),
]


def table(
    dice: Iterable[int], sheet: dict[str, int], throws: int = 3, total: str = "0000", upper: int = 0
) -> State:
    """Alice, with these boxes full, has thrown these dice; bob has not written anything yet."""
    digits = zip(("thousands", "hundreds", "tens", "units"), total, strict=True)
    return load("yahtzee").state(
        [
            *(fact for fact in NEW_SHEETS if "bob" in fact),
            *(f"(total alice {place} {digit})" for place, digit in digits),
            f"(subtotal alice tens {upper // 10})",
            f"(subtotal alice units {upper % 10})",
            *(f"(die {number} {face})" for number, face in enumerate(dice, 1)),
            *(f"(score alice {box} {points})" for box, points in sheet.items()),
            *(["(bonus alice)"] if upper >= 63 else []),
            f"(throws {throws})",
            "(turn alice)",
        ]
    )


def total(state: State, player: str = "alice") -> int:
    weights = {"thousands": 1000, "hundreds": 100, "tens": 10, "units": 1}
    facts = [f for f in texts(state.fluents) if f.startswith(f"(total {player} ")]
    assert len(facts) == 4
    return sum(weights[f.strip("()").split()[2]] * int(f.strip("()").split()[3]) for f in facts)


def test_yahtzee_throws_are_fair() -> None:
    """All 7776 throws come about in one way each, with the known numbers of patterns."""
    start = load("yahtzee").initial_state()
    pairs = chances(start, 2)
    assert len(pairs) == 6**4
    assert set(pairs.values()) == {1}
    some = next(state for state in pairs if {"(die 1 3)", "(die 4 6)"} <= set(texts(state.fluents)))
    last = chances(some, 1)
    assert len(last) == 6
    assert {t for s in last for t in texts(s.fluents) if t.startswith("(die 5")} == {
        f"(die 5 {face})" for face in range(1, 7)
    }
    assert not any(t.startswith("(cup") for s in last for t in texts(s.fluents))


def test_yahtzee_scores_all_throws() -> None:
    """All 252 combinations in all boxes, as the plain function has them, whose counts are known."""
    made: Counter[str] = Counter()
    for number, dice in enumerate(itertools.combinations_with_replacement(range(1, 7), 5)):
        turned = dice[number % 5 :] + dice[: number % 5]
        ways = len(set(itertools.permutations(dice)))
        state = table(turned, {})
        for box, name in enumerate(BOXES):
            points = box_points(dice, box)
            made[name] += ways * (points > 0)
            after = joint(state, {"alice": f"(enter {name})"})
            assert ("score", "alice", name, str(points)) in after.fluents
            assert total(after) == points
    assert made["yahtzee"] == 6
    assert made["large_straight"] == 240
    assert made["small_straight"] == 1200
    assert made["full_house"] == 300
    assert made["four_of_a_kind"] == 156
    assert made["three_of_a_kind"] == 1656
    assert made["chance"] == 7776
    assert {made[box] for box in BOXES[:6]} == {7776 - 5**5}


def test_yahtzee_throws_again_what_the_player_wants() -> None:
    state = table((1, 2, 3, 4, 5), {}, throws=2)
    assert sum(text.startswith("(reroll") for text in texts(state.legal_moves("alice"))) == 31
    state = joint(state, {"alice": "(reroll 0 1 0 0 1)"})
    assert [t for t in texts(state.fluents) if t[:4] in ("(cup", "(die")] == [
        *("(cup 2)", "(cup 5)", "(die 1 1)", "(die 3 3)", "(die 4 4)")
    ]
    state = joint(state, {"random": "(throw 6 3)"})
    assert [t for t in texts(state.fluents) if t.startswith("(die")] == [
        *("(die 1 1)", "(die 2 6)", "(die 3 3)", "(die 4 4)", "(die 5 3)")
    ]
    assert texts(state.legal_moves("alice")) == sorted(f"(enter {box})" for box in BOXES)


@pytest.mark.parametrize(("upper", "earned"), [(32, False), (33, True), (62, True), (63, False)])
def test_yahtzee_bonus_of_the_upper_section(upper: int, earned: bool) -> None:
    before = {"fives": 20} if upper < 63 else {"fives": 25}
    state = table((6, 6, 6, 6, 6), {**before, "yahtzee": 0}, total="0170", upper=upper)
    state = joint(state, {"alice": "(enter sixes)"})
    assert total(state) == 170 + 30 + 35 * earned
    assert (("bonus", "alice") in state.fluents) == (upper + 30 >= 63)


@pytest.mark.parametrize(("first", "extra"), [(50, 100), (0, 0)])
def test_yahtzee_joker(first: int, extra: int) -> None:
    # The upper box of the face comes first.
    state = table((4,) * 5, {"yahtzee": first}, total="0930")
    assert texts(state.legal_moves("alice")) == ["(enter fours)"]
    assert total(joint(state, {"alice": "(enter fours)"})) == 930 + 20 + extra
    # Then the lower boxes, where the joker is worth what it stands for.
    state = table((4,) * 5, {"yahtzee": first, "fours": 0}, total="0930")
    lower = set(BOXES[6:]) - {"yahtzee"}
    assert texts(state.legal_moves("alice")) == sorted(f"(enter {box})" for box in lower)
    worth = {"full_house": 25, "small_straight": 30, "large_straight": 40}
    for box in lower:
        after = joint(state, {"alice": f"(enter {box})"})
        assert total(after) == 930 + worth.get(box, 20) + extra
    # Then any box.
    sheet = {**dict.fromkeys(BOXES[6:], 0), "yahtzee": first, "chance": 5, "fours": 0, "ones": 2}
    state = table((4,) * 5, sheet, total="0930")
    free = ("twos", "threes", "fives", "sixes")
    assert texts(state.legal_moves("alice")) == sorted(f"(enter {box})" for box in free)
    assert total(joint(state, {"alice": "(enter twos)"})) == 930 + extra


def test_yahtzee_without_a_full_yahtzee_box_is_no_joker() -> None:
    state = table((4,) * 5, {})
    assert texts(state.legal_moves("alice")) == sorted(f"(enter {box})" for box in BOXES)
    assert total(joint(state, {"alice": "(enter full_house)"})) == 0
    assert total(joint(state, {"alice": "(enter yahtzee)"})) == 50


def test_yahtzee_best_match_has_1575_points() -> None:
    """Thirteen Yahtzees in the best order; bob always throws 1 1 2 2 3 and writes nothing."""
    order = ["yahtzee", *BOXES[5::-1], *BOXES[6:11], "chance"]
    state = load("yahtzee").initial_state()
    for number, box in enumerate(order):
        face = BOXES.index(box) + 1 if box in BOXES[:6] else 6
        for player, faces, enter in (
            ("alice", f"{face} {face} {face} {face} {face}", box),
            ("bob", "1 2 2 3 3", BOXES[number]),
        ):
            a, b, c, d, e = faces.split()
            for move in (f"(throw {a} {b})", f"(throw {c} {d})", f"(throw {e})"):
                state = joint(state, {"random": move})
            state = joint(state, {player: f"(enter {enter})"})
    assert state.is_terminal
    assert total(state) == 1575
    assert total(state, "bob") == 1 + 4 + 6 + 11
    assert state.goals() == {"alice": 100, "bob": 0, "random": 0}


@pytest.mark.parametrize(
    ("alice", "bob"),
    [("0199", "0200"), ("0210", "0209"), ("1000", "0999"), ("0123", "0123"), ("0131", "0122")],
)
def test_yahtzee_totals_decide(alice: str, bob: str) -> None:
    places = ("thousands", "hundreds", "tens", "units")
    facts = ["(cup 1)", "(throws 1)", "(turn alice)"]
    for player, number in (("alice", alice), ("bob", bob)):
        facts += [f"(score {player} {box} {0 if box != 'chance' else 5})" for box in BOXES]
        facts += [f"(total {player} {i} {d})" for i, d in zip(places, number, strict=True)]
        facts += [f"(subtotal {player} tens 0)", f"(subtotal {player} units 0)"]
    state = load("yahtzee").state(facts)
    assert state.is_terminal
    expected = 50 if alice == bob else 100 if alice > bob else 0
    assert state.goals() == {"alice": expected, "bob": 100 - expected, "random": 0}


# Pickomino.


def grill(
    tiles: Iterable[int],
    alice: Iterable[int] = (),
    bob: Iterable[int] = (),
    kept: dict[str, int] | None = None,
    rolled: dict[str, int] | None = None,
    turns: int = 0,
) -> State:
    """Alice is on turn and has no dice in hand; the uppermost tile of a stack is the last."""
    kept, rolled = kept or {}, rolled or {}
    facts = [f"(grill {tile})" for tile in tiles]
    for player, stack in (("alice", list(alice)), ("bob", list(bob))):
        facts += [f"(own {player} {tile})" for tile in stack]
        facts += [f"(on {upper} {lower})" for lower, upper in itertools.pairwise(stack)]
    facts += [f"(kept {face} {number})" for face, number in kept.items()]
    facts += [f"(rolled {face} {number})" for face, number in rolled.items()]
    points = sum(number * (5 if face == "worm" else int(face)) for face, number in kept.items())
    facts += [f"(sum {points})", f"(spare {8 - sum(kept.values())})", "(hand 0)"]
    return load("pickomino").state([*facts, "(turn alice)", f"(turns {turns})"])


def tiles_of(state: State, functor: str, *words: str) -> set[int]:
    start = " ".join([f"({functor}", *words, ""])
    return {int(t.strip("()").split()[-1]) for t in texts(state.fluents) if t.startswith(start)}


def test_pickomino_throws_are_fair() -> None:
    """Eight dice: the number of ways to each combination is the multinomial coefficient."""
    thrown = chances(load("pickomino").initial_state(), 4)
    assert sum(thrown.values()) == 6**8
    assert len(thrown) == comb(13, 5)
    for state, ways in thrown.items():
        expected, left = 1, 8
        for text in texts(state.fluents):
            if text.startswith("(rolled"):
                number = int(text.strip("()").split()[2])
                expected *= comb(left, number)
                left -= number
        assert left == 0
        assert ways == expected


def test_pickomino_sets_all_dice_of_a_face_aside() -> None:
    state = grill(range(21, 37), kept={"5": 2}, rolled={"5": 1, "worm": 3, "2": 2})
    assert texts(state.legal_moves("alice")) == ["(keep 2)", "(keep worm)"]
    state = joint(state, {"alice": "(keep worm)"})
    assert {"(kept worm 3)", "(sum 25)", "(spare 3)"} <= set(texts(state.fluents))
    assert not any(text.startswith("(rolled") for text in texts(state.fluents))
    assert texts(state.legal_moves("alice")) == ["(take 25)", "again"]
    state = joint(state, {"alice": "again"})
    assert texts(state.legal_moves("random"))[0] == "(throw 1 1)"
    assert len(state.legal_moves("random")) == 36


@pytest.mark.parametrize(
    ("tiles", "bob", "kept", "moves"),
    [
        (range(21, 37), (), {"5": 5}, ["again"]),  # no worm
        (range(21, 37), (), {"worm": 4}, ["again"]),  # 20 points
        (range(21, 37), (), {"worm": 8}, ["(take 36)"]),  # 40 points and no dice left
        ((21, 22, 27), (), {"worm": 5}, ["(take 22)", "again"]),  # the next lower tile
        ((21, 22, 27), (24, 25), {"worm": 5}, ["(take 22)", "(take 25)", "again"]),
        ((21, 22, 27), (25, 24), {"worm": 5}, ["(take 22)", "again"]),  # 25 is not on top
        ((27, 28), (24,), {"worm": 5}, ["again"]),  # 24 is not exact
        ((27, 28), (), {"worm": 1, "3": 4, "2": 3}, ["fail"]),
        ((27, 28), (), {"4": 4, "3": 4}, ["fail"]),
        ((27, 28), (23,), {"worm": 1, "3": 4, "2": 3}, ["(take 23)"]),
    ],
)
def test_pickomino_takes_tiles(
    tiles: Iterable[int], bob: Iterable[int], kept: dict[str, int], moves: list[str]
) -> None:
    assert texts(grill(tiles, bob=bob, kept=kept).legal_moves("alice")) == moves


def test_pickomino_steals_the_top_tile() -> None:
    state = grill((21, 27), alice=(33,), bob=(24, 25), kept={"worm": 5})
    state = joint(state, {"alice": "(take 25)"})
    assert tiles_of(state, "own", "alice") == {25, 33}
    assert tiles_of(state, "own", "bob") == {24}
    assert [text for text in texts(state.fluents) if text.startswith("(on ")] == ["(on 25 33)"]
    assert {"(hand 8)", "(spare 8)", "(sum 0)", "(turn bob)"} <= set(texts(state.fluents))
    assert tiles_of(state, "grill") == {21, 27}


@pytest.mark.parametrize(
    ("alice", "left"),
    [
        ((), {21}),  # nothing to give back: the highest tile is turned over
        ((36, 22), {21, 22}),
        ((22, 36), {21, 27, 36}),  # the one given back is the highest
    ],
)
def test_pickomino_failing(alice: tuple[int, ...], left: set[int]) -> None:
    state = grill((21, 27), alice=alice, kept={"5": 2}, rolled={"5": 6})
    assert texts(state.legal_moves("alice")) == ["fail"]
    state = joint(state, {"alice": "fail"})
    assert tiles_of(state, "grill") == left
    assert tiles_of(state, "own", "alice") == set(alice[:-1])
    assert not any(text.startswith("(on ") for text in texts(state.fluents))


@pytest.mark.parametrize(
    ("alice", "bob", "goal"),
    [
        ((), (), 50),
        ((21,), (), 100),
        ((24,), (25,), 0),
        ((36,), (21, 22, 23, 24), 100),  # four worms each
        ((21, 25), (29,), 0),  # three each
        (range(21, 37), (), 100),
        ((), range(21, 37), 0),
        ((36, 35, 34, 33, 21, 22, 23, 24), range(25, 33), 100),  # twenty each
        ((36, 35, 34, 33, 21, 22, 23), range(25, 33), 0),
    ],
)
def test_pickomino_worms_decide(alice: Iterable[int], bob: Iterable[int], goal: int) -> None:
    state = grill((), alice, bob)
    assert state.is_terminal
    assert state.goals() == {"alice": goal, "bob": 100 - goal, "random": 0}


def test_pickomino_ends_after_a_hundred_turns() -> None:
    state = grill((21, 22), (36,), (), kept={"5": 2}, rolled={"5": 6}, turns=99)
    assert not state.is_terminal
    state = joint(state, {"alice": "fail"})
    assert tiles_of(state, "grill") == {21, 22, 36}
    assert state.is_terminal


# Käseklau.


def house(**changes: str) -> State:
    """A position that differs from the first one in the fluents of these functors."""
    facts = {
        "mouse": "1",
        "cat": "4",
        "stack": "1 6,2 6,3 6,4 6,5 6",
        "unseen": "1 10,2 10,3 10",
        "loot": "0",
        "safe": "alice 0,bob 0",
        "turn": "alice",
        "phase": "roll",
        "rolls": "0",
    } | changes
    return load("kaseklau").state(
        [f"({name} {words})" for name, text in facts.items() for words in text.split(",") if words]
    )


def test_kaseklau_cards_are_drawn_fairly() -> None:
    """A card: as from those that nobody has seen yet, without putting back."""
    state = house(phase="turn", unseen="1 4,2 10,3 0", loot="5")
    found = chances(state, 1)
    assert sum(found.values()) == 14
    for slices, number, left in ((1, 4, "(unseen 1 3)"), (2, 10, "(unseen 2 9)")):
        ((after, ways),) = [
            (s, n) for s, n in found.items() if ("loot", str(5 + slices)) in s.fluents
        ]
        assert ways == number
        assert {left, "(stack 1 5)", "(unseen 3 0)", "(phase choose)"} <= set(texts(after.fluents))


@pytest.mark.parametrize(("gap", "ninths"), [(0, 2), (1, 1), (2, 1), (3, 2), (4, 3)])
def test_kaseklau_cat_catches_with_the_known_chance(gap: int, ninths: int) -> None:
    """The mouse is so many rooms ahead of the cat."""
    state = house(mouse=str(gap + 1), cat="1", loot="17")
    caught = [after for _, after in state.successors() if ("turn", "bob") in after.fluents]
    assert len(caught) == ninths
    assert len(state.successors()) == 9
    for after in caught:
        assert ("loot", "0") in after.fluents
        assert sum(text.endswith(" 6)") for text in texts(after.fluents)) == 5  # no card is taken


def test_kaseklau_loot_and_stop() -> None:
    state = house(loot="9", safe="alice 18,bob 0")
    state = joint(state, {"random": "(roll 0 2)"})
    assert {"(mouse 3)", "(cat 4)", "(loot 9)", "(stack 3 6)"} <= set(texts(state.fluents))
    assert texts(state.legal_moves("alice")) == ["noop"]
    state = joint(state, {"random": "(turn 3 8)"})
    assert {"(loot 12)", "(stack 3 5)", "(unseen 3 9)"} <= set(texts(state.fluents))
    assert texts(state.legal_moves("alice")) == ["again", "stop"]
    state = joint(state, {"alice": "stop"})
    assert {"(safe alice 30)", "(turn bob)"} <= set(texts(state.fluents))
    assert {"(loot 0)", "(phase roll)"} <= set(texts(state.fluents))


def test_kaseklau_ends_when_three_rooms_are_empty() -> None:
    state = house(
        stack="1 0,2 0,3 1,4 6,5 6",
        loot="2",
        safe="alice 5,bob 9",
    )
    assert not state.is_terminal
    empty = joint(state, {"random": "(roll 0 1)"})  # into room 2, where there is nothing
    assert texts(empty.legal_moves("alice")) == ["again", "stop"]
    assert ("loot", "2") in empty.fluents
    state = joint(joint(state, {"random": "(roll 0 2)"}), {"random": "(turn 3 1)"})
    assert not state.is_terminal
    assert texts(state.legal_moves("alice")) == ["stop"]
    state = joint(state, {"alice": "stop"})
    assert state.is_terminal
    assert state.goals() == {"alice": 100, "bob": 0, "random": 0}


def test_kaseklau_ends_after_a_hundred_rolls() -> None:
    state = house(rolls="99", safe="alice 4,bob 5")
    going = joint(joint(state, {"random": "(roll 0 1)"}), {"random": "(turn 2 1)"})
    assert texts(going.legal_moves("alice")) == ["stop"]
    assert joint(going, {"alice": "stop"}).goals() == {"alice": 100, "bob": 0, "random": 0}
    caught = joint(state, {"random": "(roll 0 3)"})
    assert caught.is_terminal
    assert caught.goals() == {"alice": 0, "bob": 100, "random": 0}


@pytest.mark.parametrize(("alice", "bob"), [(20, 19), (9, 10), (31, 32), (17, 17), (0, 0)])
def test_kaseklau_slices_decide(alice: int, bob: int) -> None:
    state = house(stack="1 0,2 0,3 0,4 6,5 6", safe=f"alice {alice},bob {bob}")
    assert state.is_terminal
    expected = 50 if alice == bob else 100 if alice > bob else 0
    assert state.goals() == {"alice": expected, "bob": 100 - expected, "random": 0}


# Guessing a die.


def test_guess_dice_is_won_once_in_six() -> None:
    """The player cannot tell the throws apart before guessing, so that every guess is as good."""
    thrown = [state for _, state in load("guess-dice").initial_state().successors()]
    assert len(thrown) == 6
    assert len({state.percepts("player") for state in thrown}) == 1
    assert len({state.legal_moves("player") for state in thrown}) == 1
    for guess in thrown[0].legal_moves("player"):
        won = [joint(state, {"player": str(guess)}).goal("player") for state in thrown]
        assert sorted(won, key=str) == [0, 0, 0, 0, 0, 100]
