"""G0: training and test performance of an SVM, with the board as the distribution."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Mask
from svmlab.core.phrase import N_, Phrase
from svmlab.data import Dataset
from svmlab.statements.opinion import decision_uncertainty, need_exact
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

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
