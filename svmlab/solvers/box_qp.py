"""The quadratic program that every stage of the exact method shares, and the conditions of its optimum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import TEMPORARY_ENTRIES, Array, Index
from svmlab.core.tolerances import EQUALITY_ROUND_OFF, EQUALITY_TOLERANCE, MARGIN_TOLERANCE, ROUND_OFF
from svmlab.jit.compiler import compiled
from svmlab.solvers.bias import bias_interval
from svmlab.solvers.gram.dense import Gram

LOWER, FREE, UPPER = -1, 0, 1  # the state of a variable


@dataclass(frozen=True, eq=False)
class BoxQP:
    """min 1/2 a'Qa - p'a   subject to   0 <= a <= upper,  and y'a = 0 with bias.

    p (m,): the value of Qa + y b on the margin line. y (m,) in {-1, +1}. upper (m,): the upper bounds, which also weigh
    the slacks; all are inf for the hard margin. count (m,): the number of equal rows of each variable. weight (m,): its
    weight in the norm sum a_i^2 / weight_i, which chooses among several optimal a.
    """

    Q: Gram
    p: Array
    y: Array
    upper: Array
    count: Array
    weight: Array
    bias: bool

    @property
    def hard(self) -> bool:
        """Return whether the margin is hard."""
        return bool(self.upper[0] == np.inf)

    @property
    def equality(self) -> Array | None:
        """Return the y of y'a = 0, or None where no such sum is required."""
        return self.y if self.bias else None

    def residual(self, a: Array, b: float) -> Array:
        """Return r = Qa + y b - p, (m,). At the optimum r >= 0 where a = 0, r = 0 where a is free, r <= 0 at u."""
        return self.Q.times(a) + self.y * b - self.p

    def bias_interval(self, a: Array) -> tuple[float, float]:
        """Return all b that are optimal with `a`, with bits that depend on `a` and the points alone."""
        if not self.bias:
            return 0.0, 0.0
        return bias_interval(self.y * reproducible_product(self.Q, a), self.y, self.upper, self.hard, self.p)

    def satisfies_equality(self, a: Array) -> bool:
        """Return whether y'a = 0 up to rounding, or not required."""
        noise = EQUALITY_TOLERANCE * float(a.max()) + EQUALITY_ROUND_OFF * float(a.sum())
        return not self.bias or abs(float(self.y @ a)) <= noise

    def is_optimal(self, a: Array, state: Index, b: float, tolerance: float = MARGIN_TOLERANCE) -> bool:
        """Return whether y'a = 0, and Qa + y b >= p at 0, = p where free, <= p at u.

        The conditions hold up to `tolerance` or the round-off of this Qa.
        """
        if not self.satisfies_equality(a):
            return False
        Qa, size = self.Q.product_and_size(a)
        r = Qa + self.y * b - self.p
        violation = np.where(state == FREE, np.abs(r), r * state)
        return bool(violation.max() <= max(tolerance, ROUND_OFF * size))


@compiled
def partition(a: Array, u: Array) -> Index:
    """Return LOWER where a is 0, UPPER where it is u, and FREE between."""
    return (a >= u).astype(np.intp) - (a <= 0)


@compiled
def has_one_label(y: Array) -> bool:
    """Return whether all labels are equal."""
    return bool((y == y[0]).all())


def reproducible_product(Q: Gram, a: Array) -> Array:
    """Return Q a with bits that depend on a and the points alone."""
    if Q.is_reproducible:
        return Q.times(a)
    S, columns = np.flatnonzero(a), np.arange(len(a))
    width = max(1, TEMPORARY_ENTRIES // max(len(S), 1))
    parts = [a[S] @ Q.block(S, columns[j : j + width]) for j in range(0, len(a), width)]
    return np.concatenate(parts) if len(S) else np.zeros(len(a))
