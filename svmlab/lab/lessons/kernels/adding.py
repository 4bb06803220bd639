"""Three problems with a loss and a penalty on |w|, and their value along w + t u with u orthogonal to all points (K8).

F(t) = L(<w + t u, phi(x_1)>, ..) + g(|w + t u|),   <u, phi(x_i)> = 0,   |u| = |w|
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array
from svmlab.kernels.features import orthogonal_directions
from svmlab.statements.representer import least_in_span

PRICES = ("square", "level", "ring")


@dataclass(frozen=True, eq=False)
class Problem:
    """One of PRICES on a board: its start, its loss and its penalty.

    Z (m, D) features of the points, y (m,) labels; w (D,) in the span of Z, c (m,) with w = sum_i c_i phi(x_i); losses
    of the values of f (m,); price of a norm. best: the least value in the span.
    """

    Z: Array
    y: Array
    w: Array
    c: Array
    losses: Callable[[Array], Array]
    price: Callable[[float], float]
    best: float

    def at(self, w: Array) -> tuple[Array, float]:
        """Return the losses (m,) at another w, and the penalty of its norm."""
        return self.losses(self.Z @ w), self.price(float(np.linalg.norm(w)))

    def value(self, w: Array) -> float:
        """Return F."""
        losses, price = self.at(w)
        return float(losses.sum()) + price

    def promised(self, t: Array) -> Array:
        """Return F along t (k,) from its value at t = 0 and the penalty of sqrt(1 + t^2) |w| alone.

        No loss is computed again.
        """
        length = float(np.linalg.norm(self.w))
        rise = [self.price(length * float(np.sqrt(1.0 + s * s))) - self.price(length) for s in t]
        return self.value(self.w) + np.array(rise)


def posed(name: str, machine: Solution) -> Problem:
    """Return the problem called `name` on the board of a solution without bias, with a finite feature map.

    square: the problem of the solution itself, mean hinge and lam/2 |w|^2. The others have squared losses and start
    from w_0, the shortest w that fits the labels best. Their penalty is constant (level), or (|w| - 2 |w_0|)^2 (ring).
    """
    data, kernel, lam = machine.problem.data, machine.problem.kernel, machine.problem.lam
    Z, y = kernel.feature_map(data.X), data.y

    def hinge(f: Array) -> Array:
        return np.maximum(0.0, 1.0 - y * f) / len(y)

    def squares(f: Array) -> Array:
        return (f - y) ** 2

    if name == "square":
        w = machine.coefficients @ Z
        best = float(hinge(Z @ w).sum()) + 0.5 * lam * float(w @ w)
        return Problem(Z, y, w, machine.coefficients, hinge, lambda r: 0.5 * lam * r * r, best)
    c = np.linalg.lstsq(machine.problem.gram, y, rcond=1e-12)[0]
    w = c @ Z
    length = float(np.linalg.norm(w))
    if name == "level":
        return Problem(Z, y, w, c, squares, lambda r: length**2, float(squares(Z @ w).sum()) + length**2)
    return Problem(Z, y, w, c, squares, lambda r: (r - 2 * length) ** 2, least_in_span(Z, y, 2 * length))


def directions(Z: Array) -> Array:
    """Return up to two orthonormal directions (k, D) of feature space that are orthogonal to all points."""
    return orthogonal_directions(Z, 2)


def direction(Z: Array, degrees: float, length: float) -> Array:
    """Return the u of that length at an angle to the first of the two directions, in their plane.

    Where there is only one direction, u is along it.
    """
    basis = directions(Z)
    angle = np.deg2rad(degrees) if len(basis) > 1 else 0.0
    u: Array = length * (np.cos(angle) * basis[0] + np.sin(angle) * basis[-1])
    return u
