"""Decide whether a separating hyperplane exists, with a proof either way (M10, H11, K11).

The proof is the hyperplane itself, or points whose convex hulls meet. A point with both labels makes separation
impossible for every kernel. Where the features are monomials, the verdict holds without rounding, for the decimals of
three places that the coordinates are, or else for the given floats. Double precision, near 0 and in units of the
points' extent, gives a guess, and the guess is proven. Where no guess can be proven, exact numbers decide, as long as
they stay short. For the features of other kernels, and for more features than can be written down, the distance of the
convex hulls in double precision decides.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, frozen, short_repr
from svmlab.core.errors import BadInput, SolverFailed, SvmError
from svmlab.core.tolerances import SQUARED_DISTANCE_NOISE
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear, titles_where
from svmlab.solvers import exact
from svmlab.solvers.gram.build import build_gram
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.separability import hyperplane, rational
from svmlab.solvers.separability.lifted import Monomial, lift
from svmlab.solvers.unique_points import UniquePoints, merge_equal_points


@dataclass(frozen=True, eq=False)
class Separation(Frozen):
    """The verdict on separability and its proof; `exact` says whether it was decided without rounding.

    Separable: w (d,) and b with y_i (<w, x_i> + b) > 0, without rounding, for the linear kernel. They are None for
    other kernels, and where the margin is so narrow that no such w and b in doubles were found.

    Not separable: weights (m,), convex in each class, whose two combinations are one common point. At most D + 2 of
    them are nonzero, and `witness` lists those rows. `point` is the common point in the plane of X for the linear
    kernel. Without bias the weights are convex over all points and sum_i weights_i y_i phi(x_i) = 0, so `point` is the
    origin. Where a point carries both labels, these two rows are the witness and `point` is their coordinates, for
    every kernel.
    """

    separable: bool
    w: Array | None
    b: float | None
    weights: Array | None
    witness: Index
    point: Array | None
    exact: bool = True

    def __repr__(self) -> str:
        proof: dict[str, object] = {"witness": self.witness.tolist()}
        if self.separable:
            proof = {} if self.w is None else {"w": self.w.tolist(), "b": self.b}
        return short_repr(self, separable=self.separable, exact=self.exact, **proof)


class NotSeparable(SvmError):
    """The error for a hard margin without a separating hyperplane; `separation` holds the proof."""

    def __init__(self, template: str, separation: Separation, /, **values: object) -> None:
        super().__init__(template, **values)
        self.separation = separation


MAX_EXPLICIT_FEATURES = 6000  # Up to this many features are written down.


def hyperplane_of(separation: Separation) -> tuple[Array, float]:
    """Return w and b of a line that separates two classes. Raises SolverFailed where there are none in doubles."""
    if separation.w is None or separation.b is None:
        raise SolverFailed(
            "The classes are separable, but the gap between them is too narrow for a boundary in double "
            "precision. Move the points apart."
        )
    return separation.w, separation.b


@validated
def separate(data: Dataset, kernel: Kernel = Linear(), bias: bool = True) -> Separation:
    """Decide whether the classes are separable in the kernel's feature space.

    Raises BadInput for kernels that have no feature space, and SolverFailed where it is not decided.
    """
    if data.m == 0 or (bias and not data.both_classes):
        return _separable(np.zeros(data.d), float(data.y[0]) if data.m else 0.0)
    if not kernel.psd:
        choice = titles_where(lambda k: k.psd)
        raise BadInput(
            "kernel: {kernel} has no feature space in which classes could be separated. Choose {choice}.",
            kernel=kernel.key,
            choice=choice,
        )
    points = merge_equal_points(data.X, data.y)
    conflict = _conflicting_labels(data, points, bias)
    if conflict is not None:
        return conflict
    if kernel.separates_distinct_points:  # Distinct points have linearly independent images (K11).
        return _separable()
    monomials = _monomials(kernel, data.d)
    if monomials is None:
        return _separate_many_features(data, kernel, points, bias)
    lifted = lift(points.Z, monomials, bias)
    weights, normals = hyperplane.decide_separability(lifted, points.y, bias)
    if weights is not None:
        v = np.zeros(data.m)
        v[points.first_row] = weights
        return _inseparable(data, v, bias, plane=kernel.is_linear)
    return (
        _separable(*hyperplane.hyperplane_in_doubles(points.Z, points.y, lifted, normals, bias))
        if kernel.is_linear
        else _separable()
    )


def _monomials(kernel: Kernel, d: int) -> list[Monomial] | None:
    if kernel.is_linear:
        return [(j,) for j in range(d)]
    features = kernel.feature_dim(d)
    exponents = kernel.exponents(d) if features is not None and features <= MAX_EXPLICIT_FEATURES else None
    if exponents is None:
        return None
    return [tuple(j for j, a in enumerate(powers) for _ in range(a)) for powers in exponents]


def _separable(w: Array | None = None, b: float | None = None, exact: bool = True) -> Separation:
    return Separation(True, None if w is None else frozen(w), b, None, frozen([], np.intp), None, exact)


def conflicting_labels(data: Dataset, bias: bool) -> Separation | None:
    """Return the verdict for the first point that carries both labels, or None where there is none.

    There f would have to be above and below 0 at once, whatever the kernel (K11).
    """
    return _conflicting_labels(data, merge_equal_points(data.X, data.y), bias)


def _conflicting_labels(data: Dataset, points: UniquePoints, bias: bool) -> Separation | None:
    repeated = np.flatnonzero((points.Z[1:] == points.Z[:-1]).all(1))
    if not len(repeated):
        return None
    rows = points.first_row[repeated[0] : repeated[0] + 2]
    v = np.zeros(data.m)
    v[rows] = 1.0 if bias else 0.5
    return replace(_inseparable(data, v, bias, plane=False), point=frozen(data.X[rows[0]]))


def _separate_many_features(data: Dataset, kernel: Kernel, points: UniquePoints, bias: bool) -> Separation:
    """Decide separability where the features cannot be written down.

    A subset of the features may be enough to prove separability, else the distance of the hulls decides. Among very
    many monomials, hulls that do not meet are often closer than doubles can distinguish, so there it never answers "not
    separable". Raises SolverFailed.
    """
    features = kernel.feature_dim(data.d) or 0
    if features > MAX_EXPLICIT_FEATURES and kernel.rotation_invariant:
        k = next(k for k in range(data.d, 0, -1) if (kernel.feature_dim(k) or 0) <= MAX_EXPLICIT_FEATURES)
        subset = _monomials(kernel, k)
        varied = np.argsort([-len(np.unique(column)) for column in points.Z.T], kind="stable")[:k]
        if subset is not None and lift(points.Z[:, varied], subset, bias).is_independent(bias):
            return _separable()
    separation = separate_by_distance(data, kernel, build_gram(kernel, points.Z, points.y)[0], points.first_row, bias)
    if features > MAX_EXPLICIT_FEATURES and not separation.separable:
        raise SolverFailed(rational.TOO_LONG)
    return separation


def separate_by_distance(data: Dataset, kernel: Kernel, Q: Gram, rows: Index, bias: bool) -> Separation:
    """Decide by the nearest points of the two convex hulls in the feature space of Q.

    Q is a matrix over `rows`, one row for each distinct point. The classes are separable if the distance is more than
    round-off. Raises SolverFailed.
    """
    v = np.zeros(data.m)
    v[rows], squared_distance, _ = exact.nearest_hull_points(Q, data.y[rows], bias)
    if squared_distance > SQUARED_DISTANCE_NOISE:
        return _separable(exact=False)
    return replace(_inseparable(data, v, bias, plane=kernel.is_linear), exact=False)


def _inseparable(data: Dataset, v: Array, bias: bool, plane: bool) -> Separation:
    point = None
    if plane:
        plus = data.y > 0
        point = frozen(v[plus] @ data.X[plus] if bias else np.zeros(data.d))
    return Separation(False, None, None, frozen(v), frozen(np.flatnonzero(v > 0), np.intp), point)
