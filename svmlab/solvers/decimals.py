"""Coordinates as exact decimals.

On the board they are whole thousandths, whose sums and products doubles represent exactly up to 2^53. Three points that
look collinear are collinear, whereas rounding to binary fractions would leave a gap of 1e-16.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array

THOUSAND = 1000
LARGEST = 2.0**40  # Beyond this, doubles do not represent thousandths.


def as_thousandths(X: Array) -> Array | None:
    """Return X in thousandths, as whole numbers, or None where an entry is not a decimal of at most three places."""
    if not (np.abs(X) < LARGEST).all():
        return None
    whole = np.rint(THOUSAND * X)
    return whole if np.array_equal(whole / THOUSAND, X) else None
