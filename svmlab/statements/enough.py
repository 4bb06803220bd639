"""G4: how many points are enough in a space of any dimension, by leaving out each point of the board in turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.generalisation import enough_points, price, risk_bound, without
from svmlab.kernels.standard import Linear
from svmlab.statements.opinion import decision_uncertainty, need_exact, relative_gap
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.unseen import chance

MOST = 60  # points that are left out in turn
MORE = 98  # dimensions
WISHED = 0.1  # of the risk


def need_risk(s: Situation) -> Situation:
    """The board without a bias, MOST of its points at most; DoesNotApply where no feature space is there or only one
    point.
    """
    _ = s.Phi
    if s.m < 2:
        raise DoesNotApply("There are no points to learn from when the only one is left out. Add a point.")
    if s.m <= MOST:
        return s.with_bias_switched if s.problem.bias else s
    data = s.problem.data
    rows = np.sort(chance(data).permutation(s.m)[:MOST])
    return Situation(replace(s.soft_problem, data=Dataset(data.X[rows], data.y[rows]), bias=False))


@dataclass(frozen=True, eq=False)
class Left:
    """Each point left out in turn, at one C. loss (m,): its hinge then. normals (m, m): the coefficients of the machine
    without it.

    gap: the largest of these machines.
    """

    machine: Solution
    loss: Array
    normals: Array
    gap: float

    @property
    def longest(self) -> float:
        """How far w moves at most when one point is put in the place of another."""
        G = self.normals @ self.machine.problem.gram @ self.normals.T
        own = np.diag(G)
        return float(np.sqrt(max(0.0, float((own[:, None] + own - 2 * G).max()))))


def leave(problem: Problem) -> Left:
    """All machines without one of the points (m >= 2)."""
    machine, m, y = solve(problem), problem.data.m, problem.data.y
    normals, f, worst = np.zeros((m, m)), np.empty(m), relative_gap(machine)
    for i in range(m):
        out = np.arange(m) == i
        rest = without(problem, out, machine)
        normals[i, ~out] = rest.alpha * y[~out]
        worst = max(worst, relative_gap(rest))
        f[i] = normals[i] @ problem.gram[i]
    return Left(machine, np.maximum(0.0, 1.0 - y * f), normals, worst)


def turned(Phi: Array, more: int = MORE) -> Array:
    """The rows of Phi (m, D), in D + more dimensions and turned at random."""
    D = Phi.shape[1] + more
    turn = np.linalg.qr(np.random.Generator(np.random.Philox(D)).standard_normal((D, D)))[0]
    return np.asarray(Phi @ turn[: Phi.shape[1]])


@statement(
    "G4",
    N_("How many points are enough"),
    sentence=N_(
        "Enough for the hinge risk to come within ε of the best with |w| ≤ B are 8 r²B²/ε² points of "
        "length at most r, in the mean over samples and in a space of any dimension."
    ),
    formula=(r"\mathbb{E}_S\,L(w_S) \;\le\; \min_{\|u\| \le B} L(u) + r B \sqrt{8/m}, \qquad \lambda = "
        r"\tfrac{r}{B}\sqrt{2/m}"),
    source=(
        Source(
            "D",
            N_("Learnability"),
            quote=r"$m=\frac{8p^2b^2}{\epsilon^2}$ sample complexity è indipendente dalla dimensione dello spazio",
        ),
        Source(
            "D",
            N_("Learnability"),
            "hedged",
            "in generale non è mai buono aumentare la dimensionalità dei dati",
            N_("Only where the new coordinates lengthen the points, as noise does; their number alone costs nothing."),
            52,
        ),
        Source(
            "D",
            N_("Kernel functions"),
            quote=("il cui livello di complessità non dipende dalla dimensione dello spazio delle features, ma da "
        "parametri intrinseci come Rho e B"),
        ),
    ),
    conditions=N_(
        "w_S minimises λ|w|² and the mean hinge loss of its sample, without bias; w is not 0. Each point "
        "is left out in turn and judged by the machine of the others: on average that is the risk on "
        "unseen points. r is the longest φ(x), B the length of the board's own w, than which no w as "
        "short loses less."
    ),
    tolerance=1e-6,
    page="generalisation",
    machine="points",
    witness=Witness(
        ((1.0, 0.0), (1.5, 1.0), (2.0, -0.5), (-1.0, 0.0), (-1.5, -1.0), (-2.0, 0.5)),
        (1, 1, 1, -1, -1, -1),
        N_("Of six points a point left out loses less than promised, but more than a twentieth of it."),
        bias=False,
    ),
)  # fmt: skip
def enough(s: Situation, tol: float) -> Outcome:
    """The risk by leaving out against the bound; its parts by two ways: the best risk, how far w moves, and all of it
    turned into more dimensions.
    """
    here = need_risk(s)
    best = here.soft_solution
    here.need_line(best.norm_w)
    n, r, B = here.m - 1, here.max_norm, best.norm_w
    lam = price(n, r, B)
    found = leave(replace(here.soft_problem, C=1.0 / (2.0 * lam * n)))
    tol = s.level(tol, best, found.machine)
    shortest = float(best.xi.mean())
    # F's least value by a second solver, less the price of a w of length B, is what no such w falls below
    below = here.soft_problem.lam * (here.soft_dual.value - 0.5 * B * B)
    need_exact(abs(shortest - below), tol, decision_uncertainty(here.soft_problem, best.alpha))
    allowed, mean = risk_bound(n, r, B), float(found.loss.mean())
    Z = turned(here.Phi)
    far = solve(replace(found.machine.problem, data=Dataset(Z, here.y), kernel=Linear()))
    apart = float(np.abs(far.margins - found.machine.margins).max()) / max(1.0, r * found.machine.norm_w)
    longer = float(np.linalg.norm(Z, axis=1).max()) / r - 1.0
    moves, most = found.longest, r / (lam * n)
    uneven = float(np.sqrt(np.diag(here.problem.gram).max())) / r - 1.0
    off = max(
        mean - shortest - allowed,
        abs(shortest - below),
        moves / most - 1.0,
        apart,
        abs(longer),
        abs(uneven),
        found.gap,
        # lambda is chosen so that a w of length B costs as much as one point more or less does
        abs(lam * B * B / allowed - 0.5),
        abs(2.0 * r * r / (lam * n) / allowed - 0.5),
    )
    return Outcome(
        reading(
            tol,
            off,
            Side("mean hinge loss of a point left out", mean, r"\mathbb{E}\,L(w_S)"),
            Side("least hinge loss of a w no longer than B, by losses", shortest, r"\min L"),
            Side("the same, by multipliers", below),
            Side("allowed above it", allowed, r"r B \sqrt{8/m}"),
            Side("points for ε = .1", float(enough_points(WISHED, r, B)), r"8 r^2 B^2/\varepsilon^2"),
            Side("longest way of w when one point is exchanged", moves),
            Side("at most", most, r"r/(\lambda m)"),
            Side(Phrase("largest difference of f in {d} dimensions", d=Z.shape[1]), apart),
        ),
        control=twentieth(tol, mean, shortest, allowed),
        note=join_phrases(
            silent(shortest, allowed, enough_points(1.0 - shortest, r, B)),
            Phrase("Of the board's {m} points {most} were left out in turn.", m=s.m, most=MOST) if s.m > MOST else "",
        ),
    )  # fmt: skip


def silent(least: float, allowed: float, speaks: int) -> str:
    """From where on a bound that says nothing here would."""
    if least + allowed < 1:
        return ""
    return Phrase("Here the bound says nothing, for w = 0 has risk 1; it speaks from {n} points on.", n=speaks)


def twentieth(tol: float, mean: float, least: float, allowed: float) -> Reading:
    """A bound that asks for a four-hundredth of the points."""
    return reading(
        tol,
        mean - least - allowed / 20,
        Side("mean hinge loss of a point left out, above the least", mean - least),
        Side("a twentieth of what is allowed", allowed / 20),
        words=N_("A four-hundredth of these points is enough."),
    )
