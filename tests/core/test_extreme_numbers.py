"""Numbers at the edge of what doubles hold: a right answer, or a refusal that says what is wrong."""

from __future__ import annotations

import math
from contextlib import suppress
from fractions import Fraction

import numpy as np
import pytest

from svmlab import (
    BadInput,
    Composed,
    Dataset,
    Gaussian,
    Linear,
    Polynomial,
    Problem,
    SolverFailed,
    SvmError,
    make_dataset,
    multiclass,
    pegasos,
    regression,
    regularization_path,
    separate,
    solve,
)
from svmlab.binary.advice import STANDARDISE_ADVICE, advice
from svmlab.core.errors import quoted
from svmlab.solvers import cvxopt_backend, exact

X = np.random.default_rng(1).normal(size=(10, 2))
Y = np.where(X[:, 0] + 0.4 * X[:, 1] ** 2 > 0, 1, -1)
KERNELS = {
    "linear": lambda: Linear(),
    "degree 2": lambda: Polynomial(2),
    "degree 12": lambda: Polynomial(12, 0, 1),
    "far constant": lambda: Polynomial(3, 1e50, 1e-50),
    "gaussian": lambda: Gaussian(1),
    "narrow": lambda: Gaussian(1e-99),
    "wide": lambda: Gaussian(1e99),
    "too narrow": lambda: Gaussian(1e-200),
    "too wide": lambda: Gaussian(1e200),
    "composed": lambda: Composed("exp(linear)"),
}
DOORS = {
    "solve": lambda data, kernel, C: _seen(solve(Problem(data, kernel, C)), data.X),
    "path": lambda data, kernel, C: regularization_path(Problem(data, kernel)).C,
    "separate": lambda data, kernel, C: separate(data, kernel).separable,
    "tube": lambda data, kernel, C: _seen(
        regression.solve(regression.Tube(regression.Values(data.X, data.X[:, 0]), kernel, C)), data.X
    ),
    "joint": lambda data, kernel, C: multiclass.solve(
        multiclass.MulticlassProblem(multiclass.Classes(data.X, data.y + 2), kernel, C), "joint"
    ).decision(data.X),
    "pegasos": lambda data, kernel, C: pegasos(data, 1 / C if math.inf > C else 1.0, 20, kernel=kernel).last,
}


def _seen(solution, Z):
    return np.r_[solution.objective, solution.dual_objective, solution.b, solution.norm_w, solution.decision(Z)]


@pytest.mark.one_in(3)
@pytest.mark.filterwarnings("ignore::svmlab.NotExact")
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)
def test_every_scale_has_a_finite_answer_or_a_refusal(door, kernel):
    for scale in (1e-170, 1e-120, 1e-60, 1e-20, 1.0, 1e20, 1e99, 1e160):
        for C in (1e-100, 1.0, 1e100, math.inf):
            with suppress(SvmError):
                assert np.isfinite(door(Dataset(scale * X, Y), kernel(), C)).all(), (scale, C)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (10**400, "C: 1000"),
        (10**5000, "thousands of digits"),
        (1e200, "too large"),
        (1e-320, "too small"),
        (np.float64(math.nan), "not a number"),
        (-math.inf, "above 0"),
        (True, "not a number"),
        (1j, "not a number"),
    ],
    ids=range(8),
)
def test_an_invalid_c_is_quoted_shortly(value, said):
    with pytest.raises(BadInput, match=r"^C: ") as raised:
        Problem(make_dataset("xor"), C=value)
    assert said in str(raised.value)
    assert len(str(raised.value)) < 200


@pytest.mark.parametrize("value", [2, np.int8(2), np.float32(2), np.array(2.0), Fraction(2)])
def test_a_number_of_any_kind_is_the_same_number(value):
    problem = Problem(make_dataset("xor"), Gaussian(value), value)
    assert problem.key == Problem(make_dataset("xor"), Gaussian(2.0), 2.0).key
    assert type(problem.C) is type(problem.kernel.sigma) is float


@pytest.mark.parametrize("bias", ["no", None, 2, 0.0, []])
def test_bias_is_true_or_false(bias):
    with pytest.raises(BadInput, match=r"^bias: expected True or False"):
        Problem(make_dataset("xor"), bias=bias)


@pytest.mark.parametrize("ids", [[0.5, 1], ["a", "b"], [1j, 2], [math.nan, 1], [2**70, 1], [1, 1], [1], [[1, 2]]])
def test_ids_are_whole_and_distinct(ids):
    with pytest.raises(BadInput, match=r"^ids\b"):
        Dataset([[0], [1]], [1, -1], ids)


def test_whole_ids_keep_all_their_digits():
    assert Dataset([[0], [1]], [1, -1], [2**62 + 1, 2]).ids.tolist() == [2**62 + 1, 2]


@pytest.mark.parametrize(
    "places",
    [[[1j]], [[1], [1, 2]], [["1"]], [[10**400]], [[math.inf]], [[1e160]], [[None]], np.ma.masked_equal([[1.0]], 1.0)],
    ids=str,
)
def test_points_are_real_finite_and_not_too_far(places):
    with pytest.raises(BadInput, match=r"^X\b"):
        Dataset(places, [1])


def test_points_may_be_tables_of_other_libraries():
    class Table:
        """As a DataFrame gives its values."""

        def __array__(self, dtype=None, copy=None):
            return np.array([[1, 2], [3, 4]], dtype=object)

    assert Dataset(Table(), [1, -1]).X.tolist() == [[1.0, 2.0], [3.0, 4.0]]


def test_a_long_value_is_quoted_on_one_short_line():
    assert len(quoted(np.zeros((90, 90)))) <= 40
    assert "\n" not in quoted(np.zeros((3, 3)))
    assert quoted("a" * 38) == "'" + "a" * 38 + "'", "40 characters are quoted whole"
    assert quoted("a" * 39) == "'" + "a" * 36 + "..."


# what is advised helps


@pytest.mark.parametrize(
    ("scale", "C", "kernel", "said", "unsaid"),
    [
        (1.0, 1.0, Linear(), "another kernel", ["C.", "Standardise"]),
        (1.0, 1e6, Linear(), "Lower C.", ["Standardise", "Raise"]),
        (1.0, 1e-9, Gaussian(1), "Raise C.", ["Standardise", "Lower"]),
        (1.0, 1.0, Gaussian(1), "Change the sigma", ["C.", "Standardise"]),
        (1e4, 1e-9, Linear(), STANDARDISE_ADVICE, ["Lower"]),
        (1.0, math.inf, Gaussian(1), "Change the sigma", ["C."]),
    ],
)
def test_only_what_is_not_so_already_is_advised(scale, C, kernel, said, unsaid):
    words = advice(scale * X, kernel, C)
    assert said in words
    assert not [word for word in unsaid if word in words]


def test_the_running_method_is_not_advised(monkeypatch):
    def tired(*_, **__):
        raise SolverFailed("Tired.")

    monkeypatch.setattr(exact, "solve", tired)
    monkeypatch.setattr(cvxopt_backend, "qp_answers", lambda qp: iter(()))
    problem = Problem(Dataset(X, Y), Gaussian(1), 1.0)
    with pytest.raises(SolverFailed, match=r"^Tired. Change the sigma of the kernel.$"):
        solve(problem)
    with pytest.raises(SolverFailed, match=r"Use method='exact'. Change the sigma"):
        solve(problem, "dual-qp")
