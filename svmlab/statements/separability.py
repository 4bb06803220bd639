"""M8, M9 and M10: the perceptron, perturbations of the points, and the decision whether a line separates."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from svmlab.binary.separability import hyperplane_of
from svmlab.core.phrase import N_, Phrase
from svmlab.firstorder.perceptron import augmented, perceptron, radius_and_margin
from svmlab.statements.geometry import widest_margins
from svmlab.statements.largest_margin import rival_normals
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Reading, Side, Source, Witness, reading, statement
from svmlab.statements.values import rounding

SEPARABLE = N_("The classes are separable. With a bias, both classes are present.")
MAX_MISTAKES = 3000  # a run of the perceptron is stopped after this many mistakes
ORDERS = 4
# the perceptron makes two mistakes here, as many as the bound allows
TIGHT = (np.array([[1.0, 0.0], [-1.0, 0.0]]), np.array([1.0, -1.0]))
RELATIVE_STEP = 1e-5  # relative distance below and above the margin by which points are moved


@statement(
    "M8",
    N_("Perceptron and Novikoff's bound"),
    sentence=N_(
        "On separable points the perceptron stops after at most (R/γ₁)² mistakes. Its line can depend on "
        "the order of the points, and its margin is at most the largest margin γ*."
    ),
    formula=r"\text{mistakes} \le \left(\frac{R}{\gamma_1}\right)^2, \qquad \gamma(w, b) \le \gamma^*",
    source=(
        Source(
            "B",
            N_("0/1 loss, the separable case"),
            quote="in this case a simple Perceptron is guaranteed to find the optimal solution",
        ),
        Source("E", N_("section 1, comparison with PLA"), quote="PLA或pocket算法可能回传其中任何一条直线"),
    ),
    conditions=N_(
        "The classes are separable. With a bias, both classes are present, and every point gets a "
        "further coordinate 1. R is the radius, which is the largest norm, and γ₁ is the largest margin "
        "of these extended points."
    ),
    tolerance=1e-7,
    page="margin",
    subject="hard",
    witness=Witness(
        ((0.3, 0.0), (0.1, 0.0)),
        (1, -1),
        N_("Without the coordinate 1, the bound is 9 mistakes. The perceptron needs more mistakes than that."),
    ),
)
def perceptron_stops(s: Situation, tol: float) -> Outcome:
    """Compare the mistakes of runs in several orders, each from w = 0, with the bound (R/gamma*)^2.

    R and gamma* are those of the points with a 1 appended. On TIGHT the number of mistakes equals the bound.
    """
    s.need_separable()
    bias = s.problem.bias
    Z = augmented(s.Phi) if bias else s.Phi
    R, gamma = radius_and_margin(Z, s.y)
    bound = (R / gamma) ** 2
    widest = 1.0 / s.hard_solution.norm_w
    rng = np.random.Generator(np.random.Philox(s.m))
    most, best, misclassified = 0, -math.inf, 0
    for _ in range(ORDERS):
        run = perceptron(Z, s.y, rng.permutation(s.m), MAX_MISTAKES)
        w, mistakes = run.w, run.mistakes
        if mistakes >= MAX_MISTAKES and mistakes <= bound:
            raise DoesNotApply(
                "The margin is so narrow that the bound allows {bound:.3g} mistakes, but a run stops here after "
                "{most}. Move the classes further apart.",
                bound=bound,
                most=MAX_MISTAKES,
            )
        normal = w[:-1] if bias else w
        length = float(np.linalg.norm(normal))
        offset = float(w[-1]) if bias else 0.0
        yf = s.y * (s.Phi @ normal + offset)
        misclassified += int((yf < -rounding(s.Phi, normal, offset)).sum()) + (not w.any())
        if length > 0:
            best = max(best, float(yf.min()) / length)
        most = max(most, mistakes)
    bound_without_1 = (s.max_norm / widest) ** 2
    most_mistakes = Side(Phrase("largest number of mistakes in {orders} orders", orders=ORDERS), float(most))
    tight_points, tight_labels = augmented(TIGHT[0]), TIGHT[1]
    tight_R, tight_gamma = radius_and_margin(tight_points, tight_labels)
    tight, allowed = (
        perceptron(tight_points, tight_labels, np.arange(2), MAX_MISTAKES).mistakes,
        (tight_R / tight_gamma) ** 2,
    )
    excess = max(0.0, float(misclassified), most / bound - 1.0, best / widest - 1.0, abs(tight / allowed - 1.0))
    return Outcome(
        reading(
            tol,
            excess,
            most_mistakes,
            Side("Novikoff's bound", bound, r"(R/\gamma_1)^2"),
            Side("mistakes on (1, 0) and (−1, 0)", float(tight)),
            Side("Novikoff's bound for these two points", allowed),
            Side("largest margin of a perceptron's line", best),
            Side("largest margin", widest, r"\gamma^*"),
        ),
        control=reading(
            tol,
            max(0.0, most / bound_without_1 - 1.0),
            most_mistakes,
            Side("bound without the coordinate 1", bound_without_1),
            words=N_("The bound also holds with R and margin of the points without the coordinate 1."),
        )
        if bias
        else None,
    )


@statement(
    "M9",
    N_("Robustness of the largest margin"),
    sentence=N_(
        "If every point moves by less than γ*, the line with the largest margin γ* still classifies all "
        "of them correctly. Every other line tolerates only smaller moves."
    ),
    formula=r"\|\delta_i\| < \gamma^* \;\Rightarrow\; y_i f(x_i + \delta_i) > 0",
    source=(
        Source(
            "D",
            N_("section Hard SVM, robustness"),
            quote="un ampio margine garantisce una maggiore robustezza rispetto a queste perturbazioni",
        ),
        Source(
            "E",
            N_("section 1, larger distance to the nearest point"),
            quote="如果样本点离分离超平面越远,那么就意味着能够容忍更大的上述杂讯",
        ),
    ),
    conditions=N_(
        "The classes are separable. With a bias, both classes are present. Without one, only lines "
        "through the origin are compared. The line stays fixed while the points move, in feature space."
    ),
    tolerance=1e-6,
    page="margin",
    subject="hard",
    witness=Witness(
        ((1.0, 0.0), (1.0, 3.0), (-1.0, 0.0), (-1.0, -1.0)),
        (1, 1, -1, -1),
        N_("Tilted lines also separate the classes, but they tolerate only smaller moves."),
        C=math.inf,
    ),
)
def robust(s: Situation, tol: float) -> Outcome:
    """Move every point towards the line by slightly less and by slightly more than the margin of the dual.

    The perturbations that other lines tolerate are compared with it.
    """
    p, gamma = s.hard_primal, 1.0 / s.hard_solution.norm_w
    u = p.w / np.linalg.norm(p.w)

    def flips(part: float) -> int:
        pushed = s.Phi - part * gamma * s.y[:, None] * u
        return int((s.y * (pushed @ p.w + p.b) <= 0).sum())

    under, over = flips(1 - RELATIVE_STEP), flips(1 + RELATIVE_STEP)
    U = rival_normals(s, p.w)
    rival_margins = widest_margins(s.Phi, s.y, U, s.problem.bias)
    other, smallest_margin = float(rival_margins.max()), float(rival_margins[rival_margins > 0].min(initial=math.inf))
    return Outcome(
        reading(
            tol,
            max(float(under), float(over == 0), other / gamma - 1.0),
            Side(Phrase("points that change side after a move by {part} of the margin", part="1 − 10⁻⁵"), float(under)),
            Side(Phrase("points that change side after a move by {part} of the margin", part="1 + 10⁻⁵"), float(over)),
            Side("largest margin, from the dual", gamma, r"\gamma^*"),
            Side(Phrase("largest margin of {lines} other lines", lines=len(U)), other),
        ),
        control=reading(
            tol,
            1.0 - smallest_margin / gamma,
            Side("smallest margin of a separating line", smallest_margin),
            Side("largest margin, from the dual", gamma, r"\gamma^*"),
            words=N_("Every separating line tolerates moves of the same length."),
        ),
    )


@statement(
    "M10",
    N_("Linear separability and convex hulls"),
    sentence=N_(
        "Exactly one of two cases is true. Either some w and b separate the classes, or the convex hulls "
        "of the two classes share a point. A system of linear inequalities decides which."
    ),
    formula=(
        r"\exists (w,b): y_i f(x_i) > 0 \;\;\text{or}\;\; \sum_{+} v_i x_i = \sum_{-} v_i x_i,\; v \ge "
        r"0,\; \sum_{+} v_i = \sum_{-} v_i = 1"
    ),
    source=(
        Source(
            "C",
            N_("Definition 1"),
            quote=(
                r"ist linear trennbar, wenn mindestens ein Wertepaar $[w, b] \in \mathbf{R}^{(d+1)}$ existiert "
                r"mit $\text{sgn}(w^T x^{(n)} + b) = y^{(n)}$ für alle $n$"
            ),
        ),
        Source(
            "D",
            N_("section Hard SVM, the linear form"),
            quote="qualsiasi iperpiano è accettabile. Questo è un problema lineare",
        ),
    ),
    conditions=N_(
        "The kernel has a feature space. Without a bias, the line passes through the origin, and the "
        "second case is that 0 lies in the convex hull of the points yᵢxᵢ."
    ),
    tolerance=1e-6,
    page="margin",
    subject="points",
    witness=Witness(
        ((1.0, 0.0), (3.0, 2.0), (0.0, 1.0), (2.0, 3.0)),
        (1, 1, -1, -1),
        N_("Neither x₁ nor x₂ alone separates the classes, but a diagonal line does."),
        C=math.inf,
    ),
)
def decidable(s: Situation, tol: float) -> Outcome:
    """Check the exact certificate in the condition that it must fulfil, and compare it with a linear program."""
    separation = s.separation
    lp_margin = 0.0 if s.large else s.largest_lp_margin
    lp_side = (
        ()
        if s.large
        else (Side("largest margin that a linear program finds, with components of at most 1", lp_margin, r"\max t"),)
    )
    if separation.separable:
        length, smallest_margin = certificate_margin(s)
        smallest_margin /= length
        if -1e-12 * s.max_norm < smallest_margin <= 0:
            raise DoesNotApply(
                "The classes are separable, but the margin is so narrow that no line in double precision shows "
                "it. Move the classes further apart."
            )
        side = Side("smallest functional margin of the line in the proof", smallest_margin, r"\min_i y_i f(x_i)")
        return Outcome(
            reading(
                tol,
                max(-smallest_margin / s.max_norm, -lp_margin, float(smallest_margin <= 0)),
                side,
                *lp_side,
                words=N_("Some w and b separate the classes."),
            ),
            control=single_coordinates(s, smallest_margin),
        )
    difference, sum_error = common_point_distance(s)
    return Outcome(
        reading(
            tol,
            max(difference / s.max_norm, abs(sum_error), lp_margin),
            Side("distance between the two convex combinations", difference, r"\|\sum_i v_i y_i x_i\|"),
            Side("error of the sums of the weights", abs(sum_error)),
            Side("points with a positive weight", float(len(separation.witness))),
            *lp_side,
            words=N_("The convex hulls share a point."),
        )
    )


def single_coordinates(s: Situation, smallest_margin: float) -> Reading | None:
    """Return whether a single coordinate separates the classes as well, where a line separates them.

    None where there is a bias and only one class.
    """
    if s.problem.bias and not s.problem.data.both_classes:
        return None
    E = np.eye(s.Phi.shape[1])
    best = float(widest_margins(s.Phi, s.y, np.vstack([E, -E]), s.problem.bias).max())
    return reading(
        0.0,
        smallest_margin if best <= 0 else 0.0,
        Side("largest margin of a single coordinate", best),
        Side("smallest functional margin of the line in the proof", smallest_margin),
        words=N_("If no single coordinate separates the classes, no line does."),
    )


def certificate_margin(s: Situation) -> tuple[float, float]:
    """Return the length of the certificate's (w, b / X) and its least margin.

    The least margin is computed in exact fractions where the line is given. An exact line may pass a point so closely
    that in floating point it touches the point.
    """
    if s.problem.bias and not s.problem.data.both_classes:
        return 1.0, s.max_norm
    if not s.problem.kernel.is_linear:
        p = s.hard_primal
        return float(np.hypot(np.linalg.norm(p.w), p.b / s.max_norm)), float((s.y * (s.Phi @ p.w + p.b)).min())
    normal, offset = hyperplane_of(s.separation)
    w, b = [Fraction(v) for v in normal], Fraction(offset)
    rows = zip(s.X.tolist(), s.y.astype(int).tolist(), strict=True)
    smallest_margin = min(label * (sum(p * Fraction(v) for p, v in zip(w, x, strict=True)) + b) for x, label in rows)
    return float(np.hypot(np.linalg.norm(normal), offset / s.max_norm)), float(smallest_margin)


def common_point_distance(s: Situation) -> tuple[float, float]:
    """Return |sum v_i y_i phi_i| for a certificate of non-separability, and how far v is from convex weights.

    The weights of each class must be at least 0 and sum to 1; without a bias all weights together.
    """
    v = s.separation.weights
    assert v is not None
    sums = [v[s.y > 0].sum(), v[s.y < 0].sum()] if s.problem.bias else [v.sum()]
    distance = float(np.linalg.norm((v * s.y) @ s.Phi))
    return distance, float(max(*(abs(t - 1.0) for t in sums), -v.min()))
