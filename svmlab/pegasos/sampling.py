"""The random points of the steps, from a counter-based generator, which can repeat any stretch by itself.

Source of the generator: Salmon et al., Parallel random numbers: as easy as 1, 2, 3 (2011).
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.errors import BadInput
from svmlab.core.rules import Seed, Size
from svmlab.core.validate import validated

MOST_DRAWS = 10**8  # in one call


def uniforms(seed: int, run: int, start: int, stop: int) -> Array:
    """Return the uniforms number start .. stop-1 in [0, 1) of the infinite sequence of a seed and a repetition."""
    bits = np.random.Philox(key=np.array([seed, run], dtype=np.uint64))
    bits.advance(start // 4)  # one counter yields four numbers
    return np.random.Generator(bits).random(stop - start + start % 4)[start % 4 :]


@validated
def draws(m: Size, seed: Seed, run: Seed, start: Seed, stop: Seed, replace: bool = True) -> Index:
    """Return the points of the draws start < s <= stop of one repetition, as rows 0..m-1; a step takes `batch` draws.

    Without replacement the draws em+1 .. em+m are a permutation of the rows, a new one for every epoch e. Raises
    BadInput for a stop before the start, and for more than 10^8 draws.
    """
    if not start <= stop <= start + MOST_DRAWS:
        raise BadInput(
            "stop: {stop} is not from start = {start} to {last}. Take the draws in several parts.",
            stop=stop,
            start=start,
            last=start + MOST_DRAWS,
        )
    if replace:
        # The largest uniform is 1 - 2^-53, and its product with m rounds to less than m.
        return (uniforms(seed, run, start, stop) * m).astype(np.intp)
    first, last = start // m, -(-stop // m)
    keys = uniforms(seed, run, first * m, last * m).reshape(-1, m)
    return np.argsort(keys, axis=1, kind="stable").ravel()[start - first * m : stop - first * m]
