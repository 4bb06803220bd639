"""The life of a server: who has left is let go, a crowd of connections leaves room for who is here, the log stays
short."""

import asyncio
import errno
import logging
import os
import socket
import subprocess
import sys
import time
from contextlib import suppress
from unittest.mock import MagicMock

import pytest
from websockets.sync.client import connect

from svmlab.lab.frame import connection_limits, heartbeat, log_limits, session_release
from tests import loop
from tests.conftest import HOST, ROOT, Server
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
        sockets = [socket.create_connection((HOST, few.port)) for _ in range(2 * FILES)]
        since = few.says("turned away")
        visitor.send(asked(FEW))
        assert "marks" in visitor.recv(WAIT)
        end = time.monotonic() + WAIT
        while not few.healthy():  # they are still open here, but have asked for nothing
            assert time.monotonic() < end
            time.sleep(0.1)
        visitor.send(asked(FEW))
        assert "marks" in visitor.recv(WAIT)
    for greedy in sockets:
        greedy.close()
    assert "Traceback" not in few.log.read_text()
    assert few.log.read_text().count("turned away") <= 2 + (len(few.log.read_text()) - since) // 10_000


ANSWERED = b"GET /_stcore/health HTTP/1.1\r\nHost: here\r\n\r\n"


def opened(few, request):
    """A connection that has asked for something, was answered, and then sends a part of another request."""
    connection = socket.create_connection((HOST, few.port), WAIT)
    connection.sendall(ANSWERED)
    answer = b""
    while not answer.endswith(b"\r\n\r\nok"):
        if not (more := connection.recv(4096)):
            raise ConnectionResetError
        answer += more
    connection.sendall(request)
    return connection


def test_half_of_a_second_request_is_not_waited_for_and_newcomers_take_its_place(few):
    connections = [opened(few, b"GET /lab HTTP/1.1\r\nHost: ") for _ in range(2)]
    for connection in connections:
        assert connection.recv(4096) == b"", "closed by the server, which waits no longer"
    with suppress(ConnectionError):
        connections.extend(opened(few, b"GET /lab HTTP/1.1\r\nHost: ") for _ in range(FILES))
    assert len(connections) < FILES, "all places are taken"
    time.sleep(2 * connection_limits.MOMENT)
    assert few.healthy()
    for connection in connections:
        connection.close()


def test_a_body_that_trickles_in_is_not_waited_for(few):
    connection = opened(few, b"PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: here\r\nContent-Length: 9\r\n\r\n")
    end = time.monotonic() + WAIT
    with suppress(ConnectionError):
        while connection.recv(4096):
            assert time.monotonic() < end
    connection.close()


@pytest.mark.parametrize(
    ("head", "status"), [("Content-Length: 1200001", b"413"), ("Transfer-Encoding: chunked", b"411")]
)
def test_a_body_that_is_too_large_or_has_no_size_is_refused(few, head, status):
    with socket.create_connection((HOST, few.port), WAIT) as connection:
        connection.sendall(f"PUT /_stcore/upload_file/a/b HTTP/1.1\r\nHost: here\r\n{head}\r\n\r\n".encode())
        assert connection.recv(4096).split()[1] == status


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


def test_what_streamlit_cannot_read_is_one_line_and_other_errors_keep_their_traceback():
    short = log_limits.RepetitionFilter(Clock())
    try:
        raise ValueError("a\nb" + "c" * 1000)
    except ValueError:
        what = {"msg": "Error %s", "args": ("here",), "exc_info": sys.exc_info()}
    records = [logging.makeLogRecord(what | {"name": name}) for name in ("streamlit.runtime.app_session", "asyncio")]
    assert all(short.filter(record) for record in records)
    line, trace = map(logging.Formatter().format, records)
    assert line.startswith("Error here (ValueError: a b")
    assert "\n" not in line
    assert len(line) < 300
    assert "Traceback" in trace


def beats(folder, monkeypatch, seconds, **environment):
    """What the service manager hears from a server in this time."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(folder / "notify"))
        manager.setblocking(False)
        for name in ("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"):
            monkeypatch.delenv(name, raising=False)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)

        async def run():
            async with heartbeat.beating():
                await asyncio.sleep(seconds)

        loop.run(run())
        heard = []
        with suppress(BlockingIOError):
            while True:
                heard.append(manager.recv(100))
        return heard


def test_a_service_manager_that_waits_for_heartbeats_hears_them_from_the_event_loop(tmp_path, monkeypatch):
    there = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": "30000"}
    heard = beats(tmp_path, monkeypatch, 0.2, **there)
    assert set(heard) == {b"WATCHDOG=1"}
    assert len(heard) > 1


@pytest.mark.parametrize(("usec", "pid"), [("", ""), ("0", ""), ("30000", "1")])
def test_nobody_else_hears_heartbeats(usec, pid, tmp_path, monkeypatch):
    there = {"NOTIFY_SOCKET": str(tmp_path / "notify"), "WATCHDOG_USEC": usec} | ({"WATCHDOG_PID": pid} if pid else {})
    assert beats(tmp_path, monkeypatch, 0.1, **there) == []


SYSTEMCTL = """#!/bin/sh
echo "$@" >> "$0.said"
if [ "$1" = list-units ]; then cat "$0.units"; fi
"""


@pytest.mark.slow
@pytest.mark.parametrize("units", ["svmlab@8501.service loaded active\nsvmlab@8502.service loaded activating\n", ""])
def test_an_upgrade_restarts_what_starts_just_now_too_and_says_where_nothing_runs(units, tmp_path):
    systemctl = tmp_path / "systemctl"
    systemctl.write_text(SYSTEMCTL)
    systemctl.chmod(0o755)
    (tmp_path / "systemctl.units").write_text(units)
    run = ["bash", str(ROOT / "deploy" / "upgrade")]
    path = f"{tmp_path}:{os.environ['PATH']}"
    done = subprocess.run(run, env=os.environ | {"PATH": path}, capture_output=True, text=True)
    said = (tmp_path / "systemctl.said").read_text().splitlines()
    names = [line.split()[0] for line in units.splitlines()]
    assert [line for line in said if line.startswith("restart")] == [f"restart {name}" for name in names]
    assert "activating" in next(line for line in said if line.startswith("list-units"))
    assert (done.returncode == 0) == bool(names)
    assert bool(done.stderr) != bool(names)
