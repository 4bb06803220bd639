"""S10 to S17: what C trades, what slack measures, and what must not be compared."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from svmlab.arrays import Array
from svmlab.data import Dataset
from svmlab.problem import Problem
from svmlab.solution import Solution
from svmlab.solve import solve
from svmlab.solvers import program
from svmlab.statements.duality import SEPARATED
from svmlab.statements.geometry import best_offset, distances
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.soft import CLASSES, SIGNS, SOME
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement


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
    sentence="On separable points the soft margin is the hard margin from a finite C on: the smallest possible largest multiplier.",
    formula=r"C \ge C_0 = \min_{\alpha^*} \max_i \alpha^*_i \;\Longrightarrow\; w_C = w_\infty",
    source={"project": "consequence of the two duals (H2, S1)"},
    conditions=SEPARATED,
    tolerance=1e-6,
    page="soft",
)
def hardening(s: Situation, tol: float) -> Outcome:
    """C0 by a linear program over the dual optima; the exact soft machine just above it and below it."""
    hard, C0 = s.hard_solution, threshold(s)
    above = solve(replace(s.problem, C=C0 * (1 + 1e-5)), start=hard)
    below = solve(replace(s.problem, C=C0 * 0.9), start=hard)
    w, norm = s.hard_primal.w, hard.norm_w
    missing = 0.5 * norm**2 - below.objective  # > 0 exactly where the hard margin is not optimal
    return Outcome(
        reading(
            tol,
            max(s.apart(s.expand(above.alpha), w), float(above.xi.sum()) / s.m, float(missing <= tol * norm**2)),
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
)
def along(s: Situation, tol: float) -> Outcome:
    """Machines at eleven C from 0.01 to 1000, and three close ones beside every fourth: the middle must be the mean."""
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
    "S12",
    "Slack and distance",
    sentence="The distance of a violating point from its own margin line is its slack divided by the norm of w.",
    formula=r"\operatorname{dist}\bigl(x_i, \{f = y_i\}\bigr) = \frac{\xi_i}{\|w\|}",
    source={"D": "section Soft SVM, meaning of xi"},
    conditions=CLASSES + " w is not 0, and some point has slack.",
    tolerance=1e-6,
    page="soft",
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
    "S13",
    "Two views of one trade",
    sentence="Least norm at a given mean hinge loss and least loss within a given norm trace the same machines, one for each C.",
    formula=r"w_C = \arg\min\{E_{\text{in}}(w) : \|w\| \le \|w_C\|\}, \qquad E_{\text{in}} = \frac1m\sum_i \max(0, 1 - y_i f(x_i))",
    source={"E": "section 4, table of regularisation and SVM"},
    conditions=CLASSES + " E_in is the mean hinge loss.",
    tolerance=1e-7,
    page="soft",
)
def two_views(s: Situation, tol: float) -> Outcome:
    """No machine of the path, and no other w of the same norm with its best b, has a smaller loss than the machine at its C."""
    loss = np.array([e.xi.sum() for e in s.path])
    half = np.array([0.5 * e.norm_w**2 for e in s.path])
    C = np.array([e.problem.C for e in s.path])
    value = half[:, None] + C[:, None] * loss[None, :] * 0.0
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
            tol, 0.9 * s.size * last.norm_w, small,
            Side("norm of w", last.norm_w, r"\|w\|"), Side("norm of w / 10, with as few errors", last.norm_w / 10),
            words="With the 0/1 error in place of the hinge: there w can be shortened for nothing, and no shortest exists.",
        ),
    )  # fmt: skip


def least_loss(s: Situation, v: Array) -> float:
    """Sum of the hinge losses of v with its best offset."""
    g = s.Phi @ v
    return best_offset(g, s.y)[2] if s.problem.bias else float(np.maximum(0.0, 1.0 - s.y * g).sum())


@statement(
    "S14",
    "The hinge is Lipschitz",
    sentence="As a function of w the hinge loss changes by at most the length of the longest point times the change of w.",
    formula=r"|\ell(u; x_i) - \ell(v; x_i)| \le X\,\|u - v\|, \qquad X = \max_i \|x_i\|",
    source={"D": "section Soft SVM, end"},
    conditions="There is a point. X is taken in feature space.",
    tolerance=1e-9,
    page="soft",
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
    witness=Witness(SOME, SIGNS, "Three different w at one C."),
)
def biases(s: Situation, tol: float) -> Outcome:
    """Each form solved by itself at one C; then each machine is put into the other's objective."""
    free, none = (s, s.other) if s.problem.bias else (s.other, s)
    f, n, C = free.soft_primal, none.soft_primal, s.soft.C
    augmented = Dataset(np.hstack([s.Phi, np.ones((s.m, 1))]), s.y)
    q = s.primal(Problem(augmented, C=C, bias=False))
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
    repair="The slack needs a price; D says so next and adds the mean slack to the objective.",
    witness=Witness(((1.0, 0.0), (-1.0, 0.0)), (1, -1), "With a price w = (1, 0); without one w = 0."),
)
def unpriced(s: Situation, tol: float) -> Outcome:
    """The point (0, 1) put into the constraints; the optimum as the price goes to 0; and the optimum with a price."""
    w = s.soft_primal.w
    s.need_line(s.soft_solution.norm_w)
    broken = float(np.maximum(0.0, 1.0 - 1.0 - s.y * (s.Phi @ np.zeros(len(w)))).max())
    price = 1e-9 / (s.m * s.size**2)
    nearly: Solution = solve(replace(s.soft, C=price))
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


TRADEOFF = (hardening, along, slack_distance, two_views, lipschitz, errors, biases, unpriced)
