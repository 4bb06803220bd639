"""One recipe (L5): the mean loss of the examples plus lam times a regulariser of w; the offset b costs nothing.

F(w, b) = 1/m sum_i l(y_i (<w, x_i> + b)) + lam R(w)
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array
from svmlab.data import Dataset
from svmlab.errors import BadInput
from svmlab.losses.loss import Loss
from svmlab.losses.regulariser import Regulariser


@dataclass(frozen=True)
class Objective:
    """What a machine minimises on its points. Raises BadInput for no points, and for a lam that is not finite or below 0."""

    data: Dataset
    loss: Loss
    regulariser: Regulariser
    lam: float
    bias: bool = True

    def __post_init__(self) -> None:
        if self.data.m == 0:
            raise BadInput("data: there are no points. Add one.")
        if not isinstance(self.lam, int | float | np.number) or not 0 <= self.lam < math.inf:
            raise BadInput("lam: {lam!r} must be a finite number, 0 or above.", lam=self.lam)

    def margins(self, w: Array, b: float | Array = 0.0) -> Array:
        """t_i = y_i (<w, x_i> + b) for w (..., d), b a number or (..., 1), shape (..., m)."""
        return (w @ self.data.X.T + b) * self.data.y

    def value(self, w: Array, b: float | Array = 0.0) -> Array:
        """F for w (..., d), b a number or (..., 1), shape (...)."""
        return self.loss.value(self.margins(w, b)).mean(-1) + self.lam * self.regulariser.value(w)

    def gradient(self, w: Array, b: float | Array = 0.0, side: int = 1) -> Array:
        """The gradient of F at w (..., d), b a number or (..., 1), with that in b as its last entry where there is a bias.

        At a corner of the loss with its slope to the left of t for side 0, to the right for 1.
        """
        slopes = self.loss.slopes(self.margins(w, b))[side] * self.data.y / self.data.m
        found = slopes @ self.data.X + self.lam * self.regulariser.rounded(w, 1e-300)[1]
        return np.concatenate([found, slopes.sum(-1, keepdims=True)], -1) if self.bias else found
