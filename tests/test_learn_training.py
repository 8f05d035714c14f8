"""Training: the same seed and budget give the same net, it can be gone on with, and stopped."""

from __future__ import annotations

import random
import threading

import pytest

from games_support import load
from woodstock import Game, State
from woodstock.learn import Training, TrainingError, cannot_learn, train


@pytest.mark.parametrize("name", ["tic-tac-toe", "randomised-tic-tac-toe", "matching-pennies"])
def test_the_same_seed_and_budget_give_the_same_net(name: str) -> None:
    game = load(name)
    nets = [train(game, positions=20_000, seed=seed).net.to_bytes() for seed in (1, 1, 2)]
    assert nets[0] == nets[1]
    assert nets[0] != nets[2]


def test_training_can_be_gone_on_with() -> None:
    training = Training(load("tic-tac-toe"))
    with pytest.raises(TrainingError, match="nothing has been learned yet"):
        assert training.values
    first = training.go_on(positions=1000)
    before = training.values
    second = training.go_on(positions=1000)
    after = training.values
    assert second.positions > first.positions
    assert after.about.games > before.about.games
    assert after.net.to_bytes() != before.net.to_bytes()
    assert after.fits(load("tic-tac-toe"))


def test_a_training_needs_a_limit() -> None:
    with pytest.raises(TrainingError, match="how long"):
        Training(load("tic-tac-toe")).go_on()


def test_others_may_stop_a_training() -> None:
    training, begun = Training(load("tic-tac-toe")), threading.Event()
    training.stop()  # nothing to stop
    thread = threading.Thread(
        target=training.go_on, kwargs={"seconds": 1e6, "on_progress": lambda _: begun.set()}
    )
    thread.start()
    try:
        assert begun.wait(60)
        with pytest.raises(RuntimeError, match="already"):
            training.go_on(positions=1)
    finally:
        training.stop()
        thread.join(60)
    assert not thread.is_alive()
    assert training.values.about.games
    assert training.go_on(positions=1).games  # it can be gone on with


def test_who_listens_can_end_it() -> None:
    heard = []
    training = Training(load("tic-tac-toe"))

    def enough(progress: object) -> bool:
        heard.append(progress)
        return len(heard) < 2

    training.go_on(seconds=1e6, on_progress=enough)
    assert len(heard) == 2

    def fail(progress: object) -> None:
        raise LookupError("heard enough")

    with pytest.raises(LookupError):
        training.go_on(seconds=1e6, on_progress=fail)
    assert training.go_on(positions=1).games


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        (lambda: Game.from_library("nim", engine="lifted"), "no circuit"),
        (lambda: load("kuhn-poker"), "hidden"),
        (lambda: Game.from_text("(role x) (legal x a) (goal x 1) terminal"), "before it begins"),
    ],
)
def test_what_cannot_be_learned_says_why(game: object, reason: str) -> None:
    assert callable(game)
    loaded = game()
    assert reason in cannot_learn(loaded)
    with pytest.raises(TrainingError, match=reason):
        train(loaded)


@pytest.mark.parametrize("threads", [0, 10_000])
def test_wrong_numbers_of_threads_are_told(threads: int) -> None:
    with pytest.raises(TrainingError, match="thread"):
        Training(load("tic-tac-toe"), threads=threads)


def test_what_is_learned_is_better_than_nothing() -> None:
    """In tic-tac-toe the centre is worth more than an edge to who has taken it."""
    game = load("tic-tac-toe")
    values = train(game, positions=40_000)
    start = game.initial_state()
    after = {move: values.of(start.apply([move, "noop"]))["x"] for move in start.legal_moves("x")}
    worth = {str(move): value for move, value in after.items()}
    assert worth["(mark 2 2)"] > max(worth["(mark 1 2)"], worth["(mark 2 1)"])


def test_two_players_whose_goals_are_not_opposed_are_learned_by_the_difference() -> None:
    game = load("free-for-all-2p")
    assert {sum(goal or 0 for goal in end.goals().values()) for end in ends(game, 20)} != {100}
    values = train(game, positions=2000, seed=1)
    state = game.initial_state()
    for _ in range(3):
        assert sum(values.of(state).values()) == pytest.approx(1)
        state = state.apply(state.random_joint_move(random.Random(1)))


def ends(game: Game, count: int) -> list[State]:
    found = []
    for seed in range(count):
        state, rng = game.initial_state(), random.Random(seed)
        while not state.is_terminal:
            state = state.apply(state.random_joint_move(rng))
        found.append(state)
    return found
