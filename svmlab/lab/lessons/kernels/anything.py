"""A Gaussian kernel of every width separates every labelling of distinct points, in exact arithmetic (K11)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab import Gaussian, NotSeparable, Solution, SvmError, solve
from svmlab.kernels.features import DefinitenessProof
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts.marks import SIZE, add_rule, mark_current
from svmlab.lab.lessons.kernels import widths
from svmlab.lab.lessons.kernels.widths import DOUBLE, Widths, needed
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, set_machine, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, GAUSSIAN, HARD, sigma_of
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Part, Pick, Reading, Step, Try, reading
from svmlab.lab.words import N_, _
from svmlab.plot.frame import axis_range, empty_chart, log_axis
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

MAX_POINTS = 80  # the largest number of points for which decimals are computed at every width
DISC = 0.08  # radius of the disc on a contradictory position, as a fraction of half the board
OTHERS = (0.2, 2.0)  # the widths whose boundaries are drawn too
VIEWS = {"margin": N_("margin"), "digits": N_("digits needed")}
SPIRALS = preset("spirals", size=60, noise=0.0, seed=0, kernel="gaussian", sigma=0.5, hard=True)
FEW = Need(
    lambda stage: len(stage.lab.points) <= MAX_POINTS,
    N_("This step computes with 40 digits and more, which takes too long for so many points."),
    {},
)


def shuffled() -> Lab:
    """Return the spirals with their labels in random order."""
    lab = SPIRALS()
    labels = np.random.Generator(np.random.Philox(1)).permutation([p.label for p in lab.points])
    points = tuple(p._replace(label=int(label)) for p, label in zip(lab.points, labels, strict=True))
    return replace(lab, points=points)


def contradictory() -> Lab:
    """Return the spirals, with one more point of the other class at the position of the first point."""
    lab = SPIRALS()
    first = lab.points[0]
    return replace(lab, points=(*lab.points, Point(len(lab.points) + 1, first.x, first.y, -first.label)))


def has_contradiction(stage: Stage) -> bool:
    """Return whether some position has points of both classes."""
    return stage.cached_for_points("torn", lambda: bool(widths.torn(stage.data).any()))


def along(stage: Stage) -> Widths:
    """Return the margins for several widths. Raises Working until they are computed."""
    return stage.background_result(*_work(stage))


def _work(stage: Stage) -> tuple[tuple[Any, ...], Callable[[Report], Widths]]:
    data, bias = stage.data, stage.lab.bias
    return ("widths", data.key, bias), lambda report: widths.along(data, bias, report)


def other_width(stage: Stage, sigma: float) -> Solution | None:
    """Return the SVM with another kernel width, or None if double precision finds none."""

    def make() -> Solution | None:
        try:
            return solve(replace(stage.lab.problem, kernel=Gaussian(sigma)))
        except SvmError:
            return None

    return stage.cached(f"width {sigma}", make)


def draw(stage: Stage) -> Data:
    """Return the boundaries for other widths, and a disc on each position with points of both classes.

    The work for the chart starts before the answer is shown.
    """
    stage.background_result_or_none(*_work(stage))
    data: Data = {"sliders": [slider for slider in sliders(stage.lab) if slider["key"] == "sigma"]}
    if stage.outcome.solution is None:
        data |= {"message": None, "witness": None}
    if not stage.shown:
        return data
    items = list[Data]()
    if has_contradiction(stage):
        radius = DISC * stage.lab.view
        positions = np.unique(stage.data.X[widths.torn(stage.data)], axis=0)
        items = [stroke(np.r_[x, radius], "witness-line", "disc") for x in positions]
    elif not stage.moving:
        for sigma in OTHERS:
            if (svm := other_width(stage, sigma)) is not None:
                items += boundary_strokes(stage, f"width {sigma}", svm, "faint")
    return data | {"overlay": items}


def proof(stage: Stage) -> DefinitenessProof | None:
    """Return the proof, in decimals, that the Gram matrix on the board has a positive smallest eigenvalue."""
    return stage.cached_for_points(f"definite {sigma_of(stage)}", lambda: widths.proof(stage.data, sigma_of(stage)))


def margin_and_count(stage: Stage) -> tuple[float, int] | None:
    """Return the margin and the number of support vectors on the board, or None if double precision finds none."""
    solution = stage.outcome.solution
    return None if solution is None else (solution.geometric_margin, int(solution.support.sum()))


def below_double_precision(stage: Stage) -> bool:
    """Return whether there is a margin that double precision does not find."""
    return stage.outcome.solution is None and not isinstance(stage.outcome.error, NotSeparable)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the support vectors, the margin, and the digits that the Gram matrix needs."""
    present, m = margin_and_count(stage), len(stage.lab.points)
    words = _("none") if has_contradiction(stage) else _("not found")
    readings = [
        reading(_("support vectors"), f"{present[1]}/{m}" if present else "–", _("Number of support vectors")),
        reading(_("margin"), present[0] if present else words, _("Margin in feature space, in double precision")),
    ]
    if not stage.shown or stage.moving:
        return readings
    digits = needed(proof(stage))
    return [
        *readings,
        reading(
            _("digits needed"),
            "–" if math.isnan(digits) else str(math.ceil(digits)),
            _("Decimal digits that distinguish the smallest eigenvalue of the Gram matrix K from 0"),
        ),
    ]


def chart(stage: Stage) -> Chart:
    """Return the margins or the digits over sigma."""
    known = along(stage)
    if stage.pick("widths") == "digits":
        return Chart(digits(known, sigma_of(stage), needed(proof(stage)), stage.palette))
    return Chart(margins(known, sigma_of(stage), margin_and_count(stage), has_contradiction(stage), stage.palette))


def situation(stage: Stage) -> str:
    """Describe the SVM, and whether a position is contradictory."""
    words = _(
        "The SVM has a Gaussian kernel of width $\\sigma$ and a hard margin. So it requires $y_i f(x_i) \\ge 1$ for "
        "all training points, with labels $y_i = \\pm1$. Now $\\sigma$ varies, and all numbers are computed exactly."
    )
    if has_contradiction(stage):
        return f"{words} " + _("Two points of different classes have the same position.")
    return f"{words} " + _("No two points of different classes have the same position.")


def verdict(stage: Stage) -> str:
    """Return the answer with the reason."""
    if has_contradiction(stage):
        return _("For no σ, because one position has points of both classes, and f has only one value there.")
    return _("For every σ. Feature vectors of different positions are linearly independent, so some f has f(xᵢ) = yᵢ.")


def says(stage: Stage) -> str:
    """Say what the picture shows on this board."""
    if has_contradiction(stage):
        words = _(
            "Each pink disc marks a position with points of both classes. There, both $f \\ge 1$ and $f \\le -1$ would "
            "have to hold."
        )
        if len(set(widths.without(stage.data).y)) < 2:
            return words
        return f"{words} " + _("Without such positions, the classes can be separated (dashed curve).")
    if below_double_precision(stage):
        return _(
            "Double precision is not enough to find this small margin. With more digits, the smallest eigenvalue of "
            "$K$ for the different positions is positive, so **every** labelling of them can be separated."
        )
    if stage.pick("widths") == "digits":
        return _(
            "The curve shows how many digits distinguish the smallest eigenvalue of $K$ from 0. A wide kernel can "
            "need more digits than double precision has (dashed line)."
        )
    return _(
        "The margin is positive at every dot. The numbers at dots count support vectors. Thin lines on the board are "
        "the boundaries for $\\sigma$ = 0.2 and 2. $\\lambda_{\\min}$ is the smallest eigenvalue of the Gram matrix "
        "$K$."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Give the proof, explain rounding, and say what the theorem does not state."""
    parts = [
        _(
            "**Proof.** $a^\\top K a = \\|\\sum_i a_i\\,\\phi(x_i)\\|^2$ is 0 only if $\\sum_i a_i\\,k(x_i, \\cdot) = "
            "0$. Gaussians at different positions are linearly independent, because far away in almost every "
            "direction one of them is much larger than all others. So $K$ is invertible. For any labels $y$, you can "
            "choose the coefficients $a = K^{-1}y$, which give $f(x_i) = y_i$. The margin is at least "
            "$1/\\sqrt{y^\\top K^{-1}y} \\ge \\sqrt{\\lambda_{\\min}/m}$, with the smallest eigenvalue "
            "$\\lambda_{\\min}$ of $K$."
        ),
        _(
            "**Rounding.** On the spirals, the smallest eigenvalue is computed as a negative number if σ ≥ 2.5. The "
            "exact method needs only the part of $K$ that belongs to the support vectors, and finds a certified margin "
            "up to σ = 6.6. At σ = 7, it reports that the margin is too narrow for double precision. At σ = 10, "
            "decimals give $\\lambda_{\\min} = 4.6\\cdot10^{-28}$."
        ),
    ]
    known = proof(stage)
    if known is not None and not has_contradiction(stage) and len(np.unique(stage.data.X, axis=0)) == stage.data.m:
        y = stage.data.y
        wrong = int((y * known.leave_one_out_values(y) <= 0).sum())
        parts.append(
            _(
                "**Separating is not predicting.** The theorem does not say that the SVM predicts well. Leave out each "
                "point in turn, and take the $f$ with $f(x_i) = y_i$ at all others. Here it has the wrong sign at the "
                "point left out for {wrong} of {m} points. With random labels, this happens for about half of them."
            ).format(wrong=wrong, m=stage.data.m)
        )
    return [
        *parts,
        _(
            "**Lecture notes.** The Italian notes on half-spaces state that in principle **any** data can be separated "
            "with a Gaussian kernel. They omit the condition that no position has points of both classes."
        ),
    ]


def play(stage: Stage) -> Data | None:
    """Return the animation in which the width grows from 0.2 to 2 and comes back."""
    return {"key": "sigma", "op": "set", "from": 0.2, "to": 2.0, "ms": 2600, "back": True}


HEIGHT = 300
AXIS = {"tickvals": np.array([0.1, 0.2, 0.5, 1, 2, 5, 10]), "ticktext": ["0.1", "0.2", "0.5", "1", "2", "5", "10"]}
SMALLEST = -6.0  # the decimal logarithm of the smallest margin that is drawn


def margins(widths: Widths, sigma: float, present: tuple[float, int] | None, torn: bool, palette: Palette) -> go.Figure:
    """Draw the margin over sigma, both on logarithmic scales.

    present: the margin and the support vectors on the board, if double precision finds them. torn: whether some
    position has points of both classes. The curve then leaves these points out.
    """
    colour = palette.quiet if torn else palette.text
    figure = empty_chart(palette, "", _("margin"), height=HEIGHT)
    finite = np.isfinite(widths.margin)
    figure.add_trace(
        go.Scatter(
            x=widths.sigma[finite],
            y=widths.margin[finite],
            customdata=widths.vectors[finite],
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
    heights = np.log10(np.r_[widths.margin[finite], present[0] if present else []])
    lo, hi = axis_range(np.maximum(heights, SMALLEST), room=0.16) if len(heights) else (-3.0, 0.0)
    hi += 0.1 * (hi - lo)
    figure.update_xaxes(**(log_axis(*_ends(widths, sigma)) | AXIS)).update_yaxes(**log_axis(lo, hi, 5))
    counts = [
        Label(str(n), float(np.log10(x)), float(np.log10(y)), colour, "above right")
        for x, y, n in zip(widths.sigma[finite], widths.margin[finite], widths.vectors[finite], strict=True)
        if np.log10(y) > SMALLEST
    ][::2]
    notes = [axis_name(figure, "σ", palette)]
    unresolved = widths.sigma[~finite & (widths.sigma > (widths.sigma[finite].max() if finite.any() else 0.0))]
    if len(unresolved) and finite.any():
        left = float(np.sqrt(unresolved[0] * widths.sigma[finite].max()))
        figure.add_vrect(
            x0=left, x1=10.0 ** _ends(widths, sigma)[1], fillcolor=palette.grid, line_width=0, layer="below"
        )
        words = _("grey: below double precision")
        notes.append(Label(words, _ends(widths, sigma)[0], lo + 0.08 * (hi - lo), palette.quiet))
    if torn:
        notes.append(Label(_("without these points"), _ends(widths, sigma)[0], lo + 0.25 * (hi - lo), palette.quiet))
    if present is not None:
        mark_current(figure, palette, sigma, present[0])
    else:
        add_rule(figure, palette, palette.accent, x=sigma)
    figure.layout.margin.r = round(2 * palette.type)  # the name of the axis, and a number at the last dot
    place_labels(figure, palette, notes)
    return place_labels(figure, palette, counts)


def digits(widths: Widths, sigma: float, present: float, palette: Palette) -> go.Figure:
    """Draw the digits that distinguish the smallest eigenvalue of K from 0, over sigma.

    present: the digits at the sigma of the board.
    """
    figure = empty_chart(palette, "", _("digits"), height=HEIGHT)
    hover = _("σ = {sigma}: {digits} digits").format(sigma="%{x:g}", digits="%{y:.1f}") + "<extra></extra>"
    pen, mark = palette.pen(palette.text), {"size": SIZE * palette.stroke, "color": palette.text}
    figure.add_trace(
        go.Scatter(
            x=widths.sigma,
            y=widths.digits,
            name="digits",
            mode="lines+markers",
            line=pen,
            marker=mark,
            hovertemplate=hover,
        )
    )
    add_rule(figure, palette, palette.other, "dash", y=DOUBLE)
    ends = _ends(widths, sigma)
    high = axis_range(0.0, widths.digits, present, DOUBLE)[1]
    figure.update_xaxes(**(log_axis(*ends) | AXIS)).update_yaxes(range=[0.0, high], nticks=5)
    mark_current(figure, palette, sigma, present)
    figure.layout.margin.r = round(2 * palette.type)
    labels = (
        axis_name(figure, "σ", palette),
        Label(_("double precision"), ends[0], DOUBLE, palette.other, "above right"),
        Label(_("needed"), float(np.log10(widths.sigma[-1])), float(widths.digits[-1]), palette.text, "left"),
    )
    return place_labels(figure, palette, labels)


def _ends(widths: Widths, sigma: float) -> tuple[float, float]:
    """Return the ends of the axis of sigma, as decimal logarithms."""
    return float(np.log10(min(widths.sigma[0], sigma))) - 0.04, float(np.log10(max(widths.sigma[-1], sigma))) + 0.04


ANYTHING = Step(
    key="anything",
    title=N_("Gaussian kernel and hard margin"),
    situation=situation,
    question=N_("For which kernel widths $\\sigma$ does a Gaussian kernel separate the two classes on the board?"),
    choices=(
        Choice(
            N_("Only for small σ"),
            N_(
                "For a wide kernel, a computer may find no margin. However, this is rounding, and the answer is the "
                "same for every σ."
            ),
        ),
        Choice(
            N_("For every σ"),
            N_("This is true if no position has points of both classes. Here one has, and f has only one value there."),
        ),
        Choice(
            N_("For no σ"),
            N_(
                "The classes can look entangled. However, different positions have linearly independent feature "
                "vectors."
            ),
        ),
    ),
    answer=lambda stage: 2 if has_contradiction(stage) else 1,
    verdict=verdict,
    board=SPIRALS,
    deeper=True,
    introduces=("least-eigenvalue", "doubles"),
    needs=(BOTH_CLASSES, GAUSSIAN, HARD, FEW),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: stage.outcome.solution is not None,
    numbers=numbers,
    picks=(Pick("widths", N_("View"), tuple(VIEWS), "margin", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"x_i \ne x_j \;\Rightarrow\; \lambda_{\min}(K) > 0, \quad \text{margin} \ge \sqrt{\lambda_{\min}/m}",
    more=more,
    tries=(
        Try(N_("Random labels"), board=shuffled),
        Try("σ\u00a0=\u00a010", set_machine(sigma=10.0)),
        Try(N_("Same position"), board=contradictory),
    ),
    shows=("K11",),
)
