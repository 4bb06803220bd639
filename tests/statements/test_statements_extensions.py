"""X1 and X2: on boards of two classes, of several and of values; what they notice, and why they are idle where they
are."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid, make_dataset, solve
from svmlab.multiclass import BOARDS, Classes, MulticlassProblem, make_classes
from svmlab.regression import Tube, Values
from svmlab.statements import CATALOGUE, Situation
from tests.boards import complaints, random_board

IDS = ("X1", "X2")
KINKED = Values([[0.0], [1.0]], [0.0, 1.0])


def of_classes(seed: int) -> Situation:
    """A random board with up to four classes in the place of two."""
    p = replace(random_board(seed), costs=(1.0, 1.0))
    y = np.random.default_rng(seed + 1000).integers(1, 5, p.data.m)
    return classified(MulticlassProblem(Classes(p.data.X, y), p.kernel, p.C, p.bias))


def classified(several: MulticlassProblem) -> Situation:
    first = Dataset(several.data.X, np.where(several.data.y == 1, 1.0, -1.0))
    return Situation(Problem(first, several.kernel, several.C, several.bias), several=several)


def valued(tube: Tube) -> Situation:
    both = np.c_[tube.data.X, tube.data.y]
    return Situation(Problem(Dataset(both, np.ones(len(both))), tube.kernel, tube.C, tube.bias), tube=tube)


def of_values(seed: int) -> Situation:
    """A random board whose last coordinate is the value, with any eps."""
    p, rng = random_board(seed), np.random.default_rng(seed + 2000)
    X = p.data.X if p.data.d > 1 else np.c_[p.data.X, rng.integers(-2, 3, p.data.m)]
    eps = float(rng.choice([0.0, 0.1, 0.5, 1.0, 4.0]))
    C = 1.0 if p.hard else p.C
    return valued(Tube(Values(X[:, :-1], X[:, -1]), p.kernel, C, eps, p.bias))


def sides(verdict):
    return {side.name: side.value for side in verdict.sides}


@pytest.mark.one_in(2)
@pytest.mark.parametrize("id", IDS)
@pytest.mark.parametrize("first", [0, 50, *(pytest.param(n, marks=pytest.mark.sweep) for n in (100, 150))])
def test_no_random_board_makes_a_false_alarm(id, first):
    make = {"X1": of_classes, "X2": of_values}[id]
    applied = 0
    for seed in range(first, first + 50):
        two, many = (CATALOGUE[id].check(s) for s in (Situation(random_board(seed)), make(seed)))
        assert (seed, complaints({id: two}), complaints({id: many})) == (seed, [], [])
        applied += two.applies + many.applies
    assert applied > 50


def test_where_the_tube_is_just_wide_enough_for_a_level_line_there_is_no_false_alarm():
    """Both values are 0 then, and what an interior point leaves of them is no share of anything."""
    rng, alarms = np.random.default_rng(3), []
    for i in range(80):
        x = np.round(rng.uniform(-8, 8, int(rng.integers(3, 30))), 3)
        y = np.round(0.7 * x + 0.2 if i % 2 else rng.uniform(-7, 7, len(x)), 3)
        tube = Tube(Values(x[:, None], y), (Linear(), Polynomial(2), Gaussian(2.0))[i % 3], 10.0 ** (i % 7 - 3))
        verdict = CATALOGUE["X2"].check(valued(replace(tube, eps=tube.constant_fit_eps)))
        assert verdict.applies
        alarms += [] if verdict.holds else [(i, verdict.residual)]
    assert alarms == []


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("kernel", [Linear(), Polynomial(2), Gaussian(1.0)])
def test_on_every_board_of_classes_the_svms_are_those_of_cvxopt(name, kernel):
    for C, bias in ((0.1, True), (10.0, True), (10.0, False)):
        verdict = CATALOGUE["X1"].check(classified(MulticlassProblem(make_classes(name), kernel, C, bias)))
        assert verdict.applies, verdict.why
        assert verdict.holds


def test_of_three_blobs_the_shares_are_those_of_the_lesson():
    verdict = CATALOGUE["X1"].check(classified(MulticlassProblem(make_classes("blobs"), C=10.0)))
    none, several = (side.value for side in verdict.control.sides)
    assert 0.01 < none < 0.05
    assert 0.2 < several < 0.4
    assert not verdict.control.holds


def test_of_the_class_in_the_middle_no_line_is_left():
    verdict = CATALOGUE["X1"].check(classified(MulticlassProblem(make_classes("row", seed=50), C=10.0)))
    assert verdict.holds
    assert sides(verdict)["smallest norm of a w"] == 0.0


def test_two_classes_are_one_svm_and_its_negative_on_a_board():
    verdict = CATALOGUE["X1"].check(Situation(Problem(make_dataset("overlapping", 40))))
    assert verdict.holds
    assert verdict.control.holds
    assert sides(verdict)["largest absolute value of f₁ + f₂"] < 1e-9
    assert sides(verdict)["SVMs, one for each class"] == 2


@pytest.mark.parametrize("C", [1e3, 100.0])
def test_the_smallest_tube_has_the_value_of_one_eighth_in_both_programs(C):
    s = valued(Tube(KINKED, C=C, eps=0.25))
    verdict = CATALOGUE["X2"].check(s)
    assert verdict.holds
    assert sides(verdict)["primal"] == pytest.approx(0.125, abs=1e-9)
    assert sides(verdict)["dual"] == pytest.approx(0.125, abs=1e-9)
    assert (s.other_tasks.primal.w, s.other_tasks.primal.b) == (pytest.approx([0.5]), pytest.approx(0.25))
    for tube_fit in (s.other_tasks.primal, s.other_tasks.dual, s.other_tasks.fit):
        np.testing.assert_allclose([tube_fit.alpha, tube_fit.alpha_star], [[0, 0.5], [0.5, 0]], atol=1e-8)


@pytest.mark.parametrize(
    ("C", "eps", "value", "support"), [(1.0, 0.3, 1.5166976, 7), (0.1, 0.1, 0.5396403, 13), (10.0, 0.6, 4.7724232, 4)]
)
def test_the_tubes_of_the_lesson_have_their_values(C, eps, value, support):
    x = np.linspace(-3, 3, 15)
    y = 0.7 * x + 0.5 + 0.4 * np.random.default_rng(2).normal(size=15)
    verdict = CATALOGUE["X2"].check(valued(Tube(Values(x[:, None], y), C=C, eps=eps)))
    assert verdict.holds
    assert sides(verdict)["primal"] == pytest.approx(value, abs=1e-7)
    assert sides(verdict)["support vectors"] == support


def test_a_board_of_two_classes_is_a_board_of_values_with_half_the_eps_of_a_level_line():
    problem = Problem(make_dataset("moons", 24))
    s = Situation(problem)
    verdict = CATALOGUE["X2"].check(s)
    assert verdict.holds
    assert s.other_tasks.tube.eps == pytest.approx(np.ptp(problem.data.X[:, 1]) / 4)
    assert "predicted from x₁" in verdict.note
    assert CATALOGUE["X2"].check(valued(s.other_tasks.tube)).note == ""
    assert "C = 1" in CATALOGUE["X2"].check(Situation(replace(problem, C=math.inf))).note


def test_labels_as_values_give_the_same_line_and_other_values_do_not():
    """With values ±1 the program of two classes is what it was; with the values of the witness it has w = 0."""
    data = make_dataset("separable", 12, 0.7, seed=1)
    s = valued(Tube(Values(data.X, data.y), C=0.3, eps=0.1))
    expected = solve(Problem(data, C=0.3))
    np.testing.assert_allclose(s.other_tasks.labelled, expected.alpha * data.y @ data.X, atol=1e-7)
    witness = CATALOGUE["X2"].witness.situation
    np.testing.assert_allclose(witness.other_tasks.labelled, [0.0], atol=1e-9)
    assert CATALOGUE["X2"].check(witness).control.residual > 0.9


def test_a_statement_that_does_not_apply_gives_a_reason():
    straight = Situation(Problem(Dataset([[1.0], [2.0], [4.0]], [1, -1, 1])))
    assert "points with two coordinates" in CATALOGUE["X2"].check(straight).why
    one = Situation(Problem(Dataset([[1.0, 0.0], [2.0, 0.0]], [1, 1])))
    assert "only one class" in CATALOGUE["X1"].check(one).why
    assert CATALOGUE["X2"].check(one).holds
    for id in IDS:
        assert "no feature space" in CATALOGUE[id].check(Situation(Problem(make_dataset("xor", 8), Sigmoid()))).why
        assert (
            "one C for all points"
            in CATALOGUE[id].check(Situation(Problem(make_dataset("xor", 8), costs=(2.0, 1.0)))).why
        )
    mixed = MulticlassProblem(Classes([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], [1, 2, 1]), C=math.inf)
    assert "against the rest" in CATALOGUE["X1"].check(classified(mixed)).why


OF_SEVERAL = (*IDS, "T20")  # statements of several classes or of a regression


def test_what_is_about_two_classes_does_not_judge_others():
    for s in (CATALOGUE["X1"].witness.situation, valued(Tube(KINKED, eps=0.25))):
        verdicts = {id: entry.check(s) for id, entry in CATALOGUE.items() if id not in OF_SEVERAL}
        assert [id for id, each in verdicts.items() if each.applies or "two classes" not in each.why] == []


def test_a_changed_class_is_noticed():
    s = classified(MulticlassProblem(make_classes("blobs"), C=10.0))
    wrong = classified(s.several)
    vars(wrong.other_tasks)["opinions"] = (*s.other_tasks.opinions[1:], s.other_tasks.opinions[0])
    assert not CATALOGUE["X1"].check(wrong).holds


def test_multipliers_of_both_edges_at_once_are_noticed():
    s, wrong = (valued(Tube(KINKED, eps=0.25, C=10.0)) for _ in range(2))
    fit = s.other_tasks.fit
    vars(wrong.other_tasks)["fit"] = replace(fit, alpha=fit.alpha + 1.0, alpha_star=fit.alpha_star + 1.0)
    assert CATALOGUE["X2"].check(s).holds
    assert not CATALOGUE["X2"].check(wrong).holds


def test_with_many_features_the_value_stands_between_the_line_and_the_dual():
    s = Situation(Problem(make_dataset("moons", 120), Gaussian(0.3), 10.0))
    verdict = CATALOGUE["X2"].check(s)
    assert s.other_tasks.primal is None
    assert verdict.holds
    assert "not solved separately" in verdict.note
    vars(s.other_tasks)["fit"] = replace(s.other_tasks.fit, b=s.other_tasks.fit.b + 0.01)
    assert not CATALOGUE["X2"].check(s).holds
