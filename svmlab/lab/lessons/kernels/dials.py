"""The polynomial kernel of the board and of the sliders, and the SVMs with it and with its features."""

from __future__ import annotations

from dataclasses import replace

from svmlab import Polynomial, Solution, SvmError, solve
from svmlab.core.arrays import Array
from svmlab.lab.lessons.kernels.polynomials import Form, svm_with_features
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need
from svmlab.lab.words import N_


def settings_of(stage: Stage) -> dict[str, float]:
    """Return the parameters of the kernel on the board."""
    return {p.name: getattr(stage.lab, p.name) for p in stage.lab.kernel_function.parameters}


POLYNOMIAL = Need(
    lambda stage: {"degree", "coef0", "scale"} <= settings_of(stage).keys() and settings_of(stage)["degree"] <= 5,
    N_("This step is about the polynomial kernel with degree at most 5."),
    {"kernel": "polynomial", "degree": 2, "coef0": 1.0, "scale": 1.0},
)


def constant_dial(stage: Stage) -> str:
    """Return the key of the slider of the constant. Each degree has its own."""
    return f"c{int(settings_of(stage)['degree'])}"


def form(stage: Stage) -> Form:
    """Return the degree of the kernel, and the constant and the exponent of the weights of the sliders."""
    own = settings_of(stage)
    c = round(stage.dial(constant_dial(stage), own["coef0"]), 6)
    return Form(int(own["degree"]), c, own["scale"], stage.dial("weights", 1.0))


def kernel_of(stage: Stage) -> Polynomial:
    """Return the kernel with the constant of the slider."""
    present = form(stage)
    return Polynomial(present.degree, present.c, present.scale)


def board_has_dial_constant(stage: Stage) -> bool:
    """Return whether the kernel on the board has the constant of the slider."""
    return form(stage).c == settings_of(stage)["coef0"]


def with_kernel(stage: Stage) -> Solution | None:
    """Return the SVM with the kernel, or None if there is none."""
    if board_has_dial_constant(stage):
        return stage.outcome.solution
    kernel = kernel_of(stage)
    if not kernel.psd:
        return None

    def make() -> Solution | None:
        try:
            return solve(replace(stage.lab.problem, kernel=kernel))
        except SvmError:
            return None

    return stage.cached(f"kernel {kernel.key}", make)


def with_features(stage: Stage) -> Array | None:
    """Return the polynomial of the SVM with the features, or None if there is none."""
    present, problem = form(stage), stage.lab.problem
    if present.c < 0:
        return None
    return stage.cached(f"features {present}", lambda: svm_with_features(problem, present))
