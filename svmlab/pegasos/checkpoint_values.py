"""The values that a run keeps at its checkpoints, in w or in kernel values, and the draws between two checkpoints."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, frozen, short_repr
from svmlab.data import Dataset
from svmlab.pegasos.bounds import corrected_factor, gap_bound
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.step_rule import Progress, Rule

BLOCK = 2**14  # number of draws in memory at a time


@dataclass(frozen=True, eq=False, repr=False)
class CheckpointedRun(Frozen):
    """`runs` repetitions measured at the steps t (k,), roughly evenly spaced in log t.

    last, average, suffix: (runs, k) values of F at w_t, at the mean of w_1..w_t and at the mean of its second half.
    regret: (runs, k), (1/t) sum of l_Zs(w_s) over s <= t. iterates, averages, suffixes: (runs, k, n) these three
    points, n numbers each. G: (runs, k) the largest |gradient of l_Zs at w_s| so far, X the largest |x_i|, bound (k,) =
    2 X^2 / (sigma t) (1 + ln t), which the notes prove if `rule.guaranteed`. lam is that of the rule.
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

    def __repr__(self) -> str:
        size = {"m": self.data.m, "d": self.data.d, "lam": self.lam, "T": int(self.t[-1]), "runs": self.runs}
        return short_repr(self, **size, seed=self.seed, average=float(self.average[:, -1].mean()))

    @property
    def runs(self) -> int:
        """The number of repetitions."""
        return len(self.last)

    @property
    def realised_bound(self) -> Array:
        """The bound with the mean of the realised G^2 for 4 X^2, (k,): (mean G^2) / (2 sigma t) (1 + ln t)."""
        return (self.G * self.G).mean(0) / (2.0 * self.rule.sigma * self.t) * corrected_factor(self.t)


def needed_steps(t_at: Index) -> tuple[Index, Index, Index]:
    """Return the steps whose sums w_1 + .. + w_t are needed at t_at (k,), and where t and t // 2 are among them."""
    wanted = np.unique(np.r_[t_at, t_at // 2])
    return wanted, np.searchsorted(wanted, t_at), np.searchsorted(wanted, t_at // 2)


def run_fields(
    data: Dataset,
    rule: Rule,
    seed: int,
    t_at: Index,
    F: Callable[[Array], Array],
    X: float,
    iterates: Array,
    totals: Array,
    losses: Array,
    largest_squared_gradients: Array,
) -> dict[str, Any]:
    """Return the fields of `CheckpointedRun`.

    F: of points (runs, k, n), (runs, k). iterates: (runs, k, n). totals: (runs, steps, n) w_1 + .. + w_t at the steps
    of `needed_steps`. losses: (runs, k) sum of l_Zs(w_s). largest_squared_gradients: (runs, k).
    """
    _, end, half = needed_steps(t_at)
    averages = totals[:, end] / t_at[:, None]
    suffixes = (totals[:, end] - totals[:, half]) / (t_at - t_at // 2)[:, None]
    values = {
        "last": F(iterates),
        "average": F(averages),
        "suffix": F(suffixes),
        "regret": losses / t_at,
        "iterates": iterates,
        "averages": averages,
        "G": np.sqrt(largest_squared_gradients),
        "bound": gap_bound(X, rule.sigma, t_at),
        "suffixes": suffixes,
    }
    frozen_values = {name: frozen(value) for name, value in values.items()}
    return {
        "data": data,
        "lam": rule.lam,
        "t": frozen(t_at, np.intp),
        "X": X,
        "rule": rule,
        "seed": seed,
        **frozen_values,
    }


def blocks(
    data: Dataset, rule: Rule, seed: int, run: int, start: int, stop: int, on_progress: Progress | None = None
) -> Iterator[tuple[int, Index, Array]]:
    """Yield the steps start < t <= stop of one repetition, n at a time: t, rows (n batch,), c_t .. c_{t+n} (n+1,).

    on_progress gets the fraction of `stop` that has been reached after every block.
    """
    k = rule.batch
    stride = max(BLOCK // k, 1)
    for a in range(start, stop, stride):
        b = min(a + stride, stop)
        yield a + 1, draws(data.m, seed, run, k * a, k * b, rule.replace), rule.divisor(np.arange(a + 1, b + 2))
        if on_progress is not None:
            on_progress(b / stop)


def share_of_progress(on_progress: Progress | None, run: int, runs: int) -> Progress | None:
    """Return the progress report of one of several repetitions that run one after the other."""
    return None if on_progress is None else lambda fraction: on_progress((run + fraction) / runs)
