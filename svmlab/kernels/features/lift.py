"""Lifts of the plane into a space with one more coordinate, hyperplanes there, and their level lines in the plane.

    phi(x) = (x1, x2, h(x))    in the plane,    h(x) = |x|^2, |x| or x1^3 + x2^3
    phi(x) = (x1, h(x1))       on a line, where x2 is ignored

The set <w, phi(x)> + b = 0 is a plane in the lifted space and a curve on the board: a circle for |x|^2, two thresholds
on a line (K10).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

import contourpy
import numpy as np

from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import Positive, Shape
from svmlab.core.tolerances import REAL_ROOT, TINY
from svmlab.core.validate import validate_fields, validated
from svmlab.data import Dataset
from svmlab.data.sized import PlanarDataset

Points = Annotated[Array, Shape(..., 2)]
PointTable = Annotated[Array, Shape("k*", 2)]
Height = Literal["square", "norm", "cube"]
GRID_POINTS = 96  # along each axis
HEIGHTS: dict[Height, Callable[[Array], Array]] = {  # functions of coordinates (..., d)
    "square": lambda x: (x**2).sum(-1),
    "norm": lambda x: np.sqrt((x**2).sum(-1)),
    "cube": lambda x: (x**3).sum(-1),
}


@validated
def is_mostly_on_axis(X: PointTable) -> bool:
    """Return whether most of the points X (m, 2) lie on the axis x2 = 0, so that the board is treated as a line.

    A few points may have been moved off the axis by hand.
    """
    return bool(2 * np.count_nonzero(X[:, 1]) < len(X))


@dataclass(frozen=True)
class Lift:
    """The height of a lifted point. flat: only x1 counts, as on a line. Raises BadInput for an unknown height."""

    height: Height = "square"
    flat: bool = False

    def __post_init__(self) -> None:
        validate_fields(self)

    @validated
    def heights(self, X: Points) -> Array:
        """Return the height h(x) of the points X (..., 2), shape (...)."""
        return HEIGHTS[self.height](X[..., :1] if self.flat else X)

    @validated
    def features(self, X: Points) -> Array:
        """Return phi at the points X (..., 2): (..., 3), or (..., 2) if the lift is flat."""
        coordinates = X[..., :1] if self.flat else X
        return np.concatenate([coordinates, self.heights(X)[..., None]], axis=-1)

    @validated
    def raised(self, data: PlanarDataset) -> Dataset:
        """Return the lifted points with their labels and ids, as the data of a linear classifier."""
        return data.moved(self.features(data.X))

    @validated
    def slopes(self, X: PointTable) -> Array:
        """Return the gradient of h at the points X (k, 2), shape (k, 2), and 0 at the kink of |x|."""
        if self.height == "square":
            gradient = 2.0 * X
        elif self.height == "cube":
            gradient = 3.0 * X**2
        else:
            r = self.heights(X)[:, None]
            gradient = np.divide(X, r, out=np.zeros_like(X), where=r > 0)
        return gradient * np.array([1.0, 0.0]) if self.flat else gradient


@dataclass(frozen=True, eq=False)
class Plane(Frozen):
    """The function f(x) = <w, phi(x)> + b, affine in the lifted space; w (3,), or (2,) if the lift is flat."""

    lift: Lift
    w: Array
    b: float

    def __post_init__(self) -> None:
        validate_fields(self)
        object.__setattr__(self, "w", frozen(Shape(2 if self.lift.flat else 3)("w", self.w)))

    @property
    def normal(self) -> Array:
        """The coefficients (a, b, c, d) with f = a x1 + b x2 + c z + d at any point (x1, x2, z) of the space.

        The point need not lie on the lifted surface.
        """
        across = 0.0 if self.lift.flat else self.w[1]
        return frozen([self.w[0], across, self.w[-1], self.b])

    @validated
    def f(self, X: Points) -> Array:
        """Return the values of f at the points X (..., 2)."""
        return self.lift.features(X) @ self.w + self.b

    @validated
    def thresholds(self, level: float = 0.0) -> Array:
        """Return the x1 with f = level, ascending (k,), empty if w = 0. Raises BadInput if the lift is not flat."""
        if not self.lift.flat:
            raise BadInput("lift: thresholds on a line exist only for a flat lift. Use a flat lift, or `levels`.")
        straight, raised = self.w.tolist()
        c = self.b - level
        if self.lift.height == "norm":
            slopes = [(sign, straight + sign * raised) for sign in (-1.0, 1.0)]
            solutions = [-c / slope for sign, slope in slopes if slope != 0 and sign * -c / slope >= 0]
            return np.unique(solutions)
        powers = [raised, straight, c] if self.lift.height == "square" else [raised, 0.0, straight, c]
        return real_roots(np.array(powers))

    @validated
    def shadow(self, half: Positive) -> tuple[Array, ...]:
        """Return the polylines (k, 2) of f = 0 on the board [-half, half]^2, below the cut of plane and surface."""
        return self.levels(half, (0.0,))[0]

    @validated
    def levels(self, half: Positive, values: Sequence[float]) -> list[tuple[Array, ...]]:
        """Return the polylines (k, 2) of f = value on the board [-half, half]^2, for each value.

        Their vertices lie on the level line up to rounding.
        """
        if self.lift.flat:
            thresholds = [self.thresholds(value) for value in values]
            return [
                tuple(np.array([[x, -half], [x, half]]) for x in x1[np.abs(x1) <= half].tolist()) for x1 in thresholds
            ]
        at = np.linspace(-half, half, GRID_POINTS)
        contours = contourpy.contour_generator(at, at, self.f(np.stack(np.meshgrid(at, at), axis=-1)))
        polylines = [
            [polyline for polyline in contours.lines(value) if isinstance(polyline, np.ndarray)] for value in values
        ]
        return [
            tuple(self._moved_onto_level(polyline, value, 2 * half / GRID_POINTS) for polyline in lines)
            for value, lines in zip(values, polylines, strict=True)
        ]

    @validated
    def zero_line(self, half: Positive) -> tuple[Array, ...]:
        """Return the polylines (k, 3) in which the plane cuts the surface over the board: the lifted shadow."""
        return tuple(np.column_stack([polyline, self.lift.heights(polyline)]) for polyline in self.shadow(half))

    def _moved_onto_level(self, z: Array, level: float, cell: float) -> Array:
        """Move vertices onto f = level by Newton steps along the gradient, each at most one cell of the grid."""
        for _ in range(3):
            slope = self.w[:2] + self.w[2] * self.lift.slopes(z)
            square = np.einsum("ij,ij->i", slope, slope)
            step = ((level - self.f(z)) / np.where(square > 0, square, np.inf))[:, None] * slope
            length = np.hypot(step[:, 0], step[:, 1])[:, None]
            z = z + step * np.minimum(1.0, cell / np.maximum(length, TINY))
        return z

    def circle(self) -> tuple[Array, float] | None:
        """Return centre (2,) and radius of the shadow in closed form, for h = |x|^2 in the plane, else None.

        |x + w_12 / (2 w_3)|^2 = |w_12|^2 / (4 w_3^2) - b / w_3
        """
        if self.lift.flat or self.lift.height != "square" or self.w[2] == 0:
            return None
        centre = -self.w[:2] / (2 * self.w[2])
        square = float(centre @ centre - self.b / self.w[2])
        return (centre, float(np.sqrt(square))) if square > 0 else None


def real_roots(powers: Array) -> Array:
    """Return the real roots, ascending, of a polynomial of degree 3 or less, with its highest coefficient first.

    A constant has none.
    """
    powers = np.trim_zeros(powers, "f")
    if len(powers) == 3:  # this formula loses no digits if the linear coefficient is large
        a, p, c = powers.tolist()
        inside = p * p - 4 * a * c
        if inside < 0:
            return np.zeros(0)
        q = -0.5 * (p + np.copysign(np.sqrt(inside), p))
        return np.unique([q / a, c / q]) if q != 0 else np.zeros(1)
    roots = np.roots(powers)
    size = np.abs(roots).max(initial=1.0)
    return np.unique(roots[np.abs(roots.imag) <= REAL_ROOT * size].real)
