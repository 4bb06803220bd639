"""The lesson on several classes and regression: X1 and X2, one module for each step."""

from svmlab.lab.lessons.extensions.curve import CURVE
from svmlab.lab.lessons.extensions.edge import EDGE
from svmlab.lab.lessons.extensions.flat import FLAT
from svmlab.lab.lessons.extensions.middle import MIDDLE
from svmlab.lab.lessons.extensions.nobody import NOBODY
from svmlab.lab.lessons.extensions.rest import REST
from svmlab.lab.lessons.extensions.tube import TUBE
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "extensions",
    N_(
        "After this lesson you can explain SVMs for several classes and for regression. It builds on the lessons "
        "Duality and Soft margin."
    ),
    (REST, NOBODY, MIDDLE, TUBE, EDGE, FLAT, CURVE),
    minutes=8,
    summary=(
        N_(
            "**One-vs-rest.** For $K$ classes, you train $K$ binary SVMs with the functions $f_1, \\dots, f_K$. Each "
            "has one class as +1 and all others as −1. The predicted class is $\\arg\\max_k f_k(x)$."
        ),
        N_(
            "**Ambiguous regions.** Where exactly one $f_k(x)$ is positive, its class is predicted. Where none is "
            "positive, or several are, the prediction depends on the scale of each $f_k$."
        ),
        N_(
            "**Support vector regression.** It minimises $\\frac12\\|w\\|^2 + C\\sum_i \\max(0, |y_i - f(x_i)| - "
            "\\varepsilon)$. Points inside the tube $|y - f(x)| \\le \\varepsilon$ have no loss."
        ),
        N_(
            "**Multipliers.** $w = \\sum_i(\\alpha_i - \\alpha_i^*)x_i$. Both multipliers are 0 strictly inside the "
            "tube. Outside it one of them is $C$, and on an edge one is between 0 and $C$. The other is 0."
        ),
        N_(
            "**Width of the tube.** There are no support vectors if and only if $\\varepsilon \\ge \\frac12(\\max_i "
            "y_i - \\min_i y_i)$. Then $w = 0$, and the line is horizontal."
        ),
    ),
)
