"""The notation that a browser keeps: for an address that names none, and never against a link."""

import pytest

from svmlab.lab.frame import nav
from svmlab.lab.notation import USUAL, Notation
from svmlab.lab.session.kept_notation import COOKIE, notation_of
from svmlab.lab.session.operations import begin_in_notation
from svmlab.lab.session.state import initial_history
from svmlab.lab.session.tab import Session


@pytest.mark.parametrize(
    ("query", "cookie", "word"),
    [
        ({}, None, ""),
        ({}, "minus-b%2Ct", "minus-b,t"),
        ({"s": "1"}, "lambda", "lambda"),
        ({"notation": "t"}, "minus-b", "t"),
        ({"notation": "unknown"}, "minus-b", ""),
        ({}, "unknown", ""),
        ({}, "t%2Cminus-b", ""),
    ],
)
def test_the_link_decides_and_else_what_the_browser_keeps(query, cookie, word):
    assert notation_of(query, {} if cookie is None else {COOKIE: cookie}).as_word == word


def test_the_script_gets_the_word_of_each_choice_for_the_cookie():
    rows = nav._choices(Notation(minus_b=True, label="t"))["rows"]
    words = [option[2] for row in rows for option in row["options"]]
    assert words == ["t", "minus-b,t", "minus-b", "minus-b,t", "minus-b,t", "minus-b,t,lambda"]
    assert all(Notation.of_word(word).as_word == word for word in words)


def test_a_board_that_no_link_has_set_begins_with_the_first_parameter():
    first = Notation(first="lambda")
    own, linked = (Session(initial_history()) for _ in range(2))
    begin_in_notation(own, first, from_link=False)
    begin_in_notation(linked, first, from_link=True)
    assert (own.lab.face, linked.lab.face) == ("lambda", "C")
    assert pytest.approx(initial_history().present.C) == own.lab.C
    assert not own.is_changed
    assert not own.history.past
    assert own.view.notation == linked.view.notation == first
    begin_in_notation(own, USUAL, from_link=True)
    assert own.view.notation == USUAL
