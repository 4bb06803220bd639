"""P6, P7, P11 and P12: regret, the bound on the average, and the two rates."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from svmlab.arrays import Array
from svmlab.pegasos import (
    gap_bound,
    harmonic,
    hindsight,
    objective,
    pegasos,
    printed_factor,
    regret_bound,
    repaired_factor,
    sharp_gap_bound,
)
from svmlab.pegasos.rates import rate
from svmlab.statements.pegasos import ANY, moving, note
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement

ERRORS = 4.0  # standard errors granted to a mean over runs
POINT = Witness(
    ((1.0, 0.0),),
    (1,),
    "One point and λ = 1: after the first step the left side is 1/2 and the printed right side 0.35.",
    bias=False,
)


@statement(
    "P6",
    "Regret of every run",
    sentence="Whatever is drawn, the mean loss met on the way exceeds the mean loss of w* on the same draws by at most G²/(2λT) times 1 + ln T.",
    formula=r"\frac1T\sum_{t\le T} \ell_{s_t}(w_t) - \frac1T\sum_{t\le T} \ell_{s_t}(w^*) \le \frac{G^2}{2\lambda T}\,(1+\ln T)",
    source={"A": "(4)"},
    conditions=ANY + " G is the longest gradient of that run.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair="The factor is 1 + 1/2 + … + 1/T, at most 1 + ln T. The printed ln(T+1) is smaller than that sum, and false at T = 1.",
    witness=POINT,
)
def regret(s: Situation, tol: float) -> Outcome:
    """The losses met, against w* of the exact solver on the same draws, at every checkpoint of a long run and many short ones."""
    k = s.walk
    worst = {"printed": -math.inf, "repaired": -math.inf, "exact": -math.inf}
    for run in (k.run, k.many):
        left = run.regret - hindsight(run, k.w)
        for name, factor in (("printed", printed_factor), ("repaired", repaired_factor), ("exact", harmonic)):
            excess = left - regret_bound(run.G, k.lam, run.t, factor(run.t))
            worst[name] = max(worst[name], float(excess.max()) / k.loss_unit)
    left = (k.run.regret - hindsight(k.run, k.w))[0]
    T, G = int(k.run.t[-1]), float(k.run.G[0, -1])
    first = Side("left side after one step", float(left[0]))
    return Outcome(
        printed=reading(
            tol,
            max(worst["printed"], 0.0),
            first,
            Side(
                "right side with ln(T+1), T = 1",
                float(regret_bound(k.run.G[0, 0], k.lam, 1, math.log(2))),
                r"\tfrac{G^2}{2\lambda}\ln 2",
            ),
            words="With the factor ln(T+1).",
        ),
        repaired=reading(
            tol,
            max(worst["repaired"], worst["exact"], 0.0),
            Side("steps", float(T), "T"),
            Side("left side", float(left[-1])),
            Side(
                "right side with the exact sum",
                float(regret_bound(G, k.lam, T, harmonic(T))),
                r"\tfrac{G^2}{2\lambda T} H_T",
            ),
            Side("right side with 1 + ln T", float(regret_bound(G, k.lam, T, repaired_factor(T)))),
            first,
        ),
        note=note(s),
    )


def over(gaps: Array, allowed: Array) -> float:
    """By how much the mean over the runs is above what is allowed (in the mean), less ERRORS standard errors."""
    excess = gaps - allowed
    return float((excess.mean(0) - ERRORS * excess.std(0, ddof=1) / math.sqrt(len(gaps))).max())


@statement(
    "P7",
    "The bound on the average",
    sentence="In the mean over the draws, F at the average of the iterates is within 2X²/(λT)·(1 + ln T) of its minimum.",
    formula=r"\mathbb{E}\,F(\bar w) - F(w^*) \le \frac{\mathbb{E}[G^2]}{2\lambda T}(1+\ln T) \le \frac{2X^2}{\lambda T}(1+\ln T)",
    source={"A": "(6) and the line after it"},
    conditions=ANY + " A mean over many runs, so judged with four standard errors.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
)
def bound(s: Situation, tol: float) -> Outcome:
    """Many runs against the exact minimum: with 2X, with the G met, and with the sharper (4 H_T − 3) X²/(2λT)."""
    k = s.walk
    run, gaps = k.many, k.many.average - k.least
    T = int(run.t[-1])
    excess = max(
        over(gaps, gap_bound(k.X, k.lam, run.t)),
        over(gaps, regret_bound(run.G, k.lam, run.t, repaired_factor(run.t))),
        over(gaps, sharp_gap_bound(k.X, k.lam, run.t)),
        -float(gaps.min()) - tol * k.loss_unit,
    )
    other = replace(k, lam=2 * k.lam)
    mixed = float(objective(k.data, 2 * k.lam, k.w)) - other.least
    return Outcome(
        printed=reading(
            tol,
            max(excess, 0.0) / k.loss_unit,
            Side("runs", float(run.runs)),
            Side("steps", float(T), "T"),
            Side("mean gap of the average", float(gaps[:, -1].mean()), r"F(\bar w) - F(w^*)"),
            Side("its standard error", float(gaps[:, -1].std(ddof=1)) / math.sqrt(run.runs)),
            Side("bound with the G met", float(run.realised_bound[-1])),
            Side("bound", float(run.bound[-1]), r"\tfrac{2X^2}{\lambda T}(1+\ln T)"),
        ),
        control=reading(
            tol,
            max(mixed, 0.0) / k.loss_unit,
            Side("gap that the mixed step tends to", mixed),
            Side(
                "its gap after these steps",
                float(pegasos(k.data, k.lam, T, 10, seed=2, price=2).average[:, -1].mean()) - other.least,
            ),
            words="The step that belongs to λ/2, measured by an F with λ in its place: its gap does not vanish.",
        ),
        note=note(s),
    )


@statement(
    "P11",
    "Which w to return",
    sentence="A returns the average of the iterates, D the last one. The bound is proved for the average; the mean of the second half is often nearer.",
    formula=r"\bar w = \frac1T\sum_{t=1}^{T} w_t, \qquad w_T, \qquad \frac{1}{T-\lfloor T/2\rfloor}\sum_{t>T/2} w_t",
    source={"A": "output of Pegasos", "D": "SGD + RLM + SVM, return"},
    conditions=ANY + " The last iterate has a bound of its own, O(ln T/T), in Harvey et al. 2018.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
)
def returned(s: Situation, tol: float) -> Outcome:
    """F at the three by hand against the engine's, and the three mean gaps over many runs; the average's is bounded."""
    k = s.walk
    w, T = k.literal.w[:-1], len(k.literal.w) - 1
    three = {"average": w.mean(0), "last": w[-1], "suffix": w[T // 2 :].mean(0)}
    apart = max(abs(float(k.F(v)) - float(getattr(k.run, name)[0, -1])) for name, v in three.items())
    gaps = {name: float(getattr(k.many, name)[:, -1].mean()) - k.least for name in three}
    excess = over(k.many.average[:, -1:] - k.least, k.many.bound[-1:])
    return Outcome(
        reading(
            tol,
            max(apart, excess, 0.0) / k.loss_unit,
            Side("gap of the average", gaps["average"], r"\bar w"),
            Side("gap of the last iterate", gaps["last"], "w_T"),
            Side("gap of the second half's mean", gaps["suffix"]),
            Side("bound, for the average", float(k.many.bound[-1])),
        ),
        note=note(s),
    )


@statement(
    "P12",
    "Two rates",
    sentence="F goes to its minimum like ln T/T; the distance to w* only like the root of that.",
    formula=r"\tfrac{\lambda}{2}\,\|\bar w - w^*\|^2 \le F(\bar w) - F(w^*)",
    source={"A": "after (6), rate of convergence"},
    conditions=ANY + " Not all points lie at the origin.",
    tolerance=1e-9,
    page="pegasos",
    machine="points",
    repair="ln T/T is the rate of F. Strong convexity bounds the square of the distance by the gap, so the distance has the root of that rate.",
    witness=Witness(
        ((1.0, 0.5), (0.5, 1.5), (-0.5, 0.5), (-1.0, -1.0), (-0.5, -1.5), (0.5, -0.5)),
        (1, 1, 1, -1, -1, -1),
        "On log-log axes the distance falls far less steeply than F.",
        bias=False,
    ),
)
def rates(s: Situation, tol: float) -> Outcome:
    """Distances to w* of the exact solver against gaps, at every checkpoint of every run; slopes by least squares."""
    k = moving(s)
    run = k.many
    square, gaps = ((run.averages - k.w) ** 2).sum(-1), run.average - k.least
    excess = float((0.5 * k.lam * square - gaps).max())
    of_F, of_w = rate(run.t, gaps.mean(0)), rate(run.t, np.sqrt(square).mean(0))
    sides = (
        Side("slope of F on log-log axes", of_F),
        Side("slope of the distance", of_w),
    )
    slower = behind(of_F, of_w)
    return Outcome(
        printed=reading(tol, slower, *sides, words="The distance falls as fast as F."),
        repaired=reading(
            tol,
            max(excess, 0.0) / k.loss_unit,
            Side(
                "half lambda distance squared",
                float(0.5 * k.lam * square[:, -1].mean()),
                r"\tfrac\lambda2\|\bar w-w^*\|^2",
            ),
            Side("gap of F", float(gaps[:, -1].mean()), r"F(\bar w)-F(w^*)"),
            *sides,
        ),
        note=note(s),
    )


def behind(of_F: float, of_w: float) -> float:
    """How much less steep the distance is; 0 where a slope cannot be measured."""
    return max(of_w - of_F, 0.0) if math.isfinite(of_w) and math.isfinite(of_F) else 0.0
