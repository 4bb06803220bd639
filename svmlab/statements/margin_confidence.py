"""M13: what a margin says about the confidence of a prediction."""

from __future__ import annotations

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_, Phrase
from svmlab.statements.geometry import projections
from svmlab.statements.margin import board_hyperplane
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

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
    """Compare each point's margin under (w, b) with every other point's margin under (3w, 3b).

    The pairs are ordered by y f, by y f / |w|, and by the measured distance.
    """
    w, b = board_hyperplane(s)
    yf, distances = s.board_solution.margins, signed_distances(s, w, b)
    yf_scaled, distances_scaled = s.y * (s.Phi @ (FACTOR * w) + FACTOR * b), signed_distances(s, FACTOR * w, FACTOR * b)
    noise = 1e-6 * float(np.abs(yf).max())
    distance_noise = 1e-6 * float(np.abs(distances).max())
    functional = share_misordered(yf, yf_scaled, distances, noise)
    norm, unit = float(np.linalg.norm(w)), s.length_unit(w)
    change = float(np.abs(distances_scaled - yf / norm).max())
    largest_f = float(np.abs(s.Phi @ w + b).max())
    misordered = Side(
        Phrase("pairs that y f orders otherwise than the distance, at c = 1 and c = {c:g}", c=FACTOR), functional
    )
    return Outcome(
        printed=reading(tol, functional, misordered, words=N_("A larger functional margin means greater confidence.")),
        repaired=reading(
            tol,
            max(change / unit, share_misordered(yf / norm, distances_scaled, distances, distance_noise)),
            Side(
                "pairs that the geometric margins order otherwise",
                share_misordered(yf / norm, distances_scaled, distances, distance_noise),
            ),
            Side(
                "pairs that y f orders otherwise, with one and the same c", share_misordered(yf, yf, distances, noise)
            ),
            Side("largest change of a geometric margin", change),
        ),
        control=reading(
            tol,
            max(0.0, largest_f - 1.0),
            Side("largest absolute value of f", largest_f, r"\max_i |f(x_i)|"),
            words=N_("The value of f is a probability, at most 1."),
        ),
    )
