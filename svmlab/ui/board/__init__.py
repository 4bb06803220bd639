"""The board: the two-dimensional scene with its toolbar and legend. It draws what it is given and reports what people do.

Streamlit sends a component's whole code with every update. So the code of the board is a component of its own, mounted once
by every page (`code`), and the board itself is a loader of a few lines: an update weighs a third, and a server carries more.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st

_HERE = Path(__file__).parent
_CSS = json.dumps((_HERE / "board.css").read_text(encoding="utf-8"))
_JS = (_HERE / "board.js").read_text(encoding="utf-8").replace("export default function board", "function board")

_code = st.components.v2.component(
    "svmlab_code",
    html="",
    js=f"""{_JS}
globalThis.svmlabBoard = {{ board, css: {_CSS} }};
globalThis.dispatchEvent(new Event("svmlab-board"));
export default function () {{}}
""",
)

_component = st.components.v2.component(
    "svmlab_board",
    html='<div class="svmlab-board"></div>',
    js="""export default function (component) {
  const parent = component.parentElement;
  const start = () => {
    if (!parent.querySelector("style.board"))
      parent.append(Object.assign(document.createElement("style"), { className: "board", textContent: svmlabBoard.css }));
    return svmlabBoard.board(component);
  };
  if (globalThis.svmlabBoard) return start();
  let leave;
  const late = () => { leave = start(); };
  addEventListener("svmlab-board", late, { once: true });
  return () => { removeEventListener("svmlab-board", late); leave?.(); };
}
""",
)


def code() -> None:
    """Bring the board's code to the browser; every page does so once, outside its fragments."""
    _code(key="board_code", data=None)


def board(data: dict[str, Any], key: str, on_event: Callable[[], None]) -> None:
    """Show the board. Messages arrive in ``st.session_state[key].event`` while ``on_event`` runs: {boot, seq, ops}.

    With ``data["hidden"]`` nothing is shown and only the link in the address bar is kept up to date.
    """
    _component(data=data, key=key, on_event_change=on_event)
