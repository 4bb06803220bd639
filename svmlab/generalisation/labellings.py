"""All labellings of a few points: which ones are separable, each with its proof, and with which margin (G3, G6-G8).

Labelling number n gives point i the label + if bit i of n is 0. The first has all +, and n and 2^k - 1 - n are
opposite, so only half of them are computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Annotated, Any

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.separability import NotSeparable, Separation, separate
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Frozen, frozen
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.rules import LARGEST_MAGNITUDE, NotNegative, Shape, WholeNumber, finite_array
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear

MOST_POINTS = 8  # that is 256 labellings
Points = Annotated[Array, Shape("k", "d")]
RELATIVE_TOLERANCE = 1e-9  # so that a margin that is met exactly counts


@dataclass(frozen=True, eq=False)
class Labelling(Frozen):
    """Labels y (k,), with the proof that a boundary separates them, or that none does."""

    y: Array
    separation: Separation

    @property
    def separable(self) -> bool:
        """Whether some boundary separates the labels."""
        return self.separation.separable


@validated
def labels(k: Annotated[int, WholeNumber(1, MOST_POINTS)]) -> Array:
    """Return all 2^k labellings of k points, shape (2^k, k). Raises BadInput for k outside 1..8."""
    return np.where((np.arange(2**k)[:, None] >> np.arange(k)) & 1, -1.0, 1.0)


@validated
def labellings(
    X: Points, kernel: Kernel = Linear(), on_progress: Callable[[float], None] | None = None
) -> tuple[Labelling, ...]:
    """Return each labelling of the points X (k, d) with the result of `separate`, in the order of `labels`.

    on_progress gets the fraction done and may raise to stop. Raises BadInput for k outside 1..8 and as `separate` does.
    """
    ys = labels(len(X))
    half = len(ys) // 2
    first = []
    for n in range(half):
        first.append(Labelling(frozen(ys[n]), separate(Dataset(X, ys[n]), kernel)))
        if on_progress is not None:
            on_progress((n + 1) / half)
    return (*first, *(_opposite(labelling) for labelling in reversed(first)))


def _lengths(field: str, value: Any) -> Array:
    """Return `value` as an array of margins, some of which may be inf. Raises BadInput."""
    is_valid = (
        isinstance(value, np.ndarray) and value.dtype == float and not (np.isnan(value) | np.isneginf(value)).any()
    )
    return (
        value
        if is_valid and (np.abs(value[np.isfinite(value)]) <= LARGEST_MAGNITUDE).all()
        else finite_array(field, value)
    )


def _opposite(labelling: Labelling) -> Labelling:
    w, b = labelling.separation.w, labelling.separation.b
    turned = replace(labelling.separation, w=None if w is None else frozen(0.0 - w), b=None if b is None else 0.0 - b)
    return Labelling(frozen(-labelling.y), turned)


@validated
def margins(X: Points, kernel: Kernel = Linear(), on_progress: Callable[[float], None] | None = None) -> Array:
    """Return the largest margin of each labelling in feature space, 1/|w| of the hard margin, shape (2^k,).

    It is inf for one class alone, and 0 if the labels are not separable, or not separable in double precision.
    on_progress gets the fraction done and may raise to stop. Raises BadInput for k outside 1..8 and for kernels without
    a feature space.
    """
    ys = labels(len(X))
    half = len(ys) // 2
    if not kernel.psd:
        raise BadInput(
            "kernel: {kernel} has no feature space in which a margin could be measured. Choose another kernel.",
            kernel=kernel.key,
        )
    out = np.full(len(ys), np.inf)
    for n in range(1, half):
        try:
            out[n] = 1.0 / solve(Problem(Dataset(X, ys[n]), kernel, math.inf)).norm_w
        except (NotSeparable, SolverFailed):
            out[n] = 0.0
        if on_progress is not None:
            on_progress((n + 1) / half)
    out[half:] = out[:half][::-1]
    return frozen(out)


@validated
def swept_margins(X: Points) -> Array:
    """Return the margins of all labellings for lines in the plane, shape (2^k,), by trying directions without a solver.

    Half the gap between the projections of the classes is largest along the shortest segment between their hulls. It
    joins two corners, or is perpendicular to an edge. So the directions between any two points, and the directions
    perpendicular to these, are enough. Raises BadInput.
    """
    if X.shape[1] != 2:
        raise BadInput(
            "X: directions can be tried only in the plane, but the points have {d} coordinates. Give points with "
            "2 coordinates.",
            d=X.shape[1],
        )
    ys = labels(len(X))
    i, j = np.triu_indices(len(X), 1)
    directions = X[i] - X[j]
    directions = directions[np.hypot(directions[:, 0], directions[:, 1]) > 0]
    out = np.full(len(ys), np.inf)
    if not len(directions):
        out[1:-1] = 0.0
        return frozen(out)
    directions = (
        np.vstack([directions, np.column_stack([-directions[:, 1], directions[:, 0]])])
        / np.tile(np.hypot(*directions.T), 2)[:, None]
    )
    along = np.vstack([directions, -directions]) @ X.T
    for n in range(1, len(ys) - 1):
        plus = ys[n] > 0
        gap = along[:, plus].min(axis=1) - along[:, ~plus].max(axis=1)
        out[n] = 0.5 * max(float(gap.max()), 0.0)
    out[out < RELATIVE_TOLERANCE * float(np.abs(X).max())] = 0.0
    return frozen(out)


@validated
def count_with_margin(labelling_margins: Annotated[Array, _lengths], smallest_margin: NotNegative) -> int:
    """Return the number of labellings with a margin of `smallest_margin` or more, including those of one class.

    smallest_margin = 0 counts the separable ones.
    """
    return int(
        np.count_nonzero((labelling_margins > 0) & (labelling_margins >= smallest_margin * (1 - RELATIVE_TOLERANCE)))
    )


@validated
def feature_radius(X: Points, kernel: Kernel = Linear()) -> float:
    """Return R = max |phi(x_i)|, the unit in which margins of different kernels are compared."""
    return math.sqrt(max(float(kernel.diag(X).max()), 0.0))
