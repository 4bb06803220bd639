"""Where no machine says yes, or several do: the largest f decides, and it hangs on how each machine is scaled (X1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array, Index
from svmlab.lab.board import classes_picture
from svmlab.lab.board.payload import flat_coordinates, sliders
from svmlab.lab.charts.frame import axis_range, blank
from svmlab.lab.charts.labels import Label, place_labels
from svmlab.lab.charts.marks import add_rule
from svmlab.lab.charts.palette import Palette
from svmlab.lab.lessons.extensions.boards import OF_CLASSES, SOLVED, THREE, classes
from svmlab.lab.lessons.extensions.machines import boundaries, hatched, hatching, place, values
from svmlab.lab.numbers import short, subscript
from svmlab.lab.session.state import Lab
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, probe, set_dials, stroke
from svmlab.lab.teach.overlay import place as written
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Part, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.multiclass.classes import has_tie

STRENGTH = (0, 11, 25, 31)  # of 31: how strongly a place is shaded where so many machines say yes, the last: or more
RIM = 10  # of the view, on each side: where u does not begin
LEAST, MOST = 0.2, 5.0  # how many times a machine may be taken


@dataclass(frozen=True, eq=False)
class Map:
    """f (k, n, n) of each machine over the view, row 0 at the top; factors (k,): how many times each is taken."""

    f: Array
    factors: Array
    noise: float

    @cached_property
    def yes(self) -> Index:
        """How many machines say yes, shape (n, n); no factor above 0 changes it."""
        return np.asarray((self.f > self.noise).sum(0))

    @cached_property
    def given(self) -> Index:
        """The row of the largest f, each taken so many times, shape (n, n)."""
        return np.asarray(self.scaled.argmax(0))

    @cached_property
    def scaled(self) -> Array:
        """F (k, n, n), each taken so many times."""
        return self.f * self.factors[:, None, None]

    @property
    def changed(self) -> float:
        """The share of the view whose class the factors change."""
        return float((self.given != self.f.argmax(0)).mean())

    def share(self, count: int) -> float:
        """The share of the view where so many machines say yes."""
        return float((self.yes == count).mean())


def factor(stage: Stage) -> float:
    """How many times the chosen machine is taken."""
    return min(max(stage.dial("loud", 1.0), LEAST), MOST)


def loud(stage: Stage) -> int:
    """The class whose machine is scaled: the chosen one, the first where that is not there."""
    k = int(stage.pick("scaled"))
    return k if k in stage.machines.classes else stage.machines.classes[0]


def seen(stage: Stage) -> Map:
    """What each machine says over the view."""
    machines = stage.machines
    factors = np.where(np.array(machines.classes) == loud(stage), factor(stage), 1.0)
    return Map(values(stage), factors, machines.noise)


def u(stage: Stage) -> tuple[float, float]:
    """The place that is asked about: where a hand left it, else one that nobody wants and whose class is clear."""

    def start() -> tuple[float, float]:
        f, half = seen(stage).f, stage.lab.view
        rim = f.shape[1] // RIM
        top = np.sort(f[:, rim:-rim, rim:-rim], axis=0)
        clear = np.minimum(-top[-1], top[-1] - top[-2])
        row, column = np.unravel_index(int(clear.argmax()), clear.shape)
        at = np.linspace(-half, half, f.shape[1])[rim:-rim]
        return round(float(at[column]), 3), round(float(-at[row]), 3)

    x, y = stage.cached(f"start of u {stage.lab.view}", start)
    return stage.dial("placex", x), stage.dial("placey", y)


def here(stage: Stage) -> Array:
    """F of each machine at u, each taken so many times, shape (k,)."""
    return np.asarray(stage.machines.decision(np.array([u(stage)]))[0] * seen(stage).factors)


def draw(stage: Stage) -> Data:
    """Each machine's boundary and u; when it is shown, how many say yes where, and what is given where nobody does."""
    data: Data = POINTS_ONLY | {"legend": None, "message": None, "overlay": boundaries(stage)}
    data["probe"] = probe("placex", "placey", u(stage), "u")
    if not stage.shown:
        return data
    now, names, half = seen(stage), stage.machines.classes, stage.lab.view
    strength = np.asarray(STRENGTH)[np.minimum(now.yes, len(STRENGTH) - 1)]
    if factor(stage) != 1.0:
        before = [stroke(line, "dashed") for line in classes_picture.borders(now.f, half, once=True)]
        data["overlay"] = [*data["overlay"], *before]
    told = _("How many times (w, b) of one machine is taken")
    known = classes_picture.marks(stage.machines, with_values=not stage.moving)
    at_points = (stage.machines.decision(stage.lab.multiclass_problem.data.X) * now.factors).argmax(1)
    return data | {
        "overlay": [*hatched(hatching(now.scaled, half, now.noise), names), *data["overlay"]],
        "shade": classes_picture.shaded_nodes(np.array([place(k) for k in names])[now.given], strength),
        "lines": {
            "zero": [flat_coordinates(line) for line in classes_picture.borders(now.scaled, half)],
            "plus": [],
            "minus": [],
        },
        "marks": known | {"wrong": (at_points != stage.lab.multiclass_problem.data.class_index).tolist()},
        "sliders": [
            *sliders(stage.lab)[:1],
            dial("loud", told, f"f{subscript(loud(stage))} ×", factor(stage), LEAST, MOST, 0.1),
        ],
    }


def numbers(stage: Stage) -> Sequence[Reading]:
    """The shares of the square: nobody, one, several; and what the factor changes."""
    if not stage.shown:
        return ()
    now = seen(stage)
    several_ = float((now.yes > 1).mean())
    parts = [(_("no yes, hatched"), now.share(0)), (_("one, pale"), now.share(1)), (_("several, strong"), several_)]
    if factor(stage) != 1.0:
        parts.append((_("changed"), now.changed))
    return [Reading(name, percent(part), repr(part)) for name, part in parts]


def percent(share: float) -> str:
    """A share of the square, to read."""
    return f"{short(100 * share, 2 if share < 0.995 else 3)}\u00a0%"


def verdict(stage: Stage) -> str:
    """What is given there, and how much of the square it is."""
    share = seen(stage).share(0)
    if not share:
        return _("That of the largest f. In this square nobody's land is empty.")
    return _("That of the largest f. Nobody's land: {share} of the square.").format(share=percent(share))


def chart(stage: Stage) -> Chart:
    """What each machine says at u; or how much of the square has so many yes, and what is given there."""
    names, now = stage.machines.classes, seen(stage)
    if stage.pick("zones") == "place":
        return Chart(at_place(here(stage), now.factors, names, stage.machines.noise, stage.palette))
    part = np.array(
        [[float(((now.yes == n) & (now.given == k)).mean()) for k in range(len(names))] for n in _counts(now)]
    )
    return Chart(shares(part, names, stage.palette))


def _counts(now: Map) -> range:
    """From none to all, or to as many as anywhere say yes, and two at least."""
    return range(max(int(now.yes.max()), 2) + 1)


def says(stage: Stage) -> str:
    """How the board is read, and what a factor does."""
    if int(stage.pick("scaled")) != loud(stage):
        return _("Class {k} has no point here, so it is machine {first} that is scaled.").format(
            k=stage.pick("scaled"), first=loud(stage)
        )
    if factor(stage) != 1.0:
        return _(
            "Dashed: the borders before. They move only where no machine or several say yes: there the size "
            "of f decides, and so the scale of each machine."
        )
    at, f = u(stage), here(stage)
    given = _("u is at {place} and goes to class {k}. Drag it.")
    if has_tie(f[None], stage.machines.noise)[0]:
        given = _("u is at {place}, where the largest f tie. Drag it.")
    given = given.format(place=written(np.array(at)), k=stage.machines.classes[int(f.argmax())])
    if not seen(stage).share(0):
        return given
    return _("Hatched, in the colour of the class that is given: no machine says yes.") + " " + given


def more(stage: Stage) -> Sequence[Part]:
    """The control, and why f of different machines are not on one scale."""
    now = seen(stage)
    return [
        _(
            "**Control.** If exactly one machine said yes everywhere, nobody would need the largest f. Here "
            "that is so on {one} of the square; on the other {rest} "
            "the machines contradict each other, or none wants the place."
        ).format(one=percent(now.share(1)), rest=percent(1.0 - now.share(1))),
        _(
            "**Not one scale.** $(w, b)$ and $3(w, b)$ are the same line, with the same yes and no "
            "everywhere; only f is three times as large. Each machine gets its scale "
            "from its own street, where f = ±1. So at the same distance a machine with a narrow street is "
            "louder than one with a wide street: it wins where both say yes, and loses where both say no."
        ),
        _(
            "**Two ways.** The shares are counted on a grid of {n} by {n} places; each border is where two "
            "of the f are equal and the largest, found between them."
        ).format(n=now.f.shape[1]),
    ]


def blobs() -> Lab:
    """Three blobs, seen from near enough for the middle between them."""
    return replace(classes("blobs", value=10.0)(), view=4.0)


SEEN = {"place": N_("At u"), "shares": N_("On the square")}


WIDE = 0.56  # of a bar, where the next is 1 away


def at_place(f: Array, factors: Array, classes: Sequence[int], noise: float, palette: Palette) -> go.Figure:
    """F (k,) of each machine at a place, taken `factors` (k,) times, as a bar from 0, the first class at the top; the
    largest is named, and what ties with it.
    """
    k, top = len(classes), f >= f.max() - noise
    figure = blank(palette, _("f at u"), height=90 + 62 * k, left=14)
    lo, hi = axis_range(f, 0.0, -1.0, 1.0, room=0.08)
    add_rule(figure, palette, palette.quiet, x=0.0)
    labels = []
    for row, (name, value, factor) in enumerate(zip(classes, f.tolist(), factors.tolist(), strict=True)):
        times = "" if factor == 1.0 else f"{short(factor, 3)} "
        said = f"{times}f{subscript(name)} = {short(value, 3, noise)}"
        bar = go.Bar(
            x=np.array([value]),
            y=np.array([k - 1 - row]),
            width=WIDE,
            orientation="h",
            name=str(name),
            marker={"color": palette.class_colour(name), "line": palette.pen(palette.text, 3 if top[row] else 0)},
            hovertemplate=f"{times}f{subscript(name)} = {short(value, 6, noise)}<extra></extra>",
        )
        figure.add_trace(bar)
        largest = _("{value}, largest").format(value=said)
        labels.append(Label(f"<b>{largest}</b>" if top[row] else said, hi, k - 1 - row, palette.class_colour(name)))
    figure.update_yaxes(visible=False, range=[-0.6, k - 0.4])
    figure.update_xaxes(range=[lo, hi], nticks=7)
    return place_labels(figure, palette, labels)


def shares(part: Array, classes: Sequence[int], palette: Palette) -> go.Figure:
    """Of the square, part (n, k): so many machines say yes, 0 at the top, and class k is given, in its colour; nobody's
    is hatched.
    """
    n = len(part)
    figure = blank(palette, _("of the square, %"), height=90 + 62 * n, left=14)
    sums = 100 * part.sum(1)
    rows = n - 1.0 - np.arange(n)
    for column, name in enumerate(classes):
        told = _("class {k} is given").format(k=name) + ": %{x:.3g} %<extra></extra>"
        colour = palette.class_colour(name)
        figure.add_trace(
            go.Bar(
                x=100 * part[:, column],
                y=rows,
                width=WIDE,
                orientation="h",
                name=str(name),
                marker={
                    "color": np.array([palette.paper] + [colour] * (n - 1)),
                    "line": palette.pen(colour, 1.5),
                    "pattern": {
                        "shape": ["\\"] + [""] * (n - 1),
                        "fgcolor": colour,
                        "bgcolor": palette.paper,
                        "size": 7 * palette.stroke,
                        "solidity": 0.3,
                    },
                },
                hovertemplate=told,
            )
        )
    names = [_("no machine says yes"), _("exactly one"), _("two"), _("three"), _("four")]
    labels = [
        Label(f"{names[i]}: {short(float(total), 2)} %", float(total), float(rows[i]), palette.text)
        for i, total in enumerate(sums)
    ]
    figure.update_layout(barmode="stack")
    figure.update_yaxes(visible=False, range=[-0.6, n - 0.4])
    figure.update_xaxes(range=[0, 1.04 * max(float(sums.max()), 1.0)], nticks=6)
    return place_labels(figure, palette, labels)


NOBODY = Step(
    key="nobody",
    title=N_("Nobody's land"),
    question=N_("At a place where no machine says yes, which class is given?"),
    choices=(
        wrong(N_("None"), N_("One could refuse to answer; the rule asks only which f is the largest.")),
        wrong(N_("That of the nearest point"), N_("No machine asks how far a point is, only for its own f.")),
        right(N_("That of the largest f, although it is below 0")),
    ),
    verdict=verdict,
    board=blobs,
    needs=(OF_CLASSES, THREE, SOLVED),
    draw=draw,
    numbers=numbers,
    picks=(
        Pick("zones", N_("What is shown"), tuple(SEEN), "place", SEEN.__getitem__),
        Pick("scaled", N_("Machine that is scaled"), (1, 2, 3, 4), 1, lambda k: f"f{subscript(k)} ×"),
    ),
    chart=chart,
    says=says,
    formula=r"\hat y(u)=\arg\max_k\,c_k f_k(u),\qquad c_k>0",
    more=more,
    tries=(
        Try(N_("One machine × 3"), set_dials(loud=3.0)),
        Try(N_("A row"), board=classes("row", value=10.0)),
        Try(N_("Rings"), board=classes("rings", kernel="gaussian", sigma=1.0, value=10.0)),
    ),
    shows=("X1",),
)
