"""Boards that steps lend and that buttons set up."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from svmlab.data import iris
from svmlab.lab.session.lab import Lab, Point, smallest_view, with_preset
from svmlab.lab.teach.step import Board


def preset(name: str, **settings: Any) -> Board:
    """Return a function that makes the points of a preset.

    settings: any fields of a Lab, such as size, noise, seed and the settings of the SVM.
    """
    return partial(_preset, name, settings)


def board_of_points(rows: Iterable[tuple[float, float, int]], **settings: Any) -> Board:
    """Return a function that makes a board of points (x, y, label) placed by hand.

    settings: any fields of a Lab.
    """
    return partial(_placed, tuple(rows), settings)


def flowers(
    plus: str, minus: str, features: tuple[str, str], centre: tuple[float, float], every: int = 1, **settings: Any
) -> Board:
    """Return a function that makes a board of measured flowers of two species.

    x1 and x2 are two lengths in cm minus the centre. features: their names in `svmlab.data.measured`. every: of so many
    flowers of a species one is taken. settings: any fields of a Lab.
    """
    return partial(_flowers, plus, minus, features, centre, every, settings)


def _flowers(
    plus: str,
    minus: str,
    features: tuple[str, str],
    centre: tuple[float, float],
    every: int,
    settings: dict[str, Any],
) -> Lab:
    X, y = iris(plus, minus, features)
    rows = [row for label in (1, -1) for row in np.flatnonzero(y == label)[::every].tolist()]
    return _placed(tuple((X[i, 0] - centre[0], X[i, 1] - centre[1], int(y[i])) for i in rows), settings)


def _preset(name: str, settings: dict[str, Any]) -> Lab:
    return with_preset(replace(Lab(), preset=name, **settings))


def _placed(rows: tuple[tuple[float, float, int], ...], settings: dict[str, Any]) -> Lab:
    points = tuple(Point(i, round(1000 * x), round(1000 * y), label) for i, (x, y, label) in enumerate(rows, start=1))
    fields: dict[str, Any] = {"points": points, "view": smallest_view(points)} | settings
    return replace(Lab(), **fields)


def without_points(lab: Lab, ids: Iterable[int]) -> Lab:
    """Return a board without the points of these ids."""
    removed = set(ids)
    return replace(lab, points=tuple(p for p in lab.points if p.id not in removed), selected=None)


def has_points_of(lab: Lab, board: Board) -> bool:
    """Return whether all points of another board are on this one, and not a reader's own points."""
    points = {point.id: point for point in lab.points}
    return all(points.get(point.id) == point for point in board().points)
