"""The core path over all lessons: `python -m tests.core_path > docs/core_path.md` writes the list, a test compares.

For each core step: the terms of the glossary that it introduces, and those of earlier steps that the words before Show
use."""

from collections.abc import Iterator
from typing import NamedTuple

from svmlab.lab.frame import PAGES
from svmlab.lab.glossary import TERMS
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.teach.step import Lesson, Step
from tests.lessons import LESSONS, stage_of

HEAD = """# The core path

The steps that every student takes, in the order of the lessons. Each row has the terms that the step introduces, and
the terms of earlier steps that its situation, question and choices use. No term is used before it is introduced. Steps
that go deeper are not listed. Made by `python -m tests.core_path`; a test compares it with the steps.

| step | | introduces | uses |
|---|---|---|---|
"""


class CoreStep(NamedTuple):
    lesson: Lesson
    step: Step
    introduces: tuple[str, ...]  # keys of the glossary
    uses: frozenset[str]  # of earlier steps
    unknown: frozenset[str]  # used and nowhere introduced before


def core_path() -> Iterator[CoreStep]:
    """The core steps with the terms of the glossary that they introduce and use."""
    known: set[str] = set()
    for lesson in sorted(LESSONS, key=lambda each: list(PAGES).index(each.page)):
        for step in lesson.steps:
            if step.deeper:
                continue
            used = terms_before_show(lesson, step) - set(step.introduces)
            yield CoreStep(lesson, step, step.introduces, frozenset(used & known), frozenset(used - known))
            known |= set(step.introduces)


def terms_before_show(lesson: Lesson, step: Step) -> set[str]:
    """The glossary's terms in the situation, the question and the choices."""
    marks, stage = Marks(lesson.page), stage_of(lesson, step.board())
    marks.markdown("\n".join([step.situation_text(stage), step.question, *(choice.text for choice in step.choices)]))
    return marks.linked_terms


def table() -> str:
    """Markdown, a row for each core step."""
    names = {key: term.name for key, term in TERMS.items()}
    rows = [
        f"| {each.lesson.page}: {each.step.key} | {each.step.title} | {_list(names, each.introduces)} "
        f"| {_list(names, sorted(each.uses))} |\n"
        for each in core_path()
    ]
    return HEAD + "".join(rows).replace("|w|", "\\|w\\|")


def _list(names: dict[str, str], keys: tuple[str, ...] | list[str]) -> str:
    return ", ".join(names[key] for key in keys) or "–"


if __name__ == "__main__":
    print(table(), end="")
