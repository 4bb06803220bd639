"""Sums, products and differences of kernels, and other rules that construct functions from kernels (K5, K13)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.lessons.kernels.psd import coefficient_bars
from svmlab.lab.lessons.kernels.rules import RULES, SECONDS, Constructed, can_be_written, construct
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import POINTS_ONLY, set_dials, set_picks
from svmlab.lab.teach.requirements import PRODUCT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Pick, Reading, Step, Try, dial, reading, right, wrong
from svmlab.lab.words import N_, _, message_of
from svmlab.plot.frame import empty_chart
from svmlab.plot.palette import Palette

SECOND = {"one": "k₂ = 1", "linear": "k₂ = ⟨x, z⟩", "gaussian": N_("k₂ = Gaussian")}
WRITTEN = Need(
    lambda stage: can_be_written(stage.lab.kernel_function.recipe),
    N_("This step cannot write the kernel on the board as a recipe."),
    {"kernel": "gaussian"},
)
NEGATIVE = Need(
    lambda stage: difference(stage).smallest_eigenvalue < 0,
    N_("With the kernel on this board, the difference k₁ − k₂ has no negative eigenvalue. Choose a Gaussian kernel."),
    {"kernel": "gaussian"},
)


def factor(stage: Stage) -> float:
    """Return the factor r."""
    return round(stage.dial("factor", -1.0), 3)


def of_rule(stage: Stage, rule: str, r: float, second: str | None = None) -> Constructed:
    """Return the function that a rule constructs from the kernel on the board, with the picked k_2."""
    recipe, k2 = stage.lab.kernel_function.recipe, second or str(stage.pick("second"))
    return stage.cached(f"constructed {rule} {k2} {r}", lambda: construct(recipe, k2, rule, r, stage.data))


def difference(stage: Stage) -> Constructed:
    """Return k_1 minus the inner product."""
    return of_rule(stage, "sum", -1.0, "linear")


def present(stage: Stage) -> Constructed:
    """Return the function of the picked rule with the factor of the slider."""
    return of_rule(stage, str(stage.pick("rule")), factor(stage))


def label(rule: str, r: float) -> str:
    """Return the name of a constructed function with the factor r."""
    if rule == "sum":
        return f"k₁ {'−' if r < 0 else '+'} {'' if abs(r) == 1 else short(abs(r), 3) + ' '}k₂"
    return f"{RULES[rule].name}, r = {short(r, 3)}" if RULES[rule].has_factor else RULES[rule].name


def constructed(stage: Stage) -> Mapping[str, Constructed]:
    """Return the functions that the rows of the chart compare with k_1 and k_2, by their names."""
    rule, r = str(stage.pick("rule")), factor(stage)
    factors = (1.0, r) if RULES[rule].has_factor else (1.0,)
    rows = {label(rule, each): of_rule(stage, rule, each) for each in factors}
    if rule != "sum":
        return rows
    plus, *last = rows.items()
    return dict([plus, (label("product", 1.0), of_rule(stage, "product", 1.0)), *last])


def draw(stage: Stage) -> Data:
    """Return the points, each with a bar for its coefficient if a combination has a negative squared length."""
    data: Data = POINTS_ONLY | {"message": None, "legend": None, "witness": None, "sliders": []}
    if not stage.shown:
        return data
    if RULES[str(stage.pick("rule"))].has_factor:
        words = _("The factor r of the second term")
        data = data | {"sliders": [dial("factor", words, _("factor r"), factor(stage), -2.0, 2.0, 0.05)]}
    function = present(stage)
    return data | {
        "overlay": coefficient_bars(stage, function.coefficients) if function.smallest_eigenvalue < 0 else []
    }


def play(stage: Stage) -> Data | None:
    """Return the animation in which the factor decreases through 0, where the rule has one."""
    if not RULES[str(stage.pick("rule"))].has_factor:
        return None
    return {"key": "factor", "op": "dial", "from": 1.0, "to": -1.0, "ms": 2400}


def verdict(stage: Stage) -> str:
    """Return the answer and the smallest eigenvalue of the difference."""
    return _(
        "The sum k₁ + k₂ and the product k₁ k₂. For k₂ = ⟨x, z⟩, the matrix of k₁ − k₂ has the eigenvalue {least}."
    ).format(least=short(difference(stage).smallest_eigenvalue))


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the smallest eigenvalue of each constructed function."""
    if not stage.shown:
        return ()
    words = _("Smallest eigenvalue of its Gram matrix")
    return [
        reading(name, each.smallest_eigenvalue, words) for name, each in constructed(stage).items() if each.why is None
    ]


def chart(stage: Stage) -> Chart:
    """Return the eigenvalues of each Gram matrix in a row of its own."""
    rows = {"k₁": np.linalg.eigvalsh(stage.lab.problem.gram)}
    if RULES[str(stage.pick("rule"))].has_second:
        rows["k₂"] = construct(SECONDS[str(stage.pick("second"))], "one", "scaled", 1.0, stage.data).eigenvalues
    return Chart(eigenvalue_rows(rows | {n: each.eigenvalues for n, each in constructed(stage).items()}, stage.palette))


def says(stage: Stage) -> str:
    """Say what the rows and the bars on the board show."""
    function = present(stage)
    if function.why is not None:
        return message_of(function.why).removeprefix("recipe: ")
    words = _("Each row shows the eigenvalues of one Gram matrix, divided by the largest absolute value among them.")
    if function.smallest_eigenvalue < 0:
        return f"{words} " + _(
            "Negative ones are pink. The pink bars on the board are coefficients $a_i$ with $a^\\top K a < 0$."
        )
    return f"{words} " + _("No eigenvalue of the last row is negative.")


def eigenvalue_rows(rows: Mapping[str, Array], palette: Palette) -> go.Figure:
    """Draw one row of dots for each name: its eigenvalues (m,), divided by the largest absolute value among them."""
    figure = empty_chart(palette, _("eigenvalue / largest absolute value"), height=300, left=120)
    for height, (name, values) in enumerate(rows.items()):
        size = float(np.abs(values).max(initial=0.0)) or 1.0
        values = np.where(np.abs(values) <= 1e-13 * len(values) * size, 0.0, values)
        figure.add_trace(
            go.Scatter(
                x=values / size,
                y=np.full(len(values), -height),
                name=name,
                mode="markers",
                marker={
                    "size": 9 * palette.stroke,
                    "color": np.where(values < 0, palette.other, palette.accent),
                    "opacity": 0.75,
                },
                customdata=values,
                hovertemplate=f"{name}: %{{customdata:.6g}}<extra></extra>",
            )
        )
    figure.update_xaxes(range=[-1.08, 1.08], nticks=5)
    ticks = {"tickvals": -np.arange(len(rows)), "ticktext": list(rows)}
    figure.update_yaxes(range=[0.6 - len(rows), 0.6], showgrid=True, **ticks)
    add_rule(figure, palette, palette.quiet, x=0.0, width=1.5)
    return figure


CONSTRUCT = Step(
    key="construct",
    former_key="build",
    title=N_("Constructing kernels"),
    situation=N_(
        "Let $k_1$ and $k_2$ be kernels with feature maps $\\phi_1$ and $\\phi_2$. In the example, $k_1$ is at "
        "first a Gaussian kernel, and $k_2(x, z) = \\langle x, z\\rangle$. You can add, multiply or subtract their "
        "values. A symmetric function is a kernel if none of its Gram matrices has a negative eigenvalue."
    ),
    question=N_(
        "Which of the functions $k_1 + k_2$, $k_1 k_2$ and $k_1 - k_2$ are kernels for all kernels $k_1$, $k_2$?"
    ),
    choices=(
        wrong(
            N_("Only the sum k₁ + k₂"),
            N_(
                "Its features are those of k₁ and k₂. However, k₁ k₂ has features too, namely each of k₁ times each "
                "of k₂."
            ),
        ),
        right(N_("The sum k₁ + k₂ and the product k₁ k₂")),
        wrong(
            N_("The sum k₁ + k₂ and the difference k₁ − k₂"),
            N_(
                "Both combinations are linear. However, k₁(x, x) − k₂(x, x) can be negative, and a squared length "
                "cannot."
            ),
        ),
        wrong(
            N_("All three"),
            N_("The first two always are. However, k₁(x, x) − k₂(x, x) can be negative, and a squared length cannot."),
        ),
    ),
    verdict=verdict,
    board=preset("moons", size=24, noise=0.2, seed=2, kernel="gaussian", sigma=1.0, value=10.0),
    deeper=True,
    introduces=("composed",),
    needs=(PRODUCT, at_most(60), WRITTEN, NEGATIVE),
    draw=draw,
    play=play,
    rests_on_answer=lambda stage: stage.pick("rule") == "sum" and present(stage).smallest_eigenvalue < 0,
    numbers=numbers,
    picks=(
        Pick("rule", N_("Function"), tuple(RULES), "sum", lambda name: RULES[name].name, in_more=True),
        Pick("second", N_("Second kernel"), tuple(SECONDS), "linear", SECOND.__getitem__, in_more=True),
    ),
    chart=chart,
    says=says,
    formula=lambda stage: RULES[str(stage.pick("rule"))].tex,
    more=(
        N_(
            "**Sum.** The features of $k_1 + k_2$ are the features of $k_1$ together with those of $k_2$. For $r \\ge "
            "0$, the features of $r\\,k_1$ are those of $k_1$, each multiplied by $\\sqrt r$. For $r < 0$, a squared "
            "length would be negative."
        ),
        N_(
            "**Product.** The features of $k_1 k_2$ are all products of a feature of $k_1$ and a feature of $k_2$. So "
            "every polynomial in $k_1$ with nonnegative coefficients is a kernel. You obtain the exponential "
            "$e^{k_1}$ as a limit of such polynomials, so it is a kernel too."
        ),
        N_(
            "**Functions of one point.** The features of $g(x)\\,k_1(x, z)\\,g(z)$ are those of $k_1$, each multiplied "
            "by $g(x)$. Gambosi's slides allow $g(x)\\,k_1(x, z)\\,h(z)$ for any functions $g$ and $h$. However, "
            "in general this is not symmetric, and for $h = -g$ one point can refute it. With $h = r\\,g$ and $r \\ge "
            "0$, it is a kernel. Here $g(x) = x_1$."
        ),
        N_(
            "**Matrices.** $x^\\top A z$ is a kernel if $A$ is symmetric and has no negative eigenvalue. If $A = "
            "LL^\\top$, its features are $L^\\top x$."
        ),
        N_(
            "**Gaussian of a kernel.** The squared distance of two feature vectors is $k_1(x, x) + k_1(z, z) - "
            "2k_1(x, z)$. So you can use the Gaussian of this distance for every kernel $k_1$. Here its width is 2. "
            "It is $g(x)\\,e^{k_1(x, z)/4}\\,g(z)$ with $g(x) = e^{-k_1(x, x)/8}$. The slides state this without a "
            "formula."
        ),
    ),
    tries=(
        Try(N_("r\u00a0=\u00a01"), set_dials(factor=1.0)),
        Try(N_("g k₁ h"), set_picks(rule="between")),
        Try(N_("exp(r k₁)"), set_picks(rule="exp")),
    ),
    shows=("K5", "K13"),
)
