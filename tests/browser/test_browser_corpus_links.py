"""Recorded links of each kind open in the real app, at their place and with their points."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.corpus.links import corpus

Entry = dict[str, Any]
KNOWN = corpus()
KINDS: dict[str, Callable[[Entry], bool]] = {
    "a choice is marked": lambda e: "choice" in e and "shown" not in e and "own" in e,
    "points of one's own, with a pinned fit": lambda e: "own" not in e and "pin" in e and "choice" in e,
    "a lent board was edited": lambda e: "&b=1" in e["link"] and "select" in e,
    "several classes": lambda e: "&b=2" in e["link"] and e["step"] == "rest",
    "values": lambda e: "&b=2" in e["link"] and e["step"] == "tube",
    "a line was placed": lambda e: "line" in e and e["step"] == "hand" and "shown" in e,
    "a film was watched": lambda e: e.get("film", 0) > 0,
    "a slider was turned": lambda e: "sliders" in e and e["page"] == "kernels",
    "the checks of a lesson": lambda e: e.get("step") == "check",
    "two machines": lambda e: e["page"] == "lab" and "second" in KNOWN.whole(e)["board"]["settings"],
    "everything is hidden and locked": lambda e: e["page"] == "lab" and len(e.get("hide", ())) == 7 and "lock" in e,
    "the first page, edited": lambda e: e["page"] == "home" and "&b=" in e["link"],
    "the place of the lab before there was a first page": lambda e: e["page"] == "lab" and e["link"].startswith("/?s="),
    "an unknown step": lambda e: "step=nowhere" in e["link"],
}


# The pages open every recorded link without a browser (tests/pages/test_pages_corpus_links.py). These four are drawn too.
DRAWN = ("points of one's own, with a pinned fit", "two machines")


@pytest.mark.parametrize("kind", [pytest.param(k, marks=() if k in DRAWN else pytest.mark.sweep) for k in KINDS])
def test_a_recorded_link_opens_at_its_place_with_its_points(new_board, kind):
    entry = next(e for e in KNOWN.entries if KINDS[kind](e))
    board = new_board().open(entry["link"])
    assert board.places == [(label, x, y) for x, y, label in KNOWN.whole(entry)["board"]["points"]]
    address = urlsplit(board.page.url)
    assert address.path == ("/" if entry["page"] == "home" else f"/{entry['page']}")
    assert parse_qs(address.query).get("step") == ([entry["step"]] if "step" in entry else None)
    if "select" in entry:
        assert str([*board.dots][entry["select"] - 1]) == board.data("selected")
    assert parse_qs(address.query).get("hide") == ([",".join(entry["hide"])] if "hide" in entry else None)
    if "choice" in entry and "shown" not in entry:
        radios = board.page.locator(".st-key-choices input[type=radio]")
        assert radios.evaluate_all("all => all.map(radio => radio.checked).indexOf(true) + 1") == entry["choice"]
    if entry.get("shown"):
        board.page.locator(".st-key-verdict").wait_for()
