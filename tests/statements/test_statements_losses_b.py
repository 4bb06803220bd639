"""L4, L5, L8, L9, L11, L13 and L15 on the boards that the lesson shows, and on many others."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Linear, Problem, make_dataset, solve
from svmlab.firstorder.perceptron import augmented, perceptron
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend, fewest_errors, linear_program, zero_one_loss
from svmlab.statements import CATALOGUE, Situation, Verdict
from svmlab.statements.descent_direction import forward_slopes
from svmlab.statements.plane import fewest_errors_by_turning
from svmlab.statements.regularisers import triangle_violation
from svmlab.statements.zero_one_loss import EIGHT_LABELS, EIGHT_POINTS, perceptron_rule_error, split_samples
from tests.boards import random_board

IDS = ("L4", "L5", "L8", "L9", "L11", "L13", "L15")
BEYOND = Dataset(EIGHT_POINTS, EIGHT_LABELS)
CORNERS = Dataset([(1, 1), (-1, -1), (1, -1), (-1, 1)], [1, 1, -1, -1])
OVERLAPPING = make_dataset("overlapping", 60, 0.1, seed=0)
KINK = Dataset([(4, 1), (4, -1)], [1, -1])


def check(id: str, problem: Problem) -> Verdict:
    return CATALOGUE[id].check(Situation(problem))


def numbers(reading: object) -> dict[str, float]:
    return {side.name: side.value for side in reading.sides}


@pytest.mark.parametrize("id", ["L4", "L9", "L15"])
def test_points_that_are_on_one_line_as_decimals_are_on_one(id: str):
    data = Dataset([(4.3, 1.1), (1, 0), (-2, -1), (0, 3)], [1, -1, 1, 1])
    verdict = check(id, Problem(data))
    assert verdict.holds
    counts = [n for name, n in numbers(verdict.reading).items() if name.startswith("fewest training errors")]
    assert counts[0] == 1


@pytest.mark.parametrize("id", ["L5", "L8"])
def test_two_methods_agree_on_points_that_are_a_thousandth_apart(id: str):
    assert check(id, Problem(Dataset([(0, 0.001), (0, 0), (0, 0)], [1, 1, -1]), C=0.0020883244718202174)).holds


def board(seed: int) -> Problem:
    """Up to sixty points: clouds, lattices, doubled points, lines, tenths, one coordinate that is 0; any C and bias."""
    rng = np.random.default_rng(seed)
    m, kind = int(rng.integers(20, 64)), seed % 8
    X = rng.standard_normal((m, 2)) * rng.choice([0.05, 0.3, 1.0, 3.0]) + rng.choice([0, 5]) * rng.standard_normal(2)
    y = np.where(X @ rng.standard_normal(2) + rng.standard_normal(m) * rng.choice([0, 0.3, 2]) > 0, 1, -1)
    X = {
        1: rng.integers(-3, 4, (m, 2)).astype(float),
        2: X[rng.integers(0, m // 3, m)],
        3: np.outer(rng.integers(-8, 9, m), [1.0, 0.5]),
        4: np.outer(rng.integers(-20, 21, m), [0.1, 0.3]),
        5: 0.1 * rng.integers(-20, 21, (m, 2)),
        6: X * [1.0, 0.0],
    }.get(kind, X)
    y[:2] = 1, -1
    C = float(10 ** rng.uniform(-2.5, 4))
    return Problem(Dataset(np.clip(X, -8, 8).round(3), y), Linear(), C, bool(rng.random() < 0.7))


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.sweep) for n in range(8, 104, 8))])
@pytest.mark.filterwarnings("ignore::svmlab.NotExact")  # a statement allows for the rounding of its solution
def test_they_hold_on_any_board_that_meets_their_conditions(first):
    for seed in range(first, first + 8):
        for problem in (board(seed), random_board(seed)):
            s = Situation(problem)
            for id in IDS:
                verdict = CATALOGUE[id].check(s)
                assert verdict.holds is not False, (id, seed, verdict.residual)
                assert verdict.applies or verdict.why.endswith(".")
                assert not any(math.isnan(side.value) for side in verdict.sides), (id, seed)


@pytest.mark.parametrize("id", ["L4", "L5", "L8", "L9", "L15"])
def test_they_are_about_lines_in_the_plane_and_say_so(id):
    assert "Choose the linear kernel" in check(id, Problem(OVERLAPPING, Gaussian(1.0))).why
    assert "no points" in check(id, Problem(Dataset([], []))).why


@pytest.mark.parametrize("id", ["L4", "L9", "L15"])
def test_without_a_bias_the_lines_that_are_counted_may_still_lie_anywhere(id):
    one, other = (check(id, Problem(BEYOND, bias=bias)) for bias in (True, False))
    assert [side.value for side in one.sides[:2]] == [side.value for side in other.sides[:2]]
    solid = Problem(Dataset(np.eye(3), [1, -1, 1]))
    assert "only be tried in the plane" in check(id, solid).why


# ---------------------------------------------------------------- L4, L9, L15: errors


@pytest.mark.parametrize("C", [0.1, 1.0, 10.0, 1000.0])
def test_the_best_line_makes_two_errors_where_the_svm_makes_three(C):
    verdict = check("L9", Problem(BEYOND, C=C))
    assert numbers(verdict.printed)["fewest training errors, lines through two points"] == 2
    assert numbers(verdict.printed)["fewest training errors, a line rotated by 180°"] == 2
    assert numbers(verdict.control) == {"training errors of the SVM": 3, "fewest training errors of any line": 2}
    gap = numbers(check("L15", Problem(BEYOND, C=C)).repaired)
    assert gap["training errors of the SVM"] - gap["fewest training errors of any line"] == 1
    assert gap["additional errors due to the surrogate loss"] == 1


def test_on_noisy_corners_the_best_line_makes_five_and_the_svm_six_to_ten():
    data = make_dataset("xor", 20, 0.1, seed=4)
    controls = [numbers(check("L9", Problem(data, C=C)).control) for C in (0.1, 1.0, 10.0, 1000.0)]
    assert {each["fewest training errors of any line"] for each in controls} == {5}
    assert [each["training errors of the SVM"] for each in controls] == [10, 10, 6, 6]


def test_a_rotating_line_gives_what_trying_all_lines_gives():
    for seed in range(40):
        data = board(seed).data
        assert fewest_errors_by_turning(data) >= fewest_errors(data).errors
        if seed % 8 in (0, 1, 2, 3, 7):  # no points that are on one line but for rounding
            assert fewest_errors_by_turning(data) == fewest_errors(data).errors, seed
    assert fewest_errors_by_turning(Dataset([[1, 1], [1, 1], [1, 1]], [1, 1, -1])) == 1
    assert fewest_errors_by_turning(Dataset([[1, 1]], [-1])) == 0


def test_the_printed_sum_is_least_where_every_point_is_an_error():
    verdict = check("L4", Problem(BEYOND))
    printed = numbers(verdict.printed)
    assert printed["sum in the slides at w = 0, b = 0"] == 0
    assert printed["training errors at w = 0, b = 0"] == 8
    assert verdict.printed.residual == (8 - 2) / 8
    apart = numbers(check("L4", Problem(make_dataset("separable", 20))).printed)
    assert apart["sum in the slides at the best line, with its sides exchanged"] == 0
    assert apart["fewest training errors of any line"] == 0


def test_a_line_that_counting_finds_looks_better_on_its_sample_than_it_is():
    parts = split_samples(OVERLAPPING)
    assert sum(part.m for part in parts) == 60
    assert all(part.both_classes for part in parts)
    verdict = check("L15", Problem(OVERLAPPING))
    values = numbers(verdict.repaired)
    assert values["fewest errors on the samples, summed"] < values["fewest training errors of any line"]
    assert values["errors of these lines on the board, on average"] > values["fewest training errors of any line"]
    assert not verdict.printed.holds
    assert "one class" in check("L15", Problem(Dataset([[0, 0], [1, 1]], [1, 1]))).why


def test_a_line_that_floats_cannot_show_is_no_failure():
    data = Dataset([[0.1 * k, 0.3 * k] for k in range(1, 9)], [1, -1, 1, -1, 1, -1, 1, -1])
    verdicts = [check(id, Problem(data)) for id in ("L4", "L9", "L15")]
    assert all(v.holds is not False for v in verdicts)
    assert any("so close to a point" in v.why for v in verdicts)


# ---------------------------------------------------------------- L5, L8: pairs


def test_four_classifiers_and_the_perceptron_agree_by_both_methods():
    verdict = check("L5", Problem(OVERLAPPING))
    values = [side.value for side in verdict.printed.sides[:8]]
    assert values[::2] == pytest.approx(values[1::2], abs=1e-9)
    assert len(set(np.round(values[::2], 6))) == 4
    assert numbers(verdict.printed)["training errors of its last iterate"] > 0
    apart = numbers(check("L5", Problem(make_dataset("separable", 30))).printed)
    assert apart["training errors of its last iterate"] == 0


@pytest.mark.parametrize(
    ("lam", "one", "two"),
    [
        (0.05, (1.078, 0.511), None),
        (0.2, (0.792, 0.257), None),
        (0.4, (0.670, 0.0), (0.687, 0.414)),
        (1.4, (0.0, 0.0), None),
    ],
)
def test_what_the_regularisers_want_of_the_overlapping_points(lam, one, two):
    problem = Problem(OVERLAPPING, C=1 / (60 * lam))
    values = numbers(check("L8", problem).repaired)
    r1, r2 = (Objective(OVERLAPPING, LOSSES["hinge"], REGULARISERS[r], lam) for r in ("R1", "R2"))
    assert linear_program(r1).w == pytest.approx(one, abs=5e-4)
    assert descend(r1).w == pytest.approx(one, abs=5e-4)
    assert values["weights that are exactly 0 with R₁"] == one.count(0.0)
    assert values["weights that are exactly 0 with R₂"] == 0
    assert values["smallest F with R₁, by the descent"] == pytest.approx(
        values["optimal value of the dual of this program"], abs=1e-7
    )
    if two is not None:
        assert solve(problem).w == pytest.approx(two, abs=5e-4)
        assert descend(r2).w == pytest.approx(two, abs=5e-4)


def test_a_half_makes_no_norm_and_from_one_on_all_do():
    verdict = check("L8", Problem(OVERLAPPING))
    assert [side.value for side in verdict.printed.sides] == pytest.approx([4.0, 2.0])
    assert triangle_violation(2, 0.5) > 1
    assert triangle_violation(2, 0.9) > 0.1
    assert max(triangle_violation(d, p) for d in (1, 2, 5) for p in (1.0, 1.01, 2.0, 30.0)) < 1e-12


# ---------------------------------------------------------------- L11: down


def slope(w: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Minus the gradient at w and the way to w* = (0, 1) on the board of two points, lam = .01."""
    objective = Objective(KINK, LOSSES["hinge"], REGULARISERS["R2"], 0.01, False)
    return -objective.gradient(np.array(w)), np.array([0.0, 1.0]) - w


def degrees(a: np.ndarray, b: np.ndarray) -> float:
    return math.degrees(math.acos(float(a @ b) / float(np.linalg.norm(a) * np.linalg.norm(b))))


def test_a_descent_direction_can_be_nearly_orthogonal_to_the_direction_of_the_minimum():
    assert solve(Problem(KINK, C=50.0, bias=False)).w == pytest.approx([0, 1], abs=1e-9)
    assert degrees(*slope((-0.0201, 1.08))) == pytest.approx(89.6, abs=0.05)
    flat, steep = slope((-0.0199, 1.08))[0], slope((-0.0201, 1.08))[0]  # on either side of the corner
    assert degrees(flat, slope((-0.02, 1.08))[1]) < 15
    assert degrees(steep, slope((-0.02, 1.08))[1]) == pytest.approx(89.7, abs=0.05)


@pytest.mark.parametrize("stretch", [1.0, 4.0, 0.25])
def test_however_the_first_coordinate_is_stretched_it_is_beyond_45_and_within_90_degrees(stretch):
    verdict = check("L11", Problem(Dataset(KINK.X * [stretch, 1.0], KINK.y), C=50.0, bias=False))
    assert verdict.holds
    assert not verdict.printed.holds
    assert not verdict.control.holds
    worst = numbers(verdict.control)["largest angle between −∇F and the direction to w*, in degrees"]
    assert 80 < worst < 90


def test_on_a_line_down_is_straight_to_the_minimum():
    data = Dataset([[1.0], [2.0], [-1.0], [0.5]], [1, 1, -1, -1])
    verdict = check("L11", Problem(data, bias=False))
    worst = numbers(verdict.repaired)["largest angle between −∇F and the direction to w*, in degrees"]
    assert worst == pytest.approx(0, abs=1e-6)


def test_a_slope_that_is_measured_is_that_of_the_gradient():
    objective = Objective(OVERLAPPING, LOSSES["hinge"], REGULARISERS["R2"], 0.05)
    rng = np.random.default_rng(0)
    U, ways = rng.standard_normal((2, 50, 3))
    slopes, _ = forward_slopes(objective, U, ways)
    assert slopes == pytest.approx(
        [objective.gradient(u[:2], u[2]) @ v for u, v in zip(U, ways, strict=True)], abs=1e-7
    )


# ---------------------------------------------------------------- L13: for ever


def test_on_four_corners_every_visit_is_a_mistake_and_every_fourth_brings_w_back():
    run = perceptron(augmented(CORNERS.X), CORNERS.y, np.arange(4), 400)
    assert run.updates.tolist() == [0, 1, 2, 3] * 100
    assert not run.converged
    assert (run.path[::4] == 0).all()
    assert np.linalg.norm(run.path, axis=1).max() == 2
    values = numbers(check("L13", Problem(CORNERS)).printed)
    assert values["largest norm of w in the first half"] == values["largest norm of w in the second half"] == 2
    assert values["mean perceptron loss at w = 0"] == 0
    assert values["mean perceptron loss of the best iterate"] > 0


def test_it_wanders_where_classes_overlap_and_stops_where_a_line_separates_them():
    verdict = check("L13", Problem(OVERLAPPING))
    values = numbers(verdict.printed)
    assert verdict.holds
    assert not verdict.control.holds
    assert values["training errors of the best iterate"] < values["training errors of the last line"]
    assert values["largest norm of w in the second half"] < 0.5 * values["upper bound for the norm of w at the end"]
    assert "the perceptron converges" in check("L13", Problem(make_dataset("separable", 20))).why
    assert check("L13", Problem(CORNERS, bias=False)).holds


def test_the_check_notices_an_update_without_a_mistake():
    run = perceptron(augmented(OVERLAPPING.X), OVERLAPPING.y, np.arange(60), 200)
    assert perceptron_rule_error(run.path, run.rows[run.updates]) < 1e-12
    twice = replace(run, updates=np.append(run.updates, run.updates[-1]))
    assert perceptron_rule_error(twice.path, twice.rows[twice.updates]) > 1e-3
    assert perceptron_rule_error(run.path, 1.001 * run.rows[run.updates]) > 1e-6


def test_its_loss_alone_is_least_at_w_0():
    objective = Objective(CORNERS, LOSSES["perceptron"], REGULARISERS["none"], 0.0)
    assert objective.value(np.zeros(2)) == 0
    rng = np.random.default_rng(0)
    assert all(
        objective.value(w, b) >= 0.1 for w, b in zip(rng.uniform(1, 2, (20, 2)), rng.uniform(-1, 1, 20), strict=True)
    )
    assert zero_one_loss(objective.margins(np.zeros(2))).sum() == 4


def test_a_run_of_the_perceptron_that_repeats_itself_has_a_bound_that_does_not_grow():
    verdict = CATALOGUE["L13"].check(CATALOGUE["L13"].witness.situation)
    shown = {side.name: side.value for side in verdict.sides}
    assert shown["mistakes after which the run repeats itself"] == 4
    assert shown["upper bound for the norm of w in every later step"] == 2
