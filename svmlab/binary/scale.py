"""Points as they were measured, in units of their own: what rounding spoils there, standardising them mends."""

from __future__ import annotations

from svmlab.core.arrays import Array
from svmlab.core.errors import SolverFailed
from svmlab.core.phrase import N_

LARGE, SMALL = 100.0, 0.01
PRECISE = 1e-5  # of a margin: where round-off alone explains more, nothing is proven; of raw points, nothing answered
STANDARDISE = N_("Standardise the points: centre each column and divide it by its standard deviation.")


def raw(X: Array) -> bool:
    """Whether a column of X (m, d) leaves +-LARGE, or varies by less than SMALL without being constant."""
    ends = zip(X.min(0).tolist(), X.max(0).tolist(), strict=True)
    return any(low < -LARGE or high > LARGE or 0 < high - low < SMALL for low, high in ends)


def blurred() -> SolverFailed:
    """The refusal of such points where rounding leaves nothing to prove."""
    return SolverFailed(
        "The numbers of these points are too large, or too far apart, for double precision: round-off hides the margins. {way}",
        way=STANDARDISE,
    )
