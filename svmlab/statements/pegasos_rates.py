"""P11 and P12: which iterate to return, and the two rates of convergence."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.pegasos.rates import rate
from svmlab.statements.pegasos_regret import excess_over
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
