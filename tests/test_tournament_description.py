"""Descriptions: what they say, and how their mistakes are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli_support import woodstock
from woodstock import games
from woodstock.tournament import Description, DescriptionError
from woodstock.tournament.participants import Participant

GOOD = """
name = "An open"
format = "swiss"
seed = 5
participants = ["uct", "mac-ucb:order=depth"]
games = ["nim"]

[[participant]]
name = "sancho"
address = "localhost:9147"
dialect = "gdl2"

[[participant]]
name = "ours"
command = "woodstock serve --port {port}"

[[game]]
name = "hex"
weight = 0.5
matches = 6

[clock]
kind = "real"
move = [1, 15]
start = [20, 120]

[swiss]
final = 4
wins = 3
"""


def test_everything_is_read() -> None:
    found = Description.parse(GOOD, "open.toml")
    assert (found.name, found.format, found.seed) == ("An open", "swiss", 5)
    kinds = [(one.name, one.kind) for one in found.participants]
    assert kinds == [
        ("uct", "player"),
        ("mac-ucb:order=depth", "player"),
        ("sancho", "address"),
        ("ours", "command"),
    ]
    assert [(one.source.name, one.weight, one.matches) for one in found.games] == [
        ("nim", 1.0, None),
        ("hex", 0.5, 6),
    ]
    assert [clock.key for clock in found.clocks] == ["real=1+20", "real=15+120"]
    assert (found.swiss.final, found.swiss.wins) == (4, 3)


MISTAKES = [
    ("format =", "no TOML"),
    ('format = "rings"', "line 1: format must be one of .* did you mean ring"),
    ('format = "ring"', "lacks participants; add participants"),
    ('format = "ring"\nparticipants = ["uct", "randon"]', "line 2: .*did you mean random"),
    ('format = "ring"\nparticipants = ["uct", "uct"]', "'uct' twice"),
    ('format = "ring"\nparticipants = ["uct", "random"]', "lacks games"),
]
BASE = 'format = "ring"\nparticipants = ["uct", "random"]\ngames = ["nim"]\n'
MISTAKES += [
    (BASE.replace('"nim"', '"nimm"'), "line 3: games is wrong: .*did you mean nim"),
    (BASE.replace('["nim"]', '["nim", "nim"]'), "nim twice"),
    (BASE + "sed = 3", "line 4: sed means nothing here; did you mean seed"),
    (BASE + "seed = -1", "line 4: seed must be a whole number from 0 on"),
    (BASE + "seed = true", "line 4: seed must be a whole number, not True"),
    (BASE + "[clock]\nkind = 'cup'", r"line 5: \[clock\] kind must be one of .* cpu"),
    (BASE + "[clock]\nmove = 0", r"line 5: \[clock\] move must be above 0"),
    (BASE + "[clock]\nkind='simulations'\nmove = 0.5", "whole numbers of simulations"),
    (BASE + "[clock]\nmove=[1, 2]\nstart=[1,2,3]", "start must be one number, or 2"),
    (BASE + "[ring]\nmatches = 'many'", r"line 5: \[ring\] matches must be a whole number"),
    (BASE + "[ring]\npairs = [['uct', 'grave']]", "line 5: .*names 'grave'; there are uct, random"),
    (BASE + "[ring]\npairs = [['uct']]", "list of pairs of names"),
    (BASE + "[[game]]\nweight = 2", r"line 4: \[game 1\] lacks name"),
    (BASE + "[[participant]]\nname = 'x'", r"line 4: \[participant 1\] must have one of"),
    (BASE + "[[participant]]\ncommand = 'java'", "line 5: .*put {port}"),
    (BASE + "[[participant]]\naddress = 'nowhere'", "line 5: .*no address"),
    (
        BASE + "[[participant]]\naddress = 'localhost:9147'\n[clock]\nkind = 'cpu'",
        "line 7: .*must be real, since localhost:9147",
    ),
    (BASE.replace("ring", "championship"), "needs 8 participants"),
    (BASE.replace("ring", "swiss") + "[swiss]\nfinal = 4", "line 5: .*there are 2 participants"),
]


@pytest.mark.parametrize(("text", "words"), MISTAKES)
def test_mistakes_have_a_place_and_a_remedy(text: str, words: str) -> None:
    with pytest.raises(DescriptionError, match=words) as told:
        Description.parse(text, "my.toml")
    assert str(told.value).startswith("my.toml")


def test_presets_to_come_are_a_reason_and_no_mistake() -> None:
    text = BASE.replace('"uct"', '"mac-ucb-ii-paper"')
    who = Description.parse(text).participants[0]
    assert who.missing is None or who.missing == "there is no player mac-ucb-ii-paper yet"
    nobody = Participant("x", "player", "nobody-at-all")
    assert nobody.missing == "there is no player nobody-at-all yet"


def test_files_and_stores_are_those_beside_the_description(tmp_path: Path) -> None:
    (tmp_path / "mine.kif").write_text(games.rules_text("nim"))
    path = tmp_path / "mine.toml"
    path.write_text(BASE.replace('"nim"', '"mine.kif"'))
    found = Description.load(path)
    assert found.store == tmp_path / "mine.sqlite"
    source = found.games[0].source
    assert (source.name, source.text) == ("mine", games.rules_text("nim"))


def test_an_id_tells_other_rules_apart(tmp_path: Path) -> None:
    keys = set()
    for text in (games.rules_text("nim"), games.rules_text("nim") + "; another\n"):
        (tmp_path / "mine.kif").write_text(text)
        (tmp_path / "t.toml").write_text(BASE.replace('"nim"', '"mine.kif"'))
        keys.add(Description.load(tmp_path / "t.toml").games[0].source.key)
    assert len(keys) == 2


def test_an_id_tells_other_values_apart(tmp_path: Path) -> None:
    keys = set()
    for content in (b"one", b"other"):
        file = tmp_path / "net.values"
        file.write_bytes(content)
        keys.add(Participant.of(f"uct:values={file}").key)
    assert len(keys) == 2


def test_the_command_tells_mistakes(tmp_path: Path) -> None:
    path = tmp_path / "t.toml"
    path.write_text('format = "rings"')
    found = woodstock("tournament", "run", path)
    assert found.exit_code == 2
    assert "did you mean ring?" in found.stderr
    assert woodstock("tournament", "status", tmp_path / "none.toml").exit_code == 2
