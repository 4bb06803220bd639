"""Upper bounds of the leave-one-out error, from one solution (Vapnik; Jaakkola and Haussler; Joachims).

    errors <= #(2 alpha_i R^2 + xi_i >= 1) <= N

A point with alpha = 0 can be left out: the solution stays, and the point was classified correctly. Of the support
vectors only those with a large alpha or a large slack can be misclassified. The bound N holds whenever w is not 0. The
first inequality requires that a free support vector determines b, with the point and without it. If b may be any number
of an interval, its midpoint is a choice. With two classes that just balance, this choice can misclassify a point with a
small alpha.

R^2 bounds the range of the kernel values: c <= k(x, x') <= c + R^2 for some c. With a bias, no origin is special. Then
the largest squared distance of two images is such a bound, and the range of the kernel's values is another, at most 1
for the Gaussian. Without a bias R^2 = max |phi|^2. Source: Joachims (2000), Estimating the generalization performance
of an SVM efficiently.
"""

from __future__ import annotations

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Mask
from svmlab.core.errors import BadInput
from svmlab.core.validate import validated
from svmlab.generalisation.resampling import CrossValidation, has_unique_bias

ROUNDING = 1e-9


@validated
def radius_squared(problem: Problem) -> float:
    """Return R^2 of the points, the smaller of the two bounds.

    Raises BadInput without points, and for a kernel that is no inner product.
    """
    if problem.data.m == 0:
        raise BadInput("problem: there are no points. Add at least one.")
    if not problem.kernel.psd:
        raise BadInput(
            "kernel: {kernel} is not an inner product, but these estimates need one. Choose another kernel.",
            kernel=problem.kernel.key,
        )
    K = problem.gram
    diagonal = np.diag(K)
    if not problem.bias:
        return float(diagonal.max())
    squared_distances = diagonal[:, None] + diagonal - 2 * K
    return max(0.0, min(float(squared_distances.max()), float(diagonal.max() - K.min())))


@validated
def possible_leave_one_out_errors(solution: Solution) -> Mask:
    """Return the points with 2 alpha R^2 + xi >= 1, (m,): no other is a leave-one-out error. Raises BadInput."""
    pull = 2 * solution.alpha * radius_squared(solution.problem)
    return pull + solution.xi >= 1 - ROUNDING


@validated
def bound_is_guaranteed(solution: Solution, left_out: CrossValidation) -> Mask:
    """Return the points for which the first inequality is guaranteed, shape (m,).

    This requires that b is unique with the point and without it.
    """
    return left_out.has_unique_bias & has_unique_bias(solution)
