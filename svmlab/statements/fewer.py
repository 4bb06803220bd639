"""G5 and G9: how many support vectors there are, and whether a kernel has fewer."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.kernels.standard import Gaussian, Linear
from svmlab.statements import opinion
from svmlab.statements.opinion import decision_uncertainty, need_exact
from svmlab.statements.situation import Situation
from svmlab.statements.soft import CLASSES
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

NEAR = 1e-4  # of a margin: how near to its margin line the second solver knows a point to be
APART = 8.0  # widths between the two nearest places: k is below 1e-13 there
PLACES = 100  # of which as many at most are taken


@dataclass(frozen=True, eq=False)
class Count:
    """Support vectors N of the exact method; by the second solver the points short of their margin line, and those not
    beyond it.

    off: how far <w, phi(x_i)> of the two are apart, in margin units, and by how many points N is outside of the two
    counts. left_open: how far their own gaps allow that.
    """

    N: int
    short: int
    near: int
    off: float
    left_open: float


def count(e: Solution, d: opinion.Dual) -> Count:
    """Alpha > 0 wherever y f < 1, and nowhere where y f > 1: at any optimal b."""
    problem = e.problem
    y, K = problem.data.y, problem.gram
    signed, other = e.alpha * y, d.alpha * y
    t = y * (other @ K + d.b)
    size = float(np.sqrt(np.diag(K).max(initial=0.0))) or 1.0
    unit = max(1.0, size * e.norm_w)
    way = float(np.abs((signed - other) @ K).max(initial=0.0))
    N = int(e.support.sum())
    short, near = int((t < 1 - NEAR * unit).sum()), int((t <= 1 + NEAR * unit).sum())
    outside = float(max(short - N, N - near, 0))
    gaps = sum(decision_uncertainty(problem, alpha) for alpha in (e.alpha, d.alpha))
    return Count(N, short, near, max(way / unit, outside), gaps / unit)


def between(found: Count, who: str) -> tuple[Side, Side]:
    """What the second solver says of their number."""
    return (
        Side(Phrase("{who}: short of their margin line, second solver", who=who), float(found.short)),
        Side(Phrase("{who}: short of it or on it", who=who), float(found.near)),
    )


def narrow(s: Situation) -> tuple[Solution, Array]:
    """A Gaussian so narrow that no place feels another, on one point of each: the machine, and its multipliers by the
    formula.

    K = 1, so alpha_i = min(C, 1 - y_i b); with a bias sum y alpha = 0 gives b.
    """
    _, rows = np.unique(s.X, axis=0, return_index=True)
    rows = np.sort(rows)[:PLACES]
    data = Dataset(s.X[rows], s.y[rows])
    squares = ((data.X[:, None] - data.X) ** 2).sum(-1)
    near = float(np.sqrt(squares[squares > 0].min(initial=np.inf)))
    kernel = Gaussian(near / APART if np.isfinite(near) else 1.0)
    bias = s.problem.bias and data.both_classes
    p, q = int((data.y > 0).sum()), int((data.y < 0).sum())
    if bias:
        few = min(max(p, q) / (0.5 * data.m), s.soft_problem.C)  # of the class with fewer points
        alpha = np.where((data.y > 0) == (p <= q), few, few * min(p, q) / max(p, q))
    else:
        alpha = np.full(data.m, min(1.0, s.soft_problem.C))
    return solve(Problem(data, kernel, s.soft_problem.C, bias)), alpha


@statement(
    "G5",
    N_("Fewer with a kernel"),
    sentence=N_("With a kernel one expects fewer support vectors than without."),
    formula=r"N_k \overset{?}{<} N_{\text{linear}}",
    source=(
        Source(
            "A",
            N_("after the compression bound"),
            "hedged",
            "In tal caso, ci aspettiamo che il numero di supporti sia ridotto rispetto al caso senza kernel.",
            N_("Met where the kernel fits the shape of the classes; where a line does, or the kernel is narrow, "
        "there are more."),
            59,
        ),
    ),
    repair=N_(
        "With a kernel that fits there may be fewer, with another one more: a Gaussian that is narrow "
        "enough makes a support vector of every place."
    ),
    conditions=CLASSES,
    tolerance=1e-6,
    page="generalisation",
    machine="soft",
    witness=Witness(
        ((1.5, 0.0), (2.5, 1.5), (2.5, -1.5), (3.5, 0.5), (-1.5, 0.0), (-2.5, -1.5), (-2.5, 1.5), (-3.5, -0.5)),
        (1, 1, 1, 1, -1, -1, -1, -1),
        N_("A line needs two of these points, a Gaussian with σ = 1 all eight."),
        Gaussian(1.0),
        C=10.0,
    ),
)  # fmt: skip
def fewer(s: Situation, tol: float) -> Outcome:
    """Both machines counted by the exact method and by the places of the points in the second solver's; a narrow
    Gaussian by its formula.
    """
    own = s.soft_solution
    straight = s.soft_problem.kernel.is_linear
    other = solve(replace(s.soft_problem, kernel=Gaussian(1.0) if straight else Linear()))
    mine, theirs = count(own, s.soft_dual), count(other, opinion.dual(other.problem))
    line, kernel = (mine, theirs) if straight else (theirs, mine)
    tol = s.level(tol, own, other)
    for each in (mine, theirs):
        need_exact(each.off, tol, each.left_open)
    thin, alpha = narrow(s)
    apart = float(np.abs(thin.alpha - alpha).max()) / max(1.0, float(alpha.max()))
    places = len(alpha)
    return Outcome(
        reading(
            tol,
            max(0, kernel.N - line.N + 1) / s.m,
            Side("support vectors, linear", float(line.N)),
            Side("support vectors, kernel", float(kernel.N)),
            words=N_("There are fewer with the kernel."),
        ),
        reading(
            tol,
            max(mine.off, theirs.off, apart, float(abs(places - int(thin.support.sum())))),
            Side("support vectors, linear", float(line.N)),
            *between(line, N_("linear")),
            Side("support vectors, kernel", float(kernel.N)),
            *between(kernel, N_("kernel")),
            Side("support vectors of a very narrow Gaussian", float(thin.support.sum())),
            Side("places", float(places)),
        ),
        note=N_("The kernel on the board is linear; it is compared with a Gaussian of σ = 1.") if straight else "",
    )  # fmt: skip


@statement(
    "G9",
    N_("Few support vectors"),
    sentence=N_("The support vectors are usually a quite small part of the points."),
    formula=(r"\#\{y_i f(x_i) < 1\} \;\le\; N \;\le\; \#\{y_i f(x_i) \le 1\}, \qquad \tfrac1C \textstyle\sum_i "
        r"\alpha_i \le N"),
    source=(
        Source(
            "B",
            N_("Classification through SVM"),
            "hedged",
            ("does not take into account all training set items, but only support vectors, usually a quite "
        "small subset of the training set"),
            N_("Every point with slack is a support vector, so where classes overlap, or a kernel is narrow, "
        "they are most points or all."),
            35,
        ),
    ),
    repair=N_(
        "Support vectors are all points short of their margin line, and of those on it as many as are "
        "needed: few where few stand there, all where all do."
    ),
    conditions=CLASSES,
    tolerance=1e-6,
    page="generalisation",
    machine="soft",
    witness=Witness(
        ((0.0, 0.0), (1.0, 0.0), (2.0, 0.0), (0.0, 1.0), (1.0, 1.0), (2.0, 1.0)),
        (1, -1, 1, -1, 1, -1),
        N_("With σ = .2 no point feels another: all six are support vectors."),
        Gaussian(0.2),
    ),
)  # fmt: skip
def few(s: Situation, tol: float) -> Outcome:
    """Multipliers above 0 against the places of the points in the second solver's machine, and against their sum in
    units of C.
    """
    e = s.soft_solution
    found = count(e, s.soft_dual)
    need_exact(found.off, tol, found.left_open)
    total = float(s.soft_dual.alpha.sum()) / s.soft_problem.C
    sides = (Side("support vectors", float(found.N), "N"), Side("points", float(s.m), "m"))
    return Outcome(
        reading(tol, found.N / s.m - 0.5, *sides, words=N_("They are no more than half of the points.")),
        reading(
            tol,
            max(found.off, total - NEAR - found.N),
            *sides,
            *between(found, N_("points")),
            Side("sum of the multipliers, in C", total, r"\tfrac1C\sum_i\alpha_i"),
        ),
    )  # fmt: skip
