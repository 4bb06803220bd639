"""L14: how strongly a point pulls at the line, for each loss."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.losses import LOSSES, REGULARISERS, Loss, Objective, descend, least_squares
from svmlab.losses.descent import LEAST_EIGENVALUE
from svmlab.statements.loss_minima import feature_unit, relative_excess, scaled_objective
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft_margin import BOTH_CLASSES
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.surrogate_losses import NAMES

# The step of the difference quotients, and the largest |t| at which they are taken.
STEP = 1e-5
FAR = 30.0
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
    N_("How hard a far point pulls"),
    sentence=N_(
        "Losses differ in how hard a point pulls at the line, the size of their slope at t = y f: the "
        "hinge with 1, and from t = 1 on not at all; the logistic loss with less than 1, and less and "
        "less; the exponential without limit on the wrong side; the squared loss on both, so that a "
        "right point far out turns the line."
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
    machine="soft",
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
            "The point at (7, 7) is on its own side, and turns the line of least squares by 34 degrees; that "
            "of the hinge stays."
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
    positions = np.r_[np.arange(-20, 21) * 0.2 + 0.03, t * min(1.0, FAR / max(float(np.abs(t).max()), 1e-300))]
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
            residual = s.max_norm * np.linalg.norm(lam * W[name] - (signed_pulls * s.y) @ s.Phi / s.m)
            balance = max(balance, float(residual) / (s.max_norm**2 * max(1.0, float(formula(T).mean()))))
        if e.alpha[farthest] == 0:
            sides.append(
                Side(Phrase("pull of the farthest right point, {name}", name=NAMES[name]), float(formula(T)[farthest]))
            )
    control, change_of_w = None, 0.0
    if e.alpha[farthest] == 0 and t[farthest] > 1.0 and s.m > 1:
        rest = np.arange(s.m) != farthest
        reduced = solve(Problem(Dataset(s.X[rest], s.y[rest]), s.problem.kernel, s.soft_problem.C, bias))
        without = (reduced.alpha * s.y[rest]) @ s.centred[rest]
        change_of_w = s.distance_in_margins(without, exact)
        squared_without, _b = normal_equations(s.Phi[rest], s.y[rest], lam * s.m / (s.m - 1), bias)
        sides.append(Side("degrees that the hinge's line turns without this point", angle_in_degrees(without, exact)))
        control = reading(
            tol,
            s.distance_in_margins(squared_without, squared_w),
            Side(
                "degrees that the line turns without this point, squared", angle_in_degrees(squared_without, squared_w)
            ),
            words=N_("By the squared loss too the line stays where a right point far out is taken away."),
        )
    sides.append(Side("largest difference of f by descent and by the normal equations, squared", squared_error))
    sides.append(Side("F by descent and exact, hinge, relative difference", hinge_error))
    worst = max(pull_error, squared_error, hinge_error, balance, change_of_w)
    if worst > tol and lam < LEAST_EIGENVALUE * length_unit**2:
        raise DoesNotApply(
            "The price λ is only {ratio:.1g} of the square of the longest point, and below {flat:.0g} a "
            "descent takes the directions "
            "that λ alone bends for flat. Lower C, or standardise the points.",
            ratio=lam / length_unit**2,
            flat=LEAST_EIGENVALUE,
        )
    return Outcome(reading(tol, worst, *sides), control=control)
