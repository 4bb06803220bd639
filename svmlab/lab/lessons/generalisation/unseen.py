"""What a machine gets wrong of the points that it has seen, and of those that it has not (G0)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.generalisation import BlobSource, Cloud, Drawn, Source, flipped, training_error
from svmlab.generalisation.blobs import FRESH_COUNT
from svmlab.generalisation.sources import KNOWN_SEEDS, MAX_BOARD_POINTS
from svmlab.lab.board.payload import point_marks
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import SIZE, add_rule, dots
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.lessons.generalisation.behind import behind, missed, true_error
from svmlab.lab.lessons.generalisation.sampled import on_draws
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.session.point_source import find_source as origin_of
from svmlab.lab.session.point_source import with_sample
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, PRODUCT, SOFT, SOLVED, SOURCE
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Op, Part, Reading, Step, Try
from svmlab.lab.words import N_, _

CHECKED = 200_000  # unseen points beside the formula
FEWEST = 6  # points of a draw
SURE = 2.0  # standard errors from which on a mean gap is no accident


def origin(stage: Stage) -> Drawn:
    """Which draw the points are, where the needs are met."""
    found = origin_of(stage.lab)
    assert found is not None
    return found


ENOUGH_POINTS = Need(lambda stage: len(stage.lab.points) >= FEWEST, N_("So few points are no sample to speak of."), {})


def board() -> Lab:
    """20 points of the blobs, a tenth of the labels flipped."""
    return with_sample(Lab(value=1.0), flipped(0.1), 20, 16)


def found(stage: Stage) -> Cloud:
    """The machine on draws like this one. Raises Working until they are there."""
    return stage.background_result(*_work(stage))


def _work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Cloud]]:
    problem, source = stage.lab.problem, origin(stage).source
    key = ("unseen", source, problem.data.m, problem.kernel, problem.C, problem.bias)
    return key, lambda report: on_draws(problem, source, KNOWN_SEEDS, report)


def shares(stage: Stage) -> tuple[float, float, float]:
    """The share wrong of the points, of unseen ones, and the standard error of that, 0 where it came by a formula."""

    def measure() -> tuple[float, float, float]:
        true = true_error(stage)
        return training_error(stage.solution), true.value, true.standard_error

    return stage.cached("shares", measure)


def draw(stage: Stage) -> Data:
    """Unseen points behind the board's own, those that go wrong less faint; no word on b. The draws begin while one
    thinks.
    """
    stage.background_result_or_none(*_work(stage))
    if not stage.shown:
        return {"message": None}
    m = len(stage.lab.points)
    solid = {
        "fill": [1.0] * m,
        "state": ["none"] * m,
    }  # whatever their multipliers: these are the points that were seen
    shown = point_marks(stage.solution, with_values=not stage.moving) | solid
    return {"overlay": behind(stage), "slack": [], "marks": shown, "legend": None, "message": None}


def numbers(stage: Stage) -> Sequence[Reading]:
    """What goes wrong of the points, of unseen ones and of all that there could be."""
    m = len(stage.lab.points)
    train, true, error = shares(stage)
    seen = reading(_("wrong of the seen"), f"{round(train * m)}/{m} = {short(train, 3)}")
    if not stage.shown:
        return [seen]
    wrong = missed(stage)[1]
    unseen = reading(
        _("of {n} unseen").format(n=len(wrong)), f"{int(wrong.sum())}/{len(wrong)} = {short(float(wrong.mean()), 3)}"
    )
    return [seen, unseen, reading(_("true error"), f"{short(true, 3)} ± {short(error, 1)}" if error else true)]


def answer(stage: Stage) -> int:
    """By the mean gap of the draws: clearly above 0, not clearly different from 0, clearly below."""
    now = found(stage)
    if abs(now.gap) <= max(SURE * now.gap_error, ROUNDING):
        return 1
    return 0 if now.gap > 0 else 2


def verdict(stage: Stage) -> str:
    """Both means."""
    now = found(stage)
    said = (
        _("smaller: {train} against {true}, the means of {n} draws."),
        _("the same, as far as {n} draws can tell: {train} and {true} on average."),
        _("larger: {train} against {true}, the means of {n} draws."),
    )[answer(stage)]
    train, true = (short(float(each.mean()), 3) for each in (now.train, now.true))
    return said.format(train=train, true=true, n=len(now.train))


def chart(stage: Stage) -> Chart:
    """The board's two shares, and those of all draws; a click puts a draw on the board."""
    now, here = found(stage), origin(stage)
    train, true, _error = shares(stage)
    own = here.seed if here.moved_count == 0 and here.seed < len(now.train) else None
    figure = seen_unseen(now, train, true, own, here.source.bayes_error, stage.palette)
    return Chart(figure, lambda seed: other(stage, seed=int(seed)))


def other(stage: Stage, source: Source | None = None, m: int | None = None, seed: int | None = None) -> Op:
    """The operation that puts another draw on the board; what is not said stays."""
    here = origin(stage)
    m, seed = m or len(stage.lab.points), here.seed if seed is None else seed
    return {"op": "load", "lab": with_sample(stage.lab, source or here.source, m, seed)}


def says(stage: Stage) -> str:
    """How the dots are read; what a point placed by hand does."""
    moved = origin(stage).moved_count
    if moved:
        return _(
            "Placed or taken away by hand: {n}. So this board is no draw, and none of the dots; what they "
            "say is of draws. A click on a dot puts its draw here."
        ).format(n=moved)
    return _(
        "Faint: unseen points, stronger where wrong. Each dot is a draw of {m}, above the dashed line if "
        "the unseen go wrong more often; a click puts it on the board."
    ).format(m=len(stage.lab.points))


def more(stage: Stage) -> Sequence[Part]:
    """Where the points come from, both ways, a line that has seen nothing, single draws."""
    now, here, m = found(stage), origin(stage), len(stage.lab.points)
    _train, true, error = shares(stage)
    above = int((now.true > now.train).sum())
    parts: list[Part] = []
    if isinstance(here.source, BlobSource):
        blobs = here.source.blobs
        parts.append(
            _(
                "**Where the points come from.** A class by a fair coin; a place from a round blob around $\\mu "
                "= ({x}, {y})$ or $-\\mu$, "
                "standard deviation $s = {s}$; then the label is flipped with probability $\\eta = {eta}$. The "
                "faint points are from there too, and no draw holds them. "
                "No machine of any kind has a true error below that of $w = \\mu$, $b = 0$, which is {best}."
            ).format(
                x=short(blobs.mu[0]),
                y=short(blobs.mu[1]),
                s=short(blobs.s),
                eta=short(blobs.eta),
                best=short(blobs.bayes_error, 3),
            )
        )
        if error == 0:
            measured = stage.cached("checked", lambda: blobs.measured_error(stage.solution.decision, CHECKED))
            parts.append(
                _(
                    "**Two ways.** For a line the true error is $\\eta + (1 - "
                    "2\\eta)\\frac12\\big(\\Phi(-\\frac{{\\langle w, \\mu\\rangle + b}}{{s\\|w\\|}}) + "
                    "\\Phi(-\\frac{{\\langle w, \\mu\\rangle - b}}{{s\\|w\\|}})\\big)$ = {exact}. Of {n} unseen "
                    "points {share} ± {error} go wrong."
                ).format(
                    exact=short(true, 5),
                    n=grouped(CHECKED),
                    share=short(measured.value, 5),
                    error=short(measured.standard_error, 2),
                )
            )
        samples = (here.source.draw(m, seed) for seed in range(KNOWN_SEEDS))  # those of the dots
        blind = np.array([np.mean(each.y * (each.X @ np.array(blobs.mu)) <= 0) for each in samples])
        parts.append(
            _(
                "**It comes of the fitting.** The line $w = \\mu$, $b = 0$ has not been fitted to any draw. Of "
                "the points of the same {n} draws it has {share} ± {error} wrong, "
                "where its true error is {best}: what is left of a gap is chance."
            ).format(
                share=short(float(blind.mean()), 3),
                n=len(blind),
                best=short(blobs.bayes_error, 3),
                error=short(float(np.std(blind, ddof=1)) / len(blind) ** 0.5, 1),
            )
        )
    else:
        parts.append(
            _(
                "**Where the points come from.** From the preset, with its noise and other random numbers, both "
                "classes equally often. The true error is measured on "
                "{n} unseen points: {true} ± {error} for the machine on the board."
            ).format(n=grouped(FRESH_COUNT), true=short(true, 3), error=short(error, 1))
        )
    parts.append(
        _(
            "**On average, not in each draw.** In {above} of {n} draws the unseen go wrong more often. The "
            "mean gap is {gap} ± {error}; it counts here as one from two standard errors on. "
            "No theorem says it of every machine: of the one with the fewest errors on its own points it is proved."
        ).format(above=above, n=len(now.train), gap=short(now.gap, 3), error=short(now.gap_error, 2))
    )
    return parts


BARS = (-0.62, -0.24)  # where the bars stand: left of the axis, which ends at 1
WIDE, EDGE = 0.24, -0.84
STEPS = (0.02, 0.05, 0.1, 0.2, 0.5)


def seen_unseen(
    found: Cloud, train: float, true: float, own: int | None, best: float | None, palette: Palette
) -> go.Figure:
    """Bars for the board's shares `train` and `true`; dots at those of each draw, above the diagonal where the unseen
    go wrong more often.

    own: which draw the board is, None where it is none of them. best: the least true error that any machine has.
    customdata of the dots: the number of the draw.
    """
    figure = blank(palette, _("share wrong of the seen points"), _("share wrong"), height=260)
    right = 1.1 * max(float(found.train.max()), train, 0.05)
    top = 1.2 * max(float(found.true.max()), true, train, 0.05)
    diagonal = np.array([0.0, min(right, top)])
    x = right * np.array(BARS)
    bars = go.Bar(x=x, y=np.array([train, true]), width=right * WIDE, name="board")
    colours = np.array([palette.quiet, palette.accent])
    figure.add_trace(bars.update(marker={"color": colours}, hovertemplate="%{y:.4g}<extra></extra>"))
    for name, xs, ys, pen in (
        ("equal", diagonal, diagonal, palette.pen(palette.quiet, 1.5, "dash")),
        ("unseen", np.array([x[1], train]), np.array([true, true]), palette.pen(palette.accent, 1.5, "dot")),
        ("gap", np.array([train, train]), np.array([train, true]), palette.pen(palette.accent, 2.5)),
    ):
        figure.add_trace(go.Scatter(x=xs, y=ys, mode="lines", name=name, line=pen, hoverinfo="skip"))
    if best is not None:
        add_rule(figure, palette, palette.other, "dot", y=best)
    add_rule(figure, palette, palette.zero, x=0.0, width=1)
    number = np.arange(len(found.train))
    hover = _("draw {n}: {train} of the seen, {true} of the unseen").format(
        n="%{customdata}", train="%{x:.3g}", true="%{y:.3g}"
    )
    every = dots(
        palette, found.train, found.true, number, number == own, palette.quiet, name="draws", hover=hover, edge=1
    )
    figure.add_trace(every.update(hovertemplate=hover + "<extra></extra>"))
    mean = float(found.train.mean()), float(found.true.mean())
    star = {"size": (SIZE + 6) * palette.stroke, "symbol": "cross", "color": palette.text}
    star["line"] = palette.pen(palette.paper, 2)
    middle = go.Scatter(x=np.array([mean[0]]), y=np.array([mean[1]]), mode="markers", name="mean", marker=star)
    said = _("mean: {train} of the seen, {true} of the unseen").format(train="%{x:.4g}", true="%{y:.4g}")
    figure.add_trace(middle.update(hovertemplate=said + "<extra></extra>"))
    ring = {"size": (SIZE + 5) * palette.stroke, "color": faded(palette.accent, 0.2)}
    ring["line"] = palette.pen(palette.accent, 3)
    here = go.Scatter(x=np.array([train]), y=np.array([true]), mode="markers", name="now", hoverinfo="skip")
    figure.add_trace(here.update(marker=ring))
    step = next((each for each in STEPS if right / each < 5), STEPS[-1])
    ticks = step * np.arange(int(right / step) + 1)
    figure.update_xaxes(
        range=[EDGE * right, right],
        tickvals=np.r_[x, ticks],
        ticktext=[_("seen"), _("unseen"), *(short(float(each), 2) for each in ticks)],
        showgrid=False,
        zeroline=False,
    )
    figure.update_yaxes(range=[0.0, top], nticks=5)
    labels = [
        Label(short(train, 3), float(x[0]), train, palette.quiet, "above"),
        Label(short(true, 3), float(x[1]), true, palette.accent, "above"),
        Label(_("equal"), float(diagonal[1]), float(diagonal[1]), palette.quiet),
    ]
    if best is not None:
        labels.append(Label(_("least {best}").format(best=short(best, 3)), right, best, palette.other))
    return place_labels(figure, palette, labels, backed=True)


UNSEEN = Step(
    key="unseen",
    title=N_("Seen and unseen"),
    question=N_(
        "The machine was fitted to these points. On average over many such draws: is the share that it "
        "has wrong among *seen* points smaller than among *unseen* ones?"
    ),
    choices=(
        Choice(N_("Smaller"), N_("So it is with fewer points, or with a machine that bends more.")),
        Choice(N_("The same"), N_("The machine was fitted to the accidents of its points; fresh ones have others.")),
        Choice(N_("Larger"), N_("In single draws it may be: the dots below the dashed line.")),
    ),
    answer=answer,
    verdict=verdict,
    board=board,
    needs=(BOTH_CLASSES, PRODUCT, SOFT, SOLVED, SOURCE, ENOUGH_POINTS),
    draw=draw,
    numbers=numbers,
    chart=chart,
    says=says,
    formula=(
        r"\operatorname{er}_S = \textstyle\frac1m\sum_i \mathbf 1[\,y_i f(x_i) \le 0\,] "
        r"\quad\text{and}\quad \operatorname{er} = \Pr[\,y f(x) \le 0\,]"
    ),
    more=more,
    tries=(
        Try("m = 300", lambda stage: other(stage, m=MAX_BOARD_POINTS)),
        Try("η = 0.3", lambda stage: other(stage, source=flipped(0.3), m=max(len(stage.lab.points), 20))),
        Try(N_("Gaussian, σ = 0.1"), set_machine(kernel="gaussian", sigma=0.1)),
    ),
    shows=("G0",),
)
