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
from svmlab.generalisation import (
    compression_bound,
    cross_validate,
    enough_points,
    fewest_points,
    leave_one_out,
    risk_bound,
    risk_lambda,
    solve_without,
)
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
    def minimum(self) -> float:
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
    N_("Training error and test error"),
    sentence=N_(
        "On average over random samples, the mean hinge loss of an SVM on its training set is at most its "
        "expectation for a new point. The training error is usually smaller than the test error, too. For "
        "a single sample both can be the other way round."
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
        Source("project", N_("the minimiser for one sample need not be the minimiser for another one (S2)")),
    ),
    conditions=N_(
        "The board is the distribution. It is split into two random halves, up to ten times, and an SVM is "
        "trained on each half with the λ of the board. With a bias both classes are present."
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="soft",
    witness=Witness(
        ((1.0, 0.5), (2.0, -1.0), (0.5, 1.5), (-0.5, -0.5), (-1.0, 0.5), (-2.0, -1.0), (-0.5, 1.0), (0.5, -0.5)),
        (1, 1, 1, 1, -1, -1, -1, -1),
        N_("On average, the mean hinge loss on a training half of the eight points is smaller than on the other half."),
        C=10.0,
    ),
)
def training_and_test_loss(s: Situation, tol: float) -> Outcome:
    """Compare the mean F on the halves and on the whole board with the least F of the board, which lies between.

    On each half, F comes from multipliers and from losses. There is no chance in this comparison: every point is in
    exactly one half of each pair, so for one fixed w both means are F(w).
    """
    s.need_classes()
    if s.m < 2:
        raise DoesNotApply("The check splits the points into two halves, so it needs at least two points. Add a point.")
    solutions = [solve_half(s, training_losses) for training_losses in random_halves(s.problem.data)]
    tol = s.tolerance_for(tol, *(half_solution.solution for half_solution in solutions))
    weights = [2 * half_solution.training.sum() / s.m / len(solutions) for half_solution in solutions]
    mean_own, mean_minimum, whole = (
        float(np.dot(weights, [getattr(half_solution, name) for half_solution in solutions]))
        for name in ("own", "minimum", "whole")
    )
    least_of_board, exact_value = s.soft_problem.lam * s.soft_dual.value, s.soft_problem.lam * s.soft_solution.objective
    training_losses = np.array([half_solution.loss[half_solution.training].mean() for half_solution in solutions])
    test_losses = np.array([half_solution.loss[~half_solution.training].mean() for half_solution in solutions])
    difference = max(
        max(abs(half_solution.own - half_solution.minimum) for half_solution in solutions),
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
            Side("mean F on the training half, by multipliers", mean_minimum, r"\mathbb{E}\,F_S(w_S)"),
            Side("mean F on the training half, by losses", mean_own),
            Side("smallest F on the whole board", least_of_board, r"\min F"),
            Side("mean F on the whole board", whole, r"\mathbb{E}\,F(w_S)"),
            Side("mean hinge loss, training half", float(training_losses.mean())),
            Side("mean hinge loss, other half", float(test_losses.mean())),
            Side("training error", mean_error(solutions, True)),
            Side("test error, on the other half", mean_error(solutions, False)),
            Side(
                Phrase("training halves with a larger mean loss than the other half, of {n}", n=len(solutions)),
                float((training_losses > test_losses).sum()),
            ),
        ),
        control=reading(
            tol,
            float((test_losses - training_losses).mean()),
            Side("mean hinge loss, training half", float(training_losses.mean())),
            Side("mean hinge loss, other half", float(test_losses.mean())),
            words=N_("The mean hinge loss is the same on the training half and on the other half."),
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
    N_("Compression bound"),
    sentence=N_(
        "The weight vector of an SVM depends only on its N support vectors, so the other training points "
        "serve as test points. With probability 1 − δ over the samples, the true error is at most the "
        "error rate of these other points plus a square root. This error rate is 0, because every "
        "misclassified training point is a support vector. The root grows with N."
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
        "C is fixed before the sample is drawn, and δ = 0.05. The support vectors also determine b, for "
        "example because one of them has 0 < α < C. The board is the distribution. Twenty samples of its "
        "size, but at most 100 points, are drawn with replacement, and the error of each SVM is measured "
        "on the whole board. A bound of 1 or more says nothing."
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="soft",
    witness=Witness(
        LATTICE + LATTICE,
        (1,) * 16 + (-1,) * 16,
        N_(
            "Each of the 16 positions has points of both labels, so every classifier has a true error of at "
            "least one half. With N = 0 the bound would be smaller than this."
        ),
    ),
)
def compression_and_error(s: Situation, tol: float) -> Outcome:
    """Train on the support vectors alone, and compare the margins with a second solver.

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
        *(abs(compression_bound(N, m, DELTA) - formula_of_bound(N, m)) for N, m in ((0, n), (1, n), (N, s.m), (9, 64))),
        *map(fewest_points_error, (1, 2, 3, 5, 8, 13, min(N, 20))),
    )
    sides = (
        Side("support vectors", float(N), "N"),
        Side("training points", float(s.m), "m"),
        Side("largest change of f without the other points, in margin units", support_change),
        Side(
            "error rate of the points that are no support vectors",
            float(samples.left.max()),
            r"\widetilde{\mathrm{er}}",
        ),
        Side("bound for the board as the sample", bound),
        Side(
            Phrase("mean error of {k} samples, on the whole board", k=DRAWS), float(samples.er.mean()), r"\mathrm{er}"
        ),
        Side("mean bound of these samples", float(samples.bound.mean())),
        Side("proportion of samples with an error above the bound", samples.broken(samples.bound)),
        Side("upper bound for its probability, counted", probability),
    )
    return Outcome(
        reading(tol, difference, *sides), control=without_n(samples), note=vacuous_compression_note(N, s.m, bound)
    )


def formula_of_bound(N: int, m: int) -> float:
    """Return the root of the bound as note A prints it."""
    return float(np.sqrt(np.divide(N + np.log(m) * (1 + N) - np.log(DELTA), m)))


def fewest_points_error(N: int) -> float:
    """Return 0 if `fewest_points` is the first m at which the bound for N support vectors is below 1, else 1.

    For N >= 1 the bound falls as m grows from there on.
    """
    m = fewest_points(N)
    return float(not formula_of_bound(N, m) < 1.0 <= formula_of_bound(N, m - 1))


def without_n(samples: SampledSolutions) -> Reading:
    """Return the reading of the bound with 0 in place of N."""
    bound = compression_bound(0, samples.n, DELTA)
    return reading(
        0.0,
        samples.broken(bound) - DELTA,
        Side("bound with N = 0", bound),
        Side("proportion of samples with an error above it", samples.broken(bound)),
        words=N_("The bound also holds with N = 0."),
    )


def vacuous_compression_note(N: int, m: int, bound: float) -> str:
    """Return the remark from how many points on the bound would be below 1, where it is not."""
    if bound < 1:
        return ""
    return Phrase(
        "The bound is not below 1 here, so it says nothing. With {N} support vectors, at least {n} "
        "training points are needed for a bound below 1.",
        N=N,
        n=fewest_points(N),
    )


FOLDS = 5  # of the cross-validation that is compared
MAX_POINTS = 60  # points that are left out in turn
ADDED_DIMENSIONS = 98
WANTED_EXCESS = 0.1  # of the risk


def board_without_bias(s: Situation) -> Situation:
    """Return the board without a bias, with at most MAX_POINTS of its points.

    Raises DoesNotApply where there is no feature space or only one point.
    """
    _ = s.Phi
    if s.m < 2:
        raise DoesNotApply("Leave-one-out needs at least two points. Add a point.")
    if s.m <= MAX_POINTS:
        return s.with_bias_switched if s.problem.bias else s
    data = s.problem.data
    rows = np.sort(board_generator(data).permutation(s.m)[:MAX_POINTS])
    return Situation(replace(s.soft_problem, data=Dataset(data.X[rows], data.y[rows]), bias=False))


@dataclass(frozen=True, eq=False)
class LeaveOneOut:
    """The solutions with each point left out in turn, at one C.

    loss (m,): the hinge loss of the point that is left out. normals (m, m): the coefficients of the solution without
    it. gap: the largest relative gap of these solutions. fold_disagreement: how far cross-validation, which
    classifies each point by an SVM that was not trained on it, is from the f of SVMs whose points are chosen here, in
    margin units.
    """

    solution: Solution
    loss: Array
    normals: Array
    gap: float
    fold_disagreement: float

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
        without_point = solve_without(problem, is_out, solution)
        normals[i, ~is_out] = without_point.alpha * y[~is_out]
        worst = max(worst, relative_gap(without_point))
        f[i] = normals[i] @ problem.gram[i]
    return LeaveOneOut(solution, np.maximum(0.0, 1.0 - y * f), normals, worst, fold_disagreement(problem, solution))


def fold_disagreement(problem: Problem, solution: Solution) -> float:
    """Return the largest difference of the f of left-out points from that of SVMs without them, in margin units.

    Compared are leave-one-out for the point with the largest multiplier, and the first of several folds.
    """
    data, m = problem.data, problem.data.m
    largest = float(np.sqrt(np.diag(problem.gram).max(initial=0.0)))
    folds = cross_validate(problem, min(FOLDS, m), start=solution)
    one = leave_one_out(problem, start=solution)
    worst = 0.0
    for validation, out in ((one, np.arange(m) == int(solution.alpha.argmax())), (folds, folds.fold_of_point == 0)):
        other = solve(replace(problem, data=Dataset(data.X[~out], data.y[~out])))
        difference = np.abs(validation.f[out] - other.decision(data.X[out])).max()
        worst = max(worst, float(difference) / max(1.0, largest * other.norm_w))
    return worst


def rotated_with_zeros(Phi: Array, more: int = ADDED_DIMENSIONS) -> Array:
    """Return the rows of Phi (m, D) in D + more dimensions, after a random rotation."""
    D = Phi.shape[1] + more
    rotation = np.linalg.qr(np.random.Generator(np.random.Philox(D)).standard_normal((D, D)))[0]
    return np.asarray(Phi @ rotation[: Phi.shape[1]])


@statement(
    "G4",
    N_("Sample complexity and margin"),
    sentence=N_(
        "Choose λ as in the formula, where r is the largest norm of a point in feature space. With m ≥ 8 "
        "r²B²/ε² training points, the expected hinge loss of the SVM is on average at most ε above the "
        "smallest one with ‖w‖ ≤ B. The dimension of the space does not occur in this number."
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
            N_(
                "Additional coordinates increase the bound only if they increase the norm of the points, as noise "
                "does. Their number alone has no effect. The notes warn of a higher dimension in general."
            ),
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
        "The SVM has no bias, and it minimises λ‖w‖² plus the mean hinge loss of its sample. The w of the "
        "board is not 0, and B is its norm. The w of the board has the smallest mean hinge loss of all w with ‖w‖ ≤ B. "
        "Each point is left out in turn, and its loss is computed with the SVM of the other points."
    ),
    tolerance=1e-6,
    page="generalisation",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (1.5, 1.0), (2.0, -0.5), (-1.0, 0.0), (-1.5, -1.0), (-2.0, 0.5)),
        (1, 1, 1, -1, -1, -1),
        N_(
            "For six points, the mean hinge loss of a left-out point is within the bound. However, its excess "
            "is more than a twentieth of what the bound allows."
        ),
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
    board.require_nonzero_w(best.norm_w)
    n, r, B = board.m - 1, board.max_norm, best.norm_w
    lam = risk_lambda(n, r, B)
    left_out = leave_each_out(replace(board.soft_problem, C=1.0 / (2.0 * lam * n)))
    tol = s.tolerance_for(tol, best, left_out.solution)
    least_hinge = float(best.xi.mean())
    # The least F by a second solver, less the penalty of a w of length B, is a lower bound of the loss of every such w.
    least_hinge_by_dual = board.soft_problem.lam * (board.soft_dual.value - 0.5 * B * B)
    need_exact(abs(least_hinge - least_hinge_by_dual), tol, decision_uncertainty(board.soft_problem, best.alpha))
    allowed, mean = risk_bound(n, r, B), float(left_out.loss.mean())
    Z = rotated_with_zeros(board.Phi)
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
        left_out.fold_disagreement,
        # lambda is chosen so that the penalty of a w of length B equals the effect of one point.
        abs(lam * B * B / allowed - 0.5),
        abs(2.0 * r * r / (lam * n) / allowed - 0.5),
        abs(allowed / (r * B * (8.0 / n) ** 0.5) - 1.0),
        enough_points_error(r, B),
    )
    return Outcome(
        reading(
            tol,
            excess,
            Side("mean hinge loss of a left-out point", mean, r"\mathbb{E}\,L(w_S)"),
            Side("smallest mean hinge loss with ‖w‖ ≤ B, by losses", least_hinge, r"\min L"),
            Side("smallest mean hinge loss with ‖w‖ ≤ B, by multipliers", least_hinge_by_dual),
            Side("largest excess by the bound", allowed, r"r B \sqrt{8/m}"),
            Side("points for ε = 0.1", float(enough_points(WANTED_EXCESS, r, B)), r"8 r^2 B^2/\varepsilon^2"),
            Side("largest change of w if one point is replaced", movement),
            Side("upper bound for this change", largest_movement, r"r/(\lambda m)"),
            Side(Phrase("largest difference of f in {d} dimensions", d=Z.shape[1]), difference_of_f),
        ),
        control=smaller_bound(tol, mean, least_hinge, allowed),
        note=join_phrases(
            vacuous_risk_note(least_hinge, allowed, enough_points(1.0 - least_hinge, r, B)),
            Phrase("Of the {m} points of the board, {most} were left out in turn.", m=s.m, most=MAX_POINTS)
            if s.m > MAX_POINTS
            else "",
        ),
    )


def enough_points_error(r: float, B: float) -> float:
    """Return how far the m for eps = WANTED_EXCESS is from the least m with 8 r^2 B^2 <= m eps^2, relative to m."""
    m = enough_points(WANTED_EXCESS, r, B)
    wanted = 8.0 * r * r * B * B / WANTED_EXCESS**2
    return max(wanted - m, m - wanted - 1.0, 0.0) / m if m > 1 else 0.0


def vacuous_risk_note(smallest_loss: float, allowed: float, informative_from: int) -> str:
    """Return the remark from how many points on the bound is below 1, where it is not."""
    if smallest_loss + allowed < 1:
        return ""
    return Phrase(
        "The bound says nothing here, because w = 0 has the expected hinge loss 1. It is below 1 from {n} points on.",
        n=informative_from,
    )


def smaller_bound(tol: float, mean: float, smallest_loss: float, allowed: float) -> Reading:
    """Return the reading of a bound that needs only a four-hundredth of the points."""
    return reading(
        tol,
        mean - smallest_loss - allowed / 20,
        Side("excess of the mean hinge loss of a left-out point", mean - smallest_loss),
        Side("a twentieth of the excess by the bound", allowed / 20),
        words=N_("A four-hundredth of this number of points is enough."),
    )
