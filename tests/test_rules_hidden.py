"""That Pac-Man, Hubi, sheep and wolf, latent tic-tac-toe and War are played by their rules."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest

from games_support import joint, load, texts
from independent.chases import (
    COMPASS,
    FLOOR,
    HiddenPacman,
    HiddenWolf,
    Pacman,
    SheepAndWolf,
    exits,
    neighbour,
)
from independent.hidden import Hubi, LatentTicTacToe, War
from independent.model import Model, hold_against, model_counts
from independent.protocol import counts, random_match
from woodstock import State, games

MODELS: dict[str, Model] = {
    "pacman": Pacman(),
    "pacman-hidden": HiddenPacman(),
    "schnappt-hubi": Hubi(),
    "sheep-and-wolf-hidden": HiddenWolf(),
    "latent-tic-tac-toe-10x10": LatentTicTacToe(),
    "war": War(),
}
HIDDEN = [name for name in MODELS if name != "pacman"]


@pytest.mark.parametrize("name", MODELS)
def test_matches_of_a_model(name: str) -> None:
    for seed in range(12):
        assert 0 < hold_against(MODELS[name], name, seed) <= (games.meta(name).max_plies or 0)


@pytest.mark.parametrize("name", MODELS)
def test_counts_of_a_model(name: str) -> None:
    golden = games.perft_counts(name)
    depth = max(d for d, count in enumerate(golden) if count <= 16_000)
    assert depth >= 2
    assert tuple(model_counts(MODELS[name], depth)) == golden[: depth + 1]


def test_sheep_and_wolf_is_the_model() -> None:
    model, game = SheepAndWolf(), load("sheep-and-wolf")
    golden = games.perft_counts("sheep-and-wolf")
    assert tuple(counts(model, 8)) == golden[:9]
    ends = set()
    for seed in range(25):
        state = game.initial_state()
        for position, move in random_match(model, seed):
            assert set(texts(state.fluents)) == model.fluents(position)
            scores = model.scores(position)
            assert state.is_terminal == (scores is not None)
            if move is None:
                assert tuple(state.goals().values()) == scores
                ends.add(scores)
                break
            mover = model.roles[model.mover(position)]
            assert texts(state.legal_moves(mover)) == sorted(model.moves(position))
            state = joint(state, {mover: move})
    assert ends == {(0, 100), (100, 0)}


@pytest.mark.parametrize("name", HIDDEN)
def test_percepts_are_shared(name: str) -> None:
    """All players are told the same: the class of games that the papers speak of."""
    game, rng, told = load(name), random.Random(3), 0
    for _ in range(3):
        state = game.initial_state()
        while not state.is_terminal:
            state = state.apply(state.random_joint_move(rng))
            first, *others = ({*state.percepts(role)} for role in game.players)
            assert all(other == first for other in others)
            told += len(first)
            if "random" in game.roles:
                assert not state.percepts("random")
    assert told > 20


def twin_step(one: State, two: State, role: str, rng: random.Random) -> tuple[State, State] | None:
    """A random step of both states that is the same to one role; None if the second has none."""
    moves = dict(zip(one.roles, one.random_joint_move(rng), strict=True))
    first = one.apply(moves)
    choices = [[moves[r]] if r == role else list(two.legal_moves(r)) for r in two.roles]
    joints = list(itertools.product(*choices))
    rng.shuffle(joints)
    for other in joints:
        second = two.apply(other)
        if second.percepts(role) == first.percepts(role):
            return first, second
    return None


@pytest.mark.parametrize("name", HIDDEN)
def test_players_know_their_moves(name: str) -> None:
    """Two matches that are the same to a player, in his moves and percepts, offer him the same."""
    game, met = load(name), 0
    for seed, role in itertools.product(range(20), game.players):
        rng, twins = random.Random(seed), (game.initial_state(),) * 2
        while not twins[0].is_terminal and not twins[1].is_terminal:
            one, two = twins
            legal = one.legal_moves(role)
            assert legal == two.legal_moves(role)
            met += one != two and len(legal) > 1
            following = twin_step(one, two, role, rng)
            if following is None:
                break
            twins = following
    assert met > 30, f"only {met} choices were compared"


def test_the_maze_has_no_dead_end() -> None:
    """So a ghost that must not turn back always has a way."""
    assert len(FLOOR) == 36
    assert min(len(exits(cell)) for cell in FLOOR) == 2


def pacman_state(pacman: str, food: Iterable[str], eaten: int, made: int = 50) -> State:
    ghosts = [f"(at {g} 8 {y})" for g, y in zip(Pacman.names, (3, 4, 5, 6), strict=True)]
    meals = [f"(food {cell})" for cell in food]
    return load("pacman").state(
        [f"(at pacman {pacman})", *ghosts, *meals, f"(eaten {eaten})", f"(round {made})"]
    )


@pytest.mark.parametrize(
    ("fruits", "value"), [([], 100), (["5 6"], 90), (["4 6"], 90), (["4 6", "5 6"], 80)]
)
def test_pacman_wins_with_the_last_dot(fruits: list[str], value: int) -> None:
    state = pacman_state("1 3", ["1 4 dot", *(f"{cell} fruit" for cell in fruits)], 32)
    assert not state.is_terminal
    state = joint(state, {"pacman": "(go north)"})
    assert state.is_terminal
    assert state.goals() == {"pacman": value, "random": 0}


def test_pacman_loses_by_touch_and_by_time() -> None:
    state = joint(pacman_state("7 3", ["1 4 dot"], 32), {"pacman": "(go east)"})
    assert state.is_terminal
    assert state.goal("pacman") == 48
    state = joint(pacman_state("1 3", ["4 1 dot"], 32, 99), {"pacman": "(go east)"})
    assert state.is_terminal
    assert state.goal("pacman") == 48


def test_ghosts_do_not_turn_back() -> None:
    fluents = ["(at pacman 1 3)", "(food 4 1 dot)", "(eaten 32)", "(round 9)", "haunting"]
    for name, place, way in (
        ("blinky", "3 6", "north"),
        ("pinky", "4 6", "east"),
        ("inky", "1 4", "south"),
        ("clyde", "8 3", "west"),
    ):
        fluents += [f"(at {name} {place})", f"(heading {name} {way})"]
    moves = texts(load("pacman").state(fluents).legal_moves("random"))
    # Clyde has come into the corner from nowhere: back east there is no corridor.
    first = {"north", "east", "west"}
    last = {"north", "west"}
    assert moves == sorted(f"(haunt {a} east south {b})" for a in first for b in last)


def test_hidden_pacman_pays_both_ghosts() -> None:
    game = load("pacman-hidden")
    ghosts = ["(at blinky 3 1)", "(at inky 5 1)", "(food 8 3)", "(eaten 20)", "(plies 31)"]
    state = game.state(["(at pacman 4 1)", "hunting", *ghosts])
    state = state.apply(["noop", "(go east)", "(go west)"])
    assert state.is_terminal
    assert state.goals() == {"pacman": 50, "blinky": 100, "inky": 100}
    told = texts(state.percepts("pacman"))
    assert told == ["(at blinky 4 1)", "(at inky 4 1)", "(at pacman 4 1)", "(eaten 20)"]


# A house: the magic door is the north wall of room (2, 2).
WALLS = {
    (1, 1): "north hole", (2, 1): "north window", (3, 1): "east solid",
    (1, 2): "east hole", (2, 2): "north solid", (3, 2): "east hole",
    (1, 3): "north window", (2, 3): "east hole", (3, 3): "north hole",
}  # fmt: skip


def house(mouse: str, rabbit: str, control: str, *more: str, clock: int = 5) -> State:
    built = ["(door 2 2)", f"(control {control})", f"(clock {clock})", *more]
    for (x, y), wall in WALLS.items():
        side, kind = wall.split()
        built += [f"(wall {x} {y} {side})", f"(inset {x} {y} {kind})"]
    figures = [f"(at mouse {mouse})", f"(at rabbit {rabbit})"]
    return load("schnappt-hubi").state([*built, *figures])


@pytest.mark.parametrize(
    ("room", "way", "kind", "mouse", "rabbit"),
    [
        ("1 1", "north", "hole", "1 2", "1 1"),
        ("2 2", "south", "window", "2 2", "2 1"),
        ("3 1", "east", "solid", "3 1", "3 1"),
        ("4 1", "west", "solid", "4 1", "4 1"),
        ("1 1", "east", "open", "2 1", "2 1"),
        ("4 1", "north", "open", "4 2", "4 2"),
        ("2 2", "north", "shut", "2 2", "2 2"),
    ],
)
def test_hubi_walls(room: str, way: str, kind: str, mouse: str, rabbit: str) -> None:
    for who, goal in (("mouse", mouse), ("rabbit", rabbit)):
        places = (room, "4 4") if who == "mouse" else ("4 4", room)
        state = joint(house(*places, who), {who: f"(go {way})"})
        assert f"(at {who} {goal})" in texts(state.fluents)
        for role in ("mouse", "rabbit"):
            assert texts(state.percepts(role)) == [f"(wall {who} {way} {kind})"]


def test_open_passages_connect_every_house() -> None:
    model, rng = Hubi(), random.Random(4)
    for _ in range(30):
        kinds = [(rng.choice(("north", "east")), "solid") for _ in range(9)]
        position = model.initial()._replace(door=rng.choice(model.furnished), walls=tuple(kinds))
        reached = [(1, 1)]
        for room in reached:
            for way in model.ways(room):
                there = neighbour(room, COMPASS[way])
                if model.wall(position, room, way) == "open" and there not in reached:
                    reached.append(there)
        assert len(reached) == 16


def test_hubi_wakes_by_the_magic_door_and_is_caught() -> None:
    state = joint(house("2 2", "1 3", "rabbit"), {"rabbit": "(go east)"})
    assert texts(state.percepts("mouse")) == ["(wall rabbit east open)", "creak"]
    assert len(state.legal_moves("random")) == 14
    state = joint(state, {"random": "(hide 2 4)"})
    assert texts(state.percepts("mouse")) == []
    state = joint(state, {"mouse": "ask"})
    assert texts(state.percepts("rabbit")) == ["(clue hubi bat black)"]
    state = joint(state, {"rabbit": "(go north)"})
    assert texts(state.percepts("mouse")) == ["(hubi 2 4)", "(wall rabbit north open)"]
    state = joint(state, {"random": "(float south)"})
    assert texts(state.percepts("mouse")) == ["whoosh"]
    assert "ask" not in texts(state.legal_moves("mouse"))
    state = joint(state, {"mouse": "(go north)"})
    assert texts(state.percepts("rabbit")) == ["(hubi 2 3)", "(wall mouse north ajar)"]
    assert not state.is_terminal
    state = joint(state, {"rabbit": "(go south)"})
    assert state.is_terminal
    assert state.goals() == {"mouse": 100, "rabbit": 100, "random": 0}


def test_hubi_gets_away_at_midnight() -> None:
    state = house("1 4", "4 1", "rabbit", clock=29)
    state = joint(state, {"rabbit": "ask"})
    assert texts(state.percepts("mouse")) == ["(clue door owl black)"]
    assert state.is_terminal
    assert state.goals() == {"mouse": 0, "rabbit": 0, "random": 0}


def test_the_flock_takes_turns_unless_one_is_stuck() -> None:
    game = load("sheep-and-wolf-hidden")
    fluents = [
        "(cell b 8 right_sheep)",
        "(cell d 8 right_sheep)",
        "(cell a 1 left_sheep)",
        "(cell c 1 left_sheep)",
    ]
    state = game.state([*fluents, "(wolf g 7)", "(last left)"])
    assert texts(state.legal_moves("right")) == ["noop"]
    state = joint(state, {"left": "(move a 1 b 2)"})
    assert texts(state.percepts("right")) == ["(move a 1 b 2)"]
    assert len(state.legal_moves("random")) == 4
    state = joint(state, {"random": "(prowl nw)"})
    assert texts(state.legal_moves("left")) != ["noop"]


def test_the_wolf_is_seen_next_to_a_sheep_only() -> None:
    game = load("sheep-and-wolf-hidden")
    flock = [
        "(cell a 3 left_sheep)",
        "(cell c 3 left_sheep)",
        "(cell e 3 right_sheep)",
        "(cell g 3 right_sheep)",
    ]
    start = game.state([*flock, "(wolf d 6)", "(last left)", "prowling"])
    for way in ("ne", "nw", "se", "sw"):
        assert joint(start, {"random": f"(prowl {way})"}).percepts("left") == ()
    near = game.state([*flock, "(wolf e 5)", "(last left)", "prowling"])
    assert texts(joint(near, {"random": "(prowl sw)"}).percepts("left")) == ["(wolf d 4)"]
    before = game.state([*flock, "(wolf d 4)", "(last left)"])
    assert "(move e 3 d 4)" not in texts(before.legal_moves("right"))


@pytest.mark.parametrize("name", ["sheep-and-wolf", "sheep-and-wolf-hidden"])
def test_a_wolf_without_a_move_is_caught(name: str) -> None:
    hidden = name.endswith("hidden")
    flock = [
        f"(cell {cell} {f'{owner}_sheep' if hidden else 'sheep'})"
        for cell, owner in (("a 1", "left"), ("c 1", "left"), ("e 1", "right"), ("g 7", "right"))
    ]
    wolf = ["(wolf h 8)", "(last left)", "prowling"]
    state = load(name).state(flock + (wolf if hidden else ["(cell h 8 wolf)", "(control wolf)"]))
    assert state.is_terminal
    expected = {"left": 100, "right": 100, "random": 0} if hidden else {"wolf": 0, "sheep": 100}
    assert state.goals() == expected


def test_latent_marks_are_found_by_trying() -> None:
    game = load("latent-tic-tac-toe-10x10")
    state = joint(game.initial_state(), {"x": "(mark 5 5)"})
    state = joint(state, {"o": "(mark 6 6)"})
    assert len(state.legal_moves("random")) == 196
    state = joint(state, {"random": "(mark 7 7 o)"})
    assert state.percepts("x") == ()
    assert len(state.legal_moves("x")) == 98
    state = joint(state, {"x": "(mark 7 7)"})
    assert texts(state.percepts("o")) == ["(found 7 7 o)"]
    assert "(cell 7 7 o)" in texts(state.fluents)
    assert "(mark 7 7)" not in texts(state.legal_moves("x"))
    assert len(state.legal_moves("x")) == 97


@pytest.mark.parametrize(("dx", "dy"), [(1, 0), (0, 1), (1, 1), (1, -1)])
def test_latent_lines_of_five_win(dx: int, dy: int) -> None:
    """Marks of chance count like others, also while they are latent."""
    game = load("latent-tic-tac-toe-10x10")
    starts = [
        (x, y)
        for x, y in itertools.product(range(1, 11), repeat=2)
        if 1 <= x + 4 * dx <= 10 and 1 <= y + 4 * dy <= 10
    ]
    assert len(starts) in (36, 60)
    for x, y in starts:
        line = [f"(cell {x + i * dx} {y + i * dy} o)" for i in range(5)]
        latent = f"(latent {x} {y})"
        assert not game.state([*line[1:], "(control x)"]).is_terminal
        state = game.state([*line, latent, "(control x)"])
        assert state.is_terminal
        assert state.goals() == {"x": 0, "o": 100, "random": 0}


def war_state(north: str, south: str, *more: str, left: int, stake: int = 0) -> State:
    hands = [f"(hand north {card})" for card in north.split(",")]
    hands += [f"(hand south {card})" for card in south.split(",")]
    fixed = [f"(left {left})", f"(stake {stake})", "(won north 0)", "(won south 0)"]
    return load("war").state([*hands, *fixed, "(stage play)", *more])


def test_war_is_won_with_everything_at_stake() -> None:
    packet = ["(packet 2 hearts)", "(packet 2 spades)", "(packet 3 hearts)", "(packet 3 spades)"]
    state = war_state("9 hearts,k hearts", "9 spades,q spades", *packet, left=2)
    state = state.apply(["(play 9 hearts)", "(play 9 spades)", "noop"])
    assert {"(stake 1)", "(stage (bury north))"} <= set(texts(state.fluents))
    for card in ("2 hearts", "3 spades"):
        state = joint(state, {"random": f"(draw {card})"})
        assert state.percepts("north") == state.percepts("south") == ()
    assert "(stake 2)" in texts(state.fluents)
    for card, owner in (("2 spades", "north"), ("3 hearts", "south")):
        state = joint(state, {"random": f"(draw {card})"})
        assert texts(state.percepts("north")) == [f"(dealt {owner} {card})"]
    assert "(left 0)" in texts(state.fluents)
    state = state.apply(["(play k hearts)", "(play q spades)", "noop"])
    assert {"(won north 3)", "(won south 0)", "(stake 0)"} <= set(texts(state.fluents))
    state = state.apply(["(play 2 spades)", "(play 3 hearts)", "noop"])
    assert state.is_terminal
    assert state.goals() == {"north": 100, "south": 0, "random": 0}


def test_war_without_cards_to_bury_or_to_play() -> None:
    state = war_state("9 hearts,4 hearts", "9 spades,4 spades", left=0)
    state = state.apply(["(play 9 hearts)", "(play 9 spades)", "noop"])
    assert "(stage play)" in texts(state.fluents)
    state = state.apply(["(play 4 hearts)", "(play 4 spades)", "noop"])
    assert "(stake 2)" in texts(state.fluents)
    assert state.is_terminal
    assert state.goals() == {"north": 50, "south": 50, "random": 0}


RANKS = {"jack": 1, "queen": 2, "king": 3}


def kuhn(line: list[str], alice: str, bob: str) -> int:
    """What alice wins in Kuhn poker, in coins."""
    if line[-1] == "fold":
        return -1 if len(line) == 3 else 1
    return (2 if line[-1] == "call" else 1) * (1 if RANKS[alice] > RANKS[bob] else -1)


def test_kuhn_poker() -> None:
    game = load("kuhn-poker")
    lines = ["check check", "check bet fold", "check bet call", "bet fold", "bet call"]
    for alice, bob in itertools.permutations(RANKS, 2):
        for line in lines:
            state = joint(game.initial_state(), {"random": f"(deal {alice} {bob})"})
            assert state.percepts("alice") == (("hand", alice),)
            assert state.percepts("bob") == (("hand", bob),)
            for move, mover in zip(line.split(), itertools.cycle(("alice", "bob"))):
                assert not state.is_terminal
                state = joint(state, {mover: move})
                assert state.percepts("alice") == state.percepts("bob") == (("did", mover, move),)
            won = kuhn(line.split(), alice, bob)
            assert state.is_terminal
            assert state.goals() == {"alice": 50 + 25 * won, "bob": 50 - 25 * won, "random": 0}
