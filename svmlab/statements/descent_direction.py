"""L11: which direction descends, and how far it is from the direction to the minimum."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.losses import LOSSES, REGULARISERS, Objective
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

PLACES = 200


def points_around(s: Situation, u: Array) -> Array:
    """Return points around the minimum u = (w, b) (D + 1,), close and far, shape (200, D + 1); b = 0 without a bias."""
    rng = np.random.Generator(np.random.Philox(11))
    units = np.r_[np.full(len(u) - 1, max(float(np.linalg.norm(u[:-1])), 1.0 / s.max_norm)), float(s.problem.bias)]
    return u + units * rng.standard_normal((PLACES, len(u))) * np.geomspace(0.003, 10.0, PLACES)[:, None]


def forward_slopes(objective: Objective, U: Array, ways: Array) -> tuple[Array, Array]:
    """Return the slopes of F at the (w, b) in the rows of U (n, D + 1) along `ways`, and their rounding errors.

    Each slope is computed from two values of F with no kink between them.
    """
    W, W_change = U[:, :-1], ways[:, :-1]
    t, change = objective.margins(W, U[:, -1:]), objective.margins(W_change, ways[:, -1:])
    steps_to_kink = np.divide(1.0 - t, change, out=np.ones_like(t), where=change != 0)
    h = 0.5 * np.minimum(1.0, np.where(steps_to_kink > 0, steps_to_kink, 1.0).min(1))
    F, F_ahead = (
        objective.value(W, U[:, -1:]),
        objective.value(W + h[:, None] * W_change, U[:, -1:] + h[:, None] * ways[:, -1:]),
    )
    return (F_ahead - F) / h - 0.5 * objective.lam * h * (W_change * W_change).sum(1), 1e-15 * (F + F_ahead) / h


@statement(
    "L11",
    N_("Gradient and descent direction"),
    sentence=N_(
        "Let F be convex, with minimiser w*. At every w with F(w) > F(w*), the angle between −∇F(w) and "
        "the direction to w* is less than 90°. In one dimension −∇F(w) points to w*. In the plane the "
        "angle can be close to 90°."
    ),
    formula=r"\langle -\nabla F(w),\, w^* - w\rangle \;\ge\; F(w) - F(w^*) + \frac\lambda2\,\|w - w^*\|^2",
    source=(
        Source(
            "B",
            N_("Convex loss functions"),
            "false",
            (
                "first derivative monotonically non-decreasing: at any point, the gradient points to the "
                "direction towards global minimum"
            ),
            N_(
                "The negative gradient is less than 90° away from the direction to the minimiser. Only in one "
                "dimension does it always point to the minimiser. The slides claim this of the gradient itself, "
                "which points uphill."
            ),
            60,
        ),
    ),
    repair=N_(
        "The angle between the negative gradient and the direction to the minimiser is less than 90°. In "
        "one dimension, as in the picture of the slides, the negative gradient points to the minimiser."
    ),
    conditions=N_(
        "F is the mean hinge loss plus (λ/2)‖w‖² with λ = 1/(C m). At a kink, ∇F is one of the "
        "subgradients. With a bias both classes are present."
    ),
    tolerance=1e-6,
    page="losses",
    subject="soft",
    witness=Witness(
        ((4.0, 1.0), (4.0, -1.0)),
        (1, -1),
        N_(
            "At every other w, the gradient is more than 90° away from the direction to w* = (0, 1). At the "
            "tested points, −∇F is up to 89.6° away from this direction."
        ),
        C=50.0,
        bias=False,
    ),
)
def downhill(s: Situation, tol: float) -> Outcome:
    """Compare gradients by formula with measured slopes, at 200 points around the minimum.

    The minimum comes from the primal program, its value from the exact method.
    """
    p, e, lam = s.soft_primal, s.soft_solution, s.soft_problem.lam
    objective = Objective(s.lifted, LOSSES["hinge"], REGULARISERS["R2"], lam, s.problem.bias)
    minimiser, minimum = np.r_[p.w, p.b], lam * e.objective
    difference = max(s.distance_in_margins(p.w, s.expand(e.alpha)), abs(float(objective.value(p.w, p.b)) - minimum))
    U = points_around(s, minimiser)
    directions, F = minimiser - U, objective.value(U[:, :-1], U[:, -1:])
    G = objective.gradient(U[:, :-1], U[:, -1:])
    slopes_by_formula = (G * directions[:, : G.shape[1]]).sum(1)
    measured_slopes, noise = forward_slopes(objective, U, directions)
    unit = np.maximum(np.maximum(1.0, F), np.abs(slopes_by_formula))
    strong_convexity = F - minimum + 0.5 * lam * (directions[:, :-1] ** 2).sum(1)
    difference = max(
        difference,
        float(((strong_convexity + slopes_by_formula) / unit).max()),
        float(((np.abs(measured_slopes - slopes_by_formula) - 100 * noise) / unit).max()),
    )
    lengths = np.linalg.norm(G, axis=1) * np.linalg.norm(directions, axis=1)
    cosines = np.divide(-slopes_by_formula, lengths, out=np.ones_like(slopes_by_formula), where=lengths > 0)
    angles = np.degrees(np.arccos(np.clip(cosines, -1.0, 1.0)))
    largest_angle = Side("largest angle between −∇F and the direction to w*, in degrees", float(angles.max()))
    return Outcome(
        reading(
            tol,
            float(np.max(cosines)),
            Side("smallest angle between ∇F and the direction to w*, in degrees", float(180.0 - angles.max())),
            words=N_("The gradient ∇F is less than 90° away from the direction to the minimiser."),
        ),
        reading(
            tol,
            difference,
            Side("points (w, b) tried", float(PLACES)),
            largest_angle,
            Side("smallest angle between −∇F and this direction", float(angles.min())),
            Side("F at the minimum, by the exact method", minimum),
            Side("F at the minimiser of the primal program", float(objective.value(p.w, p.b))),
        ),
        reading(
            tol,
            max(float(angles.max()) - 45.0, 0.0) / 90.0,
            largest_angle,
            words=N_("The angle between −∇F and the direction to the minimiser is at most 45°."),
        ),
    )
