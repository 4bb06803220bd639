"""What a solution says of itself, and the programs of a problem, computed again from alpha, b and the points."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import cache, partial

import numpy as np

from svmlab.binary import solution
from svmlab.binary import solve as binary
from svmlab.binary.categories import Category, categorise
from svmlab.binary.expansion import Evaluation
from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Gaussian, Linear, Polynomial
from svmlab.plane.contours import boundary, draw_solution, slack_paths, zero_lines
from svmlab.statements.examples.differences import difference, rough, slopes_by_differences
from svmlab.statements.examples.kernel_values import kernel_value

X = np.array(
    [[2.0, 1.0], [3.0, 2.5], [1.5, 0.5], [0.5, 2.0], [-1.0, 0.5], [0.0, -1.0], [2.5, 0.0], [1.0, 1.5], [-0.5, 3.0]]
)
y = np.array([1.0, 1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0])
APART = Dataset([[2.0, 1.0], [3.0, 2.0], [2.5, -0.5], [-1.0, 0.5], [0.0, -1.0], [-0.5, 2.0]], [1, 1, 1, -1, -1, -1])
BALANCED = Dataset([[1.0, 0.5], [-1.5, 2.0], [2.0, -1.0], [0.5, 1.0]], [1, 1, -1, -1])  # b is an interval for small C
ELSEWHERE = np.array([[0.3, -0.7], [1.7, 2.2], [-1.1, 0.4], [4.0, 3.0]])
RESIDUALS = ("stationarity", "primal_feasibility", "dual_feasibility", "complementarity", "gap")


def problems() -> tuple[Problem, ...]:
    """Return the examples: three kernels, with and without a bias, hard margins, one where b is an interval, costs and
    weights, points far from 0, points that occur twice, and a C so small that f is all but constant.
    """
    data = Dataset(X, y)
    return (
        Problem(data, Linear(), 0.7),
        Problem(data, Gaussian(1.3), 2.0),
        Problem(data, Polynomial(2, 0.5, 0.8), 0.4, bias=False),
        Problem(APART, Linear(), math.inf),
        Problem(BALANCED, Linear(), 0.05),
        Problem(data, Linear(), 0.3, costs=(2.0, 0.5), weights=np.array([1.0, 2.0, 1.0, 0.5, 1.0, 3.0, 1.0, 1.0, 2.0])),
        Problem(data, Gaussian(0.8), math.inf, bias=False),
        Problem(Dataset(X + np.array([40.0, -25.0]), y), Linear(), 0.5),
        Problem(Dataset(np.vstack([X, X[:4]]), [*y, 1, 1, -1, 1]), Gaussian(1.3), 1.5, costs=(1.0, 2.0)),
        Problem(data, Linear(), 0.004),
        Problem(data, Gaussian(300.0), 2.0),
    )


@cache
def solutions() -> tuple[Solution, ...]:
    """Return the solutions of the examples."""
    return tuple(map(binary.solve, problems()))


def gram(kernel: Kernel, A: Array, B: Array) -> Array:
    """Return the kernel values of the rows of A and B by the formulas of the textbook, one pair at a time."""
    return np.array([[kernel_value(kernel, a, b) for b in B.tolist()] for a in A.tolist()])


def decision(e: Solution, Z: Array) -> Array:
    """Return sum_i alpha_i y_i k(x_i, z) + b at each row of Z, from the kernel values of the textbook."""
    return (e.alpha * e.problem.data.y) @ gram(e.problem.kernel, e.problem.data.X, Z) + e.b


def margins(e: Solution) -> Array:
    """Return y_i f(x_i) by these values."""
    return e.problem.data.y * decision(e, e.problem.data.X)


def norm(e: Solution) -> float:
    """Return |w| by these values."""
    c, P = e.alpha * e.problem.data.y, e.problem.data.X
    return math.sqrt(max(float(c @ gram(e.problem.kernel, P, P) @ c), 0.0))


def prices(p: Problem) -> Array:
    """Return C_i, the price of the slack of each point."""
    weights = [1.0] * p.data.m if p.weights is None else p.weights.tolist()
    costs = [p.costs[0] if label > 0 else p.costs[1] for label in p.data.y.tolist()]
    return np.array([p.C * cost * weight for cost, weight in zip(costs, weights, strict=True)])


@cache
def error_of_margins() -> float:
    """Compare functional and geometric margins, and f at other places, with the kernel values of the textbook."""
    off = 0.0
    for e in solutions():
        yf = margins(e)
        off = max(
            off,
            difference(e.margins, yf),
            difference(e.margin_excess, yf - 1.0),
            difference(e.geometric_margin, yf.min() / norm(e)),
            difference(e.decision(ELSEWHERE), decision(e, ELSEWHERE)),
            difference(e.coefficients, e.alpha * e.problem.data.y),
        )
    return off


@cache
def error_of_norm() -> float:
    """Compare |w|, and w itself where there is one, with the multipliers."""
    off = 0.0
    for e in solutions():
        off = max(off, difference(e.norm_w, norm(e)))
        if e.problem.kernel.is_linear:
            w = sum(a * label * x for a, label, x in zip(e.alpha, e.problem.data.y, e.problem.data.X, strict=True))
            off = max(off, difference(e.w, w))
    return off


@cache
def error_of_objectives() -> float:
    """Compare slacks, both objective values and their gap with their definitions, also where the gap is not 0."""
    off = 0.0
    for e in solutions():
        for moved in (e, replace(e, alpha=0.8 * e.alpha, b=e.b + 0.25, evaluation=Evaluation())):
            yf, C = margins(moved), prices(moved.problem)
            xi = np.maximum(0.0, 1.0 - yf)
            primal = 0.5 * norm(moved) ** 2 + (0.0 if moved.problem.hard else float(C @ xi))
            dual = float(moved.alpha.sum()) - 0.5 * norm(moved) ** 2
            off = max(
                off,
                difference(moved.xi, xi),
                difference(moved.objective, primal),
                difference(moved.dual_objective, dual),
                difference(moved.gap, (primal - dual) / max(primal, abs(dual))),
            )
    return off


@cache
def error_of_predictions() -> float:
    """Compare errors, predictions and the score with the sign of f, and with a point on the boundary as an error."""
    off = 0.0
    on_line = binary.solve(Problem(Dataset([[1.0, 0.0], [-1.0, 0.0], [0.0, 0.0]], [1, -1, 1]), C=0.5, bias=False))
    for e in (*solutions(), on_line):
        f, labels = decision(e, ELSEWHERE), np.array([1, -1, -1, 1])
        predicted = np.where(f > 0, 1, -1)
        off = max(
            off,
            difference(e.errors, margins(e) <= 1e-12),
            difference(e.predict(ELSEWHERE), predicted),
            difference(e.score(ELSEWHERE, labels), float((predicted == labels).mean())),
            difference(solution.certify(e).gap, e.certificate.gap),
        )
    return off


@cache
def error_of_gradient() -> float:
    """Compare the gradient of f with difference quotients, and f on a grid with f at the same places."""
    off = 0.0
    u, v = np.array([-1.0, 0.25, 2.0]), np.array([0.5, 1.75])
    places = np.array([[a, b] for b in v for a in u])
    for e in solutions():
        wanted = slopes_by_differences(partial(decision, e), ELSEWHERE)
        f, slopes = e.value_and_gradient(ELSEWHERE)
        off = max(
            off,
            rough(difference(e.gradient(ELSEWHERE), wanted)),
            rough(difference(slopes, wanted)),
            difference(f, decision(e, ELSEWHERE)),
            difference(e.function.grid(u, v).ravel(), decision(e, places)),
        )
    return off


@cache
def error_of_roles() -> float:
    """Compare which points are support vectors, free or at their bound with the multipliers."""
    off = 0.0
    for e in solutions():
        C = prices(e.problem)
        support, full = e.alpha > 1e-9, e.alpha >= C * (1.0 - 1e-9)
        roles = (e.support, support), (e.at_bound, full), (e.free, support & ~full)
        off = max(off, *(difference(reported, wanted) for reported, wanted in roles))
    return off


@cache
def error_of_categories() -> float:
    """Compare the seven categories of points with the intervals of y f, and those of the examples too."""
    cases = (  # y f, free, at the bound
        (1.5, False, False, Category.OUTSIDE),
        (1.0, False, False, Category.MARGIN_IDLE),
        (1.0, True, False, Category.MARGIN_FREE),
        (1.0, False, True, Category.MARGIN_FULL),
        (0.4, False, True, Category.INSIDE),
        (0.0, False, True, Category.ON_LINE),
        (-0.3, False, True, Category.WRONG),
        (-1.0, False, True, Category.WRONG),
    )
    yf, free, full, wanted = map(np.array, zip(*cases, strict=True))
    off = 0.0 if list(categorise(yf, yf - 1.0, free, full, 1e-9, 1e-9)) == wanted.tolist() else 1.0
    for e in solutions():
        kinds = []
        for v, a, bound in zip(margins(e).tolist(), e.alpha.tolist(), prices(e.problem).tolist(), strict=True):
            if abs(v - 1.0) <= 1e-8:
                kind = Category.MARGIN_FREE if a < bound * (1.0 - 1e-9) else Category.MARGIN_FULL
                kinds.append(kind if a > 1e-9 else Category.MARGIN_IDLE)
            elif abs(v) <= 1e-8:
                kinds.append(Category.ON_LINE)
            else:
                kinds.append(Category.OUTSIDE if v > 1 else Category.INSIDE if v > 0 else Category.WRONG)
        off = max(off, 0.0 if list(e.categories) == kinds else 1.0)
    corners = Dataset([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]], [1, 1, -1, -1])
    twins = Dataset([[0.0, 0.0], [0.0, 0.0], [2.0, 0.0], [3.0, 1.0]], [-1, -1, 1, 1])
    shared = [binary.solve(Problem(data, Linear(), C)).alpha_unique for data, C in ((corners, math.inf), (twins, 10.0))]
    return max(off, difference((solutions()[0].alpha_unique, *shared), (True, False, False)))


@cache
def error_of_slack_segments() -> float:
    """Compare the segment of each slack with the way from its point at right angles to its margin line, xi / |w| long.

    On the way y f grows to 1.
    """
    off = 0.0
    for e in (e for e in solutions() if e.problem.kernel.is_linear and not e.problem.hard):
        data, slack = e.problem.data, 1.0 - margins(e)
        segments = slack_paths(e, 1000.0)
        late = sorted(segments)
        off = max(off, 0.0 if late == np.flatnonzero(slack > 1e-8).tolist() else 1.0)
        for i in late:
            begin, end = segments[i]
            length = float(np.linalg.norm(end - begin))
            off = max(off, difference(begin, data.X[i]), difference(length, slack[i] / norm(e)))
            off = max(off, difference(data.y[i] * decision(e, end[None, :])[0], 1.0))
    return off


@cache
def error_of_rounding() -> float:
    """Compare the rounding errors that a solution states with the size of the sums that f consists of.

    Every check may be wrong by them, so a value that is too large hides errors.
    """
    off = 0.0
    for e in solutions():
        P = e.problem.data.X
        largest = float((e.alpha @ np.abs(gram(e.problem.kernel, P, P))).max()) + abs(e.b) + 1.0
        stated = (e.noise, e._rounding.excess_noise, 1e-7 * e.floor, 1e-7 * e.tolerance)
        off = max(off, *(0.0 if 0 < size <= 1e-15 * largest * 16 else 1.0 for size in stated))
    return off


@cache
def error_of_certificate() -> float:
    """Compare the residuals of the optimality conditions with their definitions, for solutions that are moved away.

    A certificate of a moved solution must not confirm it, and that of the solution itself must.
    """
    off = 0.0
    for e in solutions():
        off = max(off, 0.0 if e.proven and e.certificate.is_optimal() else 1.0)
        worse = [replace(e.certificate, **{name: size}) for name in RESIDUALS for size in (1e-3, math.nan)]
        worse += [replace(e.certificate, gap=-1e-3), replace(e.certificate, floor=1.0)]
        off = max(off, float(any(one.is_optimal() for one in worse)))
        C = prices(e.problem)
        for scale, shift, more in ((0.8, 0.3, 0.0), (1.0, -0.4, 0.2), (1.2, 0.0, -0.1)):
            alpha = scale * e.alpha
            alpha[0] += more * min(1.0, float(C[0]))
            moved = replace(e, alpha=alpha, b=e.b + shift, evaluation=Evaluation())
            yf = margins(moved)
            a = alpha * max(kernel_value(e.problem.kernel, x, x) for x in e.problem.data.X.tolist())
            kappa = max(kernel_value(e.problem.kernel, x, x) for x in e.problem.data.X.tolist())
            xi = np.zeros(len(yf)) if e.problem.hard else np.maximum(0.0, 1.0 - yf)
            kkt = np.abs(a - np.minimum(np.maximum(a - (yf - 1.0), 0.0), kappa * C))
            wanted = (
                abs(sum((alpha * e.problem.data.y).tolist())) / float(alpha.sum()) if e.problem.bias else 0.0,
                max(0.0, float((1.0 - yf - xi).max())),
                max(0.0, float((-alpha).max()), float((alpha - C).max())) / float(alpha.max()),
                float(kkt.max()),
            )
            c = moved.certificate
            unit = min(1.0, moved._rounding.size)
            residuals = (
                c.stationarity,
                c.primal_feasibility * unit,
                c.dual_feasibility,
                c.complementarity * unit,
            )
            off = max(off, difference(residuals, wanted), difference(c.gap, moved.gap))
            off = max(off, 1.0 if moved.proven or c.is_optimal() else 0.0)
    return off


@cache
def error_of_level_lines() -> float:
    """Compare the drawing of f with f: its values on a grid, f on the lines, and a line wherever f crosses a level.

    The path of each slack begins at its point and ends where y f is 1.
    """
    off, half, n = 0.0, 4.0, 24
    at = np.linspace(-half, half, n)
    places = np.array([[u, v] for v in at[::-1] for u in at])
    for e in solutions()[:3]:  # one of each kernel
        drawn, f = draw_solution(e, half, n), decision(e, places).reshape(n, n)
        off = max(off, difference(drawn.values, f))
        for level, lines in ((0.0, drawn.zero), (1.0, drawn.plus), (-1.0, drawn.minus)):
            vertices = np.vstack(
                [*(points for polyline in lines for points in _refined(polyline)), np.full((1, 2), 99.0)]
            )
            if lines:
                off = max(off, rough(difference(decision(e, np.vstack(lines)), [level] * sum(map(len, lines))), 1e-3))
            changes = np.argwhere((f[:, 1:] - level) * (f[:, :-1] - level) < 0)
            for i, j in changes.tolist():
                crossed = np.array([0.5 * (at[j] + at[j + 1]), at[n - 1 - i]])
                off = max(off, 0.0 if np.linalg.norm(vertices - crossed, axis=1).min() < 1.5 * (at[1] - at[0]) else 1.0)
        for polyline, other in zip(drawn.zero, boundary(e, half, n), strict=True):
            off = max(off, difference(polyline, other))
        for i, slack_path in drawn.slack.items():
            off = max(off, difference(slack_path[0], e.problem.data.X[i]))
            off = max(off, rough(difference(e.problem.data.y[i] * decision(e, slack_path[-1:])[0], 1.0), 1e-4))
        without_b = e.alpha * e.problem.data.y
        for polyline in zero_lines(e.problem.kernel, e.problem.data.X, without_b, half):
            off = max(off, rough(difference(decision(e, polyline) - e.b, np.zeros(len(polyline))), 1e-2))
    return off


def _refined(polyline: Array) -> list[Array]:
    """Return a polyline (k, 2) with sixty places on every piece."""
    return [polyline[:-1] + part * np.diff(polyline, axis=0) for part in np.linspace(0.0, 1.0, 60)]
