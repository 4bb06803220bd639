"""What refutes that a function is a kernel: weights v with a negative v'Kv, the "squared length" (K4, K12)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from svmlab.core.arrays import Array

Values = Callable[[Array], Array]  # maps points (.., n, d) to the matrix (.., n, n)
ZERO = 1e-13  # per point, relative to the largest entry: the rounding error of an eigenvalue 0
BOARDS, HALF = 200, 4.0  # boards whose points are uniform in a square


def tanh(c1: float, c2: float) -> Values:
    """Return the sigmoid: the tanh of c1 <x, z> + c2, for any real c1 and c2."""
    return lambda X: np.tanh(c1 * (X @ np.swapaxes(X, -1, -2)) + c2)


def turned(X: Array) -> Array:
    """Return x'Az with A = [[1, 1], [-1, 1]], for points in the plane: not symmetric, although x'Ax = |x|^2."""
    return X @ np.array([[1.0, 1.0], [-1.0, 1.0]]) @ np.swapaxes(X, -1, -2)


@dataclass(frozen=True, eq=False)
class Spectrum:
    """The eigenvalues (n,) of the symmetric part (K + K')/2, falling; v (n,) of length 1 belongs to the last.

    form: v'Kv summed over the entries of K itself. uneven: the largest |k(x, z) - k(z, x)|. zero: the largest absolute
    value that counts as 0.
    """

    values: Array
    v: Array
    form: float
    uneven: float
    zero: float

    @property
    def smallest_eigenvalue(self) -> float:
        """Return the least eigenvalue."""
        return float(self.values[-1])

    @property
    def refutes(self) -> bool:
        """Return whether these points refute k: by a negative eigenvalue, or because it is not symmetric."""
        return self.smallest_eigenvalue < -self.zero or self.uneven > self.zero


def spectrum(K: Array) -> Spectrum:
    """Return the spectrum of a matrix (n, n)."""
    values, vectors = np.linalg.eigh(0.5 * (K + K.T))
    v = vectors[:, 0] * (1.0 if vectors[np.abs(vectors[:, 0]).argmax(), 0] >= 0 else -1.0)
    form = sum(a * b * float(K[i, j]) for i, a in enumerate(v.tolist()) for j, b in enumerate(v.tolist()))
    zero = ZERO * len(K) * max(1.0, float(np.abs(K).max()))
    return Spectrum(values[::-1], v, form, float(np.abs(K - K.T).max()), zero)


def first(k: Values, X: Array) -> int | None:
    """Return the least n for which the first n of the points (m, d) refute k; None where no n does."""
    K = k(X)
    return next((n for n in range(1, len(X) + 1) if spectrum(K[:n, :n]).refutes), None)


@lru_cache(64)
def share(c1: float, c2: float, n: int) -> float:
    """Return the share of BOARDS random boards of n points on which tanh(c1 <x, z> + c2) has a negative eigenvalue."""
    X = np.random.Generator(np.random.Philox(0)).uniform(-HALF, HALF, (BOARDS, n, 2))
    return float((np.linalg.eigvalsh(tanh(c1, c2)(X))[:, 0] < -ZERO * n).mean())
