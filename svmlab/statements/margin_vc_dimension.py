"""G2: how many points can be shattered in a ball with a margin.

The bound is tested as printed and rounded up, and compared with the exact number.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from svmlab.core.arrays import Array
from svmlab.core.phrase import N_
from svmlab.generalisation import best_triple, hull_margins, mended_bound, printed_bound, shattered, threshold
from svmlab.statements.point_triples import MAX_POSITIONS, SOLVED_TRIPLES, all_triples
from svmlab.statements.shattered_points import ALTERNATING, HEXAGON, distinct_positions, positions_note
from svmlab.statements.situation import Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

LADDER = (2, 3, 4, 5)  # numbers of corners of regular simplices


@lru_cache(maxsize=1)
def largest_by_search() -> float:
    """Return the largest margin of three points in the unit ball that a search finds."""
    return best_triple(tries=60).margin


def simplex(k: int) -> Array:
    """Return the inner products (k, k) of the corners of a regular simplex on the unit sphere."""
    return np.asarray((np.eye(k) * k - 1.0) / (k - 1.0))


@statement(
    "G2",
    N_("A margin lowers the VC dimension"),
    sentence=N_(
        "In a ball of radius R, hyperplanes with margin ρ shatter no more points than the bound says, "
        "however many dimensions there are: one more than R²/ρ², rounded up."
    ),
    formula=(
        r"d_{\mathrm{VC}}(\mathcal A_\rho) \le \min\Bigl(\Bigl\lceil\frac{R^2}{\rho^2}\Bigr\rceil, "
        r"d\Bigr) + 1 \le d + 1"
    ),
    source=(
        Source(
            "E",
            N_("section 4, the ball of radius R"),
            "false",
            r"$d_{VC}(\mathcal{A}_\rho) \leq \min\Big(\frac{R^2}{\rho^2}, d\Big) + 1 \leq d+1$",
            N_(
                "Between R/√2 and 3R/4 it is below 3, and three points on the circle are shattered; with R²/ρ² "
                "rounded up it holds."
            ),
            87,
        ),
    ),
    repair=N_(
        "R²/ρ² has to be rounded up. In truth, in the plane, three points are shattered up to ρ = 3R/4, two up to R."
    ),
    conditions=N_(
        "ρ is chosen before the points are seen; R is the radius of a ball that holds them all, wherever its centre is."
    ),
    tolerance=1e-7,
    page="generalisation",
    machine="points",
    witness=Witness(
        HEXAGON,
        ALTERNATING,
        N_(
            "Every second corner: three points in a ball of radius 2, shattered with margin 1.5. The print allows 2.78."
        ),
    ),
)
def lowered(s: Situation, tol: float) -> Outcome:
    """Compare triples in their own balls, and in the ball of the whole board, with both bounds and the exact number.

    Regular simplices in more dimensions and a search are compared as well.
    """
    P = distinct_positions(s, MAX_POSITIONS)
    triples = all_triples(P)
    margin_over_radius = triples.margin / triples.radius
    order = np.argsort(-margin_over_radius[:-1])[:SOLVED_TRIPLES]
    best = int(order[0])
    rho, R = float(triples.margin[best]), float(triples.radius[best])
    i, j = np.triu_indices(len(P), 1)
    half_distances = 0.5 * np.hypot(*(P[i] - P[j]).T)
    cases = [(3, float(triples.margin[n]), float(triples.radius[n])) for n in (*order, len(margin_over_radius) - 1)]
    cases += [(2, float(half), float(half)) for half in (half_distances.min(), half_distances.max())]
    board_radius, largest_of_three, largest_of_two = (
        float(triples.radius[:-1].max()),
        float(triples.margin[:-1].max()),
        float(half_distances.max()),
    )
    cases += [(3, largest_of_three, board_radius), (2, largest_of_two, board_radius)]
    excesses = [max(k - mended_bound(m, r), k - shattered(m, r)) for k, m, r in cases]
    simplex_errors = [abs(float(hull_margins(simplex(k)).min()) - threshold(k)) for k in LADDER]
    by_search = largest_by_search()
    as_printed = printed_bound(rho, R)
    return Outcome(
        reading(
            tol,
            max(0.0, 3.0 - as_printed),
            Side("largest margin that shatters three of the points, their ball as the unit", rho / R, r"\rho/R"),
            Side("points shattered", 3.0),
            Side("bound as printed", as_printed, r"\min(R^2/\rho^2, 2) + 1"),
            words=N_("It holds with R²/ρ² as it is, not rounded."),
        ),
        reading(
            tol,
            max(
                0.0,
                *map(float, excesses),
                *simplex_errors,
                float(margin_over_radius.max()) - threshold(3),
                abs(by_search - threshold(3)),
                triples.unsolved(order),
                triples.uncovered,
            ),
            Side("largest margin that shatters three of the points, their ball as the unit", rho / R, r"\rho/R"),
            Side("points shattered with it", 3.0),
            Side("bound, rounded up", float(mended_bound(rho, R)), r"\min(\lceil R^2/\rho^2\rceil, 2) + 1"),
            Side("the most for any three points in the plane, by the formula", threshold(3)),
            Side("the same, by a search", by_search),
            Side("ball that holds all points", board_radius, "R"),
            Side("largest margin that shatters three of all points", largest_of_three, r"\rho"),
            Side(
                "bound there, rounded up",
                float(mended_bound(largest_of_three, board_radius)) if largest_of_three else 3.0,
            ),
            Side("the most for four points in space, by the formula", threshold(4)),
            Side("the same, from all labellings of a regular simplex", float(hull_margins(simplex(4)).min())),
        ),
        note=positions_note(s, len(P)),
    )
