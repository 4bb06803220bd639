"""A construction kit for kernels: what keeps one a kernel, and what breaks it (K5, K13).

Most rules have a number c in them and keep what is a kernel a kernel for c >= 0; below 0 each of those can be broken.
What the rule makes of the board's kernel is solved and drawn at once, and can be put on the board to be built upon.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import plotly.graph_objects as go

from svmlab import Composed, Problem
from svmlab.core.arrays import Array
from svmlab.lab.board.payload import announcements
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.kernels.rules import RULES, SECONDS, Built, build, taken_back, written
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.overlay import (
    POINTS_ONLY,
    boundary_strokes,
    dial,
    reading,
    replace_machine,
    set_dials,
    set_machine,
    stroke,
)
from svmlab.lab.teach.requirements import BOTH_CLASSES, SOLVED, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _, message_of

SECOND = {"one": "k₂ = 1", "linear": "k₂ = ⟨x, x′⟩", "gaussian": N_("k₂ = Gaussian")}
SHORT = 70  # characters of LaTeX in all up to which k stands beside the rule
SAYS = {
    "between": N_(
        "The features of $k$, each times $g(x)$. With $h = -g$ one point is enough: $k'(x,x) = -g(x)^2 k(x,x) < 0$."
    ),
    "scaled": N_("The features of $k$, each times $\\sqrt c$: a factor below 0 has no root, and all eigenvalues turn."),
    "sum": N_(
        "The features of both side by side. A difference may fail: what is taken away may be longer than what is there."
    ),
    "product": N_("All products of a feature of one and a feature of the other, so no sum of signs can go wrong."),
    "polynomial": N_("Products and sums of $k$ with itself. A negative coefficient takes features away again."),
    "exp": N_("A polynomial without end, $\\sum c^n k^n/n!$, with coefficients that are not negative for $c \\ge 0$."),
    "form": N_(
        "$A = L L^\\top$ gives the features $L^\\top x$. Its eigenvalue $c$ below 0 has no root, and no "
        "such $L$ is real."
    ),
    "gaussian": N_(
        "The Gaussian of the distance $d$ in the features of $k$, for every kernel $k$: $g\\,e^{k/4} g$ "
        "with $g = e^{-k(x,x)/8}$."
    ),
}
BUILDS = Need(
    lambda stage: written(stage.lab.kernel_function.recipe),
    N_("The kit cannot write this kernel as a recipe."),
    {"kernel": "linear"},
)


def factor(stage: Stage) -> float:
    """The number c."""
    return round(stage.dial("factor", 1.0), 3)


def built(stage: Stage) -> Built:
    """What the chosen rule makes of the kernel on the board."""
    rule, second, c = stage.pick("rule"), stage.pick("second"), factor(stage)
    recipe, data = stage.lab.kernel_function.recipe, stage.data
    return stage.cached(f"built {rule} {second} {c}", lambda: build(recipe, second, rule, c, data))


def draw(stage: Stage) -> Data:
    """The machine with the new kernel as if it stood there, and c under the board; the own boundary is thin.

    Where the new kernel is none, its boundary has the colour of the witness.
    """
    if not stage.shown:
        return {}
    c, lab = factor(stage), stage.lab
    made = dial("factor", _("The number c in the rule"), "c", c, -2.0, 2.0, 0.05)
    found: Data = {"sliders": [made | {"disabled": not RULES[stage.pick("rule")].turned}]}
    own = boundary_strokes(stage, "own", stage.solution, "faint")
    kernel = built(stage).kernel
    machine = None
    if kernel is not None:
        machine = stage.cache.outcome(Problem(lab.data, kernel, lab.C, lab.bias)).solution
    if machine is None:
        return found | POINTS_ONLY | {"legend": None, "heard": announcements(lab, None), "overlay": own}
    seen = stage.cache.scene(machine, lab.view)
    if built(stage).least < 0:
        own = [*own, *(stroke(line, "witness-line") for line in seen.zero)]
        seen = replace(seen, zero=())
    return found | replace_machine(stage, machine, seen) | {"overlay": own}


def play(stage: Stage) -> Data | None:
    """C goes up through 0, where the rule has it."""
    if not RULES[stage.pick("rule")].turned:
        return None
    return {"key": "factor", "op": "dial", "from": -1.0, "to": 1.0, "ms": 2400}


def numbers(stage: Stage) -> Sequence[Reading]:
    """The least eigenvalue, whether the rules prove a kernel, and the features with their products."""
    if not stage.shown:
        return ()
    found = built(stage)
    if found.why is not None:
        return ()
    known = _("by the rule") if found.known else _("refuted here") if found.least < 0 else _("not known")
    readings = [reading(_("least eigenvalue"), found.least), reading(_("a kernel"), known)]
    if found.kernel is None or not found.known:
        return readings
    n = found.kernel.feature_dim(2)
    readings.append(reading(_("coordinates"), "∞" if n is None else str(n)))
    if found.off is not None:
        readings.append(reading("K − Φ Φᵀ", found.off))
    return readings


def chart(stage: Stage) -> Chart:
    """The spectrum of the new Gram matrix, and ticks where that of the old one is."""
    old = stage.cached("own spectrum", lambda: np.linalg.eigvalsh(stage.lab.problem.gram))
    return Chart(spectrum(built(stage).values, old, _("on the board"), stage.palette))


def says(stage: Stage) -> str:
    """Why the rule keeps a kernel a kernel, or what stands in the way of trying it."""
    found = built(stage)
    if found.why is not None:
        return message_of(found.why).removeprefix("recipe: ")
    rule = stage.pick("rule")
    return _(SAYS[rule])


def formula(stage: Stage) -> str:
    """The rule, and what k is where there is room."""
    k = Composed(stage.lab.kernel_function.recipe).formula
    rule = "k' = " + RULES[stage.pick("rule")].tex
    return rule + rf",\qquad k = {k}" if len(rule + k) <= SHORT else rule


def kept(stage: Stage) -> Op:
    """The operation that changes nothing."""
    return set_machine(kernel=stage.lab.kernel)


def put(stage: Stage) -> Op:
    """What was built on the board; where nothing was, the board stays."""
    kernel = built(stage).kernel
    return kept(stage) if kernel is None else set_machine(kernel=kernel.name, recipe=kernel.recipe)


def back(stage: Stage) -> Op:
    """The board's kernel without its last rule; one without stays."""
    kernel = Composed(stage.lab.kernel_function.recipe)
    before = taken_back(kernel.recipe)
    return kept(stage) if before == kernel.recipe else set_machine(kernel=kernel.name, recipe=before)


def more(stage: Stage) -> Sequence[Part]:
    """What stands on the board and what would; which rules the notes have; why a board can only refute."""
    found = built(stage)
    parts: list[Part] = [
        _("On the board: ${formula}$, as a recipe `{recipe}`.").format(
            formula=stage.lab.kernel_function.formula, recipe=Composed(stage.lab.kernel_function.recipe).recipe
        )
    ]
    if found.kernel is not None:
        parts.append(
            _("What the rule makes of it: ${formula}$, as a recipe `{recipe}`.").format(
                formula=found.kernel.formula, recipe=found.kernel.recipe
            )
        )
    parts.append(
        _(
            "The English notes list $c\\,k$, $x^\\top A x'$ and $g\\,k\\,h$ for **any** $g$ and $h$, and use "
            "sums, polynomials and "
            "exponentials in their examples. $h$ must be $c g$ with $c \\ge 0$: for $c < 0$ lengths turn "
            "negative, for other $h$ the "
            "matrix is not even symmetric. "
            "$A$ must be symmetric, and semidefinite is enough. That the Gaussian works for every kernel is "
            "said without a formula."
        )
    )
    if not found.known and found.least < 0:
        parts.append(
            _(
                "With {least} among the eigenvalues this is no inner product of anything. The machine on the "
                "board is the one "
                "whose matrix has the negative ones set to 0."
            ).format(least=short(found.least, 3))
        )
    return parts


DECADES = 3  # of sizes below the largest that are told apart; smaller ones shrink towards 0
DUST = 1e-13  # of the largest: what rounding leaves of an eigenvalue that is 0, for each point


def settled(values: Array) -> Array:
    """Eigenvalues (m,) from the largest down, what is 0 but for rounding as 0."""
    falling = np.sort(values)[::-1]
    noise = DUST * len(values) * float(np.abs(values).max(initial=0.0))
    return np.where(np.abs(falling) <= noise, 0.0, falling)


def spectrum(values: Array, before: Array, name: str, palette: Palette) -> go.Figure:
    """Eigenvalues (m,) as bars from the largest down, heights by their powers of ten on both sides of 0.

    before: those of another matrix as ticks, called `name`.
    """
    now, old = settled(values), settled(before)
    both = np.r_[now, old]
    top = float(np.abs(both).max(initial=0.0)) or 1.0
    least = 10.0 ** (np.floor(np.log10(top)) - DECADES)
    figure = blank(palette, _("eigenvalue of K, from the largest down"), height=300)
    at = np.arange(1, len(now) + 1)
    figure.add_trace(
        go.Bar(
            x=at,
            y=_height(now, least),
            marker={"color": np.where(now < 0, palette.other, palette.accent)},
            name="eigenvalues",
            customdata=now,
            hovertemplate="%{x}: %{customdata:.6g}<extra></extra>",
        )
    )
    if len(old):
        mark = {"symbol": "line-ew", "size": 9 * palette.stroke, "color": CLEAR, "line": palette.pen(palette.text, 2)}
        figure.add_trace(
            go.Scatter(
                x=np.arange(1, len(old) + 1),
                y=_height(old, least),
                mode="markers",
                marker=mark,
                name=name,
                customdata=old,
                hovertemplate=f"{name} %{{x}}: %{{customdata:.6g}}<extra></extra>",
            )
        )
    _axes(figure, both, least, palette)
    end = max(len(now), len(old)) + 0.5
    figure.update_xaxes(range=[0.4, end + 0.1], showgrid=False, nticks=8, tickformat="d")
    figure.update_layout(bargap=0.25)
    add_rule(figure, palette, palette.quiet, y=0.0, width=1.5)
    if not (now < 0).any():
        return figure
    worst = float(now.min())
    said = _("least: {value}").format(value=short(worst, 3))
    return place_labels(
        figure, palette, [Label(said, len(now), float(_height(now, least).min()), palette.other, "below left")]
    )


def _height(values: Array, least: float) -> Array:
    """Nearly in proportion below `least`, and as a logarithm beyond, on both sides of 0."""
    return np.asarray(np.arcsinh(values / least / 2) / np.log(10.0))


def _axes(figure: go.Figure, values: Array, least: float, palette: Palette) -> None:
    """Ticks at powers of ten on either side that has values."""
    heights = _height(values, least)
    lo, hi = min(0.0, float(heights.min())), max(0.0, float(heights.max()))
    powers = least * 10.0 ** np.arange(0, DECADES + 2)
    ticks = [*(-powers[::-1]), 0.0, *powers]
    shown = [t for t in ticks if lo - 1e-9 <= float(_height(np.array(t), least)) <= hi + 1e-9 and abs(t) != least]
    room = 0.06 * (hi - lo) or 0.5
    figure.update_yaxes(
        range=[lo - (2.5 * room if lo < 0 else room / 2), hi + room],
        tickvals=[float(_height(np.array(t), least)) for t in shown],
        ticktext=[short(t, 2) for t in shown],
    )


BUILD = Step(
    key="build",
    title=N_("Building kernels"),
    question=N_("$k$ is a kernel, $g$ and $h$ are any functions. Which of these is a kernel too, on every board?"),
    choices=(
        wrong(
            N_("g(x) k(x, x′) h(x′)"),
            N_("So one of the notes has it. But try h = −g: k(x, x) turns negative."),
        ),
        right(N_("g(x) k(x, x′) g(x′)")),
        wrong(N_("k(x, x′) − 1"), N_("A sum of kernels is one, a difference need not be: see where 1 is larger.")),
    ),
    verdict=lambda stage: _("g(x) k(x, x′) g(x′): its features are those of k, each times g."),
    board=preset("moons", size=24, noise=0.2, seed=2, kernel="gaussian", sigma=1.0, value=10.0),
    needs=(BOTH_CLASSES, BUILDS, SOLVED, at_most(60)),
    draw=draw,
    play=play,
    numbers=numbers,
    picks=(
        Pick("rule", N_("Rule"), tuple(RULES), "between", lambda name: RULES[name].name),
        Pick("second", N_("With"), tuple(SECONDS), "one", lambda name: SECOND[name]),
    ),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try("c = −1", set_dials(factor=-1.0)),
        Try(N_("Put on the board"), put),
        Try(N_("Take a rule back"), back),
    ),
    shows=("K5", "K13"),
)
