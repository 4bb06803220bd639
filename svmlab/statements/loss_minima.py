"""L10 and L14: how many minima a convex loss has, and how strongly a point pulls at the line."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import EPS, Array
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.losses import LOSSES, REGULARISERS, Fit, Loss, Objective, descend, least_squares
from svmlab.losses.descent import LEAST_EIGENVALUE, SMOOTHING_WIDTHS
from svmlab.solvers import cvxopt_backend
from svmlab.statements.margin import TWO_POINTS
from svmlab.statements.situation import ROUND, DoesNotApply, Situation
from svmlab.statements.soft_margin import BOTH_CLASSES
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.surrogate_losses import NAMES

STARTS, PLACES = 2, 60
MANY = 60  # with more entries of w than this a descent takes a second
FACTORS = (1.0, 2.0, 4.0, 8.0)  # factors of w along which the logistic loss is compared
THIN = 1e-4  # relative to the largest singular value: a direction with less spread of the points is left out
FIRM = 1e-6  # a line separates with at least this margin where w is scaled to the margin 1


def scaled_objective(s: Situation, loss: str, lam: float) -> Objective:
    """Return the mean loss of the points in feature space plus lam/2 |w|^2, in suitable units.

    The unit of w is chosen so that neither term is far above 1.
    """
    r = feature_unit(s, lam)
    return Objective(Dataset(s.Phi / r, s.y), LOSSES[loss], REGULARISERS["R2"], lam / r**2, bool(s.problem.bias))


def feature_unit(s: Situation, lam: float) -> float:
    """Return by what `recipe` divides the points, and by what its w must be divided.

    It is the longest |phi(x)|, or sqrt(lam) where lam is above its square. With a lam far above the squares of the
    points, rounding would hide that F depends on b at all.
    """
    return max(s.max_norm, math.sqrt(lam))


def relative_excess(value: float, minimum: float) -> float:
    """Return how far the end of a descent on the hinge is from the least F, relative, beyond its own tolerance.

    The last smoothed F_mu is above F by up to mu log 2, however small F is (Objective with R2, which has no kink).
    """
    return max(abs(value - minimum) - SMOOTHING_WIDTHS[-1] * math.log(2.0), 0.0) / minimum


def descents(problem: Objective) -> list[Fit]:
    """Return descents from 0 and from a random start.

    Where w has many entries only the random start is used.
    """
    rng = np.random.Generator(np.random.Philox(problem.data.m))
    starts = rng.standard_normal((STARTS, problem.data.d)) * np.array([0.0, 3.0])[:, None]
    return [descend(problem, start) for start in starts[int(problem.data.d > MANY) :]]


def span_coordinates(s: Situation) -> tuple[Array, Array]:
    """Return U (m, r) and M (k + D, r) such that f = U c at the points belongs to [b, w] = M c.

    All values f that occur are of this form. The columns of U are orthonormal over the distinct positions. Points at
    one position have one row, whatever the rounding of their kernel values.
    """
    _, first, positions = np.unique(s.X, axis=0, return_index=True, return_inverse=True)
    Z = np.hstack([np.full((len(first), int(s.problem.bias)), s.max_norm), s.Phi[first]])
    U, sizes, V = np.linalg.svd(Z, full_matrices=False)
    if not sizes.any():
        raise DoesNotApply(
            "All points are at the origin of feature space and there is no bias, so f = 0 for every w. Move a "
            "point, or switch the bias on."
        )
    keep = sizes > THIN * sizes.max(initial=0.0)
    M = V[keep].T / sizes[keep]
    M[: int(s.problem.bias)] *= s.max_norm
    return U[positions.ravel()][:, keep], M


def least_slack(U: Array, y: Array) -> float:
    """Return the least mean hinge loss of f = U c, by a linear program.

    min sum xi/m  subject to  y f + xi >= 1,  xi >= 0
    """
    m, r = U.shape
    A = np.block([[y[:, None] * U, np.eye(m)], [np.zeros((m, r)), np.eye(m)]])
    q = np.r_[np.zeros(r), np.full(m, 1.0 / m)]
    return cvxopt_backend.solve_lp(q, A, np.r_[np.ones(m), np.zeros(m)], np.zeros((0, r + m)), np.zeros(0)).value


def rounding(f: Array) -> float:
    """Return the rounding error of the losses of these values.

    Where w grows without bound along a flat direction, the losses carry no information beyond it.
    """
    return len(f) * EPS * float(np.abs(f).max())


def strong_convexity_violation(s: Situation, minimum: float) -> float:
    """Return the most by which F - F* is below lam/2 |u - w*|^2 at random u and b around w*, in units of F there.

    If this is nowhere positive, F exceeds F* at every u except w*. Then the minimum is the only one.
    """
    e, lam = s.soft_solution, s.soft_problem.lam
    w = s.expand(e.alpha)
    rng = np.random.Generator(np.random.Philox(s.m + 1))
    radii = np.geomspace(1e-5, 10.0, PLACES)[:, None] * max(e.norm_w, 1.0 / s.max_norm)
    step = rng.standard_normal((PLACES, len(w)))
    step *= radii / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-300)
    U = w + step
    B = (e.b + radii * s.max_norm * rng.standard_normal((PLACES, 1))) * s.problem.bias
    F = Objective(s.lifted, LOSSES["hinge"], REGULARISERS["R2"], lam, s.problem.bias).value(U, B)
    return float(((0.5 * lam * (step**2).sum(1) - (F - minimum)) / np.maximum(F, minimum)).max())


@statement(
    "L10",
    N_("Local and global minima"),
    sentence=N_(
        "Every local minimum of a convex function is global. If (λ/2)‖w‖² with λ > 0 is added to the mean "
        "hinge loss or the mean logistic loss, exactly one w minimises the sum. Without this penalty there "
        "can be many minimisers, or none."
    ),
    formula=(
        r"F(u) \;\ge\; F(w^*) + \tfrac{\lambda}{2}\|u - w^*\|^2, \qquad F(w, b) = \frac1m\sum_i "
        r"\ell\bigl(y_i f(x_i)\bigr) + \tfrac{\lambda}{2}\|w\|^2"
    ),
    source=(
        Source(
            "B",
            N_("Convex loss functions"),
            "incomplete",
            "second derivative non negative everywhere: they have (at most) one local minimum",
            N_(
                "A strictly convex function has at most one local minimum. The slides omit “strictly”. Other convex "
                "functions can have many minimisers, all with the same value."
            ),
            59,
        ),
        Source(
            "B",
            N_("Convex loss functions"),
            quote="as a consequence, finding the local minimum corresponds to a global minimization",
        ),
        Source(
            "B",
            N_("Convex surrogate loss functions"),
            "incomplete",
            "Convex: unique local minimum = global minimum",
            N_(
                "Every local minimum of a convex function is global. The minimiser w is unique if (λ/2)‖w‖² with λ "
                "> 0 is added. Without it there may be many minimisers or none, so the slides omit a condition."
            ),
            61,
        ),
    ),
    repair=N_(
        "Every local minimum is global, but without λ there can be many minimisers or none. If a line "
        "separates the classes, some w and 2w both have hinge loss 0, and the mean logistic loss has no "
        "minimum."
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-7,
    page="losses",
    subject="soft",
    witness=Witness(
        TWO_POINTS,
        (1, -1),
        N_(
            "Without λ both w = (1, 0) and w = (2, 0) have hinge loss 0. The mean logistic loss keeps "
            "decreasing as w grows in this direction."
        ),
    ),
)
def minima(s: Situation, tol: float) -> Outcome:
    """Compare descents from several starts with the exact F*, and F around w* with a quadratic bowl.

    Without the penalty the descents are compared with a linear program. Where a descent itself finds a separating line,
    the hinge is evaluated at w and 2w, and the logistic loss along w.
    """
    s.need_small()
    lam = s.soft_problem.lam
    minimum = lam * s.soft_solution.objective
    U, M = span_coordinates(s)
    penalised = descents(scaled_objective(s, "hinge", lam))
    unpenalised = descents(Objective(Dataset(U, s.y), LOSSES["hinge"], REGULARISERS["none"], 0.0, bias=False))
    unpenalised = [fit for fit in unpenalised if rounding(U @ fit.w) <= tol / 10]
    penalised_ends, unpenalised_ends = [fit.value for fit in penalised], [fit.value for fit in unpenalised]
    slack = least_slack(U, s.y)
    penalised_error = max(relative_excess(value, minimum) for value in penalised_ends)
    unpenalised_error = max((abs(value - slack) for value in unpenalised_ends), default=0.0)
    bowl_excess = strong_convexity_violation(s, minimum)
    separating = separating_solution(s, U, M, unpenalised)
    printed, falls = (None, 0.0) if separating is None else without_penalty(s, *separating, tol)
    sides = (
        Side("F at the exact minimiser w*", minimum, r"F(w^*)"),
        Side(Phrase("largest final F of {n} descents", n=len(penalised_ends)), max(penalised_ends)),
        Side("largest shortfall of F below the quadratic bound, relative", bowl_excess if bowl_excess > tol else 0.0),
        Side("smallest mean hinge loss, by a linear program", slack if slack > tol else 0.0),
        *(
            [
                Side(
                    Phrase("largest final mean hinge loss of {n} descents", n=len(unpenalised_ends)),
                    max(unpenalised_ends),
                )
            ]
            if unpenalised_ends
            else []
        ),
    )
    note = "" if printed else N_("The case without λ is only checked if a line separates the points.")
    return Outcome(
        printed, reading(tol, max(penalised_error, unpenalised_error, bowl_excess, falls), *sides), note=note
    )


def separating_solution(s: Situation, U: Array, M: Array, fits: list[Fit]) -> tuple[Array, float] | None:
    """Return w and b of a descent, scaled to the least margin 1.

    None where none of the descents separates the points.
    """
    for fit in fits:
        least_margin = float((s.y * (U @ fit.w)).min())
        if least_margin > FIRM:
            b, w = np.split(M @ fit.w / least_margin, [int(s.problem.bias)])
            return w, float(b.sum())
    return None


def without_penalty(s: Situation, w: Array, b: float, tol: float) -> tuple[Reading, float]:
    """Return the printed reading without the penalty, and by how much the logistic loss rises along w, relative.

    The reading compares two w without slack, w and 2w. The slope of the logistic loss along w is -mean(y f_w/(1 + e^t))
    at every other point too. It is below 0 because all y f_w > 0, so the loss has no minimum anywhere.
    """
    t = s.y * (s.Phi @ w + b)
    mean_hinges = [float(LOSSES["hinge"].value(k * t).mean()) for k in (1.0, 2.0)]
    logistic_losses = [float(LOSSES["logistic"].value(k * t).mean()) for k in FACTORS]
    rng = np.random.Generator(np.random.Philox(s.m + 2))
    others = 3.0 * rng.standard_normal((PLACES, s.m))
    slopes = (LOSSES["logistic"].slopes(others)[1] * t).mean(1)
    rise = max(
        *(following / current - 1.0 for current, following in pairwise(logistic_losses)), float(slopes.max()), 0.0
    )
    distance = s.distance_in_margins(w, 2.0 * w)
    return reading(
        tol,
        distance if max(mean_hinges) <= tol else 0.0,
        Side("mean hinge loss at w, without λ", mean_hinges[0]),
        Side("mean hinge loss at 2w, without λ", mean_hinges[1]),
        Side("distance from w to 2w, in margin units", distance),
        *(
            Side(Phrase("mean logistic loss at {k:g} w", k=k), value)
            for k, value in zip(FACTORS, logistic_losses, strict=True)
        ),
        words=N_("Without λ, the mean hinge loss and the mean logistic loss have exactly one minimiser each."),
    ), max(rise, *mean_hinges)


# The step of the difference quotients, and the largest |t| at which they are taken.
STEP = 1e-5
LARGEST_POSITION = 30.0
PULLS: dict[str, Callable[[Array], Array]] = {
    "squared": lambda t: 2.0 * np.abs(1.0 - t),
    "logistic": lambda t: 1.0 / (1.0 + np.exp(t)),
    "exponential": lambda t: np.exp(-t),
    "hinge": lambda t: np.where(t < 1.0, 1.0, 0.0),
}
SMOOTH = ("squared", "logistic", "exponential")


def slope_quotients(loss: Loss, t: Array) -> Array:
    """Return the absolute slope of a loss at each t, from its values on both sides."""
    return np.abs(loss.value(t + STEP) - loss.value(t - STEP)) / (2.0 * STEP)


def normal_equations(Phi: Array, y: Array, lam: float, bias: bool) -> tuple[Array, float]:
    """Return w (D,) and b of least squares with lam/2 |w|^2 by the normal equations, in the units of the board."""
    minimiser = least_squares(Objective(Dataset(Phi, y), LOSSES["squared"], REGULARISERS["R2"], lam, bias))
    return minimiser.w, minimiser.b


def angle_in_degrees(v: Array, w: Array) -> float:
    """Return the angle between two normals in degrees; 0 where one of them is 0."""
    size = float(np.linalg.norm(v) * np.linalg.norm(w))
    return float(np.degrees(np.arccos(np.clip(v @ w / size, -1.0, 1.0)))) if size else 0.0


@statement(
    "L14",
    N_("Influence of distant points"),
    sentence=N_(
        "The influence of a point on the line is the absolute slope of its loss at t = y f(x). For the "
        "hinge loss it is 1 if t < 1, and 0 if t > 1. For the logistic loss it is below 1 and decreases "
        "with t. For the exponential loss it grows without bound as t decreases. For the squared loss it "
        "grows in both directions from t = 1, so a correctly classified point far from the boundary can "
        "rotate the line."
    ),
    formula=r"|\ell'(t)| \;=\; 2\,|1-t|,\quad \frac{1}{1+e^{t}},\quad e^{-t},\quad \mathbb 1[t<1]",
    source=(
        Source(
            "B",
            N_("Convex surrogate loss functions"),
            quote="Main difference: relevance given to erroneous predictions",
        ),
    ),
    conditions=BOTH_CLASSES,
    tolerance=1e-6,
    page="losses",
    subject="soft",
    witness=Witness(
        (
            (1.0, 0.0),
            (1.5, 1.0),
            (1.2, -1.0),
            (2.0, 0.5),
            (-1.0, 0.0),
            (-1.5, 1.0),
            (-1.2, -1.0),
            (-2.0, 0.5),
            (7.0, 7.0),
        ),
        (1, 1, 1, 1, -1, -1, -1, -1, 1),
        N_(
            "The point at (7, 7) is classified correctly. It rotates the line of the squared loss by 34 "
            "degrees, but not the line of the SVM."
        ),
        C=1.0 / 0.09,
    ),
)
def pulls(s: Situation, tol: float) -> Outcome:
    """Compare the pulls by formula with difference quotients, and the descents with exact solutions.

    The squared loss is compared with the normal equations, the hinge with the exact optimum, and the smooth losses with
    the sum of their pulls. The hinge is solved once more without the farthest correctly classified point.
    """
    s.need_small()
    e, lam, bias = s.soft_solution, s.soft_problem.lam, bool(s.problem.bias)
    exact = s.expand(e.alpha)
    t = s.y * (s.Phi @ exact + e.b)
    positions = np.r_[
        np.arange(-20, 21) * 0.2 + 0.03, t * min(1.0, LARGEST_POSITION / max(float(np.abs(t).max()), 1e-300))
    ]
    positions = positions[np.abs(positions - 1.0) > 2.0 * STEP]
    pull_error = 0.0
    for name, formula in PULLS.items():
        pull = formula(positions)
        pull_error = max(
            pull_error, float((np.abs(pull - slope_quotients(LOSSES[name], positions)) / np.maximum(1.0, pull)).max())
        )
    length_unit = feature_unit(s, lam)
    fits = {name: descend(scaled_objective(s, name, lam)) for name in PULLS}
    W = {name: fit.w / length_unit for name, fit in fits.items()}
    squared_w, squared_b = normal_equations(s.Phi / length_unit, s.y, lam / length_unit**2, bias)
    squared_w = squared_w / length_unit
    f = s.Phi @ squared_w + squared_b
    squared_error = float(np.abs(s.Phi @ W["squared"] + fits["squared"].b - f).max()) / max(1.0, float(np.abs(f).max()))
    hinge_error = relative_excess(fits["hinge"].value, lam * e.objective)
    farthest = int(np.where(e.alpha > 0, -np.inf, t).argmax())
    sides, balance = list[Side](), 0.0
    for name, formula in PULLS.items():
        T = s.y * (s.Phi @ W[name] + fits[name].b)
        if name in SMOOTH:
            signed_pulls = formula(T) * (np.where(T > 1.0, -1.0, 1.0) if name == "squared" else 1.0)
            residual = float(np.linalg.norm(lam * W[name] - (signed_pulls * s.y) @ s.Phi / s.m))
            balance = max(balance, residual / (length_unit * max(1.0, float(formula(T).mean()))))
        if e.alpha[farthest] == 0:
            sides.append(
                Side(
                    Phrase("influence of the farthest correct point, {name}", name=NAMES[name]),
                    float(formula(T)[farthest]),
                )
            )
    control, change_of_f = None, 0.0
    if e.alpha[farthest] == 0 and t[farthest] > 1.0 and s.m > 1:
        rest = np.arange(s.m) != farthest
        reduced = solve(Problem(Dataset(s.X[rest], s.y[rest]), s.problem.kernel, s.soft_problem.C, bias))
        without = (reduced.alpha * s.y[rest]) @ s.centred[rest]
        # far from the origin and without a bias, w itself is uncertain where f is not
        change_of_f = float(np.abs(s.centred @ (without - exact)).max()) / max(1.0, s.max_norm * e.norm_w)
        tol = s.tolerance_above_noise(tol, ROUND * (e.noise + reduced.noise))
        squared_without, _b = normal_equations(s.Phi[rest], s.y[rest], lam * s.m / (s.m - 1), bias)
        sides.append(
            Side("rotation of the SVM’s line without this point, in degrees", angle_in_degrees(without, exact))
        )
        control = reading(
            tol,
            s.distance_in_margins(squared_without, squared_w),
            Side(
                "rotation of the line of the squared loss without this point, in degrees",
                angle_in_degrees(squared_without, squared_w),
            ),
            words=N_(
                "With the squared loss, the line also stays if you delete a correctly classified point far from "
                "the boundary."
            ),
        )
    sides.append(Side("largest difference of f between descent and normal equations", squared_error))
    sides.append(Side("relative difference of F between descent and exact solution, hinge loss", hinge_error))
    worst = max(pull_error, squared_error, hinge_error, balance, change_of_f)
    if worst > tol and lam < LEAST_EIGENVALUE * length_unit**2:
        raise DoesNotApply(
            "λ is only {ratio:.1g} times the square of the largest norm of a point. If this ratio is below "
            "{flat:.0g}, the descent ignores the curvature that only the penalty gives to F, so its result is not "
            "exact. Decrease C, or standardise the points.",
            ratio=lam / length_unit**2,
            flat=LEAST_EIGENVALUE,
        )
    return Outcome(reading(tol, worst, *sides), control=control)
