"""The two quadratic programs as matrices: a point is a row of the primal, a row and a column of the dual (H1, H2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.charts.frame import blank
from svmlab.lab.charts.palette import CLEAR, Palette
from svmlab.lab.lessons.duality.boards import EIGHT, FOUR, SIXTY
from svmlab.lab.lessons.duality.second import SECOND, required_cvxopt_solutions
from svmlab.lab.numbers import short, zero_if_rounding
from svmlab.lab.teach.overlay import place, reading, select_point
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, HARD, LINEAR, SEPARABLE, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Part, Pick, Reading, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, named_row, number, row, table, words
from svmlab.lab.words import N_, _
from svmlab.statements.opinion import Primal

FEW = 8  # points up to which matrices are printed as numbers
NAMES = {"primal": N_("primal: A u ≥ 1"), "dual": N_("dual: Q")}
SAME = 1e-5  # how far the multipliers of two solvers may be apart, relative to the largest


def finite(stage: Stage) -> Primal:
    """What the second solver says of the primal, whose w is in the plane."""
    primal = required_cvxopt_solutions(stage)[0]
    assert primal is not None, "a straight line has a finite w"
    return primal


def apart(stage: Stage) -> float:
    """The largest difference between the multipliers of the primal's rows and the unknowns of the dual."""
    return float(np.abs(finite(stage).alpha - required_cvxopt_solutions(stage)[1].alpha).max())


def numbers(stage: Stage) -> Sequence[Reading]:
    """Unknowns and values of both."""
    if not stage.shown:
        return ()
    primal, dual = finite(stage), required_cvxopt_solutions(stage)[1]
    return [
        reading(_("unknowns"), f"{len(primal.w) + 1}, {stage.data.m}"),
        reading(_("primal"), primal.value),
        reading(_("dual"), dual.value),
        reading(_("α apart"), apart(stage)),
    ]


def chart(stage: Stage) -> Chart | Table:
    """The matrix of the chosen program with its unknowns and multipliers; of many points as a map in colours."""
    problem, primal, dual = stage.lab.problem, finite(stage), required_cvxopt_solutions(stage)[1]
    first = stage.pick("program") == "primal"
    matrix = problem.qp("primal").A if first else problem.qp("dual").P
    names = ["b", "w<sub>1</sub>", "w<sub>2</sub>"] if first else [str(j + 1) for j in range(problem.data.m)]
    if problem.data.m > FEW:
        return Chart(
            heat(matrix, names, stage.selected_row, not first, stage.palette), lambda row: _selected(stage, row)
        )
    alpha = primal.alpha if first else dual.alpha
    below: Array = np.r_[primal.b, primal.w] if first else problem.data.y
    corner = primal.value if first else dual.b
    return Table(matrices(stage, matrix, names, alpha, below, corner, first))


def _selected(stage: Stage, row: float) -> dict[str, object]:
    return dict(select_point(stage.lab.points[int(row)].id))


def matrices(
    stage: Stage, matrix: Array, names: Sequence[str], alpha: Array, below: Array, corner: float, first: bool
) -> str:
    """The rows of a matrix (m, n), each with the multiplier of its point; below them u (the primal) or y and b (the
    dual).
    """
    data, at = stage.data, stage.selected_row
    top = float(np.abs(matrix).max(initial=0.0)) or 1.0
    column = ["column" if j == at and not first else "" for j in range(matrix.shape[1])]
    body = []
    for i, id_ in enumerate(data.ids):
        cells = [number(float(v), 3, kind, float(v) / top) for v, kind in zip(matrix[i], column, strict=True)]
        cells.append(number(zero_if_rounding(float(alpha[i]), 1e-9), 3, "edge unknown"))
        body.append(row(int(id_), str(i + 1), float(data.y[i]), cells, stage.lab.selected))
    kind = "unknown" if first else ""
    under = [
        number(zero_if_rounding(float(v), 1e-9), 3, f"{kind} {c}".strip()) for v, c in zip(below, column, strict=True)
    ]
    under.append(words("") if first else number(zero_if_rounding(corner, 1e-9), 3, "edge unknown"))
    name = "u" if first else "y, b"
    return table(head(*names, "α"), body, [named_row(name, under)])


def says(stage: Stage) -> str:
    """What ties the two together, as it was measured."""
    if apart(stage) <= SAME * float(required_cvxopt_solutions(stage)[1].alpha.max()):
        return _(
            "The multipliers of the primal's rows **are** the unknowns α of the dual, and that of the dual's "
            "equation is **b**."
        )
    if stage.solution.alpha_unique is False:
        return _("Both solvers are right, and yet their α differ: on this board several α are optimal.")
    return _(
        "The multipliers of the primal's rows and the unknowns α of the dual agree to {apart}, and no better."
    ).format(apart=short(apart(stage), 2))


def more(stage: Stage) -> Sequence[Part]:
    """Both programs in matrices, and three solvers side by side."""
    exact, primal, dual = stage.solution, finite(stage), required_cvxopt_solutions(stage)[1]
    w = (dual.alpha * stage.data.y) @ stage.data.X
    assert exact.w is not None
    answers = (
        (_("printed primal"), primal.value, primal.w, primal.b),
        (_("printed dual"), dual.value, w, dual.b),
        (_("exact method"), exact.objective, exact.w, exact.b),
    )
    rows = [named_row(name, [number(v, 6), words(place(n)), number(b, 5)]) for name, v, n, b in answers]
    return [
        _(
            "A solver for quadratic programs wants matrices. Row $i$ of $A$ is $y_i\\,[1, x_i^\\top]$, and "
            "$Q_{ij} = y_i y_j \\langle x_i, x_j\\rangle$: a positive entry means that two points pull $w$ "
            "the same way, "
            "a negative one that they pull against each other. Where $w$ has infinitely many entries, as "
            "with the Gaussian "
            "kernel, the primal cannot be written down; the dual still has one unknown for each point."
        ),
        r"$$\min_u \tfrac12 u^\top P u,\quad u = [b; w],\quad P=\operatorname{diag}(0,1,1),\quad A u\ge\mathbf 1$$",
        Table(table(head(_("value"), "w", "b"), rows)),
    ]


def heat(values: Array, names: Sequence[str], selected: int | None, column: bool, palette: Palette) -> go.Figure:
    """A matrix (m, n), one row a point: accent above 0, witness below. `selected` marks its row, and its `column` if it
    has one.

    The customdata of a place is its row.
    """
    m, n = values.shape
    figure = blank(palette, "", _("point"), height=320, zoom=True)
    top = float(np.abs(values).max()) or 1.0
    figure.add_trace(
        go.Heatmap(
            z=np.asarray(values, dtype=float),
            x=np.arange(1, n + 1),
            y=np.arange(1, m + 1),
            zmin=-top,
            zmax=top,
            colorscale=[[0.0, palette.other], [0.5, CLEAR], [1.0, palette.accent]],
            showscale=False,
            name="matrix",
            xgap=0.5,
            ygap=0.5,
            customdata=np.broadcast_to(np.arange(m)[:, None], values.shape),
            hovertemplate=_("point") + " %{y}, %{x}<br>%{z:.6g}<extra></extra>",
        )
    )
    ticks = {"tickvals": list(range(1, n + 1)), "ticktext": list(names)} if n <= 5 else {"nticks": 6}
    figure.update_xaxes(showgrid=False, **ticks)
    figure.update_yaxes(autorange="reversed", showgrid=False, nticks=5)
    if selected is not None:
        _band(figure, palette, y0=selected + 0.5, y1=selected + 1.5, x0=0.5, x1=n + 0.5)
        if column:
            _band(figure, palette, x0=selected + 0.5, x1=selected + 1.5, y0=0.5, y1=m + 0.5)
    return figure


def _band(figure: go.Figure, palette: Palette, **box: float) -> None:
    figure.add_shape(type="rect", line=palette.pen(palette.text, 2), fillcolor=CLEAR, **box)


PROGRAMS = Step(
    key="programs",
    title=N_("Two programs"),
    question=N_(
        "The primal asks for $w$ and $b$, the dual for a weight of each point. "
        "How many unknowns have they, on $m$ points in the plane?"
    ),
    choices=(
        right(N_("3 in the primal, m in the dual")),
        wrong(
            N_("m in the primal, 3 in the dual"),
            N_("Each point gives the primal a constraint, a row; the unknowns are b, w₁, w₂."),
        ),
        wrong(N_("m in both"), N_("Both have one line for each point, but in the primal it is a row, not an unknown.")),
    ),
    board=FOUR,
    needs=(BOTH_CLASSES, LINEAR, BIAS, HARD, SEPARABLE, at_most(60), SECOND),
    numbers=numbers,
    picks=(Pick("program", N_("Program"), tuple(NAMES), "primal", lambda name: _(NAMES[name])),),
    chart=chart,
    says=says,
    formula=(
        r"\max_\alpha\ \mathbf 1^\top\alpha - \tfrac12\,\alpha^\top Q\,\alpha, \qquad \alpha\ge 0,\;\; "
        r"y^\top\alpha=0"
    ),
    more=more,
    tries=(
        Try(N_("Third point"), lambda stage: select_point(stage.lab.points[min(2, stage.data.m - 1)].id)),
        Try(N_("Eight points"), board=EIGHT),
        Try(N_("Sixty"), board=SIXTY),
    ),
    shows=("H1", "H2"),
)
