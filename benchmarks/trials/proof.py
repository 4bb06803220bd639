"""The certificate once more, from alpha and b in numbers of 64 bits of mantissa and the kernel's formula as it is
written.
"""

from __future__ import annotations

import math

import numpy as np

from svmlab import Solution
from svmlab.kernels.base import Kernel

EPS = float(np.finfo(float).eps)
LARGEST = 400  # points whose kernel matrix is written in long doubles
SLACK = 4.0  # times the floor: what the doubles of a certificate may lose against this one


def values(kernel: Kernel, A: np.ndarray, B: np.ndarray) -> np.ndarray:
    """k(a_i, b_j) by the formula that the Code tab shows."""
    formula = kernel.node.numpy if kernel.name == "composed" else kernel.numpy.format(**vars(kernel))
    step = max(1, 1_000_000 // max(B.size, 1))
    return np.vstack([eval(formula, {"np": np, "A": A[i : i + step], "B": B}) for i in range(0, len(A), step)])


def lacking(s: Solution) -> str:
    """Which condition fails at the floor, and by how much; nothing where all hold."""
    p = s.problem
    X, y, alpha = p.data.X.astype(np.longdouble), p.data.y.astype(np.longdouble), s.alpha.astype(np.longdouble)
    c = y * alpha if s.evaluation.coefficients is None else s.coefficients.astype(np.longdouble)
    offset, rounding = np.longdouble(s.b), 4 * EPS * abs(s.b)  # b is a double, however far from 0 the points are
    if p.kernel.is_linear and p.bias:
        middle = X.mean(0)
        X = X - middle
        if s.norm_w > 0:  # else f is b wherever 0 is, and what rounding has left of w is not seen from there
            offset += (c @ X) @ middle
        rounding += 4 * EPS * float((np.abs(c) @ np.abs(X)) @ np.abs(middle))  # of alpha, seen from 0
    K = values(p.kernel, X, X)
    flat = K @ c
    yf = y * (flat + offset)
    bounds = p.bounds.astype(np.longdouble)
    kappa, noise = np.abs(K.diagonal()).max() or 1.0, np.longdouble(s.noise + rounding)
    xi = np.maximum(0.0, 1.0 - yf)
    primal, dual = 0.5 * c @ flat, alpha.sum() - 0.5 * c @ flat
    lost = np.longdouble(0)
    if not p.hard:
        primal, lost = primal + (bounds * xi).sum(), (bounds * noise).sum()
    scale = max(primal, abs(dual))
    residuals = {
        "stationarity": abs((y * alpha).sum()) / (alpha.sum() or 1.0) if p.bias else 0.0,
        "primal feasibility": xi.max() if p.hard else 0.0,
        "dual feasibility": max((-alpha).max(), (alpha - bounds).max(), 0.0) / (alpha.max() or 1.0),
        "complementarity": np.abs(kappa * alpha - np.clip(kappa * alpha - (yf - 1.0), 0.0, kappa * bounds)).max(),
        "gap": max(0.0, abs(primal - dual) - lost) / scale if scale else 0.0,
    }
    name, worst = max(residuals.items(), key=lambda pair: pair[1] if math.isfinite(pair[1]) else math.inf)
    return "" if worst <= SLACK * (s.floor + rounding) else f"{name} {float(worst):.3g}, floor {s.floor:.3g}"
