"""S1 to S9: the soft margin, its multipliers and its categories."""

from __future__ import annotations


import numpy as np

from svmlab.arrays import Array
from svmlab.data import Dataset
from svmlab.problem import Problem
from svmlab.solve import solve
from svmlab.statements.geometry import best_offset
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement
from svmlab.statements.vectors import IDLE, normal, sub

CLASSES = "With a bias both classes are present."
SOME = ((1.0, 0.5), (2.0, -1.0), (-0.5, 1.0), (-1.0, 0.0), (-2.0, 1.0), (0.5, -1.0), (3.0, 2.0), (-3.0, -1.5))
SIGNS = (1, 1, 1, -1, -1, -1, 1, -1)


@statement(
    "S1",
    "The soft margin and its dual",
    sentence="Allowing slack at the price C changes one thing in the dual: no multiplier may exceed C.",
    formula=r"\min \tfrac12\|w\|^2 + C\sum_i\xi_i \;=\; \max_{0\le\alpha\le C,\; y^\top\alpha=0} \sum_i\alpha_i - \tfrac12\alpha^\top Q\alpha",
    source={"B": "Non separability in the training set, and its dual"},
    conditions=CLASSES,
    tolerance=1e-6,
    page="soft",
)
def box(s: Situation, tol: float) -> Outcome:
    """cvxopt's primal, cvxopt's dual, and the exact method's value."""
    p, d, e = s.soft_primal, s.soft_dual, s.soft_solution
    values = np.array([p.value, d.value, e.objective, e.dual_objective])
    C = s.soft.C
    outside = float(np.maximum(-d.alpha, d.alpha - C).max()) / C
    return Outcome(
        reading(
            tol,
            max(float(np.ptp(values) / np.abs(values).max()), outside),
            Side("primal", p.value, r"\tfrac12\|w\|^2 + C\sum\xi_i"),
            Side("dual", d.value, r"\sum\alpha - \tfrac12\alpha^\top Q\alpha"),
            Side("exact method", e.objective),
            Side("largest multiplier", float(d.alpha.max()), r"\max\alpha_i"),
            Side("price", C, "C"),
        )
    )


@statement(
    "S2",
    "Four ways to write it",
    sentence="Price C, weight a on the norm, and the two lambda forms are one problem in different units.",
    formula=r"C = \frac1a = \frac{1}{\lambda m} = \frac{1}{2\lambda_D m}",
    source={"A": "F(w), half lambda", "B": "C-form; loss plus regulariser", "D": "Soft SVM, lambda without the half"},
    conditions=CLASSES + " The same treatment of the bias in all four.",
    tolerance=1e-6,
    page="soft",
)
def scalings(s: Situation, tol: float) -> Outcome:
    """Each form is a program of its own, solved by itself; the normals are compared in margin units."""
    C, m = s.soft.C, s.m
    lifted = Problem(s.lifted, C=C, bias=s.soft.bias)
    p = s.soft_primal
    forms = {
        "half a on the square, sum of the losses": s.primal(lifted, 1.0 / C, 1.0),
        "half lambda on the square, mean loss": s.primal(lifted, 1.0 / (C * m), 1.0 / m),
        "lambda on the square, mean loss": s.primal(lifted, 2.0 / (2 * C * m), 1.0 / m),
    }
    apart = [s.apart(form.w, p.w) for form in forms.values()]
    norms = [Side(f"norm of w: {name}", float(np.linalg.norm(form.w)), r"\|w\|") for name, form in forms.items()]
    return Outcome(reading(tol, max(apart), Side("norm of w: price C", float(np.linalg.norm(p.w)), r"\|w\|"), *norms))


@statement(
    "S3",
    "Slack is the hinge loss",
    sentence="At the optimum the slack of a point is exactly its hinge loss.",
    formula=r"\xi_i = \max(0,\, 1 - y_i f(x_i))",
    source={
        "A": "the slack variables before F",
        "B": "Non separability in the training set",
        "D": "Soft SVM, value of xi",
    },
    conditions=CLASSES,
    tolerance=1e-6,
    page="soft",
)
def hinge(s: Situation, tol: float) -> Outcome:
    """The program's own variables xi against the hinge of the exact machine: a sum, and the worst point where b agrees."""
    p = s.soft_primal
    loss = np.maximum(0.0, 1.0 - s.y * (s.Phi @ p.w + p.b))
    unit = max(1.0, float(loss.max()))
    total = float(s.soft_solution.xi.sum())
    return Outcome(
        reading(
            tol,
            max(float(np.abs(p.xi - loss).max()) / unit, abs(float(p.xi.sum()) - total) / (unit * s.m)),
            Side("largest difference at a point", float(np.abs(p.xi - loss).max())),
            Side("sum of the slack variables", float(p.xi.sum()), r"\sum_i\xi_i"),
            Side("sum of the hinge losses, exact method", total, r"\sum_i\max(0, 1 - y_i f(x_i))"),
        )
    )


@statement(
    "S4",
    "Strong convexity",
    sentence="The objective is the mean of one function for each point, and each of them is curved by lambda at least.",
    formula=r"\ell_t\!\left(\tfrac{u+v}2\right) \le \tfrac12\ell_t(u) + \tfrac12\ell_t(v) - \tfrac\lambda8\|u-v\|^2, \qquad F = \frac1m\sum_t \ell_t",
    source={"A": "before Pegasos, strong convexity"},
    conditions="Without a bias, as in A; lambda = 1/(C m).",
    tolerance=1e-9,
    page="soft",
)
def convexity(s: Situation, tol: float) -> Outcome:
    """Random pairs of w, and one pair per point where its hinge is linear: there equality, so no larger constant holds."""
    V, lam = s.y[:, None] * s.Phi, s.soft.lam
    rng = np.random.Generator(np.random.Philox(5))
    n, D = 40, V.shape[1]
    U, W = (rng.standard_normal((n, D)) * np.geomspace(0.1, 10, n)[:, None] / s.size for _ in range(2))

    def l(w: Array) -> Array:
        return np.maximum(0.0, 1.0 - w @ V.T) + 0.5 * lam * (w**2).sum(1, keepdims=True)

    def spare(U: Array, W: Array, constant: float) -> Array:
        square = ((U - W) ** 2).sum(1, keepdims=True)
        return 0.5 * l(U) + 0.5 * l(W) - l(0.5 * (U + W)) - constant / 8 * square

    unit = float(l(U).max())
    least = float(spare(U, W, lam).min()) / unit
    A, B = V / s.size**2 * 0.5, -V / s.size**2 * 0.5  # every point's own pair: both ends have margin below 1
    if not np.abs(V).max() > 0:
        A, B = A + 0.5, B - 0.5
    tight = np.diag(spare(A, B, lam))
    curved = np.diag(spare(A, B, 1.01 * lam))
    mean = np.maximum(0.0, 1.0 - U @ V.T).mean(1) + 0.5 * lam * (U**2).sum(1)
    off = float(np.abs(mean - l(U).mean(1)).max()) / unit
    return Outcome(
        reading(
            tol,
            max(-least, float(np.abs(tight).max()), off),
            Side("least to spare over random pairs", least * unit),
            Side("to spare where the hinge is linear", float(np.abs(tight).max())),
            Side("constant", lam, r"\lambda"),
        ),
        control=reading(
            0.0,
            float(-curved.min()),
            Side("least to spare with 1.01 lambda", float(curved.min())),
            words="A constant larger by 1 %.",
        ),
    )


@statement(
    "S5",
    "Where the multipliers stand",
    sentence="Multiplier 0 belongs to points at or beyond their margin line, one between 0 and C to points on it, C to points on it or short of it.",
    formula=r"\alpha_i = 0 \Rightarrow y_i f \ge 1, \quad 0<\alpha_i<C \Rightarrow y_i f = 1, \quad \alpha_i = C \Rightarrow y_i f \le 1",
    source={"B": "Item characterization"},
    conditions=CLASSES,
    tolerance=1e-6,
    page="soft",
    repair="On the margin line itself the multiplier may also be 0 or C, and B's list of three forgets the points on the boundary (slack 1).",
    witness=Witness(
        IDLE, (1, -1, 1, 1, -1, -1), "(1, 2) has multiplier 0 and slack 0, and yet it lies on its margin line."
    ),
)
def categories(s: Situation, tol: float) -> Outcome:
    """Multipliers and their bounds from the exact method, margins from the primal."""
    e, p = s.soft_solution, s.soft_primal
    yf = s.y * (s.Phi @ p.w + p.b)
    broken = np.where(~e.at_bound, np.maximum(0.0, 1.0 - yf), 0.0) + np.where(e.support, np.maximum(0.0, yf - 1.0), 0.0)
    unit = max(1.0, s.size * e.norm_w)
    on = np.abs(yf - 1.0) <= tol * unit
    special = {"multiplier 0": on & ~e.support, "multiplier C": on & e.at_bound}
    named = [Side(f"on the margin line with {name}", float(mask.sum())) for name, mask in special.items()]
    counts = (
        Side("multiplier 0", float((~e.support).sum()), r"\alpha_i = 0"),
        Side("between", float(e.free.sum()), r"0 < \alpha_i < C"),
        Side("multiplier C", float(e.at_bound.sum()), r"\alpha_i = C"),
    )
    worst = Side("most that a margin is on the wrong side of 1", float(broken.max()))
    residual = float(broken.max()) / unit
    outside = sum(side.value for side in named)
    return Outcome(
        printed=reading(tol, max(residual, outside), *counts, *named, words="Five cases, and no other."),
        repaired=reading(tol, residual, worst, *counts, *named),
    )


@statement(
    "S6",
    "The optimality conditions with slack",
    sentence="A positive multiplier means that the constraint is met exactly, and a positive slack means that the multiplier is C.",
    formula=r"\alpha_i\,(y_i f(x_i) - 1 + \xi_i) = 0, \qquad (C - \alpha_i)\,\xi_i = 0",
    source={"B": "KKT conditions of the soft margin"},
    conditions=CLASSES + " (B's Lagrangian has a wrong sign before w0 and a wrong index.)",
    tolerance=1e-6,
    page="soft",
)
def kkt(s: Situation, tol: float) -> Outcome:
    """Residuals with w, b and xi from the primal program and alpha from the exact method, alpha in units of C."""
    p, alpha, C = s.soft_primal, s.soft_solution.alpha, s.soft.C
    yf, a = s.y * (s.Phi @ p.w + p.b), alpha / C
    unit = max(1.0, float(np.abs(yf).max()))
    sides = (
        Side("first balance, in margin units", s.apart(s.expand(alpha), p.w), r"w - \sum\alpha_i y_i x_i"),
        Side(
            "second balance",
            abs(float(s.y @ a)) / float(a.sum() or 1.0) if s.problem.bias else 0.0,
            r"y^\top\alpha/\sum\alpha",
        ),
        Side("margin missing", float(np.maximum(0.0, 1.0 - p.xi - yf).max()) / unit, r"(1 - \xi_i - y_i f(x_i))_+"),
        Side("multiplier outside its box", float(np.maximum(-a, a - 1.0).max()), r"\alpha_i \in [0, C]"),
        Side(
            "first slackness", float(np.abs(a * (yf - 1.0 + p.xi)).max()) / unit, r"\alpha_i(y_i f(x_i) - 1 + \xi_i)/C"
        ),
        Side("second slackness", float(np.abs((1.0 - a) * p.xi).max()) / unit, r"(C - \alpha_i)\xi_i/C"),
    )
    return Outcome(reading(tol, max(side.value for side in sides), *sides))


@statement(
    "S7",
    "b with slack",
    sentence="Only a point with multiplier strictly between 0 and C gives b; where there is none, b fills an interval, which may be one point.",
    formula=r"b = y_k - \sum_j\alpha_j y_j k(x_j, x_k) \;(0<\alpha_k<C), \qquad \overline{y_k - g_k} - b = \overline{y_k \xi_k}\;(\alpha_k > 0)",
    source={"B": "Classification, as in the separable case"},
    conditions=CLASSES + " There is a bias.",
    tolerance=1e-6,
    page="soft",
    repair="The mean over all support vectors is off by the mean of y times xi over them.",
    witness=Witness(SOME, SIGNS, "The points with slack pull the mean away."),
)
def offset(s: Situation, tol: float) -> Outcome:
    """Means of y - g from the exact alpha, against the primal's b, or the interval of b found by trying every kink."""
    s.need_bias()
    e, p = s.soft_solution, s.soft_primal
    g = (e.alpha * s.y) @ s.problem.gram
    each, unit = s.y - g, max(1.0, s.size * e.norm_w)
    primal = Side("b, primal", p.b, "b")
    lo, hi = e.b_interval
    error, slack = float(each[e.support].mean()) - p.b, float((s.y * p.xi)[e.support].mean())
    sides = [primal, Side("smallest optimal b", lo), Side("largest optimal b", hi)]
    if e.free.any():
        b = float(each[e.free].mean())
        sides.append(Side("mean over the free vectors", b))
        residual = max(float(np.abs(each[e.free] - p.b).max()), abs(lo - p.b), abs(hi - p.b))
    else:
        low, high, _ = best_offset(s.Phi @ p.w, s.y)
        sides.append(Side("free vectors", 0.0))
        residual = max(abs(low - lo), abs(high - hi), lo - p.b, p.b - hi)
    formula = Side("mean of y times xi over the support vectors", slack)
    wrong = Side("mean over all support vectors", float(each[e.support].mean()))
    return Outcome(
        printed=reading(tol, abs(error) / unit, primal, wrong, formula, words="Averaged over all support vectors."),
        repaired=reading(tol, max(residual, abs(error - slack)) / unit, *sides, wrong, formula),
    )


@statement(
    "S8",
    "Who supports",
    sentence="The support vectors are the points on their margin line and the points with slack, and w needs both.",
    formula=r"w = \sum_{y_i f(x_i) \le 1} \alpha_i y_i x_i",
    source={"A": "after Teorema 3"},
    conditions=CLASSES + " Some points on the margin line may have multiplier 0 (H10).",
    tolerance=1e-6,
    page="soft",
    repair="A's sentence reads as if only points with positive slack counted; those on the margin line belong to them.",
    witness=Witness(((1.0, 0.0), (-1.0, 0.0)), (1, -1), "No point has slack, and the sum over such points is 0."),
)
def supporters(s: Situation, tol: float) -> Outcome:
    """w from the primal, and rebuilt from the exact alpha of two sets of points chosen by the primal's margins."""
    p, alpha, unit = s.soft_primal, s.soft_solution.alpha, max(1.0, s.size * s.soft_solution.norm_w)
    yf = s.y * (s.Phi @ p.w + p.b)
    both, slack = yf <= 1.0 + tol * unit, yf < 1.0 - tol * unit
    whole, part = (s.expand(np.where(mask, alpha, 0.0)) for mask in (both, slack))
    length = Side("norm of w, primal", float(np.linalg.norm(p.w)), r"\|w\|")
    less = Side(
        "norm of the sum over points with slack", float(np.linalg.norm(part)), r"\|\sum_{\xi_i>0}\alpha_i y_i x_i\|"
    )
    return Outcome(
        printed=reading(tol, s.apart(part, p.w), length, less, words="Only the points with slack."),
        repaired=reading(
            tol, s.apart(whole, p.w), length,
            Side("norm of the sum over both", float(np.linalg.norm(whole)), r"\|\sum_{y_if\le1}\alpha_i y_i x_i\|"),
            less, Side("points on the margin line", float((both & ~slack).sum())), Side("points with slack", float(slack.sum())),
        ),
    )  # fmt: skip


@statement(
    "S9",
    "Deleting with slack",
    sentence="Deleting the points with multiplier 0 leaves w as it is at the same C; b can only gain freedom.",
    formula=r"w(S') = w(S) \text{ at the same } C, \quad \lambda' = \lambda\, \frac{m}{m'}",
    source={"A": "after Teorema 3, as in the separable case"},
    conditions=CLASSES,
    tolerance=1e-6,
    page="soft",
    repair="In the lambda form the mean is over fewer points, so lambda must grow to lambda m/m'; where no vector is free the interval of b can widen.",
    witness=Witness(SOME, SIGNS, "Points behind the margin are deleted, and at the same lambda w becomes longer."),
)
def deletion(s: Situation, tol: float) -> Outcome:
    """The support vectors solved alone, at the same C and at the same lambda, against the primal of all points."""
    e, p = s.soft_solution, s.soft_primal
    rows = np.flatnonzero(e.support)
    rest = sub(s.soft, rows)
    few = Dataset(s.X[rows], s.y[rows])
    same = solve(Problem.from_lambda(few, s.soft.kernel, s.soft.lam, s.soft.bias))
    unit = max(1.0, s.size * e.norm_w)
    narrower = max(rest.b_interval[0] - e.b_interval[0], e.b_interval[1] - rest.b_interval[1], 0.0)
    sides = (
        Side("points", float(s.m), "m"),
        Side("points kept", float(len(rows)), "m'"),
        Side("norm of w, all points", float(np.linalg.norm(p.w)), r"\|w\|"),
    )
    kept, moved = s.apart(normal(s, rest, rows), p.w), s.apart(normal(s, same, rows), p.w)
    return Outcome(
        printed=reading(tol, moved, *sides, Side("norm of w, kept points at the same lambda", same.norm_w, r"\|w'\|"), words="Nothing changes."),
        repaired=reading(
            tol, max(kept, narrower / unit), *sides, Side("norm of w, kept points at the same C", rest.norm_w, r"\|w'\|"),
            Side("length of b's interval, all points", e.b_interval[1] - e.b_interval[0]),
            Side("length of b's interval, kept points", rest.b_interval[1] - rest.b_interval[0]),
        ),
    )  # fmt: skip


SOFT = (box, scalings, hinge, convexity, categories, kkt, offset, supporters, deletion)
