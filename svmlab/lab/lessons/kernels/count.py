"""The number of features of a polynomial kernel: products, monomials, the rank of the Gram matrix, the cost (K2, K3).

There are 1 + d + .. + d^p ordered products, binom(d + p, p) monomials, and rank K <= binom(d + p, p). For c = 0 there
are d^p and binom(d + p - 1, p).
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
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.lessons.kernels.dials import POLYNOMIAL, settings_of
from svmlab.lab.lessons.kernels.polynomials import where_zero
from svmlab.lab.numbers import grouped, subscript
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, set_dials, set_machine, stroke
from svmlab.lab.teach.requirements import at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Pick, Reading, Step, Try, dial, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import WIDTH, Label, place_labels
from svmlab.plot.lines import Line, curves
from svmlab.plot.palette import Palette

ARCS = 16  # the largest number of nodes in the last row for which arcs are drawn
SPACE = "\u2002"  # between a mark and its name
HIGH = str.maketrans("23456789", "²³⁴⁵⁶⁷⁸⁹")


def name(word: Product, d: int) -> str:
    """Return a product in its order, such as x₂x₁. Equal neighbours are a power, and no factor is 1."""
    if not word:
        return "1"
    out, k = "", 0
    while k < len(word):
        run = next((n for n in range(k, len(word)) if word[n] != word[k]), len(word)) - k
        out += "x" + (subscript(word[k] + 1) if d > 1 else "") + (str(run).translate(HIGH) if run > 1 else "")
        k += run
    return out


def tree(d: int, degree: int, constant: bool, palette: Palette) -> go.Figure:
    """Draw every product of at most `degree` coordinates, with one more factor in each row.

    A full circle is the first of its kind, and a hollow one repeats it. Without the constant, only the products in the
    last row are features, and the rows above are pale.
    """
    figure = empty_chart(palette, height=320, left=10)
    rows = [[word for word in ordered_products(d, degree) if len(word) == k] for k in range(degree + 1)]
    at = {word: ((i + 0.5) / len(row), float(-k)) for k, row in enumerate(rows) for i, word in enumerate(row)}
    _edges(figure, at, palette)
    first = 0 if constant else degree  # the first row with features
    repeats = [word for word in at if len(word) >= first and word != tuple(sorted(word))]
    if len(rows[-1]) <= ARCS:
        _arcs(figure, at, repeats, palette)
    size = palette.stroke * float(np.clip(260.0 / len(rows[-1]), 4.0, 13.0))
    kinds = {
        "path": [word for word in at if len(word) < first],
        "first": [word for word in at if len(word) >= first and word == tuple(sorted(word))],
        "repeat": repeats,
    }
    fill = {"path": palette.zero, "first": palette.accent, "repeat": palette.paper}
    for kind, words in kinds.items():
        if not words:
            continue
        texts = [name(w, d) if kind != "repeat" else f"{name(w, d)} = {name(tuple(sorted(w)), d)}" for w in words]
        figure.add_trace(
            go.Scatter(
                x=np.array([at[w][0] for w in words]),
                y=np.array([at[w][1] for w in words]),
                name=kind,
                mode="markers",
                text=texts,
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
    """Write the names in the rows where all of them fit, on the left of a product whose arcs lead to the right."""
    words = list[Product]()
    for k, row in enumerate(rows):
        wide = palette.type * (0.5 + 0.33) * max(k, 1) + 20.0  # a letter and its small number for each factor
        if k >= first and 2 * wide * len(row) < WIDTH:
            words += row
    left = [len(set(word)) > 1 and word == tuple(sorted(word)) for word in words]
    texts = [name(word, d) for word in words]
    figure.add_trace(
        go.Scatter(
            x=np.array([at[word][0] for word in words]),
            y=np.array([at[word][1] for word in words]),
            name="names",
            mode="text",
            text=[each + SPACE if to_left else SPACE + each for each, to_left in zip(texts, left, strict=True)],
            textposition=["middle left" if to_left else "middle right" for to_left in left],
            textfont={"size": palette.type, "color": palette.text},
            hoverinfo="skip",
            cliponaxis=False,
        )
    )


def _edges(figure: go.Figure, at: Mapping[Product, tuple[float, float]], palette: Palette) -> None:
    """Draw a line from each product to those with one more factor."""
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
    figure: go.Figure, at: Mapping[Product, tuple[float, float]], repeats: Sequence[Product], palette: Palette
) -> None:
    """Draw an arc under the row from each repeated product to the first of its kind."""
    x, y = list[float](), list[float]()
    t = np.linspace(0.0, 1.0, 13)
    for word in repeats:
        (a, level), (b, _same) = at[word], at[tuple(sorted(word))]
        x += [*(a + (b - a) * t).tolist(), np.nan]
        y += [*(level - 0.34 * np.sin(np.pi * t)).tolist(), np.nan]
    if repeats:
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


def rank(ranks: Mapping[int, Index], most: Mapping[int, int], chosen: int, n: int, palette: Palette) -> go.Figure:
    """Draw the rank (m,) of the Gram matrix of the first 1, 2, .. m points for each dimension, and its upper bound.

    chosen: the dimension that is emphasised. n: the number of points on the board that are used.
    """
    figure = empty_chart(palette, _("points"), _("rank"), height=320)
    last = max(len(by_count) for by_count in ranks.values())
    labels = list[Label]()
    for d, by_count in sorted(ranks.items(), key=lambda each: each[0] == chosen):  # the emphasised one on top
        emphasised = d == chosen
        colour = palette.accent if emphasised else palette.quiet
        figure.add_trace(
            go.Scatter(
                x=np.arange(1, len(by_count) + 1),
                y=by_count,
                mode="lines+markers" if emphasised else "lines",
                name=f"d = {d}",
                line=palette.pen(colour, 2.5 if emphasised else 1.5) | {"shape": "hv"},
                marker={"size": 7 * palette.stroke},
                hovertemplate=_("points") + " %{x}<br>" + _("rank") + " %{y}" + f"<extra>d = {d}</extra>",
            )
        )
        labels.append(Label(f"d = {d}: {int(by_count[-1])}", float(len(by_count)), float(by_count[-1]), colour))
    add_rule(figure, palette, palette.other, "dash", y=most[chosen], layer="below")
    add_rule(figure, palette, palette.accent, x=n, width=1, layer="below")
    top = max(most[chosen], *(int(by_count[-1]) for by_count in ranks.values()))
    figure.update_xaxes(range=[0.7, last + 0.2], dtick=max(1, last // 6))
    figure.update_yaxes(range=[0, 1.12 * top], nticks=5)
    return place_labels(figure, palette, labels)


def costs(d: Array, kernel: Array, distinct: Array, repeats: Array, palette: Palette) -> go.Figure:
    """Draw the multiplications of one kernel value and of one inner product of features over the dimensions (k,)."""
    first, second, third, *_rest = palette.series
    lines = [
        Line(_("kernel"), d, kernel, first, hover="%{y:,.0f}"),
        Line(_("features"), d, distinct, second, "dash", hover="%{y:,.0f}"),
        Line(_("with repetitions"), d, repeats, third, "dot", hover="%{y:,.0f}"),
    ]
    return curves(lines, _("dimension d"), _("multiplications"), palette, height=300)


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
CIRCLE = board_of_points(  # of radius 2.5, exactly
    (
        *((x, y, 1) for x, y in ((1.5, 2), (2.5, 0), (2, -1.5), (-1.5, 2), (0, -2.5), (-2, -1.5))),
        *((x, y, -1) for x, y in ((0, 2.5), (-2.5, 0), (1.5, -2), (2, 1.5), (-2, 1.5), (-1.5, -2))),
    ),
    **MACHINE,
)
VIEWS = {"tree": N_("products"), "rank": N_("rank"), "cost": N_("cost")}
VIEW = Pick("counted", N_("View"), tuple(VIEWS), "tree", VIEWS.__getitem__)
DIMENSIONS = Pick("dimensions", N_("Dimension"), (1, 2, 3), 2, lambda d: f"d = {d}", in_more=True)
ONLY_POINTS: Data = {**POINTS_ONLY, "legend": None, "message": None, "witness": None, "sliders": []}
ALONG = np.unique(np.geomspace(1, 100, 25).round()).astype(np.intp)  # dimensions for which the cost is drawn


def degree(stage: Stage) -> int:
    """Return the degree p of the kernel on the board."""
    return int(settings_of(stage)["degree"])


def constant(stage: Stage) -> bool:
    """Return whether the constant c of the kernel is positive."""
    return settings_of(stage)["coef0"] > 0


def features(stage: Stage, d: int) -> int:
    """Return the number of features of the kernel in d dimensions."""
    return monomial_count(d, degree(stage), constant(stage))


def taken(stage: Stage) -> int:
    """Return the number of points in the Gram matrix."""
    m = len(stage.lab.points)
    return min(max(round(stage.dial("taken", m)), 1), m)


def third(m: int) -> Array:
    """Return a random third coordinate for the points of the board, (m,) in whole thousandths."""
    return np.asarray(np.round(np.random.Generator(np.random.Philox(3)).normal(0.0, 1.5, m), 3))


def ranks(stage: Stage) -> dict[int, Index]:
    """Return the ranks for the first 1, 2, .. m points: x1 alone, the plane, and with a random third coordinate."""
    X = stage.data.X
    spaces = {1: X[:, :1], 2: X, 3: np.column_stack([X, third(len(X))])}
    p, c = degree(stage), constant(stage)
    return stage.cached_for_points(f"ranks {p} {c}", lambda: {d: gram_ranks(P, p, c) for d, P in spaces.items()})


def through(stage: Stage) -> Array | None:
    """Return the only polynomial of the plane that is 0 at the points in the Gram matrix, coefficients (D,).

    None if there is none, or more than one up to a factor.
    """
    X, p, c, n = stage.data.X[: taken(stage)], degree(stage), constant(stage), taken(stage)
    if ranks(stage)[2][n - 1] != features(stage, 2) - 1:
        return None
    return stage.cached_for_points(f"through {p} {c} {n}", lambda: np.asarray(vanishing_polynomials(X, p, c)[0]))


def one_curve(stage: Stage) -> float:
    """Return how many points in general position leave exactly one curve, at most those on the board."""
    return float(max(1, min(features(stage, 2) - 1, len(stage.lab.points))))


def draw(stage: Stage) -> Data:
    """Return the points in the Gram matrix (full), and the only curve through them if there is one."""
    if not stage.shown:
        return ONLY_POINTS
    m, n, q = len(stage.lab.points), taken(stage), through(stage)
    curve = () if q is None else where_zero(q, degree(stage), constant(stage), stage.lab.view)
    fill = [1.0] * n + [0.0] * (m - n)
    words = _("Number of points in the Gram matrix")
    return {
        **ONLY_POINTS,
        "marks": {"fill": fill},
        "overlay": [stroke(line, "accent") for line in curve],
        "sliders": [
            dial("taken", words, _("points"), float(n), 1.0, float(m), 1.0),
            dial("degree", _("Degree p of the kernel"), "p", float(degree(stage)), 1.0, 5.0, 1.0) | {"op": "set"},
        ],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the number of features, the points and the rank, or the multiplications for d = 100."""
    if not stage.shown:
        return ()
    d, p, n = int(stage.pick("dimensions")), degree(stage), taken(stage)
    if stage.pick("counted") == "cost":
        kernel, products = grouped(kernel_cost(100, p)), grouped(features(stage, 100))
        return [
            reading(_("kernel value, d = 100"), kernel, _("Multiplications for one kernel value, d = 100")),
            reading(_("with features"), products, _("Multiplications for one inner product of features, d = 100")),
        ]
    return [
        reading(
            _("features"),
            grouped(features(stage, d)),
            _("Number D of different monomials, for d dimensions and degree p"),
        ),
        reading(_("points"), str(n), _("Number of points in the Gram matrix, the filled ones on the board")),
        reading(_("rank of K"), str(int(ranks(stage)[d][n - 1])), _("Rank of the Gram matrix of these points")),
    ]


def chart(stage: Stage) -> Chart:
    """Return the tree of products, the ranks, or the cost."""
    d, p, c, view = int(stage.pick("dimensions")), degree(stage), constant(stage), stage.pick("counted")
    if view == "tree":
        return Chart(tree(d, p, c, stage.palette))
    if view == "rank":
        most = {k: features(stage, k) for k in (1, 2, 3)}
        return Chart(rank(ranks(stage), most, d, taken(stage), stage.palette))
    along = ALONG.tolist()
    kernel = np.array([kernel_cost(k, p) for k in along], dtype=float)
    different, ordered = (
        np.array([many(k, p, c) for k in along], dtype=float) for many in (monomial_count, ordered_product_count)
    )
    return Chart(costs(ALONG.astype(float), kernel, different, ordered, stage.palette))


def says(stage: Stage) -> str:
    """Say what the picture shows."""
    view, d = stage.pick("counted"), int(stage.pick("dimensions"))
    if view == "tree":
        words = _("Each row has one more factor, up to the degree $p$. A hollow circle repeats a product.")
        if through(stage) is None:
            return words
        return f"{words} " + _(
            "Up to a factor, exactly one combination of the {D} features is 0 at the {n} filled points (green curve). "
            "So in the plane, $K$ has the rank {rank}."
        ).format(n=taken(stage), D=features(stage, 2), rank=features(stage, 2) - 1)
    if view == "rank":
        words = _(
            "The chart shows the rank of $K$ for the first 1, 2, 3, … points. It is at most the number of features "
            "(dashed)."
        )
        if int(ranks(stage)[d][-1]) == features(stage, d):
            return f"{words} " + _("With all points, it reaches this number.")
        return f"{words} " + _("Here it stays below, because some combination of the features is 0 at all points.")
    return _(
        "The curves show the number of multiplications. A kernel value needs about $d$ of them, because it computes "
        "only $\\langle x, z\\rangle$ and a power. With features, there is one for each feature."
    )


def formula(stage: Stage) -> str:
    """Return the number of features and the rank, or the two costs."""
    monomials = r"\tbinom{d+p}{p}" if constant(stage) else r"\tbinom{d+p-1}{p}"
    if stage.pick("counted") == "cost":
        return r"d+\lfloor\log_2p\rfloor+(\text{ones of }p\text{ in binary})-1\quad\text{or}\quad" + monomials
    condition = "c>0" if constant(stage) else "c=0"
    return rf"{condition}:\quad D={monomials}\ \text{{features}},\qquad \operatorname{{rank}}K\le D"


COUNT = Step(
    key="count",
    title=N_("Dimension of the feature space"),
    situation=N_(
        "The points lie in the plane, so $x = (x_1, x_2)$ has two coordinates. Multiply out the polynomial kernel "
        "$(\\langle x, z\\rangle + c)^2$ with a constant $c > 0$. Each feature is a **monomial** of degree at most 2 "
        "(also the constant 1), times a number. Equal products such as $x_1x_2$ and $x_2x_1$ are one monomial."
    ),
    question=N_("How many features does the kernel $(\\langle x, z\\rangle + c)^2$ with $c > 0$ have in the plane?"),
    choices=(
        wrong(
            N_("4 features"),
            N_(
                "There are 4 products of two coordinates. However, x₁x₂ and x₂x₁ are equal, and x₁, x₂ and 1 are "
                "features too."
            ),
        ),
        right(N_("6 features")),
        wrong(
            N_("9 features"),
            N_("(x₁, x₂, √c) gives 3 · 3 products of two entries. However, three of them repeat others, such as x₂x₁."),
        ),
    ),
    verdict=N_("6 features: 1, x₁, x₂, x₁², x₁x₂ and x₂², because x₁x₂ and x₂x₁ are one monomial."),
    board=TWELVE,
    deeper=True,
    needs=(POLYNOMIAL, at_most(60)),
    draw=draw,
    play=lambda stage: {"key": "taken", "op": "dial", "from": 1.0, "to": one_curve(stage), "ms": 2800},
    rests_on_answer=lambda stage: taken(stage) == one_curve(stage) and through(stage) is not None,
    numbers=numbers,
    picks=(VIEW, DIMENSIONS),
    chart=chart,
    says=says,
    formula=formula,
    more=(
        N_(
            "**Rank of the Gram matrix.** Let the rows of $\\Phi$ be the feature vectors of the points. Then $K = "
            "\\Phi\\Phi^\\top$ has the same rank as $\\Phi$, so its rank is at most the number of features. If you "
            "add a point, the rank increases by 1, unless its feature vector is a linear combination of the earlier "
            "ones. Here the rank is computed with whole numbers, without rounding."
        ),
        N_(
            "**Curves.** A combination of the 6 features is 0 on a curve of degree at most 2, a conic. A conic has 6 "
            "coefficients, so at least one conic passes through any 5 points. If no conic passes through 6 points, "
            "then the rank is 6. On a circle around the origin, $x_1^2 + x_2^2$ is constant, so the rank is at most 5."
        ),
        N_(
            "**Lecture notes.** Gambosi's slides count $(d+1)^2 = 9$ for degree 2 in the plane. These are all products "
            "of two entries of $(x_1, x_2, \\sqrt c)$, so each $\\sqrt c\\,x_i$ occurs twice. Their feature map has "
            "it once, which gives $d^2 + d + 1 = 7$ products, as in the tree. Their sum for degree $p$ is correct if "
            "repetitions count. For $d = 1$ their quotient is 0/0, and the sum is $p + 1$."
        ),
        N_(
            "**Growth.** The Italian notes on half-spaces ask how the number of features grows, and list these 6. For "
            "a fixed degree $p$, it grows like $d^p$, and not exponentially in $d$."
        ),
        N_("**Three dimensions.** For $d = 3$, the third coordinate of the points is random."),
    ),
    tries=(
        Try(N_("One curve"), lambda stage: set_dials(taken=one_curve(stage))),
        Try("c\u00a0=\u00a00", set_machine(coef0=0.0)),
        Try(N_("On a circle"), board=CIRCLE),
    ),
    shows=("K2", "K3"),
)
