"""The picture above the board on a canvas that a person turns: raised points, a plane, its intersection, its shadow.

The page sends it. During a drag the board passes on every move and every picture of the drag socket.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.teach.step import Space
from svmlab.lab.words import _

HTML = (
    '<div class="sv-space"><canvas tabindex="0" role="img"></canvas><div class="tip" aria-hidden="true" hidden></div>'
    '<button type="button" hidden><svg viewBox="0 0 24 24" aria-hidden="true">'
    '<path d="M12 4v11m0 0l-4.5-4.5M12 15l4.5-4.5M5 19.5h14"/></svg></button></div>'
)
_component = Component("space", html=HTML, css="space.css")


def space(
    part: Space,
    key: str,
    rise: str | None,
    on_pick: Callable[[int], None],
    name: str,
    turn: tuple[float, float] | None = None,
) -> None:
    """Show the picture. A click on a point calls `on_pick` with its id.

    rise: the points rise from the board, once for each such id. name: the name of the file when the picture is saved.
    turn: azimuth and elevation with which a link opens it.
    """

    def picked() -> None:
        event = st.session_state[key].picked
        if isinstance(event, dict) and isinstance(event.get("id"), int):
            on_pick(event["id"])

    palette = part.palette
    data = {
        "space": part.as_json,
        "points": [list(row) for row in part.rows],
        "selected": part.selected,
        "rise": rise,
        "turn": turn,
        "look": {
            name: getattr(palette, name)
            for name in ("paper", "text", "quiet", "accent", "plus", "minus", "small", "stroke")
        },
        "text": {
            "seen": _("{seen} Drag, swipe or use the arrow keys to turn it.").format(seen=part.description),
            "point": _("Point {id} at ({x}, {y})\nheight {z}"),
            "height": part.name,
            "save": _("Save the picture"),
            "file": f"svmlab-{name}.png",
        },
    }
    _component(data=data, key=key, on_picked_change=picked, height="stretch")
