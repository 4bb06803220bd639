"""Points that the machine has not seen, on the board: fresh ones faintly behind its own, or rings around its own that
go wrong.
"""

from __future__ import annotations

from typing import Any

from svmlab.core.arrays import Mask
from svmlab.data import Dataset
from svmlab.generalisation import HeldOut
from svmlab.lab.board.payload import Data, flat_coordinates
from svmlab.lab.session.state import Lab


def fresh(data: Dataset, wrong: Mask) -> list[Data]:
    """Points that the machine has not seen, small and faint behind its own; those that it has wrong (k,) are less
    faint.
    """
    return [
        {"kind": kind, "pts": flat_coordinates(data.X[mine & some]), "style": f"fresh {name}{missed}"}
        for missed, some in (("", ~wrong), (" missed", wrong))
        for kind, name, mine in (("dots", "plus", data.y > 0), ("boxes", "minus", data.y < 0))
    ]


def overlay(lab: Lab, found: HeldOut | None) -> dict[str, Any]:
    """What comes to the picture of a board whose machine is solved: nothing where nothing is held out."""
    if found is None:
        return {"overlay": []} if lab.unseen else {}
    if found.parts:
        return {"overlay": [], "witness": {"ids": found.data.ids[found.wrong].tolist(), "at": None, "segments": []}}
    return {"overlay": fresh(found.data, found.wrong)}
