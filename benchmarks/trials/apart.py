"""`separate` judged: a plane has to separate in exact numbers, and what is said to be inseparable must have no hard
margin.
"""

from __future__ import annotations

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np

from svmlab import SolverFailed, separate, solve
from svmlab.core.errors import SvmError
from trials.families import Case
from trials.numbers import coordinate

MOST = 60  # points
CLOSE = 1e-6  # of the largest coordinate: how far apart the two combinations of one point may be, written as doubles


def mistaken(case: Case) -> str:
    """What is wrong with the verdict; nothing where it is right, or where doubles have to decide and say that they
    cannot.
    """
    problem = case.problem
    if len(case.y) > MOST or not case.kernel.psd or case.kernel.separates_distinct_points:
        return ""
    try:
        found = separate(problem.data, case.kernel, case.bias)
    except SolverFailed:
        return ""
    if found.separable:
        if found.w is None or found.b is None:
            return ""
        ways = (case.unit, None) if case.unit is not None else (None,)
        return "" if any(_splits(case, found.w, found.b, unit) for unit in ways) else "the plane does not separate"
    signed = case.y * found.weights
    sums = [found.weights[case.y > 0].sum(), found.weights[case.y < 0].sum()] if case.bias else [found.weights.sum()]
    if not np.allclose(sums, 1.0, rtol=0, atol=CLOSE) or found.weights.min() < 0:
        return f"the weights of the witnesses are not convex: {found.weights.tolist()}"
    if case.kernel.is_linear:
        X = case.X - case.X.mean(0) if case.bias else case.X
        if np.abs(signed @ X).max() > CLOSE * (np.abs(X).max() or 1.0):
            return f"the witnesses' hulls do not meet: {(signed @ X).tolist()}"
    try:
        hard = solve(replace(problem, C=math.inf))
    except SvmError:
        return ""
    return "said to be inseparable, and the hard margin is proven" if hard.proven else ""


def _splits(case: Case, w: np.ndarray, b: float, unit: Fraction | None) -> bool:
    """Whether y (<w, x> + b) > 0 everywhere, without rounding."""
    normal, shift = [Fraction(v) for v in w.tolist()], Fraction(b)
    return all(
        int(s) * (sum((p * coordinate(v, unit) for p, v in zip(normal, x, strict=True)), Fraction(0)) + shift) > 0
        for x, s in zip(case.X.tolist(), case.y, strict=True)
    )
