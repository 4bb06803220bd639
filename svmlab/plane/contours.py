"""What is drawn in the plane: values of f on a grid, its level lines, and each slack as a way to one's own margin
line.
"""

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
from svmlab.plane.geometry import cut


@dataclass(frozen=True, eq=False)
class Scene(Frozen):
    """The square [-half, half]^2.

    values: (n, n) of f, row 0 at the top (x2 = half). zero, plus, minus: polylines (k, 2) where f is 0, +1, -1. slack:
    row of the point -> polyline (k, 2) from the point to its margin line y f = 1, for every xi > 0 that reaches it.
    noise: up to which a value is 0 but for rounding, so that it is on neither side; inf where f is the same everywhere.
    """

    half: float
    values: Array
    zero: tuple[Array, ...]
    plus: tuple[Array, ...]
    minus: tuple[Array, ...]
    slack: dict[int, Array]
    noise: float = 0.0


def scene(solution: Solution, half: float, n: int = 96) -> Scene:
    """Draw a solution over two coordinates; n x n grid values, n from 2 to 2000.

    Raises BadInput for points that are not in the plane, and for a half that is not above 0.
    """
    if solution.problem.data.d != 2:
        raise BadInput(
            "X has {d} columns: only points in the plane (2 columns) can be drawn.", d=solution.problem.data.d
        )
    values = square(solution, half, n)
    if solution.norm_w == 0:
        return Scene(half, frozen(values), (), (), (), {}, math.inf)
    levels = _levels(solution, half, values, (0.0, 1.0, -1.0))
    # Without b, f is a sum whose sign is known however small it is.
    noise = solution.noise if solution.problem.bias else 0.0
    ways = slack_paths(solution, 2 * half)
    return Scene(half, frozen(values), levels[0.0], levels[1.0], levels[-1.0], ways, noise)


def square(solution: Solution, half: float, n: int = 96) -> Array:
    """F on the grid of a scene, (n, n), row 0 at the top: what a scene is shaded by, without the rest of it."""
    half, n = Number(above=0.0)("half", half), WholeNumber(2, 2000)("n", n)
    at = np.linspace(-half, half, n)
    return grid(solution, at, at)[::-1]


def boundary(solution: Solution, half: float, n: int = 96) -> tuple[Array, ...]:
    """Where f = 0 in the square, as polylines (k, 2): `Scene.zero` without the rest of it."""
    if solution.norm_w == 0:
        return ()
    values = np.empty((0, 0)) if solution.problem.kernel.is_linear else square(solution, half, n)
    return _levels(solution, half, values, (0.0,))[0.0]


def _levels(
    solution: Solution, half: float, values: Array, levels: tuple[float, ...]
) -> dict[float, tuple[Array, ...]]:
    """Where f is at each level: exactly for a straight kernel, else from its `values` (n, n) in the square."""
    if solution.problem.kernel.is_linear:
        w, f = _straight(solution)
        return {level: cut(w, level - f, half) for level in levels}
    at = np.linspace(-half, half, len(values))
    contours = contourpy.contour_generator(at, at, values[::-1])
    return _onto_levels(solution, {level: _polylines(contours, level) for level in levels})


def grid(solution: Solution, u: Array, v: Array) -> Array:
    """F at (u_j, v_i), shape (len(v), len(u))."""
    data, s = solution.problem.data, solution.coefficients != 0
    signed = solution.coefficients[s]
    if solution.origin is not None and solution.offset is not None:
        o = solution.origin
        b = solution.base_label + solution.offset
        return solution.problem.kernel.grid(data.X[s] - o, signed, u - o[0], v - o[1]) + b
    return solution.problem.kernel.grid(data.X[s], signed, u, v) + solution.b


def _straight(solution: Solution) -> tuple[Array, float]:
    """Of a straight kernel: w (2,), and f at the origin."""
    at = np.zeros((1, 2))
    return solution.gradient(at)[0], float(solution.decision(at)[0])


def zero_lines(kernel: Kernel, X: Array, coefficients: Array, half: float, n: int = 96) -> tuple[Array, ...]:
    """Where sum_j a_j k(x_j, .) is 0 in the square, as polylines (k, 2); X (m, 2), coefficients (m,)."""
    if kernel.is_linear:
        return cut(coefficients @ X, 0.0, half) if np.abs(coefficients @ X).max(initial=0) > 0 else ()
    used, at = coefficients != 0, np.linspace(-half, half, n)
    return level_lines(kernel.grid(X[used], coefficients[used], at, at), half)


def level_lines(values: Array, half: float, level: float = 0.0) -> tuple[Array, ...]:
    """Where values (n, n) on an even grid of the square, row 0 at the bottom, are at a level, as polylines (k, 2)."""
    at = np.linspace(-half, half, len(values))
    return _polylines(contourpy.contour_generator(at, at, values), level)


def through_origin(w: Array, half: float) -> Array:
    """The line <w, x> = 0 within the square, (2, 2), or (0, 2) for w = 0."""
    found = cut(w, 0.0, half) if np.abs(w).max() > 0 else ()
    return found[0] if found else np.zeros((0, 2))


def _polylines(contours: contourpy.ContourGenerator, level: float) -> tuple[Array, ...]:
    return tuple(line for line in contours.lines(level) if isinstance(line, np.ndarray))


def _onto_levels(solution: Solution, drawn: dict[float, tuple[Array, ...]]) -> dict[float, tuple[Array, ...]]:
    """Vertices of contours moved onto f = level by Newton steps along the gradient, no further than a grid cell."""
    every = [line for found in drawn.values() for line in found]
    if not every:
        return drawn
    z, lengths = np.concatenate(every), [len(line) for line in every]
    level = np.repeat([level for level, found in drawn.items() for _ in found], lengths)
    cell = 2e-2 * max(1.0, float(np.abs(z).max()))
    for _ in range(2):
        f, g = solution.value_and_gradient(z)
        square = np.einsum("ij,ij->i", g, g)
        step = ((level - f) / np.where(square > 0, square, np.inf))[:, None] * g
        length = np.hypot(step[:, 0], step[:, 1])
        z = z + step * np.minimum(1.0, cell / np.maximum(length, 1e-300))[:, None]
    parts = iter(np.split(z, np.cumsum(lengths)[:-1]))
    return {level: tuple(next(parts) for _ in found) for level, found in drawn.items()}


def slack_paths(solution: Solution, reach: float, steps: int = 8) -> dict[int, Array]:
    """From every point with xi > 0 along the gradient of f to its own margin line, as polylines.

    For the linear kernel that is the perpendicular of length xi / |w| (S12). With a kernel the way bends: f is raised
    in equal parts by midpoint steps, and between two ends of a step runs the cubic with their directions; Newton steps
    end on the line. A way that does not arrive or leaves [-reach, reach]^2 is left out.
    """
    data = solution.problem.data
    rows = np.flatnonzero(solution.xi > 10 * solution.tolerance)
    if not len(rows):
        return {}
    z, target = data.X[rows], data.y[rows]
    if solution.problem.kernel.is_linear:
        w, b = _straight(solution)
        if not w.any():
            return {}
        ends = z + ((target - (z @ w + b)) / (w @ w))[:, None] * w
        near = (np.abs(ends) <= reach).all(1) & (np.hypot(*(ends - z).T) < 2 * reach)
        return dict(zip(rows[near].tolist(), np.stack([z, ends], axis=1)[near], strict=True))

    def climb(z: Array) -> tuple[Array, Array]:
        """F, and the way along which it rises by 1."""
        f, g = solution.value_and_gradient(z)
        square = np.einsum("ij,ij->i", g, g)
        return f, g / np.where(square > 1e-18, square, np.inf)[:, None]

    f, direction = climb(z)
    f0, ways = f, [z]
    for k in range(1, steps + 1):
        rise = (f0 + (target - f0) * (k / steps) - f)[:, None]
        end = np.clip(z + rise * climb(z + 0.5 * rise * direction)[1], -4 * reach, 4 * reach)
        f, there = climb(end)
        ways += [0.5 * (z + end) + 0.125 * rise * (direction - there), end]
        z, direction = end, there
    z, arrived = _onto_targets(z, target, f, direction, climb, 4 * reach)
    drawn = np.stack([*ways[:-1], z], axis=1)
    arrived &= (np.abs(z) <= reach).all(1) & (np.hypot(*np.diff(drawn, axis=1).transpose(2, 0, 1)).sum(1) < 2 * reach)
    return dict(zip(rows[arrived].tolist(), _thinned(drawn[arrived], reach / 2000), strict=True))


def _onto_targets(
    z: Array, target: Array, f: Array, way: Array, climb: Callable[[Array], tuple[Array, Array]], far: float
) -> tuple[Array, Mask]:
    """Newton steps from each z until f is its target, and which of them get there."""
    z, arrived, left = z.copy(), np.zeros(len(z), dtype=bool), np.arange(len(z))
    for _ in range(6):
        z[left] += (target[left] - f)[:, None] * way
        left = left[(np.abs(z[left]) < far).all(1)]
        f, way = climb(z[left])
        on = np.abs(f - target[left]) < 1e-6
        arrived[left[on]] = True
        left, f, way = left[~on], f[~on], way[~on]
    return z, arrived


def _thinned(ways: Array, sight: float) -> list[Array]:
    """Each way (k, v, 2) by as few of its vertices as keep the others within `sight` of where they were: 2, a few, or
    all.
    """
    v = ways.shape[1] - 1
    least = np.full(len(ways), 1)
    for every in (max(v // 8, 1), max(v // 4, 1), v):
        t = (np.arange(v + 1) / every)[:-1]
        a, b = ways[:, ::every][:, t.astype(int)], ways[:, ::every][:, t.astype(int) + 1]
        off = np.abs(a + (t % 1)[:, None] * (b - a) - ways[:, :-1]).max((1, 2))
        least[off < sight] = every
    return [way[::every] for way, every in zip(ways, least.tolist(), strict=True)]
