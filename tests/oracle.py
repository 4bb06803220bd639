"""Tiny boards in whole numbers: every vertex of the set of optimal multipliers, by trying every partition."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm

import numpy as np

ZERO, ONE = Fraction(0), Fraction(1)
Rows = tuple[tuple[int, ...], ...]


@cache
def inverse(M: Rows) -> tuple[int, Rows] | None:
    """(d, A) with M A = d I and d > 0, by eliminating without fractions; None where M is singular."""
    n, d = len(M), 1
    T = [[*row, *(int(i == j) for j in range(n))] for i, row in enumerate(M)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if T[i][k]), None)
        if pivot is None:
            return None
        T[k], T[pivot] = T[pivot], T[k]
        for i in range(n):
            if i != k:
                T[i] = [(T[k][k] * a - T[i][k] * b) // d for a, b in zip(T[i], T[k], strict=True)]
        d = T[k][k]
    sign = 1 if d > 0 else -1
    return sign * d, tuple(tuple(sign * a for a in row[n:]) for row in T)


def optima(
    X, y, C: Fraction | None, bias: bool, degree: int, costs: tuple[Fraction, Fraction] = (ONE, ONE), weights=None
):
    """(f - b on the points, (lo, hi) of b, vertices of the optimal set of alpha); C None for the hard margin.

    Linear kernel in the plane for degree 1, (x.z + 1)^degree for more: whole numbers on points that are.
    """
    v = weights if weights is not None else [costs[int(label < 0)] for label in y]
    tops = [] if C is None else [C * Fraction(weight) for weight in v]
    one = lcm(*(top.denominator for top in tops))  # the unit in which every bound is whole
    top = [int(one * t) for t in tops]
    y = [int(label) for label in y]
    m, rank = len(y), 2 if degree == 1 else 6
    Q = [[y[i] * y[j] * int(X[i] @ X[j] + (degree > 1)) ** degree for j in range(m)] for i in range(m)]
    vertices, f, b = set(), None, None
    for states in product("LF" if C is None else "LFU", repeat=m):
        F = [i for i in range(m) if states[i] == "F"]
        U = [i for i in range(m) if states[i] == "U"]
        if len(F) > rank + bias:
            continue  # the free columns of a vertex are independent
        M = [[Q[i][j] for j in F] + [y[i]] * bias for i in F]
        r = [one - sum(Q[i][j] * top[j] for j in U) for i in F]
        if bias and F:
            M.append([y[j] for j in F] + [0])
            r.append(-sum(y[j] * top[j] for j in U))
        if (solved := inverse(tuple(map(tuple, M)))) is None:
            continue
        d, A = solved  # from here on everything is whole in the unit 1 / (d one)
        z = [sum(a * c for a, c in zip(row, r, strict=True)) for row in A[: len(F)]]
        if any(a <= 0 or (top and a >= d * top[j]) for j, a in zip(F, z, strict=True)):
            continue
        alpha = [d * top[j] if states[j] == "U" else 0 for j in range(m)]
        for j, a in zip(F, z, strict=True):
            alpha[j] = a
        if bias and sum(y[i] * alpha[i] for i in range(m)):
            continue
        g = [y[i] * sum(Q[i][j] * alpha[j] for j in range(m)) for i in range(m)]
        kinks = [y[i] * d * one - g[i] for i in range(m)]
        if bias:
            lows = [k for k, s, label in zip(kinks, states, y, strict=True) if s == "F" or (s == "L") == (label > 0)]
            highs = [k for k, s, label in zip(kinks, states, y, strict=True) if s == "F" or (s == "L") != (label > 0)]
        else:
            past = [y[i] * kinks[i] for i in range(m)]  # 1 - yf
            if any((s != "U" and p > 0) or (s != "L" and p < 0) for s, p in zip(states, past, strict=True)):
                continue
            lows = highs = [0]
        lo, hi = max(lows, default=None), min(highs, default=None)
        if lo is not None and hi is not None and lo > hi:
            continue
        vertices.add(tuple(Fraction(a, d * one) for a in alpha))
        f = [Fraction(value, d * one) for value in g]
        b = tuple(None if end is None else Fraction(end, d * one) for end in (lo, hi))
    return f, b, sorted(vertices)


def random_boards(seed: int, count: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Three to five points of a lattice, both classes."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        m = int(rng.integers(3, 6))
        yield rng.integers(-2, 3, (m, 2)), np.r_[1, -1, rng.choice([-1, 1], m - 2)]
