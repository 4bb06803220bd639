r"""Questions as Moodle XML, so that a lecturer can import them into a course.

One number becomes a question of the type numerical, several numbers become embedded answers (cloze), a choice becomes
multichoice, and a set of points becomes shortanswer. Each known wrong answer is an answer worth nothing, and its
sentence is the feedback. The general feedback is the solution, with its figure, and with the mistakes that only several
numbers show. Moodle cannot judge a board. Formulas stay TeX between \( and \), which Moodle's filters read.

The format: https://docs.moodle.org/en/Moodle_XML_format, and for cloze
https://docs.moodle.org/en/Embedded_Answers_(Cloze)_question_type
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from html import escape
from xml.etree import ElementTree as ET

import numpy as np

from svmlab.core.phrase import N_, Phrase
from svmlab.practice.board import Board
from svmlab.practice.question import BoardAnswer, Boundary, Choice, Number, Numbers, Points, Question
from svmlab.practice.sheet import LINES, MISTAKES, Figure, SheetQuestion, Translate, joint_mistakes
from svmlab.practice.typed_numbers import unit

CATEGORY = "$course$/top/svmlab"
RIGHT, WRONG = "100", "0"  # per cent of the points
PENALTY = "0.3333333"  # of a further try, as Moodle proposes
FILE, SOLUTION_FILE = "points.svg", "solution.svg"
DECIMALS = N_("Write decimal numbers with at least three significant digits, such as 0.125. Fractions are not read.")
WHICH = N_("Write the numbers of the points, the smallest first, with commas between them: 1, 2, 5.")
BOARD = N_("“{title}” is answered with a board, and Moodle cannot judge boards.")


def left_out(questions: Sequence[SheetQuestion]) -> tuple[str, ...]:
    """Return a sentence for each question that Moodle cannot judge. `moodle_xml` leaves it out."""
    return tuple(Phrase(BOARD, title=each.title) for each in questions if isinstance(each.question.answer, BoardAnswer))


def moodle_xml(questions: Sequence[SheetQuestion], figure: Figure, translate: Translate = str) -> str:
    """Return the questions as a Moodle XML file. translate: returns words in a language."""
    quiz = ET.Element("quiz")
    _text(ET.SubElement(ET.SubElement(quiz, "question", type="category"), "category"), CATEGORY)
    for each in questions:
        if not isinstance(each.question.answer, BoardAnswer):
            _Writer(quiz, each, figure, translate).write(each.question.answer)
    ET.indent(quiz)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ET.tostring(quiz, encoding="unicode") + "\n"


def _text(parent: ET.Element, text: str) -> None:
    """Write the text of an element, before its files."""
    element = ET.Element("text")
    element.text = text
    parent.insert(0, element)


class _Writer:
    """Writes one question."""

    def __init__(self, quiz: ET.Element, each: SheetQuestion, figure: Figure, translate: Translate) -> None:
        self.quiz, self.each, self.figure, self.translate = quiz, each, figure, translate

    def write(self, answer: Numbers | Choice | Points) -> None:
        """Write the question as the type that judges its kind of answer."""
        if isinstance(answer, Numbers) and len(answer.fields) == 1:
            self._numerical(answer.fields[0])
        elif isinstance(answer, Numbers):
            fields = "".join(f"<p>{self._html(each.label)} = {self._cloze(each)}</p>" for each in answer.fields)
            self._question("cloze", [DECIMALS] * _has_decimals(answer), fields)
        elif isinstance(answer, Choice):
            self._multichoice(answer)
        else:
            self._shortanswer(answer)

    def _numerical(self, field: Number) -> None:
        question = self._question("numerical", [] if field.whole else [DECIMALS])
        for fraction, value, tolerance, why in _graded(field):
            answer = self._answer(question, fraction, value, why)
            ET.SubElement(answer, "tolerance").text = tolerance
        ET.SubElement(question, "unitgradingtype").text = "0"
        ET.SubElement(question, "showunits").text = "3"  # without units

    def _cloze(self, field: Number) -> str:
        """Return the field of a number as embedded answers: {1:NUMERICAL:=2:0.01~%0%1:0.01#feedback}."""
        answers = []
        for fraction, value, tolerance, why in _graded(field):
            feedback = self._html(why).replace("}", "&#125;").replace("~", "&#126;")
            share = "=" if fraction == RIGHT else f"%{fraction}%"
            answers.append(f"{share}{value}:{tolerance}" + (f"#{feedback}" if feedback else ""))
        return "{1:NUMERICAL:" + "~".join(answers) + "}"

    def _multichoice(self, answer: Choice) -> None:
        question = self._question("multichoice", [])
        for name, value in (("single", "true"), ("shuffleanswers", "false"), ("answernumbering", "abc")):
            ET.SubElement(question, name).text = value
        for option in answer.options:
            fraction = WRONG if option.why else RIGHT
            self._answer(question, fraction, self._html(option.words), option.why, "html")

    def _shortanswer(self, answer: Points) -> None:
        question = self._question("shortanswer", [WHICH])
        ET.SubElement(question, "usecase").text = "0"
        sets = [(RIGHT, answer.right, ""), *((WRONG, each.points, each.why) for each in answer.wrong)]
        for fraction, points, why in sets:
            for spelling in _spellings(points):
                self._answer(question, fraction, spelling, why)

    def _question(self, kind: str, advice: list[str], fields: str = "") -> ET.Element:
        """Add the question with what all types have: its words, its figure, its solution and its first hint."""
        asked: Question = self.each.question
        question = ET.SubElement(self.quiz, "question", type=kind)
        name = f"{self.translate(self.each.title)} ({self.each.name})"
        _text(ET.SubElement(question, "name"), name)
        words = ET.SubElement(question, "questiontext", format="html")
        drawn = "" if asked.board is None else self._drawing(words, FILE, asked.board)
        ask = f"<p><b>{self._html(asked.ask)}</b></p>"
        _text(words, self._paragraphs(asked.situation) + drawn + ask + self._paragraphs(*advice) + fields)
        self._solution(ET.SubElement(question, "generalfeedback", format="html"))
        if kind != "cloze":
            ET.SubElement(question, "defaultgrade").text = "1"
        ET.SubElement(question, "penalty").text = PENALTY
        ET.SubElement(question, "hidden").text = "0"
        _text(ET.SubElement(question, "hint", format="html"), self._paragraphs(asked.hints[0].words))
        return question

    def _solution(self, feedback: ET.Element) -> None:
        """Write the solution, the figure with its lines, and the mistakes that only several numbers show."""
        asked = self.each.question
        words = self._paragraphs(*asked.solution)
        if asked.board is not None and asked.boundaries:
            words += self._drawing(feedback, SOLUTION_FILE, asked.board, asked.boundaries) + self._paragraphs(LINES)
        if isinstance(asked.answer, Numbers) and asked.answer.joint:
            words += self._paragraphs(MISTAKES, *joint_mistakes(asked.answer))
        _text(feedback, words)

    def _drawing(self, words: ET.Element, name: str, board: Board, boundaries: Sequence[Boundary] = ()) -> str:
        """Add a figure to the words as a file, and return the paragraph that shows it."""
        file = ET.SubElement(words, "file", name=name, path="/", encoding="base64")
        file.text = b64encode(svg_file(self.figure(board, boundaries)).encode()).decode()
        return f"<p>{_image(board, name)}</p>"

    def _answer(
        self, question: ET.Element, fraction: str, text: str, why: str, form: str = "moodle_auto_format"
    ) -> ET.Element:
        answer = ET.SubElement(question, "answer", fraction=fraction, format=form)
        _text(answer, text)
        _text(ET.SubElement(answer, "feedback", format="html"), self._paragraphs(*[why] * bool(why)))
        return answer

    def _paragraphs(self, *texts: str) -> str:
        return "".join(f"<p>{self._html(text)}</p>" for text in texts)

    def _html(self, text: str) -> str:
        r"""Return words as HTML with formulas between \( and \)."""
        return re.sub(r"\$([^$]+)\$", r"\\(\1\\)", escape(self.translate(text), quote=False))


def _has_decimals(answer: Numbers) -> bool:
    return not all(field.whole for field in answer.fields)


def _graded(field: Number) -> Iterator[tuple[str, str, str, str]]:
    """Yield the right number and the known wrong ones: per cent, value, tolerance and feedback."""
    yield RIGHT, _decimal(field.value), "0" if field.whole else _decimal(unit(field.value)), ""
    for mistake in field.mistakes:
        yield WRONG, _decimal(mistake.value), _decimal(unit(mistake.value)), mistake.why


def _decimal(value: float) -> str:
    """Return a number with at most twelve significant digits, without an exponent."""
    return np.format_float_positional(float(f"{value + 0.0:.12g}"), trim="-")


def _spellings(points: frozenset[int]) -> list[str]:
    """Return the ways to write the numbers of points. No point has none, because Moodle reads no empty text."""
    numbers = [str(number) for number in sorted(points)]
    return list(dict.fromkeys(sign.join(numbers) for sign in (", ", ",", " "))) if numbers else []


def _image(board: Board, name: str) -> str:
    """Return the element that shows the figure, with the points in words for those who do not see it."""
    rows = zip(board.ids, board.points, strict=True)
    words = "; ".join(f"{n}: ({x1:g}, {x2:g}), {label:+d}" for n, (x1, x2, label) in rows)
    return f'<img src="@@PLUGINFILE@@/{name}" alt="{escape(words)}">'


def svg_file(drawing: str) -> str:
    """Return a drawing as a file of its own, on white paper."""
    return drawing.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg" style="background:#fff"', 1)
