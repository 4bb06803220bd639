"""The life of a server: who has left is let go, a crowd of connections leaves room for who is here, the log stays
short."""

import errno
import logging
import socket
import time
from unittest.mock import MagicMock

import pytest
from websockets.sync.client import connect

from svmlab.lab.frame import connection_limits, log_limits, session_release
from tests.conftest import HOST, Server
from tests.eyes import WAIT
from tests.pages.test_pages_live import FEW, asked

FILES = 200
CHANGED = f"""
import gc, resource, runpy, threading, time
resource.setrlimit(resource.RLIMIT_NOFILE, ({FILES}, {FILES}))
from svmlab.lab.frame import connection_limits, session_release
from svmlab.lab.session.tab import SESSIONS
gc.disable()
session_release.EVERY, connection_limits.PATIENCE = 0.1, 3.0

def tell():
    while True:
        time.sleep(0.1)
        print(len(SESSIONS), "living", flush=True)

threading.Thread(target=tell, daemon=True).start()
runpy.run_module("streamlit", run_name="__main__")
"""


class Few(Server):
    """A server that may open few files, forgets soon who has left, and never collects garbage."""

    def start(self):
        self.program = ["-c", CHANGED]
        super().start()

    def says(self, words, since=0):
        """Wait for words in the log, from a place on; where it ends then."""
        end = time.monotonic() + WAIT
        while words not in self.log.read_text()[since:]:
            assert time.monotonic() < end, self.log.read_text()[-3000:]
            time.sleep(0.05)
        return len(self.log.read_text())


@pytest.fixture(scope="module")
def few(tmp_path_factory):
    server = Few(tmp_path_factory.mktemp("few") / "log.txt", STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL="3")
    yield server
    server.kill()


def test_who_has_left_is_let_go_though_nobody_comes(few):
    since = len(few.log.read_text())
    few.drag_socket()
    since = few.says("\n1 living", since)
    few.says("\n0 living", since)


def test_sockets_that_take_every_file_are_turned_away_in_a_line_and_who_is_here_goes_on(few):
    with connect(few.drag_socket()) as visitor:
        held = [socket.create_connection((HOST, few.port)) for _ in range(2 * FILES)]
        since = few.says("turned away")
        visitor.send(asked(FEW))
        assert "marks" in visitor.recv(WAIT)
        end = time.monotonic() + WAIT
        while not few.healthy():  # they are still open here, but have asked for nothing
            assert time.monotonic() < end
            time.sleep(0.1)
        visitor.send(asked(FEW))
        assert "marks" in visitor.recv(WAIT)
    for greedy in held:
        greedy.close()
    assert "Traceback" not in few.log.read_text()
    assert few.log.read_text().count("turned away") <= 2 + (len(few.log.read_text()) - since) // 10_000


# ---------------------------------------------------------------- each by itself


class Clock:
    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def gone(name):
    info = MagicMock()
    info.session.id = name
    return info


def test_two_minutes_to_come_back_and_then_shut_down():
    clock, info = Clock(), gone("a")
    storage = session_release.DisconnectedSessions(120, clock=clock)
    storage.save(info)
    clock.now += 119
    storage.release()
    assert storage.get("a") is info
    assert storage.list() == [info]
    clock.now += 1
    storage.release()
    info.session.shutdown.assert_called_once()
    assert storage.get("a") is None
    assert storage.list() == []


def test_who_is_back_is_not_shut_down_and_leaves_anew():
    clock, info = Clock(), gone("a")
    storage = session_release.DisconnectedSessions(120, clock=clock)
    storage.save(info)
    storage.delete("a")
    clock.now += 100
    storage.save(info)
    clock.now += 100
    storage.release()
    info.session.shutdown.assert_not_called()


def test_where_too_many_have_left_the_longest_away_is_shut_down():
    clock, people = Clock(), [gone(name) for name in "abc"]
    storage = session_release.DisconnectedSessions(120, most=2, clock=clock)
    for info in people:
        storage.save(info)
    people[0].session.shutdown.assert_called_once()
    assert storage.list() == people[1:]


@pytest.mark.mishap
def test_one_who_cannot_be_shut_down_keeps_nobody(caplog):
    clock, people = Clock(), [gone("a"), gone("b")]
    storage = session_release.DisconnectedSessions(120, clock=clock)
    for info in people:
        storage.save(info)
    people[0].session.shutdown.side_effect = ZeroDivisionError
    clock.now += 120
    storage.release()
    people[1].session.shutdown.assert_called_once()
    assert "ZeroDivisionError" in caplog.text


def test_no_file_for_a_connection_is_a_line_a_minute_and_all_else_is_as_it_was(caplog):
    clock, loop = Clock(), MagicMock()
    people = connection_limits.TurnedAwayLog(clock)
    full = {"socket": MagicMock(), "exception": OSError(errno.EMFILE, "Too many open files")}
    for _ in range(2048):
        people.handle(loop, full)
    clock.now += 60
    people.handle(loop, full)
    assert [record.args[0] for record in caplog.records] == [1, 2048]
    loop.default_exception_handler.assert_not_called()
    people.handle(loop, other := {"exception": OSError(errno.EMFILE, "of a script")})
    loop.default_exception_handler.assert_called_once_with(other)


def test_what_comes_over_and_over_is_left_out_and_counted():
    clock = Clock()
    short = log_limits.RepetitionFilter(clock)

    def passes(*record):
        return short.filter(made := logging.makeLogRecord({"name": "asyncio", "msg": record[0]})), made.msg

    assert [passes("Task failed\n<Task 1>")[0] for _ in range(9)] == [True] * 5 + [False] * 4
    assert passes("another")[0]
    clock.now += 60
    assert passes("Task failed\n<Task 2>") == (True, "Task failed\n<Task 2> (4 more like it were left out)")
