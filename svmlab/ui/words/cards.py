"""Words on the cards of the statements."""

HOLDS = ":green-badge[holds here]"
FAILS = ":red-badge[fails here]"
IDLE = ":gray-badge[does not apply here]"
VERDICTS = {"holds": "holds", "repaired": "repaired", "expectation": "an expectation"}
HEAD = "**{id} · {title}** {badge}"
SOURCE = "{sources} · as printed it is judged: **{verdict}**"
CONDITIONS = "Under: {conditions}"
PRINTED = {True: "As printed: holds on this board.", False: "**As printed: fails on this board.**"}
REPAIR = "Repaired: {repair}"
CONTROL = "Control: {words}"
SIDES = "| {kind} | value |\n|---|---|"
RESIDUAL = "difference"
TOLERANCE = "{residual} (tolerance {tolerance})"
WITNESS = "Open the board that refutes the print"
WITNESS_HELP = "{words} Undo brings your board back."
LESSON = "See it in the lesson"
PAGES = {"margin": "Margin", "duality": "Duality", "soft": "Soft margin", "pegasos": "Pegasos"}
