"""The optimisation problem of support vector regression, not yet solved."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from svmlab.binary.problem import Weights, unequal_weights
from svmlab.core.arrays import Array, Frozen, digest, frozen, short_repr
from svmlab.core.errors import BadInput
from svmlab.core.rules import NotNegative, Positive
from svmlab.core.validate import validate_fields, validated
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear
from svmlab.regression.values import Values
from svmlab.solvers.program import QP


@dataclass(frozen=True, eq=False)
class Tube(Frozen):
    """min 1/2 |w|^2 + C sum_i v_i (xi_i + xi*_i)
    subject to  -eps - xi*_i <= y_i - f(x_i) <= eps + xi_i,  xi, xi* >= 0.

    f(x) = <w, phi(x)> + b. 0 < C < inf. eps >= 0 is half the height of the tube, in the units of y. Without `bias`,
    b = 0. The kernel must be positive semidefinite. weights: (m,) the weight v_i of each point, above 0, or None where
    all weights are 1. A point of weight k is the same as k equal points, as for `Problem`. Source: Vapnik (1995); Smola
    and Schölkopf, A tutorial on support vector regression (2004), (3), both with v_i = 1. Raises BadInput, which names
    the field.
    """

    data: Values
    kernel: Kernel = Linear()
    C: Positive = 1.0
    eps: NotNegative = 0.1
    bias: bool = True
    weights: Weights | None = None

    def __post_init__(self) -> None:
        validate_fields(self)
        object.__setattr__(self, "weights", unequal_weights(self.weights, self.data.m))
        if not self.kernel.psd:
            raise BadInput(
                "kernel: {kernel} need not be positive semidefinite, so the tube may have no unique optimum. "
                "Choose another kernel.",
                kernel=self.kernel.key,
            )

    def __repr__(self) -> str:
        return short_repr(self, **self.facts)

    @property
    def facts(self) -> dict[str, object]:
        """The problem in few words and numbers."""
        data = self.data
        facts = {"m": data.m, "d": data.d, "kernel": self.kernel, "C": self.C, "eps": self.eps, "bias": self.bias}
        return facts if self.weights is None else facts | {"weights": self.weights}

    @cached_property
    def key(self) -> str:
        """A digest of points, values, kernel, C, eps, bias and weights. Equal keys mean equal problems."""
        weights = () if self.weights is None else (self.weights,)
        return digest(self.data.key, self.kernel.key, self.C, self.eps, self.bias, *weights)

    @cached_property
    def bounds(self) -> Array:
        """C_i = C v_i, the upper bound of alpha_i + alpha*_i, shape (m,), read-only."""
        return frozen(np.full(self.data.m, self.C) if self.weights is None else self.C * self.weights)

    @cached_property
    def gram(self) -> Array:
        """The Gram matrix K_ij = k(x_i, x_j), shape (m, m), read-only."""
        return frozen(self.kernel(self.data.X, self.data.X))

    @property
    def middle(self) -> float:
        """The constant value of f with w = 0 whose largest distance to the values is least: 0 without bias."""
        return self.data.middle if self.bias else 0.0

    @cached_property
    def constant_fit_eps(self) -> float:
        """The smallest eps for which w = 0 for every C: half the range of y with bias, the largest |y| without."""
        return self.data.half_range if self.bias else float(np.abs(self.data.y).max(initial=0.0))

    @property
    def unit(self) -> float:
        """The unit of residuals: `constant_fit_eps`, or eps if that is 0, or 1."""
        return self.constant_fit_eps or self.eps or 1.0

    @validated
    def qp(self, form: Literal["primal", "dual"]) -> QP:
        """Return the matrices of one of the two quadratic programs.

        primal: u = [b; w; xi; xi*] (no b without bias), rows +-[1, phi(x_i)]. dual: u = [alpha; alpha*], P = [[K, -K],
        [-K, K]], q = [eps - y; eps + y], 0 <= u <= C_i, sum alpha = sum alpha* with bias. Raises BadInput for another
        form, and for the primal without a finite feature map.
        """
        return self._primal() if form == "primal" else self._dual()

    def _primal(self) -> QP:
        m, y, eps = self.data.m, self.data.y, self.eps
        Phi = self.kernel.feature_map(self.data.X)
        rows = np.hstack([np.ones((m, 1)), Phi]) if self.bias else Phi
        n = rows.shape[1]
        P = np.diag(np.r_[np.zeros(n - Phi.shape[1]), np.ones(Phi.shape[1]), np.zeros(2 * m)])
        q = np.r_[np.zeros(n), np.tile(self.bounds, 2)]
        A = np.block([[np.vstack([rows, -rows]), np.eye(2 * m)], [np.zeros((2 * m, n)), np.eye(2 * m)]])
        c = np.r_[y - eps, -y - eps, np.zeros(2 * m)]
        names = (*(["b"] if self.bias else []), *(f"w{j + 1}" for j in range(Phi.shape[1])))
        return QP(P, q, A, c, np.zeros((0, len(q))), np.zeros(0), (*names, *_pairs("xi", m)))

    def _dual(self) -> QP:
        m, y, K = self.data.m, self.data.y, self.gram
        A, c = np.vstack([np.eye(2 * m), -np.eye(2 * m)]), np.r_[np.zeros(2 * m), -np.tile(self.bounds, 2)]
        E = np.r_[np.ones(m), -np.ones(m)][None, :] if self.bias else np.zeros((0, 2 * m))
        q = np.r_[self.eps - y, self.eps + y]
        return QP(np.block([[K, -K], [-K, K]]), q, A, c, E, np.zeros(len(E)), _pairs("alpha", m))


def _pairs(name: str, m: int) -> tuple[str, ...]:
    return *(f"{name}{i + 1}" for i in range(m)), *(f"{name}_star{i + 1}" for i in range(m))
