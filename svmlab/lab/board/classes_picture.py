"""The picture of a board of several classes: regions by the largest f, and how each point is classified."""

from __future__ import annotations

import base64
import math
from collections import Counter
from collections.abc import Collection, Sequence

import numpy as np

from svmlab import Solution
from svmlab.core.arrays import Array, Index, Mask
from svmlab.lab.board.caption import Caption, file_name, settings_of
from svmlab.lab.board.payload import Data, coincident_counts, flat_coordinates, state_names
from svmlab.lab.numbers import bound_symbol, short
from svmlab.lab.session.controls import CLASSES, LABELS
from svmlab.lab.session.lab import Lab
from svmlab.lab.words import N_, _
from svmlab.multiclass import MulticlassCategory, OneVsRestSolution
from svmlab.plane.contours import level_lines, value_grid

STRENGTH = (8, 17, 27)  # of 31: the shading where f > 0 for no SVM, for one, and for several
DESCRIPTION = {
    MulticlassCategory.CLEAR: N_("only the f of its class is positive"),
    MulticlassCategory.LARGEST: N_("its f is the largest, but the sign of some f is wrong"),
    MulticlassCategory.TIE: N_("a tie: another f is as large"),
    MulticlassCategory.WRONG: N_("another f is larger"),
}
GROUPS = {
    "clear": (N_("all signs correct"), (MulticlassCategory.CLEAR,)),
    "decided": (N_("by the largest f"), (MulticlassCategory.LARGEST, MulticlassCategory.TIE)),
    "wrong": (N_("wrong"), (MulticlassCategory.WRONG,)),
}


def key(category: MulticlassCategory) -> str:
    """Return the key of a category in the table of the categories of all tasks."""
    return f"{CLASSES}_{category.value}"


def picture(lab: Lab, machines: OneVsRestSolution, with_values: bool) -> Data:
    """Return the regions, their borders and the points. with_values: also their numbers, left out during a drag."""
    values = np.stack([value_grid(machine, lab.view) for machine in machines.machines])
    return {
        "marks": marks(machines, with_values),
        "shade": regions(values, [LABELS[CLASSES].index(k) for k in machines.classes], machines.noise),
        "lines": {"zero": [flat_coordinates(line) for line in borders(values, lab.view)], "plus": [], "minus": []},
        "slack": [],
        "witness": None,
        "legend": legend(machines),
    }


def regions(values: Array, places: Sequence[int], noise: float = 0.0) -> Data:
    """Return for each node the class with the largest f, from values (k, n, n) of each SVM.

    The more of the SVMs have f > 0 there, the stronger is the shading.
    """
    strength = np.interp(sum(_share(f, noise) for f in values), range(len(STRENGTH)), STRENGTH)
    return shaded_nodes(np.asarray(places)[values.argmax(0)], np.rint(strength).astype(int))


def _share(f: Array, noise: float) -> Array:
    """Return the part of the cell around each node of f (n, n) where f > 0.

    It is 0 or 1, except where the boundary passes. Without this part the border would look like stairs.
    """
    rise = np.hypot(*np.gradient(f))
    is_uniform = np.abs(f) >= 0.5 * rise
    return np.where(is_uniform | (rise <= noise), f > noise, 0.5 + f / np.where(rise > 0, rise, 1.0))


def shaded_nodes(places: Index, strength: Index) -> Data:
    """Return the colour of each node as the index of its class in `labels` (n, n), and its strength from 0 to 31."""
    codes = (32 * places + strength).astype(np.uint8)
    return {"n": len(codes), "data": base64.b64encode(codes.tobytes()).decode()}


def borders(values: Array, half: float, once: bool = False) -> list[Array]:
    """Return where two f of values (k, n, n) are both the largest, as polylines (v, 2) around each region.

    Row 0 of the values is at the top.

    once: draw each border for only one of its two regions, so that dashes remain dashes. Then three borders need not
    quite meet.
    """
    result = list[Array]()
    for k, own in enumerate(values if len(values) > 1 else ()):
        others = np.delete(values, k, 0)
        lines = level_lines((own - others.max(0))[::-1], half)
        later = (others.argmax(0) >= k)[::-1]
        result += [part for line in lines for part in _parts_of(line, later, half)] if once else lines
    return result


def _parts_of(line: Array, there: Mask, half: float) -> list[Array]:
    """Return the parts of a line (v, 2) whose nearest nodes are in `there` (n, n), with one more vertex at each end.

    Row 0 of `there` is at the bottom.
    """
    column, row = np.rint((line.T / half + 1) / 2 * (len(there) - 1)).astype(int).clip(0, len(there) - 1)
    is_kept = there[row, column]
    is_kept = is_kept | np.append(is_kept[1:], False) | np.append(False, is_kept[:-1])
    parts = np.split(line, np.flatnonzero(is_kept[1:] != is_kept[:-1]) + 1)
    return [part for part in parts[0 if is_kept[0] else 1 :: 2] if len(part) > 1]


def marks(machines: OneVsRestSolution, with_values: bool = True) -> Data:
    """Return how each point is drawn. Its fill, ring and numbers are those of the SVM of its own class."""
    data, solutions = machines.problem.data, machines.machines
    own = [(solutions[place], i) for i, place in enumerate(data.class_index.tolist())]
    bounds = [float(s.alpha.max(initial=0.0)) or 1.0 if s.problem.hard else s.problem.C for s in solutions]
    return {
        "fill": [
            round(float(s.alpha[i]) / bounds[place], 3) for (s, i), place in zip(own, data.class_index, strict=True)
        ],
        "state": state_names(s.states[i] for s, i in own),
        "cat": [key(category) for category in machines.categories],
        "wrong": [category is MulticlassCategory.WRONG for category in machines.categories],
        "bound": bound_symbol(solutions[0].problem),
        "values": _values(own, data.X) if with_values else [],
    }


def _values(own: list[tuple[Solution, int]], X: Array) -> list[list[str]]:
    """Return f, ξ and α of each point in the SVM of its own class, and how many points coincide with it."""
    numbers = [
        [short(float(s.margins[i]), noise=s.noise), short(float(s.xi[i])), short(float(s.alpha[i]))] for s, i in own
    ]
    return [[*row, more] for row, more in zip(numbers, coincident_counts(X), strict=True)]


def legend(machines: OneVsRestSolution | None) -> Data:
    """Return the counts in three groups, and in four categories for the details."""
    counts = Counter(machines.categories if machines else ())
    groups = [
        {"key": name, "text": _(text), "count": sum(counts[v] for v in all_), "cats": [key(v) for v in all_]}
        for name, (text, all_) in GROUPS.items()
    ]
    if counts[MulticlassCategory.TIE]:
        groups[1]["text"] = _("by the largest f, or tied")
    cats = [{"key": key(v), "text": _(text), "count": counts[v]} for v, text in DESCRIPTION.items()]
    return {"groups": groups, "cats": cats, "moreText": _("details")}


def announcements(lab: Lab, machines: OneVsRestSolution | None) -> dict[str, str]:
    """Return in words what a change may affect."""
    entries = {"points": _("points: {n}").format(n=len(lab.points))}
    if machines is None:
        return entries
    return entries | {"classes": _("classes: {k}").format(k=len(machines.classes)), "errors": _errors(machines)}


def caption(lab: Lab, machines: OneVsRestSolution | None, hidden: Collection[str] = ()) -> Caption:
    """Return the caption of a saved picture, without what is hidden."""
    figures: tuple[str, ...] = ()
    if machines is not None:
        margin_values = ", ".join(short(1 / s.norm_w if s.norm_w else math.inf) for s in machines.machines)
        margins = _("margins 1/|w| = {values}").format(values=margin_values)
        figures = (_("{k} SVMs").format(k=len(machines.classes)), margins, _errors(machines))
    name, settings = file_name(lab, "classes", hidden=hidden), settings_of(lab, hidden)
    return Caption(name, (_("one-vs-rest"), *settings), figures)


def message(machines: OneVsRestSolution) -> str | None:
    """Return the message about a single class or about SVMs without a boundary, or None."""
    if len(machines.classes) == 1:
        return _("Only one class is on the board. Add points of another class (keys 1 to 4).")
    constant = [str(k) for k, s in zip(machines.classes, machines.machines, strict=True) if s.norm_w == 0]
    if constant:
        return _("For class {k}, w = 0. So its f is constant and has no boundary.").format(k=", ".join(constant))
    return None


def _errors(machines: OneVsRestSolution) -> str:
    counts = Counter(machines.categories)
    if not counts[MulticlassCategory.TIE]:
        return _("errors: {n}").format(n=counts[MulticlassCategory.WRONG])
    return _("errors: {n}, tied: {tied}").format(
        n=counts[MulticlassCategory.WRONG], tied=counts[MulticlassCategory.TIE]
    )
