"""What a member's browser fetches: one page, one script and one style sheet, each made and compressed once.

The script consists of the modules in `js/` and of those modules of the board that they import, put together as one. One
file opens faster on a phone than sixteen, and costs the server a fifth.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Callable
from functools import cache
from gettext import NullTranslations
from hashlib import sha256
from html import escape
from pathlib import Path

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route, WebSocketRoute

from svmlab.lab import words
from svmlab.lab.room import hand_in_route, live_room, room_sockets
from svmlab.lab.room.room import CODE
from svmlab.lab.streamlit_internals import path_below_base
from svmlab.lab.words import N_, _

PATH = "r"  # below it stand the rooms
FOLDER = Path(__file__).parent / "js"
BOARD_CSS = Path(__file__).parents[2] / "board" / "js" / "board.css"
ROOM, TRY, OPEN = N_("Room"), N_("Try this board myself"), N_("Open the task")
PULSE = {"pulse": N_("To the lecturer"), "lost": N_("I am lost"), "slower": N_("Slower"), "faster": N_("Faster")}
ASSISTANT = N_("For the assistant")
NO_SCRIPT = N_("This page needs JavaScript.")
NO_ROOM = N_("There is no such room. A code has four characters, for example K7Q4.")
WORDS = {
    "room": ROOM,
    "board": N_("The lecturer's board"),
    "connecting": N_("Connecting ..."),
    "waiting": N_("The lecturer is not in this room yet. Check that your code is the code on the screen, and wait."),
    "ended": N_("The lecturer has closed this room."),
    "choose": N_("Choose an answer. You can change it until the question is closed."),
    "sending": N_("Your answer is being sent."),
    "counted": N_("Your answer is counted. You can change it until the question is closed."),
    "closed": N_("The question is closed."),
    "handed": N_("You have handed in board number {n}. It does not reach the goal yet."),
    "passed": N_("You have handed in board number {n}. It reaches the goal."),
    "over": N_("The task is closed."),
    "assistant": N_("You assist the lecturer. {n} of {members} have answered."),
    "close_question": N_("Close the question"),
    "close_task": N_("Close the task"),
    "open_task": N_("Open the task again"),
    "remove": N_("Remove"),
}
_IMPORT = re.compile(r'^import (\{[^}]*\}) from "([^"]+)";\n', re.M)
_EXPORT = re.compile(r"^export (?:async )?(?:function\*?|const|let) (\w+)", re.M)
_COMMENT = re.compile(r"^[ \t]*(?:/\*\*(?:(?!\*/).)*\*/|//[^\n]*)[ \t]*\n", re.M | re.S)  # those on lines of their own
_FOR_EVER = {"Content-Encoding": "gzip", "Cache-Control": "public, max-age=31536000, immutable"}


def modules(first: Path = FOLDER / "member.js") -> list[Path]:
    """Return a module and all that it imports, each after those that it needs.

    Raises ValueError if two modules need each other, because then neither can come first.
    """
    done: list[Path] = []

    def visit(path: Path, above: tuple[Path, ...]) -> None:
        if path in above:
            raise ValueError(f"{path.name} imports itself through {above[-1].name}.")
        if path not in done:
            for _names, imported in _IMPORT.findall(path.read_text(encoding="utf-8")):
                visit((path.parent / imported).resolve(), (*above, path))
            done.append(path)

    visit(first.resolve(), ())
    return done


@cache
def script() -> str:
    """Return the modules as one script: each is a function that is called once and returns what it exports."""
    every = modules()
    parts = []
    for path in every:
        source = path.read_text(encoding="utf-8")

        def constants(match: re.Match[str], folder: Path = path.parent) -> str:
            at = every.index((folder / match[2]).resolve())
            return f"const {match[1].replace(' as ', ': ')} = m{at};\n"

        body = _COMMENT.sub("", re.sub(r"^export (?!\{)", "", _IMPORT.sub(constants, source), flags=re.M))
        exported = ", ".join(_EXPORT.findall(source))
        parts.append(f"const m{every.index(path)} = (() => {{\n{body}\nreturn {{ {exported} }};\n}})();\n")
    return "".join(parts)


@cache
def files() -> dict[str, tuple[bytes, str]]:
    """Return the compressed content and the type of each file, by a name that changes with its content."""
    css = BOARD_CSS.read_text(encoding="utf-8") + (FOLDER / "member.css").read_text(encoding="utf-8")
    made = {"member.css": (css, "text/css"), "member.js": (script(), "text/javascript")}
    return {
        f"{sha256(text.encode()).hexdigest()[:12]}.{name}": (gzip.compress(text.encode(), 9), kind)
        for name, (text, kind) in made.items()
    }


@cache
def page(language: NullTranslations) -> bytes:
    """Return the compressed page in a language."""
    words.set_translations(language)
    css, js = files()
    said = json.dumps({name: _(text) for name, text in WORDS.items()}, ensure_ascii=False)
    values = {
        "lang": "en",
        "room": _(ROOM),
        "try": _(TRY),
        "open": _(OPEN),
        "assistant": _(ASSISTANT),
        "noscript": _(NO_SCRIPT),
    }
    values |= {name: _(text) for name, text in PULSE.items()}
    values |= {"css": f"-/{css}", "js": f"-/{js}", "words": said}
    html = (FOLDER / "page.html").read_text(encoding="utf-8")
    for name, value in values.items():
        html = html.replace(f"{{{name}}}", escape(value, quote=True))
    return gzip.compress(html.encode(), 9)


def routes(language: Callable[[], NullTranslations]) -> list[BaseRoute]:
    """Return the routes of rooms, beside the pages and below the server's base path if it has one.

    language: returns that of the server.
    """

    async def show(request: Request) -> Response:
        code = request.path_params["code"]
        if not CODE.fullmatch(code):
            if CODE.fullmatch(code.upper()):  # a phone writes small letters
                return RedirectResponse(code.upper(), 307)
            words.set_translations(language())
            return PlainTextResponse(_(NO_ROOM), 404)
        headers = {"Content-Encoding": "gzip", "Cache-Control": "no-cache"}
        return Response(page(language()), media_type="text/html", headers=headers)

    at = path_below_base(PATH)
    return [
        WebSocketRoute(at + "/{code}/socket", room_sockets.serve),
        Route(at + "/{code}/process", _process),
        Route(at + "/{code}/hand", hand_in_route.take_hand_in, methods=["POST"]),
        Route(at + "/-/{name}", _file),
        Route(at + "/{code}", show),
    ]


async def _file(request: Request) -> Response:
    file = files().get(request.path_params["name"])
    if file is None:
        return PlainTextResponse("", 404)
    return Response(file[0], media_type=file[1], headers=_FOR_EVER)


async def _process(request: Request) -> Response:
    """Return the name of the process that serves a room, by which a lecturer finds a code that leads to his own."""
    return PlainTextResponse(live_room.PROCESS, headers={"Cache-Control": "no-store"})
