"""G3 and G8: the margin that shatters three points of the plane, compared with the circle through them."""

from __future__ import annotations

import math

import numpy as np

from svmlab.core.phrase import N_
from svmlab.generalisation import circumradii, margins, sides, swept_margins, with_margin
from svmlab.statements.point_triples import LARGEST_MARGIN, MAX_POSITIONS, SOLVED_TRIPLES, all_triples
from svmlab.statements.shattered_points import ALTERNATING, HEXAGON, distinct_positions, positions_note
from svmlab.statements.situation import DoesNotApply, Situation
from svmlab.statements.statement import Outcome, Side, Source, Witness, reading, statement

RHO = 1.126  # the margin that the lecture notes require
CLOSE = math.sqrt(3)  # in units of the radius: two of three points on a circle are at most this far apart
FAR = ((0.0, 4.0), (-3.464, -2.0), (3.464, -2.0))


@statement(
    "G3",
    N_("Three points on a circle"),
    sentence=N_(
        "On the unit circle no three points are shattered with a margin above √3/2, as two of them are "
        "at most √3 apart. In truth 3/4 is the limit."
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
        "Any three points that are not on one line have a circle through them; its radius, the "
        "circumradius, is the unit here."
    ),
    tolerance=1e-7,
    page="generalisation",
    machine="points",
    witness=Witness(
        HEXAGON,
        ALTERNATING,
        N_(
            "Every second corner is an equilateral triangle, which has the largest margin: three quarters of "
            "the radius."
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
            "All points stand on one line, and no circle goes through three of them. Move one away from it."
        )
    margin_over_R, side_over_R = triples.margin / R, sides(triples.T).min(axis=1) / R
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
            Side("triples, the circle through each as the unit", float(np.isfinite(R[:-1]).sum())),
            Side("largest margin, by distances to sides", float(margin_over_R[best]), r"\rho"),
            Side("the same, by trying all directions", float(swept_margins(triples.T[best]).min() / R[best])),
            Side(
                "the same, as the least hard margin of its labellings", float(margins(triples.T[best]).min() / R[best])
            ),
            Side("an equilateral triangle", equilateral_margin),
            Side("limit in the notes", CLOSE / 2, r"\sqrt3/2"),
            Side("largest way between the two nearest of three", float(side_over_R[:-1].max())),
            Side("limit of it", CLOSE, r"\sqrt3"),
        ),
        control=reading(
            tol,
            CLOSE / 2 - equilateral_margin,
            Side("largest margin of three points on the circle", equilateral_margin),
            words=N_("Up to √3/2 some three points of the circle are shattered."),
        ),
        note=positions_note(s, len(P)),
    )


@statement(
    "G8",
    N_("Margins need a unit"),
    sentence=N_(
        "With margin 1.126 or more no three points are shattered in a ball of radius below 1.126/0.75 = "
        "1.501. Where points may be far apart, three are shattered with any margin."
    ),
    formula=r"R < \frac{\rho}{0.75}\;\Longrightarrow\; d_{\mathrm{VC}}(\mathcal A_\rho) < 3",
    source=(
        Source(
            "E",
            N_("section 4, the slide on three inputs"),
            "incomplete",
            r"$\mathcal{A}_{1.126}$: more strict than SVM $\Longrightarrow$ cannot shatter any 3 inputs",
            N_("It leaves out how large the ball is: three points far enough apart are shattered with that margin."),
            82,
        ),
        Source(
            "E",
            N_("section 4, the text beside it"),
            "hedged",
            "对于 $A_{1.126}$ 算法,很可能无法实现打散",
            N_("“Very likely” stands for the condition that the points are in a small ball."),
            81,
        ),
    ),
    repair=N_(
        "With margin ρ no three points are shattered in a ball of radius below ρ/0.75, which is 1.501 for ρ = 1.126."
    ),
    conditions=N_("Lines in the plane, with a bias; the ball may stand anywhere."),
    tolerance=1e-7,
    page="generalisation",
    machine="points",
    witness=Witness(
        FAR, (1, 1, -1), N_("Three points in a ball of radius 4: every labelling has a line with margin 3.")
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
    radius_side = [Side("smallest ball around three of these", smallest_radius, "R")] if is_shattered.any() else []
    return Outcome(
        reading(
            tol,
            float(is_shattered.sum()),
            Side("triples", float(len(margin))),
            Side("of these shattered with margin 1.126", float(is_shattered.sum())),
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
            Side("the same, as the least hard margin of their labellings", float(margins_of_labellings.min())),
            Side("of these labellings, with margin 1.126", float(with_margin(margins_of_labellings, RHO))),
            Side("triples shattered with margin 1.126", float(is_shattered.sum())),
            *radius_side,
            Side("radius below which none are", limit, r"\rho/0.75"),
            Side("largest margin of any three, their ball as the unit", float(margin_over_radius[:-1].max())),
            Side("margin of the first three, drawn into a ball of that radius", float(swept_margins(scaled).min())),
        ),
        note=positions_note(s, len(P)),
    )
