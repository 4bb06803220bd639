"""Text to points and back: CSV and JSON, with errors that name the row and the rule."""

from __future__ import annotations

import csv
import io
import json
import math
from typing import Any

from svmlab.arrays import Array
from svmlab.errors import BadInput

Rows = tuple[list[list[float]], list[float]]


def parse_csv(text: str) -> Rows:
    """Points and labels of a table with a header; the column named label (else the last one) holds the label."""
    text = text.lstrip("\ufeff")
    if not text.strip():
        raise BadInput("The file is empty. Write a header x1,x2,label and one row for each point.")
    first = text.strip().splitlines()[0]
    delimiter = max(",;\t", key=first.count)
    try:
        table = [row for row in csv.reader(io.StringIO(text), delimiter=delimiter) if any(c.strip() for c in row)]
    except csv.Error as error:
        raise BadInput(f"This is not a table of text: {error}. Export the points as CSV and try again.") from error
    header = [cell.strip().lower() for cell in table[0]]
    if len(header) < 2 or all(_is_number(c) for c in header):
        raise BadInput(f"Row 1: the header is missing, found {table[0]}. Begin the file with x1,x2,label.")
    names = [i for i, c in enumerate(header) if c in ("label", "y", "class")]
    at = names[-1] if names else len(header) - 1
    X, raw = [], []
    for n, row in enumerate(table[1:], start=2):
        if len(row) != len(header):
            raise BadInput(f"Row {n}: {len(row)} cells where the header has {len(header)}. Give every row the same.")
        X.append([_number(c, n, header[i]) for i, c in enumerate(row) if i != at])
        raw.append(row[at].strip())
    return X, _code(raw, first_row=2)


def parse_json(text: str) -> Rows:
    """Points and labels of {"X": ..., "y": ...} or of a list of rows with x1, x2, ... and label."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise BadInput(f'This is not JSON: {error}. Write {{"X": [[0, 1]], "y": [1]}}.') from error
    if isinstance(value, dict) and isinstance(value.get("X"), list) and isinstance(value.get("y"), list):
        X, raw = value["X"], value["y"]
        if len(X) != len(raw):
            raise BadInput(f"X has {len(X)} rows and y has {len(raw)} labels: give one label for each row.")
    elif isinstance(value, list) and all(isinstance(row, dict) for row in value):
        raw = [row.get("label", row.get("y")) for row in value]
        X = [[row[k] for k in sorted(row) if k not in ("label", "y")] for row in value]
    else:
        raise BadInput('Expected {"X": [[...], ...], "y": [...]} or a list of {"x1":, "x2":, "label":} rows.')
    points = []
    for n, row in enumerate(X, start=1):
        if not isinstance(row, list) or len(row) != len(X[0]) or not row:
            raise BadInput(f"Row {n}: {_short(row)} is not a point of {_width(X[0])} coordinates like row 1.")
        points.append([_number(c, n, f"x{i}") for i, c in enumerate(row, start=1)])
    return points, _code([_label_text(v) for v in raw], first_row=1)


def format_csv(X: Array, y: Array) -> str:
    """The inverse of `parse_csv`."""
    lines = [",".join([*(f"x{j + 1}" for j in range(X.shape[1])), "label"])]
    lines += [",".join([*(repr(float(v)) for v in x), f"{label:.0f}"]) for x, label in zip(X, y, strict=True)]
    return "\n".join(lines) + "\n"


def format_json(X: Array, y: Array) -> str:
    """The inverse of `parse_json`."""
    return json.dumps({"X": X.tolist(), "y": [int(v) for v in y]})


def _code(raw: list[str], first_row: int) -> list[float]:
    """Labels as -1 and +1: from -1/1, from 0/1, or from two names (the first in the alphabet is -1)."""
    numbers = [float(v) if _is_number(v) else None for v in raw]
    found = sorted(set(raw))
    if all(v in (-1.0, 1.0) for v in numbers):
        return [float(v) for v in numbers if v is not None]
    if all(v in (0.0, 1.0) for v in numbers):
        return [2.0 * v - 1.0 for v in numbers if v is not None]
    if len(found) == 2 and all(found) and None in numbers:
        return [1.0 if v == found[1] else -1.0 for v in raw]
    for n, label in enumerate(raw, start=first_row):
        if not label or (label not in found[:2] if None in numbers else numbers[n - first_row] not in (-1.0, 1.0)):
            raise BadInput(
                f"Row {n}: the label {label!r} does not fit. Use -1 and 1, 0 and 1, or two names; found {found[:5]}."
            )
    raise BadInput(f"The labels {found[:5]} do not name two classes. Use -1 and 1, 0 and 1, or two names.")


def _number(cell: Any, row: int, column: str) -> float:
    if _is_number(cell) and math.isfinite(float(cell)):
        return float(cell)
    raise BadInput(f"Row {row}, column {column}: {_short(cell)} is not a finite number. Correct the cell.")


def _is_number(cell: Any) -> bool:
    if isinstance(cell, bool):
        return False
    try:
        float(cell)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _label_text(value: Any) -> str:
    return "" if value is None else str(value).strip()


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."


def _width(row: Any) -> int | str:
    return len(row) if isinstance(row, list) else "equally many"
