"""Multiplications that one step of each method really does, counted: a step of descent, and a dense program's
factorisation (X3).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from svmlab.core.arrays import Array

Step = Literal["step", "batch-step", "kernel-step", "dual-qp"]


class Counter:
    """Multiplies, and remembers how often."""

    def __init__(self) -> None:
        self.count = 0

    def __call__(self, a: float, b: float) -> float:
        """A times b."""
        self.count += 1
        return a * b

    def inner(self, a: Sequence[float], b: Sequence[float]) -> float:
        """<a, b>."""
        return sum(self(p, q) for p, q in zip(a, b, strict=True))


def multiplications(step: Step, X: Array, y: Array) -> int:
    """How many the first full step of `step` does on the points X (m, d) with labels y (m,)."""
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
    inside = [x for x in drawn if times.inner(w, x) < np.inf]  # as if all violated: the dearest step
    w = [times(1 - h, w_j) for w_j in w]
    for x in inside:
        w = [w_j + times(h, x_j) for w_j, x_j in zip(w, x, strict=True)]
    return times.count


def _factor(times: Counter, A: list[list[float]]) -> None:
    """Cholesky of a positive definite A, row by row: what an interior-point step on the dense dual spends its time
    with.
    """
    L: list[list[float]] = []
    for i, row in enumerate(A):
        L.append([])
        for j in range(i + 1):
            rest = row[j] - times.inner(L[i][:j], L[j][:j])
            L[i].append(rest**0.5 if i == j else times(rest, 1.0 / L[j][j]))


def exponent(step: Step, X: Array, y: Array, small: int, large: int) -> tuple[float, int]:
    """The slope of log multiplications against log m between `small` and `large` points (repeated as needed), and the
    count at `large`.
    """
    counts = []
    for m in (small, large):
        rows = np.arange(m) % len(y)
        counts.append(multiplications(step, X[rows], y[rows]))
    return float(np.log(counts[1] / counts[0]) / np.log(large / small)), counts[1]
