"""The lesson on the margin: every step on every kind of board, every choice, reveal and prompt."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab.cards import checks
from svmlab.lab.lessons.margin import LESSON, words
from svmlab.lab.lessons.margin.perceptron import ORDERS
from svmlab.lab.session import share
from svmlab.lab.session.state import Lab, Point, with_preset

ROOT = Path(__file__).parents[2]
STREET = Lab(preset="separable", size=24, seed=19, hard=True)
BOARDS = {
    "empty": Lab(),
    "one class": Lab(points=(Point(1, 0, 0, 1), Point(2, 1000, 0, 1))),
    "two points": Lab(points=(Point(1, -1000, 0, -1), Point(2, 1000, 0, 1)), hard=True),
    "opposite twins": Lab(points=(Point(1, 0, 0, -1), Point(2, 0, 0, 1)), hard=True),
    "preset": with_preset(Lab()),
    "street": with_preset(STREET),
    "many": with_preset(Lab(preset="separable", size=120, hard=True)),
    "gaussian": with_preset(Lab(kernel="gaussian", hard=True)),
    "sigmoid": with_preset(Lab(kernel="sigmoid")),
    "no bias": with_preset(Lab(bias=False)),
    "not separable": with_preset(Lab(hard=True)),
}


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def lesson(lab: Lab, step: int | None = None) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["s"] = share.encode(lab)
    at.run()
    if step is not None:
        at.session_state["lab"].lessons["margin"] = {"step": step}
    return sound(at.switch_page("pages/margin.py").run())


def session(at: AppTest):
    return at.session_state["lab"]


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button}


@pytest.mark.parametrize("name", BOARDS)
def test_every_step_opens_and_shows_or_says_what_is_missing(name):
    at = lesson(BOARDS[name])
    for step in LESSON.steps:
        assert at.subheader[0].value == step.title
        shown, missing = f"{step.key}_show" in keys(at), f"{step.key}_setup" in keys(at)
        assert shown != missing
        if shown:
            sound(at.button(key=f"{step.key}_show").click().run())
        else:
            assert len(at.info[0].value) > 20
        sound(at.button(key="next").click().run())
    assert at.subheader[0].value == "Check"


@pytest.mark.parametrize("name", BOARDS)
def test_the_button_of_what_is_missing_leads_to_a_board_on_which_the_step_can_be_shown(name):
    for number, step in enumerate(LESSON.steps):
        at = lesson(BOARDS[name], number)
        for _ in range(3):
            if f"{step.key}_setup" in keys(at):
                sound(at.button(key=f"{step.key}_setup").click().run())
        assert f"{step.key}_show" in keys(at)


@pytest.mark.parametrize("number", range(len(LESSON.steps)), ids=[step.key for step in LESSON.steps])
def test_every_choice_reveals_and_every_prompt_works(number):
    step = LESSON.steps[number]
    at = lesson(BOARDS["street"], number)
    for choice in range(len(step.choices)):
        sound(at.radio(key=f"margin_{step.key}_choice").set_value(choice).run())
        assert f"{step.key}_show" in keys(at)
    for i in range(len(step.tries)):
        at = lesson(BOARDS["street"], number)
        sound(at.button(key=f"{step.key}_try{i}").click().run())
        assert f"{step.key}_show" in keys(at)
        sound(at.button(key=f"{step.key}_show").click().run())


def said(at: AppTest) -> str:
    return "\n".join(m.value for m in at.markdown)


def test_the_right_prediction_is_told_from_the_others():
    at = lesson(BOARDS["preset"], 0)
    sound(at.radio(key="margin_scaling_choice").set_value(1).run())
    assert "That is what happens" in said(at)
    sound(at.radio(key="margin_scaling_choice").set_value(0).run())
    assert words.SCALING.choices[1] in said(at)
    assert "Not on this board" in said(at)


def test_a_selected_point_has_a_prediction_of_its_own():
    at = lesson(BOARDS["preset"], 1)
    sound(at.radio(key="margin_places_choice").set_value(3).run())
    session(at).do({"op": "select", "id": 5})
    sound(at.run())
    assert at.radio(key="margin_places_choice").value is None
    session(at).do({"op": "select", "id": None})
    sound(at.run())
    assert at.radio(key="margin_places_choice").value == 3


def test_the_place_by_distances_is_that_of_the_functional_margin():
    at = lesson(BOARDS["preset"], 1)
    tolerance = 1e-6
    for point in session(at).lab.points[::6]:
        session(at).do({"op": "select", "id": point.id})
        sound(at.run())
        yf = float(session(at).outcome.solution.margins[point.id - 1])
        on = [abs(yf - v) <= tolerance for v in (1, 0, -1)]
        place = 1 if on[0] else 3 if on[1] else 5 if on[2] else 0 if yf > 1 else 2 if yf > 0 else 4 if yf > -1 else 6
        sound(at.radio(key="margin_places_choice").set_value(place).run())
        assert "That is what happens" in said(at)


def test_the_best_line_of_ones_own_stays_on_record_for_its_points():
    at = lesson(BOARDS["street"], 3)
    solution = session(at).outcome.solution
    sound(at.button(key="hand_try2").click().run())  # the optimum
    memory = session(at).lessons[f"margin.hand.{session(at).lab.data.key}"]
    assert memory["margin"] == pytest.approx(1 / solution.norm_w, rel=1e-9)
    session(at).do({"op": "hand", "a": [0, 3], "b": [0.1, -3], "live": False})
    sound(at.run())
    assert memory["margin"] == pytest.approx(1 / solution.norm_w, rel=1e-9)
    sound(at.radio(key="margin_hand_choice").set_value(0).run())
    assert "That is what happens" in said(at)
    sound(at.button(key="hand_try0").click().run())  # other points, another record
    assert session(at).lessons[f"margin.hand.{session(at).lab.data.key}"]["margin"] < 1 / solution.norm_w


def test_orders_of_the_perceptron_go_round_and_the_reveal_names_the_mistakes():
    at = lesson(BOARDS["street"], 5)
    for _ in range(ORDERS + 1):
        sound(at.button(key="perceptron_try0").click().run())
    assert session(at).dials["order"] == 1.0
    assert "mistakes" in said(at)


def test_undo_brings_back_the_board_that_a_prompt_replaced():
    at = lesson(BOARDS["preset"], 3)
    before = session(at).lab
    sound(at.button(key="hand_setup").click().run())
    assert session(at).lab.points != before.points
    session(at).do({"op": "undo"})
    sound(at.run())
    assert session(at).lab.points == before.points


def test_step_and_answers_stay_while_one_walks_to_the_lab_and_back():
    at = lesson(BOARDS["street"], 4)
    sound(at.radio(key="margin_turn_choice").set_value(0).run())
    sound(at.switch_page("pages/lab.py").run())
    sound(at.switch_page("pages/margin.py").run())
    assert at.subheader[0].value == words.TURN.title
    assert at.radio(key="margin_turn_choice").value == 0
    assert "That is what happens" in said(at)


def test_the_check_at_the_end_holds_on_a_street(monkeypatch):
    monkeypatch.setattr(checks, "PATIENCE", 60.0)
    at = lesson(BOARDS["street"], len(LESSON.steps))
    assert "12 hold" in " ".join(c.value for c in at.caption)


def test_the_dials_may_stand_anywhere():
    for step, key, values in (
        (0, "c", (-2, 0, 3)),
        (4, "angle", (0, 217, 360)),
        (6, "shake", (0, 1.6)),
        (6, "seed", (-3, 2**31)),
        (7, "slide", (-12, 12)),
    ):
        at = lesson(BOARDS["street"], step)
        sound(at.button(key=f"{LESSON.steps[step].key}_show").click().run())
        for value in values:
            session(at).do({"op": "dial", "values": {key: value}})
            sound(at.run())
    assert np.isfinite(session(at).dials["slide"])
