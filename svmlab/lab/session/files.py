"""Read files for the board: points within its edges, at most MAX_POINTS in thousandths, or a table to choose from."""

from __future__ import annotations

import codecs

import numpy as np

from svmlab import BadInput, Dataset
from svmlab.data.files import rows_of
from svmlab.data.table import read_table
from svmlab.lab.session import table
from svmlab.lab.session.controls import BINARY, CLASSES, EDGE, LABELS, MAX_POINTS, VALUES
from svmlab.lab.session.lab import Lab, Point
from svmlab.multiclass import Classes
from svmlab.regression import Values

PlanarData = Dataset | Classes
MAX_BYTES = 4 * 2**20  # the largest file in characters or bytes, the same limit as for Streamlit's upload
CLASS_OF_TASK: dict[str, type[Dataset | Classes | Values]] = {BINARY: Dataset, CLASSES: Classes, VALUES: Values}
WORKBOOK = ("PK\x03\x04", "\xd0\xcf\x11\xe0")  # how the files of spreadsheets begin
MAX_SIZE_TEXT = f"{MAX_BYTES / 2**20:g} MB"


def printable_name(name: str) -> str:
    """Return the name of a file as a message shows it.

    It has only printable characters, at most 80, and keeps its extension.
    """
    name = name if len(name) <= 80 else f"{name[:50]}…{name[-29:]}"
    return "".join(c if c.isprintable() else "\ufffd" for c in name)


def text_of(name: str, content: str | bytes) -> str:
    """Return the text of a file, which may be in UTF-8, in UTF-16 with its mark, or in Windows-1252.

    Raises BadInput that names the file and the rule if it is too large or no text.
    """
    if len(content) > MAX_BYTES:
        raise BadInput(
            "{name} is larger than {size}. Delete rows or columns and open it again.", name=name, size=MAX_SIZE_TEXT
        )
    text = content if isinstance(content, str) else _decoded(content)
    if "\0" in text or text.startswith(WORKBOOK):
        raise BadInput("{name} is not a text file. Save a spreadsheet as CSV and open that file.", name=name)
    return text


def _decoded(content: bytes) -> str:
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", errors="replace")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")  # as spreadsheets in Western Europe and America write it


def open_points(
    name: str, text: str, task: str, board_key: str | None
) -> tuple[PlanarData, None] | tuple[None, table.Draft]:
    """Return the points of a file for a board of this task, or a draft of its table if they do not fit as they are.

    A table without names of its columns is a draft too, because nothing says which of them are the coordinates. Raises
    BadInput that names the file, the row and the rule if it is neither.
    """
    try:
        data = read_points(name, text, task)
    except BadInput as refusal:
        return None, _draft(name, text, task, board_key, refusal)
    if fits_on_board(data) and (is_json(name) or read_table(text).has_header):
        return data, None
    return None, _draft(name, text, task, board_key, None)


def _draft(name: str, text: str, task: str, board_key: str | None, refusal: BadInput | None) -> table.Draft:
    """Return the draft of a table. Raises BadInput if it has too few columns, and `refusal` where this says more.

    refusal: why the file is no file of points, or None if it is one.
    """
    try:
        if is_json(name):
            text = _parsed(name, text, task).to_csv()
        read = read_table(text)
        choice = table.first_choice(read, task, table.KEEP if refusal is None else table.STANDARDISE)
    except BadInput as error:
        if refusal is not None and (is_json(name) or is_table_of_points(text)):
            raise refusal from error
        raise BadInput("{name}: {error}", name=name, error=error) from error
    return table.Draft(name, read, task, board_key, choice)


def is_json(name: str) -> bool:
    """Return whether the name of a file says that it is JSON."""
    return name.lower().endswith(".json")


def is_table_of_points(text: str) -> bool:
    """Return whether a table has two or three columns, as a file of points has."""
    _separator, rows = rows_of(text)
    return bool(rows) and 2 <= len(rows[0][1]) <= 3


def _parsed(name: str, text: str, task: str) -> Dataset | Classes | Values:
    """Return the points of a file in any dimension. Raises BadInput that names the file, the row and the rule."""
    parse = CLASS_OF_TASK[task].from_json if is_json(name) else CLASS_OF_TASK[task].from_csv
    try:
        return parse(text)
    except BadInput as error:
        raise BadInput("{name}: {error}", name=name, error=error) from error


def read_points(name: str, content: str | bytes, task: str = BINARY) -> PlanarData:
    """Return the points of a file in the plane, for a board of this task.

    Raises BadInput that names the file, the row and the rule.
    """
    parsed = _parsed(name, text_of(name, content), task)
    try:
        data = _in_plane(parsed)
    except BadInput as error:
        raise BadInput("{name}: {error}", name=name, error=error) from error
    if data.m == 0:
        raise BadInput("{name} has a header and no points. Add a row for each point.", name=name)
    if data.d != 2:
        raise BadInput("{name} has {d} coordinates in each row, but the board needs two (x1, x2).", name=name, d=data.d)
    if data.m > MAX_POINTS:
        raise BadInput(
            "{name} contains {m} points, but the board holds at most {limit}. Keep {limit} rows and open it again.",
            name=name,
            m=data.m,
            limit=MAX_POINTS,
        )
    return data


def _in_plane(data: Dataset | Classes | Values) -> PlanarData:
    """Return values as points (x, value), and check that classes are among those of the board."""
    if isinstance(data, Values):
        X = np.column_stack([data.X, data.y]) if data.d == 1 else data.X
        return Dataset(X, np.ones(len(X)))
    if isinstance(data, Classes) and data.m and data.y.max() > LABELS[CLASSES][-1]:
        raise BadInput(
            "the label {label} is not among the classes of the board, {classes}. Remove its rows.",
            label=int(data.y.max()),
            classes=", ".join(map(str, LABELS[CLASSES])),
        )
    return data


def points_to_save(lab: Lab) -> Dataset | Classes | Values:
    """Return the points of a board as a file stores them; `read_points` with its task restores them."""
    if lab.task == CLASSES:
        return lab.multiclass_problem.data
    return lab.regression_data if lab.task == VALUES else lab.data


def fits_on_board(data: PlanarData) -> bool:
    """Return whether every point lies on the board."""
    return bool((np.abs(data.X) <= EDGE / 1000).all())


def to_thousandths(data: PlanarData) -> tuple[tuple[Point, ...], bool]:
    """Return the points in thousandths, and whether this conversion was exact."""
    X = data.X
    points = tuple(
        Point(row, round(1000 * x), round(1000 * y), int(label))
        for row, ((x, y), label) in enumerate(zip(X.tolist(), data.y.tolist(), strict=True), start=1)
    )
    exact = all(p.x / 1000 == x and p.y / 1000 == y for p, (x, y) in zip(points, X.tolist(), strict=True))
    return points, exact
