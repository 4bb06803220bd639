"""ExactSVC keeps to scikit-learn's rules, works inside its tools, and says what SVC says."""

from __future__ import annotations

import math
import pickle
import subprocess
import sys
from unittest import SkipTest

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.multiclass import OneVsOneClassifier, OneVsRestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, SVR
from sklearn.utils.estimator_checks import check_sample_weight_equivalence_on_dense_data, parametrize_with_checks

from svmlab import BadInput, Composed, Gaussian, NotSeparable, Polynomial, make_dataset
from svmlab.sklearn import ExactSVC, ExactSVR

FAR = dict.fromkeys(
    ("check_fit_idempotent", "check_fit_check_is_fitted", "check_n_features_in", "check_class_weight_classifiers"),
    "Its points lie about (100, 100): of a polynomial of fixed scale round-off hides the margins, so "
    "SolverFailed says to "
    "standardise them.",
)
MOONS = make_dataset("moons", 80, 0.3)
CANCER = StandardScaler().fit_transform(load_breast_cancer().data)
MALIGNANT = np.where(load_breast_cancer().target == 0, "malignant", "benign")


def quadratic(A, B):
    return (1 + A @ B.T) ** 2


@pytest.mark.one_in(4)
@parametrize_with_checks(
    [
        ExactSVC(),
        ExactSVC(gamma=0.5),
        ExactSVC(kernel="linear"),
        ExactSVC(fit_intercept=False),
        ExactSVC(kernel=Polynomial(2)),
        ExactSVC(class_weight="balanced"),
        ExactSVC(kernel="precomputed"),
        ExactSVR(),
        ExactSVR(kernel="linear", epsilon=0.0),
    ],
    expected_failed_checks=lambda estimator: FAR if isinstance(estimator.kernel, Polynomial) else {},
)
def test_it_keeps_to_the_rules(estimator, check):
    try:
        check(estimator)
    except SkipTest as reason:  # arrays of other libraries, which scipy has to be told of beforehand
        if "SCIPY_ARRAY_API" not in str(reason):
            raise


def _parameters_from_weights(how, X, y, weights):
    """What SVC has to be given as a number, because its own gamma="scale" and class_weight="balanced" ignore the
    weights."""
    if weights is None:
        return {}
    each, parameters = np.repeat(weights, X.shape[1]), {}
    if how["gamma"] == "scale":
        parameters["gamma"] = 1 / (X.shape[1] * np.cov(X.ravel(), aweights=each, bias=True))
    if how["class_weight"] == "balanced":
        parameters["class_weight"] = {label: weights.sum() / (2 * weights[y == label].sum()) for label in np.unique(y)}
    return parameters


def test_it_says_what_svc_says_in_random_settings():
    rng, compared = np.random.default_rng(0), 0
    for _ in range(100):
        m, d = int(rng.integers(10, 120)), int(rng.integers(1, 8))
        X = rng.normal(size=(m, d)) * 10 ** rng.uniform(-1, 1)
        y = np.where(X[:, 0] + X.std() * rng.normal(size=m) > 0, "yes", "no")
        y[:2] = "yes", "no"
        how = {
            "kernel": str(rng.choice(["linear", "poly", "rbf"])),
            "C": float(10 ** rng.uniform(-2, 1.5)),
            "gamma": [0.3 / X.var(), "scale", "auto"][int(rng.integers(3))],
            "degree": int(rng.integers(1, 4)),
            "coef0": float(rng.integers(0, 2)),
            "class_weight": [None, "balanced", {"yes": 3.0}][int(rng.integers(3))],
        }
        if how["kernel"] == "poly":
            how["gamma"] = "scale"
        weights = [None, rng.uniform(0.1, 3, m), rng.integers(0, 3, m) + (np.arange(m) < 2)][int(rng.integers(3))]
        own = ExactSVC(**how).fit(X, y, weights)
        svc = SVC(**how | _parameters_from_weights(how, X, y, weights), tol=1e-6).fit(X, y, weights)
        Z = rng.normal(size=(50, d)) * X.std()
        f, g = own.decision_function(Z), svc.decision_function(Z)
        assert own.solution_.proven
        lo, hi = own.solution_.b_interval
        if hi - lo > 1e-6:  # every b in it is optimal: SVC takes another one
            assert lo - 1e-6 <= svc.intercept_[0] <= hi + 1e-6
            f = f - own.intercept_ + svc.intercept_
        assert f == pytest.approx(g, abs=1e-3 * max(1.0, np.abs(g).max())), how
        clear = np.abs(g) > 1e-3 * max(1.0, np.abs(g).max())
        assert ((f > 0) == (g > 0))[clear].all(), how
        assert hi - lo > 1e-6 or (own.predict(Z) == svc.predict(Z))[clear].all(), how
        compared += int(clear.sum())
    assert compared > 4000


def test_what_is_fitted_is_what_svc_fits():
    own, svc = (
        one.fit(CANCER, MALIGNANT)
        for one in (ExactSVC(C=0.1, class_weight="balanced"), SVC(C=0.1, class_weight="balanced", tol=1e-10))
    )
    for name in ("classes_", "support_", "n_support_", "class_weight_", "n_features_in_"):
        assert np.array_equal(getattr(own, name), getattr(svc, name)), name
    for name in ("support_vectors_", "dual_coef_", "intercept_"):
        assert getattr(own, name) == pytest.approx(getattr(svc, name), abs=1e-5), name
    assert own.score(CANCER, MALIGNANT) == svc.score(CANCER, MALIGNANT) == own.solution_.score(CANCER, MALIGNANT)
    assert own.solution_.predict(CANCER).tolist() == own.predict(CANCER).tolist()
    linear, other = (
        one.fit(CANCER, MALIGNANT)
        for one in (ExactSVC(kernel="linear", C=0.01), SVC(kernel="linear", C=0.01, tol=1e-9))
    )
    assert linear.coef_ == pytest.approx(other.coef_, abs=1e-5)
    with pytest.raises(AttributeError, match="linear"):
        own.coef_
    kernel = own.dual_coef_ @ Gaussian(gamma=1 / 30 / CANCER.var())(own.support_vectors_, CANCER) + own.intercept_
    assert kernel[0] == pytest.approx(own.decision_function(CANCER), abs=1e-9)


def test_it_works_inside_a_pipeline_a_search_and_several_classes():
    X, y = load_iris(return_X_y=True)
    for several in (OneVsOneClassifier(ExactSVC()), OneVsRestClassifier(ExactSVC(C=10))):
        assert several.fit(X, y).score(X, y) > 0.95
    rbf, svc = (OneVsOneClassifier(one).fit(X, y).predict(X) for one in (ExactSVC(), SVC(tol=1e-8)))
    assert (rbf == svc).all()
    search = GridSearchCV(
        make_pipeline(StandardScaler(), ExactSVC()),
        {
            "exactsvc__C": [0.1, 1.0, 10.0],
            "exactsvc__kernel": ["linear", Gaussian(0.5), Composed("linear+gaussian(1)")],
        },
        cv=3,
        error_score="raise",
    ).fit(MOONS.X, MOONS.y)
    assert search.best_score_ > 0.85
    assert cross_val_score(ExactSVC(kernel="poly", coef0=1), MOONS.X, MOONS.y, cv=3, error_score="raise").min() > 0.6
    calibrated = CalibratedClassifierCV(ExactSVC(gamma=2.0), cv=3).fit(MOONS.X, MOONS.y)
    assert calibrated.predict_proba(MOONS.X).sum(1) == pytest.approx(np.ones(80))


def test_it_is_cloned_and_pickled():
    model = ExactSVC(C=3, kernel=Gaussian(0.5), class_weight={1: 2.0}).fit(MOONS.X, MOONS.y)
    again = pickle.loads(pickle.dumps(model))
    assert again.decision_function(MOONS.X).tobytes() == model.decision_function(MOONS.X).tobytes()
    assert again.solution_.proven
    copy = clone(model)
    assert copy.get_params() == model.get_params()
    assert not hasattr(copy, "solution_")
    with pytest.raises(NotFittedError):
        copy.predict(MOONS.X)
    with pytest.raises(NotFittedError):
        copy.coef_


def test_a_frame_names_its_features():
    frame = pd.DataFrame(MOONS.X, columns=["width", "height"])
    model = ExactSVC().fit(frame, pd.Series(np.where(MOONS.y > 0, "up", "down")))
    assert model.feature_names_in_.tolist() == ["width", "height"]
    assert set(model.predict(frame)) == {"up", "down"}
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame[["height", "width"]])


def test_the_hard_margin_and_rows_that_count_for_nothing():
    data = make_dataset("separable", 40)
    hard = ExactSVC(C=math.inf, kernel="linear").fit(data.X, data.y)
    assert hard.solution_.problem.hard
    with pytest.raises(NotSeparable):
        ExactSVC(C=math.inf, kernel="linear").fit(MOONS.X, MOONS.y)
    weights = (np.arange(80) % 3).astype(float)
    some = ExactSVC(gamma=1.0).fit(MOONS.X, MOONS.y, weights)
    assert (weights[some.support_] > 0).all()
    assert np.array_equal(some.support_vectors_, MOONS.X[some.support_])
    one = ExactSVC(gamma=1.0).fit(MOONS.X[weights > 0], MOONS.y[weights > 0], weights[weights > 0])
    assert one.dual_coef_.tobytes() == some.dual_coef_.tobytes()


@pytest.mark.parametrize("class_weight", [None, "balanced"])
@pytest.mark.parametrize(
    "how",
    [
        {},
        {"C": 20.0},
        {"gamma": "auto"},
        {"kernel": "poly", "coef0": 1.0},
        {"kernel": "linear"},
        {"fit_intercept": False},
    ],
    ids=str,
)
def test_the_check_of_scikit_learn_confirms_that_weights_equal_copies(how, class_weight):
    check_sample_weight_equivalence_on_dense_data("ExactSVC", ExactSVC(class_weight=class_weight, **how))


@pytest.mark.parametrize("class_weight", [None, "balanced"])
def test_a_row_of_weight_k_is_k_rows_and_one_of_weight_0_is_none(class_weight):
    rng = np.random.default_rng(5)
    for _ in range(20):
        m, d = int(rng.integers(12, 40)), int(rng.integers(1, 4))
        X, Z = rng.normal(3.0, 2.0, size=(m, d)), rng.normal(3.0, 2.0, size=(30, d))
        y = np.where(X[:, 0] + rng.normal(size=m) > 3.0, "yes", "no")
        weights = rng.integers(0, 4, m)
        y[:3], weights[:3] = ("yes", "no", "perhaps"), (1, 1, 0)  # the third class weighs nothing
        X[2] = 1e6  # so far away that it would widen the Gaussian of all others
        own = ExactSVC(class_weight=class_weight).fit(X, y, weights)
        copies = ExactSVC(class_weight=class_weight).fit(np.repeat(X, weights, axis=0), np.repeat(y, weights))
        assert own.classes_.tolist() == copies.classes_.tolist() == ["no", "yes"]
        assert own.class_weight_ == pytest.approx(copies.class_weight_, rel=1e-12)
        gammas = [one.solution_.problem.kernel.gamma for one in (own, copies)]
        assert gammas[0] == pytest.approx(gammas[1], rel=1e-12)
        assert own.decision_function(Z) == pytest.approx(copies.decision_function(Z), abs=1e-6)
        assert (weights[own.support_] > 0).all()


def test_where_all_entries_are_equal_gamma_is_1_whatever_the_weights():
    X, y = np.full((3, 2), 0.1), [-1, 1, 1]
    for weights in (None, [1.0, 2.0, 0.3]):
        assert ExactSVC().fit(X, y, weights).solution_.problem.kernel.gamma == pytest.approx(1.0)


def test_a_row_of_weight_k_gives_what_k_rows_give():
    """Whole coordinates, so that many rows are equal and their load could be shared in many ways."""
    rng = np.random.default_rng(3)
    X, y, times = rng.integers(-2, 3, (40, 2)).astype(float), rng.choice([-1, 1], 40), rng.integers(0, 4, 40)
    rows = np.repeat(np.arange(40), times)
    weighted = ExactSVC(kernel="linear", C=0.5).fit(X, y, times)
    copied = ExactSVC(kernel="linear", C=0.5).fit(X[rows], y[rows])
    shared = np.bincount(rows[copied.support_], copied.dual_coef_[0], 40)
    assert shared[weighted.support_] == pytest.approx(weighted.dual_coef_[0], abs=1e-12)
    assert np.flatnonzero(shared).tolist() == np.sort(weighted.support_).tolist()
    assert copied.intercept_ == pytest.approx(weighted.intercept_, abs=1e-12)


def test_a_kernel_matrix_is_symmetric_up_to_round_off():
    grid = np.array([[i, j] for i in range(-2, 3) for j in range(-2, 3)], float) / 3
    y = np.where(grid.sum(1) > 0, 1, -1)
    K = grid @ grid.T
    K[0, 14] += 1e-16  # where the product is 0 in one order of the terms
    exact = ExactSVC(kernel="linear").fit(grid, y)
    assert ExactSVC(kernel="precomputed").fit(K, y).intercept_ == pytest.approx(exact.intercept_, abs=1e-9)


@pytest.mark.parametrize(("off_diagonal", "is_psd"), [(0.5, True), (1.0, True), (1.5, False)])
def test_one_negative_eigenvalue_makes_a_kernel_matrix_indefinite(off_diagonal, is_psd):
    K = np.array([[1.0, off_diagonal, 0.0], [off_diagonal, 1.0, 0.0], [0.0, 0.0, 1.0]])
    model = ExactSVC(kernel="precomputed").fit(K, [1, -1, 1])
    assert model.solutions_[0].problem.kernel.psd == is_psd


@pytest.mark.parametrize(
    ("how", "weights", "fragments"),
    [
        ({"kernel": "gaussian"}, None, ["kernel", "'gaussian'", "'rbf'"]),
        ({"kernel": lambda a, b: a[:5] @ b.T}, None, ["kernel", "(5, 80)", "(80, 80)"]),
        ({"kernel": lambda a, b: a @ (b + 1).T}, None, ["symmetric", "K[", "kernel function"]),
        ({"kernel": lambda a, b: a @ b.T * np.nan}, None, ["finite", "K[0, 0] = nan", "kernel function"]),
        ({"kernel": "precomputed"}, None, ["X", "square", "(80, 2)"]),
        ({"probability": True}, None, ["probability", "CalibratedClassifierCV(ExactSVC())"]),
        ({"decision_function_shape": "all"}, None, ["decision_function_shape", "'all'", "'ovr'"]),
        ({"gamma": "wide"}, None, ["gamma", "'wide'", "'scale'"]),
        ({"gamma": 0.0}, None, ["gamma", "0.0"]),
        ({"C": 0}, None, ["C", "0"]),
        ({"class_weight": {1: 0.0}}, None, ["class_weight", "above 0"]),
        ({"class_weight": "heavy"}, None, ["class_weight", "'heavy'", "'balanced'", "{label: weight}", "0, 1"]),
        ({"class_weight": {5: 1.0}}, None, ["class_weight", "{5: 1.0}", "0, 1"]),
        ({}, np.ones(79), ["sample_weight", "(79,)"]),
        ({}, np.r_[-1.0, np.ones(79)], ["sample_weight, row 0", "-1"]),
        ({}, np.zeros(80), ["sample_weight", "zero"]),
        ({}, MOONS.y > 0, ["two classes", "1 class", "rows of weight zero"]),
    ],
)
def test_what_it_does_not_take_is_refused_by_name(how, weights, fragments):
    with pytest.raises(BadInput) as caught:
        ExactSVC(**how).fit(MOONS.X, MOONS.y, weights)
    assert [f for f in fragments if f not in str(caught.value)] == []


@pytest.mark.parametrize(
    "how",
    [
        {"kernel": "linear"},
        {"kernel": "rbf", "class_weight": "balanced"},
        {"kernel": "poly", "coef0": 1.0, "decision_function_shape": "ovo"},
        {"kernel": "precomputed", "break_ties": True},
        {"kernel": quadratic},
    ],
    ids=["linear", "rbf", "poly", "precomputed", "function"],
)
def test_of_several_classes_everything_fitted_is_what_svc_fits(how):
    X, y = load_iris(return_X_y=True)
    X, y = StandardScaler().fit_transform(X), np.array(["setosa", "versicolor", "virginica"])[y]
    X = X @ X.T if how["kernel"] == "precomputed" else X
    own, svc = ExactSVC(C=2.0, **how).fit(X, y), SVC(C=2.0, **how, tol=1e-10).fit(X, y)
    assert all(solution.proven for solution in own.solutions_)
    for name in ("classes_", "n_support_", "support_"):
        assert np.array_equal(getattr(own, name), getattr(svc, name)), name
    names = ["dual_coef_", "intercept_", "class_weight_"] + ["coef_"] * (how["kernel"] == "linear")
    if not callable(how["kernel"]):  # of a function's kernel SVC keeps no points
        names.append("support_vectors_")
    for name in names:
        assert getattr(own, name) == pytest.approx(getattr(svc, name), abs=2e-4), name
    assert own.decision_function(X) == pytest.approx(svc.decision_function(X), abs=2e-4)
    assert own.predict(X).tolist() == svc.predict(X).tolist()
    assert own.n_iter_.shape == (3,)
    with pytest.raises(AttributeError, match="solutions_"):
        own.solution_


@pytest.mark.parametrize("class_weight", [None, "balanced", {0: 3.0, 2: 0.5}], ids=["none", "balanced", "dict"])
def test_weights_of_rows_of_several_classes_are_those_of_svc(class_weight):
    X, y = load_iris(return_X_y=True)
    weights = 0.25 + np.arange(150) % 4
    own = ExactSVC(kernel="linear", class_weight=class_weight).fit(X, y, weights)
    weight_of = dict(zip(own.classes_, own.class_weight_, strict=True))  # SVC balances without the weights
    svc = SVC(kernel="linear", class_weight=weight_of, tol=1e-10).fit(X, y, weights)
    assert own.support_.tolist() == svc.support_.tolist()
    for name in ("dual_coef_", "intercept_", "coef_"):
        assert getattr(own, name) == pytest.approx(getattr(svc, name), abs=2e-4), name


def test_where_rows_of_weight_0_are_left_out_a_matrix_keeps_the_numbers_of_its_rows():
    X, y = load_iris(return_X_y=True)
    weights = (np.arange(150) % 3).astype(float)
    K = (1 + X @ X.T) ** 2
    model = ExactSVC(kernel="precomputed").fit(K, y, weights)
    rows = np.flatnonzero(weights)
    fewer = ExactSVC(kernel="precomputed").fit(K[np.ix_(rows, rows)], y[rows], weights[rows])
    assert model.support_.tolist() == rows[fewer.support_].tolist()
    assert model.decision_function(K) == pytest.approx(fewer.decision_function(K[:, rows]), abs=1e-6)


@pytest.mark.parametrize(
    "kernel", ["linear", "rbf", "precomputed", quadratic], ids=["linear", "rbf", "precomputed", "function"]
)
def test_a_regression_is_what_svr_fits(kernel):
    X = CANCER[:120, :3]
    y = CANCER[:120, 3] + np.sin(CANCER[:120, 4])
    X = X @ X.T if kernel == "precomputed" else X
    own, svr = ExactSVR(kernel=kernel, epsilon=0.2).fit(X, y), SVR(kernel=kernel, epsilon=0.2, tol=1e-10).fit(X, y)
    assert own.solution_.proven
    assert own.predict(X) == pytest.approx(svr.predict(X), abs=1e-5)
    assert own.intercept_ == pytest.approx(svr.intercept_, abs=1e-5)
    assert own.n_support_.tolist() == svr.n_support_.tolist()
    assert own.score(X, y) == pytest.approx(svr.score(X, y), abs=1e-5)
    if kernel == "linear":
        assert own.coef_ == pytest.approx(svr.coef_, abs=1e-5)


@pytest.mark.parametrize("kernel", ["linear", "rbf"])
def test_weights_of_a_regression_are_those_of_svr(kernel):
    X, y = CANCER[:120, :3], CANCER[:120, 3] + np.sin(CANCER[:120, 4])
    weights = 0.25 + np.arange(120) % 4
    own = ExactSVR(kernel=kernel, gamma=0.5, epsilon=0.2).fit(X, y, weights)
    svr = SVR(kernel=kernel, gamma=0.5, epsilon=0.2, tol=1e-10).fit(X, y, weights)
    assert own.support_.tolist() == svr.support_.tolist()
    assert own.dual_coef_ == pytest.approx(svr.dual_coef_, abs=1e-4)
    assert own.predict(X) == pytest.approx(svr.predict(X), abs=1e-5)
    assert own.score(X, y, weights) == pytest.approx(svr.score(X, y, weights), abs=1e-5)
    some = np.where(np.arange(120) % 3, weights, 0.0)
    rows = np.flatnonzero(some)
    fewer = ExactSVR(kernel=kernel, gamma=0.5).fit(X[rows], y[rows], some[rows])
    assert own.set_params(epsilon=0.1).fit(X, y, some).support_.tolist() == rows[fewer.support_].tolist()
    with pytest.raises(BadInput, match="every weight is zero"):
        own.fit(X, y, np.zeros(120))


def test_the_rest_of_the_package_does_without_scikit_learn():
    program = """
import sys
import svmlab, svmlab.binary.report
assert svmlab.multiclass.solve and svmlab.regression.Tube  # a folder needs no import of its own
assert not [name for name in sys.modules if name.split(".")[0] in ("plotly", "sklearn")]
sys.modules["sklearn"] = None
try:
    import svmlab.sklearn
except ImportError as error:
    print(error)
"""
    printed = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert "svmlab.sklearn needs scikit-learn 1.6 or later" in printed
    assert "pip install" in printed
