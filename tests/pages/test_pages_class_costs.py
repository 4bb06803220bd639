"""Costs of the classes in the lab: in the link, on the board, in what is said of a point, and where a lesson asks for
equal ones."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from svmlab import Problem, regularization_path, solve
from svmlab.binary.problem import balanced_costs
from svmlab.lab.bench import panel
from svmlab.lab.bench.costs import ALIKE, balance
from svmlab.lab.bench.tabs import certificate
from svmlab.lab.board.caption import caption
from svmlab.lab.board.payload import picture
from svmlab.lab.board.second_board import machine_name
from svmlab.lab.cards.statement_cards import witness_lab
from svmlab.lab.session import compare, inbox, share
from svmlab.lab.session.cache import Outcome
from svmlab.lab.session.lab import Lab, Point, with_preset
from svmlab.lab.session.state import History, apply
from svmlab.lab.session.tab import Session
from svmlab.lab.teach.open_lesson import OpenLesson
from svmlab.lab.teach.step import EQUAL_CLASS_COSTS
from svmlab.statements import CATALOGUE, Situation
from tests.lessons import LESSONS, stage_of

MIXED = with_preset(Lab(size=40, noise=0.5, seed=3))
START = str(Path(__file__).parents[2] / "app.py")
KEPT = [p for i, p in enumerate(MIXED.points) if p.label < 0 or i % 4 == 0]
FEW = replace(MIXED, points=tuple(p._replace(id=i) for i, p in enumerate(KEPT, start=1)))
UNEVEN = replace(FEW, cost_plus=4.0, cost_minus=0.5)


def test_the_svm_of_the_board_has_its_costs_but_for_the_hard_margin():
    assert UNEVEN.problem.costs == (4.0, 0.5)
    assert set(UNEVEN.problem.bounds) == {4.0, 0.5}
    assert replace(UNEVEN, hard=True).problem.costs == (1.0, 1.0)
    assert replace(UNEVEN, face="lambda", value=0.1).problem.bounds.max() == 4 / (0.1 * len(FEW.points))


def test_the_link_names_costs_only_where_they_are_not_1():
    assert share.decode(share.encode(UNEVEN)) == UNEVEN
    assert len(share.encode(UNEVEN)) > len(share.encode(FEW))
    assert share.encode(replace(UNEVEN, cost_plus=1.0, cost_minus=1.0)) == share.encode(FEW)


def test_a_second_board_has_costs_of_its_own_and_undo_brings_them_back():
    both = compare.with_second(FEW, FEW)
    history = apply(History(both), {"op": "set", "values": {"B.cost_plus": 3.0}})
    assert history.present.problem.costs == (1.0, 1.0)
    assert history.present.second_lab.problem.costs == (3.0, 1.0)
    assert share.decode(share.encode(history.present)) == history.present
    assert "costs 3 of +1, 1 of −1" in machine_name(history.present.second_lab)
    assert "cost" not in machine_name(history.present)
    assert apply(history, {"op": "undo"}).present.second_lab.cost_plus == 1.0


def test_balance_makes_both_classes_weigh_the_same_and_takes_it_back():
    session = Session(History(FEW))
    balance(session)
    lab = session.lab
    bounds = lab.problem.bounds
    assert bounds[lab.data.y > 0].sum() == pytest.approx(bounds[lab.data.y < 0].sum(), rel=1e-14)
    assert bounds.sum() == pytest.approx(lab.C * lab.data.m, rel=1e-14)
    balance(session)
    assert session.lab.costs == (1.0, 1.0)
    alike = Session(History(with_preset(Lab(size=40))))
    balance(alike)
    assert alike.history.note == ALIKE
    inbox.do(session, {"op": "undo"})
    assert session.lab.costs == lab.costs


def test_a_mark_is_filled_by_alpha_over_its_own_bound():
    solution = solve(UNEVEN.problem)
    board_picture = picture(History(UNEVEN), Outcome(solution, None), None)
    fill = np.array(board_picture["marks"]["fill"])
    assert set(fill[solution.at_bound]) == {1.0}
    assert solution.at_bound[UNEVEN.data.y < 0].any()
    assert (fill[solution.free] < 1).all()
    assert board_picture["marks"]["bound"] == "Cᵢ"
    assert "on the margin, 0 < α < Cᵢ" in [cat["text"] for cat in board_picture["legend"]["cats"]]
    even = picture(History(FEW), Outcome(solve(FEW.problem), None), None)
    assert even["marks"]["bound"] == "C"
    assert "on the margin, 0 < α < C" in [cat["text"] for cat in even["legend"]["cats"]]


@pytest.mark.parametrize("label", [1, -1])
def test_the_panel_says_the_bound_of_the_selected_point(label):
    lab = replace(UNEVEN, cost_plus=0.2)
    solution = solve(lab.problem)
    at = int(np.flatnonzero(solution.at_bound & (lab.data.y == label))[0])
    said = panel.inspector(replace(lab, selected=lab.points[at].id), solution)
    assert f"α = Cᵢ = {0.2 if label > 0 else 0.5}" in said
    assert "{" not in said
    assert "C₊ = 0.2, C₋ = 0.5" in panel.formula(lab, solution)
    assert "C₊" not in panel.formula(FEW, solve(FEW.problem))
    assert f"{solution.at_bound.sum()} at Cᵢ" in panel.figures(lab, solution)


def test_caption_and_certificate_say_it():
    solution = solve(UNEVEN.problem)
    said = caption(UNEVEN, solution)
    assert said.name.endswith("-C-1-costs-4-0.5")
    assert "costs 4 of +1, 0.5 of −1" in said.settings
    assert f"of them at Cᵢ: {solution.at_bound.sum()}" in said.figures[1]
    assert "Σ Cᵢ ξᵢ" in certificate.objectives(solution)
    assert "0 ≤ α ≤ Cᵢ" in certificate.residuals(solution)
    assert "does not hold" not in certificate.residuals(solution)
    even = solve(FEW.problem)
    assert "C Σ ξ" in certificate.objectives(even)
    assert "0 ≤ α ≤ C |" in certificate.residuals(even)


def test_every_statement_is_idle_with_a_reason_where_the_classes_cost_differently():
    situation = Situation(UNEVEN.problem)
    for id, entry in CATALOGUE.items():
        verdict = entry.check(situation)
        assert not verdict.applies, id
        assert "4 for class +1 and 0.5 for class −1. Set both costs to 1." in verdict.why, id
    assert CATALOGUE["S1"].check(Situation(FEW.problem)).applies


def test_a_statement_about_the_hard_margin_takes_a_board_whose_costs_play_no_part():
    hard = Problem(with_preset(Lab(preset="separable", size=20)).data, C=np.inf, costs=(3.0, 1.0))
    situation = Situation(hard)
    for id in ("M1", "S1"):
        verdict = CATALOGUE[id].check(situation)
        assert verdict.applies, verdict.why
        assert verdict.holds
    assert situation.soft_problem.costs == (1.0, 1.0)


def test_a_witness_puts_equal_costs_on_the_board():
    witness = next(entry.witness for entry in CATALOGUE.values() if entry.witness)
    assert witness_lab(UNEVEN, witness).costs == (1.0, 1.0)


@pytest.mark.parametrize("lesson", [each for each in LESSONS if each.steps], ids=lambda lesson: lesson.page)
def test_every_step_asks_for_equal_costs_unless_it_says_that_it_takes_any(lesson):
    for step in lesson.steps:
        lacking = step.first_unmet_need(stage_of(lesson, UNEVEN))
        assert step.allows_class_costs or lacking is EQUAL_CLASS_COSTS, step.key
        lent = step.board()
        assert lent.costs == (1.0, 1.0), step.key
        hard = step.first_unmet_need(stage_of(lesson, replace(lent, cost_plus=2.0, hard=True)))
        assert step.allows_class_costs or hard is EQUAL_CLASS_COSTS, "a step may turn the hard margin off"


@pytest.mark.parametrize("lesson", [each for each in LESSONS if each.steps], ids=lambda lesson: lesson.page)
def test_a_lesson_puts_ones_own_points_up_with_equal_costs(lesson):
    own = replace(UNEVEN, points=(*UNEVEN.points, Point(99, 120, 340, 1)))
    session = Session(apply(History(FEW), {"op": "load", "lab": own}))
    place = OpenLesson(session, lesson)
    session.lessons.open_steps[lesson.page] = lesson.steps[0].key
    place.prepare_board()
    assert session.lab.costs == (1.0, 1.0)
    assert lesson.steps[0].first_unmet_need(place.stage(lesson.steps[0])) is None
    session.show_board(None)
    assert session.lab == own, "the own board is as it was"


def test_the_path_of_a_board_with_costs_keeps_them():
    path = regularization_path(UNEVEN.problem)
    assert path.at(2.0).problem.costs == (4.0, 0.5)


def html(at: AppTest) -> str:
    assert not at.exception
    return "".join(block.value for block in at.get("html"))


def test_costs_are_typed_and_balanced_in_the_panel():
    at = AppTest.from_file(START, default_timeout=60)
    at.query_params["s"] = share.encode(FEW)
    at.run()
    assert (at.text_input(key="cost_plus").value, at.text_input(key="cost_plus").disabled) == ("1", False)
    assert "C₊" not in html(at)
    at.text_input(key="cost_plus").set_value("2,5").run()
    assert "C₊ = 2.5, C₋ = 1" in html(at)
    assert any("v_i" in block.value for block in at.markdown)
    at.text_input(key="cost_minus").set_value("0").run()
    assert "Cost of class −1: 0 is not a number from 0.001 to 1000. The value stays 1." in html(at)
    at.button(key="balance").click().run()
    session = at.session_state["lab"]
    assert session.lab.costs == balanced_costs(FEW.data)
    at.toggle(key="hard").set_value(True).run()
    assert at.text_input(key="cost_plus").disabled
    assert "C₊" not in html(at)
