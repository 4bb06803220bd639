"""One valley or several: a ball that is dropped in the plane of w, and where it comes to rest (L2, L10)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts.frame import Figure
from svmlab.lab.lessons.losses import valleys_chart as figures
from svmlab.lab.lessons.losses.drops import (
    at,
    dropped,
    found,
    found_so_far,
    frame,
    objective,
    of_sigmoid,
    rolled,
    so_far,
)
from svmlab.lab.lessons.losses.minima import STARTS, Minima
from svmlab.lab.lessons.losses.minima import section as cut
from svmlab.lab.lessons.losses.names import LOSS, OF_T
from svmlab.lab.lessons.losses.plane import Ground, ground, places
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, dial, place, probe, reading, set_dials, set_picks, stroke
from svmlab.lab.teach.requirements import LINEAR, NO_BIAS, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Pick, Reading, Step, Try, right, wrong
from svmlab.lab.words import N_, _
from svmlab.losses import Objective
from svmlab.plane.contours import line_through_origin

NAMED = ("hinge", "logistic", "sigmoid")
NOTHING = 1e-6  # a w as short is 0
VIEWS = {"plane": N_("plane"), "best": N_("chord"), "along": N_("k w")}
PRICES = {"board": "λ", "none": "λ = 0"}
AWAY = Need(
    lambda stage: bool(stage.data.X.any()),
    N_("All points lie at the origin, so F is the same in every direction. Move one of them away."),
    {},
)
MIXED = board_of_points(((2.0, 0.0, 1), (0.0, 2.0, 1), (-2.0, -2.0, 1)), face="lambda", value=0.01, bias=False)
SEPARABLE = board_of_points(((2.0, 0.0, -1), (0.0, 2.0, -1), (-2.0, -2.0, 1)), face="lambda", value=0.01, bias=False)


def line(w: Array, half: float, style: str) -> list[Data]:
    """The line <w, x> = 0 over the board; none for w = 0 but for what a descent leaves of it."""
    return [stroke(line_through_origin(w, half), style)] if float(np.abs(w).max()) > NOTHING else []


def draw(stage: Stage) -> Data:
    """The arrow w that a hand moves; once shown, how it rolls, and its line."""
    data: Data = POINTS_ONLY | {"message": None, "legend": None, "probe": probe("ball1", "ball2", at(stage), "w")}
    start, half = dropped(stage), stage.lab.view
    here = frame(stage).here
    items = [stroke(np.stack([np.zeros(2), here(start)]), "faint", "arrow")]
    if not stage.shown:
        return data | {"overlay": [*line(start, half, "faint"), *items]}
    way = so_far(stage)
    items += [stroke(here(way), "witness-line"), *line(way[-1], half, "accent")]
    items.append(stroke(np.stack([np.zeros(2), here(way[-1])]), "accent", "arrow"))
    roll = dial("roll", _("How far the ball has rolled"), _("rolled"), stage.dial("roll", 1.0), 0.0, 1.0, 0.01)
    return data | {"overlay": items, "sliders": [*sliders(stage.lab), roll]}


def verdict(stage: Stage) -> str:
    """How many valleys the sigmoid has here."""
    n = len(of_sigmoid(stage).w)
    if n > 1:
        return _("with the sigmoid, which has **{n}** valleys on these points.").format(n=n)
    return _("with the sigmoid, though {n} descents find one valley here.").format(n=STARTS)


def numbers(stage: Stage) -> Sequence[Reading]:
    """F where it was dropped and where it rests, where that is, and the least F that was found."""
    start = reading("F(w)", float(objective(stage).value(dropped(stage))))
    if not stage.shown:
        return [start]
    fit, known = rolled(stage)[1], found_so_far(stage)
    if not fit.converged:
        return [start, reading(_("rests at"), _("no place")), reading(_("F so far"), fit.value)]
    values = [start, reading(_("rests at"), place(fit.w)), reading(_("F there"), fit.value)]
    return [*values, reading(_("least"), float(known.values[0]))] if known and len(known.w) else values


def terrain(stage: Stage, half: float) -> Ground:
    """F over the plane."""
    name = f"ground {stage.pick('valleyloss')} {stage.pick('valleyprice')} {half}"
    return stage.cached(name, lambda: ground(objective(stage), np.zeros(2), half))


def chart(stage: Stage) -> Chart:
    """The plane of w, or a section through two of its places."""
    loss, view = str(stage.pick("valleyloss")), stage.pick("valleyview")
    known, start = found(stage), dropped(stage)
    if view != "plane":
        return Chart(_section(stage, loss, known, start))
    half = frame(stage).half
    if len(known.w):
        half = max(half, min(1.2 * float(np.abs(known.w).max()), 8 * half))
    reach = frame(stage).half
    spots = places(np.zeros(2), reach)
    values = stage.cached(f"spots {loss} {stage.pick('valleyprice')} {reach}", lambda: objective(stage).value(spots))
    path, by = rolled(stage)[0], frame(stage).by
    figure = figures.plane(loss, terrain(stage, half), half, spots, values, path, known, stage.palette)
    marks = np.vstack([spots, known.w])
    return Chart(figure, lambda i: drop(by * marks[int(i)]))


def drop(on_board: Array) -> Op:
    """The operation that drops the ball at a place of the board."""
    return set_dials(ball1=float(on_board[0]), ball2=float(on_board[1]), roll=1.0)


def _section(stage: Stage, loss: str, known: Minima, start: Array) -> Figure:
    posed, palette = objective(stage), stage.palette
    if stage.pick("valleyview") == "along":
        return figures.section(loss, cut(posed, start, 2.0 * start, -1.0, 3.0), ("w", "2w"), "k", 1.0, palette)
    best = known.lowest
    end, name = (2.0 * start, "2w") if best is None else (best, _("best"))
    return figures.section(loss, cut(posed, start, end, -0.4, 1.4), ("w", name), "s", 0.0, palette)


def says(stage: Stage) -> str:
    """What the view shows with the loss that is picked."""
    posed, known = objective(stage), found_so_far(stage)
    if stage.pick("valleyview") == "along":
        return _along(stage, posed)
    if stage.pick("valleyview") == "best":
        if posed.loss.convex:
            return _(
                "The hinge's and the logistic $F$ stay on or below the straight chord of any two places: one valley."
            )
        return _(
            "Where $F$ rises above the straight chord of two places, it is not convex: a hill may part two valleys."
        )
    if not rolled(stage)[1].converged:
        return _("Here nothing keeps $w$ short, and $F$ falls for ever: the ball comes to rest nowhere.")
    if known is None:
        return _("Click where the ball is to be dropped, or drag $w$ on the board.")
    if known.falling:
        return _("{n} of {all} descents fall for ever; the others end at the dots, each with its $F$.").format(
            all=STARTS, n=known.falling
        )
    if len(known.w) > 1:
        if known.values[-1] - known.values[0] < 1e-6:
            return _("Each dot is an end of one of {n} descents: many minima, and all of them equally low.").format(
                n=STARTS
            )
        return _("Each dot is the floor of a valley, with its $F$. Where the ball is dropped decides in which it ends.")
    return _("{n} descents from all over the plane end at one place. Click where the ball is to be dropped.").format(
        n=STARTS
    )


def _along(stage: Stage, posed: Objective) -> str:
    w = dropped(stage)
    t = posed.margins(w)
    if posed.lam > 0:
        return _("The term with λ makes a long $w$ dear: far out, $F$ rises along every $k\\,w$.")
    if t.min() <= 0:
        return _(
            "This $w$ has a point on the wrong side, or on the line. Drag $w$ until it separates, if the points allow."
        )
    if posed.loss.attains_minimum:
        if t.min() >= 1:
            return _("Without λ both $w$ and $2w$ have $F = 0$: two minima, and all $k\\,w$ beyond are minima too.")
        return _("Without λ, $F$ is 0 as soon as $k\\,w$ has every point at $y f \\ge 1$, and from there on.")
    return _("This $w$ separates: without λ, $F$ falls along $k\\,w$ for ever, towards 0, and there is no minimum.")


def formula(stage: Stage) -> str:
    """F with the loss that is picked; of a section the inequality of the chord."""
    if stage.pick("valleyview") == "best" and objective(stage).loss.convex:
        return r"F\bigl((1-s)u+sv\bigr)\le(1-s)\,F(u)+s\,F(v)"
    price = "" if objective(stage).lam == 0 else r"\tfrac\lambda2\|w\|^2+"
    loss = OF_T[str(stage.pick("valleyloss"))]
    return rf"F(w)={price}\tfrac1m\textstyle\sum_i {loss},\quad t=y_i\langle w,x_i\rangle"


def more(stage: Stage) -> Sequence[str]:
    """The sentence about at most one minimum, what is right instead, and how it is checked here."""
    return [
        _(
            "Gambosi's slides say of convex functions that they have (at most) one local minimum. What holds "
            "is that **every local minimum is a global one**. "
            "There may be many: the hinge without λ on separable points is 0 at $w$ and at $2w$. There may "
            "be none: the logistic loss without λ falls along "
            "$k\\,w$ for ever. With λ > 0 there is exactly one."
        ),
        _(
            "**The sigmoid.** It is flat far out on both sides, so a descent hardly notices a point that is "
            "far on the wrong side. On the board that this step brings, 24 descents find "
            "four minima: $F$ = 0.3832 at (1.77, 1.77), 0.4186 at (−2.79, 1.29) and at (1.29, −2.79), and a "
            "shallow one with $F$ = 0.5 at $w = 0$, since the mean of $y_i x_i$ is 0 there. "
            "More starts could find more: descents never prove that they have found all."
        ),
        _(
            "**The ball** rolls the steepest way, over kinks that are rounded off a little; where it stops, "
            "an exact descent has the last word. "
            "On the board the arrow is $w$, the line is $\\langle w, x\\rangle = 0$. *Chord* is the section "
            "from $w$ to the best place that was found, *k w* the one from 0 through $w$."
        ),
    ]


VALLEYS = Step(
    key="valleys",
    title=N_("One valley or several"),
    question=N_(
        "A ball is dropped in the plane of $w$ and rolls down $F$. With which loss can it come to rest "
        "at a place that is not the best?"
    ),
    choices=(
        wrong(N_("The hinge"), N_("It has kinks, but no hills: F is convex, and where the ball rests is the best.")),
        wrong(N_("The logistic loss"), N_("It is convex: a place where the slope is 0 is the lowest of all.")),
        right(N_("The sigmoid")),
    ),
    verdict=verdict,
    board=MIXED,
    needs=(SOFT, LINEAR, NO_BIAS, AWAY, SOLVED),
    draw=draw,
    play=lambda stage: {"key": "roll", "op": "dial", "from": 0.0, "to": 1.0, "ms": 2400},
    numbers=numbers,
    picks=(
        Pick("valleyloss", N_("loss"), NAMED, "sigmoid", LOSS.__getitem__),
        Pick("valleyview", N_("view"), tuple(VIEWS), "plane", VIEWS.__getitem__),
        Pick("valleyprice", N_("price"), tuple(PRICES), "board", PRICES.__getitem__),
    ),
    chart=chart,
    says=says,
    formula=formula,
    more=more,
    tries=(
        Try(N_("Separable"), board=SEPARABLE),
        Try(N_("Many minima"), set_picks(valleyloss="hinge", valleyprice="none", valleyview="along")),
        Try(N_("For ever"), set_picks(valleyloss="logistic", valleyprice="none", valleyview="along")),
    ),
    shows=("L2", "L10"),
)
