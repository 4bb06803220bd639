"""Decide in exact integers whether two convex hulls meet: without a tolerance, and with a certificate either way.

This is phase one of the simplex method on  sum_+ v_i = 1,  sum_- v_i = 1,  sum_i v_i y_i z_i = 0,  v >= 0  (without
bias: sum v_i = 1 and the last rows). If it is feasible, v are the weights of a common point, at most D + 2 of them
nonzero (Kirchberger). If it is infeasible, the multipliers of the rows are a separating hyperplane (Farkas).
Fraction-free pivots (Bareiss) keep every entry an integer.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.core.arrays import Array
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_
from svmlab.solvers.decimals import THOUSAND, as_thousandths

SHORT_NUMBER = 400  # bits of a number; twice as many take three times as long
TOO_LONG = N_(
    "It could not be decided whether a boundary of this kind separates the classes. The classes are too close to "
    "each other for double precision, and the exact numbers become too long. Round the points to fewer digits, "
    "or use fewer features."
)

Integers = NDArray[np.object_]


def integers(X: Array) -> tuple[Integers, list[int]]:
    """Return the columns of X, each multiplied by the smallest whole number that makes all its entries integers.

    Decimals of three places are treated as decimals. Other floats are dyadic, so a power of two loses nothing.
    """
    whole = as_thousandths(X)
    if whole is not None:
        counts = whole.astype(np.int64)
        common = [math.gcd(THOUSAND, *column) for column in counts.T.tolist()]
        return (counts // np.array(common, dtype=np.int64)).astype(object), [THOUSAND // g for g in common]
    return dyadic(X)


def dyadic(X: Array) -> tuple[Integers, list[int]]:
    """Return the columns of the floats X as integers, and the power of 2 by which each column was multiplied."""
    out = np.empty(X.shape, dtype=object)
    scales = []
    for j, column in enumerate(X.T.tolist()):
        ratios = [v.as_integer_ratio() for v in column]
        scale = max((d for _, d in ratios), default=1)
        out[:, j] = [n * (scale // d) for n, d in ratios]
        scales.append(scale)
    return out, scales


class WorkBudget:
    """The limit on exact arithmetic, in operations on numbers of a few words, one for each entry of a table."""

    def __init__(self, operations: float = math.inf) -> None:
        self.left = operations

    def spend(self, entries: int, bits: int) -> None:
        """Subtract operations on entries with this many bits. Raises SolverFailed where nothing is left."""
        self.left -= entries * (1 + (bits / SHORT_NUMBER) ** 1.5)
        if self.left < 0:
            raise SolverFailed(TOO_LONG)


def intersect_hulls(
    Z: Integers, y: Array, bias: bool, budget: WorkBudget | None = None
) -> tuple[list[Fraction] | None, list[Fraction] | None]:
    """Return (weights, None) if the hulls meet, else (None, [w..., b]) with y_i (w'z_i + b) > 0 for every i.

    Both are exact. Raises SolverFailed where that takes longer than `budget`.
    """
    budget = budget or WorkBudget()
    m, D = Z.shape
    signs = [int(v) for v in y]
    heads = [[int(s > 0) for s in signs], [int(s < 0) for s in signs]] if bias else [[1] * m]
    k = len(heads)
    budget.spend((k + D) * (m + k + D + 1), 0)
    T: Any = np.zeros((k + D, m + k + D + 1), dtype=object)
    T[:k, :m] = heads
    T[k:, :m] = (Z * np.array(signs, dtype=object)[:, None]).T
    T[:, m : m + k + D] = np.array([[int(i == j) for j in range(k + D)] for i in range(k + D)], dtype=object)
    T[:k, -1] = 1
    basis = list(range(m, m + k + D))
    previous = 1
    steps = 0
    while True:
        artificial = [r for r, j in enumerate(basis) if j >= m]
        cost = T[artificial].sum(axis=0) if artificial else np.zeros(T.shape[1], dtype=object)
        if not artificial or cost[-1] == 0:
            weights = [Fraction(0)] * m
            for r, j in enumerate(basis):
                if j < m:
                    weights[j] = Fraction(T[r, -1], previous)
            return weights, None
        enter = [j for j in range(m) if cost[j] > 0]
        if not enter:
            # By Farkas's lemma pi, the sum of the artificial rows of the inverse basis, has pi'A <= 0 and pi'rhs > 0.
            pi = [Fraction(int(v), previous) for v in cost[m : m + k + D]]
            b = (pi[1] - pi[0]) / 2 if bias else Fraction(0)
            return None, [*(-p for p in pi[k:]), b]
        # The steepest column enters first. Later Bland's rule chooses, because it cannot cycle.
        s = max(enter, key=lambda j: cost[j]) if steps < 3 * (k + D) + 20 else enter[0]
        rows = [r for r in range(k + D) if T[r, s] > 0]
        r = min(rows, key=lambda i: (Fraction(T[i, -1], T[i, s]), basis[i]))
        pivot = T[r, s]
        budget.spend(T.size, pivot.bit_length())
        row = T[r].copy()
        T = (T * pivot - np.outer(T[:, s], row)) // previous
        T[r] = row
        basis[r] = s
        previous = pivot
        steps += 1
