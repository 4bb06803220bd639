"""The hard margin of a board along the width of its Gaussian, and the digits that its Gram matrix takes (K11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab import Dataset, Gaussian, Problem, SvmError, solve
from svmlab.core.arrays import Array, Index, Mask
from svmlab.core.errors import SolverFailed
from svmlab.kernels.features import Definite, definite

WIDTHS = (0.1, 0.14, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.5, 7.0, 10.0)
DOUBLE = -float(np.log10(np.finfo(float).eps))  # the digits of a double: 15.65


@dataclass(frozen=True, eq=False)
class Widths:
    """Along WIDTHS: the margin (k,), nan where there is none or doubles do not find it, and the support vectors (k,), 0
    there.

    Both of the points without those whose place carries both labels. digits: (k,) the decimal logarithm of largest over
    least eigenvalue of the Gram matrix of all distinct places.
    """

    sigma: Array
    margin: Array
    vectors: Index
    digits: Array


def along(data: Dataset, bias: bool, report: Callable[[float], None]) -> Widths:
    """One machine in doubles and one proof in decimals for each width; `report` gets the fraction done."""
    left = without(data)
    margin, vectors, digits = np.full(len(WIDTHS), np.nan), np.zeros(len(WIDTHS), dtype=np.intp), np.zeros(len(WIDTHS))
    for i, sigma in enumerate(WIDTHS):
        report(i / len(WIDTHS))
        try:
            machine = solve(Problem(left, Gaussian(sigma), np.inf, bias))
            margin[i], vectors[i] = machine.geometric_margin, int(machine.support.sum())
        except SvmError:  # no points, or a margin that doubles do not see
            pass
        digits[i] = needed(proof(data, sigma))
    return Widths(np.array(WIDTHS), margin, vectors, digits)


def proof(data: Dataset, sigma: float) -> Definite | None:
    """That a Gaussian tells the distinct places of a board apart; None where not even hundreds of digits would do."""
    try:
        return definite(np.unique(data.X, axis=0), sigma)
    except SolverFailed:
        return None


def needed(found: Definite | None) -> float:
    """How many digits a matrix takes until its least eigenvalue is more than rounding: log10 of largest over least."""
    if found is None:
        return float("nan")
    return float(np.log10(found.largest / found.least))


def torn(data: Dataset) -> Mask:
    """Which points (m,) stand at a place that carries both labels."""
    _, at = np.unique(data.X, axis=0, return_inverse=True)
    at = at.ravel()
    seen = np.zeros((2, data.m), dtype=bool)
    seen[(data.y > 0).astype(int), at] = True
    both: Mask = (seen[0] & seen[1])[at]
    return both


def without(data: Dataset) -> Dataset:
    """The points whose place carries one label."""
    keep = ~torn(data)
    return data if keep.all() else Dataset(data.X[keep], data.y[keep], data.ids[keep])
