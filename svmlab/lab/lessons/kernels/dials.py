"""What the dials and the board's kernel say in the steps on coordinates, and the machines that follow."""

from __future__ import annotations

from dataclasses import replace

from svmlab import Polynomial, Solution, SvmError, solve
from svmlab.core.arrays import Array
from svmlab.lab.lessons.kernels.polynomials import Form, machine
from svmlab.lab.teach.stage import Stage
from svmlab.lab.teach.step import Need
from svmlab.lab.words import N_


def settings_of(stage: Stage) -> dict[str, float]:
    """The parameters of the kernel on the board."""
    return {p.name: getattr(stage.lab, p.name) for p in stage.lab.kernel_function.parameters}


POLYNOMIAL = Need(
    lambda stage: {"degree", "coef0", "scale"} <= settings_of(stage).keys() and settings_of(stage)["degree"] <= 5,
    N_("This step is about a polynomial kernel, of degree 5 at most."),
    {"kernel": "polynomial", "degree": 2, "coef0": 1.0, "scale": 1.0},
)


def constant_dial(stage: Stage) -> str:
    """The dial of the kernel's constant: each degree has one of its own."""
    return f"c{int(settings_of(stage)['degree'])}"


def form(stage: Stage) -> Form:
    """The kernel's degree, its constant and the power of the weights, as the dials stand."""
    own = settings_of(stage)
    c = round(stage.dial(constant_dial(stage), own["coef0"]), 6)
    return Form(int(own["degree"]), c, own["scale"], stage.dial("weights", 1.0))


def kernel_of(stage: Stage) -> Polynomial:
    """The kernel with the constant of the dial."""
    now = form(stage)
    return Polynomial(now.degree, now.c, now.scale)


def board_has_dial_constant(stage: Stage) -> bool:
    """Whether the machine on the board has the constant of the dial."""
    return form(stage).c == settings_of(stage)["coef0"]


def by_kernel(stage: Stage) -> Solution | None:
    """The machine by kernel values; None where there is none."""
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


def by_coordinates(stage: Stage) -> Array | None:
    """The polynomial of the machine on the written coordinates; None where there is none."""
    now, problem = form(stage), stage.lab.problem
    return stage.cached(f"coordinates {now}", lambda: machine(problem, now)) if now.c >= 0 else None
