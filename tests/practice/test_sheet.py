"""The printed sheet: whole HTML without a network, formulas as MathML, all answers on the sheet of solutions only."""

from __future__ import annotations

import re
from html import unescape
from html.parser import HTMLParser

import pytest

from svmlab.core.rich_text import FUNCTIONS, plain_text, rich_text
from svmlab.practice import QUESTION_TYPES, Choice
from svmlab.practice.board import Board
from svmlab.practice.sheet import MATHS, Sheet, SheetQuestion, html, shown_number

FEW = ("circle_support_vectors", "kernel_or_not", "margin_width", "delete_points")
VOID = {"meta", "br"}


def sheet(keys, seed=7):
    kinds = [QUESTION_TYPES[key] for key in keys]
    questions = [SheetQuestion(kind.key, kind.title, kind.question(seed, level(kind, seed))) for kind in kinds]
    return Sheet(questions, drawing, address="https://lab.example/practice?a=1&b=2")


def level(kind, seed):
    """One of the difficulties of a type, another one for each seed."""
    return kind.difficulties[seed % len(kind.difficulties)]


def drawing(board: Board, boundaries=()) -> str:
    return f'<svg viewBox="0 0 9 9">{"<circle/>" * len(board.points)}{"<path/>" * len(boundaries)}</svg>'


class Reader(HTMLParser):
    """Reads HTML whose elements must be closed in order. text: what stands in the body, outside formulas and inside."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.open, self.tags, self.words, self.names = [], [], [], []
        self.feed(source)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if "style" not in self.open:
            self.words.append(data)
            if self.open and self.open[-1] == "mi":
                self.names.append(data)


def check(keys, seed):
    """Raise an error if the two sheets of these types are not sound."""
    made = sheet(keys, seed)
    assert (made.exercises, made.solutions) == (sheet(keys, seed).exercises, sheet(keys, seed).solutions)
    asked, solved = Reader(made.exercises), Reader(made.solutions)
    for page in (asked, solved):
        words = "".join(page.words)
        assert re.search(r"[\\$]|\*\*|\{\w+\}", words) is None
        assert [n for n in page.names if len(n) > 1 and n not in FUNCTIONS] == []
        assert not any({"src", "href"} & attributes.keys() for _tag, attributes in page.tags)
        assert sum(tag == "section" for tag, _attributes in page.tags) == len(keys)
    on_sheet, on_solution = "".join(asked.words), "".join(solved.words)
    for each in made.questions:
        choices = [option.words for option in getattr(each.question.answer, "options", ())]  # a solution may repeat one
        texts = [*each.question.solution, *(wrong_words(each.question.answer))]
        for text in map(plain_text, map(rich_text, texts)):
            assert text in on_solution
            assert text not in on_sheet or len(text) < 12 or text in choices
        assert plain_text(rich_text(each.question.situation)) in on_sheet


def wrong_words(answer):
    if isinstance(answer, Choice):
        return [option.why for option in answer.options if option.why]
    return [each.why for each in getattr(answer, "wrong", ())]


def test_a_sheet_has_the_points_and_the_fields_of_its_questions():
    made = sheet(FEW, 5)
    points, choice, number, board = made.questions
    drawn = [each.question.board or each.question.answer.start for each in (points, board)]
    assert made.exercises.count("<circle/>") == sum(len(each.points) for each in drawn)
    assert made.exercises.count("☐") == len(choice.question.answer.options)
    assert shown_number(number.question.answer.fields[0].value) in made.solutions
    assert ", ".join(map(str, sorted(points.question.answer.right))) in made.solutions
    assert choice.question.situation not in made.solutions
    assert unescape(made.exercises).count("https://lab.example/practice?a=1&b=2") == 1
    assert "break-inside: avoid" in made.exercises


def test_the_sheet_says_once_which_mark_has_which_label():
    made = sheet(["width_of_points"])
    assert len(re.findall("discs", made.exercises, re.IGNORECASE)) == 1
    assert len(re.findall("squares", made.exercises, re.IGNORECASE)) == 1


def test_the_solutions_draw_the_lines_of_which_they_speak_and_say_what_they_are():
    made = sheet(FEW, 5)
    points, _choice, _number, board = (each.question for each in made.questions)
    assert (len(points.boundaries), len(board.boundaries)) == (1, 1)
    assert made.exercises.count("<path/>") == 0
    assert made.solutions.count("<path/>") == 2
    assert made.solutions.count("<circle/>") == len(points.board.points) + len(board.answer.witness.points)
    assert made.solutions.count("The dashed lines are the margin lines") == 1
    assert "dashed" not in sheet(["margin_width"]).solutions, "nothing is drawn there"


def test_the_solutions_name_the_mistakes_that_only_several_numbers_show():
    made = sheet(["perceptron_mistakes"])
    question = made.questions[0].question
    (joint,) = [each for each in question.answer.joint if None not in each.values and "first pass" in each.whys[0]]
    updates, w1, w2 = map(shown_number, joint.values)
    says = (
        f"number of updates: {updates}, first component of w: {w1}, second component of w: {w2}. "
        "You stopped after the first pass. Go on until a pass has no update."
    )
    assert "".join(Reader(made.solutions).words).count(says) == 1


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.sweep) for n in range(1, 30))])
def test_every_question_type_is_whole_on_paper_and_the_answers_are_on_the_solutions_only(seed):
    check(QUESTION_TYPES, seed)


def test_formulas_are_mathml_and_words_are_escaped():
    assert (
        html(rich_text("a < b **and** $x_1$")) == "a &lt; b <b>and</b> <math><msub><mi>x</mi><mn>1</mn></msub></math>"
    )
    assert html(rich_text("$(-1)$")).count('form="prefix"') == 1
    assert 'form="prefix"' not in html(rich_text("$f(x) - 1$"))
    assert html(rich_text("$2,\\; -1$")).count('form="prefix"') == 1
    kept = '<span class="kept"><math><mi>y</mi></math>.</span>'
    assert html(rich_text("$x$ and **$y$.**")) == f"<math><mi>x</mi></math> and <b>{kept}</b>", (
        "no line begins with a dot"
    )
    assert {"math", "mo"} <= set(MATHS)
    assert shown_number(-0.5) == "−0.5"
    assert shown_number(2.0) == "2"
