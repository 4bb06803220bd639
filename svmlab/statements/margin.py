"""M1 to M4 and M12 to M14: the margin of any line, how it is measured, and what it says about confidence."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import EPS, Array
from svmlab.core.phrase import N_, Phrase
from svmlab.statements.geometry import POSITIONS, distances, positions_by_distance, positions_by_margin, projections
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

TWO_POINTS = ((1.0, 0.0), (-1.0, 0.0))


def board_hyperplane(s: Situation) -> tuple[Array, float]:
    """Return the normal w (D,) and the offset b of the solution on the board, in feature space.

    Raises DoesNotApply where w = 0.
    """
    s.require_nonzero_w(s.board_solution.norm_w)
    return s.expand(s.board_solution.alpha), s.board_solution.b


def line_noise(s: Situation) -> float:
    """Return the round-off of <w, z> + b, where w is summed from the multipliers and b from w.

    With points far from the origin, b must cancel <w, z> for all of them, so the rounding of w counts with their norm.
    """
    lengths = np.linalg.norm(s.centred, axis=1)
    return EPS * float(s.board_solution.alpha @ lengths) * s.max_norm if s.problem.bias else 0.0


@statement(
    "M1",
    N_("Distance from the decision boundary"),
    sentence=N_(
        "The distance of a point x from the decision boundary f = 0 is |f(x)| divided by the length ‖w‖ "
        "of the normal vector."
    ),
    formula=r"\operatorname{dist}(x) = \frac{|\langle w, x\rangle + b|}{\|w\|}",
    source=(
        Source(
            "B",
            N_("geometric margin of an item"),
            "incomplete",
            quote=(
                r"the distance of a point $\overline{\mathbf{x}}$ from a hyperplane $\mathbf{w}^T\mathbf{x}=0$ is "
                r"$\frac{\mathbf{w}^T\overline{\mathbf{x}}}{||\mathbf{w}||}$"
            ),
            flaw=N_(
                "This is true on the positive side of the hyperplane. A distance is never negative, so in general the "
                "numerator needs its absolute value. The slides omit it."
            ),
            at=6,
        ),
        Source(
            "C",
            N_("Satz 1"),
            quote=r"$E_{[w,b]} = \{x \mid w^T x + b = 0\}$ den Abstand $(1/\|w\|) \cdot y^{(n)}(w^T x^{(n)} + b)$",
        ),
        Source(
            "D",
            N_("section Margine"),
            "misprint",
            quote=r"$Dist(\vec{x},(\vec{w},b))=\frac{|(\vec{w}+\vec{x})+b|}{\|\vec{w}\|}$",
            flaw=N_(
                "The numerator contains the inner product of w and x. The notes print their sum instead, and "
                "their next formula is correct."
            ),
            at=5,
        ),
        Source(
            "E",
            N_("section 2, distance formula"),
            quote=r"$distance(\mathbf{x}, b, \mathbf{w}) = \frac{|\mathbf{w}^T\mathbf{x} + b|}{||\mathbf{w}||}$",
        ),
    ),
    conditions=N_("w is not 0. With a kernel, the distance is measured in feature space."),
    tolerance=1e-8,
    page="margin",
    subject="board",
    repair=N_("The distance is the absolute value of f(x), divided by ‖w‖. Without the absolute value it has a sign."),
    witness=Witness(TWO_POINTS, (1, -1), N_("At the negative point f = −1, and its distance from the boundary is 1.")),
)
def distance(s: Situation, tol: float) -> Outcome:
    """Compare |f|/|w|, with f from kernel values, with the distance to the foot of the perpendicular."""
    w, b = board_hyperplane(s)
    f, norm, unit = s.board_solution.decision(s.X), float(np.linalg.norm(w)), s.length_unit(w)
    formula, measured = np.abs(f) / norm, distances(s.Phi, w, b)
    differences = np.abs(formula - measured) / unit
    worst = int((differences // tol).argmax())  # the first point where all agree, so that rounding does not choose one
    signed = float(np.abs(f / norm - measured).max())
    return Outcome(
        printed=reading(
            tol,
            signed / unit,
            Side("largest difference without the absolute value", signed),
            words=N_("The distance is f(x)/‖w‖, also where f is negative."),
        ),
        repaired=reading(
            tol,
            float(differences.max()),
            Side(
                "distance by the formula, point with the largest difference", float(formula[worst]), r"|f(x)| / \|w\|"
            ),
            Side("distance to the foot of the perpendicular, measured", float(measured[worst]), r"\|x - x_\perp\|"),
        ),
    )


@statement(
    "M2",
    N_("Margins under scaling of w and b"),
    sentence=N_(
        "If w and b are multiplied by a factor c > 0, every functional margin y f(x) is multiplied by c. "
        "Every geometric margin y f(x)/‖w‖ stays the same."
    ),
    formula=r"y\,(c f(x)) = c\,(y f(x)), \qquad \frac{y\,c f(x)}{\|c w\|} = \frac{y f(x)}{\|w\|} \quad (c > 0)",
    source=(
        Source(
            "B",
            N_("the step to min = 1"),
            "incomplete",
            quote=(
                r"if all parameters are scaled by any constant c, all geometric margins $\gamma_i$ between "
                r"elements and hyperplane are unchanged"
            ),
            flaw=N_(
                "Only a positive constant c leaves the geometric margins unchanged. The slides print “any "
                "constant”. A negative constant changes their signs."
            ),
            at=14,
        ),
        Source("C", N_("Bemerkung 1"), quote=r"unabhängig von $\beta > 0$"),
        Source("E", N_("section 2, scaling"), quote=r"对于$\mathbf{w}$和b进行相同尺度的放缩,超平面不变"),
    ),
    conditions=N_("w is not 0, and c > 0."),
    tolerance=1e-8,
    page="margin",
    subject="board",
    repair=N_(
        "The factor c must be positive. A negative factor exchanges the two sides, so every geometric "
        "margin changes its sign."
    ),
    witness=Witness(
        TWO_POINTS, (1, -1), N_("With c = −1 both geometric margins become −1, and both points are misclassified.")
    ),
)
def scaling(s: Situation, tol: float) -> Outcome:
    """Compare the geometric margins of (cw, cb), measured together with their side, with those of (w, b)."""
    w, b = board_hyperplane(s)
    tol = s.tolerance_above_noise(tol, line_noise(s))
    before, unit = s.board_solution.margins / np.linalg.norm(w), s.length_unit(w)

    def change(c: float) -> float:
        foot = projections(s.Phi, c * w, c * b)
        side = np.sign((s.Phi - foot) @ (c * w))
        after = s.y * side * np.linalg.norm(s.Phi - foot, axis=1)
        return float(np.abs(after - before).max())

    functional = max(
        float(np.abs(s.y * (s.Phi @ (c * w) + c * b) - c * s.board_solution.margins).max()) / max(1.0, c)
        for c in (0.25, 3.0)
    )
    sides = [Side(Phrase("largest change of a geometric margin for c = {c:g}", c=c), change(c)) for c in (0.25, 3.0)]
    flipped = Side("largest change of a geometric margin for c = −2", change(-2.0))
    largest_change = max(side.value for side in sides) / unit
    return Outcome(
        printed=reading(
            tol,
            max(largest_change, flipped.value / unit),
            *sides,
            flipped,
            words=N_("Every constant c leaves the geometric margins unchanged."),
        ),
        repaired=reading(
            tol,
            max(largest_change, functional / max(1.0, float(np.abs(s.board_solution.margins).max()))),
            *sides,
            Side("largest difference between the functional margins for c and c times those for 1", functional),
        ),
    )


@statement(
    "M3",
    N_("Functional margin and position"),
    sentence=N_(
        "The functional margin y f(x) of a point determines its position relative to the boundary and "
        "the two margin lines f = ±1. There are seven cases, from beyond its own margin line to beyond "
        "the other one."
    ),
    formula=r"y f > 1,\; = 1,\; \in (0,1),\; = 0,\; \in (-1,0),\; = -1,\; < -1",
    source=(
        Source(
            "B",
            N_("list of seven cases after the definition of active points"),
            quote=(
                r"$0 < t(\mathbf{w}^T \phi(\mathbf{x}) + w_0) < 1$ if $\phi(\mathbf{x})$ is in the region "
                r"corresponding to its class, inside the margin strip"
            ),
        ),
    ),
    conditions=N_("w is not 0."),
    tolerance=1e-6,
    page="margin",
    subject="board",
    witness=Witness(TWO_POINTS, (1, -1), N_("The negative point has f = −1, although it lies on its own margin line.")),
)
def positions(s: Situation, tol: float) -> Outcome:
    """Compare the position of each point by its distances to the three lines with its position by y f.

    The residual is how far apart the two methods put a point. In half widths of the strip, with `own` and `other` the
    distances to the margin line of the point's own class and of the other class:

        y f = (other^2 - own^2) / 4
    """
    w, b = board_hyperplane(s)
    tol = s.tolerance_above_noise(tol, line_noise(s))
    yf, case_tolerance = s.board_solution.margins, 0.1 * tol
    plus, zero, minus = (distances(s.Phi, w, b, level) for level in (1.0, 0.0, -1.0))
    own_distance, other_distance = np.where(s.y > 0, plus, minus), np.where(s.y > 0, minus, plus)
    half_width = (
        distances(projections(s.Phi[:1], w, b, 1.0), w, b, -1.0)[0] / 2
    )  # half the distance between the margin lines
    own_distance, zero, other_distance = own_distance / half_width, zero / half_width, other_distance / half_width
    measured, formula = (
        positions_by_distance(own_distance, zero, other_distance, case_tolerance),
        positions_by_margin(yf, case_tolerance),
    )
    difference = np.abs((other_distance**2 - own_distance**2) / 4 - yf)
    return Outcome(
        reading(
            tol,
            float((difference / np.maximum(1.0, np.abs(yf))).max()),
            Side("points", float(s.m)),
            Side("points with the same position by margin and by distances", float((measured == formula).sum())),
            *(
                Side(Phrase("points with {name}", name=name), float((formula == k).sum()))
                for k, name in enumerate(map(Phrase, POSITIONS))
            ),
        ),
        control=reading(
            0.0,
            float((positions_by_margin(s.y * yf, case_tolerance) != measured).sum()),
            Side(
                "points with another position by f alone",
                float((positions_by_margin(s.y * yf, case_tolerance) != measured).sum()),
            ),
            words=N_("The value of f alone determines the position, whatever the class."),
        ),
    )


@statement(
    "M4",
    N_("Geometric margin and the empty strip"),
    sentence=N_(
        "The margin γ of a separating line is the smallest geometric margin of the training points. It "
        "is half the width of the widest strip that is centred on the line and has no point inside."
    ),
    formula=r"\gamma = \min_i \gamma_i = \tfrac12\,\text{width}",
    source=(
        Source(
            "B",
            N_("interpretation of the margin of a training set"),
            "incomplete",
            quote=(
                r"a useful interpretation of $\gamma$ is as half the width of the largest strip, centered on the "
                r"hyperplane … containing none of the points"
            ),
            flaw=N_(
                "This is true for a line that separates the classes. The slides do not state this condition. For "
                "a line that misclassifies a point the margin is negative, but a width is not."
            ),
            at=10,
        ),
    ),
    conditions=N_(
        "w is not 0. The sentence is about lines that separate the classes, and the correction is about "
        "all other lines. With a kernel, the strip lies in feature space."
    ),
    tolerance=1e-8,
    page="margin",
    subject="board",
    repair=N_(
        "For a line that misclassifies a point, half the width is the smallest absolute value of a "
        "geometric margin. The margin itself is negative."
    ),
    witness=Witness(
        ((2.0, 0.0), (1.0, 1.0), (-1.5, -0.5), (-2.0, 0.0), (-1.0, 1.0), (1.5, 0.0)),
        (1, 1, 1, -1, -1, -1),
        N_("Two points lie on the wrong side, so the margin is negative. A width is never negative."),
    ),
)
def strip(s: Situation, tol: float) -> Outcome:
    """Compare half the width of the strip, the measured distance of the nearest point, with the least |y f| / |w|.

    Where no multiplier is at its bound C no point has slack. Then the line is the widest one, and with a bias the strip
    touches both classes.
    """
    w, b = board_hyperplane(s)
    gamma, distance_to_line, unit = (
        s.board_solution.margins / np.linalg.norm(w),
        distances(s.Phi, w, b),
        s.length_unit(w),
    )
    half = Side("half the width of the strip, measured", float(distance_to_line.min()), r"\tfrac12 \text{width}")
    signed = Side("smallest geometric margin", float(gamma.min()), r"\min_i \gamma_i")
    unsigned = Side("smallest absolute value of a geometric margin", float(np.abs(gamma).min()), r"\min_i |\gamma_i|")
    edges = [
        Side(Phrase("distance of the nearest {name} point", name=name), float(distance_to_line[s.y == label].min()))
        for name, label in ((N_("positive"), 1), (N_("negative"), -1))
        if (s.y == label).any()
    ]
    touches = s.problem.bias and len(edges) == 2 and not s.board_solution.at_bound.any()
    asymmetry = abs(edges[0].value - edges[1].value) if touches else 0.0
    return Outcome(
        printed=reading(
            tol,
            abs(half.value - signed.value) / unit,
            half,
            signed,
            words=N_("The margin is half the width for every line."),
        ),
        repaired=reading(tol, max(abs(half.value - unsigned.value), asymmetry) / unit, half, unsigned, *edges),
    )


@statement(
    "M12",
    N_("Correct prediction and sign of margin"),
    sentence=N_(
        "A prediction is correct if the functional margin y f(x) is positive, and wrong if it is "
        "negative. If it is 0, this depends on the class g(0) that is predicted on the boundary."
    ),
    formula=r"g(f(x)) = y \iff y f(x) > 0 \quad\text{or}\quad (f(x) = 0,\; y = +1)",
    source=(
        Source(
            "B",
            N_("binary classifiers, after the functional margin"),
            "incomplete",
            quote=r"Observe that the resulting prediction is correct iff $\overline{\gamma}_i > 0$.",
            flaw=N_(
                "A positive margin is sufficient for a correct prediction, but not necessary. The slides print "
                "“iff”, which is true only if no point lies on the boundary."
            ),
            at=4,
        ),
    ),
    conditions=N_("With a bias, both classes are present. The class predicted on the boundary is g(0) = +1."),
    tolerance=0.0,
    page="margin",
    subject="board",
    repair=N_(
        "With g(0) = +1, a positive point on the boundary is classified correctly, although its margin "
        "is 0. So a positive margin is only sufficient."
    ),
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (0.0, 0.0)),
        (1, -1, 1),
        N_("The positive point at the origin is classified correctly, although its margin is 0."),
        bias=False,
    ),
)
def right(s: Situation, tol: float) -> Outcome:
    """Compare predictions from explicit w and b with margins from kernel values, by counting points."""
    s.need_classes()
    f = s.Phi @ s.expand(s.board_solution.alpha) + s.board_solution.b
    noise = max(1e-9, s.board_solution.noise)
    predicted = np.where(f >= -noise, 1.0, -1.0) == s.y
    yf = s.board_solution.margins
    positive = yf > noise
    on_line = (np.abs(yf) <= noise) & (s.y > 0)
    count = Side("points classified correctly", float(predicted.sum()), r"g(f(x_i)) = y_i")
    strictly = Side("points with a positive margin", float(positive.sum()), r"y_i f(x_i) > 0")
    return Outcome(
        printed=reading(
            tol,
            float((predicted != positive).sum()),
            count,
            strictly,
            words=N_("A prediction is correct if and only if the margin is positive."),
        ),
        repaired=reading(
            tol,
            float((predicted != (positive | on_line)).sum()),
            count,
            strictly,
            Side("positive points on the boundary", float(on_line.sum())),
        ),
    )


# The factor c in (c w, c b), which describes the same line.
FACTOR = 3.0


def signed_distances(s: Situation, w: Array, b: float) -> Array:
    """Return the signed distance of each point from the line, shape (m,), positive on the side of its own class.

    It is the distance to the foot of the perpendicular.
    """
    foot = projections(s.Phi, w, b)
    return s.y * np.sign((s.Phi - foot) @ w) * np.linalg.norm(s.Phi - foot, axis=1)


def share_misordered(margin: Array, scaled: Array, distances: Array, noise: float) -> float:
    """Return the share of pairs (i, j) that the margins order differently from the distances.

    The margins `margin_i` and `scaled_j` belong to two scalings of (w, b). Differences up to `noise` count as 0.
    """
    by_margin, by_distance = margin[:, None] - scaled[None, :], distances[:, None] - distances[None, :]
    signs = [np.sign(np.where(np.abs(difference) <= noise, 0.0, difference)) for difference in (by_margin, by_distance)]
    return float((signs[0] != signs[1]).mean())


@statement(
    "M13",
    N_("Margin and confidence"),
    sentence=N_(
        "For one pair w and b, a larger functional margin means a larger distance on the correct side, "
        "and in this sense more confidence. For two different scalings of w and b, only the geometric "
        "margins can be compared."
    ),
    formula=(
        r"\gamma_i = \frac{y_i f(x_i)}{\|w\|} \quad\text{compares, not } y_i f(x_i): \quad f \to c f "
        r"\text{ is the same line}"
    ),
    source=(
        Source(
            "B",
            N_("after the functional margin"),
            "incomplete",
            quote=r"larger values of $\overline{\gamma}_i$ denote greater confidence on the prediction",
            flaw=N_(
                "This is true for points of the same w and b. The slides do not state this condition. If w and b "
                "are multiplied by c, the boundary stays, but the functional margins change."
            ),
            at=5,
        ),
    ),
    conditions=N_("w is not 0."),
    tolerance=1e-8,
    page="margin",
    subject="board",
    repair=N_(
        "The functional margin compares points of one pair w and b only, because c f describes the same "
        "boundary with margins c times as large. The geometric margin can always be compared. The value "
        "of f is not a probability."
    ),
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (3.0, 0.0)),
        (1, -1, 1),
        N_(
            "With c = 3 the nearest point has the functional margin 3. The farthest point had the same value "
            "with c = 1, at three times the distance."
        ),
    ),
)
def confidence(s: Situation, tol: float) -> Outcome:
    """Compare each point's margin under (w, b) with every other point's margin under (3w, 3b).

    The pairs are ordered by y f, by y f / |w|, and by the measured distance.
    """
    w, b = board_hyperplane(s)
    tol = s.tolerance_above_noise(tol, line_noise(s))
    yf, distances = s.board_solution.margins, signed_distances(s, w, b)
    yf_scaled, distances_scaled = s.y * (s.Phi @ (FACTOR * w) + FACTOR * b), signed_distances(s, FACTOR * w, FACTOR * b)
    noise = max(1e-6 * float(np.abs(yf).max()), line_noise(s))
    distance_noise = 1e-6 * float(np.abs(distances).max())
    functional = share_misordered(yf, yf_scaled, distances, noise)
    norm, unit = float(np.linalg.norm(w)), s.length_unit(w)
    change = float(np.abs(distances_scaled - yf / norm).max())
    largest_f = float(np.abs(s.Phi @ w + b).max())
    misordered = Side(
        Phrase("proportion of pairs that y f orders differently from the distances, for c = 1 and c = {c:g}", c=FACTOR),
        functional,
    )
    return Outcome(
        printed=reading(
            tol,
            functional,
            misordered,
            words=N_("A larger functional margin means greater confidence, whatever the scaling."),
        ),
        repaired=reading(
            tol,
            max(change / unit, share_misordered(yf / norm, distances_scaled, distances, distance_noise)),
            Side(
                "proportion of pairs that the geometric margins order differently",
                share_misordered(yf / norm, distances_scaled, distances, distance_noise),
            ),
            Side(
                "proportion of pairs that y f orders differently, for the same c",
                share_misordered(yf, yf, distances, noise),
            ),
            Side("largest change of a geometric margin", change),
        ),
        control=reading(
            tol,
            max(0.0, largest_f - 1.0),
            Side("largest absolute value of f", largest_f, r"\max_i |f(x_i)|"),
            words=N_("The value of f is a probability, so it is at most 1."),
        ),
    )


@statement(
    "M14",
    N_("w is orthogonal to the boundary"),
    sentence=N_(
        "The vector w is orthogonal to every direction within the decision boundary. So f stays the same along the "
        "boundary, and the shortest way from a point to it is parallel to w. A step of length 1 along w increases f by "
        "‖w‖."
    ),
    formula=(
        r"f(u) = f(v) = 0 \;\Longrightarrow\; \langle w,\, u - v\rangle = 0, \qquad "
        r"f(u) - f(v) = \langle w,\, u - v\rangle"
    ),
    source=(
        Source(
            "C",
            N_("Satz 1, proof"),
            quote=(
                r"Die Gerade $G_w = \{x \mid x = \alpha w, \alpha \in \mathbf{R}\}$ ist orthogonal zur Trennebene "
                r"$E_{[w,b]} = \{x \mid w^T x + b = 0\}$."
            ),
        ),
    ),
    conditions=N_(
        "w is not 0, and the boundary passes between at least two pairs of points. With a kernel, directions and "
        "angles are those of feature space."
    ),
    tolerance=1e-7,
    page="margin",
    subject="board",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (2.0, 2.0)),
        (1, -1, 1),
        N_("From (1, 0) to (2, 2) the direction is not orthogonal to w, because f is larger at (2, 2)."),
    ),
)
def orthogonality(s: Situation, tol: float) -> Outcome:
    """Find points of the boundary between pairs of points, from f alone, and compare their differences with w.

    f comes from kernel values, and is linear along a segment of feature space. w comes from the multipliers.
    """
    w, _b = board_hyperplane(s)
    f = s.board_solution.decision(s.X)
    plus, minus = np.flatnonzero(f > 0), np.flatnonzero(f < 0)
    if not len(plus) or not len(minus) or len(plus) + len(minus) < 3:
        raise DoesNotApply(
            "The boundary must pass between at least two pairs of points. Add points, or move some of them to the "
            "other side of the boundary."
        )
    i, j = plus[f[plus].argmax()], minus[f[minus].argmin()]
    pairs = [(int(k), int(j)) for k in plus] + [(int(i), int(k)) for k in minus if k != j]
    parts = np.array([f[k] / (f[k] - f[l]) for k, l in pairs])
    first, second = s.Phi[[k for k, _ in pairs]], s.Phi[[l for _, l in pairs]]
    on_boundary = first + parts[:, None] * (second - first)
    within = on_boundary[1:] - on_boundary[0]
    norm, unit = float(np.linalg.norm(w)), s.length_unit(w)
    along, across = within @ w / norm, (s.Phi[i] - s.Phi[j]) @ w / norm
    farthest = int(np.linalg.norm(within, axis=1).argmax())
    slope_error = float(np.abs((f - f[i]) / norm - (s.Phi - s.Phi[i]) @ w / norm).max())
    apart = float(np.abs((s.Phi - s.Phi[i]) @ w).max()) / norm
    return Outcome(
        reading(
            tol,
            max(float(np.abs(along).max()), slope_error) / unit,
            Side("distance between two points of the boundary", float(np.linalg.norm(within[farthest])), r"\|u - v\|"),
            Side(
                "their distance in the direction of w", float(abs(along[farthest])), r"|\langle w, u - v\rangle|/\|w\|"
            ),
            Side("distance of two training points in the direction of w", abs(float(across))),
        ),
        control=reading(
            tol,
            apart / unit,
            Side("largest distance of two training points in the direction of w", apart),
            words=N_("The vector w is orthogonal to the difference of any two training points."),
        ),
    )
