"""The words of the lessons, the statements and the rest of the app: short whole sentences with the textbook's terms."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from svmlab.lab.glossary import TERMS
from svmlab.lab.teach.step import Lesson
from svmlab.statements import CATALOGUE
from tests.core_path import core_path, table
from tests.lessons import LESSONS, stage_of

PACKAGE = Path(__file__).parents[2] / "svmlab"
ROOT = PACKAGE / "lab" / "lessons"
LETTERS = sorted({id[0] for id in CATALOGUE})  # of the ids of the statements
REST = "the rest"  # everything that is marked in svmlab, but not in lessons or statements
STATEMENTS = "statements "  # before a letter: the modules of these statements; before nothing: those of no statement
WORDS = 25  # the longest sentence, formulas not counted
KNOWN_LETTERS = set("xywbfCλm")  # need no introduction

# Nicknames, by what to write instead. Ordinary words stay: only these phrases are refused.
NICKNAMES = {
    r"(?<!support vector )\bmachines?\b": "SVM or classifier",
    r"\bstreets?\b": "margin (once, in quotation marks, where intuition is built)",
    r"\b(?:who|what|points? that) (?:carr(?:y|ies)|holds?) (?:it|the|w\b)": "support vectors; the boundary depends on",
    r"\bnobody\b|\bsomebody\b|\beverybody\b|\bwhoever\b|\bwhom\b": "a noun",
    r"\bcome(?:s)? to (?:an|no) end\b|\bgives? up\b": "converges; does not converge",
    r"\bby heart\b": "overfits",
    r"\btell(?:s)? (?:them )?apart\b|\btold apart\b|\bkept apart\b": "separate; distinguish",
    r"\blikeness\b": "similarity",
    r"\bpulls? with all\b": "its multiplier is at the bound C",
    r"\bmended\b|\brepaired\b": "corrected",
    r"\bthe prints?\b|\bthe printed\b|\bprints it\b": "the lecture notes state",
    r"\bNot here\b": "a reason",
    r"\bSo it is with\b": "a reason",
    r"\bfor ever\b|\bwithout end\b": "without bound",
    r"\bdearest\b|\bpays?\b|\bpaid\b|\bprices?\b": "penalty; the regularisation parameter C",
    r"\bshare wrong\b|\bwhat it has wrong\b": "error rate",
    r"\bplaces?\b(?! of decimals)": "point; position",
    r"\bmultipliers? (?:weighs?|is full)\b|\bfull points?\b": "at its bound C",
    r"\bway (?:into|down|in)\b": "slack; descent direction",
    r"\bshall\b": "must",
    r"\bthe least\b|\bleast norm\b(?! solution)": "smallest; minimum",
    r"\bterraces?\b|\bcliffs?\b": "piecewise constant",
    r"\bone against the rest\b": "one-vs-rest",
    r"\bthe true one\b": "true error",
}
SEARCHED = "it is shown nowhere, but a reader may search the glossary for it"
ALLOWED: dict[str, str] = {  # an exact string, by the reason why its nickname stays
    **{term.synonyms: SEARCHED for term in TERMS.values() if term.synonyms},
    "widest street|street|strip": "the words by which a text refers to the term that explains the nickname",
}
POSITIONS = re.compile(
    r"\bon the (?:right|left)(?:$|[.,;:)]| of the (?:screen|page))"
    r"|\b(?:chart|bars?|table|board|curves?|slider|text|picture|legend) (?:below|above)\b"
    r"|\b(?:see|shown|drawn|listed) (?:below|above)\b|\b(?:below|above)[.:]"
)
CHAINED = re.compile(r"\w[;:] (?:[a-z]\w*\b)(?! ?=)")
SMALL = "|a|an|and|are|as|at|be|by|do|does|for|from|has|have|if|in|is|it|its|no|not|of|on|or|so|than|that|the|to|with|"


def modules(page: str) -> list[Path]:
    """The modules of a lesson, of the statements with a letter, of what all statements share (no letter), or the rest.

    A module with statements of several letters belongs to the first of them.
    """
    if page == REST:
        others = (ROOT, PACKAGE / "statements")
        return [p for p in sorted(PACKAGE.rglob("*.py")) if not any(p.is_relative_to(other) for other in others)]
    if not page.startswith(STATEMENTS):
        return sorted((ROOT / page).rglob("*.py"))
    letter = page.removeprefix(STATEMENTS)
    paths = sorted((PACKAGE / "statements").rglob("*.py"))
    first_letters = [re.search(r'^@statement\(\s*"([A-Z])', path.read_text(encoding="utf-8"), re.M) for path in paths]
    own = [path for path, match in zip(paths, first_letters, strict=True) if (match[1] if match else "") == letter]
    return own + ([] if letter else sorted((PACKAGE / "lab" / "cards").rglob("*.py")))


@cache
def marked(page: str) -> tuple[str, ...]:
    """Every string of a lesson or of the statements with a letter that is translated when it is shown."""
    calls = [
        n
        for path in modules(page)
        for n in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(n, ast.Call)
    ]
    translated = {"_", "N_"} | ({"Phrase", "Side", "DoesNotApply"} if page.startswith(STATEMENTS) else set())
    first = [call.args[0] for call in calls if call.args and getattr(call.func, "id", "") in translated]
    return tuple(str(each.value) for each in first if isinstance(each, ast.Constant))


def plain(text: str) -> str:
    """The words of a text, each formula, value and code by one sign that is no word."""
    text = re.sub(r"\$\$.*?\$\$|\$[^$]*\$|`[^`]*`", " ◦ ", text, flags=re.DOTALL)
    text = re.sub(r"<[^>]+>|\*+", "", text)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text)


def sentences(text: str) -> list[str]:
    """The sentences of a text. Labels, without a full stop, are none."""
    parts = re.split(r"(?<=[.?!])[\"”*)]*\s+(?:- )?(?=[A-ZΑ-Ω◦{“\"(])", plain(text).strip())
    return [part for part in parts if re.search(r"[.?!][\"”)]*$", part) and len(part.split()) > 2]


def length(sentence: str) -> int:
    return len([word for word in sentence.split() if re.search(r"[A-Za-z]{2}|^[aAI]$", word)])


def offences(page: str) -> Iterator[str]:
    """What breaks a rule in each string by itself."""
    for text in marked(page):
        if text in ALLOWED:
            continue
        words = plain(re.sub(r"[\"“][^\"”]*[\"”]|\*[^*\s][^*]*\*(?!\*)", "◦", text))  # quotations stay word for word
        for nickname, better in NICKNAMES.items():
            if match := re.search(nickname, words):
                yield f"{match[0]!r}: write {better}, in {text!r}"
        if match := POSITIONS.search(words):
            yield f"{match[0]!r} is a position on the screen, in {text!r}"


def sentences_of(page: str) -> list[str]:
    """All sentences of a lesson."""
    return [sentence for text in marked(page) for sentence in sentences(text)]


def figures(page: str) -> dict[str, float]:
    """The rates of the rules that allow exceptions, as parts of all sentences."""
    of_lesson = sentences_of(page)
    n = max(1, len(of_lesson))
    return {
        "long": sum(length(each) > WORDS for each in of_lesson) / n,
        "chained": sum(bool(CHAINED.search(each)) for each in of_lesson) / n,
        "you": sum(bool(re.search(r"\b[Yy]ou(?:r|rs)?\b", each)) for each in of_lesson) / n,
        "sentences": len(of_lesson),
    }


every_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)


@every_lesson
def test_no_nickname_and_no_position_on_the_screen(lesson: Lesson) -> None:
    assert list(offences(lesson.page)) == []


@every_lesson
def test_sentences_are_short_and_unchained_and_speak_to_the_reader(lesson: Lesson) -> None:
    rates = figures(lesson.page)
    of_lesson = sentences_of(lesson.page)
    assert rates["long"] <= 0.005, [each for each in of_lesson if length(each) > WORDS]
    assert rates["chained"] <= 0.05, [each for each in of_lesson if CHAINED.search(each)]
    assert rates["you"] >= 0.05


@pytest.mark.parametrize("letter", ["", *LETTERS])
def test_statements_have_no_nickname_and_no_position_on_the_screen(letter: str) -> None:
    assert marked(STATEMENTS + letter)
    assert list(offences(STATEMENTS + letter)) == []


def test_the_rest_of_the_app_has_no_nickname_and_no_position_on_the_screen() -> None:
    assert list(offences(REST)) == []


@pytest.mark.parametrize(
    "pages", [[STATEMENTS + letter for letter in ("", *LETTERS)], [REST]], ids=["statements", REST]
)
def test_other_sentences_are_short_and_unchained(pages: list[str]) -> None:
    all_sentences = [each for page in pages for each in sentences_of(page)]
    long = [each for each in all_sentences if length(each) > WORDS]
    chained = [each for each in all_sentences if CHAINED.search(each)]
    assert len(long) <= 0.005 * len(all_sentences), long
    assert len(chained) <= 0.05 * len(all_sentences), chained


def letters(text: str) -> Iterator[tuple[str, str]]:
    """Each letter of a question with the word before it."""
    text = re.sub(r"\\(?:text|operatorname|mathbf|mathbb|mathrm)\{[^}]*\}", " ", text)
    text = re.sub(rf"\\({NAMES.replace(' ', '|')})\b", lambda match: GREEK[match[1]], text)
    text = re.sub(r"\\[a-zA-Z]+|[$*{}_^]", " ", text)
    before = ""
    for token in re.findall(r"[A-Za-z]+|[α-ωΑ-Ω]", text):
        if len(token) == 1 and token not in "aAI":
            yield token, before
        before = token if len(token) > 1 or token in "aAI" else before


NAMES = "alpha lambda xi sigma rho eta epsilon varepsilon phi theta gamma delta"
GREEK = dict(zip(NAMES.split(), "αλξσρηεεφθγδ", strict=True))


@every_lesson
def test_each_letter_in_a_question_has_its_name_beside_it(lesson: Lesson) -> None:
    """The situation folds away with the answer, so the question names what its letters are."""
    wrong = []
    for step in lesson.steps:
        seen = set(KNOWN_LETTERS)
        for letter, before in letters(step.question):
            if letter not in seen and (not before or f"|{before.lower()}|" in SMALL):
                wrong.append(f"{step.key}: {letter} in {step.question!r}")
            seen.add(letter)
    assert wrong == []


@every_lesson
def test_each_step_says_its_situation_and_asks_one_question(lesson: Lesson) -> None:
    for step in lesson.steps:
        assert step.situation, f"{step.key} has no situation"
        assert step.question.count("?") == 1, step.question
        assert re.search(r"\?\**$", step.question), step.question
        assert not re.search(r"\b[Tt]hese\b|\bthis (?:count|number|point|line)\b", step.question), step.question


@every_lesson
def test_the_verdict_begins_with_the_words_of_the_right_choice(lesson: Lesson) -> None:
    wrong = []
    for step in lesson.steps:
        stage = stage_of(lesson, step.board())
        choice, verdict = (
            re.sub(r"[\W_]+", " ", plain(each)).strip().lower()
            for each in (step.choices[step.answer(stage)].text, step.verdict_text(stage))
        )
        if not verdict.startswith(choice) or len(verdict.split()) < len(choice.split()) + 3:
            wrong.append(f"{step.key}: {verdict!r} begins otherwise than {choice!r}, or adds nothing")
    assert wrong == []


@every_lesson
def test_a_screen_is_calm(lesson: Lesson) -> None:
    for step in lesson.steps:
        stage = stage_of(lesson, step.board())
        assert len(step.readings(stage)) <= 3, step.key
        assert sum(not pick.in_more for pick in step.picks) + bool(step.tries) <= 2, step.key
        assert step.rests_on_answer is not None, f"{step.key} does not say in which state the board answers"


@every_lesson
def test_a_lesson_opens_with_its_aim_and_ends_with_a_summary(lesson: Lesson) -> None:
    assert len(sentences(lesson.intro)) == 2
    assert lesson.minutes > 0
    assert lesson.end is not None or len(lesson.summary) == 5
    assert any(not step.deeper for step in lesson.steps)


def test_the_core_path_uses_no_term_before_it_is_introduced() -> None:
    """Over all lessons in their order: the words before Show."""
    unknown = [
        f"{each.step.key}: {set(each.step.introduces) - set(TERMS)} are no terms"
        for each in core_path()
        if not set(each.step.introduces) <= set(TERMS)
    ]
    early = [f"{each.lesson.page}.{each.step.key} uses {sorted(each.unknown)}" for each in core_path() if each.unknown]
    assert unknown + early == []


def test_the_list_of_the_core_path_is_up_to_date() -> None:
    written = (PACKAGE.parent / "docs" / "core_path.md").read_text(encoding="utf-8")
    assert written == table(), "write it again: python -m tests.core_path > docs/core_path.md"


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("The machine is here.", "machine"),
        ("See the bars below.", "position"),
        ("It is told apart.", "told apart"),
    ],
)
def test_the_gate_notices(text: str, rule: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "marked", lambda page: (text,))
    assert any(rule in offence for offence in offences("some"))


def test_the_gate_leaves_quotations_and_formulas_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "The notes call it the “street”. Each formula such as $a; b: machine$ is left out."
    monkeypatch.setitem(globals(), "marked", lambda page: (text,))
    assert list(offences("some")) == []
    assert [length(each) for each in sentences(text)] == [6, 7]


if (
    __name__ == "__main__"
):  # the figures of lessons, statements and the rest: python -m tests.pages.test_pages_plain_english
    ids = "".join(dict.fromkeys(id[0] for id in CATALOGUE))
    for each in (*(lesson.page for lesson in LESSONS), STATEMENTS, *(STATEMENTS + letter for letter in ids), REST):
        print(each, len(list(offences(each))), figures(each))
