"""How many points a margin lets one label freely, against what the printed bound and the mended one say (G2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.generalisation import mended_bound, printed_bound, shattered
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, axis_name, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import Palette, faded
from svmlab.lab.words import _

LO, HI = 0.2, 1.3  # rho/R that is shown


def staircase(
    rho: float,
    d: int,
    fails: Sequence[tuple[float, float]],
    own: tuple[float, int] | None,
    drawn: Array,
    palette: Palette,
) -> go.Figure:
    """The true number in d dimensions and both bounds over rho/R; a rule at `rho`.

    fails: intervals of rho/R in which the print is below the truth, shaded. own: margin/R of the board's points, and how many
    they are. drawn: margins (n,) of random triples, a tick each.
    """
    figure = blank(palette, "", _("points"), height=240)
    x = _places(fails, d)
    true = np.array([shattered(r, d=d) for r in x], dtype=float)
    printed = np.array([printed_bound(r, d=d) for r in x])
    mended = np.array([mended_bound(r, d=d) for r in x], dtype=float)
    for lo, hi in fails:
        figure.add_vrect(x0=lo, x1=hi, fillcolor=faded(palette.other, 0.2), line_width=0, layer="below")
    area = {"fill": "tozeroy", "fillcolor": faded(palette.accent, 0.2)}
    lines: tuple[tuple[str, Array, str, str, dict[str, str]], ...] = (
        (_("true"), true, palette.accent, "solid", area),
        (_("mended"), mended, palette.quiet, "dash", {}),
        (_("printed"), printed, palette.other, "solid", {}),
    )
    for name, y, colour, dash, more in lines:
        hover = f"{name}: %{{y:.4g}}<br>ρ = %{{x:.4g}} R<extra></extra>"
        pen = palette.pen(colour, 2.5, dash)
        figure.add_trace(go.Scatter(x=x, y=y, name=name, mode="lines", line=pen, hovertemplate=hover, **more))
    if len(drawn):
        tick = {"symbol": "line-ns-open", "size": 12 * palette.stroke, "color": palette.quiet, "opacity": 0.5}
        tick["line"] = {"width": palette.stroke}
        hover = _("a random triple: {margin} R").format(margin="%{x:.4g}") + "<extra></extra>"
        figure.add_trace(
            go.Scatter(
                x=drawn, y=np.full(len(drawn), 3.0), name="drawn", mode="markers", marker=tick, hovertemplate=hover
            )
        )
    if own is not None:
        mark = {"symbol": "diamond", "size": 14 * palette.stroke, "color": palette.accent}
        mark["line"] = palette.pen(palette.paper, 1.5)
        hover = _("your points: {margin} R").format(margin="%{x:.4g}") + "<extra></extra>"
        yours = go.Scatter(
            x=np.array(own[:1]), y=np.array(own[1:]), name="own", mode="markers", marker=mark, hovertemplate=hover
        )
        figure.add_trace(yours.update(cliponaxis=False))
    add_rule(figure, palette, palette.text, "dot", x=rho)
    top = d + 1.0
    figure.update_xaxes(range=[LO, HI], dtick=0.2, tick0=0.2)
    figure.update_yaxes(range=[0.0, top + 0.12 * top], dtick=1 if d < 5 else 2, tick0=1)
    ends = [Label(name, HI, float(y[-1]), colour) for name, y, colour, _dash, _more in lines]
    return place_labels(figure, palette, [axis_name(figure, "ρ/R", palette), *ends])


def _places(fails: Sequence[tuple[float, float]], d: int) -> Array:
    """Places along rho/R, and both sides of every step, so that the stairs are upright."""
    steps = [edge for pair in fails for edge in pair] + [1 / np.sqrt(k) for k in range(1, d + 1)]
    eps = 1e-9
    close = [edge + side for edge in steps for side in (-eps, eps)]
    x = np.unique(np.r_[np.linspace(LO, HI, 221), close])
    return x[(x >= LO) & (x <= HI)]
