"""The lesson on losses and descent: L1 to L5 and L8 to L15, one module for each step."""

from svmlab.lab.lessons.losses.balls import BALLS
from svmlab.lab.lessons.losses.curves import CURVES
from svmlab.lab.lessons.losses.down import DOWN
from svmlab.lab.lessons.losses.errors import ERRORS
from svmlab.lab.lessons.losses.far import FAR
from svmlab.lab.lessons.losses.kink import SUBGRADIENTS
from svmlab.lab.lessons.losses.recipe import RECIPE
from svmlab.lab.lessons.losses.restless import RESTLESS
from svmlab.lab.lessons.losses.valleys import VALLEYS
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "losses",
    N_(
        "After this lesson you can explain which losses can replace the number of training errors, and how a descent "
        "method minimises them. It builds on the lesson Soft margin."
    ),
    (ERRORS, CURVES, SUBGRADIENTS, DOWN, FAR, VALLEYS, BALLS, RECIPE, RESTLESS),
    minutes=10,
    summary=(
        N_(
            "**0–1 loss.** It counts the training errors, $\\sum_i \\mathbf 1[y_i f(x_i) \\le 0]$. It is piecewise "
            "constant, so its gradient gives no descent direction."
        ),
        N_(
            "**Surrogate loss.** If $\\ell(t) \\ge \\mathbf 1[t \\le 0]$ for all $t$, the number of training errors is "
            "at most $\\sum_i \\ell(y_i f(x_i))$. The hinge loss $\\ell(t) = \\max(0, 1 - t)$ has this property."
        ),
        N_(
            "**Subgradient.** A slope $s$ is a subgradient of $\\ell$ at $t_0$ if $\\ell(t) \\ge \\ell(t_0) + s\\,(t - "
            "t_0)$ for all $t$. At the kink $t_0 = 1$ of the hinge loss, these are all $s$ from −1 to 0."
        ),
        N_(
            "**Descent.** If $F$ is convex and $F(w) > F(w^*)$, then $\\langle -\\nabla F(w), w^* - w\\rangle \\ge "
            "F(w) - F(w^*) > 0$. So the angle between the negative gradient and the direction to $w^*$ is below 90°."
        ),
        N_(
            "**Regularised objective.** $F(w, b) = \\frac1m\\sum_i \\ell(y_i f(x_i)) + \\lambda R(w)$. The SVM has the "
            "hinge loss and $R(w) = \\frac12\\|w\\|^2$."
        ),
    ),
)
