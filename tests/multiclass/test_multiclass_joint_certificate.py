"""The joint machine: what its certificate notices, what it says of itself, and what must not matter."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmlab import Category, Gaussian, Linear, NotExact, Polynomial
from svmlab.core.arrays import frozen
from svmlab.multiclass import Classes, JointSolution, MulticlassProblem, certify, make_classes, solve
from tests.boards import pinned

COSTS = (1e-3, 0.01, 0.1, 1.0, 10.0, 100.0, 1e3)


def leads(f: np.ndarray) -> np.ndarray:
    """Of f (n, k) what decides: its differences to the mean."""
    return f - f.mean(1, keepdims=True)


# honesty


def test_a_joint_answer_that_rounding_leaves_unproven_warns():
    X = [[100, 0], [100, 0], [-100, 0], [-100, 0], [0, 100]]  # equal points of two classes, so beta is as large as C
    problem = MulticlassProblem(Classes(X, [1, 2, 1, 2, 3]), Linear(), 1e6)
    with pytest.warns(NotExact, match=r"rounding alone explains residuals.*JointSolution\.proven is False"):
        joint = solve(problem, "joint")
    assert not joint.proven
    assert certify(joint).floor > 1e-5


@pytest.mark.parametrize("kernel", [Linear(), Gaussian(1.0)])
def test_a_certificate_notices_what_is_wrong(kernel):
    joint = solve(MulticlassProblem(make_classes("blobs"), kernel, 1.0), "joint")
    assert certify(joint).is_optimal()
    i = int(np.flatnonzero(joint.free)[0])
    for change, noticed in (
        ("all", "gap"),
        ("b", "complementarity"),
        ("one", "stationarity"),
        ("sign", "dual_feasibility"),
    ):
        beta, b = joint.beta.copy(), joint.b.copy()
        if change == "all":
            beta *= 1.01
        elif change == "b":
            b += [1e-3, -1e-3, 0]
        elif change == "one":
            beta[i] *= 1.01
        else:
            beta[i] *= -1
        evaluation = joint.evaluation.with_bias_moved(b - joint.b)
        changed = certify(replace(joint, beta=frozen(beta), b=frozen(b), evaluation=evaluation))
        assert abs(getattr(changed, noticed)) > 1e-5, change
        assert not changed.is_optimal()


def test_categories_and_margins_say_the_same():
    joint = solve(MulticlassProblem(make_classes("four_blobs", 30), C=0.05), "joint")
    f, y = joint.decision(joint.problem.data.X), joint.problem.data.class_index
    for i, category in enumerate(joint.categories):
        margin = f[i, y[i]] - np.delete(f[i], y[i]).max()
        assert joint.margins[i] == pytest.approx(margin, abs=1e-12)
        assert (category is Category.OUTSIDE) == (margin > 1 + 1e-8)
        assert (category in (Category.INSIDE, Category.WRONG)) == (margin < 1 - 1e-8)
        if category is Category.OUTSIDE:
            assert not joint.support[i]
        if margin < 1 - 1e-8:
            assert joint.multiplier_sum[i] == 0.05
    assert {Category.OUTSIDE, Category.MARGIN_FREE, Category.INSIDE} <= set(joint.categories)


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3)])
def test_features_and_kernel_values_give_one_f(kernel):
    joint = solve(MulticlassProblem(make_classes("blobs"), kernel, 1.0), "joint")
    Z = np.array([[0.3, 0.7], [-3.0, 2.0]])
    values = kernel(Z, joint.problem.data.X) @ joint.beta + joint.b
    assert joint.decision(Z) == pytest.approx(values, rel=1e-10, abs=1e-10)
    assert joint.norms == pytest.approx(np.sqrt(np.diag(joint.beta.T @ joint.problem.gram @ joint.beta)), rel=1e-8)


def test_doubled_points_carry_the_same():
    data = make_classes("blobs", 4)
    doubled = Classes(np.vstack([data.X, data.X]), [*data.y, *data.y])
    one, other = solve(MulticlassProblem(data, C=2.0), "joint"), solve(MulticlassProblem(doubled, C=1.0), "joint")
    assert other.beta[:12] == pytest.approx(other.beta[12:], abs=1e-10)
    assert 2 * other.beta[:12] == pytest.approx(one.beta, abs=1e-9)
    assert other.objective == pytest.approx(one.objective, rel=1e-12)
    assert other.beta_unique is False


@pytest.mark.parametrize("kernel", [Linear(), Polynomial(3), Gaussian(1.0)])
@pytest.mark.parametrize("C", [1e-3, 1.0, 1e5])
def test_boards_of_the_lesson_are_solved_at_every_c(kernel, C):
    for name in ("blobs", "four_blobs", "row", "rings"):
        joint = solve(MulticlassProblem(make_classes(name), kernel, C), "joint")
        assert joint.proven, name
        assert joint.gap == pytest.approx(0, abs=max(1e-9, joint.noise)), name


# what must not matter


@st.composite
def boards(draw):
    """Points of a coarse lattice: ties, doubled and collinear points and twins of two classes are common."""
    m = draw(st.integers(2, 9))
    coordinate = st.integers(-2, 2)
    X = draw(st.lists(st.tuples(coordinate, coordinate), min_size=m, max_size=m))
    y = draw(st.lists(st.integers(1, 3), min_size=m, max_size=m))
    y[:2] = [1, 2]
    kernel = draw(st.sampled_from([Linear(), Polynomial(2), Gaussian(1.0)]))
    return MulticlassProblem(
        Classes(np.round(np.array(X) * draw(st.sampled_from([1.0, 0.737])), 3), y),
        kernel,
        draw(st.sampled_from(COSTS)),
        draw(st.booleans()),
    )


def alike(one: JointSolution, other: JointSolution, beta: np.ndarray, Z: np.ndarray, order: list[int]) -> None:
    """`other` at Z, its classes in `order`, is `one` at its points."""
    f, g = one.decision(one.problem.data.X), other.decision(Z)[:, order]
    assert g == pytest.approx(f, rel=1e-8, abs=1e-8 * max(1.0, np.abs(f).max()))
    assert other.objective == pytest.approx(one.objective, rel=1e-9, abs=1e-12)
    assert np.array(other.b_interval)[:, order] == pytest.approx(np.array(one.b_interval), abs=1e-7)
    assert beta == pytest.approx(one.beta, abs=1e-6 * max(one.beta.max(), 1e-300))


@given(boards(), st.randoms(use_true_random=False))
def test_order_and_names_do_not_matter(problem, random):
    data = problem.data
    rows, names = list(range(data.m)), [4, 6, 9]
    random.shuffle(rows)
    random.shuffle(names)
    renamed = Classes(data.X[rows], [names[k - 1] for k in data.y[rows]])
    one, other = solve(problem, "joint"), solve(replace(problem, data=renamed), "joint")
    order = [other.classes.index(names[k - 1]) for k in one.classes]
    back = np.argsort(rows)
    alike(one, other, other.beta[back][:, order], data.X, order)
    assert [other.categories[i] for i in back] == list(one.categories)
    assert other.beta_unique == one.beta_unique


@given(boards(), st.integers(-9, 9), st.integers(-9, 9))
def test_translation_and_rotation_do_not_matter(problem, dx, dy):
    data, bias = problem.data, problem.bias
    kernel = Linear() if isinstance(problem.kernel, Polynomial) else problem.kernel
    problem = replace(problem, kernel=kernel)
    turned = np.stack([-data.X[:, 1], data.X[:, 0]], 1) + np.array([dx, dy]) * (bias or kernel != Linear())
    one = solve(problem, "joint")
    other = solve(replace(problem, data=Classes(turned, data.y)), "joint")
    f, g = one.decision(data.X), other.decision(turned)
    if pinned(one) or kernel != Linear():
        assert g == pytest.approx(f, rel=1e-8, abs=1e-8 * max(1.0, np.abs(f).max()))
    assert leads(g - g[0]) == pytest.approx(leads(f - f[0]), abs=1e-8 * max(1.0, np.abs(f).max()))
    assert other.objective == pytest.approx(one.objective, rel=1e-9)
    assert list(other.categories) == list(one.categories)


@given(boards(), st.sampled_from([0.25, 3.0]))
def test_scaling_the_points_scales_c(problem, s):
    problem = replace(problem, kernel=Linear(), C=min(problem.C, 10.0))
    data = problem.data
    scaled = replace(problem, data=Classes(s * data.X, data.y), C=problem.C / s**2)
    one, other = solve(problem, "joint"), solve(scaled, "joint")
    assert other.decision(s * data.X) == pytest.approx(one.decision(data.X), abs=1e-8)
    assert s**2 * other.beta == pytest.approx(one.beta, abs=1e-6 * one.beta.max())
