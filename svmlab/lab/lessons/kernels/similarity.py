"""A kernel as a likeness: what each support vector has to say at a place that is moved by hand (K14)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.board.payload import shading
from svmlab.lab.charts import marks
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import probe, reading, select_point, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, NONZERO_W, PRODUCT, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plane.contours import SolutionDrawing

START = (-0.75, 0.1)
WIDEST = 8.0  # px of the way to the vector that has most to say
SEEN = 0.02  # of the largest term, or of b: what is drawn on the board
NOTHING = 0.01  # of b: what all terms together are where no support vector is within reach
ALIKE = 0.5  # the least k is so much of the largest: all have about the same say


@dataclass(frozen=True)
class Terms:
    """Support vectors by their distance from u: rows of the points (k,), distances, k(x_i, u), terms alpha_i y_i k(x_i,
    u).
    """

    rows: Index
    far: Array
    k: Array
    terms: Array


def place(stage: Stage) -> tuple[float, float]:
    """Where u is."""
    return stage.dial("ux", START[0]), stage.dial("uy", START[1])


def by_distance(stage: Stage) -> bool:
    """Whether k depends on how far its places are apart, and on nothing else."""
    kernel = stage.lab.kernel_function
    return kernel.translation_invariant and kernel.rotation_invariant


def found(stage: Stage) -> Terms:
    """What every support vector has to say at u, the nearest first."""
    solution, data = stage.solution, stage.data
    rows, u = np.flatnonzero(solution.support), np.array([place(stage)])
    far = np.hypot(*(data.X[rows] - u).T)
    order = np.argsort(far, kind="stable")
    rows = rows[order]
    k = stage.lab.kernel_function(data.X[rows], u)[:, 0]
    return Terms(rows, far[order], k, solution.alpha[rows] * data.y[rows] * k)


def likeness(stage: Stage, row: int) -> Data:
    """The board shaded by k(x_i, .) of a point, in the colour of its class, and of the other where k < 0."""
    data, half, kernel = stage.data, stage.lab.view, stage.lab.kernel_function
    at = np.linspace(-half, half, 96)
    values = kernel.grid(data.X[[row]], data.y[[row]], at, at)
    top = float(np.abs(values).max()) or 1.0
    return shading(SolutionDrawing(half, 2.0 * values[::-1] / top, (), (), (), {}, noise=math.inf))


def draw(stage: Stage) -> Data:
    """u, and from it a way to every vector that has a say, as thick as that; the likeness of the selected point."""
    data: Data = {"probe": probe("ux", "uy", place(stage), "u")}
    if not stage.shown:
        return data
    now, u = found(stage), np.array(place(stage))
    most = max(float(np.abs(now.terms).max()), abs(stage.solution.b))
    items = []
    for i, term in zip(now.rows.tolist(), now.terms.tolist(), strict=True):
        if abs(term) >= SEEN * most:
            way = stroke(np.stack([u, stage.data.X[i]]), "plus" if term > 0 else "minus")
            items.append(way | {"width": round(max(1.0, WIDEST * abs(term) / most), 2)})
    if stage.selected_row is not None:
        data["shade"] = likeness(stage, stage.selected_row)
    return data | {"overlay": items, "slack": []}


def answer(stage: Stage) -> int:
    """By the terms at u: the nearest outweighs the others together (2, and so where none says anything and b alone is
    left), all k are about the same, or neither.
    """
    if not by_distance(stage):
        return 3
    now = found(stage)
    size = np.abs(now.terms)
    if silent(stage) or size[0] > size[1:].sum():
        return 2
    return 0 if now.k.min() > ALIKE * now.k.max() else 1


def within(now: Terms) -> float:
    """The distance within which half of all weight lies."""
    size = np.abs(now.terms)
    return float(now.far[int(np.searchsorted(np.cumsum(size), 0.5 * size.sum()))])


def silent(stage: Stage) -> bool:
    """Whether no support vector is near enough to say anything."""
    return by_distance(stage) and float(np.abs(found(stage).terms).sum()) < NOTHING * abs(stage.solution.b)


def verdict(stage: Stage) -> str:
    """Whose say it is."""
    now = found(stage)
    if silent(stage):
        return _("b alone: even the nearest support vector, at {near} from u, says next to nothing.").format(
            near=short(float(now.far[0]), 3)
        )
    near = short(within(now), 3)
    return (
        lambda: _("all about equally: k is {least} at least, σ is as wide as the board.").format(
            least=short(float(now.k.min()), 2)
        ),
        lambda: _("mostly the near ones: half of all weight lies within {near} of u.").format(near=near),
        lambda: _("the nearest alone: its term, at {near} from u, outweighs all others.").format(near=near),
        lambda: _("those in the direction of u: with this kernel k is no matter of distance."),
    )[answer(stage)]()


def numbers(stage: Stage) -> Sequence[Reading]:
    """The sum, b, and what they make; the distance within which half of the weight lies."""
    if not stage.shown:
        return ()
    now, b = found(stage), stage.solution.b
    return [
        reading(_("sum of bars"), float(now.terms.sum())),
        reading("b", b),
        reading("f(u)", float(stage.solution.decision(np.array([place(stage)]))[0])),
        reading(_("half the weight within"), within(now)),
    ]


def chart(stage: Stage) -> Chart:
    """A bar for each support vector at its distance from u, and what they add up to; a click selects the point."""
    now, data, kernel = found(stage), stage.data, stage.lab.kernel_function
    falls = None
    if by_distance(stage):
        d = np.linspace(0.0, float(now.far[-1]), 121)
        falls = d, kernel(np.stack([d, np.zeros_like(d)], 1), np.zeros((1, 2)))[:, 0]
    figure = terms(
        now.far,
        now.terms,
        now.k,
        stage.solution.alpha[now.rows],
        data.y[now.rows],
        data.ids[now.rows],
        now.rows,
        stage.solution.b,
        falls,
        stage.lab.selected,
        stage.palette,
    )
    return Chart(figure, select_point)


def says(stage: Stage) -> str:
    """How the chart is read; where nobody is near, what decides."""
    if silent(stage):
        return _(
            "No support vector is within reach of $u$: what is left of $f(u)$ is $b$ alone, whatever stands there."
        )
    return _(
        "The line adds the bars to $b$, the nearest first, and ends at $f(u)$. Select a point: the "
        "shading is its $k(x_i, \\cdot)$."
    )


def play(stage: Stage) -> Data | None:
    """The width goes up and comes back, where there is one."""
    width = next((p.name for p in stage.lab.kernel_function.parameters if p.slider), None)
    return None if width is None else {"key": width, "to": 5.0, "ms": 2600, "back": True}


BARS = 70  # so many bars side by side would fill the chart


def terms(
    far: Array,
    term: Array,
    k: Array,
    alpha: Array,
    y: Array,
    ids: Index,
    rows: Index,
    b: float,
    falls: tuple[Array, Array] | None,
    selected: int | None,
    palette: Palette,
) -> go.Figure:
    """Bars `term` (k,) at the distances `far` (k,), rising; the line that adds them to b.

    falls: distances (n,) and k there (n,), drawn as high as the chart; None where k is no matter of distance.
    """
    figure = blank(palette, _("distance from u"), _("α y k(x, u)"), height=260)
    reach = 1.03 * float(far[-1]) or 1.0
    top = float(np.abs(term).max())
    sums = b + np.r_[0.0, np.cumsum(term)]
    names = [Label(f"f(u) = {short(float(sums[-1]), 3, ROUNDING)}", reach, float(sums[-1]), palette.accent)]
    if falls is not None:
        tall = max(top, float(sums.max()))
        line = palette.pen(palette.quiet, 1.5, "dot")
        curve = go.Scatter(x=falls[0], y=tall * falls[1], name="k", mode="lines", line=line, hoverinfo="skip")
        figure.add_trace(curve)
        half = int(np.abs(falls[1] - 0.8 * falls[1][0]).argmin())
        names.append(Label("k", float(falls[0][half]), tall * float(falls[1][half]), palette.quiet, "above right"))
    custom = np.stack([ids, rows + 1, k, alpha], 1)
    hover = _("point") + (
        " %{customdata[1]}<br>|x − u| = %{x:.4g}<br>k = %{customdata[2]:.4g}<br>α = %{customdata[3]:.4g}"
        "<br>α y k = %{y:.6g}<extra></extra>"
    )
    bars = marks.bars(palette, far, term, y, custom, ids == selected, name="terms", hover=hover, width=reach / BARS)
    figure.add_trace(bars)
    x = np.r_[0.0, np.repeat(far, 2), reach]
    line = go.Scatter(
        x=x,
        y=np.repeat(sums, 2),
        name="sum",
        mode="lines",
        line=palette.pen(palette.accent, 2.0),
        hovertemplate=_("b and the bars up to here") + ": %{y:.5g}<extra></extra>",
    )
    figure.add_trace(line)
    figure.update_xaxes(range=[-0.02 * reach, reach], nticks=7)
    figure.update_yaxes(
        range=axis_range(sums, term, 0.0, max(top, float(sums.max())) if falls else 0.0, room=0.1),
        nticks=5,
        zeroline=True,
    )
    return place_labels(figure, palette, names, backed=True)


SIMILARITY = Step(
    key="similarity",
    title=N_("A kernel is a similarity"),
    question=N_(
        "$u$ is a new place: drag it, or click where it is to go. Its class is the sign of a sum over "
        "the support vectors. Which of them decide?"
    ),
    choices=(
        Choice(
            N_("All of them, about equally"),
            N_("So it is when σ is as wide as the board: then k hardly falls with distance."),
        ),
        Choice(
            N_("Mostly those near u"),
            N_("With a Gaussian neither very narrow nor very wide, it would be so."),
        ),
        Choice(
            N_("The nearest one alone"),
            N_("So it is when σ is narrow; here the next ones still have their say."),
        ),
        Choice(
            N_("Those in its direction, however far"),
            N_("So it is with the linear kernel; a Gaussian forgets what is far away."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("moons", kernel="gaussian", sigma=1.0, value=10.0),
    needs=(BOTH_CLASSES, PRODUCT, SOLVED, NONZERO_W, at_most(60)),
    draw=draw,
    play=play,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=r"f(u) = \textstyle\sum_i \alpha_i y_i\,k(x_i, u) + b",
    more=lambda stage: [
        _(
            "Between two support vectors at distances $d_1 < d_2$ the Gaussian's $k$ differs by the factor "
            "$e^{(d_2^2 - d_1^2)/(2\\sigma^2)}$. "
            "As $\\sigma\\to 0$ the nearest outweighs all others, as $\\sigma\\to\\infty$ all have $k = 1$; "
            "$\\alpha_i$ counts as well."
        ),
        _(
            "Gambosi's slides say that a kernel gives the similarity of two points in feature space. It is "
            "an inner product, "
            "$k(x, u) = \\frac12(\\|\\phi(x)\\|^2 + \\|\\phi(u)\\|^2 - \\|\\phi(x) - \\phi(u)\\|^2)$, and "
            "follows the distance where all "
            "$\\phi(x)$ are as long, as with the Gaussian. With the linear kernel $k(x, 2x)$ is twice $k(x, "
            "x)$: a point further out "
            "is likelier than the point itself. The Italian notes on half-spaces say it of the Gaussian, and are right."
        ),
        _("The arrow keys move $u$ while no point is selected; Escape lets go of a point."),
    ],
    tries=(
        Try("σ = 0.1", set_machine(kernel="gaussian", sigma=0.1)),
        Try("σ = 5", set_machine(kernel="gaussian", sigma=5.0)),
        Try(N_("Linear kernel"), set_machine(kernel="linear")),
    ),
    shows=("K14",),
)
