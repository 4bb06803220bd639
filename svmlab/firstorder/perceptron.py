"""The perceptron with every update kept, and the bound on their number (M8).

Rows of whole thousandths are added without rounding. So a point on the line, y <w, z> = 0, is always a mistake, and
rounding of the size 1e-17 does not decide this.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, Index, frozen
from svmlab.core.errors import BadInput, quoted
from svmlab.core.rules import Shape, WholeNumber
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.solvers.decimals import THOUSAND, as_thousandths

Rows = Annotated[Array, Shape("m*", "D")]


@dataclass(frozen=True, eq=False)
class PerceptronRun(Frozen):
    """One run over rows v_i = y_i z_i (m, D) from w = 0.

    updates: (k,) the row of each mistake, in the order made. converged: whether a whole pass made no mistake.
    """

    rows: Array
    updates: Index
    converged: bool

    @property
    def mistakes(self) -> int:
        """The number of updates."""
        return len(self.updates)

    @property
    def w(self) -> Array:
        """The final weight vector, shape (D,)."""
        return np.asarray(self.path[-1])

    @cached_property
    def _units(self) -> tuple[Array, int]:
        return _in_thousandths(self.rows)

    @cached_property
    def _sums(self) -> Array:
        """The path in the units of `_in_thousandths`."""
        rows = self._units[0]
        return np.vstack([np.zeros(rows.shape[1]), np.cumsum(rows[self.updates], axis=0)])

    @cached_property
    def path(self) -> Array:
        """The vector w before the first update and after each, shape (k + 1, D)."""
        return frozen(self._sums / self._units[1])

    @cached_property
    def errors(self) -> Index:
        """The number of rows with <w, v_i> <= 0, for each w of the path, shape (k + 1,)."""
        return frozen(np.count_nonzero(self._sums @ self._units[0].T <= 0, axis=1), np.intp)

    @property
    def pocket(self) -> int:
        """The position in the path of the first w with the fewest errors (the pocket algorithm; note E, section 1)."""
        return int(self.errors.argmin())


@validated
def perceptron(Z: Rows, y: Array, order: Index, most: Annotated[int, WholeNumber(0, 10**6)]) -> PerceptronRun:
    """Start at w = 0 and add y_i z_i at every mistake (y_i <w, z_i> <= 0), visiting the rows in `order` repeatedly.

    The run ends after a pass without a mistake, or unfinished after `most` mistakes. Source: note B, 0/1 loss; note E,
    section 1. Raises BadInput.
    """
    y = Shape(len(Z))("y", y)
    if order.ndim != 1 or not ((order >= 0) & (order < len(Z))).all():
        raise BadInput(
            "order: {order} are not all rows from 0 to {last}. Give the rows in the order in which they are visited.",
            order=quoted(order.tolist()),
            last=len(Z) - 1,
        )
    rows = y[:, None] * Z
    V = _in_thousandths(rows)[0][order]
    Q = V @ V.T
    g, position = np.zeros(len(y)), 0
    updates: list[int] = []
    converged = False
    while len(updates) < most:
        misclassified = np.flatnonzero(g <= 0)
        if not len(misclassified):
            converged = True
            break
        i = int(misclassified[np.searchsorted(misclassified, position) % len(misclassified)])
        g += Q[i]
        updates.append(int(order[i]))
        position = i + 1
    return PerceptronRun(frozen(rows), frozen(updates, np.intp), converged)


def _in_thousandths(rows: Array) -> tuple[Array, int]:
    """Return the rows in thousandths if these are whole numbers, else unchanged, and the number of units in 1."""
    integers = as_thousandths(rows)
    return (rows, 1) if integers is None else (integers, THOUSAND)


@validated
def augmented(X: Rows) -> Array:
    """Return the points with a 1 appended, so that the bias is a coordinate of w, shape (m, D + 1)."""
    return np.hstack([X, np.ones((len(X), 1))])


def radius_and_margin(Z: Array, y: Array) -> tuple[float, float]:
    """Return R = max |z_i| and the largest margin through 0: at most (R/margin)^2 mistakes. Raises NotSeparable."""
    margin = 1.0 / solve(Problem(Dataset(Z, y), C=math.inf, bias=False)).norm_w
    return float(np.linalg.norm(Z, axis=1).max()), margin
