"""Local and global minima: a descent that starts at any w, and the minima in which others end (L2, L10)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from svmlab.core.arrays import Array
from svmlab.lab.board.payload import sliders
from svmlab.lab.charts.marks import SIZE
from svmlab.lab.lessons.losses.minima import STARTS, Minima, Section, minima
from svmlab.lab.lessons.losses.minima import section as cut
from svmlab.lab.lessons.losses.names import LOSS, OF_T, colour, pen
from svmlab.lab.lessons.losses.plane import WIDE, Ground, ground, places
from svmlab.lab.lessons.losses.plane_chart import behind, clickable, frame
from svmlab.lab.lessons.losses.rolling import roll
from svmlab.lab.numbers import ROUNDING, short
from svmlab.lab.session.worker import Report
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import POINTS_ONLY, probe, set_dials, set_picks, stroke
from svmlab.lab.teach.requirements import LINEAR, NO_BIAS, SOFT, SOLVED
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Chart, Data, Need, Op, Pick, Reading, Step, Try, dial, reading, right, wrong
from svmlab.lab.words import N_, _
from svmlab.losses import LOSSES, REGULARISERS, Fit, Objective
from svmlab.plane.contours import line_through_origin
from svmlab.plot.frame import Figure, axis_range, empty_chart
from svmlab.plot.labels import Label, axis_name, place_labels
from svmlab.plot.palette import Palette

NAMED = ("hinge", "logistic", "sigmoid")
NOTHING = 1e-6  # a w as short is 0
HIGHER = 1e-6  # a larger difference of F is more than the error of a descent
START = (-0.7, -0.15)  # of the half-width of the board: the first w
STRIDES = 30  # the smallest number of steps from the edge of the visible plane to its centre
STARTS_WITHIN = 0.8  # of the half-width of the visible plane: the starts of the other descents lie within
VIEWS = {"plane": N_("plane of w"), "best": N_("chord"), "along": N_("k w")}
PRICES = {"board": "λ > 0", "none": "λ = 0"}
AWAY = Need(
    lambda stage: bool(stage.data.X.any()),
    N_("All points lie at the origin, so F is the same in every direction. Move one of them."),
    {},
)
MIXED = board_of_points(((2.0, 0.0, 1), (0.0, 2.0, 1), (-2.0, -2.0, 1)), face="lambda", value=0.01, bias=False)
SEPARABLE = board_of_points(((2.0, 0.0, -1), (0.0, 2.0, -1), (-2.0, -2.0, 1)), face="lambda", value=0.01, bias=False)
LABELLED = 5  # up to so many minima have their F beside them
THIN, FAINT = 1.0, 0.35  # contours


def objective(stage: Stage) -> Objective:
    """Return F with the selected loss and lambda."""
    lam = 0.0 if stage.pick("valleyprice") == "none" else stage.solution.problem.lam
    return Objective(stage.data, LOSSES[stage.pick("valleyloss")], REGULARISERS["R2"], lam, bias=False)


def start_on_board(stage: Stage) -> tuple[float, float]:
    """Return the position of the start on the board."""
    view = stage.lab.view
    return stage.dial("ball1", START[0] * view), stage.dial("ball2", START[1] * view)


def start_w(stage: Stage) -> Array:
    """Return the w where the descent starts, (2,)."""
    return frame(stage).of(start_on_board(stage))


def descent(stage: Stage) -> tuple[Array, Fit]:
    """Return the path (k, 2) of the descent and its end."""
    name = f"rolled {stage.pick('valleyloss')} {stage.pick('valleyprice')} {start_on_board(stage)} {stage.lab.view}"
    return stage.cached(name, lambda: roll(objective(stage), start_w(stage), frame(stage).half / STRIDES))


def _work(stage: Stage, F: Objective) -> tuple[tuple[Any, ...], Callable[[Report], Minima]]:
    reach = STARTS_WITHIN * frame(stage).half
    key = ("losses", "minima", F.data.key, F.loss.name, F.lam, reach)
    return key, lambda report: minima(F, reach)


def known_minima(stage: Stage) -> Minima:
    """Return the minima of F in which descents from many starts end. Raises Working until they are known."""
    return stage.background_result(*_work(stage, objective(stage)))


def known_minima_or_none(stage: Stage) -> Minima | None:
    """Return the same, or None until they are known."""
    return stage.background_result_or_none(*_work(stage, objective(stage)))


def minima_of_sigmoid(stage: Stage) -> Minima:
    """Return those of the sigmoid loss with the lambda of the board. Raises Working until they are known."""
    lam = stage.solution.problem.lam
    return stage.background_result(
        *_work(stage, Objective(stage.data, LOSSES["sigmoid"], REGULARISERS["R2"], lam, bias=False))
    )


def path_so_far(stage: Stage) -> Array:
    """Return the part of the path (k, 2) up to the position of the slider."""
    path, part = descent(stage)[0], stage.dial("roll", 1.0)
    lengths = np.r_[0.0, np.cumsum(np.hypot(*np.diff(path, axis=0).T))]
    length = part * float(lengths[-1])
    end = [np.interp(length, lengths, component) for component in path.T]
    return np.vstack([path[lengths < length], end])


def boundary(w: Array, half: float, style: str) -> list[Data]:
    """Return the line <w, x> = 0 across the board, or nothing if w = 0 except for the error of a descent."""
    return [stroke(line_through_origin(w, half), style)] if float(np.abs(w).max()) > NOTHING else []


def draw(stage: Stage) -> Data:
    """Return the arrow w that is dragged. After Show there is also the path of its descent and the line of its end."""
    data: Data = POINTS_ONLY | {
        "message": None,
        "legend": None,
        "probe": probe("ball1", "ball2", start_on_board(stage), "w"),
    }
    start, half = start_w(stage), stage.lab.view
    on_board = frame(stage).here
    items = [stroke(np.stack([np.zeros(2), on_board(start)]), "faint", "arrow")]
    if not stage.shown:
        return data | {"overlay": [*boundary(start, half, "faint"), *items]}
    path = path_so_far(stage)
    items += [stroke(on_board(path), "witness-line"), *boundary(path[-1], half, "accent")]
    items.append(stroke(np.stack([np.zeros(2), on_board(path[-1])]), "accent", "arrow"))
    progress = dial("roll", _("Part of the path of the descent"), _("descent"), stage.dial("roll", 1.0), 0.0, 1.0, 0.01)
    return data | {"overlay": items, "sliders": [*sliders(stage.lab), progress]}


def rests_on_answer(stage: Stage) -> bool:
    """Return whether the descent has ended in a local minimum that is not the global one."""
    end = descent(stage)[1]
    return stage.dial("roll", 1.0) == 1.0 and end.value > float(minima_of_sigmoid(stage).values[0]) + HIGHER


def verdict(stage: Stage) -> str:
    """Say how many local minima the sigmoid loss has."""
    n = len(minima_of_sigmoid(stage).w)
    if n > 1:
        template = _("The sigmoid loss, because it is not convex. On this board, {all} descents find {n} local minima.")
    else:
        template = _(
            "The sigmoid loss, because it is not convex. Here, however, {all} descents find only one local minimum."
        )
    return template.format(all=STARTS, n=n)


def numbers(stage: Stage) -> Sequence[Reading]:
    """Return F at the start and at the end of the descent, and the smallest F that was found."""
    start = reading(
        _("F at w"),
        float(objective(stage).value(start_w(stage))),
        _("Objective with the selected loss (at first the sigmoid loss) at the start of the descent"),
    )
    if not stage.shown:
        return [start]
    fit, known = descent(stage)[1], known_minima_or_none(stage)
    if not fit.converged:
        return [start, reading(_("F at the end"), _("no minimum"), _("F decreases without reaching a minimum"))]
    values = [start, reading(_("F at the end"), fit.value, _("Objective where the descent from w ends"))]
    definition = _("Smallest F at the end of {n} descents").format(n=STARTS)
    return [*values, reading(_("smallest F"), float(known.values[0]), definition)] if known and len(known.w) else values


def landscape(stage: Stage, half: float) -> Ground:
    """Return F over the plane."""
    name = f"ground {stage.pick('valleyloss')} {stage.pick('valleyprice')} {half}"
    return stage.cached(name, lambda: ground(objective(stage), np.zeros(2), half))


def chart(stage: Stage) -> Chart:
    """Return the plane of w, or a section through two of its points."""
    loss, view = str(stage.pick("valleyloss")), stage.pick("valleyview")
    known, start = known_minima(stage), start_w(stage)
    if view != "plane":
        return Chart(_section(stage, loss, known, start))
    half = frame(stage).half
    if len(known.w):
        half = max(half, min(1.2 * float(np.abs(known.w).max()), 8 * half))
    reach = frame(stage).half
    spots = places(np.zeros(2), reach)
    values = stage.cached(f"spots {loss} {stage.pick('valleyprice')} {reach}", lambda: objective(stage).value(spots))
    path, by = descent(stage)[0], frame(stage).by
    figure = plane(loss, landscape(stage, half), half, spots, values, path, known, stage.palette)
    marks = np.vstack([spots, known.w])
    return Chart(figure, lambda i: start_at(by * marks[int(i)]))


def start_at(on_board: Array) -> Op:
    """Return the operation that starts the descent at a position of the board."""
    return set_dials(ball1=float(on_board[0]), ball2=float(on_board[1]), roll=1.0)


def _section(stage: Stage, loss: str, known: Minima, start: Array) -> Figure:
    F, palette = objective(stage), stage.palette
    if stage.pick("valleyview") == "along":
        return section(loss, cut(F, start, 2.0 * start, -1.0, 3.0), ("w", "2w"), "k", 1.0, palette)
    best = known.lowest
    end, name = (2.0 * start, "2w") if best is None else (best, _("smallest F"))
    return section(loss, cut(F, start, end, -0.4, 1.4), ("w", name), "q", 0.0, palette)


def says(stage: Stage) -> str:
    """Say what the view shows with the selected loss."""
    F, known = objective(stage), known_minima_or_none(stage)
    if stage.pick("valleyview") == "along":
        return _along(stage, F)
    if stage.pick("valleyview") == "best":
        if F.loss.convex:
            return _(
                "The curve is $F$ along the straight line from $w$ to the smallest $F$ found. It is nowhere above its "
                "chord, because $F$ is convex. So every local minimum is a global one."
            )
        return _(
            "The curve is $F$ along the straight line from $w$ to the smallest $F$ found. If it is above its chord, "
            "$F$ is not convex, and there can be several local minima."
        )
    if not descent(stage)[1].converged:
        return _(
            "Here the descent does not converge. $F$ decreases for longer and longer $w$ without reaching a minimum."
        )
    if known is None:
        return _("The curves are contours of $F$. Click where the descent should start, or drag $w$ on the board.")
    if known.falling:
        return _(
            "Each dot is the end of a descent, with its $F$. {n} of {all} descents do not converge, because $F$ "
            "decreases for longer and longer $w$."
        ).format(all=STARTS, n=known.falling)
    if len(known.w) > 1:
        if known.values[-1] - known.values[0] < HIGHER:
            return _(
                "Each dot is the end of one of {n} descents. All of these minima have the same $F$, so none is better "
                "than another."
            ).format(n=STARTS)
        return _(
            "The curves are contours of $F$, and each dot is a local minimum with its $F$. The start decides where the "
            "descent ends. Click where it should start."
        )
    return _(
        "The curves are contours of $F$. All {n} descents from different starts end at the same dot. Click where you "
        "want the next one to start."
    ).format(n=STARTS)


def _along(stage: Stage, F: Objective) -> str:
    w = start_w(stage)
    t = F.margins(w)
    if F.lam > 0:
        return _(
            "The curve is $F$ along the multiples $k\\,w$. For large $k$ it increases, because the regulariser grows "
            "with $k^2$."
        )
    if t.min() <= 0:
        return _(
            "The curve is $F$ along the multiples $k\\,w$, for $\\lambda = 0$. This $w$ misclassifies a point, or has "
            "one on its line. Drag $w$ until it separates the classes, if possible."
        )
    if F.loss.attains_minimum:
        if t.min() >= 1:
            return _(
                "The curve is $F$ along the multiples $k\\,w$, for $\\lambda = 0$. All $y f(x)$ are at least 1 at $w$, "
                "so $w$ and $2w$ both have $F = 0$. Both are global minima."
            )
        return _(
            "The curve is $F$ along the multiples $k\\,w$, for $\\lambda = 0$. It is 0 as soon as $k$ is so large that "
            "all $y f(x)$ are at least 1."
        )
    return _(
        "The curve is $F$ along the multiples $k\\,w$, for $\\lambda = 0$. This $w$ separates the classes, so $F$ "
        "decreases towards 0 and never reaches it. No global minimum exists."
    )


def formula(stage: Stage) -> str:
    """Return F with the selected loss, or the inequality of the chord."""
    if stage.pick("valleyview") == "best" and objective(stage).loss.convex:
        return r"F\bigl((1-q)\,w+q\,w'\bigr)\le(1-q)\,F(w)+q\,F(w'),\quad 0\le q\le1"
    regulariser = "" if objective(stage).lam == 0 else r"\tfrac\lambda2\|w\|^2+"
    loss = OF_T[str(stage.pick("valleyloss"))]
    return rf"F(w)={regulariser}\tfrac1m\textstyle\sum_i {loss},\quad t=y_i\langle w,x_i\rangle"


def plane(
    loss: str, ground: Ground, half: float, spots: Array, values: Array, path: Array, known: Minima, palette: Palette
) -> go.Figure:
    """Return contours of F, the known minima, and a descent with its path (k, 2); equal units, w2 within `half`.

    spots (n, 2) can be clicked, with their number as customdata; the minima have the next numbers. values (n,): F
    there.
    """
    figure = empty_chart(palette, height=200, left=30)
    thin = palette.pen(colour(loss, palette), THIN)
    figure.add_trace(behind(ground, thin, FAINT))
    figure.add_trace(clickable(spots, values))
    rolled = go.Scatter(x=path[:, 0], y=path[:, 1], name="path", mode="lines", hoverinfo="skip")
    figure.add_trace(rolled.update(line=palette.pen(palette.text, 2.5)))
    names = list[Label]()
    if len(known.w):
        names += _minima(figure, known, half, len(spots), palette)
    for at, symbol in ((path[-1], "circle-open"), (path[0], "diamond")):
        _mark(figure, at, symbol, palette)
    figure.update_xaxes(range=[-WIDE * half, WIDE * half], nticks=7, zeroline=True)
    figure.update_yaxes(range=[-half, half], nticks=5, zeroline=True, scaleanchor="x")
    side = "below left" if path[0][0] < path[-1][0] else "below right"
    names += [Label("w₁", WIDE * half, 0.0, palette.quiet, "above left")]
    names += [Label("w₂", 0.0, half, palette.quiet, "below right")]
    names.append(Label("w", *_within(path[0], half), palette.text, side))
    return place_labels(figure, palette, names, backed=True)


def _within(at: Array, half: float) -> tuple[float, float]:
    """Return a point, or the nearest one that the chart shows."""
    return float(np.clip(at[0], -WIDE * half, WIDE * half)), float(np.clip(at[1], -half, half))


def _minima(figure: go.Figure, known: Minima, half: float, first: int, palette: Palette) -> list[Label]:
    """Draw a dot for each minimum, filled for the lowest, and return the labels with F of the first few."""
    lowest = known.values <= known.values[0] + HIGHER
    marker = {
        "size": palette.stroke * np.where(lowest, SIZE + 2, SIZE),
        "color": np.where(lowest, palette.accent, palette.paper),
        "line": palette.pen(palette.accent, 2.5),
        "opacity": 1,
    }
    hover = "F = %{customdata[1]:.6g}<br>w = (%{x:.4g}, %{y:.4g})<extra></extra>"
    x, y = known.w.T
    custom = np.stack([first + np.arange(len(x)), known.values], axis=1)
    figure.add_trace(
        go.Scatter(x=x, y=y, customdata=custom, name="minima", mode="markers", marker=marker, hovertemplate=hover)
    )
    inside = (np.abs(known.w[:, 1]) < half) & (np.abs(known.w[:, 0]) < WIDE * half)
    labelled = np.flatnonzero(inside)
    labelled = labelled if len(known.w) <= LABELLED else labelled[:1]
    return [
        Label(short(float(known.values[i]), 4, ROUNDING), float(x[i]), float(y[i]), palette.accent, "above right")
        for i in labelled
    ]


def _mark(figure: go.Figure, at: Array, symbol: str, palette: Palette) -> None:
    marker = {
        "size": 14 * palette.stroke,
        "symbol": symbol,
        "color": palette.text,
        "line": palette.pen(palette.text, 2),
    }
    hover = "w = (%{x:.4g}, %{y:.4g})<extra></extra>"
    trace = go.Scatter(x=at[:1], y=at[1:], name=symbol, mode="markers", marker=marker, hovertemplate=hover)
    figure.add_trace(trace)


def section(loss: str, along: Section, ends: tuple[str, str], axis: str, first: float, palette: Palette) -> go.Figure:
    """Return F along a straight line through two points of the plane, and its chord between them.

    ends: the names of the two points, which lie at `first` and at `first` + 1 on the axis.
    """
    figure = empty_chart(palette, height=200)
    x, between = along.s + first, (along.s >= 0) & (along.s <= 1)
    hover = f"{axis} = %{{x:.3g}}<br>F = %{{y:.6g}}<extra></extra>"
    curve = go.Scatter(x=x, y=along.values, name="F", mode="lines", line=pen(loss, palette, 3), hovertemplate=hover)
    figure.add_trace(curve)
    chord = go.Scatter(x=x[between], y=along.chord[between], name="chord", mode="lines", hoverinfo="skip")
    figure.add_trace(chord.update(line=palette.pen(palette.quiet, 2)))
    rows = np.searchsorted(along.s, [0.0, 1.0])
    marker = {"size": 13 * palette.stroke, "color": palette.text, "symbol": ["diamond", "circle"]}
    at_end = "F = %{y:.6g}<extra></extra>"
    figure.add_trace(
        go.Scatter(x=x[rows], y=along.values[rows], name="ends", mode="markers", marker=marker, hovertemplate=at_end)
    )
    lo, hi = axis_range(along.values, along.chord[between], room=0.14)
    if hi - lo < 1e-3:  # flat: rounding is no shape
        lo, hi = lo - 0.5, hi + 0.5
    figure.update_xaxes(range=[float(x[0]), float(x[-1])], nticks=7)
    figure.update_yaxes(range=[lo, hi], nticks=4)
    labels = [
        axis_name(figure, axis, palette),
        Label("F", float(x[-1]), float(along.values[-1]), colour(loss, palette)),
    ]
    labels += [
        Label(
            f"{name}: {short(float(along.values[i]), 4, ROUNDING)}",
            float(x[i]),
            float(along.values[i]),
            palette.text,
            side,
        )
        for name, i, side in zip(ends, rows, ("above", "below"), strict=True)
    ]
    place_labels(figure, palette, labels, backed=True)
    figure.layout.margin.r += palette.type  # the axis has its name there
    return figure


VALLEYS = Step(
    key="valleys",
    title=N_("Local and global minima"),
    deeper=True,
    situation=N_(
        "$F(w)$ is a mean loss plus $\\frac\\lambda2\\|w\\|^2$ with $\\lambda > 0$, for a classifier "
        "without bias. Drag $w$ on the board. From there, a descent follows the slope of $F$ until $F$ "
        "decreases no further, like a ball that rolls downhill. A **local minimum** is a $w$ with no "
        "smaller $F$ nearby."
    ),
    question=N_(
        "With which loss can a descent end in a local minimum of the objective $F$ that is not the global minimum?"
    ),
    choices=(
        wrong(
            N_("The hinge loss"),
            N_(
                "It has kinks, so it is not smooth. However, it is convex, so every local minimum of F is a global "
                "minimum."
            ),
        ),
        wrong(
            N_("The logistic loss"),
            N_("Its slope is never exactly 0. However, it is convex, so every local minimum of F is a global minimum."),
        ),
        right(N_("The sigmoid loss")),
    ),
    verdict=verdict,
    board=MIXED,
    introduces=("local-minimum",),
    needs=(SOFT, LINEAR, NO_BIAS, AWAY, SOLVED),
    draw=draw,
    play=lambda stage: {"key": "roll", "op": "dial", "from": 0.0, "to": 1.0, "ms": 2400},
    rests_on_answer=rests_on_answer,
    numbers=numbers,
    picks=(
        Pick("valleyloss", N_("Loss"), NAMED, "sigmoid", LOSS.__getitem__),
        Pick("valleyview", N_("View"), tuple(VIEWS), "plane", VIEWS.__getitem__, in_more=True),
        Pick("valleyprice", N_("Regulariser"), tuple(PRICES), "board", PRICES.__getitem__, in_more=True),
    ),
    chart=chart,
    says=says,
    formula=formula,
    more=(
        N_(
            "**Convex objectives.** Suppose that $F$ is convex and that $F(w') < F(w)$. On the straight line from $w$ "
            "to $w'$, $F$ is nowhere above its chord, so it is below $F(w)$ everywhere except at $w$. So $w$ is no "
            "local minimum. With $\\lambda > 0$ and a convex loss, $F$ has exactly one minimum."
        ),
        N_(
            "**Without the regulariser.** For $\\lambda = 0$ there can be many minima, or none. If $w$ gives all "
            "points $y f(x) \\ge 1$, the hinge loss is 0 at $w$ and at $2w$. On separable points, the logistic loss "
            "decreases along $k\\,w$ and never reaches a minimum. Choose *Separable*, then λ = 0 and *k w* to see it."
        ),
        N_(
            "**The sigmoid loss.** It is almost constant far from $t = 0$, so a descent hardly reacts to a point far "
            "on the wrong side. On the first board, 24 descents find four minima. $F$ is 0.3832 at (1.77, 1.77), and "
            "0.4186 at (−2.79, 1.29) and at (1.29, −2.79). At $w = 0$ it is 0.5, because the mean of $y_i x_i$ is 0 "
            "there. More starts could find more minima."
        ),
        N_(
            "**On the board.** The arrow is $w$, and the line is $\\langle w, x\\rangle = 0$. You see a path "
            "along the negative gradient, with slightly rounded kinks. A more exact descent computes its end. "
            "*Chord* is the section from $w$ to the smallest $F$ found, and *k w* is the one through 0 and $w$. "
            "The first board has points of class +1 only. Without bias, a point $x$ of class +1 has the same "
            "loss as the point $-x$ of class −1."
        ),
        N_(
            "**The slides.** Gambosi's slides state that convex functions have (at most) one local minimum. In fact, "
            "every local minimum of a convex function is a global one, but there can be many or none."
        ),
    ),
    tries=(
        Try(N_("Separable"), board=SEPARABLE),
        Try(N_("Many minima"), set_picks(valleyloss="hinge", valleyprice="none", valleyview="plane")),
    ),
    shows=("L2", "L10", "T18"),
)
