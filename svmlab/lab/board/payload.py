"""Convert a Lab and the result of its problem to the data that the board draws."""

from __future__ import annotations

import base64
import math
from collections import Counter
from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from svmlab import Category, NotSeparable, Separation, Solution
from svmlab.binary.categories import GROUPS
from svmlab.core.arrays import Array
from svmlab.lab.board.board_message import message
from svmlab.lab.board.caption import caption
from svmlab.lab.numbers import bound_symbol, short
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.controls import CONTROLS, LABELS, MAX_POINTS, VALUES
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import History
from svmlab.lab.words import N_, _, current_notation
from svmlab.plane.contours import SolutionDrawing

Data = dict[str, Any]
PALEST = 24  # of 127: the weakest shading that still shows the side of the boundary
CATEGORY_TEXT = {
    Category.OUTSIDE: N_("outside the margin, y f > 1"),
    Category.MARGIN_IDLE: N_("on the margin, α = 0"),
    Category.MARGIN_FREE: N_("on the margin, 0 < α < {C}"),
    Category.MARGIN_FULL: N_("on the margin, α = {C}"),
    Category.INSIDE: N_("inside the margin, 0 < y f < 1"),
    Category.ON_LINE: N_("on the boundary, y f = 0"),
    Category.WRONG: N_("wrong side, y f < 0"),
}
CATEGORY_TEXT_BY_VALUE = {c.value: text for c, text in CATEGORY_TEXT.items()}
IN_GROUP = {group: [c.value for c in cats] for group, cats in GROUPS.items()}
NO_LEGEND: Data = {"groups": [], "cats": [], "moreText": ""}
GROUP = {"safe": N_("outside"), "margin": N_("on margin"), "violating": N_("violating")}


def descriptions(
    history: History, solution: Solution | None, projector: bool, type_size: int, hidden: Collection[str]
) -> Data:
    """Return what stands beside the picture and does not change during a drag, without the wire data.

    type_size: of the projector mode, in px. hidden: what the link hides, which caption and messages do not name.
    """
    lab = history.present
    return {
        "hidden": False,
        "caption": caption(lab, solution, hidden=hidden).as_json,
        "spaceBelow": 64,
        "view": lab.view,
        "points": [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points],
        "axes": None if lab.axes is None else [lab.axes.x1.title, lab.axes.x2.title],
        "pin": None,
        "second": None,
        "boardNames": [],
        "active": lab.active,
        "sliders": sliders(lab),
        "selected": lab.selected,
        "label": lab.label,
        "task": lab.task,
        "labels": LABELS[lab.task],
        "tool": "place",
        "can": {"undo": bool(history.past), "redo": bool(history.future), "add": len(lab.points) < MAX_POINTS},
        "heard": announcements(lab, solution),
        "hint": hint(solution) if solution and not history.touched else None,
        "empty": None if lab.points else empty(),
        "projector": projector,
        "type": type_size,
    }


def picture(
    history: History, outcome: Outcome | None, drawn: SolutionDrawing | None, hidden: Collection[str] = ()
) -> Data:
    """Return the part of the data that follows from the solution."""
    lab = history.present
    solution = outcome.solution if outcome else None
    return {
        "marks": point_marks(solution, with_values=history.before_drag is None) if solution else None,
        "shade": shading(drawn) if drawn else None,
        "lines": lines(drawn) if drawn else None,
        "slack": slack(lab, drawn) if drawn else [],
        "witness": witness(lab, outcome) if outcome else None,
        "message": message(history, outcome, hidden),
        "legend": legend(solution),
    }


def point_marks(solution: Solution, with_values: bool = True) -> Data:
    """Return how each point is drawn: fill by alpha/C_i, ring by state, cross if it is misclassified.

    with_values: also the numbers of each point, which are left out during a drag.
    """
    problem = solution.problem
    bounds = float(solution.alpha.max(initial=0.0)) or 1.0 if problem.hard else problem.bounds
    f = solution.margins * problem.data.y
    return {
        "fill": np.round(solution.alpha / bounds, 3).tolist(),
        "state": state_names(solution.states),
        "cat": [c.value for c in solution.categories],
        "wrong": solution.errors.tolist(),
        "bound": bound_symbol(problem),
        "values": point_values(solution, f) if with_values else [],
    }


def state_names(states: Iterable[int]) -> list[str]:
    """Return how the rings name the states: -1 where the multiplier is 0, 0 where it is free, +1 at its bound."""
    return [("none", "free", "full")[state + 1] for state in states]


def category_text(solution: Solution, category: Category) -> str:
    """Return in words where a point of this category lies."""
    return _(CATEGORY_TEXT[category]).format(C=bound_symbol(solution.problem))


def empty() -> Data:
    """Return what a board without points shows."""
    text = _("Click to add a point of the chosen class. The boundary appears when both classes have points.")
    return {
        "text": text,
        "actions": [{"id": "preset", "text": _("Try a preset")}, {"id": "open", "text": _("Open a file")}],
    }


def point_values(solution: Solution, f: Array) -> list[list[str]]:
    """Return the numbers of each point (f, ξ and α), and how many points coincide with it if there are several."""
    counts = coincident_counts(solution.problem.data.X)
    rows = zip(f.tolist(), solution.xi.tolist(), solution.alpha.tolist(), counts, strict=True)
    return [[short(value, noise=solution.noise), short(xi), short(alpha), more] for value, xi, alpha, more in rows]


def coincident_counts(X: Array) -> list[str]:
    """Return how many points coincide with each point of X (m, d), as text, and "" if it is alone."""
    places = [tuple(place) for place in X.tolist()]
    counts = Counter(places)
    return [_("{n} points here").format(n=counts[place]) if counts[place] > 1 else "" for place in places]


def announcements(lab: Lab, solution: Solution | None) -> dict[str, str]:
    """Return in words what a change may affect. A screen reader speaks the entries that have changed."""
    entries = {"points": _("points: {n}").format(n=len(lab.points))}
    if solution is None:
        return entries
    norm = solution.norm_w
    return entries | {
        "margin": _("margin {margin}").format(margin=short(1 / norm)) if norm else _("no margin"),
        "support": _("support vectors: {n}").format(n=int(solution.support.sum())),
        "errors": _("errors: {n}").format(n=int(solution.errors.sum())),
    }


def sliders(lab: Lab) -> list[Data]:
    """Return the sliders of C or λ and of the kernel's parameters, for live moves. Ends are decimal logarithms."""
    if lab.face == "lambda":
        result = [_slider("value", "λ", _("λ, on a logarithmic scale"), lab.value, (-5, 1), lab.hard)]
    else:
        title = _("Penalty parameter C, on a logarithmic scale")
        result = [_slider("value", "C", title, lab.value, (-3, 3), lab.hard)]
        if current_notation().first == "lambda":
            result[0]["inverse"] = {"label": "λ", "of": len(lab.points)}
    if lab.task == VALUES:
        result.append(_tube(lab))
    for p in lab.kernel_function.parameters:
        if p.slider:
            title, span = (
                _("{what}, on a logarithmic scale").format(what=_(p.slider.title)),
                (p.slider.low, p.slider.high),
            )
            result.append(_slider(p.name, _(p.symbol), title, getattr(lab, p.name), span, False))
    return result


def _tube(lab: Lab) -> Data:
    """Return the slider of half the height of the tube, from 0 to 2 or to its present value if that is larger."""
    title = _("Half the height ε of the tube")
    ends = {"lo": 0, "hi": max(2.0, lab.eps), "step": 0.01, "linear": True}
    return {"key": "eps", "label": "ε", "title": title, "value": lab.eps, "disabled": False, **ends}


def _slider(key: str, label: str, title: str, value: float, span: tuple[int, int], disabled: bool) -> Data:
    """Return a slider with a logarithmic scale over `span`, extended by whole decades if the value lies outside."""
    limits = CONTROLS[key]
    lo, hi = min(span[0], math.floor(math.log10(value))), max(span[1], math.ceil(math.log10(value)))
    ends = max(lo, math.log10(limits.low)), min(hi, math.log10(limits.high))
    return {
        "key": key,
        "label": label,
        "title": title,
        "value": value,
        "lo": ends[0],
        "hi": ends[1],
        "disabled": disabled,
    }


def shading(drawn: SolutionDrawing) -> Data:
    """Return f clipped at +-2 as signed bytes. A small f != 0 is raised to PALEST, so that its sign can be seen."""
    values = np.round(127 * np.clip(drawn.values / 2, -1, 1)).astype(np.int8)
    pale = (np.abs(drawn.values) > drawn.noise) & (np.abs(values) < PALEST)
    values[pale] = PALEST * np.sign(drawn.values[pale])
    return {"n": len(values), "data": base64.b64encode(values.tobytes()).decode()}


def lines(drawn: SolutionDrawing) -> Data:
    """Return the level lines as flat lists."""
    return {name: [flat_coordinates(p) for p in getattr(drawn, name)] for name in ("zero", "plus", "minus")}


def slack(lab: Lab, drawn: SolutionDrawing) -> list[list[float]]:
    """Return [id, x0, y0, x1, y1, ...] for every slack segment."""
    if not drawn.slack:
        return []
    ends = np.cumsum([2 * len(polyline) for polyline in drawn.slack.values()]).tolist()
    coordinates = flat_coordinates(np.concatenate(list(drawn.slack.values())))
    return [[lab.points[i].id, *coordinates[a:b]] for i, a, b in zip(drawn.slack, [0, *ends], ends, strict=False)]


def flat_coordinates(polyline: Array) -> list[float]:
    """Return x0, y0, x1, y1, ... rounded to four decimals."""
    return np.round(polyline, 4).ravel().tolist()


def witness(lab: Lab, outcome: Outcome) -> Data | None:
    """Return the points whose convex hulls intersect if the hard margin has no solution, else None."""
    return proof(lab, outcome.error.separation) if isinstance(outcome.error, NotSeparable) else None


def proof(lab: Lab, separation: Separation) -> Data:
    """Return a certificate of non-separability: its points, the segments of their hulls, and the intersection point."""
    members = [lab.points[i] for i in separation.witness]
    segments = [
        [a.x / 1000, a.y / 1000, b.x / 1000, b.y / 1000]
        for i, a in enumerate(members)
        for b in members[i + 1 :]
        if a.label == b.label and separation.point is not None
    ]
    at = None if separation.point is None else separation.point.tolist()
    return {"ids": [p.id for p in members], "at": at, "segments": segments}


def hint(solution: Solution) -> Data | None:
    """Return a hint at the free support vector that is farthest from its nearest neighbour."""
    free = np.flatnonzero(solution.free)
    data = solution.problem.data
    if not len(free) or data.m < 2:
        return None
    distances = np.hypot(*(data.X[free][:, None, :] - data.X[None, :, :]).transpose(2, 0, 1))
    to_nearest = np.sort(distances, axis=1)[:, 1]
    return {"id": int(data.ids[free[to_nearest.argmax()]]), "text": _("drag a ringed point")}


def legend(solution: Solution | None) -> Data:
    """Return the counts in three groups, and in the seven categories for the details.

    Without a classifier that separates two classes there are none, and the board shows how many points each class has.
    """
    if solution is None or (solution.problem.bias and not solution.problem.data.both_classes):
        return NO_LEGEND
    counts = Counter(c.value for c in solution.categories)
    groups = [
        {"key": k, "text": _(GROUP[k]), "count": sum(counts[c] for c in cats), "cats": cats}
        for k, cats in IN_GROUP.items()
    ]
    C = bound_symbol(solution.problem)
    cats = [
        {"key": key, "text": _(text).format(C=C), "count": counts[key]} for key, text in CATEGORY_TEXT_BY_VALUE.items()
    ]
    return {"groups": groups, "cats": cats, "moreText": _("details")}
