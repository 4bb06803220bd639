"""One-vs-rest: a binary SVM for each class, and the class with the largest f is predicted (X1)."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board import classes_picture
from svmlab.lab.charts.marks import add_rule, points, stacked
from svmlab.lab.lessons.extensions.boards import FLOWERS, OF_CLASSES, SOLVED, THREE, classes
from svmlab.lab.lessons.extensions.classifiers import boundaries, colour_index
from svmlab.lab.session.controls import CLASSES, LABELS, MAX_POINTS
from svmlab.lab.teach.boards import has_points_of
from svmlab.lab.teach.overlay import replace_machine, select_point
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Op, Part, Pick, Reading, Step, Try, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.multiclass import Classes, MulticlassCategory
from svmlab.plane.contours import SolutionDrawing
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

ALL = 0
NEW_CLASS = ((0.0, 0.0), (1.0, 0.3), (-0.9, 0.6), (0.4, -1.0), (-0.5, -0.8))  # points of an added class, centred
FAINT = 0.3  # opacity of the rows of the other classes


def selected_class(stage: Stage) -> int:
    """Return the class whose SVM is shown alone, or ALL. A class without points counts as ALL."""
    k = int(stage.pick("machine"))
    return k if k in stage.machines.classes else ALL


def situation(stage: Stage) -> str:
    """Return what the points are and what one-vs-rest combines."""
    method = _(
        "A binary SVM separates two classes. **One-vs-rest** uses several of them, each for one class (+1) against all "
        "other points (−1)."
    )
    if not has_points_of(stage.lab, FLOWERS):
        return method
    flowers = _(
        "The points are iris flowers: $x_1$ and $x_2$ are petal lengths and sepal widths (centred, in cm). The classes "
        "1, 2 and 3 are setosa, versicolor and virginica."
    )
    return f"{flowers} {method}"


def draw(stage: Stage) -> Data:
    """Return the boundary of each class, or one SVM alone with its margin and support vectors."""
    if not stage.shown:
        return {}
    k = selected_class(stage)
    if k == ALL:
        return {"overlay": boundaries(stage)}
    solution = stage.machines.machine(k)
    drawing = stage.cache.drawing(solution, stage.lab.view)
    return replace_machine(stage, solution, drawing) | {
        "shade": positive_side(drawing, k),
        "overlay": boundaries(stage, k),
    }


def positive_side(drawing: SolutionDrawing, k: int) -> Data:
    """Return the region with f > 0 in the colour of class k, the darker the larger f is."""
    strength = np.clip(np.round(15.5 * drawing.values), 6, 31)
    return classes_picture.shaded_nodes(
        np.full(drawing.values.shape, colour_index(k)), np.where(drawing.values > drawing.noise, strength, 0)
    )


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the numbers of SVMs, errors and ties, or the margin and the support vectors of one SVM."""
    if not stage.shown:
        return ()
    k, categories = selected_class(stage), list(stage.machines.categories)
    if k == ALL:
        errors, ties = (str(categories.count(kind)) for kind in (MulticlassCategory.WRONG, MulticlassCategory.TIE))
        return [
            reading(_("SVMs"), str(len(stage.machines.classes)), _("one for each class")),
            reading(_("errors"), errors, _("points at which the f of another class is larger")),
            reading(_("ties"), ties, _("points at which the f of another class is equally large")),
        ]
    solution = stage.machines.machine(k)
    margin = 1 / solution.norm_w if solution.norm_w else math.inf
    return [
        reading(_("margin"), margin, _("1/‖w‖, the distance between the boundary and a margin line")),
        reading(_("support vectors"), str(int(solution.support.sum())), _("points with a positive multiplier")),
    ]


def verdict(stage: Stage) -> str:
    """Return the answer with the number of classes on the board."""
    words = _("4, one for each class. On this board there are {k} classes, so one-vs-rest trains {k} SVMs.")
    return words.format(k=len(stage.machines.classes))


def chart(stage: Stage) -> Chart:
    """Return the chart of f of each class at each point."""
    data = stage.lab.multiclass_problem.data
    f = stage.cached("own f", lambda: stage.machines.decision(data.X))
    selected = -1 if stage.lab.selected is None else stage.lab.selected
    return Chart(decisions(f, data, selected, selected_class(stage), stage.palette), select_point)


def says(stage: Stage) -> str:
    """Return what the rows are, and what to see."""
    k, wanted = selected_class(stage), int(stage.pick("machine"))
    if wanted not in (ALL, k):
        return _("Class {k} has no points. Choose {k} in the toolbar, and click the board to add some.").format(
            k=wanted
        )
    if k != ALL:
        return _(
            "The board shows only the SVM of class {k}, with its margin lines and support vectors. All other classes "
            "have the label −1."
        ).format(k=k)
    return _(
        "Each row shows the $f_k$ of one SVM at all points. The height in a row only avoids overlaps. The "
        "predicted class is the one with the largest $f_k$. You can click a point to mark it in each row."
    )


def more(stage: Stage) -> Sequence[Part]:
    """Return the training data, what the lecture notes state, one-vs-one, and the flowers."""
    data = stage.machines.problem.data
    sizes = [int((data.y == k).sum()) for k in stage.machines.classes]
    shares = ", ".join(_("{n} against {rest}").format(n=n, rest=data.m - n) for n in sizes)
    return [
        _(
            "**Training data.** Each SVM uses all {m} points, its own class with the label +1 and the others with −1. "
            "Here these are {shares}. If there are at least three classes of equal size, most labels of each SVM are "
            "−1. With two classes, it would be one half."
        ).format(m=data.m, shares=shares),
        _(
            "**Prediction.** In $f_k(x) = \\langle w_k, \\phi(x)\\rangle + b_k$, $w_k$ and $b_k$ belong to the "
            "SVM of class $k$. With the linear kernel, $\\phi(x) = x$. Gambosi's slides name the method in one "
            "line. They do not say which class is predicted where several $f_k$ are positive, or none. The "
            "largest $f_k$ is the usual rule."
        ),
        _(
            "**One-vs-one** is another method. It trains an SVM for each pair of classes, here {pairs} of them, each "
            "on the points of two classes. Then the SVMs vote."
        ).format(pairs=len(sizes) * (len(sizes) - 1) // 2),
        _(
            "**The flowers.** R. A. Fisher published four measurements of 150 iris flowers in 1936. The first board of "
            "this step has every fifth one of each species, with petal length − 3.8 cm and sepal width − 3 cm."
        ),
    ]


def add_class(stage: Stage) -> Op:
    """Return the operation that adds a few points of a missing class where most room is, if there is one."""
    lab = stage.lab
    missing = [k for k in LABELS[CLASSES] if k not in lab.multiclass_problem.data.classes]
    rows = [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points]
    if missing and len(rows) + len(NEW_CLASS) <= MAX_POINTS:
        positions = np.round(_emptiest_position(stage) + 0.07 * lab.view * np.array(NEW_CLASS), 3)
        rows += [[id_, x, y, missing[0]] for id_, (x, y) in enumerate(positions.tolist(), start=1 + max(lab.ids))]
    return {"op": "points", "points": rows}


def _emptiest_position(stage: Stage) -> Array:
    """Return the position (2,) of the view that is farthest from all points, the rim excluded."""
    axis = np.linspace(-0.75, 0.75, 31) * stage.lab.view
    positions = np.stack(np.meshgrid(axis, axis), -1).reshape(-1, 2)
    distances = np.hypot(*(positions[:, None, :] - stage.lab.multiclass_problem.data.X).transpose(2, 0, 1)).min(1)
    return np.asarray(positions[int(distances.argmax())])


def decisions(f: Array, data: Classes, selected: int, selected_class: int, palette: Palette) -> go.Figure:
    """Draw f (m, k) in a row for each class, the first class at the top, and the other rows faint.

    The selected point is ringed. customdata of the points: their ids. Rules stand at the boundary and the margin lines.
    """
    k = len(data.classes)
    figure = empty_chart(palette, "f", height=90 + 62 * k, left=14)
    lo, hi = axis_range(f.ravel(), -1.0, 1.0, room=0.05)
    for x, dash in ((-1.0, "dot"), (0.0, "solid"), (1.0, "dot")):
        add_rule(figure, palette, palette.quiet, dash, x=x)
    labels = []
    for column, name in enumerate(data.classes):
        level = (k - 1 - column) + 0.11 * stacked(f[:, column], 0.03 * (hi - lo))
        words = _("SVM of class {k}").format(k=name)
        hover = f"{words}: f = %{{x:.4g}}<extra></extra>"
        row = points(palette, f[:, column], level, data.y, data.ids, data.ids == selected, name=str(name), hover=hover)
        row.opacity = 1.0 if selected_class in (ALL, name) else FAINT
        figure.add_trace(row)
        text = f"<b>{words}</b>" if selected_class == name else words
        labels.append(Label(text, hi, k - 1 - column, palette.class_colour(name)))
    figure.update_yaxes(visible=False, range=[-0.5, k - 0.2])
    figure.update_xaxes(range=[lo, hi], nticks=9)
    return place_labels(figure, palette, labels)


REST = Step(
    key="rest",
    title=N_("One-vs-rest classification"),
    situation=situation,
    question=N_("How many binary SVMs does one-vs-rest train for four classes?"),
    choices=(
        wrong(
            N_("3, because the fourth class is what remains"),
            N_(
                "If three SVMs predict −1, only class 4 remains. However, class 4 has its own SVM, so its f can be "
                "compared too."
            ),
        ),
        right(N_("4, one for each class")),
        wrong(
            N_("6, one for each pair of classes"),
            N_(
                "This is one-vs-one, where an SVM uses the points of two classes only. In one-vs-rest, it uses all "
                "points."
            ),
        ),
    ),
    verdict=verdict,
    board=FLOWERS,
    needs=(OF_CLASSES, THREE, SOLVED),
    introduces=("one-against-the-rest", "one-against-one", "largest-f"),
    draw=draw,
    rests_on_answer=lambda stage: selected_class(stage) == ALL,
    numbers=numbers,
    picks=(
        Pick(
            "machine",
            N_("SVM of class"),
            (ALL, 1, 2, 3, 4),
            ALL,
            lambda k: _("All") if k == ALL else _("only {k}").format(k=k),
        ),
    ),
    chart=chart,
    says=says,
    formula=r"\hat y(x)=\arg\max_k f_k(x),\qquad f_k(x)=\langle w_k,\phi(x)\rangle+b_k",
    more=more,
    tries=(
        Try(N_("A fourth class"), add_class),
        Try(N_("Rings"), board=classes("rings", kernel="gaussian", sigma=1.0, value=10.0)),
        Try(N_("Three groups"), board=classes("blobs", value=10.0)),
    ),
    shows=("X1", "T20"),
)
