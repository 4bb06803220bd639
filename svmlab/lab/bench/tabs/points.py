"""The table of points: exact coordinates and labels, with what the machine says of each, and files in and out."""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np
import pandas as pd
import segno
import streamlit as st

from svmlab import BadInput
from svmlab.errors import quoted
from svmlab.lab import text
from svmlab.lab.session import files, share
from svmlab.lab.session.controls import EDGE, LIMIT
from svmlab.lab.session.state import Lab
from svmlab.lab.session.tab import Done, Session

EDITABLE = ("x1", "x2", "label")


def show(session: Session, done: Done) -> None:
    """The table at the left, files and link at the right."""
    left, right = st.columns([2.2, 1], gap="medium")
    with left:
        _table(session, done)
    with right:
        _files(session, done)
        _link(session)


def frame(session: Session) -> pd.DataFrame:
    """One row a point, in the order of the board."""
    lab, outcome = session.lab, session.outcome
    rows: dict[str, Any] = {
        "selected": np.array([p.id == lab.selected for p in lab.points], dtype=bool),
        "x1": [p.x / 1000 for p in lab.points],
        "x2": [p.y / 1000 for p in lab.points],
        "label": np.array([p.label for p in lab.points], dtype=int),
    }
    solution = outcome.solution if outcome else None
    if solution is not None:
        rows |= {
            "alpha": solution.alpha,
            "xi": solution.xi,
            "yf": solution.margins,
            "category": [text.CATEGORIES[c.value] for c in solution.categories],
        }
    return pd.DataFrame(rows)


def _table(session: Session, done: Done) -> None:
    version = st.session_state.setdefault("table_version", 0)
    ids = [p.id for p in session.lab.points]

    def changed() -> None:
        delta = st.session_state[f"table{version}"]
        st.session_state["table_version"] = version + 1
        picked = [ids[int(at)] for at, change in delta.get("edited_rows", {}).items() if "selected" in change]
        try:
            session.do({"op": "points", "points": edited(session.lab, ids, delta)}, strict=True)
            st.session_state["table_error"] = None
        except BadInput as error:
            st.session_state["table_error"] = str(error)
        if picked:
            session.do({"op": "select", "id": None if picked[0] == session.lab.selected else picked[0]})
        done()

    number = st.column_config.NumberColumn
    edge = EDGE / 1000
    config: dict[str, Any] = {
        "selected": st.column_config.CheckboxColumn("◎", width=40, default=False, help=text.COLUMN["selected"]),
        "x1": number(
            "x₁", min_value=-edge, max_value=edge, step=0.001, default=0.0, format="%.3f", help=text.COLUMN["x"]
        ),
        "x2": number(
            "x₂", min_value=-edge, max_value=edge, step=0.001, default=0.0, format="%.3f", help=text.COLUMN["x"]
        ),
        "label": st.column_config.SelectboxColumn(
            text.COLUMN["label"],
            options=[1, -1],
            default=session.lab.label,
            required=True,
            help=text.COLUMN["label_help"],
        ),
        "alpha": number("α", format="%.4g", disabled=True, help=text.COLUMN["alpha"]),
        "xi": number("ξ", format="%.4g", disabled=True, help=text.COLUMN["xi"]),
        "yf": number("y f", format="%.4g", disabled=True, help=text.COLUMN["yf"]),
        "category": st.column_config.TextColumn(text.COLUMN["category"], disabled=True, width="medium"),
    }
    st.data_editor(
        frame(session),
        key=f"table{version}",
        on_change=changed,
        num_rows="dynamic",
        column_config=config,
        height=360,
        hide_index=True,
    )
    if st.session_state.get("table_error"):
        st.warning(st.session_state["table_error"])
    else:
        st.caption(text.TABLE_HELP)


def edited(lab: Lab, ids: list[int], delta: dict[str, Any]) -> list[list[Any]]:
    """All points as [id, x, y, label] after what was done to the table. Raises BadInput naming the row and the cell."""
    by_id = {p.id: p for p in lab.points}
    known = [by_id.get(i) for i in ids]
    rows: list[dict[str, Any]] = [
        {"id": p.id, "x1": p.x / 1000, "x2": p.y / 1000, "label": p.label} if p else {} for p in known
    ]
    for at, change in delta.get("edited_rows", {}).items():
        rows[int(at)] |= {k: v for k, v in change.items() if k in EDITABLE}
    fresh = 1 + max(ids, default=0)
    for n, added in enumerate(delta.get("added_rows", [])):
        rows.append(
            {"id": fresh + n, "x1": 0.0, "x2": 0.0, "label": lab.label} | {k: added[k] for k in EDITABLE if k in added}
        )
    gone = {int(at) for at in delta.get("deleted_rows", [])} | {n for n, p in enumerate(known) if p is None}
    out = []
    for n, row in enumerate(rows):
        if n in gone:
            continue
        for name in ("x1", "x2"):
            value = row[name]
            if not isinstance(value, int | float) or abs(value) > EDGE / 1000:
                raise BadInput(text.BAD_CELL.format(row=n + 1, column=name, value=_literal(quoted(value))))
        if row["label"] not in (1, -1):
            raise BadInput(text.BAD_LABEL.format(row=n + 1, value=_literal(quoted(row["label"]))))
        out.append([row["id"], row["x1"], row["x2"], row["label"]])
    if len(out) > LIMIT:
        raise BadInput(text.BOARD["full"])
    return out


def _literal(words: str) -> str:
    """What somebody else has named, as it is, where Streamlit reads Markdown: a span of code, the only thing it leaves alone."""
    fence = "`" * (1 + max(map(len, re.findall("`+", words)), default=0))
    pad = " " if words.startswith("`") or words.endswith("`") else ""
    return f"{fence}{pad}{words}{pad}{fence}"


def _files(session: Session, done: Done) -> None:
    data = session.lab.data
    one, two = st.columns(2)
    one.download_button(
        "CSV", data.to_csv(), "points.csv", "text/csv", width="stretch", disabled=not data.m, help=text.SAVE_CSV
    )
    two.download_button(
        "JSON",
        data.to_json(),
        "points.json",
        "application/json",
        width="stretch",
        disabled=not data.m,
        help=text.SAVE_JSON,
    )
    version = st.session_state.setdefault("upload_version", 0)

    def uploaded() -> None:
        file = st.session_state[f"upload{version}"]
        st.session_state["upload_version"] = version + 1
        if file is not None:
            session.open(file.name, file.getvalue())
        done()

    st.file_uploader(
        text.OPEN_FILE, type=["csv", "json", "txt"], key=f"upload{version}", on_change=uploaded, help=text.OPEN_HELP
    )
    if session.offer is not None:

        def accept() -> None:
            session.accept()
            done()

        factor = f"{files.factor(session.offer.data):g}"
        st.info(text.OFFER.format(name=_literal(session.offer.name), factor=factor))
        st.button(text.SCALE, on_click=accept, type="primary", width="stretch")


def _link(session: Session) -> None:
    base = (st.context.url or "").split("?")[0]
    link = f"{base}?s={share.encode(session.lab)}"
    st.session_state["share_link"] = link
    st.text_input(text.LINK, key="share_link", help=text.LINK_HELP)
    with st.popover(text.QR, width="stretch"):
        picture = io.BytesIO()
        segno.make(link, error="l", micro=False).save(picture, kind="png", scale=6, border=3)
        st.image(picture.getvalue(), width="stretch")
        st.caption(text.QR_HELP)
