"""The two descents of note B on 1/2 |w|^2 + C sum_i xi_i without bias, as printed and corrected (L6, L7).

    batch        w - eta_r w + eta_r C sum_{i in L} y_i x_i,   L = {i: y_i <w, x_i> < 1}
    sgd          w - eta_r w + eta_r C m y_i x_i   if i, drawn at random, is in L;   w - eta_r w   if it is not

Note B prints a constant learning rate eta for eta_r (its alpha), C = 1, and for sgd the step without the factor C m,
without y_i, and without shrinking if i is not in L. With eta_r = 1/r and C = 1/(lam m) the first is subgradient descent
on F, and the second is Pegasos.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, frozen
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_
from svmlab.core.rules import Number, Positive, Seed
from svmlab.core.validate import validated
from svmlab.data import Dataset
from svmlab.pegasos import Progress, checkpoints, draws, objective
from svmlab.pegasos.step_rule import Runs, Steps, check_points

__all__ = ["Descent", "batch_descent", "sgd"]
Reading = Literal["repaired", "as written", "signed", "printed"]
READINGS: tuple[Reading, ...] = ("repaired", "as written", "signed", "printed")
REPORT_STEPS = 2000  # number of steps between two reports of progress
_Step: TypeAlias = Callable[[int, Array], Array]


StepSize = Annotated[float, Number(above=0.0, maximum=1.0, hint=N_("Leave it out for 1/r."))]


@dataclass(frozen=True, eq=False)
class Descent(Frozen):
    """`runs` repetitions measured at the steps t (k,), with the axes of a PegasosRun.

    last, average: (runs, k) F with lam at w_t and at the mean of w_1..w_t. iterates, averages: (runs, k, d). eta: the
    constant learning rate, None for 1/r. target_lam: the lam of the F that the iteration minimises as its learning rate
    goes to 0, 1/(C m); None if it minimises no F.
    """

    data: Dataset
    lam: float
    t: Index
    last: Array
    average: Array
    iterates: Array
    averages: Array
    eta: float | None
    target_lam: float | None


@validated
def batch_descent(
    data: Dataset,
    lam: Positive,
    T: Steps,
    C: Positive | None = None,
    eta: StepSize | None = None,
    on_progress: Progress | None = None,
) -> Descent:
    """Make T steps of batch subgradient descent from w_1 = 0, one repetition. A step costs O(m).

    C: 1/(lam m) by default, which belongs to F; that of note B is 1. eta: None for 1/r (corrected), or a number in
    (0, 1] for the constant learning rate that B prints, which ends in a band around w*. Raises BadInput, which names
    the argument.
    """
    check_points(data)
    C = 1.0 / (lam * data.m) if C is None else float(C)
    signed = C * data.y[:, None] * data.X

    def step(r: int, w: Array) -> Array:
        h = 1.0 / r if eta is None else eta
        inside = data.y * (w @ data.X.T) < 1.0
        return w - h * w + h * (inside @ signed)

    return _descend(data, lam, T, 1, step, eta, 1.0 / (C * data.m), on_progress)


@validated
def sgd(
    data: Dataset,
    lam: Positive,
    T: Steps,
    reading: Reading = "repaired",
    C: Positive | None = None,
    eta: StepSize | None = None,
    runs: Runs = 1,
    seed: Seed = 0,
    on_progress: Progress | None = None,
) -> Descent:
    """Make T steps of stochastic descent from w_1 = 0, with the draws of `pegasos` for the same seed.

    reading "printed": w - eta w + eta x_i on a violation, else w, as B's line is printed (its alpha_i read as the
    learning rate). "signed": the same with y_i x_i. "as written": with shrinking at every step too, which minimises for
    C = 1/m. "repaired": with the factor C m too, so that it minimises for C (1/(lam m) by default; B's is 1). eta as in
    `batch_descent`. Raises BadInput, which names the argument.
    """
    check_points(data)
    if C is not None and reading != "repaired":
        raise BadInput(
            "C: {C!r} cannot be used in the reading {reading!r}, which does not contain C. Choose 'repaired'.",
            C=C,
            reading=reading,
        )
    weight = 1.0
    if reading == "repaired":
        weight = 1.0 / lam if C is None else C * data.m
    signed = data.y[:, None] * data.X
    added = data.X if reading == "printed" else weight * signed
    shrinks_always = reading in ("repaired", "as written")
    rows = np.zeros((0, runs), np.intp)

    def step(r: int, w: Array) -> Array:
        nonlocal rows
        at = (r - 1) % REPORT_STEPS
        if at == 0:
            stop = min(r - 1 + REPORT_STEPS, T)
            rows = np.stack([draws(data.m, seed, run, r - 1, stop) for run in range(runs)], axis=1)
        i = rows[at]
        h = 1.0 / r if eta is None else eta
        inside = ((signed[i] * w).sum(1) < 1.0)[:, None]
        return w - (h * w if shrinks_always else h * w * inside) + h * added[i] * inside

    return _descend(data, lam, T, runs, step, eta, 1.0 / weight if shrinks_always else None, on_progress)


def _descend(
    data: Dataset,
    lam: Positive,
    T: Steps,
    runs: int,
    step: _Step,
    eta: float | None,
    target_lam: float | None,
    on_progress: Progress | None,
) -> Descent:
    t_at = checkpoints(T)
    w: Array = np.zeros((runs, data.d))
    total = w.copy()
    iterates, averages = np.zeros((2, runs, len(t_at), data.d))
    k = 0
    for t in range(1, T + 1):
        total += w
        if t == t_at[k]:
            iterates[:, k], averages[:, k] = w, total / t
            k += 1
        w = step(t, w)
        if on_progress is not None and (t % REPORT_STEPS == 0 or t == T):
            on_progress(t / T)
    return Descent(
        data,
        lam,
        frozen(t_at, np.intp),
        last=frozen(objective(data, lam, iterates)),
        average=frozen(objective(data, lam, averages)),
        iterates=frozen(iterates),
        averages=frozen(averages),
        eta=eta,
        target_lam=target_lam,
    )
