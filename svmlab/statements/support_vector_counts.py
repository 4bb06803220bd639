"""G5 and G9: how many support vectors there are, and whether a kernel needs fewer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.kernels.standard import Gaussian, Linear
from svmlab.statements import opinion
from svmlab.statements.opinion import decision_uncertainty, need_exact
from svmlab.statements.situation import Situation
from svmlab.statements.soft_margin import BOTH_CLASSES
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

# In margin units: how closely the second solver determines the distance of a point from its margin line.
DISTANCE_TOLERANCE = 1e-4
WIDTHS_APART = 8.0  # widths sigma between the two closest positions: there k is below 1e-13
PLACES = 100  # the largest number of positions that is used


@dataclass(frozen=True, eq=False)
class SupportVectorCount:
    """The number N of support vectors of the exact method, and bounds for it from the second solver.

    number_below_1: of the points with y f below 1. number_at_most_1: of the points with y f at most 1. Both up to
    DISTANCE_TOLERANCE. off: the difference of <w, phi(x_i)> of the two solvers in margin units, or by how much N lies
    outside the two bounds. left_open: the difference that the duality gaps of the two solvers allow.
    """

    N: int
    number_below_1: int
    number_at_most_1: int
    off: float
    left_open: float


def count_support_vectors(e: Solution, d: opinion.Dual) -> SupportVectorCount:
    """Return the SupportVectorCount of an exact solution e and the second solver's d.

    At every optimal b, alpha > 0 wherever y f < 1, and alpha = 0 wherever y f > 1.
    """
    problem = e.problem
    y, K = problem.data.y, problem.gram
    signed, other_signed = e.alpha * y, d.alpha * y
    t = y * (other_signed @ K + d.b)
    largest_norm = float(np.sqrt(np.diag(K).max(initial=0.0))) or 1.0
    unit = max(1.0, largest_norm * e.norm_w)
    difference = float(np.abs((signed - other_signed) @ K).max(initial=0.0))
    N = int(e.support.sum())
    number_below_1, number_at_most_1 = (
        int((t < 1 - DISTANCE_TOLERANCE * unit).sum()),
        int((t <= 1 + DISTANCE_TOLERANCE * unit).sum()),
    )
    outside = float(max(number_below_1 - N, N - number_at_most_1, 0))
    gaps = sum(decision_uncertainty(problem, alpha) for alpha in (e.alpha, d.alpha))
    return SupportVectorCount(N, number_below_1, number_at_most_1, max(difference / unit, outside), gaps / unit)


def second_solver_sides(count: SupportVectorCount, name: str) -> tuple[Side, Side]:
    """Return the numbers by the second solver as two sides."""
    return (
        Side(Phrase("{who}: y f(x) < 1, second solver", who=name), float(count.number_below_1)),
        Side(Phrase("{who}: y f(x) ≤ 1, second solver", who=name), float(count.number_at_most_1)),
    )


def solve_identity_gram(s: Situation) -> tuple[Solution, Array]:
    """Return a solution for a Gaussian so narrow that k is 0 between any two positions, and alpha by formula.

    One point of each position is used. K = 1 is the identity, so alpha_i = min(C, 1 - y_i b). With a bias, sum y alpha
    = 0 gives b.
    """
    _, rows = np.unique(s.X, axis=0, return_index=True)
    rows = np.sort(rows)[:PLACES]
    data = Dataset(s.X[rows], s.y[rows])
    squares = ((data.X[:, None] - data.X) ** 2).sum(-1)
    least_distance = float(np.sqrt(squares[squares > 0].min(initial=np.inf)))
    kernel = Gaussian(least_distance / WIDTHS_APART if np.isfinite(least_distance) else 1.0)
    bias = s.problem.bias and data.both_classes
    p, q = int((data.y > 0).sum()), int((data.y < 0).sum())
    if bias:
        alpha_of_smaller = min(max(p, q) / (0.5 * data.m), s.soft_problem.C)  # alpha of the class with fewer points
        alpha = np.where((data.y > 0) == (p <= q), alpha_of_smaller, alpha_of_smaller * min(p, q) / max(p, q))
    else:
        alpha = np.full(data.m, min(1.0, s.soft_problem.C))
    return solve(Problem(data, kernel, s.soft_problem.C, bias)), alpha


@statement(
    "G5",
    N_("Number of support vectors with a kernel"),
    sentence=N_("With another kernel, an SVM can have fewer or more support vectors than with the linear kernel."),
    formula=r"N_k \overset{?}{<} N_{\text{linear}}",
    source=(
        Source(
            "A",
            N_("after the compression bound"),
            "hedged",
            "In tal caso, ci aspettiamo che il numero di supporti sia ridotto rispetto al caso senza kernel.",
            N_(
                "A kernel that fits the shape of the classes can have fewer support vectors. If a line fits, or "
                "if the kernel is narrow, there are often more. The notes expect fewer."
            ),
            59,
        ),
    ),
    repair=N_(
        "With a suitable kernel there can be fewer support vectors, and with another kernel more. If a "
        "Gaussian is narrow enough, every position has a support vector."
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="generalisation",
    subject="soft",
    witness=Witness(
        ((1.5, 0.0), (2.5, 1.5), (2.5, -1.5), (3.5, 0.5), (-1.5, 0.0), (-2.5, -1.5), (-2.5, 1.5), (-3.5, -0.5)),
        (1, 1, 1, 1, -1, -1, -1, -1),
        N_("The linear kernel needs two of these points as support vectors. A Gaussian with σ = 1 needs all eight."),
        Gaussian(1.0),
        C=10.0,
    ),
)
def fewer(s: Situation, tol: float) -> Outcome:
    """Compare the support vectors of both solutions by the exact method with those by the second solver.

    The second solver is counted by the margins of the points. A very narrow Gaussian is compared with its formula.
    """
    exact = s.soft_solution
    is_linear = s.soft_problem.kernel.is_linear
    other = solve(replace(s.soft_problem, kernel=Gaussian(1.0) if is_linear else Linear()))
    own_count, other_count = (
        count_support_vectors(exact, s.soft_dual),
        count_support_vectors(other, opinion.dual(other.problem)),
    )
    linear_count, kernel_count = (own_count, other_count) if is_linear else (other_count, own_count)
    tol = s.tolerance_for(tol, exact, other)
    for counted in (own_count, other_count):
        need_exact(counted.off, tol, counted.left_open)
    narrow_solution, alpha = solve_identity_gram(s)
    difference_of_alpha = float(np.abs(narrow_solution.alpha - alpha).max()) / max(1.0, float(alpha.max()))
    places = len(alpha)
    return Outcome(
        reading(
            tol,
            max(0, kernel_count.N - linear_count.N + 1) / s.m,
            Side("support vectors, linear kernel", float(linear_count.N)),
            Side("support vectors, other kernel", float(kernel_count.N)),
            words=N_("The other kernel has fewer support vectors than the linear kernel."),
        ),
        reading(
            tol,
            max(
                own_count.off,
                other_count.off,
                difference_of_alpha,
                float(abs(places - int(narrow_solution.support.sum()))),
            ),
            Side("support vectors, linear kernel", float(linear_count.N)),
            *second_solver_sides(linear_count, N_("linear kernel")),
            Side("support vectors, other kernel", float(kernel_count.N)),
            *second_solver_sides(kernel_count, N_("other kernel")),
            Side("support vectors of a very narrow Gaussian", float(narrow_solution.support.sum())),
            Side("different positions", float(places)),
        ),
        note=N_("The kernel on the board is linear, so it is compared with a Gaussian kernel with σ = 1.")
        if is_linear
        else "",
    )


@statement(
    "G9",
    N_("Number of support vectors"),
    sentence=N_(
        "Every point with y f(x) < 1 is a support vector, and no point with y f(x) > 1 is one. So the "
        "support vectors are few if few points have y f(x) ≤ 1, and many if many points have y f(x) < 1."
    ),
    formula=(
        r"\#\{y_i f(x_i) < 1\} \;\le\; N \;\le\; \#\{y_i f(x_i) \le 1\}, \qquad \tfrac1C \textstyle\sum_i "
        r"\alpha_i \le N"
    ),
    source=(
        Source(
            "B",
            N_("Classification through SVM"),
            "hedged",
            (
                "does not take into account all training set items, but only support vectors, usually a quite "
                "small subset of the training set"
            ),
            N_(
                "Every point with positive slack is a support vector. So most or all points can be support "
                "vectors if the classes overlap or the kernel is narrow. The slides claim that they are usually "
                "few."
            ),
            35,
        ),
        Source(
            "B",
            N_("Passing from primal to dual, the advantage"),
            "hedged",
            r"The number of variables to be considered, which are relevant for classification, turns out to be quite "
            r"smaller than n.",
            N_("Every point with positive slack is a support vector, so their number can also be close to n, or n."),
            28,
        ),
    ),
    repair=N_(
        "All points with y f(x) < 1 are support vectors. A point with y f(x) = 1 can be a support vector, but "
        "need not be one. A point with y f(x) > 1 is never a support vector."
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="generalisation",
    subject="soft",
    witness=Witness(
        ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0)),
        (1, -1, 1, -1, 1, -1),
        N_("With σ = 0.2 the kernel value of two different points is almost 0. All six points are support vectors."),
        Gaussian(0.2),
    ),
)
def few(s: Situation, tol: float) -> Outcome:
    """Compare the number of multipliers above 0 with the margins of the second solver, and with their sum over C."""
    e = s.soft_solution
    counted = count_support_vectors(e, s.soft_dual)
    need_exact(counted.off, tol, counted.left_open)
    total = float(s.soft_dual.alpha.sum()) / s.soft_problem.C
    sides = (Side("support vectors", float(counted.N), "N"), Side("points", float(s.m), "m"))
    return Outcome(
        reading(tol, counted.N / s.m - 0.5, *sides, words=N_("At most half of the points are support vectors.")),
        reading(
            tol,
            max(counted.off, total - DISTANCE_TOLERANCE - counted.N),
            *sides,
            *second_solver_sides(counted, N_("points")),
            Side("sum of the multipliers, divided by C", total, r"\tfrac1C\sum_i\alpha_i"),
        ),
    )
