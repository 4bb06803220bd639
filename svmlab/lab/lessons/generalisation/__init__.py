"""The lesson on generalisation: G0 to G9, one module for each step."""

from svmlab.lab.lessons.generalisation.carry import CARRY
from svmlab.lab.lessons.generalisation.enough import ENOUGH
from svmlab.lab.lessons.generalisation.fewer import FEWER
from svmlab.lab.lessons.generalisation.forbid import FORBID
from svmlab.lab.lessons.generalisation.four import FOUR
from svmlab.lab.lessons.generalisation.leave_one_out import LEAVE_ONE_OUT
from svmlab.lab.lessons.generalisation.units import UNITS_STEP
from svmlab.lab.lessons.generalisation.unseen import UNSEEN
from svmlab.lab.lessons.generalisation.vc_margin import VC_MARGIN
from svmlab.lab.lessons.generalisation.width import WIDTH_STEP
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "generalisation",
    N_(
        "After this lesson you can estimate how well an SVM classifies new points, and choose $\\sigma$ and $C$ with "
        "such an estimate. It builds on the lessons Soft margin and Kernels."
    ),
    (UNSEEN, WIDTH_STEP, UNITS_STEP, LEAVE_ONE_OUT, CARRY, FEWER, FOUR, FORBID, VC_MARGIN, ENOUGH),
    minutes=10,
    summary=(
        N_(
            "**Generalisation gap.** It is the true error $\\Pr[y f(x) \\le 0]$ minus the training error "
            "$\\frac1m\\sum_i \\mathbf 1[y_i f(x_i) \\le 0]$. The error on test points estimates the true error."
        ),
        N_(
            "**Cross-validation.** Each part of the training set is classified by an SVM that was trained on the other "
            "parts. You choose $\\sigma$ and $C$ with the smallest total error, and then test on points that you have "
            "not used."
        ),
        N_(
            "**Precision and recall.** Of a rare class, TP points are found and FN points are missed. FP points of the "
            "other class are assigned to it. The recall is TP/(TP + FN), and the precision is TP/(TP + FP). With a "
            "larger $C$ for the class you usually raise its recall and lower its precision."
        ),
        N_(
            "**Leave-one-out bound.** At a fixed $C$ and with $w \\ne 0$, the number of leave-one-out errors is at "
            "most the number $N$ of support vectors: $\\#\\{i : y_i f_{-i}(x_i) \\le 0\\} \\le N$."
        ),
        N_(
            "**VC dimension.** Lines in the plane shatter three points, but no four, so their VC dimension is 3. With "
            "margin $\\rho$ in a ball of radius $R$ in $d$ dimensions, it is at most "
            "${\\min(\\lceil R^2/\\rho^2\\rceil, d) + 1}$."
        ),
    ),
)
