"""The names in the address of a page that have a meaning of their own, all in one place.

Any other name with a number is a slider of a lesson (a dial), so no dial may have one of these names.
"""

from __future__ import annotations

from collections.abc import Mapping

from svmlab.core.errors import BadInput, quoted

PICK = "pick."  # stands before the name of an option beside a chart
# Each name, and what it says. A name without a reader in `link.READERS` is kept free for what comes later.
RESERVED: Mapping[str, str] = {
    "step": "the open step of a lesson",
    "choice": "the choice that is marked, from 1",
    "shown": "whether the answer is shown",
    "line": "the line placed by hand",
    "film": "the frame of a film",
    "select": "the selected point, from 1",
    "hide": "the controls that are hidden",
    "lock": "the parts that are locked",
    "pin": "the pinned fit",
    "b": "the board that a step lent",
    "s": "the person's own board",
    "projector": "whether the page is shown in projector mode",
    "exam": "whether hidden parts stay hidden",
    "tab": "the open tab under the board",
    "turn": "the direction from which raised points are seen",
    "q": "the search on the page Statements",
    "lesson": "the lesson whose statements are listed on the page Statements",
    "verdict": "the verdict on the notes by which statements are filtered",
    "only": "the part of the page that is shown alone",
    "goal": "the goal of a task",
    "seed": "the seed of a random sample",
    "plan": "the plan of a lecture",
    "room": "the code of a room, and the id of its task",
    "notation": "the letters of the formulas",
    "embed": "Streamlit's own: the page in a frame",
    "embed_options": "Streamlit's own: the page in a frame",
}
# Dials whose names were reserved later: their present names, by page. Old links still say the old names there.
RENAMED_DIALS: Mapping[str, Mapping[str, str]] = {
    "generalisation": {"turn": "rotation"},
    "margin": {"seed": "directions"},
}
FOREIGN = tuple(name for name in RESERVED if name.startswith("embed"))  # what Streamlit keeps for itself


def check_dial_name(name: str) -> str:
    """Return the name of a dial. Raises BadInput if it is reserved, because a link could not tell the two apart."""
    if name in RESERVED or name.startswith(PICK):
        raise BadInput(
            "dial: {name} is reserved in addresses ({meaning}). Give the dial another name.",
            name=quoted(name),
            meaning=RESERVED.get(name, PICK),
        )
    return name
