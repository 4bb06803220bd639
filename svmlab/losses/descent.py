"""One descent for every pair of a loss and a regulariser (L5): Newton steps on F, its corners rounded off less and
less.

    u <- u - s |H|^-1 g,   g, H of F_mu,   mu = 1, .32, .1, ..., 1e-10

|H| has the sizes of H's eigenvalues, so each step goes down where F bends downward too, and s is halved until F_mu
falls as it should. F_mu is above F by no more than mu (log 2 + lam d), so a minimum of the last is one of F to that.
Without corners there is one round. Source: Nocedal and Wright (2006), Numerical Optimization, 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.errors import BadInput
from svmlab.core.validate import validated
from svmlab.losses.objective import Objective

WIDTHS = tuple(10.0 ** (-k / 2) for k in range(21))  # by whole powers of ten some end 1e-7 above the minimum
STEPS = 200  # in one round
DONE = 1e-15  # of F at 0: what a step may promise and still be none
FLAT = 1e-13  # of H's largest eigenvalue: below, a direction is flat
NEAR = 2.0  # how far one step moves any t where F bends downward too
FAR = 1e-6  # of a weight's effect: below, a corner at 0 may hold it
AHEAD = 5.0  # how far any t is moved to see whether F is level there
LEVEL = 1e-9  # of F: a change that is none


@dataclass(frozen=True, eq=False)
class Fit(Frozen):
    """Where a descent ended. w (d,), b, value: F there. settled: whether it is at rest at a minimum; False where F
    falls for ever (L10).

    path: (k + 1, d + 1) the (w, b) of all steps, the start first.
    """

    w: Array
    b: float
    value: float
    converged: bool
    path: Array


@validated
def descend(objective: Objective, start: Array | None = None) -> Fit:
    """Down from `start`, w (d,) or w and b (d + 1,), from 0 when left out: to the minimum of a convex loss, to one of
    several else.

    Raises BadInput for a start of another shape.
    """
    data, d = objective.data, objective.data.d
    if start is not None and start.shape not in ((d,), (d + 1,)):
        raise BadInput("start: shape {shape} is neither ({d},) nor ({more},).", shape=start.shape, d=d, more=d + 1)
    centre = data.X.mean(0) if objective.bias else np.zeros(d)  # w and b are told apart more easily
    A = data.y[:, None] * np.column_stack([data.X - centre, np.full(data.m, float(objective.bias))])
    u: Array = np.zeros(d + 1)
    if start is not None:
        u[: len(start)] = start
        u[d] = u[d] + u[:d] @ centre if objective.bias else 0.0
    cornered = objective.loss.corner is not None or (objective.regulariser.corner and objective.lam > 0)
    path, settled = list[Array]([u]), False
    for mu in WIDTHS if cornered else WIDTHS[-1:]:
        stretch, settled = _newton_steps(objective, A, u, mu)
        path += stretch
        u = path[-1]
    settled = settled and not _falls_forever(objective, A, u)
    u = _snap_to_corner(objective, A, u)
    places = np.array([*path, u]) if not np.array_equal(u, path[-1]) else np.array(path)
    places[:, d] -= places[:, :d] @ centre
    w, b = places[-1, :d], float(places[-1, d]) if objective.bias else 0.0
    value = float(objective.value(w, b))
    return Fit(frozen(w), b, value, settled, frozen(places))


def _newton_steps(objective: Objective, A: Array, u: Array, mu: float) -> tuple[list[Array], bool]:
    """Newton steps on F_mu from u: their places, and whether they came to rest."""
    m, d = len(A), A.shape[1] - 1
    scale = float(objective.loss.value(np.zeros(1))[0]) or 1.0
    path: list[Array] = []
    for _ in range(STEPS):
        value, first, second = objective.loss.smoothed(A @ u, mu)
        cost, slope, bend = objective.regulariser.smoothed(u[:d], mu)
        F = value.mean() + objective.lam * cost.sum()
        g = first @ A / m
        g[:d] += objective.lam * slope
        H = (A.T * (second / m)) @ A
        H[np.arange(d), np.arange(d)] += objective.lam * bend
        sizes, axes = np.linalg.eigh(H)
        sizes = np.abs(sizes)
        step = -axes @ ((axes.T @ g) / (np.maximum(sizes, FLAT * sizes.max()) if sizes.any() else 1.0))
        if not objective.loss.convex:  # H says little of places far from here
            step *= min(1.0, NEAR / max(float(np.abs(A @ step).max()), 1e-300))
        promise = float(-g @ step)
        if promise <= DONE * scale:
            return path, objective.loss.attains_minimum or promise <= 1e-6 * F
        s = _line_search(objective, A, u, step, F, promise, mu)
        if s == 0:
            return path, promise <= 1e-6 * F
        u = u + s * step
        path.append(u)
    return path, False


def _line_search(objective: Objective, A: Array, u: Array, step: Array, F: float, promise: float, mu: float) -> float:
    """The largest of 1, 1/2, 1/4, ... by which F_mu falls a ten-thousandth of what its slope promises; 0 where rounding
    allows none.
    """
    d, s = A.shape[1] - 1, 1.0
    for _ in range(60):
        v = u + s * step
        then = (
            objective.loss.smoothed(A @ v, mu)[0].mean()
            + objective.lam * objective.regulariser.smoothed(v[:d], mu)[0].sum()
        )
        if then <= F - 1e-4 * s * promise:
            return s
        s *= 0.5
    return 0.0


def _falls_forever(objective: Objective, A: Array, u: Array) -> bool:
    """Whether F is level from u on along a way on which some t change. A loss that only comes near its least value
    still falls there.

    Looked at are the axes of H. Where w has a price b alone is free, and with one class falls for ever.
    """
    if objective.loss.attains_minimum:
        return False
    d, t = A.shape[1] - 1, A @ u
    if objective.lam > 0 and objective.regulariser.value(np.ones(d)) > 0:
        if objective.bias and not objective.data.both_classes:
            return True
        ways = np.eye(d + 1)[d:]
    else:
        ways = np.linalg.eigh((A.T * objective.loss.smoothed(t, WIDTHS[-1])[2]) @ A)[1].T
    F = float(objective.loss.value(t).mean())
    for way in ways:
        change = A @ way
        effect = float(np.abs(change).max())
        if effect <= LEVEL * float(np.abs(A).max()):
            continue
        for step in (AHEAD / effect, -AHEAD / effect):
            if abs(float(objective.loss.value(t + step * change).mean()) - F) <= LEVEL * F:
                return True
    return False


def _snap_to_corner(objective: Objective, A: Array, u: Array) -> Array:
    """U with 0 for the weights that a corner of the regulariser holds there: without them F is as low.

    Where the loss has its corner there too, the other weights must move for that: they go down once more, by
    themselves.
    """
    if not objective.regulariser.corner or objective.lam == 0:
        return u
    d = A.shape[1] - 1
    small = np.flatnonzero((u[:d] != 0) & (np.abs(u * A).max(0)[:d] < FAR))

    def F(v: Array) -> float:
        return float(objective.loss.value(A @ v).mean() + objective.lam * objective.regulariser.value(v[:d]))

    for some in (small, *small[:, None]) if len(small) else ():
        kept = np.delete(np.arange(d + 1), [*np.flatnonzero(u[:d] == 0), *some])
        v = np.zeros(d + 1)
        v[kept] = u[kept]
        for mu in WIDTHS:
            v[kept] = [v[kept], *_newton_steps(objective, A[:, kept], v[kept], mu)[0]][-1]
        if F(v) <= F(u) + WIDTHS[-1] * (1.0 + objective.lam * d):
            return v
    return u
