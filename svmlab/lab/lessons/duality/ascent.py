"""Coordinate ascent on the dual, step by step, with bounds of the optimum from both sides (H2, H3 of the catalogue).

With a bias a step changes two multipliers along y'alpha = 0, the pair that violates optimality most. Without a bias a
step changes a single multiplier. Each step is the exact maximum along its direction, so the dual value never falls.
Source: Platt (1998), Sequential minimal optimization; Keerthi et al. (2001) for the pair that violates most.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, Index, frozen
from svmlab.core.errors import BadInput
from svmlab.solvers.bias import bias_interval, middle_bias

FLAT = 1e-14  # curvature, relative to the largest k(x, x), below which a direction counts as linear


@dataclass(frozen=True, eq=False)
class Ascent:
    """The iterates of the ascent; row 0 is the start, alpha = 0.

    alpha (k, m). moved (k, 2): the rows that changed, -1 where there is none. dual (k,): sum alpha - 1/2 alpha'Q alpha,
    never falling. primal (k,): the least value so far of the feasible (w, b) made from the iterates, inf before the
    first. b (k,): the best offset for each w = sum alpha_i y_i phi(x_i) itself. unbounded: whether there was a
    direction along which the dual grows without bound (C = inf on points that are not separable).
    """

    alpha: Array
    moved: Index
    dual: Array
    primal: Array
    b: Array
    unbounded: bool

    @property
    def steps(self) -> int:
        """Return the number of steps."""
        return len(self.dual) - 1


def ascent(problem: Problem, steps: int = 200, tol: float = 1e-6) -> Ascent:
    """Run at most `steps` steps from alpha = 0, until the gap is at most tol relative to the primal value.

    Raises BadInput without points and for kernels that are no inner product.
    """
    data, y, C = problem.data, problem.data.y, problem.C
    if data.m == 0:
        raise BadInput("There are no points yet. Add at least one point of each class.")
    if not problem.kernel.psd:
        raise BadInput(
            "kernel: {kernel} is no inner product, so its dual objective has no single maximum.",
            kernel=problem.kernel.key,
        )
    K = problem.gram
    least_curvature = FLAT * float(np.diag(K).max(initial=0.0))
    alpha, f = np.zeros(data.m), np.zeros(data.m)  # f_i = sum_j alpha_j y_j K_ij
    rows, moved = [alpha.copy()], [(-1, -1)]
    value, b = primal_value_and_bias(problem, f, 0.0)
    dual, primal, offsets = [0.0], [value], [b]
    unbounded = False
    for _ in range(steps):
        pair = _pair(y, C, alpha, y - f) if problem.bias else _single(y, C, alpha, y - f, K)
        if pair is None:
            break
        i, j, largest_step = pair
        curvature = K[i, i] if j < 0 else K[i, i] + K[j, j] - 2.0 * K[i, j]
        slope = y[i] - f[i] if j < 0 else (y[i] - f[i]) - (y[j] - f[j])
        t = np.inf if curvature <= least_curvature else abs(slope) / curvature
        t = min(t, largest_step)
        if not np.isfinite(t):
            unbounded = True
            break
        sign = np.sign(slope)
        alpha[i] = np.clip(alpha[i] + sign * y[i] * t, 0.0, C)
        f = f + sign * t * K[i]
        if j >= 0:
            alpha[j] = np.clip(alpha[j] - sign * y[j] * t, 0.0, C)
            f = f - sign * t * K[j]
        square = max(float((alpha * y) @ f), 0.0)
        rows.append(alpha.copy())
        moved.append((i, j))
        dual.append(float(alpha.sum()) - 0.5 * square)
        value, b = primal_value_and_bias(problem, f, square)
        primal.append(min(primal[-1], value))
        offsets.append(b)
        if np.isfinite(primal[-1]) and primal[-1] - dual[-1] <= tol * primal[-1]:
            break
    return Ascent(frozen(rows), frozen(moved, np.intp), frozen(dual), frozen(primal), frozen(offsets), unbounded)


def primal_value_and_bias(problem: Problem, f: Array, square: float) -> tuple[float, float]:
    """Return the primal value of the best feasible (w, b) in the direction of w, and the best b for w itself.

    f_i = <w, phi(x_i)>, |w|^2 = square. For the soft margin w is used as it is. For the hard margin w and b are scaled
    so that the smallest margin is 1; the value is inf where w separates nothing.
    """
    y = problem.data.y
    if problem.bias and not problem.data.both_classes:
        return 0.0, float(y[0])
    if not problem.hard:
        b = middle_bias(*bias_interval(f, y, np.ones(len(y)), False)) if problem.bias else 0.0
        return 0.5 * square + problem.C * float(np.maximum(0.0, 1.0 - y * (f + b)).sum()), b
    b = -0.5 * float(f[y > 0].min() + f[y < 0].max()) if problem.bias else 0.0
    smallest_margin = float((y * (f + b)).min())
    return 0.5 * square / smallest_margin**2 if smallest_margin > 0 else np.inf, b


def _pair(y: Array, C: float, alpha: Array, g: Array) -> tuple[int, int, float] | None:
    """Return the two rows along which y'alpha = 0 allows the steepest ascent, and the largest step.

    None at the optimum.
    """
    up = np.where(y > 0, C - alpha, alpha)  # how far y_i alpha_i may increase
    down = np.where(y > 0, alpha, C - alpha)
    i = int(np.where(up > 0, g, -np.inf).argmax())
    j = int(np.where(down > 0, g, np.inf).argmin())
    if not (up[i] > 0 and down[j] > 0 and g[i] > g[j]):
        return None
    return i, j, float(min(up[i], down[j]))


def _single(y: Array, C: float, alpha: Array, g: Array, K: Array) -> tuple[int, int, float] | None:
    """Return the row, without a bias, whose own step raises the dual most, and -1 and the largest step."""
    slope = y * g
    largest_step = np.where(slope > 0, C - alpha, alpha)
    curvature = np.maximum(np.diag(K), 1e-300)
    t = np.minimum(np.abs(slope) / curvature, largest_step)
    gain = np.where(t > 0, np.abs(slope) * t - 0.5 * curvature * t * t, 0.0)
    i = int(gain.argmax())
    return (i, -1, float(largest_step[i])) if gain[i] > 0 else None
