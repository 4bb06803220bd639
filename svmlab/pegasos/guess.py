"""Which draws violate, guessed for a block and then proved right or mended: most decisions do not hang on the step before.

1. Freeze w at the block's start: that decides every draw, and running sums give the margins it would lead to.
2. Only draws whose margin comes out near 1 can be decided otherwise; a loop over those alone mends them one after the other.
3. With the sums of the result every decision is made again. Where it is the same all along, the block is what the loop over all
   steps would have given; a repetition where it is not goes through that loop from the first difference on.
"""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from svmlab.arrays import Array, Mask
from svmlab.pegasos.loops import violations
from svmlab.pegasos.sums import inner, running

SHORTEST = 64  # steps from which a guess is worth its overhead
MOST_NEAR, MOST_WRONG = 0.2, 0.1  # share of draws near 1, and of repetitions guessed wrong, from which it is not
LONGEST_WAIT = 32  # blocks


class Guess:
    """The guesses of one run; after a bad one the loop does the next blocks, more of them each time."""

    def __init__(self) -> None:
        self.wait, self.penalty = 0, 0

    def sums(self, z: Array, S: Array, c: Array) -> Array | None:
        """S_{t-1}, S_t .. S_{t+n-1}, (d, n+1, runs), or None where the loop is likely to be faster; z, S, c as `violations` has them."""
        if len(S) != 2 or len(c) < SHORTEST:
            return None
        if self.wait > 0:
            self.wait -= 1
            return None
        violated = self._mended(z, S, c)
        if violated is None:
            self._blame()
            return None
        sums = running(S, z * violated)
        decided = inner(z, sums[:, :-1]) < c[:, None]
        differ = decided != violated
        wrong = differ.any(0)
        if wrong.any():
            first = int(differ.any(1).argmax())
            tail = np.ascontiguousarray(z[:, first:, wrong])
            start = sums[:, first, wrong]
            sums[:, first:, wrong] = running(start, tail * violations(tail, start, c[first:]))
        if wrong.mean() > MOST_WRONG:
            self._blame()
        else:
            self.penalty //= 2
        return sums

    def _mended(self, z: Array, S: Array, c: Array) -> Mask | None:
        n, runs = z.shape[1:]
        violated = inner(z, S[:, None]) < c[0]
        short = inner(z, running(S, z * violated)[:, :-1]) - c[:, None]
        reach = float(inner(z, z).max()) * (2.0 + 0.01 * n)  # found by trial; too small is mended, too large is slow
        at, t = np.nonzero((np.abs(short) < reach).T)
        if len(t) > MOST_NEAR * n * runs:
            return None
        columns = (short[t, at], z[0, t, at], z[1, t, at], violated[t, at])
        rows = list(zip(*(column.tolist() for column in columns), strict=True))
        flags: list[bool] = []
        push = flags.append
        for a, b in pairwise(np.searchsorted(at, np.arange(runs + 1)).tolist()):
            d0 = d1 = 0.0  # what the mended decisions have changed S by
            for less, z0, z1, was in rows[a:b]:
                now = less + z0 * d0 + z1 * d1 < 0.0
                push(now)
                if now != was:
                    sign = 1.0 if now else -1.0
                    d0 += sign * z0
                    d1 += sign * z1
        violated[t, at] = flags
        return violated

    def _blame(self) -> None:
        self.penalty = min(2 * self.penalty + 1, LONGEST_WAIT)
        self.wait = self.penalty
