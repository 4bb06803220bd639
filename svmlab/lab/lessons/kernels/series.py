"""The coordinates behind a Gaussian, with a last one or drawn at random, and the machines that have only these (K6,
K7).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.kernels.features import gaussian_powers, gaussian_remainder, gaussian_squares, gaussian_terms_needed
from svmlab.lab.board.payload import flat_coordinates, sliders
from svmlab.lab.charts.frame import axis_range, blank, log
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.kernels.expansions import (
    FEATURES,
    FINE,
    SHOWN,
    all_errors,
    count,
    distance,
    drawn,
    kernel_form,
    last,
    off,
    on_features,
    point,
    reach,
    with_terms,
)
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import dial, reading, set_machine, set_picks, stroke
from svmlab.lab.teach.requirements import GAUSSIAN, NO_BIAS, SOFT, at_most, sigma_of
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Part, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.plane.contours import level_lines, zero_lines

ENOUGH = 1e-6  # what may be missing where terms are enough
TERMS = (5, 10, 30)  # of the choices
MOST = 120  # terms that a board can ask for
VIEWS = {"series": N_("The sum"), "squares": N_("Each term"), "random": N_("Random features")}
WIDE = Need(
    lambda stage: gaussian_terms_needed(reach(stage), ENOUGH, sigma_of(stage)) <= MOST,
    N_("The Gaussian is so narrow here that its series needs very many terms."),
    {"sigma": 2.0},
)


def _around(r: float, *labels: int, turn: float = 0.0) -> list[tuple[float, float, int]]:
    """Points evenly on a circle, the first of them `turn` of the way to the second."""
    angles = 2.0 * np.pi * (np.arange(len(labels)) + turn) / len(labels)
    return [(r * float(np.cos(a)), r * float(np.sin(a)), label) for a, label in zip(angles, labels, strict=True)]


FLOWER = board_of_points(  # three petals at distance 3, which need terms that the middle does not
    [*_around(0.7, 1, 1, 1), *_around(1.7, *[-1] * 6, turn=0.5), *_around(3.0, *[1, 1, -1, -1] * 3)],
    kernel="gaussian",
    sigma=1.0,
    face="lambda",
    value=0.05,
    bias=False,
)


def draw(stage: Stage) -> Data:
    """The boundary of the machine with these coordinates over the exact one, and how far N terms reach."""
    if not stage.shown:
        return {}
    lab, random = stage.lab, stage.pick("features") == "random"
    machine, exact = on_features(stage) if random else with_terms(stage), stage.cache.scene(stage.solution, lab.view)
    items = [stroke(line, "accent") for line in level_lines(machine.grid, lab.view)]
    if random:
        lines = zero_lines(lab.kernel_function, lab.data.X, kernel_form(stage), lab.view, FINE)
        items += [stroke(line, "witness-line dashed") for line in lines]
    else:
        turn = np.linspace(0.0, 2.0 * np.pi, 97)
        circle = sigma_of(stage) * math.sqrt(last(stage)) * np.stack([np.cos(turn), np.sin(turn)], 1)
        items.append(stroke(circle))
    return {
        "lines": {"zero": [flat_coordinates(line) for line in exact.zero], "plus": [], "minus": []},
        "overlay": items,
        "slack": [],
        "selected": lab.points[point(stage)].id,
        "sliders": [*(s for s in sliders(lab) if s["key"] == "sigma"), _waves(stage) if random else _terms(stage)],
    }


def _terms(stage: Stage) -> Data:
    high = max(40, 10 * math.ceil(0.11 * gaussian_terms_needed(reach(stage), ENOUGH, sigma_of(stage))))
    return dial("terms", _("The last term of the series"), "N", last(stage), 0, max(high, last(stage)), 1)


def _waves(stage: Stage) -> Data:
    lo, hi = (math.log10(D) for D in FEATURES[[0, -1]])
    made = dial("waves", _("Random features, on a logarithmic scale"), "D", count(stage), lo, hi, math.log10(2) / 4)
    return made | {"linear": False}


def play(stage: Stage) -> Data:
    """The coordinates become more."""
    if stage.pick("features") == "random":
        return {"key": "waves", "op": "dial", "from": 10, "to": 640, "ms": 3000}
    return {"key": "terms", "op": "dial", "from": 0, "to": SHOWN, "ms": 3000}


def numbers(stage: Stage) -> Sequence[Reading]:
    """What is missing at the point, and how far the machines are apart."""
    if not stage.shown:
        return ()
    data = stage.data
    if stage.pick("features") == "random":
        f, exact = on_features(stage).f, np.asarray(kernel_form(stage) @ stage.lab.problem.gram)
        name, error = _("largest error of k"), off(stage, drawn(stage))
    else:
        f, exact = with_terms(stage).f, np.asarray(stage.solution.decision(data.X))
        name, error = _("missing"), gaussian_remainder(distance(stage), last(stage), sigma_of(stage))
    wrong = [int((data.y * g <= 0).sum()) for g in (f, exact)]
    return [
        reading(name, short(error, 3)),
        reading(_("f off the kernel's"), short(float(np.abs(f - exact).max()), 3, ROUNDING)),
        reading(_("wrong points"), _("{n}, the kernel's {k}").format(n=wrong[0], k=wrong[1])),
    ]


def chart(stage: Stage) -> Chart:
    """The sum at one point, its terms, or the error of random features in several draws."""
    view, sigma, palette = stage.pick("features"), sigma_of(stage), stage.palette
    if view == "random":
        found = stage.cached("errors", lambda: all_errors(stage))
        return Chart(errors(FEATURES, found, count(stage), off(stage, drawn(stage)), palette))
    make = sums if view == "series" else squares
    return Chart(make(distance(stage), sigma, last(stage), palette))


def says(stage: Stage) -> str:
    """What is seen on the chart and on the board."""
    view = stage.pick("features")
    if view == "random":
        return _(
            "Four times as many features halve the error. On the board, accent: linear Pegasos on $D$ of them; dashed: "
            "its kernel form with the same draws."
        )
    if view == "squares":
        return _(
            "All squares together are $k(x,x) = 1$. Up to $n = x^2/\\sigma^2$ only about half is there; the "
            "machine with "
            "$N$ terms sees as far as the circle, $\\sigma\\sqrt N$."
        )
    return _(
        "Dashed: the sum up to $N$ at the ringed point; thin: other $N$. On the board, accent: the machine with these "
        "coordinates. It sees about as far as the circle, $\\sigma\\sqrt N$."
    )


def formula(stage: Stage) -> str:
    """The series, in units of sigma; or the waves."""
    if stage.pick("features") == "random":
        return (
            r"k(x,z) \approx \tfrac2D\textstyle\sum_{j\le D}\cos(\langle u_j,x\rangle+c_j)\,\cos(\langle "
            r"u_j,z\rangle+c_j)"
        )
    return r"k(x,z) = \textstyle\sum_n\phi_n(x)\,\phi_n(z),\quad \phi_n(x) = e^{-x^2/2}\,x^n/\sqrt{n!}"


def more(stage: Stage) -> Sequence[Part]:
    """Why it is a kernel, why the terms fade so late, random features, and what the notes print."""
    N = last(stage)
    return [
        _(
            "**A kernel by the rules.** $\\langle x,z\\rangle$ is one, so is $\\langle "
            "x,z\\rangle/\\sigma^2$, so is its "
            "exponential (a sum of powers, none with a minus), so is $g(x)\\,k(x,z)\\,g(z)$. Here $g(x) = "
            "e^{-\\|x\\|^2/(2\\sigma^2)}$. "
            "In units of $\\sigma$, on the line:"
        ),
        r"$$e^{-(x-z)^2/2} = e^{-x^2/2}\;e^{xz}\;e^{-z^2/2}, \qquad e^{xz} = \textstyle\sum_n (xz)^n/n!$$",
        _(
            "**How many.** $x^{{2n}}/n!$ grows as long as $n < x^2$, so the terms are largest at $n = "
            "x^2/\\sigma^2$ and fade only "
            "beyond. In the plane a coordinate is a product of one for each axis: {D} of them up to $N = "
            "{N}$. A kernel value "
            "takes none."
        ).format(D=(N + 1) * (N + 2) // 2, N=N),
        _(
            "**Random features** $\\sqrt{2/D}\\cos(\\langle u_j,x\\rangle+c_j)$, with $u_j$ from a bell "
            "curve of deviation $1/\\sigma$ "
            "and $c_j$ evenly from a turn, have the Gaussian for their mean. They need no farther reach for "
            "far points, but a "
            "hundred times as many for one more digit."
        ),
        _(
            "Gambosi's slides derive the three factors rightly; in their last step all are those of the "
            "first point, and one "
            "exponent lacks its 2. The Italian notes on half-spaces print $(xx')^2/n!$ for $(xx')^n/n!$, and "
            "then $x^n/n!$ in "
            "either vector: with $n!$ twice. That is another kernel, with $k(1,1) = 0.8386$ and $k(3,3) = "
            "0.0083$ in place of 1."
        ),
    ]


OTHERS = (0.55, 1.1)  # of (r/sigma)^2: the thin curves end with these terms


def sums(r: float, sigma: float, N: int, palette: Palette) -> go.Figure:
    """The sum up to N of phi_n(r) phi_n(z) along z, those up to other N, and the Gaussian around r."""
    figure = blank(palette, _("place on the way through the point"), _("similarity"), height=260)
    lo, hi = -0.5 * sigma, r + 2.6 * sigma
    z = np.linspace(lo, hi, 161)
    others = sorted({round(part * (r / sigma) ** 2) for part in OTHERS} - {N, 0})
    exact, pen = np.exp(-0.5 * ((z - r) / sigma) ** 2), palette.pen(palette.text, 2.5)
    figure.add_trace(go.Scatter(x=z, y=exact, name="k", mode="lines", line=pen, hovertemplate="k = %{y:.4g}"))
    labels: list[Label] = []
    for n in (*others, N):
        Phi = gaussian_powers(np.r_[r, z], n, sigma)
        y = Phi[1:] @ Phi[0]
        pen = palette.pen(palette.accent, 3.0, "dash") if n == N else palette.pen(palette.quiet, 1.5)
        hover = f"N = {n}: %{{y:.4g}}"
        figure.add_trace(go.Scatter(x=z, y=y, name=f"N={n}", mode="lines", line=pen, hovertemplate=hover))
        peak = int(y.argmax())
        if n != N and y[peak] > 0.04:
            labels.append(Label(f"{n}", float(z[peak]), float(y[peak]), palette.quiet, "above"))
        elif n == N:
            at = int(np.abs(y - 0.55 * y.max())[:peak].argmin()) if peak else 0
            labels.append(Label(f"N = {n}", float(z[at]), float(y[at]), palette.accent, "left"))
    figure.update_traces(hoverlabel={"namelength": 0})
    add_rule(figure, palette, palette.quiet, "dot", x=r)
    figure.update_xaxes(range=[lo, hi])
    figure.update_yaxes(range=[-0.06, 1.16], tickvals=[0.0, 0.5, 1.0])
    labels.append(Label(_("the Gaussian"), r + sigma, float(np.exp(-0.5)), palette.text, "right"))
    return place_labels(figure, palette, labels)


def squares(r: float, sigma: float, N: int, palette: Palette) -> go.Figure:
    """What each term adds to k(x, x) = 1 at the distance r: those up to N full, the others pale."""
    t = r / sigma
    figure = blank(palette, _("term n"), "φₙ(x)²", height=260)
    last = max(int(np.ceil(t * t + 4 * t + 3)), N + 1 if t * t > N / 4 else 0)
    n, share = np.arange(last + 1), gaussian_squares(r, last, sigma)
    for name, on, colour in (("in", n <= N, palette.accent), ("out", n > N, palette.quiet)):
        marker = {"color": colour, "opacity": 1.0 if name == "in" else 0.35}
        hover = "n = %{x}: %{y:.4g}<extra></extra>"
        figure.add_trace(go.Bar(x=n[on], y=share[on], name=name, marker=marker, hovertemplate=hover))
    ceiling = 1.3 * float(share.max())
    add_rule(figure, palette, palette.text, "dash", x=t * t)
    figure.update_xaxes(range=[-0.7, last + 0.7], showgrid=False)
    figure.update_yaxes(range=[0.0, ceiling], nticks=4)
    figure.update_layout(bargap=0.15)
    missing = gaussian_remainder(r, N, sigma)
    inside, outside = _("up to N: {share}"), _("missing: {share}")
    names = (
        Label("n = x²/σ²", t * t, 0.97 * ceiling, palette.text),
        Label(inside.format(share=short(1.0 - missing, 3)), last, 0.8 * ceiling, palette.accent, "left"),
        Label(outside.format(share=short(missing, 3)), last, 0.64 * ceiling, palette.quiet, "left"),
    )
    return place_labels(figure, palette, names)


def errors(D: Array, found: Array, here: int, error: float, palette: Palette) -> go.Figure:
    """The largest error of the kernel over pairs of points against the number of features D (k,), in several draws (k,
    n).
    """
    figure = blank(palette, _("random features D"), _("largest error"), height=260, zoom=False)
    x = np.repeat(D, found.shape[1])
    marker = {"size": 6 * palette.stroke, "color": palette.quiet, "opacity": 0.7}
    hover = "D = %{x}: %{y:.3g}<extra></extra>"
    figure.add_trace(go.Scatter(x=x, y=found.ravel(), name="draws", mode="markers", marker=marker, hovertemplate=hover))
    mean = found.mean(1)
    figure.add_trace(
        go.Scatter(x=D, y=mean, name="mean", mode="lines", line=palette.pen(palette.text), hovertemplate=hover)
    )
    typical = 1.0 / np.sqrt(D)
    pen = palette.pen(palette.quiet, 2.0, "dash")
    figure.add_trace(go.Scatter(x=D, y=typical, name="typical", mode="lines", line=pen, hovertemplate=hover))
    mark_current(figure, palette, float(here), error)
    heights = np.log10(np.r_[found.ravel(), typical, error])
    figure.update_xaxes(**log(float(np.log10(D[0])) - 0.08, float(np.log10(D[-1])) + 0.08))
    figure.update_yaxes(**log(*axis_range(heights)))
    end = float(np.log10(D[-1]))
    return place_labels(
        figure,
        palette,
        [
            Label(_("their mean"), end, float(np.log10(mean[-1])), palette.text),
            Label("1/√D", end, float(np.log10(typical[-1])), palette.quiet),
        ],
    )


SERIES = Step(
    key="series",
    title=N_("No last coordinate"),
    question=N_(
        "The Gaussian is an inner product of infinitely many coordinates. How many of its terms are enough for points "
        "**3σ** from the origin?"
    ),
    choices=(
        Choice(N_("5"), N_("Near the origin they would be; the farther away, the later the large terms come.")),
        Choice(N_("10"), N_("The largest terms are there then, at n = 9, but a third of the sum still lacks.")),
        Choice(N_("About 30")),
    ),
    answer=lambda stage: int(np.abs(np.array(TERMS) - gaussian_terms_needed(3.0, ENOUGH)).argmin()),
    is_theorem=True,
    verdict=lambda stage: _("about 30: at 3σ the terms are largest at n = 9, and fade only well beyond."),
    board=FLOWER,
    needs=(GAUSSIAN, SOFT, NO_BIAS, WIDE, at_most(60)),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(Pick("features", N_("Picture"), tuple(VIEWS), "series", lambda name: _(VIEWS[name])),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try("σ = 0.5", set_machine(sigma=0.5)),
        Try(N_("Moons"), board=preset("moons", size=24, kernel="gaussian", face="lambda", value=0.02, bias=False)),
        Try(N_("Random features"), set_picks(features="random")),
    ),
    shows=("K6", "K7"),
)
