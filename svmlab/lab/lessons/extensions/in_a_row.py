"""Three classes in a row, and what the joint solution of two classes must be (X1)."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np

from svmlab import Linear, Problem
from svmlab import solve as binary
from svmlab.core.arrays import Array
from svmlab.multiclass import Classes, MulticlassProblem, solve

OFF = 0.25  # relative to the distance of the outer classes: how far the class between them may be off their line
BETWEEN = (0.2, 0.8)  # relative to the same distance: where the class between them may be
SAME = 1e-9  # relative to the largest coordinate, or to 1: means that are closer to each other differ by rounding


class Row(NamedTuple):
    """Three classes in a row: the middle one, the outer two, and their means (3, 2).

    beside: how far the middle one is off the line of the outer two, relative to their distance.
    """

    middle: int
    outer: tuple[int, int]
    means: Array
    beside: float


def row(data: Classes) -> Row | None:
    """Return the three classes that are closest to a row; None where none is between two others."""
    mean = {k: data.X[data.y == k].mean(0) for k in data.classes}
    candidates, least_distance = [], SAME * float(np.abs(data.X).max(initial=1.0))
    for first, k, other in permutations(data.classes, 3):
        direction, offset = mean[other] - mean[first], mean[k] - mean[first]
        squared_distance = float(direction @ direction)
        if first < other and squared_distance > least_distance**2:
            along, beside = (
                float(offset @ direction) / squared_distance,
                float(direction[0] * offset[1] - direction[1] * offset[0]) / squared_distance,
            )
            if BETWEEN[0] <= along <= BETWEEN[1] and abs(beside) <= OFF:
                means = np.stack([mean[first], mean[k], mean[other]])
                candidates.append((abs(beside) + abs(along - 0.5), Row(k, (first, other), means, beside)))
    return min(candidates, key=lambda candidate: candidate[0])[1] if candidates else None


def both_ways(problem: MulticlassProblem, pair: tuple[int, int]) -> tuple[Array, Array]:
    """Return w of two classes alone, by the joint and by the binary problem, at the C and bias of `problem`.

    They are w_0 - w_1 of the joint solution, and w of the binary one at 2 C, both (2,).
    """
    is_in_pair = np.isin(problem.data.y, pair)
    data = Classes(problem.data.X[is_in_pair], problem.data.y[is_in_pair])
    joint = solve(MulticlassProblem(data, Linear(), problem.C, problem.bias), "joint")
    single = binary(Problem(data.one_vs_rest(data.classes[0]), Linear(), 2 * problem.C, problem.bias))
    assert joint.W is not None
    assert single.w is not None
    return joint.W[0] - joint.W[1], single.w
