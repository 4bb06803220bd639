"""The table of points: exact coordinates and labels, how the SVM classifies each, and files to save and open."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from svmlab import BadInput
from svmlab.core.errors import quoted
from svmlab.lab import words
from svmlab.lab.bench.tabs import files
from svmlab.lab.bench.tabs.files import literal
from svmlab.lab.board.payload import category_text
from svmlab.lab.board.rules import FULL
from svmlab.lab.numbers import parse_number
from svmlab.lab.session import inbox
from svmlab.lab.session.controls import EDGE, MAX_POINTS
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import _, written

EDITABLE = ("x1", "x2", "label")


def show(session: Session, done: OnChange) -> None:
    """Show the table on the left and files on the right."""
    left, right = st.columns([2.2, 1], gap="medium")
    with left:
        _table(session, done)
    with right:
        files.show(session, done)


def points_table(session: Session) -> pd.DataFrame:
    """Return one row for each point, in the order of the board."""
    lab = session.lab.active_lab
    outcome = session.solve(lab) if lab.points else None
    rows: dict[str, Any] = {
        "selected": np.array([p.id == lab.selected for p in lab.points], dtype=bool),
        # As text, because a number cell reads 1,5 as 15 and clips 9 to 8.
        "x1": pd.Series([f"{p.x / 1000:.3f}" for p in lab.points], dtype=str),
        "x2": pd.Series([f"{p.y / 1000:.3f}" for p in lab.points], dtype=str),
        "label": np.array([p.label for p in lab.points], dtype=int),
    }
    solution = outcome.solution if outcome else None
    if solution is not None:
        rows |= {
            "alpha": solution.alpha,
            "xi": solution.xi,
            "yf": solution.margins,
            "category": [category_text(solution, c) for c in solution.categories],
        }
    return pd.DataFrame(rows)


def _table(session: Session, done: OnChange) -> None:
    version = st.session_state.setdefault("table_version", 0)
    ids = [p.id for p in session.lab.points]

    def changed() -> None:
        delta = st.session_state[f"table{version}"]
        st.session_state["table_version"] = version + 1
        picked = [ids[int(at)] for at, change in delta.get("edited_rows", {}).items() if "selected" in change]
        try:
            inbox.do(session, {"op": "points", "points": edited_rows(session.lab, ids, delta)}, strict=True)
            st.session_state["table_error"] = None
        except BadInput as error:
            st.session_state["table_error"] = error
        if picked:
            inbox.do(session, {"op": "select", "id": None if picked[0] == session.lab.selected else picked[0]})
        done()

    number = st.column_config.NumberColumn
    edge = EDGE / 1000
    thousandths = _("In thousandths, from −{edge:g} to {edge:g}.").format(edge=edge)
    config: dict[str, Any] = {
        "selected": st.column_config.CheckboxColumn(
            "◎", width=40, default=False, help=_("Tick to select the point on the board.")
        ),
        "x1": st.column_config.TextColumn("x₁", default="0", alignment="right", help=thousandths),
        "x2": st.column_config.TextColumn("x₂", default="0", alignment="right", help=thousandths),
        "label": st.column_config.SelectboxColumn(
            _("class"),
            options=[1, -1],
            default=session.lab.label,
            required=True,
            help=_("1 or −1."),
        ),
        "alpha": number("α", format="%.4g", disabled=True, help=_("Multiplier, 0 to C.")),
        "xi": number("ξ", format="%.4g", disabled=True, help=_("Slack, max(0, 1 − y f).")),
        "yf": number(written("y f"), format="%.4g", disabled=True, help=_("Functional margin y f(x).")),
        "category": st.column_config.TextColumn(_("position"), disabled=True, width="medium"),
    }
    locked = "points" in session.link.locked
    st.data_editor(
        points_table(session),
        key=f"table{version}",
        on_change=changed,
        num_rows="fixed" if locked else "dynamic",
        disabled=EDITABLE if locked else False,
        column_config=config,
        height=360,
        hide_index=True,
    )
    if st.session_state.get("table_error"):
        st.warning(words.message_of(st.session_state["table_error"]))
    else:
        st.caption(
            _(
                "Edit a cell, add a row at the end, or select rows and delete them. Click α, ξ or y f to sort. You "
                "can undo everything."
            )
        )


def edited_rows(lab: Lab, ids: list[int], delta: dict[str, Any]) -> list[list[Any]]:
    """Return all points as [id, x, y, label] after an edit of the table.

    Raises BadInput that names the row and the cell.
    """
    by_id = {p.id: p for p in lab.points}
    known = [by_id.get(i) for i in ids]
    rows: list[dict[str, Any]] = [
        {"id": p.id, "x1": p.x / 1000, "x2": p.y / 1000, "label": p.label} if p else {} for p in known
    ]
    for at, change in delta.get("edited_rows", {}).items():
        rows[int(at)] |= {k: v for k, v in change.items() if k in EDITABLE}
    next_id = 1 + max(ids, default=0)
    for n, added in enumerate(delta.get("added_rows", [])):
        rows.append(
            {"id": next_id + n, "x1": 0.0, "x2": 0.0, "label": lab.label}
            | {k: added[k] for k in EDITABLE if k in added}
        )
    deleted = {int(at) for at in delta.get("deleted_rows", [])} | {n for n, p in enumerate(known) if p is None}
    result = []
    for n, row in enumerate(rows):
        if n in deleted:
            continue
        for name in ("x1", "x2"):
            value = _coordinate(row[name])
            if value is None:
                raise BadInput(
                    "Row {row}, {column}: {value} is not a number from −{edge} to {edge}. The cell keeps its old "
                    "value.",
                    row=n + 1,
                    column=name,
                    value=literal(quoted(row[name])),
                    edge=EDGE // 1000,
                )
            row[name] = value
        if row["label"] not in (1, -1):
            raise BadInput(
                "Row {row}, class: {value} is neither 1 nor −1. The cell keeps its old value.",
                row=n + 1,
                value=literal(quoted(row["label"])),
            )
        result.append([row["id"], row["x1"], row["x2"], row["label"]])
    if len(result) > MAX_POINTS:
        raise BadInput(FULL, limit=MAX_POINTS)
    return result


def _coordinate(cell: Any) -> float | None:
    """Return the content of a cell as a coordinate on the board, or None if it is none."""
    try:
        value = parse_number(cell) if isinstance(cell, str) else float(cell)
    except (BadInput, TypeError, ValueError):
        return None
    return value if abs(value) <= EDGE / 1000 else None
