"""What the steps on any labelling and on the span of the points say in numbers, and the mathematics under them."""

from __future__ import annotations

import math
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal, localcontext

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, separate, solve
from svmlab.core.errors import SolverFailed
from svmlab.kernels.features import orthogonal_directions, orthogonal_part, prove_definite, span_basis
from svmlab.lab.lessons.kernels import LESSON, adding, anything, widths
from svmlab.lab.lessons.kernels.anything import SPIRALS, contradictory, shuffled
from svmlab.lab.lessons.kernels.representer import COLLINEAR, ONE, REPRESENTER, THREE
from svmlab.plane.contours import level_lines
from svmlab.statements import CATALOGUE, Situation, gaussian_separability
from svmlab.statements import representer as statements
from svmlab.statements.representer import least_in_span
from tests.lessons import stage_of

pytestmark = pytest.mark.blas

WIDE = {0.2: (51, 0.162), 0.5: (39, 0.195), 1.0: (27, 0.117), 2.0: (21, 0.0143)}
SEEN = make_dataset("spirals", 60, 0.0, seed=0)


def few(n: int = 12) -> np.ndarray:
    return np.random.Generator(np.random.Philox(n)).normal(0.0, 1.0, (n, 2))


# ---------------------------------------------------------------- it separates anything


@pytest.mark.parametrize(("sigma", "expected"), WIDE.items())
def test_support_vectors_and_margin_along_the_width(sigma, expected):
    machine = solve(Problem(SEEN, Gaussian(sigma), math.inf))
    assert int(machine.support.sum()) == expected[0]
    assert machine.geometric_margin == pytest.approx(expected[1], rel=4e-3)
    assert machine.proven
    assert np.array_equal(SPIRALS().data.X, SEEN.X)


def test_at_a_width_of_ten_doubles_give_up_and_decimals_do_not():
    K = Gaussian(10.0)(SEEN.X, SEEN.X)
    values = np.linalg.eigvalsh(K)
    assert values[-1] > 1e16 * abs(values[0]) or values[0] < 0  # nothing of the least eigenvalue is left
    with pytest.raises(SolverFailed, match="too narrow for double precision"):
        solve(Problem(SEEN, Gaussian(10.0), math.inf))
    separation = separate(SEEN, Gaussian(10.0))
    assert separation.separable
    assert separation.exact
    proof = prove_definite(SEEN.X, 10.0)
    assert proof.least_eigenvalue == pytest.approx(4.63e-28, rel=1e-2)
    assert proof.digits == 40
    assert math.ceil(widths.needed(proof)) == 30


def test_the_exact_method_still_sees_the_margin_where_the_least_eigenvalue_is_lost():
    known, lost = (np.linalg.eigvalsh(Gaussian(sigma)(SEEN.X, SEEN.X)) for sigma in (1.0, 2.5))
    blur = 60 * np.finfo(float).eps  # m eps times the largest eigenvalue: what rounding may do to each of the others
    assert known[0] > blur * known[-1]
    assert abs(lost[0]) <= blur * lost[-1]
    assert 0 < prove_definite(SEEN.X, 2.5).least_eigenvalue < 1e-2 * blur * lost[-1]
    machine = solve(Problem(SEEN, Gaussian(6.0), math.inf))
    assert machine.proven
    assert machine.geometric_margin == pytest.approx(8.202e-5, rel=1e-3)


@pytest.mark.parametrize(("sigma", "margin"), [(7.0, 3.827e-5), (8.0, 1.974e-5)])
def test_at_the_edge_of_doubles_the_margin_is_right_or_refused(sigma, margin):
    with suppress(SolverFailed):
        machine = solve(Problem(SEEN, Gaussian(sigma), math.inf))
        assert machine.proven
        assert machine.geometric_margin == pytest.approx(margin, rel=1e-3)


def test_labels_dealt_at_random_are_separated_too():
    lab = shuffled()
    assert sorted(lab.data.y) == sorted(SEEN.y)
    assert (lab.data.y != SEEN.y).sum() == 30
    machine = solve(lab.problem)
    assert machine.margins.min() == pytest.approx(1.0)
    assert 1e-4 < machine.geometric_margin < 1e-3


def test_one_place_with_both_labels_is_separated_by_no_width():
    lab = contradictory()
    assert lab.data.m == 61
    assert np.flatnonzero(widths.torn(lab.data)).tolist() == [0, 60]
    assert not widths.torn(SEEN).any()
    assert widths.without(SEEN) is SEEN
    assert widths.without(lab.data).ids.tolist() == list(range(2, 61))
    for sigma in (0.05, 1.0, 20.0):
        separation = separate(lab.data, Gaussian(sigma))
        assert not separation.separable
        assert separation.witness.tolist() == [0, 60]


def test_along_the_widths_margin_and_digits_go_apart():
    data = Dataset(few(), np.where(few()[:, 0] > 0, 1.0, -1.0))
    progress: list[float] = []
    by_width = widths.along(data, True, progress.append)
    assert progress == sorted(progress)
    assert len(progress) == len(widths.WIDTHS)
    assert np.all(np.diff(by_width.digits) > 0)
    seen = np.isfinite(by_width.margin)
    assert seen[:8].all()
    assert (by_width.vectors > 0).tolist() == seen.tolist()


@pytest.mark.parametrize("sigma", [0.3, 1.0, 3.0])
def test_in_decimals_the_least_eigenvalue_is_the_one_of_doubles_where_these_know_it(sigma):
    X = few()
    proof = prove_definite(X, sigma)
    smallest_eigenvalue = float(np.linalg.eigvalsh(Gaussian(sigma)(X, X))[0])
    assert proof.least_eigenvalue == pytest.approx(smallest_eigenvalue, abs=1e-14, rel=1e-8)
    assert 1.0 / proof.trace <= proof.least_eigenvalue <= len(X) / proof.trace


def test_every_labelling_has_the_margin_that_the_least_eigenvalue_promises():
    X = few(5)
    proof = prove_definite(X, 1.0)
    for code in range(32):
        y = np.where(code >> np.arange(5) & 1, 1.0, -1.0)
        width = solve(Problem(Dataset(X, y), Gaussian(1.0), math.inf, bias=False)).geometric_margin
        assert width >= 1.0 / proof.norm(y) - 1e-12
        assert 1.0 / proof.norm(y) >= proof.margin - 1e-12


def test_for_two_points_of_two_classes_that_margin_is_tight():
    proof = prove_definite(np.array([[0.0, 0.0], [1.0, 0.0]]), 1.0)
    machine = solve(Problem(Dataset([[0.0, 0.0], [1.0, 0.0]], [1, -1]), Gaussian(1.0), math.inf))
    assert proof.margin == pytest.approx(math.sqrt((1 - math.exp(-0.5)) / 2), rel=1e-14)
    assert machine.geometric_margin == pytest.approx(proof.margin, rel=1e-12)


def test_the_prediction_without_a_point_is_that_of_the_svm_trained_without_it():
    X, y = few(6), np.array([1.0, -1.0, 1.0, 1.0, -1.0, -1.0])
    predictions = prove_definite(X, 0.8).leave_one_out_values(y)
    for i in range(6):
        rest = np.arange(6) != i
        c = np.linalg.solve(Gaussian(0.8)(X[rest], X[rest]), y[rest])
        assert predictions[i] == pytest.approx(float(c @ Gaussian(0.8)(X[rest], X[i : i + 1])[:, 0]), abs=1e-9)


def test_equal_points_have_no_such_proof_and_wide_ones_need_more_digits():
    with pytest.raises(BadInput, match="distinct"):
        prove_definite(np.zeros((2, 2)), 1.0)
    with pytest.raises(BadInput, match="at least one"):
        prove_definite(np.zeros((0, 2)), 1.0)
    close = np.stack([np.arange(8) / 1000, np.zeros(8)], 1)
    proof = prove_definite(close, 20.0)
    assert proof.digits == 80
    # the determinant of the Gram matrix of monomials bounds it: here only that it is where scaling says, (d/s)^(2 (m -
    # 1))
    assert (1e-3 / 20) ** 14 * 1e-6 < proof.least_eigenvalue < (1e-3 / 20) ** 14 * 1e6
    assert prove_definite(np.zeros((1, 2)), 1.0).least_eigenvalue == 1.0


def test_points_that_not_even_hundreds_of_digits_tell_apart_are_refused():
    with pytest.raises(SolverFailed, match="Move them apart"):
        prove_definite(np.stack([np.arange(24) * 1e-12, np.zeros(24)], 1), 20.0)


def test_decimals_work_in_a_context_of_their_own():
    with localcontext() as before:
        before.prec = 5
        prove_definite(few(3), 1.0)
        assert Decimal(1) / 3 == Decimal("0.33333")


# ---------------------------------------------------------------- w stays in the span


def test_u_is_orthogonal_to_every_point_and_as_many_as_there_are():
    for board, room in ((THREE, 2), (COLLINEAR, 1), (ONE, 1)):
        lab = board()
        Z = lab.kernel_function.feature_map(lab.data.X)
        u = orthogonal_directions(Z, 2)
        assert u.shape == (room, Z.shape[1])
        np.testing.assert_allclose(Z @ u.T, 0.0, atol=1e-14)
        np.testing.assert_allclose(u @ u.T, np.eye(room), atol=1e-14)
    Z = Polynomial(2).feature_map(few(6))
    assert orthogonal_directions(Z, 9).shape == (0, 6)
    assert orthogonal_directions(Z[:1], 9).shape == (5, 6)
    assert span_basis(np.zeros((2, 3))).shape == (0, 3)
    np.testing.assert_allclose(orthogonal_part(np.eye(2), np.array([[1.0, 0.0]])), [[0, 0], [0, 1]])


@pytest.mark.parametrize("name", adding.REGULARISERS)
@pytest.mark.parametrize("board", [THREE, COLLINEAR, ONE], ids=["three", "collinear", "one"])
def test_an_orthogonal_component_changes_no_loss_and_adds_its_penalty(board, name):
    machine = solve(board().problem)
    F = adding.objective(name, machine)
    length = float(np.linalg.norm(F.w))
    np.testing.assert_allclose(F.a @ machine.problem.gram @ F.a, length**2, rtol=1e-12)
    for degrees in (0.0, 40.0, 180.0):
        u = adding.direction(F.Z, degrees, length)
        assert float(np.linalg.norm(u)) == pytest.approx(length)
        t = np.array([-2.0, -0.3, 0.0, 1.5])
        values = [F.value(F.w + s * u) for s in t]
        np.testing.assert_allclose(values, F.predicted(t), rtol=1e-12, atol=1e-14)
        for s in t:
            np.testing.assert_allclose(F.terms(F.w + s * u)[0], F.terms(F.w)[0], atol=1e-13)


def test_f_of_the_svm_is_the_minimum_in_the_span_and_that_of_the_solver():
    machine = solve(THREE().problem)
    F = adding.objective("square", machine)
    assert F.least_in_span == pytest.approx(F.value(F.w), rel=1e-14)
    assert F.least_in_span == pytest.approx(machine.objective * machine.problem.lam, rel=1e-12)
    assert (F.terms(F.w)[0] > 0).sum() >= 2  # some bars are visible


def test_with_a_constant_penalty_the_minimum_in_the_span_is_that_of_the_whole_space():
    for board in (THREE, ONE):
        F = adding.objective("level", solve(board().problem))
        assert F.terms(F.w)[0].sum() == pytest.approx(0.0, abs=1e-20)  # few points: nothing is left
        assert F.value(F.w) == F.least_in_span


def test_with_a_penalty_that_falls_and_rises_the_minimiser_leaves_the_span():
    F = adding.objective("ring", solve(ONE().problem))
    w = np.array([1.0, math.sqrt(3.0)])
    assert F.value(w) == pytest.approx(0.0, abs=1e-15)
    assert F.value(w * [1, -1]) == pytest.approx(0.0, abs=1e-15)
    assert F.least_in_span == pytest.approx(0.5, rel=1e-12)
    grid = np.linspace(-6.0, 6.0, 120_001)
    assert F.least_in_span == pytest.approx(float(((grid - 1) ** 2 + (abs(grid) - 2) ** 2).min()), abs=1e-8)


@pytest.mark.parametrize("seed", range(6))
def test_the_minimum_in_the_span_is_that_of_a_search(seed):
    rng = np.random.Generator(np.random.Philox(seed))
    Z, y = rng.normal(0, 1, (3, 2)), rng.choice([-1.0, 1.0], 3)
    length = float(rng.uniform(0.1, 4.0))
    angles, radii = np.linspace(0, 2 * np.pi, 721), np.linspace(0, 6.0, 1201)
    W = np.stack([np.cos(angles), np.sin(angles)], 1)
    f = radii[:, None, None] * (W @ Z.T)
    values = ((f - y) ** 2).sum(2) + ((radii - length) ** 2)[:, None]
    minimum = least_in_span(Z, y, length)
    assert minimum <= values.min() + 1e-12
    assert minimum == pytest.approx(float(values.min()), abs=2e-3)


def test_the_minimum_in_the_span_where_the_best_fit_has_no_component_in_the_flattest_direction():
    Z, y = np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 1.0]]), np.array([1.0, 1.0, -1.0])
    # f = (2a, b, b): the labels of the last two cancel, and b is free to lengthen w at the price of its square
    b, a = np.meshgrid(np.linspace(-3, 3, 1201), np.linspace(-3, 3, 1201))
    values = (2 * a - 1) ** 2 + (b - 1) ** 2 + (b + 1) ** 2 + (np.hypot(a, b) - 2.0) ** 2
    assert least_in_span(Z, y, 2.0) == pytest.approx(float(values.min()), abs=1e-3)
    assert least_in_span(Z, y, 2.0) <= values.min() + 1e-12


def test_lines_of_u_run_through_every_point():
    lab = THREE()
    F = adding.objective("square", solve(lab.problem))
    at = np.linspace(-4, 4, 97)
    places = np.stack(np.meshgrid(at, at), axis=-1).reshape(-1, 2)
    values = (lab.kernel_function.feature_map(places) @ adding.direction(F.Z, 60.0, 1.0)).reshape(97, 97)
    lines = np.vstack(level_lines(values, 4.0))
    for x in lab.data.X:
        assert np.hypot(*(lines - x).T).min() < 0.1


# ---------------------------------------------------------------- the statements


def test_the_numbers_of_the_witnesses():
    printed = CATALOGUE["K8"].check(Situation(CATALOGUE["K8"].witness.problem)).printed
    assert [side.value for side in printed.sides] == pytest.approx([0.5, 0.0, 2.0], abs=1e-12)
    verdict = CATALOGUE["K9"].check(Situation(CATALOGUE["K9"].witness.problem))
    assert [side.value for side in verdict.printed.sides] == pytest.approx([1.0, 0.0], abs=1e-9)
    assert [side.value for side in verdict.repaired.sides] == pytest.approx([1.0, 1.0], abs=1e-9)
    verdict = CATALOGUE["K11"].check(Situation(CATALOGUE["K11"].witness.problem))
    assert not verdict.printed.holds
    assert verdict.repaired.holds
    assert not verdict.control.holds


@pytest.mark.parametrize("sigma", [0.2, 1.0, 10.0])
def test_a_gaussian_separates_the_spirals_whatever_its_width(sigma):
    verdict = CATALOGUE["K11"].check(Situation(Problem(SEEN, Gaussian(sigma), math.inf)))
    assert verdict.applies
    assert verdict.holds
    assert verdict.printed.holds


def test_a_linear_board_is_asked_about_a_gaussian_of_width_one_and_a_large_one_not_at_all():
    verdict = CATALOGUE["K11"].check(Situation(Problem(make_dataset("xor", 8), Linear())))
    assert verdict.holds
    assert "σ = 1" in verdict.note
    assert "at most 100" in CATALOGUE["K11"].check(Situation(Problem(make_dataset("xor", 120), Linear()))).why


def test_the_statements_notice_wrong_results_of_their_tools(monkeypatch):
    real, exact = statements.orthogonal_directions, gaussian_separability.prove_definite
    board = Situation(THREE().problem)
    assert CATALOGUE["K8"].check(board).holds
    monkeypatch.setattr(statements, "orthogonal_directions", lambda Z, most: real(Z, most) + 1e-3)
    assert not CATALOGUE["K8"].check(board).holds
    spirals = Situation(Problem(SEEN, Gaussian(0.2), math.inf))
    monkeypatch.setattr(
        gaussian_separability,
        "prove_definite",
        lambda X, sigma: replace(exact(X, sigma), trace=1.001 * exact(X, sigma).trace),
    )
    assert not CATALOGUE["K11"].check(spirals).holds
    pair = Situation(Problem(Dataset([[0.0, 0.0], [1.0, 0.0]], [1, -1]), Gaussian(1.0)))
    monkeypatch.setattr(gaussian_separability, "VISIBLE", math.inf)
    monkeypatch.setattr(
        gaussian_separability,
        "prove_definite",
        lambda X, sigma: replace(exact(X, sigma), trace=exact(X, sigma).trace / 1.001),
    )
    assert not CATALOGUE["K11"].check(pair).holds  # its bound on the margin is tight there


def test_with_a_penalty_that_falls_and_rises_the_orthogonal_direction_beats_the_span():
    for board in (THREE, COLLINEAR, ONE):
        F = adding.objective("ring", solve(board().problem))
        v = adding.direction(F.Z, 0.0, float(np.linalg.norm(F.w)))
        assert F.value(F.w + math.sqrt(3.0) * v) < F.least_in_span - 0.01


def test_the_verdict_states_the_growth_of_f():
    for board in (THREE, COLLINEAR, ONE):
        solution = solve(board().problem)
        F = adding.objective("square", solution)
        rise = 0.5 * solution.problem.lam * 1.5**2 * float(F.w @ F.w)
        assert f"{rise:.3g} larger" in REPRESENTER.verdict_text(stage_of(LESSON, board()))


def test_no_message_covers_the_position_with_both_classes():
    stage = stage_of(LESSON, contradictory())
    step = LESSON.step("anything")
    assert step is not None
    drawn = step.drawn(stage)
    assert drawn["message"] is None
    [disc] = drawn["overlay"]
    first = stage.lab.points[0]
    assert disc["pts"][:2] == pytest.approx([first.x / 1000, first.y / 1000])
    assert "overlay" not in step.drawn(replace(stage, shown=False))


def test_the_boundaries_of_other_widths_separate_the_classes_too():
    stage = stage_of(LESSON, SPIRALS())
    for sigma in anything.OTHERS:
        svm = anything.other_width(stage, sigma)
        assert svm is not None
        assert (svm.margins > 0).all()
