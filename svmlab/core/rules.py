"""The rules for numbers from outside: finite, real, and of a size whose squares and products fit into doubles."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Real
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_, Phrase, join_phrases

TABLE = N_("a table of numbers with rows of equal length, such as [[0.5, 1], [2, 3]]")
WHOLE = N_("a list of whole numbers, such as [0, 1, 2]")
LARGEST_MAGNITUDE, SMALLEST_MAGNITUDE = (
    1e100,
    1e-100,
)  # squares, products and quotients of these sizes stay far inside double precision


@dataclass(frozen=True)
class Number:
    """The rule for a number between bounds.

    Its absolute value is at most LARGEST_MAGNITUDE. With `above=0` the number is also at least SMALLEST_MAGNITUDE. It
    may be infinite if `meaning_of_infinity` is given, which says what inf means.
    """

    above: float | None = None
    minimum: float | None = None
    below: float | None = None
    maximum: float | None = None
    meaning_of_infinity: str = ""
    hint: str = ""  # one more sentence for the message

    def __call__(self, field: str, value: Any) -> float:
        """Return `value` as a float. Raises BadInput."""
        number = real_number(
            field, value, bool(self.meaning_of_infinity), SMALLEST_MAGNITUDE if self.above == 0 else 0.0
        )
        if (
            (self.above is None or number > self.above)
            and (self.minimum is None or number >= self.minimum)
            and (self.below is None or number < self.below)
            and (self.maximum is None or number <= self.maximum)
        ):
            return number
        bounds = (
            (self.above, N_("above {bound:g}")),
            (self.minimum, N_("{bound:g} or above")),
            (self.below, N_("below {bound:g}")),
            (self.maximum, N_("{bound:g} or below")),
        )
        rule = join_phrases(
            *(Phrase(words, bound=bound) for bound, words in bounds if bound is not None), separator=", "
        )
        raise BadInput(
            "{field}: {value} must be a {finite}number {rule}{infinite}.{remedy}",
            field=field,
            value=quoted(value),
            finite="" if self.meaning_of_infinity else N_("finite "),
            rule=rule,
            infinite=Phrase(" ({meaning})", meaning=self.meaning_of_infinity) if self.meaning_of_infinity else "",
            remedy=Phrase(" {remedy}", remedy=self.hint) if self.hint else "",
        )


@dataclass(frozen=True)
class WholeNumber:
    """The rule for a whole number from `low` to `high`."""

    low: int
    high: int

    def __call__(self, field: str, value: Any) -> int:
        """Return `value` as an int. Raises BadInput."""
        number = unwrap_scalar(value)
        if isinstance(number, float | np.floating) and math.isfinite(number) and number == math.floor(number):
            number = int(number)
        is_whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if is_whole and self.low <= number <= self.high:
            return int(number)
        raise BadInput(
            "{field}: {value} is not a whole number from {low} to {high}.",
            field=field,
            value=quoted(value),
            low=self.low,
            high=self.high,
        )


class Shape:
    """The rule for an array of a given shape.

    A whole number is the length of an axis. A name stands for any length from 1, or from 0 if it ends with a star.
    `...` stands for further axes in front.
    """

    def __init__(self, *axes: Any) -> None:
        self.any_leading_axes, self.axes = axes[0] is ..., tuple(a for a in axes if a is not ...)

    def __call__(self, field: str, value: Any) -> Array:
        """Return `value` as an array of finite floats. Raises BadInput."""
        array = finite_array(field, value)
        shape = array.shape[len(array.shape) - len(self.axes) :] if self.any_leading_axes else array.shape
        if len(shape) == len(self.axes) and all(
            n == a if isinstance(a, int) else n > 0 or a.endswith("*") for n, a in zip(shape, self.axes, strict=True)
        ):
            return array
        wanted = ", ".join(str(a).rstrip("*") for a in self.axes)
        raise BadInput(
            "{field}: shape {shape} is not ({wanted}{one}).",
            field=field,
            shape=array.shape,
            wanted=("..., " if self.any_leading_axes else "") + wanted,
            one="," if len(self.axes) == 1 and not self.any_leading_axes else "",
        )


@dataclass(frozen=True)
class Numbers:
    """The rule for one number or an array of numbers that are `minimum` or above."""

    minimum: float
    whole: bool = False

    def __call__(self, field: str, value: Any) -> Array:
        """Return `value` as an array. Raises BadInput."""
        array = finite_array(field, value)
        if (array >= self.minimum).all() and not (self.whole and (array % 1).any()):
            return array
        raise BadInput(
            "{field}: {value} is not {whole}{least:g} or above.",
            field=field,
            value=quoted(value),
            whole=N_("a whole number, ") if self.whole else "",
            least=self.minimum,
        )


Positive = Annotated[float, Number(above=0.0)]
NotNegative = Annotated[float, Number(minimum=0.0)]
UnitInterval = Annotated[float, Number(minimum=0.0, maximum=1.0)]
PenaltyParameter = Annotated[float, Number(above=0.0, meaning_of_infinity=N_("math.inf for the hard margin"))]
Steps = Annotated[int, WholeNumber(0, 10**7)]
Size = Annotated[int, WholeNumber(1, 10**7)]
SampleSize = Annotated[int, WholeNumber(1, 10**6)]  # number of points that are drawn at once
Repetitions = Annotated[int, WholeNumber(1, 10**4)]  # number of samples, each of which is solved
MAX_ENTRIES = 5 * 10**7  # largest number of entries in an array that the package makes: 400 MB
Seed = Annotated[int, WholeNumber(0, 2**63 - 1)]


def real_number(field: str, value: Any, infinite: bool = False, smallest_magnitude: float = 0.0) -> float:
    """Return `value` as a float of a size to calculate with; +inf passes if `infinite` is set. Raises BadInput."""
    if type(value) is float and (value == 0 or smallest_magnitude <= abs(value) <= LARGEST_MAGNITUDE):
        return value  # This is the usual case, so it is decided first.
    number, value = math.nan, unwrap_scalar(value)
    if isinstance(value, Real) and not isinstance(value, bool | np.bool_):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf
        if number == 0 or smallest_magnitude <= abs(number) <= LARGEST_MAGNITUDE:
            return number
        written = isinstance(value, float | np.floating)
        if infinite and written and math.isinf(number):
            return number
        if math.isfinite(number) or not written:
            raise BadInput(
                "{field}: {value} is too {extent} to calculate with. It must be 0 or of a size from {least:g} to "
                "{most:g}. Use another unit.",
                field=field,
                value=quoted(value),
                extent=N_("small") if abs(number) < 1 else N_("large"),
                least=SMALLEST_MAGNITUDE,
                most=LARGEST_MAGNITUDE,
            )
    raise BadInput(
        "{field}: {value} is not a {finite}number. Give a number such as 0.5.",
        field=field,
        value=quoted(value),
        finite="" if infinite else N_("finite "),
    )


def finite_array(field: str, value: Any, shape: str = TABLE) -> Array:
    """Return `value` as an array of finite floats, or `value` itself if it is one.

    Raises BadInput, which names the first row or entry that is wrong.
    """
    if type(value) is np.ndarray and value.dtype == np.float64:  # This is the usual case, so it is decided first.
        Z = value
    else:
        try:
            Z = np.asarray(value)
            if not _plain(Z) or np.ma.is_masked(value):
                raise TypeError
            Z = Z.astype(float, copy=False)
        except (TypeError, ValueError, OverflowError) as error:
            raise _no_numbers(field, value, shape, error) from error
    # If the squares sum up to no more than the limit, no entry is beyond it. Comparisons are false for nan.
    if not (np.vdot(Z, Z) <= LARGEST_MAGNITUDE or bool((np.abs(Z) <= LARGEST_MAGNITUDE).all())):
        valid = (np.abs(Z) <= LARGEST_MAGNITUDE).reshape(len(Z), -1).all(axis=1) if Z.ndim else np.array([False])
        row = int(valid.argmin())
        bad = np.atleast_1d(Z)[row]
        rule: str = N_("not finite. Remove the row or correct it.")
        if np.isfinite(bad).all():
            rule = Phrase(
                "too large to calculate with. The limit is {most:g}. Use another unit.", most=LARGEST_MAGNITUDE
            )
        raise BadInput(
            "{field}, row {row}: {point} is {rule}", field=field, row=row, point=quoted(bad.tolist()), rule=rule
        )
    return Z


def _plain(Z: npt.NDArray[Any]) -> bool:
    """Return whether Z holds numbers and no text. None in an array of objects becomes nan."""
    if Z.dtype.kind == "O":
        return not any(isinstance(entry, str | bytes) or (entry is None and not Z.ndim) for entry in Z.flat)
    return Z.dtype.kind in "biuf"


def _no_numbers(field: str, value: Any, shape: str, error: Exception) -> BadInput:
    """Return the error for a value that is no array of numbers.

    It names the column of a data frame, or the entry, that is not a number.
    """
    if hasattr(value, "toarray"):
        return BadInput("{field} is a sparse matrix. Give {field}.toarray().", field=field)
    for name in getattr(value, "columns", ()):
        if wrong := _first_wrong(value[name]):
            return BadInput(
                "{field}, column {column}: {value} is not a number. Replace it by a number, or leave the column out.",
                field=field,
                column=quoted(name),
                value=wrong,
            )
    if isinstance(error, TypeError):
        wrong = _first_wrong(value)
        why: str = Phrase("{value} is not a number", value=wrong) if wrong else N_("some entries are masked")
    else:
        unequal = isinstance(error, ValueError)
        why = N_("its rows have unequal lengths") if unequal else N_("an entry is too large to calculate with")
    return BadInput("{field} must be {shape}, but {why}.", field=field, shape=shape, why=why)


def _first_wrong(value: Any) -> str:
    """Return the first entry that is not a number, quoted, or an empty text if every entry is a number."""
    return next((quoted(entry) for entry in np.array(value, dtype=object).flat if not isinstance(entry, Real)), "")


def check_entry_count(field: str, m: int, d: int) -> None:
    """Raise BadInput if m points of d coordinates are more than MAX_ENTRIES numbers."""
    if m * d > MAX_ENTRIES:
        raise BadInput(
            "{field}: {m} points of {d} coordinates are more than {most} numbers. Take fewer points or coordinates.",
            field=field,
            m=m,
            d=d,
            most=MAX_ENTRIES,
        )


def wrong_kind_error(field: str, wanted: str, value: Any) -> BadInput:
    """Return the error for a value of the wrong kind."""
    return BadInput("{field}: expected {wanted}, got {value}.", field=field, wanted=wanted, value=quoted(value))


def unwrap_scalar(value: Any) -> Any:
    """Return the number in an array without axes, and any other value unchanged."""
    return value[()] if isinstance(value, np.ndarray) and value.ndim == 0 else value


def boolean_array(field: str, value: Any) -> npt.NDArray[np.bool_]:
    """Return `value` as an array of True and False. Raises BadInput."""
    Z = finite_array(field, value)
    if not np.isin(Z, (0.0, 1.0)).all():
        raise wrong_kind_error(field, N_("True and False alone"), value)
    return Z.astype(bool)


def integer_array(field: str, value: Any) -> npt.NDArray[np.int64]:
    """Return `value` as an array of 64-bit whole numbers, without losing digits. Raises BadInput."""
    try:
        Z = np.asarray(value)
    except ValueError:
        Z = finite_array(field, value, WHOLE)
    if Z.dtype.kind == "i":
        return Z.astype(np.int64, copy=False)
    if Z.dtype.kind not in "uf":
        Z = finite_array(field, value, WHOLE)
    if not bool((np.abs(Z) < 2.0**63).all()) or not np.array_equal(Z, np.floor(Z)):
        raise BadInput(
            "{field}: {value} are not all whole numbers of 64 bits. Give whole numbers such as 0, 1, 2.",
            field=field,
            value=quoted(np.asarray(value).tolist()),
        )
    return Z.astype(np.int64)
