"""The subgradients of the hinge of a point, and those that the optimum chooses (L3).

l(f) = max(0, 1 - y f)        l(f) >= l(f0) + s (f - f0) for all f
"""

from __future__ import annotations

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array
from svmlab.losses import LOSSES

HINGE = LOSSES["hinge"]


def hinge(y: float, f: Array) -> Array:
    """Return the hinge of a point of class y as a function of f."""
    return HINGE.value(y * f)


def slopes(y: float, f0: float) -> tuple[float, float]:
    """Return the least and the largest slope in f of a line through (f0, l(f0)) that is nowhere above the hinge."""
    ends = [y * float(slope[0]) for slope in HINGE.slopes(np.array([y * f0]))]
    return min(ends) + 0.0, max(ends) + 0.0  # adding 0.0 turns -0.0 into 0.0


def above(y: float, f0: float, slope: float, f: Array) -> Array:
    """Return how far the line through (f0, l(f0)) is above the hinge at each f, 0 where it is not above."""
    line = hinge(y, np.array([f0])) + slope * (f - f0)
    return np.maximum(0.0, line - hinge(y, f))


def optimal_slopes(solution: Solution) -> Array:
    """Return the slope in f that the optimum chooses at each point: s_i = -y_i alpha_i / C, shape (m,).

    The margin must be soft.
    """
    return -solution.problem.data.y * solution.alpha / solution.problem.C


def residual(solution: Solution) -> tuple[Array, float]:
    """Return the subgradient of (lambda/2) |w|^2 + mean hinge at the optimum with these slopes, in w and in b.

    Both are 0.
    """
    problem, s = solution.problem, optimal_slopes(solution)
    assert solution.w is not None
    return problem.lam * solution.w + s @ problem.data.X / problem.data.m, float(s.mean())
