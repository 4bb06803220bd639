"""L10: how many minima a convex loss has."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.losses import LOSSES, REGULARISERS, Fit, Objective, descend
from svmlab.losses.descent import WIDTHS
from svmlab.solvers import cvxopt_programs
from svmlab.statements.margin import TWO
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft import CLASSES
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

STARTS, PLACES = 2, 60
MANY = 60  # entries of w from which a descent takes a second
FACTORS = (1.0, 2.0, 4.0, 8.0)  # how long w is on the way along which the logistic loss falls
THIN = 1e-4  # of the largest: a direction in which the points are no further spread is left out
FIRM = 1e-6  # the least margin of a line that separates, where w is stretched to it


def recipe(s: Situation, loss: str, lam: float) -> Objective:
    """The mean loss of the points in feature space and lam/2 |w|^2, in a unit of w in which neither is far above 1."""
    r = unit(s, lam)
    return Objective(Dataset(s.Phi / r, s.y), LOSSES[loss], REGULARISERS["R2"], lam / r**2, bool(s.problem.bias))


def unit(s: Situation, lam: float) -> float:
    """What `recipe` divides points by, and w is to be divided by: the longest, or the root of a lam above its square.

    A price far above the squares of the points would hide that F bends along b at all.
    """
    return max(s.max_norm, math.sqrt(lam))


def beside(value: float, least: float) -> float:
    """How far the end of a descent on the hinge is from the least F, relative, beyond what the descent leaves.

    Its last F_mu is above F by up to mu log 2 (Objective with R2, which has no corner), however low F is.
    """
    return max(abs(value - least) - WIDTHS[-1] * math.log(2.0), 0.0) / least


def descents(problem: Objective) -> list[Fit]:
    """Descents from 0 and from a random place; where w has many entries, from the random one alone."""
    rng = np.random.Generator(np.random.Philox(problem.data.m))
    starts = rng.standard_normal((STARTS, problem.data.d)) * np.array([0.0, 3.0])[:, None]
    return [descend(problem, start) for start in starts[int(problem.data.d > MANY) :]]


def spanned(s: Situation) -> tuple[Array, Array]:
    """U (m, r) and M (k + D, r): the values f = U c at the points, all that there are, are those of [b, w] = M c.

    The columns of U are orthonormal over the places; points at one place have one row, whatever their kernel values'
    rounding.
    """
    _, first, at = np.unique(s.X, axis=0, return_index=True, return_inverse=True)
    Z = np.hstack([np.full((len(first), int(s.problem.bias)), s.max_norm), s.Phi[first]])
    U, sizes, V = np.linalg.svd(Z, full_matrices=False)
    if not sizes.any():
        raise DoesNotApply(
            "All points are at the origin of feature space and there is no bias, so f = 0 whatever w is. "
            "Move a point, or switch the bias on."
        )
    keep = sizes > THIN * sizes.max(initial=0.0)
    M = V[keep].T / sizes[keep]
    M[: int(s.problem.bias)] *= s.max_norm
    return U[at.ravel()][:, keep], M


def least_slack(U: Array, y: Array) -> float:
    """The least mean hinge of f = U c, by a linear program: min sum xi/m  s.t.  y f + xi >= 1,  xi >= 0."""
    m, r = U.shape
    A = np.block([[y[:, None] * U, np.eye(m)], [np.zeros((m, r)), np.eye(m)]])
    q = np.r_[np.zeros(r), np.full(m, 1.0 / m)]
    return cvxopt_programs.solve_lp(q, A, np.r_[np.ones(m), np.zeros(m)], np.zeros((0, r + m)), np.zeros(0)).value


def rounding(f: Array) -> float:
    """What rounding makes of the losses of these values: where w runs off along a flat direction, they say nothing any
    more.
    """
    return len(f) * EPS * float(np.abs(f).max())


def bowl(s: Situation, least: float) -> float:
    """The most by which F - F* is less than lam/2 |u - w*|^2 at random u and b around w*, in units of F there.

    At no u but w* is F so low then: the minimum is the only one.
    """
    e, lam = s.soft_solution, s.soft_problem.lam
    w = s.expand(e.alpha)
    rng = np.random.Generator(np.random.Philox(s.m + 1))
    far = np.geomspace(1e-5, 10.0, PLACES)[:, None] * max(e.norm_w, 1.0 / s.max_norm)
    step = rng.standard_normal((PLACES, len(w)))
    step *= far / np.maximum(np.linalg.norm(step, axis=1, keepdims=True), 1e-300)
    U = w + step
    B = (e.b + far * s.max_norm * rng.standard_normal((PLACES, 1))) * s.problem.bias
    F = Objective(s.lifted, LOSSES["hinge"], REGULARISERS["R2"], lam, s.problem.bias).value(U, B)
    return float(((0.5 * lam * (step**2).sum(1) - (F - least)) / np.maximum(F, least)).max())


@statement(
    "L10",
    N_("One minimum, many, or none"),
    sentence=N_(
        "Every local minimum of a convex function is global. With λ/2 |w|² added, λ > 0, there is one "
        "and a single w attains it; without, there may be many, or none."
    ),
    formula=(
        r"F(u) \;\ge\; F(w^*) + \tfrac{\lambda}{2}\|u - w^*\|^2, \qquad F(w, b) = \frac1m\sum_i "
        r"\ell\bigl(y_i f(x_i)\bigr) + \tfrac{\lambda}{2}\|w\|^2"
    ),
    source=(
        Source(
            "B",
            N_("Convex loss functions"),
            "false",
            "second derivative non negative everywhere: they have (at most) one local minimum",
            N_("A convex function may have many minima, all of them as low; strictly convex ones have at most one."),
            59,
        ),
        Source(
            "B",
            N_("Convex loss functions"),
            quote="as a consequence, finding the local minimum corresponds to a global minimization",
        ),
        Source(
            "B",
            N_("Convex surrogate loss functions"),
            "incomplete",
            "Convex: unique local minimum = global minimum",
            N_("Every local minimum is global; unique it is where λ/2 |w|² is added, and there may be none at all."),
            61,
        ),
    ),
    repair=N_(
        "Not at most one: every local minimum is global, and without λ there may be many or none. On "
        "separable points the hinge is 0 at w and at 2w, and the logistic loss falls for ever."
    ),
    conditions=CLASSES,
    tolerance=1e-7,
    page="losses",
    machine="soft",
    witness=Witness(
        TWO,
        (1, -1),
        N_(
            "Without λ both w = (1, 0) and w = (2, 0) have no slack at all, and the logistic loss falls "
            "along w for ever."
        ),
    ),
)
def minima(s: Situation, tol: float) -> Outcome:
    """Descents from several places against the exact F*, and the bowl of F around w*; without a price against a linear
    program.

    Where a line separates, found by the descent itself: w and 2w by the hinge, and the logistic loss along w.
    """
    s.need_small()
    lam = s.soft_problem.lam
    least = lam * s.soft_solution.objective
    U, M = spanned(s)
    priced = descents(recipe(s, "hinge", lam))
    free = descents(Objective(Dataset(U, s.y), LOSSES["hinge"], REGULARISERS["none"], 0.0, bias=False))
    free = [fit for fit in free if rounding(U @ fit.w) <= tol / 10]
    ends, ways = [fit.value for fit in priced], [fit.value for fit in free]
    slack = least_slack(U, s.y)
    apart = max(beside(value, least) for value in ends)
    lone = max((abs(value - slack) for value in ways), default=0.0)
    above = bowl(s, least)
    line = stretched(s, U, M, free)
    printed, falls = (None, 0.0) if line is None else without_price(s, *line, tol)
    sides = (
        Side("F at the exact w*", least, r"F(w^*)"),
        Side(Phrase("highest end of {n} descents", n=len(ends)), max(ends)),
        Side("most that F is short of the bowl around w*, relative", above if above > tol else 0.0),
        Side("least mean hinge alone, by a linear program", slack if slack > tol else 0.0),
        *([Side(Phrase("highest end of {n} descents on it", n=len(ways)), max(ways))] if ways else []),
    )
    note = (
        ""
        if printed
        else N_("Whether there are many minima or none without λ is tried where a line separates the points.")
    )
    return Outcome(printed, reading(tol, max(apart, lone, above, falls), *sides), note=note)


def stretched(s: Situation, U: Array, M: Array, free: list[Fit]) -> tuple[Array, float] | None:
    """The w and b of a descent, stretched until the least margin is 1; None where none of them separates."""
    for fit in free:
        least = float((s.y * (U @ fit.w)).min())
        if least > FIRM:
            b, w = np.split(M @ fit.w / least, [int(s.problem.bias)])
            return w, float(b.sum())
    return None


def without_price(s: Situation, w: Array, b: float, tol: float) -> tuple[Reading, float]:
    """As printed: two places without slack, and the logistic loss on its way down. And by how much it ever rises along
    w, relative.

    Its slope along w is -mean(y f_w/(1 + e^t)) at any other place too, below 0 as all y f_w > 0: so it has a minimum
    nowhere.
    """
    t = s.y * (s.Phi @ w + b)
    slacks = [float(LOSSES["hinge"].value(k * t).mean()) for k in (1.0, 2.0)]
    falling = [float(LOSSES["logistic"].value(k * t).mean()) for k in FACTORS]
    rng = np.random.Generator(np.random.Philox(s.m + 2))
    others = 3.0 * rng.standard_normal((PLACES, s.m))
    slopes = (LOSSES["logistic"].slopes(others)[1] * t).mean(1)
    rise = max(*(then / now - 1.0 for now, then in pairwise(falling)), float(slopes.max()), 0.0)
    apart = s.distance_in_margins(w, 2.0 * w)
    return reading(
        tol,
        apart if max(slacks) <= tol else 0.0,
        Side("mean hinge at w, without λ", slacks[0]),
        Side("at 2w", slacks[1]),
        Side("way from w to 2w, in margin units", apart),
        *(Side(Phrase("mean logistic loss at {k:g} w", k=k), value) for k, value in zip(FACTORS, falling, strict=True)),
        words=N_("The hinge and the logistic loss, without λ, have one minimum each."),
    ), max(rise, *slacks)
