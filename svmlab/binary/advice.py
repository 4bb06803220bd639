"""What can help where a solver came to no end: only what is not so already."""

from __future__ import annotations

import math

from svmlab.binary.scale import STANDARDISE, raw
from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.phrase import N_, Phrase, together
from svmlab.kernels.base import Kernel

HIGH, LOW = 10.0, 1e-3  # of C max k(x, x): above, a lower C is easier, below, a higher one is


def remedy(X: Array, kernel: Kernel, C: float) -> str:
    """Sentences for points X (m, d), m >= 1: standardise where they are not, lower C where it is high, another parameter."""
    try:
        pull = C * kernel.largest(X)
    except BadInput:  # points far from 0, which a bias forgives
        pull = C
    ways = [STANDARDISE] if raw(X) else []
    if math.isfinite(C) and not LOW <= pull <= HIGH:
        ways.append(N_("Lower C.") if pull > HIGH else N_("Raise C."))
    if kernel.parameters:
        ways.append(Phrase(N_("Change the {parameter} of the kernel."), parameter=kernel.parameters[0].name))
    return together(*ways) if ways else N_("Choose another kernel, such as Gaussian(1).")


def advised(reason: SolverFailed, X: Array, kernel: Kernel, C: float, first: str = "") -> SolverFailed:
    """The same failure with what can help, `first` before the rest."""
    return SolverFailed("{reason} {way}", reason=reason.said, way=together(first, remedy(X, kernel, C)))
