"""Which draws violate, step by step, with nothing in the loop but sums and comparisons."""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array, Mask

FEW = 16  # repetitions up to which plain floats are faster


def violations(z: Array, S: Array, c: Array) -> Mask:
    """Whether <S_{t-1}, z_t> < c_t at each step, (n, runs); z (d, n, runs), S (d, runs) before the first step, c (n,).

    Over the plain floats of one repetition when there are few, over all repetitions side by side when there are many.
    """
    return (_one_by_one if len(S) == 2 and S.shape[1] <= FEW else _side_by_side)(z, S, c)


def _one_by_one(z: Array, S: Array, c: Array) -> Mask:
    divisors = c.tolist()
    violated = np.empty(z.shape[1:], bool)
    for r, (s0, s1) in enumerate(S.T.tolist()):
        flags: list[bool] = []
        push = flags.append
        for z0, z1, c_t in zip(z[0, :, r].tolist(), z[1, :, r].tolist(), divisors, strict=True):
            if z0 * s0 + z1 * s1 < c_t:
                s0 += z0
                s1 += z1
                push(True)
            else:
                push(False)
        violated[:, r] = flags
    return violated


def _side_by_side(z: Array, S: Array, c: Array) -> Mask:
    S, product, inner = S.copy(), np.empty(S.shape), np.empty(S.shape[1])
    violated = np.empty(z.shape[1:], bool)
    first, rest = product[0], list(product[1:])
    second: Array | float = rest.pop(0) if rest else 0.0
    add, multiply, less = np.add, np.multiply, np.less  # half of the time is finding and calling them
    for z_t, c_t, violated_t in zip(np.ascontiguousarray(z.swapaxes(0, 1)), c.tolist(), violated, strict=True):
        multiply(z_t, S, product)
        add(first, second, inner)
        for more in rest:
            add(inner, more, inner)
        less(inner, c_t, violated_t)
        add(S, z_t, S, where=violated_t)
    return violated
