"""A support vector machine as an optimisation problem, not yet solved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

import numpy as np

from svmlab.arrays import Array, digest, frozen
from svmlab.data import Dataset
from svmlab.errors import BadInput, quoted
from svmlab.kernel import Kernel
from svmlab.kernels import Linear

EVEN = (1.0, 1.0)  # a point of either class costs the same


@dataclass(frozen=True, eq=False)
class QP:
    """min 1/2 u'Pu + q'u  subject to  A u >= c  and  E u = e; `variables` names the entries of u."""

    P: Array
    q: Array
    A: Array
    c: Array
    E: Array
    e: Array
    variables: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Problem:
    """min 1/2 |w|^2 + C sum_i v_i xi_i  subject to  y_i (<w, phi(x_i)> + b) >= 1 - xi_i,  xi_i >= 0.

    C > 0, and C = inf is the hard margin (no slack allowed). Without `bias`, b = 0. costs: what a point of class +1 and one of
    class -1 cost, in units of C: v_i is that of the class of y_i. Source: A (1), B soft margin, both with v_i = 1; Osuna,
    Freund and Girosi (1997) for the costs. Raises BadInput naming the field.
    """

    data: Dataset
    kernel: Kernel = Linear()
    C: float = 1.0
    bias: bool = True
    costs: tuple[float, float] = EVEN

    def __post_init__(self) -> None:
        if not isinstance(self.data, Dataset):
            raise BadInput(
                "data: expected a Dataset, got {found}. Write Dataset(X, y).", found=type(self.data).__name__
            )
        if not isinstance(self.kernel, Kernel):
            raise BadInput(
                "kernel: expected a kernel such as Linear() or Gaussian(0.5), got {kernel!r}.", kernel=self.kernel
            )
        if not isinstance(self.C, int | float | np.number) or not self.C > 0:
            raise BadInput("C: {C!r} must be a number above 0 (math.inf for the hard margin).", C=self.C)
        object.__setattr__(self, "C", float(self.C))
        object.__setattr__(self, "bias", bool(self.bias))
        object.__setattr__(self, "costs", _costs(self.costs, self.C))

    @classmethod
    def from_lambda(
        cls, data: Dataset, kernel: Kernel, lam: float, bias: bool = True, costs: tuple[float, float] = EVEN
    ) -> Problem:
        """The same machine from (lam/2) |w|^2 + (1/m) sum_i v_i xi_i: C = 1/(lam m) (S2). lam > 0."""
        if not isinstance(lam, int | float | np.number) or not 0 < lam < math.inf:
            raise BadInput("lam: {lam!r} must be a finite number above 0. The hard margin is C = math.inf.", lam=lam)
        if data.m == 0:
            raise BadInput("lam: C = 1/(lam m) needs at least one point. Add points first.")
        return cls(data, kernel, 1.0 / (lam * data.m), bias, costs)

    @property
    def lam(self) -> float:
        """Lambda = 1/(C m), 0 for the hard margin."""
        return 1.0 / (self.C * self.data.m) if self.data.m else math.nan

    @property
    def hard(self) -> bool:
        """Whether C = inf."""
        return math.isinf(self.C)

    @property
    def even(self) -> bool:
        """Whether every slack costs C; always so for the hard margin, which has none."""
        return self.hard or self.costs == EVEN

    @cached_property
    def v(self) -> Array:
        """What the slack of each point costs in units of C, shape (m,), read-only."""
        return frozen(np.where(self.data.y > 0, *self.costs))

    @cached_property
    def bounds(self) -> Array:
        """C_i = C v_i, the largest alpha_i, shape (m,), read-only; inf for the hard margin."""
        return frozen(self.C * self.v)

    @cached_property
    def key(self) -> str:
        """A digest of points, kernel, C, bias and costs (but for the hard margin): equal keys, equal problems."""
        return digest(self.data.key, self.kernel.key, self.C, self.bias, *(() if self.even else (self.costs,)))

    @cached_property
    def gram(self) -> Array:
        """K, K_ij = k(x_i, x_j), shape (m, m), read-only."""
        return frozen(self.kernel(self.data.X, self.data.X))

    def qp(self, form: Literal["primal", "dual"]) -> QP:
        """The matrices of the two quadratic programs as the notes print them (H1, H2, S1).

        primal: u = [b; w; xi] (no xi for the hard margin, no b without bias), rows y_i [1, phi(x_i)].
        dual: u = alpha, Q_ij = y_i y_j k(x_i, x_j), 0 <= alpha_i <= C v_i, y'alpha = 0 with bias.
        """
        if form not in ("primal", "dual"):
            raise BadInput("form: {form!r} is neither 'primal' nor 'dual'.", form=form)
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


def balanced(data: Dataset) -> tuple[float, float]:
    """The costs m / (2 m_class), with which both classes weigh the same in sum. Raises BadInput where one has no point."""
    plus = int((data.y > 0).sum())
    if plus in (0, data.m):
        raise BadInput("costs: to balance them takes points of both classes. Add one of the other class.")
    return data.m / (2 * plus), data.m / (2 * (data.m - plus))


def _costs(costs: Any, C: float) -> tuple[float, float]:
    """The costs as two floats. Raises BadInput."""
    try:
        plus, minus = (float(cost) for cost in costs)
        fits = all(
            0 < cost < math.inf and C * cost > 0 and (math.isinf(C) or C * cost < math.inf) for cost in (plus, minus)
        )
    except (TypeError, ValueError, OverflowError):
        fits = False
    if not fits:
        raise BadInput(
            "costs: {costs} must be two finite numbers above 0, that of class +1 and that of class -1, in units of C; "
            "(1, 1) where both classes cost the same.",
            costs=quoted(costs),
        )
    return plus, minus
