"""Advice for the cases where rounding or a solver fails: standardise the points, change C or change the kernel."""

from __future__ import annotations

import math

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.core.tolerances import HIGH_C, LARGE_COORDINATE, LOW_C, SMALL_RANGE
from svmlab.jit.compiler import compiled
from svmlab.kernels.base import Kernel

STANDARDISE_ADVICE = N_(
    "Standardise the points. For each column, subtract its mean and divide by its standard deviation."
)


@compiled
def is_badly_scaled(X: Array) -> bool:
    """Return whether a column of X (m, d) has a coordinate beyond LARGE_COORDINATE, or a range in (0, SMALL_RANGE)."""
    for j in range(X.shape[1]):
        low = high = X[0, j]
        for i in range(1, len(X)):
            low, high = min(low, X[i, j]), max(high, X[i, j])
        if low < -LARGE_COORDINATE or high > LARGE_COORDINATE or 0 < high - low < SMALL_RANGE:
            return True
    return False


def precision_failure() -> SolverFailed:
    """Return the error for badly scaled points whose margins are lost in rounding."""
    return SolverFailed(
        "The numbers of these points are too large or too far apart for double precision, so rounding hides the "
        "margins. {remedy}",
        remedy=STANDARDISE_ADVICE,
    )


def advice(X: Array, kernel: Kernel, C: float) -> str:
    """Return sentences of advice for points X (m, d), m >= 1.

    They advise to standardise badly scaled points, to lower a high C or raise a low one, and to change a kernel
    parameter.
    """
    try:
        scaled_C = C * kernel.largest_diagonal(X)
    except BadInput:  # The points are far from 0, which a bias compensates.
        scaled_C = C
    sentences = [STANDARDISE_ADVICE] if is_badly_scaled(X) else []
    if math.isfinite(C) and not LOW_C <= scaled_C <= HIGH_C:
        sentences.append(N_("Lower C.") if scaled_C > HIGH_C else N_("Raise C."))
    if kernel.parameters:
        sentences.append(Phrase(N_("Change the {parameter} of the kernel."), parameter=kernel.parameters[0].name))
    return join_phrases(*sentences) if sentences else N_("Choose another kernel, such as Gaussian(1).")


def with_advice(reason: SolverFailed, X: Array, kernel: Kernel, C: float, first: str = "") -> SolverFailed:
    """Return the same failure with advice, `first` before the rest."""
    return SolverFailed("{reason} {remedy}", reason=reason.message, remedy=join_phrases(first, advice(X, kernel, C)))
