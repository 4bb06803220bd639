"""Terms of the lesson on the margin: the boundary, the margin around it, and the position of points."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="point",
        name=N_("point"),
        definition=N_(
            "A place x on the board, with a label. m points make the data; in sums the index i runs over them."
        ),
        symbol="x",
        letters=("x",),
        formula=r"(x_i, y_i),\; i = 1, \dots, m",
        see=("label", "count"),
    ),
    Term(
        key="count",
        name=N_("number of points"),
        definition=N_("How many points are on the board, or in the data."),
        symbol="m",
        letters=("m",),
        see=("point", "lambda"),
    ),
    Term(
        key="label",
        name=N_("label"),
        definition=N_(
            "The class of a point as a number, +1 (a disc) or −1 (a square). Times f it counts f from the "
            "point's own side. Several classes are numbered from 1; in a regression y is a value."
        ),
        forms=N_("label|labels"),
        symbol="y",
        letters=("y",),
        formula=r"y_i \in \{-1,+1\}",
        see=("functional-margin", "decision-function"),
    ),
    Term(
        key="decision-function",
        name=N_("decision function"),
        definition=N_(
            "The number that the machine gives to a place x. Its sign is the predicted class; 0 is the "
            "boundary. In a regression it is the value that is told."
        ),
        forms=N_("classifier"),
        symbol="f",
        signs=("f(x)", "f"),
        letters=("f",),
        formula=r"f(x) = \langle w, x\rangle + b = \sum_i \alpha_i y_i k(x_i, x) + b",
        see=("boundary", "functional-margin", "kernel"),
        where_to_see=("margin.scaling", "duality.classify"),
    ),
    Term(
        key="normal",
        name=N_("normal vector"),
        definition=N_(
            "The direction in which f grows, perpendicular to the line. Its length says how fast f grows: "
            "the longer w, the narrower the street."
        ),
        forms=N_("normal"),
        symbol="w",
        signs=("w",),
        letters=("w",),
        formula=r"w = \sum_i \alpha_i y_i x_i",
        see=("norm", "bias", "decision-function"),
        where_to_see=("margin.turn", "duality.sum", "soft.support"),
    ),
    Term(
        key="norm",
        name=N_("norm"),
        definition=N_(
            "The length of a vector. f changes by |w| on each unit of length across the line, so 1/|w| is the margin."
        ),
        forms=N_("norm of w|norm"),
        symbol="|w|",
        signs=("|w|", "|w|²"),
        letters=("∥",),
        formula=r"\|w\|^2 = \langle w, w\rangle",
        see=("normal", "margin", "width"),
        where_to_see=("margin.places", "M5"),
    ),
    Term(
        key="bias",
        name=N_("bias"),
        definition=N_(
            "The offset in f. It lets the boundary lie away from the origin; without it, f(0) = 0 for the "
            "linear kernel."
        ),
        forms=N_("bias|offset"),
        symbol="b",
        signs=("b",),
        letters=("b",),
        formula=r"f(x) = \langle w, x\rangle + b",
        see=("decision-function", "normal"),
        where_to_see=("duality.offset", "soft.offset", "soft.biases"),
    ),
    Term(
        key="boundary",
        name=N_("boundary"),
        definition=N_(
            "Where f = 0: the solid line. On one side of it the machine says +1, on the other −1. With a "
            "straight kernel it is a line, in general a hyperplane of feature space."
        ),
        forms=N_("boundary|hyperplane"),
        formula=r"f(x) = 0",
        see=("margin-line", "decision-function", "feature-space"),
        where_to_see=("margin.hand",),
    ),
    Term(
        key="margin-line",
        name=N_("margin line"),
        definition=N_(
            "Where f = +1 or −1: the dashed lines. A point's own margin line is the one on the side of its "
            "class, y f = 1."
        ),
        forms=N_("margin line|margin lines"),
        formula=r"f(x) = \pm 1",
        see=("boundary", "margin", "functional-margin"),
        where_to_see=("margin.places", "M3"),
    ),
    Term(
        key="margin",
        name=N_("margin"),
        definition=N_(
            "Distance from the boundary to each margin line, 1/|w|; for any line that separates, to its "
            "nearest point. Said of a single point it means its functional margin y f."
        ),
        forms=N_("widest margin|largest margin|margin|margins"),
        symbol="γ*",
        signs=("γ*", "1/|w|"),
        letters=("γ^*",),
        formula=r"\gamma^* = \frac{1}{\|w^*\|}",
        see=("geometric-margin", "functional-margin", "width", "norm"),
        where_to_see=("margin.hand", "margin.turn", "M5"),
    ),
    Term(
        key="functional-margin",
        name=N_("functional margin"),
        definition=N_(
            "f counted from the point's own side: positive where the point is on the right side, at least 1 "
            "at or beyond its margin line. Scaling w and b scales it along."
        ),
        forms=N_("functional margin|functional margins"),
        symbol="y f",
        signs=("y f(x)", "y f"),
        formula=r"y_i f(x_i)",
        see=("geometric-margin", "margin-line", "slack"),
        where_to_see=("margin.scaling", "margin.places", "M2"),
    ),
    Term(
        key="geometric-margin",
        name=N_("geometric margin"),
        definition=N_(
            "The distance of a point from the boundary, negative on the wrong side. Scaling w and b leaves "
            "it alone. Of a line: the smallest over all points."
        ),
        forms=N_("geometric margin|signed distance"),
        symbol="γ",
        signs=("γ",),
        letters=("γ",),
        formula=r"\gamma_i = \frac{y_i f(x_i)}{\|w\|}",
        see=("functional-margin", "margin"),
        where_to_see=("margin.scaling", "margin.slide", "M4"),
    ),
    Term(
        key="width",
        name=N_("width"),
        definition=N_("Distance between the two margin lines: twice the margin."),
        forms=N_("width"),
        symbol="2/|w|",
        formula=r"\frac{2}{\|w\|}",
        see=("margin", "street"),
        where_to_see=("M4",),
    ),
    Term(
        key="street",
        name=N_("street"),
        definition=N_(
            "The strip between the two margin lines. With a hard margin no point lies in it, and the machine "
            "looks for the widest."
        ),
        forms=N_("widest street|street|strip"),
        see=("margin-line", "width", "hard-margin"),
        where_to_see=("margin.hand", "margin.exists"),
    ),
    Term(
        key="separable",
        name=N_("separable"),
        definition=N_(
            "Some boundary of the kernel has every point on its right side. It may be a close thing; whether "
            "it is so is decided exactly."
        ),
        forms=N_("separable|separability"),
        formula=r"y_i f(x_i) > 0",
        see=("convex-hull", "hard-margin", "certificate"),
        where_to_see=("margin.exists", "M10"),
    ),
    Term(
        key="convex-hull",
        name=N_("convex hull"),
        definition=N_(
            "All mixtures of a class's points, with weights from 0 that add up to 1: what a rubber band "
            "around them encloses. A line separates two classes exactly when their hulls do not meet."
        ),
        forms=N_("hull|hulls"),
        symbol="v",
        letters=("v_i", "v"),
        formula=r"\sum_i v_i x_i,\quad v_i \ge 0,\quad \sum_i v_i = 1",
        see=("separable", "certificate"),
        where_to_see=("margin.exists", "duality.hulls", "duality.none", "M10"),
    ),
    Term(
        key="perceptron",
        name=N_("perceptron"),
        definition=N_(
            "A method that adds y x to w whenever a point is wrong. On separable points it stops at some "
            "line, not at the one with the widest street."
        ),
        forms=N_("perceptron"),
        formula=r"w \leftarrow w + y_i x_i",
        see=("separable", "pocket", "radius"),
        where_to_see=("margin.perceptron", "losses.restless", "M8"),
    ),
    Term(
        key="radius",
        name=N_("radius of the points"),
        definition=N_(
            "Of a ball that holds the points: the unit in which a margin is large or small. The perceptron "
            "takes the longest point, with a 1 appended for the bias; squared, in units of the margin, it "
            "bounds its mistakes."
        ),
        symbol="R",
        letters=("R",),
        formula=r"R = \max_i \|(x_i, 1)\|",
        see=("ball", "perceptron", "longest"),
        where_to_see=("margin.perceptron", "M8", "G2"),
    ),
)
