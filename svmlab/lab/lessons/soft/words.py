"""Words of the lesson on the soft margin."""

from typing import Any

INTRO = "Points may fall short of their margin line, at a price. The slider under the board scrubs that price, C, at any time."

_BLOBS: dict[str, Any] = {"op": "preset", "values": {"preset": "overlapping", "kernel": "linear", "hard": False}}
_APART: dict[str, Any] = {"op": "preset", "values": {"preset": "separable", "kernel": "linear", "hard": False}}
# what is missing: the sentence, the button, and what it does
NEEDS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "points": ("", "", {}),
    "classes": ("Only one class is on the board, so there is nothing to trade yet.", "Two overlapping blobs", _BLOBS),
    "soft": (
        "The board asks for the hard margin, which has no price on slack.",
        "Allow slack",
        {"op": "set", "values": {"hard": False}},
    ),
    "space": (
        "{kernel} is not a kernel in the strict sense: there is no w whose length could be weighed against slack.",
        "Take the linear kernel",
        {"op": "set", "values": {"kernel": "linear"}},
    ),
    "linear": (
        "This picture lives in the plane of w = (w₁, w₂), which only the linear kernel has.",
        "Take the linear kernel",
        {"op": "set", "values": {"kernel": "linear"}},
    ),
    "bias": ("The machine on the board has no b.", "Switch the bias on", {"op": "set", "values": {"bias": True}}),
    "separable": (
        "With this kernel no boundary separates the classes, so there is no hard margin to arrive at.",
        "Two separable blobs",
        _APART,
    ),
    "solved": ("This machine has no solution on these points.", "Two overlapping blobs", _BLOBS),
}
WALKING = "Following the optimum along C"
CANCEL = "Cancel"
AGAIN = "Follow it again"
NO_WALK = "The way along C has not been followed to its end."

PRICE: dict[str, Any] = {
    "title": "What slack costs",
    "question": "Point i may fall short of its margin line by a slack ξᵢ ≥ 0, and each unit costs C. "
    "Suppose slack cost nothing at all: which machine would minimise ½|w|² then?",
    "choices": (
        "The widest margin that still separates",
        "w = 0, with slack 1 at every point",
        "The one with the fewest errors",
    ),
    "reveal": "With w = 0 and ξᵢ = 1 every constraint is met at the value 0: without a price nothing is learnt. "
    "The price brings the points back in. **As C grows, |w| never falls and the total slack never rises.** "
    "On the way the optimum passes {breaks} breakpoints, the small marks on the slider; between two of them w moves along a straight line.",
    "waiting": "With w = 0 and ξᵢ = 1 every constraint is met at the value 0: without a price nothing is learnt. "
    "**As C grows, |w| never falls and the total slack never rises.**",
    "numbers": ("C", "|w|", "Σ ξ", "support vectors", "errors"),
    "chart": ("price C", "|w|", "Σ ξ", "support vectors", "errors"),
    "try": ("Almost no price: C = 0.001", "A high price: C = 1000", "Moons with a Gaussian"),
}

MULTIPLIERS: dict[str, Any] = {
    "title": "Each point’s pull",
    "question": "Point i pulls at the boundary with the strength αᵢ, between 0 and C. Click a point that has slack. "
    "How will its αᵢ go as C rises from almost nothing?",
    "choices": (
        "It follows C, then bends off in straight pieces",
        "It rises along a smooth curve",
        "It jumps when the point changes its category",
    ),
    "reveal": "**αᵢ is continuous and made of straight pieces.** A point with slack pulls with all of C. Once its margin line "
    "has come to it, it is free, 0 < αᵢ < C, and holds the line there; when the line has passed on, αᵢ = 0. {selected}",
    "selected": "Point {id}: αᵢ = {alpha}, a share of {share}.",
    "none": "Click a mark in the chart or a point on the board to follow one of them.",
    "views": {"shares": "share αᵢ/C over log C", "plain": "αᵢ over C, straight pieces"},
    "axes": {"shares": ("C", "αᵢ/C"), "plain": ("C", "αᵢ")},
    "numbers": ("C", "αᵢ", "αᵢ/C"),
    "numbers_none": ("C", "αᵢ = 0", "0 < αᵢ < C", "αᵢ = C"),
    "try": ("Follow a free support vector", "Follow the point with the most slack", "300 points with a Gaussian"),
}

PLACES: dict[str, Any] = {
    "title": "Where a point can stand",
    "question": "The multiplier of some point is at its ceiling, αᵢ = C. Where can the point lie?",
    "choices": (
        "Only on the wrong side of the boundary",
        "Anywhere strictly short of its margin line",
        "On its margin line, or anywhere short of it",
    ),
    "reveal": "There are seven places, and each goes with what αᵢ may be. The five cases of the notes leave out two: "
    "**exactly on the margin line αᵢ may also be 0 or C.** The two products at the end of each row are 0 at an optimum (up to rounding). "
    "Choose a row to see its points on the board.",
    "heads": ("where", "condition", "points"),
    "conditions": {
        "outside": "αᵢ = 0, ξᵢ = 0",
        "margin_idle": "αᵢ = 0, ξᵢ = 0",
        "margin_free": "0 < αᵢ < C, ξᵢ = 0",
        "margin_full": "αᵢ = C, ξᵢ = 0",
        "inside": "αᵢ = C, 0 < ξᵢ < 1",
        "on_line": "αᵢ = C, ξᵢ = 1",
        "wrong": "αᵢ = C, ξᵢ > 1",
    },
    "where": {
        "outside": "outside, y f > 1",
        "margin_idle": "on the margin, y f = 1",
        "margin_free": "on the margin, y f = 1",
        "margin_full": "on the margin, y f = 1",
        "inside": "inside, 0 < y f < 1",
        "on_line": "on the boundary, y f = 0",
        "wrong": "wrong side, y f < 0",
    },
    "columns": ("point", "y f", "ξ", "α", "α (y f − 1 + ξ)", "(C − α) ξ"),
    "numbers": ("safe", "on the margin", "violating", "|α (y f − 1 + ξ)| ≤", "|(C − α) ξ| ≤"),
    "try": ("On the margin with α = 0", "On the margin with α = C", "Overlapping blobs, C = 0.1"),
}

SLACK: dict[str, Any] = {
    "title": "Slack and distance",
    "question": "The arrow leads from a point to its own margin line (select another point to move it). "
    "Is its slack ξᵢ the length of the arrow?",
    "choices": ("Yes, ξᵢ is that length", "No, the length is ξᵢ/|w|", "No, the length is ξᵢ·|w|"),
    "reveal": "ξᵢ is measured in units of f, and f rises by |w| on each unit of the board: **the distance is ξᵢ/|w|** (with another kernel, "
    "in feature space; on the board the way bends). The program has ξᵢ as variables of its own, and at the optimum each is the "
    "**hinge loss** max(0, 1 − yᵢ f(xᵢ)): all marks lie on the bent line, to within {apart}. The hinge lies above the 0/1 loss, "
    "so there are at most Σ ξᵢ errors: **{errors} ≤ {total}**.",
    "numbers": ("point", "y f", "ξ", "|w|", "ξ/|w|", "arrow"),
    "numbers_none": "No point has slack here. A lower C, or a point moved into the strip, gives it some.",
    "chart": ("y f(x)", "ξ", "hinge", "0/1 loss"),
    "try": ("The point with the most slack", "A lower price: C = 0.05", "A single intruder"),
}

OBJECTIVE: dict[str, Any] = {
    "title": "Two terms, one valley",
    "question": "Drag the handles: your line gets its best scale, and your F = ½|w|² + C Σ ξ is below. Can you come close to the least F? "
    "And in the plane of w, where does the best w lie among the circles of ½|w|² and the contours of C Σ ξ?",
    "choices": (
        "At the centre of the circles",
        "Where the slack is least",
        "Where a circle just touches a contour of the slack",
    ),
    "reveal": "The best w has ½|w|² = **{size}** and C Σ ξ = **{price}**. Its circle and its contour of the slack touch there: "
    "no w as short has less slack, and none with as little slack is shorter. As C grows, it walks outwards along the path.",
    "numbers": ("yours: ½|w|²", "+ C Σ ξ", "= F", "least F"),
    "views": {"terms": "the two terms", "sum": "their sum", "section": "a section"},
    "plane": ("½|w|²", "C Σ ξ", "½|w|² + C Σ ξ", "path along C", "best", "yours"),
    "section": ("(λ/2)|w|²", "mean hinge", "F", "F* + (λ/2) t²"),
    "t": "t, away from w* in the chosen direction",
    "angle": "Direction of the section, in degrees",
    "said": "Each point’s loss bends at least as much as (λ/2)|w|², so F stays above the dashed parabola (F and λ in the mean form, λ = {lam}). "
    "The mean hinge is nowhere steeper than the farthest point is far: {slope} ≤ X = {X}.",
    "hidden": "The bias is left out, so b = 0 everywhere.",
    "minimised": "For each w the best b is taken.",
    "try": ("C = 0.01", "C = 1", "C = 100"),
}

FORMS: dict[str, Any] = {
    "title": "Four ways to write it",
    "question": "The notes write the soft margin in four ways, each with a constant of its own. Choose the constants so that they match, "
    "and solve every form by itself. How many different machines come out?",
    "choices": ("One", "Two: sums and means differ", "Four"),
    "reveal": "**One machine.** Put the same number into all of them, and they part: the mean divides the slack by m = {m}, "
    "and the missing ½ counts double.",
    "views": {"matched": "matching constants", "same": "the same number in all"},
    "heads": ("", "minimise", "constant", "|w|", "b"),
    "rows": {
        "C": ("½|w|² + C Σ ξ", "C"),
        "a": ("(a/2)|w|² + Σ ξ", "a"),
        "lambda": ("(λ/2)|w|² + (1/m) Σ ξ", "λ"),
        "lambda_D": ("λ|w|² + (1/m) Σ ξ", "λ"),
    },
    "apart": "Largest difference between two w: {apart} of their length. Each row was solved by cvxopt as it is written.",
    "loose": " b is not unique on this board, so each may pick another one.",
    "many_points": "Four programs for {size} numbers would take too long. Take fewer points or the linear kernel.",
    "try": ("m = 20: the means change less", "m = 120: they change more"),
}

BIASES: dict[str, Any] = {
    "title": "Three treatments of b",
    "question": "Some notes leave b free, some leave it out, some make it the last coordinate of w, so that ½b² is paid too. "
    "At the same C, do they find the same boundary?",
    "choices": ("All three agree", "Two of them agree", "Three different boundaries"),
    "reveal": "The more b is held back, the more the best value costs: **{free} ≤ {penalised} ≤ {none}**. "
    "They are {count} here. Never compare the w of one with the w of another. Move all points aside: "
    "only the machine with the free b moves along unchanged.",
    "counts": {1: "one and the same machine", 2: "two different machines", 3: "three different machines"},
    "free": "b free",
    "penalised": "b penalised",
    "none": "no b",
    "heads": ("", "", "least value", "|w|", "b"),
    "numbers": "Let go of the point to see all three.",
    "try": ("Move all points by (1.5, 1)", "Centre the points", "C = 100"),
}

OFFSET: dict[str, Any] = {
    "title": "Which vectors know b",
    "question": "In the separable case every support vector gives b = yₖ − gₖ with g(x) = ⟨w, x⟩, and one takes the mean over all of them. "
    "Is that still right with slack?",
    "choices": (
        "Yes, all support vectors agree on b",
        "Only those with 0 < α < C give b",
        "Only those with α = C give b",
    ),
    "reveal": "**Only a vector with 0 < α < C lies on its margin line and knows b.** One at α = C with slack is off by yₖ ξₖ, so the mean over all "
    "support vectors is off by the mean of those: {mean} − ({error}) = {b}.",
    "interval": "No vector is free here, so **b may be anything from {lo} to {hi}**; the middle is drawn. "
    "The mean over all support vectors gives {mean}.",
    "point": "No vector is free here, yet the kinks of the hinge leave one b only: {b}. The mean over all support vectors gives {mean}.",
    "numbers": ("b", "mean over all support vectors", "error", "mean of y ξ"),
    "numbers_interval": ("b from", "to", "mean over all support vectors"),
    "chart": ("yₖ − gₖ", "free", "α = C", "b", "mean of all"),
    "legend": ("the boundary with that mean as b", "the ends of b’s interval"),
    "try": ("Four corners: no free vector", "Overlapping blobs, C = 0.1", "One against many"),
}

SUPPORT: dict[str, Any] = {
    "title": "Who carries w",
    "question": "Delete every point with α = 0. Does the boundary stay as it is?",
    "choices": (
        "Yes, in every form",
        "Yes at the same C, but not at the same λ",
        "No, in no form",
    ),
    "reveal": "**At the same C nothing happens to w.** At the same λ the mean is now over {kept} points in place of {m}, so the price becomes "
    "C = 1/(λ m′), and w moves, unless λ grows to λ m/m′. Those that stay are of two kinds, and w needs both: "
    "points with slack and points on the margin line.",
    "widened": " The interval of b has widened: a deleted point had held it.",
    "nobody": " Here every point is a support vector, so there is none to delete.",
    "heads": ("points", "C", "|w|", "b"),
    "rows": ("all {m}", "α = 0 deleted, C kept", "α = 0 deleted, λ kept", "α = 0 deleted, λ m/m′"),
    "legend": ("w", "its part from points with slack", "its part from the margin line"),
    "before": "the boundary before",
    "numbers": ("α = 0", "α > 0", "|w|", "C", "λ"),
    "try": (
        "Delete them, C kept",
        "Delete them, λ kept",
        "Delete them, λ adjusted",
        "One against many: b gains freedom",
    ),
}

HARD: dict[str, Any] = {
    "title": "Up to the hard margin",
    "question": "On separable points slack gets dearer as C grows. From which C on is the soft margin the hard margin, exactly?",
    "choices": ("Only in the limit C → ∞", "From a finite C on", "Never, some slack always stays"),
    "reveal": "**From C₀ = {C0} on.** The hard margin’s largest multiplier is {C0}"
    " (the least that it can be, where α is not unique); "
    "once C allows that much pull, the ceiling is not felt any more.",
    "beside": " At C₀ itself |w| = {at} and Σ ξ = {slack}, as hard as can be; "
    "at nine tenths of it |w| = {below} and Σ ξ = {loose}.",
    "numbers": ("C", "C₀", "|w|", "hard |w|", "Σ ξ"),
    "numbers_quick": ("C", "|w|", "Σ ξ"),
    "chart": ("C", "|w|", "Σ ξ"),
    "legend": ("hard margin", "the machine at this C is drawn in the usual lines"),
    "try": ("C = C₀", "C = 0.9 C₀", "Two separable blobs", "Moons with a narrow Gaussian"),
}
