"""Classes in a row, and what the joint machine of two of them has to be (X1)."""

from __future__ import annotations

from itertools import permutations
from typing import NamedTuple

import numpy as np

from svmlab import Linear, Problem
from svmlab import solve as binary
from svmlab.core.arrays import Array
from svmlab.multiclass import Classes, Several, solve

OFF = 0.25  # of the way from one outer class to the other: how far beside it the one between them may be
BETWEEN = (0.2, 0.8)  # of the same way
SAME = 1e-9  # of the largest coordinate, or of 1: means that are nearer to each other differ by rounding


class Row(NamedTuple):
    """Three classes in a row: the middle one, the outer two, where their points are in the mean (3, 2), and `beside` of
    the way.
    """

    middle: int
    outer: tuple[int, int]
    means: Array
    beside: float


def row(data: Classes) -> Row | None:
    """The three classes that are most in a row; None where none is between two others."""
    mean = {k: data.X[data.y == k].mean(0) for k in data.classes}
    found, apart = [], SAME * float(np.abs(data.X).max(initial=1.0))
    for one, k, other in permutations(data.classes, 3):
        way, to = mean[other] - mean[one], mean[k] - mean[one]
        far = float(way @ way)
        if one < other and far > apart**2:
            along, beside = float(to @ way) / far, float(way[0] * to[1] - way[1] * to[0]) / far
            if BETWEEN[0] <= along <= BETWEEN[1] and abs(beside) <= OFF:
                means = np.stack([mean[one], mean[k], mean[other]])
                found.append((abs(beside) + abs(along - 0.5), Row(k, (one, other), means, beside)))
    return min(found, key=lambda each: each[0])[1] if found else None


def both_ways(problem: Several, pair: tuple[int, int]) -> tuple[Array, Array]:
    """Of two classes alone, at the C and with the bias of `problem`: w_0 - w_1 of the joint machine, and w of the
    binary one at 2 C, both (2,).
    """
    there = np.isin(problem.data.y, pair)
    two = Classes(problem.data.X[there], problem.data.y[there])
    together = solve(Several(two, Linear(), problem.C, problem.bias), "joint")
    alone = binary(Problem(two.against(two.classes[0]), Linear(), 2 * problem.C, problem.bias))
    assert together.W is not None
    assert alone.w is not None
    return together.W[0] - together.W[1], alone.w
