"""One descent method for every pair of a loss and a regulariser (L5): Newton steps on F with smoothed corners.

    u <- u - s |H|^-1 g,   g, H of F_mu,   mu = 1, .32, .1, ..., 1e-10

The width mu of the smoothing decreases from round to round. |H| has the absolute values of H's eigenvalues, so each
step is a descent direction also where F is not convex, and s is halved until F_mu decreases enough. F_mu is above F by
at most mu (log 2 + lam d), so a minimum of the last F_mu is a minimum of F up to that. Without corners there is one
round. Source: Nocedal and Wright (2006), Numerical Optimization, 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.errors import BadInput
from svmlab.core.validate import validated
from svmlab.losses.objective import Objective

SMOOTHING_WIDTHS = tuple(
    10.0 ** (-k / 2) for k in range(21)
)  # with whole powers of ten some runs end 1e-7 above the minimum
STEPS = 200  # in one round
LEAST_DECREASE = 1e-15  # relative to F at 0: a smaller predicted decrease ends the round
LEAST_EIGENVALUE = 1e-13  # relative to H's largest eigenvalue: smaller ones are replaced by this
LONGEST_STEP = 2.0  # largest change of any t in one step if the loss is not convex
LEAST_EFFECT = 1e-6  # on every t: a weight with a smaller effect may be 0 because of a corner there
LOOK_AHEAD = 5.0  # change of t by which the test for an unattained minimum moves
LEVEL_TOLERANCE = 1e-9  # relative to F: a smaller change counts as none


@dataclass(frozen=True, eq=False)
class Fit(Frozen):
    """The result of a descent: w (d,), b, and value, F there.

    converged: whether it ended at a minimum; False if F has no minimum (L10). path: (k + 1, d + 1) the (w, b) of all
    steps, the start first.
    """

    w: Array
    b: float
    value: float
    converged: bool
    path: Array


@validated
def descend(objective: Objective, start: Array | None = None) -> Fit:
    """Minimise `objective` from `start`, w (d,) or w and b (d + 1,), by default 0.

    The result is the minimum of a convex loss, and otherwise a local one. Raises BadInput for a start of another shape.
    """
    data, d = objective.data, objective.data.d
    if start is not None and start.shape not in ((d,), (d + 1,)):
        raise BadInput("start: shape {shape} is neither ({d},) nor ({more},).", shape=start.shape, d=d, more=d + 1)
    centre = data.X.mean(0) if objective.bias else np.zeros(d)  # centred points make w and b nearly independent
    A = data.y[:, None] * np.column_stack([data.X - centre, np.full(data.m, float(objective.bias))])
    u: Array = np.zeros(d + 1)
    if start is not None:
        u[: len(start)] = start
        u[d] = u[d] + u[:d] @ centre if objective.bias else 0.0
    cornered = objective.loss.corner is not None or (objective.regulariser.corner and objective.lam > 0)
    path, converged = list[Array]([u]), False
    for mu in SMOOTHING_WIDTHS if cornered else SMOOTHING_WIDTHS[-1:]:
        stretch, converged = _newton_steps(objective, A, u, mu)
        path += stretch
        u = path[-1]
    converged = converged and not _falls_forever(objective, A, u)
    u = _snap_to_corner(objective, A, u)
    path_array = np.array([*path, u]) if not np.array_equal(u, path[-1]) else np.array(path)
    path_array[:, d] -= path_array[:, :d] @ centre
    w, b = path_array[-1, :d], float(path_array[-1, d]) if objective.bias else 0.0
    value = float(objective.value(w, b))
    return Fit(frozen(w), b, value, converged, frozen(path_array))


def _newton_steps(objective: Objective, A: Array, u: Array, mu: float) -> tuple[list[Array], bool]:
    """Return the iterates of Newton's method on F_mu from u, and whether they converged."""
    m, d = len(A), A.shape[1] - 1
    scale = float(objective.loss.value(np.zeros(1))[0]) or 1.0
    path: list[Array] = []
    for _ in range(STEPS):
        value, first, second = objective.loss.smoothed(A @ u, mu)
        cost, slope, curvature = objective.regulariser.smoothed(u[:d], mu)
        F = value.mean() + objective.lam * cost.sum()
        g = first @ A / m
        g[:d] += objective.lam * slope
        H = (A.T * (second / m)) @ A
        H[np.arange(d), np.arange(d)] += objective.lam * curvature
        sizes, axes = np.linalg.eigh(H)
        sizes = np.abs(sizes)
        step = -axes @ ((axes.T @ g) / (np.maximum(sizes, LEAST_EIGENVALUE * sizes.max()) if sizes.any() else 1.0))
        if not objective.loss.convex:  # H describes F only near u
            step *= min(1.0, LONGEST_STEP / max(float(np.abs(A @ step).max()), 1e-300))
        predicted_decrease = float(-g @ step)
        if predicted_decrease <= LEAST_DECREASE * scale:
            return path, objective.loss.attains_minimum or predicted_decrease <= 1e-6 * F
        s = _line_search(objective, A, u, step, F, predicted_decrease, mu)
        if s == 0:
            return path, predicted_decrease <= 1e-6 * F
        u = u + s * step
        path.append(u)
    return path, False


def _line_search(
    objective: Objective, A: Array, u: Array, step: Array, F: float, predicted_decrease: float, mu: float
) -> float:
    """Return the largest s of 1, 1/2, 1/4, ... that decreases F_mu by 1e-4 of what its slope predicts.

    It is 0 if rounding allows no such s.
    """
    d, s = A.shape[1] - 1, 1.0
    for _ in range(60):
        v = u + s * step
        F_new = (
            objective.loss.smoothed(A @ v, mu)[0].mean()
            + objective.lam * objective.regulariser.smoothed(v[:d], mu)[0].sum()
        )
        if F_new <= F - 1e-4 * s * predicted_decrease:
            return s
        s *= 0.5
    return 0.0


def _falls_forever(objective: Objective, A: Array, u: Array) -> bool:
    """Return whether F is constant from u on along a direction in which some t change.

    A loss that does not attain its infimum still decreases there. The eigenvectors of H are tested. If w has a penalty,
    only b is unpenalised, and with one class F has no minimum.
    """
    if objective.loss.attains_minimum:
        return False
    d, t = A.shape[1] - 1, A @ u
    if objective.lam > 0 and objective.regulariser.value(np.ones(d)) > 0:
        if objective.bias and not objective.data.both_classes:
            return True
        directions = np.eye(d + 1)[d:]
    else:
        directions = np.linalg.eigh((A.T * objective.loss.smoothed(t, SMOOTHING_WIDTHS[-1])[2]) @ A)[1].T
    F = float(objective.loss.value(t).mean())
    for direction in directions:
        change = A @ direction
        effect = float(np.abs(change).max())
        if effect <= LEVEL_TOLERANCE * float(np.abs(A).max()):
            continue
        for step in (LOOK_AHEAD / effect, -LOOK_AHEAD / effect):
            if abs(float(objective.loss.value(t + step * change).mean()) - F) <= LEVEL_TOLERANCE * F:
                return True
    return False


def _snap_to_corner(objective: Objective, A: Array, u: Array) -> Array:
    """Return u with 0 for the weights that are 0 at the minimum because of the regulariser's corner.

    Such weights are found by setting them to 0: F is then as low. If the loss has a corner there too, the other weights
    must move for that, so they are minimised once more without the others.
    """
    if not objective.regulariser.corner or objective.lam == 0:
        return u
    d = A.shape[1] - 1
    small = np.flatnonzero((u[:d] != 0) & (np.abs(u * A).max(0)[:d] < LEAST_EFFECT))

    def F(v: Array) -> float:
        return float(objective.loss.value(A @ v).mean() + objective.lam * objective.regulariser.value(v[:d]))

    for removed in (small, *small[:, None]) if len(small) else ():
        remaining = np.delete(np.arange(d + 1), [*np.flatnonzero(u[:d] == 0), *removed])
        v = np.zeros(d + 1)
        v[remaining] = u[remaining]
        for mu in SMOOTHING_WIDTHS:
            v[remaining] = [v[remaining], *_newton_steps(objective, A[:, remaining], v[remaining], mu)[0]][-1]
        if F(v) <= F(u) + SMOOTHING_WIDTHS[-1] * (1.0 + objective.lam * d):
            return v
    return u
