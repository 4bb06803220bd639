"""P5, P8, P11 and P12: from random points to the two rates of convergence of Pegasos.

A single random point estimates F. Averages of iterates and the returned iterate decide the rate.
"""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.pegasos import draws, mean_objective
from svmlab.pegasos.estimate import estimate
from svmlab.pegasos.rates import rate
from svmlab.statements.pegasos_bounds import excess_over
from svmlab.statements.pegasos_steps import (
    PEGASOS_CONDITIONS,
    SIX_LABELS,
    SIX_POINTS,
    no_bias_note,
    runs_away_from_origin,
)
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.walk import PegasosRuns

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


ALIKE = 0.1  # slopes that differ by at most this are called equal
# Here w* lies at the kink of the hinge, and all points lie in one direction.
CORNER = PegasosRuns(Dataset([[1.0, 0.0]], [1]), 0.3)


@statement(
    "P11",
    N_("Which w to return"),
    sentence=N_(
        "The notes on Pegasos return the average of the iterates, those on half-spaces the last one. The "
        "bound is proved for the average; the mean of the second half is often nearer."
    ),
    formula=r"\bar w = \frac1T\sum_{t=1}^{T} w_t, \qquad w_T, \qquad \frac{1}{T-\lfloor T/2\rfloor}\sum_{t>T/2} w_t",
    source=(
        Source(
            "A",
            N_("output of Pegasos"),
            quote=r"Output: $\bar{\mathbf{w}} = \frac{1}{T}(\mathbf{w}_1 + \dots + \mathbf{w}_T)$.",
        ),
        Source("D", N_("SGD + RLM + SVM, return"), quote=r"$\text{return }\vec{w}^{(T+1)}$"),
    ),
    conditions=join_phrases(
        PEGASOS_CONDITIONS, N_("The last iterate has a bound of its own, O(ln T/T), in Harvey et al. 2018.")
    ),
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    witness=Witness(
        SIX_POINTS,
        SIX_LABELS,
        N_("In about every second run the average is nearer than the mean of the second half."),
        bias=False,
    ),
)
def returned(s: Situation, tol: float) -> Outcome:
    """Compare F at the three iterates by hand with the engine, and their mean gaps over many runs.

    The mean gap of the average iterate must obey the bound.
    """
    k = s.pegasos_runs
    w, T = k.by_hand.w[:-1], len(k.by_hand.w) - 1
    iterates = {"average": w.mean(0), "last": w[-1], "suffix": w[T // 2 :].mean(0)}
    difference = max(abs(float(k.F(v)) - float(getattr(k.run, name)[0, -1])) for name, v in iterates.items())
    gaps = {name: getattr(k.many_runs, name)[:, -1] - k.min_objective for name in iterates}
    excess = excess_over(k.many_runs.average[:, -1:] - k.min_objective, k.many_runs.bound[-1:])
    names = {
        "average": (N_("gap of the average"), r"\bar w"),
        "last": (N_("gap of the last iterate"), "w_T"),
        "suffix": (N_("gap of the second half's mean"), ""),
    }
    means = [
        side
        for name, (words, letter) in names.items()
        for side in (
            Side(words, float(gaps[name].mean()), letter),
            Side(Phrase("{what}, standard error", what=words), standard_error(gaps[name])),
        )
    ]
    share_beaten = Side(
        "share of runs in which the average is nearer than the second half's mean",
        float((gaps["suffix"] > gaps["average"]).mean()),
    )
    return Outcome(
        reading(
            tol,
            max(difference, excess, 0.0) / k.loss_unit,
            *means,
            Side("bound, for the average", float(k.many_runs.bound[-1])),
        ),
        control=reading(
            0.0, share_beaten.value, share_beaten, words=N_("The mean of the second half is always nearer.")
        ),
        note=no_bias_note(s),
    )


def standard_error(values: Array) -> float:
    """Return the standard error of a mean over runs."""
    return float(values.std(ddof=1)) / math.sqrt(len(values))


@statement(
    "P12",
    N_("Two rates"),
    sentence=N_(
        "F goes to its minimum like ln T/T; the distance to w* goes like the root of that, and only "
        "where w* is a corner of F in every direction as fast."
    ),
    formula=r"\tfrac{\lambda}{2}\,\|\bar w - w^*\|^2 \le F(\bar w) - F(w^*)",
    source=(
        Source(
            "A",
            N_("after (6), rate of convergence"),
            "incomplete",
            quote=(
                r"converge (in valore atteso rispetto all'estrazione a caso dei $T$ esempi dal training set) a "
                r"$\mathbf{w}^*$ con tasso $\frac{\ln T}{T}$"
            ),
            flaw=N_("The rate is that of F; w itself has it only where w* is a corner of F, and else its root."),
            at=85,
        ),
    ),
    conditions=join_phrases(
        PEGASOS_CONDITIONS,
        N_("Not all points lie at the origin. Slopes are measured over the later half of the decades."),
    ),
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair=N_(
        "ln T/T is the rate of F. Strong convexity bounds the square of the distance by the gap, so the "
        "distance is sure of the root of that rate only. Where w* is a corner of F, as on one point with "
        "λ = 0.3, the print is right."
    ),
    witness=Witness(SIX_POINTS, SIX_LABELS, N_("On log-log axes the distance falls half as steeply as F."), bias=False),
)
def rates(s: Situation, tol: float) -> Outcome:
    """Compare the distances to the exact w* with the gaps, at every checkpoint of every run.

    The slopes are fitted by least squares.
    """
    k = runs_away_from_origin(s)
    run = k.far_runs
    squared_distances, gaps = ((run.averages - k.w) ** 2).sum(-1), run.average - k.min_objective
    excess = float((0.5 * k.lam * squared_distances - gaps).max())
    slope_of_F, slope_of_distance = gap_slopes(k)
    slope_sides = (Side("slope of F on log-log axes", slope_of_F), Side("slope of the distance", slope_of_distance))
    # a slope is missing where rounding hides the gap
    sides = tuple(side for side in slope_sides if not math.isnan(side.value))
    corner_F, corner_w = gap_slopes(CORNER)
    return Outcome(
        printed=reading(
            ALIKE,
            slope_difference(slope_of_F, slope_of_distance),
            *sides,
            Side("slope of F at a corner, one point and λ = 0.3", corner_F),
            Side("slope of the distance there", corner_w),
            words=N_("The distance falls as fast as F."),
        ),
        repaired=reading(
            tol,
            max(excess, 0.0) / k.loss_unit,
            Side("steps", float(run.t[-1]), "T"),
            Side(
                "half lambda distance squared",
                float(0.5 * k.lam * squared_distances[:, -1].mean()),
                r"\tfrac\lambda2\|\bar w-w^*\|^2",
            ),
            Side("gap of F", float(gaps[:, -1].mean()), r"F(\bar w)-F(w^*)"),
            *sides,
        ),
        note=no_bias_note(s),
    )


def gap_slopes(k: PegasosRuns) -> tuple[float, float]:
    """Return the slopes of the mean gap of F and of the mean distance to w*, on log-log axes, along `far_runs`."""
    run = k.far_runs
    distance = np.linalg.norm(run.averages - k.w, axis=-1)
    return rate(run.t, (run.average - k.min_objective).mean(0)), rate(run.t, distance.mean(0))


def slope_difference(of_F: float, of_w: float) -> float:
    """Return how much less steep the distance falls than F; 0 where a slope cannot be measured."""
    return max(of_w - of_F, 0.0) if math.isfinite(of_w) and math.isfinite(of_F) else 0.0
