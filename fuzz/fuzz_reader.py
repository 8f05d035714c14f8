"""Feed the front end rulesheets full of mistakes; nothing but a `WoodstockError` may come out.

    python fuzz/fuzz_reader.py --runs 1000000 --seed 1 --jobs 2
    python fuzz/fuzz_reader.py fuzz/crashes/1f0c...       # an input again

Inputs are decoded, read, normalised and checked; what is accepted must survive writing and reading
in both spellings, and whole games that are still playable are asked for their first position. The
inputs depend on the seed alone, not on the number of jobs. An input that fails or takes more than
five seconds is saved to `fuzz/crashes/`, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import contextlib
import hashlib
import importlib
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from mutation import Mutator

from woodstock.errors import WoodstockError
from woodstock.gdl.checker import check
from woodstock.gdl.infix import write_infix
from woodstock.gdl.interpreter import Interpreter
from woodstock.gdl.reader import decode, read_text
from woodstock.gdl.rules import normalise
from woodstock.gdl.sheet import Sheet

CRASHES = Path(__file__).resolve().parent / "crashes"
SECONDS = 5.0
"""CPU time after which an input counts as a hang."""
CHUNK = 4000
WHOLE, CHECKED, WRITTEN = 100, 8, 16
"""One input in so many is a whole game; is checked; is written and read again."""


class Failure(NamedTuple):
    """An input that the front end did not survive."""

    data: bytes
    problem: str


class Hang(BaseException):
    """Not an `Exception`, so that no handler of the code under test swallows it."""


def front_end(data: bytes, number: int) -> None:
    """Everything a rulesheet from outside goes through; `number` decides how far this one goes."""
    sheet = read_text(decode(data))
    if number % WRITTEN == 0:
        written_and_read(sheet)
    if number % WHOLE == 0:
        rules, findings = check(sheet, play=False)
        if not any(finding.severity == "error" for finding in findings):
            game = Interpreter(rules, seconds=1.0)
            view = game.view(game.initial())
            if not view.terminal():
                view.after([next(iter(view.legal(role)), "noop") for role in rules.roles])
    elif number % CHECKED == 0:
        check(sheet, play=False)
    else:
        normalise(sheet)


def written_and_read(sheet: Sheet) -> None:
    """Writing loses nothing, in either spelling."""
    if read_text(sheet.to_kif(), form="kif").clauses != sheet.clauses:
        raise AssertionError("KIF does not read back as the same rules")
    if read_text(write_infix(sheet), form="infix").clauses != sheet.clauses:
        raise AssertionError("infix does not read back as the same rules")


Target = Callable[[bytes, int], None]


def survives(data: bytes, number: int = 0, target: Target = front_end) -> Failure | None:
    """Run one input; what went wrong, if anything did."""
    try:
        with _alarm():
            target(data, number)
    except WoodstockError as error:
        # The round trip reads what the reader accepted: there even a syntax error is a failure.
        if _inside(error, "written_and_read"):
            return Failure(data, traceback.format_exc())
    except Hang:
        return Failure(data, f"more than {SECONDS:g} CPU seconds\n{traceback.format_exc()}")
    except Exception:
        return Failure(data, traceback.format_exc())
    return None


def _inside(error: BaseException, function: str) -> bool:
    return any(frame.name == function for frame in traceback.extract_tb(error.__traceback__))


@contextlib.contextmanager
def _alarm() -> Iterator[None]:
    if not hasattr(signal, "setitimer"):  # pragma: no cover - not a Unix
        yield
        return
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0.0)


def _on_alarm(signum: int, frame: FrameType | None) -> None:
    raise Hang


def chunk(seed: int, index: int, count: int, target: Target = front_end) -> list[Failure]:
    """Inputs number `index * CHUNK` and following."""
    if hasattr(signal, "SIGVTALRM"):
        signal.signal(signal.SIGVTALRM, _on_alarm)
    mutator = Mutator(f"{seed} {index}")
    failures = []
    for number in range(count):
        data = mutator.small() if number % WHOLE else mutator.whole()
        failure = survives(data, number, target)
        if failure is not None:
            failures.append(failure)
    return failures


def campaign(runs: int, seed: int, jobs: int, stop: int) -> tuple[int, list[Failure]]:
    """Run many inputs on several processes; how many were run, and the first failures."""
    started = time.monotonic()
    sizes = [min(CHUNK, runs - first) for first in range(0, runs, CHUNK)]
    done, failures = 0, []
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(chunk, seed, index, size): size for index, size in enumerate(sizes)}
        for future in concurrent.futures.as_completed(waiting):
            done += waiting[future]
            failures.extend(future.result())
            speed = done / (time.monotonic() - started)
            print(f"\r{done:,} of {runs:,} inputs, {speed:,.0f}/s, {len(failures)} failures",
                  end="", file=sys.stderr, flush=True)  # fmt: skip
            if len(failures) >= stop:
                pool.shutdown(cancel_futures=True)
                break
    print(file=sys.stderr)
    return done, failures


def save(failure: Failure, folder: Path = CRASHES) -> Path:
    """Keep an input, with what happened beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / hashlib.sha256(failure.data).hexdigest()[:16]
    path.write_bytes(failure.data)
    path.with_suffix(".txt").write_text(failure.problem, encoding="utf-8", errors="replace")
    return path


def run_atheris(arguments: Sequence[str]) -> None:
    """Let libFuzzer's coverage guide the mutations instead (``pip install woodstock[fuzz]``)."""
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        sys.exit("atheris is not installed: pip install 'woodstock[fuzz]'")
    atheris.instrument_all()

    def one(data: bytes) -> None:
        # Every input takes the whole way: libFuzzer wants the same answer for the same bytes.
        with contextlib.suppress(WoodstockError):
            front_end(data, 0)

    atheris.Setup([sys.argv[0], *arguments], one)
    atheris.Fuzz()


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status is 1 when an input failed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100_000, help="how many inputs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which inputs (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (%(default)s)")
    parser.add_argument("--failures", type=int, default=20, help="stop after so many (%(default)s)")
    parser.add_argument("--crashes", type=Path, default=CRASHES, help="where failures are saved")
    parser.add_argument("--atheris", action="store_true", help="coverage-guided; rest goes to it")
    parser.add_argument("inputs", nargs="*", help="saved inputs to run again")
    options, rest = parser.parse_known_args(arguments)
    if options.atheris:
        run_atheris([*rest, *options.inputs])
        return 0
    if rest:
        parser.error(f"unknown arguments: {' '.join(rest)}")
    if options.runs < 1 or options.jobs < 1:
        parser.error("--runs and --jobs are at least 1")
    if options.inputs:
        if hasattr(signal, "SIGVTALRM"):
            signal.signal(signal.SIGVTALRM, _on_alarm)
        found = [survives(Path(name).read_bytes()) for name in options.inputs]
        failures = [failure for failure in found if failure is not None]
        for failure in failures:
            print(failure.problem, file=sys.stderr)
    else:
        done, failures = campaign(options.runs, options.seed, options.jobs, options.failures)
        for failure in failures:
            path = save(failure, options.crashes)
            print(f"{path}: {failure.problem.strip().splitlines()[-1]}", file=sys.stderr)
        print(f"{done} inputs, {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
