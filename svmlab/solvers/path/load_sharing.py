"""Along the path in C: where the optimum of least norm changes its partition although w and b go on as before.

While w and b are linear in c, the tied points T on their margin lines stay the same, and all optima have the same R a.
With s = a / c and t linear in 1 / c the optimum of least norm solves

    min sum_i s_i^2 / n_i   subject to   R s = (1 - t) R s(0) + t R s(1),   0 <= s <= n.

Its solution is unique, continuous, and linear in t while its partition stays. Two pieces that follow each other meet
where their formulas agree, so that each change is found from two of them and not by sampling. Source: the parametric
quadratic program, as in Ritter, On parametric linear and quadratic programming problems (1984).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, Mask
from svmlab.solvers.active_set import FREE, LOWER, UPPER
from svmlab.solvers.least_norm import least_norm

NOTHING = 1e-9  # of the largest share: what is 0, and what two formulas may differ by where they agree
NEAR = 1e-4  # from an end, where its piece is read off
CLOSE = 1e-10  # changes closer than this are one
RANK = 1e-12  # eigenvalues below RANK times the largest are 0
PARTS = (0.382, 0.447, 0.553)  # where a range is divided; several, because a change may lie exactly at one


@dataclass(frozen=True, eq=False)
class Piece(Frozen):
    """The optimum of one partition: s(t) = (1 - t) ends[0] + t ends[1], ends (2, n), and its state (n,)."""

    ends: Array
    state: Index

    def at(self, t: float) -> Array:
        """Return s at t, shape (n,)."""
        return np.asarray((1.0 - t) * self.ends[0] + t * self.ends[1])

    def agrees(self, t: float, s: Array, scale: float) -> bool:
        """Return whether s (n,) is what this piece has at t, where `scale` is the largest share."""
        return bool(np.abs(self.at(t) - s).max() <= NOTHING * scale)


def pieces(R: Array, start: Array, end: Array, n: Array) -> list[tuple[float, Piece]]:
    """Return all pieces with the t from which each holds, from 0 to 1; start, end (n,): any optima at t = 0 and t =
    1.
    """
    return _Sharing(R, start, end, n).all()


class _Sharing:
    def __init__(self, R: Array, start: Array, end: Array, n: Array) -> None:
        self.R, self.start, self.end, self.n = R, start, end, n
        self.scale = max(float(start.max()), float(end.max()), 1e-300)

    def all(self) -> list[tuple[float, Piece]]:
        """Return each piece with the t from which it holds."""
        p, first = self.near(0.0)
        same = (self.state(self.value(1.0 - NEAR)) == first.state).all()
        if same and first.agrees(1.0, self.value(1.0), self.scale):
            return [(0.0, first)]
        q, last = self.near(1.0)
        return [(0.0, first), *self.between(p, first, q, last)]

    def value(self, t: float) -> Array:
        """Return the optimum at t."""
        return least_norm(self.R, (1.0 - t) * self.start + t * self.end, self.n, self.n)

    def near(self, end: float) -> tuple[float, Piece]:
        """Return the piece that holds up to `end` (0 or 1) and a t in it; the nearest piece where none is found that
        does.
        """
        there, far = self.value(end), NEAR
        best: tuple[float, Piece] | None = None
        while far >= CLOSE:
            t = abs(end - far)
            piece = self.piece(t)
            if piece is not None:
                best = t, piece
                if piece.agrees(end, there, self.scale):
                    break
            far *= 0.1
        return best or (end, Piece(np.stack([there, there]), self.state(there)))

    def state(self, s: Array) -> Index:
        """Return who is at 0, free, or at the bound."""
        small = NOTHING * float(s.max(initial=1e-300))
        return np.where(s <= small, LOWER, np.where(s >= self.n - small, UPPER, FREE))

    def piece(self, t: float) -> Piece | None:
        """Return the formula of the partition at t, None where that partition holds at t alone."""
        s, R, n = self.value(t), self.R, self.n
        state = self.state(s)
        free: Mask = state == FREE
        fixed = np.where(state == UPPER, n, 0.0)
        rest = R @ (np.stack([self.start, self.end]) - fixed).T
        RF = R[:, free]
        l = np.linalg.pinv((RF * n[free]) @ RF.T, rcond=RANK, hermitian=True) @ rest
        ends = np.stack([fixed, fixed])
        ends[:, free] = (n[free, None] * (RF.T @ l)).T
        found = Piece(ends, state)
        held = np.abs(RF @ ends[:, free].T - rest).max(initial=0.0) <= NOTHING * s.max(initial=1e-300)
        return found if held and found.agrees(t, s, float(s.max())) else None

    def between(self, p: float, one: Piece, q: float, other: Piece) -> list[tuple[float, Piece]]:
        """Return the pieces that begin between p, where `one` holds, and q, where `other` does."""
        D = one.ends - other.ends
        largest = max(float(one.at(p).max(initial=0.0)), float(other.at(q).max(initial=0.0)), 1e-300)
        if float(np.abs(D).max(initial=0.0)) <= NOTHING * largest:
            return []
        turn = D[1] - D[0]
        square = float(turn @ turn)
        t = -float(D[0] @ turn) / square if square > 0 else p
        if q - p <= CLOSE:
            return [(min(max(t, p), q), other)]
        if p < t < q and float(np.abs(D[0] + t * turn).max()) <= NOTHING * largest and self.meet(p, one, t, other, q):
            return [(t, other)]
        for part in PARTS:
            middle = p + part * (q - p)
            piece = self.piece(middle)
            if piece is not None:
                return [*self.between(p, one, middle, piece), *self.between(middle, piece, q, other)]
        return [(t if p < t < q else 0.5 * (p + q), other)]

    def meet(self, p: float, one: Piece, t: float, other: Piece, q: float) -> bool:
        """Return whether `one` holds from p to t, and `other` from t to q."""
        before, after = t - NEAR * (t - p), t + NEAR * (q - t)
        for x, piece in ((before, one), (t, one), (after, other)):
            s = self.value(x)
            if not piece.agrees(x, s, float(s.max())):
                return False
        return True
