"""The documentation keeps its word: examples run, links resolve, modules say what they are."""

from __future__ import annotations

import ast
import doctest
import json
import pkgutil
import re
import subprocess
import sys
from pathlib import Path

import documentation
import notebooks
import pytest

import woodstock
from woodstock.cli.app import app

ROOT = Path(__file__).resolve().parents[1]
SOURCE = ROOT / "src" / "woodstock"
FOLDERS = ("*.md", "docs/**/*.md", "examples/*.md")
PAGES = sorted(path for folder in FOLDERS for path in ROOT.glob(folder))
NOTEBOOKS = sorted(ROOT.glob("docs/**/*.ipynb"))
MODULES = sorted(path for path in SOURCE.rglob("*.py"))

_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
_FLAGS = doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def without_fences(text: str) -> str:
    """The page with its fence lines emptied: doctest would take them for expected output."""
    return re.sub(r"^ *```\w*$", "", text, flags=re.MULTILINE)


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]*`", "", _FENCE.sub("", text))


def anchors(page: Path) -> set[str]:
    """The anchors a page offers, made from its headings as code hosts make them."""
    found = set()
    for heading in re.findall(r"^#+ (.+)$", without_code_blocks(page), re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", heading.strip().lower())
        found.add(words.replace(" ", "-"))
    return found


def without_code_blocks(page: Path) -> str:
    return _FENCE.sub("", page.read_text(encoding="utf-8"))


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_examples_with_prompts_run(page: Path) -> None:
    text = without_fences(page.read_text(encoding="utf-8"))
    # One page, one session: later examples go on from earlier ones.
    test = doctest.DocTestParser().get_doctest(text, {}, name_of(page), str(page), 0)
    report: list[str] = []
    result = doctest.DocTestRunner(verbose=False, optionflags=_FLAGS).run(test, out=report.append)
    assert result.failed == 0, "".join(report)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_python_blocks_without_prompts_run(page: Path) -> None:
    for _, language, block in _FENCE.findall(page.read_text(encoding="utf-8")):
        if language == "python" and ">>>" not in block:
            exec(compile(block, name_of(page), "exec"), {"__name__": "example"})


def text_of(page: Path) -> str:
    text = page.read_text(encoding="utf-8")
    return text if page.suffix == ".md" else notebooks.to_markdown(json.loads(text))


@pytest.mark.parametrize("page", [*PAGES, *NOTEBOOKS], ids=name_of)
def test_internal_links_resolve(page: Path) -> None:
    broken = []
    for link in _LINK.findall(without_code(text_of(page))):
        if re.match(r"\w+:", link):
            continue
        file, _, anchor = link.partition("#")
        target = (page.parent / file).resolve() if file else page
        if not target.exists() or (anchor and anchor not in anchors(target)):
            broken.append(link)
    assert not broken


def test_every_page_of_the_folder_is_on_its_map() -> None:
    """The site's navigation is made of this map: a page that is not on it would not be found."""
    docs = ROOT / "docs"
    pages = [*docs.glob("*.md"), *docs.glob("*/*.md"), *docs.glob("*/*.ipynb")]
    found = {path.relative_to(docs).as_posix() for path in pages if path.parent.name != "games"}
    linked = set(_LINK.findall((docs / "README.md").read_text(encoding="utf-8")))
    assert found - linked == {"README.md"}


def test_every_command_is_in_the_readme() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.partition("## The command")[2].partition("\n## ")[0]
    named = set(re.findall(r"`woodstock (\w+)", table))
    commands = {command.name for command in app.registered_commands}
    groups = {group.name for group in app.registered_groups}
    assert named == commands | groups


def test_every_command_has_its_section() -> None:
    text = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    sections = {name for line in re.findall(r"^## (.*)$", text, re.M) for name in line.split(", ")}
    commands = {command.name for command in app.registered_commands}
    assert sections == commands | {group.name for group in app.registered_groups}


def test_every_public_module_is_in_the_reference() -> None:
    """The site has a page for each module of this table, and for no others."""
    table = documentation.api_pages((ROOT / "docs" / "api.md").read_text(encoding="utf-8"))
    modules = {f"docs/api/woodstock.{name}.md" for name in woodstock.__all__ if name.islower()}
    assert modules - {"docs/api/woodstock.__version__.md"} <= table.keys()


def test_every_page_gets_into_the_site() -> None:
    pages = documentation.sources()
    there = {name_of(page).replace(".ipynb", ".md") for page in [*PAGES, *NOTEBOOKS]}
    assert there <= pages.keys()
    contents = pages["README.md"].partition("```{toctree}")[2] + pages["docs/games.md"]
    listed = set(re.findall(r"[\w./-]+\.md", contents))
    in_docs = {f"docs/{name}" for name in listed}
    assert there - listed - in_docs == {"README.md"}


def test_the_game_of_the_tutorial_is_the_example() -> None:
    rules = (ROOT / "examples" / "domineering.kif").read_text(encoding="utf-8")
    assert rules in (ROOT / "docs" / "tutorials" / "first-game.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("module", MODULES, ids=name_of)
def test_every_module_says_what_it_is(module: Path) -> None:
    assert ast.get_docstring(ast.parse(module.read_text(encoding="utf-8")))


def test_every_finding_code_is_explained() -> None:
    """The table of findings in docs/gdl.md has all codes the checker gives, and no others."""
    used = set()
    for module in (SOURCE / "gdl").glob("*.py"):
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
                if len(texts) > 1 and texts[0] in ("error", "warning"):
                    used.add((texts[1], texts[0]))
    page = (ROOT / "docs" / "gdl.md").read_text(encoding="utf-8")
    explained = set(re.findall(r"^\| `(\w+)` \| (error|warning) \|", page, re.MULTILINE))
    # `missing` is given with a severity that a table holds.
    assert explained - {("missing", "warning")} == used - {("missing", "warning")}


def glossary() -> list[tuple[str, str]]:
    """The words of the glossary, each with what is said of it."""
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    return re.findall(r"^\* \*\*(.+?)\*\*(.*(?:\n  .*)*)", text, re.MULTILINE)


def test_the_glossary_is_short_and_in_order() -> None:
    words = [word.lower() for word, _ in glossary()]
    assert len(words) > 80
    assert words == sorted(set(words))
    assert not [word for word, about in glossary() if about.count("\n") > 1]


def test_every_room_of_the_glossary_exists() -> None:
    missing = []
    for word, about in glossary():
        rooms = re.findall(r"`([^`]*)`", about.partition("→")[2])
        assert rooms, f"{word} has no room"
        for room in rooms:
            base = ROOT if room.partition("/")[0] == "core" else ROOT / "src"
            place = base / room.replace(".", "/")
            if not place.is_dir() and not place.with_suffix(".py").is_file():
                missing.append(f"{word}: {room}")
    assert not missing


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_named_parts_of_the_package_exist(page: Path) -> None:
    """Whatever a page calls `woodstock.something` is there, also behind several dots."""
    names = set(re.findall(r"\bwoodstock(?:\.\w+)+", page.read_text(encoding="utf-8")))
    missing = {name for name in names if not is_there(name)}
    assert not missing


def is_there(name: str) -> bool:
    try:
        pkgutil.resolve_name(name)
    except (AttributeError, ImportError):
        return False
    return True


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_named_targets_of_make_exist(page: Path) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, re.MULTILINE))
    named = re.findall(
        r"(?:`|^    )make ([^`#\n]*)", page.read_text(encoding="utf-8"), re.MULTILINE
    )
    wanted = {word for words in named for word in words.split() if "=" not in word}
    assert wanted <= targets


def test_the_picture_shows_what_the_command_prints() -> None:
    run = subprocess.run(
        [sys.executable, str(ROOT / "examples" / "record_session.py"), "--check"],
        capture_output=True,
        text=True,
    )
    assert run.returncode == 0, run.stdout + run.stderr


EXAMPLES = [
    (["random_match.py", "nim", "--seed", "3"], r"goals: \{'player1': \d+, 'player2': \d+\}"),
    (["best_move.py", "nim"], r"player1 should play \(reduce \w \d\)"),
    (["check_rules.py"], "errors: 1, warnings: 2"),
    (["count_positions.py", "tic-tac-toe"], r"16 end with \{'x': 50, 'o': 50\}"),
    (["production_planning.py"], "waiting is worth 0.67"),
]
"""How each example is run, and the last line that it prints."""


def test_every_example_is_run() -> None:
    there = {path.name for path in (ROOT / "examples").glob("*.py")}
    assert there == {example[0] for example, _ in EXAMPLES} | {"record_session.py"}


@pytest.mark.parametrize(
    ("example", "ends_with"),
    EXAMPLES,
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_examples_run(example: list[str], ends_with: str) -> None:
    path = ROOT / "examples" / example[0]
    run = subprocess.run(
        [sys.executable, str(path), *example[1:]], capture_output=True, text=True, check=True
    )
    assert re.fullmatch(ends_with, run.stdout.splitlines()[-1])
    assert not run.stderr
