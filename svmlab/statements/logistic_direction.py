"""T18: the direction in which gradient descent on the logistic loss goes on separable points."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.losses import LOSSES
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

GROWTH = 0.5  # at most: of the time t, from one update to the next
STABLE = 0.9  # of 1 over the curvature: a longer step would overshoot
MAX_UPDATES = 2500
LATEST = 680.0  # ln t: after that e^-t leaves the range of floats
SETTLED = 25.0  # e to the minus this is what is left of the start when the first w is taken
UNSETTLED = 0.1  # of the tolerance: if the growth still changes by more, the start is not forgotten
WEAK = 1e-3  # of the largest multiplier: a support vector with a smaller one takes longer


TOO_SLOW = N_(
    "The margin is small, or a point is nearly a support vector. The direction then needs more steps than this check "
    "makes. Move the points further apart."
)


def logistic_descent(V: Array, at: tuple[float, ...]) -> list[tuple[Array, float]]:
    """Return w (D,) and ln t of descent on the summed logistic loss of <w, v_i>, when ln t first exceeds each of `at`.

    The learning rate grows with the time t, so that few updates reach a time that is as late as after t steps with the
    rate 1: w -= h t (gradient), and then t *= 1 + h. With h below STABLE over the curvature, no update overshoots.
    Raises DoesNotApply if MAX_UPDATES updates do not suffice.
    """
    iterates: list[tuple[Array, float]] = []
    loss, w, log_t, squares = LOSSES["logistic"], np.zeros(V.shape[1]), -math.log(len(V)), (V**2).sum(1)
    for _ in range(MAX_UPDATES):
        _, slope, curvature = loss.smoothed(V @ w, 1.0)
        t = math.exp(log_t)
        h = min(GROWTH, STABLE / max(t * float(curvature @ squares), 1e-300))
        w = w - h * t * (slope @ V)
        log_t += math.log1p(h)
        if log_t > at[len(iterates)]:
            iterates.append((w, log_t))
            if len(iterates) == len(at):
                return iterates
    raise DoesNotApply(TOO_SLOW)


@statement(
    "T18",
    N_("Logistic regression and the hard margin"),
    sentence=N_(
        "On separable points, gradient descent on the logistic loss never stops, and ‖w‖ grows like ln t. The "
        "direction of w converges to that of the hard margin, although the loss does not contain the margin."
    ),
    formula=r"w_t = w^* \ln t + \text{a bounded term}, \qquad \frac{w_t}{\|w_t\|} \;\to\; \frac{w^*}{\|w^*\|}",
    source=(
        Source(
            "literature",
            N_(
                "Soudry, Hoffer, Nacson, Gunasekar and Srebro, The Implicit Bias of Gradient Descent on Separable "
                "Data, JMLR 19 (2018), Theorem 3"
            ),
        ),
    ),
    conditions=N_(
        "A boundary through the origin separates the classes, and there is no bias. The learning rate grows with the "
        "time t, so that ln t becomes large. No point is nearly a support vector, because the direction then needs "
        "more steps. The difference between w and w* ln t is bounded for almost all data sets, and otherwise it grows "
        "at most like ln ln t."
    ),
    tolerance=1e-5,
    page="losses",
    subject="points",
    witness=Witness(
        ((2.0, 1.0), (1.0, -0.5), (-1.0, -2.0), (3.0, 0.5)),
        (1, 1, -1, 1),
        N_(
            "w grows by the w* of the hard margin whenever ln t grows by 1. The mean of the points has another "
            "direction."
        ),
        C=math.inf,
        bias=False,
    ),
)
def logistic_direction(s: Situation, tol: float) -> Outcome:
    """Descend on the logistic loss, and compare how w grows per unit of ln t with the hard margin by cvxopt's dual.

    The bounded term cancels in the difference of two times. The updates grow by a constant factor, so ln t grows
    linearly.
    """
    board = s.with_bias_switched if s.problem.bias else s
    h, y = board.hard_solution, board.y
    unit = board.max_norm
    V = y[:, None] * board.Phi / unit
    w = board.expand(board.hard_dual.alpha) * unit
    square = float(w @ w)
    margins, alpha = V @ w, h.alpha / float(h.alpha.max())
    curvature = np.linalg.svd(np.sqrt(h.alpha[h.support])[:, None] * unit * V[h.support], compute_uv=False) ** 2
    rate = min(
        float(curvature[curvature > 1e-9 * curvature[0]].min()),
        float((margins[~h.support] - 1.0).min(initial=1.0)),
        1.0,
    )
    needed = 2.0 * SETTLED / max(rate, 1e-300) / min(GROWTH, STABLE / float(h.alpha @ (V**2).sum(1) * unit**2))
    if needed > MAX_UPDATES or 2.0 * SETTLED / rate > LATEST or (alpha[h.support] < WEAK).any():
        raise DoesNotApply(TOO_SLOW)
    (first, early), (halfway, earlier), (last, later) = logistic_descent(
        V, (SETTLED / rate, 1.5 * SETTLED / rate, 2.0 * SETTLED / rate)
    )
    growth, before = (last - halfway) / (later - earlier), (halfway - first) / (earlier - early)
    if float(np.linalg.norm(growth - before)) > UNSETTLED * tol * float(np.linalg.norm(w)):
        raise DoesNotApply(TOO_SLOW)
    error = float(np.linalg.norm(growth - w)) / float(np.linalg.norm(w))
    mean = V.mean(0)
    angle = math.acos(min(1.0, float(mean @ w) / float(np.linalg.norm(mean) * np.linalg.norm(w))))
    direction = [float(np.linalg.norm(v / np.linalg.norm(v) - w / math.sqrt(square))) for v in (halfway, last)]
    return Outcome(
        reading(
            tol,
            max(error, direction[1] - direction[0]),
            Side("norm of w* of the hard margin", math.sqrt(square) / unit, r"\|w^*\|"),
            Side("growth of the norm of w per unit of ln t", float(np.linalg.norm(growth)) / unit),
            Side(Phrase("difference of the directions, ln t = {n}", n=round(earlier)), direction[0]),
            Side(Phrase("difference of the directions, ln t = {n}", n=round(later)), direction[1]),
        ),
        control=reading(
            tol,
            angle,
            Side("angle between the mean of yᵢxᵢ and w*", angle),
            words=N_("Descent keeps the direction of its first step, the mean of yᵢxᵢ."),
        ),
    )
