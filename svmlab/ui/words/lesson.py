"""Words that all lessons share."""

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
