"""Call every inner loop once for every kind of arguments, so that it is compiled or loaded before it is needed.

    python -m svmlab.warmup

compiles all loops of an installation. With --tied the process ends as soon as its standard input is closed.
"""

from __future__ import annotations

import logging
import math
import os
import sys
from collections.abc import Iterator
from threading import Thread

from svmlab import (
    Dataset,
    Gaussian,
    Linear,
    Problem,
    make_dataset,
    pegasos,
    regression,
    regularization_path,
    solve,
)
from svmlab.jit import compiler
from svmlab.jit.cache import has_unsaved_code
from svmlab.kernels.standard import KERNELS
from svmlab.plane.contours import draw_solution


def warm_up() -> None:
    """Run every inner loop. This takes about ten seconds if no compiled code is kept, and almost no time otherwise."""
    for _ in warm_up_steps():
        pass


def warm_up_steps() -> Iterator[None]:
    """Solve small problems of every kind, one after the other, and yield between them."""
    compiler.silence_compile_log()
    few, many = make_dataset("overlapping", 24), make_dataset("overlapping", 500)
    for kernel in (kernel_class() for kernel_class in KERNELS.values()):
        for bias in (True, False):
            for C in (0.1, 1e3):
                yield None
                draw_solution(solve(Problem(few, kernel, C, bias)), 4.0)
        if kernel.psd:
            yield None
            solve(Problem(many, kernel, 1.0))
    for sigma, C in (
        (0.5, 1e6),
        (1e-3, 1e3),
    ):  # many free multipliers: found by exchanges with a factorisation, and by conjugate gradients
        yield None
        solve(Problem(many, Gaussian(sigma), C))
    yield None
    Linear().diag(few.X)  # of read-only points, which a kernel without features meets late
    hard = Problem(make_dataset("separable", 24), Linear(), math.inf)
    solve(hard, start=solve(hard))
    moved = Dataset(few.X + 1e-3 * (few.ids == 0)[:, None], few.y)
    first = solve(Problem(few, Gaussian(1.0)))
    solve(Problem(moved, Gaussian(1.0)), start=first)
    solve(Problem(few, Gaussian(1.0), 1.1), start=first)
    yield None
    regularization_path(Problem(few, Linear()))
    yield None
    pegasos(few, 0.1, 100)
    pegasos(few, 0.1, 100, kernel=Gaussian(1.0))
    yield None
    regression.certify(regression.solve(regression.Tube(regression.Values(few.X[:, :1], few.X[:, 1]), Gaussian(1.0))))
    yield None


def main() -> int:
    """Compile every loop and keep its code. Return 1 as soon as some code cannot be kept."""
    if "--tied" in sys.argv[1:]:
        Thread(target=_tied, daemon=True).start()
        logging.disable()  # the process that started this one reports
        if hasattr(os, "nice"):
            os.nice(5)  # serving pages has priority
    return int(any(has_unsaved_code() for _ in warm_up_steps()))


def _tied() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
