"""What can help where rounding or a solver stands in the way: standardise the points, change C or the kernel."""

from __future__ import annotations

import math

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.kernels.base import Kernel

LARGE, SMALL = 100.0, 0.01
PRECISE = 1e-5  # of a margin: where round-off alone explains more, nothing is proven; of raw points, nothing answered
STANDARDISE = N_("Standardise the points: centre each column and divide it by its standard deviation.")
HIGH, LOW = 10.0, 1e-3  # of C max k(x, x): above, a lower C is easier, below, a higher one is


def is_badly_scaled(X: Array) -> bool:
    """Whether a column of X (m, d) leaves +-LARGE, or varies by less than SMALL without being constant."""
    ends = zip(X.min(0).tolist(), X.max(0).tolist(), strict=True)
    return any(low < -LARGE or high > LARGE or 0 < high - low < SMALL for low, high in ends)


def precision_failure() -> SolverFailed:
    """The refusal of such points where rounding leaves nothing to prove."""
    return SolverFailed(
        (
            "The numbers of these points are too large, or too far apart, for double precision: round-off "
            "hides the margins. {way}"
        ),
        way=STANDARDISE,
    )


def advice(X: Array, kernel: Kernel, C: float) -> str:
    """Sentences for points X (m, d), m >= 1: standardise where they are not, lower C where it is high, another
    parameter.
    """
    try:
        pull = C * kernel.largest_diagonal(X)
    except BadInput:  # points far from 0, which a bias forgives
        pull = C
    ways = [STANDARDISE] if is_badly_scaled(X) else []
    if math.isfinite(C) and not LOW <= pull <= HIGH:
        ways.append(N_("Lower C.") if pull > HIGH else N_("Raise C."))
    if kernel.parameters:
        ways.append(Phrase(N_("Change the {parameter} of the kernel."), parameter=kernel.parameters[0].name))
    return join_phrases(*ways) if ways else N_("Choose another kernel, such as Gaussian(1).")


def with_advice(reason: SolverFailed, X: Array, kernel: Kernel, C: float, first: str = "") -> SolverFailed:
    """The same failure with what can help, `first` before the rest."""
    return SolverFailed("{reason} {way}", reason=reason.message, way=join_phrases(first, advice(X, kernel, C)))
