"""Terms of the lesson on the margin: the boundary, the margin around it, and the position of points."""

from svmlab.core.phrase import N_
from svmlab.lab.glossary.term import Term

TERMS = (
    Term(
        key="point",
        name=N_("point"),
        definition=N_(
            "A vector x on the board, with a label. There are m training points, and the index i runs over them."
        ),
        symbol="x",
        letters=("x",),
        formula=r"(x_i, y_i),\; i = 1, \dots, m",
        see=("label", "count"),
    ),
    Term(
        key="count",
        name=N_("number of points"),
        definition=N_("The number of points on the board, or in the training set."),
        symbol="m",
        letters=("m",),
        see=("point", "lambda"),
    ),
    Term(
        key="label",
        name=N_("label"),
        definition=N_(
            "The class of a point as a number, +1 (disc) or −1 (square). Several classes are numbered from 1. In a "
            "regression, y is a value."
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
            "The function whose sign is the predicted class. It is 0 on the decision boundary. In a regression, f(x) "
            "is the predicted value."
        ),
        forms=N_("classifier"),
        synonyms=N_("SVM|discriminant function|score"),
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
            "The vector perpendicular to the decision boundary, in the direction in which f grows. If w is longer, f "
            "grows faster and the margin lines are closer."
        ),
        forms=N_("normal"),
        synonyms=N_("weight vector|weights"),
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
            "The length of a vector. Perpendicular to the boundary, f changes by ‖w‖ per unit of length. So the "
            "margin lines are at the distance 1/‖w‖ from it."
        ),
        forms=N_("norm of w|norm"),
        synonyms=N_("length"),
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
            "The constant term of f. It moves the boundary away from the origin. Without it, f(0) = 0 for the linear "
            "kernel."
        ),
        forms=N_("bias|offset"),
        synonyms=N_("intercept|threshold"),
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
            "The points where f = 0 (solid line). The predicted class is +1 on one side and −1 on the other. With a "
            "nonlinear kernel, it is a hyperplane of the feature space."
        ),
        forms=N_("decision boundary|boundary|hyperplane"),
        synonyms=N_("separating line|decision surface"),
        formula=r"f(x) = 0",
        see=("margin-line", "decision-function", "feature-space"),
        where_to_see=("margin.hand",),
    ),
    Term(
        key="margin-line",
        name=N_("margin line"),
        definition=N_(
            "The points where f = +1 or f = −1 (dashed lines). A point's own margin line is the margin line of its "
            "class, where y f = 1."
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
            "The smallest geometric margin of all points. If the smallest functional margin is 1, it is 1/‖w‖, the "
            "distance between the boundary and each margin line. With a soft margin, this distance is called the "
            "margin."
        ),
        forms=N_("widest margin|largest margin|margin|margins"),
        synonyms=N_("maximal margin"),
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
            "The product y f(x). It is positive on the correct side, and 1 on the point's own margin line. If w and b "
            "are multiplied by s, so is the functional margin."
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
            "The distance of a point from the decision boundary, negative on the wrong side. It does not change if w "
            "and b are multiplied by s > 0."
        ),
        forms=N_("geometric margin"),
        synonyms=N_("signed distance"),
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
        definition=N_("The distance between the two margin lines, which is twice the margin."),
        forms=N_("margin width"),
        symbol="2/|w|",
        formula=r"\frac{2}{\|w\|}",
        see=("margin", "street"),
        where_to_see=("M4",),
    ),
    Term(
        key="street",
        name=N_("strip between the margin lines"),
        definition=N_(
            "The strip between the two margin lines, “the street”. With a hard margin no point lies inside it, "
            "and the SVM makes it as wide as possible."
        ),
        forms=N_("widest street|street|strip"),
        synonyms=N_("street|slab"),
        see=("margin-line", "width", "hard-margin"),
        where_to_see=("margin.hand", "margin.exists"),
    ),
    Term(
        key="separable",
        name=N_("separable"),
        definition=N_(
            "Two classes are separable if some boundary has every point strictly on its correct side. The app "
            "decides this in exact arithmetic."
        ),
        forms=N_("separable|separability"),
        synonyms=N_("linearly separable"),
        formula=r"y_i f(x_i) > 0",
        see=("convex-hull", "hard-margin", "certificate"),
        where_to_see=("margin.exists", "M10"),
    ),
    Term(
        key="convex-hull",
        name=N_("convex hull"),
        definition=N_(
            "All convex combinations of the points of a class, the region that a rubber band around them encloses. A "
            "line separates two classes if and only if their hulls share no point."
        ),
        forms=N_("convex hull|convex hulls|hull|hulls"),
        formula=r"\sum_i v_i x_i,\quad v_i \ge 0,\quad \sum_i v_i = 1",
        see=("convex-weight", "separable", "certificate"),
        where_to_see=("margin.exists", "duality.hulls", "duality.none", "M10"),
    ),
    Term(
        key="convex-weight",
        name=N_("convex combination"),
        definition=N_(
            "A weighted sum of points. The weights v are at least 0 and add up to 1. For the points of a class "
            "it is a point of the convex hull."
        ),
        forms=N_("convex combination|convex combinations"),
        symbol="v",
        letters=("v_i", "v"),
        formula=r"\sum_i v_i x_i,\quad v_i \ge 0,\quad \sum_i v_i = 1",
        see=("convex-hull",),
        where_to_see=("margin.exists", "duality.none"),
    ),
    Term(
        key="perceptron",
        name=N_("perceptron"),
        definition=N_(
            "A method that adds y x to w and y to b for each misclassified point. On separable points it stops on some "
            "separating line, usually without the largest margin."
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
            "The radius of a ball that contains the points. For the perceptron it is the largest norm of the points "
            "with a 1 appended. (R/γ)² bounds its mistakes, with the margin γ of the same points."
        ),
        symbol="R",
        letters=("R",),
        formula=r"R = \max_i \|(x_i, 1)\|",
        see=("ball", "perceptron", "longest"),
        where_to_see=("margin.perceptron", "M8", "G2"),
    ),
)
