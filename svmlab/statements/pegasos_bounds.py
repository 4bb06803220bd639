"""P6, P7 and P15: the regret of every run of Pegasos, and the bounds that follow from it.

The regret bounds the average iterate, and its expectation bounds the probability of a large gap in a single run.
"""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.pegasos import (
    PegasosRun,
    comparator_loss,
    corrected_factor,
    gap_bound,
    harmonic,
    pegasos,
    printed_factor,
    printed_gap_bound,
    regret_bound,
    sharp_gap_bound,
)
from svmlab.statements.pegasos_steps import (
    PEGASOS_CONDITIONS,
    SIX_LABELS,
    SIX_POINTS,
    no_bias_note,
    runs_away_from_origin,
)
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.walk import RUNS, SHORT, PegasosRuns

STANDARD_ERRORS = 4.0  # standard errors by which a mean over runs may be above its bound
COMPARATORS = (0.0, 0.5, 1.0, 2.0, 5.0)  # the u of the regret, as multiples of w*
ONE_POINT = Witness(
    ((1.0, 0.0),),
    (1,),
    N_("For one point and λ = 1, the left side is 1/2 after one step. The right side with ln(T+1) is 0.35."),
    bias=False,
)


@statement(
    "P6",
    N_("Regret bound of Pegasos"),
    sentence=N_(
        "The mean loss of the iterates exceeds the mean loss of any fixed u on the same points by at most "
        "G²/(2λT) · (1 + ln T). This difference is called the regret. The bound holds for every sequence "
        "of points. Each loss includes (λ/2)‖w‖²."
    ),
    formula=(
        r"\frac1T\sum_{t\le T} \ell_{s_t}(w_t) - \frac1T\sum_{t\le T} \ell_{s_t}(u) \le "
        r"\frac{G^2}{2\lambda T}\,(1+\ln T) \quad\text{for every } u"
    ),
    source=(
        Source(
            "A",
            N_("(4), with u = w*"),
            "misprint",
            quote=(
                r"$\frac{1}{T} \sum_{t=1}^T \ell_{s_t}(\mathbf{w}_t) \leq \frac{1}{T} \sum_{t=1}^T "
                r"\ell_{s_t}(\mathbf{w}^*) + \frac{G^2}{2\lambda T} \ln(T+1)$"
            ),
            flaw=N_(
                "The proof yields the factor 1 + 1/2 + … + 1/T, which is at most 1 + ln T. The notes print the "
                "smaller factor ln(T+1), and the inequality is false for one point at T = 1. Where they use "
                "it, they have the correct factor."
            ),
            at=72,
        ),
        Source(
            "A",
            N_("where (4) is used"),
            quote=r"$\frac{\mathbb{E}[G^2]}{2\lambda T} (\ln T + 1) \quad \text{usando (4)}$",
        ),
    ),
    conditions=join_phrases(PEGASOS_CONDITIONS, N_("G is the largest norm of a gradient in the run.")),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    repair=N_(
        "The factor is 1 + 1/2 + … + 1/T, which is at most 1 + ln T. The factor ln(T+1) in (4) is smaller "
        "than this sum, and (4) is false for one point at T = 1. Where the notes use (4), they have the "
        "correct factor."
    ),
    witness=ONE_POINT,
)
def regret(s: Situation, tol: float) -> Outcome:
    """Compare the losses of the run with those of every u in COMPARATORS, at every checkpoint.

    One long run and many short ones are checked. The losses and G of the long run, and the bound, are also written out
    by hand.
    """
    k = s.pegasos_runs
    worst = dict.fromkeys(("printed", "repaired", "exact"), -math.inf)
    left_out = differences_by_hand(k)
    for run in (k.run, k.many_runs):
        comparator_losses = comparator_loss(run, np.array([k.w, *np.outer(COMPARATORS, k.w)]))
        regret_of_w_star, largest_regret = run.regret - comparator_losses[0], run.regret - comparator_losses.min(0)
        for name, left_side, factor in (
            ("printed", regret_of_w_star, printed_factor),
            ("repaired", largest_regret, corrected_factor),
            ("exact", largest_regret, harmonic),
        ):
            excess = left_side - regret_bound(run.G, k.lam, run.t, factor(run.t))
            worst[name] = max(worst[name], float(excess.max()) / k.loss_unit)
    left_side = (k.run.regret - comparator_loss(k.run, k.w))[0]
    T, G = int(k.run.t[-1]), float(k.run.G[0, -1])
    first = Side("regret against w* after one step", float(left_side[0]))
    return Outcome(
        printed=reading(
            tol,
            max(worst["printed"], 0.0),
            first,
            Side(
                "bound with ln(T+1), T = 1",
                float(regret_bound(k.run.G[0, 0], k.lam, 1, math.log(2))),
                r"\tfrac{G^2}{2\lambda}\ln 2",
            ),
            words=N_("The regret bound holds with the factor ln(T+1)."),
        ),
        repaired=reading(
            tol,
            max(worst["repaired"], worst["exact"], left_out, 0.0),
            Side("steps", float(T), "T"),
            Side("regret against w*", float(left_side[-1])),
            Side("regret against u = 0", float((k.run.regret - comparator_loss(k.run, 0 * k.w))[0, -1])),
            Side(
                "bound with the exact sum",
                float(regret_bound(G, k.lam, T, harmonic(T))),
                r"\tfrac{G^2}{2\lambda T} H_T",
            ),
            Side("bound with 1 + ln T", float(regret_bound(G, k.lam, T, corrected_factor(T)))),
            first,
        ),
        note=no_bias_note(s),
    )


def differences_by_hand(k: PegasosRuns) -> float:
    """Return how far the regret, G, and the bound of `run` are from their formulas along the run by hand.

    They are relative to the unit of losses, to 2X, and to the bound.
    """
    run, w, at = k.run, k.by_hand.w[:-1], k.run.t - 1
    z = k.data.y[k.drawn, None] * k.data.X[k.drawn]

    def mean_losses(u: Array) -> Array:
        each = np.maximum(0.0, 1.0 - (u * z).sum(1)) + 0.5 * k.lam * (u * u).sum(-1)
        return np.asarray(np.cumsum(each)[at] / run.t)

    G = np.maximum.accumulate(np.linalg.norm(k.by_hand.gradient, axis=1))[at]
    bound = G**2 / (2 * k.lam * run.t) * np.cumsum(1.0 / np.arange(1.0, len(w) + 1))[at]
    by_engine = regret_bound(run.G[0], k.lam, run.t, harmonic(run.t))
    steps = np.arange(1, len(w) + 1)
    return max(
        float(np.abs(run.regret[0] - mean_losses(w)).max()) / k.loss_unit,
        float(np.abs(comparator_loss(run, k.w)[0] - mean_losses(k.w)).max()) / k.loss_unit,
        float(np.abs(run.G[0] - G).max()) / (2 * k.X or 1.0),
        float(np.abs(by_engine - bound).max()) / (float(bound.max()) or 1.0),
        float(np.abs(harmonic(steps) - np.cumsum(1.0 / steps)).max()),
    )


def excess_over(gaps: Array, allowed: Array) -> float:
    """Return by how much the mean of `gaps` over the runs is above that of `allowed`.

    STANDARD_ERRORS standard errors are subtracted.
    """
    excess = gaps - allowed
    return float((excess.mean(0) - STANDARD_ERRORS * excess.std(0, ddof=1) / math.sqrt(len(gaps))).max())


def excess_over_bounds(k: PegasosRuns, run: PegasosRun, printed: bool = False) -> float:
    """Return by how much the gaps of the runs are above the bounds.

    The bound is note A's line before (6) if `printed`, otherwise (6), A's last line and the sharp bound. A few runs are
    judged by the G of their own gradients from SHORT steps on, or at their end. Before that, G depends on the few
    points that they happen to draw, which a standard error of a few runs does not show. The many short runs cover these
    steps.
    """
    gaps, is_judged = (
        run.average - k.min_objective,
        (run.t >= SHORT) | (run.t == run.t[-1]) | (len(run.average) >= RUNS),
    )
    if printed:
        return excess_over(gaps, regret_bound(run.G, k.lam, run.t, printed_factor(run.t)))
    bounds = (gap_bound(k.X, k.lam, run.t), printed_gap_bound(k.X, k.lam, run.t), sharp_gap_bound(k.X, k.lam, run.t))
    realised = regret_bound(run.G, k.lam, run.t, corrected_factor(run.t))
    return max(
        excess_over(gaps[:, is_judged], realised[:, is_judged]), *(excess_over(gaps, allowed) for allowed in bounds)
    )


def difference_to_formulas(k: PegasosRuns, run: PegasosRun) -> float:
    """Return how far the bounds are from A's formulas written out.

    The formulas are 2 X^2 / (lam T) (1 + ln T) and 2 X^2 / (lam T) ln(T + 1).
    """
    t, lead = run.t, 2 * k.X**2 / (k.lam * run.t)
    harmonics = np.cumsum(1.0 / np.arange(1.0, float(t[-1]) + 1))[t - 1] if t[-1] < 10**6 else harmonic(t)
    pairs = (
        (gap_bound, 1 + np.log(t)),
        (printed_gap_bound, np.log1p(t)),
        (sharp_gap_bound, harmonics - 0.75),
    )
    return max(float(np.abs(bound(k.X, k.lam, t) - lead * factor).max()) for bound, factor in pairs)


def promise_error(k: PegasosRuns) -> float:
    """Return 1 if `promised_steps` is not the first T for which the bound, by hand, is a quarter of the initial gap."""
    T, eps = k.promised_steps, (1.0 - k.min_objective) / 4
    if T is None:
        return 0.0

    def bound(t: int) -> float:
        return 2 * k.X**2 / (k.lam * t) * (1 + math.log(t))

    return float(not (bound(T) <= eps * (1 + 1e-12) and (T == 1 or bound(T - 1) > eps * (1 - 1e-12))))


@statement(
    "P7",
    N_("Convergence bound of Pegasos"),
    sentence=N_(
        "On average over the random points, F at the average iterate exceeds the minimum of F by at most "
        "2X²/(λT) · (1 + ln T). X is the largest norm of a training point."
    ),
    formula=(
        r"\mathbb{E}\,F(\bar w) - F(w^*) \le \frac{\mathbb{E}[G^2]}{2\lambda T}(1+\ln T) \le "
        r"\frac{2X^2}{\lambda T}(1+\ln T)"
    ),
    source=(
        Source(
            "A",
            N_("the line before (6)"),
            "misprint",
            quote=r"$F(\mathbf{w}^*) + \frac{\mathbb{E}[G^2]}{2\lambda T} \ln(T+1) \quad \text{usando (5)}$",
            flaw=N_(
                "With E[G²] the factor is ln T + 1, as in (6). The bound is then attained for one point at T = 1. "
                "The notes print ln(T+1) in this line, which is smaller."
            ),
            at=83,
        ),
        Source(
            "A",
            N_("(6)"),
            quote=(
                r"$\mathbb{E}[F(\bar{\mathbf{w}})] \leq F(\mathbf{w}^*) + \frac{\mathbb{E}[G^2]}{2\lambda T} (\ln "
                r"T + 1)$"
            ),
        ),
        Source(
            "A",
            N_("the last line"),
            "misprint",
            quote=(
                r"Riportando questo maggiorante di $G$ in (6) otteniamo $\mathbb{E}[F(\bar{\mathbf{w}})] \leq "
                r"F(\mathbf{w}^*) + \frac{2X^2}{\lambda T} \ln(T+1)$"
            ),
            flaw=N_(
                "Inserting the bound of G in (6) gives the factor ln T + 1. The notes print ln(T+1). The bound with "
                "this smaller factor is true as well, because the norm of the first gradient is at most X."
            ),
            at=99,
        ),
    ),
    conditions=join_phrases(
        PEGASOS_CONDITIONS,
        N_("The mean over many runs is compared with the bound, with an allowance of four standard errors."),
    ),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    repair=N_(
        "With E[G²] the factor is ln T + 1, and for one point the bound is attained at T = 1. If E[G²] is "
        "replaced by its bound 4X², the factor ln(T+1) is also correct. The reason is that the norm of the "
        "first gradient is at most X."
    ),
    witness=ONE_POINT,
)
def bound(s: Situation, tol: float) -> Outcome:
    """Compare the mean gap of many short runs, and of some long ones, with the bounds and the exact minimum.

    The long runs take the steps that the bound needs to be informative. F of the average iterate is computed by hand
    too. In the control w stays 0: its gap stays F(0) - F(w*) = 1 - F(w*), four times the bound after `promised_steps`.
    """
    k = s.pegasos_runs
    runs = [k.many_runs, *([k.long_runs] if k.long_runs is not None else [])]
    last, T = runs[-1], int(runs[-1].t[-1])
    gaps = last.average - k.min_objective
    below_minimum = -min(float((run.average - k.min_objective).min()) for run in runs) - tol * k.loss_unit
    means = np.cumsum(k.by_hand.w[:-1], axis=0)[k.run.t - 1] / k.run.t[:, None]
    difference = float(np.abs(k.F(means) - k.run.average[0]).max())
    tight_run, tight_minimum = pegasos(Dataset([[1.0, 0.0]], [1]), 1.0, 1), 0.5
    attained = (
        float(regret_bound(tight_run.G[0, 0], 1.0, 1, corrected_factor(1))),
        float(sharp_gap_bound(1.0, 1.0, 1)),
    )
    tightness_error = max(abs(float(tight_run.average[0, 0]) - tight_minimum - bound) for bound in attained)
    excess = max(
        *(excess_over_bounds(k, run) for run in runs),
        below_minimum,
        difference,
        tightness_error,
        difference_to_formulas(k, last),
        promise_error(k) * k.loss_unit,
        0.0,
    )
    promised = k.promised_steps
    return Outcome(
        printed=reading(
            tol,
            max(*(excess_over_bounds(k, run, printed=True) for run in runs), 0.0) / k.loss_unit,
            Side("mean gap after one step", float(k.many_runs.average[:, 0].mean()) - k.min_objective),
            Side(
                "bound with ln(T+1), T = 1",
                float(regret_bound(k.many_runs.G[:, 0], k.lam, 1, printed_factor(1)).mean()),
                r"\tfrac{\mathbb{E}[G^2]}{2\lambda}\ln 2",
            ),
            words=N_("The bound with E[G²] holds with the factor ln(T+1)."),
        ),
        repaired=reading(
            tol,
            excess / k.loss_unit,
            Side("runs", float(last.runs)),
            Side("steps", float(T), "T"),
            Side("mean gap of the average iterate", float(gaps[:, -1].mean()), r"F(\bar w) - F(w^*)"),
            Side("standard error of the mean gap", float(gaps[:, -1].std(ddof=1)) / math.sqrt(last.runs)),
            Side("bound with the G of the runs", float(last.realised_bound[-1])),
            Side("bound", float(last.bound[-1]), r"\tfrac{2X^2}{\lambda T}(1+\ln T)"),
            Side("initial gap", 1.0 - k.min_objective, r"F(0) - F(w^*)"),
        ),
        control=None
        if promised is None
        else reading(
            tol,
            max(1.0 - k.min_objective - float(gap_bound(k.X, k.lam, promised)), 0.0) / k.loss_unit,
            Side("steps until the bound is a quarter of the initial gap", float(promised)),
            Side("gap of a w that stays 0", 1.0 - k.min_objective, r"F(0) - F(w^*)"),
            Side("bound after these steps", float(gap_bound(k.X, k.lam, promised))),
            words=N_("A w that stays 0 also satisfies the bound."),
        ),
        note=join_phrases(no_bias_note(s), vacuous_note(k)),
    )


def vacuous_note(k: PegasosRuns) -> str:
    """Return the remark from how many steps on the bound is informative, where this check takes fewer."""
    if k.promised_steps is None:
        return N_("On this board w* = 0, so the gap is 0 at the start.")
    if k.long_runs is None:
        return Phrase(
            "On this board, the bound is at most a quarter of the initial gap from {T:,} steps on. This check "
            "makes fewer steps.",
            T=k.promised_steps,
        )
    return ""


PARTS = (0.5, 0.25, 0.1)  # the values of eps, relative to the gap at the start


def share_within(run: PegasosRun, minimum: float, eps: float) -> Array:
    """Return the share of the runs whose average iterate is within eps of the least F, at the checkpoints, (k,)."""
    return np.asarray((run.average - minimum <= eps).mean(0))


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
    N_("Convergence in probability"),
    sentence=N_(
        "For every ε > 0, the probability of F(w̄) − F(w*) ≤ ε converges to 1 as the number T of steps "
        "grows. If this inequality holds, the distance of the average iterate w̄ from w* is at most "
        "√(2ε/λ)."
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
        N_(
            "At least one point is not at the origin. The proportion of runs is compared with the bound, with "
            "an allowance of four standard errors."
        ),
    ),
    tolerance=1e-9,
    page="pegasos",
    subject="points",
    witness=Witness(
        SIX_POINTS,
        SIX_LABELS,
        N_("After any number of steps that was tried, some runs have a gap above the mean gap."),
        bias=False,
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
            Side("half of the initial gap", eps, r"\varepsilon"),
            Side(
                "proportion of runs with a gap of at most ε", float(share_within(longest_run, k.min_objective, eps)[-1])
            ),
            Side("lower bound for it, by the convergence bound", float(markov(longest_run.bound[-1:], eps)[0])),
            Side(
                "lower bound for it, by the mean gap",
                float(markov((longest_run.average - k.min_objective).mean(0)[-1:], eps)[0]),
            ),
            Side(
                "proportion of many short runs, at their end",
                float(share_within(k.many_runs, k.min_objective, eps)[-1]),
            ),
        ),
        control=reading(
            tol,
            share_above_mean,
            Side("proportion of short runs with a gap above their mean gap", share_above_mean),
            words=N_("The gap of every run is at most the mean gap."),
        ),
        note=join_phrases(no_bias_note(s), vacuous_note(k)),
    )
