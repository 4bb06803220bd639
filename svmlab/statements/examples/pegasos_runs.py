"""Pegasos and the descents of note B, made again step by step with plain loops over the same draws."""

from __future__ import annotations

import math
from functools import cache
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from svmlab.core.arrays import Array
from svmlab.data import Dataset
from svmlab.firstorder import subgradient
from svmlab.kernels.standard import Gaussian, Polynomial
from svmlab.pegasos import bounds, checkpoint_values, dual, estimate, kernel_run, rates, replay_steps, sampling
from svmlab.pegasos import linear_run as linear
from svmlab.pegasos import step_rule as rules
from svmlab.pegasos.run import pegasos
from svmlab.pegasos.textbook import textbook
from svmlab.statements.examples.differences import difference
from svmlab.statements.examples.kernel_values import kernel_value

X = np.array([[1.5, 0.5], [0.5, 2.0], [-0.25, -1.0], [2.0, -0.5], [-1.0, 0.75]])
y = np.array([1.0, 1.0, -1.0, -1.0, 1.0])
SIGNED = (y[:, None] * X).tolist()
LAM, STEPS = 0.2, 30
RULES = (
    rules.Rule(LAM),
    rules.Rule(LAM, form="theta"),
    rules.Rule(LAM, step=2),
    rules.Rule(LAM, penalty_factor=2),
    rules.Rule(LAM, batch=3),
    rules.Rule(1.5, project=True),
    rules.Rule(LAM, replace=False),
    rules.Rule(1.2, batch=2, project=True),
)


class Walk(NamedTuple):
    """The steps of one run: w (T, d) before each step and S (T, d) after it, the losses and |gradient| of its draws."""

    w: Array
    S: Array
    loss: Array
    slope: Array
    rows: list[list[int]]
    margins: list[list[float]]


def objective(w: Array, mu: float) -> float:
    """Return F(w), one point after the other."""
    hinges = [max(0.0, 1.0 - t * float(w @ x)) for x, t in zip(X, y.tolist(), strict=True)]
    return sum(hinges) / len(hinges) + 0.5 * mu * float(w @ w)


def walk(rule: rules.Rule, run: int, seed: int = 3) -> Walk:
    """Make the steps of a rule: w - eta (sigma w - v), with eta = 1/(sigma t) or, as note D prints it, one later."""
    sigma = rule.step * rule.lam
    mu = (rule.penalty_factor or rule.step) * rule.lam
    S, seen = np.zeros(2), []
    drawn = sampling.draws(len(y), seed, run, 0, STEPS * rule.batch, rule.replace).reshape(STEPS, rule.batch).tolist()
    for t, rows in enumerate(drawn, 1):
        shift = 0 if rule.form == "theta" else 1
        w = S / (sigma * max(t - shift, 1))
        inside = [float(y[i] * (w @ X[i])) for i in rows]
        v = sum((y[i] * X[i] for i, margin in zip(rows, inside, strict=True) if margin < 1.0), np.zeros(2)) / len(rows)
        loss = sum(max(0.0, 1.0 - margin) for margin in inside) / len(rows) + 0.5 * mu * float(w @ w)
        S = S + v
        after = S / (sigma * (t + 1 - shift))
        length, radius = math.sqrt(float(after @ after)), 1.0 / math.sqrt(sigma)
        if rule.project and length > radius:
            S = S * radius / length
        seen.append((w, S, loss, math.sqrt(float((mu * w - v) @ (mu * w - v))), rows, inside))
    w_all, S_all, losses, slopes, rows_all, margins = map(list, zip(*seen, strict=True))
    return Walk(np.array(w_all), np.array(S_all), np.array(losses), np.array(slopes), rows_all, margins)


@cache
def error_of_runs() -> float:
    """Compare all values of linear runs with the steps made by hand, for every rule."""
    off, data = 0.0, Dataset(X, y)
    for rule in RULES:
        runs = linear.run_linear(data, rule, STEPS, 2, 3)
        sigma, mu = rule.step * rule.lam, (rule.penalty_factor or rule.step) * rule.lam
        for run in (0, 1):
            hand = walk(rule, run)
            sums = hand.w.cumsum(0)
            for k, t in enumerate(runs.t.tolist()):
                half = t // 2
                average = sums[t - 1] / t
                suffix = (sums[t - 1] - (sums[half - 1] if half else 0.0)) / (t - half)
                values = {
                    "iterates": hand.w[t - 1],
                    "averages": average,
                    "suffixes": suffix,
                    "last": objective(hand.w[t - 1], mu),
                    "average": objective(average, mu),
                    "suffix": objective(suffix, mu),
                    "regret": sum(hand.loss[:t].tolist()) / t,
                    "G": max(hand.slope[:t].tolist()),
                    "gradient": hand.slope[t - 1],
                    "sums": hand.S[t - 1],
                }
                off = max(off, *(difference(getattr(runs, name)[run, k], value) for name, value in values.items()))
        longest = max(math.sqrt(float(x @ x)) for x in X)
        t = runs.t.astype(float)
        guaranteed = 2.0 * longest * longest / (sigma * t) * (1.0 + np.log(t))
        realised = (runs.G**2).sum(0) / 2.0 / (2.0 * sigma * t) * (1.0 + np.log(t))
        off = max(
            off,
            difference((runs.X, rule.sigma, rule.mu, rule.radius), (longest, sigma, mu, sigma**-0.5)),
            difference(runs.bound, guaranteed),
            difference(runs.realised_bound, realised),
            difference((int(runs.t[0]), int(runs.t[-1]), runs.runs), (1, STEPS, 2)),
        )
    once = linear.run_linear(data, RULES[0], 1, 1, 3)
    off = max(off, difference(once.t, [1]), difference(once.iterates[0, 0], np.zeros(2)))
    guaranteed_rules = [rule.guaranteed for rule in RULES]
    return max(off, difference(guaranteed_rules, [True, False, True, False, True, True, False, True]))


@cache
def error_of_replays() -> float:
    """Compare replayed steps, the loss of a fixed w and the mean of F with the steps made by hand."""
    off, data, fixed = 0.0, Dataset(X, y), np.array([0.4, -0.3])
    for rule in RULES:
        runs = linear.run_linear(data, rule, STEPS, 2, 3)
        sigma, mu = rule.step * rule.lam, (rule.penalty_factor or rule.step) * rule.lam
        hand, shift = walk(rule, 1), 0 if rule.form == "theta" else 1
        for start, stop in ((1, 6), (12, 31)):
            steps = replay_steps.replay(runs, 1, start, stop)
            t, at = np.arange(start, stop), slice(start - 1, stop - 1)
            divisor, later = np.maximum(t - shift, 1)[:, None], (t + 1 - shift)[:, None]
            v = np.array(
                [
                    sum((y[i] * X[i] for i, m in zip(rows, inside, strict=True) if m < 1.0), np.zeros(2)) / len(rows)
                    for rows, inside in zip(hand.rows[at], hand.margins[at], strict=True)
                ]
            )
            shrink = hand.w[at] * ((t - shift)[:, None] / later if shift else divisor / later)
            off = max(
                off,
                difference(steps.t, t),
                difference(steps.drawn, hand.rows[at]),
                difference(steps.margin, hand.margins[at]),
                difference(steps.violates, np.array(hand.margins[at]) < 1.0),
                difference(steps.before, hand.w[at]),
                difference(steps.shrink, shrink),
                difference(steps.push, v / (sigma * later)),
                difference(steps.after, hand.S[at] / (sigma * later)),
            )
        losses = [
            sum(max(0.0, 1.0 - y[i] * float(fixed @ X[i])) for i in rows) / len(rows) + 0.5 * mu * float(fixed @ fixed)
            for rows in hand.rows
        ]
        F = [objective(w, mu) for w in hand.w]
        for name, values, means in (
            ("loss of a fixed w", losses, replay_steps.comparator_loss(runs, fixed)[1]),
            ("F", F, replay_steps.mean_objective(runs, 1)),
        ):
            assert name
            off = max(off, difference(means, [sum(values[:t]) / t for t in runs.t.tolist()]))
    return off


@cache
def error_of_kernel_runs() -> float:
    """Compare runs in kernel values with signed counts that are kept by hand, and their dual bound with its formula."""
    off, data, kernel = 0.0, Dataset(X, y), Gaussian(0.9)
    K = np.array([[kernel_value(kernel, p, q) for q in X.tolist()] for p in X.tolist()])
    Z = np.array([[0.3, 0.1], [-1.0, 2.0]])
    to_Z = np.array([[kernel_value(kernel, p, q) for q in Z.tolist()] for p in X.tolist()])
    for rule in (rules.Rule(LAM), rules.Rule(LAM, form="theta"), rules.Rule(LAM, step=2, penalty_factor=1)):
        runs = kernel_run.run_kernel(data, rule, STEPS, kernel, 2, 3)
        sigma, mu = rule.step * rule.lam, (rule.penalty_factor or rule.step) * rule.lam
        shift = 0 if rule.form == "theta" else 1
        for run in (0, 1):
            beta, total, loss, top = np.zeros(5), np.zeros(5), 0.0, 0.0
            totals, steps = [np.zeros(5)], kernel_run.replay_kernel(runs, run, 1, STEPS + 1)
            for t, i in enumerate(sampling.draws(5, 3, run, 0, STEPS).tolist(), 1):
                a = beta / (sigma * max(t - shift, 1))
                f, margin, square = a @ K, float(y[i] * (a @ K[:, i])), float(a @ K @ a)
                total = total + a
                totals.append(total)
                loss += max(0.0, 1.0 - margin) + 0.5 * mu * square
                slope = mu * mu * square + (margin < 1.0) * (K[i, i] - 2.0 * mu * margin)
                top = max(top, slope)
                replayed = steps.drawn[t - 1], steps.margin[t - 1], steps.violates[t - 1]
                off = max(off, difference(replayed, (i, margin, margin < 1.0)), difference(steps.beta[t - 1], beta))
                if t in runs.t.tolist():
                    k, half = runs.t.tolist().index(t), t // 2
                    suffix = (total - totals[half]) / (t - half)

                    def F(c: Array, mu: float = mu) -> float:
                        hinges = np.maximum(0.0, 1.0 - y * (c @ K))
                        return float(hinges.sum()) / 5.0 + 0.5 * mu * float(c @ K @ c)

                    pairs = (
                        (runs.beta, beta),
                        (runs.iterates, a),
                        (runs.averages, total / t),
                        (runs.suffixes, suffix),
                        (runs.last, F(a)),
                        (runs.average, F(total / t)),
                        (runs.suffix, F(suffix)),
                        (runs.regret, loss / t),
                        (runs.G, math.sqrt(top)),
                    )
                    off = max(off, *(difference(values[run, k], value) for values, value in pairs))
                    off = max(off, difference(f[i] * y[i], margin))
                    kinds: tuple[tuple[kernel_run.Which, Array], ...] = (
                        ("last", a),
                        ("average", total / t),
                        ("suffix", suffix),
                    )
                    for which, c in kinds:
                        off = max(off, difference(runs.decision(Z, which, run, k), c @ to_Z))
                    if rule == RULES[0]:
                        C = 1.0 / (LAM * 5)
                        inside = np.minimum(np.abs(beta) / (sigma * max(t - shift, 1)), C)
                        value = LAM * (float(inside.sum()) - 0.5 * float((inside * y) @ K @ (inside * y)))
                        off = max(off, difference(dual.certificate(runs)[run, k], F(total / t) - value))
                if margin < 1.0:
                    beta = beta.copy()
                    beta[i] += y[i]
        off = max(off, difference(runs.X, math.sqrt(max(K.diagonal().tolist()))))
    squares = Polynomial(2, 0.5, 0.3)
    longest = math.sqrt(max(kernel_value(squares, p, p) for p in X.tolist()))
    off = max(off, difference(kernel_run.run_kernel(data, RULES[0], 3, squares).X, longest))
    ascent = dual.dual_coordinate_ascent(data, LAM, 400, kernel, 3)
    signed = ascent.alpha[-1] * y
    C, f = 1.0 / (LAM * 5), signed @ K
    best = np.clip(ascent.alpha[-1] + (1.0 - y * f) / K.diagonal(), 0.0, C)
    value = LAM * (float(ascent.alpha[-1].sum()) - 0.5 * float(signed @ K @ signed))
    primal = float(np.maximum(0.0, 1.0 - y * f).mean()) + 0.5 * LAM * float(signed @ K @ signed)
    return max(
        off,
        difference(best, ascent.alpha[-1]),
        difference((ascent.dual[-1], ascent.F[-1], ascent.certificate[-1]), (value, primal, primal - value)),
        difference(value, primal),
    )


@cache
def error_of_descents() -> float:
    """Compare batch and stochastic descent with steps made by hand, for every reading of note B's lines."""
    off, data, m = 0.0, Dataset(X, y), len(y)
    for C, eta in ((None, None), (0.7, None), (None, 0.1)):
        descent = subgradient.batch_descent(data, LAM, STEPS, C, eta)
        price, w, total = 1.0 / (LAM * m) if C is None else C, np.zeros(2), np.zeros(2)
        for r in range(1, STEPS + 1):
            total = total + w
            off = max(off, _difference_at(descent, 0, r, w, total / r))
            h = 1.0 / r if eta is None else eta
            added = sum((t * x for x, t in zip(X, y.tolist(), strict=True) if t * float(w @ x) < 1.0), np.zeros(2))
            w = w - h * w + h * price * added
        off = max(off, difference(descent.target_lam, 1.0 / (price * m)))
    for reading in subgradient.READINGS:
        for C, eta in ((None, None), (0.7, 0.1)) if reading == "repaired" else ((None, None), (None, 0.1)):
            run_of = subgradient.sgd(data, LAM, STEPS, reading, C, eta, 2, 3)
            for run in (0, 1):
                w, total = np.zeros(2), np.zeros(2)
                for r, i in enumerate(sampling.draws(m, 3, run, 0, STEPS).tolist(), 1):
                    total = total + w
                    off = max(off, _difference_at(run_of, run, r, w, total / r))
                    h, inside = 1.0 / r if eta is None else eta, float(y[i] * (w @ X[i])) < 1.0
                    weight = (1.0 / LAM if C is None else C * m) if reading == "repaired" else 1.0
                    added = X[i] if reading == "printed" else weight * y[i] * X[i]
                    shrinks = inside or reading in ("repaired", "as written")
                    w = w - (h * w if shrinks else 0.0) + (h * added if inside else 0.0)
            if reading == "repaired":
                off = max(off, difference(run_of.target_lam, LAM if C is None else 1.0 / (C * m)))
            if (
                reading == "as written"
            ):  # on average a step adds h times the sum of y x over m, so C = 1/m and lambda = 1
                off = max(off, difference(run_of.target_lam, 1.0))
    return max(off, _error_of_late_steps())


def _error_of_late_steps() -> float:
    """Compare the end of a stochastic descent that draws its points in two portions with the same steps by hand."""
    T, eta = subgradient.REPORT_STEPS + 6, 0.1
    descent = subgradient.sgd(Dataset(X, y), LAM, T, "repaired", None, eta, 2, 3)
    off = difference(descent.t[-1], T)
    for run in (0, 1):
        w1 = w2 = 0.0
        for i in sampling.draws(len(y), 3, run, 0, T).tolist()[: T - 1]:
            x1, x2 = SIGNED[i]
            push = eta / LAM if x1 * w1 + x2 * w2 < 1.0 else 0.0
            w1, w2 = w1 - eta * w1 + push * x1, w2 - eta * w2 + push * x2
        off = max(off, difference(descent.iterates[run, -1], (w1, w2)))
    return off


def _difference_at(descent: subgradient.Descent, run: int, r: int, w: Array, average: Array) -> float:
    """Return how far a descent is from w and the average at step r, 0 if it keeps nothing there."""
    if r not in descent.t.tolist():
        return 0.0
    k = descent.t.tolist().index(r)
    return max(
        difference(descent.iterates[run, k], w),
        difference(descent.averages[run, k], average),
        difference(descent.last[run, k], objective(w, LAM)),
        difference(descent.average[run, k], objective(average, LAM)),
    )


OPTIONS: tuple[dict[str, Any], ...] = (  # of `pegasos` and of a rule: lam, form, step, penalty_factor, ...
    {},
    {"form": "theta"},
    {"step": 2},
    {"step": 2, "penalty_factor": 1},
    {"penalty_factor": 2, "form": "theta"},
    {"batch": 3, "replace": False},
    {"lam": 1.5, "project": True},
    {"lam": 1.2, "batch": 2, "project": True},
)


@cache
def error_of_textbook() -> float:
    """Compare the algorithm as it is written on a blackboard, and a whole run with each option, with steps by hand."""
    off, data = 0.0, Dataset(X, y)
    for options in OPTIONS:
        rule = rules.Rule(**{"lam": LAM} | options)
        sigma = options.get("step", 1) * options.get("lam", LAM)
        mu = options.get("penalty_factor", options.get("step", 1)) * options.get("lam", LAM)
        off = max(off, difference((rule.sigma, rule.mu, rule.penalty_factor), (sigma, mu, mu / rule.lam)))
        runs = pegasos(data, rule.lam, STEPS, 2, 3, **{k: v for k, v in options.items() if k != "lam"})
        assert isinstance(runs, linear.PegasosRun)
        for run in (0, 1):
            hand, steps = walk(rule, run), textbook(data, rule, STEPS, 3, run)
            totals, losses = hand.w.cumsum(0), hand.loss.cumsum()
            t = runs.t - 1
            off = max(
                off,
                difference([step.t for step in steps], np.arange(1, STEPS + 1)),
                difference([step.drawn for step in steps], hand.rows),
                difference([step.margins for step in steps], hand.margins),
                difference([step.w for step in steps], hand.w),
                difference([step.total for step in steps], totals),
                difference([step.loss for step in steps], losses),
                difference([step.G for step in steps], np.maximum.accumulate(hand.slope)),
                difference(runs.iterates[run], hand.w[t]),
                difference(runs.averages[run], totals[t] / runs.t[:, None]),
                difference(runs.regret[run], losses[t] / runs.t),
                difference(runs.last[run], [objective(w, mu) for w in hand.w[t]]),
            )
    return off


@cache
def error_of_kernel_choice() -> float:
    """Compare a whole run with a kernel with signed counts that are kept by hand, for each learning rate and form."""
    off, kernel, data = 0.0, Gaussian(0.9), Dataset(X, y)
    K = np.array([[kernel_value(kernel, p, q) for q in X.tolist()] for p in X.tolist()])
    for form, step in (("w", 1), ("w", 2), ("theta", 1)):
        runs = pegasos(data, LAM, STEPS, 2, 3, kernel=kernel, form="w" if form == "w" else "theta", step=step)
        if not isinstance(runs, kernel_run.KernelRun):
            return math.inf
        for run in (0, 1):
            counts, kept = np.zeros(5), []
            for t, i in enumerate(sampling.draws(5, 3, run, 0, STEPS).tolist(), 1):
                divisor = step * LAM * (max(t - 1, 1) if form == "w" else t)
                kept.append((counts, counts / divisor))
                if y[i] * float(counts @ K[:, i]) / divisor < 1.0:
                    counts = counts + y[i] * np.eye(5)[i]
            at = runs.t - 1
            wanted = [np.array(each)[at] for each in zip(*kept, strict=True)]
            off = max(off, difference(runs.beta[run], wanted[0]), difference(runs.iterates[run], wanted[1]))
    plain = pegasos(data, LAM, STEPS, 1, 3, kernel=Polynomial(1, 0.0))
    linear_values = pegasos(data, LAM, STEPS, 1, 3)
    if not isinstance(plain, kernel_run.KernelRun) or not isinstance(linear_values, linear.PegasosRun):
        return math.inf
    signed = plain.iterates[0] @ X
    return max(off, difference(signed, linear_values.iterates[0]))


@cache
def error_of_bounds() -> float:
    """Compare the factors and bounds of the analysis with their formulas, and the number of steps with a search."""
    off = 0.0
    for T in (1, 2, 7, 100, 300, 1000):
        H = sum(1.0 / t for t in range(1, T + 1))
        pairs = (
            (bounds.harmonic(T), H),
            (bounds.corrected_factor(T), 1.0 + math.log(T)),
            (bounds.printed_factor(T), math.log(T + 1)),
            (bounds.regret_bound(1.7, 0.3, T, 2.0), 1.7 * 1.7 / (2.0 * 0.3 * T) * 2.0),
            (bounds.gap_bound(1.3, 0.3, T), 2.0 * 1.3 * 1.3 / (0.3 * T) * (1.0 + math.log(T))),
            (bounds.printed_gap_bound(1.3, 0.3, T), 2.0 * 1.3 * 1.3 / (0.3 * T) * math.log(T + 1)),
            (bounds.sharp_gap_bound(1.3, 0.3, T), (4.0 * H - 3.0) * 1.3 * 1.3 / (2.0 * 0.3 * T)),
        )
        off = max(off, *(difference(value, wanted) for value, wanted in pairs))
    for eps in (2.0, 0.5, 0.04):
        printed = next(T for T in range(1, 10**5) if 2.0 / (0.3 * T) * (1.0 + math.log(T)) <= eps)
        H, T = 1.0, 1
        while eps < (4.0 * H - 3.0) / (2.0 * 0.3 * T):
            T += 1
            H += 1.0 / T
        steps = rates.steps_for_bound(1.0, 0.3, eps), rates.steps_for_bound(1.0, 0.3, eps, True)
        off = max(off, difference(steps, (printed, T)))
    t = np.array([1, 2, 4, 8, 16, 32, 64, 128])
    gaps = np.array([9.0, 0.1, 3.0, 0.2, 0.15, 0.12, 0.05, 0.01])
    firsts = [rates.steps_for_gap(t, gaps, eps) for eps in (0.2, 0.1, 10.0, 0.001)]
    slopes = [rates.rate(t, t.astype(float) ** power, share) for power, share in ((-1.0, 0.5), (-0.5, 0.9))]
    bent = np.where(t < 12, 1.0, 12.0 / t)  # flat in the first half of the decades
    return max(
        off,
        difference([-1 if first is None else first for first in firsts], [8, 64, 1, -1]),
        difference(slopes, (-1.0, -0.5)),
        difference(rates.rate(t, bent, 0.5), -1.0),
    )


@cache
def error_of_draws() -> float:
    """Check that stretches of draws fit together, and that seeds and repetitions draw different points."""
    off = 0.0
    whole = sampling.draws(7, 5, 2, 0, 60)
    for start, stop in ((0, 9), (1, 6), (2, 31), (3, 4), (9, 60)):
        off = max(off, difference(sampling.draws(7, 5, 2, start, stop), whole[start:stop]))
    orders = sampling.draws(7, 5, 2, 0, 56, False)
    off = max(off, *(difference(np.sort(epoch), np.arange(7)) for epoch in orders.reshape(8, 7)))
    off = max(off, *(difference(sampling.draws(7, 5, 2, a, b, False), orders[a:b]) for a, b in ((3, 11), (14, 21))))
    others = [sampling.draws(7, seed, run, 0, 60) for seed, run in ((5, 0), (5, 1), (4, 2), (0, 2))]
    keys = list(product((0, 1, 2, 3, 5, 10, 11, 100, 1000, 2**32, 2**32 + 1), repeat=2))  # seeds and repetitions
    starts = [
        {tuple(sampling.draws(7, seed, run, 0, 24, replace).tolist()) for seed, run in keys}
        for replace in (True, False)
    ]  # of two sequences that are unlike, all 24 draws agree with a probability below 1e-9
    equal = [float((whole == other).mean()) for other in others] + [float((orders[:7] == orders[7:14]).all())]
    block = list(checkpoint_values.blocks(Dataset(X, y), rules.Rule(LAM, batch=1000), 1, 2, 2, 40))
    many = np.bincount(sampling.draws(7, 1, 0, 0, 7000), minlength=7)
    return max(
        off,
        1.0 if max(equal) > 0.5 else 0.0,
        0.0 if many.min() > 850 and many.max() < 1150 else 1.0,  # five standard errors
        difference(len(many), 7),
        difference([len(sequences) for sequences in starts], [len(keys)] * 2),
        difference([first for first, _rows, _divisors in block], (3, 19, 35)),
        difference(np.concatenate([rows for _first, rows, _divisors in block]), sampling.draws(5, 1, 2, 2000, 40000)),
    )


@cache
def error_of_estimates() -> float:
    """Compare the losses of single draws, and F, with their formulas at some w."""
    w, data, t = np.array([0.7, -0.4]), Dataset(X, y), 4
    rows = sampling.draws(len(y), 2, 0, 0, 50).tolist()
    before, after = [], []
    for x, label in zip(X, y.tolist(), strict=True):
        hinge = 1.0 - label * float(w @ x)
        moved = (1.0 - 1.0 / t) * w + (label * x / (LAM * t) if hinge > 0 else 0.0)
        before.append(max(0.0, hinge) + 0.5 * LAM * float(w @ w))
        own = max(0.0, 1.0 - label * float(moved @ x)) + 0.5 * LAM * float(moved @ moved)
        after.append(own - objective(moved, LAM))
    estimated = estimate.estimate(data, LAM, w, t, 50, 2)
    excess = np.array([before[i] for i in rows]) - objective(w, LAM)
    later = np.array([after[i] for i in rows])
    z = [float(v.mean()) / (float(v.std()) / math.sqrt(50)) for v in (excess, later)]
    some = np.stack([w, 2.0 * w])
    return max(
        difference(estimated.before, [before[i] for i in rows]),
        difference(estimated.F, objective(w, LAM)),
        difference(estimated.after, later),
        difference((estimated.z, estimated.z_after), z),
        difference(rules.objective(data, LAM, some), [objective(v, LAM) for v in some]),
        difference(rules.largest_norm(data), max(math.sqrt(float(x @ x)) for x in X)),
        difference(checkpoint_values.needed_steps(np.array([1, 2, 5]))[0], [0, 1, 2, 5]),
    )
