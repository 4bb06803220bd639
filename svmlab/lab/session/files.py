"""Read files of points for the board: within its edges, at most MAX_POINTS points, coordinates in thousandths."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from svmlab import BadInput, Dataset
from svmlab.core.phrase import N_
from svmlab.lab.session.controls import BINARY, CLASSES, EDGE, LABELS, MAX_POINTS, VALUES
from svmlab.lab.session.state import Lab, Point
from svmlab.multiclass import Classes
from svmlab.regression import Values

PlanarData = Dataset | Classes
MAX_BYTES = 2**20  # the largest file in characters or bytes, the same limit as for Streamlit's upload
OUTSIDE = N_(
    "{name} has points beyond the board, which reaches from −{edge} to {edge}. Under Points below "
    "you can open it scaled."
)
OUTSIDE_IN_LESSON = N_(
    "{name} has points beyond the board, which reaches from −{edge} to {edge}. Under More, at Files, "
    "you can open it scaled."
)
CLASS_OF_TASK: dict[str, type[Dataset | Classes | Values]] = {BINARY: Dataset, CLASSES: Classes, VALUES: Values}
MAX_SIZE_TEXT = f"{MAX_BYTES / 2**20:g} MB"


@dataclass(frozen=True)
class Offer:
    """A file whose points fit on the board only after scaling."""

    name: str
    data: PlanarData


def printable_name(name: str) -> str:
    """Return the name of a file as a message shows it.

    It has only printable characters, at most 80, and keeps its extension.
    """
    name = name if len(name) <= 80 else f"{name[:50]}…{name[-29:]}"
    return "".join(c if c.isprintable() else "\ufffd" for c in name)


def read_points(name: str, content: str | bytes, task: str = BINARY) -> PlanarData:
    """Return the points of a file in the plane, for a board of this task.

    Raises BadInput that names the file, the row and the rule.
    """
    if len(content) > MAX_BYTES:
        raise BadInput(
            "{name} is larger than {size}. Open a CSV or JSON file with at most {limit} points.",
            name=name,
            size=MAX_SIZE_TEXT,
            limit=MAX_POINTS,
        )
    if isinstance(content, bytes):
        content = _decoded(name, content)
    parse = CLASS_OF_TASK[task].from_json if name.lower().endswith(".json") else CLASS_OF_TASK[task].from_csv
    try:
        data = _in_plane(parse(content))
    except BadInput as error:
        raise BadInput("{name}: {error}", name=name, error=error) from error
    if data.m == 0:
        raise BadInput("{name} has a header and no points. Add a row for each point.", name=name)
    if data.d != 2:
        raise BadInput("{name} has {d} coordinates in each row; the board needs two (x1, x2).", name=name, d=data.d)
    if data.m > MAX_POINTS:
        raise BadInput(
            "{name} holds {m} points; the board holds {limit}. Keep {limit} rows and open it again.",
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
            "the label {label} is not among the classes of the board, {classes}. Leave its rows out.",
            label=int(data.y.max()),
            classes=", ".join(map(str, LABELS[CLASSES])),
        )
    return data


def _decoded(name: str, content: bytes) -> str:
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadInput(
            "{name} is not text in UTF-8. Save it as CSV (UTF-8) or JSON and open it again.", name=name
        ) from error


def points_to_save(lab: Lab) -> Dataset | Classes | Values:
    """Return the points of a board as a file stores them; `read_points` with its task restores them."""
    if lab.task == CLASSES:
        return lab.multiclass_problem.data
    return lab.regression_data if lab.task == VALUES else lab.data


def fits_on_board(data: PlanarData) -> bool:
    """Return whether every point lies on the board."""
    return bool((np.abs(data.X) <= EDGE / 1000).all())


def scale_factor(data: PlanarData) -> float:
    """Return the power of ten that brings the largest absolute coordinate between 0.8 and 8."""
    reach = float(np.abs(data.X).max())
    return 10.0 ** -math.ceil(math.log10(reach / (EDGE / 1000)))


def to_thousandths(data: PlanarData, scale: float = 1.0) -> tuple[tuple[Point, ...], bool]:
    """Return the points in thousandths, and whether this conversion was exact."""
    X = data.X * scale
    points = tuple(
        Point(row, round(1000 * x), round(1000 * y), int(label))
        for row, ((x, y), label) in enumerate(zip(X.tolist(), data.y.tolist(), strict=True), start=1)
    )
    exact = all(p.x / 1000 == x and p.y / 1000 == y for p, (x, y) in zip(points, X.tolist(), strict=True))
    return points, exact
