"""What the browser keeps over days: boards, the first answers to the steps of the lessons, and the answered tasks.

The script in `js/` reads, writes and draws all of it, because only the browser has it. Python says which board can be
kept and which steps the lessons have, and it learns which kept board or which step is to be opened.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import streamlit as st

from svmlab.lab.board.component import Component
from svmlab.lab.session import operations
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _

MAX_BOARDS = 200  # the limit of store.js
MAX_RECENT = 20  # answers that are sent to the browser again, in case that it has missed them
WORDS = {
    "name": N_("Name of the board"),
    "keep": N_("Keep this board"),
    "kept": N_("“{name}” is kept."),
    "none": N_("No board is kept yet. A kept board is offered here and on the first screen, days later too."),
    "where": N_(
        "Boards are kept in this browser only. “Export all” saves them and your progress as one file, and “Import” "
        "adds such a file to what is kept."
    ),
    "open": N_("Open"),
    "openIt": N_("Open “{name}” in the lab"),
    "rename": N_("Rename"),
    "remove": N_("Delete"),
    "removed": N_("“{name}” was deleted."),
    "undo": N_("Undo"),
    "exports": N_("Export all"),
    "imports": N_("Import"),
    "imported": N_("New boards: {boards}. New answers to steps: {answers}."),
    "skipped": N_("Damaged entries that were left out: {n}."),
    "fileNewer": N_("{file} was saved by a newer version of svmlab, which this version cannot read."),
    "fileUnreadable": N_("{file} could not be read. Choose a file that “Export all” has saved."),
    "boards": N_("My boards"),
    "all": N_("All boards"),
    "progress": N_("My progress"),
    "tally": N_("{done} of {total} steps of the core path, {right} right at first try"),
    "tallyDeeper": N_("{text} (and {deeper} that go deeper)"),
    "tallyTasks": N_("{text}. Solved tasks: {solved} of {tasks}"),
    "lesson": N_("{done} of {total}, {right} right"),
    "lessonTasks": N_("{done} of {total}, {solved} tasks"),
    "lessonDoneTasks": N_("done, {solved} tasks"),
    "lessonDone": N_("finished, {right} of {total} right"),
    "reset": N_("Reset"),
    "resetDone": N_("Your progress was deleted."),
    "solved": N_("solved"),
    "solvedOf": N_("{done} of {total} solved"),
    "due": N_("comes back today"),
    "tasks": N_("Solved tasks: {done} of {total}."),
    "mixed": N_("Ten mixed questions"),
    "mixedDue": N_(
        "Kinds of question that come back today: {n}. New ones are from the lessons that you have begun, or from "
        "the first one."
    ),
    "mixedNew": N_(
        "They are from the lessons that you have begun, or from the first one. A question that you get wrong "
        "comes back."
    ),
    "noneInState": N_("No task of this list is in this state. Choose another state."),
    "onward": N_("Continue with {lesson}: {step}"),
    "unreadable": N_("What this browser has kept is damaged and could not be read. The next board replaces it."),
    "newer": N_("What this browser has kept is from a newer version of svmlab. Nothing of it was changed."),
    "forbidden": N_(
        "This browser lets pages keep nothing, as in a private window. Press Share to get a link to the board instead."
    ),
    "full": N_("The storage of this browser is full, so nothing was changed. Export your boards and delete some."),
    "limit": N_("At most {limit} boards are kept, so nothing was changed. Export your boards and delete some."),
}
STATES = ("new", "tried", "solved")  # of a task: no answer, answered but not wholly solved, solved in every difficulty
_component = Component("kept", html='<div class="sv-kept"></div>', css="kept.css")


@dataclass(frozen=True)
class Steps:
    """The steps of a lesson, in their order: each as (key, version, title, whether it goes deeper).

    tasks: of the lesson on the page Practice: each as (name in the progress, version).
    """

    page: str
    title: str
    steps: Sequence[tuple[str, str, str, bool]]
    tasks: Sequence[tuple[str, str]] = ()

    @property
    def as_json(self) -> dict[str, Any]:
        """Return the lesson as the script gets it, in the language of the session."""
        steps = [{"key": k, "version": v, "title": _(title), "deeper": deeper} for k, v, title, deeper in self.steps]
        tasks = [{"names": [name], "version": version} for name, version in self.tasks]
        return {"page": self.page, "title": _(self.title), "steps": steps, "tasks": tasks}


@dataclass(frozen=True)
class Task:
    """A line of the list of tasks: the keys of its element and group, and the names of its parts in the progress.

    returns: whether the mixed practice asks it again.
    """

    element: str
    group: str
    names: tuple[str, ...]
    version: str
    returns: bool = False

    @property
    def as_json(self) -> dict[str, Any]:
        """Return the task as the script gets it."""
        return asdict(self)


def show_practice(tasks: Sequence[Task], state: str | None = None) -> None:
    """Write beside each line of the list of tasks how much of it is solved, and the total with a reset.

    state: one of STATES. The lines in another state are hidden.
    """
    shown = [task.as_json for task in tasks]
    _component(data={"part": "practice", "words": words(), "tasks": shown, "state": state}, key="kept_tasks")


@dataclass(frozen=True)
class Candidate:
    """A kind of question for a mixed practice, by its name in the progress."""

    name: str
    version: str
    lesson: str


def show_mixed(candidates: Sequence[Candidate], count: int, begin: Callable[[list[Any]], None]) -> None:
    """Show a button that begins a mixed practice.

    candidates: the easier ones first. begin: called with the names of at most `count` of them, which the browser has
    chosen by the progress.
    """

    def requested() -> None:
        event = st.session_state["kept_mixed"].go
        names = event.get("mix") if isinstance(event, dict) else None
        if isinstance(names, list):
            begin([name for name in names if isinstance(name, str)][:count])

    shown = [asdict(each) for each in candidates]
    data = {"part": "mixed", "words": words(), "candidates": shown, "count": count}
    _component(data=data, key="kept_mixed", on_go_change=requested)


def show_panel(session: Session, name: str, link: str | None, done: Callable[[], None]) -> None:
    """Show the boards that are kept, and offer to keep the present one.

    name: the name that is offered for it. link: the board as a link, or None if it has no points. done: called when a
    board was opened.
    """

    def requested() -> None:
        if opened_page(session, st.session_state["kept"].go) is not None:
            done()

    board = None if link is None else {"name": name, "link": link}
    _component(data={"part": "panel", "words": words(), "board": board}, key="kept", on_go_change=requested)


def show_home(session: Session, lessons: Sequence[Steps], part: str, open_page: Callable[[str], None]) -> None:
    """Show a part of the first screen.

    part: "onward" is the step to continue with. "home" is the progress and the newest boards. open_page: called with
    the page on which a board or a step was opened.
    """
    key = f"kept_{part}"
    known = frozenset(f"{lesson.page}.{step[0]}" for lesson in lessons for step in lesson.steps)

    def requested() -> None:
        page = opened_page(session, st.session_state[key].go, known)
        if page is not None:
            open_page(page)

    data = {"part": part, "words": words(), "lessons": [lesson.as_json for lesson in lessons]}
    _component(data=data, key=key, on_go_change=requested)


@dataclass(frozen=True)
class Result:
    """The answer to a step ("lesson.step") or to a task, right or wrong.

    version: of the question. stamp: the browser handles the answer with this stamp once, even if it is shown again.
    first: whether it is the first answer to this question, and no correction.
    """

    step: str
    version: str
    right: bool
    stamp: str
    first: bool = True


def record(*results: Result) -> None:
    """Let the browser keep answers. The first answer to a step stays, and of those to a task the first right one."""
    recent = {result.stamp: result for result in _recent_results()}
    for result in results:
        recent.setdefault(result.stamp, result)
    st.session_state["recent_results"] = list(recent.values())[-MAX_RECENT:]
    _send_recent("record")


def record_again() -> None:
    """Let the browser keep the recent answers that it has missed: the person left before the script was there.

    The component is always there, so that nothing behind it on the page is drawn anew when the first answer comes.
    """
    _send_recent("record_again")


def _recent_results() -> list[Result]:
    return st.session_state.get("recent_results", [])


def _send_recent(key: str) -> None:
    _component(data={"part": "record", "answers": [asdict(result) for result in _recent_results()]}, key=key)


def words() -> dict[str, str]:
    """Return the words of the script in the language of the session."""
    return {name: _(text).replace("{limit}", str(MAX_BOARDS)) for name, text in WORDS.items()}


def opened_page(session: Session, event: Any, known_steps: Collection[str] = ()) -> str | None:
    """Open what the script asks for, and return the page where it is. Any other message opens nothing.

    known_steps: the steps that can be opened, each as "lesson.step".
    """
    if not isinstance(event, dict):
        return None
    link, name, step = event.get("open"), event.get("name"), event.get("step")
    if isinstance(link, str) and isinstance(name, str):
        operations.open_kept(session, name, link)
        return "lab"
    if isinstance(step, str) and step in known_steps:
        page, key = step.split(".")
        session.lessons.open_steps[page] = key
        return page
    if event.get("all") is True:
        st.session_state["tab"] = "boards"
        return "lab"
    return None
