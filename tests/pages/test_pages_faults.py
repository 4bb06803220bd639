"""The client of the benchmarks comes back as a browser does, and notices what is wrong."""

import asyncio
import runpy
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Server
from tests.loop import run

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")


@pytest.fixture(autouse=True)
def scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(BENCHMARKS)


@pytest.mark.slow
def test_a_tab_comes_back_with_what_it_had_and_tells_what_is_missing(new_server: Callable[..., Server]) -> None:
    from tab import Tab

    server = new_server()

    async def lives() -> None:
        tab = Tab(7)
        await tab.open(server.port)
        assert await tab.say("click", tab.click())
        tab.report(tab.click())
        server.kill()
        tab.report(tab.click())  # waits behind the one that nobody heard
        await asyncio.to_thread(server.start)
        assert await tab.quiet(60)
        assert (tab.boots, tab.wrong(), len(tab.points)) == (2, "", 63)
        gone = tab.points.pop(next(iter(tab.points)))
        assert tab.wrong() == "1 too many"
        tab.points |= {900: gone, 901: tab._place(0, 0) + (1,)}
        assert tab.wrong() == "1 lost"
        await tab.close()

    run(lives())


def test_every_fault_is_listed(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["faults.py", "--list"])
    runpy.run_path(f"{BENCHMARKS}/faults.py", run_name="__main__")
    names = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert len(set(names)) == len(names) >= 15
