"""Whether solutions are optimal: the optimality conditions, the least norm, other starts, and clipped kernels."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache
from itertools import permutations

import numpy as np

from svmlab.binary import solve as binary
from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.standard import Gaussian, Linear, Sigmoid
from svmlab.statements.examples.binary_solutions import APART, X, gram, margins, prices, solutions, y
from svmlab.statements.examples.differences import difference


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
    for v in ((1.0, 1.0, 1.0, 1.0), (1.0, 2.0, 4.0, 8.0), (3.0, 1.0, 2.0, 1.0)):
        here, there = 1.0 / v[0] + 1.0 / v[2], 1.0 / v[1] + 1.0 / v[3]
        t = 0.25 * (there - here) / (here + there)
        wanted = [0.25 + t, 0.25 - t, 0.25 + t, 0.25 - t]
        e = binary.solve(Problem(corners, Linear(), 5.0, weights=np.array(v)))
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
        after = Problem(replace(many, X=P), Gaussian(3.0), 1.0)
        off = max(off, 0.0 if np.array_equal(binary.solve(after, start=first).alpha, binary.solve(after).alpha) else 1.0)
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
            0.0 if e.clipped is not None and abs(e.clipped - values[0]) <= 1e-9 else 1.0,
            difference(f, at_points + constant),
            difference(e.margins, y * f),
            difference(e.norm_w, math.sqrt(square)),
            difference(e.objective, 0.5 * square + 2.0 * float(slack.sum())),
            difference(e.dual_objective, float(e.alpha.sum()) - 0.5 * square),
            difference(violation(e.alpha, e.margins, np.full(9, 2.0)), 0.0),
            difference(float(e.alpha @ y), 0.0) if bias else 0.0,
        )
    return off
