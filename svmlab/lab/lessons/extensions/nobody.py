"""Where no f is positive, or several are: the largest f decides, and it depends on the scale of each f (X1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.board import classes_picture
from svmlab.lab.board.payload import flat_coordinates, sliders
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.lessons.extensions.boards import FLOWERS, OF_CLASSES, SOLVED, THREE, classes
from svmlab.lab.lessons.extensions.classifiers import boundaries, class_values, colour_index, hatched, hatching
from svmlab.lab.numbers import short, subscript
from svmlab.lab.teach.overlay import POINTS_ONLY, place, probe, set_dials, stroke
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Pick, Reading, Step, Try, dial, right, wrong
from svmlab.lab.words import N_, _
from svmlab.multiclass.classes import has_tie
from svmlab.plot.frame import axis_range, empty_chart
from svmlab.plot.labels import Label, place_labels
from svmlab.plot.palette import Palette

STRENGTH = (0, 11, 25, 31)  # of 31: the shading where no f is positive, one, two, three or more
RIM = 10  # u does not start in this part of the view at each side: one tenth
SMALLEST, LARGEST = 0.2, 5.0  # factors of one f
VIEWS = {"place": N_("At u"), "shares": N_("On the board")}
BAR = 0.56  # the width of a bar


@dataclass(frozen=True, eq=False)
class Regions:
    """The values f (k, n, n) of each class over the view, row 0 at the top, and the factor of each f, (k,)."""

    f: Array
    factors: Array
    noise: float

    @cached_property
    def positive(self) -> Index:
        """How many f are positive, shape (n, n). No positive factor changes this."""
        return np.asarray((self.f > self.noise).sum(0))

    @cached_property
    def scaled(self) -> Array:
        """Each f times its factor, shape (k, n, n)."""
        return self.f * self.factors[:, None, None]

    @cached_property
    def predicted(self) -> Index:
        """The row of the predicted class, shape (n, n)."""
        return np.asarray(self.scaled.argmax(0))

    @property
    def changed(self) -> float:
        """The part of the view in which the factors change the predicted class."""
        return float((self.predicted != self.f.argmax(0)).mean())

    @property
    def all_negative(self) -> float:
        """The part of the view in which every f is negative, and none is 0."""
        return float((self.f < -self.noise).all(0).mean())

    def share(self, count: int) -> float:
        """Return the part of the view in which so many f are positive."""
        return float((self.positive == count).mean())


def factor(stage: Stage) -> float:
    """Return the factor of the scaled f."""
    return min(max(stage.dial("loud", 1.0), SMALLEST), LARGEST)


def scaled_class(stage: Stage) -> int:
    """Return the class whose f is scaled: the chosen one, or the first if that has no points."""
    k = int(stage.pick("scaled"))
    return k if k in stage.machines.classes else stage.machines.classes[0]


def regions(stage: Stage) -> Regions:
    """Return the values of each class over the view."""
    factors = np.where(np.array(stage.machines.classes) == scaled_class(stage), factor(stage), 1.0)
    return Regions(class_values(stage), factors, stage.machines.noise)


def position(stage: Stage) -> tuple[float, float]:
    """Return u: where it was dragged to, or else where all f are negative and the largest f leads most clearly."""

    def start() -> tuple[float, float]:
        f, half = class_values(stage), stage.lab.view
        rim = f.shape[1] // RIM
        ordered = np.sort(f[:, rim:-rim, rim:-rim], axis=0)
        clarity = np.minimum(-ordered[-1], ordered[-1] - ordered[-2])
        row, column = np.unravel_index(int(clarity.argmax()), clarity.shape)
        axis = np.linspace(-half, half, f.shape[1])[rim:-rim]
        return round(float(axis[column]), 3), round(float(-axis[row]), 3)

    x, y = stage.cached(f"start of u {stage.lab.view}", start)
    return stage.dial("placex", x), stage.dial("placey", y)


def values_at_u(stage: Stage) -> Array:
    """Return each f at u times its factor, shape (k,)."""
    return np.asarray(stage.machines.decision(np.array([position(stage)]))[0] * regions(stage).factors)


def draw(stage: Stage) -> Data:
    """Return the boundaries and u. After Show also the predicted classes, hatched where no f is positive."""
    overlay = boundaries(stage)
    data: Data = POINTS_ONLY | {"legend": None, "message": None, "overlay": overlay}
    data["probe"] = probe("placex", "placey", position(stage), "u")
    if not stage.shown:
        return data
    current, k, half = regions(stage), stage.machines.classes, stage.lab.view
    if factor(stage) != 1.0:
        overlay += [stroke(line, "dashed") for line in classes_picture.borders(current.f, half, once=True)]
    problem = stage.lab.multiclass_problem.data
    predicted = (stage.machines.decision(problem.X) * current.factors).argmax(1)
    strength = np.asarray(STRENGTH)[np.minimum(current.positive, len(STRENGTH) - 1)]
    help_words, label = _("Factor of the f of one class"), f"f{subscript(scaled_class(stage))} ×"
    return data | {
        "overlay": [*hatched(hatching(current.scaled, half, current.noise), k), *overlay],
        "shade": classes_picture.shaded_nodes(
            np.array([colour_index(each) for each in k])[current.predicted], strength
        ),
        "lines": {
            "zero": [flat_coordinates(line) for line in classes_picture.borders(current.scaled, half)],
            "plus": [],
            "minus": [],
        },
        "marks": classes_picture.marks(stage.machines, with_values=not stage.moving)
        | {"wrong": (predicted != problem.class_index).tolist()},
        "sliders": [
            *sliders(stage.lab)[:1],
            dial("loud", help_words, label, factor(stage), SMALLEST, LARGEST, 0.1),
        ],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return the parts of the board by the number of positive f. With a factor, also the part that it changes."""
    if not stage.shown:
        return ()
    current = regions(stage)
    parts = [
        (_("no f > 0"), current.share(0), _("part of the board where every f is 0 or negative (hatched)")),
        (_("one f > 0"), current.share(1), _("part of the board where exactly one f is positive (light)")),
        (_("several f > 0"), float((current.positive > 1).mean()), _("part of the board with several (dark)")),
    ]
    if factor(stage) != 1.0:
        parts[1] = (_("changed"), current.changed, _("part of the board where the factor changes the prediction"))
    return [Reading(name, percent(part), repr(part), words) for name, part, words in parts]


def percent(part: float) -> str:
    """Return a part of the board as it is read."""
    return f"{short(100 * part, 2 if part < 0.995 else 3)}\u00a0%"


def verdict(stage: Stage) -> str:
    """Return the answer with the part of the board where no f is positive."""
    share = regions(stage).all_negative
    if share:
        words = _("The class with the largest f, although it is negative. This happens on {share} of this board.")
        return words.format(share=percent(share))
    return _("The class with the largest f, although it is negative. On this board, no point has only negative values.")


def chart(stage: Stage) -> Chart:
    """Return the values at u, or the parts of the board by the number of positive f and the predicted class."""
    k, current = stage.machines.classes, regions(stage)
    if stage.pick("zones") == "place":
        return Chart(bars_at_u(values_at_u(stage), current.factors, k, stage.machines.noise, stage.palette))
    counts = range(max(int(current.positive.max()), 2) + 1)
    parts = [
        [float(((current.positive == n) & (current.predicted == row)).mean()) for row in range(len(k))] for n in counts
    ]
    return Chart(shares(np.array(parts), k, stage.palette))


def says(stage: Stage) -> str:
    """Return what the bars are, and what to see."""
    if int(stage.pick("scaled")) != scaled_class(stage):
        return _("Class {k} has no points, so the f of class {first} is scaled.").format(
            k=stage.pick("scaled"), first=scaled_class(stage)
        )
    if factor(stage) != 1.0:
        return _(
            "The dashed lines are the borders without the factor. It changes the prediction only where no $f_k$ is "
            "positive, or several are. There the size of each $f_k$ decides, not only its sign."
        )
    if stage.pick("zones") == "shares":
        return _(
            "Each bar is the part of the board where this number of $f_k$ is positive. Its pieces are the predicted "
            "classes. Where none is positive, the board and the bar are hatched."
        )
    f = values_at_u(stage)
    bars = _(
        "Each bar is the value $f_k(u)$ of one SVM, with $u$ = {u}. The board is hatched where no $f_k$ is positive."
    ).format(u=place(np.array(position(stage))))
    if has_tie(f[None], stage.machines.noise)[0]:
        return bars + " " + _("The largest values are equal, so there is a tie. You can drag $u$.")
    prediction = _("The largest one (outlined) decides, so $u$ is assigned to class {k}.")
    return bars + " " + prediction.format(k=stage.machines.classes[int(f.argmax())])


def more(stage: Stage) -> Sequence[Part]:
    """Return what happens where exactly one f is positive, the scale of f, and how the parts are computed."""
    current = regions(stage)
    return [
        _(
            "**Exactly one positive value.** If exactly one $f_k$ is positive, it is the largest, and no factor $c_k > "
            "0$ changes this. Here this holds on {one} of the board. On the other {rest}, the SVMs contradict each "
            "other, or none of them predicts its class."
        ).format(one=percent(current.share(1)), rest=percent(1.0 - current.share(1))),
        _(
            "**The scale of each f.** $(w_k, b_k)$ and $3(w_k, b_k)$ have the same boundary, but $f_k$ becomes three "
            "times as large. Each SVM sets its scale by its own margin lines, where $f_k = \\pm1$. With a linear "
            "kernel, $|f_k(x)|$ is $\\|w_k\\|$ times the distance to the boundary. So at equal distances, the SVM with "
            "the smaller margin has the larger $|f_k|$."
        ),
        _(
            "**Scaling.** Under *More*, you can choose whose $f_k$ is multiplied by the slider. On the board, darker "
            "shading means that more $f_k$ are positive. Hatching has the colour of the predicted class."
        ),
        _(
            "**Computation.** The parts of the board are counted on a grid of {n} times {n} points. A border lies "
            "where two $f_k$ are equal and largest. It is interpolated between the points of the grid."
        ).format(n=current.f.shape[1]),
    ]


def bars_at_u(f: Array, factors: Array, classes: Sequence[int], noise: float, palette: Palette) -> go.Figure:
    """Draw each f (k,), already times its factor, as a bar from 0. The largest is outlined, with those that tie."""
    k, is_largest = len(classes), f >= f.max() - noise
    figure = empty_chart(palette, _("f at u"), height=90 + 62 * k, left=14)
    lo, hi = axis_range(f, 0.0, -1.0, 1.0, room=0.08)
    add_rule(figure, palette, palette.quiet, x=0.0)
    labels = []
    for row, name in enumerate(classes):
        value, y, colour = float(f[row]), k - 1 - row, palette.class_colour(name)
        symbol = ("" if factors[row] == 1.0 else f"{short(float(factors[row]), 3)} ") + f"f{subscript(name)}"
        text = f"{symbol} = {short(value, 3, noise)}"
        figure.add_trace(
            go.Bar(
                x=np.array([value]),
                y=np.array([y]),
                width=BAR,
                orientation="h",
                name=str(name),
                marker={"color": colour, "line": palette.pen(palette.text, 3 if is_largest[row] else 0)},
                hovertemplate=f"{symbol} = {short(value, 6, noise)}<extra></extra>",
            )
        )
        largest = _("{value}, largest").format(value=text)
        labels.append(Label(f"<b>{largest}</b>" if is_largest[row] else text, hi, y, colour))
    figure.update_yaxes(visible=False, range=[-0.6, k - 0.4])
    figure.update_xaxes(range=[lo, hi], nticks=7)
    return place_labels(figure, palette, labels)


def shares(parts: Array, classes: Sequence[int], palette: Palette) -> go.Figure:
    """Draw the parts (n, k) of the board: a bar for each number of positive f, from 0 at the top, divided by class."""
    n = len(parts)
    figure = empty_chart(palette, _("part of the board, %"), height=90 + 62 * n, left=14)
    sums, rows = 100 * parts.sum(1), n - 1.0 - np.arange(n)
    for column, name in enumerate(classes):
        colour = palette.class_colour(name)
        hatch = {"shape": ["\\"] + [""] * (n - 1), "fgcolor": colour, "bgcolor": palette.paper, "solidity": 0.3}
        figure.add_trace(
            go.Bar(
                x=100 * parts[:, column],
                y=rows,
                width=BAR,
                orientation="h",
                name=str(name),
                marker={
                    "color": np.array([palette.paper] + [colour] * (n - 1)),
                    "line": palette.pen(colour, 1.5),
                    "pattern": hatch | {"size": 7 * palette.stroke},
                },
                hovertemplate=_("class {k} is predicted").format(k=name) + ": %{x:.3g} %<extra></extra>",
            )
        )
    names = [_("no f > 0"), _("one f > 0"), _("two f > 0"), _("three f > 0"), _("four f > 0")]
    labels = [
        Label(f"{name}: {short(float(total), 2)} %", float(total), float(row), palette.text)
        for name, total, row in zip(names, sums, rows, strict=False)
    ]
    figure.update_layout(barmode="stack")
    figure.update_yaxes(visible=False, range=[-0.6, n - 0.4])
    figure.update_xaxes(range=[0, 1.04 * max(float(sums.max()), 1.0)], nticks=6)
    return place_labels(figure, palette, labels)


NOBODY = Step(
    key="nobody",
    title=N_("Ambiguous regions"),
    deeper=True,
    situation=N_(
        "One-vs-rest has a function $f_k$ for each class $k$, with the boundary $f_k = 0$ in the colour of the class. "
        "Where exactly one $f_k$ is positive, its class is predicted. In the **ambiguous regions**, no $f_k$ is "
        "positive, or several are. The point $u$ starts where every $f_k$ is negative, if possible. You can drag it."
    ),
    question=N_("Which class does one-vs-rest predict at a point where every SVM has a negative value f?"),
    choices=(
        wrong(
            N_("No class, because every SVM predicts −1"),
            N_(
                "A classifier could refuse to answer. However, one-vs-rest only compares the values f, and also "
                "negative values have a largest one."
            ),
        ),
        wrong(
            N_("The class of the nearest training point"),
            N_(
                "This would be a nearest-neighbour classifier. However, one-vs-rest uses only the values f of the SVMs."
            ),
        ),
        right(N_("The class with the largest f, although it is negative")),
    ),
    verdict=verdict,
    board=FLOWERS,
    needs=(OF_CLASSES, THREE, SOLVED),
    introduces=("nobodys-land",),
    draw=draw,
    rests_on_answer=lambda stage: bool(values_at_u(stage).max() < 0),
    numbers=numbers,
    picks=(
        Pick("zones", N_("Chart"), tuple(VIEWS), "place", VIEWS.__getitem__),
        Pick("scaled", N_("Scaled f"), (1, 2, 3, 4), 1, lambda k: f"f{subscript(k)} ×", in_more=True),
    ),
    chart=chart,
    says=says,
    formula=r"\hat y(u)=\arg\max_k f_k(u)",
    more=more,
    tries=(
        Try(N_("One f × 3"), set_dials(loud=3.0)),
        Try(N_("Three in a row"), board=classes("row", value=10.0)),
        Try(N_("Rings"), board=classes("rings", kernel="gaussian", sigma=1.0, value=10.0)),
    ),
    shows=("X1",),
)
