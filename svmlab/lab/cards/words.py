"""Words on the cards of the statements."""

BADGES = {
    "holds": "✓ holds here",
    "fails": "✗ fails here",
    "idle": "does not apply here",
    "error": "could not be checked here",
}
REPAIRED = "repaired"
AS_PRINTED = "As printed"
AS_REPAIRED = "As repaired"
REPAIR = "**Repaired:** {repair}"
TOLERANCE = "difference, at most {tolerance} to hold"
MORE = "Conditions and sources"
CONDITIONS = "Conditions: {conditions}"
CONTROL = {
    True: "A false neighbour that happens to hold here: {words}",
    False: "A false neighbour, refuted here: {words}",
}
SOURCE = "In the notes: {sources}."
WITNESS = "Open the board that refutes the print"
WITNESS_CONTROL = "Open a board that shows why it is worded so"
WITNESS_HELP = "{words} Undo brings your board back."
LESSON = "See it in the lesson {page}"
CHECKED = "Checked on the {m} points of this board: {said}."
TALLY = {
    "holds": "{n} hold",
    "fails": "{n} fail",
    "idle": "{n} do not apply",
    "error": "{n} could not be checked",
}
NONE = "No statement matches."
RUNNING = "Checking, {done}"
CANCELLED = "The check was called off."
CANCEL = "Stop"
AGAIN = "Check again"
