"""The plan of a lecture on the page: the sign that says where one is, its keys, and the dialog that changes the plan.

The session has the plan, and the browser keeps its text, so that a reload or another server brings it back. A plan is
walked by the script in `js/`: it says which stop is wanted, and the session then opens the link of this stop afresh.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, Literal

import streamlit as st

from svmlab.core.errors import BadInput
from svmlab.core.phrase import Phrase
from svmlab.lab import words
from svmlab.lab.board.component import Component
from svmlab.lab.plan.plan import (
    MAX_FILE,
    MAX_MINUTES,
    MAX_NOTES,
    MAX_TITLE,
    Plan,
    Stop,
    notes_page,
    read_plan,
    text_of_plan,
)
from svmlab.lab.session import inbox
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _

KEY, KEPT, WANTED = "plan", "kept_plan", "plan_wanted"
FILE, NOTES_FILE = "plan.md", "notes.html"
HOW = N_(
    "With the plan open, PageDown and PageUp go from stop to stop, and PageDown first shows the answer to an open "
    "question. Space plays the film of a step. B blanks the screen, and B again shows it. Notes are never on the page. "
    "“Save the notes” makes a page with them, for paper, a phone or a second screen."
)
NOTES = N_("Speaker's notes (they appear on this screen)")
NO_NOTES = N_("Notes are not shown in projector mode. “Save the notes” makes a page with them, for you alone.")
WORDS = {
    "place": N_("{n} of {all}"),
    "back": N_("The stop before (PageUp)"),
    "onward": N_("The next stop (PageDown)"),
    "edit": N_("Change the plan"),
    "end": N_("Close the plan"),
}
_component = Component("plan", html='<div class="sv-plan"></div>', css="plan.css")


@dataclass
class KeptPlan:
    """The plan of a tab.

    at: the stop that is open while the plan is walked, else None. is_known: whether the browser has said what it keeps.
    earlier: the plan before a stop was removed, or before another plan was opened, which undo brings back.
    editing: the stop whose fields are open. ack: the number of the last request that was handled. rev: counts
    what was sent, because a browser hears nothing of the same data again.
    """

    plan: Plan = Plan()
    at: int | None = None
    is_known: bool = False
    earlier: Plan | None = None
    editing: int | None = None
    message: str = ""
    ack: int = 0
    rev: int = 0

    def change(self, plan: Plan, message: str = "", at: int | None = None) -> None:
        """Take another plan, and say what was done. at: where the open stop is in it."""
        self.plan, self.message, self.earlier, self.editing = plan, message, None, None
        self.at = at if at is not None and 0 <= at < len(plan.stops) else None


def kept() -> KeptPlan:
    """Return the plan of this tab."""
    plan = st.session_state.setdefault(KEPT, KeptPlan())
    assert isinstance(plan, KeptPlan)
    return plan


def show(session: Session, pages: Mapping[str, str]) -> None:
    """Open the stop that was requested, and show the sign. pages: the name of each page by its path."""
    own, wanted = kept(), st.session_state.pop(WANTED, None)
    if isinstance(wanted, int) and wanted < len(own.plan.stops):
        open_stop(session, own, wanted, pages)

    def said() -> None:
        if hear(own, st.session_state[KEY].said, pages):
            session.wants_plan = True

    _component(data=_data(session), key=KEY, on_said_change=said)
    if session.wants_plan:
        session.wants_plan = False
        _dialog(session, pages)


def keep(session: Session) -> None:
    """Let the browser keep the plan from a dialog, which runs without the rest of the page, and correct its sign."""
    _component(data=_data(session) | {"mute": True}, key="plan_kept")


def _data(session: Session) -> dict[str, Any]:
    own = kept()
    own.rev += 1
    return {
        "rev": own.rev,
        "boot": session.boot,
        "known": own.is_known,
        "text": text_of_plan(own.plan) if own.plan != Plan() else "",
        "at": own.at,
        "ack": own.ack,
        "count": len(own.plan.stops),
        "titles": [stop.title for stop in own.plan.stops],
        "words": {name: _(word) for name, word in WORDS.items()},
    }


def open_stop(session: Session, own: KeptPlan, at: int, pages: Mapping[str, str]) -> None:
    """Open a stop of the plan, and end the run of the present page."""
    stop = own.plan.stops[at]
    page = pages.get(stop.page)
    if page is None:
        return
    own.at = at
    inbox.open_afresh(session, page, stop.query)
    for name in [name for name in st.session_state if str(name).endswith("_choice")]:
        del st.session_state[name]  # a choice that was marked on a step belongs to that visit
    st.switch_page(f"pages/{page}.py")


def hear(own: KeptPlan, event: Any, pages: Mapping[str, str]) -> bool:
    """Do what the browser requests, and return whether the dialog is wanted. Any other message does nothing.

    {"keeps": text, "at": stop or None} is what it keeps. {"go": stop, "n": number} opens a stop, once for each number.
    {"end": True} walks the plan no longer. {"edit": True} opens the dialog.
    """
    if not isinstance(event, Mapping):
        return False
    if "keeps" in event and not own.is_known:
        own.is_known = True
        text, at = event["keeps"], event.get("at")
        try:
            before = read_plan(text, pages) if isinstance(text, str) and text else own.plan
            plan = own.plan if before is own.plan else replace(before, stops=(*before.stops, *own.plan.stops))
        except BadInput as error:
            own.message = error.message
        else:
            own.change(plan, own.message, at if type(at) is int and at >= 0 else own.at)
    go, n = event.get("go"), event.get("n")
    # A session that does not know the plan yet leaves the request to the next one.
    if type(go) is int and type(n) is int and own.ack < n < 2**53 and (own.is_known or own.plan.stops):
        own.ack = n
        if 0 <= go < len(own.plan.stops):
            st.session_state[WANTED] = go
    if event.get("end") is True:
        own.at = None
    return event.get("edit") is True


def add(title: str, link: str) -> str:
    """Add a stop to the plan of this tab, and return what happened, for the person."""
    own = kept()
    try:
        plan = own.plan.with_stop(Stop(title, link))
    except BadInput as error:
        return words.message_of(error)
    own.change(plan, at=own.at)
    n = len(plan.stops)
    return _("“{title}” is stop {n} of your plan.").format(title=plan.stops[-1].title, n=n)


def _dialog(session: Session, pages: Mapping[str, str]) -> None:
    st.dialog(_("The plan of a lecture"), width="large")(_body)(session, pages)


def _body(session: Session, pages: Mapping[str, str]) -> None:
    own = kept()
    plan = own.plan

    def rename() -> None:
        _take(own, lambda: replace(plan, title=st.session_state["plan_title"]))

    st.session_state["plan_title"] = plan.title
    st.text_input(_("Title of the plan"), max_chars=MAX_TITLE, key="plan_title", on_change=rename)
    if own.message:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(plain(_(own.message)))
            if own.earlier is not None:
                st.button(_("Undo"), key="plan_undo", on_click=own.change, args=(own.earlier, "", own.at))
    if not plan.stops:
        st.markdown(_("The plan has no stop yet. Press Share on any page, and there “Add to my plan”."))
    with st.container(key="plan_stops"):
        for i, stop in enumerate(plan.stops):
            _row(own, i, stop, with_notes=not session.view.projector)
    _files(own, pages)
    st.markdown(_(HOW))
    keep(session)


def _row(own: KeptPlan, i: int, stop: Stop, with_notes: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"plan_row{i}"):
        minutes = _("{n} min").format(n=stop.minutes) if stop.minutes else ""
        label = f"{i + 1}. {stop.title}" + (f" · {minutes}" if minutes else "")
        kind: Literal["primary", "secondary"] = "primary" if own.at == i else "secondary"
        if st.button(plain(label), key=f"plan_open{i}", type=kind, width="stretch", help=_("Open this stop")):
            st.session_state[WANTED] = i
            st.rerun()
        of = {"stop": stop.title}
        for name, word, text, by in (
            ("up", N_("Up"), N_("Move “{stop}” up"), -1),
            ("down", N_("Down"), N_("Move “{stop}” down"), 1),
        ):
            is_end = not 0 <= i + by < len(own.plan.stops)
            _small(name, i, _(word), _(text).format(**of), move, (own, i, by), is_end)
        _small("edit", i, _("Edit"), _("Title, minutes and notes of “{stop}”").format(**of), edit, (own, i))
        _small("remove", i, _("Remove"), _("Remove “{stop}”").format(**of), remove, (own, i))
    if own.editing == i:
        _fields(own, i, stop, with_notes)


def _small(
    name: str, i: int, label: str, text: str, do: Callable[..., None], given: tuple[Any, ...], disabled: bool = False
) -> None:
    key = f"plan_{name}{i}"
    st.button(label, key=key, help=plain(text), disabled=disabled, type="tertiary", on_click=do, args=given)


def edit(own: KeptPlan, i: int) -> None:
    """Open the fields of the stop at position i, or close them."""
    own.editing = None if own.editing == i else i


def move(own: KeptPlan, i: int, by: int) -> None:
    """Move the stop at position i. The open stop stays the same."""
    own.change(own.plan.with_moved(i, by), at=moved_place(own.at, i, by))


def moved_place(at: int | None, i: int, by: int) -> int | None:
    """Return where the open stop is after the stops at positions i and i + by have changed places."""
    return None if at is None else {i: i + by, i + by: i}.get(at, at)


def remove(own: KeptPlan, i: int) -> None:
    """Remove the stop at position i, so that undo brings it back. The open stop stays the same, or the next one."""
    before, at = own.plan, own.at
    left = None if at is None else min(at - (i < at), len(before.stops) - 2)
    own.change(before.without(i), Phrase("“{stop}” was removed.", stop=before.stops[i].title), left)
    own.earlier = before


def _fields(own: KeptPlan, i: int, stop: Stop, with_notes: bool) -> None:
    """Show the fields of a stop. with_notes: whether its notes are among them, folded away."""
    names = ("title", "minutes", "notes") if with_notes else ("title", "minutes")
    fields = {name: f"plan_{name}_of{i}" for name in names}

    def save() -> None:
        values = {name: st.session_state[key] for name, key in fields.items()}
        _take(own, lambda: own.plan.with_changed(i, replace(stop, **values)))

    with st.form(f"plan_stop{i}"):
        st.text_input(_("Title"), stop.title, max_chars=MAX_TITLE, key=fields["title"])
        st.number_input(_("Minutes"), 0, MAX_MINUTES, stop.minutes, key=fields["minutes"])
        if with_notes:
            with st.expander(_(NOTES)):
                st.text_area(_("Speaker's notes"), stop.notes, max_chars=MAX_NOTES, height=160, key=fields["notes"])
        else:
            st.caption(_(NO_NOTES))
        st.form_submit_button(_("Save this stop"), type="primary", on_click=save)


def _files(own: KeptPlan, pages: Mapping[str, str]) -> None:
    """Show what saves the plan and the notes as files, and what opens a file."""
    plan = own.plan
    labels = {
        "title": _("The plan of a lecture"),
        "minutes": _("min"),
        "open": _("Open"),
    }
    with st.container(horizontal=True, vertical_alignment="center"):
        is_empty, is_edited = plan == Plan(), own.editing is not None
        unsaved = _("First press “Save this stop”, or “Edit” again to leave it as it was.") if is_edited else None
        is_walked = own.at is not None
        if st.button(
            _("Close the plan") if is_walked else _("Start at the first stop"),
            type="primary",
            key="plan_start",
            disabled=not plan.stops or is_edited,
            help=unsaved,
        ):
            own.at = None
            if not is_walked:
                st.session_state[WANTED] = 0
            st.rerun()
        text, notes = partial(text_of_plan, plan), partial(notes_page, plan, _app_address(), labels)
        for label, content, name, kind, key in (  # written at the press, because each file replaces the one before
            (_("Save as a file"), text, FILE, "text/markdown", "plan_save"),
            (_("Save the notes"), notes, NOTES_FILE, "text/html", "plan_notes"),
        ):
            st.download_button(label, content, name, kind, disabled=is_empty or is_edited, help=unsaved, key=key)

    def opened() -> None:
        file = st.session_state["plan_file"]
        if file is not None:
            open_file(own, file.getvalue(), pages)

    st.file_uploader(_("Open a plan"), ("md", "txt"), key="plan_file", on_change=opened)


def open_file(own: KeptPlan, content: bytes, pages: Mapping[str, str]) -> None:
    """Take the plan of a file instead of the present one, which undo brings back. A bad file changes nothing."""
    before = own.plan
    try:
        if len(content) > 4 * MAX_FILE:
            raise BadInput("file: it has {n} bytes, and at most {most} are allowed.", n=len(content), most=4 * MAX_FILE)
        plan = read_plan(content.decode("utf-8", "replace"), pages)
    except BadInput as error:
        own.message, own.earlier = error.message, None
        return
    own.change(plan, Phrase("The plan was opened. It has {n} stops.", n=len(plan.stops)))
    own.earlier = before if before != Plan() else None


def _take(own: KeptPlan, changed: Callable[[], Plan]) -> None:
    """Take a changed plan, or say what breaks a rule."""
    try:
        plan = changed()
    except BadInput as error:
        own.message = error.message
        return
    if plan != own.plan:
        own.change(plan, at=own.at)


def plain(text: str) -> str:
    """Return a text with nothing in it that Markdown would change."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]()#+-.!$~|<>:" else c for c in text)


def _app_address() -> str:
    return (st.context.url or "").split("?")[0].rsplit("/", 1)[0] + "/"
