"""Files of points beside a board of any task: the points as a download, and a file to open."""

from __future__ import annotations

import re

import streamlit as st

from svmlab.lab.session import files, operations
from svmlab.lab.session.controls import BINARY, CLASSES, MAX_POINTS, VALUES
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import N_, _

OFFER = N_(
    "{name} reaches beyond the board. Scale all its coordinates by {factor}? Kernel widths scale "
    "along, C by the square."
)
COLUMNS = {BINARY: "x1, x2, label", CLASSES: "x1, x2, label", VALUES: "x1, y"}
FORMS = {
    BINARY: N_(
        "CSV with a header x1,x2,label, or JSON. Labels: −1 and 1, 0 and 1, or two names. At most {limit} points."
    ),
    CLASSES: N_("CSV with a header x1,x2,label, or JSON. Labels: 1 to 4, or up to four names. At most {limit} points."),
    VALUES: N_("CSV with a header x1,y, or JSON. Every y is a number. At most {limit} points."),
}


def show(session: Session, done: OnChange) -> None:
    """Show two downloads and an upload. On a board of another task the files are of that task."""
    data = files.points_to_save(session.lab)
    columns, forms = COLUMNS[session.lab.task], FORMS[session.lab.task]
    one, two = st.columns(2)
    one.download_button(
        "CSV",
        data.to_csv(),
        "points.csv",
        "text/csv",
        width="stretch",
        disabled=not data.m,
        help=_("The points as a table: {columns}.").format(columns=columns),
    )
    two.download_button(
        "JSON",
        data.to_json(),
        "points.json",
        "application/json",
        width="stretch",
        disabled=not data.m,
        help=_("The points as JSON: X and y."),
    )
    version = st.session_state.setdefault("upload_version", 0)

    def uploaded() -> None:
        file = st.session_state[f"upload{version}"]
        st.session_state["upload_version"] = version + 1
        if file is not None:
            operations.open_file(session, file.name, file.getvalue())
        done()

    st.file_uploader(
        _("Open a file"),
        type=["csv", "json", "txt"],
        key=f"upload{version}",
        on_change=uploaded,
        help=_(forms).format(limit=MAX_POINTS),
    )
    if session.offer is not None:

        def accept() -> None:
            operations.accept(session)
            done()

        factor = f"{files.scale_factor(session.offer.data):g}"
        st.info(_(OFFER).format(name=literal(session.offer.name), factor=factor))
        st.button(_("Scale and open"), on_click=accept, type="primary", width="stretch")


def literal(name: str) -> str:
    """Return a name as a Markdown code span, in which Streamlit leaves every character as it is."""
    fence = "`" * (1 + max(map(len, re.findall("`+", name)), default=0))
    pad = " " if name.startswith("`") or name.endswith("`") else ""
    return f"{fence}{pad}{name}{pad}{fence}"
