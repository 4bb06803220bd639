"""Test points on the board: a fresh sample drawn faintly behind the points, or rings around misclassified ones.

The rings are drawn around points of the board that are misclassified when their fold is held out.
"""

from __future__ import annotations

from typing import Any

from svmlab.core.arrays import Mask
from svmlab.data import Dataset
from svmlab.generalisation import HeldOut
from svmlab.lab.board.payload import Data, flat_coordinates
from svmlab.lab.session.lab import Lab


def test_point_marks(data: Dataset, wrong: Mask) -> list[Data]:
    """Return test points as small faint marks behind the board's own. Misclassified ones (k,) are less faint."""
    return [
        {"kind": kind, "pts": flat_coordinates(data.X[in_class & selected]), "style": f"fresh {name}{missed}"}
        for missed, selected in (("", ~wrong), (" missed", wrong))
        for kind, name, in_class in (("dots", "plus", data.y > 0), ("boxes", "minus", data.y < 0))
    ]


def overlay(lab: Lab, result: HeldOut | None) -> dict[str, Any]:
    """Return what is added to the picture of a solved board, and nothing if there are no test points."""
    if result is None:
        return {"overlay": []} if lab.unseen else {}
    if result.folds:
        return {"overlay": [], "witness": {"ids": result.data.ids[result.errors].tolist(), "at": None, "segments": []}}
    return {"overlay": test_point_marks(result.data, result.errors)}
