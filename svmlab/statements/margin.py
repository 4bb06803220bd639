"""M1 to M4 and M12: what a margin is for any line, and how it is measured."""

from __future__ import annotations

import numpy as np

from svmlab.arrays import Array, Index
from svmlab.statements.geometry import distances, feet
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Witness, reading, statement

TWO = ((1.0, 0.0), (-1.0, 0.0))


PLACES = ("yf > 1", "yf = 1", "0 < yf < 1", "yf = 0", "−1 < yf < 0", "yf = −1", "yf < −1")


def places_by_margin(yf: Array, fine: float) -> Index:
    """Which of PLACES each functional margin belongs to, shape (m,); within `fine` of a border counts as on it."""
    on = [np.abs(yf - 1) <= fine, np.abs(yf) <= fine, np.abs(yf + 1) <= fine]
    return np.asarray(np.select([*on, yf > 1, yf > 0, yf > -1], [1, 3, 5, 0, 2, 4], 6))


def places_by_distance(own: Array, zero: Array, other: Array, fine: float) -> Index:
    """The same from the distances to one's own margin line, the boundary and the other, in half widths of the street."""
    right = own < other
    on = [own <= fine, zero <= fine, other <= fine]
    return np.asarray(np.select([*on, right & (zero > 1), right, zero < 1], [1, 3, 5, 0, 2, 4], 6))


def line(s: Situation) -> tuple[Array, float]:
    """The normal and offset of the machine on the board, in feature space; DoesNotApply where w = 0."""
    s.need_line(s.own.norm_w)
    return s.expand(s.own.alpha), s.own.b


@statement(
    "M1",
    "Distance to the line",
    sentence="The distance of a point from the line is the absolute value of f there, divided by the length of w.",
    formula=r"\operatorname{dist}(x) = \frac{|\langle w, x\rangle + b|}{\|w\|}",
    source={
        "B": "geometric margin of an item",
        "C": "Satz 1",
        "D": "section Margine",
        "E": "section 2, distance formula",
    },
    conditions="w is not 0.",
    tolerance=1e-8,
    page="margin",
    machine="board",
)
def distance(s: Situation, tol: float) -> Outcome:
    """|f|/|w| from kernel values against the way to the foot of the perpendicular."""
    w, b = line(s)
    f = s.own.decision(s.X)
    formula, measured = np.abs(f) / s.own.norm_w, distances(s.Phi, w, b)
    worst = int(np.abs(formula - measured).argmax())
    signed = float(np.abs(f / s.own.norm_w - measured).max())
    return Outcome(
        reading(
            tol,
            float(np.abs(formula - measured).max()) / s.size,
            Side("by the formula, worst point", float(formula[worst]), r"|f(x)| / \|w\|"),
            Side("measured to the foot", float(measured[worst]), r"\|x - x_\perp\|"),
        ),
        control=reading(
            tol,
            signed / s.size,
            Side("without the absolute value, largest error", signed),
            words="A distance may be negative.",
        ),
    )


@statement(
    "M2",
    "Scaling w and b",
    sentence="Multiplying w and b by one positive number multiplies every functional margin by it and moves no geometric margin.",
    formula=r"y\,(c f(x)) = c\,(y f(x)), \qquad \frac{y\,c f(x)}{\|c w\|} = \frac{y f(x)}{\|w\|} \quad (c > 0)",
    source={
        "B": "invariance of the geometric margin, and the step to min = 1",
        "C": "Bemerkung 1",
        "E": "section 2, scaling",
    },
    conditions="w is not 0, and c > 0.",
    tolerance=1e-8,
    page="margin",
    machine="board",
    repair="The factor must be positive: a negative one turns the sides round, and every geometric margin changes its sign.",
    witness=Witness(TWO, (1, -1), "With c = -1 both margins become -1, and both points count as wrong."),
)
def scaling(s: Situation, tol: float) -> Outcome:
    """The geometric margins of (cw, cb), measured with their sides, against those of (w, b)."""
    w, b = line(s)
    before = s.own.margins / s.own.norm_w

    def change(c: float) -> float:
        foot = feet(s.Phi, c * w, c * b)
        side = np.sign((s.Phi - foot) @ (c * w))
        after = s.y * side * np.linalg.norm(s.Phi - foot, axis=1)
        return float(np.abs(after - before).max())

    functional = max(
        float(np.abs(s.y * (s.Phi @ (c * w) + c * b) - c * s.own.margins).max()) / max(1.0, c) for c in (0.25, 3.0)
    )
    sides = [Side(f"change of a geometric margin at c = {c:g}", change(c), r"\gamma_i") for c in (0.25, 3.0)]
    flipped = Side("change of a geometric margin at c = −2", change(-2.0), r"\gamma_i")
    moved = max(side.value for side in sides) / s.size
    return Outcome(
        printed=reading(tol, max(moved, flipped.value / s.size), *sides, flipped, words="Any constant c will do."),
        repaired=reading(
            tol,
            max(moved, functional / max(1.0, float(np.abs(s.own.margins).max()))),
            *sides,
            Side("functional margins at c against c times theirs", functional),
        ),
    )


@statement(
    "M3",
    "Seven positions",
    sentence="The functional margin of a point says where it stands: beyond its margin line, on it, inside the strip on its own side, on the boundary, and so on through to beyond the other margin line.",
    formula=r"y f > 1,\; = 1,\; \in (0,1),\; = 0,\; \in (-1,0),\; = -1,\; < -1",
    source={"B": "list of seven cases after the definition of active points"},
    conditions="w is not 0.",
    tolerance=1e-6,
    page="margin",
    machine="board",
)
def positions(s: Situation, tol: float) -> Outcome:
    """The case by distances to the three lines alone, against the case by y f; the residual is y f's way to the case."""
    w, b = line(s)
    yf, fine = s.own.margins, 0.1 * tol
    plus, zero, minus = (distances(s.Phi, w, b, level) for level in (1.0, 0.0, -1.0))
    own, other = np.where(s.y > 0, plus, minus), np.where(s.y > 0, minus, plus)
    strip = distances(feet(s.Phi[:1], w, b, 1.0), w, b, -1.0)[0] / 2  # half the way between the margin lines
    own, zero, other = own / strip, zero / strip, other / strip
    measured, formula = places_by_distance(own, zero, other, fine), places_by_margin(yf, fine)
    wrong = measured != formula
    border = np.abs(yf[:, None] - np.array([-1.0, 0.0, 1.0])).min(1)
    return Outcome(
        reading(
            tol,
            float(border[wrong].max(initial=0.0)),
            Side("points", float(s.m)),
            Side("placed alike by the margins and by the distances", float((~wrong).sum())),
            *(Side(f"points with {name}", float((formula == k).sum())) for k, name in enumerate(PLACES)),
        )
    )


@statement(
    "M4",
    "The empty strip",
    sentence="The geometric margin of a separating line is half the width of the widest strip centred on it that holds no point.",
    formula=r"\gamma = \min_i \gamma_i = \tfrac12\,\text{width}",
    source={"B": "interpretation of the margin of a training set"},
    conditions="w is not 0; the line separates, or else the half width is the smallest absolute value of a margin.",
    tolerance=1e-8,
    page="margin",
    machine="board",
    repair="For a line that misclassifies a point the margin is negative; the half width is then the smallest absolute value.",
    witness=Witness(
        ((2.0, 0.0), (1.0, 1.0), (-1.5, -0.5), (-2.0, 0.0), (-1.0, 1.0), (1.5, 0.0)),
        (1, 1, 1, -1, -1, -1),
        "Two points lie on the wrong side, so the margin is negative; a width never is.",
    ),
)
def strip(s: Situation, tol: float) -> Outcome:
    """Half the width is the nearest point's measured distance; the margin comes from y f / |w|."""
    w, b = line(s)
    gamma, d = s.own.margins / s.own.norm_w, distances(s.Phi, w, b)
    half = Side("half the width, measured", float(d.min()), r"\tfrac12 \text{width}")
    signed = Side("geometric margin", float(gamma.min()), r"\min_i \gamma_i")
    least = Side("smallest absolute margin", float(np.abs(gamma).min()), r"\min_i |\gamma_i|")
    edges = [
        Side(f"nearest {name} point", float(d[s.y == label].min()))
        for name, label in (("positive", 1), ("negative", -1))
        if (s.y == label).any()
    ]
    return Outcome(
        printed=reading(tol, abs(half.value - signed.value) / s.size, half, signed, words="Whatever the line."),
        repaired=reading(tol, abs(half.value - least.value) / s.size, half, least, *edges),
    )


@statement(
    "M12",
    "When a prediction is right",
    sentence="A prediction is right when the functional margin is positive; at 0 it depends on the class that the line itself is given to.",
    formula=r"g(f(x)) = y \iff y f(x) > 0 \;\text{ or }\; (f(x) = 0,\; y = +1)",
    source={"B": "binary classifiers, after the functional margin"},
    conditions="A machine exists; g(0) = +1 as in notes B.",
    tolerance=0.0,
    page="margin",
    machine="board",
    repair="With g(0) = 1 a positive point on the line is predicted rightly although its margin is 0; a positive margin is sufficient only.",
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (0.0, 0.0)),
        (1, -1, 1),
        "The positive point at the origin is right, and its margin is 0.",
        bias=False,
    ),
)
def right(s: Situation, tol: float) -> Outcome:
    """Predictions from explicit w and b, margins from kernel values; points are counted."""
    s.need_classes()
    f = s.Phi @ s.expand(s.own.alpha) + s.own.b
    noise = max(1e-9, s.own.noise)
    predicted = np.where(f >= -noise, 1.0, -1.0) == s.y
    yf = s.own.margins
    positive = yf > noise
    on_line = (np.abs(yf) <= noise) & (s.y > 0)
    count = Side("points predicted rightly", float(predicted.sum()), r"g(f(x_i)) = y_i")
    strictly = Side("points with a positive margin", float(positive.sum()), r"y_i f(x_i) > 0")
    return Outcome(
        printed=reading(
            tol, float((predicted != positive).sum()), count, strictly, words="If and only if the margin is positive."
        ),
        repaired=reading(
            tol,
            float((predicted != (positive | on_line)).sum()),
            count,
            strictly,
            Side("positive points on the line", float(on_line.sum())),
        ),
    )
