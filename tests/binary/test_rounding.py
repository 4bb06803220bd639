"""Where doubles run out: a Gaussian far wider than its points are apart, loads that dwarf the others, ties that are
none."""

from __future__ import annotations

import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from svmlab import Category, Dataset, Gaussian, Linear, NotExact, Polynomial, Problem, SolverFailed, solve
from svmlab.kernels.base import Kernel
from svmlab.kernels.centred_gaussian import CentredGaussian, centred_gaussian

pytestmark = pytest.mark.blas

BENCHMARKS = str(Path(__file__).parents[2] / "benchmarks")
sys.path.append(BENCHMARKS)
from fuzz import KINDS, tried  # noqa: E402
from trials import referee  # noqa: E402
from trials.families import Case, make  # noqa: E402

sys.path.remove(BENCHMARKS)

SQUARES = [[-1.0, 0.0], [1.0, 1.0], [-1.0, 0.0], [1.0, -1.0], [-1.0, 0.0], [-1.0, 0.0], [-1.0, -1.0]]
NEAR = [[-0.015, -0.01], [-0.018, -0.011], [-0.018, -0.011], [0.0, -0.005], [0.009, -0.002]]
SHORT = [[0.0, -1.0], [1.0, 0.0], [-1.0, -1.0], [0.0, 0.0], [0.0, -1.0], [1.0, 0.0], [0.0, 0.0], [0.0, -1.0]]


def case(X: list, y: list, kernel: Kernel, C: float, bias: bool = True, unit: Fraction | None = None, **other) -> Case:
    return Case("undecided/0", np.array(X), np.array(y), kernel, C, bias, unit=unit, **other)


def judged(one: Case) -> str:
    """What the referee says of its solution, which must be proven."""
    solution = solve(one.problem)
    assert solution.proven
    return referee.judged(one, solution)[0]


@pytest.mark.parametrize(
    ("X", "y", "sigma", "C"),
    [
        (NEAR, [1, 1, 1, -1, 1], 8.152240703670312, 0.001280115443480491),
        (SHORT, [1, 1, -1, 1, 1, 1, 1, 1], 483.0, 0.25),
        (SQUARES, [-1, 1, -1, -1, 1, -1, -1], 467.11824025490733, 0.09889311456772046),
    ],
)
def test_a_gaussian_far_wider_than_its_points_are_apart_has_b_and_states_to_the_last_digits(X, y, sigma, C):
    assert judged(case(X, y, Gaussian(sigma), C)) == referee.RIGHT


def test_the_kernel_that_stands_for_it_differs_by_what_a_bias_takes_up_and_keeps_more_digits():
    rng = np.random.default_rng(3)
    X, Z, c = rng.normal(size=(9, 3)), rng.normal(size=(5, 3)), rng.normal(size=9)
    c -= c.mean()
    for sigma in (300.0, 1e5):
        kernel, foot = centred_gaussian(sigma, X)
        f, own = c @ Gaussian(sigma)(X, Z), c @ foot + c @ kernel(X, Z)
        assert own == pytest.approx(f, abs=1e-15)
        # to the first order that is <x - o, z - o> / sigma^2
        K = (X - kernel.centre) @ (Z - np.array(kernel.centre)).T / sigma**2
        assert kernel(X, Z) == pytest.approx(K, abs=30 / sigma**2 * (30 / sigma**2) + 1e-10 / sigma**2)
        assert kernel.gradient(X, c, Z) == pytest.approx(Gaussian(sigma).gradient(X, c, Z), abs=1e-15 / sigma)
        assert (kernel.diag(X) == kernel(X, X).diagonal()).all()
        written = eval(kernel.numpy.format(**vars(kernel)), {"np": np, "A": X, "B": Z})
        assert written == pytest.approx(kernel(X, Z), rel=1e-9, abs=1e-16 / sigma)


def test_only_points_close_to_each_other_get_a_centred_kernel():
    X = np.array([[0.0, 0.0], [0.5, 1.0], [1.0, 0.0]])
    assert isinstance(centred_gaussian(50.0, X)[0], CentredGaussian)
    assert centred_gaussian(50.0, X + 7.0)[0].centre == tuple(0.5 * (X.min(0) + X.max(0)) + 7.0)
    assert centred_gaussian(20.0, X) is None
    assert centred_gaussian(50.0, X + np.array([[0.0], [99.0], [0.0]])) is None  # the first and the last alone are near
    assert centred_gaussian(50.0, np.ones((3, 2))) is None
    assert solve(Problem(Dataset(X, [1, -1, 1]), Gaussian(20.0), 1.0)).evaluation.kernel is None


def test_a_wide_gaussian_draws_what_it_is_solved_with():
    X, y = np.array(SQUARES), np.array([-1, 1, -1, 1, -1, -1, 1])
    solution = solve(Problem(Dataset(X, y), Gaussian(100.0), 1e4))
    assert solution.evaluation.kernel is not None
    Z = np.random.default_rng(0).normal(size=(20, 2))
    f = (solution.alpha * y) @ Gaussian(100.0)(X, Z) + solution.b
    assert solution.decision(Z) == pytest.approx(f, abs=1e-8)
    values, slopes = solution.value_and_gradient(Z)
    assert values == pytest.approx(solution.decision(Z), rel=1e-12)
    h = 1e-4
    by_x = (solution.decision(Z + [h, 0]) - solution.decision(Z - [h, 0])) / (2 * h)
    assert slopes[:, 0] == pytest.approx(by_x, abs=1e-7)


def test_loads_of_a_thousand_million_leave_the_small_ones_their_states():
    """Points with both labels carry C; beside them a load of 1 is not 0, and one image has one load."""
    X = [[-1.0, 1.0], [1.0, 0.0], [1.0, 1.0], [-1.0, 0.0], [-1.0, 0.0], [1.0, 0.0]]
    assert judged(case(X, [-1, 1, -1, -1, 1, 1], Polynomial(6, 0.0, 1.0), 918286892.2348416, False)) == referee.RIGHT
    N = [[-1, -1, 1], [-1, 0, 1], [-1, 0, -1], [0, 0, 1], [-1, 1, 1], [-1, 1, 1], [-1, -1, 1]]
    board = case(np.array(N) / 3, [1, 1, -1, 1, -1, 1, 1], Polynomial(2, 1.0, 0.5), 1e9, unit=Fraction(1, 3))
    assert judged(board) == referee.RIGHT


@pytest.mark.parametrize(("name", "seed"), [("collinear/654", 0), ("integers/3432", 1)])
def test_no_multiplier_at_a_bound_is_counted_as_free(name, seed):
    family, number = name.split("/")
    solution = solve(make(family, int(number), seed).problem)
    free = (solution.alpha > 0) & (solution.alpha < solution.problem.bounds)
    assert (solution.free == free).all()
    assert solution.proven


def test_points_that_only_rounding_ties_prove_nothing():
    """At 1000, a thousandth apart, and w = 1/1000: their margins differ by less than the rounding of f, but they do
    differ."""
    board = make("raw", 597, 1)
    with pytest.raises(SolverFailed, match="Standardise"):
        solve(board.problem)
    straight = replace(board, X=(board.X - board.X.mean()) / board.X.std(), unit=None)
    assert judged(straight) == referee.RIGHT


def test_of_optima_that_rounding_hides_from_each_other_none_is_proven():
    """Numbers near 0 in a sigmoid that is all but constant there: the conditions hold, and the states may be another
    optimum's."""
    with pytest.warns(NotExact, match="several optimal alpha"):
        solution = solve(make("collinear", 1111, 1).problem)
    assert solution.certificate.is_optimal()
    assert not solution.least_norm_known
    assert not solution.proven


ONCE = (
    ("collinear/677", "collinear/784", "collinear/911", "costs/1348", "raw/162", "raw/502", "raw/647"),
    ("collinear/1111", "kernels/1149", "integers/1574", "thirds/43"),
)


@pytest.mark.parametrize(("name", "seed"), [(name, seed) for seed in (0, 1) for name in ONCE[seed]])
def test_nothing_is_wrong_with_what_once_was(name, seed):
    family, number = name.split("/")
    trial = tried(family, int(number), seed)
    assert not [trial.faults[kind] for kind in KINDS if kind in trial.faults], trial.case


def test_a_share_of_a_third_is_a_third_and_classes_of_one_weight_leave_b_an_interval():
    X = [[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [1.0, 1.0], [2.0, 0.0]]
    board = case(X, [1, 1, -1, -1, -1], Linear(), 1e-3, unit=Fraction(1), costs=(0.5, 1 / 3))
    lo, hi = solve(board.problem).b_interval
    assert hi - lo > 1
    assert judged(board) == referee.RIGHT


def test_what_alpha_costs_in_the_kernel_itself_is_part_of_the_gap():
    """At C = 1e11 the last digit of alpha is a margin's seventh there, though not beside the bias, and C times it is
    told."""
    with pytest.warns(NotExact, match="rounding alone"):
        solution = solve(make("raw", 171, 1).problem)
    assert solution.evaluation.kernel is not None
    assert not solution.proven
    assert abs(solution.gap) < solution.floor < solution.certificate.gap


def test_where_w_is_0_far_points_are_on_their_margin_and_b_is_a_label():
    """The mean of one class lies amid the other: w = 0, and what a shift to points near 1000 adds to b is rounding."""
    angles = np.arange(8) * np.pi / 4
    ring = 0.3 * np.c_[np.cos(angles), np.sin(angles)]
    X = 1000.1 + np.r_[ring, [[0.03, 0.015], [-0.021, 0.006], [0.0, -0.03]]]
    solution = solve(Problem(Dataset(X, [-1.0] * 8 + [1.0] * 3), C=389.0))
    assert solution.norm_w == 0
    assert solution.b == pytest.approx(-1, abs=1e-13)
    assert set(solution.categories[:8]) <= {Category.MARGIN_FREE, Category.MARGIN_FULL, Category.MARGIN_IDLE}


def test_f_is_right_where_w_is_too_long_to_be_written_down():
    """With more than 10,000 coordinates f is the sum over the points, moved to the origin as in the solver."""
    X = np.random.default_rng(0).normal(size=(8, 10_001)) + 3.0
    solution = solve(Problem(Dataset(X, [1, -1] * 4)))
    assert solution.w is None
    assert solution.proven
    assert solution.margins == pytest.approx(np.ones(8), abs=1e-9)
    assert solution.decision(X) == pytest.approx(solution.problem.data.y, abs=1e-9)
