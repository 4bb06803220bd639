"""H7 to H12: what the support vectors carry."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.data import Dataset
from svmlab.problem import Problem
from svmlab.solution import Solution
from svmlab.solve import solve
from svmlab.statements.duality import SEPARATED
from svmlab.statements.geometry import distances, probes
from svmlab.statements.separable import common
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement

IDLE = ((1.0, 0.0), (-1.0, 0.0), (1.0, 2.0), (2.5, 1.0), (-2.0, 1.5), (-3.0, -1.0))


def sub(problem: Problem, rows: Index) -> Solution:
    """The exact machine of some rows only (repeats allowed), at the same C."""
    data = problem.data
    return solve(replace(problem, data=Dataset(data.X[rows], data.y[rows])))


def normal(s: Situation, solution: Solution, rows: Index) -> Array:
    """The normal of a machine of some rows, in the coordinates of the Situation."""
    return (solution.alpha * s.y[rows]) @ s.Phi[rows]


@statement(
    "H7",
    "b from a support vector",
    sentence="Any point with a positive multiplier gives b, and so does their mean.",
    formula=r"b = y_k - \sum_j \alpha_j y_j k(x_j, x_k) \quad \text{for } \alpha_k > 0",
    source={"B": "Deriving coefficients", "C": "Version 4, evaluation"},
    conditions="The classes are separable, both are present, and there is a bias.",
    tolerance=1e-6,
    page="duality",
    machine="hard",
    repair="The multiplier must be positive: B asks for one that is not negative, which every point has.",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (3.0, 1.0), (-2.0, -2.0)), (1, -1, 1, -1), "The points behind the margin give b from -2 to 1; right is 0.", C=math.inf
    ),
)  # fmt: skip
def offset(s: Situation, tol: float) -> Outcome:
    """Each point's b from kernel values and the exact alpha, against the primal's b."""
    s.need_bias()
    h, p = s.hard_solution, s.hard_primal
    b = s.y - (h.alpha * s.y) @ s.problem.gram
    on, unit = b[h.alpha > 0], max(1.0, s.size * h.norm_w)
    primal = Side("b, primal", p.b, "b")

    def ends(values: Array, who: str) -> tuple[Side, Side]:
        return Side(f"smallest b from {who}", float(values.min())), Side(f"largest b from {who}", float(values.max()))

    return Outcome(
        printed=reading(tol, float(np.abs(b - p.b).max()) / unit, primal, *ends(b, "all points"), words="From every point with a multiplier of at least 0."),
        repaired=reading(
            tol, max(float(np.abs(on - p.b).max()), abs(float(on.mean()) - p.b)) / unit, primal,
            *ends(on, "support vectors"), Side("their mean", float(on.mean())),
        ),
    )  # fmt: skip


@statement(
    "H8",
    "Classifying with support vectors only",
    sentence="A new point is classified from its kernel values with the support vectors alone; turning all points together changes nothing.",
    formula=r"f(u) = \sum_{\alpha_n > 0} \alpha_n y_n\, k(x_n, u) + b = \sum \alpha_n y_n\, k(x_n,\, u) - \sum \alpha_n y_n\, k(x_n, x_{n^*}) + \tfrac{1}{y_{n^*}}",
    source={"B": "Classification through SVM", "C": "Version 4, final hypothesis, and Bemerkung 2"},
    conditions=SEPARATED,
    tolerance=1e-6,
    page="duality",
    machine="hard",
    repair="C subtracts the support vector at the wrong place: (x_n - x*)'u should be x_n'(u - x*); its kernel form in Bemerkung 2 is right.",
    witness=Witness(((3.0, 0.0), (1.0, 0.0)), (1, -1), "The line belongs at x1 = 2; as printed it stands at x1 = -1 or x1 = 1.", C=math.inf),
)  # fmt: skip
def sparse(s: Situation, tol: float) -> Outcome:
    """Values of f on a grid around the points from kernel values, against w and b of the primal; and once more on the turned board.

    (Where w is infinite, against all multipliers of cvxopt's dual.)
    """
    h, bias = s.hard_solution, s.problem.bias
    U = probes(s.X)
    sv = np.flatnonzero(h.alpha > 0)
    signed, star = h.alpha[sv] * s.y[sv], sv[int(h.alpha[sv].argmax())]
    kernel = s.problem.kernel
    K = kernel(s.X[sv], U)
    f = signed @ K
    if bias:
        f = f - float(signed @ kernel(s.X[sv], s.X[[star]])[:, 0]) + s.y[star]
    if kernel.feature_dim(s.X.shape[1]) is not None:
        truth = kernel.feature_map(U) @ s.hard_primal.w + s.hard_primal.b
    else:
        truth = (s.hard_dual.alpha * s.y) @ kernel(s.X, U) + s.hard_dual.b
    unit = max(1.0, float(np.abs(truth).max()))
    off = float(np.abs(f - truth).max()) / unit
    sides = [
        Side("grid points", float(len(U))),
        Side("support vectors", float(len(sv))),
        Side("largest difference from the second solver", off),
    ]
    spin, note = 0.0, ""
    if kernel.rotation_invariant:
        turn = np.linalg.qr(np.random.Generator(np.random.Philox(7)).standard_normal((s.X.shape[1],) * 2))[0]
        turned = solve(replace(s.hard, data=Dataset(s.X @ turn, s.y))).decision(U @ turn)
        spin = float(np.abs(turned - truth).max()) / unit
        sides.append(Side("largest difference after turning all points", spin))
    else:
        note = f"The {kernel.title} kernel is not the same in all directions, so the points were not turned."
    printed = None
    if bias:
        wrong = signed @ (K - kernel(s.X[[star]], U)) + s.y[star]
        sure = np.abs(truth) > 1e-6 * unit
        lost = float(((wrong > 0) != (truth > 0))[sure].mean()) if sure.any() else 0.0
        printed = reading(
            tol, float(np.abs(wrong - truth).max()) / unit, *sides[:2], Side("part of the grid misplaced", lost),
            words="With (x_n - x*)'u + 1/y*.",
        )  # fmt: skip
    return Outcome(printed=printed, repaired=reading(tol, max(off, spin), *sides), note=note)


@statement(
    "H9",
    "Deleting the others",
    sentence="Taking away every point that is no support vector leaves the machine as it is.",
    formula=r"\text{SVM}(\{i : \alpha_i > 0\}) = \text{SVM}(\{1,\dots,m\})",
    source={"A": "after Lemma 2", "E": "section 3"},
    conditions=SEPARATED,
    tolerance=1e-6,
    page="duality",
    machine="hard",
)
def deletion(s: Situation, tol: float) -> Outcome:
    """The support vectors solved alone by the exact method, against the primal of all points."""
    p, h = s.hard_primal, s.hard_solution
    rows = np.flatnonzero(h.alpha > 0)
    rest = sub(s.hard, rows)
    return Outcome(
        reading(
            tol,
            max(s.apart(normal(s, rest, rows), p.w), abs(rest.b - p.b) / max(1.0, s.size * h.norm_w)),
            Side("points", float(s.m)),
            Side("points kept", float(len(rows))),
            Side("norm of w, all points", float(np.linalg.norm(p.w)), r"\|w\|"),
            Side("norm of w, support vectors alone", rest.norm_w, r"\|w\|"),
            Side("b, all points", p.b, "b"),
            Side("b, support vectors alone", rest.b, "b"),
        )
    )


@statement(
    "H10",
    "Candidates",
    sentence="Every support vector lies on the margin, but a point on the margin may have multiplier 0: it is only a candidate.",
    formula=r"\alpha_i > 0 \;\Rightarrow\; y_i f(x_i) = 1, \quad\text{not conversely}",
    source={"A": "after Lemma 2, where the two are one", "B": "active points and support vectors", "E": "section 3"},
    conditions=SEPARATED,
    tolerance=1e-6,
    page="duality",
    machine="hard",
    witness=Witness(IDLE, (1, -1, 1, 1, -1, -1), "(1, 2) lies on the margin, and its multiplier is 0.", C=math.inf),
)  # fmt: skip
def candidates(s: Situation, tol: float) -> Outcome:
    """Distances from the primal's line against the multipliers of the exact method."""
    p, alpha = s.hard_primal, s.hard_solution.alpha
    d = distances(s.Phi, p.w, p.b) * float(np.linalg.norm(p.w))
    on, support = np.abs(d - 1.0) <= tol, alpha > 0
    idle = Side("on the margin with multiplier 0", float((on & ~support).sum()))
    sides = (Side("points on the margin", float(on.sum())), Side("support vectors", float(support.sum())), idle)
    return Outcome(
        reading(tol, float(np.abs(d[support] - 1.0).max()), *sides),
        control=reading(tol, idle.value, *sides, words="On the margin means support vector."),
    )


@statement(
    "H11",
    "No line, no hard margin",
    sentence="On points that no line separates the hard margin has no solution: the constraints contradict each other.",
    formula=r"\sum_i v_i\, y_i f(x_i) = 0 \;\text{ for all } (w, b), \quad\text{yet the constraints ask for}\; \sum_i v_i > 0",
    source={"C": "Bemerkung 3", "D": "section Hard SVM, end"},
    conditions="The classes are not separable by this kernel.",
    tolerance=1e-7,
    page="duality",
    machine="points",
)
def impossible(s: Situation, tol: float) -> Outcome:
    """The certificate's weights put on the constraints of many (w, b), and a linear program that finds no margin."""
    _ = s.Phi
    if s.separation.separable:
        raise DoesNotApply(
            "The classes are separable here, so the hard margin has a solution. Move a point across to see this."
        )
    off, missing = common(s)
    v = s.separation.weights
    assert v is not None
    rng = np.random.Generator(np.random.Philox(3))
    W = rng.standard_normal((50, s.Phi.shape[1])) / s.size
    b = rng.standard_normal(50) if s.problem.bias else np.zeros(50)
    sums = np.abs((v * s.y) @ (s.Phi @ W.T + b))
    opinion = () if s.large else (Side("largest margin a linear program finds", s.feasibility),)
    return Outcome(
        reading(
            tol,
            max(float(sums.max()), off / s.size, missing, *(side.value for side in opinion)),
            Side("what the constraints ask of the weighted sum", float(v.sum()), r"\sum_i v_i"),
            Side("largest weighted sum of 50 lines", float(sums.max()), r"|\sum_i v_i y_i f(x_i)|"),
            *opinion,
            Side("points in the contradiction", float((v > 0).sum())),
        )
    )


@statement(
    "H12",
    "One machine",
    sentence="w and b are the same whichever solver, order of points or number of copies; the multipliers need not be.",
    formula=r"w^* = \arg\min \tfrac12\|w\|^2 \text{ is unique}",
    source={"A": "problem (1), the only solution", "E": "section 3, the unique line"},
    conditions=SEPARATED + " It holds for w and b; alpha need not be unique.",
    tolerance=1e-6,
    page="duality",
    machine="hard",
)
def unique(s: Situation, tol: float) -> Outcome:
    """Three solvers, the rows backwards, and every point twice."""
    p, d, h = s.hard_primal, s.hard_dual, s.hard_solution
    back, twice = np.arange(s.m)[::-1], np.repeat(np.arange(s.m), 2)
    others = [(normal(s, r, rows), r.b) for rows in (back, twice) for r in (sub(s.hard, rows),)]
    machines = [(s.expand(h.alpha), h.b), (s.expand(d.alpha), d.b), *others]
    in_w = max(s.apart(w, p.w) for w, _ in machines)
    in_b = max(abs(b - p.b) for _, b in machines) / max(1.0, s.size * h.norm_w)
    top = float(h.alpha.max())
    return Outcome(
        reading(
            tol,
            max(in_w, in_b),
            Side("machines compared", float(len(machines) + 1)),
            Side("largest difference in w, margin units", in_w),
            Side("largest difference in b, margin units", in_b),
            Side("support vectors, exact method", float((h.alpha > 0).sum())),
            Side("support vectors, cvxopt's dual", float((d.alpha > 1e-6 * top).sum())),
        )
    )
