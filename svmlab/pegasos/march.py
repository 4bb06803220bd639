"""Many steps at once: every w_t and every margin of a stretch, bit for bit those of `textbook`.

    margin = y <S_{t-1}, x> / c_t,   which is below 1 exactly when y <S_{t-1}, x> is below c_t, rounded quotients included

Each step needs the one before it, so which draws violate is found by a loop of nothing but sums and comparisons: over the
plain floats of one repetition when there are few, over all repetitions side by side when there are many. Running sums of the
violating draws then give everything else.
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array, Mask
from svmlab.pegasos.rule import Rule

FEW = 16  # repetitions up to which plain floats are faster


def march(rule: Rule, z: Array, S: Array, t: int) -> tuple[Array, Array]:
    """W (d, n, runs) and margins (batch, n, runs) of the steps t .. t+n-1; S (d, runs) goes from S_{t-1} to S_{t+n-1}.

    z (batch, d, n, runs): the drawn points times their labels.
    """
    c = rule.divisor(np.arange(t, t + z.shape[2] + 1))
    if rule.batch > 1 or rule.project:
        return _general(rule, z, S, c)
    c = c[:-1]
    plain = len(S) == 2 and S.shape[1] <= FEW
    violated = _one_by_one(z[0], S, c) if plain else _side_by_side(z[0], S, c)
    sums = running(S, z[0] * violated)
    S[...] = sums[:, -1]
    sums = sums[:, :-1]
    return sums / c[:, None], (inner(z[0], sums) / c[:, None])[None]


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


def _general(rule: Rule, z: Array, S: Array, c: Array) -> tuple[Array, Array]:
    W, M = np.empty(z.shape[1:]), np.empty((len(z), *z.shape[2:]))
    for t in range(z.shape[2]):
        W[:, t] = S / c[t]
        for z_j, M_j in zip(z[:, :, t], M[:, t], strict=True):
            M_j[...] = inner(z_j, S) / c[t]
        S += push(z[:, :, t], M[:, t] < 1.0)
        if rule.project:
            w = S / c[t + 1]
            norm = np.sqrt(inner(w, w))
            outside = norm > rule.radius
            S[:, outside] = (w * (rule.radius / np.where(outside, norm, 1.0)) * c[t + 1])[:, outside]
    return W, M


def push(z: Array, violated: Mask) -> Array:
    """v: the mean over the batch of the violating draws, z (batch, d, ...) and violated (batch, ...) to (d, ...)."""
    if len(z) == 1:
        return z[0] * violated[0]
    v = np.zeros(z.shape[1:])
    for z_j, violated_j in zip(z, violated, strict=True):
        v += z_j * violated_j
    return v / len(z)


def inner(a: Array, b: Array) -> Array:
    """<a, b> along the first axis, summed from left to right whatever the shape."""
    out = a[0] * b[0]
    for a_j, b_j in zip(a[1:], b[1:], strict=True):
        out += a_j * b_j
    return out


def running(carry: Array, terms: Array) -> Array:
    """carry, carry + term_1, carry + term_1 + term_2 ... from left to right along the last but one axis.

    carry (..., runs), terms (..., n, runs), result (..., n+1, runs).
    """
    out = np.concatenate([carry[..., None, :], terms], axis=-2)
    return np.add.accumulate(out, axis=-2, out=out)


def fold(carry: Array, terms: Array) -> Array:
    """The last of `running`: carry + term_1 + term_2 ... from left to right, (..., runs)."""
    if carry.shape[-1] == 1:  # numpy sums in pairs along the fastest axis, and only there
        return running(carry, terms)[..., -1, :]
    return np.add.reduce(np.concatenate([carry[..., None, :], terms], axis=-2), axis=-2)
