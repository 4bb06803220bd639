"""Many steps at once: every w_t and every margin of a stretch, bit for bit those of `textbook`.

    margin = y <S_{t-1}, x> / c_t,   which is below 1 exactly when y <S_{t-1}, x> is below c_t, rounded quotients included

Each step needs the one before it, but only to know which draws violate. That is found by a lean loop, or guessed and proved
right; running sums of the violating draws then give everything else.
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array
from svmlab.pegasos.guess import Guess
from svmlab.pegasos.loops import violations
from svmlab.pegasos.rule import Rule
from svmlab.pegasos.sums import inner, push, running


def march(rule: Rule, z: Array, S: Array, t: int, guess: Guess | None = None) -> tuple[Array, Array]:
    """W (d, n, runs) and margins (batch, n, runs) of the steps t .. t+n-1; S (d, runs) goes from S_{t-1} to S_{t+n-1}.

    z (batch, d, n, runs): the drawn points times their labels. guess: what may make it faster, never different.
    """
    c = rule.divisor(np.arange(t, t + z.shape[2] + 1))
    if rule.batch > 1 or rule.project:
        return _general(rule, z, S, c)
    c = c[:-1]
    sums = guess.sums(z[0], S, c) if guess is not None else None
    if sums is None:
        sums = running(S, z[0] * violations(z[0], S, c))
    S[...] = sums[:, -1]
    sums = sums[:, :-1]
    return sums / c[:, None], (inner(z[0], sums) / c[:, None])[None]


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
