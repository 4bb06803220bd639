"""Tiny boards against rational arithmetic: every vertex of the set of optimal multipliers, by trying every partition."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from svmlab import Category, Dataset, Linear, Polynomial, Problem, solve

ZERO, ONE = Fraction(0), Fraction(1)


def solve_system(M: list[list[Fraction]], r: list[Fraction]) -> list[Fraction] | None:
    """The solution of a square system, None where it is singular."""
    n = len(r)
    T = [[*row, v] for row, v in zip(M, r, strict=True)]
    for k in range(n):
        pivot = next((i for i in range(k, n) if T[i][k]), None)
        if pivot is None:
            return None
        T[k], T[pivot] = T[pivot], T[k]
        T[k] = [v / T[k][k] for v in T[k]]
        for i in range(n):
            if i != k and T[i][k]:
                T[i] = [a - T[i][k] * b for a, b in zip(T[i], T[k], strict=True)]
    return [row[-1] for row in T]


def optima(
    X, y, C: Fraction | None, bias: bool, degree: int, costs: tuple[Fraction, Fraction] = (ONE, ONE), weights=None
):
    """(f - b on the points, (lo, hi) of b, vertices of the optimal set of alpha); C None for the hard margin.

    Linear kernel in the plane for degree 1, (x.z + 1)^degree for more: whole numbers on points that are.
    """
    top = None if C is None else [C * costs[int(label < 0)] for label in y]
    if weights is not None:
        top = [C * weight for weight in weights]
    m, rank = len(y), 2 if degree == 1 else 6
    K = [[int(X[i] @ X[j] + (degree > 1)) ** degree for j in range(m)] for i in range(m)]
    Q = [[Fraction(int(y[i] * y[j]) * K[i][j]) for j in range(m)] for i in range(m)]
    found, f, b = set(), None, None
    for states in product("LF" if C is None else "LFU", repeat=m):
        F = [i for i in range(m) if states[i] == "F"]
        U = [i for i in range(m) if states[i] == "U"]
        if len(F) > rank + bias:
            continue  # the free columns of a vertex are independent
        M = [[Q[i][j] for j in F] + [Fraction(int(y[i]))] * bias for i in F]
        r = [ONE - sum((Q[i][j] * top[j] for j in U), ZERO) for i in F]
        if bias and F:
            M.append([Fraction(int(y[j])) for j in F] + [ZERO])
            r.append(-sum((int(y[j]) * top[j] for j in U), ZERO))
        z = solve_system(M, r) if F else []
        if z is None or any(a <= 0 or (top and a >= top[j]) for j, a in zip(F, z[: len(F)], strict=True)):
            continue
        alpha = [ZERO] * m
        for j, a in zip(F, z, strict=False):
            alpha[j] = a
        for j in U:
            alpha[j] = top[j]
        if bias and sum(int(y[i]) * alpha[i] for i in range(m)):
            continue
        g = [int(y[i]) * sum(Q[i][j] * alpha[j] for j in range(m)) for i in range(m)]
        lo, hi = (None, None) if bias else (ZERO, ZERO)
        for i in range(m):
            kink, s = int(y[i]) - g[i], states[i]
            if not bias:
                margin = int(y[i]) * g[i]
                if (s != "U" and margin < 1) or (s != "L" and margin > 1):
                    lo, hi = ONE, ZERO
            else:
                if s == "F" or (s == "L") == (y[i] > 0):
                    lo = kink if lo is None else max(lo, kink)
                if s == "F" or (s == "L") != (y[i] > 0):
                    hi = kink if hi is None else min(hi, kink)
        if lo is not None and hi is not None and lo > hi:
            continue
        found.add(tuple(alpha))
        f, b = g, (lo, hi)
    return f, b, sorted(found)


def random_boards(seed: int, count: int):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        m = int(rng.integers(3, 6))
        yield rng.integers(-2, 3, (m, 2)), np.r_[1, -1, rng.choice([-1, 1], m - 2)]


def expected(yf: Fraction) -> set[Category]:
    if yf == 1:
        return {Category.MARGIN_IDLE, Category.MARGIN_FREE, Category.MARGIN_FULL}
    if yf > 1:
        return {Category.OUTSIDE}
    return {Category.ON_LINE if yf == 0 else Category.INSIDE if yf > 0 else Category.WRONG}


@pytest.mark.parametrize("C", [Fraction(1, 1 << 40), Fraction(1, 16), Fraction(1, 4), ONE, Fraction(8), None])
@pytest.mark.parametrize("bias", [True, False], ids=["bias", "nobias"])
@pytest.mark.parametrize("degree", [1, 2])
@pytest.mark.parametrize("costs", [(ONE, ONE), (Fraction(3), ONE)], ids=["1-1", "3-1"])
def test_no_category_state_or_digit_is_wrong(C, bias, degree, costs):
    seen = unique = 0
    for X, y in random_boards(3, 40 if C else 60):
        g, b, vertices = optima(X, y, C, bias, degree, costs)
        if not vertices:
            assert C is None
            continue
        seen += 1
        kernel = Linear() if degree == 1 else Polynomial(degree)
        v = tuple(map(float, costs))
        s = solve(Problem(Dataset(X, y), kernel, float("inf") if C is None else float(C), bias, v))
        where = (X.tolist(), y.tolist())
        assert s.decision(np.array(X, float)) - s.b == pytest.approx([float(v) for v in g], abs=2e-12), where
        assert s.b_interval == pytest.approx([float(v) for v in b], abs=2e-12), where
        middle = sum(b) / 2
        margins = [int(y[i]) * (g[i] + middle) for i in range(len(y))]
        assert all(c in expected(yf) for c, yf in zip(s.categories, margins, strict=True)), where
        V = np.array(vertices, float)
        assert s.alpha_unique == (len(V) == 1), where
        if len(V) == 1:
            unique += 1
            tops = [None if C is None else C * costs[int(label < 0)] for label in y]
            states = [-1 if a == 0 else 1 if a == top else 0 for a, top in zip(vertices[0], tops, strict=True)]
            assert s.states.tolist() == states, where
            assert s.alpha == pytest.approx(V[0], abs=1e-11 * max(V[0].max(), 1e-300)), where
        # Of all optima the nearest to 0: no vertex lies on the near side of the plane through alpha.
        assert ((V - s.alpha) @ s.alpha >= -1e-9 * max(1.0, s.alpha @ s.alpha)).all(), where
    assert seen >= (20 if C is None else 40)
    assert unique > 0
