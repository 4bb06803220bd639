"""What may call itself a kernel: the spectrum of its matrix on more and more points, and the mixture that refutes it
(K4, K12).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import Gaussian
from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.kernels import refuting
from svmlab.lab.lessons.kernels.refuting import BOARDS, Spectrum, Values, share, spectrum, tanh
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, reading, set_dials, stroke
from svmlab.lab.teach.requirements import at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

TALL = 0.24  # of the view: the longest bar on the board
FEW = 12  # points of the random boards at most
KERNELS = {"tanh": "tanh(c₁⟨x, z⟩ + c₂)", "bell": N_("Gaussian"), "turned": "xᵀAz"}
MATRIX = Pick("matrix", N_("kernel"), tuple(KERNELS), "tanh", lambda name: _(KERNELS[name]))


def constants(stage: Stage) -> tuple[float, float]:
    """c1 and c2."""
    return stage.dial("factor1", 1.0), stage.dial("offset2", 0.0)


def left_out(stage: Stage) -> int:
    """How many of the points that came last are left out; one stays."""
    return int(min(max(stage.dial("unseen", 0.0), 0.0), stage.data.m - 1))


def count(stage: Stage) -> int:
    """How many of the points are looked at."""
    return stage.data.m - left_out(stage)


def kernel(stage: Stage) -> Values:
    """The function that is chosen."""
    others = {"bell": lambda X: Gaussian(1.0)(X, X), "turned": refuting.turned}
    return others.get(stage.pick("matrix")) or tanh(*constants(stage))


def found(stage: Stage) -> Spectrum:
    """The spectrum on the points that are looked at."""
    return spectrum(kernel(stage)(stage.data.X[: count(stage)]))


def draw(stage: Stage) -> Data:
    """Points alone, those that are left out pale; on each a bar: its part in the mixture that refutes."""
    n, m, half = count(stage), stage.data.m, stage.lab.view
    data: Data = POINTS_ONLY | {"message": None, "legend": None, "witness": None, "sliders": []}
    if not stage.shown:
        return data
    now, (c1, c2) = found(stage), constants(stage)
    items = []
    if now.least < -now.zero:
        for x, part in zip(stage.data.X[:n], now.v / np.abs(now.v).max(), strict=True):
            if abs(part) > 1e-3:
                items.append(
                    stroke(np.stack([x, x + np.array([0.0, TALL * half * part])]), "witness-line") | {"width": 6.0}
                )
    fixed = {"disabled": stage.pick("matrix") != "tanh"}
    return data | {
        "marks": {"fill": [1.0] * n + [0.0] * (m - n)},
        "overlay": items,
        "sliders": [
            dial(
                "unseen",
                _("How many of the points that came last are left out"),
                _("left out"),
                m - n,
                0,
                max(m - 1, 1),
                1,
            ),
            dial("factor1", _("The factor of the inner product within tanh"), "c₁", c1, 0.1, 2.0, 0.05) | fixed,
            dial("offset2", _("The offset within tanh"), "c₂", c2, -2.0, 2.0, 0.05) | fixed,
        ],
    }


def play(stage: Stage) -> Data | None:
    """The points come one by one."""
    m = stage.data.m
    return {"key": "unseen", "op": "dial", "from": m - 1, "to": 0.0, "ms": 2600} if m > 1 else None


def verdict(stage: Stage) -> str:
    """Whether these points show it, for the function of the question."""
    X = stage.data.X
    n = refuting.first(tanh(1.0, 0.0), X)
    if n is None:
        return _("no, though on these points it passes: a board can refute, never prove.")
    value = short(spectrum(tanh(1.0, 0.0)(X[:n])).least, 3)
    return _("no: the first {n} points already give the eigenvalue {value}.").format(n=n, value=value)


def numbers(stage: Stage) -> Sequence[Reading]:
    """The least eigenvalue, the same by kernel values, and how common that is."""
    if not stage.shown:
        return ()
    now, n = found(stage), count(stage)
    readings = [
        Reading(_("least eigenvalue"), short(now.least, 4, now.zero), repr(now.least)),
        Reading(_("aᵀKa"), short(now.form, 4, now.zero), repr(now.form)),
    ]
    if stage.pick("matrix") == "turned":
        return [*readings, reading(_("k(x, z) off k(z, x)"), now.uneven)]
    if stage.pick("matrix") == "bell" or n > FEW:
        return readings
    return [*readings, reading(_("random boards refute"), f"{share(*constants(stage), n):.0%}")]


def chart(stage: Stage) -> Chart:
    """The spectrum."""
    now = found(stage)
    return Chart(eigenvalues(now.values, now.zero, stage.palette))


def says(stage: Stage) -> str:
    """What the bars on the board are; what it means that there are none."""
    now = found(stage)
    if now.least < -now.zero:
        return _(
            "The pink bars on the points are $a$. Mixed so, features would have the squared length $a^\\top "
            "Ka$, which is below 0: there are none."
        )
    if now.uneven > now.zero:
        return _("No $a^\\top Ka$ is below 0, and yet it is none: $k(x, z)$ and $k(z, x)$ differ. It takes both.")
    return _("These points do not refute it. That is no proof: it takes **all** sets of points, of any size.")


def eigenvalues(values: Array, zero: float, palette: Palette) -> go.Figure:
    """Bars `values` (n,), falling; what is within `zero` is 0 but for rounding. The least is named."""
    n = len(values)
    figure = blank(palette, _("number of the eigenvalue"), _("eigenvalue"), height=260)
    number, low = np.arange(1, n + 1), values < -zero
    bars = go.Bar(
        x=number,
        y=values,
        name="eigenvalues",
        marker={"color": np.where(low, palette.other, palette.accent), "line": {"width": 0}},
        hovertemplate=_("eigenvalue") + " %{x}: %{y:.6g}<extra></extra>",
    )
    figure.add_trace(bars)
    reach = max(n + 0.6, 3.6)
    figure.update_xaxes(range=[0.4, reach], showgrid=False, tickformat="d", dtick=1 if n <= 12 else None)
    figure.update_yaxes(range=axis_range(values, 0.0, 0.05 * float(np.abs(values).max()) or 1.0, room=0.14), nticks=5)
    figure.update_yaxes(zeroline=True)
    figure.update_layout(bargap=0.35)
    colour = palette.other if low[-1] else palette.quiet
    text = short(float(values[-1]), 3, zero)
    return place_labels(figure, palette, [Label(text, float(n), min(float(values[-1]), 0.0), colour, "below")])


PSD = Step(
    key="psd",
    title=N_("What may be a kernel"),
    question=N_(
        "Any formula can be put where $k(x, z)$ stands. Take $\\tanh\\langle x, z\\rangle$: is it an "
        "inner product of features, whatever they are?"
    ),
    choices=(
        wrong(
            N_("Yes, like every function of ⟨x, z⟩"),
            N_("Products and sums of inner products are; tanh needs differences as well."),
        ),
        right(N_("No, and a few points show it")),
        wrong(
            N_("Only with the right offset"),
            N_("Try it: with c₂ below 0 the origin alone refutes it, above 0 a few points do."),
        ),
    ),
    verdict=verdict,
    board=board_of_points(
        [
            (0, 0, 1),
            (0.5, 0, -1),
            (2, 0, 1),
            (1.2, 1.5, -1),
            (-1.5, 1, 1),
            (-1, -1.5, -1),
            (1.5, -1.5, 1),
            (-2.5, 0.5, -1),
        ]
    ),
    needs=(at_most(60),),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(MATRIX,),
    chart=chart,
    says=says,
    formula=r"a^\top K a = \Bigl\|\sum\nolimits_i a_i\,\phi(x_i)\Bigr\|^2 \ge 0 \;\text{ for all } a",
    more=lambda stage: [
        _(
            "**Never a kernel.** With $c_2 < 0$ the origin alone has $k = \\tanh c_2 < 0$. With $c_2 = 0$ "
            "two points on a line through "
            "the origin do, such as $(\\frac12, 0)$ and $(2, 0)$. With $c_2 > 0$ take $-h, 0, h$ and $a = (1, -2, 1)$: "
            "$a^\\top Ka = 2\\tanh(c_2 + h^2) - 4\\tanh c_2 + 2\\tanh(c_2 - h^2) < 0$, for $c_1 = 1$. "
            "Gambosi's slides list it among the relevant kernels."
        ),
        _(
            "**And symmetric.** Gambosi's slides ask for $a^\\top Ka \\ge 0$ alone. $x^\\top Az$ with $A$ of "
            "rows $(1, 1)$ and $(-1, 1)$ passes: "
            "$a^\\top Ka = |\\sum a_i x_i|^2$. But $k(x, z)\\ne k(z, x)$. Many books mean symmetry too when "
            "they say semidefinite. "
            "The slides also have $\\kappa$ take its values in $\\mathbb{R}^n$, a misprint: they are numbers."
        ),
        _(
            "Random boards: {boards} of them, drawn evenly from the square from −4 to 4. In the lab the "
            "offset goes from 0 up; the mathematics "
            "takes any. Some software offers the sigmoid all the same: what comes out then is no widest street."
        ).format(boards=BOARDS),
    ],
    tries=(
        Try(N_("c₂ = −1"), set_dials(offset2=-1.0)),
        Try(N_("Two points"), board=board_of_points([(0.5, 0, -1), (2, 0, 1)])),
        Try(N_("24 points"), board=preset("moons", size=24)),
    ),
    shows=("K4", "K12"),
)
