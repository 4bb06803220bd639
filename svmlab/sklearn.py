"""The exact classifier as a scikit-learn estimator. Only this module imports scikit-learn (the extra `sklearn`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.binary.problem import Problem, checked_weights
from svmlab.binary.solve import solve
from svmlab.core.arrays import Array
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.core.rules import Number
from svmlab.core.validate import boolean
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Gaussian, Linear, Polynomial, Sigmoid

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.class_weight import compute_class_weight
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "svmlab.sklearn needs scikit-learn 1.6 or later; the rest of svmlab does without. "
        "Install it: python -m pip install 'scikit-learn>=1.6'."
    ) from error


class ExactSVC(ClassifierMixin, BaseEstimator):
    """The support vector classifier of two classes, solved exactly, with the parameters of scikit-learn's SVC.

    kernel: "linear", "poly", "rbf", "sigmoid", or a kernel of svmlab such as Gaussian(0.5), which has its own
    parameters. C: above 0, math.inf for the hard margin. gamma: "scale", "auto" or a number above 0, for all named
    kernels except the linear one; degree: of "poly"; coef0: of "poly" and "sigmoid". class_weight: None, "balanced" or
    {label: weight above 0}. fit_intercept: whether there is a bias b. For several classes use
    OneVsOneClassifier(ExactSVC()) or OneVsRestClassifier(ExactSVC()).

    A row of whole weight k in sample_weight is the same as k equal rows, and a row of weight 0 is the same as no row.
    Therefore gamma="scale" uses the weighted variance and class_weight="balanced" the weighted class counts. SVC
    ignores the weights in both places. So with unequal weights the two agree only if gamma and class_weight are given
    as numbers.

    Fitted attributes: solution_ (the result of `solve`: solution_.proven, solution_.alpha_unique, ...), classes_ (2,),
    support_ (k,) rows of X, class by class, support_vectors_ (k, d), n_support_ (2,), dual_coef_ (1, k), intercept_
    (1,), coef_ (1, d) for the linear kernel, class_weight_ (2,), n_iter_ exchanges, n_features_in_, feature_names_in_.
    If a kernel is indefinite on the points, the problem that is solved differs from that of SVC, and solution_.clipped
    says so.
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Kernel = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        class_weight: dict[Any, float] | str | None = None,
        fit_intercept: bool = True,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ExactSVC:
        """Solve for X (m, d) and labels y (m,) of two classes.

        sample_weight: (m,), 0 or above, in units of C. Rows of weight 0 are left out before anything is computed, so a
        class without other rows is not in classes_. None gives every row the weight 1. Raises BadInput (a ValueError),
        NotSeparable if the hard margin has no solution, and SolverFailed.
        """
        X, y = validate_data(self, X, y, dtype=np.float64)
        check_classification_targets(y)
        rows, weights = np.arange(len(X)), None
        if sample_weight is not None:
            weights = checked_weights(sample_weight, len(X), "sample_weight", zero=True)
            rows = np.flatnonzero(weights)
            weights = weights[rows]
        some_left_out, X, y = len(rows) < len(X), X[rows], y[rows]
        self.classes_ = np.unique(y)
        _require_two_classes(
            len(self.classes_),
            N_(" once the rows of weight zero in sample_weight are left out") if some_left_out else "",
        )
        self.class_weight_ = self._class_weight(y, weights)
        minus, plus = (Number(above=0.0)("class_weight", weight) for weight in self.class_weight_.tolist())
        data = Dataset(X, y, rows, labels=self.classes_.tolist())
        bias = boolean("fit_intercept", self.fit_intercept)
        problem = Problem(data, self._svmlab_kernel(X, weights), self.C, bias, (plus, minus), weights)
        self.solution_ = solution = solve(problem)
        solution.reusable_gram.clear()  # only a warm start could use these kernel rows
        terms = np.flatnonzero(solution.coefficients)
        terms = terms[np.argsort(data.y[terms], kind="stable")]
        self.support_ = data.ids[terms]
        self.support_vectors_ = data.X[terms]
        self.n_support_ = np.array([(data.y[terms] < 0).sum(), (data.y[terms] > 0).sum()])
        self.dual_coef_ = solution.coefficients[terms][None, :]
        self.intercept_ = np.array([solution.b])
        self.n_iter_ = solution.steps
        return self

    def decision_function(self, X: Any) -> Array:
        """Return f at each row of X (n, d), shape (n,). It is above 0 for classes_[1]."""
        check_is_fitted(self)
        return self.solution_.decision(validate_data(self, X, dtype=np.float64, reset=False))

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row of X (n, d), shape (n,)."""
        plus = self.decision_function(X) > 0
        return np.asarray(self.classes_[plus.astype(np.intp)])

    @property
    def coef_(self) -> Array:
        """The vector w of the linear kernel, shape (1, d)."""
        check_is_fitted(self)
        if not self.solution_.problem.kernel.is_linear or self.solution_.w is None:
            raise AttributeError("coef_: only a linear kernel has one. See solution_.w for the features of another.")
        return self.solution_.w[None, :]

    def _class_weight(self, y: NDArray[Any], weights: Array | None) -> Array:
        """Return the cost of a row of each class, shape (2,).

        "balanced" means: sum of all weights / (2 sum of the weights of this class).
        """
        if weights is None or not (isinstance(self.class_weight, str) and self.class_weight == "balanced"):
            return np.asarray(compute_class_weight(self.class_weight, classes=self.classes_, y=y))
        shares = weights / weights.max()
        counts = np.array([shares[y == label].sum() for label in self.classes_])
        return np.asarray(counts.sum() / (2 * counts))

    def _svmlab_kernel(self, X: Array, weights: Array | None) -> Kernel:
        """Return the kernel that the parameters describe, for these points. Raises BadInput."""
        if isinstance(self.kernel, Kernel):
            return self.kernel
        make_kernel = NAMED.get(self.kernel) if isinstance(self.kernel, str) else None
        if make_kernel is None:
            raise BadInput(
                "kernel: {kernel} is unknown. Choose {choices}, or a kernel of svmlab, such as Composed(...); "
                "functions and "
                "precomputed matrices cannot say what the exact solver has to know.",
                kernel=quoted(self.kernel),
                choices=", ".join(map(repr, NAMED)),
            )
        return make_kernel(self, _gamma(self.gamma, X, weights))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.multi_class = False
        return tags


NAMED: dict[str, Callable[[ExactSVC, float], Kernel]] = {
    "linear": lambda estimator, gamma: Linear(),
    "poly": lambda estimator, gamma: Polynomial(estimator.degree, estimator.coef0, gamma),
    "rbf": lambda estimator, gamma: Gaussian(gamma=gamma),
    "sigmoid": lambda estimator, gamma: Sigmoid(gamma, estimator.coef0),
}


def _gamma(gamma: Any, X: Array, weights: Array | None) -> float:
    """Return gamma: "auto" is 1/d, and "scale" is 1/(d var X) with each row counted by its weight.

    If all entries of X are equal, "scale" is 1.
    """
    d, variance = X.shape[1], None
    if isinstance(gamma, str) and gamma == "auto":
        variance = 1.0
    elif isinstance(gamma, str) and gamma == "scale":
        variance = _variance(X, weights) or 1.0 / d
    if variance is not None:
        return 1.0 / (d * variance)
    try:
        return Number(above=0.0)("gamma", gamma)
    except BadInput as reason:
        raise BadInput("{reason} Or take 'scale' or 'auto'.", reason=reason) from None


def _variance(X: Array, weights: Array | None) -> float:
    """Return the variance of all entries of X, each row counted by its weight, and exactly 0 if they are equal."""
    if np.ptp(X) == 0:
        return 0.0
    if weights is None:
        return float(X.var())
    shares = weights / weights.max()
    middle = np.average(X.mean(axis=1), weights=shares)
    return float(np.average(np.square(X - middle).mean(axis=1), weights=shares))


def _require_two_classes(classes: int, where: str = "") -> None:
    if classes > 2:
        raise BadInput(
            "y: Only binary classification is supported. The type of the target is multiclass, {classes} classes. "
            "Use OneVsOneClassifier(ExactSVC()) or OneVsRestClassifier(ExactSVC()).",
            classes=classes,
        )
    if classes < 2:
        raise BadInput(
            "y: there have to be points of two classes, got {classes} class{where}. Add some of the other.",
            classes=classes,
            where=where,
        )
