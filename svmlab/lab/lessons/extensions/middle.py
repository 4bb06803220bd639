"""A class between two others: no line separates it from the rest, and often w = 0 is optimal (X1, its limit)."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab import SvmError
from svmlab.core.arrays import Array
from svmlab.lab.board import classes_picture
from svmlab.lab.board.payload import flat_coordinates
from svmlab.lab.charts.marks import add_rule, points
from svmlab.lab.lessons.extensions.boards import FLOWERS_IN_A_ROW, OF_CLASSES, SOLVED, THREE
from svmlab.lab.lessons.extensions.classifiers import boundaries, colour_index, is_constant
from svmlab.lab.lessons.extensions.in_a_row import Row, both_ways, row
from svmlab.lab.numbers import ROUNDING, short, subscript
from svmlab.lab.session.controls import CLASSES, EDGE
from svmlab.lab.session.lab import Lab
from svmlab.lab.teach.boards import board_of_points, has_points_of
from svmlab.lab.teach.overlay import POINTS_ONLY
from svmlab.lab.teach.requirements import BIAS, LINEAR, PRODUCT, SOFT
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Need, Op, Part, Pick, Reading, Step, Try, reading
from svmlab.lab.words import N_, _
from svmlab.multiclass import Classes, JointSolution, MulticlassCategory, make_classes, solve
from svmlab.plane.contours import level_lines
from svmlab.plot.frame import empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette, faded

SHIFT = 1 / 6  # of the distance between the outer classes
SHADE, NODES = 16, 96  # strength of the shading of 31, and nodes of its grid
LARGEST_F = 2.4  # shown in the chart
VIEWS = {"rest": N_("One-vs-rest"), "joint": N_("Crammer–Singer")}


def found_row(stage: Stage) -> Row | None:
    """Return the three classes in a row, or None."""
    return stage.cached_for_points("row", lambda: row(stage.lab.multiclass_problem.data))


def row_on_board(stage: Stage) -> Row:
    """Return the three classes in a row, which the needs of the step require."""
    result = found_row(stage)
    assert result is not None
    return result


def solved_jointly(stage: Stage) -> JointSolution | None:
    """Return the SVM of Crammer and Singer, or None if the solver did not converge."""

    def make() -> JointSolution | None:
        try:
            return solve(stage.lab.multiclass_problem, "joint")
        except SvmError:
            return None

    return stage.cached("joint", make)


def joint(stage: Stage) -> JointSolution:
    """Return the SVM of Crammer and Singer, which the needs of the step require."""
    result = solved_jointly(stage)
    assert result is not None
    return result


def joint_standings(solution: JointSolution) -> list[MulticlassCategory]:
    """Return whether each point is correct, tied or wrong if the largest f of the joint SVM decides."""
    return [
        MulticlassCategory.WRONG
        if margin < -solution.noise
        else MulticlassCategory.TIE
        if margin <= solution.noise
        else MulticlassCategory.CLEAR
        for margin in solution.margins
    ]


def situation(stage: Stage) -> str:
    """Return which class lies between which two, and what its SVM separates."""
    current = row_on_board(stage)
    method = _(
        "Class {k} lies between the classes {a} and {b}. In one-vs-rest, a linear SVM $f(x) = \\langle w, x\\rangle + "
        "b$ separates class {k} (+1) from all other points (−1)."
    ).format(k=current.middle, a=current.outer[0], b=current.outer[1])
    if not has_points_of(stage.lab, FLOWERS_IN_A_ROW):
        return method
    flowers = _(
        "The points are iris flowers with petal length $x_1$ and petal width $x_2$ (centred, in cm). Small numbers "
        "count flowers at a point. The classes 1, 2 and 3 are setosa, versicolor and virginica."
    )
    return f"{flowers} {method}"


def draw(stage: Stage) -> Data:
    """Return the points alone, and after Show the boundaries of one-vs-rest or the map of the joint SVM."""
    if not stage.shown:
        return POINTS_ONLY | {"legend": None, "message": None}
    if stage.pick("joined") == "rest":
        return {"message": None, "overlay": boundaries(stage)}
    return joint_picture(joint(stage), stage.lab.view)


def joint_picture(solution: JointSolution, half: float) -> Data:
    """Return the class with the largest f at each position, and the line where it leads by 1."""
    axis = np.linspace(-half, half, NODES)
    positions = np.stack(np.meshgrid(axis, -axis), -1).reshape(-1, 2)
    f = solution.decision(positions).T.reshape(-1, NODES, NODES)
    ordered = np.sort(f, axis=0)
    predicted = np.array([colour_index(k) for k in solution.classes])[f.argmax(0)]
    margin_lines = level_lines((ordered[-1] - ordered[-2])[::-1] - 1.0, half)
    standings = joint_standings(solution)
    categories = (
        ("clear", MulticlassCategory.CLEAR, _("correct"), _("its own f is the largest")),
        ("decided", MulticlassCategory.TIE, _("tied"), _("another f is equally large")),
        ("wrong", MulticlassCategory.WRONG, _("wrong"), _("another f is larger")),
    )
    groups, details = list[Data](), list[Data]()
    for name, category, short_words, words in categories:
        key, count = classes_picture.key(category), standings.count(category)
        groups.append({"key": name, "text": short_words, "count": count, "cats": [key]})
        details.append({"key": key, "text": words, "count": count})
    return POINTS_ONLY | {
        "message": None,
        "shade": classes_picture.shaded_nodes(predicted, np.full(predicted.shape, SHADE)),
        "lines": {
            "zero": [flat_coordinates(line) for line in classes_picture.borders(f, half)],
            "plus": [flat_coordinates(line) for line in margin_lines],
            "minus": [],
        },
        "marks": {
            "fill": np.round(solution.multiplier_sum / solution.problem.C, 3).tolist(),
            "state": np.select([solution.at_bound, solution.support], ["full", "free"], "none").tolist(),
            "cat": [classes_picture.key(standing) for standing in standings],
            "wrong": [standing is MulticlassCategory.WRONG for standing in standings],
            "bound": "C",
            "values": [],
        },
        "legend": {"groups": groups, "cats": details, "moreText": _("details")},
    }


def answer(stage: Stage) -> int:
    """Return whether the SVM of the middle class has a boundary."""
    return 1 if is_constant(stage.machines.machine(row_on_board(stage).middle)) else 2


def smaller_side(stage: Stage) -> int:
    """Return the number of points of the middle class or of the rest, whichever is smaller."""
    y = stage.lab.multiclass_problem.data.y
    own = int((y == row_on_board(stage).middle).sum())
    return min(own, len(y) - own)


def verdict(stage: Stage) -> str:
    """Return the answer with the constant value of f, or with the norm of w."""
    solution = stage.machines.machine(row_on_board(stage).middle)
    if answer(stage) == 2:
        return _("One line, with ‖w‖ = {norm}. It reduces the objective from {zero} at w = 0 to {objective}.").format(
            norm=short(solution.norm_w),
            zero=short(2 * solution.problem.C * smaller_side(stage)),
            objective=short(solution.objective),
        )
    words = _(
        "No boundary, because w = 0. No line separates class {k} from both others, and f = b = {b} has the smallest "
        "objective."
    )
    text = words.format(k=row_on_board(stage).middle, b=short(solution.b, noise=ROUNDING))
    return re.sub("f = (−?)b = ", "f\u00a0=\u00a0\\1b\u00a0=\u00a0", text)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the norm of w of the middle class, the errors and the ties of the view."""
    if not stage.shown:
        return ()
    k = row_on_board(stage).middle
    if stage.pick("joined") == "joint":
        solution = joint(stage)
        norm, standings = float(solution.norms[solution.classes.index(k)]), joint_standings(solution)
    else:
        own = stage.machines.machine(k)
        norm, standings = (0.0 if is_constant(own) else own.norm_w), list(stage.machines.categories)
    return [
        reading("‖w‖", norm, _("the norm of w of the class in the middle")),
        reading(
            _("errors by largest f"),
            str(standings.count(MulticlassCategory.WRONG)),
            _("points where another f is larger"),
        ),
        reading(_("ties"), str(standings.count(MulticlassCategory.TIE)), _("points where another f is equally large")),
    ]


def chart(stage: Stage) -> Chart:
    """Return f of all classes along the row."""
    current, data = row_on_board(stage), stage.lab.multiclass_problem.data
    direction = current.means[2] - current.means[0]
    direction = direction / np.hypot(*direction)
    t = (data.X - current.means[1]) @ direction
    room = 0.04 * float(np.ptp(t))
    along = np.linspace(float(t.min()) - room, float(t.max()) + room, 241)
    solution = stage.machines if stage.pick("joined") == "rest" else joint(stage)
    f = solution.decision(current.means[1] + along[:, None] * direction)
    return Chart(section(along, f, t, data, current.middle, stage.palette))


def says(stage: Stage) -> str:
    """Return what the lines are, and what to see."""
    k = row_on_board(stage).middle
    solution = stage.machines.machine(k)
    if stage.pick("joined") == "joint":
        return _(
            "Here all $f_k$ are trained together. Without slack, the $f$ of a point's own class exceeds each other one "
            "by at least 1. So class {k} can have the largest $f$ between the other classes."
        ).format(k=k)
    if answer(stage) == 1:
        return _(
            "The lines are the $f_k$ along the row. One-vs-rest predicts the class of the largest one (wide "
            "grey). Its borders are thick on the board. Class {k} has the constant {b} and no boundary."
        ).format(k=k, b=short(solution.b, noise=ROUNDING))
    correct = int((solution.margins > solution.noise).sum())
    return _(
        "The lines are the $f$ of the classes along the row, and the wide grey line is the largest. The SVM of class "
        "{k} alone classifies {n} of {m} points correctly."
    ).format(k=k, n=correct, m=len(solution.margins))


def formula(stage: Stage) -> str:
    """Return the problem of the view."""
    if stage.pick("joined") == "joint":
        return r"\min\ \tfrac12\sum_k\|w_k\|^2+C\sum_i\xi_i,\quad f_{y_i}-f_k\ge 1-\xi_i\ (k\ne y_i)"
    return r"\min\ \tfrac12\|w_k\|^2+C\sum_i\xi_i,\quad \pm f_k(x_i)\ge 1-\xi_i"


def more(stage: Stage) -> Sequence[Part]:
    """Return when w = 0 is optimal, the joint SVM with two classes, and why one-vs-rest fails here."""
    current, problem = row_on_board(stage), stage.lab.multiclass_problem
    (a, b), (joint_w, binary_w) = current.outer, both_ways(problem, current.outer)
    return [
        _(
            "**The objective at $w = 0$.** With $w = 0$ and the best $b$, the {few} points of the smaller side "
            "have the slack 2 each, and all others have slack 0. The objective is then $2C \\cdot {few}$ = "
            "{cost}. The minimum on this board is {objective}. If $w = 0$, the SVM predicts the larger side at "
            "every point, but one-vs-rest compares the values of all $f_k$."
        ).format(
            few=smaller_side(stage),
            cost=short(2 * problem.C * smaller_side(stage)),
            objective=short(stage.machines.machine(current.middle).objective),
        ),
        _(
            "**When $w = 0$ is optimal.** Let the smaller side have $n$ points. By the KKT conditions, $w = 0$ is "
            "optimal if and only if the mean of these points is a weighted mean of the other points with no weight "
            "above $1/n$. Then neither $C$ nor the unit of length matters. A mean between two outer classes often has "
            "this form."
        ),
        _(
            "**The joint SVM** of Crammer and Singer solves one problem for all classes. Trained on the classes {a} "
            "and {b} alone, it has $w_{a} = -w_{b}$, so $\\frac12\\sum_k\\|w_k\\|^2 = \\frac14\\|w_{a} - w_{b}\\|^2$. "
            "Then $w_{a} - w_{b}$ must be the $w$ of the binary SVM with $2C$. Solved jointly, it is ({joint}). Solved "
            "as a binary SVM, it is ({binary})."
        ).format(a=a, b=b, joint=_pair(joint_w), binary=_pair(binary_w)),
        _(
            "**Other kernels.** If the largest $f$ decides, only differences of the $f_k$ matter. One-vs-rest requires "
            "more, because each SVM must separate its class by itself. With a Gaussian kernel, the SVM of the middle "
            "class can have two boundaries."
        ),
    ]


def _pair(w: Array) -> str:
    return f"{short(float(w[0]), 6, ROUNDING)}, {short(float(w[1]), 6, ROUNDING)}"


def shifted(stage: Stage) -> Op:
    """Return the operation that moves the middle class off the row, or back onto it."""
    current = row_on_board(stage)
    across = current.means[2] - current.means[0]
    up = np.array([-across[1], across[0]])
    up = up if up[1] >= 0 else -up
    height = float((current.means[1] - current.means[0]) @ up) / float(up @ up)
    target = SHIFT if abs(height) < 0.5 * SHIFT else 0.0
    move = np.round(1000 * (target - height) * up).astype(int)
    rows = []
    for p in stage.lab.points:
        x, y = np.clip(np.array([p.x, p.y]) + move * (p.label == current.middle), -EDGE, EDGE) / 1000
        rows.append([p.id, float(x), float(y), p.label])
    return {"op": "points", "points": rows}


def crowded() -> Lab:
    """Return a board with more points in the middle than in both outer classes."""
    data = make_classes("row", 30)
    kept = [i for k in data.classes for i in np.flatnonzero(data.y == k)[: 30 if k == 2 else 10]]
    rows = [(float(data.X[i, 0]), float(data.X[i, 1]), int(data.y[i])) for i in kept]
    return board_of_points(rows, task=CLASSES, value=10.0)()


def section(along: Array, f: Array, t: Array, data: Classes, middle: int, palette: Palette) -> go.Figure:
    """Draw f (n, k) at positions (n,) along the row, the largest as a wide line behind, and the points at t (m,).

    The line of the middle class is thick. customdata of the points: their ids.
    """
    figure = empty_chart(palette, _("along the row"), "f", height=320)
    top = f.max(1)
    lo, hi = min(float(top.min()), -1.0) - 1.6, max(min(float(top.max()), LARGEST_F), 1.0) + 0.3
    wide = {"color": faded(palette.text, 0.2), "width": 11 * palette.stroke, "simplify": False}
    figure.add_trace(go.Scatter(x=along, y=top, name="largest", mode="lines", line=wide, hoverinfo="skip"))
    add_rule(figure, palette, palette.quiet, y=0.0)
    labels = []
    for column, name in enumerate(data.classes):
        colour, own = palette.class_colour(name), f[:, column]
        hover = _("f of class {k}").format(k=name) + " = %{y:.4g}<extra></extra>"
        pen = palette.pen(colour, 4.0 if name == middle else 2.5)
        figure.add_trace(go.Scatter(x=along, y=own, name=str(name), mode="lines", line=pen, hovertemplate=hover))
        inside = np.flatnonzero((own >= lo + 0.7) & (own <= hi))
        last = int(inside[-1]) if len(inside) else len(along) - 1
        side = "right" if last == len(along) - 1 else "above" if own[last] > own[0] else "above right"
        y = float(np.clip(own[last], lo, hi))
        labels.append(Label(f"f{subscript(name)}", float(along[last]), y, colour, side))
    hover = _("class {k}").format(k="%{customdata[1]}") + "<extra></extra>"
    ids, none = np.stack([data.ids, data.y], 1), np.zeros(len(t), bool)
    marks = points(palette, t, np.full(len(t), lo + 0.3), data.y, ids, none, name="points", hover=hover)
    figure.add_trace(marks)
    figure.update_xaxes(range=[float(along[0]), float(along[-1])], nticks=8)
    figure.update_yaxes(range=[lo, hi], nticks=6)
    return place_labels(figure, palette, labels, backed=True)


IN_A_ROW = Need(
    lambda stage: found_row(stage) is not None, N_("No class on the board lies between two other classes."), {}
)
JOINTLY_SOLVED = Need(
    lambda stage: solved_jointly(stage) is not None,
    N_("With this C, the solver for the joint SVM did not converge. Choose another C."),
    {"value": 1.0},
)

MIDDLE = Step(
    key="middle",
    title=N_("A class between two others"),
    deeper=True,
    situation=situation,
    question=N_("Which boundary does a linear SVM find between the middle class (+1) and both outer classes (−1)?"),
    choices=(
        Choice(
            N_("A strip between two lines"),
            N_(
                "The middle class can lie in such a strip. However, f is linear, so f = 0 is at most one line, and a "
                "strip has two."
            ),
        ),
        Choice(
            N_("No boundary, because w = 0"),
            N_(
                "This is common for a class between two others. Here, however, a line with w ≠ 0 has a smaller "
                "objective."
            ),
        ),
        Choice(
            N_("One line"),
            N_(
                "A line could separate it from one of the outer classes. However, no line has a smaller objective "
                "than w = 0 here."
            ),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=FLOWERS_IN_A_ROW,
    needs=(OF_CLASSES, THREE, LINEAR, PRODUCT, SOFT, BIAS, SOLVED, IN_A_ROW, JOINTLY_SOLVED),
    introduces=("joint-machine", "tie"),
    draw=draw,
    rests_on_answer=lambda stage: answer(stage) == 1 and stage.pick("joined") == "rest",
    numbers=numbers,
    picks=(Pick("joined", N_("SVM"), tuple(VIEWS), "rest", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(Try(N_("Shift the class"), shifted), Try(N_("More in the middle"), board=crowded)),
    shows=("X1",),
)
