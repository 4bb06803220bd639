"""The coordinates behind a polynomial kernel: monomials, each with its weight, and what becomes of the machine without
it (K1).

    (s <x, z> + c)^t = sum over |a| <= t of  W_a^2 x^a z^a,   W_a = sqrt(multinomial s^|a| c^(t - |a|)),   c >= 0

The dial raises every W_a to a power: 0 leaves plain powers (1, x, .., x^t), 1 makes the coordinates of the kernel.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.kernels.features import exponents, monomial_weights
from svmlab.lab.board.payload import announcements
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.kernels.dials import (
    POLYNOMIAL,
    board_has_dial_constant,
    by_coordinates,
    by_kernel,
    constant_dial,
    form,
    kernel_of,
)
from svmlab.lab.lessons.kernels.polynomials import cuts, kernel_cuts, refuted, where_zero
from svmlab.lab.numbers import ROUNDING, short, zero_if_rounding
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, reading, replace_machine, select_point, set_dials, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

ON_LINE = board_of_points(
    ((-3, 0, 1), (-1, 0, -1), (0, 0, -1), (1, 0, 1), (2, 0, 1), (4, 0, 1)),
    kernel="polynomial",
    degree=2,
    coef0=1.0,
    scale=1.0,
    hard=True,
)
CELLS = {"coordinates": "⟨φ, φ⟩", "kernel": "k", "difference": N_("difference")}
WRITTEN = 6  # coordinates that fit into the formula
ONE = 1e-6  # a power this near to 1 is 1


def draw(stage: Stage) -> Data:
    """The kernel's machine, and in accent that on the coordinates; the pair that refutes a kernel."""
    if not stage.shown:
        return {}
    now, half, solution = form(stage), stage.lab.view, by_kernel(stage)
    items, q = list[Data](), by_coordinates(stage)
    if q is not None:
        items = [stroke(line, "accent dashed") for line in where_zero(q, now.degree, True, half)]
    if pair := refuted(kernel_of(stage)(stage.data.X, stage.data.X)):
        items += [stroke(np.r_[stage.data.X[i], 0.05 * half], "witness-line", "disc") for i in pair]
    title = _("The power of the weights before the coordinates: 0 leaves plain powers, 1 makes the kernel's")
    out: Data = {
        "overlay": items,
        "slack": [],
        "sliders": [
            dial("weights", title, _("weights"), now.power, 0.0, 1.5, 0.05),
            dial(constant_dial(stage), _("The constant in the kernel"), "c", now.c, -1.0, 2.0, 0.05),
        ],
    }
    if board_has_dial_constant(stage):
        return out
    out |= {"message": None, "witness": None}
    if solution is None:
        return out | POINTS_ONLY | {"legend": None, "heard": announcements(stage.lab, None)}
    return replace_machine(stage, solution, stage.cache.scene(solution, half)) | out


def cut(name: str, places: Sequence[float] | None) -> Reading:
    """Where a machine cuts the axis; None: there is none."""
    if places is None:
        return reading(name, "–")
    said = ", ".join(short(x, 3, ROUNDING) for x in places) or _("nowhere")
    return Reading(name, said, ", ".join(map(repr, places)) or said)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Where either machine cuts the axis, and how far the table of the coordinates misses that of the kernel."""
    if not stage.shown:
        return ()
    now, half, solution, q = form(stage), stage.lab.view, by_kernel(stage), by_coordinates(stage)
    K = kernel_of(stage)(stage.data.X, stage.data.X)
    if now.c < 0:
        return [reading(_("kernel"), _("no machine")), reading(_("least eigenvalue"), float(np.linalg.eigvalsh(K)[0]))]
    Phi = now.coordinates(stage.data.X)
    return [
        reading(
            _("tables differ by"),
            zero_if_rounding(float(np.abs(K - Phi @ Phi.T).max()), ROUNDING * max(1.0, float(np.abs(K).max()))),
        ),
        cut(_("k cuts at"), kernel_cuts(solution, now.degree, half) if solution else None),
        cut(_("φ cuts at"), None if q is None else cuts(q, now.degree, half)),
    ]


def on_axis(stage: Stage) -> bool:
    """Whether all points lie on x2 = 0."""
    return not stage.data.X[:, 1].any()


def names(stage: Stage) -> list[str]:
    """What the points are called in the table: their place on the axis where all lie on it."""
    return [short(float(x), 3) for x in stage.data.X[:, 0]] if on_axis(stage) else list(map(str, stage.data.ids))


def chart(stage: Stage) -> Chart:
    """The table of the points, by the coordinates and by the kernel."""
    now, X = form(stage), stage.data.X
    K = kernel_of(stage)(X, X)
    G = None
    if now.c >= 0:
        Phi = now.coordinates(X)
        G = Phi @ Phi.T
    view = stage.pick("gram")
    cells = K if G is None or view == "kernel" else G if view == "coordinates" else K - G
    lab = stage.lab
    return Chart(gram(K, G, cells, names(stage), stage.data.ids, lab.selected, refuted(K), stage.palette), select_point)


def says(stage: Stage) -> str:
    """What the colours say."""
    now = form(stage)
    if now.c < 0:
        return _(
            "Framed: two points, or one. No vectors have such products with themselves and each other, so there are no "
            "coordinates and no street."
        )
    if by_coordinates(stage) is None:
        return _(
            "No sum of these coordinates separates the classes, and the hard margin asks for that: there is no machine."
        )
    if abs(now.power - 1.0) < ONE:
        return _(
            "No colour: each entry is the kernel's. So is the machine: dashed, by coordinates, on solid, by "
            "kernel values."
        )
    return _(
        "Colour: what the coordinates miss. They span the same curves, but measure $w$ otherwise: the "
        "widest street is another."
    )


def formula(stage: Stage) -> str:
    """The coordinates as they stand."""
    now, flat = form(stage), on_axis(stage)
    if now.c < 0:
        return rf"c={now.c:g}<0:\qquad \sqrt{{2c}}\notin\mathbb{{R}}"
    every = exponents(1 if flat else 2, now.degree)
    if len(every) > WRITTEN:
        return r"\phi_a(x)=\Bigl(\tbinom{t}{a}\,c^{\,t-|a|}\Bigr)^{r/2}x^a,\qquad |a|\le t,\quad r=" + f"{now.power:g}"
    W = monomial_weights(1 if flat else 2, now.degree, now.c, now.scale) ** now.power
    return r"\phi(x)=(" + ",\\;".join(term(w, a) for w, a in zip(W, every, strict=True)) + ")"


def term(w: float, a: tuple[int, ...]) -> str:
    """One coordinate in TeX: its weight and its monomial."""
    letters = ["x"] if len(a) == 1 else ["x_1", "x_2"]
    powers = "".join(x if k == 1 else f"{x}^{k}" for x, k in zip(letters, a, strict=True) if k)
    if abs(w - 1.0) < ONE and powers:
        return powers
    number = short(float(w), 3, ROUNDING)
    return number if not powers or number == "0" else rf"{number}\,{powers}"


def more(stage: Stage) -> Sequence[Part]:
    """Why the machine changes, and what the notes print."""
    upright = _(
        "All points lie on $x_2 = 0$, so $\\langle x_i, z\\rangle$ knows only the first coordinate of "
        "$z$, and the boundaries "
        "stand upright. With a free $b$ the plain $(1, x, x^2)$ is the machine of $c = \\tfrac12$: there "
        "$\\sqrt{2c} = 1$."
    )
    return [
        _(
            "Both machines may take any sum of the same monomials; but the widest street wants a short $w$, and what a "
            "coefficient costs depends on the weight of its coordinate."
        ),
        upright if on_axis(stage) else "",
        _(
            "$c < 0$: $(\\langle x, z\\rangle - 1)^2$ of $(1, 0)$ and $(-1, 0)$ is 0, 4, 0. A vector whose "
            "product with itself is "
            "0 is the zero vector, and no product with it is 4. At $c = 0$ only the monomials of the full "
            "degree are left: "
            "$x^2$ cannot tell $-1$ from $1$."
        ),
        _(
            "The Italian notes on half-spaces call $(1, x, \\dots, x^n)$ the map of $(1 + xz)^n$, and take "
            "the right one, "
            "$(1, \\sqrt2\\,x, x^2)$, in the example below. Gambosi's slides print $\\sqrt2\\,c\\,x_i$ in a "
            "sum, which would make "
            "$2c^2xz$, and $\\sqrt{2c}\\,x_i$ in the $\\phi$ under it, which is right; $c \\ge 0$ is not "
            "said. Their $n$ constant "
            "features $\\sqrt c/n$ add up to $c/n$."
        ),
    ]


READ = 8  # points whose numbers are written into the table
STRENGTH = 2.0  # what full colour would stand for; the largest difference is 1, so that numbers can be read on it


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
    """`cells` (m, m) as numbers on the colour of K - G: accent where the kernel is larger, witness where it is smaller.

    G: inner products of the coordinates, None where there are none. pair: two points whose own table is framed. The
    customdata of a cell are the id of its row, K, G, K - G, and the two points.
    """
    m, rounding = len(K), ROUNDING * max(1.0, float(np.abs(K).max()))
    other = np.full_like(K, np.nan) if G is None else G
    off = np.zeros_like(K) if G is None else K - G
    off[abs(off) <= rounding] = 0.0
    told = np.empty((m, m, 5), dtype=object)
    told[..., 0] = ids[:, None]
    told[..., 4] = [[f"{a}, {b}" for b in names] for a in names]
    for k, values in enumerate((K, other, off), start=1):
        told[..., k] = [[short(float(v), noise=rounding) for v in row] for row in values]
    hover = [
        _("kernel") + " %{customdata[1]}",
        _("coordinates") + " %{customdata[2]}",
        _("difference") + " %{customdata[3]}",
    ]
    shown = K if G is None and m > READ else off  # a table without numbers says something by its colours
    share = np.sign(shown) * np.sqrt(abs(shown) / (float(abs(shown).max()) or 1.0))  # small ones are seen as well
    figure = blank(palette, height=320, left=34)
    figure.add_trace(
        go.Heatmap(
            z=share,
            x=np.arange(m),
            y=np.arange(m),
            zmin=-STRENGTH,
            zmax=STRENGTH,
            colorscale=[[0.0, palette.other], [0.5, palette.grid], [1.0, palette.accent]],
            showscale=False,
            xgap=1,
            ygap=1,
            name="gram",
            customdata=told,
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
    title=N_("Behind a polynomial"),
    question=N_(
        "On the line, write down $(1, x, x^2)$ for each point. Is $(1 + xz)^2$ the inner product of these coordinates?"
    ),
    choices=(
        wrong(N_("Yes"), N_("The powers are right, but 2xz needs twice what x and z give.")),
        right(N_("Only with √2 before x")),
        wrong(N_("Only without the 1"), N_("Then nothing would make the 1 in (1 + xz)².")),
    ),
    verdict=lambda stage: _("Only with √2 before x: (1 + xz)² = 1 + 2xz + x²z²."),
    board=ON_LINE,
    needs=(BOTH_CLASSES, POLYNOMIAL, at_most(12)),
    draw=draw,
    play=lambda stage: {"key": "weights", "op": "dial", "from": 0.0, "to": 1.0, "ms": 2200},
    numbers=numbers,
    picks=(Pick("gram", N_("What stands in the cells"), tuple(CELLS), "coordinates", lambda name: _(CELLS[name])),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Plain powers"), lambda stage: set_dials(weights=0.0, **{constant_dial(stage): 1.0})),
        Try("c = −1", lambda stage: set_dials(**{constant_dial(stage): -1.0})),
        Try(
            N_("Degree 3, in the plane"),
            board=preset("moons", size=12, noise=0.2, seed=3, kernel="polynomial", degree=3, coef0=1.0, scale=1.0),
        ),
    ),
    shows=("K1",),
)
