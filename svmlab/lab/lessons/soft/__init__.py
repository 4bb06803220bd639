"""The lesson on the soft margin: S1 to S17, one module for each step."""

from svmlab.lab.lessons.soft.biases import BIASES
from svmlab.lab.lessons.soft.forms import FORMS
from svmlab.lab.lessons.soft.hard import HARD
from svmlab.lab.lessons.soft.multipliers import MULTIPLIERS
from svmlab.lab.lessons.soft.objective import OBJECTIVE
from svmlab.lab.lessons.soft.offset import OFFSET
from svmlab.lab.lessons.soft.places import PLACES
from svmlab.lab.lessons.soft.price import PRICE
from svmlab.lab.lessons.soft.slack import SLACK
from svmlab.lab.lessons.soft.support import SUPPORT
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "soft",
    N_(
        "After this lesson you can explain what slack variables, the parameter C and the multipliers do in a "
        "soft-margin SVM. It builds on the lessons Margin and Duality."
    ),
    (PRICE, SLACK, OBJECTIVE, FORMS, PLACES, HARD, MULTIPLIERS, SUPPORT, OFFSET, BIASES),
    minutes=15,
    summary=(
        N_(
            "**Soft margin.** Slack variables allow margin violations. Minimise $\\frac12\\|w\\|^2 + C\\sum_i\\xi_i$ "
            "subject to $y_i f(x_i) \\ge 1 - \\xi_i$ and $\\xi_i \\ge 0$."
        ),
        N_(
            "**Slack.** At the optimum, $\\xi_i = \\max(0, 1 - y_i f(x_i))$. A point with slack is at the distance "
            "$\\xi_i/\\|w\\|$ from its margin line, and the number of training errors is at most $\\sum_i\\xi_i$."
        ),
        N_(
            "**Trade-off.** As $C$ grows, $\\|w\\|$ does not fall and $\\sum_i\\xi_i$ does not rise. The form "
            "$\\frac\\lambda2\\|w\\|^2 + \\frac1m\\sum_i\\xi_i$ has the same minimiser for $C = \\frac{1}{\\lambda m}$."
        ),
        N_(
            "**Multipliers.** The dual has $0 \\le \\alpha_i \\le C$. If $\\alpha_i = 0$, then $y_i f(x_i) \\ge 1$. If "
            "$0 < \\alpha_i < C$, then $y_i f(x_i) = 1$. If $\\alpha_i = C$, then $y_i f(x_i) \\le 1$."
        ),
        N_(
            "**Hard margin.** On separable points, the soft margin is equal to the hard margin for every $C \\ge C_0$, "
            "where $C_0 = \\min_{\\alpha^*}\\max_i\\alpha_i^*$ over all optimal multipliers $\\alpha^*$ of the hard "
            "margin."
        ),
    ),
)
