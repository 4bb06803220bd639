"""All optimal multipliers of a hard margin: a polytope, its vertices, and the range of each alpha_i (H10, H12).

    { alpha >= 0 :  sum_i alpha_i y_i phi(x_i) = w,  y'alpha = 0 (with bias),  alpha_i = 0 off the margin }

On the margin sum_i alpha_i = |w|^2 follows, so the set is bounded. Every optimal alpha is a convex combination of its
vertices.
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

MAX_CHOICES = 20_000  # the largest number of choices of columns that are tried
TINY = 1e-9
ON_MARGIN = (Category.MARGIN_IDLE, Category.MARGIN_FREE, Category.MARGIN_FULL)


@dataclass(frozen=True, eq=False)
class Multipliers:
    """The vertices of the set of optimal alpha.

    corners (n, m): the vertices in lexicographic order from the largest. margin (m,): which points lie on the margin.
    """

    corners: Array
    margin: Mask

    @property
    def low(self) -> Array:
        """Return the least alpha_i over all optima, shape (m,)."""
        return self.corners.min(0)

    @property
    def high(self) -> Array:
        """Return the largest alpha_i over all optima, shape (m,)."""
        return self.corners.max(0)


def multipliers(solution: Solution) -> Multipliers:
    """Return the vertices of the set of optimal alpha of a hard margin that was solved exactly.

    Raises BadInput for a soft margin, and where too many points lie on the margin to try all choices.
    """
    problem = solution.problem
    if not problem.hard:
        raise BadInput("C: the corners are those of the hard margin. Choose C = inf.")
    margin = np.array([c in ON_MARGIN for c in solution.categories], dtype=bool)
    rows = np.flatnonzero(margin)
    largest_alpha = float(solution.alpha.max(initial=0.0))
    if largest_alpha == 0:
        return Multipliers(frozen(solution.alpha[None, :]), margin)
    A = _equations(solution, rows)
    target = A @ solution.alpha[rows]
    n, r = len(rows), len(A)
    if math.comb(n, r) > MAX_CHOICES:
        raise BadInput("{row} points lie on the margin: too many to list every choice of {r} of them.", row=n, r=r)
    choices = np.array(list(combinations(range(n), r)), dtype=np.intp)
    squares = A[:, choices].transpose(1, 0, 2)
    is_regular = np.abs(np.linalg.det(squares)) > TINY
    choices, squares = choices[is_regular], squares[is_regular]
    values = np.linalg.solve(squares, np.broadcast_to(target, (len(squares), r))[..., None])[..., 0]
    is_feasible = (values >= -1e-7 * largest_alpha).all(1)
    corners = np.zeros((int(is_feasible.sum()), problem.data.m))
    np.put_along_axis(
        corners,
        rows[choices[is_feasible]],
        np.where(values[is_feasible] > 1e-7 * largest_alpha, values[is_feasible], 0.0),
        axis=1,
    )
    _, first = np.unique(np.round(corners / largest_alpha, 6), axis=0, return_index=True)
    corners = corners[first]
    return Multipliers(frozen(corners[np.lexsort(-corners.T[::-1])]), margin)


def _equations(solution: Solution, rows: Index) -> Array:
    """Return independent equations, shape (r, n), that hold for the optimal multipliers of the given rows."""
    problem, y = solution.problem, solution.problem.data.y[rows]
    K = problem.kernel(problem.data.X[rows], problem.data.X[rows])
    if problem.bias:  # Because y'alpha = 0, any point may be the origin. The mean of the points keeps most digits.
        centring = np.eye(len(rows)) - 1.0 / len(rows)
        K = centring @ K @ centring
    values, vectors = np.linalg.eigh(K)
    keep = values > 1e-12 * max(float(values[-1]), 1e-300)
    Z = vectors[:, keep] * np.sqrt(values[keep] / float(values[-1])) if keep.any() else np.zeros((len(rows), 0))
    A = (np.hstack([np.ones((len(rows), int(problem.bias))), Z]) * y[:, None]).T
    _, singular_values, right_vectors = np.linalg.svd(A, full_matrices=False)
    independent = singular_values > 1e-9 * singular_values[0]
    return np.asarray(right_vectors[independent])
