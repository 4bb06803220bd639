"""The kernel as a similarity, and what refutes a kernel."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal, localcontext
from itertools import combinations

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Problem, Sigmoid, make_dataset, solve
from svmlab.lab.lessons.kernels import LESSON
from svmlab.lab.lessons.kernels.psd import PSD
from svmlab.lab.lessons.kernels.refuting import BOARDS, HALF, first, share, spectrum, tanh, turned
from svmlab.lab.lessons.kernels.similarity import terms_at
from svmlab.statements import CATALOGUE, Situation, opinion
from svmlab.statements.positive_semidefinite import sigmoid_counterexample
from tests.lessons import stage_of

WITNESS = np.array([[0.5, 0.0], [2.0, 0.0]])
LOWER = -1e-9


def drawn(n):
    """The random boards that the step counts."""
    return np.random.Generator(np.random.Philox(0)).uniform(-HALF, HALF, (BOARDS, n, 2))


# what may call itself a kernel


def test_two_points_refute_tanh_of_the_inner_product():
    tanh_spectrum = spectrum(tanh(1.0, 0.0)(WITNESS))
    assert tanh_spectrum.smallest_eigenvalue == pytest.approx(-0.2277639591, abs=1e-9)
    assert tanh_spectrum.form == pytest.approx(tanh_spectrum.smallest_eigenvalue, abs=1e-14)
    k_xx, k_xz, k_zz = math.tanh(0.25), math.tanh(1.0), math.tanh(4.0)
    assert k_xx * k_zz < k_xz**2
    assert tanh_spectrum.smallest_eigenvalue == pytest.approx(
        0.5 * (k_xx + k_zz) - math.hypot(0.5 * (k_zz - k_xx), k_xz), abs=1e-14
    )


def test_one_point_at_the_origin_refutes_a_negative_offset():
    tanh_spectrum = spectrum(tanh(1.0, -1.0)(np.zeros((1, 2))))
    assert (tanh_spectrum.smallest_eigenvalue, tanh_spectrum.form) == pytest.approx((math.tanh(-1.0),) * 2)
    assert tanh_spectrum.smallest_eigenvalue == pytest.approx(-0.7615941560, abs=1e-9)


@pytest.mark.parametrize(("c1", "c2"), [(1.0, 0.0), (0.5, -1.0), (0.1, 1.0), (2.0, -2.0)])
def test_the_function_of_the_step_is_the_sigmoid_of_the_lab(c1, c2):
    X = drawn(5)[0]
    np.testing.assert_allclose(tanh(c1, c2)(X), Sigmoid(c1, c2)(X, X), atol=1e-15)


@pytest.mark.parametrize(("n", "wanted"), [(2, 0.09), (3, 0.78), (4, 1.0)])
def test_the_share_of_random_boards_that_refute_offset_1_and_scale_a_tenth(n, wanted):
    assert share(0.1, 1.0, n) == pytest.approx(wanted, abs=0.021)  # 200 boards; others were drawn


@pytest.mark.parametrize("offset", [0.0, -1.0, -0.5])
def test_three_points_refute_an_offset_of_0_or_below_on_every_random_board(offset):
    assert share(1.0, offset, 3) >= 0.99  # what tanh rounds to 1 hides some
    with localcontext() as context:
        context.prec = 80
        assert all(_refuted(X, Decimal(offset)) for X in drawn(3))


def _refuted(X, offset):
    """By a principal minor below 0, with 80 digits."""
    K = [[_tanh(sum(Decimal(a) * Decimal(b) for a, b in zip(x, z, strict=True)) + offset) for z in X] for x in X]
    pairs = [K[i][i] * K[j][j] - K[i][j] ** 2 for i, j in combinations(range(3), 2)]
    (a, b, c), (_b, d, e), (_c, _e, f) = K
    whole = a * (d * f - e * e) - b * (b * f - e * c) + c * (b * e - d * c)
    return min(a, d, f, whole, *pairs) < 0


def _tanh(t):
    return 1 - 2 / ((2 * t).exp() + 1)


def test_a_gaussian_is_refuted_by_no_board_and_counting_them_proves_nothing():
    for n in (2, 3, 8):
        assert not any(spectrum(Gaussian(1.0)(X, X)).refutes for X in drawn(n))
    assert not any(spectrum(tanh(0.1, 1.0)(X)).refutes for X in drawn(1))  # which is no kernel either


def test_the_test_of_semidefiniteness_alone_lets_one_pass_that_is_not_symmetric():
    K = turned(np.eye(2))
    assert K.tolist() == [[1.0, 1.0], [-1.0, 1.0]]
    turned_spectrum = spectrum(K)
    assert turned_spectrum.smallest_eigenvalue == pytest.approx(1.0)
    assert turned_spectrum.uneven == 2.0
    assert turned_spectrum.refutes
    for X in drawn(5):
        v = np.arange(1.0, 6.0)
        assert v @ turned(X) @ v == pytest.approx(float(((v @ X) ** 2).sum()))


def test_a_single_point_with_a_negative_value_of_its_own_refutes_a_kernel():
    X = np.array([[1.0, 0.0], [0.0, 2.0]])
    assert first(lambda X: -X @ X.T, X) == 1
    assert first(lambda X: 1.0 - X @ X.T, X) == 2, "k(x, x) = 0 at the first point, and -3 at the second"
    assert first(lambda X: X @ X.T, X) is None


@pytest.mark.parametrize("c1", [0.1, 1.0, 3.0, -0.5])
@pytest.mark.parametrize("c2", [-1.0, 0.0, 0.3, 1.0, 2.0])
def test_a_few_points_refute_every_choice_of_the_constants(c1, c2):
    points, v, own = sigmoid_counterexample(c1, c2, np.array([0.6, -0.8]))
    K = Sigmoid(c1, c2)(points, points)
    assert len(points) <= 3
    assert v @ K @ v == pytest.approx(own, abs=1e-14)
    assert own < -1e-4
    assert np.linalg.eigvalsh(K)[0] <= own / (v @ v) + 1e-15


def test_the_board_of_the_step_breaks_at_its_third_point_and_at_once_with_a_negative_offset():
    stage = stage_of(LESSON, PSD.board())
    X = stage.data.X
    assert [first(tanh(1.0, c2), X) for c2 in (0.0, -1.0)] == [3, 1]
    assert [first(tanh(0.1, 1.0), X), first(lambda P: Gaussian(1.0)(P, P), X), first(turned, X)] == [3, None, 4]
    assert "−1.109" in PSD.verdict_text(stage)
    readings = [r.text for r in PSD.numbers(replace(stage, dials={"unseen": 5.0}))]
    assert readings == ["−0.2278", "100%"]


def test_one_point_stays_however_many_are_left_out():
    stage = stage_of(LESSON, PSD.board())
    for unseen, left in ((-1.0, 0), (0.0, 0), (7.0, 7), (400.0, 7)):
        assert PSD.draw(replace(stage, dials={"unseen": unseen}))["sliders"][0]["value"] == left


def test_bars_stand_on_the_points_where_a_mixture_refutes_and_nowhere_else():
    stage = stage_of(LESSON, PSD.board())
    bars = PSD.draw(replace(stage, dials={"unseen": 5.0}))["overlay"]
    assert [bar["pts"][:2] for bar in bars] == [[0.5, 0.0], [2.0, 0.0]]  # the origin has no part in it
    assert PSD.draw(replace(stage, picks={"matrix": "bell"}))["overlay"] == []
    assert "overlay" not in PSD.draw(replace(stage, shown=False))


def test_the_statement_names_both_witnesses():
    printed = CATALOGUE["K12"].check(Situation(Problem(_labelled(WITNESS)))).printed
    assert printed.sides[0].value == pytest.approx(-0.2277639591)
    origin = CATALOGUE["K12"].check(Situation(Problem(_labelled(np.zeros((1, 2)))))).printed
    assert min(side.value for side in origin.sides) == pytest.approx(math.tanh(-1.0))


def _labelled(X):
    return Dataset(X, [1.0, -1.0][: len(X)])


# the kernel as a similarity


@pytest.mark.parametrize("sigma", [0.1, 1.0, 5.0])
def test_the_bars_and_b_add_up_to_f_of_a_second_solver(sigma):
    problem = Problem(make_dataset("moons"), Gaussian(sigma), 10.0)
    second, solution = opinion.dual(problem), solve(problem)
    for u in ((0.6, 0.9), (-2.0, 1.0), (1.5, -1.0)):
        terms = terms_at(solution, np.array(u))
        k = np.exp(-((problem.data.X - np.array(u)) ** 2).sum(1) / (2 * sigma**2))
        other = float(sum(second.alpha * problem.data.y * k)) + second.b
        assert float(terms.terms.sum()) + solution.b == pytest.approx(other, abs=1e-5)
        assert (np.diff(terms.distances) >= 0).all()
        assert (np.diff(terms.k) <= 1e-15).all()


def test_with_the_linear_kernel_a_point_further_out_is_likelier_than_the_point_itself():
    verdict = CATALOGUE["K14"].check(Situation(CATALOGUE["K14"].witness.problem))
    assert verdict.holds
    assert not verdict.control.holds
    close = CATALOGUE["K14"].check(Situation(Problem(make_dataset("moons", 16), Gaussian(0.7), 10.0)))
    assert close.holds
    assert close.control.holds  # of a Gaussian it is true


def test_a_narrow_gaussian_classifies_near_a_point_as_that_point():
    problem = Problem(make_dataset("moons", noise=0.0), Gaussian(0.05), 10.0)
    X, y = problem.data.X, problem.data.y
    np.testing.assert_array_equal(np.sign(solve(problem).decision(X + 0.01)), y)
