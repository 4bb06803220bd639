"""The present screen as a link to share: what it carries, what it hides, the address to copy, and its QR code."""

from __future__ import annotations

import base64
import os
import socket
from contextlib import suppress
from dataclasses import replace
from html import escape
from typing import Literal
from urllib.parse import urljoin, urlsplit, urlunsplit

import segno
import streamlit as st
from segno.encoder import DataOverflowError
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from svmlab.lab import plan
from svmlab.lab.board.component import Component
from svmlab.lab.room.lecturer import Place
from svmlab.lab.session import link
from svmlab.lab.session import share as boards
from svmlab.lab.session.link import BOARD, HIDEABLE, STEP_ALONE, Location, query_string
from svmlab.lab.session.state import initial_history
from svmlab.lab.session.tab import Session
from svmlab.lab.streamlit_internals import path_below_base
from svmlab.lab.words import N_, _

PLACE, BOARDS, OWN, PIN = "place", "board", "own", "pin"
PARTS = {
    PLACE: N_("Step, answer, sliders, selection"),
    BOARDS: N_("The board: points, kernel, C"),
    OWN: N_("Your own points of the Lab"),
    PIN: N_("The pinned fit"),
}
QUESTION = N_("The question only, without your answer")
HIDDEN = {
    "data": N_("points"),
    "kernel": N_("kernel"),
    "price": N_("C, λ"),
    "hard": N_("hard margin"),
    "bias": N_("bias b"),
    "pin": N_("pin"),
    "more": N_("table, code"),
}
DECODABLE = N_(
    "The page shows the chosen parts nowhere. The address holds the whole board, because every board is solved from "
    "its address. Somebody who decodes the address can read the kernel and C."
)
FRAMES = {BOARD: N_("Board alone"), STEP_ALONE: N_("Step without menus")}
FRAME = '<iframe src="{address}" width="900" height="560" style="border: 0" title="svmlab" allow="clipboard-write">'
REACHABLE = N_(
    "This page is open at {host}, which means this computer alone. Phones can use this address and its code."
)
UNREACHABLE = N_(
    "Phones cannot open {host}, because this address means this computer alone. Start the app with the command "
    "{command}. Phones in the same network can then open {address}."
)
COMMAND, USUAL_PORT = "streamlit run app.py --server.address 0.0.0.0", 8501
TO_PLAN = N_("A plan is a list of stops for a lecture. A clicker goes from one stop to the next.")
ROOM = N_("Phones follow your board, and you can ask the class. A code and an address are shown.")
NO_NETWORK = N_("Phones cannot open {host}, because this address means this computer alone, which is in no network.")
ADDRESS = "SVMLAB_ADDRESS"  # the variable with the address of the app that phones can open
PROBED = ("192.0.2.1", 9)  # an address that is reserved for documentation; nothing is sent to it
PATH, MAX_TEXT = "qr", 3000  # the address of codes for paper, and the longest text of one
_component = Component("share", html='<div class="sv-share"></div>', css="share.css")


def show(session: Session, full: bool = False) -> None:
    """Open the dialog over the page. If `full`, the QR code fills the screen at once."""
    st.session_state.pop("share_added", None)
    st.dialog(_("Share this screen"), width="large")(_body)(session, session.rev if full else None)


def _body(session: Session, full: int | None) -> None:
    """Show the address first, although the choices after it decide what it carries, and the QR code last."""
    copied = st.container(key="share_address")
    left, right = st.columns([1.2, 1], gap="medium")
    with left:
        carried = [
            name
            for name in offered_parts(session)
            if st.checkbox(
                _(PARTS[name]),
                _is_carried_at_first(session, name),
                f"share_{name}",
                disabled=_is_disabled(session, name),
            )
        ]
        question = can_be_asked_anew(session) and st.checkbox(_(QUESTION), key="share_question")
        projector = st.checkbox(_("Projector mode"), False, "share_projector")
        hide = st.pills(
            _("Hide from those who open it"),
            HIDEABLE,
            selection_mode="multi",
            format_func=lambda name: _(HIDDEN[name]),
            default=session.link.hidden,
            key="share_hide",
            help=_(DECODABLE),
            disabled=session.link.exam,
        )
        exam = session.link.exam
        if hide:
            exam = st.toggle(
                _("Exam: do not offer to show what is hidden"),
                session.link.exam,
                "share_exam",
                disabled=session.link.exam,
            )
        locked = "points" in session.link.locked
        lock = st.toggle(_("Points cannot be moved"), locked, key="share_lock", disabled=session.link.exam and locked)
        only = st.pills(
            _("For a frame in another page"),
            list(FRAMES),
            format_func=lambda name: _(FRAMES[name]),
            default=session.link.only if session.link.only in FRAMES else None,
            key="share_only",
        )
        place = shared_location(session, carried, bool(question))
        place = replace(
            place,
            hide=tuple(hide),
            lock=("points",) if lock else (),
            projector=projector,
            exam=exam and bool(hide),
            only=only,
        )
    with left:
        _show_plan(session, place)
    address = address_of(place)
    with copied:
        _show_part("address", address, frame=frame_line(address) if only is not None else "")
    with right:
        note = loopback_note(st.context.url or address)
        if note:
            st.warning(note)
        _show_part("code", address, code=qr_code(address), full=full, note=note)
        if session.room is None and st.button(_("Open a room for the class"), key="share_room", help=_(ROOM)):
            session.wants_room = True
            st.rerun()


def _show_plan(session: Session, place: Location) -> None:
    """Offer to add what the address shows to the plan of a lecture, and to open the plan."""
    with st.container(horizontal=True):
        if st.button(_("Add to my plan"), key="share_plan", help=_(TO_PLAN)):
            page = "" if session.page == "home" else session.page
            st.session_state["share_added"] = plan.add(session.heading or session.page, f"{page}?{query_string(place)}")
        n = len(plan.kept().plan.stops)
        if st.button(_("My plan ({n})").format(n=n) if n else _("My plan"), key="share_my_plan"):
            session.wants_plan = True
            st.rerun()
    if added := st.session_state.get("share_added"):
        st.markdown(plan.plain(added))
    plan.keep(session)


def offered_parts(session: Session) -> list[str]:
    """Return the PARTS that a person can choose: own points only beside the board that a step lends."""
    has_own = session.boards.own.present.points != initial_history().present.points
    return [name for name in PARTS if name != OWN or (has_own and session.boards.shown is not None)]


def can_be_asked_anew(session: Session) -> bool:
    """Return whether the open step has a mark or shows its answer."""
    answer = session.lessons.answers.get(session.step)
    return answer is not None and (answer.shown or answer.choice is not None)


def shared_location(session: Session, parts: list[str], question_only: bool = False) -> Location:
    """Return the location of the session with only these of the PARTS, and perhaps with the question unanswered."""
    place = link.location_of(session)
    if OWN not in parts and session.boards.shown is not None:
        place = without_own_points(session, place)
    if question_only:
        place = replace(place, choice=None, shown=False, dials={}, film=None, turn=None)
        if (
            place.lent is not None
            and session.lessons.step_board
            and session.lab.points == session.lessons.step_board.points
        ):
            place = replace(place, lent=None)  # the answer may have moved a slider of this board
    return reduced_location(place, parts)


def without_own_points(session: Session, place: Location) -> Location:
    """Return the location without the person's own board. The board that the step lends is stored by itself.

    It need not be stored if the step lends the same board to everybody.
    """
    shown = boards.encode(session.history.before_drag or session.lab)
    is_usual = session.lessons.step_board is not None and boards.encode(session.lessons.step_board) == shown
    pin = boards.encode(session.boards.pinned) if session.boards.pinned else None
    return replace(place, own=None, lent=None if is_usual else shown, pin=pin)


def address_of(place: Location) -> str:
    """Return the address under which somebody else sees this page at this location."""
    scheme, host, path, *_ = urlsplit(st.context.url or "")
    return reachable_address(urlunsplit((scheme, host, path or "/", query_string(place), "")))


def place_of_room(path: str) -> Place:
    """Return the address of a room that phones can open, with its QR code and what must be known about it.

    path: the part below the address of the app. The server's own address, if it has one, is in the variable ADDRESS.
    """
    given = os.environ.get(ADDRESS, "").strip()
    url = st.context.url or ""
    address = f"{given.rstrip('/')}/{path}" if given else reachable_address(urljoin(url, path))
    note = loopback_note(address if given else urljoin(url, path))
    return Place(address, qr_code(address) or "", note, is_loopback(address))


def reachable_address(address: str) -> str:
    """Return an address, and instead of a loopback address that in the network if the server listens there."""
    reachable = network_host() if is_loopback(address) and listens_to_network() else None
    return address if reachable is None else at_host(address, reachable)


def _is_carried_at_first(session: Session, name: str) -> bool:
    return name != OWN and (name != PIN or session.boards.pinned is not None)


def _is_disabled(session: Session, name: str) -> bool:
    return name == PIN and (session.boards.pinned is None or not st.session_state.get("share_board", True))


def _show_part(
    part: Literal["address", "code"],
    address: str,
    code: str | None = None,
    full: int | None = None,
    note: str = "",
    frame: str = "",
) -> None:
    """Show the address with its button, or the QR code. The line for another page stands below the address."""
    words = {
        "address": _("The address"),
        "copy": _("Copy"),
        "copied": _("Copied"),
        "full": _("Full screen (Q)"),
        "picture": _("QR code of the address"),
        "long": _("This address is too long for a QR code. Leave out the pinned fit, or use fewer points."),
        "scan": _("Scan the code. The address is too long to be typed."),
        "frame": _("The line for another page"),
    }
    data = {"part": part, "address": address, "code": code, "full": full, "words": words, "note": note, "frame": frame}
    _component(data=data, key=f"share_{part}_part")


def frame_line(address: str) -> str:
    """Return the line of HTML that shows an address in a frame of another page."""
    return FRAME.format(address=escape(address, quote=True)) + "</iframe>"


def reduced_location(place: Location, parts: list[str]) -> Location:
    """Return the location with only these of the PARTS.

    A pinned fit is stored by its differences from the board, so it is left out together with the board.
    """
    if PLACE not in parts:
        place = Location(pin=place.pin, own=place.own, lent=place.lent, notation=place.notation)
    if BOARDS not in parts:
        place = replace(place, own=None, lent=None, pin=None)
    return place if PIN in parts else replace(place, pin=None)


def is_loopback(address: str) -> bool:
    """Return whether an address means the computer itself, on every computer that opens it."""
    host = urlsplit(address).hostname or ""
    return host in ("localhost", "::1", "0.0.0.0") or host.endswith(".localhost") or host.startswith("127.")


def listens_to_network() -> bool:
    """Return whether the server listens at every address of this computer."""
    return (st.get_option("server.address") or "0.0.0.0") in ("0.0.0.0", "::")


def network_host() -> str | None:
    """Return the address of this computer in its network, or None if it is in no network. Nothing is sent."""
    with suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(PROBED)
        host = str(probe.getsockname()[0])
        return None if is_loopback(f"http://{host}/") else host
    return None


def at_host(address: str, host: str) -> str:
    """Return an address with another host and the same port."""
    parts = urlsplit(address)
    return urlunsplit(parts._replace(netloc=f"{host}:{parts.port}" if parts.port else host))


def loopback_note(address: str) -> str:
    """Return what must be known where the page is at a loopback address, and nothing elsewhere."""
    if not is_loopback(address):
        return ""
    host, reachable = urlsplit(address).hostname, network_host()
    if reachable is None:
        return _(NO_NETWORK).format(host=host)
    if listens_to_network():
        return _(REACHABLE).format(host=host)
    scheme, _host, path, *_rest = urlsplit(at_host(address, reachable))
    port = urlsplit(address).port
    command = COMMAND if port in (None, USUAL_PORT) else f"{COMMAND} --server.port {port}"
    return _(UNREACHABLE).format(host=host, command=command, address=urlunsplit((scheme, _host, path or "/", "", "")))


def qr_file(address: str) -> str:
    """Return the QR code of an address as an SVG file, or "" if the address is too long."""
    return (qr_code(address) or "").replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1)


def qr_picture(address: str) -> str:
    """Return the QR code of an address as the source of an image, or "" if the address is too long."""
    code = qr_file(address)
    return f"data:image/svg+xml;base64,{base64.b64encode(code.encode()).decode()}" if code else ""


async def _qr(request: Request) -> Response:
    code = qr_file(request.query_params.get("text", "")[:MAX_TEXT])
    return Response(code, media_type="image/svg+xml", status_code=200 if code else 404)


def route() -> Route:
    """Return the route of QR codes for paper, beside the pages and below the server's base path if it has one."""
    return Route(path_below_base(PATH), _qr)


def qr_code(address: str) -> str | None:
    """Return the QR code of an address as SVG that fills its container, or None if the address is too long."""
    try:
        made = segno.make(address, error="l", micro=False)
    except DataOverflowError:
        return None
    return str(made.svg_inline(border=4, dark="#000", light="#fff", omitsize=True))
