"""From a Lab and its outcome to the data that the board draws."""

from __future__ import annotations

import base64
import math
from typing import Any

import numpy as np

from svmlab import Category, NotSeparable, Separation, Solution
from svmlab.arrays import Array
from svmlab.categories import GROUPS
from svmlab.lab import text
from svmlab.lab.numbers import ends, short
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.controls import CONTROLS, LIMIT
from svmlab.lab.session.state import History, Lab
from svmlab.scene import Scene

Data = dict[str, Any]


def payload(history: History, outcome: Outcome | None, drawn: Scene | None) -> Data:
    """Everything but the wire (rev, ack, boot, share), which the page adds."""
    lab = history.present
    solution = outcome.solution if outcome else None
    return picture(history, outcome, drawn) | {
        "hidden": False,
        "below": 12 if lab.projector else 64,
        "view": lab.view,
        "points": [[p.id, p.x / 1000, p.y / 1000, p.label] for p in lab.points],
        "pin": None,
        "sliders": sliders(lab),
        "selected": lab.selected,
        "label": lab.label,
        "tool": "place",
        "can": {"undo": bool(history.past), "redo": bool(history.future), "add": len(lab.points) < LIMIT},
        "hint": hint(solution) if solution and not history.touched else None,
        "empty": None if lab.points else text.EMPTY,
        "projector": lab.projector,
    }


def picture(history: History, outcome: Outcome | None, drawn: Scene | None) -> Data:
    """What follows from the machine."""
    lab = history.present
    solution = outcome.solution if outcome else None
    return {
        "marks": marks(solution, words=history.held is None) if solution else None,
        "shade": shade(drawn) if drawn else None,
        "lines": lines(drawn) if drawn else None,
        "slack": slack(lab, drawn) if drawn else [],
        "witness": witness(lab, outcome) if outcome else None,
        "message": message(history, outcome),
        "legend": legend(solution),
    }


def marks(solution: Solution, words: bool = True) -> Data:
    """How each point is drawn: fill by alpha/C, ring by state, cross where wrong; its hover lines unless a drag goes on."""
    C = solution.problem.C
    top = C if math.isfinite(C) else float(solution.alpha.max(initial=0.0)) or 1.0
    state = np.array(["none", "free", "full"])[solution.states.astype(int) + 1]
    f = solution.margins * solution.problem.data.y
    return {
        "fill": np.round(solution.alpha / top, 3).tolist(),
        "state": state.tolist(),
        "cat": [c.value for c in solution.categories],
        "wrong": [c is Category.WRONG for c in solution.categories],
        "hover": [hover(solution, i, float(f[i])) for i in range(len(f))] if words else [],
    }


def hover(solution: Solution, i: int, f: float) -> str:
    """The lines shown beside a point."""
    x, y = solution.problem.data.X[i]
    first = f"({x:g}, {y:g})".replace("-", "−")
    second = f"f = {short(f, noise=solution.noise)}, ξ = {short(float(solution.xi[i]))}"
    return f"{first}\n{second}\nα = {short(float(solution.alpha[i]))}, {text.CATEGORIES[solution.categories[i].value]}"


def sliders(lab: Lab) -> list[Data]:
    """The price of slack and what else of the kernel is scrubbed, to be moved live; ends are decimal logarithms."""
    key = "lambda" if lab.face == "lambda" else "C"
    found = [
        _slider("value", text.LABELS[key], text.SLIDERS[key], lab.value, (-3, 3) if key == "C" else (-5, 1), lab.hard)
    ]
    for p in lab.machine.parameters:
        if p.slider:
            title, span = text.SLIDERS["parameter"].format(what=p.slider.title), (p.slider.low, p.slider.high)
            found.append(_slider(p.name, p.symbol, title, getattr(lab, p.name), span, False))
    return found


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


def shade(drawn: Scene) -> Data:
    """F clipped at +-2 as signed bytes."""
    values = np.round(127 * np.clip(drawn.values / 2, -1, 1)).astype(np.int8)
    return {"n": len(values), "data": base64.b64encode(values.tobytes()).decode()}


def lines(drawn: Scene) -> Data:
    """The level lines as flat lists."""
    return {name: [flat(p) for p in getattr(drawn, name)] for name in ("zero", "plus", "minus")}


def slack(lab: Lab, drawn: Scene) -> list[list[float]]:
    """[id, x0, y0, x1, y1, ...] for every slack segment."""
    if not drawn.slack:
        return []
    stops = np.cumsum([2 * len(way) for way in drawn.slack.values()]).tolist()
    every = flat(np.concatenate(list(drawn.slack.values())))
    return [[lab.points[i].id, *every[a:b]] for i, a, b in zip(drawn.slack, [0, *stops], stops, strict=False)]


def flat(polyline: Array) -> list[float]:
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
    return {"id": int(data.ids[free[alone.argmax()]]), "text": text.HINT}


def message(history: History, outcome: Outcome | None) -> Data | None:
    """What is worth saying on the board now: about the last thing done and why there is no machine, else about the machine."""
    warnings = [history.note] if history.note else []
    if outcome is not None and outcome.error is not None:
        warnings.append(str(outcome.error) + _where(outcome))
    if warnings:
        return {"tone": "warn", "text": " ".join(warnings)}
    if outcome is None:
        return None
    solution = outcome.solution
    assert solution is not None
    data = solution.problem.data
    if solution.problem.bias and not data.both_classes:
        here = int(data.y[0])
        names = {1: "+1", -1: "−1"}
        words = text.ONE_CLASS.format(present=names[here], absent=names[-here], key=1 if here < 0 else 2)
        return {"tone": "info", "text": words}
    said = [] if solution.proven else [text.UNPROVEN.format(gap=short(solution.gap, 2))]
    if solution.clipped is not None:
        said.append(text.CLIPPED.format(kernel=solution.problem.kernel.subject, value=short(solution.clipped, 3)))
    if solution.norm_w == 0:
        said.append(text.NO_W)
    elif solution.problem.kernel.straight and solution.norm_w * history.present.view * 2 < 1:
        said.append(text.WIDE)
    lo, hi = solution.b_interval
    if hi - lo > 1e-9:
        first, last = ends(lo, hi)
        said.append(text.B_INTERVAL.format(lo=first, hi=last))
    if solution.alpha_unique is False:
        said.append(text.ALPHA)
    return {"tone": "info", "text": " ".join(said)} if said else None


def _where(outcome: Outcome) -> str:
    if isinstance(outcome.error, NotSeparable) and len(outcome.error.separation.witness):
        return text.WITNESS.format(where=text.WITNESS_AT if outcome.error.separation.point is not None else "")
    return ""


def legend(solution: Solution | None) -> Data:
    """Counts in three groups, and in the seven categories on demand."""
    counts = dict.fromkeys(Category, 0)
    for c in solution.categories if solution else ():
        counts[c] += 1
    groups = [
        {"key": k, "text": text.GROUPS[k], "count": sum(counts[c] for c in cats), "cats": [c.value for c in cats]}
        for k, cats in GROUPS.items()
    ]
    cats = [{"key": c.value, "text": text.CATEGORIES[c.value], "count": counts[c]} for c in Category]
    return {"groups": groups, "cats": cats, "moreText": text.MORE}
