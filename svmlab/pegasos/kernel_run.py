"""Pegasos in kernel values alone, with signed counts instead of w (P9, P10 of the catalogue, note D).

S_t = sum_j beta_j phi(x_j);  a draw i with y_i f_i < c_t, f_i = sum_j beta_j k(x_j, x_i), adds y_i to beta_i
w_t = (1/c_t) sum_j beta_j phi(x_j) with the beta before step t and the c_t of `Rule`
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, Mask, frozen, short_repr
from svmlab.core.errors import BadInput
from svmlab.core.rules import Seed, WholeNumber
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.jit.compiler import compiled
from svmlab.kernels.base import Kernel
from svmlab.pegasos.checkpoint_values import CheckpointedRun, blocks, needed_steps, run_fields, share_of_progress
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.step_rule import Progress, Rule, Runs, Steps, check_points, check_reach, checkpoints

Which = Literal["last", "average", "suffix"]


@dataclass(frozen=True, eq=False, repr=False)
class KernelRun(CheckpointedRun):
    """A run in kernel values: iterates, averages, suffixes are (runs, k, m), the a_j of w = sum_j a_j phi(x_j).

    beta: (runs, k, m) signed counts before step t, y_j times how often x_j has been added. X = max sqrt(k(x_i, x_i)).
    """

    kernel: Kernel
    beta: Array

    @validated
    def decision(self, Z: Array, which: Which = "average", run: int = 0, at: int = -1) -> Array:
        """Return f at each row of Z (n, d), shape (n,), for an iterate of one repetition at checkpoint number `at`.

        Raises BadInput for a Z of another shape.
        """
        run = WholeNumber(0, self.runs - 1)("run", run)
        at = WholeNumber(-len(self.t), len(self.t) - 1)("at", at)
        a = {"last": self.iterates, "average": self.averages, "suffix": self.suffixes}[which][run, at]
        return a @ self.kernel(self.data.X, Z)


@validated
def run_kernel(
    data: Dataset,
    rule: Rule,
    T: Steps,
    kernel: Kernel,
    runs: Runs = 1,
    seed: Seed = 0,
    on_progress: Progress | None = None,
    gram: Array | None = None,
) -> KernelRun:
    """Make T steps of `rule`, one repetition after the other. A step that adds is O(m), any other O(1).

    The draws are those of the linear run with the same seed. gram: kernel(X, X) if it is known already. on_progress
    gets the fraction done, and may raise to stop. Raises BadInput as `pegasos` does, for a gram of another shape, for
    batch and project, which only the linear run has, and if |w| would not be a norm.
    """
    check_points(data)
    if rule.batch > 1 or rule.project:
        name, value = ("batch", rule.batch) if rule.batch > 1 else ("project", rule.project)
        raise BadInput(
            "{name}: {value!r} is for the linear kernel only. Leave it out, or choose Linear().", name=name, value=value
        )
    check_reach(math.sqrt(kernel.largest_diagonal(data.X)), rule)
    K = kernel(data.X, data.X) if gram is None else gram
    if K.shape != (data.m, data.m):
        raise BadInput(
            "gram: shape {shape} is not ({m}, {m}). Give one row and one column for each point.",
            shape=K.shape,
            m=data.m,
        )
    if not kernel.psd:
        _check_psd(K)
    t_at = checkpoints(T)
    wanted, at, _ = needed_steps(t_at)
    beta, totals = np.zeros((2, runs, len(wanted), data.m))
    scalars = np.zeros((runs, len(wanted), 3))
    for r in range(runs):
        beta[r], totals[r], scalars[r] = _run_steps(
            data, rule, K, seed, r, wanted, share_of_progress(on_progress, r, runs)
        )
    beta = beta[:, at]
    iterates = beta / rule.divisor(t_at)[:, None]
    losses, largest_squared_gradients, _ = np.moveaxis(scalars[:, at], -1, 0)

    def F(a: Array) -> Array:
        f = a @ K
        return np.maximum(0.0, 1.0 - data.y * f).mean(-1) + 0.5 * rule.mu * (a * f).sum(-1)

    X = math.sqrt(float(np.diag(K).max()))
    return KernelRun(
        **run_fields(data, rule, seed, t_at, F, X, iterates, totals, losses, largest_squared_gradients),
        kernel=kernel,
        beta=frozen(beta),
    )


@dataclass(frozen=True, eq=False)
class RecordedKernelSteps(Frozen):
    """The steps t (n,) of one repetition.

    drawn (n,): the rows Z_t. margin (n,). violates (n,). beta (n, m): before each step. w_t has the coefficients
    beta / c (n, m) with c (n,) of `Rule`. A step that violates adds y_Z to beta_Z.
    """

    t: Index
    drawn: Index
    margin: Array
    violates: Mask
    beta: Array
    c: Array

    def __repr__(self) -> str:
        return short_repr(self, **vars(self))


@validated
def replay_kernel(run: KernelRun, run_index: int, start: int, stop: int) -> RecordedKernelSteps:
    """Return the steps start <= t < stop of repetition `run_index`, 1 <= start < stop <= T + 1, at most 10 000.

    All steps from the first one are made again. Raises BadInput, which names the argument.
    """
    T = int(run.t[-1])
    WholeNumber(0, run.runs - 1)("run_index", run_index)
    WholeNumber(1, T)("start", start)
    WholeNumber(start + 1, min(T + 1, start + 10**4))("stop", stop)
    data, rule, t = run.data, run.rule, np.arange(start, stop)
    kept = _run_steps(data, rule, run.kernel(data.X, data.X), run.seed, run_index, t)
    margin = kept.scalars[:, 2]
    return RecordedKernelSteps(
        t=frozen(t, np.intp),
        drawn=frozen(draws(data.m, run.seed, run_index, start - 1, stop - 1, rule.replace), np.intp),
        margin=frozen(margin),
        violates=frozen(margin < 1.0, bool),
        beta=frozen(kept.beta),
        c=frozen(rule.divisor(t)),
    )


class _KeptSteps(NamedTuple):
    """The values of the steps `wanted` (n,) that `_run_steps` keeps, zeros for a step 0.

    beta (n, m): before step t. totals (n, m): the coefficients of w_1 + .. + w_t. scalars (n, 3): sum of l_Zs(w_s) over
    s <= t, the largest squared gradient, the margin at t.
    """

    beta: Array
    totals: Array
    scalars: Array


def _run_steps(
    data: Dataset, rule: Rule, K: Array, seed: int, run: int, wanted: Index, on_progress: Progress | None = None
) -> _KeptSteps:
    """Make the steps of one repetition up to the last of `wanted`, (n,) ascending, and keep the wanted ones."""
    K = np.ascontiguousarray(K).view()
    K.flags.writeable = False  # always, because numba compiles writeable and read-only arrays separately
    n = len(wanted)
    kept = _KeptSteps(np.zeros((n, data.m)), np.zeros((n, data.m)), np.zeros((n, 3)))
    vectors, tally = np.zeros((3, data.m)), np.zeros(4)
    for t, rows, c in blocks(data, rule, seed, run, 0, int(wanted[-1]), on_progress):
        _steps(K, data.y, rows, c, t, rule.mu, vectors, tally, wanted, *kept)
    return kept


@compiled
def _steps(
    K: Array,
    y: Array,
    rows: Index,
    c: Array,
    t: int,
    mu: float,
    vectors: Array,
    tally: Array,
    wanted: Index,
    counts: Array,
    totals: Array,
    scalars: Array,
) -> None:
    """Make the steps from t on.

    vectors (3, m): beta, late_sum, f. tally (4,): sum of losses, largest squared gradient, |S|^2, h_t.
    h_t = 1/c_1 + .. + 1/c_t. late_sum sums y h_t over the steps t that added, so w_1 + .. + w_t is beta h_t - late_sum.
    """
    beta, late_sum, f = vectors[0], vectors[1], vectors[2]
    loss, largest_squared_gradient, squared_norm_S, h = tally[0], tally[1], tally[2], tally[3]
    at = np.searchsorted(wanted, t)
    for s in range(len(rows)):
        i = rows[s]
        h += 1.0 / c[s]
        margin = y[i] * f[i] / c[s]
        if at < len(wanted) and wanted[at] == t + s:
            for j in range(len(y)):
                counts[at, j] = beta[j]
                totals[at, j] = beta[j] * h - late_sum[j]
        squared_norm_w = squared_norm_S / (c[s] * c[s])
        squared_gradient = mu * mu * squared_norm_w
        loss += 0.5 * mu * squared_norm_w
        if margin < 1.0:
            loss += 1.0 - margin
            squared_gradient += K[i, i] - 2.0 * mu * margin
            squared_norm_S += 2.0 * y[i] * f[i] + K[i, i]
            beta[i] += y[i]
            late_sum[i] += y[i] * h
            for j in range(len(y)):
                f[j] += y[i] * K[i, j]
        largest_squared_gradient = max(largest_squared_gradient, squared_gradient)
        if at < len(wanted) and wanted[at] == t + s:
            scalars[at, 0], scalars[at, 1], scalars[at, 2] = loss, largest_squared_gradient, margin
            at += 1
    tally[0], tally[1], tally[2], tally[3] = loss, largest_squared_gradient, squared_norm_S, h


def _check_psd(K: Array) -> None:
    smallest = float(np.linalg.eigvalsh(0.5 * (K + K.T))[0])
    if smallest < -1e-10 * float(np.abs(np.diag(K)).max()):
        raise BadInput(
            "kernel: this kernel is indefinite on these points, because the smallest eigenvalue of its Gram "
            "matrix is {smallest:.3g}. So |w| is not a norm, and F has no minimum. Change its parameters, or "
            "choose another kernel.",
            smallest=smallest,
        )
