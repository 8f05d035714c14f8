"""The rules of races, battles and sowing games, held against models in plain Python."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest

from games_support import joint, load, texts
from independent.arena import (
    Battlebrushes,
    BattleOfNumbers,
    Bomberman,
    ChineseCheckers,
    Oware,
    PlatformJumpers,
    Shmup,
    Sowing,
)
from independent.draughts import Checkers
from independent.model import Model, hold_against, model_counts
from woodstock import State, games

# The models, with the depth to which counts are compared and the matches that are played.
MODELS: dict[str, tuple[Model, int, int]] = {
    "checkers": (Checkers(), 5, 6),
    "chinese-checkers": (ChineseCheckers(), 5, 8),
    "oware": (Oware(), 5, 8),
    "battle-of-numbers": (BattleOfNumbers((1, 3, 5, 4, 2), 40), 3, 10),
    "battle-of-numbers-big": (BattleOfNumbers((1, 3, 5, 7, 8, 6, 4, 2), 112), 2, 4),
    "platform-jumpers": (PlatformJumpers(), 2, 6),
    "shmup": (Shmup(), 2, 40),
    "battlebrushes": (Battlebrushes(), 1, 8),
    "bomberman": (Bomberman(), 4, 40),
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
    for seed in range(matches):
        assert hold_against(model, name, seed) > 0


# Checkers


def test_checkers_has_the_published_counts() -> None:
    published = (1, 7, 49, 302, 1469, 7361, 36768)
    assert games.perft_counts("checkers")[:7] == published


def checkers(pieces: str, control: str = "red", ply: int = 5) -> State:
    """A position from words like ``rm:c3``."""
    found, count = [], {"r": 0, "b": 0}
    for word in pieces.split():
        kind, square = word.split(":")
        count[kind[0]] += 1
        found.append(f"(cell {square[0]} {square[1]} {kind})")
    found += [f"(pieces red {count['r']})", f"(pieces black {count['b']})"]
    return load("checkers").state([*found, f"(control {control})", f"(ply {ply})"])


def test_checkers_forces_a_capture_to_its_end() -> None:
    state = checkers("rm:a1 rm:h2 bm:b2 bm:d4 bm:g3 bm:h8")
    assert texts(state.legal_moves("red")) == ["(double a 1 c 3 e 5)", "(jump h 2 f 4)"]
    state = joint(state, {"red": "(double a 1 c 3 e 5)"})
    assert texts(state.fluents) == [
        "(cell e 5 rm)",
        "(cell g 3 bm)",
        "(cell h 2 rm)",
        "(cell h 8 bm)",
        "(control black)",
        "(pieces black 2)",
        "(pieces red 2)",
        "(ply 6)",
    ]


def test_checkers_cuts_a_capture_after_three_jumps() -> None:
    """The king could go on over f2 to e1."""
    state = checkers("rk:a1 bm:b2 bm:d4 bm:f4 bm:f2 bm:h8")
    assert texts(state.legal_moves("red")) == ["(triple a 1 c 3 e 5 g 3)"]
    state = joint(state, {"red": "(triple a 1 c 3 e 5 g 3)"})
    assert {"(cell f 2 bm)", "(cell g 3 rk)", "(pieces black 2)"} <= set(texts(state.fluents))


def test_checkers_crowns_at_the_end_of_a_capture() -> None:
    """As a king the piece could jump on over c7, but the move is over."""
    state = checkers("rm:f6 bm:e7 bm:c7 bm:h4")
    assert texts(state.legal_moves("red")) == ["(jump f 6 d 8)"]
    state = joint(state, {"red": "(jump f 6 d 8)"})
    assert "(cell d 8 rk)" in texts(state.fluents)


def test_checkers_counts_pieces_even_for_who_cannot_move() -> None:
    stuck = checkers("rm:a3 rm:a1 bm:b4 bm:b2 bm:c5 bm:c3")
    assert stuck.is_terminal
    assert stuck.goals() == {"red": 0, "black": 100}
    stuck = checkers("rm:a7 rm:c7 rm:b6 rm:d6 rm:a5 rm:c5 bm:b8 bm:d8 bm:e7 bm:f8")
    assert stuck.is_terminal
    assert stuck.goals() == {"red": 100, "black": 0}
    late = checkers("rm:a1 rk:c1 bm:h8 bm:f8", ply=102)
    assert late.is_terminal
    assert late.goals() == {"red": 50, "black": 50}
    assert not checkers("rm:a1 rk:c1 bm:h8 bm:f8", ply=101).is_terminal


# Chinese checkers


def star(red: str, green: str, blue: str, step: int = 1) -> State:
    words = [(cell, "red") for cell in red.split()]
    words += [(cell, "green") for cell in green.split()]
    words += [(cell, "blue") for cell in blue.split()]
    fluents = [f"(cell {cell} {role})" for cell, role in words]
    return load("chinese-checkers").state([*fluents, "(control red)", f"(step {step})"])


def test_chinese_checkers_jumps_twice_over_anybody() -> None:
    state = star("a1 b1 e2", "d3 f6 g7", "g1 g2 f1")
    moves = texts(state.legal_moves("red"))
    # From a1 over b1 to c3, and from there over d3 to e3; b2 is a step.
    assert {"(move a1 c3)", "(move a1 e3)", "(move a1 b2)", "noop"} <= set(moves)
    assert "(move a1 b1)" not in moves
    assert "(move e2 d2)" not in moves  # backwards


def test_chinese_checkers_pays_for_every_stone() -> None:
    for red, value in (("h1 h2 i1", 100), ("h1 i1 a1", 50), ("h2 a1 b1", 25), ("g4 a1 b1", 0)):
        state = star(red, "c1 f6 g7", "c6 c7 g1", step=60)
        assert state.is_terminal
        assert state.goals() == {"red": value, "green": 25, "blue": 50}
    assert star("h1 h2 i1", "c1 f6 g7", "c6 c7 g1").is_terminal
    assert not star("h1 a1 i1", "c1 f6 g7", "c6 c7 g1").is_terminal


# Oware


def oware(
    south: str, north: str, captured: tuple[int, int] = (0, 0), mover: str = "south", ply: int = 10
) -> State:
    """A position from the seeds of houses 1 to 6 and of houses 7 to 12."""
    seeds = [int(n) for n in [*south.split(), *north.split()]]
    assert len(seeds) == 12
    fluents = [f"(seeds {house} {n})" for house, n in enumerate(seeds, 1)]
    fluents += [f"(captured south {captured[0]})", f"(captured north {captured[1]})"]
    return load("oware").state([*fluents, f"(control {mover})", f"(ply {ply})"])


def houses(state: State) -> tuple[list[int], dict[str, int]]:
    seeds, captured = [0] * 12, {}
    for fluent in texts(state.fluents):
        word, *rest = fluent.strip("()").split()
        if word == "seeds":
            seeds[int(rest[0]) - 1] = int(rest[1])
        if word == "captured":
            captured[rest[0]] = int(rest[1])
    return seeds, captured


def test_oware_captures_backwards_until_a_house_does_not_fit() -> None:
    state = joint(oware("0 0 0 0 1 5", "3 2 1 1 2 9", (4, 0)), {"south": "(sow 6)"})
    # Houses 7 to 11 have 4 3 2 2 3 now: four of them are captured, the first is not.
    assert houses(state) == ([0, 0, 0, 0, 1, 0, 4, 0, 0, 0, 0, 9], {"south": 14, "north": 0})


def test_oware_captures_nothing_on_the_own_side() -> None:
    state = joint(oware("1 1 1 0 0 1", "1 1 0 0 0 1"), {"south": "(sow 1)"})
    assert houses(state) == ([0, 2, 1, 0, 0, 1, 1, 1, 0, 0, 0, 1], {"south": 0, "north": 0})
    # North's last seed in house 1 captures it, but not the two seeds in his own house 12.
    state = joint(oware("1 9 0 0 0 0", "1 1 0 0 2 1", mover="north"), {"north": "(sow 11)"})
    assert houses(state) == ([0, 9, 0, 0, 0, 0, 1, 1, 0, 0, 0, 2], {"south": 0, "north": 2})


def test_oware_grand_slam_captures_nothing() -> None:
    state = joint(oware("5 0 0 0 0 2", "1 2 0 0 0 0"), {"south": "(sow 6)"})
    assert houses(state) == ([5, 0, 0, 0, 0, 0, 2, 3, 0, 0, 0, 0], {"south": 0, "north": 0})
    state = joint(oware("5 0 0 0 0 2", "1 2 0 0 0 1"), {"south": "(sow 6)"})
    assert houses(state) == ([5, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], {"south": 5, "north": 0})


def test_oware_leaves_out_the_house_sown_from() -> None:
    state = joint(oware("0 0 13 0 0 0", "1 0 0 0 0 0"), {"south": "(sow 3)"})
    assert houses(state)[0] == [1, 1, 0, 2, 2, 1, 2, 1, 1, 1, 1, 1]
    state = joint(oware("0 0 0 0 0 47", "1 0 0 0 0 0"), {"south": "(sow 6)"})
    # 47 is four rounds of eleven and three seeds more.
    assert houses(state)[0] == [4, 4, 4, 4, 4, 0, 6, 5, 5, 4, 4, 4]


def test_oware_feeds_the_enemy() -> None:
    state = oware("6 1 0 2 0 0", "0 0 0 0 0 0")
    assert texts(state.legal_moves("south")) == ["(sow 1)"]
    state = oware("5 1 0 2 0 0", "0 0 0 0 0 0", (10, 20))
    assert state.is_terminal
    assert state.goals() == {"south": 0, "north": 100}


@pytest.mark.parametrize("south", range(0, 49, 4))
def test_oware_gives_everybody_his_side_at_the_end(south: int) -> None:
    for lying in {0, south // 2, min(south, 24)}:
        captured = (south - lying, 12)
        north = 48 - south - 12
        if max(captured) > 24 or north < 0:
            continue
        row = [lying // 3, 0, lying - lying // 3, 0, 0, 0]
        state = oware(" ".join(map(str, row)), f"0 0 {north} 0 0 0", captured, ply=200)
        assert state.is_terminal
        value = 100 if south > 24 else 50 if south == 24 else 0
        assert state.goals() == {"south": value, "north": 100 - value}


def test_oware_ends_with_more_than_half() -> None:
    state = oware("0 0 0 0 1 1", "1 2 0 0 0 19", (23, 0))
    assert not state.is_terminal
    state = joint(state, {"south": "(sow 6)"})
    assert houses(state)[1] == {"south": 25, "north": 0}
    assert state.is_terminal
    assert state.goals() == {"south": 100, "north": 0}
    assert not oware("4 4 4 4 4 4", "0 0 0 0 0 0", (12, 12), ply=199).is_terminal


def test_oware_model_knows_the_longest_sowing() -> None:
    """Random matches hardly ever go round twice: try every house with every number."""
    model = Oware()
    for house, seeds in itertools.product(range(6), range(1, 48)):
        row = [0] * 12
        row[house], row[11] = seeds, 48 - seeds
        position = Sowing(tuple(row), (0, 0), 10)
        state = load("oware").state(sorted(model.fluents(position)))
        after = joint(state, {"south": f"(sow {house + 1})"})
        assert set(texts(after.fluents)) == model.fluents(model.sow(position, house))


# Battle of numbers


def battle(fighters: Iterable[tuple[int, int, int, str]], control: str = "red") -> State:
    cells = [f"(cell {x} {y} {n} {role})" for x, y, n, role in fighters]
    taken = ["(taken red 1)", "(taken green 2)"]
    return load("battle-of-numbers").state([*cells, *taken, f"(control {control})", "(step 9)"])


def test_battle_of_numbers_one_beats_five() -> None:
    for mine, theirs in itertools.product(range(1, 6), repeat=2):
        state = battle([(3, 3, mine, "red"), (2, 4, theirs, "green"), (3, 2, 1, "green")])
        allowed = mine >= theirs if {mine, theirs} != {1, 5} else mine == 1
        # Taking is possible backwards too; walking is not.
        assert ("(move 3 3 2 4)" in texts(state.legal_moves("red"))) == allowed
        assert set(texts(state.legal_moves("red"))) - {"(move 3 3 2 4)"} == {
            "(move 3 3 4 2)",
            "(move 3 3 4 3)",
            "(move 3 3 4 4)",
        }


def test_battle_of_numbers_counts_captures() -> None:
    state = battle([(3, 3, 4, "red"), (4, 4, 2, "green"), (5, 1, 1, "green")])
    state = joint(state, {"red": "(move 3 3 4 4)"})
    assert {"(taken red 2)", "(cell 4 4 4 red)"} <= set(texts(state.fluents))
    assert state.goals() == {"red": 50, "green": 50}
    assert not state.is_terminal
    blocked = battle([(5, 1, 3, "red"), (3, 3, 4, "green")])
    assert blocked.is_terminal
    assert blocked.goals() == {"red": 0, "green": 100}


# Platform jumpers


def test_platform_jumpers_marks_before_it_jumps() -> None:
    state = load("platform-jumpers").initial_state()
    for ply in range(18):
        role = ("red", "blue")[ply % 2]
        moves = texts(state.legal_moves(role))
        assert len(moves) == 18 - ply
        assert all(move.startswith("(mark") for move in moves)
        state = joint(state, {role: moves[0]})
    assert len([f for f in texts(state.fluents) if f.startswith("(colour")]) == 100
    assert all(move.startswith("(jump") for move in texts(state.legal_moves("red")))


def platforms(colours: str, jumpers: list[str], control: str) -> State:
    """A position in which every cell has the colour that its row has in the text."""
    names = {"r": "red", "b": "blue"}
    fluents = [
        f"(colour {row} {column} {names[letter]})"
        for row, letter in enumerate(colours, 1)
        for column in range(1, 11)
    ]
    fluents += [f"(marked ({kind} {n}))" for kind in ("row", "column") for n in range(1, 11)]
    return load("platform-jumpers").state([*fluents, *jumpers, f"(control {control})"])


def test_platform_jumpers_stay_on_their_colour() -> None:
    state = platforms("rrbrrbbbrr", ["(jumper 2 5 red)", "(jumper 4 4 blue)"], "red")
    # The row ahead is blue; of the knight's moves two rows ahead one is taken.
    assert texts(state.legal_moves("red")) == ["(jump 2 5 4 6)"]
    state = platforms("rrrrrbbbrr", ["(jumper 2 5 red)", "(jumper 4 4 blue)"], "red")
    assert len(state.legal_moves("red")) == 5 + 1


def test_platform_jumpers_ends() -> None:
    state = platforms("rrbbrbbbrr", ["(jumper 2 5 red)", "(jumper 4 4 blue)"], "red")
    assert state.is_terminal  # two rows of the other colour cannot be crossed
    assert state.goals() == {"red": 50, "blue": 50}
    state = platforms("rrbbrbbbrr", ["(jumper 9 5 red)", "(jumper 4 4 blue)"], "red")
    state = joint(state, {"red": "(jump 9 5 10 7)"})
    assert state.is_terminal
    assert state.goals() == {"red": 100, "blue": 0}


# Shmup


def skies(light: str, dark: str, shots: Iterable[str] = (), ply: int = 1) -> State:
    fluents = [f"(ship {light} light)", f"(ship {dark} dark)", *(f"(shot {s})" for s in shots)]
    return load("shmup").state([*fluents, f"(turn {('fire', 'move')[ply % 2]})", f"(step {ply})"])


def test_shmup_keeps_ships_apart() -> None:
    start = skies("8 8", "3 8")
    state = start.apply(["(move e)", "(move w)"])  # to 1 8 and 2 8
    assert {"(ship 8 8 light)", "(ship 3 8 dark)"} <= set(texts(state.fluents))
    state = start.apply(["(move e)", "noop"])
    assert {"(ship 1 8 light)", "(ship 3 8 dark)"} <= set(texts(state.fluents))
    state = start.apply(["(move se)", "(move sw)"])  # to 1 1 and 2 1
    assert {"(ship 8 8 light)", "(ship 3 8 dark)"} <= set(texts(state.fluents))
    # Who stays does not count: a ship may even fly into the other.
    state = skies("1 8", "3 8").apply(["(move e)", "noop"]).apply(["(fire n)", "(fire n)"])
    state = state.apply(["(move e)", "noop"])
    assert state.is_terminal
    assert state.goals() == {"light": 50, "dark": 50}


def test_shmup_does_not_fly_through_shots() -> None:
    state = skies("4 4", "8 8", ["5 4 w", "4 3 n"])
    assert "(move e)" not in texts(state.legal_moves("light"))
    assert len(state.legal_moves("light")) == 8
    after = state.apply(["noop", "noop"])
    assert after.is_terminal
    assert after.goals() == {"light": 0, "dark": 100}
    assert not state.apply(["(move n)", "noop"]).is_terminal


def test_shmup_ends_after_twenty_turns() -> None:
    assert not skies("4 4", "8 8", ply=19).is_terminal
    state = skies("4 4", "8 8", ["1 4 e"], ply=20)
    assert state.is_terminal
    assert state.goals() == {"light": 50, "dark": 50}


# Battlebrushes


@pytest.mark.parametrize(
    ("counts", "values"),
    [
        ((9, 7, 5, 3), (100, 50, 25, 0)),
        ((9, 9, 5, 3), (75, 75, 25, 0)),
        ((9, 9, 9, 3), (66, 66, 66, 0)),
        ((9, 9, 9, 9), (50, 50, 50, 50)),
        ((3, 5, 5, 9), (0, 33, 33, 100)),
        ((3, 3, 5, 9), (12, 12, 50, 100)),
        ((3, 3, 3, 9), (25, 25, 25, 100)),
        ((16, 17, 15, 16), (33, 100, 0, 33)),
        ((2, 1, 2, 1), (75, 12, 75, 12)),
        ((20, 19, 1, 0), (100, 50, 25, 0)),
        ((0, 64, 0, 0), (25, 100, 25, 25)),
    ],
)
def test_battlebrushes_shares_places(counts: tuple[int, ...], values: tuple[int, ...]) -> None:
    game = load("battlebrushes")
    for order in itertools.permutations(range(4)):
        owners = [game.roles[i] for i, count in zip(order, counts) for _ in range(count)]
        fluents = [
            f"(cell {(3 * x + y) % 8 + 1} {y} {role})"
            for (x, y), role in zip(itertools.product(range(1, 9), repeat=2), owners)
        ]
        brushes = [f"(brush {n} {n} {role})" for n, role in enumerate(game.roles, 1)]
        state = game.state([*fluents, *brushes, "(step 20)"])
        assert state.is_terminal
        assert state.goals() == {game.roles[i]: value for i, value in zip(order, values)}


def test_battlebrushes_are_dizzy_for_two_turns() -> None:
    game = load("battlebrushes")
    brushes = ["(brush 1 1 blue)", "(brush 1 3 red)", "(brush 2 2 green)", "(brush 8 8 yellow)"]
    state = game.state([*brushes, "(cell 1 2 yellow)", "(step 3)"])
    state = state.apply(["(go 1 2)", "(go 1 2)", "(go 1 2)", "(go 8 7)"])
    assert {*brushes[:3], "(cell 1 2 yellow)", "(brush 8 7 yellow)"} <= set(texts(state.fluents))
    for _ in range(2):
        for role in ("blue", "red", "green"):
            assert texts(state.legal_moves(role)) == ["noop"]
        yellow = texts(state.legal_moves("yellow"))
        assert "noop" not in yellow
        state = state.apply(["noop", "noop", "noop", yellow[0]])
    assert "noop" not in texts(state.legal_moves("blue"))


def test_battlebrushes_waits_when_surrounded() -> None:
    brushes = ["(brush 1 1 blue)", "(brush 1 2 red)", "(brush 2 1 green)", "(brush 8 8 yellow)"]
    state = load("battlebrushes").state([*brushes, "(step 3)"])
    assert texts(state.legal_moves("blue")) == ["noop"]
    # Red leaves its cell only now, so blue could not have gone there.
    assert "(go 1 1)" not in texts(state.legal_moves("red"))


# Bomberman


def maze(man: str, woman: str, more: Iterable[str] = (), step: int = 9) -> State:
    fluents = [f"(at {man} bomberman)", f"(at {woman} bomberwoman)", f"(step {step})"]
    things = (f"(at {thing})" for thing in more)
    return load("bomberman").state([*fluents, *things, *sorted(Bomberman().walls())])


def test_bomberman_bombs_burst_after_four_plies() -> None:
    state = maze("1 1", "8 8").apply(["drop", "(move nowhere)"])
    for wait in (3, 2, 1, 0):
        assert f"(at 1 1 bomb{wait})" in texts(state.fluents)
        assert not any("fire" in fluent for fluent in texts(state.fluents))
        state = state.apply(["(move nowhere)"] * 2)
    fire = {fluent for fluent in texts(state.fluents) if "fire" in fluent}
    assert fire == {f"(at {n} 1 fire)" for n in range(1, 9)} | {
        f"(at 1 {n} fire)" for n in range(1, 9)
    }
    assert state.is_terminal
    assert state.goals() == {"bomberman": 0, "bomberwoman": 100}


def test_bomberman_walls_above_and_right_stop_the_fire() -> None:
    fires = {}
    for cell in ("2 1", "3 2", "8 8", "8 3", "3 8"):
        state = maze("6 4", "6 4", [f"{cell} bomb0"]).apply(["(move nowhere)"] * 2)
        fires[cell] = {fluent[4:7] for fluent in texts(state.fluents) if "fire" in fluent}
    row = {y: {f"{x} {y}" for x in range(1, 9)} for y in range(1, 9)}
    column = {x: {f"{x} {y}" for y in range(1, 9)} for x in range(1, 9)}
    assert fires == {
        "2 1": row[1],
        "3 2": column[3],
        "8 8": set(),
        "8 3": column[8],
        "3 8": row[8],
    }


def test_bomberman_ends() -> None:
    both = maze("1 4", "1 7", ["1 4 fire", "1 7 fire"])
    assert both.is_terminal
    assert both.goals() == {"bomberman": 50, "bomberwoman": 50}
    late = maze("1 4", "1 7", step=50)
    assert late.is_terminal
    assert late.goals() == {"bomberman": 50, "bomberwoman": 50}
    last = maze("1 4", "1 7", ["1 7 fire"], step=50)
    assert last.goals() == {"bomberman": 100, "bomberwoman": 0}
    assert maze("1 4", "1 7").goals() == {"bomberman": 0, "bomberwoman": 0}
