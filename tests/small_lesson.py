"""A lesson of three steps, to try the page of a lesson with."""

import threading
from collections.abc import Callable
from typing import Any

from svmlab.lab.teach.boards import board_of_points, preset
from svmlab.lab.teach.overlay import set_dials, set_machine, set_picks
from svmlab.lab.teach.requirements import BOTH_CLASSES, HARD, SEPARABLE
from svmlab.lab.teach.step import Chart, Choice, Lesson, Pick, Step, Try, dial, reading
from svmlab.plot.frame import empty_chart

GO = threading.Event()  # until then the work of the third step goes on
STREET = preset("separable", size=12, hard=True)
WHY = "It looks like one from here."


def slow(report: Callable[[float], None]) -> float:
    """Half done until GO."""
    while not GO.wait(0.01):
        report(0.5)
    return 3.0


PLAIN: dict[str, Any] = {
    "question": "How many?",
    "choices": (Choice("One", WHY), Choice("Two")),
    "answer": lambda stage: 1,
    "shows": (),
    "board": STREET,
    "chart": lambda stage: Chart(empty_chart(stage.palette, height=100)),
}
FIRST = Step(
    key="first",
    title="First",
    is_theorem=True,
    tries=(Try("Two points", board=board_of_points([(0, 0, 1), (1, 1, -1)])), Try("More", set_picks(many=9))),
    picks=(Pick("many", "How many", (1, 9), 1),),
    says=lambda stage: f"There are {stage.pick('many')}.",
    **PLAIN,
)
STREETS = Step(
    key="streets",
    title="Streets",
    needs=(BOTH_CLASSES, HARD, SEPARABLE),
    draw=lambda stage: {"sliders": [dial("t", "turn", "t", stage.dial("t", 0.0), 0, 9, 1)]},
    play=lambda stage: {"key": "t", "op": "dial", "to": 9.0, "ms": 10},
    numbers=lambda stage: [reading("t", stage.dial("t", 0.0))],
    tries=(Try("t = 5", set_dials(t=5.0)), Try("Soft", set_machine(hard=False))),
    more=lambda stage: ["The proof."],
    **PLAIN,
)
WORK = Step(
    key="work",
    title="Work",
    says=lambda stage: f"It is {stage.background_result(('slow',), slow):g}.",
    **{**PLAIN, "chart": lambda stage: f"Drawn with {stage.background_result(('slow',), slow):g}."},
)
LESSON = Lesson("margin", "Welcome.", (FIRST, STREETS, WORK))
