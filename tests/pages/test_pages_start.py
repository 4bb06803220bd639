"""The lesson Start here: what it shows is so, on its own board and on others."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab.lab.glossary.marks import Marks
from svmlab.lab.lessons.start import LESSON, holders, lines, overlap, points, widest
from svmlab.lab.lessons.start.flowers import BOARD
from svmlab.lab.session import inbox, share
from svmlab.lab.session.lab import Lab, with_preset
from svmlab.lab.teach.boards import board_of_points
from svmlab.lab.teach.overlay import boundary_line
from svmlab.lab.teach.stage import Stage

OTHER = with_preset(Lab(preset="separable", size=20, seed=4, hard=True))


def stage(lab: Lab, **more) -> Stage:
    return Stage(lab, **more)


@pytest.mark.parametrize(("at", "right"), [(0.1, 0), (0.9, 1)])
def test_the_new_point_is_of_the_class_on_whose_side_it_lies(at, right):
    here = stage(BOARD(), dials={"new": at})
    assert points.answer(here) == right
    mine, others = (here.data.X[here.data.y == sign].mean(0) for sign in ((1, -1) if right == 0 else (-1, 1)))
    place = points.new_point(here)
    assert np.hypot(*(place - mine)) < np.hypot(*(place - others))


@pytest.mark.parametrize("lab", [BOARD(), OTHER])
def test_on_the_line_it_is_of_no_class(lab):
    here = stage(lab)
    assert points.answer(replace(here, dials=dict(points.to_the_line(here)["values"]))) == 2


@pytest.mark.parametrize("lab", [BOARD(), OTHER])
def test_every_thin_line_separates_and_no_two_are_the_same(lab):
    here = stage(lab)
    fan = lines.separating_lines(here)
    assert len(fan) == lines.LINES_DRAWN
    assert min(line.margin(here.data.X, here.data.y) for line in fan) > 0
    assert len({tuple(np.round(line.normal, 6)) for line in fan}) == lines.LINES_DRAWN


def test_the_line_placed_by_hand_may_have_either_class_on_either_side():
    (a, b), here = ((-1.8, -1.1), (1.8, 1.3)), stage(BOARD())
    assert [lines.own_errors(replace(here, hand=hand)) for hand in ((a, b), (b, a))] == [0, 0]
    assert lines.own_errors(here) == 1


@pytest.mark.parametrize("lab", [BOARD(), OTHER])
def test_turned_to_the_best_direction_the_strip_is_the_widest(lab):
    here = stage(lab)
    most = widest.turned(replace(here, dials={"tilt": widest.best_tilt(here)}))[1]
    assert most == pytest.approx(1 / here.solution.norm_w, rel=1e-9)
    assert max(widest.turned(replace(here, dials={"tilt": float(t)}))[1] for t in range(180)) < most


def test_the_line_with_the_widest_strip_is_drawn_once_it_is_shown():
    before, after = (widest.draw(stage(BOARD(), shown=shown)) for shown in (False, True))
    assert before["lines"] is None
    assert "lines" not in after


@pytest.mark.parametrize("lab", [BOARD(), OTHER])
def test_the_strip_does_not_change_while_the_points_outside_it_are_deleted(lab):
    here = stage(lab)
    for n in range(len(holders.outside(here)) + 1):
        left = holders.remaining(replace(here, dials={"gone": float(n)}))
        assert len(left.points) == len(lab.points) - n
        np.testing.assert_allclose(stage(left).solution.w, here.solution.w, rtol=1e-9)
        assert stage(left).solution.b == pytest.approx(here.solution.b, abs=1e-9)


def test_a_point_on_a_margin_line_is_not_deleted_even_if_it_is_no_support_vector():
    here = stage(board_of_points([(-1, 0, 1), (-1, 3, 1), (1, 0, -1), (3, 0, -1)], hard=True)())
    assert here.solution.alpha[1] == pytest.approx(0, abs=1e-12)
    assert holders.outside(here).tolist() == [3]
    assert holders.delete_outside(here)["ids"] == [4]


def test_slack_is_the_distance_from_the_own_margin_line_in_half_margin_widths():
    here = stage(overlap.OVERLAP.board())
    row, half = overlap.most_slack(here), 1 / here.solution.norm_w
    assert here.lab.points[row].id == 19
    margin = boundary_line(here).margins(here.data.X, here.data.y)[row]
    assert here.solution.xi[row] == pytest.approx((half - margin) / half)
    x, y = overlap.without_slack(here)
    home = [replace_point(p, x, y) if p.id == 19 else p for p in here.lab.points]
    assert stage(replace(here.lab, points=tuple(home))).solution.xi[row] == pytest.approx(0, abs=1e-9)


def replace_point(point, x, y):
    return point._replace(x=round(1000 * x), y=round(1000 * y))


def test_the_symbols_are_those_of_the_last_board_and_lead_on():
    at = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    at.query_params["step"] = "check"
    at.switch_page("pages/start.py").run()
    assert not at.exception, at.exception[0].value
    session = at.session_state["lab"]
    assert session.boards.shown == "start.overlap"
    assert session.lab == LESSON.steps[-1].board()
    assert [each.proto.page for each in at.get("page_link")] == ["margin", "lab"]
    assert not at.button(key="back").disabled
    inbox.do(session, {"op": "clear"})
    at.run()
    assert any("no points" in each.value for each in at.info)
    at.button(key="overlap_lend").click().run()
    assert session.lab == LESSON.steps[-1].board()


@pytest.mark.parametrize("mine", [False, True], ids=["newcomer", "own points"])
def test_whose_board_it_is_is_said_to_who_has_one(mine):
    at = AppTest.from_file(str(Path(__file__).parents[2] / "app.py"), default_timeout=60)
    if mine:
        at.query_params["s"] = share.encode(with_preset(Lab(preset="xor", size=16)))  # no line separates them
    at.switch_page("pages/start.py").run()
    assert not at.exception, at.exception[0].value
    assert at.session_state["lab"].boards.shown == "start.points"
    assert [button.key for button in at.button if button.label == "Use my points"] == ["points_mine"] * mine


def visible_words(step, here):
    """What is read aloud of a step: its title, situation, question, choices, verdict and sentences."""
    texts = [step.title, step.situation_text(here), step.question, *(choice.text for choice in step.choices)]
    return " ".join([*texts, step.verdict_text(here), step.says_text(here)]).split()


def test_the_lesson_takes_as_long_as_it_promises():
    """The words of its steps, read aloud at 130 words a minute."""
    words = sum(len(visible_words(step, stage(step.board()))) for step in LESSON.steps) + len(LESSON.intro.split())
    assert abs(words / 130 - LESSON.minutes) <= 0.5


def test_no_step_needs_symbols_and_no_word_opens_a_definition_with_symbols():
    symbols = re.compile(r"[α-ωΑ-Ω‖⟨]|\$|\b(?:w|b|C|f|y|x)\b")
    for step in LESSON.steps:
        for mine in (True, False):
            here = stage(step.board() if mine else OTHER)
            if step.first_unmet_need(here) is not None:
                continue
            texts = [" ".join(visible_words(step, here)), *(choice.why for choice in step.choices)]
            texts += [*step.more_parts(here), *(reading.definition + reading.name for reading in step.readings(here))]
            assert [text for text in texts if symbols.search(text)] == []
            marks = Marks(LESSON.page)
            assert [text for text in texts if marks.markdown(text) != text] == []


def test_the_margin_lines_are_drawn_where_the_turned_line_separates():
    here = stage(BOARD())
    drawn = {}
    for angle in range(0, 180, 5):
        turned = replace(here, dials={"tilt": float(angle)})
        drawn[widest.turned(turned)[1] > 0] = len(widest.draw(turned)["overlay"])
    assert drawn == {False: 1, True: 3}, "the line alone, or with its two margin lines"


def test_the_points_outside_the_strip_are_deleted_in_the_order_of_their_margins():
    here = stage(OTHER)
    margins = here.solution.margins[holders.outside(here)]
    assert len(margins) > 2
    assert (np.diff(margins) <= 0).all(), "the farthest first"
    assert margins.min() > 1


def test_every_line_that_is_drawn_separates_the_classes_also_where_few_directions_do():
    narrow = board_of_points([(-3.9, 0.02, 1), (3.9, 0.02, 1), (-3.9, -0.02, -1), (3.9, -0.02, -1)])()
    for lab in (BOARD(), narrow):
        here = stage(lab)
        margins = [line.margins(here.data.X, here.data.y).min() for line in lines.separating_lines(here)]
        assert min(margins) > 0
