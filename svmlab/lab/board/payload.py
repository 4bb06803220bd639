"""From a Lab and its outcome to the data that the board draws."""

from __future__ import annotations

import base64
import math
from collections import Counter
from typing import Any

import numpy as np

from svmlab import Category, NotSeparable, Separation, Solution
from svmlab.binary.categories import GROUPS
from svmlab.core.arrays import Array
from svmlab.lab.board.board_message import message
from svmlab.lab.board.caption import caption
from svmlab.lab.numbers import bound_symbol, short
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.controls import CONTROLS, LABELS, LIMIT, VALUES
from svmlab.lab.session.state import History, Lab
from svmlab.lab.words import N_, _
from svmlab.plane.contours import Scene

Data = dict[str, Any]
PALEST = 24  # of 127: the least that shows on which side of the boundary a place is
CATEGORY = {
    Category.OUTSIDE: N_("outside the margin, y f > 1"),
    Category.MARGIN_IDLE: N_("on the margin, α = 0"),
    Category.MARGIN_FREE: N_("on the margin, 0 < α < {C}"),
    Category.MARGIN_FULL: N_("on the margin, α = {C}"),
    Category.INSIDE: N_("inside the margin, 0 < y f < 1"),
    Category.ON_LINE: N_("on the boundary, y f = 0"),
    Category.WRONG: N_("wrong side, y f < 0"),
}
NAMED = {c.value: text for c, text in CATEGORY.items()}
IN_GROUP = {group: [c.value for c in cats] for group, cats in GROUPS.items()}
GROUP = {"safe": N_("safe"), "margin": N_("on the margin"), "violating": N_("violating")}


def payload(
    history: History, outcome: Outcome | None, drawn: Scene | None, projector: bool = False, type_: int = 24
) -> Data:
    """Everything but the wire (rev, ack, boot, board, share), which the page adds."""
    lab = history.present
    solution = outcome.solution if outcome else None
    return picture(history, outcome, drawn) | {
        "hidden": False,
        "caption": caption(lab, solution).as_json,
        "below": 64,
        "view": lab.view,
        "points": [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points],
        "pin": None,
        "second": None,
        "names": [],
        "active": lab.active,
        "sliders": sliders(lab),
        "selected": lab.selected,
        "label": lab.label,
        "task": lab.task,
        "labels": LABELS[lab.task],
        "tool": "place",
        "can": {"undo": bool(history.past), "redo": bool(history.future), "add": len(lab.points) < LIMIT},
        "heard": announcements(lab, solution),
        "hint": hint(solution) if solution and not history.touched else None,
        "empty": None if lab.points else empty(),
        "projector": projector,
        "type": type_,
    }


def picture(history: History, outcome: Outcome | None, drawn: Scene | None) -> Data:
    """What follows from the machine."""
    lab = history.present
    solution = outcome.solution if outcome else None
    return {
        "marks": point_marks(solution, with_values=history.before_drag is None) if solution else None,
        "shade": shading(drawn) if drawn else None,
        "lines": lines(drawn) if drawn else None,
        "slack": slack(lab, drawn) if drawn else [],
        "witness": witness(lab, outcome) if outcome else None,
        "message": message(history, outcome),
        "legend": legend(solution),
    }


def point_marks(solution: Solution, with_values: bool = True) -> Data:
    """How each point is drawn: fill by alpha/C_i, ring by state, cross where wrong; its numbers unless a drag goes
    on.
    """
    problem = solution.problem
    top = float(solution.alpha.max(initial=0.0)) or 1.0 if problem.hard else problem.bounds
    state = np.array(["none", "free", "full"])[solution.states.astype(int) + 1]
    f = solution.margins * problem.data.y
    return {
        "fill": np.round(solution.alpha / top, 3).tolist(),
        "state": state.tolist(),
        "cat": [c.value for c in solution.categories],
        "wrong": [c is Category.WRONG for c in solution.categories],
        "bound": bound_symbol(problem),
        "values": values(solution, f) if with_values else [],
    }


def where(solution: Solution, category: Category) -> str:
    """Where a point of this category stands, in words."""
    return _(CATEGORY[category]).format(C=bound_symbol(solution.problem))


def empty() -> Data:
    """What stands on a board without points."""
    said = _("Click to add a point of the chosen class. As soon as both classes are there, the boundary appears.")
    return {
        "text": said,
        "actions": [{"id": "preset", "text": _("Try a preset")}, {"id": "open", "text": _("Open a file")}],
    }


def values(solution: Solution, f: Array) -> list[list[str]]:
    """What is said of each point: f, ξ and α, and how many are where it is if there are several."""
    here = coincident_counts(solution.problem.data.X)
    rows = zip(f.tolist(), solution.xi.tolist(), solution.alpha.tolist(), here, strict=True)
    return [[short(value, noise=solution.noise), short(xi), short(alpha), more] for value, xi, alpha, more in rows]


def coincident_counts(X: Array) -> list[str]:
    """How many points are where each is (X (m, d)), if there are several."""
    places = [tuple(place) for place in X.tolist()]
    here = Counter(places)
    return [_("{n} points here").format(n=here[place]) if here[place] > 1 else "" for place in places]


def announcements(lab: Lab, solution: Solution | None) -> dict[str, str]:
    """What a change may change, in words: they are spoken where they have become others."""
    told = {"points": _("points: {n}").format(n=len(lab.points))}
    if solution is None:
        return told
    norm = solution.norm_w
    return told | {
        "margin": _("margin {margin}").format(margin=short(1 / norm)) if norm else _("no margin"),
        "support": _("support vectors: {n}").format(n=int(solution.support.sum())),
        "errors": _("errors: {n}").format(n=sum(c is Category.WRONG for c in solution.categories)),
    }


def sliders(lab: Lab) -> list[Data]:
    """The price of slack and what else of the kernel is scrubbed, to be moved live; ends are decimal logarithms."""
    if lab.face == "lambda":
        found = [_slider("value", "λ", _("λ, on a logarithmic scale"), lab.value, (-5, 1), lab.hard)]
    else:
        title = _("Price of slack C, on a logarithmic scale")
        found = [_slider("value", "C", title, lab.value, (-3, 3), lab.hard)]
    if lab.task == VALUES:
        found.append(_tube(lab))
    for p in lab.kernel_function.parameters:
        if p.slider:
            title, span = (
                _("{what}, on a logarithmic scale").format(what=_(p.slider.title)),
                (p.slider.low, p.slider.high),
            )
            found.append(_slider(p.name, _(p.symbol), title, getattr(lab, p.name), span, False))
    return found


def _tube(lab: Lab) -> Data:
    """Half the height of the tube, to 2 or as far as it is turned already."""
    title = _("Half the height ε of the tube")
    ends = {"lo": 0, "hi": max(2.0, lab.eps), "step": 0.01, "linear": True}
    return {"key": "eps", "label": "ε", "title": title, "value": lab.eps, "disabled": False, **ends}


def _slider(key: str, label: str, title: str, value: float, span: tuple[int, int], disabled: bool) -> Data:
    """A log scale over `span`, made longer by whole decades where the value lies outside."""
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


def shading(drawn: Scene) -> Data:
    """F clipped at +-2 as signed bytes; where it is small but not 0, as much as shows its sign."""
    values = np.round(127 * np.clip(drawn.values / 2, -1, 1)).astype(np.int8)
    pale = (np.abs(drawn.values) > drawn.noise) & (np.abs(values) < PALEST)
    values[pale] = PALEST * np.sign(drawn.values[pale])
    return {"n": len(values), "data": base64.b64encode(values.tobytes()).decode()}


def lines(drawn: Scene) -> Data:
    """The level lines as flat lists."""
    return {name: [flat_coordinates(p) for p in getattr(drawn, name)] for name in ("zero", "plus", "minus")}


def slack(lab: Lab, drawn: Scene) -> list[list[float]]:
    """[id, x0, y0, x1, y1, ...] for every slack segment."""
    if not drawn.slack:
        return []
    stops = np.cumsum([2 * len(way) for way in drawn.slack.values()]).tolist()
    every = flat_coordinates(np.concatenate(list(drawn.slack.values())))
    return [[lab.points[i].id, *every[a:b]] for i, a, b in zip(drawn.slack, [0, *stops], stops, strict=False)]


def flat_coordinates(polyline: Array) -> list[float]:
    """x0, y0, x1, y1, ... to a tenth of a thousandth."""
    return np.round(polyline, 4).ravel().tolist()


def witness(lab: Lab, outcome: Outcome) -> Data | None:
    """The points whose hulls meet, where the hard margin failed."""
    return proof(lab, outcome.error.separation) if isinstance(outcome.error, NotSeparable) else None


def proof(lab: Lab, found: Separation) -> Data:
    """The points of a certificate of non-separability, the parts of their hulls that meet, and where."""
    members = [lab.points[i] for i in found.witness]
    segments = [
        [a.x / 1000, a.y / 1000, b.x / 1000, b.y / 1000]
        for i, a in enumerate(members)
        for b in members[i + 1 :]
        if a.label == b.label and found.point is not None
    ]
    at = None if found.point is None else found.point.tolist()
    return {"ids": [p.id for p in members], "at": at, "segments": segments}


def hint(solution: Solution) -> Data | None:
    """A callout at the free support vector that stands most by itself."""
    free = np.flatnonzero(solution.free)
    data = solution.problem.data
    if not len(free) or data.m < 2:
        return None
    apart = np.hypot(*(data.X[free][:, None, :] - data.X[None, :, :]).transpose(2, 0, 1))
    alone = np.sort(apart, axis=1)[:, 1]
    return {"id": int(data.ids[free[alone.argmax()]]), "text": _("drag a ringed point")}


def legend(solution: Solution | None) -> Data:
    """Counts in three groups, and in the seven categories on demand."""
    counts = Counter([c.value for c in solution.categories] if solution else [])
    groups = [
        {"key": k, "text": _(GROUP[k]), "count": sum(counts[c] for c in cats), "cats": cats}
        for k, cats in IN_GROUP.items()
    ]
    C = bound_symbol(solution.problem) if solution else "C"
    cats = [{"key": key, "text": _(text).format(C=C), "count": counts[key]} for key, text in NAMED.items()]
    return {"groups": groups, "cats": cats, "moreText": _("details")}
