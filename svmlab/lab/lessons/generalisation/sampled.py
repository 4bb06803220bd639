"""Samples from two distributions that are known, told again by their points, and the compression bound on many of them (G1)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from svmlab import Dataset, Problem
from svmlab.arrays import Array, frozen
from svmlab.generalisation import Blobs, Cloud, cloud, compression_bound, sharper_bound

CLEAN, NOISY = Blobs((3.0, 0.0), 1.0, 0.0), Blobs((2.0, 0.0), 1.0, 0.3)
WORLDS = (NOISY, CLEAN)
DRAWS = 30
DELTA = 0.05
MOST = 300  # points of a draw that are told again
SIZES = (20, 40, 80, 160, 320)
FEWER_DRAWS, FEW_FRESH = 20, 4_000  # of each size; fresh points by which a machine that is no line is measured

Row = tuple[int, int, int]  # x1 and x2 in thousandths, and the label


@dataclass(frozen=True)
class Sample:
    """Where points come from: the distribution, and the seed of the draw."""

    world: Blobs
    seed: int


def rounded(data: Dataset) -> Dataset:
    """The same points in whole thousandths."""
    return Dataset(np.round(data.X, 3), data.y)


def rows(data: Dataset) -> list[Row]:
    """Points as a board has them."""
    return [
        (round(1000 * x), round(1000 * y), int(label)) for (x, y), label in zip(data.X.tolist(), data.y, strict=True)
    ]


@cache
def _known() -> dict[Row, Sample]:
    """All points of all draws. A smaller draw is the beginning of a larger one."""
    known = dict[Row, Sample]()
    for world in WORLDS:
        for seed in range(DRAWS):
            known.update((row, Sample(world, seed)) for row in rows(world.draw(MOST, seed)))
    return known


def source(points: Iterable[Row]) -> Sample | None:
    """The draw that at least half of these points are from; None where there is none."""
    every, known = list(points), _known()
    hits = Counter(known[row] for row in every if row in known)
    if not hits:
        return None
    found, n = hits.most_common(1)[0]
    return found if 2 * n >= len(every) else None


def drawn(problem: Problem, world: Blobs, report: Callable[[float], None] | None = None) -> Cloud:
    """The machine of a problem on DRAWS samples, as many points on each as it has itself. Raises what `solve` raises."""
    return cloud(world, problem.data.m, _machine(problem), draws=DRAWS, on_progress=report)


def bounds(found: Cloud, delta: float = DELTA) -> Array:
    """The bound of each draw (n,)."""
    return np.array([compression_bound(int(N), found.m, delta) for N in found.support])


@dataclass(frozen=True, eq=False)
class Growing:
    """Means over draws at the rising numbers of points m, arrays of shape (k,): support vectors, true error, both bounds.

    sharper: at the mean of N.
    """

    m: Array
    support: Array
    true: Array
    bound: Array
    sharper: Array


def growing(problem: Problem, world: Blobs, report: Callable[[float], None]) -> Growing:
    """The machine of a problem, at its C, on samples of SIZES. Raises what `solve` raises."""
    means = []
    done, all_ = 0, sum(SIZES)
    for m in SIZES:
        begun, share = done / all_, m / all_
        found = cloud(
            world,
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
    return lambda data: replace(problem, data=rounded(data))
