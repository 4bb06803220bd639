"""The primal problem has the line with the largest margin, because its w is the shortest feasible one (H2, H3, H12)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import SvmError
from svmlab.core.arrays import Array
from svmlab.lab.charts.marks import RING, SIZE, mark_current
from svmlab.lab.lessons.duality.boards import EIGHT, FLOWERS, FOUR
from svmlab.lab.lessons.duality.versions import Turn, Version, turn, versions
from svmlab.lab.numbers import short
from svmlab.lab.teach.overlay import POINTS_ONLY, boundary_line, line_strokes, place, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, HARD, LINEAR, SEPARABLE, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Part, Pick, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, named_row, number, table, words
from svmlab.lab.words import N_, _, bias
from svmlab.plane.geometry import Line, widest_with_normal
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import CLEAR, Palette

ANGLE = Dial(
    "turned",
    N_("Angle of w from the optimal direction"),
    N_("angle from optimum"),
    -90.0,
    90.0,
    1.0,
    start=40.0,
    unit="°",
)
VIEWS = {"directions": N_("directions of w"), "plane": N_("plane of w")}
SAYS = {
    "directions": N_(
        "For each direction of $w$ with a separating line, the chart shows the margin and the smallest feasible "
        "$\\|w\\|$, as multiples of their optimal values. Their product is always 1."
    ),
    "plane": N_(
        "Each point of this chart is a vector $w$. The shaded region contains all $w$ that satisfy the constraints "
        "with some $b$. The green dot is the shortest of them."
    ),
}
FORMS = {
    "margin": N_("largest margin"),
    "scale": N_("smallest y f = 1"),
    "square": N_("primal problem"),
    "dual": N_("dual problem"),
}
HIGHEST = 3.0  # the largest multiple of an optimal value that the chart shows


def turned_line(stage: Stage) -> tuple[Line, float]:
    """Return the line of largest margin with the turned normal, and its margin, negative if none separates."""
    w, data = boundary_line(stage).w, stage.data
    angle = float(np.arctan2(w[1], w[0]) + np.radians(ANGLE(stage)))
    return widest_with_normal(data.X, data.y, angle)


def draw(stage: Stage) -> Data:
    """Draw the turned line with its margin lines, and the w that makes its smallest y f exactly 1 as an arrow."""
    line, margin = turned_line(stage)
    half = stage.lab.view
    items = line_strokes(line, half, "accent")
    if margin > 0:
        items += [item for t in (margin, -margin) for item in line_strokes(line.shifted(t), half, "accent dashed")]
        foot = line.foot(np.zeros(2))
        items.append(stroke(np.array([foot, foot + line.normal / margin]), "accent", "arrow"))
    hidden: Data = {} if stage.shown else {**POINTS_ONLY, "legend": None}
    return {"overlay": items, **hidden}


def situation(stage: Stage) -> str:
    """Say what the points are if they are the flowers, and state the primal problem."""
    problem = _(
        "The **margin** of a separating line is its distance to the nearest point. The **primal problem** of the SVM "
        "is to minimise $\\frac12\\|w\\|^2$ subject to $y_if(x_i)\\ge1$ for every point."
    )
    if stage.lab.points != FLOWERS().points:
        return problem
    flowers = _(
        "Each point is an iris flower. Its sepal length is $x_1$ plus 5.5 cm, and its petal length is $x_2$ plus 2.9 "
        "cm."
    )
    return f"{flowers} {problem}"


def says(stage: Stage) -> str:
    view = stage.pick("primal")
    return _(SAYS[view])


def verdict(stage: Stage) -> str:
    norm = stage.solution.norm_w
    return _(
        "Yes, both are the same line. The shortest feasible w has length {norm}, so its margin "
        "1/‖w‖\u00a0=\u00a0{margin} is largest."
    ).format(margin=short(1.0 / norm), norm=short(norm))


def directions(stage: Stage) -> Turn:
    """Return the largest margin for every direction of w, the optimal direction in the middle."""
    return stage.cached("directions", lambda: turn(stage.data, True, stage.solution.w))


def chart(stage: Stage) -> Chart:
    """Show margin and length over the directions, or the feasible w in their plane."""
    line, margin = turned_line(stage)
    if stage.pick("primal") == "directions":
        relative_margin = margin * stage.solution.norm_w
        return Chart(margin_and_length(directions(stage), ANGLE(stage), relative_margin, stage.palette))
    current = line.normal / margin if margin > 0 else None
    return Chart(plane_of_w(directions(stage), boundary_line(stage).w, current, stage.palette))


def margin_and_length(directions: Turn, angle: float, relative_margin: float, palette: Palette) -> go.Figure:
    """Draw the margin of each direction and the length of its shortest w, as multiples of the optimal values.

    angle: the current direction in degrees from the optimal one. relative_margin: its margin over the largest margin.
    """
    separates = directions.margin > 0
    degrees = np.degrees(directions.angle - directions.angle[len(directions.angle) // 2])[separates]
    margin = directions.margin[separates] / directions.margin.max()
    figure = empty_chart(palette, _("angle of w from the optimal direction"), _("multiple of the optimum"), height=320)
    curves = (("length", 1.0 / margin, palette.accent), ("margin", margin, palette.text))
    for name, y, colour in curves:
        hover = "%{x:.1f}°: %{y:.4g}<extra></extra>"
        figure.add_trace(
            go.Scatter(x=degrees, y=y, name=name, mode="lines", line=palette.pen(colour), hovertemplate=hover)
        )
    mark_current(figure, palette, angle, *((relative_margin, 1.0 / relative_margin) if relative_margin > 0 else ()))
    figure.add_trace(_dot(0.0, 1.0, _("optimum"), "1", palette))
    figure.update_xaxes(range=[-90, 90], dtick=45, ticksuffix="°")
    figure.update_yaxes(range=[0.0, HIGHEST], nticks=4)
    first_high = int(np.flatnonzero(1.0 / margin[len(margin) // 2 :] >= 2.0)[:1].sum()) + len(margin) // 2
    names = (
        Label(_("shortest ‖w‖"), float(degrees[first_high]), 2.0, palette.accent),
        Label(_("margin"), float(degrees[-1]), 0.0, palette.text, "above right"),
    )
    return place_labels(figure, palette, names)


def plane_of_w(directions: Turn, w: Array, current: Array | None, palette: Palette) -> go.Figure:
    """Draw all w that satisfy the constraints with some b, the shortest of them on a circle, and the `current` w."""
    edge, norm = directions.shortest_w, float(np.hypot(*w))
    outer = edge / np.hypot(edge[:, 0], edge[:, 1])[:, None] * (100 * norm)
    figure = empty_chart(palette, height=320)
    circle = norm * np.exp(1j * np.linspace(0, 2 * np.pi, 181))
    hover = "w = (%{x:.4g}, %{y:.4g})<extra></extra>"
    figure.add_trace(
        go.Scatter(
            x=np.r_[edge[:, 0], outer[::-1, 0]],
            y=np.r_[edge[:, 1], outer[::-1, 1]],
            fill="toself",
            mode="lines",
            line={"width": 0},
            fillcolor=palette.grid,
            hoverinfo="skip",
            name="feasible",
        )
    )
    figure.add_trace(
        go.Scatter(
            x=edge[:, 0], y=edge[:, 1], mode="lines", line=palette.pen(palette.text), name="edge", hovertemplate=hover
        )
    )
    figure.add_trace(
        go.Scatter(
            x=circle.real,
            y=circle.imag,
            mode="lines",
            line=palette.pen(palette.accent, 1.5, "dash"),
            hoverinfo="skip",
            name="circle",
        )
    )
    arrow = {"ax": 0, "ay": 0, "xref": "x", "yref": "y", "axref": "x", "ayref": "y", "arrowhead": 2, "text": ""}
    pen = {"arrowwidth": 2.5 * palette.stroke, "arrowcolor": palette.accent, "showarrow": True}
    figure.add_annotation(x=float(w[0]), y=float(w[1]), **arrow, **pen)
    figure.add_trace(_dot(float(w[0]), float(w[1]), _("shortest w"), f"({w[0]:.8g}, {w[1]:.8g})", palette))
    if current is not None:
        ring = {"size": 12 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.accent, RING)}
        figure.add_trace(
            go.Scatter(x=current[:1], y=current[1:], name="now", mode="markers", marker=ring, hovertemplate=hover)
        )
    middle, half = 0.75 * w, 1.9 * norm
    figure.update_xaxes(range=[float(middle[0]) - half, float(middle[0]) + half])
    figure.update_yaxes(range=[float(middle[1]) - half, float(middle[1]) + half], scaleanchor="x")
    # The hover has the numbers, and the room is needed for the picture.
    figure.update_xaxes(showticklabels=False, zeroline=True).update_yaxes(showticklabels=False, zeroline=True)
    towards, away = ("right", "left") if w[0] >= 0 else ("left", "right")
    names = (
        Label(_("shortest w"), -norm if towards == "right" else norm, 0.0, palette.accent, away),
        Label(_("feasible w"), float(1.7 * w[0]), float(1.7 * w[1]), palette.text, towards),
    )
    return place_labels(figure, palette, names)


def _dot(x: float, y: float, name: str, exact: str, palette: Palette) -> go.Scatter:
    return go.Scatter(
        x=np.array([x]),
        y=np.array([y]),
        mode="markers",
        marker={"size": SIZE * palette.stroke, "color": palette.accent},
        name="best",
        hovertemplate=f"{name}<br>{exact}<extra></extra>",
    )


def forms(stage: Stage) -> tuple[Version, ...]:
    """Return four forms of the problem, each solved by its own method, or none where a method does not converge."""

    def solved() -> tuple[Version, ...]:
        try:
            return versions(stage.data)
        except SvmError:
            return ()

    return stage.cached("versions", solved)


def more(stage: Stage) -> Sequence[Part]:
    """Explain why the two problems have the same solution, and compare four forms of the problem."""
    parts: list[Part] = [
        _(
            "**Why both problems have the same solution.** Take any separating line with $y_if(x_i)>0$ for all $i$. "
            "Multiply $w$ and $b$ by a positive factor until the smallest $y_if(x_i)$ is exactly 1. The line stays the "
            "same, and its margin is then $1/\\|w\\|$. So the largest margin belongs to the shortest $w$. The "
            "constraints ask for at least 1 and not for exactly 1. However, if every $y_if(x_i)$ is larger than 1, you "
            "can shorten $w$, so this $w$ is not optimal."
        ),
        _(
            "**Why this form is used.** The objective $\\frac12\\|w\\|^2$ is convex, and the constraints are linear in "
            "$w$ and $b$. So the feasible region is convex, and you can use a solver for quadratic programs. The "
            "solution is unique."
        ),
    ]
    solved = forms(stage)
    if not solved:
        return parts
    rows = [
        named_row(
            _(FORMS[form.name]),
            [words(place(form.w)), number(bias(form.b), 3), number(form.value, 5), number(form.margin, 5)],
        )
        for form in solved
    ]
    return [
        *parts,
        _(
            "**Four forms, one line.** The table solves four forms of the problem by different methods, and then "
            "measures the margin of each line. The last form is the dual problem, which this lesson introduces next. "
            "Gruber's German handout also has four versions, namely fixed scale, primal problem, Lagrangian with its "
            "dual, and the dual as a quadratic program."
        ),
        Table(table(head("w", "b", _("objective"), _("margin"), first=_("form")), rows)),
    ]


PRIMAL = Step(
    key="primal",
    former_key="versions",
    title=N_("The primal problem"),
    introduces=("primal", "constraint", "optimum"),
    situation=situation,
    question=N_("Is the solution of the primal problem the line with the largest margin?"),
    choices=(
        right(N_("Yes, both are the same line")),
        wrong(
            N_("No, the number 1 in the constraints moves the line"),
            N_(
                "Another positive number instead of 1 multiplies w and b by the same factor. However, the line "
                "f(x)\u00a0=\u00a00 then stays where it is."
            ),
        ),
        wrong(
            N_("No, a short w gives a narrow margin"),
            N_(
                "It seems natural that a small w means a small margin. However, if the smallest y\u00a0f(x) is 1, the "
                "margin is 1/‖w‖."
            ),
        ),
    ),
    verdict=verdict,
    board=FLOWERS,
    needs=(BOTH_CLASSES, LINEAR, BIAS, HARD, SEPARABLE, at_most(30)),
    dials=(ANGLE,),
    draw=draw,
    play=ANGLE.play(ANGLE.start, 0.0, 1800),
    rests_on_answer=lambda stage: ANGLE(stage) == 0.0,
    numbers=(
        Measure(
            N_("margin"),
            lambda stage: max(turned_line(stage)[1], 0.0) or _("none"),
            N_("Distance from the drawn line to the nearest point, if the line separates the classes"),
            after_show=True,
        ),
        Measure(
            "‖w‖",
            lambda stage: 1.0 / turned_line(stage)[1] if turned_line(stage)[1] > 0 else _("none"),
            N_("Length of the shortest w of this direction that satisfies all constraints"),
            after_show=True,
        ),
        Measure(
            N_("largest margin"),
            lambda stage: 1.0 / stage.solution.norm_w,
            N_("Margin of the solution of the primal problem"),
            after_show=True,
        ),
    ),
    picks=(Pick("primal", N_("Chart"), tuple(VIEWS), "directions", lambda name: _(VIEWS[name])),),
    chart=chart,
    says=says,
    formula=r"\min_{w,b}\;\tfrac12\|w\|^2 \quad\text{s.t.}\quad y_i(\langle w,x_i\rangle+b)\ge 1\;\text{ for all }i",
    more=more,
    tries=(
        Try("−30°", ANGLE.to(-30.0)),
        Try(N_("Four points"), board=FOUR),
        Try(N_("Eight points"), board=EIGHT),
    ),
    shows=("H2", "H3", "H12"),
)
