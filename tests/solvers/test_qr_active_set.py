"""Exchanges with QR for a smooth kernel, against the optimum in fractions of whole numbers."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from svmlab import SolverFailed
from svmlab.core.arrays import EPS
from svmlab.solvers.active_set import minimise
from svmlab.solvers.low_rank_system import FactorGram
from svmlab.solvers.qr_active_set import qr_active_set

pytestmark = pytest.mark.blas


def graded(C: float, part: float = 0.2, m: int = 120):
    """P, p, y, u: features of which each is `part` as long as the one before, labels that overlap; and an `a` with y'a
    = 0 to begin with."""
    rng = np.random.default_rng(3)
    x = np.sort(rng.uniform(-1, 1, m))
    y = np.where(np.sin(7 * x) + rng.normal(size=m) * 0.7 > 0, 1.0, -1.0)
    P = np.polynomial.legendre.legvander(x, 5) * part ** np.arange(6) * y[:, None]
    a = np.zeros(m)
    a[[np.flatnonzero(y > 0)[3], np.flatnonzero(y < 0)[3]]] = C / 2
    return P / np.sqrt((P * P).sum(1).max()), np.ones(m), y, np.full(m, C), a


def solved(M: list[list[Fraction]], t: list[Fraction]) -> list[Fraction]:
    """M^-1 t by Gauss and Jordan, without rounding."""
    T = [[*row, v] for row, v in zip(M, t, strict=True)]
    for k in range(len(T)):
        i = next(i for i in range(k, len(T)) if T[i][k])
        T[k], T[i] = T[i], T[k]
        T[k] = [v / T[k][k] for v in T[k]]
        T = [row if i == k else [v - row[k] * p for v, p in zip(row, T[k], strict=True)] for i, row in enumerate(T)]
    return [row[-1] for row in T]


def optimum(P, y, u, bias, alpha) -> tuple[list[Fraction], list[Fraction]]:
    """The a of the partition of `alpha`, and Qa + y b, which prove that it is the optimum where they satisfy its
    conditions."""
    rows = [[Fraction(v) for v in row] for row in P.tolist()]
    s, C = [Fraction(v) for v in y.tolist()], Fraction(u[0])
    F = np.flatnonzero((alpha > 0) & (alpha < u)).tolist()
    a = [C if v >= C else Fraction(0) for v in alpha.tolist()]

    def times(a):
        w = [sum((v * row[k] for v, row in zip(a, rows, strict=True) if v), Fraction(0)) for k in range(P.shape[1])]
        return [sum((p * q for p, q in zip(row, w, strict=True)), Fraction(0)) for row in rows]

    load = times(a)
    M = [[sum((p * q for p, q in zip(rows[i], rows[j], strict=True)), Fraction(0)) for j in F] for i in F]
    t = [1 - load[i] for i in F]
    if bias:
        M = [*([*row, s[i]] for row, i in zip(M, F, strict=True)), [*(s[i] for i in F), Fraction(0)]]
        t.append(-sum((p * q for p, q in zip(s, a, strict=True)), Fraction(0)))
    z = solved(M, t)
    for i, v in zip(F, z, strict=False):
        a[i] = v
    b = z[-1] if bias else Fraction(0)
    return a, [f + v * b for f, v in zip(times(a), s, strict=True)]


def confirmed(P, y, u, bias, alpha) -> None:
    """The partition is the optimum's, and `alpha` its a, and P'alpha its w, but for rounding.

    The rows of P are no longer than 1, so a margin is a sum of multipliers: rounding alone may move it by `blur`.
    """
    a, f = optimum(P, y, u, bias, alpha)
    blur = EPS * alpha.sum()
    for value, margin, C in zip(a, f, u.tolist(), strict=True):
        assert 0 <= value <= C
        assert margin >= 1 - blur if value == 0 else margin <= 1 + blur if value == C else margin == 1
    apart = [Fraction(v) - w for v, w in zip(alpha.tolist(), a, strict=True)]
    assert max(map(abs, apart)) <= 1e-13 * alpha.max()
    w = [sum((d * Fraction(p) for d, p in zip(apart, column, strict=True)), Fraction(0)) for column in P.T.tolist()]
    assert max(map(abs, w)) <= blur


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize(("C", "part", "free"), [(1e4, 0.2, 4), (1e7, 0.2, 6), (1e10, 0.1, 6), (1e13, 0.02, 4)])
def test_the_optimum_is_right_to_the_last_digits(C, part, free, bias):
    P, p, y, u, a = graded(C, part)
    alpha = qr_active_set(P, p, y, u, bias, a)
    assert alpha is not None
    assert ((alpha > 0) & (alpha < u)).sum() == free
    confirmed(P, y, u, bias, alpha)


def test_it_ends_where_plain_exchanges_do_not():
    P, p, y, u, a = graded(1e10)
    with pytest.raises(SolverFailed, match="did not converge"):
        minimise(FactorGram(P), -p, y[None, :], u, a)
    assert qr_active_set(P, p, y, u, True, a) is not None


def inside(C: float, k: int):
    """As `graded`, with k variables of each class inside their bounds."""
    P, p, y, u, a = graded(C)
    rng = np.random.default_rng(k)
    a[:] = 0.0
    for side in (1, -1):
        a[rng.permutation(np.flatnonzero(y == side))[:k]] = 1.0
    a *= rng.uniform(0.3, 0.7, len(y)) * C
    a[y > 0] *= a[y < 0].sum() / a[y > 0].sum()
    return P, p, y, u, a


@pytest.mark.parametrize(
    ("C", "bias"), [(1e4, True), (1e4, False), (1e7, True), (1e7, False), (1e10, True), (1e10, False)]
)
def test_more_variables_inside_than_can_be_independent_go_to_their_bounds_first(C, bias, monkeypatch):
    P, p, y, u, a = inside(C, 10)
    alpha = qr_active_set(P, p, y, u, bias, a)
    assert alpha is not None
    confirmed(P, y, u, bias, alpha)
    monkeypatch.setattr("svmlab.solvers.qr_active_set.MANY_QR", 19)
    assert qr_active_set(P, p, y, u, bias, a) is None, "20 are too many now"


@pytest.mark.parametrize("bias", [True, False])
def test_where_no_variable_is_left_inside_there_is_no_answer_and_no_warning(bias):
    P, p, y, u, a = inside(1e10, 11)
    assert qr_active_set(P, p, y, u, bias, a) is None
    assert qr_active_set(P, p, y, u, bias, np.zeros(len(y))) is None
