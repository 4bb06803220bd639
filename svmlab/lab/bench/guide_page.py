"""The guide: the meaning of the marks and figures."""

from __future__ import annotations

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _

SHOWN = N_(
    "## What the board shows\n"
    "The solid line is the **boundary** f(x) = 0, the dashed lines are the **margins** f(x) = ±1. Shading "
    "shows the sign of f and how large it is, flat beyond |f| = 2.\n\n"
    "- **Discs** are class +1, **squares** class −1.\n"
    "- **One ring**: a free support vector, 0 < α < C, exactly on its margin line. **Two rings**: α = C.\n"
    "- A **short segment** leads from a point with slack to its own margin line; for the linear kernel its "
    "length is ξ/|w|, with another it follows the slope of f. A **cross** marks a point on the wrong side.\n"
    "- A mark is the fuller in colour, the larger α/C.\n"
    "- With **Points never seen**, small faint marks are fresh points of the distribution that a preset is "
    "drawn from; those that go wrong are less faint. Points of your own are judged in five folds, and a wide "
    "**pink ring** is around those that go wrong without their fold.\n"
    "- Under **Class costs** the slack of one class can be dearer: then each point has a Cᵢ of its own in "
    "place of C."
)
CONVENTIONS = N_(
    "## Conventions\n"
    "Every word and every letter has one meaning and one formula here: the margin, C and λ, the Gaussian "
    "kernel, the duality gap, which α is shown where several are optimal. The glossary has them all. Where a "
    "word is underlined with dots, hover, focus or tap it; in a formula, a letter."
)
CLASS = N_(
    "## In front of a class\n"
    "Press **P** on any page, or the screen button at its top, for large type and thick lines; **P** or "
    "**Esc** leaves. Under the board, **Compare with this fit** puts a second board beside the first: the "
    "same points under another kernel, price or bias, dragged together; **Ghost** keeps the fit as thin lines "
    "on the one board. A prepared board is a link: copy its address before the lecture."
)
LINK = N_(
    "## Link and files\n"
    "The address in your browser is the whole board: copy it, and others see your points and settings. The "
    "save button above the board writes the picture as SVG or PNG, its machine and figures under it, or "
    "prints the page; the camera on a chart saves the chart, as a picture or as numbers. **Certificate** "
    "under the board is a file too, with a program that checks it. Drop a CSV file (header `x1,x2,label`) on "
    "the board to open it."
)


def show(session: Session) -> None:
    """Show the whole page."""
    frame.keep_link(session)
    frame.show_title("guide")
    for part in (SHOWN, CONVENTIONS, CLASS, LINK):
        st.markdown(Marks("guide").markdown(_(part)))
        if part is CONVENTIONS:
            with st.container(key="to_glossary"):
                st.page_link("pages/glossary.py", label=_("To the glossary"))
    st.page_link("pages/lab.py", label=_("To the lab"))
