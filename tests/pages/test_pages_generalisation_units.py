"""What the step on units and rare classes says is true of the board that it stands on."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from svmlab.binary.problem import balanced_costs
from svmlab.lab.glossary.letters import letters
from svmlab.lab.lessons.generalisation import LESSON
from svmlab.lab.lessons.generalisation.changes import CHANGES, FEW, MANY, PRICE, TURN, UNITS
from svmlab.lab.lessons.generalisation.units import SMALL, asked, machine
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.requirements import ROTATION_INVARIANT
from tests.lessons import stage_of

STEP = LESSON.step("units")


def at(board=None, change=UNITS, **dials):
    stage = stage_of(LESSON, board or STEP.board())
    return replace(stage, dials=dials, picks={**stage.picks, "change": change})


def test_on_its_board_the_turn_alone_keeps_the_boundary():
    stage = at()
    parts = asked(stage)
    assert parts[TURN] == 0
    assert min(parts[UNITS], parts[PRICE]) > 0.1
    assert STEP.answer(stage) == 2


def test_where_other_units_or_a_price_change_nothing_the_turn_is_not_alone():
    stage = at(preset("idle_margin", value=1000.0)())
    assert [part <= 0.005 for part in asked(stage).values()].count(True) > 1
    assert STEP.answer(stage) == 3


def test_three_of_six_rare_points_are_wrong_and_none_where_their_class_is_balanced():
    stage = at(change=PRICE)
    (y := stage.data.y)
    assert ((y > 0).sum(), (y < 0).sum()) == (MANY, FEW)
    balance = next(each.op for each in STEP.tries if each.label == "Balanced")
    done = {"op": "dial", "values": {"price": MANY / FEW}, "picks": {"change": "price"}}
    assert balance(stage) == balance(at(change=TURN, price=0.1)) == done
    said = {reading.name: reading.text for reading in STEP.numbers(stage)}
    assert (said["errors of −"], said["errors of +"]) == ("3 → 0 of 6", "0 → 3 of 30")


def test_a_kernel_that_a_turn_changes_is_not_said_to_see_lengths_alone():
    stretched = replace(STEP.board(), kernel="composed", recipe="form(4,0,1)")
    assert asked(at(stretched))[TURN] > 0.1
    assert STEP.first_unmet_need(at(stretched)) is ROTATION_INVARIANT
    assert STEP.first_unmet_need(at(replace(stretched, recipe="linear+p(linear,1,2)"))) is None


def test_in_small_units_x2_is_hardly_seen():
    said = {reading.name: reading.text for reading in STEP.numbers(at(SMALL()))}
    assert (said["errors of −"], said["errors of +"]) == ("4 → 0 of 15", "1 → 0 of 15")


@pytest.mark.parametrize("change", CHANGES)
def test_the_slider_turns_what_is_drawn(change):
    none = 0.0 if change == TURN else 1.0
    there, back = at(change=change, **{change: 4.0}), at(change=change, **{change: none})
    assert STEP.draw(there)["sliders"][0]["value"] == 4.0
    solution = machine(back, change, none)[1]
    assert solution.w == pytest.approx(back.solution.w, abs=1e-9)
    (line,) = STEP.draw(back)["overlay"]
    f = back.solution.decision(np.reshape(line["pts"], (-1, 2)))
    assert np.abs(f).max() < 1e-3


def test_before_it_is_shown_nothing_is_given_away():
    stage = replace(at(), shown=False)
    assert STEP.draw(stage) == {}
    assert [reading.text for reading in STEP.numbers(stage)] == ["3 of 6", "0 of 30"]


def test_the_price_is_told_by_letters_that_mean_it():
    """In a formula v is a hull's weight; and m/(2 m_class) is 3 where the slider says 5: that is both classes'
    price."""
    stage = at(change=PRICE)
    set_in_type = " ".join([STEP.formula(stage), *re.findall(r"\$([^$]+)\$", STEP.says(stage))])
    assert [term.key for term in letters(set_in_type)] == ["norm", "normal", "price", "slack"]
    assert "other class's number of points over their own" in STEP.says(stage)
    fair = balanced_costs(stage.data)
    assert STEP.draw(stage)["sliders"][0]["value"] == fair[1] / fair[0] == MANY / FEW


def test_the_table_has_a_row_for_the_balanced_price():
    head, *_words = STEP.more(at())
    assert "v = 5, balanced" in head.markup
