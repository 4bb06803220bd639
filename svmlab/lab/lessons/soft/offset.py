"""Which vectors know b: the b that each support vector gives by itself, and the mean over all of them (S7)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.data import Dataset
from svmlab.lab.charts.frame import axis_range_around, blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule, points
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.soft.carriers import Offsets, own_offsets, with_b
from svmlab.lab.lessons.soft.walk import play_C
from svmlab.lab.numbers import ROUNDING, format_interval, short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import boundary_strokes, reading, select_point, set_machine
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, NONZERO_W, PRODUCT, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Part, Reading, Step, Try
from svmlab.lab.words import N_, _

WIDE = 1e-9  # an interval of b that is longer is one; a slack that is larger, too


def known(stage: Stage) -> Offsets:
    """What each support vector says of b."""
    return stage.cached("offsets", lambda: own_offsets(stage.solution))


def mean(stage: Stage) -> float:
    """The mean of that over all of them."""
    return float(known(stage).each.mean())


def open_ended(stage: Stage) -> bool:
    """Whether b fills an interval."""
    lo, hi = stage.solution.b_interval
    return hi - lo > WIDE


def draw(stage: Stage) -> Data:
    """The boundary with the mean of all as its b, and those with the ends of b's interval."""
    if not stage.shown or (stage.moving and not stage.lab.kernel_function.is_linear):
        return {}
    others = [(mean(stage), "witness-line dashed")]
    others += [(b, "accent") for b in stage.solution.b_interval] if open_ended(stage) else []
    drawn = [boundary_strokes(stage, f"b {b!r}", with_b(stage.solution, b), style) for b, style in others]
    return {"overlay": [line for lines in drawn for line in lines]}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The b that is right; once it is shown the mean of all, and by what it is off."""
    solution = stage.solution
    if not stage.shown:
        counts = (("0 < α < C", solution.free), ("α = C", solution.at_bound))
        return [reading("C", solution.problem.C), *(reading(name, str(int(mask.sum()))) for name, mask in counts)]
    if open_ended(stage):
        lo, hi = solution.b_interval
        return [reading(_("b from"), lo), reading(_("to"), hi), reading(_("mean of all"), mean(stage))]
    off = mean(stage) - solution.b
    off = off if abs(off) > ROUNDING * max(1.0, abs(solution.b)) else 0.0
    return [reading("b", solution.b), reading(_("mean of all"), mean(stage)), reading(_("off by"), off)]


def answer(stage: Stage) -> int:
    """All agree where no support vector has slack."""
    return 1 if np.abs(known(stage).slack).max() > WIDE else 0


def verdict(stage: Stage) -> str:
    """What happens, also where no vector is free."""
    solution = stage.solution
    if not answer(stage):
        return _("All agree on b: no support vector has slack.")
    if known(stage).free.any():
        return _("Only those with 0 < α < C give b.")
    if open_ended(stage):
        lo, hi = format_interval(*solution.b_interval, 3)
        return _("Only those with 0 < α < C, and there is none: b is free from {lo} to {hi}.").format(lo=lo, hi=hi)
    told = _("Only those with 0 < α < C, and there is none: the kinks of the hinge leave b = {b}.")
    return told.format(b=short(solution.b, 3, ROUNDING))


def chart(stage: Stage) -> Chart:
    """Each one's b; a click selects it."""
    each, lab = known(stage), stage.lab
    return Chart(
        offsets(lab.data, each, stage.solution.b_interval, mean(stage), lab.selected, stage.palette),
        on_click=select_point,
    )


def more(stage: Stage) -> Sequence[Part]:
    """The sum that must be taken off, the interval, the erratum."""
    each, b = known(stage), stage.solution.b
    told = _("On this board: mean of all {mean}, less the mean of $y_k\\xi_k$, {error}, is {b}.")
    error = float(each.slack.mean())
    return [
        _(
            "$y_k - g_k = b + y_k \\xi_k$ for every support vector, with $g(x) = \\langle w, x\\rangle$ (in "
            "feature space "
            "with another kernel). One with $0 < \\alpha_k < C$ lies on its margin line, has no slack, and gives b."
        ),
        told.format(
            mean=short(mean(stage), noise=ROUNDING), error=short(error, noise=ROUNDING), b=short(b, noise=ROUNDING)
        ),
        _(
            "Where no vector is free, b fills an interval, whose middle is drawn, or the kinks of the hinge "
            "leave one b "
            "only. The lines with the ends of the interval are drawn as well."
        ),
        _(
            "Gambosi's English slides say: classify as in the separable case. There the mean over all support vectors "
            "gives b; with slack it is off by the mean of $y_k \\xi_k$ over them."
        ),
    ]


def offsets(
    data: Dataset, found: Offsets, b: tuple[float, float], mean: float, selected: int | None, palette: Palette
) -> go.Figure:
    """Y_k - g_k of the support vectors in two rows, free above and at C below, with the true b (or interval) and the
    mean of all.

    customdata of the points: their ids.
    """
    figure = blank(palette, height=150)
    lo, hi = b
    if hi - lo > 1e-9:
        figure.add_vrect(x0=lo, x1=hi, fillcolor=palette.accent, opacity=0.16, line_width=0)
    for at in {lo, hi}:
        add_rule(figure, palette, palette.accent, x=at, width=2.5)
    add_rule(figure, palette, palette.other, "dash", x=mean, width=2.5)
    hover = _("point {id}").format(id="%{customdata}") + "<br>yₖ − gₖ = %{x:.8g}<extra></extra>"
    ids, lanes = data.ids[found.rows], np.where(found.free, 1.0, 0.0)
    marks = points(
        palette, found.each, lanes, data.y[found.rows], ids, ids == selected, name="points", hover=hover, edge=1
    )
    figure.add_trace(marks)
    places = np.r_[found.each, lo, hi, mean]
    figure.update_xaxes(range=axis_range_around(places[np.isfinite(places)]))
    figure.update_yaxes(range=[-0.6, 2.4], tickvals=[0, 1], ticktext=["α = C", _("free")])
    right = mean >= 0.5 * (lo + hi)
    names = (
        Label("b", lo if right else hi, 1.9, palette.accent, "left" if right else "right"),
        Label(_("mean of all"), mean, 1.9, palette.other, "right" if right else "left"),
    )
    seen = [name for name in names if np.isfinite(name.x)]
    return place_labels(figure, palette, [*seen, axis_name(figure, "yₖ − gₖ", palette)])


OFFSET = Step(
    key="offset",
    title=N_("Which vectors know b"),
    question=N_("Without slack every support vector gives b = yₖ − ⟨w, xₖ⟩, and one takes the mean. And with slack?"),
    choices=(
        Choice(
            N_("All support vectors still agree on b"),
            N_("One with slack is short of its margin line, so its own b is off by yₖ ξₖ."),
        ),
        Choice(
            N_("Only those with 0 < α < C give b"),
            N_("With no slack anywhere, one with α = C is on its margin line as well."),
        ),
        Choice(
            N_("Only those with α = C give b"),
            N_("They pull hardest, but they are the ones that may have slack."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=preset("overlapping", size=24, noise=0.3, seed=2, value=0.05),
    needs=(BOTH_CLASSES, BIAS, SOFT, PRODUCT, SOLVED, NONZERO_W),
    draw=draw,
    play=lambda stage: play_C(stage, 100.0, 0.05),
    numbers=numbers,
    chart=chart,
    says=N_("The mean of all misses b by the mean of their yₖ ξₖ. The dashed line is drawn with that mean as its b."),
    formula=r"y_k-\langle w,x_k\rangle = b + y_k\,\xi_k \qquad (\alpha_k>0)",
    more=more,
    tries=(
        Try(N_("C = 1"), set_machine(face="C", value=1.0)),
        Try(N_("Four corners"), board=preset("four_corners", value=0.1)),
        Try(N_("One against many"), board=preset("one_against_many", size=24, value=0.1)),
    ),
    shows=("S7",),
)
