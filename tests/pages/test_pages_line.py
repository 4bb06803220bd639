"""Long work stands in one line for the process: one at a time, whoever waits is told so, whoever leaves is not waited
for."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from threading import Event, Thread
from time import monotonic, sleep
from typing import ClassVar

import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab import streamlit_internals
from svmlab.lab.frame import work_progress
from svmlab.lab.lessons.pegasos import cost
from svmlab.lab.session import long_work, work_queue, worker
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.lab.session.work_queue import WorkQueue
from svmlab.lab.session.worker import ConnectionWatch, Job, LongWork
from tests import loop
from tests.small_lesson import GO

SOFT = with_preset(Lab(preset="separable", size=12))
WAIT = 30.0  # seconds until something is wrong


def until(true: Callable[[], object]) -> None:
    end = monotonic() + WAIT
    while not true():
        assert monotonic() < end
        sleep(0.002)


class Gate:
    """Work that reports again and again until it is opened."""

    def __init__(self, one: WorkQueue, long: bool = False, each: float = 0.002) -> None:
        self.open, self.begun, self.reports, self.each = Event(), Event(), 0, each
        self.job = Job((id(self),), LongWork(self) if long else self, one)

    def goes_on(self) -> None:
        """Wait for its first report."""
        until(lambda: self.reports)

    def __call__(self, report: Callable[[float], None]) -> str:
        self.begun.set()
        while not self.open.wait(self.each):
            report(0.5)
            self.reports += 1
        return "through"


@pytest.fixture
def one() -> Iterator[WorkQueue]:
    """A line of its own, that is empty afterwards."""
    made = WorkQueue()
    yield made
    for job in made.entries():
        job.cancel()
    until(lambda: not made.entries())


@pytest.fixture
def nobody(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """The visitors who have left, by how many came before; one who comes is there. People are looked after all the
    time."""
    left, came = set[int](), [0]

    class Known:
        def __init__(self) -> None:
            self.number = came[0]
            came[0] += 1

        def is_gone(self) -> bool:
            return self.number in left

    monkeypatch.setattr(worker, "ConnectionWatch", Known)
    monkeypatch.setattr(work_queue, "CHECK_INTERVAL", 0.005)
    return left


# ---------------------------------------------------------------- the line


def test_who_comes_first_goes_first_and_the_others_know_how_many_are_before_them(one):
    order, gate = [], Gate(one)
    gate.goes_on()
    jobs = [Job((k,), lambda report, k=k: order.append(k), one) for k in range(4)]
    assert [job.queue_position for job in (gate.job, *jobs)] == [None, 1, 2, 3, 4]
    assert [jobs[0].progress_text(), jobs[2].progress_text()] == ["Waiting, one before you", "Waiting, 3 before you"]
    assert gate.job.progress_text() == "Working, 50%"
    gate.open.set()
    assert all(job.wait(WAIT) for job in jobs)
    assert order == [0, 1, 2, 3]
    assert gate.job.result == "through"


def test_one_works_at_a_time_however_many_ask_and_in_two_threads(one):
    within, most = [], []

    def make(report):
        for _ in range(20):
            within.append(1)
            most.append(len(within))
            sleep(0.0005)
            within.pop()
            report(0.0)
        return True

    jobs = [Job((k,), LongWork(make) if k % 2 else make, one) for k in range(20)]
    assert all(job.wait(WAIT) for job in jobs)
    assert all(job.finished for job in jobs)
    assert set(most) == {1}
    assert one.threads == 2


def test_a_short_work_does_not_wait_for_the_end_of_a_long_one(one):
    gate = Gate(one, long=True)
    gate.goes_on()
    waits = Job(("long",), LongWork(lambda report: 1), one)
    assert Job(("short",), lambda report: 2, one).wait(WAIT)
    assert not gate.open.is_set()
    assert waits.queue_position == 1


def test_nor_does_a_crowd_of_short_works_stop_a_long_one(one):
    long, crowd = Gate(one, long=True), [Gate(one) for _ in range(3)]
    for gate in crowd:
        gate.goes_on()
        before = long.reports
        until(lambda before=before: long.reports > before)
        gate.open.set()
        assert gate.job.wait(WAIT)
    long.open.set()
    assert long.job.wait(WAIT)


def test_the_queue_that_has_used_less_time_comes_first(monkeypatch):
    one, clock = WorkQueue(), iter([13.0, 14.5])
    monkeypatch.setattr(work_queue, "perf_counter", lambda: next(clock))
    short, long = one._queues[False], one._queues[True]
    one._turn_started = 10.0
    one._count(short)
    one._count(long)
    assert (short.seconds_used, long.seconds_used) == (3.0, 1.5)
    short.waiting.append(object())
    long.waiting.append(object())
    assert one._comes_first(long, short)
    assert not one._comes_first(short, long)
    long.seconds_used = short.seconds_used - work_queue.SLICE / 2
    assert not one._comes_first(long, short)


def test_a_long_work_waits_behind_the_short_ones_too(one):
    gate = Gate(one)
    gate.goes_on()
    others = [Gate(one) for _ in range(2)]
    assert Job(("long",), LongWork(lambda report: 1), one).queue_position == 3
    assert [other.job.queue_position for other in others] == [1, 2]


def test_what_is_cancelled_while_it_waits_is_never_begun_and_no_error(one):
    gate, begun = Gate(one), []
    first, second = (Job((k,), lambda report, k=k: begun.append(k) or True, one) for k in range(2))
    first.cancel()
    assert (first.running, first.finished, first.error, first.was_abandoned) == (False, False, None, False)
    assert second.queue_position == 1
    gate.open.set()
    assert second.wait(WAIT)
    assert begun == [1]


def test_what_is_cancelled_while_it_goes_on_is_over_at_once_and_makes_room_at_its_next_report(one):
    gate = Gate(one)
    gate.goes_on()
    gate.job.cancel()
    assert not gate.job.running
    assert Job(("next",), lambda report: 1, one).wait(WAIT)
    assert (gate.job.result, gate.job.error) == (None, None)
    assert not gate.open.is_set()


@pytest.mark.mishap
@pytest.mark.parametrize("error", [SystemExit, MemoryError, KeyboardInterrupt, ZeroDivisionError])
def test_whatever_happens_in_a_work_the_next_is_done(one, error):
    def breaks(report):
        raise error

    jobs = [Job(("breaks",), breaks, one), Job(("next",), lambda report: 1, one)]
    assert all(job.wait(WAIT) for job in jobs)
    assert "Something went wrong" in str(jobs[0].error)
    assert (jobs[0].result, jobs[0].finished, jobs[1].result) == (None, False, 1)
    assert one.threads == 1


def test_a_thread_that_dies_all_the_same_is_replaced(one, monkeypatch):
    monkeypatch.setattr("threading.excepthook", lambda args: None)
    broken = Job(("broken",), lambda report: 1, one)
    assert broken.wait(WAIT)
    until(lambda: not one.entries())
    monkeypatch.setattr(Job, "do", lambda self: exec("raise SystemExit"))
    Job(("dies",), lambda report: 1, one)
    until(lambda: not one.threads)
    monkeypatch.undo()
    assert Job(("next",), lambda report: 1, one).wait(WAIT)


# ---------------------------------------------------------------- who leaves


def test_what_a_visitor_who_left_waits_for_is_never_begun_and_what_he_began_is_ended(one, nobody):
    gates = [Gate(one) for _ in range(3)]
    gates[0].goes_on()
    nobody.add(1)
    assert gates[1].job.wait(WAIT)
    nobody.add(0)
    assert gates[0].job.wait(WAIT)
    gates[2].goes_on()
    assert gates[0].job.was_abandoned
    assert gates[1].job.was_abandoned
    assert gates[2].job.running
    assert not gates[1].begun.is_set()


def test_people_are_looked_after_though_a_work_says_nothing(one, nobody):
    begun, end = Event(), Event()
    silent = Job(("silent",), lambda report: begun.set() or end.wait(WAIT), one)
    assert begun.wait(WAIT)
    waits, other = Gate(one), Gate(one, long=True)  # whose thread has nothing else to do
    nobody.add(1)
    assert waits.job.wait(WAIT)
    assert silent.running
    assert other.job.queue_position == 1
    end.set()


def test_a_visitor_is_gone_when_his_session_has_been_away_for_a_while(monkeypatch):
    class Server:
        here = True

        def is_active_session(self, session_id: str) -> bool:
            return session_id == "his" and self.here

    server, now = Server(), [100.0]
    monkeypatch.setattr(worker, "session_id", lambda: "his")
    monkeypatch.setattr(streamlit_internals.runtime, "get_instance", lambda: server)
    monkeypatch.setattr(worker, "monotonic", lambda: now[0])
    his = ConnectionWatch()
    assert not his.is_gone()
    server.here = False
    for later in (0.0, worker.GRACE - 1.0):
        now[0] += later
        assert not his.is_gone()
    server.here = True
    assert not his.is_gone()
    server.here = False
    assert not his.is_gone(), "he was back"
    now[0] += worker.GRACE
    assert his.is_gone()


def test_where_no_server_runs_nobody_is_gone(monkeypatch):
    monkeypatch.setattr(worker, "GRACE", 0.0)
    assert not ConnectionWatch().is_gone()


def test_who_comes_back_after_his_work_was_dropped_asks_anew_and_cancelled_stays_cancelled():
    session, made = Session(History(SOFT)), []
    blocked, gate = Gate(worker.QUEUE), Session(History(SOFT))
    assert gate.job is None
    first = long_work.request_work(session, ("key",), lambda report: made.append(1) or 1)
    first.leave()
    second = long_work.request_work(session, ("key",), lambda report: made.append(2) or 2)
    assert second is not first
    second.cancel()
    assert long_work.request_work(session, ("key",), lambda report: 3) is second
    blocked.open.set()
    assert blocked.job.wait(WAIT)
    assert made == []


# ---------------------------------------------------------------- the pages


def page() -> None:
    from svmlab.lab.practice.check_yourself import CheckYourself
    from svmlab.lab.teach import lesson
    from tests.small_lesson import LESSON

    lesson.run(LESSON, CheckYourself)


@pytest.fixture
def busy() -> Iterator[Gate]:
    """Somebody else's work goes on."""
    GO.set()
    gate = Gate(worker.QUEUE)
    gate.goes_on()
    yield gate
    gate.open.set()


def opened(step: str) -> AppTest:
    at = AppTest.from_function(page, default_timeout=30)
    at.session_state["lab"] = Session(History(SOFT))
    at.session_state["lab"].lessons.open_steps["margin"] = step
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    assert not at.warning, at.warning[0].value
    return at


def shown(at: AppTest) -> str | None:
    """What the line of work says; None where there is none."""
    protos = [e.proto for e in at.get("bidi_component") if e.proto.component_name == "svmlab_work"]
    contents = [json.loads(proto.bytes or proto.json) for proto in protos]
    assert all(content["name"] for content in contents), "a progress bar is nothing to a screen reader without a name"
    return contents[0]["said"] if contents else None


def test_a_step_waits_in_line_and_says_so_until_it_is_its_turn(busy):
    at = opened("work")
    sound(at.button(key="work_show").click().run())
    job = at.session_state["lab"].job
    assert shown(at) == "Waiting, one before you"
    busy.open.set()
    assert job.wait(WAIT)
    sound(at.run())
    assert shown(at) is None
    assert "Drawn with 3." in [said.value for said in at.markdown]


def test_it_is_cancelled_while_it_waits_and_begun_again(busy):
    at = opened("work")
    sound(at.button(key="work_show").click().run())
    sound(at.button(key="job_cancel").click().run())
    assert "Cancelled." in [said.value for said in at.caption]
    assert [entry for entry in worker.QUEUE.entries() if entry is not busy.job] == []
    sound(at.button(key="job_again").click().run())
    assert shown(at) == "Waiting, one before you"


def test_who_goes_to_another_step_or_page_waits_no_more_and_asks_anew_when_he_comes_back(busy):
    at = opened("work")
    sound(at.button(key="work_show").click().run())
    job = at.session_state["lab"].job
    sound(at.button(key="back").click().run())
    assert job.was_abandoned
    assert at.session_state["lab"].job is None
    sound(at.button(key="next").click().run())
    assert shown(at) == "Waiting, one before you"
    job = at.session_state["lab"].job
    at.session_state["lab"].open_page("statements")
    assert job.was_abandoned


def test_cards_wait_in_line_too(busy, monkeypatch):
    def cards_alone() -> None:
        from svmlab.lab import frame
        from svmlab.lab.cards import statement_cards

        statement_cards.show(frame.enter_page("statements"), ["M1", "M5"], lambda: None)

    at = AppTest.from_function(cards_alone, default_timeout=30)
    at.session_state["lab"] = Session(History(SOFT), page="statements")
    sound(at.run())
    assert shown(at) == "Waiting, one before you"
    busy.open.set()
    assert at.session_state["lab"].job.wait(WAIT)
    sound(at.run())
    assert shown(at) is None
    assert any(said.value.startswith("Checked on this board") for said in at.caption)


def test_the_line_asks_how_far_the_work_is(busy):
    class Request:
        query_params: ClassVar = {"job": busy.job.name}

    def answer() -> dict[str, object]:
        return json.loads(loop.run(work_progress.route().endpoint(Request)).body)

    assert answer() == {"going": True, "said": "Working, 50%", "done": 0.5, "again": work_progress.EVERY}
    waits = Job(("waits",), lambda report: 1)
    Request.query_params = {"job": waits.name}
    assert answer() == {"going": True, "said": "Waiting, one before you", "done": 0.0, "again": work_progress.PATIENT}
    waits.cancel()
    assert answer() == {"going": False}
    Request.query_params = {"job": "unknown"}
    assert answer() == {"going": False}


def test_what_training_costs_is_measured_once_for_all_who_ask(monkeypatch):
    measured, measure = [], cost.measure
    monkeypatch.setattr(cost, "SIZES", (8, 16))
    monkeypatch.setattr(cost, "measure", lambda *args, **more: measured.append(args) or measure(*args, **more))
    monkeypatch.setattr(cost, "_timed", type(cost._timed)())
    timings = []

    def visit() -> None:
        session, stage = Session(History(SOFT)), cost.COST.board()

        def ask(key, make):
            job = long_work.request_work(session, key, make)
            assert job.long
            assert job.wait(WAIT)
            return job

        from svmlab.lab.teach.stage import Stage

        timings.append(cost.timed(Stage(stage, picks={"cost": "step", "sizes": 1600}, request_work=ask)))

    threads = [Thread(target=visit) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(WAIT)
    assert len(timings) == 5
    assert len(measured) == 1


def test_the_tabs_of_one_visitor_wait_behind_the_only_one_of_another(one, monkeypatch):
    order = []

    def asked(visitor):
        monkeypatch.setattr(worker, "current_visitor", lambda: visitor)
        return Job((visitor, len(order)), lambda report: order.append(visitor), one)

    monkeypatch.setattr(worker, "current_visitor", lambda: "many")
    gate = Gate(one)
    gate.goes_on()
    jobs = [asked("many") for _ in range(3)]
    jobs.append(asked("alone"))
    assert [job.queue_position for job in jobs] == [2, 3, 4, 1]
    gate.open.set()
    until(lambda: all(job.finished for job in jobs))
    assert order == ["alone", "many", "many", "many"]
