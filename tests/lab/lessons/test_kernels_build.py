"""The step on building kernels: what every rule makes of a kernel, what breaks it, and the numbers of K5 and K13."""

from __future__ import annotations

from dataclasses import replace
from types import FunctionType

import numpy as np
import pytest

from svmlab import Composed, Dataset, Gaussian, Polynomial, Problem, make_dataset
from svmlab.lab.lessons.kernels.build import BUILD
from svmlab.lab.lessons.kernels.rules import RULES, SECONDS, build, taken_back
from svmlab.lab.session.state import History, Lab, apply
from svmlab.lab.teach.overlay import set_machine
from svmlab.lab.teach.stage import Stage
from svmlab.statements import CATALOGUE, Situation

MOONS = make_dataset("moons", 24, 0.2, seed=2)
ONE = Dataset([[1.0, 0.0]], [1])
EVERY = [(rule, second) for rule in RULES for second in SECONDS]


@pytest.mark.parametrize(("rule", "second"), EVERY)
@pytest.mark.parametrize("recipe", ["linear", "gaussian(1)", "(0.5*linear+1)**2", "linear+gaussian(0.5)"])
def test_every_rule_keeps_a_kernel_a_kernel_for_c_from_0_on(rule, second, recipe):
    for c in (0.0, 0.3, 1.0, 2.0):
        found = build(recipe, second, rule, c, MOONS)
        assert found.known, (rule, c)
        assert found.why is None
        assert found.least >= 0
        assert found.off is None or found.off < 1e-12


@pytest.mark.parametrize("rule", ["between", "scaled", "sum", "polynomial", "exp", "form"])
def test_every_rule_with_a_c_is_broken_by_one_below_0(rule):
    found = build("gaussian(1)", "one", rule, -1.0, MOONS)
    assert not found.known
    assert found.least < -0.01


@pytest.mark.parametrize("rule", ["product", "gaussian"])
def test_rules_without_c_do_not_feel_it(rule):
    one, other = (build("gaussian(1)", "linear", rule, c, MOONS) for c in (1.0, -2.0))
    assert one.known
    assert one.values.tolist() == other.values.tolist()


def test_with_g_minus_f_and_with_minus_1_one_point_is_enough():
    assert build("linear", "one", "between", -1.0, ONE).values.tolist() == [-1.0]
    nothing = Dataset([[0.0, 0.0]], [1])
    assert build("linear", "one", "sum", -1.0, nothing).values.tolist() == [-1.0]


def test_a_matrix_with_a_negative_eigenvalue_is_no_kernel():
    found = build("linear", "one", "form", -1.0, Dataset([[1.0, -1.0], [1.0, 1.0]], [1, -1]))
    assert found.values == pytest.approx([-2.0, 2.0], abs=1e-15)  # -1 and 1, times the squared length 2
    assert build("linear", "one", "form", 0.0, MOONS).known, "semidefinite is enough"


def test_nothing_is_left_at_0_and_what_is_too_long_or_too_large_says_so():
    assert build("linear", "one", "scaled", 0.0, MOONS).kernel is None
    long = "+".join(["gaussian(0.123)"] * 10)
    assert "Take fewer" in str(build(long, "gaussian", "sum", 0.35, MOONS).why)
    assert "values above" in str(build("exp(exp(linear))", "one", "exp", 2.0, Dataset([[7.0, 7.0]], [1])).why)


@pytest.mark.parametrize(
    ("recipe", "before"),
    [
        ("linear+2*gaussian(1)", "linear"),
        ("2*(linear+1)", "linear+1"),
        ("exp(linear*linear)", "linear*linear"),
        ("p(linear,1,2)", "linear"),
        ("gaussian(2,linear**2)", "linear**2"),
        ("linear", "linear"),
        ("gaussian(2)", "gaussian(2)"),
    ],
)
def test_the_last_rule_is_taken_back(recipe, before):
    assert taken_back(recipe) == before


def tried(label: int, stage: Stage) -> Lab:
    """The board after one of the chips."""
    op = BUILD.tries[label].op
    assert callable(op)
    return apply(History(stage.lab), op(stage)).present


@pytest.mark.parametrize("rule", ["between", "sum", "product", "polynomial", "exp", "gaussian"])
@pytest.mark.parametrize("c", [1.0, -1.0])
def test_what_a_rule_made_is_put_on_the_board_and_taken_back(rule, c):
    picks = {pick.name: pick.default for pick in BUILD.picks} | {"rule": rule, "second": "linear"}
    stage = Stage(BUILD.board(), picks=picks, dials={"factor": c})
    made = tried(1, stage)
    assert made.kernel_function == build("gaussian(1)", "linear", rule, c, stage.data).kernel
    back = tried(2, replace(stage, lab=made))
    if rule in ("between", "exp") and c < 0:  # first its sign
        back = tried(2, replace(stage, lab=back))
    assert back.kernel_function == Composed("gaussian(1)")
    assert tried(2, replace(stage, lab=back)) == back, "there is nothing to take back"
    assert tried(2, stage) == stage.lab


def test_where_nothing_is_left_the_board_stays():
    picks = {pick.name: pick.default for pick in BUILD.picks}
    stage = Stage(BUILD.board(), picks=picks, dials={"factor": 0.0})
    assert tried(1, stage) == stage.lab
    assert BUILD.draw(stage)["lines"] is None
    assert BUILD.numbers(stage)


def test_what_cannot_be_built_says_why():
    picks = {pick.name: pick.default for pick in BUILD.picks} | {"rule": "exp"}
    lab = replace(BUILD.board(), kernel="composed", recipe="exp(exp(linear))")
    lab = replace(lab, points=tuple(point._replace(x=point.x // 2, y=point.y // 2) for point in lab.points))
    stage = Stage(lab, picks=picks, dials={"factor": 2.0})
    assert BUILD.first_unmet_need(stage) is None
    assert isinstance(BUILD.says, FunctionType)
    assert "too large to calculate with" in BUILD.says(stage)
    assert BUILD.draw(stage)["lines"] is None
    assert BUILD.chart(stage)


@pytest.mark.parametrize("board", [{"kernel": "polynomial", "coef0": 1e-10}, {"kernel": "polynomial", "scale": 2000.0}])
def test_a_kernel_that_no_recipe_writes_is_not_built_upon(board):
    stage = Stage(replace(BUILD.board(), **board))
    assert isinstance(stage.lab.kernel_function, Polynomial)
    need = BUILD.first_unmet_need(stage)
    assert need is not None
    assert "cannot write this kernel as a recipe" in need.why
    assert BUILD.first_unmet_need(Stage(apply(History(stage.lab), set_machine(**need.settings)).present)) is None


def test_the_gaussian_of_degree_2_at_width_3_has_a_positive_spectrum_on_12_points():
    least = []
    for seed in range(12):
        X = np.random.default_rng(seed).uniform(-2, 2, (12, 2))
        K = Composed("gaussian(3,(linear+1)**2)")(X, X)
        k = Polynomial(2, 1.0)(X, X)
        d = np.diag(k)
        assert pytest.approx(np.exp(-(d[:, None] + d - 2 * k) / 18), rel=1e-12) == K
        least.append(np.linalg.eigvalsh(K)[0])
    assert min(least) > 1e-4
    assert least[11] == pytest.approx(0.0013, abs=5e-5)


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
