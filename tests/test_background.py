"""Work in the background keeps the collector out and gives way; then all is as before."""

from __future__ import annotations

import gc
import sys
import threading

import pytest

from woodstock.background import in_background


def test_it_is_off_while_anybody_needs_it_and_on_afterwards() -> None:
    interval = sys.getswitchinterval()
    assert gc.isenabled()
    inside, leave = threading.Event(), threading.Event()

    def other() -> None:
        with in_background():
            inside.set()
            leave.wait(10)

    thread = threading.Thread(target=other)
    with in_background():
        thread.start()
        assert inside.wait(10)
        assert not gc.isenabled()
    assert not gc.isenabled()  # the other still needs it
    assert sys.getswitchinterval() < interval
    leave.set()
    thread.join()
    assert gc.isenabled()
    assert sys.getswitchinterval() == interval


def test_it_comes_back_after_an_error_and_stays_off_where_it_was() -> None:
    with pytest.raises(ValueError, match="wrong"), in_background():
        raise ValueError("wrong")
    assert gc.isenabled()
    gc.disable()
    try:
        with in_background():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
