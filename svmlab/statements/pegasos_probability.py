"""P15: what the bound on the expected gap says about a single run."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.core.phrase import N_, join_phrases
from svmlab.pegasos import PegasosRun, gap_bound
from svmlab.statements.pegasos_regret import STANDARD_ERRORS, vacuous_note
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

PARTS = (0.5, 0.25, 0.1)  # the values of eps, relative to the gap at the start


def share_within(run: PegasosRun, least: float, eps: float) -> Array:
    """Return the share of the runs whose average iterate is within eps of the least F, at the checkpoints, (k,)."""
    return np.asarray((run.average - least <= eps).mean(0))


def markov(mean: Array, eps: float) -> Array:
    """Return the least share within eps by Markov's inequality, for a mean gap of at most `mean` (k,)."""
    return np.asarray(np.clip(1.0 - mean / eps, 0.0, 1.0))


def markov_violation(k: PegasosRuns, run: PegasosRun, eps: float) -> float:
    """Return by how much the share of the runs within eps is below what Markov's inequality promises.

    It is applied to the runs' own mean gap, and to the bound less ERRORS standard errors.
    """
    share = share_within(run, k.min_objective, eps)
    standard_error = np.sqrt(share * (1.0 - share) / run.runs)
    by_mean = markov((run.average - k.min_objective).mean(0), eps) - share
    by_bound = markov(gap_bound(k.X, k.lam, run.t), eps) - share - STANDARD_ERRORS * standard_error
    return max(float(by_mean.max()), float(by_bound.max()))


@statement(
    "P15",
    N_("In probability"),
    sentence=N_(
        "The share of the runs whose average is within ε of the least F goes to 1, and near w* in F "
        "means near it in distance."
    ),
    formula=(
        r"\Pr\bigl(F(\bar w) - F(w^*) > \varepsilon\bigr) \le \frac{2X^2}{\varepsilon\lambda T}(1+\ln T) "
        r"\to 0, \qquad \|\bar w - w^*\| \le \sqrt{2\varepsilon/\lambda} \text{ otherwise}"
    ),
    source=(
        Source(
            "A",
            N_("after (6), without proof"),
            quote=r"$\bar{\mathbf{w}}$ converge a $\mathbf{w}^*$ non solo in valore atteso ma anche in probabilità",
        ),
    ),
    conditions=join_phrases(
        PEGASOS_CONDITIONS,
        N_("Not all points lie at the origin. A share of a number of runs, so judged with four standard errors."),
    ),
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    witness=Witness(
        SIX_POINTS, SIX_LABELS, N_("Some runs are above the mean gap, however many steps they have made."), bias=False
    ),
)
def in_probability(s: Situation, tol: float) -> Outcome:
    """Compare the runs within eps with Markov's inequality, from their mean gap and from the bound.

    The distances to the exact w* are compared with the gaps as well.
    """
    k = runs_away_from_origin(s)
    initial_gap = max(1.0 - k.min_objective, 1e-3)
    runs = [k.many_runs, k.far_runs, *([k.long_runs] if k.long_runs is not None else [])]
    longest_run, eps = runs[-1], initial_gap / 2
    largest_shortfall = max(markov_violation(k, run, initial_gap * part) for run in runs for part in PARTS)
    gaps = k.far_runs.average - k.min_objective
    # The rounding error of either F, which is a mean and a norm.
    rounding = (k.data.m + k.data.d) * EPS * np.maximum(k.far_runs.average, k.min_objective)
    excess_distance = np.linalg.norm(k.far_runs.averages - k.w, axis=-1) - np.sqrt(
        2.0 * (np.maximum(gaps, 0.0) + rounding) / k.lam
    )
    relative_excess = (
        float(excess_distance.max()) / k.unit if float(excess_distance.max()) > math.sqrt(tol) * k.unit else 0.0
    )
    final_gaps = k.many_runs.average[:, -1] - k.min_objective
    share_above_mean = float((final_gaps > final_gaps.mean() + tol * k.loss_unit).mean())
    return Outcome(
        reading(
            tol,
            max(largest_shortfall, relative_excess, 0.0),
            Side("runs", float(longest_run.runs)),
            Side("steps", float(longest_run.t[-1]), "T"),
            Side("half of the gap at the start", eps, r"\varepsilon"),
            Side("share of the runs within it", float(share_within(longest_run, k.min_objective, eps)[-1])),
            Side("promised by the bound", float(markov(longest_run.bound[-1:], eps)[0])),
            Side(
                "promised by the mean gap", float(markov((longest_run.average - k.min_objective).mean(0)[-1:], eps)[0])
            ),
            Side("share of many short runs, at their end", float(share_within(k.many_runs, k.min_objective, eps)[-1])),
        ),
        control=reading(
            tol,
            share_above_mean,
            Side("share of short runs above their mean gap", share_above_mean),
            words=N_("Every run is at most the mean gap away."),
        ),
        note=join_phrases(no_bias_note(s), vacuous_note(k)),
    )
