"""The perceptron with every update kept, and the bound on their number (M8).

Rows of whole thousandths are added up without rounding: a point on the line, y <w, z> = 0, is a mistake and not a
matter of 1e-17.
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
from svmlab.solvers.decimals import THOUSAND, thousandths

Rows = Annotated[Array, Shape("m*", "D")]


@dataclass(frozen=True, eq=False)
class Run(Frozen):
    """One run over rows v_i = y_i z_i (m, D) from w = 0.

    updates: (k,) the row of each mistake, in the order made. stopped: whether a whole round went by without one.
    """

    rows: Array
    updates: Index
    stopped: bool

    @property
    def mistakes(self) -> int:
        """How many updates there were."""
        return len(self.updates)

    @property
    def w(self) -> Array:
        """What the run ends with, shape (D,)."""
        return np.asarray(self.path[-1])

    @cached_property
    def _units(self) -> tuple[Array, int]:
        return _whole(self.rows)

    @cached_property
    def _sums(self) -> Array:
        """The path, in the units of `_whole`."""
        rows = self._units[0]
        return np.vstack([np.zeros(rows.shape[1]), np.cumsum(rows[self.updates], axis=0)])

    @cached_property
    def path(self) -> Array:
        """W before the first update and after each, shape (k + 1, D)."""
        return frozen(self._sums / self._units[1])

    @cached_property
    def errors(self) -> Index:
        """How many rows have <w, v_i> <= 0, for each w of the path, shape (k + 1,)."""
        return frozen(np.count_nonzero(self._sums @ self._units[0].T <= 0, axis=1), np.intp)

    @property
    def pocket(self) -> int:
        """The place in the path of the first w with the fewest errors: what the pocket keeps. Source: E, section 1."""
        return int(self.errors.argmin())


@validated
def perceptron(Z: Rows, y: Array, order: Index, most: Annotated[int, WholeNumber(0, 10**6)]) -> Run:
    """From 0, add y_i z_i at every mistake (y_i <w, z_i> <= 0), rows visited in `order` again and again.

    Ends after a round without a mistake, or unfinished after `most` of them. Source: B, 0/1 loss; E section 1. Raises
    BadInput.
    """
    y = Shape(len(Z))("y", y)
    if order.ndim != 1 or not ((order >= 0) & (order < len(Z))).all():
        raise BadInput(
            "order: {order} are not all rows from 0 to {last}. Give the rows in the order of their visits.",
            order=quoted(order.tolist()),
            last=len(Z) - 1,
        )
    rows = y[:, None] * Z
    V = _whole(rows)[0][order]
    Q = V @ V.T
    g, at = np.zeros(len(y)), 0
    updates: list[int] = []
    stopped = False
    while len(updates) < most:
        bad = np.flatnonzero(g <= 0)
        if not len(bad):
            stopped = True
            break
        i = int(bad[np.searchsorted(bad, at) % len(bad)])
        g += Q[i]
        updates.append(int(order[i]))
        at = i + 1
    return Run(frozen(rows), frozen(updates, np.intp), stopped)


def _whole(rows: Array) -> tuple[Array, int]:
    """The rows in thousandths, where they are whole numbers of them, else as they are; and how many of these units make
    1.
    """
    whole = thousandths(rows)
    return (rows, 1) if whole is None else (whole, THOUSAND)


@validated
def augmented(X: Rows) -> Array:
    """The points with a 1 appended, so that the bias is a coordinate of w, shape (m, D + 1)."""
    return np.hstack([X, np.ones((len(X), 1))])


def radius_and_margin(Z: Array, y: Array) -> tuple[float, float]:
    """R = max |z_i| and the largest margin through the origin: at most (R/margin)^2 mistakes. Raises NotSeparable."""
    margin = 1.0 / solve(Problem(Dataset(Z, y), C=math.inf, bias=False)).norm_w
    return float(np.linalg.norm(Z, axis=1).max()), margin
