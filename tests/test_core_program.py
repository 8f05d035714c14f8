from __future__ import annotations

import importlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core_support import TIC_TAC_TOE, ground_natively
from woodstock._core import Evaluator, GroundProgram, Phase, ProgramBuilder

IMAGE = ground_natively(TIC_TAC_TOE).to_bytes()


def test_image_round_trip() -> None:
    program = GroundProgram.from_bytes(IMAGE)
    assert program.to_bytes() == IMAGE
    assert program.statistics().rules == program.rule_count > 0


@given(st.lists(st.tuples(st.integers(0, len(IMAGE) - 1), st.integers(0, 255)), max_size=4))
def test_changed_images_are_refused_or_usable(changes: list[tuple[int, int]]) -> None:
    image = bytearray(IMAGE)
    for place, byte in changes:
        image[place] = byte
    try:
        program = GroundProgram.from_bytes(bytes(image))
    except RuntimeError:
        return
    if program.stratified:
        evaluator = Evaluator(program)
        state, _ = evaluator.next(evaluator.initial(), [])
        evaluator.analyse(state)


@given(st.binary(max_size=200))
def test_noise_is_no_image(noise: bytes) -> None:
    with pytest.raises(RuntimeError):
        GroundProgram.from_bytes(noise)


def test_atoms_are_in_an_order_of_evaluation() -> None:
    program = GroundProgram.from_bytes(IMAGE)
    for first, last, recursive in program.components():
        for atom in range(first, last):
            for literal in (literal for body in program.rules_of(atom) for literal in body):
                assert abs(literal) < first or recursive
                assert program.phase(abs(literal)).value <= program.phase(atom).value
    assert program.phase(program.terminal_atom) is Phase.STATE


def test_numbers_out_of_range_raise() -> None:
    program = GroundProgram.from_bytes(IMAGE)
    for call in (program.atom, program.category, program.rules_of, program.phase):
        for atom in (0, program.atom_count + 1):
            with pytest.raises(IndexError):
                call(atom)
    with pytest.raises(IndexError):
        program.term(program.term_count)
    with pytest.raises(ValueError, match="unknown term"):
        ProgramBuilder().add_atom(1, 16, [3])


def test_stub_describes_the_module(tmp_path: Path) -> None:
    stubgen = importlib.import_module("nanobind.stubgen")
    fresh = tmp_path / "_core.pyi"
    stubgen.main(["--quiet", "--module", "woodstock._core", "--output-file", str(fresh)])
    package = importlib.import_module("woodstock")
    folders = [Path(folder) for folder in package.__path__]
    committed = next(f / "_core.pyi" for f in folders if (f / "_core.pyi").exists())
    assert committed.read_text() == fresh.read_text(), "run `make stubs`"
