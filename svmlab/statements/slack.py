"""S12, S14 to S17: what slack measures, what it costs, and what must not be compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab.data import Dataset
from svmlab.problem import Problem
from svmlab.solve import solve
from svmlab.statements import opinion
from svmlab.statements.geometry import distances
from svmlab.statements.roles import SIGNS, SOME
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft import CLASSES
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement


@statement(
    "S12",
    "Slack and distance",
    sentence="The distance of a violating point from its own margin line is its slack divided by the norm of w.",
    formula=r"\operatorname{dist}\bigl(x_i, \{f = y_i\}\bigr) = \frac{\xi_i}{\|w\|}",
    source={"D": "section Soft SVM, meaning of xi"},
    conditions=CLASSES + " w is not 0, and some point has slack.",
    tolerance=1e-6,
    page="soft",
    machine="soft",
    repair="D calls xi itself the distance; it is the distance in units of 1/|w|.",
    witness=Witness(SOME, SIGNS, "The norm of w is not 1 here, and every slack differs from its distance."),
)
def slack_distance(s: Situation, tol: float) -> Outcome:
    """The program's xi, over the exact norm, against distances measured from the primal's margin lines."""
    p, norm = s.soft_primal, s.soft_solution.norm_w
    s.need_line(norm)
    rows = np.flatnonzero(p.xi > 1e-5 * max(1.0, s.size * norm))
    if not len(rows):
        raise DoesNotApply("No point has slack here. Lower C, or move a point into the strip.")
    xi = p.xi[rows]
    d = np.empty(len(rows))
    for label in (1.0, -1.0):
        among = s.y[rows] == label
        d[among] = distances(s.Phi[rows[among]], p.w, p.b, label)
    worst = int(xi.argmax())
    unit = max(s.size, 1.0 / norm)
    sides = (
        Side("slack of the worst point", float(xi[worst]), r"\xi_i"),
        Side("its distance, measured", float(d[worst]), r"\operatorname{dist}"),
        Side("norm of w", norm, r"\|w\|"),
    )
    return Outcome(
        printed=reading(tol, float(np.abs(d - xi).max()) / unit, *sides, words="The slack is the distance."),
        repaired=reading(
            tol,
            float(np.abs(d - xi / norm).max()) / unit,
            *sides,
            Side("slack over norm", float(xi[worst]) / norm, r"\xi_i/\|w\|"),
        ),
    )


@statement(
    "S14",
    "The hinge is Lipschitz",
    sentence="As a function of w the hinge loss changes by at most the length of the longest point times the change of w.",
    formula=r"|\ell(u; x_i) - \ell(v; x_i)| \le X\,\|u - v\|, \qquad X = \max_i \|x_i\|",
    source={"D": "section Soft SVM, end"},
    conditions="There is a point. X is taken in feature space.",
    tolerance=1e-9,
    page="soft",
    machine="points",
)
def lipschitz(s: Situation, tol: float) -> Outcome:
    """Random pairs stay below X; two w along the longest point, where its hinge is linear, reach it."""
    V = s.y[:, None] * s.Phi
    rng = np.random.Generator(np.random.Philox(11))
    U, W = (rng.standard_normal((60, V.shape[1])) * np.geomspace(0.1, 10, 60)[:, None] / s.size for _ in range(2))
    change = np.abs(np.maximum(0.0, 1.0 - U @ V.T) - np.maximum(0.0, 1.0 - W @ V.T))
    ratio = float((change / np.linalg.norm(U - W, axis=1)[:, None]).max())
    far = V[int(np.linalg.norm(V, axis=1).argmax())]
    X = float(np.sqrt(s.problem.kernel.diag(s.X).max()))
    reached = 0.0
    if X > 0:
        u, v = 0.5 * far / X**2, -0.5 * far / X**2
        reached = abs(max(0.0, 1.0 - u @ far) - max(0.0, 1.0 - v @ far)) / float(np.linalg.norm(u - v))
    return Outcome(
        reading(
            tol,
            max(ratio - X, abs(reached - X)) / s.size,
            Side("longest point, from the kernel", X, r"\max_i \sqrt{k(x_i, x_i)}"),
            Side("largest ratio in random pairs", ratio),
            Side("ratio along the longest point", reached),
        ),
        control=reading(
            tol,
            (reached - 0.9 * X) / s.size,
            Side("ratio along the longest point", reached),
            words="With nine tenths of X.",
        ),
    )


@statement(
    "S15",
    "Slack counts errors",
    sentence="The number of training errors is at most the sum of the slack.",
    formula=r"\#\{i : y_i f(x_i) \le 0\} \le \sum_i \xi_i",
    source={"B": "Item characterization, slack above 1; hinge above 0/1 loss"},
    conditions=CLASSES,
    tolerance=1e-6,
    page="soft",
    machine="soft",
)
def errors(s: Situation, tol: float) -> Outcome:
    """Errors counted with the primal's w and b, slack from the exact method."""
    p, total = s.soft_primal, float(s.soft_solution.xi.sum())
    wrong = float((s.y * (s.Phi @ p.w + p.b) <= 0).sum())
    return Outcome(
        reading(
            tol,
            max(0.0, (wrong - total) / s.m),
            Side("training errors", wrong),
            Side("sum of slack", total, r"\sum_i\xi_i"),
        )
    )


@statement(
    "S16",
    "Three treatments of the bias",
    sentence="A free bias, a bias that is penalised with w, and none are three problems, with values in this order.",
    formula=r"\min_{w,b}\tfrac12\|w\|^2 + C\sum\xi \;\le\; \min_{w,b}\tfrac12(\|w\|^2 + b^2) + C\sum\xi \;\le\; \min_{w,\,b=0}\tfrac12\|w\|^2 + C\sum\xi",
    source={"A": "no bias", "B": "free bias", "C": "free bias", "D": "bias as last coordinate of w", "E": "free bias"},
    conditions="Both classes are present. The optima are different in general: never compare a w of one form with a w of another.",
    tolerance=1e-7,
    page="soft",
    machine="soft",
    witness=Witness(SOME, SIGNS, "Three different w at one C."),
)
def biases(s: Situation, tol: float) -> Outcome:
    """Each form solved by itself at one C; then each machine is put into the other's objective."""
    s.need_small()
    free, none = (s, s.other) if s.problem.bias else (s.other, s)
    f, n, C = free.soft_primal, none.soft_primal, s.soft.C
    augmented = Dataset(np.hstack([s.Phi, np.ones((s.m, 1))]), s.y)
    q = opinion.primal(Problem(augmented, C=C, bias=False))
    w, b = q.w[:-1], float(q.w[-1])
    in_free = 0.5 * float(w @ w) + C * float(np.maximum(0.0, 1.0 - s.y * (s.Phi @ w + b)).sum())
    exact = free.soft_solution.objective
    order = max(f.value - q.value, q.value - n.value, f.value - in_free, abs(f.value - exact)) / n.value
    apart = max(s.apart(w, f.w), s.apart(n.w, f.w))
    sides = [
        Side(f"{what}, {name}", value, letter)
        for what, letter, values in (
            ("value", "", (f.value, q.value, n.value)),
            ("norm of w", r"\|w\|", (float(np.linalg.norm(f.w)), float(np.linalg.norm(w)), float(np.linalg.norm(n.w)))),
            ("b", "b", (f.b, b, 0.0)),
        )
        for name, value in zip(("free bias", "penalised bias", "no bias"), values, strict=True)
    ]
    return Outcome(
        reading(tol, max(order, 0.0), *sides), control=reading(1e-5, apart, *sides[3:6], words="All three give one w.")
    )


@statement(
    "S17",
    "Slack without a price",
    sentence="If slack costs nothing, w = 0 with slack 1 everywhere satisfies every constraint at value 0, so nothing is learnt.",
    formula=r"\min \|w\|^2 \text{ s.t. } y_i\langle w, x_i\rangle \ge 1 - \xi_i,\; \xi_i \ge 0 \;\Rightarrow\; w = 0",
    source={"D": "section Soft SVM, first formula"},
    conditions=CLASSES + " The machine with a price has w different from 0.",
    tolerance=1e-6,
    page="soft",
    machine="soft",
    repair="The slack needs a price; D says so next and adds the mean slack to the objective.",
    witness=Witness(((1.0, 0.0), (-1.0, 0.0)), (1, -1), "With a price w = (1, 0); without one w = 0."),
)
def unpriced(s: Situation, tol: float) -> Outcome:
    """The point (0, 1) put into the constraints; the optimum as the price goes to 0; and the optimum with a price."""
    w = s.soft_primal.w
    s.need_line(s.soft_solution.norm_w)
    broken = float(np.maximum(0.0, 1.0 - 1.0 - s.y * (s.Phi @ np.zeros(len(w)))).max())
    price = 1e-9 / (s.m * s.size**2)
    nearly = solve(replace(s.soft, C=price))
    free = Side("norm of w as the price goes to 0", nearly.norm_w, r"\|w_{C \to 0}\|")
    priced = Side("norm of w with the price C", float(np.linalg.norm(w)), r"\|w\|")
    return Outcome(
        printed=reading(
            tol, s.apart(np.zeros(len(w)), w), free, priced, words="The problem without a price finds the machine."
        ),
        repaired=reading(
            tol, max(broken, s.size * nearly.norm_w), Side("constraints broken by w = 0, slack 1", broken), free, priced
        ),
    )
