"""M8, M9, M10: the perceptron, perturbations, and deciding whether there is a line at all."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from svmlab.perceptron import augmented, perceptron, radius_and_margin
from svmlab.statements.geometry import reach
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement
from svmlab.statements.widest import rivals

MOST = 3000  # mistakes after which a run is given up
ORDERS = 4


@statement(
    "M8",
    "The perceptron stops",
    sentence="On separable points the perceptron stops; its line may differ with the order of the points, none is wider than the largest margin, and the mistakes are at most the square of the radius over that margin.",
    formula=r"\text{mistakes} \le \left(\frac{R}{\gamma^*}\right)^2, \qquad \gamma(w, b) \le \gamma^*",
    source={"B": "0/1 loss, the separable case", "E": "section 1, comparison with PLA"},
    conditions="The classes are separable; R and the margin both belong to the points with a 1 appended (the perceptron's bias is a coordinate).",
    tolerance=1e-7,
    page="margin",
    machine="hard",
    witness=Witness(
        ((0.3, 0.0), (0.1, 0.0)),
        (1, -1),
        "The points as they are allow 9 mistakes; with the 1 appended more are needed.",
    ),
)
def stops(s: Situation, tol: float) -> Outcome:
    """Runs in several orders, each from 0, against R and gamma* of the points with a 1 appended."""
    s.need_separable()
    bias = s.problem.bias
    Z = augmented(s.Phi) if bias else s.Phi
    R, gamma = radius_and_margin(Z, s.y)
    bound = (R / gamma) ** 2
    widest = 1.0 / s.hard_solution.norm_w
    rng = np.random.Generator(np.random.Philox(s.m))
    most, best = 0, -math.inf
    for _ in range(ORDERS):
        run = perceptron(Z, s.y, rng.permutation(s.m), MOST)
        w, mistakes = run.w, run.mistakes
        if mistakes >= MOST and mistakes <= bound:
            raise DoesNotApply(
                f"The margin is so narrow that the bound allows {bound:.3g} mistakes; runs end here at {MOST}. "
                "Move the classes further apart."
            )
        normal = w[:-1] if bias else w
        length = float(np.linalg.norm(normal))
        if length > 0:
            best = max(best, float((s.y * (s.Phi @ normal + (w[-1] if bias else 0.0))).min()) / length)
        most = max(most, mistakes)
    plain = (s.size / widest) ** 2
    mistakes_ = Side(f"most mistakes in {ORDERS} orders", float(most))
    excess = max(0.0, most / bound - 1.0, best / widest - 1.0)
    return Outcome(
        reading(
            tol,
            excess,
            mistakes_,
            Side("bound", bound, r"(R/\gamma^*)^2"),
            Side("widest margin a run found", best),
            Side("largest margin", widest, r"\gamma^*"),
        ),
        control=reading(
            tol,
            max(0.0, most / plain - 1.0),
            mistakes_,
            Side("bound with R and margin of the points as they are", plain),
            words="The same bound without the appended 1.",
        )
        if bias
        else None,
    )


@statement(
    "M9",
    "Tolerance to noise",
    sentence="The line of largest margin tolerates every shift of the points that is shorter than the margin, and no other line tolerates more.",
    formula=r"\|\delta_i\| < \gamma^* \;\Rightarrow\; y_i f(x_i + \delta_i) > 0",
    source={"D": "section Hard SVM, robustness", "E": "section 1, larger distance to the nearest point"},
    conditions="The classes are separable, and with a bias both are present; the line stays while the points move (in feature space).",
    tolerance=1e-6,
    page="margin",
    machine="hard",
)
def robust(s: Situation, tol: float) -> Outcome:
    """Every point pushed at the line by 0.999 and by 1.001 of the dual's margin; and the tolerance of other lines."""
    p, gamma = s.hard_primal, 1.0 / s.hard_solution.norm_w
    u = p.w / np.linalg.norm(p.w)

    def flips(part: float) -> int:
        pushed = s.Phi - part * gamma * s.y[:, None] * u
        return int((s.y * (pushed @ p.w + p.b) <= 0).sum())

    under, over = flips(0.999), flips(1.001)
    U = rivals(s, p.w)
    other = float(reach(s.Phi, s.y, U, s.problem.bias).max())
    return Outcome(
        reading(
            tol,
            max(float(under), float(over == 0), other / gamma - 1.0),
            Side("points that flip at 0.999 of the margin", float(under)),
            Side("points that flip at 1.001 of the margin", float(over)),
            Side("margin from the dual", gamma, r"\gamma^*"),
            Side(f"most that {len(U)} other lines tolerate", other),
        )
    )


@statement(
    "M10",
    "Separable or not",
    sentence="Whether a separating line exists is a system of linear inequalities: either a line solves it, or the hulls of the classes share a point.",
    formula=r"\exists (w,b): y_i f(x_i) > 0 \;\;\text{or}\;\; \sum_{+} v_i x_i = \sum_{-} v_i x_i,\; v \ge 0,\; \sum_{+} v_i = \sum_{-} v_i = 1",
    source={"C": "Definition 1", "D": "section Hard SVM, the linear form"},
    conditions="The kernel has a feature space. Without a bias: a line through the origin, or 0 in the hull of the points times their labels.",
    tolerance=1e-6,
    page="margin",
    machine="points",
)
def decidable(s: Situation, tol: float) -> Outcome:
    """The exact certificate, put into its own condition, and a linear program's opinion."""
    found = s.separation
    t = 0.0 if s.large else s.feasibility
    opinion = () if s.large else (Side("largest margin a linear program finds (box of size 1)", t, r"\max t"),)
    if found.separable:
        length, least = margin_of(s)
        least /= length
        if -1e-12 * s.size < least <= 0:
            raise DoesNotApply(
                "The classes are separable by a margin so narrow that no line written in floats shows it. "
                "Move them further apart."
            )
        side = Side("smallest margin of the certificate's line", least, r"\min_i y_i f(x_i)")
        return Outcome(reading(tol, max(-least / s.size, -t, float(least <= 0)), side, *opinion, words="Separable."))
    off, total = common(s)
    return Outcome(
        reading(
            tol,
            max(off / s.size, abs(total), t),
            Side("way between the two combinations", off, r"\|\sum_i v_i y_i x_i\|"),
            Side("how far the weights miss their sums", abs(total)),
            Side("points that make the common point", float(len(found.witness))),
            *opinion,
            words="Not separable.",
        )
    )


def margin_of(s: Situation) -> tuple[float, float]:
    """The length of the certificate's (w, b / X), and its smallest margin, in exact fractions where the line is given.

    (An exact line may pass a point so closely that floats see it touch.)
    """
    found = s.separation
    if s.problem.bias and not s.problem.data.both_classes:
        return 1.0, s.size
    if found.w is None:
        p = s.hard_primal
        return float(np.hypot(np.linalg.norm(p.w), p.b / s.size)), float((s.y * (s.Phi @ p.w + p.b)).min())
    w, b = [Fraction(v) for v in found.w], Fraction(found.b or 0.0)
    rows = zip(s.X.tolist(), s.y.astype(int).tolist(), strict=True)
    least = min(label * (sum(p * Fraction(v) for p, v in zip(w, x, strict=True)) + b) for x, label in rows)
    return float(np.hypot(np.linalg.norm(found.w), (found.b or 0.0) / s.size)), float(least)


def common(s: Situation) -> tuple[float, float]:
    """For a certificate of non-separability: |sum v_i y_i phi_i|, and how far v misses being convex in each class."""
    v = s.separation.weights
    assert v is not None
    sums = [v[s.y > 0].sum(), v[s.y < 0].sum()] if s.problem.bias else [v.sum()]
    off = float(np.linalg.norm((v * s.y) @ s.Phi))
    return off, float(max(*(abs(t - 1.0) for t in sums), -v.min()))
