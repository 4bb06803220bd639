"""The lesson on duality run by Streamlit's own test driver: every step, choice, answer and prompt on many boards."""

import math
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab import solve
from svmlab.lab.lessons.duality import LESSON, common, words
from svmlab.lab.lessons.duality import gap as duality_gap
from svmlab.lab.lessons.duality import kkt as duality_kkt
from svmlab.lab.lessons.duality import offset as duality_offset
from svmlab.lab.lessons.duality import programs as duality_programs
from svmlab.lab.lessons.duality import sums as duality_sums
from svmlab.lab.lessons.duality import vectors as duality_vectors
from svmlab.lab.session import share
from svmlab.lab.session.state import History, Lab, Point, begin, with_preset
from svmlab.lab.session.tab import Session
from svmlab.lab.teach import words as shell
from svmlab.lab.teach.step import Stage

ROOT = Path(__file__).parents[2]
PAGE = "pages/duality.py"
EIGHT = with_preset(Lab(preset="separable", size=8, seed=26, hard=True))
BOARDS = {
    "first": begin().present,
    "empty": Lab(),
    "one class": Lab(points=(Point(1, 0, 0, 1), Point(2, 1000, 0, 1)), hard=True),
    "one class, no bias": Lab(points=(Point(1, 500, 0, 1), Point(2, 1000, 0, 1)), hard=True, bias=False),
    "eight": EIGHT,
    "no bias": with_preset(Lab(preset="separable", size=8, seed=26, hard=True, bias=False)),
    "corners": with_preset(Lab(preset="four_corners", hard=True)),
    "idle": with_preset(Lab(preset="idle_margin", hard=True)),
    "lattice": with_preset(Lab(preset="lattice", hard=True)),
    "120": with_preset(Lab(preset="overlapping", size=120)),
    "gaussian": with_preset(Lab(preset="moons", size=20, kernel="gaussian", hard=True)),
    "cubic": with_preset(Lab(preset="moons", size=8, kernel="polynomial", scale=0.5)),
    "sigmoid": with_preset(Lab(preset="moons", size=12, kernel="sigmoid")),
    "no line": with_preset(Lab(preset="xor", size=8, hard=True)),
    "twins": Lab(points=(Point(1, 0, 0, 1), Point(2, 0, 0, -1)), hard=True),
    "lambda": with_preset(Lab(preset="overlapping", size=20, face="lambda", value=0.5)),
    "tiny C": with_preset(Lab(preset="one_against_many", size=10, value=1e-3)),
}


def open_at(lab: Lab, step: int = 0) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    at.query_params["s"] = share.encode(lab)
    sound(at.run())
    sound(at.switch_page(PAGE).run())
    return at if step == 0 else to(at, step)


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def to(at: AppTest, step: int) -> AppTest:
    return sound(at.segmented_control(key="duality_step").set_value(step).run())


def said(at: AppTest) -> str:
    return "\n".join(m.value for m in at.markdown)


def stage(lab: Lab, step) -> Stage:
    session = Session(History(lab))
    session.lessons[f"duality.{step.key}"] = {"shown": True}
    return Stage(session, "duality", step, lambda: None)


@pytest.mark.parametrize("name", BOARDS)
def test_every_step_reveals_on_every_board(name):
    at = open_at(BOARDS[name])
    for i, step in enumerate(LESSON.steps):
        to(at, i)
        assert at.subheader[0].value == step.title
        if BOARDS[name].points:
            sound(at.button(key=f"{step.key}_show").click().run())
            assert at.button(key=f"{step.key}_show").label == shell.HIDE
    to(at, len(LESSON.steps))


def test_every_choice_reveals_and_the_right_one_is_confirmed():
    at = open_at(EIGHT)
    for i, step in enumerate(LESSON.steps):
        to(at, i)
        for choice in range(len(step.choices)):
            sound(at.radio(key=f"duality_{step.key}_choice").set_value(choice).run())
            right = step.answer(stage(EIGHT, step))
            if right is not None:
                assert (shell.RIGHT in said(at)) == (choice == right), step.key


@pytest.mark.parametrize("step", range(len(LESSON.steps)))
@pytest.mark.parametrize("name", ["first", "eight", "no line"])
def test_every_prompt_works_after_the_answer_is_shown(name, step):
    at = open_at(BOARDS[name], step)
    key = LESSON.steps[step].key
    sound(at.button(key=f"{key}_show").click().run())
    for i in range(len(LESSON.steps[step].tries)):
        sound(at.button(key=f"{key}_try{i}").click().run())


def test_on_the_first_board_each_step_shows_something_or_says_why_not():
    for step in LESSON.steps:
        found = stage(BOARDS["first"], step)
        shown = step.reveal(found)
        assert shown or "data-obstacle" in step.numbers(found), step.key


def test_the_first_prompt_sets_up_a_board_on_which_the_step_works():
    for step in LESSON.steps[:5]:
        found = stage(BOARDS["no line"], step)
        assert "data-obstacle" in step.numbers(found), step.key
        prompt = next(t for t in step.tries if t.label in (words.BOARDS["eight"], words.BOARDS["four"]))
        found.session.do(prompt.op(found) if callable(prompt.op) else prompt.op)
        assert "data-obstacle" not in step.numbers(found)
        assert step.reveal(found)
        found.session.do({"op": "undo"})
        assert found.lab.points == BOARDS["no line"].points


def test_every_version_shows_its_own_formula_and_the_four_values():
    at = open_at(EIGHT)
    sound(at.button(key="versions_show").click().run())
    for name in words.VERSIONS["names"]:
        sound(at.segmented_control(key="duality_version").set_value(name).run())
        assert words.VERSIONS["says"][name][:40] in said(at)
    margin = 1 / solve(EIGHT.problem).norm_w
    assert said(at).count(f"{margin:.4g}") >= 4


def test_the_matrices_are_the_printed_ones_and_the_selection_marks_row_and_column():
    lab = Lab(points=tuple(Point(i, *p) for i, p in enumerate(common.FOUR, 1)), hard=True, selected=3)
    found = stage(lab, duality_programs.STEP)
    pair = duality_programs.answers(found)
    html = duality_programs.matrices(found, duality_programs.rows(lab.problem), *pair)
    Q = lab.problem.qp("dual").P
    for value in (*Q.ravel(), *lab.problem.qp("primal").A.ravel()):
        assert f'title="{float(value)!r}"' in html
    assert html.count('aria-selected="true"') == 1
    assert html.count("column") == 5
    np.testing.assert_allclose(pair[1].alpha, [0.5, 0.5, 1, 0], atol=1e-9)


def test_the_kkt_table_holds_on_every_line_and_names_the_category():
    found = stage(EIGHT, duality_kkt.STEP)
    html = duality_kkt.rows(found, duality_kkt.found(found))
    assert html.count('class="good"') == 8
    assert "bad" not in html
    assert html.count("α &gt; 0 forces") + html.count("α > 0 forces") == 3


@pytest.mark.parametrize("name", BOARDS)
def test_the_kkt_lines_hold_wherever_there_is_a_machine(name):
    found = stage(BOARDS[name], duality_kkt.STEP)
    if not common.obstacle(found):
        assert duality_kkt.found(found).hold(duality_kkt.TOLERANCE)


def test_the_film_of_w_has_a_frame_for_each_support_vector_and_ends_at_w():
    found = stage(EIGHT, duality_sums.SUM)
    film = found.step.draw(found)["film"]
    solution = solve(EIGHT.problem)
    assert len(film["frames"]) == 3 + 2
    whole = film["frames"][-1]["items"][-1]["pts"]
    assert whole[:2] == [0, 0]
    factor = duality_sums.zoom(1.0, 1.0) and whole[2] / solution.w[0]
    np.testing.assert_allclose(whole[2:], factor * solution.w, atol=1e-3)
    rings = [f["ring"] for f in film["frames"][1:-1]]
    assert rings == [int(i) for i in EIGHT.data.ids[solution.support]]


def test_the_film_of_the_climb_ends_on_the_line():
    found = stage(EIGHT, duality_gap.STEP)
    film = found.step.draw(found)["film"]
    run = duality_gap.run(found)
    assert len(film["frames"]) == run.steps + 1
    ends = np.reshape(film["frames"][-1]["items"][0]["pts"], (2, 2))
    np.testing.assert_allclose(solve(EIGHT.problem).decision(ends), 0, atol=2e-2)


def test_a_film_stays_as_it_is_while_a_point_is_dragged():
    found = stage(EIGHT, duality_gap.STEP)
    before = found.step.draw(found)["film"]
    found.session.do({"op": "move", "id": 1, "x": 3.0, "y": 3.0, "live": True})
    assert found.step.draw(found)["film"] is before
    found.session.do({"op": "move", "id": 1, "x": 3.0, "y": -3.0, "live": False})
    assert found.step.draw(found)["film"]["key"] != before["key"]


def test_the_selected_point_asks_for_its_own_line():
    found = stage(EIGHT, duality_offset.STEP)
    assert found.step.draw(found) == {}
    found.session.do({"op": "select", "id": 2})
    ends = np.reshape(found.step.draw(found)["overlay"][0]["pts"], (2, 2))
    solution, data = solve(EIGHT.problem), EIGHT.data
    b = data.y[1] - data.X[1] @ solution.w
    np.testing.assert_allclose(ends @ solution.w + b, 0, atol=1e-3)
    assert "data-picked" in found.step.numbers(found)


def test_deleting_the_others_leaves_the_line_and_a_ghost_and_undo_brings_them_back():
    at = open_at(EIGHT, 7)
    sound(at.button(key="keep_show").click().run())
    session = at.session_state["lab"]
    w, b = session.outcome.solution.w, session.outcome.solution.b
    sound(at.button(key="keep_try0").click().run())
    session = at.session_state["lab"]
    assert len(session.lab.points) == 3
    np.testing.assert_allclose(session.outcome.solution.w, w, atol=1e-9)
    assert session.outcome.solution.b == pytest.approx(b, abs=1e-9)
    sound(at.button(key="keep_try2").click().run())
    assert at.session_state["lab"].lab.points == EIGHT.points
    sound(at.button(key="keep_try1").click().run())
    assert len(at.session_state["lab"].lab.points) == 7
    assert np.linalg.norm(at.session_state["lab"].outcome.solution.w - w) > 1e-3


def test_the_ghost_goes_when_its_points_do():
    found = stage(EIGHT, duality_vectors.KEEP)
    found.session.do(duality_vectors.delete(found))
    assert found.step.draw(found)["pin"]["zero"]
    found.session.do({"op": "add", "id": 99, "x": 0.0, "y": 3.0, "label": 1})
    assert found.step.draw(found) == {}


def test_a_quarter_turn_moves_every_point_exactly_and_no_kernel_value():
    found = stage(EIGHT, duality_sums.CLASSIFY)
    before = found.lab.problem.gram
    found.session.do(duality_sums.quarter(found))
    assert found.lab.points[0][1:3] == (-EIGHT.points[0].y, EIGHT.points[0].x)
    np.testing.assert_allclose(found.lab.problem.gram, before, rtol=1e-12)


def test_the_certificate_makes_the_dual_a_straight_line():
    from svmlab.lab.lessons.duality import none as duality_none

    found = stage(BOARDS["no line"], duality_none.STEP)
    assert duality_none.along(found) == (2.0, 0.0)
    slope, curve = duality_none.along(stage(EIGHT, duality_none.STEP))
    assert slope == pytest.approx(curve)
    assert duality_none.STEP.answer(found) == 1


def test_the_check_has_every_statement_of_the_letter_h():
    assert LESSON.checked == tuple(f"H{i}" for i in range(1, 13))


def test_answers_and_step_survive_a_walk_to_the_lab_and_back():
    at = open_at(EIGHT, 4)
    sound(at.radio(key="duality_sum_choice").set_value(1).run())
    sound(at.switch_page("pages/lab.py").run())
    sound(at.switch_page(PAGE).run())
    assert at.subheader[0].value == words.SUM["title"]
    assert at.radio(key="duality_sum_choice").value == 1
    assert at.session_state["lab"].lab == EIGHT
    assert math.isinf(at.session_state["lab"].lab.C)


def test_the_check_of_a_page_that_opens_on_it_leads_back_to_a_step():
    at = open_at(EIGHT, len(LESSON.steps))
    sound(at.switch_page("pages/lab.py").run())
    sound(at.switch_page(PAGE).run())
    to(at, 2)
