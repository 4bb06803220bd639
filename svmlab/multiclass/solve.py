"""The function that solves the SVMs for several classes."""

from __future__ import annotations

from typing import Literal, overload

import numpy as np

from svmlab.binary.advice import with_advice
from svmlab.binary.cvxopt_solve import reason_unproven, warn_if_unproven
from svmlab.binary.expansion import Evaluation, centre_of_points, shift_of_bias
from svmlab.binary.kkt import Certificate
from svmlab.binary.separability import NotSeparable
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve as binary
from svmlab.core.arrays import Array, frozen, relative_to
from svmlab.core.errors import BadInput, SolverFailed
from svmlab.core.rules import LARGEST_MAGNITUDE, SMALLEST_MAGNITUDE
from svmlab.core.tolerances import EXACT_FACTOR
from svmlab.core.validate import validated
from svmlab.kernels.base import overflow_error
from svmlab.multiclass.finish import JointOptimum, finish
from svmlab.multiclass.interior import mehrotra
from svmlab.multiclass.joint import JointSolution
from svmlab.multiclass.one_vs_rest import OneVsRestSolution
from svmlab.multiclass.partition import JointDual
from svmlab.multiclass.problem import MulticlassProblem, check_joint_solvable
from svmlab.solvers.gram.dense import DenseGram
from svmlab.solvers.gram.rows import low_rank_factor


@overload
def solve(
    problem: MulticlassProblem,
    method: Literal["one-vs-rest"] = ...,
    start: OneVsRestSolution | JointSolution | None = ...,
) -> OneVsRestSolution: ...
@overload
def solve(
    problem: MulticlassProblem, method: Literal["joint"], start: OneVsRestSolution | JointSolution | None = ...
) -> JointSolution: ...


@validated
def solve(
    problem: MulticlassProblem,
    method: Literal["one-vs-rest", "joint"] = "one-vs-rest",
    start: OneVsRestSolution | JointSolution | None = None,
) -> OneVsRestSolution | JointSolution:
    """Solve `problem` by a binary SVM for each class, or by the joint SVM of Crammer and Singer.

    start: an earlier OneVsRestSolution, matched class by class and row by row by id. It makes "one-vs-rest" faster, but
    never changes its result. The joint SVM uses no start. A result that rounding leaves unproven has the warning
    NotExact. Raises BadInput (no points, unknown method, C = inf or an indefinite kernel for "joint"), NotSeparable
    (C = inf), SolverFailed.
    """
    if problem.data.m == 0:
        raise BadInput("There are no points yet. Add at least one point.")
    if method == "joint":
        joint = _joint(problem)
        return warn_if_unproven(joint, reason_unproven(joint), "JointSolution", stacklevel=4)
    earlier = dict(zip(start.classes, start.machines, strict=True)) if isinstance(start, OneVsRestSolution) else {}
    return OneVsRestSolution(problem, tuple(_solve_one_class(problem, k, earlier.get(k)) for k in problem.data.classes))


@validated
def certify(solution: OneVsRestSolution | JointSolution) -> Certificate:
    """Check a solution against its optimality conditions, from its coefficients, b and the points alone."""
    return solution.certificate


def _solve_one_class(problem: MulticlassProblem, k: int, start: Solution | None) -> Solution:
    try:
        return binary(problem.binary_problem(k), start=start)
    except NotSeparable as reason:
        raise NotSeparable("Class {k} against the rest: {reason}", reason.separation, k=k, reason=reason) from reason


def _joint(problem: MulticlassProblem) -> JointSolution:
    check_joint_solvable(problem)
    data, kernel, bias = problem.data, problem.kernel, problem.bias
    K = len(data.classes)
    if K == 1:
        zero = frozen(np.zeros(1))
        return JointSolution(
            problem, frozen(np.zeros((data.m, 1))), zero, (zero, zero), True, frozen(np.full(data.m, -1), np.int8)
        )
    origin = centre_of_points(kernel, data.X, bias)
    X = relative_to(origin, data.X)
    kappa = kernel.largest_diagonal(X)
    if not SMALLEST_MAGNITUDE < kappa * float(problem.bounds.sum()) < LARGEST_MAGNITUDE:
        raise overflow_error(problem.C, kappa)
    dual = JointDual(kernel(X, X) / kappa, np.eye(K)[data.class_index], kappa * problem.bounds, bias)
    D = kernel.feature_dim(data.d)
    if D is not None and data.m >= D:
        Phi = kernel.feature_map(X) / np.sqrt(kappa)
    else:
        Phi, _ = low_rank_factor(DenseGram(dual.K), EXACT_FACTOR, data.m)
    try:
        optimum = finish(dual, *mehrotra(Phi, data.class_index, K, dual.u, bias))
    except SolverFailed as reason:
        raise with_advice(reason, data.X, kernel, problem.C) from reason
    return _result(problem, dual, optimum, kappa, origin)


def _result(
    problem: MulticlassProblem, dual: JointDual, optimum: JointOptimum, kappa: float, origin: Array | None
) -> JointSolution:
    bounds = problem.bounds
    beta = np.where(optimum.beta >= dual.u[:, None], bounds[:, None], optimum.beta / kappa)
    own = (beta * dual.class_indicator).sum(1)
    b, shift = 0.5 * (optimum.lo + optimum.hi), np.zeros(len(optimum.lo))
    if origin is not None:
        shift = shift_of_bias(problem.kernel, problem.data.X - origin, beta, origin)
        shift -= shift.mean()  # each row of beta sums to 0 except for rounding, and so must the biases
    return JointSolution(
        problem,
        frozen(beta),
        frozen(b - shift),
        (frozen(optimum.lo - shift), frozen(optimum.hi - shift)),
        optimum.unique,
        frozen(np.where(own >= bounds, 1, np.where(own > 0, 0, -1)), np.int8),
        Evaluation(origin, offset=None if origin is None else frozen(b)),
    )
