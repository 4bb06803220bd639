"""Changes of the least-norm partition along the path in C, while w and b stay linear in C.

While w and b are linear in c, the tied points T on their margin lines stay the same, and all optima have the same R a.
With s = a / c and t linear in 1 / c the optimum of least norm solves

    min sum_i s_i^2 / n_i   subject to   R s = (1 - t) R s(0) + t R s(1),   0 <= s <= n.

Its solution is unique, continuous, and linear in t while its partition stays. Two consecutive pieces meet where their
formulas agree, so each change is computed from two of them and not by sampling. Source: the parametric quadratic
program, as in Ritter, On parametric linear and quadratic programming problems (1984).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, Mask
from svmlab.core.tolerances import END_DISTANCE, NEGLIGIBLE_SHARE, RANK, SAME_CHANGE, TINY
from svmlab.solvers.box_qp import FREE, LOWER, UPPER
from svmlab.solvers.least_norm import least_norm

DIVIDING_FRACTIONS = (
    0.382,
    0.447,
    0.553,
)  # the fractions that divide a range; several, because a change may lie exactly at one


@dataclass(frozen=True, eq=False)
class LeastNormPiece(Frozen):
    """The optimum of one partition: s(t) = (1 - t) ends[0] + t ends[1], with ends (2, n), and its state (n,)."""

    ends: Array
    state: Index

    def at(self, t: float) -> Array:
        """Return s at t, shape (n,)."""
        return np.asarray((1.0 - t) * self.ends[0] + t * self.ends[1])

    def agrees(self, t: float, s: Array, scale: float) -> bool:
        """Return whether s (n,) is what this piece has at t, where `scale` is the largest share."""
        return bool(np.abs(self.at(t) - s).max() <= NEGLIGIBLE_SHARE * scale)


def least_norm_pieces(R: Array, start: Array, end: Array, n: Array) -> list[tuple[float, LeastNormPiece]]:
    """Return all pieces with the t from which each holds, from 0 to 1.

    start, end (n,): any optima at t = 0 and t = 1.
    """
    return _LeastNormPath(R, start, end, n).all()


class _LeastNormPath:
    """The optimum of least norm as a function of t, from t = 0 to 1."""

    def __init__(self, R: Array, start: Array, end: Array, n: Array) -> None:
        self.R, self.start, self.end, self.n = R, start, end, n
        self.scale = max(float(start.max()), float(end.max()), TINY)

    def all(self) -> list[tuple[float, LeastNormPiece]]:
        """Return each piece with the t from which it holds."""
        p, first = self.piece_at_end(0.0)
        same = (self.state(self.value(1.0 - END_DISTANCE)) == first.state).all()
        if same and first.agrees(1.0, self.value(1.0), self.scale):
            return [(0.0, first)]
        q, last = self.piece_at_end(1.0)
        return [(0.0, first), *self.between(p, first, q, last)]

    def value(self, t: float) -> Array:
        """Return the optimum at t."""
        return least_norm(self.R, (1.0 - t) * self.start + t * self.end, self.n, self.n)

    def piece_at_end(self, end: float) -> tuple[float, LeastNormPiece]:
        """Return the piece that holds up to `end` (0 or 1) and a t in it.

        Where no such piece is found, return the nearest piece.
        """
        value_at_end, distance = self.value(end), END_DISTANCE
        best: tuple[float, LeastNormPiece] | None = None
        while distance >= SAME_CHANGE:
            t = abs(end - distance)
            piece = self.piece(t)
            if piece is not None:
                best = t, piece
                if piece.agrees(end, value_at_end, self.scale):
                    break
            distance *= 0.1
        return best or (end, LeastNormPiece(np.stack([value_at_end, value_at_end]), self.state(value_at_end)))

    def state(self, s: Array) -> Index:
        """Return the state of each variable: at 0, free, or at the bound."""
        small = NEGLIGIBLE_SHARE * float(s.max(initial=TINY))
        return np.where(s <= small, LOWER, np.where(s >= self.n - small, UPPER, FREE))

    def piece(self, t: float) -> LeastNormPiece | None:
        """Return the formula of the partition at t, or None where that partition holds at t alone."""
        s, R, n = self.value(t), self.R, self.n
        state = self.state(s)
        free: Mask = state == FREE
        fixed = np.where(state == UPPER, n, 0.0)
        right_hand_side = R @ (np.stack([self.start, self.end]) - fixed).T
        RF = R[:, free]
        l = np.linalg.pinv((RF * n[free]) @ RF.T, rcond=RANK, hermitian=True) @ right_hand_side
        ends = np.stack([fixed, fixed])
        ends[:, free] = (n[free, None] * (RF.T @ l)).T
        candidate = LeastNormPiece(ends, state)
        solves_system = np.abs(RF @ ends[:, free].T - right_hand_side).max(initial=0.0) <= NEGLIGIBLE_SHARE * s.max(
            initial=TINY
        )
        return candidate if solves_system and candidate.agrees(t, s, float(s.max())) else None

    def between(
        self, p: float, left: LeastNormPiece, q: float, right: LeastNormPiece
    ) -> list[tuple[float, LeastNormPiece]]:
        """Return the pieces that begin between p, where `left` holds, and q, where `right` holds."""
        D = left.ends - right.ends
        largest = max(float(left.at(p).max(initial=0.0)), float(right.at(q).max(initial=0.0)), TINY)
        if float(np.abs(D).max(initial=0.0)) <= NEGLIGIBLE_SHARE * largest:
            return []
        change = D[1] - D[0]
        square = float(change @ change)
        t = -float(D[0] @ change) / square if square > 0 else p
        if q - p <= SAME_CHANGE:
            return [(min(max(t, p), q), right)]
        if (
            p < t < q
            and float(np.abs(D[0] + t * change).max()) <= NEGLIGIBLE_SHARE * largest
            and self.meet(p, left, t, right, q)
        ):
            return [(t, right)]
        for fraction in DIVIDING_FRACTIONS:
            middle = p + fraction * (q - p)
            piece = self.piece(middle)
            if piece is not None:
                return [*self.between(p, left, middle, piece), *self.between(middle, piece, q, right)]
        return [(t if p < t < q else 0.5 * (p + q), right)]

    def meet(self, p: float, left: LeastNormPiece, t: float, right: LeastNormPiece, q: float) -> bool:
        """Return whether `left` holds from p to t, and `right` from t to q."""
        before, after = t - END_DISTANCE * (t - p), t + END_DISTANCE * (q - t)
        for x, piece in ((before, left), (t, left), (after, right)):
            s = self.value(x)
            if not piece.agrees(x, s, float(s.max())):
                return False
        return True
