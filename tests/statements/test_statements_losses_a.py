"""L1, L2, L3, L10, L12 and L14: what stands in for the count of errors, and how many minima it has."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Polynomial, Problem, make_dataset, solve
from svmlab.losses import LOSSES, REGULARISERS, Objective, descend, zero_one_loss
from svmlab.losses.loss import Hinge
from svmlab.statements import CATALOGUE, Situation, loss_minima, surrogate_losses
from tests.boards import random_board

IDS = ("L1", "L2", "L3", "L10", "L12", "L14")
EIGHT = CATALOGUE["L14"].witness.X[:8]
LABELS = CATALOGUE["L14"].witness.y[:8]


def verdict(id, problem=None):
    return CATALOGUE[id].check(Situation(problem or CATALOGUE[id].witness.problem))


def shown(reading):
    return {str(side.name): side.value for side in reading.sides}


def board(*rows, **how):
    return Problem(Dataset([row[:2] for row in rows], [row[2] for row in rows]), **how)


@pytest.mark.parametrize("first", [0, *(pytest.param(n, marks=pytest.mark.sweep) for n in range(10, 200, 10))])
@pytest.mark.filterwarnings("ignore::svmlab.NotExact")  # a statement allows for the rounding of its solution
def test_they_hold_on_any_board_that_meets_their_conditions(first):
    for seed in range(first, first + 10):
        situation = Situation(random_board(seed))
        for id in IDS:
            outcome = CATALOGUE[id].check(situation)
            assert outcome.holds in (True, None), (seed, id, outcome.residual)
            assert not outcome.applies or outcome.residual < 0.5 * outcome.tolerance, (seed, id, "little room is left")


@pytest.mark.parametrize(
    "problem",
    [
        board((8, 8, 1), (8, -8, -1), (-8, 8, 1), (-8, -8, -1), (7.999, 8, -1), kernel=Polynomial(4), C=1e4),
        board(*[(0.001, 0, 1)] * 5, C=0.00125, bias=False),
        Problem(make_dataset("overlapping", 80, 0.3), Gaussian(0.5)),
        Problem(make_dataset("separable", 60), C=1e5),
        board((1, 2, 1), bias=False),
        board((1, 2, 1), (1, 2, -1)),
    ],
    ids=["steep", "one place", "many entries", "dear slack", "one point", "twins"],
)
def test_they_hold_where_numbers_are_far_apart(problem):
    for id in IDS:
        assert verdict(id, problem).holds in (True, None), id


def test_points_that_decide_nothing_get_a_reason():
    assert "Move a point" in verdict("L10", board((0, 0, 1), (0, 0, 1), bias=False)).why


# curves above the step


def test_the_perceptron_and_the_sigmoid_are_below_the_step_at_minus_a_half():
    outcome = verdict("L1")
    assert list(shown(outcome.control).values()) == pytest.approx([0.5, 0.622], abs=5e-4)
    assert shown(outcome.printed)["training errors"] == 1
    smallest = [value for name, value in shown(outcome.printed).items() if name.startswith("smallest difference")]
    assert len(smallest) == 4
    assert all(
        value == pytest.approx(0.0, abs=1e-12)
        for name, value in shown(outcome.printed).items()
        if name.startswith("smallest difference")
    )


@pytest.mark.parametrize("part", [0.999, 1.001])
def test_the_four_curves_touch_the_step_and_no_multiple_of_them_does(part, monkeypatch):
    real = surrogate_losses.scaled_to_bound
    monkeypatch.setattr(surrogate_losses, "scaled_to_bound", lambda loss, t: part * real(loss, t))
    assert not verdict("L1").holds


def test_values_too_large_for_an_exponential_are_no_failure():
    distant = board((8, 0, 1), (0.01, 0, 1), (0, 0, -1), C=1e5)
    assert np.abs(surrogate_losses.decision_values(Situation(distant))).max() > 10 * surrogate_losses.LARGEST_F
    assert verdict("L1", distant).holds
    assert verdict("L12", distant).holds


# convex or not


class Bumpy(Hinge):
    """A hinge with a bump: not convex, whatever it says."""

    def value(self, t):
        return super().value(t) + 0.01 * np.exp(-((t - 2.0) ** 2))


def test_the_check_notices_a_loss_that_wrongly_claims_to_be_convex(monkeypatch):
    monkeypatch.setitem(surrogate_losses.LOSSES, "hinge", Bumpy())
    assert not verdict("L2").holds


def test_slopes_add_up_to_values():
    for loss in LOSSES.values():
        assert surrogate_losses.summed_slopes(loss) == pytest.approx(
            surrogate_losses.loss_chord_heights(loss), abs=1e-6
        )
    p, q = (surrogate_losses.CHORD_T[at] for at in surrogate_losses.chord_ends())
    assert surrogate_losses.loss_chord_heights(LOSSES["squared"]) == pytest.approx(0.25 * (p - q) ** 2)


@pytest.mark.parametrize(
    ("loss", "ends"),
    [
        ("sigmoid", {(1.77, 1.77, 0.3832), (-2.79, 1.29, 0.4186), (1.29, -2.79, 0.4186)}),
        ("hinge", {(0.0, 0.0, 1.0)}),
    ],
)
def test_where_descents_from_24_sides_end(loss, ends):
    data = CATALOGUE["L2"].witness.problem.data
    problem = Objective(data, LOSSES[loss], REGULARISERS["R2"], 0.01, bias=False)
    angles = np.arange(24) * math.tau / 24 + 0.1
    fits = [descend(problem, 4 * np.array([math.cos(a), math.sin(a)])) for a in angles]
    minima = {(*(np.round(fit.w, 2) + 0.0).tolist(), round(fit.value, 4)) for fit in fits}
    assert (
        minima - {(0.0, 0.0, 0.5)} == ends
    )  # a fourth and shallow one of the sigmoid's, where the mean of the points is
    assert not verdict("L2").control.holds


# a kink and its slopes


def test_as_printed_0_must_reach_2():
    assert [side.value for side in verdict("L3").printed.sides] == [0, 2, 0]
    assert verdict("L3").printed.residual == 2


@pytest.mark.parametrize("y", [1.0, -1.0])
def test_lines_through_the_corner_stay_below_exactly_between_0_and_minus_y(y):
    def highest(slope):
        heights = surrogate_losses.line_value(0.0, slope, surrogate_losses.AROUND)
        return (heights - np.maximum(0.0, 1.0 - y * (y + surrogate_losses.AROUND))).max()

    for slope in (0.0, -0.5 * y, -y):
        assert highest(slope) <= 1e-12
    for slope in (-1.05 * y, 0.05 * y):
        assert highest(slope) > 0.01
    assert surrogate_losses.chord_slopes(y, y) == pytest.approx((min(-y, 0), max(-y, 0)))
    assert surrogate_losses.chord_slopes(y, -0.5 * y) == pytest.approx((-y, -y))


def test_the_slopes_that_balance_are_those_of_the_multipliers():
    values = shown(verdict("L3").repaired)
    e = solve(CATALOGUE["L3"].witness.problem)
    free = e.alpha[(e.alpha > 1e-9) & (e.alpha < 1 - 1e-9)]
    assert -values["slope in t at a point on its margin line"] == pytest.approx(free[0])
    assert 0 < free[0] < 1


# many, none, one


@pytest.mark.blas
def test_w_and_2w_both_have_no_slack_and_the_logistic_loss_falls_for_ever():
    outcome = verdict("L10")
    values = shown(outcome.printed)
    assert values["mean hinge loss at w, without λ"] == pytest.approx(
        0.0, abs=1e-15
    )  # both margins are 1 but for rounding
    assert values["mean hinge loss at 2w, without λ"] == 0
    assert values["distance from w to 2w, in margin units"] == pytest.approx(0.5)
    falling = [value for name, value in values.items() if "logistic" in name]
    assert falling == pytest.approx([math.log1p(math.exp(-k)) for k in loss_minima.FACTORS])
    assert outcome.repaired.holds
    assert outcome.note == ""


def test_with_a_penalty_there_is_one_minimiser_from_every_start_and_F_grows_quadratically():
    situation = Situation(Problem(make_dataset("overlapping", 20, 0.3, seed=2)))
    exact = situation.soft_solution
    for start in ((0.0, 0.0), (3.0, -4.0), (-5.0, 2.0, 1.0)):
        end = descend(loss_minima.scaled_objective(situation, "hinge", situation.soft_problem.lam), np.array(start))
        assert end.w / situation.max_norm == pytest.approx(exact.w, abs=1e-6)
    minimum = situation.soft_problem.lam * exact.objective
    assert loss_minima.strong_convexity_violation(situation, minimum) <= 1e-9
    assert loss_minima.strong_convexity_violation(situation, 1.01 * minimum) > 1e-3


def test_where_no_line_separates_nothing_is_refuted():
    outcome = verdict("L10", Problem(make_dataset("overlapping", 20, 0.4, seed=2)))
    assert outcome.printed is None
    assert outcome.holds
    assert "if a line separates" in outcome.note


def test_the_check_notices_a_loss_with_several_minima(monkeypatch):
    """Three points that no w without a bias gets right: with the sigmoid the descents end at different heights."""
    monkeypatch.setitem(loss_minima.LOSSES, "hinge", LOSSES["sigmoid"])
    assert not verdict("L10", board((2, 0, 1), (0, 2, 1), (-2, -2, 1), C=1 / 0.03, bias=False)).holds


# how much errors weigh


def test_two_errors_differ_by_less_than_a_half():
    outcome = verdict("L12")
    values = shown(outcome.printed)
    assert values["smallest sigmoid loss of an error"] == pytest.approx(0.6225, abs=1e-4)
    assert values["largest difference between two errors"] == pytest.approx(0.2583, abs=1e-4)
    assert shown(outcome.control)["largest difference between two errors, hinge loss"] == pytest.approx(1.5)
    assert values["difference between errors at t = −40 and t = 0"] == pytest.approx(0.5)


# a far point


def test_least_squares_turns_by_34_degrees_and_the_hinge_stays():
    outcome = verdict("L14")
    assert shown(outcome.printed)["rotation of the SVM’s line without this point, in degrees"] == pytest.approx(
        0, abs=1e-6
    )
    assert shown(outcome.control)[
        "rotation of the line of the squared loss without this point, in degrees"
    ] == pytest.approx(34.4, abs=0.05)
    situation = Situation(CATALOGUE["L14"].witness.problem)
    w, _b = loss_minima.normal_equations(situation.Phi, situation.y, 0.01, True)
    assert math.degrees(math.atan2(w[1], w[0])) == pytest.approx(-34.4, abs=0.05)
    assert situation.soft_problem.lam == pytest.approx(0.01)
    for loss in ("logistic", "exponential", "hinge"):
        w = descend(loss_minima.scaled_objective(situation, loss, 0.01)).w
        assert math.degrees(math.atan2(w[1], w[0])) == pytest.approx(0, abs=0.05)


@pytest.mark.parametrize(
    ("loss", "errors"), [("squared", 4), ("logistic", 4), ("exponential", 5), ("hinge", 1), ("sigmoid", 1)]
)
def test_how_many_errors_an_outlier_with_the_wrong_label_costs(loss, errors):
    problem = board(*((*x, y) for x, y in zip(EIGHT, LABELS, strict=True)), (7, 0, -1), C=1 / 0.09)
    situation = Situation(problem)
    start = descend(loss_minima.scaled_objective(situation, "hinge", 0.01)) if loss == "sigmoid" else None
    recipe = loss_minima.scaled_objective(situation, loss, 0.01)
    fit = descend(recipe, None if start is None else np.append(start.w, start.b))
    assert zero_one_loss(recipe.margins(fit.w, fit.b)).sum() == errors
    assert verdict("L14", problem).holds


@pytest.mark.parametrize("loss", loss_minima.PULLS)
def test_a_pull_is_that_of_the_mathematics(loss):
    t = np.linspace(-4.1, 4.1, 82)
    assert loss_minima.PULLS[loss](t) == pytest.approx(LOSSES[loss].absolute_slope(t))
