"""What a link brings back: `python -m tests.link_fidelity > docs/link_fidelity.md` writes the table.

Every field of a session, of a history and of a board stands here, with the parameter that carries it or the reason why
none does. `tests/pages/test_pages_link_fidelity.py` fails for a field that nobody has classified.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

from svmlab.lab.session.controls import CONTROLS
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.lesson_state import LessonState
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import BoardState, LinkState, Session, ViewState


@dataclass(frozen=True)
class Carried:
    """Which parameters of the address carry a field, and what must be known about it."""

    by: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True)
class NotCarried:
    """Why no parameter of the address carries a field."""

    why: str


Fate = Carried | NotCarried
OF_TAB = NotCarried("It belongs to one connection of one tab.")
DERIVED = NotCarried("It follows from the other fields, and is computed again.")
PENDING = NotCarried("It holds what a link said until the page shows it.")
PASSING = NotCarried("It ends with the present action.")

SESSION: Mapping[str, Fate] = {
    "boards.own": Carried(("s",), "Only the present board. The browser keeps the steps of undo and redo."),
    "boot": OF_TAB,
    "ack": OF_TAB,
    "rev": OF_TAB,
    "cache": DERIVED,
    "boards.lent": Carried(("b",), "The board of the open step, if somebody has changed it."),
    "boards.shown": Carried(("step", "b"), "The step decides which board is shown."),
    "view.projector": Carried(("projector",), "Only if Share was told so, because it belongs to a room."),
    "link.exam": Carried(("exam",)),
    "view.notation": Carried(("notation",), "The browser keeps the choice for an address that names none."),
    "link.only": Carried(("only",)),
    "view.open_tab": Carried(("tab",), "On the page Lab."),
    "link.tab": PENDING,
    "lessons.turn": Carried(("turn",), "To hundredths of a radian, on the page where the points were turned."),
    "view.filters": Carried(("q", "lesson", "verdict"), "On the page Statements. The usual lesson is not named."),
    "link.filters": PENDING,
    "view.type_size": NotCarried("It is measured from the height of each screen."),
    "boards.pinned": Carried(("pin",)),
    "draft": NotCarried("A table whose points are not on the board yet is not part of the screen."),
    "job": NotCarried("Long work begins again by itself where its result is needed."),
    "lessons.inputs": Carried(("line", "film"), "The line placed by hand, and the frame of the film."),
    "lessons.dials": Carried(("the name of each slider",), "Those that were moved on the open page."),
    "lessons.pages": NotCarried("A best try is the reader's own. Animations are not repeated."),
    "view.translations": NotCarried("The server decides the language."),
    "page": Carried(("the path",)),
    "lessons.statement_checks": NotCarried("The checks run again."),
    "lessons.earlier_verdicts": DERIVED,
    "lessons.prepared_step": DERIVED,
    "lessons.step_board": DERIVED,
    "boards.initial": NotCarried("The browser keeps the board with which a tab began, so it survives a reload."),
    "boards.given": DERIVED,
    "link.pending": PENDING,
    "lessons.input_scopes": Carried(("the path", "step"), "An input belongs to the open page or step."),
    "link.hidden": Carried(("hide",)),
    "link.locked": Carried(("lock",)),
    "link.room": Carried(("room",), "The room and the task for which a member hands in."),
    "link.goal": Carried(("goal",), "On the page Practice, while a goal is open that somebody has made."),
    "view.sharing": PASSING,
    "view.controlled": DERIVED,
    "needs_full_run": PASSING,
    "room": NotCarried("The tab keeps the key of the room that it leads."),
    "class_work": NotCarried("Nobody but the lecturer of the room sees what the class has handed in."),
    "wants_room": PASSING,
    "heading": PASSING,
    "wants_plan": PASSING,
    "on_drag_picture": OF_TAB,
    "lessons.open_steps": Carried(("step",), "The step of the open lesson. Those of other lessons stay in the tab."),
    "lessons.answers": Carried(("choice", "shown"), "The answer to the open step. The others stay in the tab."),
    "lessons.picks": Carried(("pick.NAME",), "Those of the open page."),
    "lessons.step_overlay": DERIVED,
    "lessons.lab_to_draw": DERIVED,
}
HISTORY: Mapping[str, Fate] = {
    "present": Carried(("s", "b")),
    "past": NotCarried("The browser keeps the last 30 steps of a tab, so undo survives a reload."),
    "future": NotCarried("The browser keeps them with those of undo."),
    "before_drag": NotCarried("A link made during a drag has the board from before the drag."),
    "note": NotCarried("It is a message about the last action."),
    "note_is_success": NotCarried("It belongs to that message."),
    "touched": DERIVED,
    "unread_link": Carried(("s",), "A link that cannot be read stays in the address until the first change."),
}
POINTS = Carried(("s", "b"), "Coordinates are exact thousandths. The numbers of points are given anew.")
LAB: Mapping[str, Fate] = {
    "points": POINTS,
    "selected": Carried(("select",), "By its row."),
    "second": Carried(("s", "b")),
    "axes": Carried(("s", "b"), "The columns of the table from which the points were chosen."),
    **dict.fromkeys(CONTROLS, Carried(("s", "b"))),
}
# What the browser or Streamlit keeps beside the session.
ELSEWHERE: Mapping[str, Fate] = {
    "open popover, such as More": NotCarried("It would cover the page that somebody opens."),
    "rings and slack hidden (key R)": NotCarried("It is a way of looking, which each reader chooses."),
    "eraser, cursor, legend, tip": NotCarried("They are gestures of one hand."),
    "scroll position": NotCarried("Screens differ in size."),
    "steps that go deeper, unfolded": NotCarried("They are unfolded by themselves while one of them is open."),
}
GROUPS: Mapping[str, Mapping[str, Fate]] = {
    "The session": SESSION,
    "The history of a board": HISTORY,
    "A board and its controls": LAB,
    "Beside the session": ELSEWHERE,
}


PARTS = {"boards": BoardState, "lessons": LessonState, "link": LinkState, "view": ViewState}  # of a session


def _names(kind: type[Session] | type[History] | type[Lab]) -> set[str]:
    """The fields as they stand in a table; a part of a session is its own fields."""
    names = {each.name for each in fields(kind)}
    parts = PARTS if kind is Session else {}
    return names - parts.keys() | {f"{part}.{each.name}" for part in parts for each in fields(parts[part])}


def unclassified() -> list[str]:
    """The fields that stand in no table, and the entries without a field."""
    complaints = []
    for kind, table in ((Session, SESSION), (History, HISTORY), (Lab, LAB)):
        names = _names(kind)
        complaints += [f"{kind.__name__}.{name} is not classified" for name in sorted(names - table.keys())]
        complaints += [f"{kind.__name__} has no {name}" for name in sorted(table.keys() - names)]
    return complaints


def table() -> str:
    """The page docs/link_fidelity.md."""
    lines = [
        "# What a link brings back",
        "",
        "The address bar always has the whole screen, and **Share** makes shorter links from it. This page lists every",
        "field of a session and every control, with the parameter that carries it. `python -m tests.link_fidelity`",
        "writes it, and a test fails for a field that is missing.",
    ]
    for title, fates in GROUPS.items():
        lines += ["", f"## {title}", "", "| field | carried by | note |", "|---|---|---|"]
        for name, fate in fates.items():
            by = ", ".join(f"`{each}`" for each in fate.by) if isinstance(fate, Carried) else "no"
            lines.append(f"| {name} | {by} | {fate.note if isinstance(fate, Carried) else fate.why} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(table(), end="")
