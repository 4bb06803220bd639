"""Files of points beside a board of any task: the points as a download, and a file to open."""

from __future__ import annotations

import re

import streamlit as st

from svmlab.lab.session import files, operations
from svmlab.lab.session.controls import BINARY, CLASSES, VALUES
from svmlab.lab.session.files import MAX_BYTES
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import N_, _

COLUMNS = {BINARY: "x1, x2, label", CLASSES: "x1, x2, label", VALUES: "x1, y"}
TYPES = ("csv", "tsv", "txt", "json")
HELP = N_(
    "A table as CSV, for example from a spreadsheet, or points as JSON. You choose two columns of a larger table. Your "
    "points stay until you confirm."
)
READ_HELP = N_("The page shows how the text was understood. Your board changes when you confirm.")
PASTE_HELP = N_(
    "Copy the cells in your spreadsheet and paste them here, with the names of the columns. Cells may be separated by "
    "tabs, semicolons or commas. Numbers may have a decimal comma."
)
PASTED = N_("“pasted table”")
EXAMPLE = N_("age\tweight\tgroup\n31\t70,5\tA")
NO_TEXT = N_("The field is empty, so there is nothing to read. Copy the cells in your spreadsheet and paste them here.")


def show(session: Session, done: OnChange) -> None:
    """Show two downloads and an upload. On a board of another task the files are of that task."""
    data = files.points_to_save(session.lab)
    columns = COLUMNS[session.lab.task]
    one, two = st.columns(2)
    one.download_button(
        _("Points as CSV"),
        data.to_csv(),
        "points.csv",
        "text/csv",
        width="stretch",
        disabled=not data.m,
        help=_("The points as a table: {columns}.").format(columns=columns),
    )
    two.download_button(
        _("Points as JSON"),
        data.to_json(),
        "points.json",
        "application/json",
        width="stretch",
        disabled=not data.m,
        help=_("The points as JSON: X and y."),
    )
    upload(session, done, "upload")


def upload(session: Session, done: OnChange, key: str) -> None:
    """Show a field for a file and one for a pasted table, under this key.

    A table of which columns must be chosen opens a dialog.
    """
    version = st.session_state.setdefault("upload_version", 0)
    refusal = f"{key} refusal"

    def uploaded() -> None:
        file = st.session_state[f"{key}{version}"]
        st.session_state.pop(refusal, None)
        st.session_state["upload_version"] = version + 1  # an empty field, which can take the same file again
        if file is not None:
            operations.open_file(session, file.name, file.getvalue())
        if session.draft is not None:
            st.rerun()
        done()

    def pasted() -> None:
        text, before = st.session_state[f"{key}_paste{version}"], session.history
        if text.strip():
            operations.open_file(session, _(PASTED), text)
        else:
            session.note(NO_TEXT)
        if session.draft is None and not session.history.note_is_success:  # said beside the field, which keeps its text
            st.session_state[refusal], session.history = session.history.note, before
            return
        st.session_state["upload_version"] = version + 1
        st.session_state.pop(refusal, None)
        if session.draft is not None:
            st.rerun()
        done()

    st.file_uploader(_("Open a file"), type=TYPES, key=f"{key}{version}", on_change=uploaded, help=_(HELP))
    st.text_area(
        _("Or paste a table"),
        key=f"{key}_paste{version}",
        height=96,
        max_chars=MAX_BYTES,
        placeholder=_(EXAMPLE),
        help=_(PASTE_HELP),
    )
    if refused := st.session_state.get(refusal):
        st.warning(_(refused))
    st.button(
        _("Read the pasted table"), key=f"{key}_read{version}", width="stretch", on_click=pasted, help=_(READ_HELP)
    )


def literal(name: str) -> str:
    """Return a name as a Markdown code span, in which Streamlit leaves every character as it is."""
    fence = "`" * (1 + max(map(len, re.findall("`+", name)), default=0))
    pad = " " if name.startswith("`") or name.endswith("`") else ""
    return f"{fence}{pad}{name}{pad}{fence}"
