"""Every kernel once more, as slowly and plainly as it can be written: what the tests of all kernels compare with."""

import math
from collections.abc import Callable

from svmlab import Composed, Gaussian, Linear, Polynomial, Sigmoid
from svmlab.kernels.base import Kernel

Place = list[float]


def dot(x: Place, z: Place) -> float:
    return sum(a * b for a, b in zip(x, z, strict=True))


def gauss(x: Place, z: Place, sigma: float = 1.0) -> float:
    return math.exp(-(math.dist(x, z) ** 2) / (2 * sigma**2))


def of_squares(x: Place, z: Place) -> float:
    apart = dot(x, x) ** 2 + dot(z, z) ** 2 - 2 * dot(x, z) ** 2
    return math.exp(-apart / (2 * 1.5**2))


# a kernel with parameters of its own, and the formula at one pair of places
REFERENCES: list[tuple[Kernel, Callable[[Place, Place], float]]] = [
    (Linear(), dot),
    (Polynomial(3, 0.5, 2.0), lambda x, z: (2.0 * dot(x, z) + 0.5) ** 3),
    (Polynomial(2, 0.0), lambda x, z: dot(x, z) ** 2),
    (Polynomial(4, -1.0), lambda x, z: (dot(x, z) - 1.0) ** 4),
    (Gaussian(0.7), lambda x, z: math.exp(-(math.dist(x, z) ** 2) / (2 * 0.7**2))),
    (Sigmoid(0.3, -1.0), lambda x, z: math.tanh(0.3 * dot(x, z) - 1.0)),
    (Composed("2*linear"), lambda x, z: 2 * dot(x, z)),
    (Composed("linear+0.5*linear*linear+3"), lambda x, z: dot(x, z) + 0.5 * dot(x, z) ** 2 + 3),
    (Composed("p(linear+1,0,2,1)"), lambda x, z: 2 * (dot(x, z) + 1) + (dot(x, z) + 1) ** 2),
    (Composed("between(x1,linear**2)"), lambda x, z: x[0] * dot(x, z) ** 2 * z[0]),
    (Composed("exp(gaussian(0.5))*3"), lambda x, z: 3 * math.exp(gauss(x, z, 0.5))),
    (
        Composed("between(bump,linear)+gaussian(0.8)"),
        lambda x, z: gauss(x, z, 0.8) + math.exp(-(dot(x, x) + dot(z, z)) / 2) * dot(x, z),
    ),
    (Composed("linear-gaussian"), lambda x, z: dot(x, z) - gauss(x, z)),
    (Composed("tanh(between(r2,linear))"), lambda x, z: math.tanh(dot(x, x) * dot(x, z) * dot(z, z))),
    (Composed("form(1,2,1)"), lambda x, z: x[0] * z[0] + 2 * (x[0] * z[1] + x[1] * z[0]) + x[1] * z[1]),
    (Composed("gaussian(1.5,linear**2)-1"), lambda x, z: of_squares(x, z) - 1),
]
EVERY = [kernel for kernel, _ in REFERENCES]
