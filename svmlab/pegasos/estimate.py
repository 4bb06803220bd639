"""One random draw as an estimate of F: unbiased before its own step, too low after it (P5 of the catalogue, note A)."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.data import Dataset
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.step_rule import objective


@dataclass(frozen=True, eq=False)
class SampledLosses(Frozen):
    """The losses of n draws Z at one fixed w_t.

    before (n,): l_Z(w_t). F: F(w_t). after (n,): l_Z(w_{t+1}) - F(w_{t+1}) with the w_{t+1} that follows from Z.
    size: the largest number whose rounding enters a loss.
    """

    before: Array
    F: float
    after: Array
    size: float

    @property
    def z(self) -> float:
        """The difference of the mean of `before` and F, in standard errors."""
        return _z(self.before - self.F, self.size)

    @property
    def z_after(self) -> float:
        """The mean of `after` in standard errors, far below 0 because w_{t+1} depends on the draw itself."""
        return _z(self.after, self.size)


def outcomes(data: Dataset, lam: float, w: Array, t: int) -> tuple[Array, Array]:
    """Return l_Z(w_t), and l_Z(w_{t+1}) - F(w_{t+1}) after the step, for each point as Z at w (d,) = w_t, (m,) each.

    The cost is O(m^2).
    """
    z = data.y[:, None] * data.X
    hinge = np.maximum(0.0, 1.0 - z @ w)
    after = (1.0 - 1.0 / t) * w + z * (hinge > 0)[:, None] / (lam * t)
    own_excess = np.maximum(0.0, 1.0 - (z * after).sum(1)) + 0.5 * lam * (after * after).sum(1)
    return hinge + 0.5 * lam * (w @ w), own_excess - objective(data, lam, after)


def estimate(data: Dataset, lam: float, w: Array, t: int, n: int, seed: int = 0) -> SampledLosses:
    """Return the estimates of n draws at w (d,) = w_t and after step t; O(m^2) for the m possible steps."""
    loss, own_excess = outcomes(data, lam, w, t)
    rows = draws(data.m, seed, 0, 0, n)
    F = float(objective(data, lam, w))
    size = max(1.0, abs(F), float(np.linalg.norm(data.X, axis=1).max() * np.linalg.norm(w)))
    return SampledLosses(frozen(loss[rows]), F, frozen(own_excess[rows]), size)


def _z(values: Array, scale: float) -> float:
    mean, spread = float(values.mean()), float(values.std()) / math.sqrt(len(values))
    if abs(mean) <= 1e-12 * scale:
        return 0.0
    # values that are almost equal have a small standard error, and their mean is compared with it all the same
    return mean / spread if spread > 1e-14 * scale else math.copysign(math.inf, mean)
