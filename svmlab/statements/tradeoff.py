"""S10, S11, S13: what C trades."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab.arrays import Array
from svmlab.solve import solve
from svmlab.solvers import program
from svmlab.statements.duality import SEPARATED
from svmlab.statements.geometry import best_offset
from svmlab.statements.situation import Situation
from svmlab.statements.soft import CLASSES
from svmlab.statements.statement import Outcome, Side, reading, statement


def threshold(s: Situation) -> float:
    """The smallest max alpha over all optimal alpha of the hard margin.

    Those are the alpha >= 0 on the margin points with the same w and y'alpha: where they are not determined, a linear
    program  min t  subject to  alpha <= t.
    """
    alpha, yf = s.hard_solution.alpha, s.hard_solution.margins
    on = np.flatnonzero((np.abs(yf - 1.0) <= 1e-7 * max(1.0, s.size * s.hard_solution.norm_w)) | (alpha > 0))
    a, top, n = alpha[on], float(alpha.max()), len(on)
    R = (s.y[on, None] * s.Phi[on]).T / s.size
    if s.problem.bias:
        R = np.vstack([R, s.y[on]])
    _, sigma, Vt = np.linalg.svd(R)
    E = Vt[: int((sigma > 1e-9 * sigma[0]).sum())]
    if len(E) == n:
        return top
    A = np.block([[-np.eye(n), np.ones((n, 1))], [np.eye(n), np.zeros((n, 1))]])
    found = program.linear(
        np.r_[np.zeros(n), 1.0], A, np.zeros(2 * n), np.hstack([E, np.zeros((len(E), 1))]), E @ a / top
    )
    return top * found.value


@statement(
    "S10",
    "Large C is the hard margin",
    sentence="On separable points the soft margin is the hard margin from a finite C on: the least that the largest multiplier of a hard-margin dual optimum can be.",
    formula=r"C \ge C_0 = \min_{\alpha^*} \max_i \alpha^*_i \;\Longrightarrow\; w_C = w_\infty",
    source={"project": "consequence of the two duals (H2, S1)"},
    conditions=SEPARATED,
    tolerance=1e-6,
    page="soft",
    machine="hard",
)
def hardening(s: Situation, tol: float) -> Outcome:
    """C0 by a linear program over the dual optima; the exact soft machine just above it and below it."""
    hard, C0 = s.hard_solution, threshold(s)
    above = solve(replace(s.problem, C=C0 * (1 + 1e-5)), start=hard)
    below = solve(replace(s.problem, C=C0 * 0.9), start=hard)
    w = s.hard_primal.w
    return Outcome(
        reading(
            tol,
            max(
                s.apart(s.expand(above.alpha), w),
                float(above.xi.sum()) / s.m,
                float(below.xi.sum() <= 10 * below.noise),
            ),
            Side("smallest C", C0, "C_0"),
            Side("norm of w, hard margin", float(np.linalg.norm(w)), r"\|w_\infty\|"),
            Side("norm of w just above", above.norm_w, r"\|w_C\|"),
            Side("norm of w at nine tenths", below.norm_w, r"\|w_{0.9 C_0}\|"),
            Side("sum of slack at nine tenths", float(below.xi.sum()), r"\sum\xi_i"),
        )
    )


@statement(
    "S11",
    "Along C",
    sentence="As C grows the norm of w does not fall and the total slack does not rise, and between breakpoints w moves along a straight line.",
    formula=r"C < C' \Rightarrow \|w_C\| \le \|w_{C'}\|,\; \sum\xi_i(C) \ge \sum\xi_i(C'), \qquad w_C \text{ piecewise linear}",
    source={"project": "comparison of the two optima"},
    conditions=CLASSES,
    tolerance=1e-7,
    page="soft",
    machine="soft",
)
def along(s: Situation, tol: float) -> Outcome:
    """Machines at eleven C from 0.01 to 1000, and three close ones beside every fourth: the middle must be the mean."""
    tol = s.level(tol, *s.path)
    norms = np.array([e.norm_w for e in s.path])
    slack = np.array([e.xi.sum() for e in s.path])
    fall = float(np.maximum(0.0, norms[:-1] - norms[1:]).max()) / max(1.0 / s.size, float(norms.max()))
    rise = float(np.maximum(0.0, slack[1:] - slack[:-1]).max()) / s.m
    bent, tried = 0.0, 0
    for left in s.path[1:-1:3]:
        C = left.problem.C
        middle, right = s.path_solutions((1.001 * C, 1.002 * C))
        if (left.states == right.states).all():
            tried += 1
            mean = 0.5 * (s.expand(left.alpha) + s.expand(right.alpha))
            bent = max(bent, s.apart(s.expand(middle.alpha), mean))
    return Outcome(
        reading(
            tol,
            max(fall, rise, bent),
            Side("norm of w at C = 0.01", float(norms[0]), r"\|w\|"),
            Side("norm of w at C = 1000", float(norms[-1]), r"\|w\|"),
            Side("sum of slack at C = 0.01", float(slack[0]), r"\sum\xi_i"),
            Side("sum of slack at C = 1000", float(slack[-1]), r"\sum\xi_i"),
            Side("stretches without a breakpoint tried", float(tried)),
            Side("largest bend in them", bent),
        )
    )


@statement(
    "S13",
    "Two views of one trade",
    sentence="Least norm at a given mean hinge loss and least loss within a given norm trace the same machines, one for each C.",
    formula=r"w_C = \arg\min\{E_{\text{in}}(w) : \|w\| \le \|w_C\|\}, \qquad E_{\text{in}} = \frac1m\sum_i \max(0, 1 - y_i f(x_i))",
    source={"E": "section 4, table of regularisation and SVM"},
    conditions=CLASSES + " E_in is the mean hinge loss.",
    tolerance=1e-7,
    page="soft",
    machine="soft",
)
def two_views(s: Situation, tol: float) -> Outcome:
    """No machine of the path, and no other w of the same norm with its best b, has a smaller loss than the machine at its C."""
    tol = s.level(tol, *s.path)
    loss = np.array([e.xi.sum() for e in s.path])
    half = np.array([0.5 * e.norm_w**2 for e in s.path])
    C = np.array([e.problem.C for e in s.path])
    value = half[None, :] + C[:, None] * loss[None, :]
    own = np.diag(value)
    traced = float(((own[:, None] - value) / np.maximum(own[:, None], 1e-300)).max())
    beaten = -np.inf
    rng = np.random.Generator(np.random.Philox(9))
    for e in s.path[::4]:
        w = s.expand(e.alpha)
        for V in rng.standard_normal((12, len(w))) * np.geomspace(1e-3, 3, 12)[:, None] / np.sqrt(len(w)):
            v = w + V * (np.linalg.norm(w) or 1.0)
            v *= e.norm_w / (np.linalg.norm(v) or 1.0)
            beaten = max(beaten, (float(e.xi.sum()) - least_loss(s, v)) / s.m)
    last = s.path[-1]
    small = Side("training errors of w and of w / 10, C = 1000", float((last.margins <= 0).sum()))
    return Outcome(
        reading(
            tol,
            max(traced, beaten, 0.0),
            Side("mean loss at C = 0.01", float(loss[0]) / s.m, r"E_{\text{in}}"),
            Side("norm of w at C = 0.01", s.path[0].norm_w, r"\|w\|"),
            Side("mean loss at C = 1000", float(loss[-1]) / s.m, r"E_{\text{in}}"),
            Side("norm of w at C = 1000", last.norm_w, r"\|w\|"),
            Side("most by which a w of the same norm was better", max(beaten, 0.0)),
        ),
        control=reading(
            tol,
            0.9 * s.size * last.norm_w,
            small,
            Side("norm of w", last.norm_w, r"\|w\|"),
            Side("norm of w / 10, with as few errors", last.norm_w / 10),
            words="With the 0/1 error in place of the hinge: there w can be shortened for nothing, and no shortest exists.",
        ),
    )


def least_loss(s: Situation, v: Array) -> float:
    """Sum of the hinge losses of v with its best offset."""
    g = s.Phi @ v
    return best_offset(g, s.y)[2] if s.problem.bias else float(np.maximum(0.0, 1.0 - s.y * g).sum())
