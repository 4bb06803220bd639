"""Mehrotra's predictor-corrector interior point for a low-rank SVM dual: close to the optimum in about ten steps.

    min 1/2 a'Qa - 1'a   subject to   0 <= a <= u,  y'a = 0 (with bias),   Q = P P' + diag(remainder),  P (m, r)

With t = u - a, multipliers z (of a >= 0) and v (of a <= u), rho = 1 - Qa - y b and D = z/a + v/t + remainder, a Newton
step towards z a = v t = mu is

    D da + P dw + y db = rho + mu/a - mu/t,   dw = P'da,   y'da = -y'a,

so with B = [P, y] only (I + P'D^-1 P) bordered by P'D^-1 y has to be solved: r + 1 unknowns, however many points. In
the relative steps R = (da/a, -da/t) the multipliers follow as dz = -z (1 + R) + ..., so every step length and every
product is a function of R. Source: Mehrotra (1992); Ferris and Munson, Interior-point methods for massive SVMs (2002).
"""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.tolerances import DIVERGENCE, START_RIDGE, START_SHIFT
from svmlab.jit.compiler import compiled_fastmath

STEPS, SHORT = 40, 0.995  # the limit on steps, and the fraction of the distance to the boundary that a step takes


def mehrotra(P: Array, y: Array | None, u: Array, tol: float, remainder: Array) -> Array:
    """Return an `a` whose entries are exactly 0 or u where they end there, and inside (0, u) where they look free.

    P (m, r) signed features with rows of length at most 1, y (m,) or None without bias, u (m,) finite upper bounds. It
    stops when the sum of the products z a + v t is at most tol times sum a, or when they no longer shrink. The result
    is a guess, which another method must finish.
    """
    m, r = P.shape
    B = np.empty((r if y is None else r + 1, m))
    B[:r] = P.T
    if y is not None:
        B[r] = y
    G = np.zeros((len(B), len(B)))
    G[range(r), range(r)] = 1.0
    # Ridge regression of the labels (1 in signed features) shows which points will violate the margin: those below 1.
    x = np.linalg.solve(B @ B.T + G + START_RIDGE * np.eye(len(B)), B.sum(1))
    shortfall = 1.0 - x @ B
    a = np.clip(0.5 + 0.5 * shortfall, 0.02, 0.98) * u
    t = u - a
    shift = 2.0 * float(np.abs(shortfall).mean()) + START_SHIFT
    z, v = np.maximum(-shortfall, 0.0) + shift, np.maximum(shortfall, 0.0) + shift
    rho = 1.0 - (B[:r] @ a) @ B[:r] - remainder * a
    equality_residual = 0.0
    if y is not None:
        rho -= float(x[-1]) * y
        equality_residual = float(y @ a)
    _iterate(B, r, remainder, tol, a, t, z, v, rho, equality_residual)
    return np.where(a / u < z, 0.0, np.where(t / u < v, u, a))


@compiled_fastmath
def _iterate(
    B: Array,
    r: int,
    remainder: Array,
    tol: float,
    a: Array,
    t: Array,
    z: Array,
    v: Array,
    rho: Array,
    equality_residual: float,
) -> None:
    """Take Newton steps on (a, t, z, v), in place."""
    n, m = B.shape
    D, da, dx, dz, dv = np.empty(m), np.empty(m), np.empty(m), np.empty(m), np.empty(m)
    BD, H, x = np.empty((n, m)), np.empty((n, n)), np.empty(n)
    before = np.inf
    for _ in range(STEPS):
        gap, total = 0.0, 0.0
        for i in range(m):
            gap += a[i] * z[i] + t[i] * v[i]
            total += a[i]
        if not tol * total < gap < DIVERGENCE * before:
            break
        before = min(before, gap)
        for i in range(m):
            D[i] = 1.0 / (z[i] / a[i] + v[i] / t[i] + remainder[i])
        for k in range(n):
            for i in range(m):
                BD[k, i] = B[k, i] * D[i]
            for l in range(k + 1):
                s = 0.0
                for i in range(m):
                    s += BD[k, i] * B[l, i]
                H[k, l] = s
            if k < r:
                H[k, k] += 1.0
        if not _factorise(H):
            break
        _newton(B, BD, H, D, rho, equality_residual, r, x, dx, da)
        top, low = 0.0, 0.0
        for i in range(m):
            top = max(top, max(da[i] / a[i], -da[i] / t[i]))
            low = max(low, max(-da[i] / a[i], da[i] / t[i]))
        step = 1.0 / max(1.0 + top, low)
        left = 0.0
        for i in range(m):
            R, S = 1.0 + step * da[i] / a[i], 1.0 - step * da[i] / t[i]
            left += a[i] * z[i] * R * (2.0 - step - R) + t[i] * v[i] * S * (2.0 - step - S)
        mu = (left / gap) ** 3 * gap / (2 * m)
        for i in range(m):
            R, S = da[i] / a[i], -da[i] / t[i]
            dz[i] = (mu + a[i] * z[i] * R * (1.0 + R)) / a[i]
            dv[i] = (mu + t[i] * v[i] * S * (1.0 + S)) / t[i]
            rho[i] += dz[i] - dv[i]
        _newton(B, BD, H, D, rho, equality_residual, r, x, dx, da)
        low = SHORT
        for i in range(m):
            rho[i] -= dz[i] - dv[i]
            R, S = da[i] / a[i], -da[i] / t[i]
            dz[i] -= z[i] * (1.0 + R)
            dv[i] -= v[i] * (1.0 + S)
            low = max(low, max(max(-R, -S), max(-dz[i] / z[i], -dv[i] / v[i])))
        step = SHORT / low
        for i in range(m):
            a[i] += step * da[i]
            t[i] -= step * da[i]
            z[i] += step * dz[i]
            v[i] += step * dv[i]
            rho[i] -= step * (dx[i] + remainder[i] * da[i])
        equality_residual *= 1.0 - step


@compiled_fastmath
def _newton(
    B: Array,
    BD: Array,
    H: Array,
    D: Array,
    target: Array,
    equality_residual: float,
    r: int,
    x: Array,
    dx: Array,
    da: Array,
) -> None:
    """Compute in place the step for the right-hand side `target`.

    x solves the bordered system, dx = B'x, da = D (target - dx).
    """
    n, m = B.shape
    for k in range(n):
        s = equality_residual if k >= r else 0.0
        for i in range(m):
            s += BD[k, i] * target[i]
        x[k] = s
    for k in range(n):
        for l in range(k):
            x[k] -= H[k, l] * x[l]
        x[k] /= H[k, k]
    for k in range(n - 1, -1, -1):
        x[k] /= H[k, k]
        for l in range(k):
            x[l] -= H[k, l] * x[k]
    for i in range(m):
        dx[i] = 0.0
    for k in range(n):
        for i in range(m):
            dx[i] += x[k] * B[k, i]
    for i in range(m):
        da[i] = D[i] * (target[i] - dx[i])


@compiled_fastmath
def _factorise(H: Array) -> bool:
    """Compute the Cholesky factor of H in its lower half; return False where H is not positive definite."""
    for k in range(len(H)):
        for l in range(k + 1):
            s = H[k, l]
            for i in range(l):
                s -= H[k, i] * H[l, i]
            if l < k:
                H[k, l] = s / H[l, l]
            elif s > 0:
                H[k, k] = np.sqrt(s)
            else:
                return False
    return True
