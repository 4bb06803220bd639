"""Every kernel of the registry is chosen, set, scrubbed, linked, written out and drawn: nothing of the app forgets
one."""

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab import solve
from svmlab.kernels.base import TextParameter
from svmlab.kernels.standard import KERNELS
from svmlab.lab.bench.tabs.code import with_sklearn, with_svmlab
from svmlab.lab.board import board_data
from svmlab.lab.board.payload import picture, sliders
from svmlab.lab.cards import statement_cards
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.numbers import editable_text
from svmlab.lab.session import long_work, share
from svmlab.lab.session.cache import solve_within_limit
from svmlab.lab.session.controls import CONTROLS, PARAMETERS
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.session.lesson_state import Answer
from svmlab.lab.session.state import History, apply
from svmlab.lab.session.svm_settings import SvmSettings, with_parameters
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.open_lesson import OpenLesson
from svmlab.lab.teach.step import Chart, Space, Table
from svmlab.plane.contours import draw_solution
from svmlab.statements import Witness
from tests.lessons import LESSONS
from tests.marks import unmarked

START = str(Path(__file__).parents[2] / "app.py")
MOONS = with_preset(Lab(preset="moons", size=20))
every = pytest.mark.parametrize("name", KERNELS)
TWO = ("linear", "composed")  # a straight one and one that is put together
TEXTS = {"recipe": "0.5*linear*gaussian(2)+1"}  # of the parameters that are texts
ALWAYS = (
    "tips_script",
    "record_again",
    "plan",
    "room",
    "whole",
    "still",
    "reach",
    "focus",
    "color_scheme",
    "connection",
    "board",
    "strip",
)  # components of every step


def off(name: str) -> dict:
    """Values for the parameters of a kernel, none of them its default on the board or in the class."""
    values = {}
    for p in KERNELS[name].parameters:
        if isinstance(p, TextParameter):
            values[p.name] = TEXTS[p.name]
            continue
        value = p.low + 0.15 * (p.high - p.low)
        values[p.name] = round(value) if p.whole else round(value, 3)
        assert values[p.name] not in (p.default, getattr(KERNELS[name](), p.name))
    return values


def lab_of(name: str) -> Lab:
    return replace(MOONS, kernel=name, **off(name))


def opened(lab: Lab) -> AppTest:
    at = AppTest.from_file(START, default_timeout=60)
    at.query_params["s"] = share.encode(lab)
    at.run()
    assert not at.exception
    return at


def run(program: str) -> dict:
    space: dict = {}
    exec(compile(program, "program", "exec"), space)
    return space


@every
def test_a_kernel_is_set_by_name_and_each_parameter_keeps_its_value_while_another_is_chosen(name):
    history = apply(History(MOONS), {"op": "set", "values": {"kernel": name, **off(name)}})
    assert history.present == lab_of(name)
    assert history.present.kernel_function == KERNELS[name](**off(name))
    for other, kernel in KERNELS.items():
        away = apply(history, {"op": "set", "values": {"kernel": other}}).present
        mine = {p.name: getattr(away.kernel_function, p.name) for p in kernel.parameters if p.name in off(name)}
        assert mine.items() <= off(name).items(), f"{other} does not share its parameters with {name}"
        assert apply(History(away), {"op": "set", "values": {"kernel": name}}).present == lab_of(name)
    assert apply(history, {"op": "undo"}).present == MOONS


@every
def test_the_link_brings_a_kernel_back(name):
    lab = lab_of(name)
    assert share.decode(share.encode(lab)) == lab
    assert share.decode(share.encode(replace(MOONS, kernel=name))).kernel_function == KERNELS[name](
        **{p.name: p.default for p in KERNELS[name].parameters}
    )


@every
def test_what_can_be_scrubbed_has_its_slider_and_moves_live(name):
    lab = lab_of(name)
    shown = {slider["key"]: slider for slider in sliders(lab)}
    scrubbed = [p for p in KERNELS[name].parameters if p.slider]
    assert list(shown) == ["value", *(p.name for p in scrubbed)]
    for p in scrubbed:
        slider, op = shown[p.name], {"op": "set", "values": {p.name: p.high}, "live": True}
        assert (slider["label"], slider["value"], slider["disabled"]) == (p.symbol, off(name)[p.name], False)
        assert p.slider.title in slider["title"]
        assert slider["lo"] <= math.log10(slider["value"]) <= slider["hi"]
        assert getattr(apply(History(lab), op).present.kernel_function, p.name) == p.high


@every
def test_the_controls_of_a_kernel_are_those_it_describes(name):
    at = opened(lab_of(name))
    kernel = lab_of(name).kernel_function
    assert at.selectbox(key="kernel").options == [k().title for k in KERNELS.values()]
    assert f"$k(x,x')={kernel.formula}$" in [m.value for m in at.markdown]
    for p in kernel.parameters:
        field = at.text_input(key=p.name)
        assert (field.label, field.help, field.disabled) == (p.symbol, Marks("lab").markdown(p.help), False)
        if isinstance(p, TextParameter):
            assert field.value == off(name)[p.name]
            at.text_input(key=p.name).set_value(p.default).run()
            assert getattr(at.session_state["lab"].lab.kernel_function, p.name) == p.default
            continue
        assert field.value == editable_text(off(name)[p.name])
        at.text_input(key=p.name).set_value(editable_text(p.high)).run()
        assert getattr(at.session_state["lab"].lab.kernel_function, p.name) == p.high
    for key in set(PARAMETERS) - {p.name for p in kernel.parameters}:
        assert key not in [field.key for field in at.text_input], "a field without effect is not there"


@every
def test_the_programs_of_the_code_tab_run_and_give_the_svm_of_the_board(name):
    lab = lab_of(name)
    solution = run(with_svmlab(lab))["solution"]
    expected = solve(lab.problem)
    assert solution.problem.kernel == lab.kernel_function
    assert (solution.alpha.tolist(), solution.b) == (expected.alpha.tolist(), expected.b)
    model = run(with_sklearn(lab))["model"]
    f = model.dual_coef_[0] @ lab.kernel_function(lab.data.X[model.support_], lab.data.X) + model.intercept_[0]
    assert model.decision_function(lab.data.X) == pytest.approx(f, rel=1e-9, abs=1e-9), "another kernel there"
    if lab.kernel_function.psd:
        assert model.decision_function(lab.data.X) == pytest.approx(expected.margins * lab.data.y, abs=2e-3)


@every
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("hard", [True, False])
def test_a_board_is_drawn_or_says_why_not(name, hard, bias):
    lab = replace(lab_of(name), hard=hard, bias=bias)
    outcome = solve_within_limit(lab.problem, None)
    drawn = draw_solution(outcome.solution, lab.view) if outcome.solution else None
    shown = picture(History(lab), outcome, drawn)
    if outcome.solution is None:
        assert shown["message"]["text"].startswith(str(outcome.error))
    elif outcome.solution.norm_w:
        boundary = np.concatenate(drawn.zero)
        assert np.abs(outcome.solution.decision(boundary)).max() < 0.05
        assert drawn.values.shape == (96, 96)
    if outcome.solution is not None and outcome.solution.clipped_eigenvalue is not None:
        assert shown["message"]["text"].startswith(lab.kernel_function.subject)
    assert board_data(Session(History(lab)))["points"]


@pytest.mark.parametrize(
    ("lesson", "name", "hard"),
    [  # the first lesson with one of the two; .ci/run tries every lesson so, .ci/all with every kernel
        pytest.param(
            *(lesson, name, hard),
            id=f"{lesson.page}-{name}-{'hard' if hard else 'soft'}",
            marks=pytest.mark.sweep if name != TWO[i % 2] else pytest.mark.slow if i else (),
        )
        for i, lesson in enumerate(LESSONS)
        for j, name in enumerate(KERNELS)
        for hard in [name != TWO[i % 2] and (i + j) % 2 == 1]
    ],
)
def test_every_step_of_a_lesson_works_on_the_board_or_lends_one(name, hard, lesson, monkeypatch):
    monkeypatch.setattr(long_work, "WAIT_SECONDS", 60.0)
    lab, at = replace(lab_of(name), hard=hard), opened(replace(lab_of(name), hard=hard))
    session = at.session_state["lab"]
    session.lessons.answers |= {f"{lesson.page}.{step.key}": Answer(0, True) for step in lesson.steps}
    at.switch_page(f"pages/{lesson.page}.py").run()
    for step in lesson.steps:
        session.lessons.open_steps[lesson.page] = step.key
        at.run()
        place = OpenLesson(session, lesson)
        stage = place.stage(step)
        assert not at.exception, (step.key, at.exception[0].value)
        assert not at.warning, (step.key, at.warning[0].value)
        assert (session.page, place.step, session.boards.own.present) == (lesson.page, step, lab)
        assert session.boards.shown == (None if place.unmet_need_of_own(step) is None else place.step_name(step)), (
            step.key
        )
        assert step.first_unmet_need(stage) is None, step.key
        said = [unmarked(element.value) for element in at.markdown]
        assert {step.question, f"**{step.question}**"} & set(said)
        verdict = f"**{'Always' if step.is_theorem else 'Here'}:** {step.verdict_text(stage)}"
        assert any(words.endswith(verdict) for words in said), step.key
        drawn = [step.chart(stage), *step.more_parts(stage)]
        assert len(at.get("plotly_chart")) == sum(isinstance(part, Chart) for part in drawn), step.key
        assert len(at.get("bidi_component")) == len(ALWAYS) + sum(isinstance(part, Table | Space) for part in drawn), (
            step.key
        )


@every
def test_a_card_s_board_comes_with_its_kernel(name):
    witness = Witness(((3.0, 0.0), (1.0, 0.0)), (1, -1), "", kernel=KERNELS[name](**off(name)))
    assert statement_cards.witness_lab(Lab(), witness).kernel_function == witness.kernel


def test_every_parameter_is_a_control_and_takes_the_name_of_none_of_the_others():
    assert {key for key, control in CONTROLS.items() if control.applies_to} == set(PARAMETERS)
    with pytest.raises(TypeError, match="sigma: a Other has something of this name already"):
        with_parameters(type("Other", (), {"sigma": 1.0}))
    with pytest.raises(TypeError, match="degree: a Twice has"):
        type("Twice", (SvmSettings,), {"degree": 3})
