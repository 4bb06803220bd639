"""What the board draws of several classes: regions by the largest f, and what becomes of each point."""

from __future__ import annotations

import base64
import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.board.caption import Caption, named, settings_of
from svmlab.lab.board.payload import Data, coincident_counts, flat_coordinates
from svmlab.lab.numbers import bound_symbol, short
from svmlab.lab.session.controls import CLASSES, LABELS
from svmlab.lab.session.state import Lab
from svmlab.lab.words import N_, _
from svmlab.multiclass import Machines, Standing
from svmlab.plane.contours import level_lines, square

STRENGTH = (8, 17, 27)  # of 31: how strongly a place is shaded where no machine says yes, where one does, where more do
DESCRIPTION = {
    Standing.CLEAR: N_("its machine says yes, the others no"),
    Standing.LARGEST: N_("its f is the largest, though not every machine is right"),
    Standing.TIE: N_("a tie: another f is as large"),
    Standing.WRONG: N_("another f is larger"),
}
GROUPS = {
    "clear": (N_("all say right"), (Standing.CLEAR,)),
    "decided": (N_("by the largest f"), (Standing.LARGEST, Standing.TIE)),
    "wrong": (N_("wrong"), (Standing.WRONG,)),
}


def key(standing: Standing) -> str:
    """What a standing is called where the categories of all tasks are together."""
    return f"{CLASSES}_{standing.value}"


def picture(lab: Lab, machines: Machines, with_values: bool) -> Data:
    """Regions, their borders, and the points; their numbers unless a drag goes on."""
    values = np.stack([square(machine, lab.view) for machine in machines.machines])
    return {
        "marks": marks(machines, with_values),
        "shade": regions(values, [LABELS[CLASSES].index(k) for k in machines.classes], machines.noise),
        "lines": {"zero": [flat_coordinates(line) for line in borders(values, lab.view)], "plus": [], "minus": []},
        "slack": [],
        "witness": None,
        "legend": legend(machines),
    }


def regions(values: Array, places: Sequence[int], noise: float = 0.0) -> Data:
    """By f (k, n, n) of each machine: the class with the largest, the stronger the more of them say yes."""
    strength = np.interp(sum(_share(f, noise) for f in values), range(len(STRENGTH)), STRENGTH)
    return shaded(np.asarray(places)[values.argmax(0)], np.rint(strength).astype(int))


def _share(f: Array, noise: float) -> Array:
    """How much of the cell about each node of f (n, n) says yes: 0 or 1, but where the boundary passes, which were
    stairs else.
    """
    rise = np.hypot(*np.gradient(f))
    sure = np.abs(f) >= 0.5 * rise
    return np.where(sure | (rise <= noise), f > noise, 0.5 + f / np.where(rise > 0, rise, 1.0))


def shaded(places: Index, strength: Index) -> Data:
    """The colour of the class at each place, from 0 in `labels` (n, n), and how strongly it is shown, from 0 to 31."""
    codes = (32 * places + strength).astype(np.uint8)
    return {"n": len(codes), "data": base64.b64encode(codes.tobytes()).decode()}


def borders(values: Array, half: float, once: bool = False) -> list[Array]:
    """Where two f (k, n, n), row 0 at the top, are the largest, as polylines (v, 2) round each region.

    once: not for both regions, so that dashes stay dashes; then three need not quite meet.
    """
    found = list[Array]()
    for k, own in enumerate(values if len(values) > 1 else ()):
        others = np.delete(values, k, 0)
        lines = level_lines((own - others.max(0))[::-1], half)
        later = (others.argmax(0) >= k)[::-1]
        found += [part for line in lines for part in _within(line, later, half)] if once else lines
    return found


def _within(line: Array, there: Mask, half: float) -> list[Array]:
    """The stretches of a line (v, 2) whose nearest nodes are `there` (n, n), row 0 at the bottom, and a vertex more at
    each end.
    """
    column, row = np.rint((line.T / half + 1) / 2 * (len(there) - 1)).astype(int).clip(0, len(there) - 1)
    kept = there[row, column]
    kept = kept | np.append(kept[1:], False) | np.append(False, kept[:-1])
    parts = np.split(line, np.flatnonzero(kept[1:] != kept[:-1]) + 1)
    return [part for part in parts[0 if kept[0] else 1 :: 2] if len(part) > 1]


def marks(machines: Machines, with_values: bool = True) -> Data:
    """How each point is drawn: fill, ring and numbers are those of the machine of its own class."""
    data, solutions = machines.problem.data, machines.machines
    own = [(solutions[place], i) for i, place in enumerate(data.class_index.tolist())]
    top = [float(s.alpha.max(initial=0.0)) or 1.0 if s.problem.hard else s.problem.C for s in solutions]
    return {
        "fill": [round(float(s.alpha[i]) / top[place], 3) for (s, i), place in zip(own, data.class_index, strict=True)],
        "state": [("none", "free", "full")[int(s.states[i]) + 1] for s, i in own],
        "cat": [key(standing) for standing in machines.categories],
        "wrong": [standing is Standing.WRONG for standing in machines.categories],
        "bound": bound_symbol(solutions[0].problem),
        "values": _values(own, data.X) if with_values else [],
    }


def _values(own: list[tuple[Solution, int]], X: Array) -> list[list[str]]:
    """F, ξ and α of each point in its own machine, and how many points are where it is."""
    numbers = [
        [short(float(s.margins[i]), noise=s.noise), short(float(s.xi[i])), short(float(s.alpha[i]))] for s, i in own
    ]
    return [[*row, more] for row, more in zip(numbers, coincident_counts(X), strict=True)]


def legend(machines: Machines | None) -> Data:
    """Counts in three groups, and in four on demand."""
    counts = Counter(machines.categories if machines else ())
    groups = [
        {"key": name, "text": _(said), "count": sum(counts[v] for v in all_), "cats": [key(v) for v in all_]}
        for name, (said, all_) in GROUPS.items()
    ]
    if counts[Standing.TIE]:
        groups[1]["text"] = _("by the largest f, or tied")
    cats = [{"key": key(v), "text": _(said), "count": counts[v]} for v, said in DESCRIPTION.items()]
    return {"groups": groups, "cats": cats, "moreText": _("details")}


def announcements(lab: Lab, machines: Machines | None) -> dict[str, str]:
    """What a change may change, in words."""
    told = {"points": _("points: {n}").format(n=len(lab.points))}
    if machines is None:
        return told
    return told | {"classes": _("classes: {k}").format(k=len(machines.classes)), "errors": _errors(machines)}


def caption(lab: Lab, machines: Machines | None) -> Caption:
    """What a saved picture says of itself."""
    figures: tuple[str, ...] = ()
    if machines is not None:
        found = ", ".join(short(1 / s.norm_w if s.norm_w else math.inf) for s in machines.machines)
        margins = _("margins 1/|w| = {values}").format(values=found)
        figures = (_("{k} machines").format(k=len(machines.classes)), margins, _errors(machines))
    return Caption(named(lab, "classes"), (_("one against the rest"), *settings_of(lab)), figures)


def message(machines: Machines) -> str | None:
    """What is worth saying: a class alone, machines that draw no line."""
    if len(machines.classes) == 1:
        return _("Only one class is here, so there is nothing to tell apart. Add points of another (keys 1 to 4).")
    level = [str(k) for k, s in zip(machines.classes, machines.machines, strict=True) if s.norm_w == 0]
    if level:
        return _("w = 0 for the machine of class {k}: it says the same everywhere and draws no line.").format(
            k=", ".join(level)
        )
    return None


def _errors(machines: Machines) -> str:
    counts = Counter(machines.categories)
    if not counts[Standing.TIE]:
        return _("errors: {n}").format(n=counts[Standing.WRONG])
    return _("errors: {n}, tied: {tied}").format(n=counts[Standing.WRONG], tied=counts[Standing.TIE])
