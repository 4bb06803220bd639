"""The names that stand in links, files and messages, as they are now. `frozen_names.json` has those of the past.

A link or a file of last year says these names. So each of them keeps its meaning for ever, and a choice keeps its
number. `python -m tests.frozen_names` adds names that are new. It takes none away and changes none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from svmlab import Composed, Dataset, Problem, Sigmoid, solve
from svmlab.binary.report import report
from svmlab.data import DATASETS
from svmlab.data.files import LABEL_HEADERS
from svmlab.kernels.standard import KERNELS
from svmlab.lab import frame
from svmlab.lab.bench.tabs import errors
from svmlab.lab.board.rules import OPERATIONS_BY_EFFECT
from svmlab.lab.glossary import TERMS
from svmlab.lab.session import address_names, files, link, share
from svmlab.lab.session.controls import CONTROLS, LABELS, Control
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.teach.open_lesson import overlay_of
from svmlab.lab.teach.stage import Stage, Working
from svmlab.lab.teach.step import Lesson, Step
from svmlab.statements import CATALOGUE
from svmlab.statements.notes import NOTES
from tests.lessons import LESSONS, board_after, stage_of

FILE = Path(__file__).parent / "frozen_names.json"
LESSON_OF = {lesson.page: lesson for lesson in LESSONS}
APP = Path(frame.__file__).parents[1]
SCRIPTS = "\n".join(path.read_text(encoding="utf-8") for path in sorted(APP.rglob("*.js")))
RECIPES = (
    *("linear", "2*gaussian(0.5)-1", "form(1,0,2)", "exp(0.1*linear)", "tanh(linear)", "p(linear,0,1,0.5)"),
    *("between(x1,linear)", "between(r2,gaussian)", "between(bump,linear)", "gaussian(0.5,linear**2)"),
)
UNSEEN = (0.0, 4.0, 1.0)  # between which a dial is turned that no slider shows, and in which steps


def live() -> dict[str, Any]:
    """Every name, by what it names. Lists are in the order of the app."""
    boards = [
        Lab(points=(Point(1, 500, 250, labels[0]), Point(2, -1000, 0, labels[-1])), task=task)
        for task, labels in LABELS.items()
    ]
    return {
        "pages": {name: f"/{frame.url_path(name)}" for name in frame.PAGES},
        "steps": {lesson.page: [*_keys(lesson), *lesson.last_pages] for lesson in LESSONS},
        "choices": {n: {step.key: [each.text for each in step.choices] for step in steps} for n, steps in _steps()},
        "answers": {n: {step.key: a for step in steps if (a := _answer(n, step))} for n, steps in _steps()},
        "picks": {n: {pick.name: [*pick.options] for step in steps for pick in step.picks} for n, steps in _steps()}
        | {"lab": {errors.BALANCED: [True]}},
        "dials": {n: {s.key: sorted(d) for s in steps if (d := dials_of(n, s.key))} for n, steps in _steps()},
        "settings": {key: _allowed(control) for key, control in CONTROLS.items()},
        "kernels": {name: [each.name for each in kernel.parameters] for name, kernel in KERNELS.items()},
        "presets": list(DATASETS),
        "recipes": {recipe: Composed(recipe).recipe for recipe in RECIPES},
        "link": {
            "parameters": list(link.READERS),
            "reserved": list(address_names.RESERVED),
            "before the name of a choice beside a chart": [address_names.PICK],
            "hide": list(link.HIDEABLE),
            "lock": list(link.LOCKS),
            "pin": [link.SAME],
            "versions of a board": list(share.READERS),
            "beside the settings of a board": [share.SECOND, share.AXES],
        },
        "operations": sorted(
            {*re.findall(r'\bop: "(\w+)"', SCRIPTS), *(op for kinds in OPERATIONS_BY_EFFECT.values() for op in kinds)}
        ),
        "kept by the browser": {
            "localStorage": sorted(re.findall(r'\bkey: "(svmlab\.\w+)"', SCRIPTS)),
            "sessionStorage": sorted(set(re.findall(r"\bsessionStorage\b[.\[(]+\W*(?:\w+Item\W+)?([\w.]+)", SCRIPTS))),
        },
        "kept by the window": sorted(set(re.findall(r"\bsvmlabMemory\b", SCRIPTS))),
        "files": {
            "columns of labels": list(LABEL_HEADERS),
            "csv": {lab.task: files.points_to_save(lab).to_csv().split()[0].split(",") for lab in boards},
            "json": {lab.task: list(json.loads(files.points_to_save(lab).to_json())) for lab in boards},
            "certificate": _certificate(),
        },
        "anchors": {
            "glossary": list(TERMS),
            "statements": list(CATALOGUE),
            "sources": [f"notes-{key}" for key in NOTES],
        },
    }


def _keys(lesson: Lesson) -> Iterator[str]:
    return (key for step in lesson.steps for key in (step.key, step.former_key) if key)


def replaced() -> dict[str, set[str]]:
    """The keys of steps that steps with other choices have replaced, by page: they open those with nothing chosen."""
    return {lesson.page: {step.former_key for step in lesson.steps} - {""} for lesson in LESSONS}


def renamed_dials(page: str, dials: Any) -> Any:
    """The dials of a page by step, each with its present name: an old link that says the former name opens that."""
    renamed = address_names.RENAMED_DIALS.get(page, {})
    return {step: list(dict.fromkeys(renamed.get(name, name) for name in names)) for step, names in dials.items()}


def _steps() -> Iterator[tuple[str, tuple[Step, ...]]]:
    return ((lesson.page, lesson.steps) for lesson in LESSONS)


def _allowed(control: Control) -> Any:
    """What a control may be: its options, both ends of its range, or its default."""
    if control.options:
        return list(control.options)
    return [control.low, control.high] if control.kind in (int, float) else [control.default]


def _answer(page: str, step: Step) -> int | None:
    """The number of the right choice on the step's own board; None where that takes long work."""
    with suppress(Working):
        return 1 + step.answer(replace(stage_of(LESSON_OF[page], step.board()), request_work=None))
    return None


def _certificate() -> list[str]:
    """The keys of the certificates of three problems: with class costs, with weights, with a kernel that is none."""
    data = Dataset([[0, 0], [1, 0], [1, 1]], [1, -1, 1])
    problems = Problem(data, costs=(2.0, 1.0)), Problem(data, weights=(1, 2, 1)), Problem(data, Sigmoid(1.0, 0.0))
    return list(dict.fromkeys(key for each in problems for key in json.loads(report(solve(each)))))


@cache
def dials_of(page: str, key: str) -> dict[str, tuple[float, float, float]]:
    """The dials that a step reads on its own board and after each thing to try, with low end, high end and step."""
    lesson = LESSON_OF[page]
    step = next(step for step in lesson.steps if step.key == key)
    dials = _Asked()
    start = replace(stage_of(lesson, step.board()), dials=dials, request_work=None)
    picked = [replace(start, picks={**start.picks, p.name: option}) for p in step.picks for option in p.options]
    degrees = [replace(start, lab=replace(start.lab, degree=degree)) for degree in range(1, 6)]
    ranges = dict[str, tuple[float, float, float]]()
    for stage in (start, replace(start, shown=False), *picked, *_tried(step, start), *degrees[: _bends(start)]):
        with suppress(Working):
            for each in overlay_of(step, stage).get("sliders", ()):
                if each.get("op") == "dial":
                    ranges[each["key"]] = float(each["lo"]), float(each["hi"]), float(each["step"])
    for part in (step.readings, step.chart, step.answer):
        with suppress(Working):
            part(start)
    return dict.fromkeys(sorted(dials.asked), UNSEEN) | ranges


def _bends(stage: Stage) -> int | None:
    """How many degrees the kernel can have: none where it has no degree."""
    return None if "degree" in {each.name for each in stage.lab.kernel_function.parameters} else 0


class _Asked(dict[str, float]):
    """No dial is turned; which ones were asked for is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = set[str]()

    def get(self, key: str, default: Any = None) -> Any:
        self.asked.add(key)
        return super().get(key, default)


def _tried(step: Step, stage: Stage) -> Iterator[Stage]:
    """The stage after each thing to try, but for the turning of dials."""
    for each in step.tries:
        if each.board is not None:
            yield replace(stage, lab=each.board())
        else:
            with suppress(Working):
                op = each.op(stage) if callable(each.op) else each.op
                assert op is not None
                picks = op["values"] if op["op"] == "pick" else op.get("picks", {})
                yield replace(stage, lab=board_after(op, stage.lab), picks={**stage.picks, **picks})


def frozen() -> dict[str, Any]:
    """The names of the past."""
    kept: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    return kept


def merged(past: Any, present: Any, numbered: bool = False) -> Any:
    """Return the names of the past with the new ones at their places, or behind them where the order has changed.

    numbered: a name is its place in its list, so a new one can only come last.
    """
    if isinstance(past, dict) and isinstance(present, dict):
        new = {key: value for key, value in present.items() if key not in past}
        return {key: merged(value, present.get(key), numbered) for key, value in past.items()} | new
    if isinstance(past, list) and isinstance(present, list):
        if numbered:
            return [*past, *present[len(past) :]]
        if [name for name in present if name in past] == past:
            return list(present)  # every name of the past in its order, and the new ones at their places
        return [*past, *(name for name in present if name not in past)]
    return past


if __name__ == "__main__":
    past, present = frozen() if FILE.exists() else {}, live()
    names = merged(past, present) | {"choices": merged(past.get("choices", {}), present["choices"], numbered=True)}
    FILE.write_text(json.dumps(names, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
