"""Each labelling of a few points with what shows it: the widest line that makes it, or the two parts whose hulls meet
(G7).

Radon's partitions say which labellings no line makes; the line of all others is that of the hard margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab import Dataset, Linear, NotSeparable, Problem, Solution, SolverFailed, separate, solve
from svmlab.binary.separability import hyperplane_of
from svmlab.core.arrays import Array
from svmlab.generalisation import Circuit, circuits, labels, witness
from svmlab.kernels.base import Kernel
from svmlab.plane.contours import grid

SAME = 1e-7  # relatively: margins that are one but for rounding


@dataclass(frozen=True, eq=False)
class Dichotomy:
    """Labels y (m,), and w (2,), b of the widest line (w = 0 for one class alone) or the circuit that refutes them."""

    y: Array
    w: Array
    b: float
    circuit: Circuit | None

    @property
    def made(self) -> bool:
        """Whether a line makes these labels."""
        return self.circuit is None


def dichotomies(X: Array) -> tuple[Dichotomy, ...]:
    """All of them for 1 to 8 places X (m, 2), in the order of `labels`: the n-th and the n-th from the end are
    opposites.
    """
    known, ys = circuits(X), labels(len(X))
    half = []
    for y in ys[: len(ys) // 2]:
        found = witness(known, y)
        w, b = (np.zeros(2), 0.0) if found else widest(X, y)
        half.append(Dichotomy(y, w, b, found))
    return (*half, *(Dichotomy(-one.y, -one.w, -one.b, one.circuit) for one in reversed(half)))


def widest(X: Array, y: Array) -> tuple[Array, float]:
    """The widest line between classes that a line separates; where doubles cannot tell it, the exact line that proves
    it.
    """
    data = Dataset(X, y)
    if not data.both_classes:
        return np.zeros(X.shape[1]), float(y[0])
    found = hard(X, y, Linear())
    return hyperplane_of(separate(data)) if found is None or found.w is None else (found.w, found.b)


def number_of(y: Array) -> int:
    """The place of labels y (m,) in the order of `labels`."""
    return int(((y < 0) << np.arange(len(y))).sum())


@dataclass(frozen=True, eq=False)
class Kept:
    """A labelling with one that is its opposite: its number, its margin in units of R, and f over the square (n, n),
    row 0 below.
    """

    number: int
    margin: float
    f: Array


def kept(
    X: Array, kernel: Kernel, margins: Array, half: float, n: int, most: int, report: Callable[[float], None]
) -> tuple[Kept, ...]:
    """The labellings with a margin above 0, of each pair of opposites that with more +, the `most` widest; margins
    (2^m,) in units of R.
    """
    at, ys = np.linspace(-half, half, n), labels(len(X))
    last = len(ys) - 1
    out = [Kept(0, math.inf, np.ones((n, n)))]
    widest_first = np.argsort(-margins[: len(ys) // 2], kind="stable")[1:most].tolist()
    for done, k in enumerate(widest_first, start=1):
        number = k if ys[k].sum() >= 0 else last - k
        machine = hard(X, ys[number], kernel) if margins[k] > 0 else None
        if machine is not None:
            out.append(Kept(number, float(margins[k]), grid(machine, at, at)))
        report(done / len(widest_first))
    return tuple(out)


def hard(X: Array, y: Array, kernel: Kernel) -> Solution | None:
    """The hard margin machine of these labels, None where there is none."""
    try:
        return solve(Problem(Dataset(X, y), kernel, math.inf))
    except (NotSeparable, SolverFailed):
        return None


def staircase(found: Array) -> tuple[Array, Array]:
    """Where the number of labellings with a margin of rho or more falls (k,), from 0 on, and how many there are up to
    each and beyond.

    found (2^m,): their margins. The counts are (k + 1,), the first of those above 0, the last of those of one class.
    """
    possible = found[found > 0]
    finite = np.sort(possible[np.isfinite(possible)])
    first = np.r_[True, np.diff(finite) > SAME * finite[1:]] if len(finite) else np.zeros(0, dtype=bool)
    at = finite[first]
    counts = [len(possible), *(len(possible) - np.flatnonzero(first)), np.count_nonzero(np.isinf(possible))]
    return np.r_[0.0, at], np.array(counts)
