"""Nobody waits for the compiler: a first start compiles what will be called, elsewhere, and pages say so and go on."""

import os
import subprocess
import sys
import time
from pathlib import Path
from threading import Event

import pytest
from numba import config
from streamlit.testing.v1 import AppTest

from svmlab import warmup
from svmlab.jit import cache, compiler
from svmlab.lab.frame import compile_in_background
from svmlab.lab.frame.compile_in_background import Preparation
from tests.eyes import WAIT

ROOT = Path(__file__).parents[2]

TOUR = """
import math, sys
from svmlab.warmup import warm_up
from svmlab import *
from svmlab.kernels.standard import KERNELS
from svmlab.plane.contours import draw_solution
from numba.core.dispatcher import Dispatcher

def compiled():
    return {f"{name}.{key}": len(value.signatures) for name, module in list(sys.modules.items())
            if name.startswith("svmlab") for key, value in vars(module).items() if isinstance(value, Dispatcher)}

{first}
before = compiled()
assert len(before) > 15
for name in DATASETS:
    data = make_dataset(name)
    for kernel in [Polynomial(2), Gaussian(0.5), *(k() for k in KERNELS.values() if k is not Polynomial)]:
        for C in (1e-3, 1.0, 1e4, math.inf):
            for bias in (True, False):
                problem = Problem(data, kernel, C, bias)
                try:
                    solution = solve(problem)
                except SvmError:
                    continue
                draw_solution(solution, 4.0)
                solution = solve(Problem(data, kernel, 1.1 * C, bias), start=solution)
                try:
                    moved = Dataset(data.X + 0.1 * (data.ids == 3)[:, None], data.y)
                    solve(Problem(moved, kernel, C, bias), start=solution)
                except SvmError:
                    pass
regularization_path(Problem(make_dataset("moons", 40), Gaussian(1.0)))
pegasos(make_dataset("overlapping", 30), 0.01, 500, runs=3, batch=4, project=True)
pegasos(make_dataset("overlapping", 30), 0.01, 500, kernel=Polynomial(2))
print([name for name, count in compiled().items() if count > before.get(name, 0)])
"""


def compiled_late(first: str) -> str:
    command = [sys.executable, "-c", TOUR.replace("{first}", first)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=200)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_after_the_preparation_nothing_is_left_to_compile():
    assert compiled_late("warm_up()") == "[]"


@pytest.mark.sweep
def test_without_it_there_would_be():
    assert "active_set" in compiled_late("")


def test_the_compiler_stops_when_nobody_holds_its_input_any_more(tmp_path):
    command, environment = (
        [sys.executable, "-m", warmup.__name__, "--tied"],
        os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)},
    )
    compiler = subprocess.Popen(command, cwd=ROOT, env=environment, stdin=subprocess.PIPE)
    compiler.stdin.close()
    assert compiler.wait(WAIT) == 1


def double(x):
    return 2 * x


def triple(x):
    return 3 * x


PROGRAMS = {
    "dies": "raise SystemExit(7)",
    "ends without having kept anything": "",
    "waits": "import sys; sys.stdin.read()",
}


class Start:
    """A start of the server with one loop to compile, which says whether it ran as it is written (3 x) or compiled (2
    x)."""

    def __init__(self, program: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.compilers: list[subprocess.Popen[bytes]] = []
        popen = subprocess.Popen

        def run(command: list[str], **how: object) -> subprocess.Popen[bytes]:
            self.compilers.append(popen([sys.executable, "-c", program], **how))
            return self.compilers[-1]

        def rehearse() -> list[int]:
            return [self.loop(1)]

        monkeypatch.setattr(subprocess, "Popen", run)
        monkeypatch.setattr(warmup, "warm_up_steps", rehearse)
        monkeypatch.setattr(warmup, "warm_up", rehearse)
        self.loop = compiler.compiled(double, fallback=triple)
        self.work = Preparation()
        self.work.known.wait()


@pytest.fixture
def start(tmp_path, monkeypatch):
    """A maker of starts with a cache of their own."""
    made = []
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(cache, "_reported", False)
    monkeypatch.setattr(cache, "_unkept", False)

    def make(program: str) -> Start:
        made.append(Start(PROGRAMS[program], monkeypatch))
        return made[-1]

    yield make
    for one in made:
        one.work.stop()
        one.work.thread.join(WAIT)


def until(condition):
    end = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_where_everything_is_kept_nothing_is_compiled_and_nothing_said(start):
    assert compiler.compiled(double)(1) == 2
    begun = start("dies")
    begun.work.thread.join(WAIT)
    assert not begun.compilers
    assert not begun.work.going
    assert begun.loop(1) == 2


def test_what_another_process_compiles_runs_as_it_is_written_meanwhile(start, caplog):
    begun = start("waits")
    assert begun.work.going
    assert begun.loop(1) == 3
    until(lambda: begun.compilers)
    begun.compilers[0].kill()
    until(lambda: caplog.records)
    assert f"ended with {begun.compilers[0].returncode}" in caplog.text


def test_a_compiler_that_kept_nothing_leaves_it_to_the_server(start, caplog):
    begun = start("ends without having kept anything")
    begun.work.thread.join(WAIT)
    assert not begun.work.going
    assert begun.loop(1) == 2
    assert not caplog.records


def test_where_the_compiler_dies_the_server_compiles_after_the_first_picture(start, caplog):
    begun = start("dies")
    until(lambda: caplog.records)
    assert "ended with 7" in caplog.text
    assert begun.work.going
    assert begun.loop(1) == 3
    begun.work.picture_shown.set()
    begun.work.thread.join(WAIT)
    assert not begun.work.going
    assert begun.loop(1) == 2


def test_where_nothing_can_be_kept_so_does_the_server(start, monkeypatch):
    monkeypatch.setattr(cache, "_unkept", True)
    begun = start("dies")
    assert begun.work.going
    assert begun.loop(1) == 3
    begun.work.picture_shown.set()
    begun.work.thread.join(WAIT)
    assert not begun.compilers
    assert begun.loop(1) == 2


def test_and_where_no_process_can_be_started(start, monkeypatch, caplog):
    monkeypatch.setattr(sys, "executable", "/nowhere")
    begun = start("dies")
    until(lambda: caplog.records)
    begun.work.picture_shown.set()
    begun.work.thread.join(WAIT)
    assert begun.loop(1) == 2


def test_a_server_that_stops_leaves_no_compiler_behind(start, caplog):
    begun = start("waits")
    until(lambda: begun.compilers)
    begun.work.stop()
    begun.work.thread.join(WAIT)
    assert begun.compilers[0].poll() is not None
    assert not caplog.records


def test_a_page_says_what_is_being_prepared_and_that_alone(monkeypatch):
    class Going:
        known, picture_shown, going = Event(), Event(), True

    def said(at: AppTest) -> bool:
        assert not at.exception
        return "svmlab_preparing" in [e.proto.component_name for e in at.get("bidi_component")]

    def answer(asked: str = compile_in_background.PATH) -> str:
        (route,) = (route for route in compile_in_background.routes() if route.path == f"/{asked}")
        said = route.endpoint(None)
        assert (said.status_code == 200) == (said.body.decode() != "preparing")
        return said.body.decode()

    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    assert not said(at.run())
    assert answer() == "over"
    Going.going = False
    monkeypatch.setattr(compile_in_background, "_preparation", Going)
    assert answer(compile_in_background.READY) == "preparing", "as long as nobody knows"
    Going.known.set()
    Going.going = True
    assert said(at.run())
    assert not Going.picture_shown.is_set(), "it is the browser that tells"
    assert answer() == "going"
    assert Going.picture_shown.is_set()
    assert answer(compile_in_background.READY) == "preparing"
    Going.going = False
    assert answer() == "over"
    assert answer(compile_in_background.READY) == "ready"
    assert not said(at.run())
