"""Whether solutions are optimal: by the optimality conditions, with other starts, methods and sizes, and on paths."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import pairwise, permutations

import numpy as np

from svmlab.binary import path, separability
from svmlab.binary import solve as binary
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.composed.kernel import Composed
from svmlab.kernels.standard import Gaussian, Linear, Polynomial, Sigmoid
from svmlab.solvers.gram.dense import DenseGram
from svmlab.solvers.smo import SMO
from svmlab.statements.examples.binary_solutions import APART, X, gram, margins, norm, prices, solutions, y
from svmlab.statements.examples.differences import difference, rough


def violation(alpha: Array, yf: Array, C: Array) -> float:
    """Return by how much multipliers and margins break the optimality conditions, which an optimum meets.

    A point with y f > 1 has alpha = 0, one with y f < 1 has alpha = C, and 0 <= alpha <= C.
    """
    finite = np.minimum(C, alpha.max(initial=0.0) + 1.0)
    return max(
        float(np.maximum(-alpha, alpha - C).max(initial=0.0)),
        float((np.maximum(yf - 1.0, 0.0) * alpha).max(initial=0.0)),
        float((np.maximum(1.0 - yf, 0.0) * (finite - alpha)).max(initial=0.0)),
    )


@cache
def error_of_optima() -> float:
    """Check the optimality conditions of all solutions with the kernel values of the textbook, and those of one class.

    On points of one class w = 0, and b is any number with y b >= 1.
    """
    off = 0.0
    for e in solutions():
        off = max(off, difference(violation(e.alpha, margins(e), prices(e.problem)), 0.0))
        off = max(off, difference(float(e.alpha @ e.problem.data.y), 0.0) if e.problem.bias else 0.0)
    for sign in (1, -1):
        e = binary.solve(Problem(Dataset(X[:3], [sign] * 3), Linear(), 2.0))
        interval = (1.0, math.inf) if sign > 0 else (-math.inf, -1.0)
        off = max(off, difference(e.alpha, np.zeros(3)), difference((e.b, *e.b_interval), (sign, *interval)))
        off = max(off, difference((e.objective, e.norm_w), (0.0, 0.0)))
    return off


@cache
def error_of_least_norm() -> float:
    """Compare the multipliers with the ones of least norm, where more than one set is optimal.

    k equal points share their multiplier in proportion to their weights. For the corners (1, 1), (1, -1), (-1, 1) and
    (-1, -1) of a square, of which the first two are positive, alpha = 1/4 + t for the first and third and 1/4 - t for
    the others is optimal. sum_i alpha_i^2 / v_i is least where (1/4 + t) (1/v_1 + 1/v_3) = (1/4 - t) (1/v_2 + 1/v_4).
    """
    off = 0.0
    corners = Dataset([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [1, 1, -1, -1])
    for shares in ((1.0, 1.0, 1.0, 1.0), (1.0, 2.0, 4.0, 8.0), (3.0, 1.0, 2.0, 1.0)):
        here, there = 1.0 / shares[0] + 1.0 / shares[2], 1.0 / shares[1] + 1.0 / shares[3]
        t = 0.25 * (there - here) / (here + there)
        wanted = [0.25 + t, 0.25 - t, 0.25 + t, 0.25 - t]
        e = binary.solve(Problem(corners, Linear(), 5.0, weights=np.array(shares)))
        off = max(off, difference(e.alpha, wanted), 1.0 if e.alpha_unique else 0.0)
    equal, labels, v = np.array([0, 0, 1, 2, 2, 2]), np.array([1, 1, -1, -1, -1, -1]), (1.0, 3.0, 1.0, 1.0, 2.0, 5.0)
    P = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0]])
    for weights in (np.ones(6), np.array(v)):
        shared = binary.solve(Problem(Dataset(P[equal], labels), Gaussian(1.5), 3.0, weights=weights)).alpha
        alone = binary.solve(Problem(Dataset(P, [1, -1, -1]), Gaussian(1.5), 300.0)).alpha
        total = np.bincount(equal, weights)[equal]
        off = max(off, difference(shared, alone[equal] * weights / total))
    return off


@cache
def error_of_starts() -> float:
    """Compare solutions that begin with another one with those that begin with nothing: they have the same bits."""
    data, moved = Dataset(X, y), X.copy()
    moved[2] += [0.25, -0.5]
    problems = (
        Problem(data, Gaussian(1.0), 1.0),
        Problem(data, Gaussian(2.0), 1.0),
        Problem(data, Gaussian(2.0), 8.0),
        Problem(Dataset(moved, y), Gaussian(2.0), 1.0),
        Problem(Dataset(X, -y), Gaussian(2.0), 1.0),
        Problem(data.kept(np.arange(9) != 4), Gaussian(2.0), 1.0, costs=(1.0, 3.0)),
        Problem(data, Gaussian(2.0), math.inf),
        Problem(APART, Linear(), 0.6, bias=False),
    )
    cold = [binary.solve(p) for p in problems]
    off = 0.0
    for before, after in permutations(cold, 2):
        warm = binary.solve(after.problem, start=before)
        same = np.array_equal(warm.alpha, after.alpha) and warm.b == after.b and warm.b_interval == after.b_interval
        off = max(off, 0.0 if same and warm.proven else 1.0)
    many = Dataset(np.random.default_rng(0).normal(size=(101, 2)), np.tile([1, -1], 51)[:101])
    first = binary.solve(Problem(many, Gaussian(3.0), 1.0))
    for i in (0, 57, 100):
        P = many.X.copy()
        P[i] += [0.75, -0.25]
        edited = Problem(replace(many, X=P), Gaussian(3.0), 1.0)
        alone = binary.solve(edited).alpha
        off = max(off, 0.0 if np.array_equal(binary.solve(edited, start=first).alpha, alone) else 1.0)
    return off


@cache
def error_of_clipped_kernels() -> float:
    """Check solutions with an indefinite kernel: they are optimal for the matrix with its negative eigenvalues at 0.

    With a bias that matrix is HKH, H = I - 11'/m, and f differs from it by a constant, which b takes up.
    """
    off = 0.0
    for kernel, bias in ((Sigmoid(1.0, -1.0), True), (Sigmoid(0.7, -0.5), False)):
        e = binary.solve(Problem(Dataset(X, y), kernel, 2.0, bias))
        H = np.eye(9) - 1.0 / 9.0 if bias else np.eye(9)
        K = gram(kernel, X, X)
        values, V = np.linalg.eigh(H @ K @ H)
        M = (V * np.maximum(values, 0.0)) @ V.T
        at_points = M @ (e.alpha * y)
        f = e.decision(X)
        constant = float((f - at_points).mean()) if bias else 0.0
        square = float((e.alpha * y) @ at_points)
        slack = np.maximum(0.0, 1.0 - y * (at_points + constant))
        off = max(
            off,
            0.0 if e.clipped_eigenvalue is not None and abs(e.clipped_eigenvalue - values[0]) <= 1e-9 else 1.0,
            difference(f, at_points + constant),
            difference(e.margins, y * f),
            difference(e.norm_w, math.sqrt(square)),
            difference(e.objective, 0.5 * square + 2.0 * float(slack.sum())),
            difference(e.dual_objective, float(e.alpha.sum()) - 0.5 * square),
            difference(violation(e.alpha, e.margins, np.full(9, 2.0)), 0.0),
            difference(float(e.alpha @ y), 0.0) if bias else 0.0,
        )
    return off


@cache
def error_of_methods() -> float:
    """Compare the solutions by cvxopt, from the dual and from the primal program, with those of the exact method."""
    off = 0.0
    for e in solutions():
        finite = e.problem.kernel.feature_dim(2) is not None
        for method in ("dual-qp", "primal-qp") if finite else ("dual-qp",):
            other = binary.solve(e.problem, method)
            unit = max(1.0, norm(e))
            off = max(
                off,
                rough(difference(other.objective, e.objective), 1e-7),
                rough(difference(other.dual_objective, e.dual_objective), 1e-7),
                rough(difference(other.decision(X) - other.b, e.decision(X) - e.b) / unit, 1e-5),
                0.0 if e.b_interval[0] - 1e-5 * unit <= other.b <= e.b_interval[1] + 1e-5 * unit else 1.0,
                rough(difference(other.norm_w, norm(e)), 1e-5),
                rough(violation(other.alpha, margins(other), prices(e.problem)) / unit, 1e-3),
                0.0 if other.status != e.status else 1.0,
            )
    return off


@cache
def error_of_many_points() -> float:
    """Check the optimality conditions where the Gram matrix is not kept, or where more than forty points are free.

    The values of f follow from formulas for all pairs at once: X X' for the linear kernel and e^(-D / (2 sigma^2)).
    """
    off, rng = 0.0, np.random.default_rng(7)
    for m, sigma, C in ((1003, None, 0.01), (1003, 4.0, 0.2), (90, 0.4, 20.0)):  # None for the linear kernel
        labels = np.where(np.arange(m) % 2 == 0, 1.0, -1.0)
        P = rng.normal(size=(m, 2)) + np.outer(labels, [1.5 if m > 100 else 0.3, 0.4])
        e = binary.solve(Problem(Dataset(P, labels), Linear() if sigma is None else Gaussian(sigma), C))
        D = np.subtract.outer(P[:, 0], P[:, 0]) ** 2 + np.subtract.outer(P[:, 1], P[:, 1]) ** 2
        K = P @ P.T if sigma is None else np.exp(-D / (2.0 * sigma**2))
        yf = labels * (K @ (e.alpha * labels) + e.b)
        free = (e.alpha > 1e-9) & (e.alpha < C * (1.0 - 1e-9))
        off = max(
            off,
            difference(e.margins, yf),
            difference(violation(e.alpha, yf, np.full(m, C)), 0.0),
            difference(float(e.alpha @ labels), 0.0),
            difference(yf[free], np.ones(int(free.sum()))),
            0.0 if (m > 100 or free.sum() > 40) and e.proven else 1.0,
        )
    return off


@cache
def error_of_shared_paths() -> float:
    """Compare paths on which points share a load, or have weights or no bias, with solutions at single C.

    Between two breakpoints the categories stay the same, and the multipliers change linearly.
    """
    off = 0.0
    twice = Dataset(np.vstack([X, X[:5]]), [*y, 1, 1, -1, 1, -1])
    corners = Dataset(
        [[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0], [0.5, 0.0], [-0.5, 0.0]], [1, 1, -1, -1, -1, 1]
    )
    weights = np.array([1.0, 2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0, 2.0])
    for p in (
        Problem(twice, Linear()),
        Problem(corners, Linear(), weights=np.array([1.0, 2.0, 4.0, 8.0, 1.0, 1.0])),
        Problem(Dataset(X, y), Gaussian(1.3), weights=weights),
        Problem(Dataset(X, y), Polynomial(2, 1.0), costs=(1.0, 3.0), bias=False),
    ):
        whole_path = path.regularization_path(p)
        ends = [0.0, *whole_path.C.tolist(), 3.0 * float(whole_path.C[-1])]
        for low, high in pairwise(ends):
            places = [low + part * (high - low) for part in (0.25, 0.5, 0.75)]
            alone = [binary.solve(replace(p, C=C)) for C in places]
            on_path = [whole_path.alpha(C) for C in places]
            off = max(off, *(difference(a, e.alpha) for a, e in zip(on_path, alone, strict=True)))
            off = max(off, difference(on_path[1], 0.5 * (on_path[0] + on_path[2])))
            off = max(off, 0.0 if alone[0].categories == alone[2].categories else 1.0)
        off = max(off, 0.0 if len(whole_path.C) > 1 else 1.0)
    return off


@cache
def error_of_curved_separations() -> float:
    """Check whether kernels separate classes: a hard margin with y f >= 1 where they do, and else a common image.

    A circle separates a ring from its centre, and no line does. Only weights v show that a polynomial does not: the
    images of the classes, weighed with v, have the same mean.
    """
    ring = [[2.0, 0.0], [0.0, 2.0], [-2.0, 0.0], [0.0, -2.0]]
    inside = Dataset([*ring, [0.0, 0.0], [0.5, 0.5]], [1, 1, 1, 1, -1, -1])
    cross = Dataset([[1.0, 0.0], [-1.0, 0.0], [3.0, 0.0], [0.0, 0.0], [2.0, 0.0]], [1, 1, 1, -1, -1])
    quadrants = Dataset([[1.0, 2.0], [-2.0, -1.0], [2.0, -1.0], [-1.0, 2.0]], [1, 1, -1, -1])
    on_axis = Dataset([[0.0, 1.0], [0.0, -1.0], [1.0, 0.0]], [1, -1, 1])
    off = 0.0
    for data, kernel, bias, is_separable in (
        (inside, Linear(), True, False),
        (inside, Polynomial(2, 1.0), True, True),
        (inside, Polynomial(2, 0.0), True, True),
        (inside, Polynomial(2, 0.0), False, False),
        (inside, Gaussian(1.0), False, True),
        (cross, Polynomial(2, 1.0), True, False),
        (cross, Polynomial(3, 1.0), True, False),
        (cross, Polynomial(4, 1.0), True, True),
        (inside, Composed("form(1,-0.5,1)*linear"), True, True),
        (quadrants, Composed("between(x1,linear+1)"), True, True),
        (quadrants, Composed("linear+1"), True, False),
        (on_axis, Composed("between(x1,linear+1)"), True, False),
        (on_axis, Composed("between(x1,gaussian(1))"), True, False),
        (on_axis, Composed("between(bump,gaussian(1))"), True, True),
    ):
        separation = separability.separate(data, kernel, bias)
        off = max(off, 0.0 if separation.separable == is_separable else 1.0)
        if is_separable:
            e = binary.solve(Problem(data, kernel, math.inf, bias))
            off = max(off, 0.0 if float((data.y * e.decision(data.X)).min()) > 1.0 - 1e-6 else 1.0)
        elif kernel.feature_dim(data.d) is not None:
            v = separation.weights
            assert v is not None
            image = (v * data.y) @ kernel.feature_map(data.X)
            off = max(off, difference(image, np.zeros(len(image))), max(0.0, -float(v.min())))
            off = max(off, difference(float(v @ data.y), 0.0) if bias else difference(float(v.sum()), 1.0))
    return off


@cache
def error_of_pair_steps() -> float:
    """Check a descent by steps on pairs, and on single multipliers without a bias: every step stays in the box.

    With a bias the sum of y alpha stays 0. The dual objective grows from step to step, up to the optimum.
    """
    off = 0.0
    for bias in (True, False):
        Q = np.outer(y, y) * gram(Gaussian(0.8), X, X)
        u = np.array([0.3, 2.0, 0.5, 1.0, 2.0, 0.4, 1.0, 2.0, 0.3])
        descent, values = SMO(DenseGram(Q), y, u, bias), [0.0]
        for _ in range(400):
            done = descent.descend(1e-10, 1)
            a = descent.a
            values.append(float(a.sum()) - 0.5 * float(a @ Q @ a))
            off = max(off, float(np.maximum(-a, a - u).max(initial=0.0)))
            off = max(off, difference(float(a @ y), 0.0) if bias else 0.0)
            if done:
                break
        e = binary.solve(Problem(Dataset(X, y), Gaussian(0.8), 1.0, bias, weights=u))
        off = max(off, max(0.0, -float(np.diff(values).min()) - 1e-12), rough(difference(values[-1], e.dual_objective)))
        off = max(off, 0.0 if descent.steps > 3 else 1.0)
    return off
