"""Is each point where it is said to be? The claimed partition is put into the optimality conditions, in exact numbers.

A partition that meets them all proves itself: w and b are then the optimal ones, and alpha the one of least norm. One
that does not is compared with the optimum, found by Lemke's method.
"""

from __future__ import annotations

import math

import numpy as np

from svmlab import Solution
from trials.families import Case
from trials.numbers import Meant, many_places, meant
from trials.optimum import TIED, Exact, confirmed, optimum, rows_in_common

MOST = 60  # points
RIGHT, CLOSE, WRONG, OPEN = "right", "close", "wrong", "open"
DIGITS = 1e-8  # of b, relatively
SMALL, FAR = 2e-9, 1e-6  # of the largest alpha: as good as none, and what it may be off
BLUNT = 1e-3  # of a margin: no floor excuses more


def judged(case: Case, claim: Solution) -> tuple[str, str]:
    """RIGHT; CLOSE where only what is below the claim's floor is otherwise; WRONG; OPEN where the problem is too large:
    and why.
    """
    tied = np.flatnonzero(np.abs(claim.margins - 1) <= max(claim.tolerance, claim.floor))
    if len(case.y) > MOST or len(tied) > TIED:
        return OPEN, "too large"
    with many_places():
        first: tuple[str, str] | None = None
        for plain in (False, True) if case.unit is not None else (True,):
            problem = meant(case, plain)
            if problem is None:
                return OPEN, "indefinite"
            verdict, why = _compared(problem, claim)
            if verdict == RIGHT:
                return RIGHT, ""
            first = first or (verdict, f"{why}; floor {claim.floor:.1g}")
        return first or (OPEN, "")


def _compared(problem: Meant, claim: Solution) -> tuple[str, str]:
    found = confirmed(problem, claim.states, sides(claim))
    if found is None:
        found = optimum(problem, claim.margins, claim.free)
        if found is None:
            return OPEN, "too many points near the margin"
    return _differences(problem, claim, found)


def sides(claim: Solution) -> np.ndarray:
    """-1 for points outside the street, 0 on its edge, 1 within."""
    tol = max(claim.tolerance, claim.floor)
    return np.where(np.abs(claim.margins - 1) <= tol, 0, np.where(claim.margins > 1, -1, 1))


def _differences(problem: Meant, claim: Solution, found: Exact) -> tuple[str, str]:
    """The first of what differs by more than the claim's floor, else of what differs at all."""
    allowed = min(20 * max(claim.tolerance, claim.floor), BLUNT)
    largest = float(max(found.alpha)) or 1.0
    small: list[str] = []
    for i, category in enumerate(claim.categories):
        margin, a = found.margins[i], found.alpha[i]
        exactly = 0 if problem.zero(margin - 1) else -1 if margin > 1 else 1
        state = -1 if problem.zero(a) else 1 if problem.u is not None and problem.zero(a - problem.u[i]) else 0
        said = f"point {i}: {category.name}, in truth margin {float(margin):.12g} with alpha {float(a):.6g}"
        off = abs(float(margin) - float(claim.margins[i]))
        if off > allowed * max(1.0, abs(float(margin))):
            return WRONG, f"{said}; claimed {claim.margins[i]:.12g}"
        side = 0 if category.name.startswith("MARGIN") else -1 if category.name == "OUTSIDE" else 1
        sign = 0 if category.name == "ON_LINE" else -1 if category.name == "WRONG" else 1
        if side != exactly and abs(float(margin - 1)) > allowed:
            return WRONG, said
        if side != exactly:
            small.append(said)
        truly = 0 if problem.zero(margin) else -1 if margin < 0 else 1
        if side == 1 and sign != truly:
            if abs(float(margin)) > allowed:
                return WRONG, said
            small.append(said)
        if side == exactly != 0 and claim.states[i] != side:  # alpha is 0 outside the margin and at its bound inside
            return WRONG, f"{said}; claimed state {claim.states[i]}"
        if side == exactly == 0 and claim.states[i] != state:
            told = f"{said}; claimed {claim.alpha[i]:.6g}"
            bound = 0.0 if claim.states[i] < 0 or problem.u is None else float(problem.u[i])
            if (claim.states[i] == 0 or abs(float(a) - bound) > SMALL * largest) and _well(problem, found, allowed):
                return WRONG, told
            small.append(told)
        if abs(float(a) - claim.alpha[i]) > FAR * largest and _well(problem, found, allowed):
            return WRONG, f"{said}; claimed {claim.alpha[i]:.6g}"
    for name, end, own in zip(("lowest b", "highest b"), found.interval, claim.b_interval, strict=True):
        exact = math.copysign(math.inf, own) if end is None else float(end)
        if end is None and math.isinf(own):
            continue
        if not abs(exact - own) <= max(DIGITS, allowed) * max(1.0, abs(exact)):
            return WRONG, f"{name}: {own!r}, in truth {exact!r}"
    return (CLOSE, small[0]) if small else (RIGHT, "")


def _well(problem: Meant, found: Exact, allowed: float) -> bool:
    """Whether doubles see of how many dimensions the points are that they cannot tell from the margin."""
    T = [i for i, v in enumerate(found.margins) if abs(float(v - 1)) <= allowed]
    if not T:
        return True
    rows, _ = rows_in_common(problem.K, problem.y, np.array(T), problem)
    M = problem.K[np.ix_(T, T)].astype(float)
    scale = np.sqrt(np.maximum(np.diag(M), 1e-300))
    M = M / np.outer(scale, scale)
    signs = problem.y[T].astype(float)
    if problem.bias:
        M = np.vstack([M * signs, signs])
    s = np.linalg.svd(M, compute_uv=False)
    return int((s > 1e-8 * s[0]).sum()) == len(rows)
