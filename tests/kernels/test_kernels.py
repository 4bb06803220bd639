"""Kernel values, feature maps, gradients and grids against slow loops, finite differences and scikit-learn."""

from __future__ import annotations

import dataclasses
import math
from itertools import product

import numpy as np
import pytest
from sklearn.metrics.pairwise import linear_kernel, polynomial_kernel, rbf_kernel, sigmoid_kernel
from sklearn.svm import SVC

from svmlab import BadInput, Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid, certify, pegasos, solve
from tests.kernel_formulas import EVERY, REFERENCES
from tests.offences import each_of

RNG = np.random.default_rng(7)
X3, Z3 = RNG.uniform(-2, 2, (7, 3)), RNG.uniform(-2, 2, (5, 3))
X2 = X3[:, :2]

NAMES = [k.key for k in EVERY]


@pytest.mark.parametrize(("kernel", "value"), REFERENCES, ids=NAMES)
def test_every_entry_of_the_matrix_is_the_formula_at_one_pair(kernel, value):
    slow = [[value(x, z) for z in Z3.tolist()] for x in X3.tolist()]
    assert kernel(X3, Z3) == pytest.approx(np.array(slow), rel=1e-12, abs=1e-14)
    assert kernel.diag(X3) == pytest.approx(np.diag(kernel(X3, X3)), rel=1e-13)


def test_the_matrices_are_those_of_scikit_learn():
    assert Linear()(X3, Z3) == pytest.approx(linear_kernel(X3, Z3), rel=1e-12)
    assert Polynomial(3, 0.5, 2.0)(X3, Z3) == pytest.approx(polynomial_kernel(X3, Z3, 3, 2.0, 0.5), rel=1e-11)
    assert Gaussian(0.7)(X3, Z3) == pytest.approx(rbf_kernel(X3, Z3, 1 / (2 * 0.7**2)), rel=1e-11)
    assert Sigmoid(0.3, -1.0)(X3, Z3) == pytest.approx(sigmoid_kernel(X3, Z3, 0.3, -1.0), rel=1e-11)


@pytest.mark.parametrize("kernel", EVERY, ids=NAMES)
def test_a_kernel_is_the_one_that_its_spelling_makes_scikit_learn_use(kernel):
    model = eval(f"SVC({kernel.sklearn}, C=1.0)", {"SVC": SVC, "np": np})
    model.fit(X3, [1, -1, 1, -1, 1, -1, 1])
    f = model.dual_coef_[0] @ kernel(X3[model.support_], Z3) + model.intercept_[0]
    assert model.decision_function(Z3) == pytest.approx(f, rel=1e-9, abs=1e-9), (
        f"not the kernel of SVC({kernel.sklearn})"
    )


@pytest.mark.parametrize("kernel", EVERY, ids=NAMES)
def test_a_kernel_is_the_one_that_it_writes_in_numpy(kernel):
    written = eval(kernel.numpy.format(**vars(kernel)), {"np": np, "A": X3, "B": Z3})
    assert written == pytest.approx(kernel(X3, Z3), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("degree", range(1, 6))
@pytest.mark.parametrize("coef0", [0.0, 0.3, 1.0, 2.0])
@pytest.mark.parametrize("d", [1, 2, 3])
def test_the_feature_map_multiplies_out_to_the_polynomial(degree, coef0, d):
    kernel, X = Polynomial(degree, coef0, 0.7), X3[:, :d]
    Phi = kernel.feature_map(X)
    assert Phi @ Phi.T == pytest.approx(kernel(X, X), rel=1e-12, abs=1e-12)
    assert Phi.shape == (len(X), kernel.feature_dim(d))


@pytest.mark.parametrize(
    ("kernel", "d", "n"),
    [
        (Polynomial(2, 1.0), 2, 6),
        (Polynomial(2, 0.0), 2, 3),
        (Polynomial(3, 1.0), 1, 4),
        (Polynomial(3, 0.0), 3, 10),
        (Linear(), 5, 5),
        (Gaussian(), 2, None),
        (Sigmoid(), 2, None),
    ],
)
def test_the_feature_space_has_as_many_coordinates_as_distinct_monomials(kernel, d, n):
    assert kernel.feature_dim(d) == n
    if n is not None:
        many = np.random.default_rng(0).uniform(-1, 1, (40, d))
        assert np.linalg.matrix_rank(kernel(many, many)) == n


@pytest.mark.parametrize("kernel", [Gaussian(), Sigmoid(), Polynomial(2, -1.0)])
def test_without_a_feature_map_the_request_is_refused(kernel):
    with pytest.raises(BadInput, match="feature map"):
        kernel.feature_map(X2)


@pytest.mark.parametrize("kernel", EVERY, ids=NAMES)
def test_the_gradient_is_the_limit_of_difference_quotients(kernel):
    c, h = np.linspace(-1, 2, len(X3)), 1e-6
    for j, e in enumerate(np.eye(3) * h):
        quotient = (c @ kernel(X3, Z3 + e) - c @ kernel(X3, Z3 - e)) / (2 * h)
        assert kernel.gradient(X3, c, Z3)[:, j] == pytest.approx(quotient, rel=1e-6, abs=1e-5)
    f, gradient = kernel.value_and_gradient(X3, c, Z3)
    assert f == pytest.approx(c @ kernel(X3, Z3), rel=1e-12, abs=1e-12)
    assert gradient == pytest.approx(kernel.gradient(X3, c, Z3), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kernel", EVERY, ids=NAMES)
def test_a_grid_holds_the_values_at_its_nodes(kernel):
    c, u, v = np.linspace(-1, 2, len(X2)), np.linspace(-3, 3, 5), np.linspace(-2, 1, 4)
    values = kernel.grid(X2, c, u, v)
    assert values.shape == (4, 5)
    for i in range(4):
        for j in range(5):
            at = float(c @ kernel(X2, np.array([[u[j], v[i]]]))[:, 0])
            assert values[i, j] == pytest.approx(at, rel=1e-10, abs=1e-10)


@pytest.mark.parametrize("kernel", EVERY, ids=NAMES)
def test_only_kernels_that_theory_vouches_for_are_called_positive(kernel):
    smallest = min(
        float(np.linalg.eigvalsh(kernel(X, X))[0]) / float(np.abs(kernel(X, X)).max())
        for X in np.random.default_rng(1).uniform(-2, 2, (30, 8, 2))
    )
    assert (smallest > -1e-12) == kernel.psd, f"{kernel.name}: psd is to be {not kernel.psd}"


def test_a_polynomial_with_negative_constant_is_clipped_and_names_its_eigenvalue():
    data = Dataset([[0, 0], [1, 0], [0, 1]], [1, -1, 1])
    solution = solve(Problem(data, Polynomial(1, -1.0), bias=False))
    # K = xx' - 11' over the origin and two unit vectors; by hand det = -1 and one negative eigenvalue.
    K = np.array([[-1, -1, -1], [-1, 0, -1], [-1, -1, 0]])
    assert solution.clipped_eigenvalue == pytest.approx(min(np.linalg.eigvals(K).real), rel=1e-12)


TWICE = np.vstack([X2, X2[:2]])
LABELS = np.array([1, -1, 1, -1, 1, -1, 1, 1, 1.0])


def clipped(X, y, kernel, bias):
    """The clipped matrix over the rows, from the distinct points, by its definition."""
    Z, group = np.unique(np.column_stack([X, y]), axis=0, return_inverse=True)
    K = kernel(Z[:, :2], Z[:, :2])
    H = np.eye(len(K)) - (1 / len(K) if bias else 0)
    values, V = np.linalg.eigh(H @ K @ H)
    return ((V * np.maximum(values, 0)) @ V.T)[np.ix_(group.ravel(), group.ravel())], values[0]


@pytest.mark.parametrize("method", ["exact", "dual-qp"])
@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("C", [0.3, 20.0])
def test_an_indefinite_kernel_is_solved_with_its_negative_eigenvalues_cut_off(method, bias, C):
    kernel = Sigmoid(1.0, 0.5)
    s = solve(Problem(Dataset(TWICE, LABELS), kernel, C, bias), method)
    K, smallest = clipped(TWICE, LABELS, kernel, bias)
    assert s.clipped_eigenvalue == pytest.approx(smallest, rel=1e-9)
    assert f"{smallest:.3g}" in s.status
    beta = s.alpha * LABELS
    f = s.decision(TWICE)
    # f is that of the changed matrix on the points, and the optimum of the changed problem by an independent solver.
    shift = float((f - K @ beta).mean())
    assert f == pytest.approx(K @ beta + shift, abs=1e-9)
    if not bias:
        assert shift == pytest.approx(0, abs=1e-9)
    if bias:
        oracle = SVC(C=C, kernel="precomputed", tol=1e-9).fit(K, LABELS)
        assert oracle.decision_function(K) == pytest.approx(f, abs=1e-5)
    assert certify(s).is_optimal(1e-9 if method == "exact" else 1e-5)


def test_a_kernel_that_is_indefinite_by_round_off_alone_is_solved_as_it_is():
    class Rough(Gaussian):
        psd = False

    data = Dataset(X2, [1, -1, 1, -1, 1, -1, 1])
    rough, smooth = (solve(Problem(data, k(1.5), 2.0)) for k in (Rough, Gaussian))
    assert rough.clipped_eigenvalue is None
    assert rough.alpha == pytest.approx(smooth.alpha, abs=1e-12)


@pytest.mark.parametrize(
    ("make", "word"),
    [
        (lambda: Polynomial(0), "degree"),
        (lambda: Polynomial(13), "degree"),
        (lambda: Polynomial(2.5), "degree"),
        (lambda: Polynomial(2, math.nan), "coef0"),
        (lambda: Polynomial(2, 1.0, 0.0), "scale"),
        (lambda: Gaussian(0.0), "sigma"),
        (lambda: Gaussian(-1.0), "sigma"),
        (lambda: Gaussian(math.inf), "sigma"),
        (lambda: Gaussian("wide"), "sigma"),
        (lambda: Sigmoid(coef0=math.inf), "coef0"),
    ],
)
def test_a_bad_parameter_is_named(make, word):
    with pytest.raises(BadInput, match=f"^{word}:"):
        make()


def test_keys_tell_kernels_apart_by_class_and_by_value():
    every = [Linear(), Polynomial(2), Polynomial(3), Polynomial(3, 0.0), Gaussian(1.0), Gaussian(2.0), Sigmoid()]
    assert len({k.key for k in every}) == len(every)
    assert Polynomial(3.0).key == Polynomial(3).key


PLANE = Dataset([[0, 0], [1, 1], [2, 0.5]], [1, -1, 1])
MISFITS = [
    np.zeros((1, 10**6)),
    [[0.0]],
    [[1.0, 2.0, 3.0]],
    [1.0, 2.0],
    np.zeros((1, 2, 2)),
    [["a", "b"]],
    [[1, 2], [3]],
    5.0,
]


@each_of(product(EVERY, MISFITS))
def test_places_of_another_dimension_are_refused_by_name(kernel, Z):
    solution = solve(Problem(PLANE, kernel))
    X, c = PLANE.X, np.ones(3)
    for call in (solution.decision, solution.gradient, solution.value_and_gradient, lambda Z: kernel(X, Z)):
        with pytest.raises(BadInput, match="Z"):
            call(Z)
    for pair in (kernel.gradient, kernel.value_and_gradient):
        with pytest.raises(BadInput, match="Z"):
            pair(X, c, Z)
    run = pegasos(PLANE, 0.1, 10, kernel=kernel) if kernel.psd and not isinstance(kernel, Linear) else None
    if run is not None:
        with pytest.raises(BadInput, match="Z"):
            run.decision(Z)


@pytest.mark.parametrize("kernel", EVERY, ids=NAMES)
def test_places_may_be_lists_and_may_be_none_at_all(kernel):
    solution = solve(Problem(PLANE, kernel))
    assert solution.decision([[1, 1]]) == pytest.approx(solution.decision(np.ones((1, 2))))
    assert solution.decision(np.empty((0, 2))).shape == (0,)
    assert solution.gradient(np.empty((0, 2))).shape == (0, 2)


def test_a_width_may_be_given_as_gamma():
    assert Gaussian(gamma=0.5) == Gaussian(1.0) == Gaussian()
    assert Gaussian(gamma=2) == Gaussian(sigma=0.5)
    assert repr(Gaussian(gamma=2)) == "Gaussian(sigma=0.5)"
    assert Gaussian(gamma=2).key == "Gaussian(sigma=0.5)"
    rng = np.random.default_rng(0)
    for gamma in 10 ** rng.uniform(-12, 12, 2000):
        assert abs(Gaussian(gamma=gamma).gamma / gamma - 1) <= 4 * np.finfo(float).eps
    X = rng.normal(size=(30, 3))
    for gamma in (0.1, 1 / 3, np.float32(0.7), 3):
        assert np.allclose(Gaussian(gamma=gamma)(X, X), rbf_kernel(X, gamma=float(gamma)), rtol=1e-12, atol=0)
    assert dataclasses.replace(Gaussian(gamma=2), sigma=3.0) == Gaussian(3.0)
    assert [field.name for field in dataclasses.fields(Gaussian)] == ["sigma"]


@pytest.mark.parametrize(
    ("given", "fragments"),
    [
        ({"sigma": 1.0, "gamma": 0.5}, ["gamma: 0.5", "sigma = 1.0", "one of them"]),
        *(({"gamma": gamma}, ["gamma: "]) for gamma in (0, -1, math.inf, math.nan, "scale", 10**400, 1e-310)),
    ],
)
def test_a_gamma_that_is_none_or_comes_beside_sigma_is_refused(given, fragments):
    with pytest.raises(BadInput) as caught:
        Gaussian(**given)
    assert [f for f in fragments if f not in str(caught.value)] == []
