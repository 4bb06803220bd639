"""The notation in which a browser shows pages: that of the address, or else the one that was last chosen in it.

The script of the navigation writes the choice into a cookie, because the server needs it before it shows the first
page.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

import streamlit as st

from svmlab.lab.notation import USUAL, Notation

COOKIE = "svmlab_notation"
PARAMETER = "notation"  # of the address


def notation_of(query: Mapping[str, str], cookies: Mapping[str, str]) -> Notation:
    """Return the notation for an address with these parameters in a browser with these cookies."""
    try:
        return Notation.of_word(query[PARAMETER] if PARAMETER in query else unquote(cookies.get(COOKIE, "")))
    except ValueError:
        return USUAL


def asked_notation() -> Notation:
    """Return the notation for the page that is running."""
    return notation_of(st.query_params.to_dict(), st.context.cookies)
