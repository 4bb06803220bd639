"""Pegasos: stochastic subgradient descent on the primal problem without bias, with its convergence bound.

See P1-P15 of the catalogue; sources: notes A and D.
"""

from typing import TYPE_CHECKING

from svmlab.moved import old_names
from svmlab.pegasos.bounds import (
    corrected_factor,
    gap_bound,
    harmonic,
    printed_factor,
    printed_gap_bound,
    regret_bound,
    sharp_gap_bound,
)
from svmlab.pegasos.dual import DualAscentRun, certificate, dual_coefficients, dual_coordinate_ascent, dual_value
from svmlab.pegasos.kernel_run import KernelRun, RecordedKernelSteps, replay_kernel, run_kernel
from svmlab.pegasos.linear_run import PegasosRun, run_linear
from svmlab.pegasos.replay_steps import RecordedSteps, comparator_loss, mean_objective, replay
from svmlab.pegasos.run import pegasos
from svmlab.pegasos.sampling import draws
from svmlab.pegasos.step_rule import Form, Progress, Rule, checkpoints, objective
from svmlab.pegasos.textbook import Step, textbook

__all__ = [
    "DualAscentRun",
    "Form",
    "KernelRun",
    "RecordedKernelSteps",
    "PegasosRun",
    "Progress",
    "Rule",
    "Step",
    "RecordedSteps",
    "dual_coordinate_ascent",
    "certificate",
    "checkpoints",
    "dual_coefficients",
    "draws",
    "dual_value",
    "gap_bound",
    "harmonic",
    "comparator_loss",
    "mean_objective",
    "objective",
    "pegasos",
    "printed_factor",
    "printed_gap_bound",
    "regret_bound",
    "corrected_factor",
    "replay",
    "replay_kernel",
    "run_kernel",
    "run_linear",
    "sharp_gap_bound",
    "textbook",
]

if not TYPE_CHECKING:  # a type checker would accept any name
    __getattr__ = old_names(__name__)
