"""The step of Pegasos in the versions of the notes A and D, as one frozen value (P1, P2, P10 of the catalogue).

    S_t = S_{t-1} + v_t,   w_t = S_{t-1} / c_t,   v_t = mean over the step's draws of y_Z x_Z where y_Z <w_t, x_Z> < 1

    form "w" (A):      c_t = sigma (t-1), w_1 = 0     the closed form P2 of w - eta_t (sigma w - v), eta_t = 1/(sigma t)
    form "theta" (D):  c_t = sigma t                  as the indices in D are printed: eta_t = 1/(sigma (t+1))

sigma = step lam. F(w) = (1/m) sum_i max(0, 1 - y_i <w, x_i>) + (mu/2) |w|^2 with mu = penalty_factor lam.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Literal

import numpy as np

from svmlab.core.arrays import Array, Index
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.core.rules import LARGEST_MAGNITUDE, NotNegative, Number, Shape, WholeNumber
from svmlab.core.validate import validate_fields, validated
from svmlab.data import Dataset

Form = Literal["w", "theta"]
Progress = Callable[[float], None]
MAX_STEPS = 10**7
Steps = Annotated[int, WholeNumber(1, MAX_STEPS)]
Runs = Annotated[int, WholeNumber(1, 10**4)]


@dataclass(frozen=True)
class Rule:
    """The rule of one step, and the objective F by which the run is measured.

    step: 1 for the learning rate 1/(lam t), which belongs to (lam/2) |w|^2 (A); 2 for 1/(2 lam t), which belongs to
    lam |w|^2 (D). penalty_factor: 1 to measure by F with (lam/2) |w|^2, 2 by F with lam |w|^2; None means the one that
    `step` belongs to. replace: draw with replacement, or in a new permutation of the points in every epoch. batch: the
    number of draws in a step. project: project w onto the ball of radius 1/sqrt(sigma) after every step. The notes omit
    the last two, and drawing without replacement. The bound P7 needs replacement. Raises BadInput, which names the
    field.
    """

    lam: Annotated[float, Number(above=0.0, hint=N_("The hard margin has no Pegasos."))]
    form: Form = "w"
    step: int = 1
    penalty_factor: int | None = None
    replace: bool = True
    batch: Annotated[int, WholeNumber(1, 1000)] = 1
    project: bool = False

    def __post_init__(self) -> None:
        validate_fields(self)
        if self.step not in (1, 2):
            raise BadInput("step: {step} is neither 1, for 1/(lam t), nor 2, for 1/(2 lam t).", step=quoted(self.step))
        if self.penalty_factor not in (None, 1, 2):
            raise BadInput(
                "penalty_factor: {value} is neither 1, for (lam/2) |w|^2, nor 2, for lam |w|^2. Give one of "
                "them, or leave it out.",
                value=quoted(self.penalty_factor),
            )
        object.__setattr__(self, "penalty_factor", self.step if self.penalty_factor is None else self.penalty_factor)

    @property
    def sigma(self) -> float:
        """The strong convexity constant that the learning rate assumes: step lam."""
        return self.step * self.lam

    @property
    def mu(self) -> float:
        """The strong convexity constant of the F by which the run is measured: penalty_factor lam."""
        return (self.penalty_factor or self.step) * self.lam

    @property
    def guaranteed(self) -> bool:
        """Whether the notes' proof of the bound P7 covers this rule."""
        return self.form == "w" and self.penalty_factor == self.step and self.replace

    @property
    def radius(self) -> float:
        """The radius 1/sqrt(sigma) of the projection. If mu >= sigma, |w*| never exceeds it, by strong duality."""
        return 1.0 / math.sqrt(self.sigma)

    @validated
    def divisor(self, t: Index) -> Array:
        """Return c_t for steps t >= 1, so that w_t = S_{t-1} / c_t; for the form "w" c_1 is sigma, because S_0 = 0."""
        return self.sigma * np.asarray(np.maximum(t - 1, 1) if self.form == "w" else t, dtype=float)


@validated
def objective(data: Dataset, lam: NotNegative, w: Array) -> Array:
    """Return F at each w (..., d), shape (...). Raises BadInput without points."""
    check_points(data)
    margins = data.y * (Shape(..., data.d)("w", w) @ data.X.T)
    return np.maximum(0.0, 1.0 - margins).mean(-1) + 0.5 * lam * (w * w).sum(-1)


@validated
def checkpoints(T: Steps) -> Index:
    """Return the steps 1, 2, 3 ... T at which a run is measured, from some point on about 12 in each decade."""
    return (
        np.unique(np.round(np.geomspace(1, T, 1 + int(12 * np.log10(T) + 1))).astype(np.intp))
        if T > 1
        else np.ones(1, np.intp)
    )


def largest_norm(data: Dataset) -> float:
    """Return X = max |x_i|."""
    return max(math.hypot(*x) for x in data.X.tolist())


def check_points(data: Dataset) -> None:
    """Raise BadInput if there are no points."""
    if data.m == 0:
        raise BadInput("data: there are no points to draw from. Add at least one.")


def check_reach(X: float, rule: Rule) -> None:
    """Raise BadInput if margins as large as X^2/sigma, or sums of squares, would leave the range of floats.

    X: the largest |phi(x_i)|.
    """
    if not (X < 1e140 and X / rule.sigma < LARGEST_MAGNITUDE and X * (X / rule.sigma) < 1e140):
        raise BadInput(
            "lam: {lam:g} with points as far as {reach:.3g} from the origin makes margins outside the range of "
            "double precision. Raise lam, or scale the points.",
            lam=rule.lam,
            reach=X,
        )
