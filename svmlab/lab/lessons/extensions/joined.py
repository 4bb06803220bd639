"""The joint machine of several classes in the place of the board's own: its map, street and points."""

from __future__ import annotations

import numpy as np

from svmlab import SvmError
from svmlab.lab.board import classes_picture
from svmlab.lab.board.payload import flat_coordinates
from svmlab.lab.lessons.extensions.machines import place
from svmlab.lab.teach.overlay import POINTS_ONLY
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Data
from svmlab.lab.words import _
from svmlab.multiclass import Joint, Standing, solve
from svmlab.plane.contours import level_lines

SHADE = 16  # of 31
FINE = 96  # nodes of the grid


def jointly(stage: Stage) -> Joint | None:
    """The joint machine; None where it was not solved to the end."""

    def make() -> Joint | None:
        try:
            return solve(stage.lab.multiclass_problem, "joint")
        except SvmError:
            return None

    return stage.cached("joint", make)


def joint(stage: Stage) -> Joint:
    """The joint machine, on a board that meets the needs."""
    found = jointly(stage)
    assert found is not None
    return found


def picture(stage: Stage) -> Data:
    """The class with the largest f at each place, where it is 1 above all others, and who holds the machine."""
    now, half = joint(stage), stage.lab.view
    at = np.linspace(-half, half, FINE)
    places = np.stack(np.meshgrid(at, -at), -1).reshape(-1, 2)
    f = now.decision(places).T.reshape(-1, FINE, FINE)
    top = np.sort(f, axis=0)
    own = np.array([place(k) for k in now.classes])[f.argmax(0)]
    street = level_lines((top[-1] - top[-2])[::-1] - 1.0, half)
    lines = {
        "zero": [flat_coordinates(line) for line in classes_picture.borders(f, half)],
        "plus": [flat_coordinates(line) for line in street],
    }
    return POINTS_ONLY | {
        "message": None,
        "shade": classes_picture.shaded_nodes(own, np.full(own.shape, SHADE)),
        "lines": lines | {"minus": []},
        "marks": _marks(now),
        "legend": _legend(now),
    }


def standings(now: Joint) -> list[Standing]:
    """Where each point stands when the largest f of the joint machine decides."""
    kinds = np.select([now.margins < -now.noise, now.margins <= now.noise], [0, 1], 2)
    return [(Standing.WRONG, Standing.TIE, Standing.CLEAR)[k] for k in kinds]


def _marks(now: Joint) -> Data:
    found = standings(now)
    return {
        "fill": np.round(now.multiplier_sum / now.problem.C, 3).tolist(),
        "state": np.select([now.at_bound, now.support], ["full", "free"], "none").tolist(),
        "cat": [classes_picture.key(standing) for standing in found],
        "wrong": [standing is Standing.WRONG for standing in found],
        "bound": "C",
        "values": [],
    }


def _legend(now: Joint) -> Data:
    found = standings(now)
    said = {
        "clear": (Standing.CLEAR, _("right"), _("its f is the largest")),
        "decided": (Standing.TIE, _("tied"), _(classes_picture.DESCRIPTION[Standing.TIE])),
        "wrong": (Standing.WRONG, _("wrong"), _(classes_picture.DESCRIPTION[Standing.WRONG])),
    }
    groups = [
        {"key": name, "text": short_, "count": found.count(kind), "cats": [classes_picture.key(kind)]}
        for name, (kind, short_, _long) in said.items()
    ]
    cats = [
        {"key": classes_picture.key(kind), "text": long, "count": found.count(kind)}
        for kind, _short, long in said.values()
    ]
    return {"groups": groups, "cats": cats, "moreText": _("details")}
