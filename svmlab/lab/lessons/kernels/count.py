"""How many coordinates a polynomial kernel has: products with repeats, different ones, the rank of the Gram matrix, and
the cost (K2, K3).

1 + d + .. + d^t  products,   binom(d + t, t)  different,   rank K <= binom(d + t, t);   c = 0: d^t and binom(d + t - 1,
t)
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.kernels.features import (
    Product,
    gram_ranks,
    kernel_cost,
    monomial_count,
    ordered_product_count,
    ordered_products,
    vanishing_polynomials,
)
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import WIDTH, Label, place_labels
from svmlab.lab.charts.lines import Line, curves
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.kernels.dials import POLYNOMIAL, settings_of
from svmlab.lab.lessons.kernels.polynomials import where_zero
from svmlab.lab.numbers import grouped, subscript
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, reading, set_dials, set_machine, stroke
from svmlab.lab.teach.requirements import at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _

ARCS = 16  # nodes in the last row up to which an arc leads to the twin
ROOM = "\u2002"  # between a mark and its name
HIGH = str.maketrans("23456789", "²³⁴⁵⁶⁷⁸⁹")


def name(word: Product, d: int) -> str:
    """A product as it is multiplied: x₂x₁; equal neighbours as a power; 1 for none."""
    if not word:
        return "1"
    out, k = "", 0
    while k < len(word):
        run = next((n for n in range(k, len(word)) if word[n] != word[k]), len(word)) - k
        out += "x" + (subscript(word[k] + 1) if d > 1 else "") + (str(run).translate(HIGH) if run > 1 else "")
        k += run
    return out


def tree(d: int, degree: int, constant: bool, palette: Palette) -> go.Figure:
    """Every product of at most `degree` coordinates, one more factor a row: full where it is the first of its kind,
    hollow repeats.

    Without the constant only the last row is coordinates, and the rows above are pale.
    """
    figure = blank(palette, height=320, left=10)
    rows = [[word for word in ordered_products(d, degree) if len(word) == k] for k in range(degree + 1)]
    at = {word: ((i + 0.5) / len(row), float(-k)) for k, row in enumerate(rows) for i, word in enumerate(row)}
    _edges(figure, at, palette)
    first = 0 if constant else degree  # the first row that counts
    twins = [word for word in at if len(word) >= first and word != tuple(sorted(word))]
    if len(rows[-1]) <= ARCS:
        _arcs(figure, at, twins, palette)
    size = palette.stroke * float(np.clip(260.0 / len(rows[-1]), 4.0, 13.0))
    kinds = {
        "path": [word for word in at if len(word) < first],
        "first": [word for word in at if len(word) >= first and word == tuple(sorted(word))],
        "repeat": twins,
    }
    fill = {"path": palette.zero, "first": palette.accent, "repeat": palette.paper}
    for kind, words in kinds.items():
        if not words:
            continue
        said = [name(w, d) if kind != "repeat" else f"{name(w, d)} = {name(tuple(sorted(w)), d)}" for w in words]
        figure.add_trace(
            go.Scatter(
                x=np.array([at[w][0] for w in words]),
                y=np.array([at[w][1] for w in words]),
                name=kind,
                mode="markers",
                text=said,
                hovertemplate="%{text}<extra></extra>",
                marker={
                    "size": 0.5 * size if kind == "path" else size,
                    "color": fill[kind],
                    "opacity": 1,
                    "line": palette.pen(palette.accent, 1.5 if kind == "repeat" else 0),
                },
            )
        )
    figure.update_xaxes(visible=False, range=[0.0, 1.0])
    figure.update_yaxes(visible=False, range=[-degree - 0.5, 0.35])
    figure.layout.margin.b = round(8 * palette.stroke)
    _names(figure, rows, at, d, first, palette)
    return figure


def _names(
    figure: go.Figure,
    rows: Sequence[Sequence[Product]],
    at: Mapping[Product, tuple[float, float]],
    d: int,
    first: int,
    palette: Palette,
) -> None:
    """The names in the rows where every one has room on either side: left of a product whose bows lead to the right."""
    words = list[Product]()
    for k, row in enumerate(rows):
        wide = palette.type * (0.5 + 0.33) * max(k, 1) + 20.0  # a letter and its small number for each factor
        if k >= first and 2 * wide * len(row) < WIDTH:
            words += row
    left = [len(set(word)) > 1 and word == tuple(sorted(word)) for word in words]
    said = [name(word, d) for word in words]
    figure.add_trace(
        go.Scatter(
            x=np.array([at[word][0] for word in words]),
            y=np.array([at[word][1] for word in words]),
            name="names",
            mode="text",
            text=[each + ROOM if to_left else ROOM + each for each, to_left in zip(said, left, strict=True)],
            textposition=["middle left" if to_left else "middle right" for to_left in left],
            textfont={"size": palette.type, "color": palette.text},
            hoverinfo="skip",
            cliponaxis=False,
        )
    )


def _edges(figure: go.Figure, at: Mapping[Product, tuple[float, float]], palette: Palette) -> None:
    """Each product to the one with a factor more."""
    x, y = list[float](), list[float]()
    for word, (u, v) in at.items():
        if word:
            a, b = at[word[:-1]]
            x += [a, u, np.nan]
            y += [b, v, np.nan]
    figure.add_trace(
        go.Scatter(
            x=np.array(x),
            y=np.array(y),
            mode="lines",
            name="edges",
            hoverinfo="skip",
            line=palette.pen(palette.zero, 1.2),
        )
    )


def _arcs(
    figure: go.Figure, at: Mapping[Product, tuple[float, float]], twins: Sequence[Product], palette: Palette
) -> None:
    """From each repeat to the first of its kind, a bow under the row."""
    x, y = list[float](), list[float]()
    t = np.linspace(0.0, 1.0, 13)
    for word in twins:
        (a, level), (b, _same) = at[word], at[tuple(sorted(word))]
        x += [*(a + (b - a) * t).tolist(), np.nan]
        y += [*(level - 0.34 * np.sin(np.pi * t)).tolist(), np.nan]
    if twins:
        figure.add_trace(
            go.Scatter(
                x=np.array(x),
                y=np.array(y),
                mode="lines",
                name="merge",
                hoverinfo="skip",
                line=palette.pen(palette.other, 2, "dot"),
            )
        )


def rank(found: Mapping[int, Index], most: Mapping[int, int], chosen: int, n: int, palette: Palette) -> go.Figure:
    """The rank (m,) of the Gram matrix of the first 1, 2, .. m points for each number of dimensions, and where it must
    stop.

    chosen: the dimensions that are drawn strongly. n: how many points the board takes.
    """
    figure = blank(palette, _("points"), _("rank"), height=320)
    last = max(len(by_count) for by_count in found.values())
    labels = list[Label]()
    for d, by_count in sorted(found.items(), key=lambda each: each[0] == chosen):  # the strong one on top
        strong = d == chosen
        colour = palette.accent if strong else palette.quiet
        figure.add_trace(
            go.Scatter(
                x=np.arange(1, len(by_count) + 1),
                y=by_count,
                mode="lines+markers" if strong else "lines",
                name=f"d = {d}",
                line=palette.pen(colour, 2.5 if strong else 1.5) | {"shape": "hv"},
                marker={"size": 7 * palette.stroke},
                hovertemplate=_("points") + " %{x}<br>" + _("rank") + " %{y}" + f"<extra>d = {d}</extra>",
            )
        )
        labels.append(Label(f"d = {d}: {int(by_count[-1])}", float(len(by_count)), float(by_count[-1]), colour))
    add_rule(figure, palette, palette.other, "dash", y=most[chosen], layer="below")
    add_rule(figure, palette, palette.accent, x=n, width=1, layer="below")
    top = max(most[chosen], *(int(by_count[-1]) for by_count in found.values()))
    figure.update_xaxes(range=[0.7, last + 0.2], dtick=max(1, last // 6))
    figure.update_yaxes(range=[0, 1.12 * top], nticks=5)
    return place_labels(figure, palette, labels)


def costs(d: Array, kernel: Array, distinct: Array, repeats: Array, palette: Palette) -> go.Figure:
    """Multiplications of one kernel value and of one inner product of coordinates, along the dimensions (k,)."""
    first, second, third, *_rest = palette.series
    lines = [
        Line(_("kernel"), d, kernel, first, hover="%{y:,.0f}"),
        Line(_("different"), d, distinct, second, "dash", hover="%{y:,.0f}"),
        Line(_("repeats too"), d, repeats, third, "dot", hover="%{y:,.0f}"),
    ]
    return curves(lines, _("dimensions d"), _("products"), palette, height=300)


MACHINE = {"kernel": "polynomial", "degree": 2, "coef0": 1.0, "scale": 1.0}
TWELVE = board_of_points(
    (
        (-2.4, -1.6, -1),
        (0.6, 1.0, 1),
        (2.5, -0.8, 1),
        (-1.2, 2.1, -1),
        (1.1, -2.3, 1),
        (0.2, -0.7, -1),
        (-2.9, 0.8, -1),
        (2.0, 2.4, 1),
        (-0.6, 0.4, 1),
        (3.1, 1.2, 1),
        (-1.5, -2.8, -1),
        (1.7, 0.3, -1),
    ),
    **MACHINE,
)
CIRCLE = board_of_points(  # of radius 2.5, to the last digit
    (
        *((x, y, 1) for x, y in ((1.5, 2), (2.5, 0), (2, -1.5), (-1.5, 2), (0, -2.5), (-2, -1.5))),
        *((x, y, -1) for x, y in ((0, 2.5), (-2.5, 0), (1.5, -2), (2, 1.5), (-2, 1.5), (-1.5, -2))),
    ),
    **MACHINE,
)
VIEWS = {"tree": N_("the products"), "rank": N_("the rank"), "cost": N_("the cost")}
VIEW = Pick("counted", N_("Picture"), tuple(VIEWS), "tree", lambda name: _(VIEWS[name]))
DIMENSIONS = Pick("dimensions", N_("Dimensions"), (1, 2, 3), 2, lambda d: f"d = {d}")
QUIET: Data = {**POINTS_ONLY, "legend": None, "message": None, "witness": None, "sliders": []}  # points, and no machine
ALONG = np.unique(np.geomspace(1, 100, 25).round()).astype(np.intp)  # dimensions of which the cost is drawn


def degree(stage: Stage) -> int:
    """The degree t of the kernel on the board."""
    return int(settings_of(stage)["degree"])


def constant(stage: Stage) -> bool:
    """Whether the kernel has its constant, c > 0."""
    return settings_of(stage)["coef0"] > 0


def taken(stage: Stage) -> int:
    """How many points the Gram matrix has."""
    m = len(stage.lab.points)
    return min(max(round(stage.dial("taken", m)), 1), m)


def third(m: int) -> Array:
    """A third coordinate for the points of the board, (m,) in whole thousandths."""
    return np.asarray(np.round(np.random.Generator(np.random.Philox(3)).normal(0.0, 1.5, m), 3))


def staircases(stage: Stage) -> dict[int, Index]:
    """The rank of the first 1, 2, .. m points by x1 alone, in the plane, and with a third coordinate that is drawn."""
    X = stage.data.X
    spaces = {1: X[:, :1], 2: X, 3: np.column_stack([X, third(len(X))])}
    t, c = degree(stage), constant(stage)
    return stage.cached_for_points(f"ranks {t} {c}", lambda: {d: gram_ranks(P, t, c) for d, P in spaces.items()})


def through(stage: Stage) -> Array | None:
    """The one polynomial of the plane that is 0 at the points taken, coefficients (D,); None where there is none, or
    several.
    """
    X, t, c, n = stage.data.X[: taken(stage)], degree(stage), constant(stage), taken(stage)
    if staircases(stage)[2][n - 1] != monomial_count(2, t, c) - 1:
        return None
    return stage.cached_for_points(f"through {t} {c} {n}", lambda: np.asarray(vanishing_polynomials(X, t, c)[0]))


def one_left(stage: Stage) -> Op:
    """As many points as leave one curve, if they are in no special place."""
    fewer = monomial_count(2, degree(stage), constant(stage)) - 1
    return set_dials(taken=float(max(1, min(fewer, len(stage.lab.points)))))


def draw(stage: Stage) -> Data:
    """The points taken, full, and the one curve through them where there is just one."""
    if not stage.shown:
        return QUIET
    m, n, q = len(stage.lab.points), taken(stage), through(stage)
    curve = () if q is None else where_zero(q, degree(stage), constant(stage), stage.lab.view)
    fill = [1.0] * n + [0.0] * (m - n)
    return {
        **QUIET,
        "marks": {"fill": fill},
        "overlay": [stroke(line, "accent") for line in curve],
        "sliders": [
            dial("taken", _("How many of the points the Gram matrix has"), _("points"), float(n), 1.0, float(m), 1.0),
            dial("degree", _("Degree of the kernel"), "t", float(degree(stage)), 1.0, 5.0, 1.0) | {"op": "set"},
        ],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """The products, the different ones, and the rank of the points taken."""
    if not stage.shown:
        return ()
    d, t, c, n = int(stage.pick("dimensions")), degree(stage), constant(stage), taken(stage)
    if stage.pick("counted") == "cost":
        return [
            reading(_("degree t"), str(t)),
            reading(_("kernel, d = 100"), grouped(kernel_cost(100, t))),
            reading(_("different"), grouped(monomial_count(100, t, c))),
            reading(_("repeats too"), grouped(ordered_product_count(100, t, c))),
        ]
    return [
        reading(_("products"), grouped(ordered_product_count(d, t, c))),
        reading(_("different"), grouped(monomial_count(d, t, c))),
        reading(_("points"), str(n)),
        reading(_("rank of K"), str(int(staircases(stage)[d][n - 1]))),
    ]


def chart(stage: Stage) -> Chart:
    """The tree, the staircase or the cost."""
    d, t, c, view = int(stage.pick("dimensions")), degree(stage), constant(stage), stage.pick("counted")
    if view == "tree":
        return Chart(tree(d, t, c, stage.palette))
    if view == "rank":
        most = {k: monomial_count(k, t, c) for k in (1, 2, 3)}
        return Chart(rank(staircases(stage), most, d, taken(stage), stage.palette))
    along = ALONG.tolist()
    kernel = np.array([kernel_cost(k, t) for k in along], dtype=float)
    different, listed = (
        np.array([many(k, t, c) for k in along], dtype=float) for many in (monomial_count, ordered_product_count)
    )
    return Chart(costs(ALONG.astype(float), kernel, different, listed, stage.palette))


def says(stage: Stage) -> str:
    """What the picture says."""
    view, last = stage.pick("counted"), monomial_count(2, degree(stage), constant(stage))
    if view == "tree":
        return _(
            "A factor more in each row. Hollow: a product that is there already. On the board: through {n} "
            "points there is "
            "one curve of this kind, through {more} mostly none."
        ).format(n=last - 1, more=last)
    if view == "rank":
        return _(
            "A new point lifts the rank until every coordinate is told from the others. On a circle one never is: "
            "$x_1^2 + x_2^2$ stays the same."
        )
    return _(
        "The kernel multiplies $d$ times, then squares. An inner product of coordinates takes one "
        "product for each, and they "
        "must be there."
    )


def formula(stage: Stage) -> str:
    """The two counts, or the two costs."""
    if stage.pick("counted") == "cost":
        many = r"\tbinom{d+t}{t}" if constant(stage) else r"\tbinom{d+t-1}{t}"
        return r"d+\lfloor\log_2t\rfloor+(\text{ones of }t)-1\quad\text{or}\quad" + many
    if constant(stage):
        return r"1+d+\dots+d^{\,t}\ \text{products},\qquad \operatorname{rank}K\le\tbinom{d+t}{t}"
    return r"c=0:\quad d^{\,t}\ \text{products},\qquad \operatorname{rank}K\le\tbinom{d+t-1}{t}"


def more(stage: Stage) -> Sequence[Part]:
    """Why the rank counts, and how the notes count."""
    return [
        _(
            "The rank of the Gram matrix is the number of coordinates that the points can tell apart, "
            "whatever list of them is "
            "written down. It is found here without rounding, with whole numbers. A conic has 6 "
            "coefficients, so one passes "
            "through any 5 points, and through 6 mostly none: then the rank is 6."
        ),
        _(
            "Gambosi's slides count $(d+1)^2 = 9$ for degree 2 in the plane: all products of $(x_1, x_2, "
            "\\sqrt c)$ with itself, "
            "each $\\sqrt c\\,x_i$ twice. The $\\phi$ printed above it has it once: $d^2 + d + 1 = 7$. Their "
            "sum for degree $t$ is "
            "right with repeats; for $d = 1$ the quotient is 0/0, and the sum is $t + 1$."
        ),
        _(
            "The Italian notes on half-spaces ask with six question marks how the number grows, and list "
            "just these 6. For a "
            "fixed degree it grows like a power of $d$, not exponentially. In three dimensions the third "
            "coordinate of the points is drawn."
        ),
    ]


COUNT = Step(
    key="count",
    title=N_("How many coordinates"),
    question=N_(
        "$(\\langle x, z\\rangle + c)^2$ in the plane, with $c > 0$: how many **different** coordinates "
        "stand behind it?"
    ),
    choices=(
        wrong("4", N_("So many products have two factors; but one and none are there as well.")),
        right("6"),
        wrong("9", N_("(x₁, x₂, √c) times itself has 9 products, but x₁x₂ and x₂x₁ are one.")),
    ),
    verdict=lambda stage: _("6 are different: 1, x₁, x₂, x₁², x₁x₂, x₂²."),
    board=TWELVE,
    needs=(POLYNOMIAL, at_most(60)),
    draw=draw,
    play=lambda stage: {"key": "taken", "op": "dial", "from": 1.0, "to": min(7.0, len(stage.lab.points)), "ms": 2800},
    numbers=numbers,
    picks=(VIEW, DIMENSIONS),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("One curve left"), one_left),
        Try("c = 0", set_machine(coef0=0.0)),
        Try(N_("On a circle"), board=CIRCLE),
    ),
    shows=("K2", "K3"),
)
