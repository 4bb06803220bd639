"""The features of a polynomial kernel: monomials with weights, and the SVM with other weights (K1).

    (s <x, z> + c)^p = sum over |a| <= p of  W_a^2 x^a z^a,   W_a = sqrt(multinomial s^|a| c^(p - |a|)),   c >= 0

The slider raises every W_a to a power: 0 leaves the monomials (1, x, .., x^p), 1 gives the features of the kernel.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.kernels.features import exponents, monomial_weights
from svmlab.lab.board.payload import announcements
from svmlab.lab.lessons.kernels.dials import (
    POLYNOMIAL,
    board_has_dial_constant,
    constant_dial,
    form,
    kernel_of,
    with_features,
    with_kernel,
)
from svmlab.lab.lessons.kernels.polynomials import cuts, kernel_cuts, refuted, where_zero
from svmlab.lab.numbers import ROUNDING, short, zero_if_rounding
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, replace_machine, select_point, set_dials, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Pick, Reading, Step, Try, dial, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart
from svmlab.plot.palette import CLEAR, Palette

ON_LINE = board_of_points(
    ((-3, 0, 1), (-1, 0, -1), (0, 0, -1), (1, 0, 1), (2, 0, 1), (4, 0, 1)),
    kernel="polynomial",
    degree=2,
    coef0=1.0,
    scale=1.0,
    hard=True,
)
CELLS = {"coordinates": "⟨φ, φ⟩", "kernel": "k", "difference": N_("difference")}
WRITTEN = 6  # the largest number of features that fit into the formula
ONE = 1e-6  # an exponent this near to 1 counts as 1


def draw(stage: Stage) -> Data:
    """Return the SVM with the kernel and, dashed, the one with the features. Discs mark points that refute a kernel."""
    if not stage.shown:
        return {"sliders": []}
    present, half, solution = form(stage), stage.lab.view, with_kernel(stage)
    items, q = list[Data](), with_features(stage)
    if q is not None:
        items = [stroke(line, "accent dashed") for line in where_zero(q, present.degree, True, half)]
    if pair := refuted(kernel_of(stage)(stage.data.X, stage.data.X)):
        items += [stroke(np.r_[stage.data.X[i], 0.05 * half], "witness-line", "disc") for i in pair]
    title = _("Exponent of the weights: 0 gives the monomials without weights, 1 gives the features of the kernel")
    data: Data = {
        "overlay": items,
        "slack": [],
        "sliders": [
            dial("weights", title, _("exponent of weights"), present.power, 0.0, 1.5, 0.05),
            dial(
                constant_dial(stage),
                _("The constant c, which is added to the inner product in the kernel"),
                "c",
                present.c,
                -1.0,
                2.0,
                0.05,
            ),
        ],
    }
    if board_has_dial_constant(stage):
        return data
    data |= {"message": None, "witness": None}
    if solution is None:
        return data | POINTS_ONLY | {"legend": None, "heard": announcements(stage.lab, None)}
    return replace_machine(stage, solution, stage.cache.drawing(solution, half)) | data


def zeros(name: str, positions: Sequence[float] | None, definition: str) -> Reading:
    """Return where f is 0 on the axis x2 = 0, or a dash if there is no SVM."""
    if positions is None:
        return reading(name, "–", definition)
    words = ", ".join(short(x, 3, ROUNDING) for x in positions) or _("nowhere")
    return Reading(name, words, ", ".join(map(repr, positions)) or words, definition)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the difference of both tables, and the zeros of f for the kernel and for the features."""
    if not stage.shown:
        return ()
    present, half, solution, q = form(stage), stage.lab.view, with_kernel(stage), with_features(stage)
    K = kernel_of(stage)(stage.data.X, stage.data.X)
    if present.c < 0:
        smallest_eigenvalue = float(np.linalg.eigvalsh(K)[0])
        return [reading(_("smallest eigenvalue"), smallest_eigenvalue, _("Smallest eigenvalue of the table of k"))]
    Phi = present.features(stage.data.X)
    difference = zero_if_rounding(float(np.abs(K - Phi @ Phi.T).max()), ROUNDING * max(1.0, float(np.abs(K).max())))
    kernel_zeros = None if solution is None else kernel_cuts(solution, present.degree, half)
    feature_zeros = None if q is None else cuts(q, present.degree, half)
    return [
        reading(_("difference"), difference, _("Largest difference between ⟨φ(x), φ(z)⟩ and k(x, z)")),
        zeros(_("f = 0 with k"), kernel_zeros, _("Zeros of f on the axis x₂ = 0, for the SVM with the kernel")),
        zeros(_("f = 0 with φ"), feature_zeros, _("Zeros of f on the axis x₂ = 0, for the SVM with the features")),
    ]


def on_axis(stage: Stage) -> bool:
    """Return whether all points lie on x2 = 0."""
    return not stage.data.X[:, 1].any()


def names(stage: Stage) -> list[str]:
    """Return the names of the points in the table: their x1 if all lie on the axis, otherwise their numbers."""
    return [short(float(x), 3) for x in stage.data.X[:, 0]] if on_axis(stage) else list(map(str, stage.data.ids))


def chart(stage: Stage) -> Chart:
    """Return the table of the points, by the features or by the kernel."""
    present, X = form(stage), stage.data.X
    K = kernel_of(stage)(X, X)
    G = None
    if present.c >= 0:
        Phi = present.features(X)
        G = Phi @ Phi.T
    view = stage.pick("gram")
    cells = K if G is None or view == "kernel" else G if view == "coordinates" else K - G
    lab = stage.lab
    return Chart(gram(K, G, cells, names(stage), stage.data.ids, lab.selected, refuted(K), stage.palette), select_point)


def says(stage: Stage) -> str:
    """Say what the table shows."""
    present = form(stage)
    if present.c < 0:
        if refuted(kernel_of(stage)(stage.data.X, stage.data.X)) is None:
            return _("For $c < 0$ there is no feature map, although no two of these points show it.")
        return _(
            "The table shows $k(x_i, x_j)$. The framed values cannot be inner products, so there is no feature map for "
            "$c < 0$."
        )
    if with_features(stage) is None:
        return _("No linear function of these features separates the classes, so there is no SVM with a hard margin.")
    if abs(present.power - 1.0) < ONE:
        return _(
            "The exponent of the weights of the monomials is 1, so $\\langle\\phi, \\phi\\rangle$ equals $k$ in every "
            "cell. Both SVMs have the same boundary (solid with $k$, dashed green with $\\phi$)."
        )
    K, Phi = kernel_of(stage)(stage.data.X, stage.data.X), present.features(stage.data.X)
    if np.abs(K - Phi @ Phi.T).max() <= ROUNDING * max(1.0, float(np.abs(K).max())):
        return _(
            "The exponent of the weights is not 1. Here it makes no difference, so inner product and kernel value are "
            "equal in every cell (grey)."
        )
    return _(
        "The exponent of the weights of the monomials is not 1, so the inner product $\\langle\\phi, "
        "\\phi\\rangle$ differs from $k$ in the coloured cells. So the boundary with $\\phi$ (dashed green) can "
        "differ."
    )


def formula(stage: Stage) -> str:
    """Return the feature map."""
    present, flat = form(stage), on_axis(stage)
    if present.c < 0:
        return rf"c={present.c:g}<0:\qquad \sqrt{{2c}}\notin\mathbb{{R}}"
    every = exponents(1 if flat else 2, present.degree)
    if len(every) > WRITTEN:
        scale = "" if present.scale == 1.0 else rf"{present.scale:g}^{{\,i+j}}\,"
        return (
            rf"\phi_{{ij}}(x)=\Bigl(\tfrac{{p!}}{{i!\,j!\,(p-i-j)!}}\,{scale}c^{{\,p-i-j}}\Bigr)"
            rf"^{{{present.power / 2:g}}}\,x_1^i\,x_2^j,\qquad i+j\le p"
        )
    W = monomial_weights(1 if flat else 2, present.degree, present.c, present.scale) ** present.power
    return r"\phi(x)=(" + ",\\;".join(term(w, a) for w, a in zip(W, every, strict=True)) + ")"


def term(weight: float, exponents: tuple[int, ...]) -> str:
    """Return one feature in TeX: its weight and its monomial."""
    letters = ["x"] if len(exponents) == 1 else ["x_1", "x_2"]
    powers = "".join(x if k == 1 else f"{x}^{k}" for x, k in zip(letters, exponents, strict=True) if k)
    if abs(weight - 1.0) < ONE and powers:
        return powers
    square = round(weight**2)
    if square > 1 and abs(weight**2 - square) < ONE and math.isqrt(square) ** 2 != square:
        number = rf"\sqrt{{{square}}}"
    else:
        number = short(float(weight), 3, ROUNDING)
    return number if not powers or number == "0" else rf"{number}\,{powers}"


def more(stage: Stage) -> Sequence[Part]:
    """Explain why the weights change the SVM, and what the notes state."""
    parts = [
        _(
            "**Why the weights matter.** Both SVMs can use every linear combination of the same monomials. However, "
            "the objective contains $\\frac12\\|w\\|^2$. If a feature has a larger weight, a smaller entry of $w$ "
            "gives the same function. So the weights influence which function is optimal."
        )
    ]
    if on_axis(stage):
        parts.append(
            _(
                "**On the line.** All points lie on $x_2 = 0$, so $\\langle x_i, z\\rangle$ depends only on the first "
                "coordinate of $z$, and the boundaries are vertical lines. The map $(1, x, x^2)$ belongs to $xz + "
                "x^2z^2$ up to a constant. So an SVM with bias has the same $f$ with this map as with the kernel of "
                "degree 2 and $c = \\tfrac12$, where $\\sqrt{2c} = 1$."
            )
        )
    return [
        *parts,
        _(
            "**The constant.** For $c < 0$, there is no feature map. As an example, take $(\\langle x, z\\rangle - "
            "1)^2$ and the points $(1, 0)$ and $(-1, 0)$. Each point has the value 0 with itself, so its feature "
            "vector would be 0. However, the two points have the value 4 with each other. For $c = 0$, only the "
            "monomials of the full degree remain. For example, $x^2$ cannot separate −1 from 1."
        ),
        _(
            "**Lecture notes.** The Italian notes on half-spaces call $(1, x, \\dots, x^p)$ the map of $(1 + xz)^p$. "
            "In the example after it, they use the correct map $(1, \\sqrt2\\,x, x^2)$. Gambosi's slides state "
            "$\\sqrt2\\,c\\,x_i$ in a sum, which would give $2c^2xz$. In the map, they state $\\sqrt{2c}\\,"
            "x_i$, which is correct. They omit $c \\ge 0$. They also have several constant features, whose inner "
            "product is not $c^2$."
        ),
    ]


READ = 8  # the largest number of points for which numbers are written into the table
STRENGTH = 2.0  # the value of full colour: the largest difference is 1, so numbers stay readable on it


def gram(
    K: Array,
    G: Array | None,
    cells: Array,
    names: Sequence[str],
    ids: Index,
    selected: int | None,
    pair: tuple[int, int] | None,
    palette: Palette,
) -> go.Figure:
    """Draw `cells` (m, m) as numbers, on the colour of K - G.

    G: inner products of the features, or None if there are none. pair: two points whose values are framed. The
    customdata of a cell are the id of its row, K, G, K - G, and the two points.
    """
    m, rounding = len(K), ROUNDING * max(1.0, float(np.abs(K).max()))
    other = np.full_like(K, np.nan) if G is None else G
    difference = np.zeros_like(K) if G is None else K - G
    difference[abs(difference) <= rounding] = 0.0
    cell = np.empty((m, m, 5), dtype=object)
    cell[..., 0] = ids[:, None]
    cell[..., 4] = [[f"{a}, {b}" for b in names] for a in names]
    for k, values in enumerate((K, other, difference), start=1):
        cell[..., k] = [[short(float(v), noise=rounding) for v in row] for row in values]
    hover = [
        _("kernel") + " %{customdata[1]}",
        _("features") + " %{customdata[2]}",
        _("difference") + " %{customdata[3]}",
    ]
    coloured = K if G is None and m > READ else difference  # without numbers, the colours show k
    shade = np.sign(coloured) * np.sqrt(
        abs(coloured) / (float(abs(coloured).max()) or 1.0)
    )  # small differences stay visible
    figure = empty_chart(palette, height=320, left=34)
    figure.add_trace(
        go.Heatmap(
            z=shade,
            x=np.arange(m),
            y=np.arange(m),
            zmin=-STRENGTH,
            zmax=STRENGTH,
            colorscale=[[0.0, palette.other], [0.5, palette.grid], [1.0, palette.accent]],
            showscale=False,
            xgap=1,
            ygap=1,
            name="gram",
            customdata=cell,
            text=[[short(float(v), 3, rounding) for v in row] for row in cells],
            texttemplate="%{text}" if m <= READ else None,
            textfont={"size": palette.small, "color": palette.text},
            hovertemplate="%{customdata[4]}<br>" + "<br>".join(hover[: 1 if G is None else 3]) + "<extra></extra>",
        )
    )
    every = {"tickvals": np.arange(m), "ticktext": list(names), "showgrid": False, "range": [-0.5, m - 0.5]}
    figure.update_xaxes(**every).update_yaxes(**every | {"range": [m - 0.5, -0.5]})
    if selected is not None and selected in ids:
        row = int(np.flatnonzero(ids == selected)[0])
        _frame(figure, palette.pen(palette.text, 2), -0.5, m - 0.5, row - 0.5, row + 0.5)
    for i, j in {(i, j) for i in pair for j in pair} if pair else ():
        _frame(figure, palette.pen(palette.other, 3), j - 0.5, j + 0.5, i - 0.5, i + 0.5)
    return figure


def _frame(figure: go.Figure, pen: dict[str, object], x0: float, x1: float, y0: float, y1: float) -> None:
    figure.add_shape(type="rect", line=pen, fillcolor=CLEAR, x0=x0, x1=x1, y0=y0, y1=y1)


COORDINATES = Step(
    key="coordinates",
    title=N_("Polynomial kernel and features"),
    situation=N_(
        "A **kernel** $k(x, z)$ is the inner product $\\langle\\phi(x), \\phi(z)\\rangle$ of the feature vectors of "
        "two points $x$ and $z$. For points on a line, $x$ and $z$ are numbers, and $(1 + xz)^2$ is the **polynomial** "
        "kernel of degree 2. You can compute it without knowing its feature map $\\phi$."
    ),
    question=N_("Which feature map $\\phi$ belongs to the polynomial kernel $k(x, z) = (1 + xz)^2$ on the line?"),
    choices=(
        wrong(
            N_("φ(x)\u00a0=\u00a0(1, x, x²)"),
            N_("These are the right monomials. However, ⟨φ(x), φ(z)⟩ is 1 + xz + x²z², and (1 + xz)² contains 2xz."),
        ),
        right(N_("φ(x)\u00a0=\u00a0(1, √2 x, x²)")),
        wrong(
            N_("φ(x)\u00a0=\u00a0(x, x²)"),
            N_("The powers of x are there. However, ⟨φ(0), φ(z)⟩ would be 0, and the kernel value for x = 0 is 1."),
        ),
    ),
    verdict=N_(
        "φ(x)\u00a0=\u00a0(1, √2 x, x²), because then ⟨φ(x), φ(z)⟩\u00a0=\u00a01 + 2xz + x²z²\u00a0=\u00a0(1 + xz)²."
    ),
    board=ON_LINE,
    introduces=("kernel", "polynomial"),
    needs=(BOTH_CLASSES, POLYNOMIAL, at_most(12)),
    draw=draw,
    play={"key": "weights", "op": "dial", "from": 0.0, "to": 1.0, "ms": 2200},
    rests_on_answer=lambda stage: abs(form(stage).power - 1.0) < ONE,
    numbers=numbers,
    picks=(Pick("gram", N_("Values in the table"), tuple(CELLS), "coordinates", CELLS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Without weights"), lambda stage: set_dials(weights=0.0, **{constant_dial(stage): 1.0})),
        Try("c\u00a0=\u00a0−1", lambda stage: set_dials(**{constant_dial(stage): -1.0})),
        Try(
            N_("Degree 3"),
            board=preset("moons", size=12, noise=0.2, seed=3, kernel="polynomial", degree=3, coef0=1.0, scale=1.0),
        ),
    ),
    shows=("K1",),
)
