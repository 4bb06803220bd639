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
from svmlab.statements.walk import SHORT, PegasosRuns

SAMPLES = 4000


@statement(
    "P5",
    N_("Unbiased estimate of the objective"),
    sentence=N_(
        "Let w be fixed, and let a training point be drawn uniformly at random. Then the expected value of "
        "its loss, including (λ/2)‖w‖², is F(w)."
    ),
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
    conditions=join_phrases(
        PEGASOS_CONDITIONS, N_("The random points are a sample, so differences are measured in standard errors.")
    ),
    tolerance=5.0,
    page="pegasos",
    subject="points",
    witness=Witness(
        SIX_POINTS,
        SIX_LABELS,
        N_(
            "After its own step, the hinge loss of the random point is on average smaller than that of the "
            "other points. So its loss underestimates F."
        ),
        bias=False,
    ),
)
def unbiased(s: Situation, tol: float) -> Outcome:
    """Compare the mean of SAMPLES random losses with F at the w after a few steps, in standard errors.

    The draws themselves are judged by their counts, by repetitions, and by the number of different points in a stretch.
    """
    k = s.pegasos_runs
    t = 10
    sampled = estimate(k.data, k.lam, k.by_hand.w[t - 1], t, SAMPLES, seed=5)
    largest_count_error = count_error(k.data.m, draws(k.data.m, 5, 0, 0, SAMPLES))
    dependence = dependence_error(k.data.m, draws(k.data.m, 5, 1, 0, max(SAMPLES, 20 * k.data.m)))
    z_at_first = estimate(k.data, k.lam, k.by_hand.w[0], 1, SAMPLES, seed=5).z_after
    return Outcome(
        printed=reading(
            tol,
            max(abs(sampled.z), largest_count_error, dependence, stretch_error(k.data.m)),
            Side("mean loss of the random points", float(sampled.before.mean()), r"\tfrac1n\sum \ell_Z(w_t)"),
            Side("objective, from all points", sampled.F, "F(w_t)"),
            Side("difference in standard errors", sampled.z, "z"),
            Side("largest error in the count of a point, in standard errors", largest_count_error),
            Side("error in the number of repeated points, in standard errors", dependence),
        ),
        control=reading(
            tol,
            abs(z_at_first),
            Side("difference in standard errors, at t = 1", z_at_first, "z"),
            words=N_("The loss of the random point after its own step is also an unbiased estimate of F."),
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


def stretch_error(m: int) -> float:
    """Return how many draws of a stretch differ from the same draws of the whole sequence."""
    whole = draws(m, 5, 0, 0, 40)
    return float(sum((draws(m, 5, 0, start, 40) != whole[start:]).sum() for start in (1, 2, 3, 9)))


def dependence_error(m: int, rows: Index) -> float:
    """Return how far the rows (n,) are from independent draws, in standard errors.

    Counted are rows that equal the row before, and the different rows in stretches of m. A fixed order, a permutation
    and pairs of equal rows have the right count of every point, but not these numbers.
    """
    if m == 1:
        return 0.0
    n, p = len(rows) - 1, 1.0 / m
    repeats = abs(float((rows[1:] == rows[:-1]).sum()) - n * p) / math.sqrt(n * p * (1 - p))
    stretches = rows[: len(rows) // m * m].reshape(-1, m)
    different = (np.diff(np.sort(stretches, axis=1), axis=1) > 0).sum(1) + 1.0
    never, neither = (1 - p) ** m, (1 - 2 * p) ** m  # the probabilities that one or two given points do not occur
    variance = m * never + m * (m - 1) * neither - (m * never) ** 2
    spread = math.sqrt(variance / len(stretches))
    return max(repeats, abs(float(different.mean()) - m * (1 - never)) / spread)


@statement(
    "P8",
    N_("Jensen’s inequality for the iterates"),
    sentence=N_("F at the average iterate is at most the average of F over the iterates, because F is convex."),
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
    subject="points",
    witness=Witness(
        SIX_POINTS, SIX_LABELS, N_("The iterates oscillate around their average, where F is smaller."), bias=False
    ),
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
            Side("F at the average iterate", float(F_of_means[-1]), r"F(\bar w)"),
            Side("average of F over the iterates", float(mean_of_F[-1]), r"\tfrac1T\sum F(w_t)"),
            Side("smallest difference at a checkpoint", float((mean_of_F - F_of_means).min())),
            Side("difference after one step, where both are equal", float(mean_of_F[0] - F_of_means[0])),
        ),
        control=reading(
            tol,
            float((mean_of_F - F_of_means).max()) / k.loss_unit,
            Side("largest difference at a checkpoint", float((mean_of_F - F_of_means).max())),
            words=N_("F at the average iterate equals the average of F over the iterates."),
        ),
        note=no_bias_note(s),
    )


ALIKE = 0.1  # slopes that differ by at most this are called equal
# Here w* lies at the kink of the hinge, and all points lie in one direction.
CORNER = PegasosRuns(Dataset([[1.0, 0.0]], [1]), 0.3)


@statement(
    "P11",
    N_("Which iterate Pegasos returns"),
    sentence=N_(
        "The bound of Pegasos is proved for the average of the iterates. The mean of the second half of "
        "the iterates often has a smaller F. The Pegasos notes return the average, and the half-spaces "
        "notes return the last iterate."
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
        PEGASOS_CONDITIONS, N_("Harvey et al. (2018) prove a bound O(ln T/T) for the last iterate.")
    ),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    witness=Witness(
        SIX_POINTS,
        SIX_LABELS,
        N_("In about half of the runs, the average iterate has a smaller F than the mean of the second half."),
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
        "average": (N_("gap of the average iterate"), r"\bar w"),
        "last": (N_("gap of the last iterate"), "w_T"),
        "suffix": (N_("gap of the mean of the second half"), ""),
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
        "proportion of runs in which the average iterate has the smaller gap",
        float((gaps["suffix"] > gaps["average"]).mean()),
    )
    return Outcome(
        reading(
            tol,
            max(difference, excess, 0.0) / k.loss_unit,
            *means,
            Side("bound for the average iterate", float(k.many_runs.bound[-1])),
        ),
        control=reading(
            0.0,
            share_beaten.value,
            share_beaten,
            words=N_("The mean of the second half has the smaller gap in every run."),
        ),
        note=no_bias_note(s),
    )


def standard_error(values: Array) -> float:
    """Return the standard error of a mean over runs."""
    return float(values.std(ddof=1)) / math.sqrt(len(values))


@statement(
    "P12",
    N_("Convergence rates of F and w"),
    sentence=N_(
        "The expected gap F(w̄) − F(w*) of the average iterate w̄ is at most of order ln T/T. Because F is "
        "strongly convex, the expected distance ‖w̄ − w*‖ is at most of order √(ln T/T). If F grows at "
        "least linearly from w* in every direction, the distance is also at most of order ln T/T."
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
            flaw=N_(
                "The rate ln T/T is proved for F. For the distance, strong convexity only yields the rate √(ln "
                "T/T). The notes claim the rate of F for w."
            ),
            at=85,
        ),
    ),
    conditions=join_phrases(
        PEGASOS_CONDITIONS,
        N_("At least one point is not at the origin. Slopes are fitted to the right half of the log-log plot."),
    ),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    repair=N_(
        "ln T/T is the rate of F. By strong convexity, the squared distance is at most 2/λ times the gap "
        "of F, so the rate √(ln T/T) is proved for the distance. For one point and λ = 0.3, F has a kink "
        "at w*, and both rates are equal."
    ),
    witness=Witness(
        SIX_POINTS,
        SIX_LABELS,
        N_("On log-log axes, the slope of the distance is about half of the slope of the gap."),
        bias=False,
    ),
)
def rates(s: Situation, tol: float) -> Outcome:
    """Compare the distances to the exact w* with the gaps, at every checkpoint of every run.

    The slopes are fitted by least squares.
    """
    k = runs_away_from_origin(s)
    run = k.far_runs
    squared_distances, gaps = ((run.averages - k.w) ** 2).sum(-1), run.average - k.min_objective
    excess = float((0.5 * k.lam * squared_distances - gaps).max())
    allowed = 2 * k.X**2 / (k.lam * run.t) * (1 + np.log(run.t))
    excess = max(excess, excess_over(gaps[:, run.t >= SHORT], allowed[run.t >= SHORT]))
    slope_of_F, slope_of_distance = gap_slopes(k)
    slope_sides = (
        Side("slope of the gap of F on log-log axes", slope_of_F),
        Side("slope of the distance on log-log axes", slope_of_distance),
    )
    # a slope is missing where rounding hides the gap
    sides = tuple(side for side in slope_sides if not math.isnan(side.value))
    corner_F, corner_w = gap_slopes(CORNER)
    return Outcome(
        printed=reading(
            ALIKE,
            slope_difference(slope_of_F, slope_of_distance),
            *sides,
            Side("slope of the gap of F, one point and λ = 0.3", corner_F),
            Side("slope of the distance, one point and λ = 0.3", corner_w),
            words=N_("The distance from w* decreases with the same rate as the gap of F."),
        ),
        repaired=reading(
            tol,
            max(excess / k.loss_unit, slope_error(run.t), 0.0),
            Side("steps", float(run.t[-1]), "T"),
            Side(
                "λ/2 times the squared distance",
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


def slope_error(t: Index) -> float:
    """Return how far `rate` is from the slope by its normal equation, for values that fall faster and faster."""
    x = np.log(t)
    late = x >= 0.5 * x[-1]
    u, y = x[late] - x[late].mean(), -x[late] - 0.1 * x[late] ** 2
    return abs(rate(t, np.exp(-x - 0.1 * x**2)) - float(u @ y) / float(u @ u))


def slope_difference(of_F: float, of_w: float) -> float:
    """Return how much less steep the distance falls than F; 0 where a slope cannot be measured."""
    return max(of_w - of_F, 0.0) if math.isfinite(of_w) and math.isfinite(of_F) else 0.0
