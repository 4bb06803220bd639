"""G2, G3 and G8: how many points lines can shatter with a margin, and which margin shatters three points.

G2 tests the bound on the VC dimension as printed and rounded up. G3 and G8 compare the margin of three points with the
circle through them. Margins and balls are verified by second methods.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.phrase import N_
from svmlab.generalisation import (
    best_triple,
    circumradii,
    corrected_bound,
    count_with_margin,
    hull_margins,
    least_margins,
    margins,
    max_shattered_points,
    printed_bound,
    shattering_margin,
    side_lengths,
    smallest_balls,
    swept_margins,
    triples,
)
from svmlab.statements.labellings import ALTERNATING, HEXAGON, distinct_positions, positions_note
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

MAX_POSITIONS = 60  # positions of which all triples are taken
SOLVED_TRIPLES = 4  # triples whose labellings are solved one by one
LARGEST_MARGIN = 0.75  # in units of the radius: the largest margin that shatters three points of a ball
ANGLES = np.pi * (0.5 + 2.0 * np.arange(3) / 3.0)
EQUILATERAL = np.column_stack([np.cos(ANGLES), np.sin(ANGLES)])[None]  # of radius 1


@dataclass(frozen=True, eq=False)
class Triples:
    """Triples T (n, 3, 2), the equilateral one of radius 1 last, with their margins and smallest balls.

    margin (n,): the largest margin that shatters the triple. radius (n,), centre (n, 2): the smallest ball around it.
    """

    T: Array
    margin: Array
    radius: Array
    centre: Array

    @property
    def uncovered(self) -> float:
        """Return how far any ball is from containing its triple with a corner on its boundary; relative."""
        distances = np.hypot(*np.moveaxis(self.T - self.centre[:, None], -1, 0)).max(axis=1)
        return float(np.abs(distances - self.radius).max() / self.radius.max())

    def unsolved(self, rows: Index) -> float:
        """Return how far the margins of these triples differ from two other methods, relative to the ball.

        The methods try all directions, and solve the hard margins of all labellings.
        """
        difference = 0.0
        for n in rows:
            other_margins = swept_margins(self.T[n]).min(), margins(self.T[n]).min()
            difference = max(
                difference, *(abs(float(other - self.margin[n])) / float(self.radius[n]) for other in other_margins)
            )
        return difference


def all_triples(P: Array) -> Triples:
    """Return all triples of the positions P (m, 2), and the equilateral one."""
    T = np.concatenate([P[triples(len(P))], EQUILATERAL])
    return Triples(T, least_margins(T), *smallest_balls(T))


RHO = 1.126  # the margin that the lecture notes require
CLOSE = math.sqrt(3)  # in units of the radius: two of three points on a circle are at most this far apart
POINTS_FAR_APART = ((0.0, 4.0), (-3.464, -2.0), (3.464, -2.0))


@statement(
    "G3",
    N_("Shattering three points on a circle"),
    sentence=N_(
        "No three points on the unit circle are shattered with a margin above √3/2, because two of them "
        "have a distance of at most √3. The exact limit is smaller. The largest margin that shatters three "
        "points on the unit circle is 3/4."
    ),
    formula=r"\rho > \tfrac{\sqrt3}{2}\;\Longrightarrow\; d_{\mathrm{VC}}(\mathcal A_\rho) < 3",
    source=(
        Source(
            "E",
            N_("section 4, the unit circle, with a margin"),
            quote=(
                r"当 $\rho>\frac{\sqrt{3}}{2}$ 时,3个点不能够被打散,"
                r"因为无论如何都会有两个点的距离小于等于 $\sqrt{3}$"
            ),
        ),
        Source(
            "E",
            N_("section 4, the slide on the unit circle"),
            quote=r"$\rho > \frac{\sqrt{3}}{2}$ : cannot shatter any 3 inputs $(d_{VC} < 3)$",
        ),
    ),
    conditions=N_(
        "Any three points that do not lie on one line have a circle through them. Its radius is the unit of length."
    ),
    tolerance=1e-7,
    page="generalisation",
    subject="points",
    witness=Witness(
        HEXAGON,
        ALTERNATING,
        N_(
            "Every second corner of the hexagon belongs to an equilateral triangle, which has the largest "
            "margin. It is three quarters of the radius."
        ),
    ),
)
def on_a_circle(s: Situation, tol: float) -> Outcome:
    """Compare the margin of each triple on the circle through it with half of its shortest side.

    The margin is computed from least distances, by directions, and by hard margins of all labellings.
    """
    P = distinct_positions(s, MAX_POSITIONS)
    triples = all_triples(P)
    R = circumradii(triples.T)
    if not np.isfinite(R[:-1]).any():
        raise DoesNotApply(
            "All points lie on one line, so no circle passes through three of them. Move one of them away from "
            "the line."
        )
    margin_over_R, side_over_R = triples.margin / R, side_lengths(triples.T).min(axis=1) / R
    order = np.argsort(-margin_over_R[:-1])[:SOLVED_TRIPLES]
    best, equilateral_margin = int(order[0]), float(margin_over_R[-1])
    difference = max(
        float(margin_over_R.max()) - LARGEST_MARGIN,
        abs(equilateral_margin - LARGEST_MARGIN),
        float(side_over_R.max()) - CLOSE,
        abs(float(side_over_R[-1]) - CLOSE),
        float((margin_over_R - 0.5 * side_over_R).max()),
        triples.unsolved(order),
    )
    return Outcome(
        reading(
            tol,
            difference,
            Side("triples, each with its circumradius as the unit", float(np.isfinite(R[:-1]).sum())),
            Side("largest margin, from distances to sides", float(margin_over_R[best]), r"\rho"),
            Side("largest margin, from all directions", float(swept_margins(triples.T[best]).min() / R[best])),
            Side(
                "largest margin, from the hard margins of all labellings",
                float(margins(triples.T[best]).min() / R[best]),
            ),
            Side("margin of an equilateral triangle", equilateral_margin),
            Side("limit in the notes", CLOSE / 2, r"\sqrt3/2"),
            Side("largest distance of the two nearest points of a triple", float(side_over_R[:-1].max())),
            Side("upper bound for this distance", CLOSE, r"\sqrt3"),
        ),
        control=reading(
            tol,
            CLOSE / 2 - equilateral_margin,
            Side("largest margin of three points on the circle", equilateral_margin),
            words=N_("For every margin up to √3/2, some three points on the circle are shattered."),
        ),
        note=positions_note(s, len(P)),
    )


@statement(
    "G8",
    N_("A margin needs a unit of length"),
    sentence=N_(
        "In a ball of radius below 1.126/0.75 = 1.501, no three points are shattered with margin 1.126 or "
        "more. Without a bound on the radius, three points can be shattered with any margin."
    ),
    formula=r"R < \frac{\rho}{0.75}\;\Longrightarrow\; d_{\mathrm{VC}}(\mathcal A_\rho) < 3",
    source=(
        Source(
            "E",
            N_("section 4, the slide on three inputs"),
            "incomplete",
            r"$\mathcal{A}_{1.126}$: more strict than SVM $\Longrightarrow$ cannot shatter any 3 inputs",
            N_(
                "Three points that are far enough apart are shattered with margin 1.126. The statement is true for "
                "points in a ball of radius below 1.501. The slide omits this condition."
            ),
            82,
        ),
        Source(
            "E",
            N_("section 4, the text beside it"),
            "hedged",
            "对于 $A_{1.126}$ 算法,很可能无法实现打散",
            N_(
                "The exact condition is that the points lie in a ball of radius below 1.501. The notes say “very "
                "likely” instead."
            ),
            81,
        ),
    ),
    repair=N_(
        "In a ball of radius below ρ/0.75, no three points are shattered with margin ρ. For ρ = 1.126 this "
        "radius is 1.501."
    ),
    conditions=N_("The classifiers are lines in the plane, with a bias. The ball can have any centre."),
    tolerance=1e-7,
    page="generalisation",
    subject="points",
    witness=Witness(
        POINTS_FAR_APART,
        (1, 1, -1),
        N_("Three points lie in a ball of radius 4. For every labelling, some line separates them with margin 3."),
    ),
)
def unit_of_margins(s: Situation, tol: float) -> Outcome:
    """Compare the margins that shatter each triple with the radius of the smallest ball around it.

    The triple with the largest margin is also solved, and scaled into the limiting ball.
    """
    P = distinct_positions(s, MAX_POSITIONS)
    triples = all_triples(P)
    margin, radius = triples.margin[:-1], triples.radius[:-1]
    limit, is_shattered = RHO / LARGEST_MARGIN, margin >= RHO * (1 - 1e-12)
    margin_over_radius = triples.margin / triples.radius
    order, best = np.argsort(-margin)[:SOLVED_TRIPLES], int(margin.argmax())
    margins_of_labellings = margins(triples.T[best])
    scaled = (limit / float(radius[best])) * triples.T[best]
    smallest_radius = float(radius[is_shattered].min()) if is_shattered.any() else math.inf
    radius_side = (
        [Side("smallest radius of a ball with such a triple", smallest_radius, "R")] if is_shattered.any() else []
    )
    return Outcome(
        reading(
            tol,
            float(is_shattered.sum()),
            Side("triples", float(len(margin))),
            Side("triples shattered with margin 1.126", float(is_shattered.sum())),
            words=N_("With margin 1.126 no three points are shattered."),
        ),
        reading(
            tol,
            max(
                limit - smallest_radius,
                float(margin_over_radius.max()) - LARGEST_MARGIN,
                abs(float(margin_over_radius[-1]) - LARGEST_MARGIN),
                triples.unsolved(order),
                float(swept_margins(scaled).min()) - RHO,
                triples.uncovered,
            ),
            Side("largest margin that shatters three of the points", float(margin[best])),
            Side("the same, from the hard margins of their labellings", float(margins_of_labellings.min())),
            Side("labellings of these points with margin 1.126", float(count_with_margin(margins_of_labellings, RHO))),
            Side("triples shattered with margin 1.126", float(is_shattered.sum())),
            *radius_side,
            Side("radius below which no triple is shattered", limit, r"\rho/0.75"),
            Side("largest ratio of margin and radius of a triple", float(margin_over_radius[:-1].max())),
            Side("margin of this triple, scaled to this radius", float(swept_margins(scaled).min())),
        ),
        note=positions_note(s, len(P)),
    )


LADDER = (2, 3, 4, 5)  # numbers of corners of regular simplices


@lru_cache(maxsize=1)
def largest_by_search() -> float:
    """Return the largest margin of three points in the unit ball that a search finds."""
    return best_triple(tries=60).margin


SQUARED_MARGINS = {2: 1.0, 3: 9 / 16, 4: 1 / 3}  # of k points in the unit ball, from the halves of a simplex
BOUNDS_IN_THE_PLANE = ((0.9, 2), (1.0, 2), (1.1, 3), (3.0, 3))  # R in units of rho, and the bound of the repair
SHATTERED_IN_THE_PLANE = ((0.9, 1), (1.0, 2), (1.3, 2), (4 / 3, 3), (9.0, 3))  # R in units of rho, and how many


def rounded_bound(rho: float, R: float, d: int) -> int:
    """Return min(ceil(R^2 / rho^2), d) + 1, where a whole number up to rounding is not rounded up."""
    ratio, k = (R / rho) ** 2, 0
    while k < d and ratio > k * (1 + 1e-11):
        k += 1
    return k + 1


def simplex(k: int) -> Array:
    """Return the inner products (k, k) of the corners of a regular simplex on the unit sphere."""
    return np.asarray((np.eye(k) * k - 1.0) / (k - 1.0))


@statement(
    "G2",
    N_("VC dimension with a margin"),
    sentence=N_(
        "Points are shattered with margin ρ if every labelling has a separating hyperplane at distance ρ "
        "or more from each point. In a ball of radius R, at most ⌈R²/ρ²⌉ + 1 points can be shattered with "
        "margin ρ, in any dimension d. Without a margin, at most d + 1 points can be shattered."
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
                "R²/ρ² must be rounded up. In the plane, three points on the circle are shattered for ρ up to "
                "3R/4, but R²/ρ² + 1 is below 3 if ρ > R/√2. The slide does not round."
            ),
            87,
        ),
    ),
    repair=N_(
        "R²/ρ² must be rounded up. In the plane, three points can be shattered if ρ ≤ 3R/4, and two points if ρ ≤ R."
    ),
    conditions=N_(
        "The margin ρ is chosen before the points are known. R is the radius of a ball that contains all "
        "of them, and its centre is arbitrary."
    ),
    tolerance=1e-7,
    page="generalisation",
    subject="points",
    witness=Witness(
        HEXAGON,
        ALTERNATING,
        N_(
            "Every second corner of the hexagon belongs to three points in a ball of radius 2. They are "
            "shattered with margin 1.5. Without rounding, the bound is 2.78 points."
        ),
    ),
)
def vc_dimension_with_margin(s: Situation, tol: float) -> Outcome:
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
    excesses = [max(k - corrected_bound(m, r), k - max_shattered_points(m, r)) for k, m, r in cases]
    simplex_errors = [abs(float(hull_margins(simplex(k)).min()) - shattering_margin(k)) for k in LADDER]
    by_search = largest_by_search()
    as_printed = printed_bound(rho, R)
    return Outcome(
        reading(
            tol,
            max(0.0, 3.0 - as_printed),
            Side("largest margin that shatters three points, in units of their ball", rho / R, r"\rho/R"),
            Side("points shattered with it", 3.0),
            Side("bound without rounding", as_printed, r"\min(R^2/\rho^2, 2) + 1"),
            words=N_("The bound holds with R²/ρ², without rounding."),
        ),
        reading(
            tol,
            max(
                0.0,
                *map(float, excesses),
                *simplex_errors,
                float(margin_over_radius.max()) - shattering_margin(3),
                abs(by_search - shattering_margin(3)),
                *(abs(shattering_margin(k) - math.sqrt(square)) for k, square in SQUARED_MARGINS.items()),
                *(abs(corrected_bound(m, r, d) - rounded_bound(m, r, d)) for _, m, r in cases for d in (2, 3) if m > 0),
                *(abs(corrected_bound(1.0, ratio, 2) - allowed) for ratio, allowed in BOUNDS_IN_THE_PLANE),
                *(abs(max_shattered_points(1.0, ratio, 2) - most) for ratio, most in SHATTERED_IN_THE_PLANE),
                abs(as_printed - min((R / rho) ** 2, 2.0) - 1.0) if rho > 0 else 0.0,
                triples.unsolved(order),
                triples.uncovered,
            ),
            Side("largest margin that shatters three points, in units of their ball", rho / R, r"\rho/R"),
            Side("points shattered with it", 3.0),
            Side("bound, rounded up", float(corrected_bound(rho, R)), r"\min(\lceil R^2/\rho^2\rceil, 2) + 1"),
            Side("largest possible ratio for three points in the plane, by the formula", shattering_margin(3)),
            Side("largest possible ratio for three points in the plane, by a search", by_search),
            Side("radius of a ball with all points", board_radius, "R"),
            Side("largest margin that shatters three of all points", largest_of_three, r"\rho"),
            Side(
                "bound for this margin and ball, rounded up",
                float(corrected_bound(largest_of_three, board_radius)) if largest_of_three else 3.0,
            ),
            Side("largest possible ratio for four points in space, by the formula", shattering_margin(4)),
            Side("ratio of a regular simplex, from all its labellings", float(hull_margins(simplex(4)).min())),
        ),
        note=positions_note(s, len(P)),
    )
