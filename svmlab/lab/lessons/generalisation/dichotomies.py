"""Each labelling of a few points with its proof: the line of largest margin, or two convex hulls that meet (G7).

Radon partitions show which labellings no line realises. The line of every other labelling is that of the hard margin.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab import Dataset, Linear, NotSeparable, Problem, Solution, SolverFailed, separate, solve
from svmlab.binary.separability import hyperplane_of
from svmlab.core.arrays import Array
from svmlab.generalisation import Circuit, circuits, labels, refuting_circuit
from svmlab.kernels.base import Kernel
from svmlab.plane.contours import decision_grid

SAME = 1e-7  # relative: margins that differ by at most this are equal up to rounding


@dataclass(frozen=True, eq=False)
class Dichotomy:
    """Labels y (m,), and w (2,), b of their line, w = 0 for one class, or the circuit that refutes them.

    The line has the largest margin.
    """

    y: Array
    w: Array
    b: float
    circuit: Circuit | None

    @property
    def is_realised(self) -> bool:
        """Return whether a line realises these labels."""
        return self.circuit is None


def dichotomies(X: Array) -> tuple[Dichotomy, ...]:
    """Return all labellings of 1 to 8 points X (m, 2), in the order of `labels`.

    The n-th and the n-th from the end are opposites.
    """
    known, ys = circuits(X), labels(len(X))
    half = []
    for y in ys[: len(ys) // 2]:
        circuit = refuting_circuit(known, y)
        w, b = (np.zeros(2), 0.0) if circuit else widest(X, y)
        half.append(Dichotomy(y, w, b, circuit))
    return (
        *half,
        *(Dichotomy(-dichotomy.y, -dichotomy.w, -dichotomy.b, dichotomy.circuit) for dichotomy in reversed(half)),
    )


def widest(X: Array, y: Array) -> tuple[Array, float]:
    """Return the line of largest margin between separable classes.

    Where double precision does not resolve it, it is the exact line that proves the separability.
    """
    data = Dataset(X, y)
    if not data.both_classes:
        return np.zeros(X.shape[1]), float(y[0])
    solution = hard(X, y, Linear())
    return hyperplane_of(separate(data)) if solution is None or solution.w is None else (solution.w, solution.b)


def number_of(y: Array) -> int:
    """Return the index of labels y (m,) in the order of `labels`."""
    return int(((y < 0) << np.arange(len(y))).sum())


@dataclass(frozen=True, eq=False)
class Kept:
    """A labelling that stands for itself and its opposite.

    number: its index. margin: in units of R. f: over the square (n, n), row 0 at the bottom.
    """

    number: int
    margin: float
    f: Array


def kept(
    X: Array, kernel: Kernel, margins: Array, half: float, n: int, most: int, report: Callable[[float], None]
) -> tuple[Kept, ...]:
    """Return the `most` labellings with the largest margin above 0.

    Of each pair of opposites it is the one with more +. margins (2^m,) are in units of R.
    """
    axis, ys = np.linspace(-half, half, n), labels(len(X))
    last = len(ys) - 1
    labellings = [Kept(0, math.inf, np.ones((n, n)))]
    widest_first = np.argsort(-margins[: len(ys) // 2], kind="stable")[1:most].tolist()
    for done, k in enumerate(widest_first, start=1):
        number = k if ys[k].sum() >= 0 else last - k
        solution = hard(X, ys[number], kernel) if margins[k] > 0 else None
        if solution is not None:
            labellings.append(Kept(number, float(margins[k]), decision_grid(solution, axis, axis)))
        report(done / len(widest_first))
    return tuple(labellings)


def hard(X: Array, y: Array, kernel: Kernel) -> Solution | None:
    """Return the hard margin solution of these labels, None where there is none."""
    try:
        return solve(Problem(Dataset(X, y), kernel, math.inf))
    except (NotSeparable, SolverFailed):
        return None


def staircase(margins: Array) -> tuple[Array, Array]:
    """Return the margins rho (k,) at which the number of labellings with at least that margin falls, from 0 on.

    The second value is the number up to each and beyond, (k + 1,). The first of these numbers counts the labellings
    above 0, and the last one those of one class. margins (2^m,): the margins of the labellings.
    """
    possible = margins[margins > 0]
    finite = np.sort(possible[np.isfinite(possible)])
    first = np.r_[True, np.diff(finite) > SAME * finite[1:]] if len(finite) else np.zeros(0, dtype=bool)
    steps = finite[first]
    counts = [len(possible), *(len(possible) - np.flatnonzero(first)), np.count_nonzero(np.isinf(possible))]
    return np.r_[0.0, steps], np.array(counts)
