"""Coordinates as the decimals that they are: on the board whole thousandths, whose sums and products doubles keep
exactly up to 2^53.

Three points that are seen on one line are on one; rounded to binary fractions they would leave a gap of 1e-16.
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array

THOUSAND = 1000
LARGEST = 2.0**40  # beyond, doubles do not hold thousandths


def thousandths(X: Array) -> Array | None:
    """X in thousandths, whole numbers, where all entries are decimals of at most three places; None where not."""
    if not (np.abs(X) < LARGEST).all():
        return None
    whole = np.rint(THOUSAND * X)
    return whole if np.array_equal(whole / THOUSAND, X) else None
