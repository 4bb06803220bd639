"""The optimisation problems of an SVM for several classes, not yet solved."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from svmlab.binary.problem import Problem, Weights, unequal_weights
from svmlab.core.arrays import Array, Frozen, Index, digest, frozen, short_repr
from svmlab.core.errors import BadInput
from svmlab.core.rules import PenaltyParameter
from svmlab.core.validate import validate_fields, validated
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Linear
from svmlab.multiclass.classes import Classes
from svmlab.solvers.program import QP


@dataclass(frozen=True, eq=False)
class MulticlassProblem(Frozen):
    """An SVM with f_k(x) = <w_k, phi(x)> + b_k for each class k, which predicts the class with the largest f_k.

    One-vs-rest solves for each class the binary SVM that separates it from all others. The joint SVM is

        min 1/2 sum_k |w_k|^2 + C sum_i v_i xi_i
        subject to   f_{y_i}(x_i) - f_k(x_i) >= 1 - xi_i for k != y_i,   xi_i >= 0.

    C > 0. C = inf is the hard margin, for one-vs-rest only. Without `bias`, every b_k = 0. weights: (m,) the weight v_i
    of each point, above 0, or None where all weights are 1. A point of weight k is the same as k equal points, as for
    `Problem`. Source: Crammer and Singer (2001), On the algorithmic implementation of multiclass kernel-based vector
    machines, there without b and with v_i = 1. Raises BadInput, which names the field.
    """

    data: Classes
    kernel: Kernel = Linear()
    C: PenaltyParameter = 1.0
    bias: bool = True
    weights: Weights | None = None

    def __post_init__(self) -> None:
        validate_fields(self)
        object.__setattr__(self, "weights", unequal_weights(self.weights, self.data.m))

    def __repr__(self) -> str:
        return short_repr(self, **self.facts)

    @property
    def facts(self) -> dict[str, object]:
        """The problem in few words and numbers."""
        data = self.data
        facts = {
            "m": data.m,
            "d": data.d,
            "classes": data.classes,
            "kernel": self.kernel,
            "C": self.C,
            "bias": self.bias,
        }
        return facts if self.weights is None or self.hard else facts | {"weights": self.weights}

    @property
    def hard(self) -> bool:
        """Whether C = inf."""
        return math.isinf(self.C)

    @cached_property
    def key(self) -> str:
        """A digest of points, kernel, C, bias and weights. Equal keys mean equal problems."""
        weights = () if self.weights is None or self.hard else (self.weights,)
        return digest(self.data.key, self.kernel.key, self.C, self.bias, *weights)

    @cached_property
    def bounds(self) -> Array:
        """C_i = C v_i, the upper bound of the multipliers of each point, (m,), read-only; inf for the hard margin."""
        return frozen(np.full(self.data.m, self.C) if self.weights is None else self.C * self.weights)

    @cached_property
    def gram(self) -> Array:
        """The Gram matrix K_ij = k(x_i, x_j), shape (m, m), read-only."""
        return frozen(self.kernel(self.data.X, self.data.X))

    def binary_problem(self, k: int) -> Problem:
        """Return the binary problem of class k against the rest. Raises BadInput for a class without a point."""
        return Problem(self.data.one_vs_rest(k), self.kernel, self.C, self.bias, weights=self.weights)

    @validated
    def qp(self, form: Literal["primal", "dual"]) -> QP:
        """Return the matrices of a quadratic program of the joint SVM, whose classes are those that have a point.

        primal: u = [b; w of each class; xi] (no b without bias), with sum_k b_k = 0, because adding the same number to
        all b_k changes no f_k - f_l. dual: u = alpha_ik for k != y_i. With z_ik = e_{y_i} - e_k its P has the entries
        <z_ik, z_jl> k(x_i, x_j), 0 <= alpha_ik, sum_k alpha_ik <= C_i, and with bias sum_ik alpha_ik z_ik = 0 (its last
        row follows from the others). Raises BadInput for C = inf, for fewer than two classes, for another form, and for
        "primal" without a finite feature map.
        """
        check_joint_solvable(self)
        if len(self.data.classes) < 2:
            raise BadInput("data: the programs need points of at least two classes. Add a point of another class.")
        K = len(self.data.classes)
        at, other_class = np.nonzero(np.arange(K) != self.data.class_index[:, None])
        return self._primal(at, other_class) if form == "primal" else self._dual(at, other_class)

    def _primal(self, at: Index, other: Index) -> QP:
        data, m, K = self.data, self.data.m, len(self.data.classes)
        Phi = self.kernel.feature_map(data.X)
        D, k = Phi.shape[1], K if self.bias else 0
        z = np.eye(K)[data.class_index[at]] - np.eye(K)[other]
        rows = np.hstack([z[:, :k], (z[:, :, None] * Phi[at][:, None, :]).reshape(len(at), K * D)])
        n = rows.shape[1]
        P, q = np.diag(np.r_[np.zeros(k), np.ones(K * D), np.zeros(m)]), np.r_[np.zeros(n), self.bounds]
        A = np.block([[rows, np.eye(m)[at]], [np.zeros((m, n)), np.eye(m)]])
        E = np.r_[np.ones(k), np.zeros(K * D + m)][None, :] if k else np.zeros((0, n + m))
        names = (
            *(f"b{c}" for c in data.classes[:k]),
            *(f"w{c}_{j + 1}" for c in data.classes for j in range(D)),
            *(f"xi{i + 1}" for i in range(m)),
        )
        return QP(P, q, A, np.r_[np.ones(len(at)), np.zeros(m)], E, np.zeros(len(E)), names)

    def _dual(self, at: Index, other: Index) -> QP:
        data, m, K = self.data, self.data.m, len(self.data.classes)
        z = np.eye(K)[data.class_index[at]] - np.eye(K)[other]
        P = (z @ z.T) * self.gram[np.ix_(at, at)]
        A = np.vstack([np.eye(len(at)), -np.eye(m)[:, at]])
        E = z.T[: K - 1].copy() if self.bias else np.zeros((0, len(at)))
        names = tuple(f"alpha{i + 1}_{data.classes[k]}" for i, k in zip(at, other, strict=True))
        return QP(P, -np.ones(len(at)), A, np.r_[np.zeros(len(at)), -self.bounds], E, np.zeros(len(E)), names)


def check_joint_solvable(problem: MulticlassProblem) -> None:
    """Raise BadInput if the joint SVM of this problem cannot be solved."""
    if problem.hard:
        raise BadInput("C: the joint SVM needs a finite C. Choose one, or method='one-vs-rest'.")
    if not problem.kernel.psd:
        raise BadInput(
            "kernel: the {kernel} kernel may be indefinite, and then the joint SVM has no optimum. Choose "
            "another kernel, or method='one-vs-rest'.",
            kernel=problem.kernel.title,
        )
