"""The rooms of the package stand in a line: each imports only those before it, and names are clear.

All imports count that ever run, also those inside functions. Imports for the type checker alone
(``if TYPE_CHECKING``) do not: they name a type and run nothing. Nor does that of the version, which
the package itself has.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

import woodstock
import woodstock.drawing

ROOT = Path(woodstock.__file__).parent

ROOMS: Mapping[str, str] = {
    "_core": "native code, which knows no Python module",
    "errors": "what can go wrong, for everybody",
    "notebook": "tables in HTML, for everybody",
    "background": "work on a thread beside, for everybody",
    "intervals": "how far means can be trusted, for everybody",
    "files": "writing that loses nothing, for everybody",
    "lifeline": "child processes that end with their parents, for everybody",
    "gdl": "text, terms, rules and their slow, obviously right meaning",
    "games": "the library: data about games, and how to find it",
    "drawing": "pictures, a pure function of fluents: it knows no game, so all may use it",
    "playouts": "results of random play, which every engine gives back",
    "engine": "the contract of engines, and the lifted one",
    "ground": "rules without variables, and the engine that evaluates them",
    "circuit": "the compiled engine, made of ground rules",
    "information": "who sees what, from ground rules",
    "state": "State, a point in play",
    "game": "Game, the rules: with State the face of all engines",
    "batch": "many states as arrays",
    "playtest": "games tried out: what is wrong with their rules, and how they play",
    "scsp": "games and other problems as stochastic constraint networks",
    "symmetry": "symmetries of rules, of networks and of positions",
    "belief": "what a role may know, by networks and by samples",
    "solve": "exact values: game graphs, matrices, extensive forms",
    "learn": "values from self-play: nets, their training, files and cache",
    "plan": "from a state to the end: one player, or several that share their goals",
    "search": "searches of states and beliefs, which use what was proved",
    "tune": "self-play: which search suits a game",
    "player": "who chooses moves by the clock, with searches and what was rehearsed",
    "match": "players together in one process",
    "protocol": "players and matches over the network",
    "tournament": "many matches: formats, ratings, stores, reports, the papers' tables",
    "web": "the page: the same over HTTP, for people",
    "cli": "the command line, which shows it all",
    "__init__": "the front door: names from the rooms, fetched when they are asked for",
    "__main__": "python -m woodstock",
}
"""Modules and packages of woodstock in order, each with the reason why it is a room."""

EXCEPTIONS: Mapping[tuple[str, str], str] = {
    ("state", "search"): "a state is asked for its best move in one line",
}
"""Imports against the order, with the reason; they stand inside functions."""

FIELDS_WORDS = {"Variable": ["woodstock.gdl.terms", "woodstock.scsp.values"]}
"""Classes of one name, since all papers call them so: variables of rules and of networks."""


class Import(NamedTuple):
    """One module imports another; `lazy` when that happens inside a function."""

    importer: str
    imported: str
    lazy: bool


def imports_in(text: str, importer: str, known: frozenset[str]) -> Iterator[Import]:
    """The imports of a module's text; names that a package defines count as the package."""

    def visit(node: ast.AST, lazy: bool) -> Iterator[Import]:
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            for other in node.orelse:
                yield from visit(other, lazy)
            return
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{importer} imports relatively"
            inner = [f"{node.module}.{alias.name}" for alias in node.names]
            inner = [name for name in inner if name != "woodstock.__version__"]
            names = [name if name in known else str(node.module) for name in inner]
        for name in names:
            if name.partition(".")[0] == "woodstock":
                yield Import(importer, name, lazy)
        inside = isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        for child in ast.iter_child_nodes(node):
            yield from visit(child, lazy or inside)

    yield from visit(ast.parse(text), False)


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def room_of(module: str) -> str:
    return [*module.split("."), "__init__"][1]


@cache
def modules() -> Mapping[str, Path]:
    return {module_name(path): path for path in sorted(ROOT.rglob("*.py"))}


@cache
def imports() -> frozenset[Import]:
    known = frozenset({*modules(), "woodstock._core"})
    return frozenset(
        found
        for module, path in modules().items()
        for found in imports_in(path.read_text("utf-8"), module, known)
    )


def test_every_room_has_its_place() -> None:
    found = {room_of(module) for module in modules()} | {"_core"}
    assert found == set(ROOMS), "ROOMS must name every module and package of woodstock, in order"


def test_rooms_import_only_rooms_before_them() -> None:
    place = {room: number for number, room in enumerate(ROOMS)}
    against = {
        f"{found.importer} imports {found.imported}"
        for found in imports()
        if place[room_of(found.imported)] > place[room_of(found.importer)]
        and (room_of(found.importer), room_of(found.imported)) not in EXCEPTIONS
    }
    assert not against, "against the order of ROOMS; EXCEPTIONS may say why one must be"


@pytest.mark.parametrize("exception", EXCEPTIONS, ids="-".join)
def test_exceptions_are_lazy(exception: tuple[str, str]) -> None:
    found = [i for i in imports() if (room_of(i.importer), room_of(i.imported)) == exception]
    assert all(one.lazy for one in found)


def test_no_module_needs_itself_to_be_imported() -> None:
    graph: dict[str, set[str]] = {module: set() for module in modules()}
    for importer, imported, lazy in imports():
        parts = imported.split(".")
        # Packages are imported before what is in them, but one's own have begun already.
        for whole in (".".join(parts[:n]) for n in range(1, len(parts) + 1)):
            own = f"{importer}.".startswith(f"{whole}.") and whole != imported
            if not lazy and not own and whole != "woodstock._core":
                graph[importer].add(whole)
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as cycle:
        pytest.fail("imported in a ring: " + " <- ".join(cycle.args[1]))


def test_a_class_has_its_name_alone() -> None:
    """Who reads a name in one room must not know another one; `FIELDS_WORDS` are too well known."""
    places: dict[str, list[str]] = {}
    for module, path in modules().items():
        for node in ast.parse(path.read_text("utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places.setdefault(node.name, []).append(module)
    assert {name: found for name, found in places.items() if len(found) > 1} == FIELDS_WORDS


def test_imports_are_found_wherever_they_stand() -> None:
    text = """
from typing import TYPE_CHECKING
import woodstock.cli
from woodstock import Game, __version__, games
if TYPE_CHECKING:
    from woodstock.match import MatchRecord
def later():
    from woodstock.search.decision import Limits
"""
    known = frozenset({"woodstock.games", "woodstock.search.decision"})
    assert [(found[1], found.lazy) for found in imports_in(text, "m", known)] == [
        ("woodstock.cli", False),
        ("woodstock", False),
        ("woodstock.games", False),
        ("woodstock.search.decision", True),
    ]


def test_the_map_of_drawing_is_true() -> None:
    """It names every file, and a file uses only those above it."""
    drawing = "woodstock.drawing"
    text = str(woodstock.drawing.__doc__).partition("::")[2].partition(">>>")[0]
    files = {module.rpartition(".")[2] for module in modules() if module.startswith(f"{drawing}.")}
    named = [
        name
        for line in text.splitlines()
        for name in re.split(r",? +", re.split(r"  +", line[15:])[0])
        if name
    ]
    assert sorted(named) == sorted(files)
    for importer, imported, _ in imports():
        if importer in modules() and importer.startswith(f"{drawing}."):
            assert named.index(imported.split(".")[2]) < named.index(importer.split(".")[2])
