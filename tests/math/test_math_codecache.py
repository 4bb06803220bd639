"""Kept machine code that is torn, stale, unreadable or not to be written costs time, never an answer; and who compiles, when."""

import errno
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

from svmlab import codecache, compiled
from svmlab.codecache import CodeCache, unkept
from svmlab.compiled import reordered
from svmlab.entries import _at_once, squares
from tests.kept import copy, tear

ROOT = Path(__file__).parents[2]


def double(x):
    return 2 * x


def triple(x):
    return 3 * x


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of its own, in a process that has no trouble yet."""
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(codecache, "_told", False)
    monkeypatch.setattr(codecache, "_unkept", False)
    return tmp_path


def answer(function: Callable, x: float = 21) -> tuple[float, int]:
    """As a new process would find it: the value, and whether code was read."""
    loop = reordered(function)
    return loop(x), sum(loop.stats.cache_hits.values())


def only(cache: Path) -> Path:
    (file,) = cache.rglob("*.nbc")
    return file


def test_what_is_kept_is_read(cache):
    assert answer(double) == (42, 0)
    assert answer(double) == (42, 1)
    assert not unkept()


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
    assert not unkept()


def test_torn_files_are_told_once(cache, caplog):
    for function in (double, triple):
        answer(function)
    for file in cache.rglob("*.nbc"):
        tear(file)
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


def test_on_a_full_disk_loops_are_compiled_and_that_is_told_once(cache, caplog, monkeypatch):
    monkeypatch.setattr(os, "replace", full)
    assert (answer(double), answer(triple), answer(double)) == ((42, 0), (63, 0), (42, 0))
    assert [r.levelno for r in caplog.records] == [logging.WARNING]
    assert "No space left" in caplog.text
    assert unkept()
    assert not list(cache.rglob("*.nbc*")), "nothing half written is left"


def test_a_folder_that_is_gone_when_it_is_needed_is_no_trouble(cache, caplog):
    loop, folder = reordered(double), next(p for p in cache.iterdir())
    folder.rmdir()
    folder.write_text("a file where the folder was")
    assert loop(21) == 42
    assert len(caplog.records) == 1
    assert unkept()


def test_a_place_that_can_be_neither_read_nor_written_is_no_trouble(cache, caplog):
    answer(double)
    place = only(cache)
    place.unlink()
    place.mkdir()
    assert answer(double) == (42, 0)
    assert len(caplog.records) == 1


def test_code_of_another_source_or_another_numba_is_not_run(cache, caplog, monkeypatch):
    answer(double)
    monkeypatch.setattr(codecache.numba, "__version__", "another")
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
    one, other = reordered(double), reordered(double)
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
    compiled.leave()
    yield
    compiled.resume()


def test_where_compiling_is_left_to_others_loops_run_as_they_are_written(left):
    loop = compiled.compiled(double, meanwhile=triple)  # not the same, so that one sees which has run
    assert not compiled.waiting()
    assert loop(21) == 63
    assert compiled.waiting()
    assert reordered(double)("ab") == "abab", "as Python has it"
    compiled.resume()
    assert loop(21) == 42
    assert not compiled.waiting()


def test_code_that_is_kept_is_read_all_the_same(cache, left):
    compiled.resume()
    answer(double)
    compiled.leave()
    assert compiled.compiled(double, meanwhile=triple)(21) == 42
    assert not compiled.waiting()


def test_torn_code_is_left_to_others_too(cache, caplog):
    answer(double)
    tear(only(cache))
    compiled.leave()
    assert compiled.compiled(double, meanwhile=triple)(21) == 63
    compiled.resume()
    assert "torn" in caplog.text


def test_one_thread_may_compile_what_all_then_use(left):
    loop = compiled.compiled(double, meanwhile=triple)
    found = [loop(21)]

    def work() -> None:
        compiled.take_over()
        found.append(loop(21))

    worker = Thread(target=work)
    worker.start()
    worker.join()
    assert [*found, loop(21), loop(0.5)] == [63, 42, 42, 1.5]


@pytest.mark.parametrize("d", [1, 2, 5])
def test_squares_are_the_same_to_the_bit_compiled_written_out_and_by_numpy(d):
    rng = np.random.default_rng(d)
    X, Zt = rng.normal(size=(7, d)), rng.normal(size=(d, 9))
    found = np.empty((3, 7, 9))
    for out, loop in zip(found, (squares, squares.py_func, _at_once), strict=True):
        loop(X, Zt, -0.7, out)
    assert (found == found[0]).all()


# ---------------------------------------------------------------- the loops of the package

SOLVED = """
from svmlab import Gaussian, Problem, make_dataset, solve
print(solve(Problem(make_dataset("moons", 24), Gaussian(1.0))).alpha.tolist())
"""


def test_the_package_solves_with_one_of_its_loops_torn(tmp_path, rehearsed):
    def run() -> tuple[str, str]:
        environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
        done = subprocess.run(
            [sys.executable, "-c", SOLVED], cwd=ROOT, env=environment, capture_output=True, text=True, timeout=200
        )
        assert done.returncode == 0, done.stderr
        return done.stdout, done.stderr

    copy(tmp_path)
    for file in tmp_path.rglob("gram._scale*.nbc"):
        tear(file)
    alpha, log = run()
    assert log.count("\n") == 1
    assert "torn" in log
    assert run() == (alpha, "")
