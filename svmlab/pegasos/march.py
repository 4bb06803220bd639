"""Many steps at once: every w_t and every margin of a stretch, bit for bit those of `textbook`.

Each step needs the one before it, so the margins' signs are found by a lean loop: over the plain floats of one repetition
when there are few, over all repetitions side by side when there are many. Everything else is array work on the result.
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array
from svmlab.pegasos.rule import Rule

FEW = 16  # repetitions up to which plain floats are faster


def march(rule: Rule, z: Array, S: Array, t: int) -> tuple[Array, Array]:
    """W (d, n, runs) and margins (batch, n, runs) of the steps t .. t+n-1; S (d, runs) goes from S_{t-1} to S_{t+n-1}.

    z (batch, d, n, runs): the drawn points times their labels.
    """
    c = rule.divisor(t, t + z.shape[2] + 1)
    if rule.batch > 1 or rule.project:
        return _general(rule, z, S, c.tolist())
    if len(S) == 2 and S.shape[1] <= FEW:
        return _one_by_one(z[0], S, c[:-1])
    return _side_by_side(z[0], S, c[:-1].tolist())


def _one_by_one(z: Array, S: Array, c: Array) -> tuple[Array, Array]:
    n, runs = z.shape[1:]
    divisors = c.tolist()
    violated = np.empty((n, runs), bool)
    for r in range(runs):
        s0, s1 = S[:, r].tolist()
        flags: list[bool] = []
        push = flags.append
        for z0, z1, c_t in zip(z[0, :, r].tolist(), z[1, :, r].tolist(), divisors, strict=True):
            if z0 * (s0 / c_t) + z1 * (s1 / c_t) < 1.0:
                s0 += z0
                s1 += z1
                push(True)
            else:
                push(False)
        violated[:, r] = flags
    sums = running(S, z * violated)
    S[...] = sums[:, -1]
    W = sums[:, :-1] / c[:, None]
    return W, (z[0] * W[0] + z[1] * W[1])[None]


def _side_by_side(z: Array, S: Array, c: list[float]) -> tuple[Array, Array]:
    d, n, runs = z.shape
    W, M = np.empty(z.shape), np.empty((n, runs))
    product, violated = np.empty((d, runs)), np.empty(runs, bool)
    first, rest = product[0], list(product[1:])
    second: Array | float = rest.pop(0) if rest else 0.0
    add, divide, multiply, less = np.add, np.divide, np.multiply, np.less  # half of the time is finding and calling them
    for z_t, w_t, M_t, c_t in zip(z.swapaxes(0, 1), W.swapaxes(0, 1), M, c, strict=True):
        divide(S, c_t, w_t)
        multiply(z_t, w_t, product)
        add(first, second, M_t)
        for more in rest:
            add(M_t, more, M_t)
        less(M_t, 1.0, violated)
        add(S, z_t, S, where=violated)
    return W, M[None]


def _general(rule: Rule, z: Array, S: Array, c: list[float]) -> tuple[Array, Array]:
    k, _, n, _ = z.shape
    W, M = np.empty(z.shape[1:]), np.empty((k, *z.shape[2:]))
    for t in range(n):
        W[:, t] = S / c[t]
        for j in range(k):
            M[j, t] = inner(z[j, :, t], W[:, t])
        S += push(z[:, :, t], M[:, t] < 1.0)
        if rule.project:
            w = S / c[t + 1]
            norm = np.sqrt(inner(w, w))
            outside = norm > rule.radius
            S[:, outside] = (w * (rule.radius / np.where(outside, norm, 1.0)) * c[t + 1])[:, outside]
    return W, M


def push(z: Array, violated: Array) -> Array:
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
