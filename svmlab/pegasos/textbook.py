"""Pegasos as it is written on a blackboard, with one draw and one float at a time.

The compiled loop is compared with it bit for bit, because both do the same floating-point operations in the same order.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from svmlab.core.rules import Seed, WholeNumber
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.step_rule import Rule, Steps, check_points

MOST_DRAWS = 200_000  # in one repetition


class Step(NamedTuple):
    """One step: t, the rows drawn, their margins y <w_t, x> = y <S, x> / c_t, and w_t.

    total, loss, G: over the steps up to t, the sum of w, the sum of l, and the largest |gradient|.
    """

    t: int
    drawn: list[int]
    margins: list[float]
    w: list[float]
    total: list[float]
    loss: float
    G: float


@validated
def textbook(data: Dataset, rule: Rule, T: Steps, seed: Seed = 0, run: Seed = 0) -> list[Step]:
    """Return all T steps of one repetition; l_t(w_t) = mean hinge of the drawn points + (mu/2) |w_t|^2.

    Every step is kept, so T times the draws of a step is at most MOST_DRAWS. Raises BadInput.
    """
    check_points(data)
    WholeNumber(1, MOST_DRAWS // rule.batch)("T", T)
    x, y, c = data.X.tolist(), data.y.tolist(), rule.divisor(np.arange(1, T + 2)).tolist()
    k, d = rule.batch, data.d
    rows = draws(data.m, seed, run, 0, k * T, rule.replace).tolist()
    S, total, loss, largest_squared_gradient = [0.0] * d, [0.0] * d, 0.0, 0.0
    steps = []
    for t in range(1, T + 1):
        w = [s / c[t - 1] for s in S]
        drawn = rows[k * (t - 1) : k * t]
        margins, v, hinge = [], [0.0] * d, 0.0
        for i in drawn:
            z = [y[i] * x_j for x_j in x[i]]
            margin = _inner(z, S) / c[t - 1]
            margins.append(margin)
            if margin < 1.0:
                v = [v_j + z_j for v_j, z_j in zip(v, z, strict=True)]
                hinge += 1.0 - margin
        v = [v_j / k for v_j in v]
        gradient = [rule.mu * w_j - v_j for w_j, v_j in zip(w, v, strict=True)]
        largest_squared_gradient = max(largest_squared_gradient, _inner(gradient, gradient))
        loss += hinge / k + 0.5 * rule.mu * _inner(w, w)
        total = [a + w_j for a, w_j in zip(total, w, strict=True)]
        steps.append(Step(t, drawn, margins, w, total, loss, math.sqrt(largest_squared_gradient)))
        S = [s + v_j for s, v_j in zip(S, v, strict=True)]
        if rule.project:
            after = [s / c[t] for s in S]
            norm = math.sqrt(_inner(after, after))
            if norm > rule.radius:
                S = [w_j * (rule.radius / norm) * c[t] for w_j in after]
    return steps


def _inner(a: list[float], b: list[float]) -> float:
    out = a[0] * b[0]
    for a_j, b_j in zip(a[1:], b[1:], strict=True):
        out += a_j * b_j  # not sum(), which compensates rounding from Python 3.12 on
    return out
