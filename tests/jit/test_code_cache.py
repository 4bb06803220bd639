"""Kept machine code that is torn, stale, unreadable or not to be written costs time, never an answer; and who compiles,
when."""

import errno
import importlib.util
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from numba import config

from svmlab.core.tolerances import ZERO_CURVATURE
from svmlab.jit import cache as code_cache
from svmlab.jit import compiler
from svmlab.jit.cache import CodeCache, frozen_numbers, has_unsaved_code
from svmlab.jit.compiler import compiled_fastmath
from svmlab.kernels.distances import _squared_distances_numpy, squared_distances
from svmlab.solvers import active_set
from tests.kept import copy_compiled, truncate

ROOT = Path(__file__).parents[2]


def double(x):
    return 2 * x


def triple(x):
    return 3 * x


TIMES = 2.0


@compiled_fastmath
def multiplied(x):
    return TIMES * x


def one_more(x):
    return multiplied(x) + ZERO_CURVATURE


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in a process that has no trouble yet."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(code_cache, "_reported", False)
    monkeypatch.setattr(code_cache, "_unkept", False)
    monkeypatch.setattr(code_cache, "_folders", set())  # those of the loops of a test do not outlive it
    monkeypatch.setattr(compiler, "_missing", compiler.LONG_WAIT_LOOPS)  # who waits has been told
    return tmp_path


def answer(function: Callable, x: float = 21) -> tuple[float, int]:
    """As a new process would find it: the value, and whether code was read."""
    loop = compiled_fastmath(function)
    return loop(x), sum(loop.stats.cache_hits.values())


def only(cache: Path) -> Path:
    (file,) = cache.rglob("*.nbc")
    return file


def test_what_is_kept_is_read(cache):
    assert answer(double) == (42, 0)
    assert answer(double) == (42, 1)
    assert not has_unsaved_code()


@pytest.mark.parametrize("name", ["TIMES", "ZERO_CURVATURE"])
def test_a_loop_is_compiled_anew_if_a_number_that_it_froze_has_changed(cache, monkeypatch, name):
    assert answer(one_more) == (42 + ZERO_CURVATURE, 0)
    assert answer(one_more) == (42 + ZERO_CURVATURE, 1)
    monkeypatch.setitem(globals(), name, 3.0)
    monkeypatch.setitem(globals(), "multiplied", compiled_fastmath(multiplied.py_func))
    assert answer(one_more) == (TIMES * 21 + ZERO_CURVATURE, 0)


def test_the_thresholds_belong_to_the_code_of_the_exchanges():
    numbers = frozen_numbers(active_set.pivot.py_func)
    assert numbers["svmlab.solvers.active_set.ZERO_CURVATURE"] == ZERO_CURVATURE
    assert {name.rsplit(".")[-1] for name in numbers} >= {"FREE_SET_TOLERANCE", "SMALL_STEP", "UPDATE_PIVOT"}


def flipped(content: bytes) -> bytes:
    middle = len(content) // 2
    return content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]


DAMAGE = {
    "cut": lambda content: content[: len(content) // 2],
    "cut in its head": lambda content: content[:50],
    "empty": lambda content: b"",
    "zeros at the end": lambda content: content[:-4096] + bytes(4096),
    "one bit": flipped,
    "something else": lambda content: b"\x80\x05not a pickle.",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_torn_file_is_compiled_anew_and_mended(cache, caplog, damage):
    answer(double)
    only(cache).write_bytes(DAMAGE[damage](only(cache).read_bytes()))
    assert answer(double) == (42, 0)
    assert answer(double) == (42, 1)
    assert len(caplog.records) <= 1
    assert not has_unsaved_code()


def test_damaged_files_are_reported_once(cache, caplog):
    for function in (double, triple):
        answer(function)
    for file in cache.rglob("*.nbc"):
        truncate(file)
    assert (answer(double), answer(triple)) == ((42, 0), (63, 0))
    assert len(caplog.records) == 1
    assert "torn" in caplog.text


def test_a_file_whose_code_cannot_be_rebuilt_is_compiled_anew(cache, caplog, monkeypatch):
    answer(double)
    with monkeypatch.context() as patched:
        patched.setattr(CodeCache._impl_class, "rebuild", lambda *args: {}["no such name"])
        assert answer(double) == (42, 0)
    assert "no such name" in caplog.text
    assert answer(double) == (42, 1)


def full(*args: object) -> None:
    raise OSError(errno.ENOSPC, "No space left on device")


def test_on_a_full_disk_loops_are_compiled_and_that_is_reported_once(cache, caplog, monkeypatch):
    monkeypatch.setattr(os, "replace", full)
    assert (answer(double), answer(triple), answer(double)) == ((42, 0), (63, 0), (42, 0))
    assert [r.levelno for r in caplog.records] == [logging.WARNING]
    assert "No space left" in caplog.text
    assert has_unsaved_code()
    assert not list(cache.rglob("*.nbc*")), "nothing half written is left"


def test_a_folder_that_is_gone_when_it_is_needed_is_no_trouble(cache, caplog):
    loop, folder = compiled_fastmath(double), next(p for p in cache.iterdir())
    folder.rmdir()
    folder.write_text("a file where the folder was")
    assert loop(21) == 42
    assert len(caplog.records) == 1
    assert has_unsaved_code()


def test_a_folder_that_can_be_neither_read_nor_written_is_no_error(cache, caplog):
    answer(double)
    place = only(cache)
    place.unlink()
    place.mkdir()
    assert answer(double) == (42, 0)
    assert len(caplog.records) == 1


def test_code_of_another_source_or_another_numba_is_not_run(cache, caplog, monkeypatch):
    answer(double)
    monkeypatch.setattr(code_cache.numba, "__version__", "another")
    assert answer(double) == (42, 0)
    monkeypatch.undo()
    monkeypatch.setattr(config, "CACHE_DIR", str(cache))
    monkeypatch.setattr(
        CodeCache, "_index_key", lambda self, sig, codegen: (sig, codegen.magic_tuple(), "other bytecode")
    )
    assert answer(double) == (42, 0)
    assert not caplog.records
    assert only(cache), "written over"


def test_two_that_write_at_once_leave_the_code_of_both(cache, monkeypatch):
    one, other = compiled_fastmath(double), compiled_fastmath(double)
    replace = os.replace

    def between(*names: str) -> None:
        monkeypatch.setattr(os, "replace", replace)
        assert other(0.5) == 1.0
        replace(*names)

    monkeypatch.setattr(os, "replace", between)
    assert one(21) == 42
    assert answer(double, 21) == (42, 1)
    assert answer(double, 0.5) == (1.0, 1)


# ---------------------------------------------------------------- who compiles, and when


@pytest.fixture
def left(cache):
    compiler.leave_compiling_to_others()
    yield
    compiler.resume_compiling()


def test_where_compiling_is_left_to_others_loops_run_as_they_are_written(left):
    loop = compiler.compiled(double, fallback=triple)  # not the same, so that one sees which has run
    assert not compiler.has_run_uncompiled()
    assert loop(21) == 63
    assert compiler.has_run_uncompiled()
    assert compiled_fastmath(double)("ab") == "abab", "as Python has it"
    compiler.resume_compiling()
    assert loop(21) == 42
    assert not compiler.has_run_uncompiled()


def test_code_that_is_kept_is_read_all_the_same(cache, left):
    compiler.resume_compiling()
    answer(double)
    compiler.leave_compiling_to_others()
    assert compiler.compiled(double, fallback=triple)(21) == 42
    assert not compiler.has_run_uncompiled()


def test_torn_code_is_left_to_others_too(cache, caplog):
    answer(double)
    truncate(only(cache))
    compiler.leave_compiling_to_others()
    assert compiler.compiled(double, fallback=triple)(21) == 63
    compiler.resume_compiling()
    assert "torn" in caplog.text


def test_one_thread_may_compile_what_all_then_use(left):
    loop = compiler.compiled(double, fallback=triple)
    products = [loop(21)]

    def work() -> None:
        compiler.compile_in_this_thread()
        products.append(loop(21))

    worker = Thread(target=work)
    worker.start()
    worker.join()
    assert [*products, loop(21), loop(0.5)] == [63, 42, 42, 1.5]


@pytest.mark.parametrize("d", [1, 2, 5])
def test_squares_are_the_same_to_the_bit_compiled_written_out_and_by_numpy(d):
    rng = np.random.default_rng(d)
    X, Zt = rng.normal(size=(7, d)), rng.normal(size=(d, 9))
    squares = np.empty((3, 7, 9))
    for out, loop in zip(
        squares, (squared_distances, squared_distances.py_func, _squared_distances_numpy), strict=True
    ):
        loop(X, Zt, -0.7, out)
    assert (squares == squares[0]).all()


# ---------------------------------------------------------------- who is told that it takes long


@pytest.fixture
def unannounced(cache, monkeypatch):
    """A process in which nothing had to be compiled yet."""
    monkeypatch.setattr(compiler, "_missing", 0)


def thrice(x):
    return x + x + x


def test_compiling_several_loops_is_explained_once_with_the_way_to_prepare_it(unannounced, caplog):
    answer(double)
    assert not caplog.records, "one loop takes a second"
    for function in (triple, thrice):
        answer(function)
    (record,) = caplog.records
    assert (record.name, record.levelno) == ("svmlab.jit.compiler", logging.WARNING)
    assert f"python -m {compiler.WARMUP_MODULE}" in record.getMessage()
    assert "\n" not in record.getMessage()
    assert importlib.util.find_spec(compiler.WARMUP_MODULE), "the command is there"


def test_nothing_is_printed_where_the_code_is_cached(unannounced, caplog, monkeypatch):
    for function in (double, triple, thrice):
        answer(function)
    caplog.clear()
    monkeypatch.setattr(compiler, "_missing", 0)
    assert [answer(function)[1] for function in (double, triple, thrice)] == [1, 1, 1]
    assert not caplog.records


def test_nothing_is_printed_where_the_page_says_it_or_warmup_was_started(unannounced, caplog):
    compiler.leave_compiling_to_others()
    compiler.compile_in_this_thread()
    try:
        answers = [answer(function)[0] for function in (double, triple)]
    finally:
        compiler.resume_compiling()
    compiler.silence_compile_log()
    assert [*answers, answer(thrice)[0]] == [42, 63, 63]
    assert not caplog.records


def test_the_level_of_the_package_s_logger_silences_it(unannounced, caplog):
    with caplog.at_level(logging.ERROR, logger="svmlab"):
        for function in (double, triple):
            answer(function)
    assert not caplog.records


# ---------------------------------------------------------------- the loops of the package

SOLVED = """
from svmlab import Gaussian, Problem, make_dataset, solve
print(solve(Problem(make_dataset("moons", 24), Gaussian(1.0))).alpha.tolist())
"""


def run(cache: Path) -> tuple[str, str]:
    """What a new process with this cache writes to its output and to its errors."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", SOLVED], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=400
    )
    assert done.returncode == 0, done.stderr
    return done.stdout, done.stderr


@pytest.mark.slow
def test_the_package_solves_with_one_of_its_loops_torn(tmp_path, warmed_up):
    copy_compiled(tmp_path)
    for file in tmp_path.rglob("dense._scale*.nbc"):
        truncate(file)
    alpha, log = run(tmp_path)
    assert log.count("\n") == 1
    assert "torn" in log
    assert run(tmp_path) == (alpha, "")


@pytest.mark.slow  # compiles what a solve needs
def test_the_first_solve_of_an_installation_says_why_it_takes_long_and_the_second_says_nothing(tmp_path):
    alpha, log = run(tmp_path)
    assert log.count("\n") == 1
    assert f"python -m {compiler.WARMUP_MODULE}" in log
    assert run(tmp_path) == (alpha, "")
