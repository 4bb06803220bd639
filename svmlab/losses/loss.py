"""Losses as functions of the functional margin t = y f(x), one small class each (L1, L2, L12, L14).

    0/1 1[t <= 0]    squared (1 - t)^2    logistic log(1 + e^-t)    exponential e^-t
    hinge max(0, 1 - t)    perceptron max(0, -t)    sigmoid 1/(1 + e^t)

Only the 0/1 loss counts errors. The others are surrogates for it, because its slope is 0 wherever it exists. Source:
note B, "Loss function".
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.validate import validated

ValueAndDerivatives = tuple[Array, Array, Array]  # a function, its first and its second derivative


@validated
def zero_one_loss(t: Array) -> Array:
    """Return the 0/1 loss: 1 where t = y f(x) <= 0, else 0."""
    return np.where(t <= 0, 1.0, 0.0)


@dataclass(frozen=True)
class Loss(ABC):
    """A loss l(t).

    name: its key. convex: whether it is convex. corner: the t where its slope jumps, or None. upper_bound_factor: the
    factor with which l is nowhere below the 0/1 loss, or None if no factor does this. attains_minimum: whether l
    attains its infimum. If it only converges to it, F may have no minimum (L10).
    """

    name: ClassVar[str]
    convex: ClassVar[bool] = True
    corner: ClassVar[float | None] = None
    upper_bound_factor: ClassVar[float | None] = 1.0
    attains_minimum: ClassVar[bool] = True

    @abstractmethod
    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        """Return l(t), l'(t) and l''(t), with a corner smoothed over the width mu > 0: too high by at most mu log 2."""

    def value(self, t: Array) -> Array:
        """Return l(t), with the shape of t."""
        return self.smoothed(t, 1.0)[0]

    def slopes(self, t: Array) -> tuple[Array, Array]:
        """Return the slopes to the left and to the right of t.

        For a convex loss these are the ends of its interval of subgradients (L3).
        """
        slope = self.smoothed(t, 1.0)[1]
        return slope, slope

    def absolute_slope(self, t: Array) -> Array:
        """Return |l'(t)|, the influence of an example at t on the line (L14); the larger of both slopes at a corner."""
        left, right = self.slopes(t)
        return np.maximum(np.abs(left), np.abs(right))


class Squared(Loss):
    """The squared loss, least squares on the labels: (1 - y f)^2 = (y - f)^2."""

    name = "squared"

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        return (1.0 - t) ** 2, 2.0 * (t - 1.0), np.full_like(t, 2.0)


class Logistic(Loss):
    """The logistic loss, minus the logarithm of the probability 1/(1 + e^-t) of the point's own label."""

    name = "logistic"
    attains_minimum = False
    upper_bound_factor = 1.0 / float(np.log(2.0))

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        own, other = _sigma(t), _sigma(-t)
        return np.logaddexp(0.0, -t), -other, own * other


class Exponential(Loss):
    """The exponential loss, which boosting uses."""

    name = "exponential"
    attains_minimum = False

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        with np.errstate(over="ignore"):
            value = np.exp(-t)
        return value, -value, value


class Cornered(Loss):
    """The loss max(0, corner - t), smoothed as mu log(1 + e^((corner - t)/mu))."""

    corner: ClassVar[float]

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        z = (self.corner - t) / mu
        inside, outside = _sigma(z), _sigma(-z)
        return mu * np.logaddexp(0.0, z), -inside, inside * outside / mu

    def value(self, t: Array) -> Array:
        return np.maximum(0.0, self.corner - t)

    def slopes(self, t: Array) -> tuple[Array, Array]:
        return np.where(t <= self.corner, -1.0, 0.0), np.where(t < self.corner, -1.0, 0.0)


class Hinge(Cornered):
    """The hinge loss, which is the slack of the soft margin."""

    name = "hinge"
    corner = 1.0


class Perceptron(Cornered):
    """The distance of t below 0, which is 0 for w = 0 whatever the points are."""

    name = "perceptron"
    corner = 0.0
    upper_bound_factor = None


class Sigmoid(Loss):
    """A smooth step function: 1/2 or more for errors, and 1/2 or less for the others (L12)."""

    name = "sigmoid"
    attains_minimum = False
    convex = False
    upper_bound_factor = 2.0

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        own, other = _sigma(t), _sigma(-t)
        return other, -own * other, own * other * (own - other)


def _sigma(t: Array) -> Array:
    """Return 1/(1 + e^-t), accurate to the last digits for both signs of t."""
    small = np.exp(-np.abs(t))
    return np.where(t >= 0, 1.0, small) / (1.0 + small)


LOSSES: dict[str, Loss] = {
    loss.name: loss for loss in (Squared(), Logistic(), Exponential(), Hinge(), Perceptron(), Sigmoid())
}
