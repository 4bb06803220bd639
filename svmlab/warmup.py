"""One call of every inner loop, for every kind of arguments: what is compiled, or read back, before anybody needs it.

    python -m svmlab.rehearsal

compiles all of an installation; with --tied no longer than somebody holds the other end of its standard input.
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
from svmlab.plane.contours import scene


def warm_up() -> None:
    """The whole rehearsal: some ten seconds where nothing is kept, a blink where everything is."""
    for _ in warm_up_steps():
        pass


def warm_up_steps() -> Iterator[None]:
    """Small problems of every kind, one after the other."""
    compiler.expect()
    few, many = make_dataset("overlapping", 24), make_dataset("overlapping", 500)
    for kernel in (every() for every in KERNELS.values()):
        for bias in (True, False):
            for C in (0.1, 1e3):
                yield None
                scene(solve(Problem(few, kernel, C, bias)), 4.0)
        if kernel.psd:
            yield None
            solve(Problem(many, kernel, 1.0))
    for sigma, C in (
        (0.5, 1e6),
        (1e-3, 1e3),
    ):  # many free multipliers: by exchanges and their factor, by conjugate gradients
        yield None
        solve(Problem(many, Gaussian(sigma), C))
    yield None
    solve(Problem(make_dataset("separable", 24), Linear(), math.inf))
    moved = Dataset(few.X + 1e-3 * (few.ids == 0)[:, None], few.y)
    solve(Problem(moved, Gaussian(1.0)), start=solve(Problem(few, Gaussian(1.0))))
    yield None
    regularization_path(Problem(few, Linear()))
    yield None
    pegasos(few, 0.1, 100)
    pegasos(few, 0.1, 100, kernel=Gaussian(1.0))
    yield None
    regression.certify(regression.solve(regression.Tube(regression.Values(few.X[:, :1], few.X[:, 1]), Gaussian(1.0))))
    yield None


def main() -> int:
    """Compile and keep everything; 1 as soon as something cannot be kept."""
    if "--tied" in sys.argv[1:]:
        Thread(target=_tied, daemon=True).start()
        logging.disable()  # who started this tells
        if hasattr(os, "nice"):
            os.nice(5)  # pages come first
    return int(any(has_unsaved_code() for _ in warm_up_steps()))


def _tied() -> None:
    while os.read(sys.stdin.fileno(), 4096):
        pass
    os._exit(1)


if __name__ == "__main__":
    sys.exit(main())
