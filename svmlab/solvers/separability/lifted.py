"""Monomials of points: as doubles near 0, and as exact integers where doubles cannot decide.

    P_ik = prod of (x_ij - origin_j) / 2^e_j  over the j of the k-th monomial,   |P| <= 1

A double decides on which side of a hyperplane a point is, unless the value there is within its rounding, so only such
rows need exact numbers. Moving the origin loses nothing if all divisors of each monomial are among the features (1 is
the bias).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import numpy as np

from svmlab.core.arrays import EPS, Array, Index
from svmlab.core.tolerances import UNDERFLOW
from svmlab.solvers.decimals import THOUSAND, as_thousandths
from svmlab.solvers.separability import rational

# PRIME is below 2^20, so doubles represent sums of 2^13 products of remainders exactly.
PRIME, MAX_TERMS = 1_048_573, 1 << 13
MAX_POINTS_FOR_REMAINDERS = 1000  # the largest number of points for which remainders are worth their cost

Dots: TypeAlias = Callable[[Index], list[Fraction]]
Monomial: TypeAlias = tuple[int, ...]  # the coordinates that are multiplied: (0, 0, 1) is x_0^2 x_1


@dataclass(frozen=True, eq=False)
class Lifted:
    """P (m, D), each entry correct up to the relative error `relative_error`.

    base (m, d): the points as floats or in whole thousandths. origin, scale_exponents (the e_j) and monomials are
    those of the module's docstring.
    """

    P: Array
    relative_error: float
    base: Array
    origin: Array
    scale_exponents: list[int]
    monomials: list[Monomial]

    def exact(self, rows: Index) -> tuple[rational.Integers, list[Fraction]]:
        """Return integers Z (k, D) and a factor > 0 for each column, with P[rows] = Z / factors."""
        Z, units = self._whole(rows)
        out = np.ones((len(rows), len(self.monomials)), dtype=object)
        for k, parts in enumerate(self.monomials):
            for j in parts:
                out[:, k] *= Z[:, j]
        return out, [math.prod((units[j] for j in parts), start=Fraction(1)) for parts in self.monomials]

    def _whole(self, rows: Index) -> tuple[rational.Integers, list[Fraction]]:
        """Return integers Z (k, d) and factors f > 0 with (x_j - origin_j) / 2^e_j = Z_j / f_j in coordinate j."""
        Z, scales = rational.dyadic(np.vstack([self.base[rows], self.origin]))
        Z = Z[:-1] - Z[-1]
        common = [math.gcd(*column) or 1 for column in Z.T.tolist()]
        units = [Fraction(2) ** e * s / g for e, s, g in zip(self.scale_exponents, scales, common, strict=True)]
        return Z // np.array(common, dtype=object), units

    def dots(self, w: Sequence[Fraction] | Array) -> Dots:
        """Return a function that computes the exact P w, row by row."""

        def of(rows: Index) -> list[Fraction]:
            Z, factors = self.exact(rows)
            return _dot(Z, [Fraction(p) / q for p, q in zip(w, factors, strict=True)])

        return of

    def projection_gap(self, w: Sequence[Fraction] | Array, y: Array) -> ProjectionGap:
        """Return the gap between the classes along w, exactly."""
        return _gap(*self._values(w), self.dots(w), y)

    def is_separated_by(self, w: Sequence[Fraction] | Array, y: Array, bias: bool) -> bool:
        """Return whether some hyperplane with this normal (without bias the one through the origin) separates."""
        certain = _bias_by_doubles(*self._values(w), y, bias)
        return self.projection_gap(w, y).middle_bias(bias) is not None if certain is None else not math.isnan(certain)

    def _values(self, w: Sequence[Fraction] | Array) -> tuple[Array, Array]:
        """Return P w in doubles, and a bound for the error of each entry."""
        normal = np.array([float(p) for p in w])
        f, size = self.P @ normal, np.abs(self.P) @ np.abs(normal)
        return f, (len(normal) + 3 + self.relative_error / EPS) * EPS * size + UNDERFLOW * float(np.abs(normal).sum())

    def common_point_weights(self, rows: Index, y: Array, bias: bool) -> Array | None:
        """Return weights of `rows` close to those of a common point of their hulls, or None.

        It is None unless doubles prove that there is a common point. The features and the rows that sum the weights
        form a square B, and B v = e. If R is an approximate inverse, |I - RB| < 1 implies that v is unique, and R (e -
        Bv) bounds its error, which must be too small for an entry to be 0. Every rounding is counted. Source: Rump,
        Verification methods (Acta Numerica 2010), section 10.
        """
        P = self.P[rows]
        used = np.abs(P).max(0) > 0
        heads = np.stack([y > 0, y < 0]).astype(float) if bias else np.ones((1, len(y)))
        B = np.vstack([heads, (P[:, used] * y[:, None]).T])
        n = len(y)
        if len(B) != n or not (used.all() or not self.exact(rows)[0][:, ~used].any()):
            return None
        e = np.r_[np.ones(len(heads)), np.zeros(n - len(heads))]
        try:
            R = np.linalg.inv(B)
        except np.linalg.LinAlgError:
            return None
        v = R @ e
        v = v + R @ (e - B @ v)
        unit = (n + 4) * EPS + self.relative_error
        inverse_error = np.abs(np.eye(n) - R @ B) + unit * (np.abs(R) @ np.abs(B) + 1)
        error = np.abs(R) @ (np.abs(e - B @ v) + unit * (np.abs(B) @ np.abs(v) + 1))
        return v if 2 * inverse_error.sum(1).max() < 1 and v.min() > 3 * error.max() else None

    def is_independent(self, bias: bool) -> bool:
        """Return whether no point is a combination of the others (with bias: an affine one).

        If so, hyperplanes realise all labellings. It is computed in remainders modulo a prime, after a random map to as
        many features as points: points that are independent there are independent.
        """
        m, D = self.P.shape
        if m > min(D + bias, MAX_POINTS_FOR_REMAINDERS) or D + bias > MAX_TERMS:
            return False
        Z = (self._whole(np.arange(m))[0] % PRIME).astype(np.int64)
        R = np.ones((m, D + bias))
        for k, parts in enumerate(self.monomials):
            column = np.ones(m, dtype=np.int64)
            for j in parts:
                column = column * Z[:, j] % PRIME
            R[:, k] = column
        R = R @ np.random.default_rng(m).integers(0, PRIME, (D + bias, m)).astype(float) % PRIME
        for k in range(m):
            pivot_row = k + int((R[k:, k] != 0).argmax())
            if R[pivot_row, k] == 0:
                return False
            R[[k, pivot_row]] = R[[pivot_row, k]]
            inverse = float(pow(int(R[k, k]), -1, PRIME))
            R[k + 1 :] = (R[k + 1 :] - (R[k + 1 :, k] * inverse % PRIME)[:, None] * R[k]) % PRIME
        return True


@dataclass(frozen=True, eq=False)
class ProjectionGap:
    """The largest <w, z> of class -1, the smallest of class +1, and the rows that attain them.

    A value is None where the class has no point.
    """

    below: Fraction | None
    above: Fraction | None
    rows: list[int]

    def middle_bias(self, bias: bool) -> Fraction | None:
        """Return the b in the middle (0 without bias) if all points are then strictly on their sides, else None."""
        if not bias:
            separated = (self.below is None or self.below < 0) and (self.above is None or self.above > 0)
            return Fraction(0) if separated else None
        assert self.below is not None
        assert self.above is not None
        return -(self.below + self.above) / 2 if self.below < self.above else None


def lift(X: Array, monomials: Iterable[Monomial], bias: bool) -> Lifted:
    """Return the monomials of the points X (m, d), moved and scaled so that doubles keep their digits.

    Each monomial occurs once, and 1 is the bias, because positive factors on the features move no point across a
    hyperplane.
    """
    distinct = list(dict.fromkeys(monomials))
    distinct = [parts for parts in distinct if parts or not bias] or distinct
    known = {*distinct, *([()] if bias else [])}
    closed = all((*parts[:i], *parts[i + 1 :]) in known for parts in distinct for i in range(len(parts)))
    whole = as_thousandths(X)
    base = X if whole is None else whole
    origin = 0.5 * base.min(0) + 0.5 * base.max(0) if closed else np.zeros(X.shape[1])
    if whole is not None:
        origin = np.rint(origin)
    U = base - origin
    sizes = np.frexp(np.abs(U).max(0))[1]
    U = np.ldexp(U, -sizes)
    P = np.ascontiguousarray(np.stack([np.prod(U[:, parts], axis=1) for parts in distinct], axis=1))
    return Lifted(P, max(map(len, distinct)) * EPS, base, origin, sizes.tolist(), distinct)


def separating_bias(X: Array, y: Array, w: Array, bias: bool) -> float | None:
    """Return the b in the middle of the gap, with y_i (<w, x_i> + b) > 0 for every i without rounding, or None.

    Decimals of three places are on their sides both as decimals and as floats.
    """
    if not (np.isfinite(w).all() and w.any()):
        return None
    with np.errstate(over="ignore", invalid="ignore"):
        f, error_bound = X @ w, (len(w) + 4) * EPS * (np.abs(X) @ np.abs(w)) + UNDERFLOW * float(np.abs(w).sum())
    certain = _bias_by_doubles(f, error_bound, y, bias)
    if certain is not None:
        return None if math.isnan(certain) else certain
    normal, decimal = [Fraction(p) for p in w.tolist()], as_thousandths(X) is not None

    def floats(rows: Index) -> list[Fraction]:
        Z, scales = rational.dyadic(X[rows])
        return _dot(Z, [p / s for p, s in zip(normal, scales, strict=True)])

    def decimals(rows: Index) -> list[Fraction]:
        return _dot(np.rint(THOUSAND * X[rows]).astype(np.int64).astype(object), [p / THOUSAND for p in normal])

    ends = [_gap(f, error_bound, dots, y) for dots in ((floats, decimals) if decimal else (floats,))]
    both = ProjectionGap(
        max((s.below for s in ends if s.below is not None), default=None),
        min((s.above for s in ends if s.above is not None), default=None),
        [],
    )
    middle = both.middle_bias(bias)
    if middle is None:
        return None
    try:
        b = float(middle)
    except OverflowError:
        return None
    below, above = both.below, both.above
    return b if (below is None or below + Fraction(b) < 0) and (above is None or above + Fraction(b) > 0) else None


def _bias_by_doubles(f: Array, error_bound: Array, y: Array, bias: bool) -> float | None:
    """Return the b in the middle of the gap where doubles prove it, nan where they disprove it, else None."""
    minus, plus = y < 0, y > 0
    if not (np.isfinite(f).all() and np.isfinite(error_bound).all()):
        return None
    below, above = np.max((f + error_bound)[minus], initial=-np.inf), np.min((f - error_bound)[plus], initial=np.inf)
    b = -0.5 * float(below + above) if bias else 0.0
    if below < -b < above:
        return b
    lowest, highest = np.max((f - error_bound)[minus], initial=-np.inf), np.min((f + error_bound)[plus], initial=np.inf)
    return math.nan if (lowest >= highest if bias else lowest >= 0 or highest <= 0) else None


def _gap(f: Array, error_bound: Array, dots: Dots, y: Array) -> ProjectionGap:
    """Return the gap between the values f of the two classes.

    f (m,): in doubles, correct within error_bound (m,). The values are exact for the rows that may be its ends.
    """
    values: list[Fraction | None] = []
    ends = []
    for side in (-1, 1):
        rows = np.flatnonzero(y == side)
        if not len(rows):
            values.append(None)
            continue
        t, r = side * f[rows], error_bound[rows]
        with np.errstate(invalid="ignore"):
            candidates = rows[~(t - r > (t + r).min())]
        exact = [side * v for v in dots(candidates)]
        k = min(range(len(candidates)), key=exact.__getitem__)
        values.append(side * exact[k])
        ends.append(int(candidates[k]))
    return ProjectionGap(values[0], values[1], ends)


def _dot(Z: rational.Integers, w: list[Fraction]) -> list[Fraction]:
    common = math.lcm(*(p.denominator for p in w))
    whole = np.array([p.numerator * (common // p.denominator) for p in w], dtype=object)
    return [Fraction(int(v), common) for v in Z @ whole]
