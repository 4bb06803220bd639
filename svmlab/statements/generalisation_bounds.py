"""G0, G1 and G4: the true error of an SVM, with the board as the distribution, and the bounds on it.

G0 compares training and test performance. G1 is the compression bound: a solution with few support vectors has a small
true error with high probability. G4 is the number of points that is enough in any dimension, tested by leave-one-out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Mask
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import Dataset
from svmlab.generalisation import compression_bound, enough_points, fewest_points, price, risk_bound, without
from svmlab.kernels.standard import Linear
from svmlab.statements.opinion import decision_uncertainty, need_exact, relative_gap
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.support_vectors import solve_rows

ROUNDS = 10  # number of times that the board is divided into two halves
ROWS = 600  # rows in all rounds together: fewer rounds where there are more points


def board_generator(data: Dataset) -> np.random.Generator:
    """Return a random generator for the number of points.

    It is the same for one board, and while a point is moved.
    """
    return np.random.Generator(np.random.Philox(data.m))


def random_halves(data: Dataset) -> Iterator[Mask]:
    """Yield random halves of the board (m,): each half, then the other half.

    Every point is in exactly one of the two.
    """
    rng = board_generator(data)
    for _ in range(max(2, min(ROUNDS, ROWS // data.m))):
        half = rng.permutation(data.m) < data.m // 2
        yield half
        yield ~half


@dataclass(frozen=True, eq=False)
class HalfSolution:
    """The solution for the rows `training` (m,), at the lambda of the board.

    loss, wrong (m,): its hinge losses and its errors on all points.
    """

    training: Mask
    solution: Solution
    loss: Array
    wrong: Mask

    @property
    def penalty(self) -> float:
        """Return the penalty (lambda/2) |w|^2."""
        return 0.5 * self.solution.problem.lam * self.solution.norm_w**2

    @property
    def least(self) -> float:
        """Return F on its own points, from the multipliers."""
        return self.solution.problem.lam * self.solution.dual_objective

    @property
    def own(self) -> float:
        """Return F on its own points, from the losses."""
        return self.penalty + float(self.loss[self.training].mean())

    @property
    def whole(self) -> float:
        """Return F on all points of the board."""
        return self.penalty + float(self.loss.mean())


def solve_half(s: Situation, seen: Mask) -> HalfSolution:
    """Return the solution of these rows, with C m/n in place of C, so that lambda stays the same."""
    data = s.problem.data
    training = Dataset(data.X[seen], data.y[seen])
    solution = solve(replace(s.soft_problem, data=training, C=s.soft_problem.C * s.m / training.m))
    yf = s.y * solution.decision(s.X)
    return HalfSolution(seen, solution, np.maximum(0.0, 1.0 - yf), yf <= 0)


@statement(
    "G0",
    N_("Seen and unseen"),
    sentence=N_(
        "On average over samples a machine loses less on the points that it has learned from than on "
        "those that it has not seen. Its errors go the same way as a rule; a single sample may differ."
    ),
    formula=(
        r"\mathbb{E}\,F_S(w_S) \;\le\; \min_w F(w) \;\le\; \mathbb{E}\,F(w_S), \qquad F(w) = "
        r"\tfrac{\lambda}{2}\|w\|^2 + \mathbb{E}\,[1 - y\,f(x)]_+"
    ),
    source=(
        Source(
            "B",
            N_("0/1 loss and regularization"),
            quote=(
                "Indeed, we do not really aim to optimize the loss function wrt the training set … Need to "
                "generalize to test set, thus avoiding overfitting"
            ),
        ),
        Source("project", N_("what is least for a sample is least for no other (S2)")),
    ),
    conditions=N_(
        "The board is the distribution: it is cut in two by chance, up to ten times, and a machine "
        "learns from each half at the λ of the board. Both classes where there is a bias."
    ),
    tolerance=1e-6,
    page="generalisation",
    machine="soft",
    witness=Witness(
        ((1.0, 0.5), (2.0, -1.0), (0.5, 1.5), (-0.5, -0.5), (-1.0, 0.5), (-2.0, -1.0), (-0.5, 1.0), (0.5, -0.5)),
        (1, 1, 1, 1, -1, -1, -1, -1),
        N_("Each half of the eight points is fitted better than the other half, on average."),
        C=10.0,
    ),
)
def unseen(s: Situation, tol: float) -> Outcome:
    """Compare the mean F on the halves and on the whole board with the least F of the board, which lies between.

    On each half, F comes from multipliers and from losses. There is no chance in this comparison: every point is in
    exactly one half of each pair, so for one fixed w both means are F(w).
    """
    s.need_classes()
    if s.m < 2:
        raise DoesNotApply("A board of one point cannot be cut in two. Add a point.")
    solutions = [solve_half(s, training_losses) for training_losses in random_halves(s.problem.data)]
    tol = s.level(tol, *(half_solution.solution for half_solution in solutions))
    weights = [2 * half_solution.training.sum() / s.m / len(solutions) for half_solution in solutions]
    mean_own, least, whole = (
        float(np.dot(weights, [getattr(half_solution, name) for half_solution in solutions]))
        for name in ("own", "least", "whole")
    )
    least_of_board, exact_value = s.soft_problem.lam * s.soft_dual.value, s.soft_problem.lam * s.soft_solution.objective
    training_losses = np.array([half_solution.loss[half_solution.training].mean() for half_solution in solutions])
    test_losses = np.array([half_solution.loss[~half_solution.training].mean() for half_solution in solutions])
    difference = max(
        max(abs(half_solution.own - half_solution.least) for half_solution in solutions),
        abs(least_of_board - exact_value),
        mean_own - least_of_board,
        least_of_board - whole,
        float((training_losses - test_losses).mean()),
    )
    unit = max(1.0, whole)
    difference /= unit
    need_exact(
        difference,
        tol,
        2
        * max(
            decision_uncertainty(half_solution.solution.problem, half_solution.solution.alpha)
            for half_solution in solutions
        )
        / unit,
    )
    return Outcome(
        reading(
            tol,
            difference,
            Side("mean of F on the half learned from, by multipliers", least, r"\mathbb{E}\,F_S(w_S)"),
            Side("the same, by losses", mean_own),
            Side("least F of the whole board", least_of_board, r"\min F"),
            Side("mean of F on the whole board", whole, r"\mathbb{E}\,F(w_S)"),
            Side("mean hinge loss, points learned from", float(training_losses.mean())),
            Side("mean hinge loss, the other points", float(test_losses.mean())),
            Side("share of errors, points learned from", mean_error(solutions, True)),
            Side("share of errors, the other points", mean_error(solutions, False)),
            Side(
                Phrase("halves, of {n}, that lose more than the others", n=len(solutions)),
                float((training_losses > test_losses).sum()),
            ),
        ),
        control=reading(
            tol,
            float((test_losses - training_losses).mean()),
            Side("mean hinge loss, points learned from", float(training_losses.mean())),
            Side("mean hinge loss, the other points", float(test_losses.mean())),
            words=N_("The loss on the points learned from tells the loss on others."),
        ),
    )


def mean_error(solutions: list[HalfSolution], seen: bool) -> float:
    """Return the mean share of errors, on the training points or on the others."""
    return float(np.mean([solution.wrong[solution.training == seen].mean() for solution in solutions]))


# The bound holds with probability at least 1 - DELTA, and DRAWS samples of at most LARGEST points test it.
DELTA = 0.05
DRAWS = 20
LARGEST = 100

LATTICE = tuple((float(i), float(j)) for i in (-3, -1, 1, 3) for j in (-3, -1, 1, 3))


@dataclass(frozen=True, eq=False)
class SampledSolutions:
    """Samples of n points from the board, with replacement, and the solution of each.

    er, left, N, bound, gap (k,): the error on the board, the share of the sample that is misclassified although it is
    no support vector, the number of support vectors, the compression bound, and the relative gap of each solution.
    """

    n: int
    er: Array
    left: Array
    N: Array
    bound: Array
    gap: Array

    def broken(self, bound: Array | float) -> float:
        """Return the share of samples whose error is above a bound."""
        return float(np.mean(self.er > bound))


def sample_solutions(s: Situation) -> SampledSolutions:
    """Return DRAWS samples as large as the board, at most LARGEST; the error is the share of the whole board."""
    data, rng, n = s.problem.data, board_generator(s.problem.data), min(s.m, LARGEST)
    rows = []
    for _ in range(DRAWS):
        sample = rng.integers(0, s.m, n)
        solution = solve(replace(s.soft_problem, data=Dataset(data.X[sample], data.y[sample])))
        yf = s.y * solution.decision(s.X)
        share_left = float(np.mean(~solution.support & (yf[sample] <= 0)))
        N = int(solution.support.sum())
        rows.append(
            (float(np.mean(yf <= 0)), share_left, N, compression_bound(N, n, DELTA, share_left), relative_gap(solution))
        )
    return SampledSolutions(n, *np.array(rows, dtype=float).T)


def counted_probability(m: int, delta: float = DELTA) -> float:
    """Return an upper bound for the probability that the error is above the compression bound.

    For each N it sums over all choices of N points. Each choice classifies m - N other points correctly with
    probability at most (1 - bound)^(m - N).
    """
    total = 0.0
    for N in range(m):
        bound = compression_bound(N, m, delta)
        if bound < 1:
            choices = math.lgamma(m + 1) - math.lgamma(N + 1) - math.lgamma(m - N + 1)
            total += math.exp(choices + (m - N) * math.log1p(-bound))
    return total


@statement(
    "G1",
    N_("Few carry all"),
    sentence=N_(
        "N support vectors carry the machine, so the others are as good as unseen: but for a share δ of "
        "all samples its error is at most the share of others that are wrong, which is 0, and a root "
        "that grows with N."
    ),
    formula=(
        r"\mathrm{er} \;\le\; \widetilde{\mathrm{er}} + \sqrt{\frac{1}{m}\left(N + (N+1)\ln m + "
        r"\ln\frac{1}{\delta}\right)}"
    ),
    source=(
        Source(
            "A",
            N_("compression bound"),
            quote=(
                r"$\text{er}(h^*) \leq \tilde{\text{er}}(h^*) + \sqrt{\frac{1}{m} \left(N + (N + 1) \ln m + \ln "
                r"\frac{1}{\delta} \right)}$"
            ),
        ),
        Source(
            "A",
            N_("compression bound"),
            quote=(
                "Questo maggiorante vale immutato anche nel caso in cui l'algoritmo SVM venga eseguito in uno "
                "spazio di kernel."
            ),
        ),
    ),
    conditions=N_(
        "C is fixed before the sample is seen, δ = .05. The board is the distribution: twenty samples as "
        "large as it, of 100 points at most, are drawn from it with putting back, and each machine is "
        "tried on all of it. From 1 on the bound says nothing."
    ),
    tolerance=1e-6,
    page="generalisation",
    machine="soft",
    witness=Witness(
        LATTICE + LATTICE,
        (1,) * 16 + (-1,) * 16,
        N_(
            "Each of 16 places carries both labels, so every machine is wrong about half of the points. "
            "Without its N the bound would promise less."
        ),
    ),
)
def carried(s: Situation, tol: float) -> Outcome:
    """Solve the support vectors alone, and compare the margins with a second solver.

    The share of samples whose error is above the bound is counted, and the probability of this is summed over all
    choices.
    """
    e, d, K = s.soft_solution, s.soft_dual, s.problem.gram
    rows = np.flatnonzero(e.support)
    rest = solve_rows(s.soft_problem, rows)
    by_exact, by_cvxopt = (e.alpha * s.y) @ K, (d.alpha * s.y) @ K
    by_support = (rest.alpha * s.y[rows]) @ K[rows]
    unit = max(1.0, float(np.sqrt(np.diag(K).max())) * e.norm_w)
    support_change, solver_difference = (float(np.abs(f - by_exact).max()) / unit for f in (by_support, by_cvxopt))
    yf = s.y * (by_cvxopt + d.b)
    margin_error = (
        max(1.0 - float(yf[~e.support].min(initial=1.0)), float(np.abs(yf[e.free] - 1.0).max(initial=0.0))) / unit
    )
    gaps = (
        decision_uncertainty(s.soft_problem, e.alpha),
        decision_uncertainty(rest.problem, rest.alpha),
        decision_uncertainty(s.soft_problem, d.alpha),
    )
    need_exact(support_change, tol, gaps[0] / unit, gaps[1] / unit)
    need_exact(max(solver_difference, margin_error), tol, 2 * gaps[0] / unit, 2 * gaps[2] / unit)
    samples = sample_solutions(s)
    N, n = len(rows), samples.n
    probability = counted_probability(n)
    bound = compression_bound(N, s.m, DELTA)
    difference = max(
        support_change,
        solver_difference,
        margin_error,
        float(samples.gap.max()),
        float(samples.left.max()),
        samples.broken(samples.bound) - DELTA,
        probability - DELTA,
    )
    sides = (
        Side("support vectors", float(N), "N"),
        Side("points", float(s.m), "m"),
        Side("largest change of f where they are solved alone, in margin units", support_change),
        Side("wrong and no support vector, share", float(samples.left.max()), r"\widetilde{\mathrm{er}}"),
        Side("bound for the board as a sample", bound),
        Side(
            Phrase("mean error of {k} samples, on the whole board", k=DRAWS), float(samples.er.mean()), r"\mathrm{er}"
        ),
        Side("their mean bound", float(samples.bound.mean())),
        Side("share that breaks it", samples.broken(samples.bound)),
        Side("chance of that at most, counted", probability),
    )
    return Outcome(
        reading(tol, difference, *sides), control=without_n(samples), note=vacuous_compression_note(N, s.m, bound)
    )


def without_n(samples: SampledSolutions) -> Reading:
    """Return the reading of the bound with 0 in place of N."""
    bound = compression_bound(0, samples.n, DELTA)
    return reading(
        0.0,
        samples.broken(bound) - DELTA,
        Side("bound with N = 0", bound),
        Side("share of samples that break it", samples.broken(bound)),
        words=N_("The bound holds with 0 in the place of N."),
    )


def vacuous_compression_note(N: int, m: int, bound: float) -> str:
    """Return the remark from how many points on the bound would be below 1, where it is not."""
    if bound < 1:
        return ""
    return Phrase(
        "Here the bound is above 1 and says nothing; {N} support vectors have to be among {n} points or more.",
        N=N,
        n=fewest_points(N),
    )


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
            vacuous_risk_note(least_hinge, allowed, enough_points(1.0 - least_hinge, r, B)),
            Phrase("Of the board's {m} points {most} were left out in turn.", m=s.m, most=MOST) if s.m > MOST else "",
        ),
    )


def vacuous_risk_note(least: float, allowed: float, speaks: int) -> str:
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
