"""Words of the page of statements."""

INTRO = (
    "What the lecture notes say about support vector machines, **each statement checked on the points of this board, now**. "
    "Some are wrong or incomplete as printed: their cards show both readings and can open a board that refutes the print."
)
VERDICT = "Verdict on the print"
VERDICTS = {"holds": "holds as printed", "repaired": "repaired", "expectation": "an expectation"}
LESSON = "Lesson"
ALL = "all"
LESSONS = {
    "margin": "Margin",
    "duality": "Duality",
    "soft": "Soft margin",
    "losses": "Losses",
    "pegasos": "Pegasos",
    "kernels": "Kernels",
    "generalisation": "Generalisation",
    "extensions": "Extensions",
    ALL: "All",
}
COUNT = "{name} {n}"
SEARCH = "Search"
SEARCH_HINT = "search all lessons: a word, an id such as M2, notes A to E"
