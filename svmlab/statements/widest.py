"""M5, M6, M7, M11: the line with the largest margin."""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array
from svmlab.statements.geometry import distances, reach, sweep
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement


@statement(
    "M5",
    "The margin is 1/|w|",
    sentence="Once w and b are scaled so that the smallest functional margin is 1, the nearest point is 1/|w| away from the line.",
    formula=r"\min_i y_i f(x_i) = 1 \;\Rightarrow\; \gamma = \frac{1}{\|w\|}",
    source={"B": "the constraint min = 1", "C": "Bemerkung 1 and Version 1", "E": "section 2, scaling"},
    conditions="The classes are separable, and with a bias both are present.",
    tolerance=1e-6,
    page="margin",
    machine="hard",
)
def canonical(s: Situation, tol: float) -> Outcome:
    """1/|w| of the exact dual against the distance of the nearest point from the primal's line."""
    p, norm = s.hard_primal, s.hard_solution.norm_w
    measured = float(distances(s.Phi, p.w, p.b).min())
    return Outcome(
        reading(
            tol,
            abs(measured * norm - 1.0),
            Side("one over the norm, from the dual", 1.0 / norm, r"1 / \|w\|"),
            Side("nearest point, measured from the primal's line", measured, r"\min_i \operatorname{dist}(x_i)"),
        )
    )


@statement(
    "M6",
    "The widest direction",
    sentence="Among all directions of length 1, the one with the largest margin is w* times the margin, and that margin is 1/|w*|.",
    formula=r"u^* = \gamma^* w^*, \qquad \gamma^* = \frac{1}{\|w^*\|}",
    source={"A": "Teorema 1"},
    conditions="The classes are separable, and with a bias both are present (then half the gap between the projected classes is meant).",
    tolerance=1e-6,
    page="margin",
    machine="hard",
)
def widest(s: Situation, tol: float) -> Outcome:
    """In the plane every direction is tried; elsewhere w's own direction and many beside it."""
    norm, w = s.hard_solution.norm_w, s.hard_primal.w
    bias = s.problem.bias
    own = float(reach(s.Phi, s.y, (w / np.linalg.norm(w))[None], bias)[0])
    if s.Phi.shape[1] == 2:
        u, gamma = sweep(s.Phi, s.y, bias)
        off = float(np.linalg.norm(u - w / norm))
        name = "best of all directions"
    else:
        U = rivals(s, w)
        r = reach(s.Phi, s.y, U, bias)
        gamma, off, name = max(own, float(r.max())), 0.0, f"best of w's direction and {len(U)} others"
    return Outcome(
        reading(
            tol,
            max(abs(gamma * norm - 1.0), abs(own * norm - 1.0), off),
            Side(name, gamma, r"\gamma^* = \max_{\|u\|=1} \min_i y_i\langle u, x_i\rangle"),
            Side("margin in the direction of the primal's w", own),
            Side("one over the norm, from the dual", 1.0 / norm, r"1/\|w^*\|"),
            Side("way from the best direction to the margin times w", off, r"\|u^* - \gamma^* w^*\|"),
        )
    )


def rivals(s: Situation, w: Array, count: int = 120) -> Array:
    """Unit normals around w / |w|, from nearly equal to quite different, and every one drawn from a fixed seed."""
    rng = np.random.Generator(np.random.Philox(s.m))
    U = rng.standard_normal((count, len(w)))
    U /= np.linalg.norm(U, axis=1, keepdims=True)
    U = w / np.linalg.norm(w) + np.geomspace(1e-3, 3.0, count)[:, None] * U
    return U / np.linalg.norm(U, axis=1, keepdims=True)


@statement(
    "M7",
    "At least 1 loses nothing",
    sentence="Asking only that every functional margin be at least 1 gives the same machine as asking that the smallest be exactly 1.",
    formula=r"\min \tfrac12\|w\|^2 \text{ s.t. } y_i f(x_i) \ge 1 \;\Rightarrow\; \min_i y_i f(x_i) = 1",
    source={"C": "Version 2", "E": "section 2, relaxing the constraint"},
    conditions="The classes are separable, and with a bias both are present.",
    tolerance=1e-6,
    page="margin",
    machine="hard",
)
def relaxed(s: Situation, tol: float) -> Outcome:
    """The smallest margin at the primal's optimum; and a feasible point with slack, shrunk, is shorter and still feasible."""
    p = s.hard_primal
    least = float((s.y * (s.Phi @ p.w + p.b)).min())
    loose = 1.126 * (s.y * (s.Phi @ p.w + p.b))
    shrunk = 1.126 / float(loose.min())
    return Outcome(
        reading(
            tol,
            max(abs(least - 1.0), abs(shrunk - s.hard_solution.norm_w / float(np.linalg.norm(p.w)))),
            Side("smallest margin at the optimum", least, r"\min_i y_i f(x_i)"),
            Side("norm of 1.126 (w, b) after dividing by its smallest margin, over the optimum's", shrunk),
        )
    )


@statement(
    "M11",
    "Distance without a sign",
    sentence="What is made as large as possible is the smallest margin with its sign, over lines that separate.",
    formula=r"\max_{w,b} \min_i \frac{y_i f(x_i)}{\|w\|} \quad\text{not}\quad \max_{w,b} \min_i \frac{|f(x_i)|}{\|w\|}",
    source={"D": "sections Margine and Hard SVM, first formula"},
    conditions="The classes are separable, both are present, and there is a bias (a line through the origin cannot slide).",
    tolerance=1e-6,
    page="margin",
    machine="hard",
    repair="Without the sign (or the demand to separate) a line far from all points is best, and there is no largest value.",
    witness=Witness(
        ((2.0, 0.0), (-2.0, 0.0)), (1, -1), "Slide the line away by 100 and by 1000: the distance grows to 98 and 998."
    ),
)
def unsigned(s: Situation, tol: float) -> Outcome:
    """The optimal line slid along its normal: smallest distances, and smallest distances with their sign."""
    s.need_bias()
    p, gamma = s.hard_primal, 1.0 / s.hard_solution.norm_w
    far = [slide + 2 * s.size for slide in (100.0 * s.size, 1000.0 * s.size)] if s.size < 0.1 else [100.0, 1000.0]
    norm = float(np.linalg.norm(p.w))
    unsigned_ = [float(distances(s.Phi, p.w, p.b + t * norm).min()) for t in far]
    steps = np.r_[0.0, gamma * np.linspace(-3, 3, 25), far, -np.array(far)]
    signed = s.y * ((s.Phi @ p.w + p.b) / norm + steps[:, None])
    best = float(signed.min(1).max())
    away = [Side(f"smallest distance, line slid by {t:g}", v) for t, v in zip(far, unsigned_, strict=True)]
    margin = Side("margin of the machine", gamma, r"\gamma^*")
    return Outcome(
        printed=reading(
            tol, (max(unsigned_) - gamma) / gamma, margin, *away, words="The smallest distance, without a sign."
        ),
        repaired=reading(
            tol, abs(best - gamma) / gamma, margin, Side("largest signed margin among all slides", best), *away
        ),
    )
