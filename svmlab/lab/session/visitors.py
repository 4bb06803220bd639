"""Identify visitors, so that they share the server fairly: one browser is one visitor, however many tabs it has open.

A browser is known by a cookie that the app sets. Whoever sends none is known by his address.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from ipaddress import IPv6Address, IPv6Network

import streamlit as st

from svmlab.lab.session.fair_turns import TurnTaker
from svmlab.lab.streamlit_internals import session_id

COOKIE = "svmlab_visitor"
NAME = re.compile(r"[0-9a-f]{32}")
MAX_VISITORS = 4096  # visitors whose times are kept; those who wait or have a turn are kept in any case


def new_name() -> str:
    """Return the name of a browser that has none yet: a random number, which says nothing about its owner."""
    return secrets.token_hex(16)


def name_of(cookies: Mapping[str, str], address: str | None) -> str:
    """Return the name in the cookies if the app can have written it, else the address."""
    name = str(cookies.get(COOKIE, ""))
    return name if NAME.fullmatch(name) else f"at {address}"


def current_visitor() -> str:
    """Return the name of the visitor whose page is running in this thread, if there is one."""
    if session_id() is None:
        return name_of({}, None)
    return name_of(st.context.cookies, st.context.ip_address)


def current_address() -> str:
    """Return the network from which the page that is running in this thread was opened, "" for this computer."""
    return "" if session_id() is None else network_of(st.context.ip_address or "")


def network_of(address: str) -> str:
    """Return the part of an address that one subscriber has: of IPv6 the first 64 bits, of IPv4 all of it."""
    try:
        parsed = IPv6Address(address)
        return str(parsed.ipv4_mapped or IPv6Network((int(parsed), 64), strict=False))
    except ValueError:
        return address


class TurnTakers:
    """The times that visitors have used, by their names. It is used within one thread, or under a lock."""

    def __init__(self) -> None:
        self._known: dict[str, TurnTaker] = {}

    def of(self, name: str) -> TurnTaker:
        """Return the visitor of this name, who becomes the one that was here last."""
        taker = self._known.pop(name, None) or TurnTaker()
        self._known[name] = taker
        if len(self._known) > MAX_VISITORS:
            idle = (each for each, known in self._known.items() if not known.waiting and not known.has_turn)
            self._known.pop(next(idle, name))
        return taker
