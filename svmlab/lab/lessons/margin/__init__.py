"""The lesson on the margin: M1 to M13, one module for each step."""

from svmlab.lab.lessons.margin.exists import EXISTS
from svmlab.lab.lessons.margin.hand import HAND
from svmlab.lab.lessons.margin.perceptron import PERCEPTRON
from svmlab.lab.lessons.margin.places import PLACES
from svmlab.lab.lessons.margin.scaling import SCALING
from svmlab.lab.lessons.margin.shake import SHAKE
from svmlab.lab.lessons.margin.slide import SLIDE
from svmlab.lab.lessons.margin.turn import TURN
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "margin",
    N_(
        "After this lesson you can compute the margins of a point and of a line, and explain why an SVM "
        "maximises the geometric margin. It builds on *Start here* and on inner products."
    ),
    (SCALING, PLACES, EXISTS, HAND, SHAKE, TURN, PERCEPTRON, SLIDE),
    minutes=15,
    summary=(
        N_(
            "**Functional margin.** A point has the functional margin $y_i f(x_i)$ with $f(x) = \\langle w, x\\rangle "
            "+ b$. It is above 0 if and only if the point lies strictly on its correct side."
        ),
        N_(
            "**Geometric margin.** The distance of a point from the boundary, with a sign, is $\\gamma_i = y_i "
            "f(x_i)/\\|w\\|$. It does not change if you multiply $w$ and $b$ by $s > 0$."
        ),
        N_(
            "**Separability.** A line with $y_i f(x_i) > 0$ for all $i$ exists if and only if the convex hulls of the "
            "two classes share no point."
        ),
        N_(
            "**Largest margin.** If the smallest functional margin is 1, then $\\gamma = 1/\\|w\\|$. So maximising "
            "$\\gamma$ means minimising $\\tfrac12\\|w\\|^2$ subject to $y_i f(x_i) \\ge 1$ for all $i$."
        ),
        N_(
            "**Robustness.** If the classes are separable, exactly one line has the largest margin $\\gamma^* = "
            "1/\\|w^*\\|$. It still separates the points $x_i + \\delta_i$ if all $\\|\\delta_i\\| < \\gamma^*$. No "
            "other separating line tolerates as much."
        ),
    ),
)
