"""The guide: the meaning of the marks and figures."""

from __future__ import annotations

import streamlit as st

from svmlab.lab import frame
from svmlab.lab.glossary.marks import Marks
from svmlab.lab.session.tab import Session
from svmlab.lab.words import N_, _

SHOWN = N_(
    "## What the board shows\n"
    "The solid line is the **boundary** f(x) = 0. The dashed lines are the **margin lines** f(x) = ±1. The "
    "colour of the shading shows the sign of f, and its strength shows |f| up to 2.\n\n"
    "- **Discs** are points of class +1, and **squares** are points of class −1.\n"
    "- **One ring** marks a free support vector. It has 0 < α < C and is exactly on its margin line. **Two "
    "rings** mark a support vector with α = C.\n"
    "- A **short segment** leads from a point with slack ξ > 0 to its margin line. With the linear kernel its "
    "length is ξ/‖w‖. With other kernels it follows the slope of f.\n"
    "- A **cross** × in a point marks a misclassified point, which has y f ≤ 0.\n"
    "- The stronger the colour of a mark is, the larger α/C is.\n"
    "- With **Test error**, small faint marks are test points of the distribution of the preset. Misclassified "
    "ones are less faint. For your own points the test error is estimated by cross-validation with five folds. A "
    "wide **pink ring** marks a point that is misclassified when its fold is left out.\n"
    "- With **Class costs**, the slack of one class can have a larger penalty. Then each point has its own Cᵢ "
    "instead of C.\n"
    "- The arrow at the number of **errors** opens the confusion matrix, with recall, precision and balanced accuracy."
)
DATA = N_(
    "## Your own data and boards\n"
    "**Your data** on the page Lab opens a table that was saved as CSV or TSV, for example from a spreadsheet. You can "
    "also drop the file on a board. You choose two columns of numbers for x₁ and x₂, and the column of the class. If "
    "there are many rows, you take a random part of them. You see the points before they replace yours, and undo "
    "brings yours back. The axes keep the names of the columns, and the page says how the values were scaled.\n\n"
    "**My boards** on the page Lab keeps boards by name in this browser. You can save them all in one file and open it "
    "elsewhere. The first screen lists them. It also shows how many steps of the core path of each lesson you "
    "have answered, and whether correctly, until you reset it."
)
CONVENTIONS = N_(
    "## Conventions\n"
    "**Notation** in the menu writes formulas as your lecture notes do. You choose f = ⟨w, x⟩ + b or ⟨w, x⟩ − b, "
    "labels y or t, and C or λ first. The link carries your choice. Within a lesson, each letter has one meaning. The "
    "glossary explains every word and letter, for example the margin, the Gaussian kernel and the duality gap. It also "
    "says which α you see if several are optimal. Hover, focus or tap a word that is underlined with dots, or a letter "
    "in a formula, to see its explanation."
)
CLASS = N_(
    "## In front of a class\n"
    "Press **P** on any page for large type and thick lines. The screen button at the top of a board does the "
    "same. Press **P** again or **Esc** to leave. **Compare with this fit** shows a second board beside the "
    "first. It has the same points with another kernel, penalty parameter or bias, and you drag the points of "
    "both together. **Pinned fit** keeps the present fit as thin lines on the board. A prepared board is a link. "
    "Copy its address before the lecture. **Share** can hide controls, lock the points, send the question only, and "
    "write the line for a frame in a course page. The save button in a lesson opens the whole lesson as a handout."
)
LINK = N_(
    "## Link and files\n"
    "The address in your browser contains the whole board. Copy it, and others see your points and settings. The "
    "save button of the board writes the picture as SVG or PNG, with its key figures, or prints the page. It also "
    "copies the picture and records a film. The camera of a chart saves the chart as a picture or as numbers, or "
    "copies it. **Certificate** saves a file with a program that checks it."
)


def show(session: Session) -> None:
    """Show the whole page."""
    frame.keep_link(session)
    frame.show_title("guide")
    for part in (SHOWN, DATA, CONVENTIONS, CLASS, LINK):
        st.markdown(Marks("guide").markdown(_(part)))
        if part is CONVENTIONS:
            with st.container(key="to_glossary"):
                st.page_link("pages/glossary.py", label=_("To the glossary"))
    st.page_link("pages/lab.py", label=_("To the lab"))
