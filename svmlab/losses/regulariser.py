"""Regularisers: the penalties of a weight vector w (L8).

R0 the number of weights that are not 0    R1 = sum |w_j|    R2 = 1/2 sum w_j^2    Rp = (sum |w_j|^p)^(1/p)

Source: note B, "Regularization", with its R0 and Rp in their correct form.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput
from svmlab.core.rules import LARGEST_MAGNITUDE, Number, Shape
from svmlab.core.validate import validated
from svmlab.losses.loss import ValueAndDerivatives


@dataclass(frozen=True)
class Regulariser(ABC):
    """A convex R(w), a sum over the weights. name: its key. corner: whether it has a corner where a weight is 0."""

    name: ClassVar[str]
    corner: ClassVar[bool] = False

    @abstractmethod
    def smoothed(self, w: Array, mu: float) -> ValueAndDerivatives:
        """Return the penalty of each weight and both derivatives, shape (d,) each.

        A corner is smoothed, which raises the penalty by at most mu.
        """

    @abstractmethod
    def value(self, w: Array) -> Array:
        """Return R(w) for w (..., d), shape (...)."""


class NoRegulariser(Regulariser):
    """The regulariser that is 0 everywhere."""

    name = "none"

    def smoothed(self, w: Array, mu: float) -> ValueAndDerivatives:
        return np.zeros_like(w), np.zeros_like(w), np.zeros_like(w)

    def value(self, w: Array) -> Array:
        return np.zeros(w.shape[:-1])


class R1(Regulariser):
    """The sum of absolute values. At its minimum some weights are exactly 0."""

    name = "R1"
    corner = True

    def smoothed(self, w: Array, mu: float) -> ValueAndDerivatives:
        size = np.hypot(w, mu)
        return size, w / size, (mu / size) ** 2 / size

    def value(self, w: Array) -> Array:
        return np.abs(w).sum(-1)


class R2(Regulariser):
    """Half the squared length, the regulariser of the SVM, which is invariant under rotations."""

    name = "R2"

    def smoothed(self, w: Array, mu: float) -> ValueAndDerivatives:
        return 0.5 * w**2, w, np.ones_like(w)

    def value(self, w: Array) -> Array:
        return 0.5 * (w**2).sum(-1)


REGULARISERS: dict[str, Regulariser] = {r.name: r for r in (NoRegulariser(), R1(), R2())}


@validated
def p_norm(
    w: Annotated[Array, Shape(..., "d")], p: Annotated[float, Number(minimum=0.0, maximum=LARGEST_MAGNITUDE)]
) -> Array:
    """Return Rp of w (..., d) for p > 0, shape (...). For p = 0 return the number of weights that are not 0.

    It is a norm for p >= 1 only. For p < 1 its unit ball is not convex.
    """
    if 0 < p < 0.01:
        raise BadInput(
            "p: {p:g} is neither 0 nor at least 0.01. Smaller powers are outside the range of double precision.", p=p
        )
    sizes = np.abs(w)
    if p == 0:
        return np.count_nonzero(sizes, axis=-1).astype(float)
    largest = sizes.max(-1, keepdims=True)
    scaled = np.divide(sizes, largest, out=np.zeros_like(sizes), where=largest > 0)
    return largest[..., 0] * (scaled**p).sum(-1) ** (1.0 / p)
