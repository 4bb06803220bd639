"""What leaving one out would find, read off one solved machine (Vapnik; Jaakkola and Haussler; Joachims).

    errors <= #(2 alpha_i R^2 + xi_i >= 1) <= N

A point that carries nothing (alpha = 0) can go: the machine stays, and the point was right. Of the others only those
can go wrong that pull hard or lie far on the wrong side. N holds wherever w is not 0. The first inequality needs a b
that is pinned by a free vector, with the point and without it: where b may be any of an interval, its middle is a
choice, and with two classes that just balance it can go against a point that pulls little.

R^2 bounds how far one image can reach: c <= k(x, x') <= c + R^2 for a c. With a bias no origin is special, and the
largest squared distance of two images is such a bound; the range of the kernel's values is another, at most 1 for the
Gaussian. Without a bias
|phi|^2 takes its place. Source: Joachims (2000), Estimating the generalization performance of an SVM efficiently.
"""

from __future__ import annotations

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Mask
from svmlab.core.errors import BadInput
from svmlab.core.validate import validated
from svmlab.generalisation.resampling import Unseen, has_pinned_bias

ROUNDING = 1e-9


@validated
def reach_squared(problem: Problem) -> float:
    """R^2, from the points: the smaller of the two bounds. Raises BadInput without points, and for a kernel that is no
    inner product.
    """
    if problem.data.m == 0:
        raise BadInput("problem: there are no points. Add at least one.")
    if not problem.kernel.psd:
        raise BadInput("kernel: {kernel} is no inner product, and these estimates need one.", kernel=problem.kernel.key)
    K = problem.gram
    own = np.diag(K)
    if not problem.bias:
        return float(own.max())
    apart = own[:, None] + own - 2 * K
    return max(0.0, min(float(apart.max()), float(own.max() - K.min())))


@validated
def suspects(solution: Solution) -> Mask:
    """The points with 2 alpha R^2 + xi >= 1, shape (m,): no other can go wrong when it is left out. Raises BadInput."""
    pull = 2 * solution.alpha * reach_squared(solution.problem)
    return pull + solution.xi >= 1 - ROUNDING


@validated
def promised(solution: Solution, left_out: Unseen) -> Mask:
    """Where the first inequality can be counted on, shape (m,): b pinned in the machine and in the one without the
    point.
    """
    return left_out.has_pinned_bias & has_pinned_bias(solution)
