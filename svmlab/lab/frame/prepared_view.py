"""A page whose link hides something says so, and offers to show everything, unless the link is for an exam."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _

TITLE = N_("Prepared view")
SHOW_ALL = N_("Show all")
HELP = N_("The link that opened this page hides some controls. This button brings them back.")


def show(session: Session) -> None:
    """Show the notice at the top of the page, where it covers and moves nothing."""
    if not session.link.hidden or session.link.exam:
        return

    def show_all() -> None:
        session.link = replace(session.link, hidden=())

    with st.container(key="prepared", horizontal=True, gap="small", vertical_alignment="center"):
        st.markdown(_(TITLE), width="content")
        st.button(_(SHOW_ALL), key="show_all", help=_(HELP), on_click=show_all, type="tertiary")
