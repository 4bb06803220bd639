"""The two quadratic programs as matrices: a point is a row of the primal, a row and a column of the dual (H1, H2)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.lessons.duality.boards import EIGHT, FOUR, SIXTY
from svmlab.lab.lessons.duality.second import SECOND, required_cvxopt_solutions
from svmlab.lab.numbers import short, zero_if_rounding
from svmlab.lab.teach.overlay import boundary_line, place, select_point, stroke
from svmlab.lab.teach.requirements import BIAS, BOTH_CLASSES, HARD, LINEAR, SEPARABLE, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Measure, Part, Pick, Step, Table, Try, right, wrong
from svmlab.lab.teach.table import head, named_row, number, row, table, words
from svmlab.lab.words import N_, _, bias, written
from svmlab.plot.frame import empty_chart
from svmlab.plot.palette import CLEAR, Palette
from svmlab.statements.opinion import Primal

FEW = 8  # points up to which the matrices are shown as numbers
NAMES = {"primal": N_("primal problem"), "dual": N_("dual problem")}
SAME = 1e-5  # difference of the multipliers of two solvers, relative to the largest, that counts as rounding
SAYS = {
    "primal": N_(
        "Each row is the constraint $y_i(b+\\langle w,x_i\\rangle)\\ge1$ of one point. The columns before α belong "
        "to the variables. The last row has the optimal values, and column α has the multipliers."
    ),
    "dual": N_(
        "Row $i$ and column $j$ contain $Q_{ij}=y_iy_j\\langle x_i,x_j\\rangle$. Each column belongs to a variable "
        "$\\alpha_j$. Column α has optimal values, which equal the multipliers of the primal constraints."
    ),
}
MANY_POINTS = N_(
    "Each row belongs to a point, and each column to a variable. Green entries are positive, and pink ones are "
    "negative. Click a row to select its point."
)
SEVERAL_ALPHA = N_(
    "Row $i$ and column $j$ contain $Q_{ij}=y_iy_j\\langle x_i,x_j\\rangle$. On this board several α are optimal, so "
    "two solvers can give different multipliers."
)


def primal_solution(stage: Stage) -> Primal:
    """Return the solution of the primal problem by cvxopt, which exists because w has two components."""
    primal = required_cvxopt_solutions(stage)[0]
    assert primal is not None, "a line has a finite w"
    return primal


def difference(stage: Stage) -> float:
    """Return the largest difference between the multipliers of the primal constraints and the dual variables."""
    return float(np.abs(primal_solution(stage).alpha - required_cvxopt_solutions(stage)[1].alpha).max())


def draw(stage: Stage) -> Data:
    """Draw the variables, w as an arrow for the primal problem, or a larger circle for a larger alpha."""
    if not stage.shown:
        return {}
    line, half = boundary_line(stage), stage.lab.view
    if stage.pick("program") == "primal":
        foot = line.foot(np.zeros(2))
        return {"overlay": [stroke(np.array([foot, foot + line.w]), "accent", "arrow")]}
    alpha = stage.solution.alpha / stage.solution.alpha.max()
    radius = half * (0.03 + 0.07 * np.sqrt(alpha))
    circles = zip(stage.data.X, radius, strict=True)
    return {"overlay": [stroke(np.r_[x, r], "witness-line", "disc") for x, r in circles]}


def chart(stage: Stage) -> Chart | Table:
    """Show the matrix of the chosen problem with its variables and multipliers, or its colours for many points."""
    problem, primal, dual = stage.lab.problem, primal_solution(stage), required_cvxopt_solutions(stage)[1]
    first = stage.pick("program") == "primal"
    matrix = in_notation(problem.qp("primal").A) if first else problem.qp("dual").P
    names = ["b", "w<sub>1</sub>", "w<sub>2</sub>"] if first else [str(j + 1) for j in range(problem.data.m)]
    if problem.data.m > FEW:
        return Chart(
            heat(matrix, names, stage.selected_row, not first, stage.palette), lambda row: _selected(stage, row)
        )
    alpha = primal.alpha if first else dual.alpha
    below: Array = np.r_[bias(primal.b), primal.w] if first else problem.data.y
    corner = primal.value if first else bias(dual.b)
    return Table(matrices(stage, matrix, names, alpha, below, corner, first))


def in_notation(matrix: Array) -> Array:
    """Return the matrix of the constraints y_i (b + <w, x_i>) >= 1, whose first column belongs to b."""
    return np.column_stack([bias(matrix[:, 0]), matrix[:, 1:]])


def _selected(stage: Stage, row: float) -> dict[str, object]:
    return dict(select_point(stage.lab.points[int(row)].id))


def matrices(
    stage: Stage, matrix: Array, names: Sequence[str], alpha: Array, below: Array, corner: float, first: bool
) -> str:
    """Return a matrix (m, n) as a table, each row with the multiplier of its point.

    The last row has the optimal b and w of the primal problem, or y and the optimal b for the dual problem.
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
    name = _("optimum") if first else written("y, b")
    return table(head(*names, "α"), body, [named_row(name, under)])


def says(stage: Stage) -> str:
    """Explain rows and columns, and compare the multipliers of the primal with the dual variables."""
    program = stage.pick("program")
    if stage.data.m > FEW:
        return _(MANY_POINTS)
    if program == "primal" or difference(stage) <= SAME * float(required_cvxopt_solutions(stage)[1].alpha.max()):
        return _(SAYS[program])
    if stage.solution.alpha_unique is False:
        return _(SEVERAL_ALPHA)
    return _(
        "Row $i$ and column $j$ contain $Q_{{ij}}=y_iy_j\\langle x_i,x_j\\rangle$. Column α has optimal values. The "
        "multipliers of the primal constraints differ from them by at most {difference}."
    ).format(difference=short(difference(stage), 2))


def more(stage: Stage) -> Sequence[Part]:
    """Explain the matrices, compare the sizes of the two problems, and show the solutions of three solvers."""
    exact, primal, dual = stage.solution, primal_solution(stage), required_cvxopt_solutions(stage)[1]
    w = (dual.alpha * stage.data.y) @ stage.data.X
    assert exact.w is not None
    solutions = (
        (_("primal problem, cvxopt"), primal.value, primal.w, primal.b),
        (_("dual problem, cvxopt"), dual.value, w, dual.b),
        (_("exact method"), exact.objective, exact.w, exact.b),
    )
    rows = [named_row(name, [number(v, 6), words(place(n)), number(bias(b), 5)]) for name, v, n, b in solutions]
    return [
        _(
            "**What a solver needs.** Both problems are quadratic programs, and you give a solver their matrices. Row "
            "$i$ of $A$ is $y_i\\,[1, x_i^\\top]$, so the constraints are $A\\,[b; w]\\ge\\mathbf 1$. The entry "
            "$Q_{ij}$ is the inner product of $y_ix_i$ and $y_jx_j$. It is positive if the angle between them is less "
            "than 90°."
        ),
        written(
            r"$$\min_{b,w} \tfrac12\|w\|^2,\quad A\,[b; w]\ge\mathbf 1 \qquad\qquad "
            r"\max_{\alpha\ge0,\;y^\top\alpha=0} \mathbf 1^\top\alpha-\tfrac12\,\alpha^\top Q\,\alpha$$"
        ),
        _(
            "**Which problem is smaller.** With $d$ features, the primal problem has $d+1$ variables. With the "
            "Gaussian kernel, $w$ has infinitely many components, but the dual problem still has $m$ variables. The "
            "table compares three solvers."
        ),
        Table(table(head(_("optimal value"), "w", "b"), rows)),
    ]


def heat(values: Array, names: Sequence[str], selected: int | None, column: bool, palette: Palette) -> go.Figure:
    """Draw a matrix (m, n), one row for each point, in green above 0 and pink below.

    selected: a row that is marked, and also its column if `column` is set. The customdata of an entry is its row.
    """
    m, n = values.shape
    figure = empty_chart(palette, "", _("point"), height=320, zoom=True)
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
    title=N_("The dual problem"),
    introduces=("dual", "quadratic-program", "kernel-matrix-q"),
    situation=N_(
        "The **primal problem** minimises $\\frac12\\|w\\|^2$ over $w$ and $b$, subject to $y_if(x_i)\\ge1$ for each "
        "of the $m$ points. The **dual problem** maximises "
        "$\\sum_i\\alpha_i-\\frac12\\sum_{i,j}\\alpha_i\\alpha_jy_iy_j\\langle x_i,x_j\\rangle$ over the multipliers, "
        "subject to $\\alpha_i\\ge0$ and $\\sum_i\\alpha_iy_i=0$."
    ),
    question=N_(
        "For every number $m$ of points in the plane, how many variables do the primal and the dual problem have?"
    ),
    choices=(
        right(N_("Primal 3, dual m")),
        wrong(
            N_("Primal m, dual 3"),
            N_(
                "Each point does appear in the primal problem. However, it adds a constraint there, and the variables "
                "are b, w₁ and w₂."
            ),
        ),
        wrong(
            N_("Primal m, dual m"),
            N_(
                "Each point adds a row to both matrices. However, a row of the primal matrix is a constraint and not a "
                "variable."
            ),
        ),
    ),
    verdict=lambda stage: _(
        "Primal 3, dual m. The primal variables are b, w₁ and w₂. The dual has one α for each point, so here "
        "m\u00a0=\u00a0{m}."
    ).format(m=stage.data.m),
    board=FOUR,
    needs=(BOTH_CLASSES, LINEAR, BIAS, HARD, SEPARABLE, at_most(60), SECOND),
    draw=draw,
    rests_on_answer=lambda stage: bool(draw(stage)["overlay"]),
    numbers=(
        Measure(N_("primal variables"), lambda stage: float(len(primal_solution(stage).w) + 1), after_show=True),
        Measure(N_("dual variables"), lambda stage: float(stage.data.m), after_show=True),
        Measure(
            N_("optimal value"),
            lambda stage: primal_solution(stage).value,
            N_("The common optimal value of the primal and the dual problem"),
            after_show=True,
        ),
    ),
    picks=(Pick("program", N_("Problem"), tuple(NAMES), "primal", lambda name: _(NAMES[name])),),
    chart=chart,
    says=says,
    formula=lambda stage: (
        r"\min_{w,b}\ \tfrac12\|w\|^2, \qquad y_i(\langle w,x_i\rangle+b)\ge1"
        if stage.pick("program") == "primal"
        else r"\max_\alpha\ \mathbf 1^\top\alpha - \tfrac12\,\alpha^\top Q\,\alpha, \quad \alpha\ge 0,\; y^\top\alpha=0"
    ),
    more=more,
    tries=(
        Try(N_("Third point"), lambda stage: select_point(stage.lab.points[min(2, stage.data.m - 1)].id)),
        Try(N_("Eight points"), board=EIGHT),
        Try(N_("Sixty points"), board=SIXTY),
    ),
    shows=("H1", "H2", "H14", "H15"),
)
