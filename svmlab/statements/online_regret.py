"""P14: online gradient descent compared with every fixed u, for any losses in any order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.pegasos import corrected_factor, regret_bound
from svmlab.statements.pegasos_bounds import COMPARATORS
from svmlab.statements.pegasos_steps import no_bias_note
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.walk import PegasosRuns

STEPS = 200


@dataclass(frozen=True)
class Loss:
    """A convex loss of the margins y f, and its derivative."""

    of: Callable[[Array], Array]
    slope: Callable[[Array], Array]


HINGE = Loss(lambda yf: np.maximum(0.0, 1.0 - yf), lambda yf: -(yf < 1.0).astype(float))
LOGISTIC = Loss(lambda yf: np.logaddexp(0.0, -yf), lambda yf: -0.5 * (1.0 - np.tanh(0.5 * yf)))


@dataclass(frozen=True, eq=False)
class Descent:
    """T steps from w_1 = 0, with their losses.

    w (T+1, D), the rows (T,) of the points whose losses occur, losses (T,) at w_t, and lengths (T,) of the gradients.
    """

    loss: Loss
    w: Array
    rows: Sequence[int]
    losses: Array
    lengths: Array


def descend(k: PegasosRuns, loss: Loss, order: Sequence[int] | None = None) -> Descent:
    """Return the run with steps 1/(lam t) along the gradients of loss + (lam/2) |w|^2 on the points in `order`.

    Without an order every step takes the point that is worst for the current w.
    """
    Z, lam = k.data.y[:, None] * k.data.X, k.lam
    w, rows = np.zeros((STEPS + 1, Z.shape[1])), list[int]()
    losses, lengths = np.zeros(STEPS), np.zeros(STEPS)
    for t in range(1, STEPS + 1):
        current = w[t - 1]
        i = int((Z @ current).argmin()) if order is None else order[t - 1]
        yf = Z[i : i + 1] @ current
        gradient = lam * current + loss.slope(yf)[0] * Z[i]
        rows.append(i)
        losses[t - 1] = loss.of(yf)[0] + 0.5 * lam * (current @ current)
        lengths[t - 1] = np.linalg.norm(gradient)
        w[t] = current - gradient / (lam * t)
    return Descent(loss, w, rows, losses, lengths)


def running_means(values: Array) -> Array:
    """Return the means of the first 1, 2, .. T values (..., T)."""
    return np.asarray(np.cumsum(values, axis=-1) / np.arange(1, values.shape[-1] + 1))


def bound_at_every_T(k: PegasosRuns, run: Descent) -> Array:
    """Return the regret bound G^2/(2 lam T) (1 + ln T) at every T, (T,)."""
    T = np.arange(1, STEPS + 1)
    return regret_bound(np.maximum.accumulate(run.lengths), k.lam, T, corrected_factor(T))


def mean_regret(k: PegasosRuns, run: Descent, U: Array) -> Array:
    """Return how far the mean loss is above the mean loss of each u (n, D), at every T, (n, T)."""
    margins = U @ (k.data.y[:, None] * k.data.X).T
    return running_means(run.losses) - running_means(
        run.loss.of(margins)[:, run.rows] + 0.5 * k.lam * (U * U).sum(1)[:, None]
    )


def telescoped_sum(k: PegasosRuns, run: Descent, U: Array) -> Array:
    """Return the telescoped sum of the steps less the last distance to each u (n, D), at every T, (n, T)."""
    last = np.linalg.norm(run.w[None, 1:] - U[:, None], axis=-1)
    return running_means(run.lengths**2 / np.arange(1, STEPS + 1)) / (2.0 * k.lam) - 0.5 * k.lam * last**2


@statement(
    "P14",
    N_("Regret of online gradient descent"),
    sentence=N_(
        "Online gradient descent with step size 1/(λ t) meets a convex loss plus (λ/2)‖w‖² in each step t. "
        "Its mean loss at the iterates w_t exceeds the mean loss of any fixed u by at most G²/(2λT) · (1 + "
        "ln T). G is the largest norm of a gradient of the run. This holds for every sequence of such "
        "losses, even if an opponent chooses them."
    ),
    formula=(
        r"\frac1T\sum_{t\le T}\bigl(\ell_t(w_t) - \ell_t(u)\bigr) \le \frac{1}{2\lambda T}\sum_{t\le T} "
        r"\frac{\|\nabla\ell_t(w_t)\|^2}{t} - \frac\lambda2\,\|w_{T+1} - u\|^2 \le \frac{G^2}{2\lambda T}\,(1+\ln "
        r"T)"
    ),
    source=(
        Source(
            "A",
            N_("(4), the analysis that the notes cite"),
            quote="l'analisi di OGD per funzioni fortemente convesse dà immediatamente il risultato",
        ),
    ),
    conditions=N_(
        "λ > 0, there is no bias, and w₁ = 0. Each loss is a convex function plus (λ/2)‖w‖². The vector u "
        "is the same for all steps."
    ),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (1.0, 0.0)),
        (1, -1),
        N_(
            "Both labels occur at the same position. If u may change with the label, its mean loss is lower by "
            "at least 1/2, for every number of steps."
        ),
        C=0.5,
        bias=False,
    ),
)
def every_comparator(s: Situation, tol: float) -> Outcome:
    """Compare the regret against many u with the telescoped sum and with the bound, at every T.

    The losses at w_t and at u are computed by hand. The points are the worst one at each step, or one class after the
    other.
    """
    k = s.pegasos_runs
    rng = np.random.Generator(np.random.Philox(14))
    others = rng.standard_normal((6, k.data.d))
    others *= np.geomspace(0.1, 3.0, 6)[:, None] / (np.sqrt(k.lam) * np.linalg.norm(others, axis=1)[:, None])
    U = np.vstack([np.outer(COMPARATORS, k.w), others])
    by_class = np.argsort(k.data.y, kind="stable")[np.arange(STEPS) * s.m // STEPS].tolist()
    worst_point, logistic, class_by_class = descend(k, HINGE), descend(k, LOGISTIC), descend(k, HINGE, by_class)
    excess = 0.0
    for run in (worst_point, logistic, class_by_class):
        regret, bound = mean_regret(k, run, U), bound_at_every_T(k, run)
        largest = max(float((regret - telescoped_sum(k, run, U)).max()), float((regret - bound).max()))
        excess = max(excess, largest / max(k.loss_unit, float(np.abs(regret).max())))
    return Outcome(
        reading(
            tol,
            excess,
            Side("steps", float(STEPS), "T"),
            Side(
                "regret against w*, the worst point in every step", float(mean_regret(k, worst_point, k.w[None])[0, -1])
            ),
            Side("bound for the worst points", float(bound_at_every_T(k, worst_point)[-1])),
            Side("regret against w*, logistic loss", float(mean_regret(k, logistic, k.w[None])[0, -1])),
            Side("bound for the logistic loss", float(bound_at_every_T(k, logistic)[-1])),
            Side(
                "regret against w*, one class after the other", float(mean_regret(k, class_by_class, k.w[None])[0, -1])
            ),
            Side("bound for one class after the other", float(bound_at_every_T(k, class_by_class)[-1])),
        ),
        control=changing_comparator(k, worst_point, tol),
        note=no_bias_note(s),
    )


def changing_comparator(k: PegasosRuns, run: Descent, tol: float) -> Reading:
    """Return the reading against the u that is best at each single step.

    The hinge of y x with the penalty is least at u = min(1/|x|^2, 1/lam) y x.
    """
    square = (k.data.X**2).sum(1)
    share = 1.0 / np.maximum(square, k.lam)
    smallest_losses = np.maximum(0.0, 1.0 - share * square) + 0.5 * k.lam * share**2 * square
    regret, bound = running_means(run.losses - smallest_losses[run.rows])[-1], bound_at_every_T(k, run)[-1]
    return reading(
        tol,
        max(float(regret - bound), 0.0) / k.loss_unit,
        Side("regret against the best u of each step", float(regret)),
        Side("bound", float(bound)),
        words=N_("The bound also holds if u changes from step to step."),
    )
