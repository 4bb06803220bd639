"""The goals to refute a statement are those whose statement does not fail on the board at the start."""

from __future__ import annotations

import pytest

from svmlab.practice.conditions import Attempt, Fails
from svmlab.practice.goals.refute import NOT_ABOUT_POINTS, REFUTABLE, START
from svmlab.statements import CATALOGUE


@pytest.mark.slow
def test_each_statement_that_takes_a_search_to_refute_is_a_goal() -> None:
    printed_wrongly = [
        each.id for each in CATALOGUE.values() if each.repair and each.witness and each.witness.task == "binary"
    ]
    searched = [id for id in printed_wrongly if not Fails(id).check(Attempt(START, START.problem)).met]
    assert sorted(searched) == sorted(REFUTABLE + NOT_ABOUT_POINTS)
