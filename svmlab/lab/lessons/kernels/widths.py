"""The hard margin of a board for several widths of the Gaussian, and the digits that its Gram matrix needs (K11)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab import Dataset, Gaussian, Problem, SvmError, solve
from svmlab.core.arrays import Array, Index, Mask
from svmlab.core.errors import SolverFailed
from svmlab.kernels.features import DefinitenessProof, prove_definite

WIDTHS = (0.1, 0.14, 0.2, 0.3, 0.5, 0.7, 1.0, 1.4, 2.0, 3.0, 4.5, 7.0, 10.0)
DOUBLE = -float(np.log10(np.finfo(float).eps))  # the decimal digits of double precision: 15.65


@dataclass(frozen=True, eq=False)
class Widths:
    """The margins (k,) along WIDTHS, nan where there is none or it is not found, and the support vectors (k,), 0 there.

    Both leave out the points whose position carries both labels. digits: (k,) the decimal logarithm of the largest
    eigenvalue over the least, for the Gram matrix of all distinct positions.
    """

    sigma: Array
    margin: Array
    vectors: Index
    digits: Array


def along(data: Dataset, bias: bool, report: Callable[[float], None]) -> Widths:
    """Return one solution in double precision and one proof in decimals for each width.

    `report` receives the fraction done.
    """
    consistent = without(data)
    margin, vectors, digits = np.full(len(WIDTHS), np.nan), np.zeros(len(WIDTHS), dtype=np.intp), np.zeros(len(WIDTHS))
    for i, sigma in enumerate(WIDTHS):
        report(i / len(WIDTHS))
        try:
            solution = solve(Problem(consistent, Gaussian(sigma), np.inf, bias))
            margin[i], vectors[i] = solution.geometric_margin, int(solution.support.sum())
        except SvmError:  # no points, or a margin that double precision does not resolve
            pass
        digits[i] = needed(proof(data, sigma))
    return Widths(np.array(WIDTHS), margin, vectors, digits)


def proof(data: Dataset, sigma: float) -> DefinitenessProof | None:
    """Return the proof that a Gaussian separates the distinct positions of a board.

    None where even hundreds of digits are not enough.
    """
    try:
        return prove_definite(np.unique(data.X, axis=0), sigma)
    except SolverFailed:
        return None


def needed(proof: DefinitenessProof | None) -> float:
    """Return log10 of the largest over the least eigenvalue: the digits that keep the least above rounding."""
    if proof is None:
        return float("nan")
    return float(np.log10(proof.largest_eigenvalue / proof.least_eigenvalue))


def torn(data: Dataset) -> Mask:
    """Return which points (m,) have a position that carries both labels."""
    _, position = np.unique(data.X, axis=0, return_inverse=True)
    position = position.ravel()
    has_label = np.zeros((2, data.m), dtype=bool)
    has_label[(data.y > 0).astype(int), position] = True
    has_both: Mask = (has_label[0] & has_label[1])[position]
    return has_both


def without(data: Dataset) -> Dataset:
    """Return the points whose position carries one label."""
    keep = ~torn(data)
    return data if keep.all() else Dataset(data.X[keep], data.y[keep], data.ids[keep])
