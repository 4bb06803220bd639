"""The lesson on duality: H1 to H13, one module for each step."""

from svmlab.lab.lessons.duality.classify import CLASSIFY
from svmlab.lab.lessons.duality.gap import GAP
from svmlab.lab.lessons.duality.hulls import HULLS
from svmlab.lab.lessons.duality.keep import KEEP
from svmlab.lab.lessons.duality.kkt import KKT
from svmlab.lab.lessons.duality.none import NONE
from svmlab.lab.lessons.duality.offset import OFFSET
from svmlab.lab.lessons.duality.parts import PARTS
from svmlab.lab.lessons.duality.primal import PRIMAL
from svmlab.lab.lessons.duality.programs import PROGRAMS
from svmlab.lab.lessons.duality.saddle import SADDLE
from svmlab.lab.lessons.duality.sum import SUM
from svmlab.lab.lessons.duality.weights import WEIGHTS
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "duality",
    N_(
        "In this lesson you write the SVM as a primal and as a dual problem, and you compute $w$, $b$ and the support "
        "vectors from the multipliers. It builds on the lesson *Margin*."
    ),
    (PRIMAL, SADDLE, PROGRAMS, KKT, SUM, OFFSET, CLASSIFY, GAP, PARTS, KEEP, WEIGHTS, HULLS, NONE),
    minutes=15,
    summary=(
        N_(
            "**Primal problem.** Minimise $\\frac12\\|w\\|^2$ subject to $y_if(x_i)\\ge1$ for all $i$. The margin of "
            "the solution is $1/\\|w\\|$."
        ),
        N_(
            "**Dual problem.** Maximise $\\sum_i\\alpha_i-\\frac12\\sum_{i,j}\\alpha_i\\alpha_jy_iy_j\\langle "
            "x_i,x_j\\rangle$ subject to $\\alpha_i\\ge0$ and $\\sum_i\\alpha_iy_i=0$. If a line separates the "
            "classes, both problems have the same optimal value."
        ),
        N_(
            "**KKT conditions.** At the optimum, $w=\\sum_i\\alpha_iy_ix_i$ and $\\alpha_i\\,(y_if(x_i)-1)=0$. So "
            "every point beyond its margin line has $\\alpha_i=0$, and the points with $\\alpha_i>0$ are the support "
            "vectors."
        ),
        N_(
            "**Bias.** You get $b=y_i-\\sum_j\\alpha_jy_j\\langle x_j,x_i\\rangle$ from every support vector $x_i$. "
            "With a soft margin, use only those with $\\alpha_i<C$."
        ),
        N_(
            "**Decision function.** $f(x)=\\sum_i\\alpha_iy_i\\langle x_i,x\\rangle+b$ uses only inner products. So "
            "you can replace them by a positive semidefinite kernel $k(x_i,x)$."
        ),
    ),
)
