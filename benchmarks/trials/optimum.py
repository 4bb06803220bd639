"""The optimum in exact numbers: that of a claimed partition, where it is one, and by Lemke's method."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from trials.numbers import Meant, Number
from trials.rational import program, reduced, solution

TIED, NEAR = 16, 13  # points on the margin, and near it where the optimum has to be found


@dataclass(frozen=True)
class Exact:
    """An optimum in exact numbers: margins (m,) at the middle b, alpha (m,) of least norm, the interval of b.

    The norm is sum_i alpha_i^2 / v_i with v_i the weight of a point. For k equal points with alpha_i / k each,
    it is the plain norm.
    """

    margins: Any
    alpha: Any
    interval: tuple[Number | None, Number | None]


def confirmed(problem: Meant, states: np.ndarray, sides: np.ndarray) -> Exact | None:
    """The optimum whose points are on these sides of the margin, alpha at 0, between, or at the bound by `states`."""
    K, y, u, one, zero = problem.K, problem.y, problem.u, problem.one, problem.zero
    if ((sides != 0) & (states != sides)).any() or (u is None and (states > 0).any()):
        return None
    a = np.array([u[i] if states[i] > 0 else one * 0 for i in range(len(y))], dtype=object)
    T, F = np.flatnonzero(sides == 0), np.flatnonzero((sides == 0) & (states == 0))
    spent = sum(y * a)
    b: Number | None = one * 0
    if len(F):
        load = K[F] @ (y * a)
        M, r = K[np.ix_(F, F)] * y[F], one * y[F] - load
        if problem.bias:
            M = np.vstack([np.column_stack([M, [one] * len(F)]), np.append(y[F], one * 0)])
            r = np.append(r, -spent)
        z = solution(M, r, zero)
        if z is None:
            return None
        b = z[len(F)] if problem.bias else b
        a[F] = _least(K, y, T, F, a, z[: len(F)], problem)
    elif problem.bias:
        if not zero(spent):
            return None
        b = None
    g = K @ (y * a)
    lo, hi = interval(g, y, u, zero) if problem.bias else (b, b)
    b = _middle(lo, hi, one) if b is None else b
    if (lo is not None and lo > b and not zero(lo - b)) or (hi is not None and hi < b and not zero(hi - b)):
        return None
    margins = y * (g + b)
    for i in range(len(y)):
        r = margins[i] - 1
        if (0 if zero(r) else -1 if r > 0 else 1) != sides[i]:
            return None
        inside = a[i] > 0 and (u is None or a[i] < u[i])
        if states[i] == 0 and not inside:
            return None
    if not _shortest(K, y, T, states, a, problem):
        return None
    return Exact(margins, a, (lo, hi))


def weights(problem: Meant) -> Any:
    """What each point counts, up to a common factor (m,): the bound of alpha is C times that; 1 for the hard margin."""
    if problem.u is None:
        return np.array([problem.one] * len(problem.y), dtype=object)
    return problem.u / max(problem.u)


def _least(K: Any, y: Any, T: np.ndarray, F: np.ndarray, a: Any, z: Any, problem: Meant) -> Any:
    """Of all alpha on F with the values of z, the one of least norm."""
    R = rows_in_common(K, y, T, problem)[0][:, [list(T).index(i) for i in F]]
    R, _ = reduced(R, problem.zero)
    V = R.T * weights(problem)[F, None]  # a = V l: the gradient 2 a_i / v_i of the norm is in the rows of R
    return V @ solution(R @ V, R @ z, problem.zero)


def rows_in_common(K: Any, y: Any, T: np.ndarray, problem: Meant) -> tuple[Any, list[int]]:
    """A basis of what every optimal alpha on T has in common."""
    M = K[np.ix_(T, T)] * y[T]
    return reduced(np.vstack([M, y[T]]) if problem.bias else M, problem.zero)


def _shortest(K: Any, y: Any, T: np.ndarray, states: np.ndarray, a: Any, problem: Meant) -> bool:
    """Whether a on T is of least norm: a = clip(v R'l, 0, u) for some l, v the weights."""
    own = states[T]
    if not len(T) or (own == 0).all():
        return True
    zero, one = problem.zero, problem.one
    R, _ = rows_in_common(K, y, T, problem)
    k, at = len(R), a[T]
    low, full, free = own < 0, own > 0, own == 0
    # l = l+ - l-: v_F R_F'l = a_F, -v_L R_L'l >= 0, v_U R_U'l >= u_U
    both = np.column_stack([R.T, -R.T]) * weights(problem)[T, None]
    nothing = np.array([[one * 0] * (2 * k)] * (2 * k), dtype=object)
    A = np.vstack([-both[low], both[full]])
    c = np.concatenate([at[low] * 0, at[full]])
    E, e = _independent(both[free], at[free], zero)
    return program(nothing, np.array([one * 0] * (2 * k), dtype=object), A, c, E, e, zero) is not None


def _independent(M: Any, r: Any, zero: Any) -> tuple[Any, Any]:
    """The same equations without those that follow from the others."""
    if not len(M):
        return M, r
    T, _ = reduced(np.column_stack([M, r]), zero)
    return T[:, :-1], T[:, -1]


def interval(g: Any, y: Any, u: Any, zero: Any) -> tuple[Number | None, Number | None]:
    """All optimal b beside these values, None where an end is infinite."""
    kinks = y - g
    if u is None:
        plus, minus = (
            [v for v, s in zip(kinks, y, strict=True) if s > 0],
            [v for v, s in zip(kinks, y, strict=True) if s < 0],
        )
        return max(plus, default=None), min(minus, default=None)
    order = sorted(range(len(y)), key=lambda i: kinks[i])
    slope, lo = -sum(u[i] for i in range(len(y)) if y[i] > 0), None
    if zero(slope):
        return None, kinks[order[0]]
    for i in order:
        if zero(slope):
            return lo, kinks[i]
        slope, lo = slope + u[i], kinks[i]
        if slope > 0 and not zero(slope):
            return lo, lo
    return lo, None


def _middle(lo: Number | None, hi: Number | None, one: Number) -> Number:
    if lo is None or hi is None:
        return lo if lo is not None else hi if hi is not None else one * 0
    return (lo + hi) / 2


def optimum(problem: Meant, margins: np.ndarray, free: np.ndarray) -> Exact | None:
    """The optimum by Lemke's method, or None where too many points are near the margin.

    margins (m,): in doubles, which points to ask first; all where these do not settle it. free (m,): which to ask at
    once.
    """
    K, y, u, one, zero = problem.K, problem.y, problem.u, problem.one, problem.zero
    nothing = one * 0
    for radius in (1e-6, 1e-3, 0.1, math.inf):
        near = np.flatnonzero((np.abs(margins - 1) <= radius) | free)
        if not 0 < len(near) <= NEAR:
            continue
        a = np.array([u[i] if u is not None and margins[i] < 1 else nothing for i in range(len(y))], dtype=object)
        a[near] = nothing
        Q = K[np.ix_(near, near)] * np.outer(y[near], y[near])
        q = y[near] * (K[near] @ (y * a)) - one
        eye = _eye(len(near), one)
        A, c = (-eye, -u[near]) if u is not None else (eye[:0], q[:0])
        E, e = eye[:0], q[:0]
        if problem.bias:
            E, e = y[near].reshape(1, -1), np.array([-sum(y * a)], dtype=object)
        found = program(Q, q, A, c, E, e, zero)
        if found is None:
            continue
        a[near] = found
        if (exact := _least_norm(problem, a)) is not None:
            return exact
    return None


def _least_norm(problem: Meant, a: Any) -> Exact | None:
    """The optimum of least norm beside an optimal a, None where a is not optimal."""
    K, y, u, one, zero = problem.K, problem.y, problem.u, problem.one, problem.zero
    g = K @ (y * a)
    free = [i for i in range(len(y)) if not zero(a[i]) and (u is None or not zero(u[i] - a[i]))]
    lo, hi = interval(g, y, u, zero) if problem.bias else (one * 0, one * 0)
    b = y[free[0]] - g[free[0]] if free and problem.bias else _middle(lo, hi, one)
    sides = np.array([0 if zero(v - 1) else -1 if v > 1 else 1 for v in y * (g + b)])
    states, T = sides.copy(), np.flatnonzero(sides == 0)
    if len(T) > TIED:
        return None
    if len(T):
        R, _ = rows_in_common(K, y, T, problem)
        eye = _eye(len(T), one)
        none = eye[0] * 0
        A, c = (-eye, -u[T]) if u is not None else (eye[:0], none[:0])
        least = program(eye / weights(problem)[T], none, A, c, R, R @ a[T], zero)
        if least is None:
            return None
        full = [u is not None and zero(u[i] - v) for i, v in zip(T, least, strict=True)]
        states[T] = np.where([zero(v) for v in least], -1, np.where(full, 1, 0))
    return confirmed(problem, states, sides)


def _eye(n: int, one: Number) -> Any:
    return np.array([[one if i == j else one * 0 for j in range(n)] for i in range(n)], dtype=object)
