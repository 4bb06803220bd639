"""The common objective (L5): the mean loss of the examples plus lam times a regulariser of w, but not of the bias b.

F(w, b) = 1/m sum_i l(y_i (<w, x_i> + b)) + lam R(w)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput
from svmlab.core.rules import NotNegative, Shape
from svmlab.core.validate import validate_fields, validated
from svmlab.data import Dataset
from svmlab.losses.loss import Loss
from svmlab.losses.regulariser import Regulariser


@dataclass(frozen=True)
class Objective:
    """The objective F of a loss and a regulariser on some points.

    Raises BadInput if there are no points, and for a lam that is not finite or below 0.
    """

    data: Dataset
    loss: Loss
    regulariser: Regulariser
    lam: NotNegative
    bias: bool = True

    def __post_init__(self) -> None:
        validate_fields(self)
        if self.data.m == 0:
            raise BadInput("data: there are no points. Add one.")

    @validated
    def margins(self, w: Array, b: float | Array = 0.0) -> Array:
        """Return t_i = y_i (<w, x_i> + b) for w (..., d), b a number or (..., 1), shape (..., m)."""
        w, axes = Shape(..., self.data.d)("w", w), np.shape(b)
        if axes not in ((), (*w.shape[:-1], 1), (1,)):
            raise BadInput("b: shape {shape} does not fit. Give one number for each w.", shape=axes)
        return (w @ self.data.X.T + b) * self.data.y

    @validated
    def value(self, w: Array, b: float | Array = 0.0) -> Array:
        """Return F for w (..., d), b a number or (..., 1), shape (...)."""
        return self.loss.value(self.margins(w, b)).mean(-1) + self.lam * self.regulariser.value(w)

    @validated
    def gradient(self, w: Array, b: float | Array = 0.0, side: Literal[0, 1] = 1) -> Array:
        """Return the gradient of F at w (..., d), b a number or (..., 1); with a bias its last entry is that in b.

        At a corner of the loss, side 0 takes the slope to the left of t, and side 1 the slope to the right.
        """
        slopes = self.loss.slopes(self.margins(w, b))[side] * self.data.y / self.data.m
        gradient = slopes @ self.data.X + self.lam * self.regulariser.smoothed(w, 1e-300)[1]
        return np.concatenate([gradient, slopes.sum(-1, keepdims=True)], -1) if self.bias else gradient
