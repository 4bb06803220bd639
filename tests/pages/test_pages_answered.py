"""What is done on the board of the lab is answered in one run of the page; other parts of it run only where they show
it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from streamlit.runtime.scriptrunner import StopException

from svmlab.lab.bench import lab_page
from svmlab.lab.session import inbox
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session

OWN = with_preset(Lab(preset="overlapping", size=20))
MOVE = {"op": "move", "id": 1, "x": 0.5, "y": 0.5}


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A page whose board says something; which parts it asks for, besides the one that runs by itself."""
    session = Session(History(replace(OWN, points=OWN.points[1:])))
    shown = lab_page._Page(session, False)
    session.view.controlled = lab_page._controlled(session)
    state: dict[str, Any] = {}
    monkeypatch.setattr(lab_page.st, "session_state", state)
    asked: list[list[str]] = []
    monkeypatch.setattr(lab_page._Page, "_rerun", lambda _page, scopes: asked.append(scopes))

    def says(*ops: dict[str, Any]) -> list[str]:
        asked.clear()
        state["board"] = SimpleNamespace(event={"boot": session.boot, "seq": session.ack + 1, "ops": list(ops)})
        shown._on_board()
        return [scope for scopes in asked for scope in scopes]

    return SimpleNamespace(session=session, says=says, state=state)


def test_points_placed_moved_and_deleted_are_answered_by_the_part_that_runs_anyway(lab):
    assert lab.says({"op": "add", "id": 99, "x": 1, "y": 1, "label": 1}) == []
    assert lab.says({**MOVE, "id": 99, "live": True}) == []
    assert lab.says({**MOVE, "id": 99, "live": False}) == []
    assert lab.says({"op": "delete", "ids": [99]}) == []


def test_the_controls_follow_when_a_slider_has_come_to_rest(lab):
    turn = {"op": "set", "values": {"value": 7.0}}
    assert lab.says({**turn, "live": True}) == []
    assert lab.says({**turn, "live": False}) == ["board", "controls"]


def test_the_controls_follow_where_points_change_what_they_say(lab):
    inbox.do(lab.session, {"op": "set", "values": {"face": "lambda"}})
    lab.session.view.controlled = lab_page._controlled(lab.session)
    assert "controls" in lab.says({"op": "delete", "ids": [5]})  # C = 1/(lambda m)


def test_the_board_that_is_the_preset_again_says_so_in_the_controls(lab):
    assert "controls" in lab.says({"op": "action", "id": "preset"})


def test_an_open_tab_follows_when_a_drag_has_ended(lab):
    lab.state["tab"] = "points"
    assert lab.says({**MOVE, "id": 2, "live": True}) == []
    assert lab.says({**MOVE, "id": 2, "live": False}) == ["board", "more"]


def test_the_bar_follows_when_the_last_point_has_gone(lab):
    assert "more" in lab.says({"op": "clear"})


def test_controls_that_were_broken_off_follow_with_the_next_message(lab, monkeypatch):
    inbox.do(lab.session, {"op": "set", "values": {"value": 7.0}})
    monkeypatch.setattr(lab_page.widgets, "controls", MagicMock(side_effect=StopException))
    with pytest.raises(StopException):
        lab_page._Page(lab.session, False)._controls()
    assert "controls" in lab.says({"op": "delete", "ids": [5]})
