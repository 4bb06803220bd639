"""G4: the number of points that is enough in any dimension, tested by leave-one-out on the board."""

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
from svmlab.statements.generalisation_gap import board_generator
from svmlab.statements.opinion import decision_uncertainty, need_exact, relative_gap
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement

MOST = 60  # points that are left out in turn
MORE = 98  # dimensions that are added
WISHED = 0.1  # excess of the risk that is wanted


def board_without_bias(s: Situation) -> Situation:
    """Return the board without a bias, with at most MOST of its points.

    Raises DoesNotApply where there is no feature space or only one point.
    """
    _ = s.Phi
    if s.m < 2:
        raise DoesNotApply("There are no points to learn from when the only one is left out. Add a point.")
    if s.m <= MOST:
        return s.with_bias_switched if s.problem.bias else s
    data = s.problem.data
    rows = np.sort(board_generator(data).permutation(s.m)[:MOST])
    return Situation(replace(s.soft_problem, data=Dataset(data.X[rows], data.y[rows]), bias=False))


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """The solutions with each point left out in turn, at one C.

    loss (m,): the hinge loss of the point that is left out. normals (m, m): the coefficients of the solution without
    it. gap: the largest relative gap of these solutions.
    """

    solution: Solution
    loss: Array
    normals: Array
    gap: float

    @property
    def longest(self) -> float:
        """Return the largest distance by which w moves when one point is replaced by another."""
        G = self.normals @ self.solution.problem.gram @ self.normals.T
        squared_norms = np.diag(G)
        return float(np.sqrt(max(0.0, float((squared_norms[:, None] + squared_norms - 2 * G).max()))))


def leave_each_out(problem: Problem) -> LeaveOneOut:
    """Return all solutions without one of the points (m >= 2)."""
    solution, m, y = solve(problem), problem.data.m, problem.data.y
    normals, f, worst = np.zeros((m, m)), np.empty(m), relative_gap(solution)
    for i in range(m):
        is_out = np.arange(m) == i
        without_point = without(problem, is_out, solution)
        normals[i, ~is_out] = without_point.alpha * y[~is_out]
        worst = max(worst, relative_gap(without_point))
        f[i] = normals[i] @ problem.gram[i]
    return LeaveOneOut(solution, np.maximum(0.0, 1.0 - y * f), normals, worst)


def turned(Phi: Array, more: int = MORE) -> Array:
    """Return the rows of Phi (m, D) in D + more dimensions, after a random rotation."""
    D = Phi.shape[1] + more
    rotation = np.linalg.qr(np.random.Generator(np.random.Philox(D)).standard_normal((D, D)))[0]
    return np.asarray(Phi @ rotation[: Phi.shape[1]])


@statement(
    "G4",
    N_("How many points are enough"),
    sentence=N_(
        "Enough for the hinge risk to come within ε of the best with |w| ≤ B are 8 r²B²/ε² points of "
        "length at most r, in the mean over samples and in a space of any dimension."
    ),
    formula=(
        r"\mathbb{E}_S\,L(w_S) \;\le\; \min_{\|u\| \le B} L(u) + r B \sqrt{8/m}, \qquad \lambda = "
        r"\tfrac{r}{B}\sqrt{2/m}"
    ),
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
            quote=(
                "il cui livello di complessità non dipende dalla dimensione dello spazio delle features, ma da "
                "parametri intrinseci come Rho e B"
            ),
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
)
def enough(s: Situation, tol: float) -> Outcome:
    """Compare the leave-one-out risk with the bound, and each of its parts by two ways.

    The parts are the best risk and the largest movement of w. The whole is repeated after a rotation into more
    dimensions.
    """
    board = board_without_bias(s)
    best = board.soft_solution
    board.need_line(best.norm_w)
    n, r, B = board.m - 1, board.max_norm, best.norm_w
    lam = price(n, r, B)
    left_out = leave_each_out(replace(board.soft_problem, C=1.0 / (2.0 * lam * n)))
    tol = s.level(tol, best, left_out.solution)
    least_hinge = float(best.xi.mean())
    # The least F by a second solver, less the penalty of a w of length B, is a lower bound of the loss of every such w.
    least_hinge_by_dual = board.soft_problem.lam * (board.soft_dual.value - 0.5 * B * B)
    need_exact(abs(least_hinge - least_hinge_by_dual), tol, decision_uncertainty(board.soft_problem, best.alpha))
    allowed, mean = risk_bound(n, r, B), float(left_out.loss.mean())
    Z = turned(board.Phi)
    rotated = solve(replace(left_out.solution.problem, data=Dataset(Z, board.y), kernel=Linear()))
    difference_of_f = float(np.abs(rotated.margins - left_out.solution.margins).max()) / max(
        1.0, r * left_out.solution.norm_w
    )
    norm_change = float(np.linalg.norm(Z, axis=1).max()) / r - 1.0
    movement, largest_movement = left_out.longest, r / (lam * n)
    norm_difference = float(np.sqrt(np.diag(board.problem.gram).max())) / r - 1.0
    excess = max(
        mean - least_hinge - allowed,
        abs(least_hinge - least_hinge_by_dual),
        movement / largest_movement - 1.0,
        difference_of_f,
        abs(norm_change),
        abs(norm_difference),
        left_out.gap,
        # lambda is chosen so that the penalty of a w of length B equals the effect of one point.
        abs(lam * B * B / allowed - 0.5),
        abs(2.0 * r * r / (lam * n) / allowed - 0.5),
    )
    return Outcome(
        reading(
            tol,
            excess,
            Side("mean hinge loss of a point left out", mean, r"\mathbb{E}\,L(w_S)"),
            Side("least hinge loss of a w no longer than B, by losses", least_hinge, r"\min L"),
            Side("the same, by multipliers", least_hinge_by_dual),
            Side("allowed above it", allowed, r"r B \sqrt{8/m}"),
            Side("points for ε = .1", float(enough_points(WISHED, r, B)), r"8 r^2 B^2/\varepsilon^2"),
            Side("longest way of w when one point is exchanged", movement),
            Side("at most", largest_movement, r"r/(\lambda m)"),
            Side(Phrase("largest difference of f in {d} dimensions", d=Z.shape[1]), difference_of_f),
        ),
        control=smaller_bound(tol, mean, least_hinge, allowed),
        note=join_phrases(
            vacuous_bound_note(least_hinge, allowed, enough_points(1.0 - least_hinge, r, B)),
            Phrase("Of the board's {m} points {most} were left out in turn.", m=s.m, most=MOST) if s.m > MOST else "",
        ),
    )


def vacuous_bound_note(least: float, allowed: float, speaks: int) -> str:
    """Return the remark from how many points on the bound is below 1, where it is not."""
    if least + allowed < 1:
        return ""
    return Phrase("Here the bound says nothing, for w = 0 has risk 1; it speaks from {n} points on.", n=speaks)


def smaller_bound(tol: float, mean: float, least: float, allowed: float) -> Reading:
    """Return the reading of a bound that needs only a four-hundredth of the points."""
    return reading(
        tol,
        mean - least - allowed / 20,
        Side("mean hinge loss of a point left out, above the least", mean - least),
        Side("a twentieth of what is allowed", allowed / 20),
        words=N_("A four-hundredth of these points is enough."),
    )
