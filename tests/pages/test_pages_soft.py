"""The lesson on the soft margin, every step on many boards: it opens, reveals, tries, and says what it cannot show."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab import regularization_path
from svmlab.lab.board import board_of
from svmlab.lab.lessons.soft import LESSON, words
from svmlab.lab.session import share
from svmlab.lab.session.state import History, Lab, Point, with_preset
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.step import Stage

APP = Path(__file__).parents[2] / "app.py"
ONE = Lab(points=(Point(1, 1000, 0, 1), Point(2, -1000, 500, 1)))
LABS = {
    "empty": Lab(),
    "one point": Lab(points=(Point(1, 1000, 0, 1),)),
    "one class": ONE,
    "preset": with_preset(Lab()),
    "lambda": with_preset(Lab(face="lambda", value=0.02)),
    "120 points": with_preset(Lab(size=120)),
    "gaussian": with_preset(Lab(preset="moons", kernel="gaussian", sigma=0.7)),
    "polynomial, no bias": with_preset(Lab(preset="circles", size=30, kernel="polynomial", degree=2, bias=False)),
    "hard": with_preset(Lab(preset="separable", hard=True)),
    "hard, not separable": with_preset(Lab(hard=True)),
    "sigmoid": with_preset(Lab(size=30, kernel="sigmoid")),
    "separable": with_preset(Lab(preset="separable", size=40)),
    "interval of b": with_preset(Lab(preset="four_corners", value=0.1)),
    "no w": with_preset(Lab(preset="interval", size=12)),
}
STEPS = [step.key for step in LESSON.steps]


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def start(lab: Lab) -> AppTest:
    at = AppTest.from_file(str(APP), default_timeout=60)
    at.query_params["s"] = share.encode(lab)
    at.run()
    return sound(at.switch_page("pages/soft.py").run())


def session(at: AppTest):
    return at.session_state["lab"]


def keys(at: AppTest) -> set[str]:
    return {button.key for button in at.button}


def checked(at: AppTest) -> AppTest:
    """The page once its checks are done."""
    work = at.session_state["lab"].aside["checks"].job
    if work is not None:
        work.wait(60)
    return at.run()


@pytest.mark.parametrize("name", LABS)
def test_every_step_opens_and_reveals_on_every_board(name: str) -> None:
    at = start(LABS[name])
    for i, step in enumerate(LESSON.steps):
        sound(at.segmented_control(key="soft_step").set_value(i).run())
        assert at.subheader[0].value == step.title
        if LABS[name].points:
            choice = at.radio(key=f"soft_{step.key}_choice")
            sound(choice.set_value(len(step.choices) - 1).run())
            assert session(at).lessons[f"soft.{step.key}"]["shown"]
            sound(at.button(key=f"{step.key}_show").click().run())
            sound(at.button(key=f"{step.key}_show").click().run())


@pytest.mark.parametrize("step", STEPS)
@pytest.mark.parametrize("name", ["preset", "one class", "hard", "sigmoid", "interval of b"])
def test_every_prompt_works_and_can_be_undone(step: str, name: str) -> None:
    at = start(LABS[name])
    sound(at.segmented_control(key="soft_step").set_value(STEPS.index(step)).run())
    sound(at.button(key=f"{step}_show").click().run())
    for i in range(len(LESSON.steps[STEPS.index(step)].tries)):
        before = session(at).lab
        sound(at.button(key=f"{step}_try{i}").click().run())
        after = session(at).lab
        session(at).do({"op": "undo"})
        if after != before and replace(after, selected=before.selected) != before:
            assert session(at).lab.points == before.points
            assert session(at).lab.settings == before.settings
        sound(at.run())


@pytest.mark.parametrize(
    ("name", "step", "want"),
    [
        ("one class", "price", "classes"),
        ("hard", "multipliers", "soft"),
        ("sigmoid", "slack", "space"),
        ("gaussian", "objective", "linear"),
        ("polynomial, no bias", "offset", "bias"),
        ("preset", "hard", "separable"),
        ("hard, not separable", "places", "soft"),
    ],
)
def test_what_is_missing_is_said_and_one_button_brings_it(name: str, step: str, want: str) -> None:
    at = start(LABS[name])
    sound(at.segmented_control(key="soft_step").set_value(STEPS.index(step)).run())
    sound(at.button(key=f"{step}_show").click().run())
    sentence, label, _ = words.NEEDS[want]
    sentence = sentence.format(kernel="tanh")
    assert any(sentence in html.proto.body for html in at.get("html"))
    button = at.button(key=f"{step}_need")
    assert button.label == label
    sound(button.click().run())
    assert f"{step}_need" not in keys(at)


@pytest.mark.parametrize(
    ("step", "key", "options"),
    [
        ("multipliers", "soft_multipliers_view", ("plain", "shares")),
        ("objective", "soft_objective_view", ("sum", "section", "terms")),
        ("forms", "soft_forms_view", ("same", "matched")),
    ],
)
def test_every_view_of_a_step_can_be_chosen(step: str, key: str, options: tuple[str, ...]) -> None:
    at = start(LABS["preset"])
    sound(at.segmented_control(key="soft_step").set_value(STEPS.index(step)).run())
    sound(at.button(key=f"{step}_show").click().run())
    for option in options:
        sound(at.segmented_control(key=key).set_value(option).run())
        assert session(at).lessons[f"soft.{step}"]["view"] == option
    if step == "objective":
        sound(at.segmented_control(key=key).set_value("section").run())
        sound(at.slider(key="soft_angle").set_value(45).run())


def test_all_seventeen_statements_are_checked_at_the_end() -> None:
    assert set(LESSON.checked) == {f"S{i}" for i in range(1, 18)}
    at = start(LABS["preset"])
    sound(at.segmented_control(key="soft_step").set_value(len(STEPS)).run())
    said = " ".join(m.value for m in checked(at).markdown)
    assert all(f'">S{i}<' in said for i in range(1, 18))
    heads = [card.split("</div>")[0] for card in said.split('<div class="sv-head')[1:]]
    heads = [head for head in heads if "sv-id" in head]
    assert len(heads) == 17
    assert not any('data-tone="fails"' in head for head in heads)


@pytest.mark.parametrize("name", ["preset", "gaussian", "separable", "one class", "lambda"])
def test_during_a_drag_every_step_draws_and_no_path_is_begun(name: str) -> None:
    lab = LABS[name]
    for step in LESSON.steps:
        moving = Session(History(lab))
        stage = Stage(moving, "soft", step, lambda: None)
        stage.memory["shown"] = True
        point = lab.points[0]
        for dx in (0.01, 0.02):
            moving.do({"op": "move", "id": point.id, "x": point.x / 1000 + dx, "y": point.y / 1000, "live": True})
            assert moving.history.held is not None
            data = board_of(moving) | step.draw(stage)
            assert len(data["points"]) == len(lab.points)
            assert isinstance(step.numbers(stage), str)
        assert "job" not in moving.lessons.get("soft.walk", {})


def test_the_marks_of_the_slider_are_the_breakpoints_in_the_face_that_is_shown() -> None:
    for lab in (LABS["preset"], LABS["lambda"]):
        held = Session(History(lab))
        stage = Stage(held, "soft", LESSON.steps[0], lambda: None)
        LESSON.steps[0].draw(stage)
        held.lessons["soft.walk"]["job"].wait(20)
        (slider,) = LESSON.steps[0].draw(stage)["sliders"]
        C = regularization_path(lab.problem).C
        expected = C if lab.face == "C" else 1 / (C * len(lab.points))
        assert slider["ticks"] == pytest.approx(np.log10(expected).tolist(), abs=1e-4)
