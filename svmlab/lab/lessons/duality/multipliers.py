"""All optimal multipliers of a hard margin: a polytope, its corners, and what each point may weigh (H10, H12 of the
catalogue).

    { alpha >= 0 :  sum_i alpha_i y_i phi(x_i) = w,  y'alpha = 0 (with bias),  alpha_i = 0 off the margin }

On the margin sum_i alpha_i = |w|^2 follows, so the set is bounded and every optimal alpha is a mixture of its corners.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from svmlab.binary.categories import Category
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, Index, Mask, frozen
from svmlab.core.errors import BadInput

MOST = 20_000  # choices of columns to try
TINY = 1e-9
ON_MARGIN = (Category.MARGIN_IDLE, Category.MARGIN_FREE, Category.MARGIN_FULL)


@dataclass(frozen=True, eq=False)
class Multipliers:
    """corners (n, m): the corners, in dictionary order from the largest; margin (m,): which points lie on the
    margin.
    """

    corners: Array
    margin: Mask

    @property
    def low(self) -> Array:
        """The least alpha_i over all optima, shape (m,)."""
        return self.corners.min(0)

    @property
    def high(self) -> Array:
        """The largest alpha_i over all optima, shape (m,)."""
        return self.corners.max(0)


def multipliers(solution: Solution) -> Multipliers:
    """The corners of the set of optimal alpha of a hard margin solved exactly.

    Raises BadInput for a soft margin, and where the points on the margin are too many to try all choices.
    """
    problem = solution.problem
    if not problem.hard:
        raise BadInput("C: the corners are those of the hard margin. Choose C = inf.")
    margin = np.array([c in ON_MARGIN for c in solution.categories], dtype=bool)
    rows = np.flatnonzero(margin)
    top = float(solution.alpha.max(initial=0.0))
    if top == 0:
        return Multipliers(frozen(solution.alpha[None, :]), margin)
    A = _equations(solution, rows)
    target = A @ solution.alpha[rows]
    n, r = len(rows), len(A)
    if math.comb(n, r) > MOST:
        raise BadInput("{row} points lie on the margin: too many to list every choice of {r} of them.", row=n, r=r)
    choices = np.array(list(combinations(range(n), r)), dtype=np.intp)
    squares = A[:, choices].transpose(1, 0, 2)
    regular = np.abs(np.linalg.det(squares)) > TINY
    choices, squares = choices[regular], squares[regular]
    values = np.linalg.solve(squares, np.broadcast_to(target, (len(squares), r))[..., None])[..., 0]
    good = (values >= -1e-7 * top).all(1)
    corners = np.zeros((int(good.sum()), problem.data.m))
    np.put_along_axis(corners, rows[choices[good]], np.where(values[good] > 1e-7 * top, values[good], 0.0), axis=1)
    _, first = np.unique(np.round(corners / top, 6), axis=0, return_index=True)
    corners = corners[first]
    return Multipliers(frozen(corners[np.lexsort(-corners.T[::-1])]), margin)


def _equations(solution: Solution, rows: Index) -> Array:
    """Independent equations, shape (r, n), that hold between optimal multipliers of the given rows."""
    problem, y = solution.problem, solution.problem.data.y[rows]
    K = problem.kernel(problem.data.X[rows], problem.data.X[rows])
    if problem.bias:  # with y'alpha = 0 any point of the plane may be the origin: the middle keeps the digits
        middle = np.eye(len(rows)) - 1.0 / len(rows)
        K = middle @ K @ middle
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-12 * max(float(values[-1]), 1e-300)
    Z = vectors[:, keep] * np.sqrt(values[keep] / float(values[-1])) if keep.any() else np.zeros((len(rows), 0))
    A = (np.hstack([np.ones((len(rows), int(problem.bias))), Z]) * y[:, None]).T
    _, size, right = np.linalg.svd(A, full_matrices=False)
    independent = size > 1e-9 * size[0]
    return np.asarray(right[independent])
