"""Mehrotra's predictor-corrector interior point for the dual of a low-rank machine: close to the optimum in some ten steps.

    min 1/2 a'Qa - 1'a   subject to   0 <= a <= u,  y'a = 0 (with bias),   Q = P P',  P (m, r)

With w = P'a, t = u - a and multipliers z (of a >= 0) and v (of a <= u) a Newton step for z a = v t = mu is

    D da + P dw + y db = rho,   dw = P'da,   y'da = -y'a,   D = z / a + v / t,

so that only (I + P'D^-1 P) with the border P'D^-1 y has to be solved: r + 1 unknowns, however many points. Source:
Mehrotra (1992); Ferris and Munson, Interior-point methods for massive support vector machines (2002).
"""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array

STEPS = 40


def approach(P: Array, y: Array | None, u: Array, tol: float, rest: Array | float = 0.0) -> Array:
    """An `a` whose entries are exactly 0 or u where they end there, inside (0, u) where they look free.

    P (m, r) signed features with rows no longer than 1, y (m,) or None without bias, u (m,) finite upper bounds. Stops when
    the duality gap, relative to the objective, is below tol, or when no progress is left; the answer is a guess to be finished.
    """
    m, r = P.shape
    B = P if y is None else np.column_stack([P, y])
    G = np.ones(B.shape[1])
    G[r:] = 0.0
    x, S = _start(B, G, u)
    step, before = np.empty_like(S), np.inf
    for _ in range(STEPS):
        a, t, z, v = S
        x[:r] = a @ P
        gap = float(z @ a + v @ t)
        mu = gap / (2 * m)
        value = float(a.sum() - 0.5 * x[:r] @ x[:r] - 0.5 * (rest * a) @ a)
        if 0 <= gap <= tol * value or not np.isfinite(gap) or gap > 1e3 * before:
            break
        before = min(before, gap)
        Z = S[2:] / S[:2]
        inverse = 1.0 / (Z[0] + Z[1] + rest)
        BD = B.T * inverse
        H = BD @ B
        H.flat[:: len(G) + 1] += G
        rho = 1.0 - B @ x - rest * a
        rhs = BD @ rho
        if y is not None:
            rhs[r] += y @ a
        try:
            H = np.linalg.inv(H)
        except np.linalg.LinAlgError:
            break
        da = inverse * (rho - B @ (H @ rhs))
        step[0], step[1] = da, -da
        step[2:] = -S[2:] - Z * step[:2]
        far = min(1.0, 1.0 / float((-step / S).max()))
        aim = S + far * step
        sigma = (float((aim[:2] * aim[2:]).sum()) / gap) ** 3
        bend = (sigma * mu - step[:2] * step[2:]) / S[:2]
        rho = rho + bend[0] - bend[1]
        rhs = BD @ rho
        if y is not None:
            rhs[r] += y @ a
        dx = H @ rhs
        da = inverse * (rho - B @ dx)
        step[0], step[1] = da, -da
        step[2:] = bend - S[2:] - Z * step[:2]
        far = min(1.0, 0.995 / max(float((-step / S).max()), 1e-300))
        S += far * step
        x[r:] += far * dx[r:]
        S[1] = u - S[0]
    a, t, z, v = S
    return np.where(a / u < z, 0.0, np.where(t / u < v, u, a))


def _start(B: Array, G: Array, u: Array) -> tuple[Array, Array]:
    """Ridge regression of the labels (1 in signed features) says who violates: a between 0.02 u and 0.98 u."""
    H = B.T @ B
    H.flat[:: len(G) + 1] += 1e-3 + G
    x = np.linalg.solve(H, B.sum(0))
    short = 1.0 - B @ x
    share = np.clip(0.5 + 0.5 * short, 0.02, 0.98)
    S = np.empty((4, len(u)))
    S[0] = share * u
    S[1] = u - S[0]
    shift = 2.0 * float(np.abs(short).mean()) + 1e-3
    S[2], S[3] = np.maximum(-short, 0) + shift, np.maximum(short, 0) + shift
    x[: int(G.sum())] = 0.0
    return x, S
