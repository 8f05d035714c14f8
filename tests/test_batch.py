"""Batches are states side by side: what arrays say is what states say, on every kind of game."""

from __future__ import annotations

from pathlib import Path

import pytest

from effort import LONG
from woodstock import Game, games

np = pytest.importorskip("numpy")

from woodstock.batch import Batch, BatchError  # noqa: E402

SOME = ("tic-tac-toe", "nim", "connect-four-simultaneous", "kaseklau", "kuhn-poker", "eight-puzzle")
GAMES = tuple(games.names()) if LONG else SOME


def compare(batch: Batch) -> None:
    """Hold all arrays against the states themselves."""
    spaces, mask, holds = batch.spaces, batch.legal_mask(), batch.fluents()
    over, goals = batch.over, batch.goals()
    for i, state in enumerate(batch.states()):
        assert {spaces.fluents[f] for f in np.flatnonzero(holds[i])} == state.fluents
        assert over[i] == state.is_terminal
        for r, role in enumerate(batch.roles):
            legal = () if over[i] else state.legal_moves(role)
            assert {spaces.actions[a] for a in np.flatnonzero(mask[i, r])} == {*legal}
            if state.is_terminal:
                assert goals[i, r] == (state.goal(role) or 0)


@pytest.mark.parametrize("name", GAMES)
def test_arrays_say_what_states_say(name: str) -> None:
    batch = Batch(Game.load(name), 8, seed=3)
    for _ in range(6):
        compare(batch)
        before = batch.states()
        mask, over = batch.legal_mask(), batch.over
        choices = mask.argmax(axis=2)
        batch.step(choices, percepts=True)
        seen = batch.percepts()
        for i, (state, after) in enumerate(zip(before, batch.states(), strict=True)):
            if over[i]:
                assert after == state
                continue
            wanted = state.apply([batch.spaces.actions[a] for a in choices[i]])
            assert after == wanted
            for r, role in enumerate(batch.roles):
                found = {batch.spaces.percepts[p] for p in np.flatnonzero(seen[i, r])}
                assert found == {*wanted.percepts(role)}


@pytest.mark.parametrize("name", ["connect-four", "kaseklau"])
def test_random_games_end_as_playouts_do(name: str) -> None:
    game = Game.load(name)
    batch = Batch(game, 4000, seed=5)
    moves = 0
    while not (over := batch.over).all():
        moves += int((~over).sum())
        batch.step()
    tally = game.initial_state().playouts(20_000, seed=1)
    assert moves / len(batch) == pytest.approx(tally.mean_length, rel=0.03)
    means = batch.final_goals().mean(axis=0)
    for role in game.players:
        assert means[batch.roles.index(role)] == pytest.approx(tally.mean_goals[role], abs=3)


def test_games_begin_anew_a_step_after_their_end() -> None:
    batch = Batch(Game.load("tic-tac-toe"), 200, seed=1, auto_reset=True)
    first = batch.game.initial_state()
    ends = 0
    for _ in range(30):
        over = batch.over
        batch.step()
        ends += int(batch.ended.sum())
        assert not (over & batch.over).any()
        states = batch.states()
        assert all(states[i] == first for i in np.flatnonzero(over))
    assert ends > 400


def test_seeds_threads_and_instruction_sets_agree() -> None:
    game = Game.load("connect-four")
    made = [
        Batch(game, 3000, seed=9, threads=threads, isa=isa)
        for threads, isa in ((1, "auto"), (2, "auto"), (1, "base"))
    ]
    for batch in (*made, Batch(game, 3000, seed=10)):
        for _ in range(5):
            batch.step()
    assert (made[0].fluents() == made[1].fluents()).all()
    assert (made[0].fluents() == made[2].fluents()).all()
    other = Batch(game, 3000, seed=10)
    for _ in range(5):
        other.step()
    assert (made[0].fluents() != other.fluents()).any()


def test_packed_and_unpacked_bits_are_the_same() -> None:
    batch = Batch(Game.load("reversi"), 100, seed=1)
    for _ in range(10):
        batch.step()
    for read in (batch.legal_mask, batch.fluents):
        flags = read()
        bits = np.unpackbits(read(packed=True), axis=-1, count=flags.shape[-1], bitorder="little")
        assert (bits == flags).all()


def test_chance_is_drawn_or_given() -> None:
    batch = Batch(Game.load("kaseklau"), 500, seed=2)
    chance = batch.roles.index("random")
    assert batch.legal_mask()[:, chance].sum() > 500
    players = batch.legal_mask()[:, [r for r in range(len(batch.roles)) if r != chance]]
    batch.step(players.argmax(axis=2))
    assert len({*batch.states()}) > 1
    fixed = Batch(batch.game, 500, seed=2)
    fixed.step(fixed.legal_mask().argmax(axis=2))
    assert len({*fixed.states()}) == 1


def test_files_copies_and_mistakes(tmp_path: Path) -> None:
    game = Game.load("tic-tac-toe")
    batch = Batch(game, 10, seed=4)
    for _ in range(4):
        batch.step()
    batch.save(tmp_path / "states.npz")
    again = Batch.load(game, tmp_path / "states.npz")
    assert again.states() == batch.states() == batch.copy().states()
    both = Batch.concatenate([batch, again])
    assert both.states() == [*batch.states(), *again.states()]
    with pytest.raises(BatchError, match="another game"):
        Batch.load(Game.load("nim"), tmp_path / "states.npz")
    (tmp_path / "spoiled.npz").write_bytes(b"PK\x03\x04 nothing")
    with pytest.raises(BatchError, match="no file of states"):
        Batch.load(game, tmp_path / "spoiled.npz")
    with pytest.raises(BatchError, match="shape"):
        batch.step([[0, 0]])
    with pytest.raises(BatchError, match="whole numbers"):
        batch.step(np.zeros((10, 2)))
    with pytest.raises(BatchError, match="not legal"):
        batch.step(np.full((10, 2), 99))
    with pytest.raises(BatchError):
        Batch(game, 1, isa="abacus")
