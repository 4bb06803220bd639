"""How a ball rolls down F: the steepest way, in steps that are short on the slope and Newton's at its foot (L2, L10).

    w <- w - (I/h + |H|)^-1 g,    h = length/|g|,    g, H of F with its corners rounded off

which for short steps is w' = -g, and does not swing from side to side in a narrow valley. |H| has the sizes of H's
eigenvalues. Source: linearly implicit Euler steps, Hairer and Wanner (1996), Solving Ordinary Differential Equations
II, IV.7.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, frozen
from svmlab.losses import Fit, Objective, descend

MU = 0.02  # the width to which a corner of the loss is rounded off on the way; the end is that of `descend`
STEPS = 160
DONE = 1e-9  # of the length of a step: at rest


def roll(objective: Objective, start: Array, length: float) -> tuple[Array, Fit]:
    """The way (k, 2) down from `start` (2,) of a machine without bias, no step longer than `length`; and the descent
    from its foot.

    On a level floor, as that of the hinge without lambda, it stays where it comes onto it.
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
    """One step from w, halved until F falls; 0 where it cannot."""
    m = len(signed)
    value, first, second = objective.loss.smoothed(signed @ w, MU)
    cost, slope, bend = objective.regulariser.smoothed(w, MU)
    here = float(value.mean() + objective.lam * cost.sum())
    g = first @ signed / m + objective.lam * slope
    sizes, axes = np.linalg.eigh((signed.T * (second / m)) @ signed + objective.lam * np.diag(bend))
    steep = float(np.hypot(*g))
    if steep == 0:
        return np.zeros(2)
    for halved in range(30):
        step = -axes @ ((axes.T @ g) / (steep * 2.0**halved / length + np.abs(sizes)))
        then = w + step
        value, cost = objective.loss.smoothed(signed @ then, MU)[0], objective.regulariser.smoothed(then, MU)[0]
        if float(value.mean() + objective.lam * cost.sum()) < here:
            return np.asarray(step)
    return np.zeros(2)
