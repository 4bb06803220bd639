"""Mehrotra's predictor-corrector interior point for the dual of a low-rank machine: close to the optimum in some ten steps.

    min 1/2 a'Qa - 1'a   subject to   0 <= a <= u,  y'a = 0 (with bias),   Q = P P' + diag(rest),  P (m, r)

With t = u - a, multipliers z (of a >= 0) and v (of a <= u), rho = 1 - Qa - y b and D = z/a + v/t + rest, a Newton step
towards z a = v t = mu is

    D da + P dw + y db = rho + mu/a - mu/t,   dw = P'da,   y'da = -y'a,

so with B = [P, y] only (I + P'D^-1 P) bordered by P'D^-1 y has to be solved: r + 1 unknowns, however many points. In the
relative steps R = (da/a, -da/t) the multipliers follow as dz = -z (1 + R) + ..., which makes every step length and every
product a function of R. Source: Mehrotra (1992); Ferris and Munson, Interior-point methods for massive SVMs (2002).
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array

STEPS, SHORT = 40, 0.995


def approach(P: Array, y: Array | None, u: Array, tol: float, rest: Array) -> Array:
    """An `a` whose entries are exactly 0 or u where they end there, inside (0, u) where they look free.

    P (m, r) signed features with rows no longer than 1, y (m,) or None without bias, u (m,) finite upper bounds. Stops when
    the products z a + v t add up to no more than tol times sum a, or when they no longer shrink: a guess, to be finished.
    """
    m, r = P.shape
    B = np.empty((r if y is None else r + 1, m))
    B[:r] = P.T
    if y is not None:
        B[r] = y
    G = np.zeros((len(B), len(B)))
    G[range(r), range(r)] = 1.0
    S, b = _start(B, G, u)
    primal, dual = S[:2], S[2:]  # (a, t) and (z, v)
    rho = 1.0 - (B[:r] @ primal[0]) @ B[:r] - rest * primal[0]
    off = 0.0
    if y is not None:
        rho -= b * y
        off = float(y @ primal[0])
    before = np.inf
    for _ in range(STEPS):
        products = primal * dual
        gap = float(products.sum())
        if not tol * float(primal[0].sum()) < gap < 1e3 * before:
            break
        before = min(before, gap)
        Z = dual / primal
        inverse = 1.0 / (Z[0] + Z[1] + rest)
        BD = B * inverse
        try:
            H = np.linalg.inv(BD @ B.T + G)
        except np.linalg.LinAlgError:
            break
        rhs = BD @ rho
        rhs[r:] += off
        R = inverse * (rho - (H @ rhs) @ B) / primal
        R[1] *= -1.0
        far = 1.0 / max(1.0 + float(R.max()), -float(R.min()))
        there = 1.0 + far * R
        left = float((products * there).ravel() @ ((2.0 - far) - there).ravel())
        mu = (left / gap) ** 3 * gap / (2 * m)
        bend = (mu + products * R * (1.0 + R)) / primal
        aim = rho + bend[0] - bend[1]
        rhs = BD @ aim
        rhs[r:] += off
        dx = (H @ rhs) @ B
        da = inverse * (aim - dx)
        R = da / primal
        R[1] *= -1.0
        change = bend - dual * (1.0 + R)
        far = min(1.0, SHORT / max(-float(R.min()), -float((change / dual).min())))
        primal *= 1.0 + far * R
        dual += far * change
        rho -= far * (dx + rest * da)
        off *= 1.0 - far
    share = primal / u
    return np.where(share[0] < dual[0], 0.0, np.where(share[1] < dual[1], u, primal[0]))


def _start(B: Array, G: Array, u: Array) -> tuple[Array, float]:
    """(a, t, z, v) and b from ridge regression of the labels (1 in signed features): who falls short, violates."""
    x = np.linalg.solve(B @ B.T + G + 1e-3 * np.eye(len(B)), B.sum(1))
    short = 1.0 - x @ B
    S = np.empty((4, len(u)))
    S[0] = np.clip(0.5 + 0.5 * short, 0.02, 0.98) * u
    S[1] = u - S[0]
    shift = 2.0 * float(np.abs(short).mean()) + 1e-3
    S[2], S[3] = np.maximum(-short, 0.0) + shift, np.maximum(short, 0.0) + shift
    return S, float(x[-1]) if len(x) else 0.0
