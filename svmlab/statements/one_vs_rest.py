"""X1: one-vs-rest classification; the class with the largest f is predicted."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array, Mask
from svmlab.core.phrase import N_
from svmlab.multiclass import OneVsRestSolution
from svmlab.statements import opinion
from svmlab.statements.opinion import decision_uncertainty, need_exact
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

PLACES = 41  # along each side of the grid
TWO = 2  # classes: f of one is then minus f of the other


def grid_points(X: Array) -> Array:
    """Return a grid over the range of the points (m, d), enlarged by a quarter.

    Coordinates after the second are at their middle.
    """
    lo, hi = X.min(0), X.max(0)
    border = 0.25 * float((hi - lo).max()) or 1.0
    sides = [np.linspace(a, b, PLACES) for a, b in zip(lo[:2] - border, hi[:2] + border, strict=True)]
    grid = np.stack([side.ravel() for side in np.meshgrid(*sides)], 1)
    return np.hstack([grid, np.tile(0.5 * (lo + hi)[2:], (len(grid), 1))])


def f_by_cvxopt(machines: OneVsRestSolution, opinions: tuple[opinion.Dual, ...], Z: Array) -> Array:
    """Return f at each row of Z (n, d) from cvxopt's multipliers, shape (n, k).

    Where the optimal b is not unique, the exact b is used.
    """
    K = machines.problem.kernel(machines.problem.data.X, Z)
    columns = []
    classes = sorted(set(machines.problem.data.y.tolist()))
    for k, e, d in zip(classes, machines.machines, opinions, strict=True):
        low, high = e.b_interval
        labels = np.where(machines.problem.data.y == k, 1.0, -1.0)
        columns.append((d.alpha * labels) @ K + (e.b if high > low else d.b))
    return np.stack(columns, 1)


def b_outside_interval(machines: OneVsRestSolution, opinions: tuple[opinion.Dual, ...]) -> Array:
    """Return how far cvxopt's b is from the interval of optimal b of each class, shape (k,)."""
    ends = ((e.b_interval, d.b) for e, d in zip(machines.machines, opinions, strict=True))
    return np.array([max(0.0, lo - b, b - hi) for (lo, hi), b in ends])


def exceeds_uncertainty(f: Array, uncertainty: Array) -> Mask:
    """Return whether the largest f of each row (n, k) exceeds the next by more than twice the uncertainty (n,)."""
    largest_two = np.partition(f, -2, axis=1)
    return np.asarray(largest_two[:, -1] - largest_two[:, -2] > 2 * uncertainty)


@statement(
    "X1",
    N_("One-vs-rest classification"),
    sentence=N_(
        "For several classes, one-vs-rest solves one SVM for each class, with this class as +1 and all "
        "other classes as −1. A point x is assigned to the class with the largest f(x)."
    ),
    formula=r"\hat y(x) = \arg\max_k f_k(x), \qquad f_k(x) = \langle w_k, x\rangle + b_k",
    source=(
        Source(
            "B",
            N_("Extensions"),
            quote=(
                "More than 2 classes (multiclass classification): solve one vs all binary classification problem "
                "for all classes"
            ),
        ),
    ),
    conditions=N_(
        "There are points of at least two classes. The largest f also decides if no f is positive, and if "
        "several are. For a class between two others, w can be 0. If two classes have the same largest f, "
        "no class is predicted."
    ),
    tolerance=1e-6,
    page="extensions",
    subject="several",
    witness=Witness(
        ((-2.0, -1.5), (-2.5, -2.0), (2.0, -1.5), (2.5, -2.0), (0.0, 2.0), (0.5, 2.5)),
        (1, 1, 2, 2, 3, 3),
        N_(
            "Three classes lie at the corners of a triangle. Between them no f is positive, and far away from "
            "them two are."
        ),
        C=10.0,
        task="classes",
    ),
)
def rest(s: Situation, tol: float) -> Outcome:
    """Compare f of every class at the points, and the predicted class at the points of a grid, with cvxopt.

    For two classes f_2 = -f_1.
    """
    exact, by_cvxopt = s.other_tasks.machines, s.other_tasks.opinions
    tol = s.tolerance_for(tol, *exact.machines)
    X, k = exact.problem.data.X, len(exact.classes)
    kernel = exact.problem.kernel
    largest_norm = float(np.sqrt(kernel.diag(X).max())) or 1.0
    units = np.array([max(1.0, largest_norm * e.norm_w) for e in exact.machines])
    f, g = exact.decision(X), f_by_cvxopt(exact, by_cvxopt, X)
    differences, b_differences = np.abs(f - g).max(0), b_outside_interval(exact, by_cvxopt)
    gaps = np.array(
        [
            decision_uncertainty(e.problem, e.alpha) + decision_uncertainty(e.problem, d.alpha)
            for e, d in zip(exact.machines, by_cvxopt, strict=True)
        ]
    )
    need_exact(float((np.maximum(differences, b_differences) / units).max()), tol, float(2 * (gaps / units).max()))
    Z = grid_points(X)
    f_grid, f_grid_cvxopt = exact.decision(Z), f_by_cvxopt(exact, by_cvxopt, Z)
    norm_ratio = np.maximum(1.0, np.sqrt(kernel.diag(Z)) / largest_norm)
    uncertainty = norm_ratio * float((tol * units + 2 * gaps).max()) + exact.noise
    is_clear = exceeds_uncertainty(f_grid, uncertainty)
    classes = np.array(sorted(set(exact.problem.data.y.tolist())))
    share_different = float(np.mean(is_clear & (exact.predict(Z) != classes[f_grid_cvxopt.argmax(1)])))
    sum_for_two = float(np.abs(f.sum(1)).max() / units.max()) if k == TWO else 0.0
    positive_count = (f_grid > uncertainty[:, None]).sum(1)
    sides = (
        Side("SVMs, one for each class", float(k)),
        Side("largest difference of f between two solvers, in margin units", float((differences / units).max())),
        Side("grid points with a predicted class", float(is_clear.sum())),
        Side("grid points with another class by the other solver", share_different * len(Z)),
        Side("misclassified training points", float((~(exact.predict(X) == exact.problem.data.y)).sum())),
        Side("smallest norm of a w", float(min(e.norm_w for e in exact.machines)), r"\|w_k\|"),
        *((Side("largest absolute value of f₁ + f₂", sum_for_two, "f_1 + f_2"),) if k == TWO else ()),
    )
    residual = max(
        float((differences / units).max()), float((b_differences / units).max()), share_different, sum_for_two
    )
    return Outcome(
        reading(tol, residual, *sides),
        control=exactly_one_positive(positive_count, np.abs(f_grid) <= uncertainty[:, None]),
        note=_bias_note(exact),
    )


def exactly_one_positive(yes: Array, unsure: Mask) -> Reading:
    """Return the reading that exactly one class has f > 0 at each point, where no f is 0 to rounding.

    yes (n,): the number of classes with f > 0. unsure (n, k): whether f is 0 to rounding.
    """
    is_sure = ~unsure.any(1)
    none, several = (float(np.mean(is_sure & mask)) for mask in (yes == 0, yes > 1))
    return reading(
        0.0,
        none + several,
        Side("proportion of grid points where no f is positive", none),
        Side("proportion of grid points where several f are positive", several),
        words=N_("At every point x exactly one class has f(x) > 0."),
    )


def _bias_note(solutions: OneVsRestSolution) -> str:
    if any(hi > lo for lo, hi in (e.b_interval for e in solutions.machines)):
        return N_("One of the SVMs has more than one optimal b here. The middle one is used for both solvers.")
    return ""
