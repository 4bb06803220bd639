"""A height for every place: points raised from the board, a plane through them up there, and the shadow of where it
cuts.

    phi(x) = (x1, x2, h(x))    in the plane,    h(x) = |x|^2, |x| or x1^3 + x2^3
    phi(x) = (x1, h(x1))       on a line, where x2 does not count

What is straight up there, <w, phi(x)> + b = 0, is curved on the board: a circle for |x|^2, two thresholds on a line
(K10).
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
from svmlab.core.validate import validate_fields, validated
from svmlab.data import Dataset
from svmlab.data.sized import InPlane

Places = Annotated[Array, Shape(..., 2)]
Row = Annotated[Array, Shape("k*", 2)]
Height = Literal["square", "norm", "cube"]
GRID = 96
HEIGHTS: dict[Height, Callable[[Array], Array]] = {  # of coordinates (..., d)
    "square": lambda x: (x**2).sum(-1),
    "norm": lambda x: np.sqrt((x**2).sum(-1)),
    "cube": lambda x: (x**3).sum(-1),
}


@validated
def on_a_line(X: Row) -> bool:
    """Whether most of the points X (m, 2) lie on the axis x2 = 0; those that a hand has moved off it are seen from
    there.
    """
    return bool(2 * np.count_nonzero(X[:, 1]) < len(X))


@dataclass(frozen=True)
class Lift:
    """How high a place is raised. flat: only x1 counts, as on a line. Raises BadInput for a height that is none."""

    height: Height = "square"
    flat: bool = False

    def __post_init__(self) -> None:
        validate_fields(self)

    @validated
    def heights(self, X: Places) -> Array:
        """The height of the places X (..., 2), shape (...)."""
        return HEIGHTS[self.height](X[..., :1] if self.flat else X)

    @validated
    def features(self, X: Places) -> Array:
        """Phi at the places X (..., 2): (..., 3), or (..., 2) where the lift is flat."""
        kept = X[..., :1] if self.flat else X
        return np.concatenate([kept, self.heights(X)[..., None]], axis=-1)

    @validated
    def raised(self, data: InPlane) -> Dataset:
        """The points of the board up there, with their labels and ids: what a linear machine is given."""
        return data.moved(self.features(data.X))

    @validated
    def slopes(self, X: Row) -> Array:
        """The gradient of h at the places X (k, 2), shape (k, 2); 0 at the tip of |x|."""
        if self.height == "square":
            found = 2.0 * X
        elif self.height == "cube":
            found = 3.0 * X**2
        else:
            r = self.heights(X)[:, None]
            found = np.divide(X, r, out=np.zeros_like(X), where=r > 0)
        return found * np.array([1.0, 0.0]) if self.flat else found


@dataclass(frozen=True, eq=False)
class Plane(Frozen):
    """f(x) = <w, phi(x)> + b: straight up there; w (3,), or (2,) where the lift is flat."""

    lift: Lift
    w: Array
    b: float

    def __post_init__(self) -> None:
        validate_fields(self)
        object.__setattr__(self, "w", frozen(Shape(2 if self.lift.flat else 3)("w", self.w)))

    @property
    def normal(self) -> Array:
        """(a, b, c, d) with f = a x1 + b x2 + c z + d at a place (x1, x2, z) of the space, whether on the surface or
        not.
        """
        across = 0.0 if self.lift.flat else self.w[1]
        return frozen([self.w[0], across, self.w[-1], self.b])

    @validated
    def f(self, X: Places) -> Array:
        """The values of f at the places X (..., 2)."""
        return self.lift.features(X) @ self.w + self.b

    @validated
    def thresholds(self, level: float = 0.0) -> Array:
        """The x1 at which f = level, rising (k,), none where w is 0. Raises BadInput where the lift is not flat."""
        if not self.lift.flat:
            raise BadInput("lift: there are thresholds on a line only. Use a flat lift, or `levels`.")
        straight, raised = self.w.tolist()
        c = self.b - level
        if self.lift.height == "norm":
            ways = [(sign, straight + sign * raised) for sign in (-1.0, 1.0)]
            found = [-c / slope for sign, slope in ways if slope != 0 and sign * -c / slope >= 0]
            return np.unique(found)
        powers = [raised, straight, c] if self.lift.height == "square" else [raised, 0.0, straight, c]
        return real_roots(np.array(powers))

    @validated
    def shadow(self, half: Positive) -> tuple[Array, ...]:
        """Where f = 0 on the board [-half, half]^2: polylines (k, 2), right below where the plane cuts the surface."""
        return self.levels(half, (0.0,))[0]

    @validated
    def levels(self, half: Positive, values: Sequence[float]) -> list[tuple[Array, ...]]:
        """Where f has each of these values on the board [-half, half]^2: polylines (k, 2), their vertices on it to
        rounding.
        """
        if self.lift.flat:
            found = [self.thresholds(value) for value in values]
            return [
                tuple(np.array([[x, -half], [x, half]]) for x in each[np.abs(each) <= half].tolist()) for each in found
            ]
        at = np.linspace(-half, half, GRID)
        contours = contourpy.contour_generator(at, at, self.f(np.stack(np.meshgrid(at, at), axis=-1)))
        drawn = [[line for line in contours.lines(value) if isinstance(line, np.ndarray)] for value in values]
        return [
            tuple(self._settled(line, value, 2 * half / GRID) for line in lines)
            for value, lines in zip(values, drawn, strict=True)
        ]

    @validated
    def cut(self, half: Positive) -> tuple[Array, ...]:
        """Where the plane cuts the surface over the board: polylines (k, 3), the shadow raised."""
        return tuple(np.column_stack([line, self.lift.heights(line)]) for line in self.shadow(half))

    def _settled(self, z: Array, level: float, cell: float) -> Array:
        """Vertices moved onto f = level by Newton steps along the gradient, no further than a cell of the grid."""
        for _ in range(3):
            slope = self.w[:2] + self.w[2] * self.lift.slopes(z)
            square = np.einsum("ij,ij->i", slope, slope)
            step = ((level - self.f(z)) / np.where(square > 0, square, np.inf))[:, None] * slope
            length = np.hypot(step[:, 0], step[:, 1])[:, None]
            z = z + step * np.minimum(1.0, cell / np.maximum(length, 1e-300))
        return z

    def circle(self) -> tuple[Array, float] | None:
        """Centre (2,) and radius of the shadow in closed form, for |x|^2 in the plane; None where there is none.

        |x + w_12 / (2 w_3)|^2 = |w_12|^2 / (4 w_3^2) - b / w_3
        """
        if self.lift.flat or self.lift.height != "square" or self.w[2] == 0:
            return None
        centre = -self.w[:2] / (2 * self.w[2])
        square = float(centre @ centre - self.b / self.w[2])
        return (centre, float(np.sqrt(square))) if square > 0 else None


def real_roots(powers: Array) -> Array:
    """The real roots, rising, of a polynomial of degree 3 or less, its highest coefficient first; none of a
    constant.
    """
    powers = np.trim_zeros(powers, "f")
    if len(powers) == 3:  # without loss of digits where the linear part is large
        a, p, c = powers.tolist()
        inside = p * p - 4 * a * c
        if inside < 0:
            return np.zeros(0)
        q = -0.5 * (p + np.copysign(np.sqrt(inside), p))
        return np.unique([q / a, c / q]) if q != 0 else np.zeros(1)
    found = np.roots(powers)
    size = np.abs(found).max(initial=1.0)
    return np.unique(found[np.abs(found.imag) <= 1e-9 * size].real)
