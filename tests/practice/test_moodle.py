"""Moodle XML, read back by a parser that was written from the description of the format and not from the writer.

It knows what the importer needs of each type, and grades answers as Moodle does. The first answer that fits counts.
"""

from __future__ import annotations

import re
from base64 import b64decode
from html import unescape
from xml.etree import ElementTree as ET

import pytest

from svmlab.practice import QUESTION_TYPES, BoardAnswer, Choice, Numbers, Points
from svmlab.practice.moodle import left_out, moodle_xml
from svmlab.practice.sheet import SheetQuestion
from tests.practice.test_sheet import drawing

# The fractions that Moodle accepts, in per cent; others are refused at the import.
FRACTIONS = {"100", "90", "80", "75", "70", "60", "50", "40", "30", "25", "20", "12.5", "10", "5", "0"}
PLACES = ("questiontext", "generalfeedback")  # of figures
FORMATS = {"html", "moodle_auto_format", "plain_text", "markdown"}
NUMBER = r"-?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?"
FIELD = re.compile(r"\{([0-9]*):NUMERICAL:((?:[^}]|(?<=\\)\})*)\}")
ALTERNATIVE = re.compile(rf"(=|%-?[0-9]+%)({NUMBER}):({NUMBER})(?:#([^~}}]*))?")


def text(element, path):
    """The text of one element that must be there exactly once."""
    (child,) = element.findall(f"{path}/text")
    return (child.text or "").strip()


def read(xml):
    """The questions of a file: type, words, figures, and fields with their answers (per cent, what, feedback)."""
    quiz = ET.fromstring(xml)
    assert quiz.tag == "quiz"
    category, *questions = quiz.findall("question")
    assert category.get("type") == "category"
    assert text(category, "category").startswith("$course$/")
    return [read_question(question) for question in questions]


def read_question(question):
    kind, words = question.get("type"), text(question, "questiontext")
    assert text(question, "name")
    for name in ("questiontext", "generalfeedback", "hint"):
        assert {each.get("format") for each in question.findall(name)} == {"html"}
    (penalty,) = question.findall("penalty")
    assert 0 < float(penalty.text) <= 1
    names = re.findall(r'src="@@PLUGINFILE@@/([^"]+)"', words)
    names += re.findall(r'src="@@PLUGINFILE@@/([^"]+)"', text(question, "generalfeedback"))
    files = {each.get("name"): each for path in PLACES for each in question.findall(f"{path}/file")}
    assert sorted(names) == sorted(files)
    for file in files.values():
        assert file.get("encoding") == "base64"
        assert ET.fromstring(b64decode(file.text)).tag == "{http://www.w3.org/2000/svg}svg"
    fields = {"numerical": numerical, "multichoice": multichoice, "shortanswer": short, "cloze": cloze}[kind](question)
    for answers in fields:
        assert all(share in FRACTIONS for share, _what, _why in answers)
        assert any(share == "100" for share, _what, _why in answers)
    return kind, words, fields


def answers_of(question):
    for answer in question.findall("answer"):
        assert answer.get("format") in FORMATS
        yield answer, answer.get("fraction"), (answer.find("text").text or "").strip(), plain(text(answer, "feedback"))


def numerical(question):
    graded = []
    for answer, share, value, why in answers_of(question):
        assert re.fullmatch(NUMBER, value)
        graded.append((share, (float(value), float(answer.find("tolerance").text)), why))
    return [graded]


def multichoice(question):
    assert question.find("single").text == "true"
    assert question.find("answernumbering").text in ("none", "abc", "ABCD", "123")
    return [[(share, plain(words), why) for _answer, share, words, why in answers_of(question)]]


def short(question):
    assert question.find("usecase").text in ("0", "1")
    return [[(share, words, why) for _answer, share, words, why in answers_of(question)]]


def cloze(question):
    """The fields of embedded answers, which stand in the words of the question."""
    assert question.findall("answer") == []
    fields = []
    for weight, alternatives in FIELD.findall(text(question, "questiontext")):
        assert int(weight) == 1
        parts = [ALTERNATIVE.fullmatch(each) for each in re.split(r"(?<!\\)~", alternatives)]
        fields.append(
            [
                (
                    "100" if part[1] == "=" else part[1].strip("%"),
                    (float(part[2]), float(part[3])),
                    plain(part[4] or ""),
                )
                for part in parts
            ]
        )
    return fields


def plain(words):
    return unescape(re.sub(r"</?p>", "", unescape(words)))


def grade(answers, given):
    """Per cent and feedback of an answer, as Moodle finds them: those of the first answer that fits."""
    for share, what, why in answers:
        fits = abs(given - what[0]) <= what[1] * (1 + 1e-9) + 1e-12 if isinstance(what, tuple) else given == what
        if fits:
            return share, why
    return "0", ""


def inline(words):
    return re.sub(r"\$([^$]+)\$", r"\\(\1\\)", words)


def check(keys, seed):
    """Raise an error if what Moodle would read and grade differs from what was asked and is judged here."""
    kinds = [QUESTION_TYPES[key] for key in keys]
    asked = [SheetQuestion(k.key, k.title, k.question(seed, k.difficulties[seed % len(k.difficulties)])) for k in kinds]
    xml = moodle_xml(asked, drawing)
    there = [each for each in asked if not isinstance(each.question.answer, BoardAnswer)]
    assert len(left_out(asked)) == len(asked) - len(there)
    questions = read(xml)
    assert len(questions) == len(there)
    for each, (kind, words, fields) in zip(there, questions, strict=True):
        answer = each.question.answer
        assert inline(each.question.situation) in plain(words)
        assert ("<img" in words) == (each.question.board is not None)
        if isinstance(answer, Numbers):
            assert kind == ("numerical" if len(answer.fields) == 1 else "cloze")
            for field, answers in zip(answer.fields, fields, strict=True):
                assert grade(answers, field.value) == ("100", "")
                for mistake in field.mistakes:
                    assert grade(answers, mistake.value) == ("0", plain(inline(mistake.why)))
                for typed in (field.value * 1.0005, field.value + 7, -field.value, float(f"{field.value:.3g}")):
                    assert (grade(answers, typed)[0] == "100") == field.judge(repr(typed)).right
        elif isinstance(answer, Choice):
            assert kind == "multichoice"
            expected = [("0" if o.why else "100", inline(o.words), inline(o.why)) for o in answer.options]
            assert fields == [expected]
        else:
            assert isinstance(answer, Points)
            assert kind == "shortanswer"
            for points in (answer.right, *(wrong.points for wrong in answer.wrong if wrong.points)):
                judged = answer.judge(points)
                for sign in (", ", ",", " "):
                    share, why = grade(fields[0], sign.join(map(str, sorted(points))))
                    assert (share == "100") == judged.right
                    assert judged.right or why == plain(inline(judged.sentences[0]))


@pytest.mark.parametrize("seed", [3, *(pytest.param(n, marks=pytest.mark.sweep) for n in range(100, 130))])
def test_moodle_reads_and_grades_every_question_as_it_is_judged_here(seed):
    check(QUESTION_TYPES, seed)


def test_a_question_with_a_board_is_left_out_with_its_reason():
    kind = QUESTION_TYPES["delete_points"]
    asked = [SheetQuestion("delete-points-3-3", kind.title, kind.question(3, 3))]
    assert isinstance(asked[0].question.answer, BoardAnswer)
    assert left_out(asked) == (f"“{kind.title}” is answered with a board, and Moodle cannot judge boards.",)
    assert read(moodle_xml(asked, drawing)) == []


def test_the_general_feedback_has_the_lines_of_the_solution_and_the_mistakes_of_several_numbers():
    kinds = [QUESTION_TYPES[key] for key in ("circle_support_vectors", "perceptron_mistakes")]
    asked = [SheetQuestion(kind.key, kind.title, kind.question(2033, 2)) for kind in kinds]
    _category, points, numbers = ET.fromstring(moodle_xml(asked, drawing)).findall("question")
    drawn = b64decode(points.findtext("generalfeedback/file")).decode()
    assert drawn.count("<path/>") == len(asked[0].question.boundaries) == 1
    assert b64decode(points.findtext("questiontext/file")).decode().count("<path/>") == 0
    assert "The dashed lines are the margin lines" in text(points, "generalfeedback")
    for mistake in asked[1].question.answer.joint:
        assert plain(inline(next(filter(None, mistake.whys)))) in plain(text(numbers, "generalfeedback"))
    assert numbers.find("generalfeedback/file") is None
