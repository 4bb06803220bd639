"""Words of the lesson on the margin."""

from svmlab.lab.teach.words import Words

INTRO = "How wide is the street between the classes, and what does its width say about w? Eight small experiments on your own points."

NEEDS = {
    "linear": "This step measures distances in the plane, so it needs a straight line: the linear kernel.",
    "bias": "This step moves the line freely, so the machine needs its offset b.",
    "line": "There is no line on this board yet: with one class, or with w = 0, nothing separates.",
    "classes": "Only one class is here, so there is no street. A street needs points on both sides.",
    "hard": "These classes can be separated. This step is about the widest street between them, so it needs the hard margin.",
    "separable": "No line separates these classes, so there is no street without points in it.",
}
SETUPS = {
    "linear": "Use the linear kernel",
    "bias": "Switch the bias on",
    "classes": "Two separable classes",
    "hard": "Hard margin on these points",
    "separable": "Two separable classes, hard margin",
}
POINT = {True: "selected point {where}", False: "nearest point {where}"}

SCALING = Words(
    "Two margins, one line",
    "The **functional margin** of a point is $y f(x)$ with $f(x) = \\langle w, x\\rangle + b$; its **geometric margin** is its "
    "distance to the line, negative on the wrong side. Now multiply $w$ and $b$ by 2. What happens to the two margins of a point?",
    ("Both double", "Only the functional margin doubles", "Only the geometric margin doubles", "Both stay"),
    "The line $c f = 0$ is the same for every $c \\ne 0$, so no distance changes; $f$ itself is multiplied. That is why the scale of "
    "$(w, b)$ may be **chosen**: with the smallest functional margin set to 1, the nearest point is $1/\\|w\\|$ away. Asking for "
    "$y f \\ge 1$ instead loses nothing, since a larger $(w, b)$ only costs norm and shrinks back until a point touches. "
    "Move c through 0: there the line is gone, and **below 0 every margin changes its sign**, because the two sides are swapped.",
    r"\gamma_i = \frac{y_i f(x_i)}{\|w\|}, \qquad \frac{y_i\, c f(x_i)}{\|c w\|} = \gamma_i \;\;(c > 0)",
    ("c = 2", "c = −1: the sides are swapped", "Scale so that the smallest functional margin is 1"),
)
SCALING_DIAL = "Factor c for w and b"
SCALING_READ = {"functional": "c · y f", "geometric": "geometric margin", "street": "1/|c w|"}
SCALING_GONE = "With c = 0, f is 0 everywhere: no line, no distance."
SCALING_CHART = {"functional": "functional", "geometric": "geometric", "x": "factor c", "y": "margin of this point"}

PLACES = Words(
    "Seven places for a point",
    "Select a point on the board and look only at the three lines: its own margin line, the boundary, the other class's margin line. "
    "Which functional margin must it have?",
    (
        "y f > 1: beyond its own margin line",
        "y f = 1: on it",
        "0 < y f < 1: in the strip, right side",
        "y f = 0: on the boundary",
        "−1 < y f < 0: in the strip, wrong side",
        "y f = −1: on the other margin line",
        "y f < −1: beyond the other margin line",
    ),
    "Here **y f = {yf}**. Distances alone have decided: f grows by 1 over every half width $1/\\|w\\|$ of the strip, so distance and "
    "functional margin tell the same story. Below, every point by its functional margin; click one to select it. "
    "A prediction is right where $y f > 0$. On the boundary itself it depends on the class the line is given to: "
    "with $g(0) = +1$ a positive point there is right although its margin is 0.",
    r"\operatorname{dist}(x) = \frac{|f(x)|}{\|w\|}",
    ("The point nearest to the boundary", "A positive point exactly on the boundary"),
)
PLACES_READ = {"own": "to its own margin line", "zero": "to the boundary", "other": "to the other margin line"}
PLACES_HALF = "half width"
PLACES_CHART = {"x": "functional margin y f", "plus": "class +1", "minus": "class −1"}

EXISTS = Words(
    "Is there a line at all?",
    "Before looking for the best line: can **any** straight line keep the two classes apart on this board?",
    ("Yes, some line does", "No line can"),
    formula=r"\exists (w, b):\; y_i f(x_i) > 0 \quad\text{or}\quad \sum_{+} v_i x_i = \sum_{-} v_i x_i",
    tries=("Separable classes", "Overlapping classes", "XOR", "The same points, one of them moved across"),
)
EXISTS_LINE = (
    "**Yes**, and the line drawn is the proof: put any point into it and $y f$ is positive, {least} at the least. "
    "The outlines are the hulls of the classes; two hulls without a common point always leave room for a line. The short segment is "
    "the closest that they come: **{gap}**, the width of the widest street."
)
EXISTS_MEET = (
    "**No**, and here is the proof: the hulls share the place marked by a diamond. It is a mixture of + points and also a mixture of "
    "− points, so a line would have to give it both signs. Either a line or such a place exists, never both, never neither; "
    "looking for one is solving linear inequalities."
)
EXISTS_ROW = "| point | class | weight v |\n|---|---|---|"
EXISTS_SUM = "Both classes' weights add up to 1, and both mixtures land on ({x}, {y}), {off} apart."

HAND = Words(
    "Place a line yourself",
    "Drag the handles (or the line) until it separates the classes with as much room as you can find; the short arrow points to the "
    "+ side. The dashed lines are **your** street: it ends at the nearest point. When you are content: how good is your best line?",
    (
        "As wide as any: within 1 % of the widest",
        "Within a tenth of the widest",
        "There is much more room",
        "It does not separate yet",
    ),
    "The widest street has the margin **{best}**. Your best line keeps **{own}**, {share} of it. The widest one touches "
    "points of **both** classes; a line that touches only one can still be slid, and one that touches too few can still be turned.",
    r"\gamma = \min_i \frac{y_i f(x_i)}{\|w\|}",
    ("Another board", "Back to my best line", "Put my line on the widest street"),
)
HAND_READ = {"now": "your margin", "best": "your best so far", "widest": "widest"}
HAND_NOT_YET = (
    "The widest street has the margin **{best}**. None of your lines has separated the classes yet: move the handles until no "
    "point is ringed."
)
HAND_NONE = "none yet"
HAND_SWAP = "Most points are on the wrong side: swap the two handles."

TURN = Words(
    "Turn the line",
    "Now a machine does it: for each direction of the normal it puts the line in the middle of the gap. Turn the slider once round. "
    "How often does the margin rise to a peak **above 0**?",
    ("Once", "Twice: there and on the opposite side", "It depends on the board"),
    "One peak, on every separable board: where the margin is above 0, halfway between two directions is never worse than the worse of them. "
    "The peak stands in the direction of $w^*$ and its height is $1/\\|w^*\\|$ = **{best}**, found by the solver without trying any direction. "
    "Below 0 the classes overlap when seen along that line. Click the curve to turn the line there.",
    r"u^* = \gamma^* w^*, \qquad \gamma^* = \frac{1}{\|w^*\|}",
    ("Turn to w*", "Ten degrees beside it", "The opposite direction"),
)
TURN_DIAL = "Direction of the normal"
TURN_READ = {"angle": "direction", "margin": "margin there", "share": "of the widest"}
TURN_CHART = {"x": "direction of the normal, degrees", "y": "margin of the best line", "peak": "1/|w*|"}

PERCEPTRON = Words(
    "The perceptron's line",
    "The perceptron starts at $w = 0$, looks at one point after the other and adds $y\\,x$ whenever a point is wrong. "
    "The classes here are separable. Where does it stop?",
    ("On the widest street", "On a line that separates, whichever comes first", "It may go on for ever"),
    "It stops after **{mistakes}** mistakes here; no order of these points can need more than **{bound}**, with R and the margin taken "
    "of the points with a 1 appended. Play the film under the board: each ringed point is wrong and pulls the line over. "
    "{orders} orders of the same points end in different lines (faint), and none is wider than the widest street. "
    "Click an order in the chart to see its film.",
    r"\text{mistakes} \le \left(\frac{R}{\gamma^*}\right)^2 \text{ for } \binom{x_i}{1}, \qquad \gamma(w, b) \le \gamma^*",
    ("Another order of the points", "A narrow street far from the origin"),
)
PERCEPTRON_CHART = {"x": "mistakes until it stops", "y": "margin / widest", "bound": "bound {bound}"}
PERCEPTRON_UNFINISHED = (
    "The street is so narrow that {mistakes} mistakes were not enough; the film ends there. The bound allows {bound}."
)
FILM_START = "w = 0, b = 0: every point counts as wrong. The first is {point}."
FILM_STEP = "<b>{t}</b> of {n}: {point} has y f = {yf}. So w ← w + y x, b ← b + y."
FILM_END = "After <b>{n}</b> mistakes a whole round without any. Its margin: {margin}, the widest: {widest}."
FILM_OPEN = "Here the run was ended, after {n} mistakes."
FILM_POINT = "{sign} point at {where}"

SHAKE = Words(
    "Room for noise",
    "Every point is measured with an error and may lie anywhere within **0.9 of the margin** around its true place; the line stays "
    "where it is. Can a point end up on the wrong side?",
    ("No, whatever its direction", "Only when it is pushed straight at the line", "Yes, some do"),
    "Around every point is a disc of radius $\\gamma^*$ = **{best}**. The discs of the nearest points touch the line and none crosses it, so no "
    "shift shorter than $\\gamma^*$ changes a prediction. Just above it a push straight at the line is enough. Every other line cuts into "
    "a disc, so none tolerates more.{own}",
    r"\|\delta_i\| < \gamma^* \;\Rightarrow\; y_i f(x_i + \delta_i) > 0",
    ("Shake again", "Push all straight at the line, 0.99 of the margin", "The same with 1.01"),
)
SHAKE_OWN = " Your own best line tolerated {own}."
SHAKE_DIAL = "How far each point moves, in parts of the margin"
SHAKE_READ = {"radius": "moved by", "crossed": "on the wrong side now", "worst": "if pushed straight at the line"}
SHAKE_UNIT = " γ*"
OF_ALL = "{n} of {m}"

SLIDE = Words(
    "A sign that matters",
    "Suppose somebody maximises the smallest **distance** from the points to the line, $\\min_i |f(x_i)| / \\|w\\|$, without asking on "
    "which side they are. Which line wins?",
    (
        "The middle of the widest street",
        "A line far away from all points",
        "A line through the largest gap within a class",
    ),
    "Slide the line off the board: the smallest distance grows for ever, **{near}** at 100 and **{far}** at 1000, and no line is the best. "
    "With its sign the margin falls to −∞ there, because one whole class is then on the wrong side; "
    "or one demands that the line separates, and the two readings agree.",
    r"\max_{w, b}\, \min_i \frac{y_i f(x_i)}{\|w\|} \quad \text{not} \quad \max_{w, b}\, \min_i \frac{|f(x_i)|}{\|w\|}",
    ("Back to the middle of the street", "Slide it off the board"),
)
SLIDE_DIAL = "How far the line is slid along its normal"
SLIDE_READ = {"unsigned": "smallest distance", "signed": "with its sign"}
SLIDE_CHART = {"unsigned": "distance", "signed": "with sign", "x": "line slid by", "y": "smallest over all points"}
