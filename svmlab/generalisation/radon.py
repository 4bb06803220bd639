"""Radon partitions: the few points that prevent a labelling from being separable (G7).

A minimal set of points with weights v, none of them 0,

    sum_i v_i x_i = 0,   sum_i v_i = 0

is split by the sign of v into two parts whose hulls meet in one point. No hyperplane separates these parts. Conversely,
every labelling that is not separable is refuted by such a set (Kirchberger: d + 2 points are enough). The null vector
of [x; 1] is found without rounding. Source: Radon (1921); behind note E's "3 points yes, 4 no".
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Annotated

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, frozen
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.core.rules import Shape
from svmlab.core.validate import validated
from svmlab.solvers.separability import rational

MOST_SETS = 200_000  # sets of points to try
Labels = Annotated[Array, Shape("m*")]


@dataclass(frozen=True, eq=False)
class Circuit(Frozen):
    """A minimal set of points whose two parts have meeting hulls.

    rows (k,): at most d + 2 of them. weights (k,): of both signs, the positive ones sum to 1. point (d,): the common
    point of the hulls of the parts.
    """

    rows: Index
    weights: Array
    point: Array

    @validated
    def refutes(self, y: Labels) -> bool:
        """Return whether the labels y (m,) of all points have one part on one side and the other part on the other."""
        if len(y) <= self.rows.max():
            raise BadInput(
                "y: {n} labels are too few, because row {row} needs one too. Give one label for each point.",
                n=len(y),
                row=int(self.rows.max()),
            )
        agree = y[self.rows] * self.weights > 0
        return bool(agree.all() or not agree.any())


@validated
def circuits(X: Annotated[Array, Shape("m*", "d")]) -> tuple[Circuit, ...]:
    """Return all circuits of the points X (m, d), the smallest first: equal points, 3 on a line, 4 in the plane.

    Every set of up to d + 2 points is tried. Raises BadInput if there are more than 200,000 of them.
    """
    m, d = X.shape
    sets = sum(math.comb(m, k) for k in range(2, d + 3))
    if sets > MOST_SETS:
        raise BadInput(
            "X: {m} points have {sets} subsets of 2 to {k} points, and at most {most} can be tried. Take fewer points.",
            m=m,
            sets=sets if sets < 10**12 else N_("more than 10^12"),
            k=d + 2,
            most=MOST_SETS,
        )
    columns, _ = rational.integers(X)
    row_sets: list[tuple[int, ...]] = []
    circuits_found = []
    for k in range(2, X.shape[1] + 3):
        for rows in combinations(range(len(X)), k):
            if any(set(smaller) <= set(rows) for smaller in row_sets):
                continue
            v = _null([[*columns[i], 1] for i in rows])
            if v is None:
                continue
            row_sets.append(rows)
            total = sum(p for p in v if p > 0)
            weights = np.array([float(p / total) for p in v])
            plus = weights > 0
            circuits_found.append(
                Circuit(frozen(rows, np.intp), frozen(weights), frozen(weights[plus] @ X[list(rows)][plus]))
            )
    return tuple(circuits_found)


@validated
def refuting_circuit(known: tuple[Circuit, ...], y: Labels) -> Circuit | None:
    """Return the first circuit that refutes the labels y (m,), or None, and then a hyperplane separates them."""
    return next((circuit for circuit in known if circuit.refutes(y)), None)


def _null(rows: list[list[int]]) -> list[Fraction] | None:
    """Return v with sum_i v_i rows_i = 0 if all rows but the last are independent, or None if all are independent."""
    eliminated: list[
        tuple[int, list[Fraction], list[Fraction]]
    ] = []  # pivot, row with 1 there, and its coefficients as a combination of the rows
    for i, row in enumerate(rows):
        remainder = [Fraction(p) for p in row]
        combination = [Fraction(int(i == j)) for j in range(len(rows))]
        for at, pivot, pivot_combination in eliminated:
            factor = remainder[at]
            if factor:
                remainder = [p - factor * q for p, q in zip(remainder, pivot, strict=True)]
                combination = [p - factor * q for p, q in zip(combination, pivot_combination, strict=True)]
        at = next((j for j, p in enumerate(remainder) if p), -1)
        if at < 0:
            return combination
        eliminated.append((at, [p / remainder[at] for p in remainder], [p / remainder[at] for p in combination]))
    return None
