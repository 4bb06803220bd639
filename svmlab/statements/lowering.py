"""G2: how many points a margin lets one label freely in a ball, as printed, rounded up, and in truth."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.generalisation import best_triple, hull_margins, mended_bound, printed_bound, shattered, threshold
from svmlab.statements.shatter import HEXAGON, TURNS, distinct_places, on_what
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement
from svmlab.statements.threes import MANY, SOLVED, threes

LADDER = (2, 3, 4, 5)  # corners of regular simplices


@lru_cache(maxsize=1)
def searched() -> float:
    """The largest margin of three places in the ball of radius 1 that a search finds."""
    return best_triple(tries=60).margin


def simplex(k: int) -> Array:
    """Inner products (k, k) of the corners of a regular simplex on the sphere of radius 1."""
    return np.asarray((np.eye(k) * k - 1.0) / (k - 1.0))


@statement(
    "G2",
    N_("A margin lowers the VC dimension"),
    sentence=N_(
        "In a ball of radius R, hyperplanes with margin ρ shatter no more points than the bound says, "
        "however many dimensions there are: one more than R²/ρ², rounded up."
    ),
    formula=(r"d_{\mathrm{VC}}(\mathcal A_\rho) \le \min\Bigl(\Bigl\lceil\frac{R^2}{\rho^2}\Bigr\rceil, "
        r"d\Bigr) + 1 \le d + 1"),
    source=(
        Source(
            "E",
            N_("section 4, the ball of radius R"),
            "false",
            r"$d_{VC}(\mathcal{A}_\rho) \leq \min\Big(\frac{R^2}{\rho^2}, d\Big) + 1 \leq d+1$",
            N_("Between R/√2 and 3R/4 it is below 3, and three points on the circle are shattered; with R²/ρ² "
        "rounded up it holds."),
            87,
        ),
    ),
    repair=N_("R²/ρ² has to be rounded up. In truth, in the plane, three points are shattered up to ρ = 3R/4, "
        "two up to R."),
    conditions=N_("ρ is chosen before the points are seen; R is the radius of a ball that holds them all, wherever "
        "its centre is."),
    tolerance=1e-7,
    page="generalisation",
    machine="points",
    witness=Witness(HEXAGON, TURNS, N_("Every second corner: three points in a ball of radius 2, shattered with margin 1.5. The print "
        "allows 2.78.")),
)  # fmt: skip
def lowered(s: Situation, tol: float) -> Outcome:
    """Triples in their own balls and in that of the whole board against both bounds and the truth; simplices in more
    dimensions; a search.
    """
    P = distinct_places(s, MANY)
    found = threes(P)
    part = found.margin / found.radius
    order = np.argsort(-part[:-1])[:SOLVED]
    best = int(order[0])
    rho, R = float(found.margin[best]), float(found.radius[best])
    i, j = np.triu_indices(len(P), 1)
    halves = 0.5 * np.hypot(*(P[i] - P[j]).T)
    own = [(3, float(found.margin[n]), float(found.radius[n])) for n in (*order, len(part) - 1)]
    own += [(2, float(half), float(half)) for half in (halves.min(), halves.max())]
    whole, three, two = float(found.radius[:-1].max()), float(found.margin[:-1].max()), float(halves.max())
    own += [(3, three, whole), (2, two, whole)]
    over = [max(k - mended_bound(m, r), k - shattered(m, r)) for k, m, r in own]
    ladder = [abs(float(hull_margins(simplex(k)).min()) - threshold(k)) for k in LADDER]
    searching = searched()
    printed = printed_bound(rho, R)
    return Outcome(
        reading(
            tol,
            max(0.0, 3.0 - printed),
            Side("largest margin that shatters three of the points, their ball as the unit", rho / R, r"\rho/R"),
            Side("points shattered", 3.0),
            Side("bound as printed", printed, r"\min(R^2/\rho^2, 2) + 1"),
            words=N_("It holds with R²/ρ² as it is, not rounded."),
        ),
        reading(
            tol,
            max(
                0.0,
                *map(float, over),
                *ladder,
                float(part.max()) - threshold(3),
                abs(searching - threshold(3)),
                found.unsolved(order),
                found.uncovered,
            ),
            Side("largest margin that shatters three of the points, their ball as the unit", rho / R, r"\rho/R"),
            Side("points shattered with it", 3.0),
            Side("bound, rounded up", float(mended_bound(rho, R)), r"\min(\lceil R^2/\rho^2\rceil, 2) + 1"),
            Side("the most for any three points in the plane, by the formula", threshold(3)),
            Side("the same, by a search", searching),
            Side("ball that holds all points", whole, "R"),
            Side("largest margin that shatters three of all points", three, r"\rho"),
            Side("bound there, rounded up", float(mended_bound(three, whole)) if three else 3.0),
            Side("the most for four points in space, by the formula", threshold(4)),
            Side("the same, from all labellings of a regular simplex", float(hull_margins(simplex(4)).min())),
        ),
        note=on_what(s, len(P)),
    )  # fmt: skip
