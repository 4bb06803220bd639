"""All labellings of a few points: which ones a boundary makes, each with its proof, and with how large a margin (G3,
G6, G7, G8).

Labelling number n gives point i the label + where bit i of n is 0: the first has all +, and n and 2^k - 1 - n are each
other's opposites, so half of them are computed.
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
from svmlab.core.rules import LARGEST, NotNegative, Shape, WholeNumber, numbers
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear

MOST = 8  # points, that is 256 labellings
Places = Annotated[Array, Shape("k", "d")]
MET = 1e-9  # relatively: a margin that is met exactly counts


@dataclass(frozen=True, eq=False)
class Labelling(Frozen):
    """Labels y (k,) and the proof that a boundary makes them, or that none does."""

    y: Array
    separation: Separation

    @property
    def separable(self) -> bool:
        """Whether a boundary makes them."""
        return self.separation.separable


@validated
def labels(k: Annotated[int, WholeNumber(1, MOST)]) -> Array:
    """All 2^k labellings of k points, shape (2^k, k). Raises BadInput for k outside 1..8."""
    return np.where((np.arange(2**k)[:, None] >> np.arange(k)) & 1, -1.0, 1.0)


@validated
def labellings(
    X: Places, kernel: Kernel = Linear(), on_progress: Callable[[float], None] | None = None
) -> tuple[Labelling, ...]:
    """Each labelling of the places X (k, d) with the verdict of `separate`, in the order of `labels`.

    on_progress gets the fraction done and may raise to stop. Raises BadInput for k outside 1..8 and as `separate` does.
    """
    ys = labels(len(X))
    half = len(ys) // 2
    first = []
    for n in range(half):
        first.append(Labelling(frozen(ys[n]), separate(Dataset(X, ys[n]), kernel)))
        if on_progress is not None:
            on_progress((n + 1) / half)
    return (*first, *(_opposite(one) for one in reversed(first)))


def _lengths(field: str, value: Any) -> Array:
    """Margins, of which some are inf."""
    known = isinstance(value, np.ndarray) and value.dtype == float and not (np.isnan(value) | np.isneginf(value)).any()
    return value if known and (np.abs(value[np.isfinite(value)]) <= LARGEST).all() else numbers(field, value)


def _opposite(one: Labelling) -> Labelling:
    w, b = one.separation.w, one.separation.b
    turned = replace(one.separation, w=None if w is None else frozen(0.0 - w), b=None if b is None else 0.0 - b)
    return Labelling(frozen(-one.y), turned)


@validated
def margins(X: Places, kernel: Kernel = Linear(), on_progress: Callable[[float], None] | None = None) -> Array:
    """The largest margin of each labelling in the kernel's feature space, 1/|w| of the hard margin, shape (2^k,).

    inf for one class alone; 0 where no boundary makes the labels, or none that doubles can tell from it. on_progress
    gets the fraction done and may raise to stop. Raises BadInput for k outside 1..8 and for kernels without a feature
    space.
    """
    ys = labels(len(X))
    half = len(ys) // 2
    if not kernel.psd:
        raise BadInput("kernel: {kernel} has no feature space to measure a margin in.", kernel=kernel.key)
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
def swept_margins(X: Places) -> Array:
    """The same for lines in the plane by trying directions, shape (2^k,), exact: no solver is asked. Raises BadInput.

    Half the gap between the classes' projections is largest along the shortest way between their hulls: from a corner
    to a corner, or square to an edge. So the ways between any two points, and those square to them, are all directions
    that there are.
    """
    if X.shape[1] != 2:
        raise BadInput(
            "X: directions can be tried in the plane alone, and these places have {d} coordinates.", d=X.shape[1]
        )
    ys = labels(len(X))
    i, j = np.triu_indices(len(X), 1)
    ways = X[i] - X[j]
    ways = ways[np.hypot(ways[:, 0], ways[:, 1]) > 0]
    out = np.full(len(ys), np.inf)
    if not len(ways):
        out[1:-1] = 0.0
        return frozen(out)
    ways = np.vstack([ways, np.column_stack([-ways[:, 1], ways[:, 0]])]) / np.tile(np.hypot(*ways.T), 2)[:, None]
    along = np.vstack([ways, -ways]) @ X.T
    for n in range(1, len(ys) - 1):
        plus = ys[n] > 0
        gap = along[:, plus].min(axis=1) - along[:, ~plus].max(axis=1)
        out[n] = 0.5 * max(float(gap.max()), 0.0)
    out[out < MET * float(np.abs(X).max())] = 0.0
    return frozen(out)


@validated
def with_margin(found: Annotated[Array, _lengths], least: NotNegative) -> int:
    """How many labellings have a margin of `least` or more, those of one class among them; least = 0 counts the
    separable ones.
    """
    return int(np.count_nonzero((found > 0) & (found >= least * (1 - MET))))


@validated
def reach(X: Places, kernel: Kernel = Linear()) -> float:
    """R = max |phi(x_i)|, the unit in which margins of different kernels are compared."""
    return math.sqrt(max(float(kernel.diag(X).max()), 0.0))
