"""Every width separates every labelling of distinct points, in exact arithmetic (K11)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab import NotSeparable
from svmlab.kernels.features import DefinitenessProof
from svmlab.lab.charts.frame import axis_range, blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE, add_rule, mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.kernels import widths
from svmlab.lab.lessons.kernels.widths import DOUBLE, Widths, needed
from svmlab.lab.session.state import Lab, Point
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import reading, set_machine
from svmlab.lab.teach.requirements import BOTH_CLASSES, GAUSSIAN, HARD, sigma_of
from svmlab.lab.teach.stage import Report, Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _

MOST = 80  # points that are taken in decimals for every width
VIEWS = {"margin": N_("margin"), "digits": N_("digits that it takes")}
SPIRALS = preset("spirals", size=60, noise=0.0, seed=0, kernel="gaussian", sigma=0.5, hard=True)
FEW = Need(
    lambda stage: len(stage.lab.points) <= MOST,
    N_("This step counts in 40 digits and more, which takes too long for so many points."),
    {},
)


def shuffled() -> Lab:
    """The same places with the labels dealt out anew."""
    lab = SPIRALS()
    dealt = np.random.Generator(np.random.Philox(1)).permutation([p.label for p in lab.points])
    points = tuple(p._replace(label=int(s)) for p, s in zip(lab.points, dealt, strict=True))
    return replace(lab, points=points)


def torn() -> Lab:
    """The spirals, and on the first point another of the other class."""
    lab = SPIRALS()
    first = lab.points[0]
    return replace(lab, points=(*lab.points, Point(len(lab.points) + 1, first.x, first.y, -first.label)))


def twins(stage: Stage) -> bool:
    """Whether one place carries both labels."""
    return stage.cached_for_points("torn", lambda: bool(widths.torn(stage.data).any()))


def found(stage: Stage) -> Widths:
    """The machines along the widths. Raises Working until they are there."""
    return stage.background_result(*_work(stage))


def _work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Widths]]:
    data, bias = stage.data, stage.lab.bias
    return ("widths", data.key, bias), lambda report: widths.along(data, bias, report)


def draw(stage: Stage) -> Data:
    """The machine as it is; the work for the chart begins while one thinks."""
    stage.background_result_or_none(*_work(stage))
    return {}


def proof(stage: Stage) -> DefinitenessProof | None:
    """That the board's own Gaussian tells its places apart, in decimals."""
    return stage.cached_for_points(f"definite {sigma_of(stage)}", lambda: widths.proof(stage.data, sigma_of(stage)))


def here(stage: Stage) -> tuple[float, int] | None:
    """Margin and support vectors of the machine on the board; None where there is none, or none that doubles find."""
    machine = stage.outcome.solution
    return None if machine is None else (machine.geometric_margin, int(machine.support.sum()))


def blind(stage: Stage) -> bool:
    """Whether there is a margin that doubles do not find."""
    return stage.outcome.solution is None and not isinstance(stage.outcome.error, NotSeparable)


def numbers(stage: Stage) -> Sequence[Reading]:
    """The machine, as doubles find it, and the digits that it takes to know that there is one."""
    seen, m = here(stage), len(stage.lab.points)
    said = _("none") if twins(stage) else _("not found in doubles")
    readings = [
        reading(_("support vectors"), f"{seen[1]}/{m}" if seen else "–"),
        reading(_("margin"), seen[0] if seen else said),
    ]
    if not stage.shown or stage.moving:
        return readings
    takes = needed(proof(stage))
    return [*readings, reading(_("digits that K takes"), "–" if math.isnan(takes) else str(math.ceil(takes)))]


def chart(stage: Stage) -> Chart:
    """The margin or the digits along sigma."""
    known = found(stage)
    if stage.pick("widths") == "digits":
        return Chart(digits(known, sigma_of(stage), needed(proof(stage)), stage.palette))
    return Chart(margins(known, sigma_of(stage), here(stage), twins(stage), stage.palette))


def verdict(stage: Stage) -> str:
    """Every width, or none."""
    if twins(stage):
        return _("with none: one place carries both labels, and f has one value there.")
    return _("with every one, in exact arithmetic.")


def says(stage: Stage) -> str:
    """What the picture shows here."""
    if twins(stage):
        return _(
            "Its two labels ask for $f \\ge 1$ and $f \\le -1$ at one place. The other places are separated "
            "as before: dashed, their margin."
        )
    if blind(stage):
        return _(
            "The solver says: separable, but too narrow for doubles. In decimals $\\lambda_{\\min}$ is above "
            "0, so *every* labelling is separated."
        )
    if stage.pick("widths") == "digits":
        return _(
            "$K$ takes more digits the wider σ is: in doubles $\\lambda_{\\min}$ drowns in rounding. "
            "Decimals of 40 digits and more still see it above 0."
        )
    return _(
        "Numbers at the dots: support vectors. A narrow Gaussian needs nearly all points, a wide one few "
        "and a tiny margin."
    )


def more(stage: Stage) -> Sequence[str]:
    """Why, what doubles say at a wide sigma, and what it does not say."""
    parts = [
        _(
            "**Why.** $c^\\top K c = \\|\\sum_i c_i\\,\\phi(x_i)\\|^2$ is 0 only where $\\sum_i c_i\\,k(x_i, "
            "\\cdot) = 0$, and Gaussians at distinct places "
            "are independent: far out in almost any direction one of them outweighs all others. So $K$ can "
            "be inverted, "
            "$c = K^{-1}y$ gives $f(x_i) = y_i$ for any labels $y$, and the margin is at least "
            "$1/\\sqrt{y^\\top K^{-1}y} \\ge \\sqrt{\\lambda_{\\min}/m}$."
        ),
        _(
            "**What doubles say.** On the spirals the least eigenvalue comes out negative from σ = 2.5 on, "
            "by rounding. The exact method needs no more of $K$ than its "
            "support vectors, some 20 of 60, and its own checks accept the margin up to σ = 6.6; at 7 it "
            "says that the margin is too narrow for double precision. "
            "Whether the classes can be separated is not computed at all for a Gaussian: this theorem "
            "answers. At σ = 10 decimals give $\\lambda_{\\min} = 4.6\\cdot10^{-28}$."
        ),
    ]
    known = proof(stage)
    if known is not None and not twins(stage) and len(np.unique(stage.data.X, axis=0)) == stage.data.m:
        y = stage.data.y
        wrong = int((y * known.leave_one_out_values(y) <= 0).sum())
        parts.append(
            _(
                "**It does not say that the machine predicts well.** Here the $f$ through all points but one has "
                "the wrong sign at the one left out for "
                "{wrong} of {m}. With random labels it is about every second one."
            ).format(wrong=wrong, m=stage.data.m)
        )
    parts.append(
        _(
            "The Italian notes on half-spaces say that in principle *any* data can be separated with a "
            "Gaussian kernel. That needs the condition: unless one place carries both labels."
        )
    )
    return parts


def play(stage: Stage) -> Data | None:
    """The width grows from a fifth to two and comes back."""
    return {"key": "sigma", "op": "set", "from": 0.2, "to": 2.0, "ms": 2600, "back": True}


HEIGHT = 300
AXIS = {"tickvals": np.array([0.1, 0.2, 0.5, 1, 2, 5, 10]), "ticktext": ["0.1", "0.2", "0.5", "1", "2", "5", "10"]}
LEAST = -6.0  # the decimal logarithm of the narrowest margin that is drawn


def margins(found: Widths, sigma: float, here: tuple[float, int] | None, torn: bool, palette: Palette) -> go.Figure:
    """The margin over sigma, both in decades; `here`: margin and support vectors on the board, if doubles find them.

    torn: the board has a place with both labels, and the curve is that of the others.
    """
    colour = palette.quiet if torn else palette.text
    figure = blank(palette, "", _("margin"), height=HEIGHT)
    seen = np.isfinite(found.margin)
    figure.add_trace(
        go.Scatter(
            x=found.sigma[seen],
            y=found.margin[seen],
            customdata=found.vectors[seen],
            name="margin",
            mode="lines+markers",
            line=palette.pen(colour, dash="dash" if torn else "solid"),
            marker={"size": SIZE * palette.stroke, "color": colour},
            hovertemplate=_("σ = {sigma}, margin {margin}, {n} support vectors").format(
                sigma="%{x:g}", margin="%{y:.4g}", n="%{customdata}"
            )
            + "<extra></extra>",
        )
    )
    heights = np.log10(np.r_[found.margin[seen], here[0] if here else []])
    lo, hi = axis_range(np.maximum(heights, LEAST), room=0.16) if len(heights) else (-3.0, 0.0)
    hi += 0.1 * (hi - lo)
    figure.update_xaxes(**(log(*_ends(found, sigma)) | AXIS)).update_yaxes(**log(lo, hi, 5))
    counts = [
        Label(str(n), float(np.log10(x)), float(np.log10(y)), colour, "above right")
        for x, y, n in zip(found.sigma[seen], found.margin[seen], found.vectors[seen], strict=True)
        if np.log10(y) > LEAST
    ][::2]
    notes = [axis_name(figure, "σ", palette)]
    blind = found.sigma[~seen & (found.sigma > (found.sigma[seen].max() if seen.any() else 0.0))]
    if len(blind) and seen.any():
        left = float(np.sqrt(blind[0] * found.sigma[seen].max()))
        figure.add_vrect(
            x0=left, x1=10.0 ** _ends(found, sigma)[1], fillcolor=palette.grid, line_width=0, layer="below"
        )
        words = _("grey: doubles give up")
        notes.append(Label(words, _ends(found, sigma)[0], lo + 0.08 * (hi - lo), palette.quiet))
    if torn:
        notes.append(Label(_("without that place"), _ends(found, sigma)[0], lo + 0.25 * (hi - lo), palette.quiet))
    if here is not None:
        mark_current(figure, palette, sigma, here[0])
    else:
        add_rule(figure, palette, palette.accent, x=sigma)
    figure.layout.margin.r = round(2 * palette.type)  # the name of the axis, and a number at the last dot
    place_labels(figure, palette, notes)
    return place_labels(figure, palette, counts)


def digits(found: Widths, sigma: float, here: float, palette: Palette) -> go.Figure:
    """The digits to which K has to be known until its least eigenvalue is no rounding, over sigma; `here`: at the
    board's.
    """
    figure = blank(palette, "", _("digits"), height=HEIGHT)
    told = _("σ = {sigma}: {digits} digits").format(sigma="%{x:g}", digits="%{y:.1f}") + "<extra></extra>"
    pen, mark = palette.pen(palette.text), {"size": SIZE * palette.stroke, "color": palette.text}
    figure.add_trace(
        go.Scatter(
            x=found.sigma,
            y=found.digits,
            name="digits",
            mode="lines+markers",
            line=pen,
            marker=mark,
            hovertemplate=told,
        )
    )
    add_rule(figure, palette, palette.other, "dash", y=DOUBLE)
    ends = _ends(found, sigma)
    high = axis_range(0.0, found.digits, here, DOUBLE)[1]
    figure.update_xaxes(**(log(*ends) | AXIS)).update_yaxes(range=[0.0, high], nticks=5)
    mark_current(figure, palette, sigma, here)
    figure.layout.margin.r = round(2 * palette.type)
    labels = (
        axis_name(figure, "σ", palette),
        Label(_("what a double has"), ends[0], DOUBLE, palette.other, "above right"),
        Label(_("what K takes"), float(np.log10(found.sigma[-1])), float(found.digits[-1]), palette.text, "left"),
    )
    return place_labels(figure, palette, labels)


def _ends(found: Widths, sigma: float) -> tuple[float, float]:
    """The ends of the axis of sigma, decimal logarithms."""
    return float(np.log10(min(found.sigma[0], sigma))) - 0.04, float(np.log10(max(found.sigma[-1], sigma))) + 0.04


ANYTHING = Step(
    key="anything",
    title=N_("It separates anything"),
    question=N_(
        "A Gaussian kernel and the hard margin. With which widths σ can the classes on this board be separated?"
    ),
    choices=(
        Choice(
            N_("Only with a small one"),
            N_("A wide one leaves a margin too narrow for doubles; but it leaves one."),
        ),
        Choice(N_("With every one"), N_("So it is with distinct points; here one place has both labels.")),
        Choice(N_("With none"), N_("No line does. In feature space distinct points are independent.")),
    ),
    answer=lambda stage: 2 if twins(stage) else 1,
    verdict=verdict,
    board=SPIRALS,
    needs=(BOTH_CLASSES, GAUSSIAN, HARD, FEW),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("widths", N_("Picture"), tuple(VIEWS), "margin", lambda name: _(VIEWS[name])),),
    chart=chart,
    says=says,
    formula=r"x_i \ne x_j \;\Rightarrow\; \lambda_{\min}(K) > 0, \quad \text{margin} \ge \sqrt{\lambda_{\min}/m}",
    more=more,
    tries=(
        Try(N_("Random labels"), board=shuffled),
        Try("σ = 10", set_machine(sigma=10.0)),
        Try(N_("Both at one place"), board=torn),
    ),
    shows=("K11",),
)
