"""A curved tube: with a narrow Gaussian and no tube at all the curve meets the points, and misses others (X2)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts.frame import axis_range, blank, log
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import SIZE, add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.glossary.extensions import OF_A_TUBE
from svmlab.lab.lessons.extensions import noisy
from svmlab.lab.lessons.extensions.bending import closest, drawn, few, others, present, ways, width, work
from svmlab.lab.lessons.extensions.boards import OF_VALUES, SOLVED
from svmlab.lab.lessons.extensions.eps import LEVEL
from svmlab.lab.lessons.extensions.noisy import Errors, TwoWays, met, missed
from svmlab.lab.numbers import short
from svmlab.lab.teach.overlay import reading, set_machine, stroke
from svmlab.lab.teach.requirements import SOFT
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.regression import Values

FIRST, DRAWS = 38, 40  # the draw to begin with, its errors are near the mean of all; how many there are
VIEWS = {"sigma": N_("along σ"), "C": N_("along C"), "eps": N_("along ε"), "ways": N_("degree 3")}
NAMES = {"sigma": "σ", "C": "C", "eps": "ε"}
TIED = 1e-6  # between two errors that are the same
AT_HAND = 500  # places at which a curve is judged while something moves
WIDTH = Need(
    lambda stage: width(stage) is not None,
    N_("This step turns the width σ of a kernel, and this one has none."),
    {"kernel": "gaussian"},
)
PLACES = Need(
    lambda stage: 4 * noisy.crowded(stage.lab.regression_problem.data) <= len(stage.lab.points),
    N_("Many points have the same x₁ and other values: no curve runs through them all."),
    {},
)


def draw(stage: Stage) -> Data:
    """Two sliders, of what is looked at; other points of the same wave behind the board's own; with degree 3 its curve
    too.
    """
    parameter = width(stage)
    assert parameter is not None
    named = {"sigma": ("eps", parameter.name), "C": ("value", parameter.name), "eps": ("eps", parameter.name)}
    keys = named.get(str(stage.pick("bent")), ("value", "eps"))
    data: Data = {"sliders": [each for each in sliders(stage.lab) if each["key"] in keys]}
    if not stage.shown:
        return data
    unseen, items = others(stage), []
    if unseen is not None:
        some = few(unseen, noisy.SHOWN)
        items.append(stroke(np.column_stack([some.X[:, 0], some.y]), "fresh value", "dots"))
    if stage.pick("bent") == "ways":
        with suppress(Working):
            found = ways(stage)
            items.append(stroke(np.column_stack([found.x, found.kernel]), "witness-line"))
    return data | {"overlay": items}


def play(stage: Stage) -> Data | None:
    """The Gaussian gets narrow, and stays so."""
    parameter = width(stage)
    if parameter is None or stage.pick("bent") == "ways":
        return None
    return {"key": parameter.name, "to": 0.1, "ms": 2600}


def numbers(stage: Stage) -> Sequence[Reading]:
    """What the curve misses of its own points and of others."""
    fit, unseen = stage.fit, others(stage)
    seen = [reading(_("mean |y − f|"), missed(fit)), reading(_("support vectors"), str(int(fit.support.sum())))]
    if not stage.shown or unseen is None:
        return seen
    n = AT_HAND if stage.moving else noisy.FRESH
    return [
        seen[0],
        reading(_("of unseen points"), stage.cached(f"unseen {n}", lambda: missed(fit, few(unseen, n)))),
        seen[1],
    ]


def verdict(stage: Stage) -> str:
    """How many it meets when it is narrow enough."""
    fit = closest(stage)
    problem = fit.problem
    sigma = getattr(problem.kernel, "sigma")  # noqa: B009
    n, m = met(fit), problem.data.m
    if n == m:
        said = _("through every point, all {m}, at σ = {sigma}, ε = 0, C = {C}.")
    else:
        said = _("through {n} of {m} points at σ = {sigma}, ε = 0, C = {C}.")
    return said.format(n=n, m=m, sigma=short(sigma, 2), C=short(problem.C, 3))


def chart(stage: Stage) -> Chart:
    """What is missed along what is turned, or one curve twice; a click sets the board."""
    turned = str(stage.pick("bent"))
    if turned == "ways":
        return Chart(both(ways(stage), stage.lab.regression_problem.data, stage.palette))
    found, unseen = stage.background_result(*work(stage)), others(stage)
    name = _("{k} folds").format(k=min(noisy.FOLDS, len(stage.lab.points))) if unseen is None else _("unseen points")
    least = None if unseen is None else noisy.LEAST
    figure = missing(found, present(stage, turned), NAMES[turned], name, least, turned == "eps", stage.palette)
    return Chart(figure, partial(put_on, stage, turned))


def put_on(stage: Stage, turned: str, value: float) -> Op:
    """The operation that gives the board's machine this width, C or eps."""
    parameter = width(stage)
    if turned == "C" or parameter is None:
        return set_machine(face="C", value=float(value))
    return set_machine(**{"eps" if turned == "eps" else parameter.name: float(value)})


def says(stage: Stage) -> str:
    """How the picture is read."""
    if stage.pick("bent") == "ways":
        return _(
            "A cubic at this $C$ and $\\varepsilon$, on the board in pink: from the dual, which sees kernel "
            "values alone, and from its coordinates $1, x, x^2, x^3$."
        )
    if others(stage) is None:
        return _(
            "Nobody knows where these points came from: folds, judged by curves that have not seen them, "
            "stand in for unseen points. Click a mark to set the board."
        )
    found = stage.background_result_or_none(*work(stage))
    if found is None or np.isnan(found.unseen).all():
        return _("Faint: unseen points. Click a mark to set the board.")
    name = NAMES[str(stage.pick("bent"))]
    seen, unseen = (y <= np.nanmin(y) + TIED for y in (found.train, found.unseen))
    if (seen & unseen).any():
        return _(
            "Faint: unseen points. Here they and the seen ones are missed least at {name} = {best}. Click a "
            "mark to set the board."
        ).format(name=name, best=short(float(found.at[seen & unseen][0]), 3))
    first, other = (short(float(found.at[best][0]), 3) for best in (unseen, seen))
    return _(
        "Faint: unseen points, missed least at {name} = {first}, seen ones at {name} = {other}: what "
        "suits these need not suit others. Click a mark to set the board."
    ).format(name=name, first=first, other=other)


def formula(stage: Stage) -> str:
    """The curve, by what it is made of."""
    if stage.pick("bent") == "ways":
        return r"\textstyle\sum_i(\alpha_i-\alpha_i^*)(1+x_ix)^3=\big\langle w,(1,\sqrt3x,\sqrt3x^2,x^3)\big\rangle"
    return r"f(x)=\textstyle\sum_i(\alpha_i-\alpha_i^*)\,k(x_i,x)+b"


def more(stage: Stage) -> Sequence[Part]:
    """Why it can, where it cannot, both ways, and what is to be done about it."""
    fit, data, found = closest(stage), stage.lab.regression_problem.data, ways(stage)
    c = [short(float(value), 3, 1e-9) for value in found.coefficients]
    crowded = noisy.crowded(data)
    parts = [
        _(
            "**Why.** Bumps that are narrower than the places are apart hardly reach each other, so each "
            "point can be met by its own: $\\alpha_i - \\alpha_i^*$ is nearly "
            "$y_i - b$. That costs $\\frac12\\|w\\|^2$ = {w} here, and a large $C$ pays it. For a Gaussian "
            "of any width such a curve exists, at a larger price: its matrix $K$ "
            "has an inverse as long as all $x_i$ differ."
        ).format(w=short(0.5 * fit.norm_w**2, 3)),
        _(
            "**Two ways.** Degree 3, at the board's $C$ and $\\varepsilon$: by kernel values, and by "
            "coordinates with a $w$ of their own. On 161 places across the board "
            "they differ by {apart} of the largest value at most. Both are $f(x)$ = {a} + ({b}) $x$ + ({c}) "
            "$x^2$ + ({d}) $x^3$. The roots of 3 matter: with plain $x$ and $x^2$ another $w$ is shortest."
        ).format(apart=short(found.apart, 2), a=c[0], b=c[1], c=c[2], d=c[3]),
        _(
            "**By heart.** An error of 0 on the points that were seen says nothing of others. How narrow, "
            "how wide a tube and at which price is chosen on points that "
            "took no part: the lesson Generalisation has more of it."
        ),
    ]
    if crowded:
        parts.insert(
            1,
            _(
                "**Nearly.** {n} points share their $x_1$ with a point of another value. No function runs through both."
            ).format(n=crowded),
        )
    return parts


def again(stage: Stage) -> Op:
    """The next draw in the place of the points, with the machine that stands."""
    lab = stage.lab
    following = drawn(0 if others(stage) is None else (lab.seed + 1) % DRAWS)
    now = replace(lab, points=following.points, size=following.size, seed=following.seed, view=following.view)
    return {"op": "load", "lab": replace(now, selected=None)}


def missing(
    found: Errors,
    now: float,
    name: str,
    others: str,
    least: float | None,
    even: bool,
    palette: Palette,
) -> go.Figure:
    """Mean |y - f| of seen points and of `others`, over what is turned, `name`; a rule and rings at the present value.

    least: what the best f misses of unseen points, a level line; None where nobody knows. even: whether the axis is no
    logarithmic one. A click on a mark tells its value.
    """
    figure = blank(palette, "", _("mean |y − f|"), height=240)
    lines = (
        (_("seen points"), found.train, palette.quiet, "square"),
        (others, found.unseen, palette.accent, "circle"),
    )
    scale = found.at if even else np.log10(found.at)
    lo, hi = float(scale.min()), float(scale.max())
    ends = [lo - 0.02 * (hi - lo), hi + 0.02 * (hi - lo)]
    top = 1.1 * float(np.nanmax([0.1, *found.train, *found.unseen]))
    figure.update_xaxes(**({"range": ends, "nticks": 6} if even else log(*ends)))
    figure.update_yaxes(range=[-0.04 * top, top], nticks=5, tickformat="~g")
    labels = [axis_name(figure, name, palette)]
    if least is not None:
        add_rule(figure, palette, palette.other, "dot", y=least)
        labels.append(Label(_("noise {least}").format(least=f"{least:.2g}"), ends[1], least, palette.other))
    add_rule(figure, palette, palette.text, "dot", x=now)
    here = np.flatnonzero(found.at == now)
    for words, y, colour, symbol in lines:
        told = f"{words}: %{{y:.4g}}<br>{name} = %{{x:.4g}}<extra></extra>"
        mark = {"symbol": symbol, "size": 9 * palette.stroke, "color": colour, "line": palette.pen(palette.paper, 1.0)}
        line = go.Scatter(x=found.at, y=y, customdata=found.at, name=words, mode="lines+markers", marker=mark)
        figure.add_trace(line.update(line=palette.pen(colour), hovertemplate=told, cliponaxis=False))
        known = np.flatnonzero(~np.isnan(y))
        if len(known):
            labels.append(Label(words, ends[1], float(y[known[-1]]), colour))
        figure.add_trace(_rings(found.at[here], y[here], palette))
    return place_labels(figure, palette, labels)


def both(found: TwoWays, data: Values, palette: Palette) -> go.Figure:
    """The curve by kernel values, wide, and that by explicit coordinates dashed on it; the points that they were fitted
    to.
    """
    figure = blank(palette, "", "x₂", height=240)
    mark = {"size": 0.6 * SIZE * palette.stroke, "color": palette.quiet}
    seen = go.Scatter(x=data.X[:, 0], y=data.y, mode="markers", name="points", marker=mark)
    figure.add_trace(seen.update(hovertemplate="x₁ = %{x:.4g}<br>x₂ = %{y:.4g}<extra></extra>"))
    for name, y, pen in (
        (_("kernel values"), found.kernel, palette.pen(palette.accent, 6.0)),
        (_("coordinates"), found.features, palette.pen(palette.text, 2.0, "dash")),
    ):
        told = f"{name}: %{{y:.10g}}<br>x₁ = %{{x:.4g}}<extra></extra>"
        figure.add_trace(go.Scatter(x=found.x, y=y, mode="lines", name=name, line=pen, hovertemplate=told))
    figure.update_xaxes(range=[float(found.x[0]), float(found.x[-1])], nticks=6)
    lo, hi = axis_range(data.y)
    figure.update_yaxes(range=[lo - 0.1 * (hi - lo), hi + 0.25 * (hi - lo)], nticks=5)
    top = hi + 0.25 * (hi - lo)
    left = float(found.x[0])
    labels = [
        axis_name(figure, "x₁", palette),
        Label(_("by kernel values"), left, top, palette.accent, "below right"),
        Label(_("by coordinates, dashed"), 0.0, top, palette.text, "below right"),
    ]
    return place_labels(figure, palette, labels, backed=True)


def _rings(x: Array, y: Array, palette: Palette) -> go.Scatter:
    ring = {"size": (SIZE + 4) * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2.0)}
    return go.Scatter(x=x, y=y, name="now", mode="markers", marker=ring, hoverinfo="skip", cliponaxis=False)


CURVE = Step(
    key="curve",
    title=N_("A curved tube"),
    question=N_("A Gaussian with a **small** width σ, a large C, and no tube: ε = 0. What does the curve do?"),
    choices=(
        right(N_("It runs through (nearly) every point")),
        wrong(
            N_("It is the mean of the values"),
            N_("Then each point would pay its distance, and a narrow bump costs less."),
        ),
        wrong(N_("It is straight"), N_("Nearly so is that of a very wide Gaussian. A narrow one bends at each point.")),
    ),
    verdict=verdict,
    board=partial(drawn, FIRST),
    needs=(OF_VALUES, SOFT, WIDTH, LEVEL, PLACES, SOLVED),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("bent", N_("Look at"), tuple(VIEWS), "sigma", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    letters=OF_A_TUBE,
    more=more,
    tries=(
        Try(N_("Too wide"), set_machine(sigma=6.0)),
        Try("ε = 0.5", set_machine(eps=0.5)),
        Try(N_("Draw again"), again),
    ),
    shows=("X2",),
)
