"""Objectives with a loss and a regulariser, along w + t v with v orthogonal to all training points (K8).

F(t) = L(<w + t v, phi(x_1)>, ..) + R(|w + t v|),   <v, phi(x_i)> = 0,   |v| = |w|
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array
from svmlab.kernels.features import orthogonal_directions
from svmlab.statements.representer import least_in_span

REGULARISERS = ("square", "level", "ring")


@dataclass(frozen=True, eq=False)
class Objective:
    """An objective on a board, and the w from which the others are reached.

    Z (m, D) features of the points, y (m,) labels; w (D,) in the span of Z, a (m,) with w = sum_i a_i phi(x_i); losses
    of the values of f (m,); regulariser of a norm. least_in_span: the smallest value in the span.
    """

    Z: Array
    y: Array
    w: Array
    a: Array
    losses: Callable[[Array], Array]
    regulariser: Callable[[float], float]
    least_in_span: float

    def terms(self, w: Array) -> tuple[Array, float]:
        """Return the losses (m,) and the regulariser of another w."""
        return self.losses(self.Z @ w), self.regulariser(float(np.linalg.norm(w)))

    def value(self, w: Array) -> float:
        """Return F."""
        losses, regulariser = self.terms(w)
        return float(losses.sum()) + regulariser

    def predicted(self, t: Array) -> Array:
        """Return F along t (k,) from its value at t = 0 and the regulariser of sqrt(1 + t^2) |w|.

        No loss is computed again.
        """
        length = float(np.linalg.norm(self.w))
        rise = [self.regulariser(length * float(np.sqrt(1.0 + s * s))) - self.regulariser(length) for s in t]
        return self.value(self.w) + np.array(rise)


def objective(name: str, solution: Solution) -> Objective:
    """Return an objective on the board of a solution without bias, with a finite feature map.

    square: that of the SVM itself, mean hinge loss and lam/2 |w|^2. The others have squared losses and start from w_0,
    the shortest w that fits the labels best. Their R is constant (level), or (|w| - 2 |w_0|)^2 (ring).
    """
    data, kernel, lam = solution.problem.data, solution.problem.kernel, solution.problem.lam
    Z, y = kernel.feature_map(data.X), data.y

    def hinge(f: Array) -> Array:
        return np.maximum(0.0, 1.0 - y * f) / len(y)

    def squares(f: Array) -> Array:
        return (f - y) ** 2

    if name == "square":
        w = solution.coefficients @ Z
        minimum = float(hinge(Z @ w).sum()) + 0.5 * lam * float(w @ w)
        return Objective(Z, y, w, solution.coefficients, hinge, lambda r: 0.5 * lam * r * r, minimum)
    a = np.linalg.lstsq(solution.problem.gram, y, rcond=1e-12)[0]
    w = a @ Z
    length = float(np.linalg.norm(w))
    if name == "level":
        return Objective(Z, y, w, a, squares, lambda r: length**2, float(squares(Z @ w).sum()) + length**2)
    return Objective(Z, y, w, a, squares, lambda r: (r - 2 * length) ** 2, least_in_span(Z, y, 2 * length))


def directions(Z: Array) -> Array:
    """Return up to two orthonormal directions (k, D) of feature space that are orthogonal to all points."""
    return orthogonal_directions(Z, 2)


def direction(Z: Array, degrees: float, length: float) -> Array:
    """Return the v of that length at an angle to the first of the two directions, in their plane.

    If there is only one direction, v is along it.
    """
    basis = directions(Z)
    angle = np.deg2rad(degrees) if len(basis) > 1 else 0.0
    v: Array = length * (np.cos(angle) * basis[0] + np.sin(angle) * basis[-1])
    return v
