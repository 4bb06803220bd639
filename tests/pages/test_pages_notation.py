"""Every step, statement and term in another notation: no letter or sign of the usual one is left, and numbers agree."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from svmlab.lab import words
from svmlab.lab.cards import card_markdown
from svmlab.lab.frame import glossary_popups
from svmlab.lab.home import search
from svmlab.lab.notation import C_BY_LAMBDA, QUOTED, TEX, USUAL, Notation
from svmlab.lab.practice import tasks
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Chart, Lesson, Step, Table
from svmlab.lab.words import _, tex
from svmlab.statements import CATALOGUE
from tests.lessons import LESSONS, stage_of

OTHER, MINUS = Notation(True, "t", "lambda"), Notation(minus_b=True)
VALUES_OF_B = {"b", "bᵢ", "optimal b", "mean of all", "difference"}  # the readings that are a b
WITH_B = {"duality.offset", "soft.offset"}  # the steps that have them
TABLES_WITH_B = {
    "duality.offset", "duality.programs", "duality.primal", "duality.keep", "soft.biases", "soft.forms", "soft.support",
}  # fmt: skip
GONE = re.compile(r"\+\s*b(?![A-Za-z²]|\s*\^)|(?<![A-Za-z\\'’-])y(?:_\w|ᵢ)?(?=[ ,.)$=⟨·]|\\?,|$| f)|(?<![A-Za-z])ₜ")
SHOWN_IN_CHARTS = ("text", "hovertemplate", "ticktext", "name")
TURNED = "$t_i + b$"  # a difference with b


@pytest.fixture(autouse=True)
def english() -> Iterator[None]:
    yield
    words.set_translations(words.ENGLISH)


def write_in(notation: Notation) -> None:
    words.set_translations(words.in_notation(words.ENGLISH, notation))


def in_chart(value: Any, key: str = "") -> Iterator[str]:
    """The words of a figure: titles, labels and hovers."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from in_chart(inner, name)
    elif isinstance(value, list):
        for inner in value:
            yield from in_chart(inner, key)
    elif isinstance(value, str) and key in SHOWN_IN_CHARTS:
        yield re.sub(r"%\{[^}]*\}", "", value)


def texts(step: Step, stage: Stage) -> Iterator[str]:
    """Everything that a step shows in words, formulas, charts and tables."""
    yield from (_(step.title), step.situation_text(stage), _(step.question))
    for choice in step.choices:
        yield from (_(choice.text), _(choice.why))
    yield from (step.verdict_text(stage), step.says_text(stage), f"${tex(step.formula_tex(stage))}$")
    for reading in step.readings(stage):
        yield from (reading.name, reading.definition)
    for part in parts(step, stage):
        if isinstance(part, str):
            yield part
        elif isinstance(part, Chart):
            yield from in_chart(json.loads(part.figure.to_json()))
        elif isinstance(part, Table):
            yield re.sub(r"<[^>]*>", " ", part.markup)


def parts(step: Step, stage: Stage) -> list[Any]:
    try:
        return [step.chart(stage), *step.more_parts(stage)]
    except Working:
        return []


def left_over(text: str) -> str:
    """What of the usual notation a text still has outside quotations."""
    text = re.sub(QUOTED, "", text).replace(TURNED, "")
    text = re.sub(r"\\(?:text|operatorname|mathrm|begin|end)\{+[^{}]*\}+", "", text)
    spaced = re.sub(r"\$[^$]*\$", lambda match: " ".join(TEX.findall(match[0])).replace(" _ ", "_"), text)
    match = GONE.search(spaced)
    return spaced[max(0, match.start() - 40) : match.end() + 40] if match else ""


def cells(step: Step, stage: Stage) -> list[str]:
    """The exact numbers of the tables of a step."""
    tables = [part.markup for part in parts(step, stage) if isinstance(part, Table)]
    return [number for markup in tables for number in re.findall(r'<td[^>]*title="([-\d.e+]+)"', markup)]


every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)


@pytest.mark.one_in(4)
@every_lesson
def test_no_letter_or_sign_of_the_usual_notation_is_left_in_a_step(lesson: Lesson) -> None:
    left = []
    write_in(OTHER)
    for step in lesson.steps:
        stage = stage_of(lesson, step.board())
        left += [f"{step.key}: {rest}" for text in texts(step, stage) if (rest := left_over(text))]
    assert left == []


INTRODUCES_C = {"start.symbols", "soft.price", "soft.objective", "extensions.tube", "extensions.middle"}


@every_lesson
def test_with_lambda_first_the_formulas_that_introduce_C_are_written_with_lambda(lesson: Lesson) -> None:
    for step in lesson.steps:
        stage, name = stage_of(lesson, step.board()), f"{lesson.page}.{step.key}"
        usual = step.formula_tex(stage)
        write_in(Notation(first="lambda"))
        assert (C_BY_LAMBDA in tex(usual)) is (name in INTRODUCES_C), name
        assert tex(usual).replace(C_BY_LAMBDA, "C") == usual, name
        write_in(USUAL)


@pytest.mark.one_in(4)
@every_lesson
def test_values_of_b_change_their_sign_and_no_other_number_does(lesson: Lesson) -> None:
    for step in lesson.steps:
        stage, name = stage_of(lesson, step.board()), f"{lesson.page}.{step.key}"
        write_in(USUAL)
        usual, usual_cells = step.readings(stage), cells(step, stage)
        write_in(MINUS)
        for before, after in zip(usual, step.readings(stage), strict=True):
            if name in WITH_B and before.name in VALUES_OF_B:
                assert float(after.exact) == pytest.approx(-float(before.exact)), name
            else:
                assert after.text == before.text, name
        changed = [(a, b) for a, b in zip(usual_cells, cells(step, stage), strict=True) if float(a) != float(b)]
        assert all(float(b) == -float(a) for a, b in changed), name
        assert not changed or name in TABLES_WITH_B, name


def test_cards_and_terms_have_no_letter_or_sign_of_the_usual_notation() -> None:
    write_in(OTHER)
    left = []
    for statement in CATALOGUE.values():
        if statement.witness is None:
            continue
        card = card_markdown.card_markdown(statement, statement.check(statement.witness.situation))
        card = re.sub(r"<blockquote.*?</blockquote>", "", card, flags=re.DOTALL)
        left.append((statement.id, left_over(re.sub(r"</?[a-z][^>]*>", " ", card))))
    data = glossary_popups._data()
    for name, symbol, said, formula in data["terms"].values():
        left.append((symbol, left_over(f"{name} {said} {formula}")))
    assert [each for each in left if each[1]] == []
    assert data["letters"]["t"] == "label"
    assert data["letters"].get("τ") != "label"


def test_the_numbers_of_a_card_change_their_sign_where_they_are_a_b() -> None:
    statement = CATALOGUE["H7"]
    assert statement.witness is not None
    verdict = statement.check(statement.witness.situation)

    def numbers() -> dict[str, float]:
        rows = re.findall(r"\| (.*?) \| <span title=\"([-\d.e]+)\"", card_markdown.card_markdown(statement, verdict))
        return {name: float(value) for name, value in rows}

    usual = numbers()
    write_in(MINUS)
    minus = numbers()
    assert usual["bias, primal $b$"] == -minus["bias, primal $b$"]
    for who in ("all points", "support vectors"):
        low, high = f"smallest b from {who}", f"largest b from {who}"
        assert low in usual or who != "all points"
        if low in usual:
            assert (minus[low], minus[high]) == (-usual[high], -usual[low])


def test_the_list_of_the_search_has_every_page_step_task_term_and_statement() -> None:
    entries = search.entries()
    addresses = [entry[3] for entry in entries]
    assert len(set(addresses)) == len(addresses)
    kinds = [entry[0] for entry in entries]
    steps = sum(len(lesson.steps) for lesson in LESSONS)
    assert (kinds.count("step"), kinds.count("statement")) == (steps, len(CATALOGUE))
    of_tasks = [entry[3].removeprefix("practice?step=") for entry in entries if entry[0] == "task"]
    assert [tasks.task_of(name) is not None for name in of_tasks] == [True] * len(tasks.entries())
    assert any("street" in entry[4] for entry in entries), "synonyms and forms are found too"
    write_in(OTHER)
    assert next(entry for entry in search.entries() if entry[3] == "glossary#label")[2] == "t"
