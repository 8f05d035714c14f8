"""The papers' tables: their figures, what is planned of them, and what is shown."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from cli_support import answer, woodstock
from woodstock import games
from woodstock.tournament import Description, ResultStore, collect
from woodstock.tournament.papers.page import MARK, write_page
from woodstock.tournament.papers.plan import ReproductionScale, plan_table
from woodstock.tournament.papers.reproduce import reproduced, tournament_of
from woodstock.tournament.papers.tables import paper_table, table_ids
from woodstock.tournament.report.blocks import Block, Heading, Paragraph, Picture, ReportTable

CELLS = {"002-T2": 60, "002-T3": 45, "002-T4": 120, "000-T1": 150, "001-T2": 100, "003-T2": 170}


@pytest.mark.parametrize("name", table_ids())
def test_a_table_is_whole(name: str) -> None:
    table = paper_table(name)
    assert table.id == name
    assert table.groups or table.description
    for group in table.groups:
        for row in group.rows:
            assert row.game in games.names()
            width = len(group.columns) or len(group.seconds)
            if group.kind in ("ring", "alone", "clocks", "networks"):
                assert len(row.theirs) == width
                assert len(row.margins) in (0, width)
            assert len(row.symmetry) == len(group.symmetry)
            shares = [one for one in row.theirs if not math.isnan(one)]
            assert group.kind == "networks" or all(0 <= one <= 100 for one in shares)
    if table.description:
        assert tournament_of(table, ReproductionScale()).participants


@pytest.mark.parametrize(("name", "cells"), CELLS.items())
def test_all_cells_are_there(name: str, cells: int) -> None:
    assert paper_table(name).cells == cells


def test_some_figures_as_the_papers_have_them() -> None:
    def row(name: str, game: str, group: int = 0) -> tuple[float, ...]:
        return next(r.theirs for r in paper_table(name).groups[group].rows if r.game == game)

    assert row("002-T4", "othello") == (61.9, 64.0, 70.6, 75.8, 79.3, 82.0, 84.2, 84.9)
    assert row("000-T1", "hex") == (84.0, 100.0, 100.0, 74.2, 89.8, 78.1)
    assert row("001-T2", "wumpus", 3) == (32.1, 40.1, 44.1, 51.2)
    wumpus = next(r for r in paper_table("003-T2").groups[2].rows if r.game == "wumpus")
    assert wumpus.theirs == (71.2, 32.1, 40.1, 44.1, 51.2)
    assert wumpus.symmetry == (369117.69, 128, 78.95)
    # Figures that two tables share are equal in both.
    at_30 = {r.game: r.theirs[4] for r in paper_table("002-T4").groups[0].rows}
    assert at_30 == {r.game: r.theirs[0] for r in paper_table("002-T3").groups[0].rows}


def test_every_cell_of_ours_is_planned() -> None:
    table = paper_table("002-T3")
    scale = ReproductionScale(matches=4, variants=("ours",))
    (planned,) = plan_table(table, scale)
    (description,) = planned.descriptions
    assert description.ring.pairs == (("mac-ucb", "uct"), ("mac-ucb", "fc-ucb"), ("fc-ucb", "uct"))
    assert len(description.games) == 15
    assert description.ring.stop == "never"
    hidden = list(plan_table(paper_table("001-T2"), scale))
    assert [one.descriptions[0].format for one in hidden] == ["ring", "ring", "ring", "alone"]
    curve = ReproductionScale(clocks=(0.02, 0.1), variants=("ours",))
    (planned,) = plan_table(paper_table("002-T4"), curve)
    assert [clock.move for clock in planned.descriptions[0].clocks] == [0.02, 0.1]


def test_a_rival_with_an_address_plays_by_the_clock() -> None:
    scale = ReproductionScale(rivals={"Sancho": "localhost:9147"}, variants=("ours",))
    planned = next(iter(plan_table(paper_table("001-T2"), scale)))
    near, far = planned.descriptions
    assert near.clocks[0].kind == "cpu"
    assert far.clocks[0].kind == "real"
    assert far.ring.pairs == (("mac-ucb-ii", "Sancho"),)
    assert [one.kind for one in far.participants] == ["player", "address"]


def test_cells_without_a_figure_have_a_reason(tmp_path: Path) -> None:
    with ResultStore(tmp_path / "s.sqlite") as store:
        scale = ReproductionScale(variants=("ours",), games=("hex",))
        for name in ("000-T1", "001-T2", "002-T2", "002-T3", "002-T4", "002-F5", "002-F6"):
            blocks = reproduced(paper_table(name), scale, store)
            tables = [one for one in blocks if isinstance(one, ReportTable)]
            rows = [
                row for table in tables for row in table.rows if "hex" in row[:2] or "Hex" in row
            ]
            assert rows
            assert all(any("yet" in cell or "--rival" in cell for cell in row) for row in rows)


def test_a_small_reproduction(tmp_path: Path) -> None:
    """Played, shown and gone on with, by the command."""
    store = tmp_path / "papers.sqlite"
    common = ("002-T3", "--games", "tic-tac-toe", "--clock", "0.001", "--start", "0.1")
    settings = ("--players", "ours", "--store", store)
    found = answer("reproduce", *common, "--matches", "2", *settings)
    parts = found["tables"][0]["parts"]
    assert len(parts) == 3
    for part in parts:
        assert part["rows"][0][1] == "tic-tac-toe"
        assert part["rows"][0][3].endswith("(2)")
    again = answer("reproduce", *common, "--matches", "2", "--hours", "0", *settings)
    assert again == found
    more = answer("reproduce", *common, "--scale", "0.0008", *settings)
    assert more["tables"][0]["parts"][0]["rows"][0][3].endswith("(4)")


def test_sizes_are_measured(tmp_path: Path) -> None:
    found = answer(
        "reproduce", "002-T2", "--games", "tic-tac-toe", "--store", tmp_path / "s.sqlite"
    )
    row = found["tables"][0]["parts"][0]["rows"][0]
    assert row[:4] == ["TicTacToe", "tic-tac-toe", "19", "46"]


def test_a_tournament_of_the_papers_can_be_held(tmp_path: Path) -> None:
    found = answer(
        "reproduce", "004-T8", "--games", "tic-tac-toe,nim", "--matches", "4", "--clock", "0.001",
        "--start", "0.1", "--store", tmp_path / "s.sqlite",
    )  # fmt: skip
    theirs, ours = found["tables"][0]["parts"][:2]
    assert theirs["rows"][0] == ["WoodStock", "225.4"]
    assert sum(int(row[2]) for row in ours["rows"]) == 8


def test_formats_of_the_papers_fit_our_participants() -> None:
    for name in ("004-T6", "004-T10"):
        description = tournament_of(paper_table(name), ReproductionScale())
        with ResultStore() as store:
            assert collect(description, store).expected is None
    qualification = Description.parse(paper_table("004-T5").description)
    most = sum(100 * (one.matches or 1) * one.weight for one in qualification.games)
    assert most == 2500, "as many points as in the paper"


def test_what_people_wrote_and_other_tables_stay(tmp_path: Path) -> None:
    page = tmp_path / "papers.md"
    page.write_text(f"# Mine\n\nWords.\n\n{MARK}\n\n## 002-T4: time\n\nkept\n")
    curve = Picture("<svg/>", "a curve")
    table: list[Block] = [Heading("002-T3: old"), Paragraph("new"), curve]
    for words in ("old", "new"):
        write_page(page, {"002-T3": [*table[:1], Paragraph(words), curve]})
    assert page.read_text() == (
        f"# Mine\n\nWords.\n\n{MARK}\n\n## 002-T3: old\n\nnew\n\n"
        "![a curve](papers.pictures/002-T3-1.svg)\n\n## 002-T4: time\n\nkept\n"
    )
    assert (tmp_path / "papers.pictures" / "002-T3-1.svg").read_text() == "<svg/>"
    other = tmp_path / "other.md"
    write_page(other, {"002-T3": table})
    assert other.read_text().startswith(f"# The papers' tables\n\n{MARK}")


def test_the_command_lists_and_explains() -> None:
    assert {one["id"] for one in answer("reproduce", "LIST")["tables"]} == set(table_ids())
    assert "002-T3" in woodstock("reproduce", "list").stdout
    for arguments, words in (
        (("002-T33",), "did you mean 002-T3"),
        (("002-T3", "--clock", "soon"), "this is no time"),
        (("002-T3", "--players", "theirs"), "there are paper, ours, best"),
        (("002-T3", "--rival", "Sancho=there"), "no address"),
    ):
        found = woodstock("reproduce", *arguments)
        assert found.exit_code == 2
        assert words in found.stderr
