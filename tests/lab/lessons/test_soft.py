"""What the lesson on the soft margin computes: the path sampled, the objective in the plane, forms, biases and
carriers."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from svmlab import (
    BadInput,
    Dataset,
    Gaussian,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    make_dataset,
    regularization_path,
    solve,
)
from svmlab.lab.lessons.soft.along import sample_path
from svmlab.lab.lessons.soft.carriers import own_offsets, parts, retrained, with_b, with_closest_b
from svmlab.lab.lessons.soft.plane import landscape, losses, of_line, section, window
from svmlab.lab.lessons.soft.variants import biases, constants, forms, largest_difference, penalised, program_slack
from svmlab.plot.contours import level_lines
from svmlab.solvers.bias import best_biases
from svmlab.statements.geometry import best_bias

BLOBS = make_dataset("overlapping", 40)
PROBLEMS = {
    "linear": Problem(BLOBS),
    "no bias": Problem(BLOBS, bias=False),
    "gaussian": Problem(make_dataset("moons", 30), Gaussian(0.6)),
    "polynomial": Problem(make_dataset("circles", 30), Polynomial(2, 1.0, 0.5)),
    "lattice": Problem(make_dataset("lattice")),
}


# the path


@pytest.mark.parametrize("name", PROBLEMS)
def test_along_the_path_every_number_is_that_of_the_svm_solved_at_its_c(name: str) -> None:
    problem = PROBLEMS[name]
    sampled_path = sample_path(regularization_path(problem), 1e-2, 1e2, 41)
    for k in range(0, len(sampled_path.C), 7):
        s = solve(replace(problem, C=float(sampled_path.C[k])))
        assert sampled_path.norm_w[k] == pytest.approx(s.norm_w, rel=1e-7, abs=1e-9)
        assert sampled_path.slack[k] == pytest.approx(float(s.xi.sum()), rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_counts_between_breakpoints_are_those_of_the_svm(name: str) -> None:
    problem = PROBLEMS[name]
    sampled_path = sample_path(regularization_path(problem), 1e-2, 1e2)
    middles = np.sqrt(np.r_[1e-2, sampled_path.breaks] * np.r_[sampled_path.breaks, 1e2])
    for C, count in list(zip(middles, sampled_path.support, strict=True))[::5]:
        assert count == solve(replace(problem, C=float(C))).support.sum()
    ends = np.r_[1e-2, sampled_path.error_changes, 1e2]
    for a, b, count in list(zip(ends[:-1], ends[1:], sampled_path.errors, strict=True))[::3]:
        if b > a * 1.001:
            s = solve(replace(problem, C=math.sqrt(a * b)))
            assert count == (s.margins < -1e-9).sum()


def test_support_vectors_are_counted_by_the_alpha_of_least_norm_where_it_is_not_the_only_one() -> None:
    data = Dataset([[3, 3], [-1, -1], [-2, 3], [3, 0], [1, 3]], [1, -1, 1, -1, 1])
    sampled_path = sample_path(regularization_path(Problem(data)), 1e-2, 1e2)
    middles = np.sqrt(np.r_[1e-2, sampled_path.breaks] * np.r_[sampled_path.breaks, 1e2])
    solved = [solve(Problem(data, C=float(C))) for C in middles]
    assert sampled_path.support.tolist() == [s.support.sum() for s in solved]
    assert False in [s.alpha_unique for s in solved]
    assert len(set(sampled_path.support.tolist())) > 1


def test_the_norm_never_falls_and_the_slack_never_rises() -> None:
    sampled_path = sample_path(regularization_path(PROBLEMS["linear"]), 1e-3, 1e3)
    assert (np.diff(sampled_path.norm_w) >= -1e-12).all()
    assert (np.diff(sampled_path.slack) <= 1e-9).all()


def test_between_breakpoints_every_alpha_is_a_straight_line() -> None:
    path = regularization_path(PROBLEMS["linear"])
    ends = np.r_[path.C[10:20]]
    for a, b in pairwise(ends):
        one, half, two = (path.alpha(c) for c in (a, 0.5 * (a + b), b))
        np.testing.assert_allclose(half, 0.5 * (one + two), atol=1e-10)


def test_a_kernel_without_feature_space_and_one_class() -> None:
    path = regularization_path(Problem(BLOBS, Sigmoid(0.5, 0.0)))
    with pytest.raises(BadInput, match="feature space"):
        sample_path(path, 0.1, 1.0)
    alone = sample_path(regularization_path(Problem(Dataset([[1.0, 0.0], [2.0, 0.0]], [1, 1]))), 0.1, 1.0, 5)
    assert not alone.norm_w.any()
    assert len(alone.breaks) == 0


# the objective


@pytest.mark.parametrize("labels", [[1, 1, -1, -1, 1], [1] * 5, [-1] * 5, [1, -1, -1, -1, -1]])
def test_the_optimal_b_of_each_w_is_the_best_kink(labels: list[int]) -> None:
    rng = np.random.default_rng(0)
    y = np.array(labels, float)
    g = rng.standard_normal((20, 5))
    for row, b in zip(g, best_biases(g, y), strict=True):
        smallest_hinge = best_bias(row, y)[2]
        assert np.maximum(0.0, 1.0 - y * (row + b)).sum() == pytest.approx(smallest_hinge, abs=1e-12)


@pytest.mark.parametrize("bias", [True, False])
def test_the_minimum_of_the_landscape_is_the_optimum(bias: bool) -> None:
    problem = Problem(BLOBS, bias=bias)
    s = solve(problem)
    half = (-1.3 * s.norm_w, 1.3 * s.norm_w)
    grid = landscape(problem, half, half, 81)
    assert grid.size.shape == (81, 161)
    total = grid.size + grid.slack
    assert total.min() >= s.objective - 1e-9
    assert total.min() == pytest.approx(s.objective, rel=0.01)
    i, j = np.unravel_index(total.argmin(), total.shape)
    step = grid.w2[1] - grid.w2[0]
    assert np.hypot(grid.w1[j] - s.w[0], grid.w2[i] - s.w[1]) <= 3 * step
    at = 0.5 * s.norm_w**2 + losses(problem, s.w[None])[0]
    assert at == pytest.approx(s.objective, rel=1e-12)


def test_level_lines_lie_on_their_level() -> None:
    grid = landscape(Problem(BLOBS), (-2.0, 2.0), (-1.0, 2.0), 41)
    lines = level_lines(grid.w1, grid.w2, grid.size, np.array([0.5, 1.0]))
    good = lines[~np.isnan(lines[:, 0])]
    np.testing.assert_allclose(0.5 * (good[:, :2] ** 2).sum(1), good[:, 2], rtol=0.01)
    assert np.isnan(level_lines(grid.w1, grid.w2, grid.size, np.array([99.0]))).all()


def test_a_window_holds_the_places_and_the_origin_in_a_wide_chart_and_in_a_high_one() -> None:
    for places in ([[1.5, 0.4]], [[-0.1, 2.0]], [[0.7, -0.7], [1.0, 0.2]]):
        (a, b), (c, d) = window(np.array(places))
        for x, y in (*places, (0.0, 0.0)):
            assert a < x < b
            assert c < y < d
        assert (b - a) / (d - c) >= 1
        around = np.ptp([*places, (0.0, 0.0)], axis=0)
        assert b - a >= 5 * around[1]
        assert d - c >= around[0]


@pytest.mark.parametrize("angle", [0.0, 0.7, 2.0])
def test_a_section_stays_above_its_parabola_and_no_slope_exceeds_the_longest_point(angle: float) -> None:
    problem = Problem(BLOBS, C=0.3)
    s = solve(problem)
    cut = section(problem, s.w, angle, 2.0)
    assert ((cut.size + cut.loss) - cut.below).min() >= -1e-12
    assert cut.slope <= cut.steepest + 1e-9
    assert cut.steepest == pytest.approx(np.linalg.norm(BLOBS.X, axis=1).max())
    middle = len(cut.t) // 2
    assert (cut.size + cut.loss)[middle] == pytest.approx(problem.lam * s.objective, rel=1e-9)


@pytest.mark.parametrize("line", [((-0.7, 3.0), (1.4, -2.4)), ((1.0, 1.0), (-2.0, 0.5)), ((2.0, -1.0), (0.0, 3.0))])
@pytest.mark.parametrize("C", [0.02, 1.0, 50.0])
def test_the_scale_of_a_line_by_hand_is_the_best_one(line, C: float) -> None:
    problem = Problem(BLOBS, C=C)
    w, b = of_line(problem, line)

    def value(scale: float, w=w, b=b) -> float:
        hinge = np.maximum(0.0, 1.0 - BLOBS.y * (BLOBS.X @ (scale * w) + scale * b)).sum()
        return 0.5 * scale**2 * float(w @ w) + C * hinge

    assert all(value(1.0) <= value(t) + 1e-9 for t in (0.0, 0.5, 0.9, 0.99, 1.01, 1.1, 2.0))
    assert value(1.0) >= solve(problem).objective - 1e-9
    if w.any():
        for end in line:
            assert w @ end + b == pytest.approx(0, abs=1e-9)


def test_a_line_that_points_the_wrong_way_is_best_scaled_to_nothing() -> None:
    w, b = of_line(Problem(Dataset([[1.0, 0.0], [-1.0, 0.0]], [1, -1])), ((0.0, -1.0), (0.0, 1.0)))
    assert not w.any()
    assert b == 0


# forms and biases


@pytest.mark.parametrize("name", ["linear", "no bias", "gaussian", "polynomial"])
def test_four_forms_with_matching_constants_give_one_svm_and_with_equal_constants_they_do_not(name: str) -> None:
    problem = PROBLEMS[name]
    s = solve(problem)
    solved_forms = forms(problem)
    assert [f.constant for f in solved_forms] == list(constants(problem).values())
    assert largest_difference(solved_forms) < 1e-6
    assert solved_forms[2].norm == pytest.approx(s.norm_w, rel=1e-5)
    assert largest_difference(forms(problem, 0.05)) > 0.05
    for form in (*solved_forms, *forms(problem, 0.05)):
        drawn = form.machine(problem)
        assert drawn.norm_w == pytest.approx(form.norm, rel=1e-4, abs=1e-6)


@pytest.mark.parametrize("name", ["linear", "gaussian", "polynomial"])
def test_a_penalised_b_is_the_last_coordinate_of_w(name: str) -> None:
    problem = PROBLEMS[name]
    solution = penalised(problem)
    value = 0.5 * (solution.norm_w**2 + solution.b**2) + problem.C * solution.xi.sum()
    free, none = solve(replace(problem, bias=True)), solve(replace(problem, bias=False))
    assert free.objective - 1e-9 <= value <= none.objective + 1e-9
    for other in (free, none):
        at = 0.5 * (other.norm_w**2 + other.b**2) + problem.C * other.xi.sum()
        assert value <= at + 1e-9


def test_the_three_biases_differ_once_the_points_are_translated() -> None:
    translated = replace(PROBLEMS["linear"], data=Dataset(BLOBS.X + [3.0, 2.0], BLOBS.y))
    at_home, away = biases(PROBLEMS["linear"]), biases(translated)
    assert away["free"].norm_w == pytest.approx(at_home["free"].norm_w, rel=1e-9)
    for name in ("penalised", "none"):
        assert abs(away[name].norm_w - at_home[name].norm_w) > 1e-3


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_slack_of_the_program_is_the_hinge_loss_of_the_exact_svm(name: str) -> None:
    problem = PROBLEMS[name]
    np.testing.assert_allclose(program_slack(problem), solve(problem).xi, atol=1e-5)


# carriers


@pytest.mark.parametrize("name", ["linear", "gaussian", "polynomial"])
def test_the_mean_over_all_support_vectors_is_off_by_the_mean_of_y_xi(name: str) -> None:
    s = solve(PROBLEMS[name])
    offsets = own_offsets(s)
    np.testing.assert_allclose(offsets.each, s.b + offsets.slack, atol=1e-9)
    np.testing.assert_allclose(offsets.each[offsets.free], s.b, atol=1e-9)
    assert offsets.each.mean() - offsets.slack.mean() == pytest.approx(s.b, abs=1e-9)


@pytest.mark.parametrize("name", ["linear", "no bias", "polynomial"])
def test_w_is_the_sum_of_its_two_parts_and_neither_alone(name: str) -> None:
    s = solve(PROBLEMS[name])
    slack, margin = parts(s)
    np.testing.assert_allclose(slack + margin, s.w, atol=1e-9)
    assert np.linalg.norm(slack - s.w) > 1e-3


def test_another_b_moves_f_by_the_difference() -> None:
    for name in ("linear", "gaussian"):
        s = solve(PROBLEMS[name])
        X = s.problem.data.X
        np.testing.assert_allclose(with_b(s, s.b + 0.25).decision(X), s.decision(X) + 0.25, atol=1e-12)


def test_without_the_idle_points_w_stays_at_the_same_c_and_moves_at_the_same_lambda() -> None:
    s = solve(PROBLEMS["linear"])
    without = retrained(s)
    for same in (without.same_price, without.adjusted):
        np.testing.assert_allclose(same.w, s.w, atol=1e-9)
    assert without.moved > 1e-3
    relative_distance = np.linalg.norm(without.same_lam.w - s.w) / max(s.norm_w, without.same_lam.norm_w)
    assert without.moved == pytest.approx(relative_distance, rel=1e-9)
    assert without.same_lam.problem.lam == pytest.approx(s.problem.lam)


def test_b_may_depend_on_a_deleted_point() -> None:
    s = solve(Problem(make_dataset("one_against_many", 60), Linear(), 0.1))
    assert not s.free.any()
    before, after = s.b_interval, retrained(s).same_price.b_interval
    assert after[1] - after[0] > before[1] - before[0] + 1e-3
    assert after[0] <= before[0] + 1e-9
    assert after[1] >= before[1] - 1e-9


def test_every_b_of_the_interval_is_optimal_and_the_closest_to_the_given_one_is_taken() -> None:
    s = solve(Problem(make_dataset("one_against_many", 60), Linear(), 0.1))
    lo, hi = s.b_interval
    for wish, b in ((lo - 1, lo), (0.5 * (lo + hi), 0.5 * (lo + hi)), (hi + 1, hi)):
        assert with_closest_b(s, wish).b == b
        assert with_closest_b(s, wish).xi.sum() == pytest.approx(s.xi.sum(), abs=1e-9)
