"""Which examples belong to which statement: those of the quantities that it is about."""

from __future__ import annotations

import math
from collections.abc import Callable

from svmlab.core.errors import SvmError
from svmlab.statements.examples import binary_programs as programs
from svmlab.statements.examples import binary_solutions as solutions
from svmlab.statements.examples import kernel_values as kernels

STATEMENTS: dict[Callable[[], float], str] = {  # what is computed again: the statements that are about it
    solutions.error_of_margins: "M1 M2 M3 M4 M13 H8",
    solutions.error_of_norm: "M5 M6 M7 H1 H12 S1",
    solutions.error_of_objectives: "S1 S2 H3 T1 T2",
    solutions.error_of_predictions: "M12 L4 G0",
    solutions.error_of_gradient: "M14",
    solutions.error_of_roles: "S5 G9",
    solutions.error_of_certificate: "H4 S6",
    programs.error_of_primal: "H1 H14 S1 S17",
    programs.error_of_dual: "H2 H14 H15",
    programs.error_of_lambda: "S2 P7 P11",
    programs.error_of_bias: "S7 S8",
    programs.error_of_solution_bias: "S7 S8 H12",
    programs.error_of_path: "S10 S11",
    programs.error_of_separability: "M10 H11 L13",
    kernels.error_of_linear: "H2 K1 K14",
    kernels.error_of_polynomials: "K1 K2 K10 K14",
    kernels.error_of_gaussians: "K6 K7 K11 G5 K14",
    kernels.error_of_sigmoids: "K12",
}


def error_on_examples(id: str) -> float:
    """Return the largest difference on the examples of a statement: 0 if there is none, inf for an error."""
    try:
        return max((error() for error, ids in STATEMENTS.items() if id in ids.split()), default=0.0)
    except SvmError:
        return math.inf
