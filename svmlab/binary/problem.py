"""The optimisation problem of a support vector machine, before it is solved."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal

import numpy as np

from svmlab.core.arrays import Array, Frozen, digest, frozen, short_repr
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.core.rules import LARGEST_MAGNITUDE, SMALLEST_MAGNITUDE, Number, PenaltyParameter, finite_array, real_number
from svmlab.core.validate import unchecked, validate_fields, validated
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear
from svmlab.solvers.program import QP

EQUAL_COSTS = (1.0, 1.0)  # The slack of a point costs the same in both classes.
Costs = Annotated[Any, unchecked]  # (of +1, of -1) or {label: cost}, and the first of these once it is checked
Weights = Annotated[Array, unchecked]
Lambda = Annotated[float, Number(above=0.0, hint=N_("The hard margin is C = math.inf."))]


@dataclass(frozen=True, eq=False)
class Problem(Frozen):
    """min 1/2 |w|^2 + C sum_i v_i xi_i  subject to  y_i (<w, phi(x_i)> + b) >= 1 - xi_i,  xi_i >= 0.

    C > 0, and C = inf is the hard margin (no slack is allowed). Without `bias`, b = 0. costs: the cost of a point of
    class +1 and of a point of class -1, in units of C and in this order, or {label: cost}. weights: (m,) the weight of
    each point, above 0, or None where all weights are 1. v_i is the cost of the class of y_i times weight i. A point of
    weight k is the same as k equal points, and costs (2, 1) are the same as every point of class +1 twice. Then w, b,
    the categories and the sum of alpha over equal points agree. (Equal points that are free can share that sum in many
    ways, so their alpha is not unique, although the alpha of one point of weight k can be.) The hard margin has no
    slack, so costs and weights have no effect on it, not even on the choice among several optimal alpha. There k equal
    points have the same w and b as one point, and together they have its alpha where that is unique. Source: A (1), B
    soft margin, both with v_i = 1; Osuna, Freund and Girosi (1997) for the costs. Raises BadInput, which names the
    field.
    """

    data: Dataset
    kernel: Kernel = Linear()
    C: PenaltyParameter = 1.0
    bias: bool = True
    costs: Costs = EQUAL_COSTS
    weights: Weights | None = None

    def __post_init__(self) -> None:
        validate_fields(self)
        if self.costs is not EQUAL_COSTS:
            object.__setattr__(self, "costs", _costs(self.costs, self.data))
        object.__setattr__(self, "weights", unequal_weights(self.weights, self.data.m))

    def __repr__(self) -> str:
        return short_repr(self, **self.facts)

    @property
    def facts(self) -> dict[str, object]:
        """Return the settings that describe the problem, each by its name."""
        size = {"m": self.data.m, "d": self.data.d, "kernel": self.kernel, "C": self.C, "bias": self.bias}
        costs = {} if self.costs == EQUAL_COSTS or self.hard else {"costs": self.costs}
        return size | costs | ({} if self.weights is None or self.hard else {"weights": self.weights})

    @classmethod
    @validated
    def from_lambda(
        cls,
        data: Dataset,
        kernel: Kernel = Linear(),
        lam: Lambda = 1.0,
        bias: bool = True,
        costs: Costs = EQUAL_COSTS,
        weights: Weights | None = None,
    ) -> Problem:
        """Return the problem equivalent to (lam/2) |w|^2 + (1/m) sum_i v_i xi_i, which has C = 1/(lam m) (S2).

        lam > 0. Raises BadInput for data without points.
        """
        if data.m == 0:
            raise BadInput("lam: C = 1/(lam m) needs at least one point. Add points first.")
        return cls(data, kernel, 1.0 / (lam * data.m), bias, costs, weights)

    @property
    def lam(self) -> float:
        """Return lambda = 1/(C m), which is 0 for the hard margin and nan without points."""
        return 1.0 / (self.C * self.data.m) if self.data.m else math.nan

    @property
    def hard(self) -> bool:
        """Return whether the margin is hard, C = inf."""
        return math.isinf(self.C)

    @property
    def has_equal_costs(self) -> bool:
        """Return whether every slack costs C; this is always true for the hard margin, which has no slack."""
        return self.hard or (self.costs == EQUAL_COSTS and self.weights is None)

    @cached_property
    def v(self) -> Array:
        """Return the cost v_i of the slack of each point in units of C, shape (m,), read-only."""
        costs = np.where(self.data.y > 0, *self.costs)
        return frozen(costs if self.weights is None else costs * self.weights)

    @cached_property
    def bounds(self) -> Array:
        """Return C_i = C v_i, the upper bound of alpha_i, shape (m,), read-only; inf for the hard margin."""
        if self.costs == EQUAL_COSTS and self.weights is None:
            bounds: Array = np.empty(self.data.m)
            bounds.fill(self.C)
        else:
            bounds = self.C * self.v
        bounds.flags.writeable = False
        return bounds

    @cached_property
    def key(self) -> str:
        """Return a digest of the problem, so that equal keys mean equal problems.

        It covers points, kernel, C, bias, costs and weights; for the hard margin it leaves costs and weights out.
        """
        costs = () if self.has_equal_costs else (self.costs,)
        weights = () if self.hard or self.weights is None else (self.weights,)
        return digest(self.data.key, self.kernel.key, self.C, self.bias, *costs, *weights)

    @cached_property
    def gram(self) -> Array:
        """Return the Gram matrix K with K_ij = k(x_i, x_j), shape (m, m), read-only."""
        return frozen(self.kernel(self.data.X, self.data.X))

    @validated
    def qp(self, form: Literal["primal", "dual"]) -> QP:
        """Return the matrices of one of the two quadratic programs as the notes print them (H1, H2, S1).

        primal: u = [b; w; xi] (no xi for the hard margin, no b without bias), with rows y_i [1, phi(x_i)].
        dual: u = alpha, Q_ij = y_i y_j k(x_i, x_j), 0 <= alpha_i <= C v_i, and y'alpha = 0 with bias.
        Raises BadInput for the primal if the kernel has no finite feature map.
        """
        return self._primal() if form == "primal" else self._dual()

    def _primal(self) -> QP:
        m, y = self.data.m, self.data.y
        Phi = self.kernel.feature_map(self.data.X)
        D = Phi.shape[1]
        rows = y[:, None] * (np.hstack([np.ones((m, 1)), Phi]) if self.bias else Phi)
        P = np.diag(np.r_[np.zeros(int(self.bias)), np.ones(D)])
        names = (*(["b"] if self.bias else []), *(f"w{j + 1}" for j in range(D)))
        none = np.zeros((0, P.shape[0] if self.hard else P.shape[0] + m))
        if self.hard:
            return QP(P, np.zeros(len(P)), rows, np.ones(m), none, np.zeros(0), names)
        n = len(P)
        P = np.pad(P, ((0, m), (0, m)))
        q = np.r_[np.zeros(n), self.bounds]
        A = np.block([[rows, np.eye(m)], [np.zeros((m, n)), np.eye(m)]])
        c = np.r_[np.ones(m), np.zeros(m)]
        return QP(P, q, A, c, none, np.zeros(0), (*names, *(f"xi{i + 1}" for i in range(m))))

    def _dual(self) -> QP:
        m, y = self.data.m, self.data.y
        A, c = np.eye(m), np.zeros(m)
        if not self.hard:
            A, c = np.vstack([A, -A]), np.r_[c, -self.bounds]
        E = y[None, :].copy() if self.bias else np.zeros((0, m))
        names = tuple(f"alpha{i + 1}" for i in range(m))
        return QP(np.outer(y, y) * self.gram, -np.ones(m), A, c, E, np.zeros(len(E)), names)


def balanced_costs(data: Dataset) -> tuple[float, float]:
    """Return the costs m / (2 m_class), with which both classes have the same total weight.

    Raises BadInput where one class has no point.
    """
    plus = int((data.y > 0).sum())
    if plus in (0, data.m):
        raise BadInput("costs: balanced costs need points of both classes. Add a point of the other class.")
    return data.m / (2 * plus), data.m / (2 * (data.m - plus))


def _costs(costs: Any, data: Dataset) -> tuple[float, float]:
    """Return the costs of the classes +1 and -1 as two floats. Raises BadInput."""
    if isinstance(costs, Mapping):
        minus_label, plus_label = data.labels
        if set(costs) != {minus_label, plus_label}:
            raise BadInput(
                "costs: the labels {labels} are not those of the data. Give one cost for {plus} and one for {minus}.",
                labels=", ".join(map(quoted, costs)) or "-",
                plus=quoted(plus_label),
                minus=quoted(minus_label),
            )
        costs = costs[plus_label], costs[minus_label]
    try:
        plus, minus = (real_number("costs", cost, smallest_magnitude=SMALLEST_MAGNITUDE) for cost in costs)
        in_range = min(plus, minus) > 0
    except (TypeError, ValueError):
        in_range = False
    if not in_range:
        raise BadInput(
            "costs: {costs} must be two numbers from {least:g} to {most:g}, in units of C. The first is for "
            "class +1 and the second for class -1. Use (1, 1) for equal costs.",
            costs=quoted(costs),
            least=SMALLEST_MAGNITUDE,
            most=LARGEST_MAGNITUDE,
        )
    return plus, minus


def unequal_weights(weights: Any, m: int) -> Array | None:
    """Return the checked weights of m points, or None where all are 1. Raises BadInput, which names the row."""
    checked = None if weights is None else checked_weights(weights, m)
    return None if checked is None or (checked == 1).all() else checked


def checked_weights(weights: Any, m: int, field: str = "weights", zero: bool = False) -> Array:
    """Return the weights of m points as an array of shape (m,), read-only.

    A weight may be 0 only where `zero` allows it. Raises BadInput, which names the row.
    """
    checked: Array = frozen(finite_array(field, weights, N_("a list of numbers, one for each point")))
    if checked.shape != (m,):
        raise BadInput(
            "{field}: shape {shape} is not ({m},). Give one weight for each point.",
            field=field,
            shape=checked.shape,
            m=m,
        )
    in_range = (checked >= SMALLEST_MAGNITUDE) | (zero & (checked == 0))
    if not in_range.all():
        row = int(in_range.argmin())
        raise BadInput(
            "{field}, row {row}: {weight:g} must be {zero}a number from {least:g} to {most:g}, in units of C.{remedy}",
            field=field,
            row=row,
            weight=float(checked[row]),
            zero=N_("0 or ") if zero else "",
            least=SMALLEST_MAGNITUDE,
            most=LARGEST_MAGNITUDE,
            remedy="" if zero else N_(" To ignore a point, leave it out of the Dataset."),
        )
    return checked
