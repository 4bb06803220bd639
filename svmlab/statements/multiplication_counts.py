"""Count the multiplications of one step of each method (X3).

The methods are a descent step and the factorisation of a dense program.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from svmlab.core.arrays import Array

Step = Literal["step", "batch-step", "kernel-step", "dual-qp"]


class Counter:
    """A multiplication that counts how often it is called."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, a: float, b: float) -> float:
        """Return a times b."""
        self.count += 1
        return a * b

    def inner(self, a: Sequence[float], b: Sequence[float]) -> float:
        """Return <a, b>."""
        return sum(self(p, q) for p, q in zip(a, b, strict=True))


def multiplications(step: Step, X: Array, y: Array) -> int:
    """Return the number of multiplications of the first full `step` on the points X (m, d) with labels y (m,)."""
    times, z = Counter(), (y[:, None] * X).tolist()
    if step == "dual-qp":
        _factor(times, (np.outer(y, y) * (X @ X.T) + np.eye(len(y)) * (1.0 + (X * X).sum())).tolist())
        return times.count
    w, h = list(z[0]), 0.5
    if step == "kernel-step":
        beta = [0.5] * len(y)
        times.inner(beta, [times.inner(x, z[-1]) for x in z])
        return times.count
    drawn = z if step == "batch-step" else z[-1:]
    # all points count as violated, so that the step is the most expensive one
    violated = [x for x in drawn if times.inner(w, x) < np.inf]
    w = [times(1 - h, w_j) for w_j in w]
    for x in violated:
        w = [w_j + times(h, x_j) for w_j, x_j in zip(w, x, strict=True)]
    return times.count


def _factor(times: Counter, A: list[list[float]]) -> None:
    """Carry out the Cholesky factorisation of a positive definite A, row by row.

    An interior-point step on the dense dual spends most of its time on it.
    """
    L: list[list[float]] = []
    for i, row in enumerate(A):
        L.append([])
        for j in range(i + 1):
            rest = row[j] - times.inner(L[i][:j], L[j][:j])
            L[i].append(rest**0.5 if i == j else times(rest, 1.0 / L[j][j]))


def exponent(step: Step, X: Array, y: Array, small: int, large: int) -> tuple[float, int]:
    """Return the slope of log multiplications against log m between two numbers of points.

    The numbers are `small` and `large`; the points are repeated as needed. The second value is the count at `large`.
    """
    counts = []
    for m in (small, large):
        rows = np.arange(m) % len(y)
        counts.append(multiplications(step, X[rows], y[rows]))
    return float(np.log(counts[1] / counts[0]) / np.log(large / small)), counts[1]
