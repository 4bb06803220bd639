"""G0: what a machine says of the points that it has seen, and of those that it has not, with the board as the
distribution.
"""

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

ROUNDS = 10  # in which the board is cut in two
ROWS = 600  # in all of them: fewer rounds where there are more points


def chance(data: Dataset) -> np.random.Generator:
    """Random numbers for as many points: the same for one board, and while a point is moved."""
    return np.random.Generator(np.random.Philox(data.m))


def halves(data: Dataset) -> Iterator[Mask]:
    """The board cut in two by chance, over and over: each half (m,), then the other. Every point is in one of each
    two.
    """
    rng = chance(data)
    for _ in range(max(2, min(ROUNDS, ROWS // data.m))):
        half = rng.permutation(data.m) < data.m // 2
        yield half
        yield ~half


@dataclass(frozen=True, eq=False)
class Half:
    """A machine of some rows (m,), at the lambda of the board; loss, wrong (m,): its hinge losses and its errors on all
    points.
    """

    seen: Mask
    machine: Solution
    loss: Array
    wrong: Mask

    @property
    def price(self) -> float:
        """(lambda/2) |w|^2."""
        return 0.5 * self.machine.problem.lam * self.machine.norm_w**2

    @property
    def least(self) -> float:
        """F on its own points, from the multipliers."""
        return self.machine.problem.lam * self.machine.dual_objective

    @property
    def own(self) -> float:
        """F on its own points, from the losses."""
        return self.price + float(self.loss[self.seen].mean())

    @property
    def whole(self) -> float:
        """F on all points of the board."""
        return self.price + float(self.loss.mean())


def half(s: Situation, seen: Mask) -> Half:
    """The machine of these rows: with C m/n in place of C the price of |w| stays."""
    data = s.problem.data
    few = Dataset(data.X[seen], data.y[seen])
    machine = solve(replace(s.soft_problem, data=few, C=s.soft_problem.C * s.m / few.m))
    t = s.y * machine.decision(s.X)
    return Half(seen, machine, np.maximum(0.0, 1.0 - t), t <= 0)


@statement(
    "G0",
    N_("Seen and unseen"),
    sentence=N_(
        "On average over samples a machine loses less on the points that it has learned from than on "
        "those that it has not seen. Its errors go the same way as a rule; a single sample may differ."
    ),
    formula=(r"\mathbb{E}\,F_S(w_S) \;\le\; \min_w F(w) \;\le\; \mathbb{E}\,F(w_S), \qquad F(w) = "
        r"\tfrac{\lambda}{2}\|w\|^2 + \mathbb{E}\,[1 - y\,f(x)]_+"),
    source=(
        Source(
            "B",
            N_("0/1 loss and regularization"),
            quote=("Indeed, we do not really aim to optimize the loss function wrt the training set … Need to "
        "generalize to test set, thus avoiding overfitting"),
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
)  # fmt: skip
def unseen(s: Situation, tol: float) -> Outcome:
    """Every half once: F on it from multipliers and from losses, F on the whole board, and between their means the
    least F of the board.

    No luck is left in it: every point is in one half of each two, so that for one fixed w both means are F(w).
    """
    s.need_classes()
    if s.m < 2:
        raise DoesNotApply("A board of one point cannot be cut in two. Add a point.")
    found = [half(s, seen) for seen in halves(s.problem.data)]
    tol = s.level(tol, *(one.machine for one in found))
    share = [2 * one.seen.sum() / s.m / len(found) for one in found]
    own, least, whole = (
        float(np.dot(share, [getattr(one, name) for one in found])) for name in ("own", "least", "whole")
    )
    middle, value = s.soft_problem.lam * s.soft_dual.value, s.soft_problem.lam * s.soft_solution.objective
    seen = np.array([one.loss[one.seen].mean() for one in found])
    others = np.array([one.loss[~one.seen].mean() for one in found])
    off = max(
        max(abs(one.own - one.least) for one in found),
        abs(middle - value),
        own - middle,
        middle - whole,
        float((seen - others).mean()),
    )
    unit = max(1.0, whole)
    off /= unit
    need_exact(off, tol, 2 * max(decision_uncertainty(one.machine.problem, one.machine.alpha) for one in found) / unit)
    return Outcome(
        reading(
            tol,
            off,
            Side("mean of F on the half learned from, by multipliers", least, r"\mathbb{E}\,F_S(w_S)"),
            Side("the same, by losses", own),
            Side("least F of the whole board", middle, r"\min F"),
            Side("mean of F on the whole board", whole, r"\mathbb{E}\,F(w_S)"),
            Side("mean hinge loss, points learned from", float(seen.mean())),
            Side("mean hinge loss, the other points", float(others.mean())),
            Side("share of errors, points learned from", errors(found, True)),
            Side("share of errors, the other points", errors(found, False)),
            Side(
                Phrase("halves, of {n}, that lose more than the others", n=len(found)), float((seen > others).sum())
            ),
        ),
        control=reading(
            tol,
            float((others - seen).mean()),
            Side("mean hinge loss, points learned from", float(seen.mean())),
            Side("mean hinge loss, the other points", float(others.mean())),
            words=N_("The loss on the points learned from tells the loss on others."),
        ),
    )  # fmt: skip


def errors(found: list[Half], seen: bool) -> float:
    """The mean share of errors, on the points that were seen or on the others."""
    return float(np.mean([one.wrong[one.seen == seen].mean() for one in found]))
