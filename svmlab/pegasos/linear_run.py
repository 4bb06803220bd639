"""Pegasos with an explicit w, one step after the other, measured at checkpoints (P1-P8, P10-P12; notes A and D)."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from svmlab.core.arrays import Array, Index, frozen
from svmlab.core.rules import Seed
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.jit.compiler import compiled
from svmlab.pegasos.checkpoint_values import CheckpointedRun, blocks, needed_steps, run_fields, share_of_progress
from svmlab.pegasos.step_rule import (
    Progress,
    Rule,
    Runs,
    Steps,
    check_points,
    check_reach,
    checkpoints,
    largest_norm,
    objective,
)


@dataclass(frozen=True, eq=False, repr=False)
class PegasosRun(CheckpointedRun):
    """A run in w, in which iterates, averages and suffixes are (runs, k, d).

    gradient: (runs, k) |gradient of l_Zt at w_t|. sums: (runs, k, d) S_t, from which `replay` continues.
    """

    gradient: Array
    sums: Array


@validated
def run_linear(
    data: Dataset, rule: Rule, T: Steps, runs: Runs = 1, seed: Seed = 0, on_progress: Progress | None = None
) -> PegasosRun:
    """Make T steps of `rule`, bit for bit those of `textbook`, in memory that does not grow with T.

    on_progress gets the fraction done now and then, and may raise to stop. Raises BadInput as `pegasos` does, and if
    floats would overflow.
    """
    check_points(data)
    check_reach(largest_norm(data), rule)
    t_at = checkpoints(T)
    wanted, at, _ = needed_steps(t_at)
    vectors, scalars = np.zeros((runs, len(wanted), 4, data.d)), np.zeros((runs, len(wanted), 3))
    for r in range(runs):
        kept = run_steps(data, rule, seed, r, 0, np.zeros(data.d), wanted, share_of_progress(on_progress, r, runs))
        vectors[r], scalars[r] = kept.vectors, kept.scalars

    def F(w: Array) -> Array:
        return np.stack([objective(data, rule.mu, w[:, k]) for k in range(len(t_at))], axis=1)

    losses, largest_squared_gradients, squared_gradients = np.moveaxis(scalars[:, at], -1, 0)
    iterates, _, _, S = np.moveaxis(vectors[:, at], 2, 0)
    return PegasosRun(
        **run_fields(
            data, rule, seed, t_at, F, largest_norm(data), iterates, vectors[:, :, 1], losses, largest_squared_gradients
        ),
        gradient=frozen(np.sqrt(squared_gradients)),
        sums=frozen(S),
    )


class KeptSteps(NamedTuple):
    """The values of the steps `wanted` (n,) that `run_steps` keeps, zeros for steps that it did not reach.

    vectors (n, 4, d): w_t, w_1 + .. + w_t, v_t, S_t. scalars (n, 3): sum of l_Zs(w_s), the largest squared gradient,
    the squared gradient at t. margins (n, batch). Sums and maxima are over the steps after `start`.
    """

    vectors: Array
    scalars: Array
    margins: Array


def run_steps(
    data: Dataset,
    rule: Rule,
    seed: int,
    run: int,
    start: int,
    S: Array,
    wanted: Index,
    on_progress: Progress | None = None,
) -> KeptSteps:
    """Make the steps of one repetition from `start` to the last of `wanted`, (n,) ascending, and keep the wanted ones.

    S (d,): S_t at t = start.
    """
    signed = frozen(data.y[:, None] * data.X)
    radius = rule.radius if rule.project else math.inf
    n, d = len(wanted), data.d
    kept = KeptSteps(np.zeros((n, 4, d)), np.zeros((n, 3)), np.zeros((n, rule.batch)))
    sums, tally = np.stack([S, np.zeros(d)]), np.zeros(2)
    for t, rows, c in blocks(data, rule, seed, run, start, int(wanted[-1]), on_progress):
        _steps(signed, rows, c, t, rule.mu, radius, sums, tally, wanted, *kept)
    return kept


@compiled
def _inner(a: Array, b: Array) -> float:
    out = a[0] * b[0]
    for j in range(1, len(a)):
        out += a[j] * b[j]
    return out


@compiled
def _steps(
    signed: Array,
    rows: Index,
    c: Array,
    t: int,
    mu: float,
    radius: float,
    sums: Array,
    tally: Array,
    wanted: Index,
    vectors: Array,
    scalars: Array,
    margins: Array,
) -> None:
    """Make the steps from t on, as `textbook` does. rows (n batch,), c (n+1,).

    sums (2, d): S, sum of w. tally (2,): sum of losses, largest squared gradient. vectors, scalars, margins: as in
    `KeptSteps`.
    """
    S, total = sums[0], sums[1]
    n, k, d = len(c) - 1, margins.shape[1], len(S)
    w, v, gradient, after, margin = np.empty(d), np.empty(d), np.empty(d), np.empty(d), np.empty(k)
    loss, largest_squared_gradient = tally[0], tally[1]
    at = np.searchsorted(wanted, t)
    for s in range(n):
        for j in range(d):
            w[j] = S[j] / c[s]
            v[j] = 0.0
        hinge = 0.0
        for b in range(k):
            z = signed[rows[s * k + b]]
            margin[b] = _inner(z, S) / c[s]
            if margin[b] < 1.0:
                hinge += 1.0 - margin[b]
                for j in range(d):
                    v[j] += z[j]
        for j in range(d):
            v[j] /= k
            gradient[j] = mu * w[j] - v[j]
            total[j] += w[j]
            S[j] += v[j]
        squared_gradient = _inner(gradient, gradient)
        largest_squared_gradient = max(largest_squared_gradient, squared_gradient)
        loss += hinge / k + 0.5 * mu * _inner(w, w)
        if radius < np.inf:
            for j in range(d):
                after[j] = S[j] / c[s + 1]
            norm = math.sqrt(_inner(after, after))
            if norm > radius:
                for j in range(d):
                    S[j] = after[j] * (radius / norm) * c[s + 1]
        if at < len(wanted) and wanted[at] == t + s:
            for j in range(d):  # the assignment of whole rows would take two seconds longer to compile
                vectors[at, 0, j], vectors[at, 1, j], vectors[at, 2, j], vectors[at, 3, j] = w[j], total[j], v[j], S[j]
            scalars[at, 0], scalars[at, 1], scalars[at, 2] = loss, largest_squared_gradient, squared_gradient
            for b in range(k):
                margins[at, b] = margin[b]
            at += 1
    tally[0], tally[1] = loss, largest_squared_gradient
