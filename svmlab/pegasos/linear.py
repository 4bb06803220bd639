"""Pegasos with an explicit w: all repetitions side by side, watched at checkpoints (P1-P8, P10-P12; sources A and D)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from svmlab.arrays import Array, Index, frozen
from svmlab.data import Dataset
from svmlab.pegasos.bounds import gap_bound, repaired_factor
from svmlab.pegasos.guess import Guess
from svmlab.pegasos.march import march
from svmlab.pegasos.rule import Progress, Rule, check_reach, checkpoints, farthest, objective
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.sums import fold, inner, push

DRAWN = 2**21  # draws held at a time, over all repetitions
BLOCK = 2**14  # of them worked on at a time, so that the arrays stay in the processor's cache


@dataclass(frozen=True, eq=False)
class PegasosRun:
    """`runs` repetitions watched at the steps t (k,), roughly evenly spaced in log t.

    last, average, suffix: (runs, k) values of F at w_t, at the mean of w_1..w_t and at the mean of its second half.
    regret: (runs, k), (1/t) sum of l_Zs(w_s) over s <= t. iterates, averages, suffixes: (runs, k, d). gradient: (runs, k)
    |gradient of l_Zt at w_t|, G: (runs, k) the largest so far, X = max |x_i|, bound (k,) = 2 X^2 / (sigma t) (1 + ln t), which
    the notes prove where `rule.guaranteed`. sums: (runs, k, d) S_t, from which `replay` goes on. lam is the rule's.
    """

    data: Dataset
    lam: float
    t: Index
    last: Array
    average: Array
    suffix: Array
    regret: Array
    iterates: Array
    averages: Array
    G: Array
    X: float
    bound: Array
    rule: Rule
    seed: int
    suffixes: Array
    gradient: Array
    sums: Array

    @property
    def runs(self) -> int:
        """Number of repetitions."""
        return len(self.last)

    @property
    def norm_ratio(self) -> Array:
        """|w_t| sigma / X, (runs, k), at most 1 (P3); 0 where all points are at the origin."""
        return np.sqrt((self.iterates * self.iterates).sum(-1)) * (self.rule.sigma / (self.X or 1.0))

    @property
    def gradient_ratio(self) -> Array:
        """|gradient| / 2X at the step t, (runs, k), at most 1 where price = step (P4)."""
        return self.gradient / (2.0 * self.X or 1.0)

    @property
    def realised_bound(self) -> Array:
        """The bound with the mean of the realised G^2 for 4 X^2, (k,): (mean G^2) / (2 sigma t) (1 + ln t)."""
        return (self.G * self.G).mean(0) / (2.0 * self.rule.sigma * self.t) * repaired_factor(self.t)


def run_linear(
    data: Dataset, rule: Rule, T: int, runs: int = 1, seed: int = 0, on_progress: Progress | None = None
) -> PegasosRun:
    """T steps of `rule`, bit for bit those of `textbook`, in memory that does not grow with T.

    on_progress gets the fraction done now and then, and may raise to stop. Raises BadInput where floats would overflow.
    """
    check_reach(data, rule)
    t_at = checkpoints(T)
    watch = _Watch(data, rule, t_at, runs)
    S, guess = np.zeros((data.d, runs)), Guess()
    signed = (data.y[:, None] * data.X).T.copy()
    k = rule.batch
    stride, block = min(max(DRAWN // (runs * k), 1), 4096), max(BLOCK // (runs * k), 8)
    for start in range(0, T, stride):
        stop = min(start + stride, T)
        rows = np.stack([draws(data.m, seed, r, k * start, k * stop, rule.replace) for r in range(runs)], axis=1)
        for a, b in watch.cut(start, stop, block):
            z = drawn_points(signed, rows[k * (a - start) : k * (b - start)], k)
            W, M = march(rule, z, S, a + 1, guess)
            watch.see(b, z, W, M, S)
        if on_progress is not None:
            on_progress(stop / T)
    return watch.result(seed)


def drawn_points(signed: Array, rows: Index, batch: int) -> Array:
    """Z (batch, d, n, runs) from signed (d, m) = y x and the rows (n batch, runs) of n steps."""
    n, runs = len(rows) // batch, rows.shape[1]
    z = np.empty((batch, len(signed), n, runs))
    for j in range(batch):
        taken = rows[j::batch]
        for values, out in zip(signed, z[j], strict=True):
            np.take(values, taken, out=out, mode="clip")  # rows are in range; "clip" spares a buffer
    return z


class _Watch:
    """What is remembered of the steps: running sums, and their values at the checkpoints."""

    def __init__(self, data: Dataset, rule: Rule, t_at: Index, runs: int) -> None:
        self.data, self.rule, self.t_at = data, rule, t_at
        self.marks = np.unique(np.r_[t_at, t_at // 2])
        self.total: Array = np.zeros((data.d, runs))
        self.loss: Array = np.zeros(runs)
        self.top: Array = np.zeros(runs)
        self.totals = np.zeros((len(self.marks), data.d, runs))  # sum of w_1..w_t at every mark t
        self.w, self.S = np.zeros((2, len(t_at), data.d, runs))
        self.losses, self.tops, self.squares = np.zeros((3, len(t_at), runs))

    def cut(self, start: int, stop: int, block: int) -> list[tuple[int, int]]:
        """The steps start < t <= stop in pieces a < t <= b of at most `block`, every mark the last of its piece."""
        inside = self.marks[(self.marks > start) & (self.marks < stop)]
        ends = np.unique(np.r_[np.arange(start, stop, block), inside, stop]).tolist()
        return list(pairwise(ends))

    def see(self, t: int, z: Array, W: Array, M: Array, S: Array) -> None:
        """The steps up to t: z (batch, d, n, runs), W (d, n, runs), margins M (batch, n, runs), and S_t (d, runs)."""
        mu = self.rule.mu
        slope: Array = mu * W
        slope -= push(z, M < 1.0)
        squares = inner(slope, slope)
        loss = np.maximum(1.0 - M[0], 0.0)
        for M_j in M[1:]:
            loss += np.maximum(1.0 - M_j, 0.0)
        loss /= len(M)
        loss += 0.5 * mu * inner(W, W)
        self.loss, self.total = fold(self.loss, loss), fold(self.total, W)
        self.top = np.maximum(self.top, squares.max(0))
        mark, k = np.searchsorted(self.marks, t), np.searchsorted(self.t_at, t)
        if mark < len(self.marks) and self.marks[mark] == t:
            self.totals[mark] = self.total
        if k < len(self.t_at) and self.t_at[k] == t:
            self.w[k], self.S[k], self.squares[k] = W[:, -1], S, squares[-1]
            self.losses[k], self.tops[k] = self.loss, self.top

    def result(self, seed: int) -> PegasosRun:
        data, rule, t_at = self.data, self.rule, self.t_at
        end, half = np.searchsorted(self.marks, t_at), np.searchsorted(self.marks, t_at // 2)
        t = t_at[:, None, None]
        averages = self.totals[end] / t
        suffixes = (self.totals[end] - self.totals[half]) / (t - t // 2)
        points = {
            name: frozen(values.transpose(2, 0, 1))
            for name, values in (("iterates", self.w), ("averages", averages), ("suffixes", suffixes), ("sums", self.S))
        }
        values = {
            name: frozen(np.stack([objective(data, rule.mu, w[:, k]) for k in range(len(t_at))], axis=1))
            for name, w in (
                ("last", points["iterates"]),
                ("average", points["averages"]),
                ("suffix", points["suffixes"]),
            )
        }
        X = farthest(data)
        return PegasosRun(
            data=data,
            lam=rule.lam,
            t=frozen(t_at, np.intp),
            regret=frozen((self.losses / t_at[:, None]).T),
            G=frozen(np.sqrt(self.tops).T),
            gradient=frozen(np.sqrt(self.squares).T),
            X=X,
            bound=frozen(gap_bound(X, rule.sigma, t_at)),
            rule=rule,
            seed=seed,
            **values,
            **points,
        )
