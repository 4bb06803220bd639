"""S10, S11 and S13: the trade-off that C controls."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from svmlab.binary.problem import Problem
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, join_phrases
from svmlab.solvers import cvxopt_backend
from svmlab.statements import opinion
from svmlab.statements.separability import SEPARABLE
from svmlab.statements.situation import GRID, Situation
from svmlab.statements.soft_margin import BOTH_CLASSES, OVERLAPPING_LABELS, OVERLAPPING_POINTS
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.values import least_loss, relative_gap_at

ABOVE, BELOW = 1e-7, 1e-4  # relative distances above and below C_0 at which the soft margin is solved
ABOVE_ROUND_OFF = 1e3  # times the round-off in f: the distance below C_0 at which the slack is more than round-off


def threshold(s: Situation) -> float:
    """Return the smallest max alpha over all optimal alpha of the hard margin.

    Optimal are the alpha >= 0 on the points of the margin that give the same w and the same y'alpha. Where they are not
    unique, a linear program decides:

        min t  subject to  alpha <= t
    """
    alpha, yf = s.hard_solution.alpha, s.hard_solution.margins
    largest_norm = float(np.linalg.norm(s.centred, axis=1).max()) or 1.0
    on_margin = np.flatnonzero(
        (np.abs(yf - 1.0) <= 1e-7 * max(1.0, largest_norm * s.hard_solution.norm_w)) | (alpha > 0)
    )
    a, largest_alpha, n = alpha[on_margin], float(alpha.max()), len(on_margin)
    R = (s.y[on_margin, None] * s.centred[on_margin]).T / largest_norm
    if s.problem.bias:
        R = np.vstack([R, s.y[on_margin]])
    _, sigma, Vt = np.linalg.svd(R)
    E = Vt[: int((sigma > 1e-9 * sigma[0]).sum())]
    if len(E) == n:
        return largest_alpha
    A = np.block([[-np.eye(n), np.ones((n, 1))], [np.eye(n), np.zeros((n, 1))]])
    optimum = cvxopt_backend.solve_lp(
        np.r_[np.zeros(n), 1.0], A, np.zeros(2 * n), np.hstack([E, np.zeros((len(E), 1))]), E @ a / largest_alpha
    )
    return largest_alpha * optimum.value


@statement(
    "S10",
    N_("Soft margin and hard margin for large C"),
    sentence=N_(
        "If the classes are separable, the soft margin has the same w as the hard margin for every C of "
        "at least C₀. Here C₀ is the largest multiplier of a dual solution of the hard margin, minimised "
        "over all its dual solutions."
    ),
    formula=r"C \ge C_0 = \min_{\alpha^*} \max_i \alpha^*_i \;\Longrightarrow\; w_C = w_\infty",
    source=(Source("project", N_("consequence of the two dual problems (H2, S1)")),),
    conditions=SEPARABLE,
    tolerance=1e-6,
    page="soft",
    subject="hard",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (3.0, 1.0), (-2.0, -2.0)),
        (1, -1, 1, -1),
        N_("For C ≥ 1/2 the solution is the hard margin. For C = 1/4 both points near the boundary have slack."),
        C=math.inf,
    ),
)
def hard_margin_limit(s: Situation, tol: float) -> Outcome:
    """Compute C_0 by a linear program over the dual optima, and solve the soft margin just above and below it."""
    hard, C0 = s.hard_solution, threshold(s)
    above = solve(replace(s.hard_problem, C=C0 * (1 + ABOVE)), start=hard)
    distance = max(BELOW, ABOVE_ROUND_OFF * hard.noise)
    below, at_half = (solve(replace(s.hard_problem, C=C0 * part), start=hard) for part in (1 - distance, 0.5))
    w = s.hard_primal.w
    return Outcome(
        reading(
            tol,
            max(
                s.distance_in_margins(s.expand(above.alpha), w),
                float(above.xi.sum()) / s.m,
                float(below.xi.sum() <= 10 * below.noise),
            ),
            Side("smallest sufficient C", C0, "C_0"),
            Side("norm of w, hard margin", float(np.linalg.norm(w)), r"\|w_\infty\|"),
            Side("norm of w, C just above C₀", above.norm_w, r"\|w_C\|"),
            Side("sum of the slack variables, C just above C₀", float(above.xi.sum()), r"\sum\xi_i"),
            Side("sum of the slack variables, C just below C₀", float(below.xi.sum()), r"\sum\xi_i"),
        ),
        control=reading(
            tol,
            s.distance_in_margins(s.expand(at_half.alpha), w),
            Side("norm of w, hard margin", float(np.linalg.norm(w)), r"\|w_\infty\|"),
            Side("norm of w for C₀/2", at_half.norm_w, r"\|w_{C_0/2}\|"),
            words=N_("C₀/2 is large enough."),
        ),
    )


@statement(
    "S11",
    N_("The regularisation path along C"),
    sentence=N_(
        "As C grows, the norm ‖w‖ never decreases, and the sum of the slack variables never increases. "
        "Between two breakpoints, w is a linear function of C."
    ),
    formula=(
        r"C < C' \Rightarrow \|w_C\| \le \|w_{C'}\|,\; \sum\xi_i(C) \ge \sum\xi_i(C'), \qquad w_C \text{ "
        r"piecewise linear}"
    ),
    source=(Source("project", N_("comparison of the two optima")),),
    conditions=BOTH_CLASSES,
    tolerance=1e-7,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS,
        OVERLAPPING_LABELS,
        N_("The direction of w changes where a point reaches or leaves its margin line."),
    ),
)
def along_path(s: Situation, tol: float) -> Outcome:
    """Solve at eleven C from 0.01 to 1000, some of them by cvxopt as well, and at two more C after every third.

    Of three neighbouring solutions without a breakpoint between them, the middle one must be the mean of the others.
    """
    tol = s.tolerance_for(tol, *s.grid_solutions)
    # the norm of w has more digits than alpha'Q alpha
    norms = np.array([np.linalg.norm(s.expand(e.alpha)) for e in s.grid_solutions])
    slack = np.array([e.xi.sum() for e in s.grid_solutions])
    largest_fall = float(np.maximum(0.0, norms[:-1] - norms[1:]).max()) / max(1.0 / s.max_norm, float(norms.max()))
    largest_rise = float(np.maximum(0.0, slack[1:] - slack[:-1]).max()) / s.m
    largest_bend, tried = 0.0, 0
    for first in s.grid_solutions[1:-1:3]:
        C = first.problem.C
        middle, last = s.path_solutions((1.001 * C, 1.002 * C))
        if (first.states == last.states).all():
            tried += 1
            mean = 0.5 * (s.expand(first.alpha) + s.expand(last.alpha))
            largest_bend = max(largest_bend, s.distance_in_margins(s.expand(middle.alpha), mean))
    difference, gap = second_opinion(s), largest_path_gap(s)
    ends, middle = s.grid_solutions[:: len(s.grid_solutions) - 1], s.path_solutions((0.5 * (GRID[0] + GRID[-1]),))[0]
    chord = 0.5 * (s.expand(ends[0].alpha) + s.expand(ends[1].alpha))
    return Outcome(
        reading(
            tol,
            max(largest_fall, largest_rise, largest_bend, difference, gap),
            Side("norm of w for C = 0.01", float(norms[0]), r"\|w\|"),
            Side("norm of w for C = 1000", float(norms[-1]), r"\|w\|"),
            Side("sum of the slack variables for C = 0.01", float(slack[0]), r"\sum\xi_i"),
            Side("sum of the slack variables for C = 1000", float(slack[-1]), r"\sum\xi_i"),
            Side("tested intervals without a breakpoint", float(tried)),
            Side("largest deviation from a linear function in them", largest_bend),
            Side("largest difference in w from a second solver, in margin units", difference),
            Side("largest relative duality gap", gap),
        ),
        control=reading(
            tol,
            s.distance_in_margins(s.expand(middle.alpha), chord),
            Side("norm of w for C halfway between the ends", middle.norm_w, r"\|w\|"),
            Side("norm of the mean of the w at both ends", float(np.linalg.norm(chord))),
            words=N_("From C = 0.01 to C = 1000, w is one linear function of C."),
        ),
    )


def second_opinion(s: Situation) -> float:
    """Return the largest difference between the path and cvxopt at every third C, in margin units.

    It is 0 for a board so large that cvxopt would take seconds.
    """
    if s.large:
        return 0.0
    programs = (Problem(s.lifted, C=C, bias=s.soft_problem.bias) for C in GRID[1::3])
    return max(
        difference_beyond_gap(s, opinion.primal(p), s.expand(e.alpha))
        for p, e in zip(programs, s.grid_solutions[1::3], strict=True)
    )


def difference_beyond_gap(s: Situation, p: opinion.Primal, w: Array) -> float:
    """Return how far w is from a second opinion beyond what that solver's own gap leaves open, in margin units."""
    unit = max(1.0, s.max_norm * float(np.linalg.norm(w)))
    return max(0.0, s.distance_in_margins(p.w, w) - s.max_norm * p.uncertainty_of_w / unit)


def largest_path_gap(s: Situation) -> float:
    """Return the largest relative gap of a solution of the path at its C."""
    return max(relative_gap_at(s, e, C) for e, C in zip(s.grid_solutions, GRID, strict=True))


@statement(
    "S13",
    N_("Trade-off of norm and hinge loss"),
    sentence=N_(
        "Among all w whose norm is at most that of w_C, the soft-margin solution w_C has the smallest "
        "mean hinge loss. Among all w whose loss is at most that of w_C, it has the smallest norm."
    ),
    formula=(
        r"w_C = \arg\min\{E_{\text{in}}(w) : \|w\| \le \|w_C\|\}, \qquad E_{\text{in}} = \frac1m\sum_i "
        r"\max(0, 1 - y_i f(x_i))"
    ),
    source=(
        Source(
            "E",
            N_("section 4, table of regularisation and SVM"),
            "hedged",
            quote="SVM的作用与正则化类似: … $E_{in}=0$ [even more]",
            flaw=N_(
                "The statement is true for the hinge loss. The notes print “similar” and “even more” and leave "
                "open which error they mean. For the 0/1 error, w and b can be scaled down without changing the "
                "errors, so in general no smallest norm exists."
            ),
            at=76,
        ),
    ),
    conditions=join_phrases(BOTH_CLASSES, N_("E_in is the mean hinge loss, with the best b for each w.")),
    tolerance=1e-7,
    page="soft",
    subject="soft",
    witness=Witness(
        OVERLAPPING_POINTS, OVERLAPPING_LABELS, N_("If w and b are divided by 10, the training errors stay the same.")
    ),
)
def two_views(s: Situation, tol: float) -> Outcome:
    """Check that at no C of the path another w has a smaller objective or a smaller loss at the same norm.

    The other w are the solutions at the other C, and random w of the same norm with their best b.
    """
    tol = s.tolerance_for(tol, *s.grid_solutions)
    loss = np.array([e.xi.sum() for e in s.grid_solutions])
    half = np.array([0.5 * float(w @ w) for w in map(s.expand, (e.alpha for e in s.grid_solutions))])
    C = np.array([e.problem.C for e in s.grid_solutions])
    value = half[None, :] + C[:, None] * loss[None, :]
    own_value = np.diag(value)
    path_gain = float(((own_value[:, None] - value) / np.maximum(own_value[:, None], 1e-300)).max())
    random_gain = -np.inf
    rng = np.random.Generator(np.random.Philox(9))
    for e in s.grid_solutions:
        w = s.expand(e.alpha)
        for V in rng.standard_normal((12, len(w))) * np.geomspace(1e-3, 3, 12)[:, None] / np.sqrt(len(w)):
            v = w + V * (np.linalg.norm(w) or 1.0)
            v *= e.norm_w / (np.linalg.norm(v) or 1.0)
            random_gain = max(random_gain, (float(e.xi.sum()) - least_loss(s, v)) / s.m)
    gap, last = largest_path_gap(s), s.grid_solutions[-1]
    f = s.Phi @ s.expand(last.alpha) + last.b
    mistakes = [float((s.y * part <= 0).sum()) for part in (f, f / 10)]
    length_saved = 0.9 * last.norm_w if mistakes[1] <= mistakes[0] else 0.0
    return Outcome(
        reading(
            tol,
            max(path_gain, random_gain, gap, 0.0),
            Side("mean loss for C = 0.01", float(loss[0]) / s.m, r"E_{\text{in}}"),
            Side("norm of w for C = 0.01", s.grid_solutions[0].norm_w, r"\|w\|"),
            Side("mean loss for C = 1000", float(loss[-1]) / s.m, r"E_{\text{in}}"),
            Side("norm of w for C = 1000", last.norm_w, r"\|w\|"),
            Side("largest decrease of the mean loss by another w of the same norm", max(random_gain, 0.0)),
            Side("largest relative duality gap", gap),
        ),
        control=reading(
            tol,
            s.max_norm * length_saved,
            Side("training errors of w for C = 1000", mistakes[0]),
            Side("training errors of w/10", mistakes[1]),
            Side("decrease of the norm", length_saved),
            words=N_("For the 0/1 error a smallest norm exists too."),
        ),
    )
