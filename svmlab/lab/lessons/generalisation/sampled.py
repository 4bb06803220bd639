"""An SVM on many samples of one source, and the compression bound on them and on growing samples (G0, G1)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from svmlab import Dataset, Problem
from svmlab.core.arrays import Array, frozen
from svmlab.generalisation import SampleErrors, Source, compression_bound, sample_errors, sharper_bound

DRAWS = 30
DELTA = 0.05
SIZES = (20, 40, 80, 160, 320)
# samples of each size; fresh points by which a classifier that is no line is measured
FEWER_DRAWS, FEW_FRESH = 20, 4_000


def on_draws(
    problem: Problem, source: Source, draws: int = DRAWS, report: Callable[[float], None] | None = None
) -> SampleErrors:
    """Return the solutions of a problem on `draws` samples with as many points as the problem has.

    Raises what `solve` raises.
    """
    return sample_errors(source, problem.data.m, _machine(problem), draws, on_progress=report)


def bounds(samples: SampleErrors) -> Array:
    """Return the compression bound of each sample (n,)."""
    return np.array([compression_bound(int(N), samples.m, DELTA) for N in samples.support])


@dataclass(frozen=True, eq=False)
class Growing:
    """Means over samples at increasing numbers of points m, arrays of shape (k,).

    They are the support vectors, the true error, and both bounds. sharper: at the mean of N.
    """

    m: Array
    support: Array
    true: Array
    bound: Array
    sharper: Array


def growing(problem: Problem, source: Source, report: Callable[[float], None]) -> Growing:
    """Return the means for the solutions of a problem, at its C, on samples of SIZES.

    Raises what `solve` raises.
    """
    means = []
    done, total = 0, sum(SIZES)
    for m in SIZES:
        before, share = done / total, m / total
        samples = sample_errors(
            source,
            m,
            _machine(problem),
            draws=FEWER_DRAWS,
            fresh=FEW_FRESH,
            on_progress=lambda part, before=before, share=share: report(before + share * part),  # type: ignore[misc]
        )
        N = float(samples.support.mean())
        means.append((m, N, float(samples.true.mean()), float(bounds(samples).mean()), sharper_bound(N, m, DELTA)))
        done += m
    return Growing(*(frozen(column) for column in np.array(means).T))


def _machine(problem: Problem) -> Callable[[Dataset], Problem]:
    return lambda data: replace(problem, data=data)
