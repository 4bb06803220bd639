"""A table on its way to the board: which columns, classes, rows and scaling are chosen, and the points that follow.

The table of a draft is not on the board yet. A choice is frozen, and `prepare` is a pure function of a draft, so that a
preview shows exactly the points that the board will get.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from svmlab import BadInput
from svmlab.core.arrays import Array, Index, Mask
from svmlab.core.errors import quoted
from svmlab.core.phrase import N_, Phrase, join_phrases
from svmlab.data import files as point_files
from svmlab.data.table import MOST_VALUES, Column, Scaling, Table, sample_rows, standardising, stretching
from svmlab.lab.session.axes import Axes, Axis, printable
from svmlab.lab.session.controls import BINARY, EDGE, LABELS, MAX_POINTS, VALUES
from svmlab.lab.session.lab import Point

STANDARDISE, STRETCH, KEEP = "standardise", "stretch", "keep"
SCALINGS = (STANDARDISE, STRETCH, KEEP)
HALF = 7.0  # stretched columns go from -HALF to HALF, so that no point lies on the edge of the board
SEPARATOR_NAMES = {",": N_("commas"), ";": N_("semicolons"), "\t": N_("tabs"), "|": N_("vertical bars")}
OTHERS = N_("all others")
TOO_FEW_COLUMNS = N_(
    "The board needs two columns of numbers, but this table has only {n} beside the label. Add a column of numbers."
)
FEW_COLUMNS = N_(
    "The board needs two columns of numbers, but this table has only {n} beside the label. Row {row}, column {column} "
    "contains {cell}, which is no number. Correct such cells or add a column."
)
NO_LABEL = N_(
    "No column can be the label, because none has at most {most} different values. Add a column with the class of each "
    "row."
)
SAME_COLUMN = N_("{first} and {second} are both {column}. Choose two different columns.")
LABEL_AS_AXIS = N_("{axis} and the label are both {column}. Choose another column for one of them.")
SAME_CLASS = N_("Two classes have the value {value}. Choose a different value for each class.")
ONE_CLASS = N_(
    "All rows with numbers in both columns are of one class, by column {column}. Choose another column for the label, "
    "or other values for the classes."
)
WITHOUT_NUMBER = N_("{n} without a number in {column}")
WITHOUT_LABEL = N_("{n} without a label in {column}")
LEFT_OUT, LEFT_OUT_BY = N_("Rows left out: {parts}."), N_("Rows left out: {n} ({parts}).")
FIRST_ROW = N_("The first is row {row}, column {column}.")
FIRST_CELL = N_("The first is row {row}, column {column}, with {cell}.")
NO_ROWS = N_("No row has a number in {first} and {second} and one of the chosen labels. Choose other columns.")


@dataclass(frozen=True)
class Choice:
    """What a person has chosen.

    x1, x2, label: positions of columns; the label is None for values. classes: the value of the label in each class,
    in the order of `LABELS`; None means all other values. seed: of the rows that are drawn if there are too many.
    """

    x1: int
    x2: int
    label: int | None
    classes: tuple[str | None, ...]
    scaling: str = STANDARDISE
    seed: int = 0


@dataclass(frozen=True)
class Draft:
    """A table that waits until its points are put on the board, or until it is left.

    board_key: the lent board that was shown when the file was opened, or None for the own board. task: of that board.
    """

    name: str
    table: Table
    task: str
    board_key: str | None
    choice: Choice


@dataclass(frozen=True)
class Prepared:
    """The points of a draft, the meaning of the axes, and what was done with the rows, in sentences.

    available: how many rows could be drawn. counts: the number of points of each class.
    """

    points: tuple[Point, ...]
    axes: Axes
    available: int
    counts: tuple[int, ...]
    remarks: tuple[str, ...]


def first_choice(table: Table, task: str, scaling: str = STANDARDISE) -> Choice:
    """Return the choice that is offered first. Raises BadInput if the table has too few columns for a board."""
    label = None if task == VALUES else table.label
    if task != VALUES and label is None:
        raise BadInput(NO_LABEL, most=MOST_VALUES)
    features = table.features(label)
    if len(features) < 2:
        texts = [
            (c.name, *c.first_invalid_cell)
            for i, c in enumerate(table.columns)
            if c.first_invalid_cell and i not in (label, *table.numeric)
        ]
        name, row, cell = texts[0] if texts else ("", 0, "")
        rule = FEW_COLUMNS if texts else TOO_FEW_COLUMNS
        raise BadInput(rule, n=len(features), row=row, column=quoted(name), cell=quoted(cell))
    x1, x2 = features[:2]
    if task == VALUES:  # the number of a row may be its time, so it counts
        features = tuple(sorted(features))
        named = [i for i in features if table.columns[i].name.casefold() in point_files.LABEL_HEADERS]
        x2 = named[-1] if named else max(features)
        x1 = next(i for i in features if i != x2)
    return Choice(x1, x2, label, first_classes(table, label, task), scaling)


def first_classes(table: Table, label: int | None, task: str) -> tuple[str | None, ...]:
    """Return the value of each class as the files of points would have it, by the one rule of `svmlab.data.files`."""
    if label is None:
        return ()
    values = table.columns[label].values
    if task == BINARY:
        if len(values) > 2:
            return values[-1], None
        signs = _numbered(values, point_files.class_signs)
        ordered = [value for _, value in sorted(zip(signs, values, strict=True), reverse=True)]
        return ordered[0], ordered[1] if len(ordered) > 1 else None
    numbers = _numbered(values, point_files.class_numbers)
    return tuple(value for _, value in sorted(zip(numbers, values, strict=True)))[: len(LABELS[task])]


def _numbered(values: Sequence[str], rule: Callable[[list[str], Sequence[int]], list[float]]) -> list[float]:
    """Return the number of each value by a rule for files of points, or its position if the rule has none for it."""
    try:
        return rule(list(values), range(1, len(values) + 1))
    except BadInput:
        return [float(n) for n in range(len(values))]


def with_label(draft: Draft, label: int) -> Draft:
    """Return the draft with another label column, and with the classes that it offers first."""
    classes = first_classes(draft.table, label, draft.task)
    return replace(draft, choice=replace(draft.choice, label=label, classes=classes))


def prepare(draft: Draft) -> Prepared:
    """Return the points of a draft. Raises BadInput, which names the columns and the rule, if there are none."""
    table, choice = draft.table, draft.choice
    _require_distinct(table, choice)
    labels = _labels(draft)
    complete = table.complete((choice.x1, choice.x2), choice.label)
    rows = np.flatnonzero(complete & (labels != 0))
    columns = table.columns[choice.x1], table.columns[choice.x2]
    if choice.label is not None and len(rows) and (labels[rows] == labels[rows[0]]).all():
        label = table.columns[choice.label]
        raise BadInput(ONE_CLASS, column=quoted(label.name))
    if not len(rows):
        raise BadInput(NO_ROWS, first=quoted(columns[0].name), second=quoted(columns[1].name))
    scalings = _scalings(choice.scaling, np.array([column.numbers[rows] for column in columns]))
    X = np.rint(1000 * np.array([s.applied(column.numbers) for s, column in zip(scalings, columns, strict=True)]))
    inside = rows[(np.abs(X[:, rows]) <= EDGE).all(0)]
    drawn = sample_rows(inside, labels[inside], MAX_POINTS, choice.seed)
    coordinates = X[:, drawn].astype(int).T.tolist()
    points = tuple(
        Point(n, x, y, label)
        for n, ((x, y), label) in enumerate(zip(coordinates, labels[drawn].tolist(), strict=True), 1)
    )
    x1, x2 = (Axis(printable(c.name), s.centre, s.unit) for c, s in zip(columns, scalings, strict=True))
    axes = Axes(x1, x2, tuple(printable(_value_name(draft, value)) for value in choice.classes))
    counts = tuple(int((labels[drawn] == label).sum()) for label in LABELS[draft.task])
    remarks = _remarks(draft, complete, len(rows), len(inside), len(drawn))
    return Prepared(points, axes, len(inside), counts, remarks)


def _require_distinct(table: Table, choice: Choice) -> None:
    """Raise BadInput if one column or value is chosen twice."""
    for i, axis in ((choice.x1, "x₁"), (choice.x2, "x₂")):
        if i == choice.label:
            raise BadInput(LABEL_AS_AXIS, axis=axis, column=quoted(table.columns[i].name))
    if choice.x1 == choice.x2:
        raise BadInput(SAME_COLUMN, first="x₁", second="x₂", column=quoted(table.columns[choice.x1].name))
    for n, value in enumerate(choice.classes):
        if value in choice.classes[:n]:
            raise BadInput(SAME_CLASS, value=quoted(value))


def _labels(draft: Draft) -> Index:
    """Return the label of each row (m,) on the board, and 0 for a row of no class."""
    choice, labels = draft.choice, LABELS[draft.task]
    if choice.label is None:
        return np.full(draft.table.m, labels[0])
    column = draft.table.columns[choice.label]
    by_value = {value: label for value, label in zip(choice.classes, labels, strict=False) if value is not None}
    rest = next((label for value, label in zip(choice.classes, labels, strict=False) if value is None), 0)
    return np.array([*(by_value.get(value, rest) for value in column.values), 0])[column.codes]


def _value_name(draft: Draft, value: str | None) -> str:
    """Return the value of a class, or what all other values are called."""
    if value is not None:
        return value
    label = draft.choice.label
    others = [] if label is None else [v for v in draft.table.columns[label].values if v not in draft.choice.classes]
    return others[0] if len(others) == 1 else str(OTHERS) if others else ""


def _scalings(name: str, values: Array) -> tuple[Scaling, Scaling]:
    """Return the scaling of both columns for the values (2, n) of the rows that can be used."""
    if name == KEEP:
        common = Scaling(0.0, keeping_unit(values))
        return common, common
    first, second = (standardising(v) if name == STANDARDISE else stretching(v, HALF) for v in values)
    return first, second


def keeping_unit(values: Array) -> float:
    """Return the common unit of all values: 1 if they fit on the board, and else a power of ten."""
    reach = float(np.abs(values).max(initial=0.0)) / (EDGE / 1000)
    return 1.0 if reach <= 1 else 10.0 ** math.ceil(math.log10(reach))


def unit_that_keeps(draft: Draft) -> float:
    """Return the unit that the scaling KEEP has for the columns of this draft."""
    choice, columns = draft.choice, draft.table.columns
    rows = draft.table.complete((choice.x1, choice.x2), choice.label) & (_labels(draft) != 0)
    return keeping_unit(np.array([columns[i].numbers[rows] for i in (choice.x1, choice.x2)]))


def reading(draft: Draft) -> list[str]:
    """Return in sentences how the file was understood."""
    table = draft.table
    sentences: list[str] = [
        Phrase("{name} has {m} rows and {n} columns.", name=draft.name, m=table.m, n=len(table.columns)),
        Phrase("Its cells are separated by {signs}.", signs=SEPARATOR_NAMES[table.separator]),
    ]
    if table.decimal_comma:
        sentences[-1] = Phrase(
            "Its cells are separated by {signs}, and its numbers have a decimal comma.",
            signs=SEPARATOR_NAMES[table.separator],
        )
    if not table.has_header:
        sentences.append(N_("The first row has no names, so the columns are numbered."))
    if table.titles:
        sentences.append(Phrase("Rows before the table that were left out: {n}.", n=table.titles))
    return sentences


def _remarks(draft: Draft, complete: Mask, in_classes: int, inside: int, drawn: int) -> tuple[str, ...]:
    """Return in sentences which rows are left out, and why."""
    table, kept = draft.table, int(complete.sum())
    remarks = []
    if kept < table.m:
        remarks.append(_incomplete(draft, complete))
    if in_classes < kept:
        remarks.append(Phrase("Rows left out because of another label: {n}.", n=kept - in_classes))
    if inside < in_classes:
        remarks.append(
            Phrase(
                "Rows left out because they would be outside the board, from −{edge} to {edge}: {n}. Stretch the "
                "columns to keep them.",
                n=in_classes - inside,
                edge=EDGE // 1000,
            )
        )
    if drawn < inside:
        remarks.append(
            Phrase(
                "{drawn} of {rows} rows are drawn at random, with seed {seed}. Each class keeps its share of the rows.",
                drawn=drawn,
                rows=inside,
                seed=draft.choice.seed,
            )
        )
    return tuple(remarks)


def _incomplete(draft: Draft, complete: Mask) -> Phrase:
    """Return how many rows are left out because of each column, and where the first one is.

    A row with several gaps counts for the first of x1, x2 and the label.
    """
    table, choice = draft.table, draft.choice
    left, at, reasons = ~complete, int(complete.argmin()), list[str]()
    first_column: Column | None = None
    for i in (choice.x1, choice.x2, choice.label):
        if i is None:
            continue
        column = table.columns[i]
        lacking = left & (column.codes < 0 if i == choice.label else ~np.isfinite(column.numbers))
        if lacking.any():
            template = WITHOUT_LABEL if i == choice.label else WITHOUT_NUMBER
            reasons.append(Phrase(template, n=int(lacking.sum()), column=quoted(column.name)))
        if lacking[at]:
            first_column = column
        left = left & ~lacking
    parts = join_phrases(*reasons, separator=", ")
    n, row = table.m - int(complete.sum()), int(table.rows[at])
    counted = Phrase(LEFT_OUT_BY if len(reasons) > 1 else LEFT_OUT, n=n, parts=parts)
    if first_column is None:
        return counted
    has_text = first_column.first_invalid_cell is not None and first_column.first_invalid_cell[0] == row
    cell = quoted(first_column.first_invalid_cell[1]) if first_column.first_invalid_cell is not None else ""
    where = Phrase(FIRST_CELL if has_text else FIRST_ROW, row=row, column=quoted(first_column.name), cell=cell)
    return join_phrases(counted, where)
