"""Words that all lessons share."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """The words of a step; what it says besides stands in constants of its page. `tries` label the prompts."""

    title: str
    question: str
    choices: tuple[str, ...] = ()
    reveal: str = ""
    formula: str = ""
    tries: tuple[str, ...] = ()


STEPS = "Steps"
PREDICT = "What do you expect?"
SHOW = "Show it"
HIDE = "Hide the answer"
RIGHT = "**That is what happens.**"
OTHER = "**Not on this board:** {answer}."
TRY = "Try this"
NEXT = "Next: {title}"
BACK = "Back: {title}"
CHECK = "Check"
CHECKED = "The statements of this lesson, each checked on the points that are on the board now."
SOME = "Put points on the board"
NOTHING = "Put points of both classes on the board to go on."
MACHINE = "{kernel} kernel · {price} · {bias}"
HARD = "hard margin"
BIAS = {True: "with bias b", False: "without bias"}
TO_LAB = "change it in the lab"
FILM = {
    "reset": "Back to the start",
    "back": "One step back",
    "play": "Play or pause",
    "next": "One step on",
    "scrub": "Step",
    "speed": "Steps a second",
}
