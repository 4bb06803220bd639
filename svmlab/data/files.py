"""Convert text to points and back, as CSV and JSON, with errors that name the row and the rule."""

from __future__ import annotations

import csv
import io
import json
import math
import os
import re
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import dropwhile
from typing import Annotated, Any, Literal, cast

from numpy.typing import NDArray

from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.core.rules import wrong_kind_error
from svmlab.data.labels import labels_of_cells, numbers_of_labels, signs_of_labels

Rows = tuple[list[list[float]], list[Any]]
LABEL_HEADERS = ("label", "class", "y")  # possible names of the label column; the other columns are then coordinates


ENDINGS = (".csv", ".json", ".tsv", ".txt")


def file_text(field: str, value: Any) -> str:
    """Return the text of a file. Raises BadInput for anything else, such as the name of the file."""
    name = value if isinstance(value, str) else getattr(value, "name", "")
    is_name = isinstance(value, str) and "\n" not in value and value.lower().endswith(ENDINGS)
    if is_name or isinstance(value, os.PathLike) or hasattr(value, "read"):
        raise BadInput(
            "{field}: expected the text of a file, not its name or the open file. Read it with "
            "pathlib.Path({name}).read_text().",
            field=field,
            name=quoted(str(value) if isinstance(value, os.PathLike) else name),
        )
    if isinstance(value, str):
        return value
    raise wrong_kind_error(field, N_("a text"), value)


FileText = Annotated[str, file_text]


@dataclass(frozen=True)
class LabelColumn:
    """The column that is no coordinate.

    read: converts its cells, and their row numbers, into values. header: an example of a header. preferred_name: the
    name that takes precedence over the other possible ones. bare: sets of numbers by which a last column is recognised
    in a table of numbers without a header.
    """

    read: Callable[[list[str], Sequence[int]], list[Any]]
    header: str = "x1,x2,label"
    preferred_name: str | None = None
    bare: tuple[frozenset[float], ...] = ()

    def column(self, header: Sequence[str]) -> int:
        """Return its position: the column with the preferred name, else the last possible one, else the last."""
        named = [i for i, cell in enumerate(header) if cell == self.preferred_name] or [
            i for i, cell in enumerate(header) if cell in LABEL_HEADERS
        ]
        return max(named, default=len(header) - 1)

    def bare_header(self, table: Sequence[Sequence[str]]) -> list[str] | None:
        """Return the header x1, x2, ..., label of a table without one, or None if it cannot be told from names.

        Every cell must be a finite number, and the last column must have the values of one of `bare`.
        """
        if not all(len(row) > 1 and all(_is_number(c) and math.isfinite(float(c)) for c in row) for row in table):
            return None
        if {float(row[-1]) for row in table} not in self.bare:
            return None
        return [*(f"x{j + 1}" for j in range(len(table[0]) - 1)), LABEL_HEADERS[0]]


def parse_csv(text: str, label_column: LabelColumn) -> Rows:
    """Return the points of a table, and the value of each from the label column.

    The cells are separated by commas, semicolons or tabs. Beside semicolons and tabs, a comma in a number is a decimal
    comma. The header may be missing if the last column can only be labels.
    """
    delimiter, cells = rows_of(text)
    table = [(number, _with_points(row, delimiter)) for number, row in cells]
    if not table:
        raise BadInput(
            "The file is empty. Write a header {header} and one row for each point.", header=label_column.header
        )
    (first, top), *rows = table
    bare = label_column.bare_header([row for _, row in table])
    if bare is not None:
        top, rows = bare, table
    header = [cell.strip().lower() for cell in top]
    at = label_column.column(header)
    if len(header) < 2 or not _is_header(header, at, [row[at] for _, row in rows if at < len(row)]):
        raise BadInput(
            "Row {row}: the header is missing, and {found} was found instead. Begin the file with {header}.",
            row=first,
            header=label_column.header,
            found=quoted(top),
        )
    X, raw = [], []
    for n, row in rows:
        if len(row) != len(header):
            raise BadInput(
                "Row {row}: there are {cells} cells, but the header has {columns}. Give every row the same number.",
                row=n,
                cells=len(row),
                columns=len(header),
            )
        X.append([_number(c, n, header[i]) for i, c in enumerate(row) if i != at])
        raw.append(row[at].strip())
    return X, label_column.read(raw, [n for n, _ in rows])


DECIMAL_COMMA = re.compile(r"\s*[+-]?\d*,\d+(?:[eE][+-]?\d+)?\s*")


SEPARATORS = (";", "\t", "|", ",")
SAMPLE = 50  # lines that show what separates the cells


def rows_of(text: str) -> tuple[Literal[",", ";", "\t", "|"], list[tuple[int, list[str]]]]:
    """Return what separates the cells of a text, and each row that is not empty with the number of its line.

    A first line sep=; is an instruction of a spreadsheet and no row. Raises BadInput if the text is no table.
    """
    text = text.lstrip("\ufeff")
    lines = [line for line in text.splitlines() if line.strip()][:SAMPLE]
    instruction = re.fullmatch(r'"?sep=(.)"?', lines[0].strip(), re.IGNORECASE) if lines else None
    delimiter = (
        instruction[1]
        if instruction and instruction[1] in SEPARATORS
        else _delimiter(lines[1:] if instruction else lines)
    )
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        rows = [(reader.line_num, row) for row in reader if any(c.strip() for c in row)]
    except csv.Error as error:
        raise BadInput(
            "This is not a table of text: {error}. Export the points as CSV and try again.", error=error
        ) from error
    return cast(Literal[",", ";", "\t", "|"], delimiter), rows[1:] if instruction else rows


def _delimiter(lines: Sequence[str]) -> str:
    """Return what separates the cells: the first of SEPARATORS that cuts all lines into equally many, at least two.

    Titles may stand before these lines. If no sign does, the first line decides: a semicolon or a tab if every comma is
    decimal, else the most frequent sign.
    """
    first = lines[0] if lines else ""
    for delimiter in SEPARATORS[:-1]:
        cells = first.split(delimiter)
        if len(cells) > 1 and all("," not in cell or DECIMAL_COMMA.fullmatch(cell) for cell in cells):
            return delimiter
        with suppress(csv.Error):
            widths = list(dropwhile(lambda width: width == 1, map(len, csv.reader(lines, delimiter=delimiter))))
            if len(set(widths)) == 1 < len(widths) and len(widths) > len(lines) / 2:
                return delimiter
    return max((",", *SEPARATORS[:-1]), key=first.count)


def _with_points(row: list[str], delimiter: str) -> list[str]:
    """Return the cells with a point in place of a decimal comma, where a comma does not separate cells."""
    if delimiter == ",":
        return row
    return [cell.replace(",", ".") if DECIMAL_COMMA.fullmatch(cell) else cell for cell in row]


def _is_header(header: list[str], at: int, labels: list[str]) -> bool:
    """Return whether the first row is a header, so that no point is taken for names.

    It is a header if it names features and none of the names is a number. If the columns are only numbered, it is a
    header if its label cell (column `at`) is label, class or y and all other labels are numbers.
    """
    features = [c for i, c in enumerate(header) if i != at and c]
    if features and not any(map(_is_number, features)):
        return True
    return header[at] in LABEL_HEADERS and all(map(_is_number, labels))


def parse_json(text: str, label_column: LabelColumn) -> Rows:
    """Return the points and their values as `parse_csv` does.

    The text is {"X": ..., "y": ...} or a list of rows with x1, x2, ... and label.
    """
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput('This is not JSON: {error}. Write {{"X": [[0, 1]], "y": [1]}}.', error=error) from error
    if isinstance(value, dict) and isinstance(value.get("X"), list) and isinstance(value.get("y"), list):
        X, raw = value["X"], value["y"]
        if len(X) != len(raw):
            raise BadInput(
                "X has {rows} rows and y has {labels} labels. Give one label for each row.",
                rows=len(X),
                labels=len(raw),
            )
    elif isinstance(value, list) and all(isinstance(row, dict) for row in value):
        X, raw = _columns(value, label_column)
    else:
        raise BadInput('Expected {"X": [[...], ...], "y": [...]} or a list of {"x1":, "x2":, "label":} rows.')
    points = []
    for n, row in enumerate(X, start=1):
        if not isinstance(row, list) or len(row) != len(X[0]) or not row:
            raise BadInput(
                "Row {row}: {point} is not a point with {d} coordinates like row 1. Give every row the same number.",
                row=n,
                point=quoted(row),
                d=_width(X[0]),
            )
        points.append([_number(c, n, f"x{i}") for i, c in enumerate(row, start=1)])
    numbered = range(1, len(raw) + 1)
    return points, label_column.read([_label_text(v, n) for n, v in zip(numbered, raw, strict=True)], numbered)


def _columns(rows: list[dict[str, Any]], label_column: LabelColumn) -> tuple[list[list[Any]], list[Any]]:
    """Return the coordinates, in the order of their names, and the labels of rows with names."""
    label = next(
        (
            name
            for name in (label_column.preferred_name or LABEL_HEADERS[0], *LABEL_HEADERS)
            if any(name in row for row in rows)
        ),
        LABEL_HEADERS[0],
    )
    names = sorted(rows[0].keys() - {label}) if rows else []
    for n, row in enumerate(rows, start=1):
        if (here := sorted(row.keys() - {label})) != names:
            raise BadInput(
                "Row {row}: the coordinates are {here}, but row 1 has {names}. Give every row the same.",
                row=n,
                here=quoted(here),
                names=quoted(names),
            )
    return [[row[name] for name in names] for row in rows], [row.get(label) for row in rows]


def format_csv(X: Array, y: NDArray[Any], name: str = "label") -> str:
    """Return the text that `parse_csv` reads back. name: of the last column."""
    lines = [",".join([*(f"x{j + 1}" for j in range(X.shape[1])), name])]
    lines += [",".join([*(repr(float(v)) for v in x), _cell(label)]) for x, label in zip(X, y.tolist(), strict=True)]
    return "\n".join(lines) + "\n"


def _cell(label: Any) -> str:
    if not isinstance(label, str):
        return f"{label!r}".removesuffix(".0")
    return '"' + label.replace('"', '""') + '"' if set(label) & set(',;\t"\r\n') else label


def format_json(X: Array, y: NDArray[Any]) -> str:
    """Return the text that `parse_json` reads back. Integer labels are written as integers."""
    return json.dumps({"X": X.tolist(), "y": y.tolist()})


def several_classes(raw: list[str], rows: Sequence[int]) -> list[Any]:
    """Return the labels of several classes, which `numbers_of_labels` accepts. Raises BadInput, which names the row."""
    labels = labels_of_cells(raw)
    numbers_of_labels(labels, LABEL_HEADERS[0], rows)
    return labels


def class_numbers(raw: list[str], rows: Sequence[int]) -> list[float]:
    """Return the class of each label, from 1 to 9. Raises BadInput, which names the row."""
    return [float(k) for k in numbers_of_labels(labels_of_cells(raw), LABEL_HEADERS[0], rows)[0]]


def values(raw: list[str], rows: Sequence[int]) -> list[float]:
    """Return the last column as finite numbers."""
    return [_number(v, n, "y") for n, v in zip(rows, raw, strict=True)]


def two_classes(raw: list[str], rows: Sequence[int]) -> list[Any]:
    """Return the labels of two classes, which `signs_of_labels` accepts. Raises BadInput, which names the row."""
    labels = _two_labels(raw)
    signs_of_labels(labels, None, LABEL_HEADERS[0], rows)
    return labels


def class_signs(raw: list[str], rows: Sequence[int]) -> list[float]:
    """Return the sign of each label. Raises BadInput, which names the row."""
    return list(signs_of_labels(_two_labels(raw), None, LABEL_HEADERS[0], rows)[0])


def _two_labels(raw: list[str]) -> list[Any]:
    labels = labels_of_cells(raw)
    return list(raw) if len({isinstance(label, str) for label in labels}) > 1 else labels


def is_read_back(labels: tuple[Any, Any]) -> bool:
    """Return whether these two labels, written into a column, are read back as -1 and +1 under the same names."""
    try:
        read = signs_of_labels(_two_labels([str(label).strip() for label in labels]), None, "", (1, 2))[1]
    except BadInput:
        return False
    return read == labels and [type(label) for label in read] == [type(label) for label in labels]


def names_are_read_back(names: tuple[Any, ...]) -> bool:
    """Return whether these names of the classes 1, 2, ..., written into a column, are read back as they are."""
    try:
        labels = labels_of_cells([str(name).strip() for name in names])
        y, read = numbers_of_labels(labels, "", range(len(names)))
    except BadInput:
        return False
    types = [type(name) for name in names]
    return y.tolist() == list(range(1, len(names) + 1)) and read == names and [type(name) for name in read] == types


def _number(cell: Any, row: int, column: str) -> float:
    if _is_number(cell) and math.isfinite(float(cell)):
        return float(cell)
    raise BadInput(
        "Row {row}, column {column}: {cell} is not a finite number. Correct the cell.",
        row=row,
        column=column[:40],
        cell=quoted(cell),
    )


def _is_number(cell: Any) -> bool:
    if isinstance(cell, bool):
        return False
    try:
        float(cell)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _label_text(value: Any, row: int) -> str:
    if isinstance(value, list | dict):
        raise BadInput(
            "Row {row}: the label {value} is neither a number nor a name. Correct the label.",
            row=row,
            value=quoted(value),
        )
    return "" if value is None else str(value).strip()


def _width(row: Any) -> int | str:
    return len(row) if isinstance(row, list) else "equally many"


TWO_CLASSES = LabelColumn(two_classes, bare=(frozenset({-1.0, 1.0}), frozenset({0.0, 1.0})))
SEVERAL_CLASSES = LabelColumn(several_classes)
REAL_VALUES = LabelColumn(values, "x1,y", "y")
