"""Formats, on results that are made up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from tournament_support import by_strength, described, facts_for, made_up, play_out, schedule_of
from woodstock.tournament import DescriptionError, ResultStore, collect, make_schedule
from woodstock.tournament.formats.ring import RingSchedule
from woodstock.tournament.formats.stages import StagedSchedule
from woodstock.tournament.report.build import report_data
from woodstock.tournament.results import RoundResult
from woodstock.tournament.rounds import Round

FOUR = ["uct", "grave", "cfr", "random"]
STRENGTH = {"uct": 90, "grave": 70, "cfr": 50, "random": 10}


def ring(text: str = "", **more: object) -> RingSchedule:
    settings: dict[str, object] = {"participants": ["uct", "random"], "games": ["nim"]}
    found = schedule_of(described(text, format="ring", **{**settings, **more}))
    assert isinstance(found, RingSchedule)
    return found


def test_the_ring_stops_when_it_is_clear() -> None:
    schedule = ring("[ring]\nmatches = 200")
    play_out(schedule, by_strength(STRENGTH))
    (pairing,) = schedule.pairings
    assert pairing.verdict == "better"
    assert len(pairing.scores) == 10


def test_what_counts_does_not_depend_on_how_many_play_at_a_time() -> None:
    rng = Counter[str]()

    def goals(round_: Round, names: Sequence[str]) -> list[int]:
        rng[round_.id] += 1
        first = (round_.number * 7919) % 10 < 7
        return [100 if (name == "uct") == first else 0 for name in names]

    found = []
    for at_a_time in (1, 3, 16):
        schedule = ring("[ring]\nmatches = 400")
        play_out(schedule, goals, at_a_time)
        (pairing,) = schedule.pairings
        found.append((pairing.verdict, pairing.scores, [one.id for one, _ in schedule.counted()]))
    assert found[0] == found[1] == found[2]
    assert found[0][0] in ("better", "clearly better")


def test_a_fixed_number_is_played_to_its_end() -> None:
    schedule = ring('[ring]\nmatches = 30\nstop = "never"')
    assert schedule.expected == 15
    assert len(play_out(schedule, by_strength(STRENGTH), 4)) == 15


def test_pairs_games_and_clocks_are_all_there() -> None:
    pairs = '[["uct", "cfr"], ["cfr", "grave"]]'
    text = f"[clock]\nmove = [0.1, 0.2]\n[ring]\nmatches = 2\npairs = {pairs}"
    schedule = ring(text, participants=FOUR, games=["nim", "hex"])
    played = play_out(schedule, by_strength(STRENGTH))
    assert len(played) == 8
    assert {one.clock.move for one in played} == {0.1, 0.2}


def test_who_is_missing_is_a_reason() -> None:
    schedule = ring("[[participant]]\nname = 'sancho'\nabsent = 'no address'\n[ring]\nmatches = 4")
    played = play_out(schedule, by_strength(STRENGTH))
    assert {one.name for round_ in played for one in round_.participants} == {"uct", "random"}
    assert {why for _, why in schedule.reasons()} == {"no address"}


def test_a_pair_that_fails_is_left_and_the_others_go_on() -> None:
    schedule = ring("[ring]\nmatches = 20\nstop = 'never'", games=["nim", "hex"])
    while (round_ := schedule.next()) is not None:
        if round_.game.name == "nim":
            schedule.take(round_, RoundResult(problem="no circuit"))
        else:
            schedule.take(round_, made_up(round_, by_strength(STRENGTH)))
    nim, hex_ = schedule.pairings
    assert (nim.problem, nim.scores) == ("no circuit", [])
    assert hex_.verdict == "limit"


@pytest.mark.parametrize(("seats", "tables"), [(2, 6), (3, 4), (4, 1), (1, 4)])
def test_round_robin_with_any_number_of_roles(seats: int, tables: int) -> None:
    description = described("", format="round-robin", participants=FOUR, games=["nim"])
    schedule = schedule_of(description, nim=seats)
    played = play_out(schedule, by_strength(STRENGTH))
    assert len(played) == tables == schedule.expected
    sat = Counter(
        (round_.participants[who].name, seat)
        for round_ in played
        for seating in round_.seatings
        for seat, who in enumerate(seating)
    )
    assert len(set(sat.values())) == 1, "everybody sits equally often in every seat"


def test_alone_everybody_plays_so_many_times() -> None:
    description = described(
        "[alone]\nmatches = 5", format="alone", participants=FOUR, games=["nim"]
    )
    schedule = schedule_of(description, nim=1)
    assert len(play_out(schedule, by_strength(STRENGTH))) == 20
    data = {one["participant"]: one for one in report_data(schedule)["standings"]}
    assert data["uct"]["mean_goal"] == 0.9
    assert data["uct"]["elo"] is None
    with pytest.raises(DescriptionError, match="nobody can play it"):
        schedule_of(description, nim=2).next()


def test_the_continuous_ring_is_drawn_by_the_seed() -> None:
    text = "[clock]\nmove = [1, 2, 4]\n[continuous]\nmatches = 200"
    settings = {"format": "continuous", "participants": FOUR, "games": ["nim", "hex", "quarto"]}

    def rounds(seed: int) -> list[str]:
        schedule = schedule_of(described(text, seed=seed, **settings), quarto=1)
        return [one.id for one in play_out(schedule, by_strength(STRENGTH))]

    assert rounds(1) == rounds(1) != rounds(2)
    schedule = schedule_of(described(text, seed=1, **settings), quarto=1)
    played = play_out(schedule, by_strength(STRENGTH))
    assert len({one.clock for one in played}) == 3
    assert len({one.game for one in played}) == 3
    seats = Counter(one.name for round_ in played for one in round_.participants)
    assert max(seats.values()) - min(seats.values()) <= 1
    ratings = [one["agon"] for one in report_data(schedule)["standings"]]
    assert ratings == sorted(ratings, reverse=True)


TILTYARD = """
[[game]]
name = "eight-puzzle"
weight = 2
[[game]]
name = "connect-four"
matches = 6
weight = 0.5
[[game]]
name = "battlebrushes"
matches = 4
weight = 0.5
[swiss]
final = 4
wins = 2
"""
NINE = ["uct", "grave", "cfr", "random", "legal", "mac-ucb", "fc-ucb", "uct-sym", "flat-ucb"]


def swiss(participants: list[str]) -> StagedSchedule:
    description = described(TILTYARD, format="swiss", participants=participants)
    found = schedule_of(description, eight_puzzle=1, battlebrushes=4)
    assert isinstance(found, StagedSchedule)
    return found


def test_swiss_pairs_those_who_do_equally_well() -> None:
    strength = {name: 95 - 10 * place for place, name in enumerate(NINE)}
    schedule = swiss(NINE)
    played = play_out(schedule, by_strength(strength), 3)
    assert schedule.ranking[0] == NINE[0]
    assert set(schedule.ranking) == set(NINE)
    duels = [one for one in played if one.stage == "qualification" and len(one.participants) == 2]
    assert len(duels) == 6 * 4, "of nine one is left out in each of six rounds"
    met = Counter(frozenset(one.name for one in round_.participants) for round_ in duels)
    assert max(met.values()) <= 2, "the same do not meet again and again"
    tables = [one for one in played if len(one.participants) == 4]
    assert len(tables) == 4 * 2
    final = [one for one in played if one.stage.startswith("knockout")]
    assert {one.game.name for one in final} == {"connect-four"}
    titles = [contest.title for contest in schedule.contests]
    assert len(titles) == 1 + 2 + 2, "qualification, semi-finals, final and third place"


def test_swiss_points_are_goals_times_weights() -> None:
    """With everybody's matches won by the first of four, its points are all there are."""
    schedule = swiss(FOUR)
    play_out(schedule, by_strength({**STRENGTH, "uct": 100}))
    (contest, *_) = schedule.contests
    points = getattr(contest, "points")  # noqa: B009
    assert points["uct"] == 100 * (2 + 6 * 0.5 + 4 * 0.5)
    assert points["grave"] == 70 * 2 + 50 * sum(
        1
        for round_, result in contest.counted()
        if round_.game.name == "connect-four"
        for seat in result.matches[0].seats
        if seat.participant == "grave" and seat.goal == 100
    )


def test_swiss_does_not_depend_on_the_order_in_which_matches_end() -> None:
    strength = {name: 95 - 10 * place for place, name in enumerate(NINE)}
    one, other = swiss(NINE), swiss(NINE)
    first = play_out(one, by_strength(strength), 1)
    second = play_out(other, by_strength(strength), 5)
    assert sorted(round_.id for round_ in first) == sorted(round_.id for round_ in second)
    assert report_data(one) == report_data(other)


CHAMPIONSHIP = """
[[game]]
name = "sudoku"
weight = 0.5
[[game]]
name = "breakthrough"
matches = 3
[championship]
groups = 2
winners = 2
losers = 2
wins = 3
final_wins = 4
"""


def test_a_championship_has_groups_pools_and_duels() -> None:
    ten = [*NINE, "woodstock"]
    strength = {name: 100 - 10 * place for place, name in enumerate(ten)}
    description = described(CHAMPIONSHIP, format="championship", participants=ten)
    schedule = schedule_of(description, sudoku=1)
    assert isinstance(schedule, StagedSchedule)
    play_out(schedule, by_strength(strength), 2)
    titles = [contest.title for contest in schedule.contests]
    assert titles[:2] == ["group 1", "group 2"]
    assert sum("winners' pool" in title for title in titles) == 3
    assert sum("losers' pool" in title for title in titles) == 2 + 2 + 1 + 1
    assert "final" in titles[-1]
    final = list(schedule.contests[-1].counted())
    assert len(final) == 4, "a final to four wins without a loss"
    assert schedule.ranking[0] == "uct"
    assert sorted(schedule.ranking) == sorted(ten)
    assert len(schedule.ranking) == 10


def test_who_falls_may_still_win_the_championship() -> None:
    """Who loses its first duel comes back through the losers' pool."""
    eight = NINE[:8]
    strength = {name: 100 - 10 * place for place, name in enumerate(eight)}
    lost = Counter[str]()

    def goals(round_: Round, names: Sequence[str]) -> Sequence[int]:
        if "winners' pool, last 4" in round_.stage and "uct" in names:
            lost[round_.stage] += 1
            return [0 if name == "uct" else 100 for name in names]
        return by_strength(strength)(round_, names)

    description = described(CHAMPIONSHIP, format="championship", participants=eight)
    schedule = schedule_of(description, sudoku=1)
    assert isinstance(schedule, StagedSchedule)
    play_out(schedule, goals)
    assert list(lost.values()) == [3]
    assert schedule.ranking[0] == "uct"


def test_a_duel_of_draws_comes_to_an_end() -> None:
    description = described(CHAMPIONSHIP, format="championship", participants=NINE[:8])
    schedule = schedule_of(description, sudoku=1)
    play_out(schedule, lambda round_, names: [50] * len(names))
    assert isinstance(schedule, StagedSchedule)
    assert len(schedule.ranking) == 8


@pytest.mark.parametrize("form", ["ring", "round-robin", "swiss", "continuous", "championship"])
def test_what_was_kept_is_collected_again(form: str, tmp_path: Path) -> None:
    """A store alone says all that came of a tournament, whatever its format."""
    text = CHAMPIONSHIP + "[continuous]\nmatches = 40\n[ring]\nmatches = 10"
    description = described(text, format=form, participants=NINE[:8])
    facts = facts_for(sudoku=1)
    strength = {name: 95 - 10 * place for place, name in enumerate(NINE)}
    with ResultStore(tmp_path / "s.sqlite") as store:
        for entry in description.games:
            store.keep_facts(entry.source.key, facts(entry.source))
        schedule = make_schedule(description, facts)
        while (round_ := schedule.next()) is not None:
            result = made_up(round_, by_strength(strength))
            store.add([(round_, result)])
            store.add([(round_, result)])  # twice is once
            schedule.take(round_, result)
        again = collect(description, store)
        assert report_data(again) == report_data(schedule)
        assert [one.id for one, _ in again.counted()] == [one.id for one, _ in schedule.counted()]
