"""Words: what is marked can be extracted, is filled after it was translated, and is shown in the session's language."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from gettext import NullTranslations
from pathlib import Path
from string import Formatter
from threading import Thread

import pytest
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_keywords
from streamlit.testing.v1 import AppTest

from svmlab import BadInput, NotSeparable, Separation
from svmlab.core.errors import TranslatableError
from svmlab.core.phrase import Phrase, join_phrases
from svmlab.kernels.standard import KERNELS
from svmlab.lab import words
from svmlab.lab.board import encoded
from svmlab.lab.frame import language
from svmlab.lab.frame.language import CLOSE, OPEN, Pseudo
from svmlab.lab.session import inbox
from svmlab.lab.session.state import initial_history
from svmlab.lab.session.tab import Session
from svmlab.lab.session.worker import Job
from svmlab.lab.teach.step import Step
from svmlab.lab.words import N_, _, message_of
from svmlab.statements import CATALOGUE
from tests.lessons import LESSONS

ROOT = Path(__file__).parents[2]
MAPPING = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["babel"]["mappings"][0]
MARKS = set(MAPPING["keywords"])
TRANSLATED = {"_", "N_"}
LETTERS = re.compile(r"(?<!\\)\b[^\W\d_]{2,}")


def files() -> list[Path]:
    return sorted(path for path in (ROOT / "svmlab").rglob("*.py") if path.name != "phrase.py")


@cache
def marked(path: Path) -> tuple[tuple[str, ast.Call], ...]:
    """Every call that marks its first argument, by the name of what marks it."""
    calls = (node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call))
    names = ((getattr(call.func, "id", None), call) for call in calls if call.args)
    return tuple((name, call) for name, call in names if name in MARKS)


def literal(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


@pytest.fixture
def pseudo():
    words.set_translations(Pseudo())
    yield
    words.set_translations(words.ENGLISH)


class Shout(NullTranslations):
    def gettext(self, message: str) -> str:
        return re.sub(r"\{\w+\}|.", lambda match: match[0] if len(match[0]) > 1 else match[0].upper(), message)


# ---------------------------------------------------------------- what is marked


def test_every_error_that_speaks_is_a_mark():
    def all_subclasses(kind: type) -> Iterator[type]:
        for each in kind.__subclasses__():
            yield each
            yield from all_subclasses(each)

    ours = {kind.__name__ for kind in all_subclasses(TranslatableError) if kind.__module__.startswith("svmlab.")}
    assert ours <= MARKS, f"{ours - MARKS}: name them in pyproject.toml, [tool.babel], or their words are not extracted"


def spoilt(call: ast.Call) -> str | None:
    """What keeps Babel from the words of a call that marks them."""
    kept = call.args[0] if literal(call.args[0]) is None else call.func
    if isinstance(kept, ast.Call) and getattr(kept.func, "id", None) in MARKS:
        return None
    if isinstance(kept, ast.BinOp):
        return "puts words together: write one sentence"
    for node in ast.walk(kept):
        if isinstance(node, ast.JoinedStr):
            return "holds an f-string: give the words {names} to fill"
        if literal(node) is not None:
            return "holds a literal, and Babel takes every literal in it for the words: keep them elsewhere"
    return None


def test_a_marked_word_is_a_literal_or_was_marked_where_it_is_kept():
    """Over every module: Babel can read the words of each call that marks them, or they were marked elsewhere."""
    calls = [(path, name, call) for path in files() for name, call in marked(path)]
    wrong = [
        f"{path.relative_to(ROOT)}:{call.lineno}: {name}(...) {why}"
        for path, name, call in calls
        if (why := spoilt(call))
    ]
    assert len(calls) > 1000
    assert wrong == []


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ('_("a" + b)', "puts words together"),
        ('_(f"a {b}")', "holds an f-string"),
        ('_(names["a"])', "holds a literal"),
        ("_(names[b])", None),
        ('_(N_("a"))', None),
        ('_("a")', None),
    ],
)
def test_what_babel_cannot_read_is_found(source, why):
    """The check above notices each of the three ways to hide words from Babel, and nothing else."""
    fault = spoilt(ast.parse(source, mode="eval").body)
    assert fault is None if why is None else fault.startswith(why)


def test_what_a_template_asks_for_is_given():
    """Over every module: a template is given exactly the names that stand in its braces."""
    wrong = []
    for path in files():
        for name, call in marked(path):
            template, given = literal(call.args[0]), {k.arg for k in call.keywords}
            if template is not None and given and None not in given and name not in TRANSLATED | {"Side"}:
                asked = {field for _text, field, _spec, _conversion in Formatter().parse(template) if field is not None}
                if asked != given:
                    wrong.append(f"{path.relative_to(ROOT)}:{call.lineno}: {template!r} is given {sorted(given)}")
    assert wrong == []


def test_babel_extracts_every_marked_word_and_no_piece_of_one():
    methods, options = [(MAPPING["pattern"], MAPPING["method"])], {MAPPING["pattern"]: {}}
    extracted = extract_from_dir(ROOT, methods, options, parse_keywords(MAPPING["keywords"]))
    first = {message if isinstance(message, str) else message[0] for *_place, message, _c, _x in extracted}
    known = {literal(call.args[0]) for path in files() for _name, call in marked(path)} - {None, ""}
    assert first - {None} == known
    assert "{field}: {value} is not a number." in known


def test_no_word_of_a_statement_is_left_unmarked():
    known = {literal(call.args[0]) for path in files() for _name, call in marked(path)}
    for statement in CATALOGUE.values():
        said = [statement.title, statement.sentence, statement.repair, statement.conditions]
        said += [source.place for source in statement.source] + ([statement.witness.words] if statement.witness else [])
        for word in filter(None, said):
            parts = [word] if not word.values else [v for v in word.values.values() if isinstance(v, Phrase)] or [word]
            assert all(part.template in known for part in parts), (statement.id, word)


def test_no_word_of_a_kernel_is_left_unmarked():
    for kernel in KERNELS.values():
        assert isinstance(kernel().title, Phrase), kernel
        for p in kernel.parameters:
            assert isinstance(p.help, Phrase), p
            assert p.slider is None or isinstance(p.slider.title, Phrase), p


def said(step: Step) -> Iterator[str]:
    """The words that a step keeps to be translated when they are shown."""
    yield from (step.title, step.question)
    yield from (words for choice in step.choices for words in (choice.text, choice.why))
    yield from (need.why for need in step.needs)
    yield from (each.label for each in step.tries)
    yield from (each.label for each in step.picks)
    yield from [step.says] if isinstance(step.says, str) else []


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.page)
def test_no_word_of_a_step_is_left_unmarked(lesson):
    kept = [lesson.intro, *(words for step in lesson.steps for words in said(step))]
    assert [words for words in kept if LETTERS.search(words) and not isinstance(words, Phrase)] == []


# ---------------------------------------------------------------- what a phrase is


def test_an_error_carries_its_template_and_values_and_reads_as_english():
    error = BadInput("{field}: {value} is not a number.", field="C", value="'x'")
    assert str(error) == error.message == "C: 'x' is not a number."
    assert (error.template, error.values) == ("{field}: {value} is not a number.", {"field": "C", "value": "'x'"})
    assert str(BadInput('Write {"X": []}.')) == 'Write {"X": []}.'


def test_what_fills_a_phrase_is_translated_with_it():
    words.set_translations(Shout())
    inner = BadInput("row {n}", n="seven")
    outer = BadInput("in {what}: {error}", what=N_("the file"), error=inner)
    assert message_of(outer) == "IN THE FILE: ROW seven"
    assert _(join_phrases(N_("a {n}."), Phrase("b {n}.", n=2))) == "A {n}. B 2."
    words.set_translations(words.ENGLISH)
    assert message_of(outer) == str(outer) == "in the file: row seven"


def test_a_phrase_of_a_phrase_is_the_same_and_none_is_empty():
    phrase = Phrase("{n} points", n=3)
    assert Phrase(phrase) is phrase
    assert join_phrases("", "") == _("") == ""
    assert join_phrases("", phrase) == "3 points"


def test_no_boundary_says_so_in_every_language(pseudo):
    none = Separation(False, None, None, None, None, None)
    error = NotSeparable("No boundary{through}.", none, through=N_(" through the origin"))
    assert message_of(error) == f"{OPEN}No boundary {OPEN}through the origin{CLOSE}.{CLOSE}"
    assert error.separation is none


# ---------------------------------------------------------------- who speaks what


def test_a_thread_that_was_told_nothing_speaks_english_and_work_speaks_as_the_one_who_asked(pseudo):
    heard = []
    thread = Thread(target=lambda: heard.append(_("Run")))
    thread.start()
    thread.join()
    job = Job((), lambda report: heard.append(_("Run")))
    assert job.wait(10)
    assert heard == ["Run", f"{OPEN}Run{CLOSE}"]


def test_the_board_gets_its_words_in_the_language_of_the_session(pseudo):
    sent = encoded(inbox.wire_data(Session(initial_history())) | {"ack": 0}).decode()
    assert f'"undo":"{OPEN}Undo (Ctrl+Z){CLOSE}"' in sent
    assert f"at most 300 points. Delete some to make room.{CLOSE}" in sent


def page() -> None:
    import streamlit as st

    from svmlab.lab.frame import language
    from svmlab.lab.frame.language import Pseudo
    from svmlab.lab.session.inbox import current_session
    from svmlab.lab.words import _

    if "lab" not in st.session_state:
        current_session("lab").view.translations = Pseudo()
    assert language.server_language
    st.caption(_("Run"))


def test_every_run_of_a_page_speaks_the_language_of_its_session():
    at = AppTest.from_function(page).run()
    for _again in range(2):
        assert [c.value for c in at.caption] == [f"{OPEN}Run{CLOSE}"]
        at.run()


def test_a_language_that_is_not_there_is_english(monkeypatch):
    for name, expected in (("pseudo", Pseudo), ("xx", NullTranslations), ("en", NullTranslations)):
        monkeypatch.setenv(language.VARIABLE, name)
        assert type(language.server_language.__wrapped__()) is expected


# ---------------------------------------------------------------- the language of tests


@pytest.mark.parametrize(
    ("message", "shown"),
    [
        ("Run", "⟦Run⟧"),
        ("### Head", "### ⟦Head⟧"),
        ("- **one**\n- two", "- ⟦**one**⟧\n- ⟦two⟧"),
        ("a\n\nb", "⟦a⟧\n\n⟦b⟧"),
        ("| a | b\\|c |\n|---|---|", "| ⟦a⟧ | ⟦b\\|c⟧ |\n|---|---|"),
        ("{n} of {m}, $x^2$", "⟦{n} of {m}, $x^2$⟧"),
        (" through", " ⟦through⟧"),
    ],
)
def test_brackets_stand_within_what_makes_a_line_what_it_is(message, shown):
    assert Pseudo().gettext(message) == shown
