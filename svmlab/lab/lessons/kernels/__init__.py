"""The lesson on kernels: K1 to K14, one module for each step."""

from svmlab.lab.lessons.kernels.anything import ANYTHING
from svmlab.lab.lessons.kernels.construct import CONSTRUCT
from svmlab.lab.lessons.kernels.coordinates import COORDINATES
from svmlab.lab.lessons.kernels.count import COUNT
from svmlab.lab.lessons.kernels.lift import LIFT
from svmlab.lab.lessons.kernels.psd import PSD
from svmlab.lab.lessons.kernels.representer import REPRESENTER
from svmlab.lab.lessons.kernels.series import SERIES
from svmlab.lab.lessons.kernels.similarity import SIMILARITY
from svmlab.lab.teach.step import Lesson
from svmlab.lab.words import N_

LESSON = Lesson(
    "kernels",
    N_(
        "After this lesson you can explain how a kernel gives a linear SVM curved boundaries, and which functions are "
        "kernels. It builds on the dual problem in the lesson Duality."
    ),
    (LIFT, COORDINATES, SIMILARITY, PSD, COUNT, CONSTRUCT, SERIES, ANYTHING, REPRESENTER),
    minutes=10,
    summary=(
        N_(
            "**Feature map.** $\\phi$ gives each point new features, and $f(x) = \\langle w, \\phi(x)\\rangle + b$ is "
            "linear in them. The boundary $f(x) = 0$ can be curved on the board."
        ),
        N_(
            "**Kernel.** $k(x, z) = \\langle\\phi(x), \\phi(z)\\rangle$. The dual and $f(x) = \\sum_i \\alpha_i y_i\\,"
            "k(x_i, x) + b$ need only kernel values, so you never compute $\\phi$."
        ),
        N_(
            "**Examples.** The polynomial kernel is $(\\langle x, z\\rangle + c)^p$ with $c \\ge 0$. The Gaussian "
            "kernel is $e^{-\\|x - z\\|^2/(2\\sigma^2)}$ with $\\sigma > 0$."
        ),
        N_(
            "**Condition.** A symmetric function $k$ is a kernel if and only if $a^\\top K a \\ge 0$ for every $a$ and "
            "every Gram matrix $K_{ij} = k(x_i, x_j)$. This means that no eigenvalue of $K$ is negative."
        ),
        N_(
            "**Representer theorem.** A minimiser of loss plus $\\frac\\lambda2\\|w\\|^2$ has the form $w = \\sum_i "
            "a_i\\,\\phi(x_i)$. So $m$ numbers describe it, whatever the dimension of the feature space is."
        ),
    ),
)
