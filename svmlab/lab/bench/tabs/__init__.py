"""The parts under the board: points, error map, certificate, code and kept boards. Only the open one is computed.

The bar also begins a comparison.
"""

from __future__ import annotations

from dataclasses import replace
from importlib import import_module
from pathlib import Path

import streamlit as st

from svmlab.lab.bench import compare
from svmlab.lab.board.second_board import machine_name
from svmlab.lab.session import unexpected_errors
from svmlab.lab.session.tab import OnChange, Session
from svmlab.lab.words import N_, _

CONTROLS = "controls"
TABS = {
    "points": N_("Points"),
    "errors": N_("Error map"),
    "certificate": N_("Certificate"),
    "code": N_("Code"),
    "boards": N_("My boards"),
}
# A tab is left out where the link hides one of the controls that it would reveal.
REVEALS = {
    "errors": ("kernel", "price", "hard"),
    "certificate": ("kernel", "price", "hard", "bias"),
    "code": ("kernel", "price", "hard", "bias"),
    "boards": ("kernel", "price", "hard", "bias"),  # a kept board opens again with everything that it has
}
_reveal = st.components.v2.component(
    "svmlab_reveal", js=(Path(__file__).parent / "reveal.js").read_text(encoding="utf-8")
)

OF_HIDDEN = N_("Of board {board}, whose classifier the controls change.")
OF_BOARD = N_("Of board {board}, whose classifier the controls change: {classifier}.")


def reveals_hidden(session: Session, tab: str) -> bool:
    """Return whether a tab would reveal something that the link hides."""
    return any(name in session.link.hidden for name in REVEALS.get(tab, ()))


def show(session: Session, done: OnChange, controls: OnChange | None = None) -> None:
    """Show the bar and the open tab.

    controls: if given, they are the first tab, which is open if no other is.
    """
    kept = {tab: name for tab, name in TABS.items() if not reveals_hidden(session, tab)}
    names = {CONTROLS: N_("Controls")} | kept if controls else kept
    if session.link.tab in names:
        st.session_state["tab"] = session.link.tab
    session.link = replace(session.link, tab=None)
    if st.session_state.get("tab") not in names:
        st.session_state["tab"] = CONTROLS if controls else None

    def opened() -> None:
        session.view.open_tab = st.session_state["tab"] if st.session_state["tab"] in TABS else None
        st.session_state["opened"] = st.session_state.get("opened", 0) + 1
        done()

    bar, right = st.columns([1.8, 1] if controls else [3, 2], vertical_alignment="center")
    with right:
        compare.comparison_choice(session, done)
    chosen = CONTROLS if controls else None
    if "more" not in session.link.hidden:
        chosen = bar.segmented_control(
            _("More"),
            list(names),
            format_func=lambda tab: _(names[tab]),
            key="tab",
            label_visibility="collapsed",
            persist_state="session",
            on_change=opened,
        )
    if chosen is None:
        return

    with st.container(key="opened"), unexpected_errors.showing_errors():
        if chosen == CONTROLS and controls:
            controls()
        else:
            if session.lab.second is not None:
                classifier = machine_name(session.lab.active_lab, session.link.hidden)
                of_board = _(OF_BOARD if classifier else OF_HIDDEN)
                st.caption(of_board.format(board=session.lab.active, classifier=classifier))
            # Imported when it is opened, because pandas, which only the table needs, takes a third of a second.
            import_module(f"{__name__}.{chosen}").show(session, done)
        turn = st.session_state.get("opened", 0)
        _reveal(data={"turn": turn, "bar": "st-key-tab", "opened": "st-key-opened"}, key="reveal")
