"""Every kernel once more, as slowly and plainly as it can be written: what the tests of all kernels compare with."""

import math
from collections.abc import Callable

from svmlab import Gaussian, Linear, Polynomial, Sigmoid
from svmlab.kernel import Kernel

Place = list[float]


def dot(x: Place, z: Place) -> float:
    return sum(a * b for a, b in zip(x, z, strict=True))


# a kernel with parameters of its own, and the formula at one pair of places
REFERENCES: list[tuple[Kernel, Callable[[Place, Place], float]]] = [
    (Linear(), dot),
    (Polynomial(3, 0.5, 2.0), lambda x, z: (2.0 * dot(x, z) + 0.5) ** 3),
    (Polynomial(2, 0.0), lambda x, z: dot(x, z) ** 2),
    (Polynomial(4, -1.0), lambda x, z: (dot(x, z) - 1.0) ** 4),
    (Gaussian(0.7), lambda x, z: math.exp(-(math.dist(x, z) ** 2) / (2 * 0.7**2))),
    (Sigmoid(0.3, -1.0), lambda x, z: math.tanh(0.3 * dot(x, z) - 1.0)),
]
EVERY = [kernel for kernel, _ in REFERENCES]
