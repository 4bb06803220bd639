"""T1 to T20, the statements of the literature: bounds that their own board attains, and boards of several classes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from svmlab import Dataset, Gaussian, Problem, make_dataset
from svmlab.statements import CATALOGUE, Situation
from svmlab.statements.certified_values import enclose, shifted_optimum
from svmlab.statements.half_spaces import cover, labellings_by_intervals, sauer
from tests.boards import complaints
from tests.offences import each_of
from tests.statements.test_statements_extensions import of_classes

OF_THE_LITERATURE = [id for id in CATALOGUE if id[0] == "T"]
ATTAINED = (  # id: the numbers of the sides that are equal on its board
    ("T2", 2, 3),
    ("T3", 0, 1),
    ("T6", 0, 1),
    ("T6", 1, 2),
    ("T7", 0, 1),
    ("T7", 2, 3),
    ("T8", 0, 2),
    ("T15", 0, 3),
    ("T17", 2, 3),
    ("T19", 6, 7),
)


@each_of(ATTAINED)
def test_a_bound_is_attained_on_its_board(id, bounded, bound):
    sides = CATALOGUE[id].check(CATALOGUE[id].witness.situation).sides
    assert sides[bounded].value == pytest.approx(sides[bound].value, rel=1e-6)
    assert sides[bounded].value > 0


def test_the_slope_of_a_loss_is_the_factor_of_the_complexity_within_the_margin():
    sides = CATALOGUE["T16"].check(CATALOGUE["T16"].witness.situation).sides
    assert sides[3].value == pytest.approx(2.0 * sides[2].value, rel=1e-9)


def test_parallel_images_attain_the_inequality_of_cauchy_and_schwarz():
    assert CATALOGUE["T5"].check(CATALOGUE["T5"].witness.situation).sides[0].value == pytest.approx(1.0)


@each_of(OF_THE_LITERATURE)
def test_a_source_of_the_literature_names_its_authors_and_its_year(id):
    sources = [source for source in CATALOGUE[id].source if source.notes == "literature"]
    assert sources
    for source in sources:
        assert any(str(year) in source.place for year in range(1960, 2020)), source.place
        assert source.place[0].isupper()


@pytest.mark.parametrize("first", [0, pytest.param(20, marks=pytest.mark.sweep)])
def test_no_board_of_several_classes_makes_a_false_alarm(first):
    verdicts = [CATALOGUE["T20"].check(of_classes(seed)) for seed in range(first, first + 20)]
    assert [complaint for verdict in verdicts for complaint in complaints({"T20": verdict})] == []
    assert sum(verdict.applies for verdict in verdicts) > 10


def test_any_multipliers_and_any_line_enclose_the_optimal_value():
    s = Situation(Problem(make_dataset("overlapping", 16), C=0.7))
    rng, best = np.random.default_rng(1), s.soft_solution.objective
    for _ in range(20):
        alpha = rng.random(16)
        alpha[s.y < 0] *= alpha[s.y > 0].sum() / alpha[s.y < 0].sum()
        enclosure = enclose(s, 0.7, rng.standard_normal(2), float(rng.standard_normal()), 0.3 * alpha)
        assert enclosure.lower <= best <= enclosure.upper
    at_best = enclose(s, 0.7, s.expand(s.soft_solution.alpha), s.soft_solution.b, s.soft_solution.alpha)
    assert at_best.width < 1e-12
    assert at_best.upper == pytest.approx(best)


@pytest.mark.parametrize("bias", [True, False])
def test_constraints_with_twice_the_right_side_have_the_optimum_of_half_the_c(bias):
    """y f >= 2 - xi has w and b twice as large, and so has the soft margin where C is half as large."""
    s = Situation(Problem(make_dataset("overlapping", 16), C=2.0, bias=bias))
    w, b, alpha = shifted_optimum(s, 2.0, np.full(16, 2.0))
    half = Situation(Problem(s.problem.data, C=1.0, bias=bias)).soft_solution
    assert w == pytest.approx(2.0 * half.w, abs=1e-6)
    assert alpha.sum() == pytest.approx(2.0 * half.alpha.sum(), rel=1e-6)
    assert enclose(s, 2.0, w, b, alpha, np.full(16, 2.0)).width < 1e-6


def test_counts_of_labellings_are_those_of_the_books():
    assert [sauer(4, d) for d in range(5)] == [1, 5, 11, 15, 16]
    assert [labellings_by_intervals(k) for k in (1, 2, 3, 4)] == [2, 4, 7, 11]
    assert cover(4, 2, bias=True) == 14
    assert cover(4, 2, bias=False) == 8


def test_where_a_statement_of_the_literature_does_not_apply_it_says_what_to_change():
    one_class = Situation(Problem(Dataset([[1.0, 0.0], [2.0, 1.0]], [1, 1])))
    assert "other class" in CATALOGUE["T10"].check(one_class).why
    assert "Switch the bias on" in CATALOGUE["T12"].check(Situation(Problem(one_class.problem.data, bias=False))).why
    moons = make_dataset("moons", 16)
    assert "linear kernel" in CATALOGUE["T19"].check(Situation(Problem(moons, Gaussian()))).why
    assert "Move the points further apart" in CATALOGUE["T18"].check(Situation(Problem(moons, Gaussian(0.5)))).why
    few = Situation(Problem(Dataset([[1.0, 0.0], [-1.0, 0.0]], [1, -1]), C=math.inf))
    assert "at least 4 different points" in CATALOGUE["T19"].check(few).why
    assert "largest possible value" in CATALOGUE["T11"].check(Situation(Problem(moons, C=0.001))).why
