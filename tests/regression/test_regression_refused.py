"""The tube: a wrong answer fails its certificate, what cannot be right is refused, and rounding is no crash."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from svmlab import BadInput, Gaussian, Linear, NotExact, Polynomial, Sigmoid, SolverFailed
from svmlab.regression import Tube, TubeCategory, Values, certify, epsilon_path, least_squares, solve
from svmlab.regression import exact as exact_method
from svmlab.regression.tube_categories import sides_of_tube
from svmlab.solvers import cvxopt_backend
from tests.boards import LINE, tube

METHODS = ["exact", "dual-qp", "primal-qp"]


# certificates


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)], ids=lambda k: k.name)
def test_a_wrong_answer_fails_its_certificate(kernel):
    fit = solve(Tube(LINE, kernel, C=1.0, eps=0.3))
    assert certify(fit).is_optimal()
    up = np.eye(15)[fit.states.tolist().index(-1)]
    for wrong in (
        replace(fit, alpha=1.001 * fit.alpha),
        replace(fit, alpha=fit.alpha + 0.01 * up),
        replace(fit, alpha=fit.alpha + 0.01 * up, alpha_star=fit.alpha_star + 0.01 * up),
        replace(fit, alpha=fit.alpha_star, alpha_star=fit.alpha),
        replace(fit, alpha=0 * fit.alpha, alpha_star=0 * fit.alpha_star),
        replace(fit, b=fit.b + 0.001, evaluation=fit.evaluation.with_bias_moved(0.001)),
    ):
        assert not certify(replace(wrong, states=np.sign(wrong.alpha + wrong.alpha_star) - 1)).is_optimal()


def test_what_both_edges_have_in_common_is_counted_where_it_costs_nothing():
    fit = tube([[0], [1], [2]], [0, 1, 3], 5.0, 0.0, Gaussian(1.0))
    assert fit.free.all()
    assert fit.proven
    assert not replace(fit, alpha=fit.alpha + 0.01, alpha_star=fit.alpha_star + 0.01).proven


def test_where_both_edges_are_one_and_nothing_pulls_there_is_no_side():
    idle = (TubeCategory.EDGE_IDLE,) * 3
    assert sides_of_tube(np.array([1e-12, -1e-12, 1e-6]), np.zeros(3), idle, 1e-9).tolist() == [0, 0, 1]


@pytest.mark.parametrize("method", METHODS)
def test_a_tube_that_is_level_has_no_support_vectors_whoever_solves_it(method):
    fit = solve(Tube(LINE, eps=3.0), method)
    assert not fit.support.any()
    assert fit.objective == 0


def test_the_certificate_is_the_same_in_other_units():
    one = certify(solve(Tube(LINE, C=1.0, eps=0.3)))
    for unit in (1e-6, 1e6):
        fit = solve(Tube(Values(LINE.X, unit * LINE.y), C=unit, eps=0.3 * unit))
        assert certify(fit).is_optimal()
        off = replace(fit, evaluation=fit.evaluation.with_bias_moved(0.001 * unit))
        assert certify(off).complementarity == pytest.approx(0.001 / np.ptp(LINE.y) * 2, rel=1e-6)
    assert one.is_optimal()


def test_far_from_0_no_digit_is_lost():
    here = solve(Tube(LINE, C=1.0, eps=0.3))
    there = solve(Tube(Values(LINE.X + 1e5, LINE.y + 1e5), C=1.0, eps=0.3))
    assert there.w == pytest.approx(here.w, rel=1e-8)
    assert there.decision(LINE.X + 1e5) - 1e5 == pytest.approx(here.decision(LINE.X), abs=1e-8)
    assert there.categories == here.categories
    assert certify(there).is_optimal()


# saying no


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([[0], [1]], [0]), r"X has 2 rows and y has 1 values"),
        (([[0], [1]], [[0], [1]]), r"y must be one-dimensional.*\(2, 1\)"),
        (([[0], [1]], [0, math.nan]), r"y, row 1: nan is not finite"),
        (([[0], [math.inf]], [0, 1]), r"X, row 1: .* is not finite"),
        (([[0], [1, 2]], [0, 1]), r"X must be a table"),
        (([0, 1], [0, 1]), r"X must have shape \(m, d\)"),
        ((3, [1]), r"X must have shape"),
        (([[0], [1]], ["a", "b"]), r"y must be a list of numbers"),
        (([[0], [1]], [0, 1], [4, 4]), r"ids: rows 0 and 1 have the same id 4"),
    ],
)
def test_bad_values_are_refused(arguments, message):
    with pytest.raises(BadInput, match=message):
        Values(*arguments)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"data": [[0]]}, r"^data: expected Values such as .*, got \[\[0\]\]"),
        ({"kernel": Linear}, r"^kernel:"),
        ({"kernel": Sigmoid(0.5)}, r"^kernel: Sigmoid.*semidefinite"),
        ({"kernel": Polynomial(2, -1.0)}, r"^kernel: Polynomial.*semidefinite"),
        *(({"C": C}, r"^C:") for C in (0, -1.0, math.inf, math.nan, "1", None)),
        *(({"eps": eps}, r"^eps:") for eps in (-0.1, math.inf, math.nan, "1", None)),
    ],
)
def test_a_bad_problem_is_refused(change, message):
    with pytest.raises(BadInput, match=message):
        replace(Tube(LINE), **change)


def test_whatever_else_is_wrong_is_named():
    problem = Tube(LINE)
    for call, message in (
        (lambda: problem.qp("both"), "'both' is unknown.*'primal', 'dual'"),
        (lambda: solve(problem, "smo"), r"'smo'.*'exact'"),
        (lambda: solve(Tube(Values([], []))), "no points yet"),
        (lambda: least_squares(Values([], [])), "no points yet"),
        (lambda: solve(Tube(LINE, Gaussian()), "primal-qp"), "gaussian.*feature map"),
        (lambda: least_squares(LINE, Gaussian()), "gaussian.*feature map"),
        (lambda: solve(problem).decision([[1.0, 2.0]]), r"\(1, 2\)"),
        (lambda: epsilon_path(problem, [[0.1]]), r"shape is \(1, 1\)"),
        (lambda: epsilon_path(problem, ["a"]), "^eps must be .* of numbers"),
        (lambda: epsilon_path(problem, [0.1, -0.1]), "^eps: -0.1"),
    ):
        with pytest.raises(BadInput, match=message):
            call()


def test_a_start_that_leads_nowhere_is_not_to_blame_and_what_cannot_be_solved_is_said(monkeypatch):
    problem = Tube(LINE, eps=0.3)
    start, walk, calls = solve(problem), exact_method.minimise, []

    def tired(*arguments):
        calls.append(arguments)
        if len(calls) <= many:
            raise SolverFailed("tired")
        return walk(*arguments)

    monkeypatch.setattr(exact_method, "minimise", tired)
    for many in (0, 1, 2, 3):  # the earlier tube, pairs, 0, the optima of six smaller bounds
        calls.clear()
        assert solve(problem, start=start).beta.tolist() == start.beta.tolist()
        assert len(calls) == many + 2 + (6 if many == 3 else 0)
    many = 10**6
    calls.clear()
    with pytest.warns(NotExact, match="tired.*dual-qp"):
        fit = solve(problem, start=start)
    assert fit.proven
    assert fit.objective == pytest.approx(start.objective, rel=1e-9)
    monkeypatch.setattr(cvxopt_backend, "qp_answers", lambda qp: iter(()))
    calls.clear()
    with pytest.raises(SolverFailed, match="tired"):
        solve(problem, start=start)


@pytest.mark.parametrize(
    ("kernel", "coordinate"), [(Linear(), 1e200), (Polynomial(3), 1e60)], ids=["linear", "polynomial"]
)
def test_numbers_beyond_double_precision_are_no_crash(kernel, coordinate):
    with pytest.raises(BadInput, match=r"^X.* too large to calculate with"):
        tube([[coordinate], [1], [3]], [0, 1, 2], kernel=kernel)


@pytest.mark.parametrize("method", ["dual-qp", "primal-qp"])
def test_an_answer_that_cannot_be_proven_is_no_fit(method, monkeypatch):
    answers = cvxopt_backend.qp_answers

    def off(qp):
        for answer in answers(qp):
            yield replace(answer, u=0.999 * answer.u, inequality=0.999 * answer.inequality)

    monkeypatch.setattr(cvxopt_backend, "qp_answers", off)
    with pytest.raises(SolverFailed, match="method='exact'"):
        solve(Tube(LINE, eps=0.3), method)
