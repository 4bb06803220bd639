"""The present screen as a link to share: what it carries, what it hides, the address to copy, and its QR code."""

from __future__ import annotations

from dataclasses import replace
from urllib.parse import urlsplit, urlunsplit

import segno
import streamlit as st
from segno.encoder import DataOverflowError

from svmlab.lab.board.component import Component
from svmlab.lab.session import link
from svmlab.lab.session.link import HIDEABLE, Location, query_string
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _

PARTS = {
    "place": N_("Where you are: step, answer, sliders, selection"),
    "board": N_("The board: points, kernel, C"),
    "pin": N_("The pinned fit"),
}
HIDDEN = {
    "data": N_("points"),
    "kernel": N_("kernel"),
    "price": N_("C, λ"),
    "hard": N_("hard margin"),
    "bias": N_("bias b"),
    "pin": N_("pin"),
    "more": N_("table, code"),
}
_component = Component("share", html='<div class="sv-share"></div>', css="share.css")


def show(session: Session, full: bool = False) -> None:
    """Open the dialog over the page. If `full`, the QR code fills the screen at once."""
    st.dialog(_("Share this screen"), width="large")(_body)(session, session.rev if full else None)


def _body(session: Session, full: int | None) -> None:
    left, right = st.columns([1, 1.2], gap="medium")
    with left:
        carried = [
            name
            for name, text in PARTS.items()
            if st.checkbox(
                _(text),
                name != "pin" or session.pinned_lab is not None,
                f"share_{name}",
                disabled=_is_disabled(session, name),
            )
        ]
        hide = st.pills(
            _("Hide from those who open it"),
            HIDEABLE,
            selection_mode="multi",
            format_func=lambda name: _(HIDDEN[name]),
            default=session.hidden_controls,
            key="share_hide",
        )
        lock = st.toggle(_("Points cannot be moved"), "points" in session.locked_parts, key="share_lock")
        place = replace(
            reduced_location(link.location_of(session), carried), hide=tuple(hide), lock=("points",) if lock else ()
        )
        address = address_of(place)
        if is_loopback(address):
            st.warning(
                _(
                    "Phones cannot open {host}: it means this computer alone. Start the app with "
                    "--server.address=0.0.0.0 and open it by this computer's name or address in the network."
                ).format(host=urlsplit(address).hostname)
            )
    with right:
        _shown(address, full)


def address_of(place: Location) -> str:
    """Return the address under which somebody else sees this page at this location."""
    scheme, host, path, *_ = urlsplit(st.context.url or "")
    return urlunsplit((scheme, host, path or "/", query_string(place), ""))


def _is_disabled(session: Session, name: str) -> bool:
    return name == "pin" and (session.pinned_lab is None or not st.session_state.get("share_board", True))


def _shown(address: str, full: int | None) -> None:
    picture = qr_code(address)
    words = {
        "address": _("The address"),
        "copy": _("Copy"),
        "copied": _("Copied"),
        "full": _("Full screen (Q)"),
        "picture": _("QR code of the address"),
        "long": _("This address is too long for a QR code. Leave out the pinned fit, or take fewer points."),
    }
    _component(data={"address": address, "code": picture, "full": full, "words": words}, key="share")


def reduced_location(place: Location, parts: list[str]) -> Location:
    """Return the location with only these of the PARTS.

    A pinned fit is stored by its differences from the board, so it is left out together with the board.
    """
    if "place" not in parts:
        place = Location(pin=place.pin, own=place.own, lent=place.lent)
    if "board" not in parts:
        place = replace(place, own=None, lent=None, pin=None)
    return place if "pin" in parts else replace(place, pin=None)


def is_loopback(address: str) -> bool:
    """Return whether an address means the computer itself, on every computer that opens it."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1", "0.0.0.0") or host.endswith(".localhost") or host.startswith("127.")


def qr_code(address: str) -> str | None:
    """Return the QR code of an address as SVG that fills its container, or None if the address is too long."""
    try:
        made = segno.make(address, error="l", micro=False)
    except DataOverflowError:
        return None
    return str(made.svg_inline(border=4, dark="#000", light="#fff", omitsize=True))
