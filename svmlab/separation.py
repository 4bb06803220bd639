"""Is there a separating hyperplane? Yes with the hyperplane, no with points whose hulls meet (M10, H11, K11).

A point with both labels stands in the way whatever the kernel. Up to SMALL features the rest is decided in exact arithmetic, on
the decimals of three places that the points are or else on the floats given, up to MEDIUM a no; beyond, where exact numbers would
grow to thousands of digits, the distance of the hulls in doubles decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np

from svmlab.arrays import Array, Index, frozen
from svmlab.data import Dataset
from svmlab.errors import BadInput, SvmError
from svmlab.kernel import Kernel
from svmlab.kernels import Linear, named
from svmlab.solvers import exact, rational
from svmlab.solvers.gram import Gram, gram


@dataclass(frozen=True, eq=False)
class Separation:
    """The verdict and its proof; `exact` says whether it was decided without rounding.

    separable: w (d,) and b with y_i (<w, x_i> + b) > 0 for the linear kernel (None for the others).
    Not separable: weights (m,), at most D + 2 of them nonzero (`witness` lists those rows), convex in each class, whose
    two combinations are one common point; `point` is it in the plane of X for the linear kernel. Without bias the weights
    are convex over all points and sum_i weights_i y_i phi(x_i) = 0, so `point` is the origin. Where a point carries both
    labels, these two rows are the witness and `point` is where they are, for every kernel.
    """

    separable: bool
    w: Array | None
    b: float | None
    weights: Array | None
    witness: Index
    point: Array | None
    exact: bool = True


class NotSeparable(SvmError):
    """The hard margin was asked for and no separating hyperplane exists; `separation` holds the proof."""

    def __init__(self, template: str, separation: Separation, /, **values: object) -> None:
        super().__init__(template, **values)
        self.separation = separation


SMALL, MEDIUM = 6, 10  # features up to which all points are compared exactly, and up to which a no in doubles is
MORE = 5  # points that join them at a time


def separate(data: Dataset, kernel: Kernel = Linear(), bias: bool = True) -> Separation:
    """Decide separability in the kernel's feature space.

    Raises BadInput for kernels that have none, SolverFailed where doubles have to decide and cannot.
    """
    none = np.zeros(0, dtype=np.intp)
    if data.m == 0 or (bias and not data.both_classes):
        b = float(data.y[0]) if data.m else 0.0
        return Separation(True, frozen(np.zeros(data.d)), b, None, none, None)
    if not kernel.psd:
        choice = named(lambda k: k.psd)
        raise BadInput(
            "kernel: {kernel} has no feature space to separate in. Choose {choice}.", kernel=kernel.key, choice=choice
        )
    both = twins(data, bias)
    if both is not None:
        return both
    if kernel.separates:  # distinct points have linearly independent images (K11)
        return Separation(True, None, None, None, none, None)
    features, rows = kernel.feature_dim(data.d), np.arange(data.m)
    exponents = kernel.exponents(data.d) if features is not None and features <= MEDIUM else None
    if features is None or features > SMALL or exponents is None:
        found = _in_doubles(data, kernel, bias)
        if found.separable or exponents is None:
            return found
        rows = found.witness
    assert exponents is not None
    X, scales = rational.integers(data.X)
    # Positive factors on the features move no point across a hyperplane: plain monomials decide, each once.
    Z = np.stack([np.prod(X ** np.array(a, dtype=object), axis=1) for a in dict.fromkeys(exponents)], 1)
    weights, plane = _decide(Z, data.y, bias, rows)
    if plane is not None:
        if not kernel.straight:
            return Separation(True, None, None, None, none, None)
        w = np.array([float(p * s) for p, s in zip(plane[:-1], scales, strict=True)])
        norm = float(np.abs(w).max()) or 1.0
        w, b = w / norm, float(plane[-1]) / norm
        if not rational.splits(data.X, data.y, w, b):
            found = _in_doubles(data, kernel, bias)  # the exact plane grazes a point: rounded, it may cross it
            if found.w is not None and found.b is not None:
                w, b = found.w, found.b
        return Separation(True, frozen(w), b, None, none, None)
    assert weights is not None
    v = np.array([float(p) for p in weights])
    return _meet(data, v, bias, plane=kernel.straight)


def _decide(
    Z: rational.Integers, y: Array, bias: bool, rows: Index
) -> tuple[list[Fraction] | None, list[Fraction] | None]:
    """Weights or a hyperplane for all points, without rounding, from a guess of the rows whose hulls meet.

    What separates those separates all, or the rows that it leaves on the wrong side join them.
    """
    while True:
        few, plane = rational.hulls(Z[rows], y[rows], bias)
        if few is not None:
            weights = [Fraction(0)] * len(y)
            for i, v in zip(rows.tolist(), few, strict=True):
                weights[i] = v
            return weights, None
        assert plane is not None
        yf = y.astype(int) * (Z @ np.array(plane[:-1], dtype=object) + plane[-1])
        wrong = np.flatnonzero(yf <= 0)
        if not len(wrong):
            return None, plane
        rows = np.union1d(rows, sorted(wrong.tolist(), key=lambda i: yf[i])[:MORE])


def twins(data: Dataset, bias: bool) -> Separation | None:
    """The first place that carries both labels: f would have to be above and below 0 there, whatever the kernel (K11)."""
    points = exact.merge(data.X, data.y)
    both = np.flatnonzero((points.Z[1:] == points.Z[:-1]).all(1))
    if not len(both):
        return None
    rows = points.first[both[0] : both[0] + 2]
    v = np.zeros(data.m)
    v[rows] = 1.0 if bias else 0.5
    return replace(_meet(data, v, bias, plane=False), point=frozen(data.X[rows[0]]))


def _in_doubles(data: Dataset, kernel: Kernel, bias: bool) -> Separation:
    return distance(data, kernel, gram(kernel, data.X, data.y)[0], np.arange(data.m), bias)


def distance(data: Dataset, kernel: Kernel, Q: Gram, rows: Index, bias: bool) -> Separation:
    """By the nearest points of the two hulls in the feature space of Q, a matrix over those rows, which are all that differ.

    A distance that is not round-off separates. Raises SolverFailed.
    """
    v = np.zeros(data.m)
    v[rows], square, _ = exact.nearest(Q, data.y[rows], bias)
    if square > exact.NARROW:
        w, b = None, None
        if kernel.straight:
            w = frozen((v * data.y) @ data.X)
            f = data.X @ w
            b = -0.5 * float(f[data.y > 0].min() + f[data.y < 0].max()) if bias else 0.0
        return Separation(True, w, b, None, np.zeros(0, dtype=np.intp), None, exact=False)
    return replace(_meet(data, v, bias, plane=kernel.straight), exact=False)


def _meet(data: Dataset, v: Array, bias: bool, plane: bool) -> Separation:
    point = None
    if plane:
        plus = data.y > 0
        point = frozen(v[plus] @ data.X[plus] if bias else np.zeros(data.d))
    return Separation(False, None, None, frozen(v), np.flatnonzero(v > 0), point)
