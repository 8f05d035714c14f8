"""The garbage collector waits while somebody needs it to, and then works as before."""

from __future__ import annotations

import gc
import threading

import pytest

from woodstock.collector import no_collections


def test_it_is_off_while_anybody_needs_it_and_on_afterwards() -> None:
    assert gc.isenabled()
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with no_collections():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with no_collections():
        thread.start()
        assert inside.wait(10)
        assert not gc.isenabled()
    assert not gc.isenabled()  # the other still needs it
    leave.set()
    thread.join()
    assert gc.isenabled()


def test_it_comes_back_after_an_error_and_stays_off_where_it_was() -> None:
    with pytest.raises(ValueError, match="wrong"), no_collections():
        raise ValueError("wrong")
    assert gc.isenabled()
    gc.disable()
    try:
        with no_collections():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
