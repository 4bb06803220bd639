"""The forms in which the lecture notes write one problem, and the three treatments of b (S2, S16).

Each form and each treatment is solved by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, frozen
from svmlab.data import Dataset
from svmlab.statements import Situation, opinion
from svmlab.statements.opinion import Primal

FORMS = ("C", "a", "lambda", "lambda_D")


@dataclass(frozen=True, eq=False)
class Form:
    """One form with its constant and its weight on |w|^2 / 2, and the program's solution by cvxopt."""

    key: str
    constant: float
    weight: float
    solution: Primal

    @property
    def norm(self) -> float:
        """Return |w|."""
        return float(np.linalg.norm(self.solution.w))

    def machine(self, problem: Problem) -> Solution:
        """Return the same solution by its multipliers, w = sum alpha y phi / weight, for drawing."""
        alpha = self.solution.alpha / self.weight
        states = np.where(alpha > 1e-7 * float(alpha.max(initial=0.0)), 0, -1)
        b = self.solution.b
        return Solution(problem, frozen(alpha), b, (b, b), None, frozen(states, np.int8), "primal-qp: cvxopt")


def constants(problem: Problem) -> dict[str, float]:
    """Return the constant of each form that gives the solution of `problem`."""
    C, m = problem.C, problem.data.m
    return {"C": C, "a": 1.0 / C, "lambda": 1.0 / (C * m), "lambda_D": 1.0 / (2.0 * C * m)}


def forms(
    problem: Problem, number: float | None = None, report: Callable[[float], None] = lambda done: None
) -> tuple[Form, ...]:
    """Solve each form by cvxopt as it is written, with matching constants or with the same `number` in all of them.

    C: 1/2 |w|^2 + C sum; a: (a/2) |w|^2 + sum; lambda: (lambda/2) |w|^2 + mean; lambda_D: lambda_D |w|^2 + mean. report
    receives the fraction done before each of them.
    """
    lifted, m = Problem(Situation(problem).lifted, C=problem.C, bias=problem.bias), problem.data.m
    given = constants(problem) if number is None else dict.fromkeys(FORMS, number)
    weights = {
        "C": (1.0, given["C"]),
        "a": (given["a"], 1.0),
        "lambda": (given["lambda"], 1.0 / m),
        "lambda_D": (2.0 * given["lambda_D"], 1.0 / m),
    }
    solved = []
    for i, key in enumerate(FORMS):
        report(i / len(FORMS))
        solved.append(Form(key, given[key], weights[key][0], opinion.primal(lifted, *weights[key])))
    return tuple(solved)


def biases(problem: Problem) -> dict[str, Solution]:
    """Return the exact solutions with a free b, a penalised b (the last coordinate of w) and no b, at one C."""
    return {
        "free": solve(replace(problem, bias=True)),
        "penalised": penalised(problem),
        "none": solve(replace(problem, bias=False)),
    }


def penalised(problem: Problem) -> Solution:
    """Return the solution whose b is the last coordinate of w: the kernel k + 1 without bias, b = sum alpha y.

    It is a Solution of the form with a bias, which it does not minimise, so that it can be drawn and measured.
    """
    Phi = Situation(problem).Phi
    lifted = Dataset(np.hstack([Phi, np.ones((len(Phi), 1))]), problem.data.y)
    augmented = solve(Problem(lifted, C=problem.C, bias=False))
    b = float(augmented.alpha @ problem.data.y)
    method = "exact: b penalised as a coordinate of w"
    return Solution(replace(problem, bias=True), augmented.alpha, b, (b, b), None, augmented.states, method)


LARGE = 6000  # numbers in the features above which a program for w takes too long


def program_slack(problem: Problem) -> Array:
    """Return xi as the program's own variables.

    They are those of the primal, or where w is too long the multipliers of alpha <= C in the dual.
    """
    s = Situation(problem)
    if problem.kernel.feature_dim(problem.data.d) is not None and s.Phi.size <= LARGE:
        return frozen(s.soft_primal.xi)
    return frozen(opinion.box_multipliers(problem))


def largest_difference(solved: Sequence[Form]) -> float:
    """Return the largest distance between two of the minimisers w, relative to the longest; 0 where all are 0."""
    longest = max(form.norm for form in solved)
    distance = max(float(np.linalg.norm(a.solution.w - b.solution.w)) for a in solved for b in solved)
    return distance / longest if longest else 0.0
