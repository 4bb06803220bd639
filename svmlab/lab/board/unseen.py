"""Points that the machine has not seen, on the board: fresh ones faintly behind its own, or rings around its own that go wrong."""

from __future__ import annotations

from typing import Any

from svmlab.arrays import Array
from svmlab.generalisation import HeldOut
from svmlab.lab.board.payload import Data, flat
from svmlab.lab.session.state import Lab


def fresh(X: Array, y: Array, style: str = "") -> list[Data]:
    """Points (k, 2) with labels (k,) that the machine has not seen, small and faint behind its own: "missed" is less faint."""
    kinds = (("dots", "plus", y > 0), ("boxes", "minus", y < 0))
    return [
        {"kind": kind, "pts": flat(X[mine]), "style": f"fresh {name} {style}".strip()} for kind, name, mine in kinds
    ]


def overlay(lab: Lab, found: HeldOut | None) -> dict[str, Any]:
    """What comes to the picture of a board whose machine is solved: nothing where nothing is held out."""
    if found is None:
        return {"overlay": []} if lab.unseen else {}
    X, y, wrong = found.data.X, found.data.y, found.wrong
    if found.parts:
        return {"overlay": [], "witness": {"ids": found.data.ids[wrong].tolist(), "at": None, "segments": []}}
    return {"overlay": [*fresh(X[~wrong], y[~wrong]), *fresh(X[wrong], y[wrong], "missed")]}
