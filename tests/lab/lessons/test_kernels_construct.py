"""The step on constructing kernels: which rules keep a kernel a kernel, which do not, and the numbers of K5 and K13."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from svmlab import Composed, Dataset, Gaussian, Polynomial, Problem, make_dataset
from svmlab.lab.lessons.kernels.construct import CONSTRUCT, label
from svmlab.lab.lessons.kernels.rules import RULES, SECONDS, construct
from svmlab.lab.session.state import History, apply
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.statements import CATALOGUE, Situation
from tests.offences import each_of

MOONS = make_dataset("moons", 24, 0.2, seed=2)
ONE = Dataset([[1.0, 0.0]], [1])
EVERY = [(rule, second) for rule in RULES for second in SECONDS]


def stage(rule="sum", r=-1.0, **settings):
    picks = {pick.name: pick.default for pick in CONSTRUCT.picks} | {"rule": rule}
    return Stage(replace(CONSTRUCT.board(), **settings), shown=True, picks=picks, dials={"factor": r})


RECIPES = ("linear", "gaussian(1)", "(0.5*linear+1)**2", "linear+gaussian(0.5)")


@each_of([(*pair, recipe) for pair in EVERY for recipe in RECIPES])
def test_every_rule_keeps_a_kernel_a_kernel_for_factors_from_0_on(rule, second, recipe):
    for r in (0.0, 0.3, 1.0, 2.0):
        function = construct(recipe, second, rule, r, MOONS)
        assert function.is_kernel, (rule, r)
        assert function.why is None
        assert function.smallest_eigenvalue >= 0


@pytest.mark.parametrize("rule", ["between", "scaled", "sum", "polynomial", "exp", "form"])
def test_every_rule_with_a_factor_fails_for_one_below_0(rule):
    function = construct("gaussian(1)", "one", rule, -1.0, MOONS)
    assert not function.is_kernel
    assert function.smallest_eigenvalue < -0.01
    a = function.coefficients
    assert a @ function.matrix @ a == pytest.approx(function.smallest_eigenvalue)


@pytest.mark.parametrize("rule", ["product", "gaussian"])
def test_rules_without_a_factor_do_not_depend_on_it(rule):
    one, other = (construct("gaussian(1)", "linear", rule, r, MOONS) for r in (1.0, -2.0))
    assert one.is_kernel
    assert one.matrix.tolist() == other.matrix.tolist()
    assert CONSTRUCT.animation(stage(rule)) is None
    assert CONSTRUCT.drawn(stage(rule))["sliders"] == []


def test_with_h_minus_g_and_with_minus_1_one_point_is_enough():
    assert construct("linear", "one", "between", -1.0, ONE).eigenvalues.tolist() == [-1.0]
    nothing = Dataset([[0.0, 0.0]], [1])
    assert construct("linear", "one", "sum", -1.0, nothing).eigenvalues.tolist() == [-1.0]


def test_a_matrix_with_a_negative_eigenvalue_gives_no_kernel():
    function = construct("linear", "one", "form", -1.0, Dataset([[1.0, -1.0], [1.0, 1.0]], [1, -1]))
    assert function.eigenvalues == pytest.approx([-2.0, 2.0], abs=1e-15)  # -1 and 1, times the squared length 2
    assert construct("linear", "one", "form", 0.0, MOONS).is_kernel, "semidefinite is enough"


def test_the_factor_0_gives_0_and_what_is_too_long_or_too_large_says_so():
    assert not construct("linear", "one", "scaled", 0.0, MOONS).matrix.any()
    long = "+".join(["gaussian(0.123)"] * 10)
    assert "Take fewer" in str(construct(long, "gaussian", "sum", 0.35, MOONS).why)
    assert "values above" in str(construct("exp(exp(linear))", "one", "exp", 2.0, Dataset([[7.0, 7.0]], [1])).why)


def test_the_chart_compares_both_kernels_with_sum_product_and_difference():
    rows = {trace.name: np.asarray(trace.customdata) for trace in CONSTRUCT.chart(stage()).figure.data}
    assert list(rows) == ["k₁", "k₂", "k₁ + k₂", "k₁ k₂", "k₁ − k₂"]
    K1, K2 = Gaussian(1.0)(MOONS.X, MOONS.X), MOONS.X @ MOONS.X.T
    for name, K in {"k₁": K1, "k₂": K2, "k₁ + k₂": K1 + K2, "k₁ k₂": K1 * K2, "k₁ − k₂": K1 - K2}.items():
        np.testing.assert_allclose(rows[name], np.linalg.eigvalsh(K), atol=1e-9, err_msg=name)
    assert [name for name, values in rows.items() if (values < 0).any()] == ["k₁ − k₂"]


def test_a_row_is_named_by_its_factor():
    assert [label("sum", r) for r in (2.0, -0.5, 0.0)] == ["k₁ + 2 k₂", "k₁ − 0.5 k₂", "k₁ + 0 k₂"]
    assert label("exp", -1.0) == "exp(r k₁), r = −1"


def test_bars_stand_on_the_points_where_a_squared_length_would_be_negative():
    assert CONSTRUCT.drawn(stage())["overlay"]
    assert CONSTRUCT.drawn(stage(r=1.0))["overlay"] == []


def test_a_difference_without_a_negative_eigenvalue_needs_another_board():
    need = CONSTRUCT.first_unmet_need(stage(kernel="linear"))
    assert need is not None
    assert "no negative eigenvalue" in need.why


def test_what_cannot_be_computed_says_why():
    lab = replace(CONSTRUCT.board(), kernel="composed", recipe="exp(exp(linear))")
    lab = replace(lab, points=tuple(point._replace(x=point.x // 2, y=point.y // 2) for point in lab.points))
    large = replace(stage("exp", 2.0), lab=lab)
    assert "too large to calculate with" in CONSTRUCT.says_text(large)
    assert CONSTRUCT.drawn(large)["overlay"] == []
    assert CONSTRUCT.chart(large)


@pytest.mark.parametrize("board", [{"kernel": "polynomial", "coef0": 1e-10}, {"kernel": "polynomial", "scale": 2000.0}])
def test_a_kernel_that_no_recipe_writes_is_replaced(board):
    other = stage(**board)
    assert isinstance(other.lab.kernel_function, Polynomial)
    need = CONSTRUCT.first_unmet_need(other)
    assert need is not None
    assert "cannot write the kernel on the board as a recipe" in need.why
    assert CONSTRUCT.first_unmet_need(Stage(apply(History(other.lab), set_machine(**need.settings)).present)) is None


def test_the_gaussian_of_degree_2_at_width_3_has_a_positive_spectrum_on_12_points():
    smallest_eigenvalues = []
    for seed in range(12):
        X = np.random.default_rng(seed).uniform(-2, 2, (12, 2))
        K = Composed("gaussian(3,(linear+1)**2)")(X, X)
        k = Polynomial(2, 1.0)(X, X)
        d = np.diag(k)
        assert pytest.approx(np.exp(-(d[:, None] + d - 2 * k) / 18), rel=1e-12) == K
        smallest_eigenvalues.append(np.linalg.eigvalsh(K)[0])
    assert min(smallest_eigenvalues) > 1e-4
    assert smallest_eigenvalues[11] == pytest.approx(0.0013, abs=5e-5)


def test_the_witness_of_k5_is_one_point_with_the_square_minus_1():
    verdict = CATALOGUE["K5"].check(Situation(CATALOGUE["K5"].witness.problem))
    assert not verdict.printed.holds
    assert verdict.printed.sides[0].value == -1.0
    assert verdict.repaired.holds


@pytest.mark.parametrize("kernel", [Gaussian(0.5), Polynomial(4, 1.0, 0.5), Composed("linear+gaussian(1)")])
def test_k5_and_k13_hold_with_other_kernels(kernel):
    for id in ("K5", "K13"):
        verdict = CATALOGUE[id].check(Situation(Problem(make_dataset("moons", 40, 0.2, seed=1), kernel)))
        assert verdict.applies, verdict.why
        assert verdict.holds
        assert verdict.residual < 1e-12


def test_the_fourth_power_of_the_distance_makes_no_kernel():
    verdict = CATALOGUE["K13"].check(Situation(CATALOGUE["K13"].witness.problem))
    assert not verdict.control.holds
    assert verdict.control.residual > 0.1
