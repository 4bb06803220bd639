"""F(w) = (lambda/2) |w|^2 + mean hinge in the plane of w, minimised over b: its terms and its shape (S4, S13, S14)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.core.arrays import Array, frozen
from svmlab.solvers.bias import hinges

Span = tuple[float, float]
Line = tuple[Span, Span]
WIDEST = 6.0  # the largest ratio of width to height of a chart


@dataclass(frozen=True, eq=False)
class Landscape:
    """The two terms over a grid of w.

    The grid is w1 (k,), w2 (n,). size = 1/2 |w|^2 and slack = min_b sum xi, both (n, k), row i at w2_i.
    """

    w1: Array
    w2: Array
    size: Array
    slack: Array


@dataclass(frozen=True, eq=False)
class Section:
    """F along w* + t u: at t (k,), size = (lambda/2) |w|^2 and loss = the mean hinge; below = F(w*) + (lambda/2) t^2.

    steepest: max |x_i|, which bounds every slope of the loss. slope: the largest slope that occurs.
    """

    t: Array
    size: Array
    loss: Array
    below: Array
    steepest: float
    slope: float


def losses(problem: Problem, W: Array) -> Array:
    """Return the sum of the hinge losses of each w (k, 2), with its best b where the problem has one, shape (k,)."""
    return hinges(problem.data.X, problem.data.y, W, problem.bias)


def window(places: Array, room: float = 0.3) -> tuple[Span, Span]:
    """Return the ranges of a chart that contains the origin and the points `places` (k, 2).

    They include what a wide or a high chart shows in addition.
    """
    lo, hi = np.minimum(places.min(0), 0.0), np.maximum(places.max(0), 0.0)
    middle, half = 0.5 * (lo + hi), (0.5 + room) * np.maximum(hi - lo, 0.2 * float((hi - lo).max()))
    half = 1.5 * np.maximum(half, [WIDEST * half[1], half[0]])
    (a, c), (b, d) = middle - half, middle + half
    return (float(a), float(b)), (float(c), float(d))


def landscape(problem: Problem, w1: Span, w2: Span, n: int = 81) -> Landscape:
    """Return the terms of a linear problem in the plane over w1 x w2, at twice as many w1 as w2."""
    at1, at2 = np.linspace(*w1, 2 * n - 1), np.linspace(*w2, n)
    W = np.stack([v.ravel() for v in np.meshgrid(at1, at2)], 1)
    size = 0.5 * (W**2).sum(1).reshape(n, -1)
    return Landscape(frozen(at1), frozen(at2), frozen(size), frozen(losses(problem, W).reshape(n, -1)))


def section(problem: Problem, best: Array, angle: float, reach: float, n: int = 241) -> Section:
    """Return F of a linear problem in the plane along a line through the optimum `best`.

    Its direction is (cos, sin) of `angle`, with |t| <= reach.
    """
    u = np.array([np.cos(angle), np.sin(angle)])
    t = np.linspace(-reach, reach, n)
    W = best + t[:, None] * u
    lam, m = problem.lam, problem.data.m
    size, loss = 0.5 * lam * (W**2).sum(1), losses(problem, W) / m
    minimum = 0.5 * lam * float(best @ best) + float(losses(problem, best[None])[0]) / m
    steepest = float(np.linalg.norm(problem.data.X, axis=1).max())
    slope = float(np.abs(np.diff(loss) / np.diff(t)).max())
    return Section(frozen(t), frozen(size), frozen(loss), frozen(minimum + 0.5 * lam * t**2), steepest, slope)


def of_line(problem: Problem, line: Line) -> tuple[Array, float]:
    """Return (w, b) of a line that the user placed, +1 to the left of a -> b, in the scale with the least F.

    With signed distances h the objective s^2/2 + C sum max(0, 1 - s y h) has the derivative s - C sum of y h over the
    points with s y h < 1, which rises with s. Its zero lies between two kinks s = 1/(y h).
    """
    (ax, ay), (bx, by) = line
    normal = np.array([ay - by, bx - ax])
    normal = normal / np.hypot(*normal)
    offset = -float(normal @ [ax, ay]) if problem.bias else 0.0
    v = problem.data.y * (problem.data.X @ normal + offset)
    # The derivative would be 0 here if every point counted. Each kink removes one point.
    s = problem.C * float(v.sum())
    for kink in np.sort(1.0 / v[v > 0]):
        if s <= kink:
            break
        s = max(s - problem.C / kink, kink)
    s = max(s, 0.0)
    return s * normal, s * offset
