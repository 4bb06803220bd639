"""The lesson on kernels: K1 to K14, one module for each step."""

from svmlab.lab.lessons.kernels.anything import ANYTHING
from svmlab.lab.lessons.kernels.build import BUILD
from svmlab.lab.lessons.kernels.coordinates import COORDINATES
from svmlab.lab.lessons.kernels.count import COUNT
from svmlab.lab.lessons.kernels.lift import LIFT
from svmlab.lab.lessons.kernels.psd import PSD
from svmlab.lab.lessons.kernels.series import SERIES
from svmlab.lab.lessons.kernels.similarity import SIMILARITY
from svmlab.lab.lessons.kernels.span import SPAN
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "kernels",
    N_(
        "A straight line in more dimensions is a curve on the board. A kernel goes there without writing "
        "the coordinates down."
    ),
    (
        LIFT,
        SIMILARITY,
        COORDINATES,
        COUNT,
        PSD,
        BUILD,
        SERIES,
        ANYTHING,
        SPAN,
    ),
)
