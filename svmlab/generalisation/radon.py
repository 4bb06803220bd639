"""Radon's partitions: which few of the points stand in the way of which labellings (G7).

A smallest set of places with weights v, none of them 0,

    sum_i v_i x_i = 0,   sum_i v_i = 0

is cut by the sign of v into two parts whose hulls meet in one place. No hyperplane has those parts on its two sides;
and of any labelling that no hyperplane makes, some such set is the proof (Kirchberger: d + 2 points are enough). The
null vector of [x; 1] is found without rounding. Source: Radon (1921); behind E's "3 points yes, 4 no".
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

MOST = 200_000  # sets of places
Labels = Annotated[Array, Shape("m*")]


@dataclass(frozen=True, eq=False)
class Circuit(Frozen):
    """rows (k,), at most d + 2 of them; weights (k,), both signs, those above 0 sum to 1; point (d,): where the hulls
    of the parts meet.
    """

    rows: Index
    weights: Array
    point: Array

    @validated
    def refutes(self, y: Labels) -> bool:
        """Whether the labels y (m,) of all points have one part on one side and the other on the other."""
        if len(y) <= self.rows.max():
            raise BadInput("y: {n} labels are too few for row {row}.", n=len(y), row=int(self.rows.max()))
        agree = y[self.rows] * self.weights > 0
        return bool(agree.all() or not agree.any())


@validated
def circuits(X: Annotated[Array, Shape("m*", "d")]) -> tuple[Circuit, ...]:
    """All of them for places X (m, d), the smallest first: equal places, three on a line, four in the plane.

    Every set of up to d + 2 places is tried. Raises BadInput where there are more than 200,000 of them.
    """
    m, d = X.shape
    sets = sum(math.comb(m, k) for k in range(2, d + 3))
    if sets > MOST:
        raise BadInput(
            "X: {m} places have {sets} sets of 2 to {k} to try, and the limit is {most}. Take fewer places.",
            m=m,
            sets=sets if sets < 10**12 else N_("more than 10^12"),
            k=d + 2,
            most=MOST,
        )
    columns, _ = rational.integers(X)
    found: list[tuple[int, ...]] = []
    out = []
    for k in range(2, X.shape[1] + 3):
        for rows in combinations(range(len(X)), k):
            if any(set(smaller) <= set(rows) for smaller in found):
                continue
            v = _null([[*columns[i], 1] for i in rows])
            if v is None:
                continue
            found.append(rows)
            total = sum(p for p in v if p > 0)
            weights = np.array([float(p / total) for p in v])
            plus = weights > 0
            out.append(Circuit(frozen(rows, np.intp), frozen(weights), frozen(weights[plus] @ X[list(rows)][plus])))
    return tuple(out)


@validated
def witness(known: tuple[Circuit, ...], y: Labels) -> Circuit | None:
    """The first circuit that refutes the labels y (m,), or None: then a hyperplane makes them."""
    return next((circuit for circuit in known if circuit.refutes(y)), None)


def _null(rows: list[list[int]]) -> list[Fraction] | None:
    """Weights v with sum_i v_i rows_i = 0, where all rows but the last are independent; None where the last is too."""
    done: list[
        tuple[int, list[Fraction], list[Fraction]]
    ] = []  # pivot, row with 1 there, and how it is made of the rows
    for i, row in enumerate(rows):
        left = [Fraction(p) for p in row]
        made = [Fraction(int(i == j)) for j in range(len(rows))]
        for at, pivot, how in done:
            factor = left[at]
            if factor:
                left = [p - factor * q for p, q in zip(left, pivot, strict=True)]
                made = [p - factor * q for p, q in zip(made, how, strict=True)]
        at = next((j for j, p in enumerate(left) if p), -1)
        if at < 0:
            return made
        done.append((at, [p / left[at] for p in left], [p / left[at] for p in made]))
    return None
