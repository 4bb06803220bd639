"""Positive semidefinite Gram matrices: their eigenvalues on more and more points, and a combination that refutes a
kernel (K4, K12).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import Gaussian
from svmlab.core.arrays import Array
from svmlab.lab.lessons.kernels import refuting
from svmlab.lab.lessons.kernels.refuting import Spectrum, Values, share, spectrum, tanh
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, set_dials, stroke
from svmlab.lab.teach.requirements import at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Pick, Reading, Step, Try, dial, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

LONGEST = 0.24  # length of the longest bar on the board, as a fraction of half its side
FEW = 12  # the largest number of points on a random board
KERNELS = {"tanh": "tanh(s⟨x, z⟩ + c)", "bell": N_("Gaussian"), "turned": "xᵀAz"}
MATRIX = Pick("matrix", N_("Function"), tuple(KERNELS), "tanh", KERNELS.__getitem__)


def constants(stage: Stage) -> tuple[float, float]:
    """Return the scale s and the constant c of the sigmoid."""
    return stage.dial("factor1", 1.0), stage.dial("offset2", 0.0)


def left_out(stage: Stage) -> int:
    """Return how many of the last points are left out. At least one point stays."""
    return int(min(max(stage.dial("unseen", 0.0), 0.0), stage.data.m - 1))


def count(stage: Stage) -> int:
    """Return the number of points in the Gram matrix."""
    return stage.data.m - left_out(stage)


def kernel(stage: Stage) -> Values:
    """Return the function that is picked."""
    others = {"bell": lambda X: Gaussian(1.0)(X, X), "turned": refuting.turned}
    return others.get(stage.pick("matrix")) or tanh(*constants(stage))


def present_spectrum(stage: Stage) -> Spectrum:
    """Return the spectrum of the Gram matrix of the points that are not left out."""
    return spectrum(kernel(stage)(stage.data.X[: count(stage)]))


def draw(stage: Stage) -> Data:
    """Return the points, pale if they are left out, each with a bar for its coefficient in a negative combination."""
    n, m = count(stage), stage.data.m
    data: Data = POINTS_ONLY | {"message": None, "legend": None, "witness": None, "sliders": []}
    if not stage.shown:
        return data
    values, (s, c) = present_spectrum(stage), constants(stage)
    fixed = {"disabled": stage.pick("matrix") != "tanh"}
    words = _("Number of points that are left out, the last ones first")
    return data | {
        "marks": {"fill": [1.0] * n + [0.0] * (m - n)},
        "overlay": coefficient_bars(stage, values.v) if values.smallest_eigenvalue < -values.zero else [],
        "sliders": [
            dial("unseen", words, _("left out"), m - n, 0, max(m - 1, 1), 1),
            dial("factor1", _("The scale s of the inner product"), "s", s, 0.1, 2.0, 0.05) | fixed,
            dial("offset2", _("The constant c that is added"), "c", c, -2.0, 2.0, 0.05) | fixed,
        ],
    }


def coefficient_bars(stage: Stage, coefficients: Array) -> list[Data]:
    """Return a bar on each of the first points, as long as its coefficient (n,), upwards if it is positive."""
    longest = LONGEST * stage.lab.view / np.abs(coefficients).max()
    return [
        stroke(np.stack([x, x + np.array([0.0, longest * a])]), "witness-line") | {"width": 6.0}
        for x, a in zip(stage.data.X[: len(coefficients)], coefficients, strict=True)
        if abs(a) > 1e-3 * np.abs(coefficients).max()
    ]


def play(stage: Stage) -> Data | None:
    """Return the animation in which the points come one by one."""
    m = stage.data.m
    return {"key": "unseen", "op": "dial", "from": m - 1, "to": 0.0, "ms": 2600} if m > 1 else None


def verdict(stage: Stage) -> str:
    """Return the answer, with the smallest eigenvalue on this board if it is negative."""
    X = stage.data.X
    if refuting.first(tanh(1.0, 0.0), X) is None:
        return _(
            "No, and tanh(⟨x, z⟩ + c) is not one for any constant c. For c\u00a0=\u00a00, these points do not show it."
        )
    return _(
        "No, and tanh(⟨x, z⟩ + c) is not one for any constant c. "
        "For c\u00a0=\u00a00, K has the eigenvalue {value} here."
    ).format(value=short(spectrum(tanh(1.0, 0.0)(X)).smallest_eigenvalue, 4))


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the smallest eigenvalue, the same from kernel values, and a comparison with random boards."""
    if not stage.shown:
        return ()
    values, n = present_spectrum(stage), count(stage)
    smallest_eigenvalue = short(values.smallest_eigenvalue, 4, values.zero)
    readings = [
        Reading(
            _("smallest eigenvalue"),
            smallest_eigenvalue,
            repr(values.smallest_eigenvalue),
            _("Smallest eigenvalue of the Gram matrix K of the points that are not left out"),
        )
    ]
    if stage.pick("matrix") == "turned":
        return [*readings, reading(_("asymmetry"), values.uneven, _("Largest difference between k(x, z) and k(z, x)"))]
    if stage.pick("matrix") == "bell" or n > FEW:
        return readings
    words = _("Proportion of random boards with as many points that have a negative eigenvalue")
    return [*readings, reading(_("random boards"), f"{share(*constants(stage), n):.0%}", words)]


def chart(stage: Stage) -> Chart:
    """Return the chart of the eigenvalues."""
    values = present_spectrum(stage)
    return Chart(eigenvalues(values.values, values.zero, stage.palette))


def says(stage: Stage) -> str:
    """Say what the chart and the bars on the board show."""
    values = present_spectrum(stage)
    if values.smallest_eigenvalue < -values.zero:
        return _(
            "The bars in the chart are the eigenvalues of $K$. The pink bars on the board are coefficients $a_i$ (up "
            "if positive) with $a^\\top K a < 0$. No squared length is negative, so there is no feature map."
        )
    if values.uneven > values.zero:
        return _(
            "The bars are the eigenvalues of $(K + K^\\top)/2$, and none is negative. However, $k(x, z)$ and $k(z, x)$ "
            "differ. Inner products are symmetric, so this function is not a kernel."
        )
    return _(
        "The bars are the eigenvalues of $K$, and none is negative. This does not prove that the function is a kernel, "
        "because it must hold for **every** set of points."
    )


def eigenvalues(values: Array, zero: float, palette: Palette) -> go.Figure:
    """Draw bars for eigenvalues (n,) in decreasing order, with the number at the last.

    zero: an absolute value up to which an eigenvalue counts as 0.
    """
    n = len(values)
    figure = empty_chart(palette, _("number of the eigenvalue"), _("eigenvalue"), height=260)
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
    title=N_("Positive semidefinite kernels"),
    situation=N_(
        "If $k$ is a kernel, then $k(x, z) = \\langle\\phi(x), \\phi(z)\\rangle$ for some feature map $\\phi$. The "
        "**Gram matrix** $K$ has the entries $k(x_i, x_j)$. So for all coefficients $a_i$, the number $a^\\top K a$ is "
        "the squared length of $\\sum_i a_i\\,\\phi(x_i)$, which is never negative. Such a $K$ is called **positive "
        "semidefinite**. It has no negative **eigenvalue**."
    ),
    question=N_("Is the function $\\tanh\\langle x, z\\rangle$ a kernel?"),
    choices=(
        wrong(
            N_("Yes, it is a kernel"),
            N_(
                "It depends on ⟨x, z⟩ only, as many kernels do. However, the power series of tanh has negative "
                "coefficients."
            ),
        ),
        right(N_("No, and tanh(⟨x, z⟩ + c) is not one for any constant c")),
        wrong(
            N_("No, but tanh(⟨x, z⟩ + c) is one for some constant c"),
            N_(
                "Try other values of c. For c < 0, the origin alone gives a negative value. For c > 0, three points "
                "suffice."
            ),
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
    introduces=("gram-matrix", "sigmoid"),
    needs=(at_most(60),),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: stage.pick("matrix") == "tanh" and present_spectrum(stage).refutes,
    numbers=numbers,
    picks=(MATRIX,),
    chart=chart,
    says=says,
    formula=r"a^\top K a = \Bigl\|\sum\nolimits_i a_i\,\phi(x_i)\Bigr\|^2 \ge 0 \;\text{ for all } a",
    more=(
        N_(
            "**Why no constant helps.** For $c < 0$, the origin alone has $k(0, 0) = \\tanh c < 0$. For $c = 0$, take "
            "$(\\frac12, 0)$ and $(2, 0)$, where the determinant of $K$ is negative. For $c > 0$, take $-z$, 0 and $z "
            "\\ne 0$ with the coefficients 1, −2 and 1. Then $a^\\top Ka = 2\\tanh(c + \\|z\\|^2) - 4\\tanh c + "
            "2\\tanh(c - \\|z\\|^2)$, which is negative."
        ),
        N_(
            "**The other direction.** If $k$ is symmetric and every Gram matrix of $k$ is positive semidefinite, then "
            "$k$ is a kernel (Moore–Aronszajn theorem). Many textbooks call this Mercer's condition. It concerns all "
            "finite sets of points. So a board can show that a function is not a kernel, but it can never prove that "
            "it is one."
        ),
        N_(
            "**Symmetry.** Gambosi's slides require only $a^\\top Ka \\ge 0$. The function $x^\\top Az$ with the rows "
            "$(1, 1)$ and $(-1, 1)$ of $A$ satisfies this, because $a^\\top Ka = \\|\\sum_i a_i x_i\\|^2$. "
            "However, it is not symmetric. Many books include symmetry in the word “semidefinite”. The slides also "
            "state that $\\kappa$ has values in $\\mathbb{R}^n$, which is a misprint, because they are numbers."
        ),
        N_(
            "**The sigmoid kernel.** Gambosi's slides list $\\tanh$ among the relevant kernels, and some software "
            "offers it. The slider $s$ multiplies $\\langle x, z\\rangle$. Without a feature map, the solution of an "
            "SVM with tanh is not a hyperplane with the largest margin."
        ),
        N_(
            "**Random boards.** Their points are uniformly distributed in the square from −4 to 4. You see how many "
            "of 200 boards refute the function."
        ),
    ),
    tries=(
        Try(N_("c\u00a0=\u00a0−1"), set_dials(offset2=-1.0)),
        Try(N_("Two points"), board=board_of_points([(0.5, 0, -1), (2, 0, 1)])),
        Try(N_("24 points"), board=preset("moons", size=24)),
    ),
    shows=("K4", "K12"),
)
