"""M13: what a margin says about how sure a prediction is."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.statements.geometry import feet
from svmlab.statements.margin import line
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

TIMES = 3.0


def measured(s: Situation, w: Array, b: float) -> Array:
    """How far each point lies on the right side of the line, shape (m,): the way to the foot, with the sign of the
    side.
    """
    foot = feet(s.Phi, w, b)
    return s.y * np.sign((s.Phi - foot) @ w) * np.linalg.norm(s.Phi - foot, axis=1)


def otherwise(margin: Array, scaled: Array, far: Array, noise: float) -> float:
    """The share of pairs (i, j) that the margins of two rulers, `margin_i` and `scaled_j`, order otherwise than `far`
    does.
    """
    said, true = margin[:, None] - scaled[None, :], far[:, None] - far[None, :]
    order = [np.sign(np.where(np.abs(each) <= noise, 0.0, each)) for each in (said, true)]
    return float((order[0] != order[1]).mean())


@statement(
    "M13",
    N_("Margin and confidence"),
    sentence=N_("The further a point lies on its own side of the line, the surer its prediction."),
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
            flaw=N_("True among the points of one w and b; between two machines the scale of w decides, not the line."),
            at=5,
        ),
    ),
    conditions=N_("w is not 0."),
    tolerance=1e-8,
    page="margin",
    machine="board",
    repair=N_(
        "The functional margin compares points of one w and b only: times c, the same line is c times as "
        "sure. The geometric margin compares always; and f is no probability."
    ),
    witness=Witness(
        ((1.0, 0.0), (-1.0, 0.0), (3.0, 0.0)),
        (1, -1, 1),
        N_(
            "With c = 3 the nearest point has margin 3, as the furthest one had before: as sure, and three "
            "times as near."
        ),
    ),
)
def confidence(s: Situation, tol: float) -> Outcome:
    """Each point's margin with (w, b) against every other's with (3w, 3b): by y f, by y f / |w|, and by the measured
    way.
    """
    w, b = line(s)
    yf, far = s.board_solution.margins, measured(s, w, b)
    again, gamma = s.y * (s.Phi @ (TIMES * w) + TIMES * b), measured(s, TIMES * w, TIMES * b)
    noise = 1e-6 * float(np.abs(yf).max())
    near = 1e-6 * float(np.abs(far).max())
    functional = otherwise(yf, again, far, noise)
    norm, unit = float(np.linalg.norm(w)), s.length_unit(w)
    moved = float(np.abs(gamma - yf / norm).max())
    largest = float(np.abs(s.Phi @ w + b).max())
    ordered = Side(
        Phrase("pairs that y f orders otherwise than the distance, at c = 1 and c = {c:g}", c=TIMES), functional
    )
    return Outcome(
        printed=reading(tol, functional, ordered, words=N_("A larger functional margin means greater confidence.")),
        repaired=reading(
            tol,
            max(moved / unit, otherwise(yf / norm, gamma, far, near)),
            Side("pairs that the geometric margins order otherwise", otherwise(yf / norm, gamma, far, near)),
            Side("pairs that y f orders otherwise, with one and the same c", otherwise(yf, yf, far, noise)),
            Side("largest change of a geometric margin", moved),
        ),
        control=reading(
            tol,
            max(0.0, largest - 1.0),
            Side("largest absolute value of f", largest, r"\max_i |f(x_i)|"),
            words=N_("The value of f is a probability, at most 1."),
        ),
    )
