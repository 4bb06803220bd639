"""Replay any stretch of a run step by step, bit for bit as it was, although none of its steps was stored."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, Mask, frozen, short_repr
from svmlab.core.errors import BadInput
from svmlab.core.rules import Seed, WholeNumber
from svmlab.core.validate import validated
from svmlab.pegasos.linear_run import PegasosRun, run_steps
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.step_rule import objective

STRIDE = 2**13
LONGEST_STRETCH = 10**5


@dataclass(frozen=True, eq=False)
class RecordedSteps(Frozen):
    """The steps t (n,) of one repetition.

    drawn, margin, violates: (n, batch) the rows Z_t, y <w_t, x_Z>, and whether that is below 1.
    before = w_t, shrink = (c_t / c_{t+1}) w_t (the (1 - 1/t) w_t of P1), push = v_t / c_{t+1} (its v_t / (lam t)),
    after = w_{t+1}: (n, d). after = shrink + push up to rounding, except for a step whose result was projected.
    """

    t: Index
    drawn: Index
    margin: Array
    violates: Mask
    before: Array
    shrink: Array
    push: Array
    after: Array

    def __repr__(self) -> str:
        return short_repr(self, **vars(self))


@validated
def replay(run: PegasosRun, run_index: int, start: int, stop: int) -> RecordedSteps:
    """Return the steps start <= t < stop of repetition `run_index`, 1 <= start < stop <= T + 1, at most 100 000.

    It continues from the last checkpoint before `start`. Raises BadInput, which names the argument.
    """
    T = int(run.t[-1])
    WholeNumber(0, run.runs - 1)("run_index", run_index)
    WholeNumber(1, T)("start", start)
    WholeNumber(start + 1, min(T + 1, start + LONGEST_STRETCH))("stop", stop)
    k = int(np.searchsorted(run.t, start)) - 1
    S, before = (run.sums[run_index, k], int(run.t[k])) if k >= 0 else (np.zeros(run.data.d), 0)
    t = np.arange(start, stop)
    kept = run_steps(run.data, run.rule, run.seed, run_index, before, S, t)
    w, _, v, S = np.moveaxis(kept.vectors, 1, 0)
    c = run.rule.divisor(np.arange(start, stop + 1))[:, None]
    batch = run.rule.batch
    rows = draws(run.data.m, run.seed, run_index, batch * (start - 1), batch * (stop - 1), run.rule.replace)
    return RecordedSteps(
        t=frozen(t, np.intp),
        drawn=frozen(rows.reshape(-1, batch), np.intp),
        margin=frozen(kept.margins),
        violates=frozen(kept.margins < 1.0, bool),
        before=frozen(w),
        shrink=frozen(w * (c[:-1] / c[1:] if run.rule.form == "theta" else 1.0 - 1.0 / t[:, None])),
        push=frozen(v / c[1:]),
        after=frozen(S / c[1:]),
    )


@validated
def comparator_loss(run: PegasosRun, w: Array) -> Array:
    """Return (1/t) sum of l_Zs(w) over s <= t for fixed w (d,), at the checkpoints: (runs, k).

    For several w (n, d) the shape is (n, runs, k). run.regret minus this, at w*, is the realised regret of P6. Every
    point is drawn again, which takes 10 ns a draw.
    """
    data, rule = run.data, run.rule
    if w.ndim not in (1, 2) or w.shape[-1] != data.d:
        raise BadInput(
            "w: shape {shape} is not ({d},). Give one number for each coordinate of a point.", shape=w.shape, d=data.d
        )
    loss = np.maximum(0.0, 1.0 - data.y * (w @ data.X.T)) + 0.5 * rule.mu * (w * w).sum(-1, keepdims=True)
    out, k, T = np.zeros((*w.shape[:-1], run.runs, len(run.t))), len(run.t), int(run.t[-1])
    for r in range(run.runs):
        counts = np.zeros((k, data.m))  # number of draws of each point between one checkpoint and the next
        for start in range(0, T, LONGEST_STRETCH):
            stop = min(start + LONGEST_STRETCH, T)
            rows = draws(data.m, run.seed, r, rule.batch * start, rule.batch * stop, rule.replace)
            checkpoint = np.repeat(np.searchsorted(run.t, np.arange(start + 1, stop + 1)), rule.batch)
            counts += np.bincount(checkpoint * data.m + rows, minlength=k * data.m).reshape(k, data.m)
        out[..., r, :] = loss @ counts.cumsum(0).T / (rule.batch * run.t)
    return out


@validated
def mean_objective(run: PegasosRun, run_index: Seed = 0) -> Array:
    """Return (1/t) (F(w_1) + .. + F(w_t)) at the checkpoints, (k,): the middle term of Jensen's inequality (P8).

    The cost is O(m) a step.
    """
    T = int(run.t[-1])
    values = []
    for start in range(1, T + 1, STRIDE):
        stretch = replay(run, run_index, start, min(start + STRIDE, T + 1))
        values.append(objective(run.data, run.rule.mu, stretch.before))
    return np.cumsum(np.concatenate(values))[run.t - 1] / run.t
