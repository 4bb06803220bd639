"""The factors and bounds of the analysis, as printed and as corrected (P6, P7 of the catalogue, note A).

(1/T) sum_t l_t(w_t) - (1/T) sum_t l_t(w*) <= G^2 / (2 lam T) (1/1 + ... + 1/T)     for every sequence of draws
E F(average) - F(w*) <= 2 X^2 / (lam T) (1 + ln T)                                  drawn with replacement

T may be an array, and every result has its shape. Every function raises BadInput that names the argument.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt

from svmlab.core.arrays import Array
from svmlab.core.rules import NotNegative, Numbers, Positive
from svmlab.core.validate import validated

Steps = Annotated[npt.ArrayLike, Numbers(1.0)]
FromZero = Annotated[npt.ArrayLike, Numbers(0.0, whole=True)]
FIRST_HARMONICS = np.concatenate([[0.0], np.cumsum(1.0 / np.arange(1, 257))])
EULER = 0.5772156649015329


@validated
def harmonic(T: FromZero) -> Array:
    """Return H_T = 1 + 1/2 + ... + 1/T for whole T >= 0, in the shape of T: the factor of P6, tight for every T."""
    n = np.asarray(T)
    x = np.maximum(n, 256).astype(float)
    asymptotic = np.log(x) + EULER + 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4)
    return np.where(
        n < len(FIRST_HARMONICS), FIRST_HARMONICS[np.minimum(n, len(FIRST_HARMONICS) - 1).astype(np.intp)], asymptotic
    )


@validated
def corrected_factor(T: Steps) -> Array:
    """Return 1 + ln T, which is never below H_T."""
    return 1.0 + np.log(T)


@validated
def printed_factor(T: Steps) -> Array:
    """Return ln(T + 1), as note A prints (4). It is below H_T, and false (m = T = x = lam = 1 gives 1 <= 0.847)."""
    return np.log(np.asarray(T) + 1.0)


@validated
def regret_bound(G: npt.ArrayLike, lam: Positive, T: Steps, factor: npt.ArrayLike) -> Array:
    """Return G^2 / (2 lam T) times one of the factors above, where G is the largest |gradient| of the run."""
    return np.square(G) / (2.0 * lam * np.asarray(T)) * np.asarray(factor)


@validated
def gap_bound(X: NotNegative, lam: Positive, T: Steps) -> Array:
    """Return 2 X^2 / (lam T) (1 + ln T): the bound (6) of note A with G <= 2X, as it follows from A's own proof."""
    return regret_bound(2.0 * X, lam, T, corrected_factor(T))


@validated
def printed_gap_bound(X: NotNegative, lam: Positive, T: Steps) -> Array:
    """Return 2 X^2 / (lam T) ln(T + 1): A's last line, true because of `sharp_gap_bound`, not of its line above."""
    return regret_bound(2.0 * X, lam, T, printed_factor(T))


@validated
def sharp_gap_bound(X: NotNegative, lam: Positive, T: Steps) -> Array:
    """Return (4 H_T - 3) X^2 / (2 lam T), because the first gradient is at most X and the others at most 2X."""
    return regret_bound(X, lam, T, 4.0 * harmonic(T) - 3.0)
