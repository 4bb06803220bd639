"""One stretch of the path in C: the optimum of one partition into 0, free and upper from some c on, and its end.

While the partition into 0, free (F) and upper (U) stays, a_F and b solve  Q_FF a_F + y_F b = 1 - c Q_FU n_U,
y_F'a_F = -c y_U'n_U,  so they are linear in c, and so is r = Qa + y b - 1. The stretch ends where a free variable
reaches a bound or an r reaches 0; that variable changes its state. (`trace` defines the problem that is minimised.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import EPS, Array, Index, Mask
from svmlab.core.tolerances import (
    EQUALITY_TOLERANCE,
    EVENT_TOLERANCE,
    MARGIN_TOLERANCE,
    PAIR_TOLERANCE,
    RANK,
    ROUND_OFF,
    SLOPE_TOLERANCE,
    TIE_ROUND_OFF,
    ZERO_CURVATURE,
)
from svmlab.jit.compiler import compiled
from svmlab.solvers.box_qp import FREE, LOWER, UPPER
from svmlab.solvers.free_set import system_inverse
from svmlab.solvers.gram.dense import Gram

REFINEMENT_STEPS = 3  # at most this many Newton steps at the start of a stretch

Event = list[tuple[int, int]]  # variables, each with the state to which it changes


@dataclass(frozen=True)
class PathPiece:
    """A partition from c on, with a, b (0 where F is empty), r = Qa + y b - 1, and the slopes of a_F, b and r.

    Where F is empty, nothing determines b. r_slope_noise: slopes of r up to this are explained by round-off.
    is_optimal: whether a is the optimum at c.
    """

    c: float
    a: Array
    b: float
    r: Array
    F: Index
    state: Index
    a_slope: Array
    b_slope: float
    r_slope: Array
    r_slope_noise: float
    is_optimal: bool


class Partition:
    """The state (m,) of every variable (0, free or at the bound), F with its rows, and the inverse N of its system."""

    def __init__(self, Q: Gram, y: Array, n: Array, bias: bool) -> None:
        self.Q, self.y, self.n, self.bias = Q, y, n, bias
        self.A = y[None, :] if bias else np.zeros((0, len(y)))

    def set_state(self, state: Index) -> bool:
        """Set `state`, and return whether its free set is independent."""
        self.state = state
        F = np.flatnonzero(self.state == FREE)
        if self.bias and len(F) == 1:
            # y'a = 0 fixes the variable at c times a sum of n, which is often at a bound up to rounding.
            i, tolerance = F[0], max(EVENT_TOLERANCE * float(self.n.min()), TIE_ROUND_OFF * float(self.n.sum()))
            share = -float(self.y[i] * (self.y @ (self.n * (self.state == UPPER))))
            for bound, side in ((0.0, LOWER), (self.n[i], UPPER)):
                if abs(share - bound) <= tolerance:
                    self.state[i], F = side, F[:0]
        self.F, self.rows = F, self.Q.rows(F)
        self.N, size = system_inverse(self.Q, self.A, F)
        return not len(F) or size * ZERO_CURVATURE < 1

    def piece_from(self, c: float, a: Array, b: float | None) -> PathPiece:
        """Return the piece of this partition from c on; a and b (or None) are close to the optimum there."""
        F, y, k, U = self.F, self.y, int(self.bias), self.state == UPPER
        a = np.where(U, c * self.n, np.where(self.state == FREE, a, 0.0))
        Qa, size = self.Q.product_and_size(a)
        bound_product, bound_product_size = self.Q.product_and_size(np.where(U, self.n, 0.0))
        slope, b_slope, r_slope, r_slope_noise = np.zeros(0), 0.0, bound_product, ROUND_OFF * bound_product_size
        if not (k and len(F)):
            b = 0.0
        elif b is None:
            b = float(y[F] @ (1.0 - Qa[F])) / len(F)
        if len(F):
            yF, x = y[F], np.zeros(k + len(F))
            for _ in range(REFINEMENT_STEPS):
                x[k:] = 1.0 - Qa[F] - yF * b
                if float(np.abs(x[k:]).max()) <= EPS * size:
                    break
                x[:k] = -float(y @ a)
                x = self.N @ x
                a[F] += x[k:]
                b += float(x[0]) if k else 0.0
                Qa, size = self.Q.product_and_size(a)
            right_hand_side = np.concatenate([np.full(k, -float(y[U] @ self.n[U])), -bound_product[F]])
            x = self.N @ right_hand_side
            right_hand_side[k:] -= self.rows[:, F] @ x[k:]
            if k:
                right_hand_side[0] -= yF @ x[1:]
                right_hand_side[1:] -= yF * x[0]
            x += self.N @ right_hand_side  # This refinement is needed because N alone loses digits where it is large.
            slope, b_slope = x[k:], float(x[0]) if k else 0.0
            r_slope = bound_product + slope @ self.rows + b_slope * y
            r_slope_noise += ROUND_OFF * float(np.abs(slope).sum())
        r = Qa + y * b - 1.0
        return PathPiece(
            c, a, b, r, F, self.state, slope, b_slope, r_slope, r_slope_noise, self._is_optimal(c, a, r, size)
        )

    def is_optimal_at(self, c: float, a: Array, tolerance: float = MARGIN_TOLERANCE) -> bool:
        """Return whether any `a`, of this partition or not, is the optimum at c."""
        Qa, size = self.Q.product_and_size(a)
        return self._is_optimal(c, a, Qa - 1.0, size, tolerance)

    def _is_optimal(self, c: float, a: Array, r: Array, size: float, tolerance: float = MARGIN_TOLERANCE) -> bool:
        """Return whether no variable, and no pair of them, can improve the objective by more than round-off.

        r is known up to a multiple of y.
        """
        if self.bias and abs(float(self.y @ a)) > EQUALITY_TOLERANCE * float(a.max()):
            return False
        return _optimal(c, self.n, a, r, self.y, max(tolerance, ROUND_OFF * size), self.bias)

    def least_norm_piece(self, F: Index, upper: Mask, c: float) -> tuple[Array, Array]:
        """Return a_F at c and its slope, each (n,), of least norm sum a_i^2 / n_i for this partition.

        Q_FF may be singular.
        """
        k, root = int(self.bias), np.sqrt(self.n[F])
        S = np.zeros((len(F) + k, len(F) + k))
        S[k:, k:] = root[:, None] * self.Q.block(F, F) * root
        if k:
            S[0, 1:] = S[1:, 0] = root * self.y[F]
        full = np.where(upper, self.n, 0.0)
        bound_product = self.Q.times(full)[F]
        right_hand_side = np.zeros((len(S), 2))
        right_hand_side[k:] = root[:, None] * np.stack([1.0 - c * bound_product, -bound_product], axis=1)
        right_hand_side[:k] = -float(self.y @ full) * np.array([c, 1.0])
        N = np.linalg.pinv(S, rcond=RANK, hermitian=True)
        z = N @ right_hand_side
        for _ in range(REFINEMENT_STEPS):
            z += N @ (right_hand_side - S @ z)
        return root * z[k:, 0], root * z[k:, 1]

    def next_event(self, piece: PathPiece) -> tuple[float, Event]:
        """Return the c where the stretch ends, and the variables that change their state there."""
        F, c, slope = piece.F, piece.c, piece.a_slope
        if self.bias and not len(F):
            return self._next_pair_event(piece)
        # The distance of each variable from its event, and the rate at which the distance shrinks.
        distance, rate = -piece.state * piece.r, piece.state * piece.r_slope
        approaching = rate > piece.r_slope_noise
        if len(F):
            a, n = piece.a[F], self.n[F]
            down = slope < 0
            distance[F], rate[F] = np.where(down, a, c * n - a), np.where(down, -slope, slope - n)
            approaching[F] = rate[F] > SLOPE_TOLERANCE
        candidates = approaching.nonzero()[0]
        if not len(candidates):
            return np.inf, []
        when = np.maximum(distance[candidates], 0.0) / rate[candidates]
        i = int(when.argmin())
        j = int(candidates[i])
        to = FREE if piece.state[j] != FREE else LOWER if slope[j == F][0] < 0 else UPPER
        return c + float(when[i]), [(j, to)]

    def _next_pair_event(self, piece: PathPiece) -> tuple[float, Event]:
        """Return the end of a stretch without a free variable, and the pair that becomes free there.

        b lies between lines in c, and the stretch ends where the lower ones meet the upper ones. max lo - min hi is
        convex in c, so Newton's method from the right ends at its last zero.
        """
        k0, k1 = -self.y * piece.r, -self.y * piece.r_slope
        lower = (piece.state == LOWER) == (self.y > 0)
        if lower.all() or not lower.any():
            return np.inf, []
        low, high = np.flatnonzero(lower), np.flatnonzero(~lower)
        i, j = low[k1[low].argmax()], high[k1[high].argmin()]
        if k1[i] <= k1[j] + 2 * piece.r_slope_noise:
            return np.inf, []
        distance = max(float((k0[j] - k0[i]) / (k1[i] - k1[j])), 0.0)
        for _ in range(len(k0)):
            v = k0 + distance * k1
            i2, j2 = low[v[low].argmax()], high[v[high].argmin()]
            rise = float(k1[i2] - k1[j2])
            if v[i2] - v[j2] <= PAIR_TOLERANCE * max(1.0, abs(float(v[i2]))) or rise <= 0 or distance <= 0:
                break
            i, j = i2, j2
            distance = max(float((k0[j] - k0[i]) / rise), 0.0)
        return piece.c + distance, [(int(i), FREE), (int(j), FREE)]


@compiled
def _optimal(c: float, n: Array, a: Array, r: Array, y: Array, tolerance: float, bias: bool) -> bool:
    """Return whether 0 <= a <= c n and no variable (with bias: no pair of them) can improve the objective.

    Everything holds up to `tolerance`.
    """
    top, bottom = -np.inf, np.inf
    for i in range(len(a)):
        room = c * n[i] - a[i]
        if not (a[i] >= -tolerance and room >= -tolerance):
            return False
        if bias:
            kink = -y[i] * r[i]
            if room > tolerance:
                if y[i] > 0:
                    top = max(top, kink)
                else:
                    bottom = min(bottom, kink)
            if a[i] > tolerance:
                if y[i] > 0:
                    bottom = min(bottom, kink)
                else:
                    top = max(top, kink)
        elif (room > tolerance and r[i] < -tolerance) or (a[i] > tolerance and r[i] > tolerance):
            return False
    return top <= bottom + 2 * tolerance
