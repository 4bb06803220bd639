"""What pages leave out where a link hides something: `python -m tests.corpus.hiding` records it in `hidden.json`.

A part of a page is named by the key of its widget, by "slider KEY" under the board, or by what a formula begins with.
No label or text is recorded. What is recorded is never written again: a link of last year hides at least as much for
ever."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

from streamlit.testing.v1 import AppTest

from svmlab.lab import frame

FILE = Path(__file__).parent / "hidden.json"
APP = Path(__file__).parents[2] / "app.py"
FORMULAS = {"k(x,x')": "the kernel", r"\begin{aligned}\min": "the problem"}  # that stand beside controls
# Fields that are shown only with the kernel that has the parameter.
OF_A_KERNEL = {f"{part}{name}" for part in ("", "number_", "steps_") for name in ("sigma", "degree", "coef0", "scale")}
RENAMED: dict[
    str, str | None
] = {}  # a part that `hidden.json` names, and its present name; None: it is gone from the app


def shown(view: dict[str, Any], hide: str = "") -> set[str]:
    """The parts of a page that are shown.

    view: its "link", the "state" of widgets, whether it is shown by a "projector". hide: more parameters of the link.
    """
    path, _mark, query = view["link"].partition("?")
    at = AppTest.from_file(str(APP), default_timeout=60)
    for name, value in parse_qsl(f"{query}&{hide}", keep_blank_values=True):
        at.query_params[name] = value
    for name, value in view.get("state", {}).items():
        at.session_state[RENAMED.get(name, name)] = value
    at = at.switch_page(f"pages{path}.py").run()
    if view.get("projector"):
        at.session_state["lab"].view.projector = True
        at = at.run()
    assert not at.exception, at.exception[0].value
    return set(_parts(at._tree))


def _parts(node: Any) -> Iterator[str]:
    """The keys of everything that has one, the sliders under a board, and the formulas beside controls."""
    for child in getattr(node, "children", {}).values():
        proto, key = getattr(child, "proto", None), getattr(child, "key", None) or _key(child)
        if key:
            yield key
        if key == "board":
            drawn = json.loads(proto.bytes)
            for board in (drawn, drawn.get("second") or {}):
                yield from (f"slider {slider['key']}" for slider in board.get("sliders", ()))
        if child.type == "markdown":
            yield from (f"formula of {what}" for begin, what in FORMULAS.items() if f"${begin}" in child.value)
        yield from _parts(child)


def _key(child: Any) -> str:
    """The key within the id of an element: $$ID-0123abcd-key."""
    name = str(getattr(getattr(child, "proto", None), "id", ""))
    key = name.split("-", 2)[2] if name.startswith("$$ID-") else ""
    return "" if key == "None" else key


def left_out(view: dict[str, Any], hides: list[str]) -> dict[str, list[str]]:
    """For each of these hides, the parts that are shown without it and not with it."""
    everything = shown(view)
    return {hide: sorted(everything - shown(view, hide)) for hide in hides}


def recorded() -> dict[str, Any]:
    """Each view by its name: its link, and what each hide leaves out of it."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept


def views() -> dict[str, Any]:
    """The pages on which hiding is recorded, each with the hides that are tried there."""
    from svmlab.lab.session import compare, share
    from svmlab.lab.session.lab import Lab
    from svmlab.lab.session.link import HIDEABLE, LOCKS
    from tests.corpus.record_links import OWN

    gaussian, composed = share.encode(OWN[1]), share.encode(OWN[4])
    pair = share.encode(compare.with_second(OWN[1], Lab(kernel="polynomial", value=3.0)))
    every, lock = f"hide={','.join(HIDEABLE)}", f"lock={LOCKS[0]}"
    alone = [f"hide={name}" for name in HIDEABLE]
    sliders = ["hide=kernel", "hide=price", every]
    return {
        "lab": {"link": f"/lab?s={gaussian}", "hides": [*alone, lock, every, f"{every}&{lock}"]},
        "two machines": {"link": f"/lab?s={pair}", "hides": [*sliders, "hide=pin", f"hide=kernel,price&{lock}"]},
        "a recipe, pinned": {"link": f"/lab?pin=same&s={composed}", "hides": ["hide=kernel", "hide=pin"]},
        "the table open": {"link": f"/lab?s={gaussian}", "state": {"tab": "points"}, "hides": ["hide=more", lock]},
        "the code open": {"link": f"/lab?s={gaussian}", "state": {"tab": "code"}, "hides": ["hide=more"]},
        "projected": {"link": f"/lab?s={gaussian}", "projector": True, "hides": ["hide=more", every, lock]},
        "a slider of C": {"link": f"/soft?step=slack&choice=1&s={gaussian}", "hides": sliders[1:]},
        "a slider of the kernel": {"link": f"/kernels?step=similarity&shown=1&s={gaussian}", "hides": sliders},
        "statements": {"link": f"/statements?s={gaussian}", "hides": sliders},
    }


if __name__ == "__main__":
    logging.disable(logging.WARNING)
    frame.prepare_server()
    known = recorded() if FILE.exists() else {}
    for name, view in views().items():
        kept = known.setdefault(name, {key: value for key, value in view.items() if key != "hides"} | {"hidden": {}})
        kept["hidden"] |= left_out(kept, [hide for hide in view["hides"] if hide not in kept["hidden"]])
    FILE.write_text(json.dumps(known, indent=1) + "\n", encoding="utf-8")
