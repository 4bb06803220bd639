"""The function that runs Pegasos."""

from __future__ import annotations

from typing import overload

from svmlab.core.rules import Seed
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear
from svmlab.pegasos.kernel_run import KernelRun, run_kernel
from svmlab.pegasos.linear_run import PegasosRun, run_linear
from svmlab.pegasos.step_rule import Form, Progress, Rule, Runs, Steps


@overload
def pegasos(
    data: Dataset,
    lam: float,
    T: int,
    runs: int = 1,
    seed: int = 0,
    kernel: Linear = Linear(),
    on_progress: Progress | None = None,
    *,
    form: Form = "w",
    step: int = 1,
    penalty_factor: int | None = None,
    replace: bool = True,
    batch: int = 1,
    project: bool = False,
) -> PegasosRun: ...
@overload
def pegasos(
    data: Dataset,
    lam: float,
    T: int,
    runs: int = 1,
    seed: int = 0,
    *,
    kernel: Kernel,
    on_progress: Progress | None = None,
    form: Form = "w",
    step: int = 1,
    penalty_factor: int | None = None,
    replace: bool = True,
    batch: int = 1,
    project: bool = False,
) -> PegasosRun | KernelRun: ...


@validated
def pegasos(
    data: Dataset,
    lam: float,
    T: Steps,
    runs: Runs = 1,
    seed: Seed = 0,
    kernel: Kernel = Linear(),
    on_progress: Progress | None = None,
    *,
    form: Form = "w",
    step: int = 1,
    penalty_factor: int | None = None,
    replace: bool = True,
    batch: int = 1,
    project: bool = False,
) -> PegasosRun | KernelRun:
    """Run the algorithm, one repetition after the other. The result is a PegasosRun, or a KernelRun for other kernels.

    lam > 0; T steps, 1 to 10^7; runs from 1; seed a non-negative whole number; form, step, penalty_factor, replace,
    batch, project as in `Rule`. on_progress gets the fraction done now and then, and may raise to stop. Raises
    BadInput, which names the argument.
    """
    rule = Rule(lam, form, step, penalty_factor, replace, batch, project)
    if kernel.is_linear:
        return run_linear(data, rule, T, runs, seed, on_progress)
    return run_kernel(data, rule, T, kernel, runs, seed, on_progress)
