"""Tiny boards against whole numbers: every state, digit and category that the solver says."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from svmlab import Category, Dataset, Linear, Polynomial, Problem, solve
from tests.oracle import ONE, optima, random_boards


def expected(yf: Fraction) -> set[Category]:
    if yf == 1:
        return {Category.MARGIN_IDLE, Category.MARGIN_FREE, Category.MARGIN_FULL}
    if yf > 1:
        return {Category.OUTSIDE}
    return {Category.ON_LINE if yf == 0 else Category.INSIDE if yf > 0 else Category.WRONG}


@pytest.mark.one_in(3)
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
        # Of all optima the nearest to 0 in the norm sum alpha_i^2 / v_i: no vertex lies on the near side of the plane
        # through alpha.
        counted = s.alpha / [1.0 if C is None else v[int(label < 0)] for label in y]
        assert ((V - s.alpha) @ counted >= -1e-9 * max(1.0, s.alpha @ counted)).all(), where
    assert seen >= (20 if C is None else 40)
    assert unique > 0
