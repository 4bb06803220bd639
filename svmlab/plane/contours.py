"""Drawings of a solution in the plane: values of f on a grid, its level lines, and a path for each slack."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import contourpy
import numpy as np

from svmlab.binary.solution import Solution
from svmlab.core.arrays import Array, Frozen, Mask, frozen
from svmlab.core.errors import BadInput
from svmlab.core.rules import Number, WholeNumber
from svmlab.kernels.base import Kernel
from svmlab.plane.geometry import clip_line


@dataclass(frozen=True, eq=False)
class SolutionDrawing(Frozen):
    """The drawing of a solution in the square [-half, half]^2.

    values: (n, n) of f, row 0 at the top (x2 = half). zero, plus, minus: polylines (k, 2) where f is 0, +1, -1. slack:
    row of the point -> polyline (k, 2) from the point to its margin line y f = 1, for every xi > 0 whose path reaches
    the line. noise: a value up to this size is 0 except for rounding, so that it is on neither side; inf if f is
    constant.
    """

    half: float
    values: Array
    zero: tuple[Array, ...]
    plus: tuple[Array, ...]
    minus: tuple[Array, ...]
    slack: dict[int, Array]
    noise: float = 0.0


def draw_solution(solution: Solution, half: float, n: int = 96) -> SolutionDrawing:
    """Draw a solution over two coordinates, with n x n grid values, n from 2 to 2000.

    Raises BadInput for points that are not in the plane, and for a half that is not above 0.
    """
    if solution.problem.data.d != 2:
        raise BadInput(
            "X has {d} columns, but only points in the plane (2 columns) can be drawn.", d=solution.problem.data.d
        )
    values = value_grid(solution, half, n)
    if solution.norm_w == 0:
        return SolutionDrawing(half, frozen(values), (), (), (), {}, math.inf)
    levels = _levels(solution, half, values, (0.0, 1.0, -1.0))
    # Without b, f is a sum whose sign is certain however small it is.
    noise = solution.noise if solution.problem.bias else 0.0
    paths = slack_paths(solution, 2 * half)
    return SolutionDrawing(half, frozen(values), levels[0.0], levels[1.0], levels[-1.0], paths, noise)


def value_grid(solution: Solution, half: float, n: int = 96) -> Array:
    """Return f on the grid of `draw_solution`, shape (n, n), with row 0 at the top (x2 = half)."""
    half, n = Number(above=0.0)("half", half), WholeNumber(2, 2000)("n", n)
    at = np.linspace(-half, half, n)
    return decision_grid(solution, at, at)[::-1]


def boundary(solution: Solution, half: float, n: int = 96) -> tuple[Array, ...]:
    """Return the polylines (k, 2) of f = 0 in the square [-half, half]^2, as in `SolutionDrawing.zero`."""
    if solution.norm_w == 0:
        return ()
    values = np.empty((0, 0)) if solution.problem.kernel.is_linear else value_grid(solution, half, n)
    return _levels(solution, half, values, (0.0,))[0.0]


def _levels(
    solution: Solution, half: float, values: Array, levels: tuple[float, ...]
) -> dict[float, tuple[Array, ...]]:
    """Return the lines of f at each level, exactly for a linear kernel, else from `values` (n, n) in the square."""
    if solution.problem.kernel.is_linear:
        w, f = _linear_function(solution)
        return {level: clip_line(w, level - f, half) for level in levels}
    at = np.linspace(-half, half, len(values))
    contours = contourpy.contour_generator(at, at, values[::-1])
    return _onto_levels(solution, {level: _polylines(contours, level) for level in levels})


def decision_grid(solution: Solution, u: Array, v: Array) -> Array:
    """Return f at (u_j, v_i), shape (len(v), len(u))."""
    return solution.function.grid(u, v)


def _linear_function(solution: Solution) -> tuple[Array, float]:
    """Return w (2,) of a linear kernel, and f at the origin."""
    at = np.zeros((1, 2))
    return solution.gradient(at)[0], float(solution.decision(at)[0])


def zero_lines(kernel: Kernel, X: Array, coefficients: Array, half: float, n: int = 96) -> tuple[Array, ...]:
    """Return the polylines (k, 2) of sum_j a_j k(x_j, .) = 0 in the square; X (m, 2), coefficients a (m,)."""
    if kernel.is_linear:
        return clip_line(coefficients @ X, 0.0, half) if np.abs(coefficients @ X).max(initial=0) > 0 else ()
    used, at = coefficients != 0, np.linspace(-half, half, n)
    return level_lines(kernel.grid(X[used], coefficients[used], at, at), half)


def level_lines(values: Array, half: float, level: float = 0.0) -> tuple[Array, ...]:
    """Return the level lines of values (n, n) on an even grid of the square, row 0 at the bottom: polylines (k, 2)."""
    at = np.linspace(-half, half, len(values))
    return _polylines(contourpy.contour_generator(at, at, values), level)


def line_through_origin(w: Array, half: float) -> Array:
    """Return the line <w, x> = 0 within the square, (2, 2), or (0, 2) for w = 0."""
    lines = clip_line(w, 0.0, half) if np.abs(w).max() > 0 else ()
    return lines[0] if lines else np.zeros((0, 2))


def _polylines(contours: contourpy.ContourGenerator, level: float) -> tuple[Array, ...]:
    return tuple(polyline for polyline in contours.lines(level) if isinstance(polyline, np.ndarray))


def _onto_levels(solution: Solution, lines_by_level: dict[float, tuple[Array, ...]]) -> dict[float, tuple[Array, ...]]:
    """Move vertices of contours onto f = level by Newton steps along the gradient, each at most a grid cell."""
    vertices_of_lines = [polyline for lines in lines_by_level.values() for polyline in lines]
    if not vertices_of_lines:
        return lines_by_level
    z, lengths = np.concatenate(vertices_of_lines), [len(polyline) for polyline in vertices_of_lines]
    level = np.repeat([level for level, lines in lines_by_level.items() for _ in lines], lengths)
    cell = 2e-2 * max(1.0, float(np.abs(z).max()))
    for _ in range(2):
        f, g = solution.value_and_gradient(z)
        square = np.einsum("ij,ij->i", g, g)
        step = ((level - f) / np.where(square > 0, square, np.inf))[:, None] * g
        length = np.hypot(step[:, 0], step[:, 1])
        z = z + step * np.minimum(1.0, cell / np.maximum(length, 1e-300))[:, None]
    parts = iter(np.split(z, np.cumsum(lengths)[:-1]))
    return {level: tuple(next(parts) for _ in lines) for level, lines in lines_by_level.items()}


def slack_paths(solution: Solution, reach: float, steps: int = 8) -> dict[int, Array]:
    """Return a polyline from every point with xi > 0 along the gradient of f to its own margin line.

    For the linear kernel this is the perpendicular of length xi / |w| (S12). With other kernels the path is curved: f
    is raised in equal parts by midpoint steps, and between the ends of a step runs the cubic with the directions there.
    Newton steps end on the line. A path that does not reach it, or leaves [-reach, reach]^2, is left out.
    """
    data = solution.problem.data
    rows = np.flatnonzero(solution.xi > 10 * solution.tolerance)
    if not len(rows):
        return {}
    z, target = data.X[rows], data.y[rows]
    if solution.problem.kernel.is_linear:
        w, b = _linear_function(solution)
        if not w.any():
            return {}
        ends = z + ((target - (z @ w + b)) / (w @ w))[:, None] * w
        inside = (np.abs(ends) <= reach).all(1) & (np.hypot(*(ends - z).T) < 2 * reach)
        return dict(zip(rows[inside].tolist(), np.stack([z, ends], axis=1)[inside], strict=True))

    def rising_direction(z: Array) -> tuple[Array, Array]:
        """Return f, and the vector along which f rises by 1 to first order."""
        f, g = solution.value_and_gradient(z)
        square = np.einsum("ij,ij->i", g, g)
        return f, g / np.where(square > 1e-18, square, np.inf)[:, None]

    f, direction = rising_direction(z)
    f0, vertices = f, [z]
    for k in range(1, steps + 1):
        rise = (f0 + (target - f0) * (k / steps) - f)[:, None]
        end = np.clip(z + rise * rising_direction(z + 0.5 * rise * direction)[1], -4 * reach, 4 * reach)
        f, end_direction = rising_direction(end)
        vertices += [0.5 * (z + end) + 0.125 * rise * (direction - end_direction), end]
        z, direction = end, end_direction
    z, arrived = _onto_targets(z, target, f, direction, rising_direction, 4 * reach)
    paths = np.stack([*vertices[:-1], z], axis=1)
    arrived &= (np.abs(z) <= reach).all(1) & (np.hypot(*np.diff(paths, axis=1).transpose(2, 0, 1)).sum(1) < 2 * reach)
    return dict(zip(rows[arrived].tolist(), _thinned(paths[arrived], reach / 2000), strict=True))


def _onto_targets(
    z: Array,
    target: Array,
    f: Array,
    direction: Array,
    rising_direction: Callable[[Array], tuple[Array, Array]],
    limit: float,
) -> tuple[Array, Mask]:
    """Make Newton steps from each z until f equals its target, and tell which of them converge."""
    z, arrived, remaining = z.copy(), np.zeros(len(z), dtype=bool), np.arange(len(z))
    for _ in range(6):
        z[remaining] += (target[remaining] - f)[:, None] * direction
        remaining = remaining[(np.abs(z[remaining]) < limit).all(1)]
        f, direction = rising_direction(z[remaining])
        converged = np.abs(f - target[remaining]) < 1e-6
        arrived[remaining[converged]] = True
        remaining, f, direction = remaining[~converged], f[~converged], direction[~converged]
    return z, arrived


def _thinned(paths: Array, visible: float) -> list[Array]:
    """Return each path (k, v, 2) with as few of its vertices as needed: 2, a few, or all.

    The dropped vertices lie within `visible` of the new path.
    """
    v = paths.shape[1] - 1
    stride = np.full(len(paths), 1)
    for step in (max(v // 8, 1), max(v // 4, 1), v):
        t = (np.arange(v + 1) / step)[:-1]
        a, b = paths[:, ::step][:, t.astype(int)], paths[:, ::step][:, t.astype(int) + 1]
        off = np.abs(a + (t % 1)[:, None] * (b - a) - paths[:, :-1]).max((1, 2))
        stride[off < visible] = step
    return [path[::step] for path, step in zip(paths, stride.tolist(), strict=True)]
