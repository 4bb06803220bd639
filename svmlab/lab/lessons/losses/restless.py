"""The perceptron on points that no line separates: it goes on for ever, w stays bounded, the pocket keeps the best
(L13, L1).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from svmlab import Linear, separate
from svmlab.binary.separability import Separation
from svmlab.core.arrays import Array
from svmlab.firstorder.perceptron import PerceptronRun, augmented, perceptron
from svmlab.lab.lessons.losses import restless_chart as figures
from svmlab.lab.lessons.losses.cycling import cycle, total, visits
from svmlab.lab.lessons.losses.fewest import fewest_so_far
from svmlab.lab.numbers import ROUNDING, grouped, short
from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import POINTS_ONLY, film, frame, line_strokes, normal_of, place, reading, stroke
from svmlab.lab.teach.requirements import BOTH_CLASSES, LINEAR, SOFT, at_most
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Choice, Data, Part, Pick, Reading, Step, Try
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES
from svmlab.plane.geometry import Line

MOST = 400  # mistakes until the run is ended by hand
TIMES = 12  # that what is repeated is drawn
FRAMES = 60  # of the film; the first updates all have one
CORNERS = ((1, 1, 1), (-1, -1, 1), (1, -1, -1), (-1, 1, -1))
MOVED = ((1, 1, 1), (-1, -1, 1), (1, -1, -1), (0.4, -0.2, -1))
VIEWS = {"length": N_("length of (w, b)"), "errors": N_("errors and pocket")}


def run(stage: Stage) -> PerceptronRun:
    """From w = 0, the points visited in the order in which they were placed, again and again."""
    data = stage.data
    return stage.cached_for_points("restless", lambda: perceptron(augmented(data.X), data.y, np.arange(data.m), MOST))


def certificate(stage: Stage) -> Separation:
    """Whether a line separates the points, with the proof."""
    return stage.cached_for_points("certificate", lambda: separate(stage.data, Linear()))


def lengths(stage: Stage) -> Array:
    """|(w, b)| along the path."""
    return np.linalg.norm(run(stage).path, axis=1)


def losses(stage: Stage, w: Array) -> float:
    """The sum of max(0, -y f)."""
    return float(LOSSES["perceptron"].value(run(stage).rows @ w).sum())


def line_at(stage: Stage, w: Array, style: str) -> list[Data]:
    """The line of a w and the side it calls +; nothing where it calls all points the same."""
    if not w[:2].any():
        return []
    line, half = Line(w[:2], float(w[2])), stage.lab.view
    return [*line_strokes(line, half, style), normal_of(line, half, style)]


def picture(stage: Stage, t: int) -> Data:
    """What is seen before update t, or at the end: the line of w, the best so far, and the point that is wrong."""
    now, sofar = run(stage), run(stage).errors[: t + 1]
    w, kept = now.path[t], int(sofar.argmin())
    items = line_at(stage, now.path[kept], "accent")
    counted = _("Wrong: {wrong}, in the pocket {kept}.")
    if not np.array_equal(now.path[kept], w) and w[:2].any():
        items += line_at(stage, w, "witness-line dashed")
        counted = _("Wrong: {wrong} (dashed), in the pocket {kept}.")
    counted = counted.format(wrong=int(sofar[t]), kept=int(sofar[kept]))
    if t == now.mistakes:
        said = (
            _("After <b>{n}</b> mistakes a whole round without any: it stops.")
            if now.stopped
            else _("After <b>{n}</b> mistakes it is ended by hand.")
        )
        return frame(items, said.format(n=t) + " " + counted)
    i = int(now.updates[t])
    point = _("{sign} point at {where}").format(sign="+" if stage.data.y[i] > 0 else "−", where=place(stage.data.X[i]))
    if t == 0:
        said = _("w = 0, b = 0: every point counts as wrong. The first is the {point}.").format(point=point)
        return frame(items, said, stage.lab.points[i].id)
    said = _("<b>{t}</b> of {n}: {point} has y f = {yf}.")
    yf = short(float(now.rows[i] @ w), 3, ROUNDING)
    return frame(items, said.format(t=t, n=now.mistakes, point=point, yf=yf) + " " + counted, stage.lab.points[i].id)


def draw(stage: Stage) -> Data:
    """The points alone; once shown the film of the run, and where the hulls of both classes meet."""
    bare: Data = {**POINTS_ONLY, "legend": None, "message": None, "witness": None, "sliders": []}
    if not stage.shown:
        return bare
    meet = certificate(stage).point
    overlay = [] if meet is None else [stroke(np.r_[meet, 0.02 * stage.lab.view], "witness-line", "disc")]
    return bare | {"film": played(stage), "overlay": overlay}


def played(stage: Stage) -> Data:
    """The film, which opens at its end and is played from its start; under a moving hand its end alone."""
    n = run(stage).mistakes
    if stage.dragging:
        return film(f"restless.moving.{stage.data.key}", [picture(stage, n)])
    head = np.arange(min(n, FRAMES // 2))
    rest = np.linspace(len(head), n, FRAMES - len(head)).round().astype(int) if n > len(head) else [n]
    pictures = [picture(stage, t) for t in np.unique(np.r_[head, rest]).tolist()]
    return film(f"restless.{stage.data.key}", pictures, len(pictures) - 1)


def answer(stage: Stage) -> int:
    """It stops exactly where a line separates the points."""
    return 0 if certificate(stage).separable else 1


def verdict(stage: Stage) -> str:
    """Whether it stops, and how long w became."""
    now = run(stage)
    if answer(stage) == 1:
        said = _("for ever: no line separates these points. In {n} mistakes ‖(w, b)‖ was {most} at most.")
        return said.format(n=now.mistakes, most=short(float(lengths(stage).max())))
    if now.stopped:
        return _("it stops, after {n} mistakes: a line separates these points.").format(n=now.mistakes)
    return _("it stops, as a line separates these points; but not within {n} mistakes.").format(n=now.mistakes)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Mistakes and visits, the longest w, and the errors of the one in the pocket."""
    if not stage.shown:
        return ()
    now = run(stage)
    return [
        reading(_("mistakes"), float(now.mistakes)),
        reading(_("visits"), float(total(now))),
        reading(_("longest (w, b)"), float(lengths(stage).max())),
        reading(_("errors in the pocket"), float(now.errors[now.pocket])),
    ]


def seen(stage: Stage) -> int:
    """Up to which visit the chart goes: where everything is repeated, some rounds of it are enough."""
    now, back = run(stage), cycle(run(stage))
    return total(now) if back is None else min(total(now), TIMES * int(visits(now)[back[1]]))


def chart(stage: Stage) -> Chart:
    """|(w, b)|, or the errors of each w, along the visits."""
    now, last = run(stage), seen(stage)
    if stage.pick("restless") == "length":
        return Chart(figures.lengths(visits(now), lengths(stage), now.pocket, last, stage.palette))
    found = fewest_so_far(stage)
    least = None if found is None else found.errors
    return Chart(figures.errors(visits(now), now.errors, least, last, stage.palette))


def says(stage: Stage) -> str:
    """What becomes of w, and what the pocket is for."""
    now, back = run(stage), cycle(run(stage))
    if now.stopped:
        return _("A whole round without a mistake, and nothing changes any more. The pocket holds the same line.")
    if stage.pick("restless") == "errors":
        return _(
            "A later $w$ may have more errors than an earlier one. The **pocket** keeps the best so far: "
            "mistake {t} left it there, the run went on."
        ).format(t=now.pocket)
    if back is not None:
        return _(
            "After mistake {t}, $w$ and $b$ are what they were {n} mistakes before, and the same point is "
            "next: so all of it is repeated, for ever."
        ).format(n=back[1] - back[0], t=back[1])
    return _(
        "A mistake adds $\\|x\\|^2 + 1$ to $\\|(w, b)\\|^2$ at most and often takes some away: $w$ "
        "wanders about, and stays bounded on whatever points."
    )


def more(stage: Stage) -> Sequence[Part]:
    """The proof that it cannot stop, its loss, what is not so, and who says what."""
    now, found, m = run(stage), certificate(stage), stage.data.m
    kept = now.path[now.pocket]
    left = now.mistakes - now.pocket - 1  # after the one that took it away
    if found.separable:
        proof = _(
            "**Why it stops.** A line separates these points, and the mistakes have a bound: the lesson on "
            "the margin has it."
        )
    else:
        proof = _(
            "**Two ways.** The run was still making mistakes when it was ended, after {visits} visits. And "
            "it cannot stop: {k} points, weighed, "
            "put one place into the hulls of both classes (ringed), so no line has all of them right."
        ).format(visits=grouped(total(now)), k=len(found.witness))
    parts = [
        proof,
        _(
            "**Its loss.** The perceptron descends on $\\sum_i\\max(0, -y_i f(x_i))$, without a regulariser. "
            "Least is 0, at $w = 0$, $b = 0$, where the "
            "run began with all {m} points counted as wrong; the $w$ in the pocket has {loss}. So the best "
            "by this loss "
            "has learned nothing. The SVM's hinge, $\\max(0, 1 - y_i f(x_i))$, is 1 there."
        ).format(m=m, loss=short(losses(stage, kept), noise=ROUNDING)),
    ]
    if not now.stopped and left >= 0:
        parts.append(
            _(
                "**It does not settle in the pocket.** The $w$ with the fewest errors, {wrong}, came with "
                "mistake {t}; the next mistake took it away again, "
                "and {left} more followed."
            ).format(wrong=int(now.errors[now.pocket]), t=now.pocket, left=left)
        )
    return [
        *parts,
        _(
            "Gambosi's slides say that it converges to no solution where no line separates; so it is. That "
            "$(w, b)$ stays bounded, on whatever points, is the "
            "perceptron cycling theorem (Block and Levin, 1970). The Chinese notes name the pocket beside "
            "the perceptron: it keeps the best $w$ so far."
        ),
    ]


RESTLESS = Step(
    key="restless",
    title=N_("It never settles"),
    question=N_(
        "The perceptron visits these points in turn, again and again, and adds $y\\,x$ to $w$ and $y$ to "
        "$b$ whenever one is wrong. What becomes of it?"
    ),
    choices=(
        Choice(
            N_("It stops at a line with the fewest errors"),
            N_("It stops after a round without a mistake only, and here every line makes one."),
        ),
        Choice(
            N_("It goes on for ever, and w, b stay bounded"),
            N_("So it is where no line separates; here one does, and mistakes have a bound."),
        ),
        Choice(
            N_("It goes on, and w grows without end"),
            N_("Only a point that is wrong is added, and it pulls (w, b) back."),
        ),
    ),
    answer=answer,
    verdict=verdict,
    board=board_of_points(CORNERS, value=1.0),
    needs=(BOTH_CLASSES, LINEAR, SOFT, at_most(200)),
    draw=draw,
    play=lambda stage: {"film": True},
    numbers=numbers,
    picks=(Pick("restless", N_("The chart"), tuple(VIEWS), "length", VIEWS.__getitem__),),
    chart=chart,
    says=says,
    formula=r"y_i f(x_i)\le 0:\quad w \leftarrow w + y_i x_i,\quad b \leftarrow b + y_i",
    more=more,
    tries=(
        Try(N_("Overlapping"), board=preset("overlapping", size=60, noise=0.2, seed=1, value=1.0)),
        Try(N_("One corner moved"), board=board_of_points(MOVED, value=1.0)),
        Try(N_("Rings"), board=preset("circles", size=24, noise=0.1, seed=0, value=1.0)),
    ),
    shows=("L1", "L13"),
)
