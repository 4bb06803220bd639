"""T17: a small excess of the hinge loss means a small excess of the error."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.losses import LOSSES
from svmlab.statements.generalisation_bounds import board_generator
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

NEIGHBOURS = 3
RANDOM = 20  # random functions
SMALL = 1e-9  # the absolute value of f where the hinge is tight


def label_probabilities(s: Situation) -> Array:
    """Return for each point the part of the class +1 among the NEIGHBOURS points nearest to it, itself among them."""
    squared = ((s.X[:, None, :] - s.X) ** 2).sum(-1)
    nearest = np.argsort(squared, axis=1, kind="stable")[:, :NEIGHBOURS]
    return np.asarray((s.y[nearest] > 0).mean(1))


def mean_loss(eta: Array, own: Array, other: Array) -> Array:
    """Return the mean of eta times the loss for the label +1 and 1 - eta times that for -1, over the points."""
    return np.asarray((eta * own + (1.0 - eta) * other).mean(-1))


@statement(
    "T17",
    N_("Excess error and excess hinge risk"),
    sentence=N_(
        "The excess error of f is its error minus the smallest possible error, and its excess hinge risk is its hinge "
        "risk minus the smallest possible one. For every f and every distribution, the excess error is at most the "
        "excess hinge risk. So minimising the hinge risk is enough."
    ),
    formula=(
        r"L_{01}(f) - L_{01}^* \;\le\; L_{\text{hinge}}(f) - L_{\text{hinge}}^*, \qquad L_{\text{hinge}}^* = 2\, "
        r"L_{01}^*"
    ),
    source=(
        Source(
            "literature",
            N_(
                "Bartlett, Jordan and McAuliffe, Convexity, Classification, and Risk Bounds, JASA 101 (2006), the "
                "theorem on the ψ-transform, and the example of the hinge loss"
            ),
        ),
        Source(
            "literature",
            N_(
                "Zhang, Statistical Behavior and Consistency of Classification Methods Based on Convex Risk "
                "Minimization, Annals of Statistics 32 (2004)"
            ),
        ),
    ),
    conditions=N_(
        "Both smallest values are over all functions, not over linear ones. Each point of the board is equally likely. "
        "Its label is random, with the proportions of the three points nearest to it. f = 0 predicts −1."
    ),
    tolerance=1e-6,
    page="losses",
    subject="points",
    witness=Witness(
        ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)),
        (1, 1, -1),
        N_("Each label is +1 with probability ⅔. If f is slightly below 0, both excesses are ⅓."),
    ),
)
def excess(s: Situation, tol: float) -> Outcome:
    """Compare both excesses for the SVM, for random functions, and for the wrong sign with a small f, which is tight.

    The smallest hinge risk is found by trying values of f at each point, the smallest error by the formula.
    """
    s.need_points()
    eta = label_probabilities(s)
    rng = board_generator(s.problem.data)
    best = np.where(eta > 0.5, 1.0, -1.0)
    f = np.vstack(
        [
            rng.standard_normal((RANDOM, s.m)) * np.geomspace(0.01, 100.0, RANDOM)[:, None],
            best,
            -best,
            -SMALL * best,
            0.5 * s.y,
        ]
    )
    hinge, squared = LOSSES["hinge"], LOSSES["squared"]
    error = mean_loss(eta, (f <= 0) * 1.0, (f > 0) * 1.0)
    risk = mean_loss(eta, hinge.value(f), hinge.value(-f))
    by_hand = mean_loss(eta, np.maximum(0.0, 1.0 - f), np.maximum(0.0, 1.0 + f))
    tried = np.linspace(-2.0, 2.0, 81)[:, None] * np.ones(s.m)
    least_risk = float((eta * hinge.value(tried) + (1.0 - eta) * hinge.value(-tried)).min(0).mean())
    least_error = float(np.minimum(eta, 1.0 - eta).mean())
    own, surrogate = error - least_error, risk - least_risk
    tight = RANDOM + 2
    least_square = float((1.0 - (2.0 * eta - 1.0) ** 2).mean())
    of_square = float(mean_loss(eta, squared.value(f[tight]), squared.value(-f[tight]))) - least_square
    worst = int((own - surrogate).argmax())
    return Outcome(
        reading(
            tol,
            max(
                float((own - surrogate).max()),
                abs(float(own[tight] - surrogate[tight])),
                abs(least_risk - 2.0 * least_error),
                float(np.abs(risk - by_hand).max()),
                abs(float(own[RANDOM])),
            ),
            Side("smallest possible error", least_error, "L_{01}^*"),
            Side("smallest possible hinge risk", least_risk),
            Side("excess error, wrong sign with a small f", float(own[tight])),
            Side("excess hinge risk of this f", float(surrogate[tight])),
            Side("largest difference of both excesses", float((own - surrogate)[worst])),
        ),
        control=reading(
            tol,
            float(own[tight]) - of_square,
            Side("excess error, wrong sign with a small f", float(own[tight])),
            Side("its excess of the squared loss", of_square),
            words=N_("The excess error is at most the excess of the squared loss."),
        ),
    )
