"""S1 to S4, S6: the two programs of the soft margin."""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array
from svmlab.problem import Problem
from svmlab.statements import opinion
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, reading, statement

CLASSES = "With a bias both classes are present."


@statement(
    "S1",
    "The soft margin and its dual",
    sentence="Allowing slack at the price C changes one thing in the dual: no multiplier may exceed C.",
    formula=r"\min \tfrac12\|w\|^2 + C\sum_i\xi_i \;=\; \max_{0\le\alpha\le C,\; y^\top\alpha=0} \sum_i\alpha_i - \tfrac12\alpha^\top Q\alpha",
    source={"B": "Non separability in the training set, and its dual"},
    conditions=CLASSES,
    tolerance=1e-6,
    page="soft",
    machine="soft",
)
def box(s: Situation, tol: float) -> Outcome:
    """The primal of cvxopt, cvxopt's dual, and the exact method's value."""
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
    machine="soft",
)
def scalings(s: Situation, tol: float) -> Outcome:
    """Each form is a program of its own, solved by itself; the normals are compared in margin units."""
    s.need_small()
    C, m = s.soft.C, s.m
    lifted = Problem(s.lifted, C=C, bias=s.soft.bias)
    p = s.soft_primal
    forms = {
        "half a on the square, sum of the losses": opinion.primal(lifted, 1.0 / C, 1.0),
        "half lambda on the square, mean loss": opinion.primal(lifted, 1.0 / (C * m), 1.0 / m),
        "lambda on the square, mean loss": opinion.primal(lifted, 2.0 / (2 * C * m), 1.0 / m),
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
    machine="soft",
)
def hinge(s: Situation, tol: float) -> Outcome:
    """The program's own variables xi against the hinge of its w and b, and their sum against the exact method's."""
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
    machine="soft",
)
def convexity(s: Situation, tol: float) -> Outcome:
    """Random pairs of w, and one pair per point where its hinge is linear: there equality, so no larger constant holds."""
    V, lam = s.y[:, None] * s.Phi, s.soft.lam
    rng = np.random.Generator(np.random.Philox(5))
    n, D = 40, V.shape[1]
    U, W = (rng.standard_normal((n, D)) * np.geomspace(0.1, 10, n)[:, None] / s.size for _ in range(2))

    def loss(w: Array) -> Array:
        return np.maximum(0.0, 1.0 - w @ V.T) + 0.5 * lam * (w**2).sum(1, keepdims=True)

    def spare(U: Array, W: Array, constant: float) -> Array:
        square = ((U - W) ** 2).sum(1, keepdims=True)
        return 0.5 * loss(U) + 0.5 * loss(W) - loss(0.5 * (U + W)) - constant / 8 * square

    unit = float(loss(U).max())
    least = float(spare(U, W, lam).min()) / unit
    A, B = V / s.size**2 * 0.5, -V / s.size**2 * 0.5  # every point's own pair: both ends have margin below 1
    if not np.abs(V).max() > 0:
        A, B = A + 0.5, B - 0.5
    tight = np.diag(spare(A, B, lam))
    curved = np.diag(spare(A, B, 1.01 * lam))
    mean = np.maximum(0.0, 1.0 - U @ V.T).mean(1) + 0.5 * lam * (U**2).sum(1)
    off = float(np.abs(mean - loss(U).mean(1)).max()) / unit
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
    "S6",
    "The optimality conditions with slack",
    sentence="A positive multiplier means that the constraint is met exactly, and a positive slack means that the multiplier is C.",
    formula=r"\alpha_i\,(y_i f(x_i) - 1 + \xi_i) = 0, \qquad (C - \alpha_i)\,\xi_i = 0",
    source={"B": "KKT conditions of the soft margin"},
    conditions=CLASSES + " B's Lagrangian prints a wrong sign before w0 and a wrong index.",
    tolerance=1e-6,
    page="soft",
    machine="soft",
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
