"""The machine code that warming up has left for the tests, to be copied and torn."""

from __future__ import annotations

import shutil
from pathlib import Path

from numba.core.caching import UserProvidedCacheLocator

from svmlab.kernels import distances
from svmlab.pegasos import linear_run
from svmlab.solvers import active_set
from svmlab.solvers.gram import dense
from svmlab.solvers.path import partition

LOOPS = (  # one of each folder
    distances.squared_distances,
    linear_run._steps,
    active_set.newton_free_set,
    dense._scale,
    partition._optimal,
)


def copy_compiled(to: Path) -> None:
    """All of it, where a process with NUMBA_CACHE_DIR = `to` looks for it."""
    for loop in LOOPS:
        source = loop.py_func.__code__.co_filename
        place = UserProvidedCacheLocator.get_suitable_cache_subpath(source)
        shutil.copytree(
            loop.stats.cache_path, to / place, ignore=lambda _, names: [n for n in names if not n.endswith(".nbc")]
        )


def truncate(file: Path) -> None:
    """Leave the first half."""
    content = file.read_bytes()
    file.write_bytes(content[: len(content) // 2])
