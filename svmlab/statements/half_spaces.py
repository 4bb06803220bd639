"""T19: the VC dimension of half-spaces, and how many labellings they have."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np

from svmlab.binary.separability import separate
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.data import Dataset
from svmlab.generalisation import labellings
from svmlab.statements.opinion import largest_lp_margin
from svmlab.statements.plane import need_linear_kernel
from svmlab.statements.rademacher import all_signs
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

MOST_DIMENSIONS = 3
EXTRA_POINTS = 3  # points beyond the dimension
CLEAR = 1e-6  # in units of the largest norm: below this margin, rounding decides in the second solver


def sauer(k: int, d: int) -> int:
    """Return the bound sum_{i <= d} binom(k, i) for the labellings of k points by a class of VC dimension d."""
    return sum(math.comb(k, i) for i in range(d + 1))


def labellings_by_intervals(k: int) -> int:
    """Return how many labellings of k points on a line have the label +1 exactly on an interval, by trying all ends."""
    points = np.arange(k)
    ends = np.arange(-1.0, k + 1) + 0.5
    return len({tuple((points > a) & (points < b)) for a in ends for b in ends})


def cover(k: int, d: int, bias: bool) -> int:
    """Return Cover's number of labellings of k points in general position by half-spaces of R^d."""
    n = d + int(bias)
    return 2 * sum(math.comb(k - 1, i) for i in range(n))


def in_general_position(X: Array, bias: bool) -> bool:
    """Return whether every choice of as many points as w and b have components is clearly independent."""
    A = np.hstack([X / np.abs(X).max(), np.ones((len(X), 1))]) if bias else X / np.abs(X).max()
    n = A.shape[1]
    return len(A) >= n and all(abs(np.linalg.det(A[list(rows)])) > CLEAR for rows in combinations(range(len(A)), n))


@statement(
    "T19",
    N_("Half-spaces and Sauer’s lemma"),
    sentence=N_(
        "Half-spaces of ℝᵈ have the VC dimension d + 1 with a bias, and d without one. A class of functions realises "
        "at most as many labellings of m points as there are subsets with at most d_VC of them, where d_VC is its VC "
        "dimension. Intervals on a line attain this bound."
    ),
    formula=(
        r"d_{VC} = d + 1 \text{ with } b, \quad d_{VC} = d \text{ without}, \quad \#\text{labellings} \;\le\; "
        r"\sum_{i=0}^{d_{VC}} \binom{m}{i}"
    ),
    source=(
        Source(
            "literature",
            N_(
                "Shalev-Shwartz and Ben-David, Understanding Machine Learning (2014), Theorems 9.2 and 9.3, and Lemma "
                "6.10"
            ),
        ),
        Source(
            "literature",
            N_(
                "Cover, Geometrical and Statistical Properties of Systems of Linear Inequalities with Applications in "
                "Pattern Recognition, IEEE Transactions on Electronic Computers EC-14 (1965)"
            ),
        ),
    ),
    conditions=N_(
        "The kernel is linear, and the points have at most three coordinates. The check takes d + 3 different points "
        "of the board and tries all their labellings, with and without a bias."
    ),
    tolerance=0.0,
    page="generalisation",
    subject="points",
    witness=Witness(
        ((1.0, 0.5), (2.0, -1.0), (-1.0, 1.0), (-2.0, -1.5), (0.5, 2.5)),
        (1, 1, -1, -1, 1),
        N_("Of the 16 labellings of four points, lines separate 14 and lines through the origin 8."),
    ),
)
def half_spaces(s: Situation, tol: float) -> Outcome:
    """Count labellings by exact separation, by linear programs, and by Cover's formula for points in general position.

    The points 0, e_1 .. e_d are shattered with a bias, and e_1 .. e_d without one. No d + 2 points of the board are
    (d + 1 without a bias).
    """
    need_linear_kernel(s)
    different = np.unique(s.X, axis=0)
    d = s.X.shape[1]
    if d > MOST_DIMENSIONS:
        raise DoesNotApply("The points have {d} coordinates, and this check takes at most three.", d=d)
    X = (
        different[np.linspace(0, len(different) - 1, d + EXTRA_POINTS).astype(int)]
        if len(different) >= d + EXTRA_POINTS
        else different
    )
    k = len(X)
    if k < d + 2:
        raise DoesNotApply("The check needs at least {n} different points. Add points.", n=d + 2)
    size = float(np.linalg.norm(X, axis=1).max())
    ys = all_signs(k)
    with_b = np.array([each.separable for each in labellings(X)])
    half = [separate(Dataset(X, y), bias=False).separable for y in ys[: len(ys) // 2]]
    without = np.array([*half, *half[::-1]])  # opposite labellings are separable together
    disagree, position = 0.0, 0.0
    for is_separable, bias in ((with_b, True), (without, False)):
        for y, separable in zip(ys[: len(ys) // 2], is_separable, strict=False):
            t = largest_lp_margin(X / size, y, bias)
            disagree += float(abs(t) > CLEAR and (t > 0) != separable) + float(t > CLEAR and not separable)
        if in_general_position(X, bias):
            position = max(position, abs(float(is_separable.sum()) - cover(k, d, bias)))
    corners = np.vstack([np.zeros((1, d)), np.eye(d)])
    shattered = min(
        sum(each.separable for each in labellings(corners)) - 2 ** (d + 1),
        sum(separate(Dataset(np.eye(d), y), bias=False).separable for y in all_signs(d)) - 2**d,
    )
    counts = [_count(with_b, ys, d + 2), _count(without, ys, d + 1)]
    difference = max(
        disagree,
        position,
        float(abs(shattered)),
        float(counts[0] >= 2 ** (d + 2)),
        float(counts[1] >= 2 ** (d + 1)),
        float(with_b.sum() - sauer(k, d + 1)),
        float(without.sum() - sauer(k, d)),
        float(abs(labellings_by_intervals(k) - sauer(k, 2))),
    )
    own = Side("labellings of d + 2 of the points, with a bias", float(counts[0]))
    return Outcome(
        reading(
            tol,
            difference,
            own,
            Side("all labellings of d + 2 points", float(2 ** (d + 2))),
            Side("labellings of d + 1 of the points, no bias", float(counts[1])),
            Side("all labellings of d + 1 points", float(2 ** (d + 1))),
            Side("labellings of all chosen points, with a bias", float(with_b.sum())),
            Side("Sauer’s bound for it", float(sauer(k, d + 1))),
            Side("labellings of as many points by intervals", float(labellings_by_intervals(k))),
            Side("Sauer’s bound for intervals", float(sauer(k, 2))),
        ),
        control=reading(
            tol,
            float(2 ** (d + 2) - counts[0]),
            own,
            Side("all labellings of d + 2 points", float(2 ** (d + 2))),
            words=N_("The d + 2 points are shattered."),
        ),
    )


def _count(is_separable: Array, ys: Array, n: int) -> int:
    """Return how many labellings of the first n points are separable, each as part of some labelling of all points."""
    return len({tuple(y[:n]) for y, separable in zip(ys, is_separable, strict=True) if separable})
