"""Read a table as people have it, with many columns, and choose the columns that become points.

`Dataset.from_csv` reads a file of points and refuses whatever does not fit. `read_table` reads a file that was made for
something else: with columns of text, missing values, several ways to write numbers, and more columns than are used.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, Mask, frozen, short_repr
from svmlab.core.errors import BadInput, quoted
from svmlab.core.validate import validated
from svmlab.data import files
from svmlab.data.dataset import Dataset

LABEL_NAMES = (*files.LABEL_HEADERS, "target")
IDENTIFIER_NAMES = ("", "id", "index", "no", "nr")
MISSING = frozenset(("", "na", "n/a", "#n/a", "nan", "null", "none", "?", "-", "–", "."))
MOST_VALUES = 20  # a column with more different values is no label
HEAD = 4  # rows that a table keeps as they were written
NUMERIC = 0.5  # a column is numeric if more than this part of its values are numbers
TITLE_CELLS = 1  # a row at the beginning with no more cells than this is a title


def _number_pattern(decimal: str, group: str) -> re.Pattern[str]:
    """Return the pattern of a number with this decimal sign, whose digits may stand in groups of three."""
    grouped = rf"[1-9][0-9]{{0,2}}(?P<group>[{group}'’ \u00a0\u202f])[0-9]{{3}}(?:(?P=group)[0-9]{{3}})*"
    return re.compile(
        rf"[+-]?(?:(?:{grouped}|[0-9]+)(?:{decimal}[0-9]*)?|{decimal}[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII
    )


# The two ways to write a number, by the decimal sign: 1,234.5 and 1.234,5. Each may omit the groups.
WRITTEN = {".": _number_pattern(r"\.", ","), ",": _number_pattern(",", r"\.")}
PLAIN = {".": frozenset("0123456789.-"), ",": frozenset("0123456789,-")}  # numbers that float reads, and in this way
NO_DIGITS = {".": str.maketrans("", "", ",'’ \u00a0\u202f"), ",": str.maketrans(",", ".", ".'’ \u00a0\u202f")}


@dataclass(frozen=True, eq=False)
class Column(Frozen):
    """A column of a table of m rows.

    name: distinct within the table. numbers: (m,) finite, or nan where the value is missing or is no number. values:
    the different values, numbers in ascending order and names in alphabetical order, if there are at most MOST_VALUES,
    and otherwise none. codes: (m,) the position of each value in `values`, and -1 where it is missing or `values` is
    empty. missing: (m,) where the cell says that there is no value. first_invalid_cell: the row and the text of the
    first cell of a numeric column that is neither a number nor missing.
    """

    name: str
    numbers: Array
    values: tuple[str, ...]
    codes: Index
    missing: Mask
    first_invalid_cell: tuple[int, str] | None

    @cached_property
    def is_numeric(self) -> bool:
        """Whether more than half of the values are numbers."""
        return int(np.isfinite(self.numbers).sum()) > NUMERIC * int((~self.missing).sum())

    @cached_property
    def is_identifier(self) -> bool:
        """Whether the column only numbers the rows: by its name and without repetition, or one after the other."""
        if not self.is_numeric or np.isnan(self.numbers).any() or len(self.numbers) < 3:
            return False
        named = self.name.casefold() in IDENTIFIER_NAMES and len(np.unique(self.numbers)) == len(self.numbers)
        return named or bool((self.numbers[1:] == self.numbers[:-1] + 1).all() and self.numbers[0] % 1 == 0)


@dataclass(frozen=True, eq=False)
class Table(Frozen):
    """A table of m rows, as `read_table` understood it.

    columns: at least two. rows: (m,) the number of the line on which each row ends. head: the first rows as they were
    written. separator: what separates the cells. decimal_comma: whether a number has a decimal comma. has_header:
    whether the first row has the names of the columns. titles: how many rows before the table were left out, because
    they have a single cell.
    """

    columns: tuple[Column, ...]
    rows: Index
    head: tuple[tuple[str, ...], ...]
    separator: Literal[",", ";", "\t", "|"]
    decimal_comma: bool
    has_header: bool
    titles: int

    def __repr__(self) -> str:
        return short_repr(self, m=self.m, columns=tuple(column.name for column in self.columns))

    @property
    def m(self) -> int:
        """The number of rows."""
        return len(self.rows)

    @cached_property
    def numeric(self) -> tuple[int, ...]:
        """The positions of the columns of numbers."""
        return tuple(i for i, column in enumerate(self.columns) if column.is_numeric)

    @cached_property
    def possible_labels(self) -> tuple[int, ...]:
        """The positions of the columns that can be the label: those with few different values."""
        return tuple(i for i, column in enumerate(self.columns) if column.values)

    @cached_property
    def label(self) -> int | None:
        """The position of the column that is most likely the label, or None if no column can be.

        It is the last one named label, class, y or target. Without such a name it is the last column with two values,
        else the last column of text, else the last possible one. Beside a column x and another
        possible label, y is a coordinate.
        """
        names = [column.name.casefold() for column in self.columns]
        possible = self.possible_labels
        if "x" in names and any(names[i] not in ("x", "y") for i in possible):
            possible = tuple(i for i in possible if names[i] != "y")
        named = [i for i in possible if names[i] in LABEL_NAMES]
        pairs = [i for i in possible if len(self.columns[i].values) == 2]
        texts = [i for i in possible if not self.columns[i].is_numeric]
        return next((positions[-1] for positions in (named, pairs, texts, possible) if positions), None)

    def features(self, label: int | None) -> tuple[int, ...]:
        """Return the columns of numbers beside the label in the order in which they are likely to be wanted.

        Columns with more than two values come first, and columns that only number the rows come last.
        """

        def rank(i: int) -> int:
            return 2 if self.columns[i].is_identifier else int(0 < len(self.columns[i].values) <= 2)

        return tuple(sorted((i for i in self.numeric if i != label), key=rank))

    def position(self, name: str) -> int:
        """Return the position of a column. Raises BadInput for an unknown name."""
        for i, column in enumerate(self.columns):
            if column.name == name:
                return i
        raise BadInput(
            "{name}: the table has no column of this name. Choose from {choices}.",
            name=quoted(name),
            choices=", ".join(quoted(column.name) for column in self.columns[:MOST_VALUES]),
        )

    def complete(self, features: Sequence[int], label: int | None = None) -> Mask:
        """Return which rows have a number in each of these columns and a label, shape (m,)."""
        labelled = np.full(self.m, True) if label is None else self.columns[label].codes >= 0
        return np.logical_and.reduce([labelled, *(np.isfinite(self.columns[i].numbers) for i in features)])

    @validated
    def dataset(
        self, features: Sequence[str], label: str, plus: str | None = None, minus: str | None = None
    ) -> Dataset:
        """Return the points of these columns of numbers, with the label from another column.

        Rows in which one of these values is missing are left out. A label column with two values is read as by
        `Dataset.from_csv`. With `plus`, this value becomes +1, and `minus` becomes -1: the one that is given, or all
        other values, which are named "not ..." if there are several. Raises BadInput, which names the column, the value
        and the rule.
        """
        if not features:
            raise BadInput("features: the list is empty. Name at least one column of numbers.")
        at = [self.position(name) for name in features]
        column = self.columns[self.position(label)]
        for i in at:
            self.require_numeric(i)
        rows = self.complete(at, self.position(label))
        X = np.array([self.columns[i].numbers for i in at]).T[rows]
        labels = [column.values[code] for code in column.codes[rows]]
        if plus is None:
            return Dataset(X, files.TWO_CLASSES.read(labels, self.rows[rows].tolist()))
        for value in (plus, minus):
            if value is not None and value not in column.values:
                raise BadInput(
                    "{value}: the column {column} has no such value. Choose from {choices}.",
                    value=quoted(value),
                    column=quoted(label),
                    choices=", ".join(map(quoted, column.values)),
                )
        kept = np.array([minus is None or value in (plus, minus) for value in labels], dtype=bool)
        others = [value for value in column.values if value != plus]
        names = (minus or (others[0] if len(others) == 1 else f"not {plus}"), plus)
        return Dataset(X[kept], [names[value == plus] for value in np.array(labels)[kept]], labels=names)

    def require_numeric(self, i: int) -> None:
        """Raise BadInput if a column has no numbers, with the first value that is none."""
        column = self.columns[i]
        if not column.is_numeric:
            row, text = column.first_invalid_cell or (int(self.rows[0]), "")
            raise BadInput(
                "Row {row}, column {column}: {cell} is not a number. Choose a column of numbers.",
                row=row,
                column=quoted(column.name),
                cell=quoted(text),
            )


@validated
def read_table(text: files.FileText) -> Table:
    """Return the table in a text of rows, whose cells are separated by commas, semicolons, tabs or vertical bars.

    The names of the columns may stand in the first row. A number may have a decimal point or a decimal comma, and its
    digits may stand in groups of three. Empty cells, NA, NaN, null, a question mark and a dash mean that a value is
    missing. Raises BadInput, which names the row and the rule.
    """
    separator, cells = files.rows_of(text)
    titles = 0
    while len(cells) > 1 and _filled(cells[0][1]) <= TITLE_CELLS < max(_filled(row) for _, row in cells[1:20]):
        titles, cells = titles + 1, cells[1:]
    if not cells:
        raise BadInput("The file is empty. Open a table with a row for each point.")
    lines, rows = _rectangular(cells)
    if len(rows[0]) < 2:
        raise BadInput(
            "Row {row}: there is only one cell, {cell}. Give each row two numbers and a label, separated by commas, "
            "semicolons or tabs.",
            row=lines[0],
            cell=quoted(rows[0][0] if rows[0] else ""),
        )
    names, body = [" ".join(cell.split()) for cell in rows[0]], rows[1:]
    read = _columns(separator, lines[1:], body)
    has_header = not body or _is_header(names, read.columns)
    if not has_header:
        names, body = [""] * len(names), rows
        read = _columns(separator, lines, body)
    if not body:
        raise BadInput("The table has the names of its columns and no rows. Add a row for each point.")
    kept = [i for i, column in enumerate(read.columns) if names[i] or not column.missing.all()]
    distinct = _distinct(names)
    columns = tuple(_named(read.columns[i], distinct[i]) for i in kept)
    head = tuple(tuple(row[i].strip() for i in kept) for row in body[:HEAD])
    rows_at = frozen(lines[-len(body) :], np.intp)
    return Table(columns, rows_at, head, separator, read.decimal_comma, has_header, titles)


def _filled(row: Sequence[str]) -> int:
    return sum(bool(cell.strip()) for cell in row)


def _rectangular(cells: Sequence[tuple[int, list[str]]]) -> tuple[list[int], list[list[str]]]:
    """Return the numbers of the lines, and the rows with as many cells as the first one. Raises BadInput.

    A spreadsheet may leave out empty cells at the end of a row, or add them.
    """
    width = len(cells[0][1])
    for number, row in cells:
        if _filled(row[width:]):
            raise BadInput(
                "Row {row}: there are {cells} cells, but the first row has {columns}. Put a cell that contains a "
                "separator into quotation marks.",
                row=number,
                cells=len(row),
                columns=width,
            )
    return [number for number, _ in cells], [row[:width] + [""] * (width - len(row)) for _, row in cells]


@dataclass(frozen=True)
class _Columns:
    columns: list[Column]
    decimal_comma: bool


def _columns(separator: str, lines: Sequence[int], rows: Sequence[Sequence[str]]) -> _Columns:
    """Return the columns of a table without names, each with the decimal sign by which more of its cells are numbers.

    Where both signs fit, as for 1,234, the other columns decide, and then the separator.
    """
    texts = [[cell.strip() for cell in column] for column in zip(*rows, strict=True)]
    readings = [{sign: _numbers(cells, sign) for sign in WRITTEN} for cells in texts]
    points = [int(np.isfinite(read["."]).sum()) - int(np.isfinite(read[","]).sum()) for read in readings]
    balance = sum(points)
    usual = "." if balance > 0 or (balance == 0 and separator == ",") else ","
    signs = ["." if point > 0 else "," if point < 0 else usual for point in points]
    columns = [_column(lines, cells, read[sign]) for cells, read, sign in zip(texts, readings, signs, strict=True)]
    with_comma = [
        sign == "," and column.is_numeric and any("," in cell for cell in cells)
        for sign, column, cells in zip(signs, columns, texts, strict=True)
    ]
    return _Columns(columns, any(with_comma))


def _numbers(cells: Sequence[str], sign: str) -> Array:
    """Return the numbers of cells (m,) that are written with this decimal sign, and nan for all others."""
    if set("".join(cells)) <= PLAIN[sign]:
        with suppress(ValueError):  # an empty cell, for example
            return np.array([cell.replace(",", ".") for cell in cells], dtype=float)
    pattern, no_digits = WRITTEN[sign], NO_DIGITS[sign]
    values = (
        float(cell.translate(no_digits)) if pattern.fullmatch(cell) else math.nan
        for cell in (cell.replace("−", "-") for cell in cells)
    )
    numbers = np.fromiter(values, float, len(cells))
    numbers[~np.isfinite(numbers)] = math.nan  # 1e999 is no finite number
    return numbers


def _column(lines: Sequence[int], cells: Sequence[str], numbers: Array) -> Column:
    """Return a column without a name."""
    missing = np.fromiter((cell.casefold() in MISSING for cell in cells), bool, len(cells))
    numeric = np.isfinite(numbers).sum() > NUMERIC * (~missing).sum()
    invalid = np.flatnonzero(~missing & np.isnan(numbers))
    many = numeric and len(np.unique(numbers[np.isfinite(numbers)])) > MOST_VALUES
    labels = [] if many else _labels(cells, numbers if numeric else None, missing)
    distinct = {label for label in labels if label is not None}
    values = tuple(sorted(distinct, key=_order)) if len(distinct) <= MOST_VALUES else ()
    code_of = {value: code for code, value in enumerate(values)}
    codes = [code_of.get(label or "", -1) for label in labels] if values else np.full(len(cells), -1)
    return Column(
        "",
        frozen(numbers),
        values,
        frozen(codes, np.intp),
        frozen(missing, bool),
        (int(lines[invalid[0]]), cells[invalid[0]]) if len(invalid) else None,
    )


def _labels(cells: Sequence[str], numbers: Array | None, missing: Mask) -> list[str | None]:
    """Return each cell as a label, None where it is missing. Equal numbers are one label: 1 and 1.0 are 1."""
    read = [math.nan] * len(cells) if numbers is None else numbers.tolist()
    return [
        None if absent else repr(number).removesuffix(".0") if number == number else cell
        for cell, number, absent in zip(cells, read, missing.tolist(), strict=True)
    ]


def _order(value: str) -> tuple[bool, float, str]:
    """Return what sorts values: numbers by their size, and then names by the alphabet."""
    number = WRITTEN["."].fullmatch(value)
    return (number is None, float(value.translate(NO_DIGITS["."])) if number else 0.0, value)


def _is_header(names: Sequence[str], columns: Sequence[Column]) -> bool:
    """Return whether the first row has names: text above numbers, or nothing but text everywhere."""
    if not any(column.is_numeric for column in columns):
        return True
    return any(
        column.is_numeric
        and name.casefold() not in MISSING
        and not any(pattern.fullmatch(name.replace("−", "-")) for pattern in WRITTEN.values())
        for name, column in zip(names, columns, strict=True)
    )


def _distinct(names: Sequence[str]) -> list[str]:
    """Return the names, each with its number where it is empty, or where it occurs more than once."""
    counts, seen, unique_names = Counter(names), Counter[str](), list[str]()
    for i, name in enumerate(names, start=1):
        seen[name] += 1
        unique_names.append(f"column {i}" if not name else f"{name} ({seen[name]})" if counts[name] > 1 else name)
    return unique_names


def _named(column: Column, name: str) -> Column:
    return Column(name, column.numbers, column.values, column.codes, column.missing, column.first_invalid_cell)


@dataclass(frozen=True)
class Scaling:
    """A new unit for one column: x = (value - centre)/unit, with centre and unit in a few digits."""

    centre: float
    unit: float

    def applied(self, values: Array) -> Array:
        """Return the values (m,) in the new unit."""
        return (values - self.centre) / self.unit


DIGITS = 4  # of a unit, so that the formula that people read is the one that was used


@validated
def standardising(values: Array) -> Scaling:
    """Return the scaling to mean 0 and standard deviation 1, up to the rounding of its two numbers to DIGITS digits."""
    return _scaling(float(values.mean()) if len(values) else 0.0, float(values.std()) if len(values) else 0.0)


@validated
def stretching(values: Array, half: float) -> Scaling:
    """Return the scaling that brings the smallest value to -half and the largest one to half, up to rounding."""
    low, high = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    return _scaling(low / 2 + high / 2, (high / 2 - low / 2) / half)


def _scaling(centre: float, unit: float) -> Scaling:
    """Return the scaling with `unit` in DIGITS digits and `centre` in the same places. A unit of 0 becomes 1."""
    if not unit > 1e-12 * abs(centre):  # all values are equal, up to rounding
        return Scaling(centre, 1.0)
    places = DIGITS - 1 - math.floor(math.log10(unit))
    return Scaling(round(centre, places), round(unit, places))


@validated
def sample_rows(rows: Index, labels: Index, n: int, seed: int) -> Index:
    """Return n of the rows (m,) at random in their order, or all rows if there are not more. The seed repeats it.

    Of each label (m,) as many rows are drawn as its share of all rows, rounded by the largest remainders, but at least
    one. Their number n must be at least that of the labels.
    """
    if len(rows) <= n:
        return rows
    rng, (values, counts) = np.random.default_rng(seed), np.unique(labels, return_counts=True)
    shares = n * counts / len(rows)
    sizes = np.maximum(np.floor(shares), 1).astype(np.intp)
    while (left := n - int(sizes.sum())) != 0:
        k = int((shares - sizes).argmax() if left > 0 else np.where(sizes > 1, shares - sizes, np.inf).argmin())
        sizes[k] += 1 if left > 0 else -1
    drawn = [rng.choice(rows[labels == value], size, replace=False) for value, size in zip(values, sizes, strict=True)]
    return frozen(np.sort(np.concatenate(drawn)), np.intp)
