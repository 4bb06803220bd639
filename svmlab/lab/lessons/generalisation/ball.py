"""How many points a margin lets one label freely in a disc: the truth, a printed bound that is below it, and a triangle
to be tried (G2).
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.generalisation import best_triple, margins, mended_bound, printed_bound, shattered, threshold
from svmlab.lab.board.payload import announcements
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.lessons.generalisation.triangle import Split, failing, least_circle, random_triples, splits
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, line_strokes, reading, set_dials, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Part, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _

MOST = 3  # points
ASKED = 0.73  # of R: where the print says 2.88, and 3 is true
MET = 5e-4  # of R: a margin that is met but for the rounding of what is read and of places, which are whole thousandths
TRIPLES, SEED = 300, 16  # random triples, and the seed that they are drawn with
THREE = board_of_points(((1.5, 2.598, 1), (-2.598, 1.5, -1), (0.521, -2.954, 1)))
EQUILATERAL = board_of_points(((0, 3, 1), (-2.598, -1.5, -1), (2.598, -1.5, 1)))
TWO = board_of_points(((-1.8, -2.4, -1), (1.8, 2.4, 1)))
APART = Need(
    lambda stage: stage.data.m <= MOST and len(np.unique(stage.data.X, axis=0)) > 1,
    N_("This step measures points in the circle around them, so it needs two or three that are not all at one place."),
    {},
)


def asked(stage: Stage) -> float:
    """The margin rho that is asked for, in R."""
    return stage.dial("ball", ASKED) if stage.shown else ASKED


def found(stage: Stage) -> tuple[Array, float, tuple[Split, ...]]:
    """The circle around the points, and the street of each labelling."""
    X = stage.data.X
    return *least_circle(X), splits(X)


def own(stage: Stage) -> float:
    """The least margin over the labellings of the points, in R."""
    _centre, R, each = found(stage)
    return each[0].margin / R


def draw(stage: Stage) -> Data:
    """The circle, the middle line of each labelling, and around each point the disc that no line may enter."""
    (centre, R, each), half, rho = found(stage), stage.lab.view, asked(stage)
    items = [stroke(np.r_[centre, R], "", "disc")]
    items += [stroke(np.r_[x, rho * R], "dashed", "disc") for x in stage.data.X]
    for split in reversed(each):
        style = "accent" if split.margin >= (rho - MET) * R else "witness-line"
        if split.line is None:
            items.append(stroke(np.r_[stage.data.X[split.row], 0.06 * half], style, "disc"))
        else:
            items += line_strokes(split.line, half, style)
    data: Data = POINTS_ONLY | {
        "overlay": items,
        "legend": None,
        "message": None,
        "heard": announcements(stage.lab, None),
    }
    title = _("The margin that is asked for, as a part of R")
    sliders = [dial("ball", title, "ρ", rho, LO, HI, 0.01, " R")] if stage.shown else []
    return data | {"sliders": sliders}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The margin that the points have; once shown what is true at the one that is asked for, and what both bounds
    say.
    """
    name = _("your three") if stage.data.m == 3 else _("your two")
    yours = Reading(name, _("{share} R").format(share=short(own(stage), 3, ROUNDING)), repr(own(stage)))
    if not stage.shown:
        return [yours, Reading(_("asked for"), _("{share} R").format(share=short(ASKED)), repr(ASKED))]
    rho, d = asked(stage), int(stage.pick("ball_d"))
    return [
        yours,
        reading(_("true"), float(shattered(rho, d=d))),
        reading(_("printed"), printed_bound(rho, d=d)),
        reading(_("mended"), float(mended_bound(rho, d=d))),
    ]


def chart(stage: Stage) -> Chart:
    """True number and bounds; in the plane also the board's points and random triples."""
    d = int(stage.pick("ball_d"))
    flat = d == 2
    mine = (own(stage), stage.data.m) if flat else None
    return Chart(staircase(asked(stage), d, failing(d), mine, tried() if flat else np.zeros(0), stage.palette))


@cache
def tried() -> Array:
    """The margins of random triples."""
    return random_triples(TRIPLES, SEED)


def says(stage: Stage) -> str:
    """Where the print fails, and what mends it."""
    if int(stage.pick("ball_d")) == 2:
        return _(
            "Shaded: the print is below the truth for $R/\\sqrt2 < \\rho \\le \\frac34 R$. With "
            "$R^2/\\rho^2$ rounded up it holds. Drag your points towards $\\frac34$."
        )
    return _(
        "Shaded: the print is below the truth, once for each odd number from 3 up. With $R^2/\\rho^2$ "
        "rounded up it holds in every dimension."
    )


def more(stage: Stage) -> Sequence[Part]:
    """How a line is read on the board, the true number, two ways, what notes print, and what it is about."""
    search = stage.background_result(
        ("ball", "best triple"), lambda tell: best_triple(tries=TRIPLES, seed=SEED, on_progress=tell)
    )
    X, (_centre, R, each) = stage.data.X, found(stage)
    exact = float(margins(X).min())
    return [
        _(
            "**On the board.** Colours of points do not matter: every labelling is asked for. One line for "
            "each labelling, half way between one point and the "
            "others. The dashed discs have the radius $\\rho$: a line that enters one comes too near, and is "
            "pink. Both labels alike need no line."
        ),
        _(
            "**The truth.** $k$ points in a ball of radius $R$ can be shattered with margin $\\rho$ if and "
            "only if $k \\le d + 1$ and $R^2/\\rho^2$ is at least $k - 1$ "
            "for even $k$, $(k-1)^2(k+1)/k^2$ for odd $k$. Best is the regular simplex with its corners on "
            "the sphere: half of them against the other half has "
            "the least margin. For $k = 3$ that is $16/9$, below the 2 that the print asks for."
        ),
        _(
            "**Two ways.** The formula says {formula} R for three points. Of {n} random triples on the "
            "circle the best has {drawn} R, and moved on by small steps it "
            "ends at {search} R. The margin of your points by distances is {own} R; by an exact hard margin "
            "for each labelling it is {exact} R."
        ).format(
            formula=short(threshold(3)),
            n=TRIPLES,
            drawn=short(float(tried().max()), 3),
            search=short(search.margin, 6),
            own=short(each[0].margin / R, 6, ROUNDING),
            exact=short(exact / R, 6, 1e-9),
        ),
        _(
            "**The print.** The Chinese notes after H.-T. Lin give $\\min(R^2/\\rho^2, d) + 1$ without "
            "rounding. A number of points is whole, so at $\\rho = 0.73\\,R$ it "
            "allows 2 where 3 are shattered. Burges (1998) has the quotient rounded up. Up to $\\rho = "
            "R/\\sqrt d$ either says $d + 1$, as for lines without a "
            "margin: there the margin gains nothing."
        ),
        _(
            "**What it is about.** A method that gives a line only if the margin is $\\rho$ or more, with "
            "$\\rho$ fixed before any point is seen. The margin that an SVM "
            "turns out to have on its points is none of that kind."
        ),
    ]


LO, HI = 0.2, 1.3  # rho/R that is shown


def staircase(
    rho: float,
    d: int,
    fails: Sequence[tuple[float, float]],
    own: tuple[float, int] | None,
    drawn: Array,
    palette: Palette,
) -> go.Figure:
    """The true number in d dimensions and both bounds over rho/R; a rule at `rho`.

    fails: intervals of rho/R in which the print is below the truth, shaded. own: margin/R of the board's points, and
    how many they are. drawn: margins (n,) of random triples, a tick each.
    """
    figure = blank(palette, "", _("points"), height=240)
    x = _places(fails, d)
    true = np.array([shattered(r, d=d) for r in x], dtype=float)
    printed = np.array([printed_bound(r, d=d) for r in x])
    mended = np.array([mended_bound(r, d=d) for r in x], dtype=float)
    for lo, hi in fails:
        figure.add_vrect(x0=lo, x1=hi, fillcolor=faded(palette.other, 0.2), line_width=0, layer="below")
    area = {"fill": "tozeroy", "fillcolor": faded(palette.accent, 0.2)}
    lines: tuple[tuple[str, Array, str, str, dict[str, str]], ...] = (
        (_("true"), true, palette.accent, "solid", area),
        (_("mended"), mended, palette.quiet, "dash", {}),
        (_("printed"), printed, palette.other, "solid", {}),
    )
    for name, y, colour, dash, more in lines:
        hover = f"{name}: %{{y:.4g}}<br>ρ = %{{x:.4g}} R<extra></extra>"
        pen = palette.pen(colour, 2.5, dash)
        figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hovertemplate=hover, **more))
    if len(drawn):
        tick = {"symbol": "line-ns-open", "size": 12 * palette.stroke, "color": palette.quiet, "opacity": 0.5}
        tick["line"] = {"width": palette.stroke}
        hover = _("a random triple: {margin} R").format(margin="%{x:.4g}") + "<extra></extra>"
        figure.add_trace(
            go.Scatter(
                x=drawn, y=np.full(len(drawn), 3.0), name="drawn", mode="markers", marker=tick, hovertemplate=hover
            )
        )
    if own is not None:
        mark = {"symbol": "diamond", "size": 14 * palette.stroke, "color": palette.accent}
        mark["line"] = palette.pen(palette.paper, 1.5)
        hover = _("your points: {margin} R").format(margin="%{x:.4g}") + "<extra></extra>"
        yours = go.Scatter(
            x=np.array(own[:1]), y=np.array(own[1:]), name="own", mode="markers", marker=mark, hovertemplate=hover
        )
        figure.add_trace(yours.update(cliponaxis=False))
    add_rule(figure, palette, palette.text, "dot", x=rho)
    top = d + 1.0
    figure.update_xaxes(range=[LO, HI], dtick=0.2, tick0=0.2)
    figure.update_yaxes(range=[0.0, top + 0.12 * top], dtick=1 if d < 5 else 2, tick0=1)
    ends = [Label(name, HI, float(y[-1]), colour) for name, y, colour, _dash, _more in lines]
    return place_labels(figure, palette, [axis_name(figure, "ρ/R", palette), *ends])


def _places(fails: Sequence[tuple[float, float]], d: int) -> Array:
    """Places along rho/R, and both sides of every step, so that the stairs are upright."""
    steps = [edge for pair in fails for edge in pair] + [1 / np.sqrt(k) for k in range(1, d + 1)]
    eps = 1e-9
    close = [edge + side for edge in steps for side in (-eps, eps)]
    x = np.unique(np.r_[np.linspace(LO, HI, 221), close])
    return x[(x >= LO) & (x <= HI)]


BALL = Step(
    key="ball",
    title=N_("The bound and the truth"),
    question=N_(
        "However points in a disc of radius $R$ are labelled, a line shall part the labels and keep "
        "$0.73\\,R$ from every point. Notes allow 2.88 points. How many can it be?"
    ),
    choices=(
        Choice("2", N_("So the printed bound has it, and three points of your own can refute it: drag them.")),
        Choice("3"),
        Choice("4", N_("No four points of the plane can be labelled freely by lines, even without a margin.")),
    ),
    answer=lambda stage: shattered(ASKED) - 2,
    is_theorem=True,
    verdict=lambda stage: _("3, in an equilateral triangle: it has {best} R. The print says {printed}.").format(
        best=short(threshold(3)), printed=short(printed_bound(ASKED), 3)
    ),
    board=THREE,
    needs=(APART,),
    draw=draw,
    play=lambda stage: {"key": "ball", "op": "dial", "from": 0.3, "to": 1.1, "ms": 3200, "back": True},
    numbers=numbers,
    picks=(Pick("ball_d", N_("Dimension of the ball"), (2, 3, 10), 2, lambda d: f"d = {d}"),),
    chart=chart,
    says=says,
    formula=(
        r"{\min\bigl(\lceil\tfrac{R^2}{\rho^2}\rceil,\, d\bigr) + 1} \quad \text{(printed without } "
        r"\lceil\ \rceil\text{)}"
    ),
    more=more,
    tries=(
        Try(N_("Equilateral"), board=EQUILATERAL),
        Try(N_("Two points"), board=TWO),
        Try("ρ = 0.76 R", set_dials(ball=0.76)),
    ),
    shows=("G2",),
)
