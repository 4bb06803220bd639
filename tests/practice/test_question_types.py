"""Every question type: well posed for every seed, judged alike by a second way, and nothing of it left out."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from fractions import Fraction
from itertools import cycle, islice
from math import isfinite
from pathlib import Path

import pytest

from svmlab import BadInput
from svmlab.core.phrase import Phrase
from svmlab.practice import (
    QUESTION_TYPES,
    BoardAnswer,
    Choice,
    Hint,
    Numbers,
    Points,
    Question,
    QuestionType,
    Unreadable,
    question_types,
)
from svmlab.practice.question import Mistake, Number, Option
from svmlab.practice.question_types import one_vs_rest_region
from svmlab.statements import CATALOGUE
from tests.lessons import LESSONS
from tests.offences import each_of
from tests.pages.test_pages_plain_english import NICKNAMES, WORDS, length, plain, sentences

HERE = Path(__file__).parent
STEPS = {f"{lesson.page}.{step.key}" for lesson in LESSONS for step in lesson.steps}
TYPES = list(QUESTION_TYPES.values())
LONGEST_SITUATION = 600  # characters, formulas included


def variants(kind: QuestionType, n: int) -> list[tuple[int, int]]:
    """The seed and difficulty of the first n questions, one difficulty after the other."""
    return list(enumerate(islice(cycle(kind.difficulties), n)))


def second_way(kind: QuestionType):
    return importlib.import_module(f"tests.practice.second_ways.{kind.key}").answer


def texts_of(question: Question) -> list[str]:
    """Every text that a reader of the question can meet."""
    answer = question.answer
    if isinstance(answer, Numbers):
        of_answer = [text for field in answer.fields for text in (field.label, *(m.why for m in field.mistakes))]
        of_answer += [why for mistake in answer.joint for why in mistake.whys if why]
    elif isinstance(answer, Choice):
        of_answer = [text for option in answer.options for text in (option.words, option.why) if text]
    else:
        of_answer = [wrong.why for wrong in answer.wrong]
    hints = [hint.words for hint in question.hints]
    return [question.situation, question.ask, *of_answer, *hints, *question.solution]


def check_words(text: str) -> None:
    own = re.sub(r"[\"“][^\"”]*[\"”]", "◦", text)  # quotations stay word for word
    for sentence in sentences(own):
        assert length(sentence) <= WORDS, f"more than {WORDS} words: {sentence}"
    words = plain(own)
    for nickname, better in NICKNAMES.items():
        match = re.search(nickname, words)
        assert not match, f"{match and match[0]!r}: write {better}, in {text!r}"
    assert not re.search(r"\{[a-z_]\w*\}|\d\.\d{7}|\bNone\b|\bnan\b", plain(text)), text
    assert not re.search(r"\d[eE][+-]?\d", text), f"a number with an exponent: {text}"
    assert text.count("$") % 2 == 0, text


def check_hints(hints: tuple[Hint, ...]) -> None:
    assert len(hints) >= 2, "at least two hints are needed: an idea, and a step or statement"
    assert hints[0].step == hints[0].statement == "", "the first hint is an idea"
    assert any(hint.step or hint.statement for hint in hints), "no hint leads to a step or a statement"
    for hint in hints:
        assert not hint.step or hint.step in STEPS, f"there is no step {hint.step}"
        assert not hint.statement or hint.statement in CATALOGUE, f"there is no statement {hint.statement}"


def notations(value: float) -> list[str]:
    """The same number in the ways in which people write it."""
    sign = "-" if value < 0 else ""
    ways = [f"{value:.6f}", f"{value:.6f}".replace(".", ","), f"{value:.6e}", f"{sign}sqrt({value * value:.9f})"]
    fraction = Fraction(value).limit_denominator(10**5)
    return [*ways, f"{fraction.numerator}/{fraction.denominator}".replace("-", "−"), f"{float(f'{value:.3g}'):.6f}"]


def check_numbers(answer: Numbers, expected: tuple[float, ...]) -> None:
    assert len(expected) == len(answer.fields), f"the second way finds {len(expected)} numbers"
    for field, value in zip(answer.fields, expected, strict=True):
        assert abs(field.value - value) <= 1e-4 * max(abs(field.value), 1e-2), (
            f"the second way finds {value}, not {field}"
        )
        assert isfinite(field.value), field
        assert field.value == 0 or 1e-3 <= abs(field.value) <= 1e5, f"{field.label} = {field.value} is degenerate"
        assert not field.whole or field.value == int(field.value), field
        for text in notations(field.value):
            assert field.judge(text).right, (text, field)
        for mistake in field.mistakes:
            for text in notations(mistake.value):
                judged = field.judge(text)
                assert not judged.right, (text, field)
                assert judged.known or field.whole, (text, mistake)
            assert mistake.why in field.judge(repr(float(mistake.value))).sentences[0]
    for joint in answer.joint:
        typed = [f.value if v is None else v for f, v in zip(answer.fields, joint.values, strict=True)]
        judged = answer.judge([repr(float(value)) for value in typed])
        assert not judged.right
        for why, right, says in zip(joint.whys, judged.right_parts, judged.sentences, strict=True):
            assert right or why in says, (joint, says)


def check_answer(question: Question, expected: object) -> None:
    answer = question.answer
    if isinstance(answer, Numbers):
        check_numbers(answer, tuple(expected))
    elif isinstance(answer, Choice):
        right = answer.options[answer.right].words
        assert expected in right, f"the second way finds {expected!r}, not {right!r}"
        assert [answer.judge(i).right for i in range(len(answer.options))].count(True) == 1
    elif isinstance(answer, Points):
        assert question.board is not None, "points are asked for without a board"
        assert set(expected) == answer.right, f"the second way finds {set(expected)}, not {set(answer.right)}"
        assert answer.right <= set(question.board.ids)
    elif isinstance(answer, BoardAnswer):
        assert question.board == answer.start
        boards = [answer.witness, answer.start, *(wrong.board for wrong in answer.wrong)]
        for board in boards:
            judged = answer.judge(board.problem).right
            assert expected(board.points) == judged, f"the second way judges {board} otherwise"


def check(kind: QuestionType, seed: int, difficulty: int) -> str:
    """Everything that holds for one question. Returns what is asked."""
    question = kind.question(seed, difficulty)
    shown = f"{question.situation}\n{question.ask}\n{question.board and question.board.points}"
    assert question == kind.question(seed, difficulty), "the same seed gives another question"
    assert question.is_clear
    assert isinstance(question.situation, Phrase)
    assert question.ask.count("?") == 1, question.ask
    assert question.ask.endswith("?"), question.ask
    assert len(question.situation) <= LONGEST_SITUATION, f"{len(question.situation)} characters"
    assert question.solution, "the solution is missing"
    if question.board is not None:
        assert re.search(r"The discs have the label 1\b.*the squares have the label −1", question.situation, re.I), (
            "which marker has which label?"
        )
    for text in texts_of(question):
        check_words(text)
    check_hints(question.hints)
    check_answer(question, second_way(kind)(question))
    return shown


@each_of(TYPES, name=lambda kind: kind.key)
def test_questions_are_well_posed_and_a_second_way_finds_the_same_answer(kind: QuestionType) -> None:
    asked = [check(kind, seed, difficulty) for seed, difficulty in variants(kind, 20)]
    assert len(set(asked)) >= 12, f"only {len(set(asked))} of 20 seeds give different questions"


@pytest.mark.sweep
@pytest.mark.parametrize("kind", TYPES, ids=lambda kind: kind.key)
def test_so_are_a_thousand_of_each(kind: QuestionType) -> None:
    for seed, difficulty in variants(kind, 1000):
        try:
            check(kind, seed, difficulty)
        except AssertionError as error:
            pytest.fail(f"seed {seed}, difficulty {difficulty}: {error}")


def modules(room: str) -> set[str]:
    return {module.name for module in pkgutil.iter_modules([str(HERE / room)])}


def test_each_type_is_a_module_here_and_one_among_the_second_ways() -> None:
    names = {module.name for module in pkgutil.iter_modules(question_types.__path__)}
    assert names == set(QUESTION_TYPES), "each module has one question type"
    assert names == modules("second_ways"), "each question type has a second way in tests/practice/second_ways"


@each_of(sorted((HERE / "second_ways").glob("*.py")), name=lambda path: path.stem)
def test_a_second_way_shares_nothing_with_the_judge(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        names = [node.module or ""] if isinstance(node, ast.ImportFrom) else []
        names += [each.name for each in node.names] if isinstance(node, ast.Import) else []
        for name in names:
            own = name.split(".")[0] in ("svmlab", "tests", "importlib")
            assert not own or name.startswith("svmlab.data"), f"{path.stem} imports {name}"


def test_an_unknown_difficulty_is_refused() -> None:
    only = QuestionType("some", "Some", "margin", TYPES[0].make, (2,))
    with pytest.raises(BadInput, match="Use one of 2"):
        only.question(0, 1)


def test_what_cannot_be_read_is_not_wrong() -> None:
    answer = QUESTION_TYPES["margin_width"].question(0, 1).answer
    with pytest.raises(Unreadable, match="not part of a number"):
        answer.judge(["about two"])


def test_a_field_that_cannot_be_read_is_named_and_the_others_are_judged() -> None:
    answer = Numbers(tuple(Number(label, value, (Mistake(5, "Five."),)) for label, value in (("left", 1), ("top", 2))))
    judged = answer.judge(["about 1", "5"])
    assert (judged.right, judged.is_complete, judged.right_parts) == (False, False, (None, False))
    assert judged.sentences[0].startswith("left: 'about' in 'about 1' is not part of a number")
    assert judged.sentences[1] == "top: 5 is not right. Five."
    assert answer.judge(["1", "2"]).is_complete
    with pytest.raises(Unreadable, match="left: The answer is empty"):
        answer.judge(["", "?"])


def test_an_answer_that_is_nearly_exact_enough_is_told_so() -> None:
    judged = Number("width", 2 / 7**0.5, (Mistake(1 / 7**0.5, "Half."), Mistake(2 / 7, "No root."))).judge("0.76")
    assert (judged.right, judged.known) == (False, False)
    assert "close" in judged.sentences[0]


@pytest.mark.parametrize(
    "answer",
    [
        Numbers(
            (
                Number(
                    "x",
                    2.0,
                    (Mistake(2.001, "Too close."), Mistake(5.0, "Far.")),
                ),
            )
        ),
        Numbers((Number("x", 2.0, (Mistake(5.001, "As the next."), Mistake(5.0, "As the last."))),)),
        Numbers((Number("x", float("inf"), (Mistake(1.0, "One."), Mistake(5.0, "Five."))),)),
        Choice((Option("larger"), Option("smaller"), Option("equal", "No."))),
        Choice((Option("larger"), Option("larger", "No."), Option("equal", "No."))),
    ],
    ids=["mistake is right", "two mistakes are one", "infinite", "two right ones", "two equal ones"],
)
def test_unclear_answers_are_noticed(answer: Numbers | Choice) -> None:
    assert not answer.is_clear


@pytest.mark.parametrize(
    ("f", "k", "farthest", "said"),
    [
        ((2, 1, -1), 1, 0, "claims the point"),
        ((-1, -2, -4), 1, 0, "is larger"),
        ((1, 2, -4), 2, 1, "absolute values"),
        ((1, 2, 0), 0, 0, "distances"),
    ],
)
def test_a_wrong_class_of_one_against_the_rest_gets_the_reason_that_fits_its_value(f, k, farthest, said):
    assert said in one_vs_rest_region._why(k, list(f), farthest, f.index(max(f)))
