"""The sum of the series beside the Gaussian, the squares of its terms, and the error of random features (K7)."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.kernels.features import gaussian_missing, gaussian_powers, gaussian_squares
from svmlab.lab.charts.frame import blank, log, axis_range
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import mark_current, add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.numbers import short
from svmlab.lab.words import _

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
    missing = gaussian_missing(r, N, sigma)
    inside, outside = _("up to N: {share}"), _("missing: {share}")
    names = (
        Label("n = x²/σ²", t * t, 0.97 * ceiling, palette.text),
        Label(inside.format(share=short(1.0 - missing, 3)), last, 0.8 * ceiling, palette.accent, "left"),
        Label(outside.format(share=short(missing, 3)), last, 0.64 * ceiling, palette.quiet, "left"),
    )
    return place_labels(figure, palette, names)


def errors(D: Array, found: Array, here: int, error: float, palette: Palette) -> go.Figure:
    """The largest error of the kernel over pairs of points against the number of features D (k,), in several draws (k, n)."""
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
