"""Pegasos: stochastic subgradient descent on the primal without bias, with its bound (P1-P8 of the catalogue, source A).

    F(w) = (1/m) sum_i max(0, 1 - y_i <w, x_i>) + (lam/2) |w|^2
    w_1 = 0,   w_{t+1} = (1 - 1/t) w_t + v_t / (lam t),   v_t = y_Z x_Z if y_Z <w_t, x_Z> < 1, else 0

Z is drawn uniformly from the m points at every step. For w* the minimiser of F, X = max |x_i| and the average of w_1..w_T,
E F(average) - F(w*) <= 2 X^2 / (lam T) (1 + ln T).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from svmlab.arrays import Array, Index, frozen
from svmlab.data import Dataset
from svmlab.errors import BadInput
from svmlab.kernels import Kernel, Linear

Progress = Callable[[float], None]
BLOCK = 4096


@dataclass(frozen=True, eq=False)
class PegasosRun:
    """`runs` repetitions watched at the steps t (k,), roughly evenly spaced in log t.

    last, average, suffix: (runs, k) values of F at w_t, at the mean of w_1..w_t and at the mean of its second half.
    regret: (runs, k), (1/t) sum of l_Zs(w_s) over s <= t. iterates, averages: (runs, k, d). G: (runs, k) the largest
    |gradient| so far, X = max |x_i|, bound (k,) = 2 X^2 / (lam t) (1 + ln t).
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


def objective(data: Dataset, lam: float, w: Array) -> Array:
    """F at each w (..., d), shape (...)."""
    margins = data.y * (w @ data.X.T)
    return np.maximum(0.0, 1.0 - margins).mean(-1) + 0.5 * lam * (w * w).sum(-1)


def draws(m: int, seed: int, run: int, start: int, stop: int) -> Index:
    """The points Z_t drawn at steps start < t <= stop of one repetition, as rows 0..m-1.

    A counter-based generator: any stretch of steps can be drawn again without the ones before it.
    """
    bits = np.random.Philox(key=np.array([seed, run], dtype=np.uint64))
    bits.advance(start // 4)  # one counter holds four numbers
    uniform = np.random.Generator(bits).random(stop - start + start % 4)[start % 4 :]
    return np.minimum((uniform * m).astype(np.intp), m - 1)


def checkpoints(T: int) -> Index:
    """1, 2, 3 ... T, thinning out to some 12 a decade."""
    return (
        np.unique(np.round(np.geomspace(1, T, 1 + int(12 * np.log10(T) + 1))).astype(np.intp))
        if T > 1
        else np.ones(1, np.intp)
    )


def pegasos(
    data: Dataset,
    lam: float,
    T: int,
    runs: int = 1,
    seed: int = 0,
    kernel: Kernel = Linear(),
    on_progress: Progress | None = None,
) -> PegasosRun:
    """Run the algorithm, all repetitions side by side.

    lam > 0; T steps, 1 to 10^7; runs from 1; seed a non-negative whole number. on_progress gets the fraction done now and
    then, and may raise to stop. Raises BadInput naming the argument; kernels other than the linear one are refused.
    """
    _check(data, lam, T, runs, seed, kernel)
    t_at = checkpoints(T)
    shape = (runs, len(t_at))
    w, total = np.zeros((runs, data.d)), np.zeros((runs, data.d))
    loss, G = np.zeros(runs), np.zeros(runs)
    out = {name: np.zeros(shape) for name in ("last", "average", "suffix", "regret", "G")}
    iterates, averages = np.zeros((*shape, data.d)), np.zeros((*shape, data.d))
    sums: dict[int, Array] = {}  # total after s steps, kept for the suffix averages
    halves = {int(t) // 2 for t in t_at}
    signed = data.y[:, None] * data.X
    k = 0
    sums[0] = total.copy()
    for start in range(0, T, BLOCK):
        stop = min(start + BLOCK, T)
        Z = np.stack([draws(data.m, seed, r, start, stop) for r in range(runs)], axis=1)
        for t in range(start + 1, stop + 1):
            z = signed[Z[t - start - 1]]
            margin = (z * w).sum(1)
            violated = margin < 1.0
            v = z * violated[:, None]
            square = (w * w).sum(1)
            gradient = lam * w - v
            G = np.maximum(G, np.sqrt((gradient * gradient).sum(1)))
            loss += np.where(violated, 1.0 - margin, 0.0) + 0.5 * lam * square
            total = total + w
            if t == t_at[k]:
                half = total - sums[t // 2]
                out["last"][:, k] = objective(data, lam, w)
                out["average"][:, k] = objective(data, lam, total / t)
                out["suffix"][:, k] = objective(data, lam, half / (t - t // 2))
                out["regret"][:, k], out["G"][:, k] = loss / t, G
                iterates[:, k], averages[:, k] = w, total / t
                k += 1
            if t in halves:
                sums[t] = total.copy()
            w = (1.0 - 1.0 / t) * w + v / (lam * t)
        if on_progress is not None:
            on_progress(stop / T)
    X = float(np.sqrt((data.X * data.X).sum(1).max()))
    bound = 2 * X**2 / (lam * t_at) * (1 + np.log(t_at))
    return PegasosRun(
        data,
        lam,
        t_at,
        last=frozen(out["last"]),
        average=frozen(out["average"]),
        suffix=frozen(out["suffix"]),
        regret=frozen(out["regret"]),
        iterates=frozen(iterates),
        averages=frozen(averages),
        G=frozen(out["G"]),
        X=X,
        bound=frozen(bound),
    )


def _check(data: Dataset, lam: float, T: int, runs: int, seed: int, kernel: Kernel) -> None:
    if data.m == 0:
        raise BadInput("data: there are no points to draw from. Add at least one.")
    if not isinstance(kernel, Linear):
        raise BadInput(f"kernel: {kernel.key} has no finite w to step through. Choose Linear().")
    if not 0 < lam < np.inf:
        raise BadInput(f"lam: {lam!r} must be a finite number above 0.")
    for name, value, low, high in (("T", T, 1, 10**7), ("runs", runs, 1, 10**4), ("seed", seed, 0, 2**63 - 1)):
        if not isinstance(value, int | np.integer) or not low <= value <= high:
            raise BadInput(f"{name}: {value!r} is not a whole number from {low} to {high}.")
