"""P5 and P8: what a single random point and an average of iterates say about F."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Index
from svmlab.core.phrase import N_, join_phrases
from svmlab.pegasos import draws, mean_objective
from svmlab.pegasos.estimate import estimate
from svmlab.statements.pegasos_steps import PEGASOS_CONDITIONS, SIX_LABELS, SIX_POINTS, no_bias_note
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

SAMPLES = 4000


@statement(
    "P5",
    N_("The draw is unbiased"),
    sentence=N_("With w fixed, the loss of a point drawn at random has the mean F(w)."),
    formula=r"\mathbb{E}\,[\,\ell_{Z_t}(w_t) \mid Z_1,\dots,Z_{t-1}\,] = F(w_t)",
    source=(
        Source(
            "A",
            N_("(5)"),
            quote=(
                r"$\mathbb{E}[\ell_{Z_t}(\mathbf{w}_t) \mid Z_1, \dots, Z_{t-1}] = \frac{1}{m} \sum_{s=1}^m "
                r"\ell_s(\mathbf{w}_t) = F(\mathbf{w}_t)$"
            ),
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("Sampled, so judged in standard errors.")),
    tolerance=5.0,
    page="pegasos",
    machine="points",
    witness=Witness(
        SIX_POINTS, SIX_LABELS, N_("After its own step the drawn point is better off than the others."), bias=False
    ),
)
def unbiased(s: Situation, tol: float) -> Outcome:
    """Compare the mean of SAMPLES random losses with F at the w after a few steps, in standard errors."""
    k = s.pegasos_runs
    t = 10
    sampled = estimate(k.data, k.lam, k.by_hand.w[t - 1], t, SAMPLES, seed=5)
    largest_count_error = count_error(k.data.m, draws(k.data.m, 5, 0, 0, SAMPLES))
    z_at_first = estimate(k.data, k.lam, k.by_hand.w[0], 1, SAMPLES, seed=5).z_after
    return Outcome(
        printed=reading(
            tol,
            max(abs(sampled.z), largest_count_error),
            Side("mean of the drawn losses", float(sampled.before.mean()), r"\tfrac1n\sum \ell_Z(w_t)"),
            Side("objective, by all points", sampled.F, "F(w_t)"),
            Side("standard errors apart", sampled.z, "z"),
            Side("standard errors by which a point is drawn too often or too rarely", largest_count_error),
        ),
        control=reading(
            tol,
            abs(z_at_first),
            Side("standard errors apart, at t = 1", z_at_first, "z"),
            words=N_(
                "The drawn point's loss after its own step, as an estimate of F there, is too low: w has already "
                "answered to it."
            ),
        ),
        note=no_bias_note(s),
    )


def count_error(m: int, rows: Index) -> float:
    """Return the largest deviation of a point's count among the rows (n,) from n/m, in standard errors.

    The standard error is that of uniform sampling.
    """
    n, probability = len(rows), 1.0 / m
    standard_error = np.sqrt(n * probability * (1.0 - probability))
    return float(np.abs(np.bincount(rows, minlength=m) - n * probability).max() / standard_error) if m > 1 else 0.0


@statement(
    "P8",
    N_("The mean beats the mean"),
    sentence=N_("F at the average of the iterates is at most the average of F over them."),
    formula=r"F(\bar w) \le \frac1T \sum_{t=1}^T F(w_t)",
    source=(
        Source(
            "A",
            N_("first line of the proof, Jensen"),
            quote=(
                r"$\leq \mathbb{E} \left[ \frac{1}{T} \sum_{t=1}^T F(\mathbf{w}_t) \right] \quad "
                r"\text{usando la dis. di Jensen, dato che } "
                r"F \text{ è convessa}$"
            ),
        ),
    ),
    conditions=PEGASOS_CONDITIONS,
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    witness=Witness(SIX_POINTS, SIX_LABELS, N_("The iterates jump about their average, where F is lower."), bias=False),
)
def jensen(s: Situation, tol: float) -> Outcome:
    """Compare F at the running mean of the iterates, by hand, with the engine's mean of F, at every checkpoint.

    At the first checkpoint they are equal.
    """
    k = s.pegasos_runs
    means = np.cumsum(k.by_hand.w[:-1], axis=0)[k.run.t - 1] / k.run.t[:, None]
    F_of_means, mean_of_F = k.F(means), mean_objective(k.run)
    return Outcome(
        reading(
            tol,
            max(float((F_of_means - mean_of_F).max()), abs(float(F_of_means[0] - mean_of_F[0])), 0.0) / k.loss_unit,
            Side("F at the average", float(F_of_means[-1]), r"F(\bar w)"),
            Side("average of F", float(mean_of_F[-1]), r"\tfrac1T\sum F(w_t)"),
            Side("smallest difference at a checkpoint", float((mean_of_F - F_of_means).min())),
            Side("difference after one step, where the two are one", float(mean_of_F[0] - F_of_means[0])),
        ),
        control=reading(
            tol,
            float((mean_of_F - F_of_means).max()) / k.loss_unit,
            Side("largest difference at a checkpoint", float((mean_of_F - F_of_means).max())),
            words=N_("The two are the same."),
        ),
        note=no_bias_note(s),
    )
