"""A printed sheet of questions, and the sheet of their solutions: each one HTML file that needs no network.

Formulas are MathML, which browsers show by themselves. No question is divided between two pages of paper.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.core.rich_text import MATHS, Node, rich_text
from svmlab.practice.board import Board
from svmlab.practice.question import Answer, BoardAnswer, Boundary, Choice, JointMistake, Numbers, Points, Question

BOX, BLANK = "☐", "_" * 14
_FENCES = tuple([sign] for sign in "|‖⟨⟩()")  # signs that do not grow with what stands between them
_CLOSING = (")", "⟩", "‖", "|")
_BEFORE_SIGN = re.compile(
    r'(?<!class="kept">)<math>(?:(?!</math>).)*</math>[.,;:!?)]+'
)  # no line break between the two
STYLE = """
:root { color-scheme: light; }
body { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; background: #fff; color: #000; font: 1rem/1.5 serif; }
header { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: 0 2rem; }
h1 { margin: 0; font-size: 1.5rem; }
h2 { margin: 0 0 .3rem; font-size: 1.1rem; break-after: avoid; }
section { display: flow-root; margin-top: 1.2rem; padding-top: .8rem; border-top: 1px solid #999; break-inside: avoid; }
p, ul { margin: .3rem 0; }
ul { padding-left: 1.2rem; }
ul.choices { list-style: none; padding-left: 0; }
.choices li { padding-left: 1.6rem; text-indent: -1.6rem; }
svg { float: right; max-width: 60%; height: auto; margin: .2rem 0 .4rem 1.2rem; }
.kept { white-space: nowrap; }
.name { float: right; font: .75rem sans-serif; color: #444; }
.blanks span { display: inline-block; margin-right: 1.5rem; }
.mistakes { font-size: .9rem; }
footer { margin-top: 1.5rem; font: .75rem/1.4 sans-serif; overflow-wrap: anywhere; }
@page { margin: 16mm; }
@media screen and (max-width: 40rem) { svg { display: block; float: none; max-width: 100%; margin: .4rem 0; } }
@media print { body { max-width: none; margin: 0; padding: 0; font-size: 11pt; } button { display: none; } }
"""
TITLE, SOLUTIONS, NAME, PRINT = N_("Questions on support vector machines"), N_("Solutions"), N_("Name"), N_("Print")
NUMBERS, DRAW = N_("The numbers of the points"), N_("Mark in the figure what you change.")
MISTAKES = N_("Known mistakes:")
LINES = N_(
    "The solid line in a figure is the decision boundary $f(x) = 0$. The dashed lines are the margin lines $f(x) = 1$ "
    "and $f(x) = -1$."
)

Translate = Callable[[str], str]
Figure = Callable[[Board, Sequence[Boundary]], str]  # returns points and lines as SVG with its own style and size


@dataclass(frozen=True)
class SheetQuestion:
    """A question of a sheet. name: what stands in links, such as "margin-width-2-17". title: that of its type."""

    name: str
    title: str
    question: Question


@dataclass(frozen=True)
class Sheet:
    """Questions in their order, and how they are written.

    figure: draws a board, and lines on it. translate: returns words in the language of the sheet. address: the link
    that opens the same sheet again. language: of the words, as HTML writes it.
    """

    questions: Sequence[SheetQuestion]
    figure: Figure
    translate: Translate = str
    address: str = ""
    language: str = "en"

    @property
    def exercises(self) -> str:
        """Return the sheet without its answers as HTML."""
        name = f"{escape(self.translate(NAME))}: {BLANK * 2}"
        return self._page(TITLE, self._exercise, f"<p>{name}</p>")

    @property
    def solutions(self) -> str:
        """Return the right answers, the calculations and the known mistakes as HTML."""
        drawn = any(_solution_figure(each.question) for each in self.questions)
        return self._page(SOLUTIONS, self._solution, self._paragraph(LINES) if drawn else "")

    def _page(self, title: str, write: Callable[[SheetQuestion], Iterator[str]], beside: str) -> str:
        heading = escape(self.translate(title))
        sections = (
            f'<section><span class="name">{escape(each.name)}</span>'
            f"<h2>{number}. {escape(self.translate(each.title))}</h2>{''.join(write(each))}</section>"
            for number, each in enumerate(self.questions, start=1)
        )
        button = f'<button onclick="print()">{escape(self.translate(PRINT))}</button>'
        return (
            f'<!doctype html>\n<html lang="{escape(self.language)}"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            f"<title>{heading}</title><style>{STYLE}</style></head>\n"
            f"<body><header><h1>{heading}</h1>{beside}{button}</header>\n{chr(10).join(sections)}\n"
            f"<footer>{escape(self.address)}</footer></body></html>\n"
        )

    def _exercise(self, each: SheetQuestion) -> Iterator[str]:
        question, answer = each.question, each.question.answer
        if question.board is not None:
            yield self.figure(question.board, ())
        yield self._paragraph(question.situation)
        yield f"<p><b>{self._words(question.ask)}</b></p>"
        if isinstance(answer, Numbers):
            blanks = (f"<span>{self._words(field.label)} = {BLANK}</span>" for field in answer.fields)
            yield f'<p class="blanks">{"".join(blanks)}</p>'
        elif isinstance(answer, Choice):
            options = (f"<li>{BOX}&ensp;{self._words(option.words)}</li>" for option in answer.options)
            yield f'<ul class="choices">{"".join(options)}</ul>'
        elif isinstance(answer, Points):
            yield f"<p>{self._words(NUMBERS)}: {BLANK * 2}</p>"
        else:
            yield self._paragraph(DRAW)

    def _solution(self, each: SheetQuestion) -> Iterator[str]:
        question, answer = each.question, each.question.answer
        drawn = _solution_figure(question)
        if drawn is not None:
            yield self.figure(drawn, question.boundaries)
        yield self._paragraph(question.ask)
        yield "".join(f"<p><b>{self._words(line)}</b></p>" for line in right_answer(answer))
        yield "".join(self._paragraph(line) for line in question.solution)
        items = "".join(f"<li>{self._words(line)}</li>" for line in known_mistakes(answer))
        yield f'<div class="mistakes">{self._paragraph(MISTAKES)}<ul>{items}</ul></div>'

    def _paragraph(self, text: str) -> str:
        return f"<p>{self._words(text)}</p>"

    def _words(self, text: str) -> str:
        return html(rich_text(self.translate(text)))


def _solution_figure(question: Question) -> Board | None:
    """Return the board that the solution draws: one that is asked for, or the one on which it draws lines."""
    if isinstance(question.answer, BoardAnswer):
        return question.answer.witness
    return question.board if question.boundaries else None


def right_answer(answer: Answer) -> tuple[str, ...]:
    """Return the right answer in words, a line for each part of it."""
    if isinstance(answer, Numbers):
        return tuple(
            Phrase("{label}: {value}", label=field.label, value=shown_number(field.value)) for field in answer.fields
        )
    if isinstance(answer, Choice):
        return (answer.options[answer.right].words,)
    if isinstance(answer, Points):
        return (_points(answer.right),)
    return (N_("This board is a right answer:"),)


def known_mistakes(answer: Answer) -> tuple[str, ...]:
    """Return the known wrong answers, each with what was overlooked. A wrong board has only the latter."""
    if isinstance(answer, Numbers):
        alone = (
            Phrase("{label}: {value}. {why}", label=field.label, value=shown_number(mistake.value), why=mistake.why)
            for field in answer.fields
            for mistake in field.mistakes
        )
        return (*alone, *joint_mistakes(answer))
    if isinstance(answer, Choice):
        wrong = (option for option in answer.options if option.why)
        return tuple(Phrase("“{words}” {why}", words=option.words, why=option.why) for option in wrong)
    if isinstance(answer, Points):
        return tuple(join_phrases(_points(each.points), each.why) for each in answer.wrong)
    return tuple(each.why for each in answer.wrong)


def joint_mistakes(answer: Numbers) -> tuple[str, ...]:
    """Return the known mistakes that only several of the numbers show, each with these numbers."""
    return tuple(_joint_mistake(answer, mistake) for mistake in answer.joint)


def _joint_mistake(answer: Numbers, mistake: JointMistake) -> str:
    values = (
        Phrase("{label}: {value}", label=field.label, value=shown_number(value))
        for field, value in zip(answer.fields, mistake.values, strict=True)
        if value is not None
    )
    whys = dict.fromkeys(mistake.whys)  # each sentence once
    return Phrase("{values}. {why}", values=join_phrases(*values, separator=", "), why=join_phrases(*whys))


def _points(numbers: frozenset[int]) -> str:
    if not numbers:
        return N_("No point.")
    if len(numbers) == 1:
        return Phrase("Point {number}.", number=min(numbers))
    return Phrase("Points {numbers}.", numbers=", ".join(map(str, sorted(numbers))))


def shown_number(value: float) -> str:
    """Return a number with at most five significant digits and a true minus sign."""
    rounded = float(f"{value + 0.0:.5g}")
    return np.format_float_positional(rounded, trim="-").replace("-", "−")


def html(tree: list[Node]) -> str:
    """Return words with formulas, as `rich_text` reads them, as HTML with MathML."""
    parts: list[str] = []
    before: Node = "mo"
    for node in tree:
        parts.append(_element(node, _is_sign_before(before)))
        if node != ["mspace"]:
            before = node
    return _BEFORE_SIGN.sub(r'<span class="kept">\g<0></span>', "".join(parts))


def _is_sign_before(node: Node) -> bool:
    """Return whether a minus after this node belongs to the number that follows it."""
    return node == "mo" or (isinstance(node, list) and node[0] == "mo" and node[1] not in _CLOSING)


def _element(node: Node, is_after_sign: bool) -> str:
    if isinstance(node, str):
        return escape(node)
    tag, *inner = node
    if tag not in MATHS:
        return f"<{tag}>{html(inner)}</{tag}>"
    attributes = ' width="0.17em"' if tag == "mspace" else ' stretchy="false"' if inner[:1] in _FENCES else ""
    if node == ["mo", "−"] and is_after_sign:
        attributes = ' form="prefix"'
    return f"<{tag}{attributes}>{html(inner)}</{tag}>"
