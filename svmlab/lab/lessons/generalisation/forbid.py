"""How many labellings have a required margin, for lines and for kernels (G3, G6, G8)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab import Gaussian, Linear, Polynomial, Solution
from svmlab.core.arrays import Array
from svmlab.generalisation import circumradius, count_with_margin, feature_radius, labels, margins, swept_margins
from svmlab.kernels.base import Kernel
from svmlab.lab.charts.marks import mark_current
from svmlab.lab.lessons.generalisation.dichotomies import Kept, hard, kept, number_of, staircase
from svmlab.lab.numbers import short
from svmlab.lab.session.worker import Report
from svmlab.lab.teach import small_boards
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, line_strokes, replace_machine, stroke
from svmlab.lab.teach.requirements import at_most
from svmlab.lab.teach.small_boards import SmallBoard
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Choice, Data, Dial, Need, Op, Part, Pick, Reading, Step, Table, Try, reading
from svmlab.lab.words import N_, _
from svmlab.plane.geometry import Line
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.lines import DASHES
from svmlab.plot.palette import Palette

MAX_POINTS = 8
ASKED = 0.45  # the rho/R of the question
RHO = Dial(
    "kept",
    N_("Required margin ρ of the labellings, as a multiple of R"),
    N_("required margin ρ"),
    0.0,
    1.0,
    0.01,
    start=ASKED,
    unit=" R",
    after_show=True,
)
FINE_GRID = 21  # positions of f along each side of a small board
MANY = 48  # the largest number of small boards
ROUNDED = 5e-5  # of a margin: positions are whole thousandths, and a margin that is read as met is met
OFF = 1e-9  # of R: a difference of two computations that is only rounding
KERNELS: dict[str, tuple[str, Kernel]] = {
    "lines": (N_("Lines"), Linear()),
    "square": (N_("Degree 2"), Polynomial(2)),
    "cube": (N_("Degree 3"), Polynomial(3)),
    "gaussian": (N_("Gaussian"), Gaussian(1.0)),
}
VIEWS = {"counts": N_("Numbers"), "which": N_("Labellings")}
HEXAGON = board_of_points(
    ((2, 0, 1), (1, 1.732, 1), (-1, 1.732, 1), (-2, 0, -1), (-1, -1.732, -1), (1, -1.732, -1)),
)
TRIANGLE = board_of_points(((0, 4, 1), (-3.464, -2, -1), (3.464, -2, -1)))
EIGHT = board_of_points(
    [
        (round(2.4 * math.cos(k * math.pi / 4), 3), round(2.4 * math.sin(k * math.pi / 4), 3), 1 if k < 4 else -1)
        for k in range(8)
    ]
)
AWAY = Need(
    lambda stage: feature_radius(stage.data.X) > 0,
    N_("All points are at the origin, so the radius R, which is the unit of the margins here, is 0."),
    {},
)


def smallest(rho: float) -> float:
    """Return the margin that counts as at least `rho`, both in units of R."""
    return rho * (1 - ROUNDED)


def chosen_kernel(stage: Stage) -> Kernel:
    """Return the kernel that is chosen."""
    return KERNELS[stage.pick("lifted")][1]


def line_margins(stage: Stage) -> Array:
    """Return the margins of all labellings for lines, in units of R, from the directions of lines."""
    X = stage.data.X
    return stage.cached_for_points("directions", lambda: swept_margins(X) / feature_radius(X))


@dataclass(frozen=True, eq=False)
class AllMargins:
    """By the name of a kernel: the margin of each labelling (2^m,) in units of R, and the largest as small boards."""

    margins: dict[str, Array]
    small_boards: dict[str, tuple[tuple[float, SmallBoard], ...]]


def all_margins(stage: Stage) -> AllMargins:
    """Return the margins for all kernels on the points of the board. Raises Working."""
    X, half = stage.data.X, small_boards.half_side(stage.data, stage.lab.view)

    def make(report: Report) -> AllMargins:
        by_kernel, drawn = dict[str, Array](), dict[str, tuple[tuple[float, SmallBoard], ...]]()
        for i, (name, (_name, kernel)) in enumerate(KERNELS.items()):
            part = partial(_report_part, report, i / len(KERNELS), 0.5 / len(KERNELS))
            by_kernel[name] = margins(X, kernel, part) / feature_radius(X, kernel)
            largest = kept(X, kernel, by_kernel[name], half, FINE_GRID, MANY, partial(part, begun=1.0))
            drawn[name] = tuple((each.margin, _small(len(X), each, half)) for each in largest)
        return AllMargins(by_kernel, drawn)

    return stage.background_result(("labellings", X.tobytes(), half), make)


def _small(m: int, labelling: Kept, half: float) -> SmallBoard:
    y = labels(m)[labelling.number]
    hover = _("{signs} and its opposite, margin {margin} R").format(
        signs=small_boards.signs_of(y), margin=short(labelling.margin, 3)
    )
    return SmallBoard(labelling.number, y, hover, *small_boards.sides(labelling.f, half))


def _report_part(report: Report, start: float, share: float, done: float, begun: float = 0.0) -> None:
    report(start + share * (begun + done))


def known_margins(stage: Stage) -> dict[str, Array]:
    """Return the margins that are already computed. Those of lines always are."""
    try:
        return all_margins(stage).margins
    except Working:
        return {"lines": line_margins(stage)}


def hard_margin(stage: Stage) -> Solution | None:
    """Return the hard margin SVM of the labels on the board with the chosen kernel, or None if there is none."""
    data, kernel = stage.data, chosen_kernel(stage)
    if not data.both_classes:
        return None
    return stage.cached(f"hard {stage.pick('lifted')}", lambda: hard(data.X, data.y, kernel))


def draw(stage: Stage) -> Data:
    """Return the disc of radius R, and after Show the boundary of the labels on the board and the required margin."""
    R, half, is_linear = (
        feature_radius(stage.data.X, chosen_kernel(stage)),
        stage.lab.view,
        chosen_kernel(stage).is_linear,
    )
    data: Data = POINTS_ONLY | {"legend": None, "message": None, "witness": None, "sliders": []}
    data["overlay"] = [stroke(np.array([0.0, 0.0, R]), "faint", "disc")] if is_linear or not stage.shown else []
    if not stage.shown:
        return data
    solution = hard_margin(stage)
    if solution is not None and solution.norm_w > 0:
        data |= replace_machine(stage, solution, stage.cache.drawing(solution, half)) | {"legend": None}
        if solution.w is not None and is_linear:
            line, distance = Line(solution.w, solution.b), RHO(stage) * R
            data["lines"] = data["lines"] | {"plus": [], "minus": []}
            sides = [
                each for t in (distance, -distance) for each in line_strokes(line.shifted(t), half, "accent dashed")
            ]
            data["overlay"] = [*data["overlay"], *sides]
    table = markup(stage) if stage.pick("left") == "which" else None
    return data if table is None else data | {"table": table}


def question_counts(stage: Stage) -> tuple[int, int]:
    """Return how many labellings have the margin of the question, and how many lines realise."""
    of_labellings = line_margins(stage)
    return count_with_margin(of_labellings, smallest(ASKED)), count_with_margin(of_labellings, 0.0)


def answer(stage: Stage) -> int:
    """Return whether all labellings have the margin, more than half of them, or at most half."""
    remaining, every = question_counts(stage)
    return 0 if remaining == every else 1 if 2 * remaining > every else 2


def verdict(stage: Stage) -> str:
    """Return the right choice with both numbers and the reason."""
    remaining, every = question_counts(stage)
    words = (
        _("All of them. Each of the {every} labellings has a line at least {rho} R from all points."),
        _(
            "More than half, but not all. Of {every} labellings, {remaining} have a line at least {rho} R from all "
            "points."
        ),
        _(
            "At most half of them. Of {every} labellings, only {remaining} have a line at least {rho} R from all "
            "points."
        ),
    )[answer(stage)]
    return words.format(remaining=remaining, every=every, rho=short(ASKED))


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return how many labellings remain with the chosen kernel, and the margin of the labels on the board."""
    if not stage.shown:
        return ()
    of_labellings, solution = known_margins(stage).get(stage.pick("lifted")), hard_margin(stage)
    R, readings = feature_radius(stage.data.X, chosen_kernel(stage)), []
    if of_labellings is not None:
        words = _("{remaining} of {every}").format(
            remaining=count_with_margin(of_labellings, smallest(RHO(stage))),
            every=count_with_margin(of_labellings, 0.0),
        )
        definition = _("Labellings with margin ρ or more, of all that the chosen boundaries realise")
        readings = [reading(_("remaining"), words, definition)]
    if not stage.data.both_classes:
        own = _("unlimited")
    elif solution is None:
        own = _("none")
    else:
        own = _("{margin} R").format(margin=short(1.0 / solution.norm_w / R, 3))
    return [*readings, reading(_("margin of this labelling"), own, _("Largest margin for the labels on the board"))]


def chart(stage: Stage) -> Chart | Table:
    """Return the staircases of all kernels, or small boards of the labellings that remain."""
    if stage.pick("left") == "which":
        all_margins(stage)
        return Table(markup(stage) or "", lambda number: put(stage, number), follows_drag=True)
    of_labellings, names = all_margins(stage).margins, list(KERNELS)
    stairs = [
        Stairs(
            _(KERNELS[name][0]),
            *staircase(of_labellings[name]),
            count_with_margin(of_labellings[name], smallest(RHO(stage))),
        )
        for name in names
    ]
    chosen = names.index(stage.pick("lifted"))
    return Chart(steps(stairs, 2 ** len(stage.lab.points), chosen, RHO(stage), stage.palette))


def markup(stage: Stage) -> str | None:
    """Return the labellings with margin rho or more as small boards, one for itself and its opposite.

    The largest margin comes first. The value is None while they are computed.
    """
    try:
        every = all_margins(stage).small_boards[stage.pick("lifted")]
    except Working:
        return None
    X, half = stage.data.X, small_boards.half_side(stage.data, stage.lab.view)
    remaining = [each for margin, each in every if margin >= smallest(RHO(stage))]
    own, last = number_of(stage.data.y), 2 ** len(X) - 1
    chosen = own if any(each.id == own for each in remaining) else last - own
    return small_boards.boards(X, remaining, half, chosen, 1, _("the remaining labellings, each with its opposite"))


def put(stage: Stage, number: int) -> Op:
    """Return the operation that puts the labels of a small board on the points."""
    y = labels(len(stage.lab.points))[number].tolist()
    points = [[p.id, p.x / 1000, p.y / 1000, int(label)] for p, label in zip(stage.lab.points, y, strict=True)]
    return {"op": "points", "points": points}


def says(stage: Stage) -> str:
    """Return how the staircases or the small boards are read."""
    if stage.pick("left") == "which":
        pairs = count_with_margin(all_margins(stage).margins[stage.pick("lifted")], smallest(RHO(stage))) // 2
        if pairs > MANY:
            return _(
                "The small boards show the {few} labellings with the largest margins of {all}, each for itself and its "
                "opposite. You can click one to put its labels on the board."
            ).format(few=MANY, all=pairs)
        return _(
            "Each small board is a labelling with margin $\\rho$ or more, for itself and its opposite. The largest "
            "margin comes first. You can click one to put its labels on the board."
        )
    words = _(
        "Each staircase counts the labellings with margin $\\rho$ or more, for lines or for a kernel. Its name gives "
        "the number at {rho} R."
    ).format(rho=short(RHO(stage)))
    if not chosen_kernel(stage).is_linear or hard_margin(stage) is None:
        return words
    return words + " " + _("On the board, the dashed lines are at distance $\\rho$ from the boundary.")


def more(stage: Stage) -> Sequence[Part]:
    """Return the meaning of the margins, two computations, three points, and the lecture notes."""
    of_labellings, swept = all_margins(stage).margins["lines"], line_margins(stage)
    finite = np.isfinite(swept)
    difference = float(np.abs(of_labellings[finite] - swept[finite]).max(initial=0.0))
    parts = [
        _(
            "**Kernels.** For a kernel, the margin is measured in feature space, and $R$ is the largest "
            "$\\|\\phi(x_i)\\|$. The Gaussian has $\\sigma = 1$. Without a required margin, degree 2 and 3 realise at "
            "least as many labellings as lines, and the Gaussian realises all of them if the points differ. No margin "
            "is larger than $R$, except for the two labellings with one class. A boundary far away realises these."
        ),
        _(
            "**Two computations.** A hard margin SVM gives the margin of each labelling. For lines, it is also half of "
            "the largest gap between the classes over all directions that can be optimal. Such a direction joins two "
            "points or is perpendicular to a line through two points. The largest difference of both is {difference} R."
        ).format(difference=short(difference, 2, OFF)),
        _(
            "**Three points and the margin 1.126.** The Chinese notes after H.-T. Lin state that three points can "
            "very likely not be shattered with the margin 1.126, and their slide states that they cannot. Three "
            "points on a circle of radius 4, evenly spread, have margin 3 for all labels (*Triangle*). The statement "
            "is true in a disc of radius below 1.126/0.75 = 1.501."
        ),
        _(
            "**Three points on the unit circle.** The same notes state that three points cannot be shattered with a "
            "margin above $\\sqrt3/2$. This is true, and it is already true above 3/4. An equilateral triangle has "
            "margin 3/4, and no other three points have more."
        ),
        _(
            "**Large margins.** The notes hope that a large margin limits the number of labellings for rich features. "
            "The staircases show this for a fixed $\\rho$. A bound of the true error requires that $\\rho$ is fixed "
            "before the points are seen. It does not cover a margin that is computed from the points."
        ),
    ]
    if len(stage.lab.points) == 3:
        smallest_margin, r = float(swept.min()) * feature_radius(stage.data.X), circumradius(stage.data.X)
        words = _(
            "**On this board**, the circle through the three points has radius {r}. The smallest margin of the 8 "
            "labellings is {margin}."
        )
        parts.insert(3, words.format(r=short(r), margin=short(smallest_margin, noise=OFF)))
    return parts


ROOM = 1.22  # how far the chart goes beyond the last margin
HEIGHTS = (0.24, 0.46, 0.68, 0.9)  # of the names at the end of the chart, each with a piece of its line
PIECE = 0.93  # of the width: where that begins


class Stairs(NamedTuple):
    """The name of a kernel, the margins at which its count falls (k,), and the counts between them (k + 1,).

    remaining: the count at rho.
    """

    name: str
    at: Array
    counts: Array
    remaining: int


def steps(stairs: Sequence[Stairs], every: int, chosen: int, rho: float, palette: Palette) -> go.Figure:
    """Draw the staircases, the chosen one thick, with a vertical line at rho. All margins are in units of R.

    every: the number of all labellings.
    """
    figure = empty_chart(palette, _("ρ/R"), _("labellings"), height=300)
    end = max(ROOM * max(float(each.at[-1]) for each in stairs), ROOM * rho, 0.1)
    names = []
    for i, (each, colour, dash, level) in enumerate(zip(stairs, palette.series, DASHES, HEIGHTS, strict=False)):
        pen, height = palette.pen(colour, 4.5 if i == chosen else 2.0, dash), level * every
        x = np.r_[each.at, end, np.nan, PIECE * end, end]
        y = np.r_[each.counts, np.nan, height, height]
        hover = each.name + ": %{y}<extra></extra>"
        drawn = go.Scatter(x=x, y=y, name=each.name, mode="lines", line=pen | {"shape": "vh"}, hovertemplate=hover)
        figure.add_trace(drawn)
        words = f"{each.name}: {each.remaining}"
        names.append(Label(f"<b>{words}</b>" if i == chosen else words, end, height, colour))
    mark_current(figure, palette, rho, float(stairs[chosen].remaining))
    ticks = [0, every // 4, every // 2, 3 * every // 4, every] if every >= 8 else [0, every]
    figure.update_yaxes(range=[0, 1.06 * every], tickvals=ticks)
    figure.update_xaxes(range=[0, end], nticks=7)
    return place_labels(figure, palette, names)


FORBID = Step(
    key="forbid",
    title=N_("Labellings with a margin"),
    situation=N_(
        "Lines realise some labellings of the points on the board, also those with one class. Now a line must keep a "
        "**required margin** $\\rho$, so its distance from every point is at least $\\rho$. All points lie in the disc "
        "of radius $R$ around the origin, and $R$ is the unit of all margins."
    ),
    question=N_(
        "How many of the labellings that lines realise here have a margin of at least 0.45 times the radius $R$?"
    ),
    choices=(
        Choice(
            N_("All of them"),
            N_(
                "A line that realises a labelling can pass close to a point. The required margin excludes some "
                "labellings here."
            ),
        ),
        Choice(
            N_("More than half, but not all"),
            N_(
                "This happens for other margins or other points. The staircase of the lines shows where the number "
                "falls."
            ),
        ),
        Choice(
            N_("At most half of them"),
            N_(
                "A required margin can exclude many labellings. However, more than half of them have at least 0.45 R "
                "here."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=HEXAGON,
    deeper=True,
    introduces=("asked-margin",),
    needs=(at_most(MAX_POINTS), AWAY),
    dials=(RHO,),
    draw=draw,
    play=RHO.play(0.0, ASKED, 2200),
    rests_on_answer=lambda stage: RHO(stage) == ASKED and chosen_kernel(stage).is_linear,
    numbers=numbers,
    picks=(
        Pick(
            "lifted", N_("Kernel on the board"), tuple(KERNELS), "lines", lambda name: _(KERNELS[name][0]), in_more=True
        ),
        Pick("left", N_("View"), tuple(VIEWS), "counts", VIEWS.__getitem__),
    ),
    chart=chart,
    says=says,
    formula=r"\max_{w,\,b}\ \min_i\ y_i\,\frac{\langle w, \phi(x_i)\rangle + b}{\|w\|}\ \ge\ \rho",
    more=more,
    tries=(
        Try("ρ = 0.35 R", RHO.to(0.35)),
        Try(N_("Triangle"), board=TRIANGLE),
        Try(N_("Eight points"), board=EIGHT),
    ),
    shows=("G3", "G6", "G8"),
)
