"""Pegasos in kernel values alone: signed counts in place of w (P9, P10 of the catalogue, source D).

S_t = sum_j beta_j phi(x_j);  a draw i with y_i f_i < c_t, f_i = sum_j beta_j k(x_j, x_i), adds y_i to beta_i
w_t = (1/c_t) sum_j beta_j phi(x_j) with the beta before step t and the c_t of `Rule`
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np

from svmlab.arrays import Array, Index, Mask, frozen
from svmlab.data import Dataset
from svmlab.errors import BadInput
from svmlab.kernels import Kernel
from svmlab.pegasos.bounds import gap_bound, repaired_factor
from svmlab.pegasos.rule import Progress, Rule, checkpoints, whole
from svmlab.pegasos.sampling import draws

STRIDE = 2**14
Which = Literal["last", "average", "suffix"]


@dataclass(frozen=True, eq=False)
class KernelRun:
    """`runs` repetitions in kernel values, watched at the steps t (k,); the fields of `PegasosRun`, with coefficients for w.

    beta: (runs, k, m) signed counts before step t, y_j times how often x_j has been added. iterates, averages, suffixes:
    (runs, k, m) the a_j of w = sum_j a_j phi(x_j). X = max sqrt(k(x_i, x_i)).
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
    kernel: Kernel
    beta: Array

    @property
    def runs(self) -> int:
        """Number of repetitions."""
        return len(self.last)

    @property
    def realised_bound(self) -> Array:
        """The bound with the mean of the realised G^2 for 4 X^2, (k,)."""
        return (self.G * self.G).mean(0) / (2.0 * self.rule.sigma * self.t) * repaired_factor(self.t)

    def decision(self, Z: Array, which: Which = "average", run: int = 0, at: int = -1) -> Array:
        """Values of f at each row of Z, (n,), of one repetition's iterate at the checkpoint number `at`."""
        a = {"last": self.iterates, "average": self.averages, "suffix": self.suffixes}[which][run, at]
        return a @ self.kernel(self.data.X, np.asarray(Z, dtype=float))


def run_kernel(
    data: Dataset,
    rule: Rule,
    T: int,
    kernel: Kernel,
    runs: int = 1,
    seed: int = 0,
    on_progress: Progress | None = None,
    gram: Array | None = None,
) -> KernelRun:
    """T steps of `rule`, one repetition after the other, a few microseconds at most for a step of up to 300 points.

    The draws are those of the linear run with the same seed. gram: kernel(X, X) where it is known already. on_progress gets the
    fraction done, and may raise to stop. Raises BadInput for batch and project,
    which only the linear run has, and where |w| would not be a norm.
    """
    if rule.batch > 1 or rule.project:
        name, value = ("batch", rule.batch) if rule.batch > 1 else ("project", rule.project)
        raise BadInput(f"{name}: {value!r} is for the linear kernel only. Leave it out, or choose Linear().")
    K = kernel(data.X, data.X) if gram is None else gram
    if not kernel.psd:
        _check_psd(K)
    t_at = checkpoints(T)
    shape = (runs, len(t_at))
    beta, averages, suffixes = (np.zeros((*shape, data.m)) for _ in range(3))
    regret, G = np.zeros(shape), np.zeros(shape)
    for r in range(runs):
        walk = _Walk(data, rule, K, seed, r)
        sums: dict[int, Array] = {0: np.zeros(data.m)}
        for t in sorted({int(t) for s in t_at for t in (s // 2, s)} - {0}):
            for stop in [*range(walk.t + STRIDE, t - 1, STRIDE), t - 1]:
                walk.go(stop)
                if on_progress is not None:
                    on_progress((r + walk.t / T) / runs)
            sums[t], counts = walk.total(t), walk.beta.copy()
            walk.go(t)
            k = int(np.searchsorted(t_at, t))
            if t_at[k] == t:
                beta[r, k], averages[r, k] = counts, sums[t] / t
                suffixes[r, k] = (sums[t] - sums[t // 2]) / (t - t // 2)
                regret[r, k], G[r, k] = walk.loss / t, math.sqrt(walk.top)
    if on_progress is not None:
        on_progress(1.0)
    iterates = beta / rule.divisor(t_at)[:, None]
    X = math.sqrt(float(np.diag(K).max()))
    return KernelRun(
        data=data,
        lam=rule.lam,
        t=frozen(t_at, np.intp),
        last=frozen(_values(data.y, K, rule.mu, iterates)),
        average=frozen(_values(data.y, K, rule.mu, averages)),
        suffix=frozen(_values(data.y, K, rule.mu, suffixes)),
        regret=frozen(regret),
        iterates=frozen(iterates),
        averages=frozen(averages),
        G=frozen(G),
        X=X,
        bound=frozen(gap_bound(X, rule.sigma, t_at)),
        rule=rule,
        seed=seed,
        suffixes=frozen(suffixes),
        kernel=kernel,
        beta=frozen(beta),
    )


@dataclass(frozen=True, eq=False)
class KernelStretch:
    """The steps t (n,) of one repetition: drawn (n,) the rows Z_t, margin (n,), violates (n,), and beta (n, m) before each step.

    w_t has the coefficients beta / c (n, m) with c (n,) of `Rule`; a step that violates adds y_Z to beta_Z.
    """

    t: Index
    drawn: Index
    margin: Array
    violates: Mask
    beta: Array
    c: Array


def replay_kernel(run: KernelRun, run_index: int, start: int, stop: int) -> KernelStretch:
    """The steps start <= t < stop of repetition `run_index`, 1 <= start < stop <= T + 1, at most 10 000 of them.

    Walks from the first step on, half a second for a million. Raises BadInput naming the argument.
    """
    T = int(run.t[-1])
    whole("run_index", run_index, 0, run.runs - 1)
    whole("start", start, 1, T)
    whole("stop", stop, start + 1, min(T + 1, start + 10**4))
    data, rule = run.data, run.rule
    walk = _Walk(data, rule, run.kernel(data.X, data.X), run.seed, run_index)
    while walk.t < start - 1:
        walk.go(min(walk.t + STRIDE, start - 1))
    drawn = draws(data.m, run.seed, run_index, start - 1, stop - 1, rule.replace)
    c = rule.divisor(np.arange(start, stop))
    beta, margin = np.zeros((stop - start, data.m)), np.zeros(stop - start)
    for j, i in enumerate(drawn):
        beta[j], margin[j] = walk.beta, data.y[i] * walk.f[i] / c[j]
        walk.go(start + j)
    t = np.arange(start, stop)
    return KernelStretch(
        frozen(t, np.intp), frozen(drawn, np.intp), frozen(margin), frozen(margin < 1.0, bool), frozen(beta), frozen(c)
    )


class _Walk:
    """One repetition: its counts beta, f at the points, and what has been summed on the way."""

    def __init__(self, data: Dataset, rule: Rule, K: Array, seed: int, run: int) -> None:
        self.m, self.rule, self.seed, self.run = data.m, rule, seed, run
        self.y, self.diagonal = data.y.tolist(), np.diag(K).tolist()
        self.rows = list(data.y[:, None] * K)
        self.t, self.h = 0, 0.0
        self.beta, self.late, self.f = np.zeros(data.m), np.zeros(data.m), np.zeros(data.m)
        self.square, self.loss, self.top = 0.0, 0.0, 0.0

    def go(self, stop: int) -> None:
        """The steps up to and with `stop`.

        h_t = 1/c_1 + .. + 1/c_t; `late` sums y h_t over the steps t that added, so that the sum of w_1..w_t is beta h_t - late.
        """
        mu, y, diagonal, rows = self.rule.mu, self.y, self.diagonal, self.rows
        square, loss, top, h = self.square, self.loss, self.top, self.h
        f, beta, late = self.f.data, self.beta.data, self.late.data  # plain floats, several times quicker than numpy's
        drawn = draws(self.m, self.seed, self.run, self.t, stop, self.rule.replace).tolist()
        for i, c in zip(drawn, self.rule.divisor(np.arange(self.t + 1, stop + 1)).tolist(), strict=True):
            h += 1.0 / c
            margin = y[i] * f[i] / c
            norm = square / (c * c)
            slope = mu * mu * norm
            loss += 0.5 * mu * norm
            if margin < 1.0:
                loss += 1.0 - margin
                slope += diagonal[i] - 2.0 * mu * margin
                square += 2.0 * y[i] * f[i] + diagonal[i]
                beta[i] += y[i]
                late[i] += y[i] * h
                self.f += rows[i]
            if slope > top:
                top = slope
        self.square, self.loss, self.top, self.h, self.t = square, loss, top, h, stop

    def total(self, t: int) -> Array:
        """The coefficients of w_1 + .. + w_t, when t is the step to come."""
        return self.beta * (self.h + 1.0 / float(self.rule.divisor(np.array(t)))) - self.late


def _values(y: Array, K: Array, mu: float, a: Array) -> Array:
    """F at w = sum_j a_j phi(x_j) for a (..., m)."""
    f = a @ K
    return np.maximum(0.0, 1.0 - y * f).mean(-1) + 0.5 * mu * (a * f).sum(-1)


def _check_psd(K: Array) -> None:
    smallest = float(np.linalg.eigvalsh(0.5 * (K + K.T))[0])
    if smallest < -1e-10 * float(np.abs(np.diag(K)).max()):
        raise BadInput(
            f"kernel: this kernel is indefinite on these points: the smallest eigenvalue of its matrix is {smallest:.3g}, so |w| is "
            "not a norm and F has no minimum to go to. Change its parameters, or choose another kernel."
        )
