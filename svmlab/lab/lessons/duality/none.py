"""The dual of classes that are not separable: it is unbounded (H11)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import NotSeparable
from svmlab.core.arrays import Array, Index
from svmlab.lab.charts.marks import add_rule, mark_current
from svmlab.lab.lessons.duality.ascent import ascent
from svmlab.lab.numbers import short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import place
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, PRODUCT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Dial, Measure, Need, Part, Pick, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, number, row, table, words
from svmlab.lab.words import N_, _, written
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

STEPS = 200
LARGEST = 10.0
BOUNDS = {"none": math.inf, "4": 4.0, "1": 1.0}
FACTOR = Dial("along", N_("Factor s of the weights v"), "s", 0.0, LARGEST, 0.1, start=1.0, after_show=True)


def certificate_or_none(stage: Stage) -> tuple[Array, Index] | None:
    """Return weights v (m,) with sum v_i y_i phi(x_i) = 0, and the rows where they are positive.

    None if the classes are separable.
    """
    error = stage.outcome.error
    if not isinstance(error, NotSeparable) or error.separation.weights is None:
        return None
    return error.separation.weights, error.separation.witness


NOT_SEPARABLE = Need(
    lambda stage: certificate_or_none(stage) is not None,
    N_("These classes are separable, so the dual has an optimal α."),
    {},
)


def certificate(stage: Stage) -> tuple[Array, Index]:
    """Return the same where the need NOT_SEPARABLE is met."""
    known = certificate_or_none(stage)
    assert known is not None, "this step needs NOT_SEPARABLE"
    return known


def slope(stage: Stage) -> float:
    """Return the sum of the weights v, by which the dual objective grows along s v."""
    return float(certificate(stage)[0].sum())


def curvature(stage: Stage) -> float:
    """Return v'Qv, which is 0, or what rounding leaves of it."""
    problem, v = stage.lab.problem, certificate(stage)[0]
    signed = v * problem.data.y
    value, size = float(signed @ problem.gram @ signed), float(v @ np.abs(problem.gram) @ v)
    return 0.0 if value <= 1e-10 * size else value


def largest_factor(stage: Stage) -> float:
    """Return the factor at which a multiplier reaches the chosen upper bound."""
    return BOUNDS[stage.pick("ceiling")] / float(certificate(stage)[0].max())


def factor(stage: Stage) -> float:
    """Return the factor s of the weights on the board."""
    return min(FACTOR(stage), largest_factor(stage))


def linear_term(stage: Stage) -> float:
    """Return the sum of the multipliers alpha = s v."""
    return factor(stage) * slope(stage)


def quadratic_term(stage: Stage) -> float:
    """Return 1/2 alpha'Q alpha for alpha = s v."""
    return 0.5 * curvature(stage) * factor(stage) ** 2


def draw(stage: Stage) -> Data:
    """Return the points filled by their multipliers. The certificate appears with the answer."""
    if not stage.shown:
        return {"message": None, "witness": None}
    v, m = certificate(stage)[0], stage.data.m
    look = {
        "fill": np.round(np.minimum(1.0, factor(stage) * v / (LARGEST * float(v.max()))), 3).tolist(),
        "state": ["none"] * m,
        "cat": ["outside"] * m,
        "wrong": [False] * m,
    }
    return {"message": None, "marks": look}


def chart(stage: Stage) -> Chart:
    """Return the dual objective along s v, up to where an upper bound stops it."""
    return Chart(ray(slope(stage), curvature(stage), largest_factor(stage), factor(stage), LARGEST, stage.palette))


def says(stage: Stage) -> str:
    """Return what v is, or what an upper bound changes."""
    if stage.pick("ceiling") != "none":
        return _(
            "With slack, $\\alpha_i \\le C$ holds too. So $s$ stops at {end}, where a multiplier reaches $C$. The dual "
            "objective of a feasible $\\alpha$ is at most $mC$."
        ).format(end=short(largest_factor(stage), 3))
    if stage.lab.bias and stage.lab.kernel_function.is_linear:
        return _(
            "The line shows the dual objective $D$ for $\\alpha = s\\,v$. The weights $v$ of the ringed points give "
            "the same point (pink) in both convex hulls, so the quadratic term of $D$ is 0."
        )
    return _(
        "The line shows the dual objective $D$ for $\\alpha = s\\,v$. The weights $v$ of the ringed points make the "
        "sum $\\sum_i v_i y_i \\varphi(x_i)$ zero, so the quadratic term of $D$ is 0."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the contradiction of the constraints, the weights, an algorithm, and what the notes say."""
    data, (v, rows) = stage.data, certificate(stage)
    body = [
        row(
            int(data.ids[i]),
            str(i + 1),
            float(data.y[i]),
            [words(place(data.X[i])), number(float(v[i]), 4)],
            stage.lab.selected,
        )
        for i in rows
    ]
    run = stage.cached("ascent", lambda: ascent(stage.lab.problem, STEPS))
    if run.unbounded:
        algorithm = _("**An algorithm.** An ascent from $\\alpha = 0$ finds a direction in which $D$ has no bound.")
    else:
        algorithm = _(
            "**An algorithm.** An ascent from $\\alpha = 0$ reaches $D$ = {dual} after {steps} steps and has not "
            "converged."
        ).format(dual=short(float(run.dual[-1])), steps=run.steps)
    return [
        _(
            "**The constraints contradict each other.** For every $(w, b)$, the sum $\\sum_i v_i\\,y_if(x_i)$ is 0. If "
            "all constraints $y_if(x_i) \\ge 1$ held, it would be at least $\\sum_i v_i$, which is {asked} here."
        ).format(asked=short(slope(stage))),
        written(r"$$\sum_iv_iy_i\varphi(x_i)=0\;\Rightarrow\;\sum_iv_i\,y_if(x_i)=0\;\text{ for all }(w,b)$$"),
        _(
            "**Why such weights exist.** Two classes are separable if and only if their convex hulls in feature space "
            "do not meet (with a bias). A common point is a convex combination of the points of each class. The "
            "weights of both combinations are $v$."
        ),
        Table(table(head("x", "v"), body)),
        algorithm,
        _(
            "**Separable classes.** There, $D(s\\,\\alpha^*)$ is a parabola in $s$ with its maximum at $s = 1$, if "
            "$\\alpha^*$ is optimal."
        ),
        _(
            "**What the notes say.** Gruber's German handout states: “Liegt lineare Trennbarkeit nicht vor, versagt "
            "das Verfahren.” So without linear separability, the method fails. The Italian notes on half-spaces and "
            "hinge loss state: “non esiste un iperpiano separatore e l'insieme delle soluzioni è vuoto”. In English: "
            "there is no separating hyperplane, and the set of solutions is empty. Both are correct for the hard "
            "margin."
        ),
    ]


def ray(slope: float, curvature: float, end: float, here: float, largest: float, palette: Palette) -> go.Figure:
    """Return slope s - curvature s^2 / 2 for s up to `largest`, or to a smaller `end`; the board is at `here`."""
    figure = empty_chart(palette, _("factor s"), "D(s v)", height=300)
    s = np.linspace(0.0, min(end, largest), 80)
    figure.add_trace(
        go.Scatter(
            x=s,
            y=slope * s - 0.5 * curvature * s * s,
            mode="lines",
            line=palette.pen(palette.other, 3),
            hovertemplate="s = %{x:.3g}<br>D = %{y:.5g}<extra></extra>",
            name="dual",
        )
    )
    top = slope * largest
    figure.update_xaxes(range=[0.0, 1.02 * largest])
    figure.update_yaxes(range=[-0.06 * top, 1.1 * top], nticks=4)
    if here <= end:
        mark_current(figure, palette, here, slope * here - 0.5 * curvature * here * here)
    if end <= largest:
        add_rule(figure, palette, palette.quiet, "dash", x=end)
        reached = Label(_("a multiplier reaches C"), end, 0.9 * top, palette.text, "right")
        return place_labels(figure, palette, [reached])
    labels = [Label(_("no upper bound"), 0.55 * largest, 0.55 * top, palette.other, "below right")]
    return place_labels(figure, palette, labels if math.isinf(end) else [])


OUTLIER = board_of_points(
    (
        (1.2, 1, 1),
        (2, -0.5, 1),
        (2.6, 1.8, 1),
        (1.6, 2.4, 1),
        (3, 0.4, 1),
        (-1.4, 0.6, 1),
        (-1, -1, -1),
        (-2.2, 0.4, -1),
        (-1.6, 1.6, -1),
        (-2.8, -1.2, -1),
        (-0.8, 0.8, -1),
    ),
    hard=True,
)

NONE = Step(
    key="none",
    title=N_("Non-separable classes"),
    situation=lambda stage: _(
        "No decision boundary separates the two classes. So no $(w, b)$ satisfies all constraints $y_i f(x_i) \\ge 1$, "
        "and the primal problem of the hard margin has no solution. The dual problem maximises $D(\\alpha) = "
        "\\sum_i\\alpha_i - \\tfrac12\\|\\sum_i\\alpha_iy_i{features}\\|^2$ subject to {constraints}."
    ).format(
        features="x_i" if stage.lab.kernel_function.is_linear else r"\varphi(x_i)",
        constraints=r"$\alpha_i \ge 0$"
        if not stage.lab.bias
        else written(r"$\alpha_i \ge 0$ and $\sum_i\alpha_iy_i = 0$"),
    ),
    question=N_("What happens to the dual problem of the hard margin if the two classes are not separable?"),
    choices=(
        wrong(
            N_("It has no feasible α either"),
            N_(
                "The primal problem has no feasible w, b. However, α\u00a0=\u00a00 satisfies all constraints of the "
                "dual problem."
            ),
        ),
        right(N_("Its objective D(α) grows without bound")),
        wrong(
            N_("Its optimal α is 0"),
            N_(
                "At α\u00a0=\u00a00, the objective D is 0. However, D has no upper bound, so other feasible α give a "
                "positive value."
            ),
        ),
    ),
    verdict=lambda stage: _(
        "Its objective D(α) grows without bound. For s times the weights v of the ringed points, D is {slope}\u00a0s."
    ).format(slope=short(slope(stage), 3)),
    board=preset("xor", size=8, seed=0, hard=True),
    needs=(BOTH_CLASSES, PRODUCT, HARD, NOT_SEPARABLE),
    deeper=True,
    dials=(FACTOR,),
    draw=draw,
    play=FACTOR.play(0.0, 8.0, 2000),
    rests_on_answer=lambda stage: linear_term(stage) - quadratic_term(stage) > 0,
    numbers=(
        Measure(N_("sum Σ αᵢ"), linear_term, N_("The linear term of D for α = s v"), after_show=True),
        Measure(N_("quadratic term"), quadratic_term, N_("The quadratic term of D for α = s v"), after_show=True),
        Measure(
            "D(α)",
            lambda stage: linear_term(stage) - quadratic_term(stage),
            N_("The dual objective, the linear term minus the quadratic term"),
            after_show=True,
        ),
    ),
    picks=(
        Pick(
            "ceiling",
            N_("Upper bound of the multipliers"),
            tuple(BOUNDS),
            "none",
            lambda name: _("no bound") if name == "none" else f"C = {name}",
        ),
    ),
    chart=chart,
    says=says,
    formula=lambda stage: (
        r"v\ge0,\ \sum_iv_iy_i"
        + ("x_i" if stage.lab.kernel_function.is_linear else r"\varphi(x_i)")
        + r"=0"
        + (r",\ \sum_iv_iy_i=0" if stage.lab.bias else "")
        + r"\Rightarrow D(s\,v)=s\sum_iv_i"
    ),
    more=more,
    tries=(
        Try("s = 10", FACTOR.to(10.0)),
        Try(N_("One outlier"), board=OUTLIER),
        Try(N_("Two equal points"), board=board_of_points(((0, 0, 1), (0, 0, -1), (2, 1, 1), (-2, -1, -1)), hard=True)),
    ),
    shows=("H11",),
)
