"""Running many broken inputs through a target, on several processes, and keeping what failed."""

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
from typing import NamedTuple, Protocol

from woodstock.errors import WoodstockError

CRASHES = Path(__file__).resolve().parent / "crashes"
SECONDS = 5.0
"""CPU time after which an input counts as a hang."""
CHUNK = 4000


class Failure(NamedTuple):
    """An input that the front end did not survive."""

    data: bytes
    problem: str


class Hang(BaseException):
    """Not an `Exception`, so that no handler of the code under test swallows it."""


Target = Callable[[bytes, int], None]
"""Takes an input and its number; raises nothing but a `WoodstockError`."""


class Inputs(Protocol):
    """Makes inputs, the same ones from the same seed."""

    def input(self, number: int) -> bytes:
        """The next input, which has this number."""


class Campaign(NamedTuple):
    """What is fed, and to whom. Both are functions of a module, so that processes find them."""

    about: str
    target: Target
    inputs: Callable[[str], Inputs]


def survives(data: bytes, number: int, target: Target) -> Failure | None:
    """Run one input; what went wrong, if anything did."""
    try:
        with _alarm():
            target(data, number)
    except WoodstockError:
        return None
    except Hang:
        return Failure(data, f"more than {SECONDS:g} CPU seconds\n{traceback.format_exc()}")
    except Exception:
        return Failure(data, traceback.format_exc())
    return None


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


def chunk(seed: int, index: int, count: int, plan: Campaign) -> list[Failure]:
    """Inputs number `index * CHUNK` and following."""
    if hasattr(signal, "SIGVTALRM"):
        signal.signal(signal.SIGVTALRM, _on_alarm)
    inputs = plan.inputs(f"{seed} {index}")
    failures = []
    for number in range(count):
        failure = survives(inputs.input(number), number, plan.target)
        if failure is not None:
            failures.append(failure)
    return failures


def campaign(
    plan: Campaign, runs: int, seed: int, jobs: int, stop: int
) -> tuple[int, list[Failure]]:
    """Run many inputs on several processes; how many were run, and the first failures."""
    started = time.monotonic()
    sizes = [min(CHUNK, runs - first) for first in range(0, runs, CHUNK)]
    done, failures = 0, []
    with concurrent.futures.ProcessPoolExecutor(jobs) as pool:
        waiting = {pool.submit(chunk, seed, i, size, plan): size for i, size in enumerate(sizes)}
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


def run_atheris(target: Target, arguments: Sequence[str]) -> None:
    """Let libFuzzer's coverage guide the mutations instead (``pip install woodstock[fuzz]``)."""
    try:
        atheris = importlib.import_module("atheris")
    except ImportError:
        sys.exit("atheris is not installed: pip install 'woodstock[fuzz]'")
    atheris.instrument_all()

    def one(data: bytes) -> None:
        # Every input takes the whole way: libFuzzer wants the same answer for the same bytes.
        with contextlib.suppress(WoodstockError):
            target(data, 0)

    atheris.Setup([sys.argv[0], *arguments], one)
    atheris.Fuzz()


def main(plan: Campaign, arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status is 1 when an input failed."""
    parser = argparse.ArgumentParser(description=plan.about.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=100_000, help="how many inputs (%(default)s)")
    parser.add_argument("--seed", type=int, default=1, help="which inputs (%(default)s)")
    parser.add_argument("--jobs", type=int, default=1, help="processes (%(default)s)")
    parser.add_argument("--failures", type=int, default=20, help="stop after so many (%(default)s)")
    parser.add_argument("--crashes", type=Path, default=CRASHES, help="where failures are saved")
    parser.add_argument("--atheris", action="store_true", help="coverage-guided; rest goes to it")
    parser.add_argument("inputs", nargs="*", help="saved inputs to run again")
    options, rest = parser.parse_known_args(arguments)
    if options.atheris:
        run_atheris(plan.target, [*rest, *options.inputs])
        return 0
    if rest:
        parser.error(f"unknown arguments: {' '.join(rest)}")
    if options.runs < 1 or options.jobs < 1:
        parser.error("--runs and --jobs are at least 1")
    if options.inputs:
        if hasattr(signal, "SIGVTALRM"):
            signal.signal(signal.SIGVTALRM, _on_alarm)
        found = [survives(Path(name).read_bytes(), 0, plan.target) for name in options.inputs]
        failures = [failure for failure in found if failure is not None]
        for failure in failures:
            print(failure.problem, file=sys.stderr)
    else:
        done, failures = campaign(plan, options.runs, options.seed, options.jobs, options.failures)
        for failure in failures:
            path = save(failure, options.crashes)
            print(f"{path}: {failure.problem.strip().splitlines()[-1]}", file=sys.stderr)
        print(f"{done} inputs, {len(failures)} failures")
    return 1 if failures else 0
