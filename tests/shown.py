"""Which step shows which statement: `python -m tests.shown > docs/statements.md` writes the table, a test compares."""

from svmlab.lab.teach.step import Lesson, Step
from svmlab.statements import CATALOGUE
from tests.lessons import LESSONS

HEAD = """# Statements and steps

Every statement is shown in a step of its lesson. You can try it there with points, sliders and the buttons of the step. This page is
made by `python -m tests.shown`, and a test compares it with the steps.

Every line of the notes that a statement quotes has one of five degrees. The first rule that fits decides:

1. **misprint**: a symbol or a word is wrong, and the right form stands elsewhere in the same note.
2. **incomplete**: the line is true with a condition, a case or a unit that the note does not give. So is a line with "any",
   "every" or "always" that holds under a condition. A line that only names a subject does not count as incomplete for this reason.
3. **false**: a board contradicts the line as it stands, and it needs another claim, not a condition.
4. **hedged**: the line leaves open when it is true ("usually", "we expect"), or rests on a word with several meanings.
5. **right**: the line holds on every board to which it applies.

| statement | | the notes | seen in | tried there, for instance |
|---|---|---|---|---|
"""


def steps_showing(id: str) -> list[tuple[Lesson, Step]]:
    """The steps that show a statement, those of its own lesson first."""
    steps = [(lesson, step) for lesson in LESSONS for step in lesson.steps if id in step.shows]
    return sorted(steps, key=lambda each: each[0].page != CATALOGUE[id].page)


def table() -> str:
    """Markdown, a row for each statement with the degrees of its lines; one that no step shows has a dash."""
    rows = []
    for id, entry in CATALOGUE.items():
        steps = steps_showing(id)
        degrees = ", ".join(dict.fromkeys(f"{source.notes} {source.degree}" for source in entry.source))
        seen = "; ".join(f"{lesson.page}: {step.title}" for lesson, step in steps) or "–"
        tried = "; ".join(dict.fromkeys(each.label for _, step in steps for each in step.tries)) or "–"
        rows.append(
            "| " + " | ".join(cell.replace("|", "\\|") for cell in (id, entry.title, degrees, seen, tried)) + " |"
        )
    return HEAD + "\n".join(rows) + "\n"


if __name__ == "__main__":
    print(table(), end="")
