"""How a ball rolls down F: steepest descent with short steps that become Newton steps near the end (L2, L10).

    w <- w - (I/h + |H|)^-1 g,    h = length/|g|,    g, H of F with its kinks smoothed

For short steps this is w' = -g, and it does not oscillate in a narrow valley. |H| has the absolute eigenvalues of H.
Source: linearly implicit Euler steps, Hairer and Wanner (1996), Solving Ordinary Differential Equations II, IV.7.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.losses import Fit, Objective, descend

MU = 0.02  # the width to which a kink of the loss is smoothed on the path; its end is that of `descend`
STEPS = 160
DONE = 1e-9  # relative to the length of a step: a shorter step counts as 0


def roll(objective: Objective, start: Array, length: float) -> tuple[Array, Fit]:
    """Return the path (k, 2) down from `start` (2,) for a problem without bias, and the descent from its end.

    No step is longer than `length`. On a flat minimum, as that of the hinge without lambda, the path ends where it
    first reaches it.
    """
    signed = objective.data.y[:, None] * objective.data.X
    w, path = start, [start]
    for _ in range(STEPS):
        if objective.loss.convex and objective.loss.attains_minimum and not objective.gradient(w).any():
            value = float(objective.value(w))
            return frozen(np.array(path)), Fit(frozen(w), 0.0, value, True, frozen(np.array(path)))
        step = _step(objective, signed, w, length)
        if float(np.hypot(*step)) <= DONE * length:
            break
        w = w + step
        path.append(w)
    fit = descend(objective, w)
    return frozen(np.array([*path, fit.w])), fit


def _step(objective: Objective, signed: Array, w: Array, length: float) -> Array:
    """Return one step from w, halved until F falls; 0 where F cannot fall."""
    m = len(signed)
    value, first, second = objective.loss.smoothed(signed @ w, MU)
    cost, slope, bend = objective.regulariser.smoothed(w, MU)
    value_at_w = float(value.mean() + objective.lam * cost.sum())
    g = first @ signed / m + objective.lam * slope
    sizes, axes = np.linalg.eigh((signed.T * (second / m)) @ signed + objective.lam * np.diag(bend))
    gradient_norm = float(np.hypot(*g))
    if gradient_norm == 0:
        return np.zeros(2)
    for halved in range(30):
        step = -axes @ ((axes.T @ g) / (gradient_norm * 2.0**halved / length + np.abs(sizes)))
        next_w = w + step
        value, cost = objective.loss.smoothed(signed @ next_w, MU)[0], objective.regulariser.smoothed(next_w, MU)[0]
        if float(value.mean() + objective.lam * cost.sum()) < value_at_w:
            return np.asarray(step)
    return np.zeros(2)
