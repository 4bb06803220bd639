"""Words of the frame, the board and the lab page; a kernel and a lesson bring their own."""

from __future__ import annotations

from typing import Any

TITLE = "svmlab"
PREPARING = "The solver is being compiled, once for each installation: slower until then, no less exact."
PAGES = {
    "lab": "Lab",
    "margin": "Margin",
    "duality": "Duality",
    "soft": "Soft margin",
    "pegasos": "Pegasos",
    "statements": "Statements",
    "guide": "Guide",
}

BOARD: dict[str, Any] = {
    "classPlus": "class +1",
    "classMinus": "class −1",
    "shortPlus": "+1",
    "shortMinus": "−1",
    "classPlusTitle": "New points get class +1, a disc (key 1)",
    "classMinusTitle": "New points get class −1, a square (key 2)",
    "eraser": "Eraser: tap or drag over points to remove them (E)",
    "bin": "Delete the selected point (Delete)",
    "undo": "Undo (Ctrl+Z)",
    "redo": "Redo (Ctrl+Shift+Z)",
    "clear": "Remove all points",
    "zoomIn": "Zoom in (+)",
    "zoomOut": "Zoom out (−)",
    "fit": "Show all points (0)",
    "help": "Keys and gestures",
    "project": "Projector: large type for the back row (P, Esc leaves)",
    "save": "Save picture",
    "saveSvg": "SVG, for print",
    "savePng": "PNG, for slides",
    "toolbar": "Board tools",
    "scene": "Board with points of two classes. Arrow keys move a cursor, Enter places a point, Tab goes from point to point.",
    "close": "Close",
    "full": "The board holds at most 300 points. Delete some to make room.",
    "lost": "No answer from the server. Your change is kept and sent again.",
    "fileTooBig": "This file is larger than 1 MB. Open a CSV or JSON file with at most 300 points.",
    "fileNotText": "This is not a text file. Open points as CSV or JSON.",
    "helpCard": [
        ["click, tap", "add a point of the chosen class"],
        ["Shift+click, right-click, long press", "add a point of the other class"],
        ["drag", "move a point; drop it outside or on the bin to delete it"],
        ["click a point", "select it, again to let go"],
        ["1, 2", "choose the class"],
        ["arrows", "move the cursor or the selected point (Shift: fine, Alt: ten times)"],
        ["Enter", "place a point at the cursor"],
        ["Tab, Shift+Tab", "go from point to point; Esc lets go"],
        ["Delete", "delete the selected point"],
        ["Ctrl+Z, Ctrl+Shift+Z", "undo, redo"],
        ["E", "eraser on or off"],
        ["+, −, 0", "zoom in, zoom out, show all points"],
        ["P, Esc", "projector mode on, off"],
    ],
}

HINT = "drag a ringed point"
MISHAP = "Something went wrong that nobody foresaw. Change a point or a setting, or reload the page: the link keeps your points. Who runs this server finds the error in the log, number {number}."
EMPTY = {
    "text": "Click to add a point of the chosen class. As soon as both classes are there, the boundary appears.",
    "actions": [{"id": "preset", "text": "Try a preset"}, {"id": "open", "text": "Open a file"}],
}

GROUPS = {"safe": "safe", "margin": "on the margin", "violating": "violating"}
CATEGORIES = {
    "outside": "outside the margin, y f > 1",
    "margin_idle": "on the margin, α = 0",
    "margin_free": "on the margin, 0 < α < C",
    "margin_full": "on the margin, α = C",
    "inside": "inside the margin, 0 < y f < 1",
    "on_line": "on the boundary, y f = 0",
    "wrong": "wrong side, y f < 0",
}
MORE = "details"
CONTROLS = "Points, kernel, C"

PRESETS = {
    "overlapping": "Two blobs, overlapping",
    "separable": "Two blobs, separable",
    "moons": "Moons",
    "circles": "Circles",
    "xor": "XOR",
    "spirals": "Two spirals",
    "one_against_many": "One against many",
    "collinear": "All on one line",
    "interval": "An interval and its outside",
    "lattice": "Lattice",
    "four_corners": "Four corners (α not unique)",
    "idle_margin": "On the margin with α = 0",
}
LABELS = {
    "preset": "Points",
    "size": "How many",
    "noise": "Noise",
    "seed": "Seed",
    "sample": "Sample",
    "reset": "Reset",
    "reseed": "New sample",
    "kernel": "Kernel",
    "face": "Price of slack",
    "C": "C",
    "lambda": "λ",
    "hard": "hard margin",
    "bias": "bias b",
    "projector": "projector",
}
HELP = {
    "preset": "Boards that each show one thing. Choosing one replaces the points; undo brings yours back.",
    "size": "Number of points that a preset makes, 4 to 300.",
    "noise": "How much a preset scatters its points: 0 is clean, 1 is very noisy.",
    "seed": "Which random sample a preset draws. The same seed gives the same points.",
    "reset": "The preset again, with the same seed.",
    "reseed": "The preset again, with the next seed.",
    "kernel": "The similarity k(x, x') in which the boundary is a hyperplane.",
    "face": "C multiplies the sum of the slacks; λ multiplies |w|²/2 against their mean. C = 1/(λ m), m points.",
    "value": "Large C (small λ): slack is dear, the margin narrow. The slider under the board moves it live.",
    "hard": "C = ∞: no point may enter the margin. It exists only when a boundary separates the classes.",
    "bias": "With b the boundary may lie anywhere; without, f(0) = 0 for the linear kernel.",
    "projector": "Large type and thick lines for the back row (key P on the board).",
}
SLIDERS = {
    "C": "Price of slack C, on a logarithmic scale",
    "lambda": "λ, on a logarithmic scale",
    "parameter": "{what}, on a logarithmic scale",
}
IDLE = "Used by the {kernels} kernel; the {current} kernel has no such parameter."
IDLE_HARD = "The hard margin has no price on slack: C = ∞. Turn it off to choose one."
IDLE_FIXED = "This board is always the same."

FORM_C = r"\min\ \tfrac12\|w\|^2+C\sum_i\xi_i"
FORM_LAMBDA = r"\min\ \tfrac{\lambda}{2}\|w\|^2+\tfrac1m\sum_i\xi_i"
FORM_HARD = r"\min\ \tfrac12\|w\|^2\quad y_i f(x_i)\ge 1"

FIGURES = {
    "margin": ("margin 1/|w|", "Distance from the boundary to each margin line{space}."),
    "width": ("width 2/|w|", "Distance between the two margin lines{space}."),
    "support": ("support vectors", "Points with α > 0: free ones lie on the margin, the others have α = C."),
    "errors": ("errors", "Points on the wrong side of the boundary (y f < 0) and points exactly on it."),
    "slack": ("Σ ξ", "Sum of the slacks ξ = max(0, 1 − y f), in units of f; as a distance it is ξ/|w|."),
    "gap": ("duality gap", "(primal − dual) / primal. It is 0 at the optimum; what is left is rounding."),
}
IN_FEATURE_SPACE = " in feature space"
SUPPORT = "{free} free, {full} at C"
SUPPORT_HARD = "all free"
NOT_PROVEN = "not proven"
NO_FIGURES = "No machine to measure yet."

INSPECT_NONE = "Select a point to see its f, ξ, α and its line of the optimality conditions."
FORMULA_LINEAR = "f(x) = {w1} x₁ {w2} x₂ {b}"
FACE_C = "λ = 1/(C m) = {lam}"
FACE_LAMBDA = "C = 1/(λ m) = {C}"
FORMULA_CLIPPED = "f(x) = Σ cᵢ k(xᵢ, x) {b}, the eigenvalues below 0 cut off"
FORMULA_KERNEL = "f(x) = Σ αᵢ yᵢ k(xᵢ, x) {b}, over {n} support vectors"

INSPECT = {"f": "f(x)", "yf": "y f(x)", "xi": "ξ", "alpha": "α", "distance": "signed distance"}
WHY = {
    "outside": "It is beyond its margin line, so its constraint is slack and its multiplier must be 0: without it the boundary would be the same.",
    "margin_idle": "It lies exactly on its margin line, yet the others already hold the boundary: its multiplier is 0 and it could go.",
    "margin_free": "It lies exactly on its margin line and holds it there.",
    "margin_full": "It lies exactly on its margin line and pulls as hard as C allows.",
    "inside": "It is on the right side but inside the margin, so it pays slack and pulls as hard as C allows.",
    "on_line": "It lies exactly on the boundary: slack 1, and it pulls as hard as C allows.",
    "wrong": "It is on the wrong side. It pays slack above 1 and pulls as hard as C allows; a stronger pull would need a larger C.",
}
WHY_FREE_BIAS = " Free vectors like this one fix b."
WHY_ONE_CLASS = "Only one class is here, so f is the same everywhere and no multiplier is needed."
KKT = {
    "outside": "y f = {yf} ≥ 1, ξ = 0, α = 0",
    "margin_idle": "y f = 1, ξ = 0, α = 0",
    "margin_free": "y f = 1, ξ = 0, 0 < α = {alpha} < {C}",
    "margin_full": "y f = 1, ξ = 0, α = C = {C}",
    "inside": "y f = {yf} = 1 − ξ, ξ = {xi} > 0, α = C = {C}",
    "on_line": "y f = 0 = 1 − ξ, ξ = 1, α = C = {C}",
    "wrong": "y f = {yf} = 1 − ξ, ξ = {xi} > 1, α = C = {C}",
}
KKT_TITLE = "Optimality"

ONE_CLASS = (
    "Only class {present} is here, so there is nothing to separate: w = 0. Add points of class {absent} (key {key})."
)
WIDE = "The margin lines lie beyond the edge: at this C the margin is wider than the board."
CLIPPED = "{kernel} is not a kernel in the strict sense: on these points its matrix has the eigenvalue {value}, so the problem is not convex. What you see is the optimum of a changed problem, with the negative eigenvalues set to 0."
UNPROVEN = "Not proven: the numbers of this board are too far apart for the exact method. What you see is the best that was found, with a duality gap of {gap}."
OWN = "Your own points"
NO_W = "Here w = 0: f is the same everywhere, and no boundary appears. Another kernel or a larger C may find one."
WITNESS = " The marked points prove it: their hulls meet{where}."
WITNESS_AT = " at the cross"
B_INTERVAL = "b is not unique: every b from {lo} to {hi} is optimal. The middle is drawn."
ALPHA = "α is not unique here (w is). Shown is the α of least norm."
ROUNDED = "Some coordinates were rounded to thousandths."
LOADED = "Opened {name}: {m} points."
TOO_MANY = "{name} holds {m} points; the board holds {limit}. Keep {limit} rows and open it again."
NOT_PLANE = "{name} has {d} coordinates in each row; the board needs two (x1, x2)."
OUTSIDE = "{name} has points beyond the board, which reaches from −8 to 8. Under Points below you can open it scaled."
NO_ROWS = "{name} has a header and no points. Add a row for each point."
TOO_LARGE = "{name} is larger than 1 MB. Open a CSV or JSON file with at most {limit} points."
NOT_TEXT = "{name} is not text in UTF-8. Save it as CSV (UTF-8) or JSON and open it again."
SCALED = "All coordinates were multiplied by {factor}."

GUIDE = """
### What the board shows
The solid line is the **boundary** f(x) = 0, the dashed lines are the **margins** f(x) = ±1. Shading shows the sign of f and how large it is, flat beyond |f| = 2.

- **Discs** are class +1, **squares** class −1.
- **One ring**: a free support vector, 0 < α < C, exactly on its margin line. **Two rings**: α = C.
- A **short segment** leads from a point with slack to its own margin line; for the linear kernel its length is ξ/|w|, with another it follows the slope of f. A **cross** marks a point on the wrong side.
- A mark is the fuller in colour, the larger α/C.

### Conventions
| what | how it is written here |
|---|---|
| decision function | f(x) = Σᵢ αᵢ yᵢ k(xᵢ, x) + b, and y f(x) is the functional margin |
| margin | 1/\\|w\\|, the distance from the boundary to one margin line; the width is 2/\\|w\\| |
| C and λ | ½\\|w\\|² + C Σ ξᵢ and (λ/2)\\|w\\|² + (1/m) Σ ξᵢ are one problem when C = 1/(λ m) |
| Gaussian | k(x, x′) = exp(−\\|x − x′\\|²/(2σ²)) |
| duality gap | the primal value minus the dual value, relative; 0 proves the optimum, and what rounding leaves is shown as 0 |
| α not unique | w always is; of all optimal α the one of least norm is shown, so the picture depends on the points alone |

### In front of a class
Press **P** on the board, or the screen button above it, for large type and thick lines; **Esc** leaves. **Pin this fit** keeps a ghost of a fit
while you change C or the kernel. A prepared board is a link: copy its address before the lecture.

### Link and files
The address in your browser is the whole board: copy it, and others see your points and settings. The save button above the board writes the picture as SVG or PNG. Drop a CSV file (header `x1,x2,label`) on the board to open it.
"""
TO_LAB = "To the lab"
LINK_DAMAGED = "This link is damaged: {}."
LINK_VERSION = "This link is damaged, or it was not made by this version of svmlab: its version is {version!r}, and this server reads version {known}."
LINK_EMPTY = "The board starts empty, and the address stays as it is until you change something: ask for the link again, or place your own points."
LINK_POINTS = (
    "Your points are kept, the settings are at their defaults, and the address stays as it is until the next change."
)
MALFORMED = "A message from the board could not be read and was left out. Reload the page; the link keeps your points."

TABS_LABEL = "More"
TABS = {"points": "Points", "certificate": "Certificate", "code": "Code"}
COLUMN = {
    "selected": "Tick to select the point on the board.",
    "x": "In thousandths, from −8 to 8.",
    "label": "class",
    "label_help": "1 or −1.",
    "alpha": "Multiplier, 0 to C.",
    "xi": "Slack, max(0, 1 − y f).",
    "yf": "Functional margin y f(x).",
    "category": "where it stands",
}
TABLE_HELP = "Edit a cell, add a row at the end, or select rows and delete them. Click a heading to sort. Everything can be undone."
BAD_CELL = "Row {row}, {column}: {value} is not a number from −8 to 8. The cell keeps its old value."
BAD_LABEL = "Row {row}, class: {value} is neither 1 nor −1. The cell keeps its old value."
SAVE_CSV = "The points as a table: x1, x2, label."
SAVE_JSON = "The points as JSON: X and y."
OPEN_FILE = "Open a file"
OPEN_HELP = "CSV with a header x1,x2,label, or JSON. Labels: −1 and 1, 0 and 1, or two names. At most 300 points."
OFFER = "{name} reaches beyond the board. Scale all its coordinates by {factor}? Kernel widths scale along, C by the square."
SCALE = "Scale and open"
LINK = "The link to this board"
LINK_HELP = "Select and copy it. The address of the page is the same link."
QR = "QR code"
QR_HELP = "Everybody who scans it gets a copy of this board."

RESIDUAL_HEAD = "| condition | residual | |"
RESIDUALS = {
    "stationarity": "stationarity: w = Σ αᵢ yᵢ φ(xᵢ), Σ αᵢ yᵢ = 0",
    "primal": "primal feasibility: y f ≥ 1 − ξ, ξ ≥ 0",
    "dual": "dual feasibility: 0 ≤ α ≤ C",
    "complementarity": "complementarity: α (y f − 1 + ξ) = 0, (C − α) ξ = 0",
}
HOLDS = "holds"
FAILS = "does not hold"
FLOOR = "Residuals are in units of f. Rounding alone explains up to {floor} on these points."
OBJECTIVE_HEAD = "| objective | value |"
OBJECTIVE = {"primal": "primal ½ǁwǁ² + C Σ ξ", "dual": "dual Σ α − ½ α′Qα", "gap": "gap, relative"}
METHODS = {"dual-qp": "cvxopt on the dual", "primal-qp": "cvxopt on the primal"}
AGREE = "**{method}** agrees with f to within {apart} on all points (its own gap: {gap})."
TWO_AGREE = "**Two independent solvers agree**: the objective values of dual and primal differ by {apart}, relative."
NO_PRIMAL = "The primal form needs a finite feature map, which this kernel has not."
STATUS = "How it was solved: {status}."

SKLEARN_HARD = "a hard margin is a very large C there"
SKLEARN_NO_BIAS = "scikit-learn has no kernel machine without bias."

PIN = "Pin this fit"
UNPIN = "Unpin"
PIN_HELP = "Keep this fit as a ghost on the board and its figures beside the next ones."
PINNED = "pinned"
