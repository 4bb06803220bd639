"""Three points in a disc of radius R are shattered with a margin of at most 3R/4, and a bound for any number (G2)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.generalisation import (
    best_triple,
    corrected_bound,
    margins,
    max_shattered_points,
    printed_bound,
    shattering_margin,
)
from svmlab.lab.board.payload import announcements
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.lessons.generalisation.triangle import Split, failing, least_circle, random_triples, splits
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, line_strokes, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Need, Part, Pick, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette, faded

MAX_POINTS = 3
LARGEST = shattering_margin(3)  # of R: the largest margin with which lines shatter three points
RHO = Dial(
    "ball",
    N_("Required margin ρ, as a multiple of R"),
    N_("required margin ρ"),
    0.2,
    1.3,
    0.01,
    start=LARGEST,
    unit=" R",
    after_show=True,
)
MET = 5e-4  # of R: a margin is met up to the rounding of positions, which are whole thousandths
TRIPLES, SEED = 300, 16  # the number of random triangles, and their seed
EQUILATERAL = board_of_points(((0, 3, 1), (-2.598, -1.5, -1), (2.598, -1.5, 1)))
SCALENE = board_of_points(((1.5, 2.598, 1), (-2.598, 1.5, -1), (0.521, -2.954, 1)))
TWO = board_of_points(((-1.8, -2.4, -1), (1.8, 2.4, 1)))
APART = Need(
    lambda stage: stage.data.m <= MAX_POINTS and len(np.unique(stage.data.X, axis=0)) > 1,
    N_("This step is about two or three points and the smallest circle around them, so they must not all coincide."),
    {},
)


def measured(stage: Stage) -> tuple[Array, float, tuple[Split, ...]]:
    """Return the centre and the radius of the smallest circle around the points, and the line of each labelling."""
    X = stage.data.X
    return *least_circle(X), splits(X)


def smallest_margin(stage: Stage) -> float:
    """Return the smallest margin over the labellings of the points, in units of R."""
    _centre, R, lines = measured(stage)
    return lines[0].margin / R


def draw(stage: Stage) -> Data:
    """Return the circle, and after Show the line of each labelling and the discs that no line may enter."""
    (centre, R, lines), half = measured(stage), stage.lab.view
    items = [stroke(np.r_[centre, R], "", "disc")]
    if stage.shown:
        rho = RHO(stage)
        items += [stroke(np.r_[x, rho * R], "dashed", "disc") for x in stage.data.X]
        for split in reversed(lines):
            style = "accent" if split.margin >= (rho - MET) * R else "witness-line"
            if split.line is None:
                items.append(stroke(np.r_[stage.data.X[split.row], 0.06 * half], style, "disc"))
            else:
                items += line_strokes(split.line, half, style)
    data: Data = {"overlay": items, "legend": None, "message": None, "heard": announcements(stage.lab, None)}
    return POINTS_ONLY | data | {"sliders": []}


def in_radii(value: float) -> str:
    """Return a length in units of R as it is read."""
    return _("{length} R").format(length=short(value, 3, ROUNDING))


def chart(stage: Stage) -> Chart:
    """Return the VC dimension and its bound in the plane, with the margins of the points and of random triangles."""
    own = smallest_margin(stage), stage.data.m
    return Chart(staircase(RHO(stage), 2, own, random_margins(), stage.palette))


@cache
def random_margins() -> Array:
    """Return the margins of random triangles."""
    return random_triples(TRIPLES, SEED)


def more(stage: Stage) -> Sequence[Part]:
    """Return the marks, the theorem, two computations, what it is about, and the bound of the lecture notes."""
    search = stage.background_result(
        ("ball", "best triple"), lambda report: best_triple(tries=TRIPLES, seed=SEED, on_progress=report)
    )
    X, (_centre, R, lines), d = stage.data.X, measured(stage), int(stage.pick("ball_d"))
    return [
        _(
            "**On the board.** You can drag the points. Their colours do not matter, because every labelling counts. "
            "With three points, each line is the boundary of largest margin for one labelling and for its opposite. It "
            "lies halfway between one point and the nearest point of the segment that joins the other two. If all "
            "labels are equal, any line far enough from the points is correct."
        ),
        _(
            "**The exact maximum.** Take a ball of radius $R$ in $d$ dimensions. In it, $n$ points can be shattered "
            "with margin $\\rho$ if and only if $n \\le d + 1$ and $R^2/\\rho^2 \\ge c(n)$. Here $c(n) = n - 1$ for "
            "even $n$, and $c(n) = (n-1)^2(n+1)/n^2$ for odd $n$. A regular simplex with its corners on the sphere is "
            "optimal. Its smallest margin belongs to the labellings that split the corners as equally as possible. "
            "For $n = 3$, the condition is $R^2/\\rho^2 \\ge 16/9$, so $\\rho \\le \\frac34 R$."
        ),
        _(
            "**Two computations.** For three points, the formula gives {formula} R. Of {n} random triangles on the "
            "circle, the best one has margin {best} R, and after improvement by small steps it has {search} R. For the "
            "points on the board, distances give {own} R, and an exact hard margin for each labelling gives {exact} R."
        ).format(
            formula=short(LARGEST),
            n=TRIPLES,
            best=short(float(random_margins().max()), 3),
            search=short(search.margin, 6),
            own=short(lines[0].margin / R, 6, ROUNDING),
            exact=short(float(margins(X).min()) / R, 6, 1e-9),
        ),
        _(
            "**What it is about.** The theorem is about a method that returns a line only if its margin is at least "
            "$\\rho$, where $\\rho$ was fixed before any point was seen. The margin of an SVM depends on its training "
            "points, so the theorem does not apply to it directly."
        ),
        _(
            "**Lecture notes.** The Chinese notes after H.-T. Lin state $\\min(R^2/\\rho^2, d) + 1$, without rounding "
            "up. At $\\rho = 0.73\\,R$ in the plane this is 2.88, although three points are shattered. Burges (1998) "
            "rounds the quotient up. In the shaded intervals of the next chart, the bound of the notes (pink) is too "
            "small. There is one interval for each odd number of points from 3 to $d + 1$. For $\\rho \\le R/\\sqrt d$ "
            "both bounds are $d + 1$, so such a margin gains nothing."
        ),
        Chart(staircase(RHO(stage), d, None, None, stage.palette)),
    ]


def staircase(rho: float, d: int, own: tuple[float, int] | None, random: Array | None, palette: Palette) -> go.Figure:
    """Return the VC dimension in d dimensions and its bound over rho/R, with a rule at `rho`.

    own: the margin/R of the points on the board, and their number. random: margins (n,) of random triangles, a tick
    each. Without both, the bound of the lecture notes is drawn, and shading where it is too small.
    """
    figure = empty_chart(palette, "", _("VC dimension with margin ρ"), height=240)
    x = _positions(d)
    largest = np.array([max_shattered_points(r, d=d) for r in x], dtype=float)
    bound = np.array([corrected_bound(r, d=d) for r in x], dtype=float)
    area = {"fill": "tozeroy", "fillcolor": faded(palette.accent, 0.2)}
    lines: list[tuple[str, Array, str, str, dict[str, str]]] = [
        (_("VC dimension"), largest, palette.accent, "solid", area),
        (_("bound"), bound, palette.quiet, "dash", {}),
    ]
    if own is None:
        for lo, hi in failing(d):
            figure.add_vrect(x0=lo, x1=hi, fillcolor=faded(palette.other, 0.2), line_width=0, layer="below")
        lines.append((_("notes"), np.array([printed_bound(r, d=d) for r in x]), palette.other, "solid", {}))
    for name, y, colour, dash, fill in lines:
        hover = f"{name}: %{{y:.4g}}<br>ρ = %{{x:.4g}} R<extra></extra>"
        pen = palette.pen(colour, 2.5, dash)
        figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hovertemplate=hover, **fill))
    labels = [Label(name, RHO.hi, float(y[-1]), colour) for name, y, colour, _dash, _fill in lines]
    if random is not None:
        tick = {"symbol": "line-ns-open", "size": 12 * palette.stroke, "color": palette.quiet, "opacity": 0.5}
        tick["line"] = {"width": palette.stroke}
        hover = _("a random triangle, margin {margin} R").format(margin="%{x:.4g}") + "<extra></extra>"
        ticks = go.Scatter(x=random, y=np.full(len(random), 3.0), name="random", mode="markers", marker=tick)
        figure.add_trace(ticks.update(hovertemplate=hover))
    if own is not None:
        mark = {"symbol": "diamond", "size": 14 * palette.stroke, "color": palette.accent}
        mark["line"] = palette.pen(palette.paper, 1.5)
        hover = _("your points, margin {margin} R").format(margin="%{x:.4g}") + "<extra></extra>"
        yours = go.Scatter(x=np.array(own[:1]), y=np.array(own[1:]), name="own", mode="markers", marker=mark)
        figure.add_trace(yours.update(cliponaxis=False, hovertemplate=hover))
        labels.append(Label(_("your points"), *own, palette.accent, "above"))
    add_rule(figure, palette, palette.text, "dot", x=rho)
    top = d + 1.0
    figure.update_xaxes(range=[RHO.lo, RHO.hi], dtick=0.2, tick0=0.2)
    figure.update_yaxes(range=[0.0, top + 0.2 * top], dtick=1 if d < 5 else 2, tick0=1)
    return place_labels(figure, palette, [axis_name(figure, "ρ/R", palette), *labels])


def _positions(d: int) -> Array:
    """Return values of rho/R, and both sides of every step, so that the steps are vertical."""
    jumps = [shattering_margin(n) for n in range(2, d + 2)] + [1 / np.sqrt(n) for n in range(1, d + 1)]
    eps = 1e-9
    close = [jump + side for jump in jumps for side in (-eps, eps)]
    x = np.unique(np.r_[np.linspace(RHO.lo, RHO.hi, 221), close])
    return x[(x >= RHO.lo) & (x <= RHO.hi)]


VC_MARGIN = Step(
    key="vc-margin",
    former_key="ball",
    title=N_("VC dimension with a margin"),
    situation=N_(
        "The VC dimension of lines is 3: they realise every labelling of some three points, but of no four. Points are "
        "**shattered with margin** $\\rho$ if such a line for each labelling can keep the distance $\\rho$ from all "
        "points. The **VC dimension with margin** $\\rho$ is the largest number of points in a disc of radius $R$ for "
        "which this is possible."
    ),
    question=N_("Above which margin $\\rho$ is it impossible that lines shatter three points in a disc of radius $R$?"),
    choices=(
        wrong(
            N_("Above R/2"),
            N_(
                "In an equilateral triangle, R/2 is the distance of a side from the centre. A line between a side and "
                "a corner can keep a larger distance."
            ),
        ),
        right(N_("Above 3R/4")),
        wrong(
            N_("Above (√3/2)\u00a0R\u00a0≈\u00a00.87\u00a0R"),
            N_(
                "This is half a side of an equilateral triangle. However, a line must separate a corner from the whole "
                "opposite side, which is closer."
            ),
        ),
        wrong(
            N_("Above R"),
            N_(
                "Two points at the ends of a diameter have margin R. However, with a third point in the disc, some "
                "labelling has a smaller margin."
            ),
        ),
    ),
    verdict=N_(
        "Above 3R/4, because an equilateral triangle has margin 3R/4, and no three points in the disc have more."
    ),
    board=EQUILATERAL,
    needs=(APART,),
    deeper=True,
    introduces=("asked-margin", "ball"),
    dials=(RHO,),
    draw=draw,
    play=RHO.play(0.3, LARGEST, 3200),
    rests_on_answer=lambda stage: RHO(stage) == LARGEST and abs(smallest_margin(stage) - LARGEST) < MET,
    numbers=(
        Measure(
            N_("margin of your points"),
            lambda stage: in_radii(smallest_margin(stage)),
            N_("Smallest margin over all labellings of the points on the board, as a multiple of R"),
            after_show=True,
        ),
        Measure(
            N_("VC dimension"),
            lambda stage: float(max_shattered_points(RHO(stage))),
            N_("Largest number of points in the disc that lines shatter with margin ρ"),
            after_show=True,
        ),
        Measure(
            N_("bound"),
            lambda stage: float(corrected_bound(RHO(stage))),
            N_("Upper bound of the VC dimension with margin ρ, from the formula"),
            after_show=True,
        ),
    ),
    picks=(Pick("ball_d", N_("Dimension d of the ball"), (2, 3, 10), 2, lambda d: f"d = {d}", in_more=True),),
    chart=chart,
    says=N_(
        "The green steps are the VC dimension with margin $\\rho$, $\\mathrm{VC}(\\rho)$. The dashed steps are a "
        "bound. Ticks are margins of random triangles. On the board, you see a line in pink if it enters a "
        "circle of radius $\\rho$."
    ),
    formula=(
        r"\mathrm{VC}(\rho) \;\le\; \min\bigl(\lceil R^2/\rho^2\rceil,\, d\bigr) + 1, "
        r"\quad d = 2 \text{ in the plane}"
    ),
    more=more,
    tries=(
        Try(N_("Another triangle"), board=SCALENE),
        Try(N_("Two points"), board=TWO),
        Try("ρ = 0.9 R", RHO.to(0.9)),
    ),
    shows=("G2",),
)
