"""Which step shows which statement: `python -m tests.shown > docs/statements.md` writes the table, a test compares."""

from svmlab.lab.teach.step import Lesson, Step
from svmlab.statements import CATALOGUE
from tests.lessons import LESSONS

HEAD = """# Statements and steps

Every statement of a lesson is seen in a step of it, and can be tried there: by moving points, dials and choices, and by what the
step offers. Made by `python -m tests.shown`; a test compares it with the steps.

| statement | | seen in | tried there, for instance |
|---|---|---|---|
"""


def steps_showing(id: str) -> list[tuple[Lesson, Step]]:
    """The steps that show a statement, those of its own lesson first."""
    steps = [(lesson, step) for lesson in LESSONS for step in lesson.steps if id in step.shows]
    return sorted(steps, key=lambda each: each[0].page != CATALOGUE[id].page)


def table() -> str:
    """Markdown, a row for each statement; one that no step shows has a dash."""
    rows = []
    for id, entry in CATALOGUE.items():
        steps = steps_showing(id)
        seen = "; ".join(f"{lesson.page}: {step.title}" for lesson, step in steps) or "–"
        tried = "; ".join(dict.fromkeys(each.label for _, step in steps for each in step.tries)) or "–"
        rows.append("| " + " | ".join(cell.replace("|", "\\|") for cell in (id, entry.title, seen, tried)) + " |")
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(table(), end="")
