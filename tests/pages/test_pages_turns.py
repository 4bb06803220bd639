"""Turns at drawing: nobody has two at once, and who has had least goes first."""

import asyncio
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest

from svmlab.lab.session import fair_turns, visitors
from svmlab.lab.session.fair_turns import FairTurns, TurnTaker
from tests import loop

WAIT = 30.0  # seconds until something is wrong


@pytest.fixture
def clock(monkeypatch):
    """The time that a turn takes is what the test says."""
    now = [0.0]
    monkeypatch.setattr(fair_turns, "perf_counter", lambda: now[0])
    return now


def served(clock, at_once, asks):
    """The order in which turns are had; `asks` are (name of the visitor, seconds a turn takes, how many turns), all
    asked for at once."""
    order, having = [], []

    async def ask(turns_, visitor, name, seconds):
        async with turns_.turn(visitor):
            having.append(name)
            assert len(having) <= at_once
            assert having.count(name) == 1
            order.append(name)
            await asyncio.sleep(0)
            clock[0] += seconds
            having.remove(name)

    async def run():
        turns_, visitors = FairTurns(at_once), {name: TurnTaker() for name, *_ in asks}
        every = [(visitors[name], name, seconds) for name, seconds, n in asks for _ in range(n)]
        await asyncio.gather(*(ask(turns_, *one) for one in every))
        assert turns_._free == at_once

    loop.run(run())
    return "".join(order)


def test_who_asks_much_waits_for_himself(clock):
    assert served(clock, 1, [("a", 1.0, 6), ("b", 1.0, 2), ("c", 1.0, 2)]) == "abcabcaaaa"


def test_who_asks_for_little_waits_for_one_of_those_who_ask_for_much(clock):
    asks = [(name, seconds, 6) for name, seconds in zip("bcde", (9.0, 10.0, 11.0, 12.0), strict=True)]
    order = served(clock, 1, [("a", 1.0, 6), *asks])
    first, *waits = [len(wait) for wait in order.split("a")][1:6]
    assert first == len(asks), "those who had come before"
    assert max(waits) <= 1


def test_nobody_has_two_turns_at_once_though_there_are_two(clock):
    assert served(clock, 2, [("a", 1.0, 5)]) == "aaaaa"
    assert sorted(served(clock, 2, [("a", 1.0, 5), ("b", 1.0, 5)])) == [*"aaaaabbbbb"]


def test_who_comes_late_has_no_more_right_than_the_others(clock):
    """Else a visitor who always comes anew would always go first."""

    async def run():
        turns_, order, old = FairTurns(1), [], TurnTaker()

        async def ask(visitor, name):
            async with turns_.turn(visitor):
                order.append(name)
                clock[0] += 1.0

        for _ in range(5):
            await ask(old, "old")
        await asyncio.gather(
            *(ask(visitor, name) for visitor, name in [(old, "old"), *((TurnTaker(), "new") for _ in range(3))])
        )
        return order[5:]

    assert loop.run(run()) == ["old", "new", "new", "new"]


@pytest.mark.parametrize("when", ["waiting", "let in"])
def test_who_gives_up_leaves_the_turn_to_the_next(when):
    async def run():
        turns_, first = FairTurns(1), TurnTaker()

        async def ask():
            async with turns_.turn(TurnTaker()):
                return "had"

        async with turns_.turn(first):
            tasks = [asyncio.create_task(ask()) for _ in range(3)]
            await asyncio.sleep(0)
            if when == "waiting":
                tasks[0].cancel()
        if when == "let in":
            tasks[0].cancel()
        outcomes = await asyncio.gather(*tasks, return_exceptions=True)
        assert isinstance(outcomes[0], asyncio.CancelledError)
        assert outcomes[1:] == ["had", "had"]
        assert turns_._free == 1

    loop.run(run())


def test_threads_take_turns_too_and_the_tabs_of_one_visitor_have_one_at_a_time():
    turns_, many, alone = FairTurns(2), TurnTaker(), TurnTaker()
    release, having = Event(), Counter()

    def tab():
        with turns_.turn_of_thread(many):
            having["many"] += 1
            release.wait(WAIT)
            having["many"] -= 1

    with ThreadPoolExecutor(9) as threads:
        tabs = [threads.submit(tab) for _ in range(8)]
        assert threads.submit(lambda: had_turn(turns_, alone)).result(WAIT), "one of two turns is free"
        assert having["many"] == 1
        release.set()
        for each in tabs:
            each.result(WAIT)
    assert turns_._free == 2


def had_turn(turns_, visitor):
    with turns_.turn_of_thread(visitor):
        return True


def test_a_visitor_is_a_browser_by_its_cookie_and_otherwise_an_address():
    name = visitors.new_name()
    assert visitors.name_of({visitors.COOKIE: name}, "10.0.0.1") == name
    for forged in ("", "me", name[:-1], name + "0", name.upper() + "Z"):
        assert visitors.name_of({visitors.COOKIE: forged}, "10.0.0.1") == visitors.name_of({}, "10.0.0.1")
    assert visitors.name_of({}, "10.0.0.1") != visitors.name_of({}, "10.0.0.2")


def test_visitors_who_wait_are_kept_however_many_others_come(monkeypatch):
    monkeypatch.setattr(visitors, "MAX_VISITORS", 3)
    takers = visitors.TurnTakers()
    first = takers.of("first")
    first.has_turn = True
    for k in range(10):
        takers.of(str(k))
    assert takers.of("first") is first
    assert len(takers._known) <= 3
