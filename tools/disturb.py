"""Disturbs every command: Ctrl-C at random moments, and a disk that gets full.

    python tools/disturb.py interrupt [--times 10] [--seed 1] [--only NAME ...]
    python tools/disturb.py full-disk [--only NAME ...]

Each command line runs in a folder of its own, in a session of its own, as in a terminal. What is
wrong afterwards is told, and the exit code is 1: a traceback, an abort, another exit code than 130,
no line that says so, half a file, a file that nobody asked for, a process that is still there.

The full disk is a small tmpfs where that may be mounted, else a limit on the size of files.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import random
import re
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from woodstock import Game
from woodstock.learn import Values, ValuesError
from woodstock.match import play_match, seat_players
from woodstock.scsp.encode.template import template
from woodstock.scsp.xcsp3 import write_file

INTERRUPTED = 130
PATIENCE = 60.0
"""Seconds that a command may take to come to its end, on a machine that is busy."""
FULL = 24 << 10
"""Bytes that fit on the full disk."""
_SIGNS = re.compile(
    r"Traceback \(most recent|terminate called|Fatal Python error|Exception ignored|core dumped"
)

RING = """
format = "ring"
participants = ["random", "legal", "uct"]
games = ["tic-tac-toe"]
seed = 7
[clock]
kind = "simulations"
move = 3000
[ring]
matches = 200
stop = "never"
"""


@dataclass(frozen=True)
class Command:
    """A command line; the files that it writes stand in it as names without a folder.

    `typed` is what somebody types at once, before they wait. `writes`: it has files to write, so
    that a full disk means something to it.
    """

    name: str
    line: str
    typed: str = ""
    writes: bool = False

    def arguments(self) -> list[str]:
        """The command as the system wants it."""
        words = re.findall(r"'[^']*'|\S+", self.line)
        return [sys.executable, "-m", "woodstock", *(word.strip("'") for word in words)]


COMMANDS = (
    Command("games", "games"),
    Command("players", "players mac-ucb"),
    Command("check", "check breakthrough"),
    Command("show", "show hex --svg board.svg", writes=True),
    Command("play, preparing", "play breakthrough --start-clock 20"),
    Command("play, thinking", "play breakthrough --play-clock 20 --start-clock 0", "1\nhint\n"),
    Command("play, waiting", "play tic-tac-toe --start-clock 0"),
    Command("match, preparing", "match breakthrough --players woodstock,uct --start-clock 30"),
    Command("match, grounding", "match chess --players uct,uct"),
    Command(
        "match, playing",
        "match tic-tac-toe --players uct,mac-ucb --play-clock 0.5 --record record.json",
    ),
    Command(
        "match, a series",
        "match connect-four --players random,legal --games 400 --record matches.jsonl",
        writes=True,
    ),
    Command(
        "match, a folder",
        "match connect-four --players random,legal --games 400 --record matches",
        writes=True,
    ),
    Command("match, hidden", "match wumpus --players woodstock --play-clock 2"),
    Command("analyse", "analyse breakthrough --seconds 20"),
    Command("analyse, hidden", "analyse wumpus --seconds 20 --json"),
    Command("plan", "plan eight-puzzle --seconds 20 --threads 2"),
    Command("train", "train breakthrough --seconds 20 --out net.values", writes=True),
    Command("serve", "serve --port 0 --log-dir journal"),
    Command("web", "web --port 0 --no-open --folder page"),
    Command(
        "host",
        "host connect-four --player red=uct --player black=127.0.0.1:9 --start-clock 5 "
        "--play-clock 1 --record hosted.json",
    ),
    Command("replay", "replay input.json --rules connect-four --engine lifted"),
    Command(
        "reproduce",
        "reproduce 002-T3 --matches 2 --store papers.sqlite --markdown tables.md",
    ),
    Command(
        "reproduce, the page",
        "reproduce 002-T3 --hours 0 --store papers.sqlite --markdown tables.md --html tables.html",
        writes=True,
    ),
    Command("perft", "perft connect-four --depth 9"),
    Command("ground", "ground chess --stats"),
    Command("scsp", "scsp connect-four --stages 4 --xcsp3 network.xml", writes=True),
    Command("symmetries", "symmetries reversi --svg orbits.svg", writes=True),
    Command("solve", "solve input.xml --count"),
    Command("bench search", "bench search hex reversi --seconds 10"),
    Command("bench playouts", "bench playouts hex reversi --seconds 10"),
    Command("tournament run", "tournament run ring.toml --jobs 2", writes=True),
    Command("tournament watch", "tournament watch played.toml"),
    Command(
        "tournament export", "tournament export played.toml --out tables --records records",
        writes=True,
    ),
    Command(
        "tournament report", "tournament report played.toml --html r.html --markdown r.md",
        writes=True,
    ),
)  # fmt: skip
"""All commands, some of them at several things that they do."""


@dataclass
class Ended:
    """How a disturbed command has ended, and what is wrong with that."""

    code: int
    out: str
    err: str
    after: float | None
    problems: list[str]


def make_inputs(folder: Path) -> None:
    """The files that commands read."""
    game = Game.load("connect-four")
    players = seat_players(game, ["random", "random"], 1)
    play_match(game, players, seed=1, start_clock=0, play_clock=60).write(folder / "input.json")
    write_file(template(Game.load("tic-tac-toe"), "multivalued").network, folder / "input.xml")
    (folder / "ring.toml").write_text(RING)
    few = RING.replace("matches = 200", "matches = 20").replace("3000", "50")
    (folder / "played.toml").write_text(few)
    command = [sys.executable, "-m", "woodstock", "tournament", "run", "played.toml"]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def interrupt(command: Command, folder: Path, after: float) -> Ended:
    """Run a command in a folder and press Ctrl-C after so many seconds."""
    return _run(command, folder, after, None)


def fill(command: Command, folder: Path, largest: int | None) -> Ended:
    """Run a command where the disk gets full; with `largest`, files cannot get larger."""
    return _run(command, folder, None, largest)


def _run(command: Command, folder: Path, after: float | None, largest: int | None) -> Ended:
    before = _files(folder)
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        subprocess.Popen(
            command.arguments(),
            stdin=subprocess.PIPE,
            stdout=out,
            stderr=err,
            cwd=folder,
            start_new_session=True,
            preexec_fn=partial(_settle, largest),
            env={**os.environ, "WOODSTOCK_CACHE": str(folder / "cache"), "COLUMNS": "80"},
        ) as child,
    ):
        assert child.stdin is not None
        child.stdin.write(command.typed.encode())
        child.stdin.flush()
        code = None
        if after is not None:
            with suppress(subprocess.TimeoutExpired):
                code = child.wait(after)
            if code is None:
                with suppress(ProcessLookupError):
                    os.killpg(child.pid, signal.SIGINT)
        else:
            child.stdin.close()
        problems = []
        begun = time.monotonic()
        if code is None:
            try:
                code = child.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                problems.append(f"still there {PATIENCE:.0f} s later")
                os.killpg(child.pid, signal.SIGKILL)
                code = child.wait()
            in_time = after
        else:
            in_time = None
        took = time.monotonic() - begun
        if after is not None and took > 10:
            problems.append(f"took {took:.1f} s to end")
        problems += _survivors(child.pid)
        out.seek(0)
        err.seek(0)
        said = out.read().decode(errors="replace"), err.read().decode(errors="replace")
    if found := _SIGNS.search("".join(said)):
        problems.append(f"it says {found[0]!r}")
    problems += _wrong_code(code, said[1], in_time, full=after is None)
    with tempfile.TemporaryDirectory() as elsewhere:
        # To look at files, some need room beside them.
        copy = Path(shutil.copytree(folder, Path(elsewhere) / "copy"))
        problems += half_files(copy, before)
    return Ended(code, *said, in_time, problems)


def _settle(largest: int | None) -> None:
    # Whoever runs this in the background may have the signal ignored.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if largest is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))


def _wrong_code(code: int, err: str, after: float | None, *, full: bool) -> Iterator[str]:
    lines = err.count("woodstock: interrupted")
    if full:
        if code not in (0, 1, 2):
            yield f"exit code {code}"
        elif code and "woodstock: " not in err:
            yield f"exit code {code} without a word"
    elif after is None:
        if code not in (0, 1):
            yield f"exit code {code} without an interrupt"
    elif code != INTERRUPTED:
        # Whoever had finished when the signal came says so by its code.
        if code != 0 or "interrupted" in err:
            yield f"exit code {code}"
    elif lines != 1:
        yield f"{lines} lines say that it was interrupted"


def _survivors(session: int) -> Iterator[str]:
    """Processes of a session that are still there a while after its first has ended."""
    until = time.monotonic() + 5
    while found := [line for line in processes() if line[1] == session]:
        if time.monotonic() > until:
            for pid, _, words in found:
                yield f"process {pid} is still there: {words[:80]}"
                with suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            return
        time.sleep(0.1)


def processes() -> Iterator[tuple[int, int, str]]:
    """Number, session and command line of all processes that are no zombies."""
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (entry / "stat").read_text().rpartition(")")[2].split()
            words = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if fields[0] not in "ZX":
                yield int(entry.name), int(fields[3]), words


def _files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file()}


def half_files(folder: Path, before: set[Path]) -> Iterator[str]:
    """What is wrong with the files in a folder that were not there before."""
    for name in sorted(_files(folder) - before):
        path = folder / name
        if path.name.startswith(".") or path.name.endswith((".tmp", ".part", ".new")):
            yield f"{name} was left behind"
            continue
        try:
            _read(path)
        except (ValueError, ET.ParseError, sqlite3.Error, ValuesError, csv.Error) as problem:
            yield f"{name} is no whole file: {problem}"


def _read(path: Path) -> None:
    """Read a file to its end; some error where it is not whole."""
    if path.suffix == ".json":
        json.loads(path.read_bytes())
    elif path.suffix == ".jsonl":
        text = path.read_text(encoding="utf-8")
        if text and not text.endswith("\n"):
            raise ValueError("its last line is torn")
        for line in text.splitlines():
            json.loads(line)
    elif path.suffix in (".xml", ".svg"):
        ET.parse(path)
    elif path.suffix == ".values":
        Values.load(path)
    elif path.suffix == ".sqlite":
        with closing(sqlite3.connect(path)) as db:
            if (found := db.execute("PRAGMA integrity_check").fetchone()[0]) != "ok":
                raise ValueError(found)
    elif path.suffix in (".html", ".md", ".csv"):
        text = path.read_text(encoding="utf-8")
        end = {".html": "</html>\n", ".md": "\n", ".csv": "\n"}[path.suffix]
        if not text.endswith(end):
            raise ValueError(f"it ends with {text[-20:]!r}")


@contextmanager
def small_disk(size: int = FULL) -> Iterator[Path | None]:
    """A folder on a disk of so many bytes, as long as one may be mounted here; else None."""
    with tempfile.TemporaryDirectory() as folder:
        mount = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder]
        try:
            done = subprocess.run(mount, capture_output=True, check=False).returncode == 0
        except OSError:
            done = False
        try:
            yield Path(folder) if done else None
        finally:
            if done:
                subprocess.run(["umount", folder], check=True)


def main(given: Sequence[str] | None = None) -> int:
    """Disturb commands, and say what is wrong."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("how", choices=["interrupt", "full-disk"])
    parser.add_argument("--times", type=int, default=10, help="interrupts of each command")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--longest", type=float, default=6.0, help="seconds till the interrupt")
    parser.add_argument("--only", nargs="*", default=[], help="commands whose names begin so")
    chosen = parser.parse_args(given)
    commands = [
        one
        for one in COMMANDS
        if not chosen.only or any(one.name.startswith(name) for name in chosen.only)
    ]
    runs = bad = 0
    with tempfile.TemporaryDirectory() as inputs:
        make_inputs(Path(inputs))
        for number, command in enumerate(commands):
            rng = random.Random(f"{chosen.seed}/{command.name}")
            if chosen.how == "interrupt":
                found = interrupts(command, Path(inputs), rng, chosen.times, chosen.longest)
            elif command.writes:
                found = _full_disks(command, Path(inputs))
            else:
                continue
            for ended in found:
                runs += 1
                bad += bool(ended.problems)
                for problem in ended.problems:
                    when = "" if ended.after is None else f" after {ended.after:.2f} s"
                    print(f"{command.name}{when}: {problem}", flush=True)
                    print("    " + "\n    ".join(ended.err.splitlines()[-4:]), flush=True)
            print(f"{number + 1}/{len(commands)} {command.name}", file=sys.stderr, flush=True)
    print(f"{runs} runs, {bad} of them wrong")
    return int(bad > 0)


def interrupts(
    command: Command, inputs: Path, rng: random.Random, times: int, longest: float
) -> Iterator[Ended]:
    """Press Ctrl-C so many times: once in five while the command is still being loaded."""
    limit = longest
    number = 0
    ready = seconds_to_load()
    while number < times:
        early = number % 5 == 4
        after = rng.uniform(0, ready) if early else ready + rng.uniform(0, limit)
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            copy_inputs(inputs, folder)
            ended = interrupt(command, folder, after)
        if before_us(ended):
            continue
        if ended.after is None and not early:  # it was done before: press earlier next time
            limit = max(0.2, 0.7 * (after - ready))
        number += 1
        yield ended


def seconds_to_load() -> float:
    """How long commands take to get ready, on this machine and now."""
    begun = time.monotonic()
    command = [sys.executable, "-m", "woodstock", "--version"]
    subprocess.run(command, check=True, capture_output=True)
    return time.monotonic() - begun


def before_us(ended: Ended) -> bool:
    """Whether Python itself was interrupted, before it had come to the first line of a command."""
    found = bool(_SIGNS.search(ended.err)) and "woodstock/cli" not in ended.err
    return found or (ended.code == -signal.SIGINT and not ended.err)


def _full_disks(command: Command, inputs: Path) -> Iterator[Ended]:
    for size in (FULL, 2 * FULL, 8 * FULL):
        with small_disk(size + _size(inputs)) as disk, tempfile.TemporaryDirectory() as name:
            folder = disk or Path(name)
            copy_inputs(inputs, folder)
            yield fill(command, folder, None if disk else size)


def _size(folder: Path) -> int:
    return sum(-(-path.stat().st_size // 4096) * 4096 for path in folder.rglob("*"))


def copy_inputs(inputs: Path, folder: Path) -> None:
    """Give a command what it reads."""
    for path in inputs.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())


if __name__ == "__main__":
    sys.exit(main())
