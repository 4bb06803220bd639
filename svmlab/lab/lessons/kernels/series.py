"""The Gaussian kernel as a series, cut after a term or replaced by random features, and the SVM with these features
(K6, K7).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import plotly.graph_objects as go

from svmlab import Dataset, Linear, Problem, pegasos, solve
from svmlab.core.arrays import Array
from svmlab.kernels.features import (
    RandomFeatures,
    gaussian_features,
    gaussian_grid,
    gaussian_powers,
    gaussian_remainder,
    gaussian_squares,
    gaussian_terms_needed,
    random_features,
)
from svmlab.lab.board.payload import flat_coordinates, sliders
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import set_machine, set_picks, stroke
from svmlab.lab.teach.requirements import GAUSSIAN, NO_BIAS, SOFT, at_most, sigma_of
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Part, Pick, Reading, Step, Try, dial, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plane.contours import level_lines, zero_lines
from svmlab.plot.frame import axis_range, empty_chart, log_axis
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

MISSING = 1e-6  # the tolerance of the question
LAST = gaussian_terms_needed(3.0, MISSING)  # the last term that it needs
MAX_TERMS = 120  # the largest number of terms that a board may need
FEATURES = 10.0 * 2.0 ** np.arange(9)  # numbers of random features in the chart
DRAWS, STEPS = 8, 3000  # sets of random features, and steps of Pegasos on one of them
GRID_POINTS = 96  # points of a grid over the board along each side
VIEWS = {"series": N_("partial sum"), "squares": N_("single terms"), "random": N_("random features")}
WIDE = Need(
    lambda stage: gaussian_terms_needed(reach(stage), MISSING, sigma_of(stage)) <= MAX_TERMS,
    N_("The Gaussian kernel on this board is so narrow that its series needs very many terms."),
    {"sigma": 2.0},
)


def _around(r: float, *labels: int, turn: float = 0.0) -> list[tuple[float, float, int]]:
    """Return points evenly on a circle, turned by the fraction `turn` of their angle."""
    angles = 2.0 * np.pi * (np.arange(len(labels)) + turn) / len(labels)
    return [(r * float(np.cos(a)), r * float(np.sin(a)), label) for a, label in zip(angles, labels, strict=True)]


FLOWER = board_of_points(  # the points at distance 3 need more terms than the others
    [*_around(0.7, 1, 1, 1), *_around(1.7, *[-1] * 6, turn=0.5), *_around(3.0, *[1, 1, -1, -1] * 3)],
    kernel="gaussian",
    sigma=1.0,
    face="lambda",
    value=0.05,
    bias=False,
)


class SvmOnFeatures(NamedTuple):
    """An SVM on given features: f at the training points (m,), and on a grid over the board (n, n)."""

    f: Array
    grid: Array


def reach(stage: Stage) -> float:
    """Return the largest distance of a point from the origin."""
    return float(np.hypot(*stage.data.X.T).max())


def row(stage: Stage) -> int:
    """Return the row of the selected point, or of the one at the largest distance."""
    return int(np.hypot(*stage.data.X.T).argmax()) if stage.selected_row is None else stage.selected_row


def distance(stage: Stage) -> float:
    """Return the distance of that point from the origin."""
    return float(np.hypot(*stage.data.X[row(stage)]))


def last(stage: Stage) -> int:
    """Return N, the number of the last term."""
    return round(stage.dial("terms", LAST))


def count(stage: Stage) -> int:
    """Return D, the number of random features."""
    return round(stage.dial("waves", 160.0))


def random_map(stage: Stage) -> RandomFeatures:
    """Return the random features on the board."""
    return random_features(2, count(stage), sigma_of(stage))


def with_terms(stage: Stage) -> SvmOnFeatures:
    """Return the exact SVM with the features of the terms 0 to N."""
    lab, N = stage.lab, last(stage)

    def make() -> SvmOnFeatures:
        Phi = gaussian_features(lab.data.X, N, sigma_of(stage))
        w = solve(Problem(Dataset(Phi, lab.data.y), Linear(), lab.C, bias=False)).w
        assert w is not None
        at = np.linspace(-lab.view, lab.view, GRID_POINTS)
        return SvmOnFeatures(Phi @ w, gaussian_grid(w, N, at, at, sigma_of(stage)))

    return stage.cached(f"terms {N} {lab.view}", make)


def with_random_features(stage: Stage) -> SvmOnFeatures:
    """Return the average iterate of linear Pegasos on the random features."""
    lab, features = stage.lab, random_map(stage)

    def make() -> SvmOnFeatures:
        Phi = features(lab.data.X)
        w = pegasos(Dataset(Phi, lab.data.y), lab.lam, STEPS).averages[0, -1]
        at = np.linspace(-lab.view, lab.view, GRID_POINTS)
        return SvmOnFeatures(Phi @ w, features.grid(w, at, at))

    return stage.cached(f"waves {features.D} {lab.view}", make)


def kernel_form(stage: Stage) -> Array:
    """Return the coefficients (m,) of the average iterate of Pegasos with kernel values and the same random draws."""
    lab = stage.lab
    return stage.cached(
        "kernel form", lambda: pegasos(lab.data, lab.lam, STEPS, kernel=lab.kernel_function).averages[0, -1]
    )


def largest_error(stage: Stage, features: RandomFeatures) -> float:
    """Return the largest error of the kernel values over all pairs of points."""
    Phi = features(stage.data.X)
    return float(np.abs(Phi @ Phi.T - stage.lab.problem.gram).max())


def all_errors(stage: Stage) -> Array:
    """Return it for each number in FEATURES and several draws, (k, DRAWS). Larger sets begin with the smaller ones."""
    errors = np.empty((len(FEATURES), DRAWS))
    for j in range(DRAWS):
        cosines = random_features(2, int(FEATURES[-1]), sigma_of(stage), seed=j + 1)(stage.data.X)
        cosines *= math.sqrt(cosines.shape[1] / 2.0)
        total, before = np.zeros_like(stage.lab.problem.gram), 0
        for i, D in enumerate(FEATURES.astype(int).tolist()):
            total += cosines[:, before:D] @ cosines[:, before:D].T
            errors[i, j], before = np.abs(2.0 / D * total - stage.lab.problem.gram).max(), D
    return errors


def draw(stage: Stage) -> Data:
    """Return the boundary with these features over the exact one, and the circle of radius sigma sqrt(N + 1)."""
    if not stage.shown:
        return {}
    lab, random = stage.lab, stage.pick("features") == "random"
    svm = with_random_features(stage) if random else with_terms(stage)
    exact = stage.cache.drawing(stage.solution, lab.view)
    items = [stroke(line, "accent") for line in level_lines(svm.grid, lab.view)]
    if random:
        lines = zero_lines(lab.kernel_function, lab.data.X, kernel_form(stage), lab.view, GRID_POINTS)
        items += [stroke(line, "witness-line dashed") for line in lines]
    else:
        angle = np.linspace(0.0, 2.0 * np.pi, 97)
        circle = sigma_of(stage) * math.sqrt(last(stage) + 1.0) * np.stack([np.cos(angle), np.sin(angle)], 1)
        items.append(stroke(circle))
    return {
        "lines": {"zero": [flat_coordinates(line) for line in exact.zero], "plus": [], "minus": []},
        "overlay": items,
        "slack": [],
        "selected": lab.points[row(stage)].id,
        "sliders": [*(s for s in sliders(lab) if s["key"] == "sigma"), _features(stage) if random else _terms(stage)],
    }


def _terms(stage: Stage) -> Data:
    high = max(40, 10 * math.ceil(0.11 * gaussian_terms_needed(reach(stage), MISSING, sigma_of(stage))))
    return dial("terms", _("Last term N of the sum"), "N", last(stage), 0, max(high, last(stage)), 1)


def _features(stage: Stage) -> Data:
    lo, hi = (math.log10(D) for D in FEATURES[[0, -1]])
    words = _("Number D of random features (logarithmic scale)")
    return dial("waves", words, "D", count(stage), lo, hi, math.log10(2) / 4) | {"linear": False}


def play(stage: Stage) -> Data:
    """Return the animation in which the number of features grows."""
    if stage.pick("features") == "random":
        return {"key": "waves", "op": "dial", "from": 10, "to": 640, "ms": 3000}
    return {"key": "terms", "op": "dial", "from": 0, "to": LAST, "ms": 3000}


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return what is missing at the ringed point, and how far both SVMs differ."""
    if not stage.shown:
        return ()
    data = stage.data
    if stage.pick("features") == "random":
        f, exact = with_random_features(stage).f, np.asarray(kernel_form(stage) @ stage.lab.problem.gram)
        error = largest_error(stage, random_map(stage))
        first = reading(_("error of k"), short(error, 3), _("Largest error of a kernel value over all pairs of points"))
    else:
        f, exact = with_terms(stage).f, np.asarray(stage.solution.decision(data.X))
        error = gaussian_remainder(distance(stage), last(stage), sigma_of(stage))
        first = reading(_("missing"), short(error, 3), _("Missing part of k(x, x), with x at the green ring"))
    errors = [int((data.y * g <= 0).sum()) for g in (f, exact)]
    difference = short(float(np.abs(f - exact).max()), 3, ROUNDING)
    return [
        first,
        reading(_("error of f"), difference, _("Largest difference from the f with the whole kernel, at the points")),
        reading(
            _("errors"),
            _("{n}, exact {k}").format(n=errors[0], k=errors[1]),
            _("Training errors with these features, and with the whole kernel"),
        ),
    ]


def chart(stage: Stage) -> Chart:
    """Return the sum at one point, its terms, or the error of random features in several draws."""
    view, sigma, palette = stage.pick("features"), sigma_of(stage), stage.palette
    if view == "random":
        of_draws, present = stage.cached("errors", lambda: all_errors(stage)), largest_error(stage, random_map(stage))
        return Chart(errors(FEATURES, of_draws, count(stage), present, palette))
    make = sums if view == "series" else squares
    return Chart(make(distance(stage), sigma, last(stage), palette))


def says(stage: Stage) -> str:
    """Say what the chart and the board show."""
    view = stage.pick("features")
    if view == "random":
        return _(
            "Each dot is one random draw of $D$ features. On average, four times as many features roughly halve the "
            "error of $k$. On the board, compare linear Pegasos with these features (green) and kernel Pegasos "
            "(dashed)."
        )
    if view == "squares":
        return _(
            "Each bar is one term of $k(x, x)$, with $x$ at the green ring. The terms increase up to $n = "
            "\\|x\\|^2/\\sigma^2$ (dashed line), so distant points need more terms."
        )
    return _(
        "The thick curve is $k(x, z)$, with $x$ at the green ring. The dashed curve adds its terms $n = 0$ to $N$. "
        "Outside the grey circle of radius $\\sigma\\sqrt{N + 1}$, more than half of $k(x, x)$ is missing."
    )


def formula(stage: Stage) -> str:
    """Return a term of the series on the line in units of sigma, or the random features."""
    if stage.pick("features") == "random":
        return (
            r"k(x,z) \approx \tfrac2D\textstyle\sum_{j\le D}\cos(\langle\omega_j,x\rangle+\delta_j)\,"
            r"\cos(\langle\omega_j,z\rangle+\delta_j)"
        )
    return r"\text{term }n\!:\ \phi_n(x)\,\phi_n(z),\quad \phi_n(x) = e^{-x^2/2}\,x^n/\sqrt{n!}\quad(\sigma=1)"


def more(stage: Stage) -> Sequence[Part]:
    """Explain why it is a kernel, how many terms it needs, random features, and what the notes state."""
    N = last(stage)
    return [
        _(
            "**Why it is a kernel.** $\\langle x,z\\rangle$ is a kernel, and so is $\\langle x,z\\rangle/\\sigma^2$. "
            "Its exponential is a kernel too, because it is a sum of powers with positive coefficients. Finally, "
            "$g(x)\\,k(x,z)\\,g(z)$ is a kernel for every function $g$. The Gaussian kernel has this form with $g(x) = "
            "e^{-\\|x\\|^2/(2\\sigma^2)}$. On the line and in units of $\\sigma$:"
        ),
        r"$$e^{-(x-z)^2/2} = e^{-x^2/2}\;e^{xz}\;e^{-z^2/2}, \qquad e^{xz} = \textstyle\sum_n (xz)^n/n!$$",
        _(
            "**How many terms.** At a point $x$, the terms of $k(x, x)$ are the Poisson probabilities with mean "
            "$\\|x\\|^2/\\sigma^2$. They grow while $n < \\|x\\|^2/\\sigma^2$ and decrease beyond. In the plane, term "
            "$n$ is an inner product of $n + 1$ features, so the sum up to $N = {N}$ uses {D} features. You can "
            "compute a kernel value without any of them."
        ).format(D=(N + 1) * (N + 2) // 2, N=N),
        _(
            "**Random features.** The features are $\\sqrt{2/D}\\cos(\\langle\\omega_j,x\\rangle+\\delta_j)$. The "
            "entries of $\\omega_j$ are normally distributed with standard deviation $1/\\sigma$, and $\\delta_j$ is "
            "uniform between 0 and $2\\pi$. The expectation of their inner product is the Gaussian kernel. For one "
            "more digit, you need about a hundred times as many features."
        ),
        _(
            "**Lecture notes.** Gambosi's slides derive the three factors correctly. In their last step, all factors "
            "are those of the first point, and one exponent lacks its 2. The Italian notes on half-spaces state "
            "$(xx')^2/n!$ instead of $(xx')^n/n!$, and then $x^n/n!$ in both vectors, so $n!$ occurs twice. This "
            "gives another kernel, with $k(1,1) = 0.8386$ and $k(3,3) = 0.0083$ instead of 1."
        ),
    ]


OTHERS = (0.55, 1.1)  # the last terms of the thin curves, as multiples of (r/sigma)^2


def sums(r: float, sigma: float, N: int, palette: Palette) -> go.Figure:
    """Draw the sum up to N of phi_n(r) phi_n(z) along z, those up to other N, and the Gaussian around r."""
    figure = empty_chart(palette, _("position of z on the ray through x"), _("kernel value"), height=260)
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
            labels.append(Label(f"N = {n}", float(z[peak]), float(y[peak]), palette.quiet, "above"))
        elif n == N:
            at = int(np.abs(y - 0.55 * y.max())[:peak].argmin()) if peak else 0
            labels.append(Label(f"N = {n}", float(z[at]), float(y[at]), palette.accent, "left"))
    figure.update_traces(hoverlabel={"namelength": 0})
    add_rule(figure, palette, palette.quiet, "dot", x=r)
    figure.update_xaxes(range=[lo, hi])
    figure.update_yaxes(range=[-0.06, 1.16], tickvals=[0.0, 0.5, 1.0])
    labels.append(Label("k(x, z)", r + sigma, float(np.exp(-0.5)), palette.text, "right"))
    return place_labels(figure, palette, labels)


def squares(r: float, sigma: float, N: int, palette: Palette) -> go.Figure:
    """Draw each term of k(x, x) = 1 at the distance r. Terms after N are pale."""
    t = r / sigma
    figure = empty_chart(palette, _("term n"), "φₙ(x)²", height=260)
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
    inside, outside = _("up to N: {part}"), _("missing: {part}")
    names = (
        Label("n = ‖x‖²/σ²", t * t, 0.97 * ceiling, palette.text),
        Label(inside.format(part=short(1.0 - missing, 3)), last, 0.8 * ceiling, palette.accent, "left"),
        Label(outside.format(part=short(missing, 3)), last, 0.64 * ceiling, palette.quiet, "left"),
    )
    return place_labels(figure, palette, names)


def errors(D: Array, of_draws: Array, present: int, error: float, palette: Palette) -> go.Figure:
    """Draw the largest error of the kernel over the number of features D (k,), of_draws (k, n) in several draws.

    present, error: the number of features on the board, and its error.
    """
    figure = empty_chart(palette, _("random features D"), _("largest error"), height=260, zoom=False)
    x = np.repeat(D, of_draws.shape[1])
    marker = {"size": 6 * palette.stroke, "color": palette.quiet, "opacity": 0.7}
    hover = "D = %{x}: %{y:.3g}<extra></extra>"
    figure.add_trace(
        go.Scatter(x=x, y=of_draws.ravel(), name="draws", mode="markers", marker=marker, hovertemplate=hover)
    )
    mean = of_draws.mean(1)
    figure.add_trace(
        go.Scatter(x=D, y=mean, name="mean", mode="lines", line=palette.pen(palette.text), hovertemplate=hover)
    )
    typical = 1.0 / np.sqrt(D)
    pen = palette.pen(palette.quiet, 2.0, "dash")
    figure.add_trace(go.Scatter(x=D, y=typical, name="typical", mode="lines", line=pen, hovertemplate=hover))
    mark_current(figure, palette, float(present), error)
    heights = np.log10(np.r_[of_draws.ravel(), typical, error])
    figure.update_xaxes(**log_axis(float(np.log10(D[0])) - 0.08, float(np.log10(D[-1])) + 0.08))
    figure.update_yaxes(**log_axis(*axis_range(heights)))
    end = float(np.log10(D[-1]))
    return place_labels(
        figure,
        palette,
        [
            Label(_("mean"), end, float(np.log10(mean[-1])), palette.text),
            Label("1/√D", end, float(np.log10(typical[-1])), palette.quiet),
        ],
    )


SERIES = Step(
    key="series",
    title=N_("The Gaussian kernel as a series"),
    situation=N_(
        "The Gaussian kernel of width $\\sigma$ is an infinite sum of terms, $n = 0, 1, 2, \\dots$, and each term is "
        "an inner product of features. For $z = x$, term $n$ is $e^{-t}\\,t^n/n!$ with $t = \\|x\\|^2/\\sigma^2$, and "
        "all terms together are $k(x, x) = 1$."
    ),
    question=N_(
        "The point $x$ is at distance $3\\sigma$ from the origin. How many terms must you add until less than "
        "$10^{-6}$ of the kernel value $k(x, x) = 1$ is missing?"
    ),
    choices=(
        wrong(
            N_("About 5"),
            N_(
                "Near the origin, this is enough, because the terms decrease at once. At distance 3σ, they first "
                "increase."
            ),
        ),
        wrong(
            N_("About 10"),
            N_(
                "These terms, n = 0 to 9, include the largest, n = 8 and 9. However, about 40 % of the sum is still "
                "missing."
            ),
        ),
        right(N_("About 30")),
    ),
    verdict=lambda stage: _(
        "About 30, exactly {terms} (n\u00a0=\u00a00 to {last}). The terms are largest near "
        "n\u00a0=\u00a0(3σ)²/σ²\u00a0=\u00a09, and tiny only much later."
    ).format(terms=LAST + 1, last=LAST),
    board=FLOWER,
    deeper=True,
    needs=(GAUSSIAN, SOFT, NO_BIAS, WIDE, at_most(60)),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: last(stage) == LAST and stage.pick("features") != "random",
    numbers=numbers,
    picks=(Pick("features", N_("View"), tuple(VIEWS), "series", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try("σ\u00a0=\u00a00.5", set_machine(sigma=0.5)),
        Try(N_("Moons"), board=preset("moons", size=24, kernel="gaussian", face="lambda", value=0.02, bias=False)),
        Try(N_("Random features"), set_picks(features="random")),
    ),
    shows=("K6", "K7"),
)
