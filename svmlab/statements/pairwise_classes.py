"""T20: one-vs-one classification, and the hinge loss for several classes."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np

from svmlab import multiclass
from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array, Index
from svmlab.core.phrase import N_
from svmlab.data import Dataset
from svmlab.multiclass import Classes, MulticlassProblem
from svmlab.statements.generalisation_bounds import board_generator
from svmlab.statements.opinion import relative_gap
from svmlab.statements.situation import DoesNotApply, Situation, need_certified
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

MAX_POINTS = 60  # points of which the check takes
FINITE = 1.0  # C where the board has a hard margin


def problem_of_classes(s: Situation) -> MulticlassProblem:
    """Return the board as a problem of its classes, with a finite C and at most MAX_POINTS points.

    Raises DoesNotApply for values, for a kernel without a feature space, and for fewer than two classes.
    """
    if s.tube is not None:
        raise DoesNotApply("This statement is about classes, but the points here have real values. Use classes.")
    _ = s.Phi
    several = s.several or MulticlassProblem(
        Classes(s.X, np.where(s.y > 0, 1, 2)), s.problem.kernel, s.problem.C, s.problem.bias
    )
    data = several.data
    if data.m > MAX_POINTS:
        rows = np.sort(board_generator(s.problem.data).permutation(data.m)[:MAX_POINTS])
        several = replace(several, data=Classes(data.X[rows], data.y[rows]))
    if len(several.data.classes) < 2:
        raise DoesNotApply("There is only one class. Add a point of another class.")
    return replace(several, C=FINITE) if several.hard else several


def multiclass_hinge(f: Array, own: Index) -> Array:
    """Return max(0, 1 + the largest f of another class - f of the own class), (m,), for f (m, k) and own (m,)."""
    rival = np.where(np.eye(f.shape[1], dtype=bool)[own], -np.inf, f).max(1)
    return np.asarray(np.maximum(0.0, 1.0 + rival - f[np.arange(len(f)), own]))


@statement(
    "T20",
    N_("One-vs-one and the multiclass hinge"),
    sentence=N_(
        "One-vs-one trains one SVM for each pair of classes, and predicts the class with the most votes. If the vote "
        "misclassifies a point, at least one of its SVMs does so too. The multiclass hinge loss is at least 1 on every "
        "error."
    ),
    formula=(
        r"\mathbb{1}[\hat y(x) \ne y] \;\le\; \max_{k}\bigl(\mathbb{1}[k \ne y] + f_k(x) - f_y(x)\bigr) = \xi, \qquad "
        r"\text{errors of the vote} \;\le\; \sum_{k < n} \text{errors of } f_{kn}"
    ),
    source=(
        Source(
            "literature",
            N_(
                "Shalev-Shwartz and Ben-David, Understanding Machine Learning (2014), section 17.1, all pairs, and "
                "section 17.2.4, generalised hinge loss"
            ),
        ),
        Source(
            "literature",
            N_(
                "Crammer and Singer, On the Algorithmic Implementation of Multiclass Kernel-based Vector Machines, "
                "JMLR 2 (2001)"
            ),
        ),
        Source("project", N_("a vote for a wrong class contains a lost comparison with the right one")),
    ),
    conditions=N_(
        "The points have at least two classes, and C is finite. With K classes there are K(K − 1)/2 pairs. At most 60 "
        "points are used, and each SVM of a pair is trained on the points of its two classes."
    ),
    tolerance=1e-6,
    page="extensions",
    subject="several",
    witness=Witness(
        ((0.0, 2.0), (0.5, 0.5), (2.0, -1.0), (1.0, 0.0), (-2.0, -1.0), (-0.5, 0.0), (0.0, 0.5), (-1.5, 0.5)),
        (1, 1, 2, 2, 3, 3, 3, 1),
        N_("Several points have a positive multiclass hinge loss without being errors."),
        C=0.5,
        task="classes",
    ),
)
def pairs(s: Situation, tol: float) -> Outcome:
    """Solve the joint SVM and one SVM for each pair, count their errors, and compare them with the losses by hand.

    The class with the most votes wins. In a tie it is the first of these classes.
    """
    problem = problem_of_classes(s)
    joint = multiclass.solve(problem, method="joint")
    tol = s.tolerance_above_noise(tol, 100.0 * joint.noise)
    data, classes = problem.data, problem.data.classes
    f = joint.decision(data.X)
    own = data.class_index
    hinge = multiclass_hinge(f, own)
    wrong = joint.predict(data.X) != data.y
    unit = max(1.0, float(np.abs(f).max()))
    votes, mistakes, losses = np.zeros((data.m, len(classes))), np.zeros(data.m), np.zeros(data.m)
    clear, gap = np.ones(data.m, dtype=bool), 0.0
    for k, n in combinations(range(len(classes)), 2):
        rows = np.flatnonzero((own == k) | (own == n))
        pair = Problem(
            Dataset(data.X[rows], np.where(own[rows] == k, 1.0, -1.0)), problem.kernel, problem.C, problem.bias
        )
        solution = solve(pair)
        g = solution.decision(data.X)
        need_certified(solution)
        gap = max(gap, relative_gap(solution))
        votes[:, k] += g > 0
        votes[:, n] += g <= 0
        signed = np.where(own[rows] == k, g[rows], -g[rows])
        mistakes[rows] += np.where(own[rows] == k, g[rows] <= 0, g[rows] > 0)
        losses[rows] += np.maximum(0.0, 1.0 - signed)
        clear &= np.abs(g) > tol * max(1.0, float(np.abs(g).max()))
    vote = np.asarray(classes)[votes.argmax(1)]
    vote_wrong = vote != data.y
    with_loss = float((hinge > tol * unit).sum())
    number = len(classes) * (len(classes) - 1) // 2
    return Outcome(
        reading(
            tol,
            max(
                float(np.abs(hinge - joint.xi).max()) / unit,
                float((wrong - hinge).max()) / unit,
                float((vote_wrong - mistakes).max()),
                float((mistakes - losses)[clear].max(initial=0.0)),
                abs(float(votes.sum()) - number * data.m),
                gap,
            ),
            Side("errors of the joint SVM", float(wrong.sum())),
            Side("sum of its multiclass hinge losses", float(hinge.sum())),
            Side("SVMs, one for each pair", float(number)),
            Side("errors of the vote", float(vote_wrong.sum())),
            Side("errors of the SVMs of the pairs on their own classes", float(mistakes.sum())),
        ),
        control=reading(
            tol,
            with_loss - float(wrong.sum()),
            Side("points with a positive multiclass hinge loss", with_loss),
            Side("errors of the joint SVM", float(wrong.sum())),
            words=N_("Every point with a positive multiclass hinge loss is an error."),
        ),
    )
