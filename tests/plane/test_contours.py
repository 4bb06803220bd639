"""The picture: lines where f says, segments as long as the slack says."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from svmlab import BadInput, Dataset, Gaussian, Linear, Polynomial, Problem, make_dataset, solve
from svmlab.plane.contours import SolutionDrawing, boundary, draw_solution, value_grid

HALF = 4.0
KERNELS = [Linear(), Polynomial(2), Polynomial(3), Gaussian(1.2)]


def drawn(name: str, kernel, C: float = 1.0, bias: bool = True, n: int = 96):
    s = solve(Problem(make_dataset(name, 40, 0.3, seed=2), kernel, C, bias))
    return s, draw_solution(s, HALF, n)


def levels(picture: SolutionDrawing):
    return [(0, picture.zero), (1, picture.plus), (-1, picture.minus)]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.key)
@pytest.mark.parametrize("name", ["overlapping", "moons", "circles"])
def test_every_vertex_of_a_level_line_lies_on_its_level(name, kernel):
    s, picture = drawn(name, kernel)
    seen = 0
    for level, curves in levels(picture):
        for curve in curves:
            assert np.abs(s.decision(curve) - level).max() < 1e-6
            seen += len(curve)
    assert seen > 0


@pytest.mark.parametrize("kernel", KERNELS[1:], ids=lambda k: k.key)
def test_between_two_vertices_f_stays_close_to_the_level_of_the_line(kernel):
    s, picture = drawn("moons", kernel)
    for level, curves in levels(picture):
        for curve in curves:
            middle = 0.5 * (curve[1:] + curve[:-1])
            slope = np.linalg.norm(s.gradient(middle), axis=1)
            assert np.abs(s.decision(middle) - level).max() <= 0.03 * max(1.0, slope.max())


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.key)
def test_a_sign_change_on_the_grid_has_a_zero_line_nearby(kernel):
    _, picture = drawn("moons", kernel, n=65)
    at = np.linspace(-HALF, HALF, 65)
    values = picture.values[::-1]
    vertices = np.vstack([np.linspace(*pair, 50) for curve in picture.zero for pair in pairwise(curve)])
    for i, j in np.argwhere(values[:, 1:] * values[:, :-1] < 0):
        distance = np.hypot(*(vertices - [0.5 * (at[j] + at[j + 1]), at[i]]).T).min()
        assert distance < 0.2


def test_the_three_lines_of_a_linear_svm_are_parallel_and_one_margin_apart():
    s, picture = drawn("overlapping", Linear())
    ends = [line for _, (line,) in levels(picture)]
    direction = [(e[1] - e[0]) / np.linalg.norm(e[1] - e[0]) for e in ends]
    for e, d in zip(ends, direction, strict=True):
        assert e.shape == (2, 2)
        assert abs(d @ direction[0]) == pytest.approx(1, abs=1e-12)
        assert np.abs(e).max() == pytest.approx(HALF, abs=1e-12)  # from border to border
        assert (np.abs(np.abs(e) - HALF).min(1) < 1e-12).all()
    normal = np.array([-direction[0][1], direction[0][0]])
    for e in ends[1:]:
        assert abs((e[0] - ends[0][0]) @ normal) == pytest.approx(1 / s.norm_w, rel=1e-10)


@pytest.mark.parametrize("X", [[[1, 0], [-1, 0]], [[0, 1], [0, -1]], [[1, 1], [-1, -1]]])
def test_lines_along_the_axes_and_the_diagonal_are_drawn_too(X):
    s = solve(Problem(Dataset(X, [1, -1])))
    for level, (line,) in levels(draw_solution(s, HALF)):
        assert s.decision(line) == pytest.approx([level, level], abs=1e-12)
        assert np.abs(line).max() <= HALF + 1e-12


def test_a_line_outside_the_square_is_not_drawn():
    s = solve(Problem(Dataset([[30, 0], [31, 0]], [1, -1]), C=100))
    assert [len(lines) for _, lines in levels(draw_solution(s, HALF))] == [0, 0, 0]
    assert [len(lines) for _, lines in levels(draw_solution(s, 40.0))] == [1, 1, 1]


def test_a_slack_segment_of_a_linear_svm_is_perpendicular_and_xi_over_norm_long():
    s, picture = drawn("overlapping", Linear(), 0.3)
    rows = np.flatnonzero(s.xi > 1e-3)
    assert set(rows) <= set(picture.slack)
    assert len(rows) >= 4
    for i in rows:
        segment = picture.slack[i]
        assert segment[0].tolist() == s.problem.data.X[i].tolist()
        assert s.decision(segment[-1:])[0] == pytest.approx(s.problem.data.y[i], abs=1e-9)
        step = segment[-1] - segment[0]
        assert np.linalg.norm(step) == pytest.approx(s.xi[i] / s.norm_w, rel=1e-9)
        assert step[0] * s.w[1] == pytest.approx(step[1] * s.w[0], abs=1e-9)


@pytest.mark.parametrize("kernel", KERNELS[1:], ids=lambda k: k.key)
def test_a_slack_path_of_a_kernel_climbs_to_its_own_margin_line(kernel):
    s, picture = drawn("moons", kernel, 0.3)
    assert len(picture.slack) >= 2
    for i, path in picture.slack.items():
        label = s.problem.data.y[i]
        assert s.xi[i] > 0
        assert path[0].tolist() == s.problem.data.X[i].tolist()
        f = label * s.decision(path)
        assert f[-1] == pytest.approx(1, abs=1e-5)
        assert (np.diff(f) > -1e-6).all()


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.key)
@pytest.mark.parametrize("bias", [True, False])
def test_the_grid_holds_f_with_its_first_row_on_top(kernel, bias):
    s, picture = drawn("moons", kernel, bias=bias, n=7)
    assert picture.values.shape == (7, 7)
    at = np.linspace(-HALF, HALF, 7)
    for i in range(7):
        for j in range(7):
            f = s.decision([[at[j], -at[i]]])[0]
            assert picture.values[i, j] == pytest.approx(f, rel=1e-9, abs=1e-9)


def test_far_from_the_origin_the_picture_loses_no_digits():
    data = make_dataset("overlapping", 30)
    original, shifted = solve(Problem(data)), solve(Problem(Dataset(data.X + [1e6, 0], data.y)))
    assert shifted.decision(data.X + [1e6, 0]) == pytest.approx(original.decision(data.X), abs=1e-7)


@pytest.mark.parametrize(
    ("X", "y", "kernel"),
    [
        ([[0, 0], [1, 2]], [1, 1], Linear()),
        ([[0, 0], [1, 2]], [-1, -1], Gaussian(1.0)),
        ([[1, 2], [1, 2]], [1, -1], Linear()),
    ],
)
def test_a_constant_f_draws_no_lines_and_no_slack(X, y, kernel):
    s = solve(Problem(Dataset(X, y), kernel))
    picture = draw_solution(s, HALF)
    assert [lines for _, lines in levels(picture)] == [(), (), ()]
    assert picture.slack == {}
    assert np.ptp(picture.values) == pytest.approx(0, abs=1e-14)
    assert picture.values[0, 0] == pytest.approx(s.b)


@pytest.mark.parametrize("d", [1, 3])
def test_only_the_plane_is_drawn(d):
    s = solve(Problem(Dataset(np.vstack([np.ones(d), -np.ones(d)]), [1, -1])))
    with pytest.raises(BadInput, match=f"{d} columns"):
        draw_solution(s, HALF)


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda k: k.key)
def test_the_shading_and_the_boundary_alone_are_those_of_the_scene(kernel):
    for name in ("overlapping", "moons"):
        s, picture = drawn(name, kernel)
        np.testing.assert_array_equal(value_grid(s, HALF), picture.values)
        alone = boundary(s, HALF)
        assert len(alone) == len(picture.zero) > 0
        for a, b in zip(alone, picture.zero, strict=True):
            np.testing.assert_allclose(a, b, atol=1e-9)


def test_a_constant_classifier_has_no_boundary():
    s = solve(Problem(Dataset([[0, 0], [1, 1]], [1, 1]), Linear()))
    assert boundary(s, HALF) == ()
