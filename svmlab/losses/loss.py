"""Losses: what an example costs whose label times value is t = y f(x), one small class each (L1, L2, L12, L14).

    0/1 1[t <= 0]    squared (1 - t)^2    logistic log(1 + e^-t)    exponential e^-t
    hinge max(0, 1 - t)    perceptron max(0, -t)    sigmoid 1/(1 + e^t)

Only the 0/1 loss counts errors; the others stand in for it, because it has no slope to follow. Source: B, "Loss
function".
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
def wrong(t: Array) -> Array:
    """The 0/1 loss: 1 where t = y f(x) <= 0, else 0."""
    return np.where(t <= 0, 1.0, 0.0)


@dataclass(frozen=True)
class Loss(ABC):
    """A loss l(t). name: its key. convex: whether it bends upward everywhere. corner: where its slope jumps, None where
    nowhere.

    above: what l must be multiplied with to lie nowhere below the 0/1 loss, None where no factor does it.
    ends: whether l reaches its least value; where it only comes nearer, F may fall for ever (L10).
    """

    name: ClassVar[str]
    convex: ClassVar[bool] = True
    corner: ClassVar[float | None] = None
    upper_bound_factor: ClassVar[float | None] = 1.0
    attains_minimum: ClassVar[bool] = True

    @abstractmethod
    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        """L(t), l'(t) and l''(t), a corner rounded off to the width mu > 0: too high by at most mu log 2 there."""

    def value(self, t: Array) -> Array:
        """L(t), shape of t."""
        return self.smoothed(t, 1.0)[0]

    def slopes(self, t: Array) -> tuple[Array, Array]:
        """The slopes to the left and to the right of t: for a convex loss the ends of its interval of subgradients
        (L3).
        """
        slope = self.smoothed(t, 1.0)[1]
        return slope, slope

    def absolute_slope(self, t: Array) -> Array:
        """|l'(t)|, how hard an example at t pulls at the line (L14); at a corner the larger of both."""
        left, right = self.slopes(t)
        return np.maximum(np.abs(left), np.abs(right))


class Squared(Loss):
    """Least squares on the labels: (1 - y f)^2 = (y - f)^2."""

    name = "squared"

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        return (1.0 - t) ** 2, 2.0 * (t - 1.0), np.full_like(t, 2.0)


class Logistic(Loss):
    """Minus the logarithm of the probability 1/(1 + e^-t) of the own label."""

    name = "logistic"
    attains_minimum = False
    upper_bound_factor = 1.0 / float(np.log(2.0))

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        own, other = _sigma(t), _sigma(-t)
        return np.logaddexp(0.0, -t), -other, own * other


class Exponential(Loss):
    """That of boosting."""

    name = "exponential"
    attains_minimum = False

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        with np.errstate(over="ignore"):
            value = np.exp(-t)
        return value, -value, value


class Cornered(Loss):
    """max(0, corner - t), rounded off as mu log(1 + e^((corner - t)/mu))."""

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
    """The slack of the soft margin."""

    name = "hinge"
    corner = 1.0


class Perceptron(Cornered):
    """How far on the wrong side; 0 for w = 0, whatever the points."""

    name = "perceptron"
    corner = 0.0
    upper_bound_factor = None


class Sigmoid(Loss):
    """A step with a slope: 1/2 and more for errors, 1/2 and less for the others (L12)."""

    name = "sigmoid"
    attains_minimum = False
    convex = False
    upper_bound_factor = 2.0

    def smoothed(self, t: Array, mu: float) -> ValueAndDerivatives:
        own, other = _sigma(t), _sigma(-t)
        return other, -own * other, own * other * (own - other)


def _sigma(t: Array) -> Array:
    """1/(1 + e^-t) to its last digits on both sides."""
    small = np.exp(-np.abs(t))
    return np.where(t >= 0, 1.0, small) / (1.0 + small)


LOSSES: dict[str, Loss] = {
    loss.name: loss for loss in (Squared(), Logistic(), Exponential(), Hinge(), Perceptron(), Sigmoid())
}
