"""The perceptron without separability: it never stops, w stays bounded, the pocket keeps the best line (L13, L1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import Linear, separate
from svmlab.binary.separability import Separation
from svmlab.core.arrays import Array, Index
from svmlab.firstorder.perceptron import PerceptronRun, augmented, perceptron
from svmlab.lab.charts.marks import SIZE, add_rule
from svmlab.lab.lessons.losses.cycling import cycle, total, visits
from svmlab.lab.lessons.losses.fewest import fewest_so_far
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, film, frame, line_strokes, normal_of, place, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, SOFT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Measure, Part, Pick, Step, Try
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES
from svmlab.plane.geometry import Line
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

MAX_MISTAKES = 400  # mistakes until the run is ended
TIMES = 12  # so many repetitions are drawn
FRAMES = 60  # of the film; each of the first updates has one
CORNERS = ((1, 1, 1), (-1, -1, 1), (1, -1, -1), (-1, 1, -1))
MOVED = ((1, 1, 1), (-1, -1, 1), (1, -1, -1), (0.4, -0.2, -1))
VIEWS = {"length": N_("length of (w, b)"), "errors": N_("errors and pocket")}
THIN, THICK = 1.4, 3.5


def run(stage: Stage) -> PerceptronRun:
    """Return the run from w = 0, with the points visited in the order in which they were placed."""
    data = stage.data
    return stage.cached_for_points(
        "restless", lambda: perceptron(augmented(data.X), data.y, np.arange(data.m), MAX_MISTAKES)
    )


def certificate(stage: Stage) -> Separation:
    """Return whether a line separates the points, with the proof."""
    return stage.cached_for_points("certificate", lambda: separate(stage.data, Linear()))


def norms(stage: Stage) -> Array:
    """Return |(w, b)| along the path."""
    return np.linalg.norm(run(stage).path, axis=1)


def perceptron_loss(stage: Stage, w: Array) -> float:
    """Return the sum of max(0, -y f)."""
    return float(LOSSES["perceptron"].value(run(stage).rows @ w).sum())


def line_at(stage: Stage, w: Array, style: str) -> list[Data]:
    """Return the line of (w, b) and its + side, or nothing if the prediction is the same everywhere."""
    if not w[:2].any():
        return []
    line, half = Line(w[:2], float(w[2])), stage.lab.view
    return [*line_strokes(line, half, style), normal_of(line, half, style)]


def picture(stage: Stage, t: int) -> Data:
    """Return the picture before update t, or at the end: the present line, the pocket, and the misclassified point."""
    perceptron_run, errors = run(stage), run(stage).errors[: t + 1]
    w, kept = perceptron_run.path[t], int(errors.argmin())
    items = line_at(stage, perceptron_run.path[kept], "accent")
    counts = _("Errors: {wrong}. Best so far, in the pocket: {kept}.")
    if not np.array_equal(perceptron_run.path[kept], w) and w[:2].any():
        items += line_at(stage, w, "witness-line dashed")
        counts = _("Errors: {wrong} (dashed). Best so far, in the pocket: {kept} (solid).")
    counts = counts.format(wrong=int(errors[t]), kept=int(errors[kept]))
    if t == perceptron_run.mistakes:
        end = (
            _("After <b>{n}</b> mistakes it stops, after a round without a mistake.")
            if perceptron_run.converged
            else _("After <b>{n}</b> mistakes the run is ended.")
        )
        return frame(items, end.format(n=t) + " " + counts)
    i = int(perceptron_run.updates[t])
    sign = "+" if stage.data.y[i] > 0 else "−"
    point = _("{sign} point at {where}").format(sign=sign, where=place(stage.data.X[i]))
    if t == 0:
        start = _("At w = 0, b = 0 every point counts as an error. The first one is the {point}.").format(point=point)
        return frame(items, start, stage.lab.points[i].id)
    caption = _("Mistake <b>{t}</b> of {n}: the {point} has y f = {yf}.")
    yf = short(float(perceptron_run.rows[i] @ w), 3, ROUNDING)
    caption = caption.format(t=t, n=perceptron_run.mistakes, point=point, yf=yf)
    return frame(items, caption + " " + counts, stage.lab.points[i].id)


def draw(stage: Stage) -> Data:
    """Return the points alone. After Show there is also the film, and a common point of both convex hulls."""
    bare: Data = {**POINTS_ONLY, "legend": None, "message": None, "witness": None, "sliders": []}
    if not stage.shown:
        return bare
    common_point = certificate(stage).point
    radius = 0.02 * stage.lab.view
    overlay = [] if common_point is None else [stroke(np.r_[common_point, radius], "witness-line", "disc")]
    return bare | {"film": film_of(stage), "overlay": overlay}


def film_of(stage: Stage) -> Data:
    """Return the film, which opens at its end and is played from its start. While points are dragged it is its end."""
    n = run(stage).mistakes
    course = _("mistakes 1 to {n}").format(n=n)
    if stage.dragging:
        return film(f"restless.moving.{stage.data.key}", [picture(stage, n)], course)
    first = np.arange(min(n, FRAMES // 2))
    rest = np.linspace(len(first), n, FRAMES - len(first)).round().astype(int) if n > len(first) else [n]
    pictures = [picture(stage, t) for t in np.unique(np.r_[first, rest]).tolist()]
    return film(f"restless.{stage.data.key}", pictures, course, len(pictures) - 1)


def answer(stage: Stage) -> int:
    """Return whether the perceptron stops, which it does if and only if a line separates the points."""
    return 0 if certificate(stage).separable else 1


def verdict(stage: Stage) -> str:
    """Say whether it stops, and how long (w, b) becomes."""
    n, most = run(stage).mistakes, short(float(norms(stage).max()), 3)
    if answer(stage) == 1:
        return _(
            "It never stops, but w and b stay bounded. No line separates the points. In {n} mistakes, ‖(w, b)‖ reaches "
            "{most}."
        ).format(n=n, most=most)
    if run(stage).converged:
        return _(
            "It stops at a line with the fewest training errors, which is 0. The number of mistakes is {n}."
        ).format(n=n)
    return _(
        "It stops at a line with the fewest training errors, which is 0, but only after more than {n} mistakes."
    ).format(n=n)


NUMBERS = (
    Measure(
        N_("mistakes"), lambda stage: float(run(stage).mistakes), N_("Updates of w and b, at most 400"), after_show=True
    ),
    Measure(
        N_("largest ‖(w, b)‖"),
        lambda stage: float(norms(stage).max()),
        N_("Largest length of the vector (w, b) in this run"),
        after_show=True,
    ),
    Measure(
        N_("errors in the pocket"),
        lambda stage: float(run(stage).errors[run(stage).pocket]),
        N_("Fewest training errors of any (w, b) in this run, which the pocket keeps"),
        after_show=True,
    ),
)


def last_visit(stage: Stage) -> int:
    """Return the last visit of the chart. If the run repeats itself, some repetitions are enough."""
    perceptron_run, repetition = run(stage), cycle(run(stage))
    if repetition is None:
        return total(perceptron_run)
    return min(total(perceptron_run), TIMES * int(visits(perceptron_run)[repetition[1]]))


def chart(stage: Stage) -> Chart:
    """Return |(w, b)|, or the errors of each (w, b), along the visits."""
    perceptron_run, last = run(stage), last_visit(stage)
    if stage.pick("restless") == "length":
        return Chart(lengths(visits(perceptron_run), norms(stage), perceptron_run.pocket, last, stage.palette))
    minimum = fewest_so_far(stage)
    fewest_errors = None if minimum is None else minimum.errors
    return Chart(errors(visits(perceptron_run), perceptron_run.errors, fewest_errors, last, stage.palette))


def says(stage: Stage) -> str:
    """Say what happens to (w, b), and what the pocket is."""
    perceptron_run, repetition = run(stage), cycle(run(stage))
    if perceptron_run.converged:
        return _(
            "The chart follows the run along its visits. After a round without a mistake, nothing changes any more. "
            "The pocket contains the same line."
        )
    if stage.pick("restless") == "errors":
        return _(
            "The thin line counts the training errors of the present $(w, b)$, which can rise again. The **pocket** "
            "keeps the best $(w, b)$ so far, here the one of mistake {t}."
        ).format(t=perceptron_run.pocket)
    if repetition is not None:
        return _(
            "The chart shows $\\|(w, b)\\|$ along the visits. After mistake {t}, $w$, $b$ and the next point "
            "are the same as {n} mistakes before, so the run repeats. The **pocket** is the best $(w, b)$ so "
            "far."
        ).format(n=repetition[1] - repetition[0], t=repetition[1])
    return _(
        "The chart shows $\\|(w, b)\\|$ along the visits. Each mistake adds at most $\\|x\\|^2 + 1$ to its square and "
        "often reduces it, so $\\|(w, b)\\|$ rises and falls."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return why it stops or not, its loss, the pocket, and what the notes state."""
    perceptron_run, proof, m = run(stage), certificate(stage), stage.data.m
    kept = perceptron_run.path[perceptron_run.pocket]
    later = perceptron_run.mistakes - perceptron_run.pocket - 1  # after the one that removed it
    if proof.separable:
        why = _(
            "**Why it stops.** A line separates these points, so the number of mistakes has an upper bound. The lesson "
            "Margin proves it."
        )
    else:
        why = _(
            "**Two computations.** The run is ended after {visits} visits, and it still makes mistakes. It cannot "
            "stop, because the small ring is a convex combination of points of both classes. It uses {k} points in "
            "all. So no line separates the classes."
        ).format(visits=grouped(total(perceptron_run)), k=len(proof.witness))
    parts = [
        why,
        _(
            "**Why w and b stay bounded.** A mistake has $y f(x) \\le 0$, so it adds at most $\\|x\\|^2 + 1$ to "
            "$\\|(w, b)\\|^2$. This alone allows slow growth. The perceptron cycling theorem (Block and Levin, 1970) "
            "states that $(w, b)$ stays bounded for every finite set of points."
        ),
        _(
            "**Its loss.** The perceptron follows subgradients of $\\sum_i\\max(0, -y_i f(x_i))$, without a "
            "regulariser. Its minimum is 0, at $w = 0$, $b = 0$, where the run starts with all {m} points counted as "
            "errors. The $(w, b)$ in the pocket has the loss {loss}. So a small loss says little here. The hinge loss "
            "$\\max(0, 1 - y_i f(x_i))$ of each point is 1 at $w = 0$, $b = 0$."
        ).format(m=m, loss=short(perceptron_loss(stage, kept), noise=ROUNDING)),
    ]
    if not perceptron_run.converged and later >= 0:
        parts.append(
            _(
                "**The pocket.** The $(w, b)$ with the fewest errors, {wrong}, was reached by mistake number {t}. The "
                "next mistake changed it, and {later} more followed. You can see the perceptron leave it in the film."
            ).format(wrong=int(perceptron_run.errors[perceptron_run.pocket]), t=perceptron_run.pocket, later=later)
        )
    return [
        *parts,
        _(
            "**The notes.** Gambosi's slides state that the perceptron does not converge to a solution if no line "
            "separates the classes. This is correct. The Chinese notes mention the pocket beside the perceptron."
        ),
    ]


def lengths(visits: Index, length: Array, pocket: int, last: int, palette: Palette) -> go.Figure:
    """Return |(w, b)| (k + 1,) after so many visits (k + 1,), up to visit `last`.

    The pocket has a mark, and the largest length a dashed line.
    """
    figure = empty_chart(palette, _("visits"), "‖(w, b)‖", height=300)
    top = float(length.max())
    curve = _steps(visits, length, last, "(w, b)", palette.other, THIN, "‖(w, b)‖ = %{y:.4g}", palette)
    figure.add_trace(curve.update(line={"shape": "linear"}))
    dot = {"size": SIZE * palette.stroke, "color": palette.accent, "line": palette.pen(palette.paper, 2)}
    kept = go.Scatter(x=visits[[pocket]], y=length[[pocket]], mode="markers", name="pocket", marker=dot)
    figure.add_trace(kept.update(hovertemplate=_("in the pocket") + "<br>‖(w, b)‖ = %{y:.4g}<extra></extra>"))
    add_rule(figure, palette, palette.quiet, "dash", y=top)
    figure.update_xaxes(range=[0.0, 1.02 * last])
    figure.update_yaxes(range=[0.0, 1.2 * top or 1.0], nticks=5)
    names = [
        Label(_("largest"), 1.02 * last, top, palette.quiet, "above left"),
        Label(_("pocket"), float(visits[pocket]), float(length[pocket]), palette.accent),
    ]
    return place_labels(figure, palette, names, backed=True)


def errors(visits: Index, wrong: Index, fewest_errors: int | None, last: int, palette: Palette) -> go.Figure:
    """Return the errors (k + 1,) of each (w, b) along the visits, and the fewest so far.

    fewest_errors: the smallest number of errors of any line, which has a dashed line.
    """
    figure = empty_chart(palette, _("visits"), _("errors"), height=300)
    best = np.minimum.accumulate(wrong)
    top = float(wrong.max())
    hover = _("errors: {n}").format(n="%{y}")
    figure.add_trace(_steps(visits, wrong, last, _("present"), palette.other, THIN, hover, palette))
    if fewest_errors is not None:
        add_rule(figure, palette, palette.text, "dash", y=fewest_errors)
    figure.add_trace(_steps(visits, best, last, _("pocket"), palette.accent, THICK, hover, palette))
    figure.update_xaxes(range=[0.0, 1.02 * last])
    figure.update_yaxes(range=[-0.04 * top, 1.12 * top], nticks=6, zeroline=True)
    names = [
        Label(_("present"), 1.02 * last, float(wrong[visits <= last][-1]), palette.other),
        Label(_("pocket"), 1.02 * last, float(best[-1]), palette.accent),
    ]
    if fewest_errors is not None:
        names.append(Label(_("best line"), 1.02 * last, float(fewest_errors), palette.text))
    return place_labels(figure, palette, names)


def _steps(
    x: Index, y: Array | Index, last: int, name: str, colour: str, width: float, hover: str, palette: Palette
) -> go.Scatter:
    """Return a value that stays until the next mistake, drawn as steps up to the last visit."""
    pen = palette.pen(colour, width) | {"shape": "hv"}
    shown = x <= last
    x, y = np.r_[x[shown], last], np.r_[y[shown], y[shown][-1]]
    words = _("visit {t}").format(t="%{x}") + "<br>" + hover + "<extra></extra>"
    return go.Scatter(x=x, y=y, mode="lines", name=name, line=pen, hovertemplate=words)


RESTLESS = Step(
    key="restless",
    title=N_("Perceptron without separability"),
    deeper=True,
    situation=N_(
        "The **perceptron** starts with $w = 0$ and $b = 0$ and visits the points in a fixed order, again and again. "
        "If the visited point has $y f(x) \\le 0$ (a *mistake*), it adds $y x$ to $w$ and $y$ to $b$. It stops after a "
        "round without a mistake."
    ),
    question=N_("What happens to the perceptron on the points of the board?"),
    choices=(
        Choice(
            N_("It stops at a line with the fewest training errors"),
            N_(
                "This happens if a line separates the points. Here none does, so every round contains a mistake and "
                "changes w and b."
            ),
        ),
        Choice(
            N_("It never stops, but w and b stay bounded"),
            N_("This happens if no line separates the points. Here one does, so the number of mistakes is bounded."),
        ),
        Choice(
            N_("It never stops, and w and b grow without bound"),
            N_(
                "Each mistake adds y (x, 1) to (w, b). However, it is added only if y f(x) ≤ 0, so the two never point "
                "in the same direction."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=board_of_points(CORNERS, value=1.0),
    introduces=("perceptron", "pocket"),
    needs=(BOTH_CLASSES, LINEAR, SOFT, at_most(200)),
    draw=draw,
    play={"film": True},
    rests_on_answer=lambda stage: not run(stage).converged and cycle(run(stage)) is not None,
    numbers=NUMBERS,
    picks=(Pick("restless", N_("Chart"), tuple(VIEWS), "length", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"y_i f(x_i)\le 0:\quad w \leftarrow w + y_i x_i,\quad b \leftarrow b + y_i",
    more=more,
    tries=(
        Try(N_("Overlapping"), board=preset("overlapping", size=60, noise=0.2, seed=1, value=1.0)),
        Try(N_("One corner moved"), board=board_of_points(MOVED, value=1.0)),
        Try(N_("Rings"), board=preset("circles", size=24, noise=0.1, seed=0, value=1.0)),
    ),
    shows=("L1", "L13"),
)
