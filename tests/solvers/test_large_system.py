"""The optimality system of many free variables: both ways, every form of the rows, and against LAPACK."""

from __future__ import annotations

import numpy as np
import pytest

from svmlab import Gaussian, Polynomial
from svmlab.solvers import large_system
from svmlab.solvers.gram.build import MAX_DENSE, build_gram
from svmlab.solvers.gram.dense import Gram
from svmlab.solvers.gram.rows import CachedRowsGram
from svmlab.solvers.large_system import CONJUGATE_TOLERANCE, WIDE_SYSTEM, LargeFreeSystem, solve_large_system

NARROW, WIDER = Gaussian(0.08), Gaussian(0.4)


def places(m: int, d: int = 4):
    """Points and labels."""
    rng = np.random.default_rng(m)
    return rng.normal(size=(m, d)), rng.choice([-1.0, 1.0], m)


def asked(Q: Gram, y, n: int, bias: bool):
    """F, the roots of weights other than 1, a right-hand side, and the matrix of the whole system."""
    rng = np.random.default_rng(n)
    F = np.sort(rng.permutation(len(y))[:n])
    root = np.sqrt(rng.integers(1, 4, n))
    S = root[:, None] * Q.block(F, F) * root
    if bias:
        v = (root * y[F])[:, None]
        S = np.block([[S, v], [v.T, np.zeros((1, 1))]])
    return F, root, rng.normal(size=n + bias), S


def dominant(monkeypatch) -> list[bool]:
    """What is said of matrices from now on."""
    said, judge = list[bool](), large_system._dominant
    monkeypatch.setattr(large_system, "_dominant", lambda *args: said.append(judge(*args)) or said[-1])
    return said


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("part", [0.4, 0.9])
@pytest.mark.parametrize(("kernel", "steps"), [(NARROW, True), (WIDER, False), (Polynomial(3, 1.0), False)])
def test_the_system_is_solved_to_the_last_digits(kernel, steps, part, bias, monkeypatch):
    """Few of the columns of the rows that are kept, or most of them; a kernel whose entries keep their bits, and one of
    products."""
    Z, y = places(MAX_DENSE + 100, 20 if isinstance(kernel, Polynomial) else 4)
    Q, _ = build_gram(kernel, Z, y)
    assert isinstance(Q, CachedRowsGram)
    assert Q.is_reproducible == (isinstance(kernel, Gaussian))
    F, root, t, S = asked(Q, y, int(part * len(y)), bias)
    said = dominant(monkeypatch)
    solution = solve_large_system(Q, F, y[F], root, t)
    assert said == [steps]
    assert solution is not None
    exact = np.linalg.solve(S, t)
    exact += np.linalg.solve(S, t - S @ exact)
    assert np.abs(solution - exact).max() < 1e-13 * np.abs(exact).max()


@pytest.mark.parametrize("part", [0.4, 0.9])
def test_conjugate_gradients_and_a_factor_agree(part, monkeypatch):
    """As far as either goes by itself, and after the refinement to the last digits."""
    Z, y = places(MAX_DENSE + 100)
    Q, _ = build_gram(NARROW, Z, y)
    F, root, t, S = asked(Q, y, int(part * len(y)), True)
    Q.load_rows(F)
    A = LargeFreeSystem(Q.kept, Q.slot[F], F, root)
    B, solution = t[:-1, None] * [1.0, -2.0], solve_large_system(Q, F, y[F], root, t)
    assert A.times(t[:-1]) == pytest.approx(S[:-1, :-1] @ t[:-1], abs=1e-13)
    step = A.inverse(B)
    monkeypatch.setattr(large_system, "WIDE_SYSTEM", len(y))
    factor, other = A.inverse(B), solve_large_system(Q, F, y[F], root, t)
    assert 0 < np.abs(step - factor).max() < 10 * CONJUGATE_TOLERANCE * np.abs(B).max(), "two ways"
    assert np.abs(S[:-1, :-1] @ factor - B).max() < 1e-13
    assert np.abs(solution - other).max() < 1e-14 * np.abs(other).max()


def test_its_bits_depend_on_the_points_alone():
    """Not on the rows that were kept before, nor on their order."""
    Z, y = places(MAX_DENSE + 100)
    for kernel in (NARROW, WIDER):
        early, late = (build_gram(kernel, Z, y)[0] for _ in range(2))
        F, root, t, _ = asked(build_gram(kernel, Z, y)[0], y, WIDE_SYSTEM + 50, True)
        late.load_rows(np.arange(len(y))[::-3])
        assert (solve_large_system(early, F, y[F], root, t) == solve_large_system(late, F, y[F], root, t)).all()


@pytest.mark.parametrize("n", [60, WIDE_SYSTEM + 50])
@pytest.mark.parametrize("kernel", [NARROW, WIDER, Polynomial(3, 1.0)])
def test_a_singular_system_has_no_solution(kernel, n):
    """Two variables of the same point."""
    Z, y = places(MAX_DENSE + 100, 20 if isinstance(kernel, Polynomial) else 4)
    Q, _ = build_gram(kernel, Z, y)
    F, root, t, _ = asked(Q, y, n, True)
    assert solve_large_system(Q, F, y[F], root, t) is not None
    F[-1], root[-1] = F[0], root[0]
    assert solve_large_system(Q, F, y[F], root, t) is None
