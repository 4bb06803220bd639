"""A machine on many samples of one source, and the compression bound on them and on samples of more and more points
(G0, G1).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from svmlab import Dataset, Problem
from svmlab.core.arrays import Array, frozen
from svmlab.generalisation import Cloud, Source, cloud, compression_bound, sharper_bound

DRAWS = 30
DELTA = 0.05
SIZES = (20, 40, 80, 160, 320)
FEWER_DRAWS, FEW_FRESH = 20, 4_000  # of each size; fresh points by which a machine that is no line is measured


def on_draws(
    problem: Problem, source: Source, draws: int = DRAWS, report: Callable[[float], None] | None = None
) -> Cloud:
    """The machine of a problem on so many samples, as many points on each as it has itself. Raises what `solve`
    raises.
    """
    return cloud(source, problem.data.m, _machine(problem), draws, on_progress=report)


def bounds(found: Cloud) -> Array:
    """The bound of each draw (n,)."""
    return np.array([compression_bound(int(N), found.m, DELTA) for N in found.support])


@dataclass(frozen=True, eq=False)
class Growing:
    """Means over draws at the rising numbers of points m, arrays of shape (k,): support vectors, true error, both
    bounds.

    sharper: at the mean of N.
    """

    m: Array
    support: Array
    true: Array
    bound: Array
    sharper: Array


def growing(problem: Problem, source: Source, report: Callable[[float], None]) -> Growing:
    """The machine of a problem, at its C, on samples of SIZES. Raises what `solve` raises."""
    means = []
    done, all_ = 0, sum(SIZES)
    for m in SIZES:
        begun, share = done / all_, m / all_
        found = cloud(
            source,
            m,
            _machine(problem),
            draws=FEWER_DRAWS,
            fresh=FEW_FRESH,
            on_progress=lambda part, begun=begun, share=share: report(begun + share * part),  # type: ignore[misc]
        )
        N = float(found.support.mean())
        means.append((m, N, float(found.true.mean()), float(bounds(found).mean()), sharper_bound(N, m, DELTA)))
        done += m
    return Growing(*(frozen(column) for column in np.array(means).T))


def _machine(problem: Problem) -> Callable[[Dataset], Problem]:
    return lambda data: replace(problem, data=data)
