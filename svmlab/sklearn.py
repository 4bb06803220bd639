"""The exact SVMs as scikit-learn estimators. Only this module imports scikit-learn (the extra `sklearn`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from svmlab.binary.problem import Problem, checked_weights
from svmlab.binary.solution import Solution
from svmlab.binary.solve import solve
from svmlab.core.arrays import EPS, Array, Frozen, Index, digest, frozen
from svmlab.core.errors import BadInput, quoted
from svmlab.core.phrase import N_
from svmlab.core.rules import Number
from svmlab.core.validate import boolean, one_of
from svmlab.data import Dataset
from svmlab.kernels.base import Kernel
from svmlab.kernels.standard import Gaussian, Linear, Polynomial, Sigmoid
from svmlab.regression import Fit, Tube, Values
from svmlab.regression import solve as solve_tube

try:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.utils.class_weight import compute_class_weight
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import check_is_fitted, validate_data
except ImportError as error:
    raise ImportError(
        "svmlab.sklearn needs scikit-learn 1.6 or later; the rest of svmlab does without. "
        "Install it: python -m pip install 'scikit-learn>=1.6'."
    ) from error

SYMMETRY = 1e-9  # of the largest entry: a difference up to it between K_ij and K_ji is round-off


@dataclass(frozen=True, eq=False)
class _MatrixKernel(Frozen, Kernel):
    """A kernel that is known on the training points only: K_ij for the points i and j, whose coordinate is i / m."""

    K: Array

    def __post_init__(self) -> None:
        if not np.isfinite(self.K).all():
            i, j = map(int, np.argwhere(~np.isfinite(self.K))[0])
            raise BadInput(
                "The kernel matrix must be finite, but K[{i}, {j}] = {value}. Correct X, or the kernel function.",
                i=i,
                j=j,
                value=float(self.K[i, j]),
            )
        asymmetry = np.abs(self.K - self.K.T)
        if asymmetry.max(initial=0.0) > SYMMETRY * np.abs(self.K).max(initial=0.0):
            i, j = map(int, np.unravel_index(int(asymmetry.argmax()), self.K.shape))
            raise BadInput(
                "The kernel matrix must be symmetric, but K[{i}, {j}] = {one!r} and K[{j}, {i}] = {other!r}. "
                "Correct X, or the kernel function.",
                i=i,
                j=j,
                one=float(self.K[i, j]),
                other=float(self.K[j, i]),
            )

    @staticmethod
    def points(rows: Index, m: int) -> Array:
        """Return the points (len(rows), 1) that stand for these rows of a matrix (m, m)."""
        return np.asarray(rows[:, None] / m)

    def _rows(self, X: Array) -> Index:
        return np.rint(X[:, 0] * len(self.K)).astype(np.intp)

    @property
    def name(self) -> str:
        """Return "precomputed"."""
        return "precomputed"

    @property
    def key(self) -> str:
        """Return a digest of the matrix."""
        return f"precomputed({digest(self.K)})"

    @property
    def formula(self) -> str:
        """The entry of the matrix."""
        return "K_{ij}"

    sklearn = numpy = property(lambda self: 'kernel="precomputed"')

    @cached_property
    def psd(self) -> bool:
        """Whether no eigenvalue of the matrix is below 0 by more than rounding."""
        eigenvalues = np.linalg.eigvalsh(self.K)
        return bool(eigenvalues[0] >= -len(self.K) * EPS * max(eigenvalues[-1], 0.0))

    def diag(self, X: Array) -> Array:
        """Return K_ii, shape (len(X),)."""
        rows = self._rows(X)
        return np.asarray(self.K[rows, rows])

    def _values(self, X: Array, Z: Array) -> Array:
        return np.asarray(self.K[np.ix_(self._rows(X), self._rows(Z))])

    def _gradient(self, X: Array, c: Array, Z: Array) -> Array:
        raise BadInput("kernel: a precomputed matrix has no gradient.")


class _KernelEstimator(BaseEstimator):
    """What the classifier and the regression share: how their parameters describe a kernel."""

    kernel: str | Kernel | Callable[[Array, Array], Array]
    degree: int
    gamma: str | float
    coef0: float

    def _validated(self, X: Any, y: Any, **rules: Any) -> tuple[Array, NDArray[Any]]:
        X, y = validate_data(self, X, y, dtype=np.float64, **rules)
        if self._is_precomputed and X.shape[0] != X.shape[1]:
            raise BadInput(
                'X: with kernel="precomputed" it must be the square matrix of all kernel values, not of shape {shape}.',
                shape=X.shape,
            )
        return X, y

    @property
    def _is_precomputed(self) -> bool:
        return isinstance(self.kernel, str) and self.kernel == "precomputed"

    @property
    def _is_function(self) -> bool:
        return callable(self.kernel) and not isinstance(self.kernel, Kernel)

    def _points_and_kernel(self, X: Array, rows: Index, weights: Array | None) -> tuple[Array, Kernel]:
        """Return the points of these rows of X (m, d) and the kernel between them. Raises BadInput.

        Of a matrix, or of a function that yields one, the points are the numbers of their rows.
        """
        if isinstance(self.kernel, Kernel):
            return X[rows], self.kernel
        if self._is_precomputed or self._is_function:
            K = X if self._is_precomputed else self._called(X, X)
            return _MatrixKernel.points(rows, len(K)), _MatrixKernel(frozen(K))
        make_kernel = NAMED.get(self.kernel) if isinstance(self.kernel, str) else None
        if make_kernel is None:
            raise BadInput(
                "kernel: {kernel} is unknown. Choose {choices}, 'precomputed', a function of two tables, or a kernel "
                "of svmlab, such as Composed(...).",
                kernel=quoted(self.kernel),
                choices=", ".join(map(repr, NAMED)),
            )
        return X[rows], make_kernel(self, _gamma(self.gamma, X[rows], weights))

    def _called(self, X: Array, Z: Array) -> Array:
        """Return the matrix (len(X), len(Z)) that the function `kernel` yields. Raises BadInput for another shape."""
        assert callable(self.kernel)
        values = np.asarray(self.kernel(X, Z), dtype=np.float64)
        if values.shape != (len(X), len(Z)):
            raise BadInput(
                "kernel: the function returned shape {shape} for {m} and {n} points. It must return ({m}, {n}).",
                shape=values.shape,
                m=len(X),
                n=len(Z),
            )
        return values

    def _values_at(self, X: Any) -> Callable[[Solution | Fit, Array], Array]:
        """Return the function that evaluates a solution, with these coefficients of its points, at each row of X."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        if not (self._is_precomputed or self._is_function):
            return lambda solution, coefficients: solution.decision(X)
        K = X if self._is_precomputed else self._called(X, self._fit_X)

        def evaluate(solution: Solution | Fit, coefficients: Array) -> Array:
            if solution.is_constant:
                return np.full(len(K), solution.b)
            return np.asarray(K[:, solution.problem.data.ids] @ coefficients + solution.b)

        return evaluate

    def _vectors(self, X: Array, rows: Index) -> Array:
        """Return the support vectors, which are unknown, of shape (0, 0), where only a matrix is known."""
        return np.empty((0, 0)) if self._is_precomputed else X[rows]

    def _w(self, solution: Solution | Fit) -> Array:
        if not solution.problem.kernel.is_linear or solution.w is None:
            raise AttributeError("coef_: only a linear kernel has one. See solution_.w for the features of another.")
        return solution.w

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self._is_precomputed
        return tags


class ExactSVC(ClassifierMixin, _KernelEstimator):
    """The support vector classifier, solved exactly, with the parameters of scikit-learn's SVC.

    kernel: "linear", "poly", "rbf", "sigmoid", "precomputed" (X is then the matrix of kernel values), a function of two
    tables that returns such a matrix, or a kernel of svmlab such as Gaussian(0.5), which has its own parameters. C:
    above 0, math.inf for the hard margin; with m rows it is 1/(lambda m) for the lambda of Problem.from_lambda, pegasos
    and SGDClassifier(alpha=lambda). gamma: "scale", "auto" or a number above 0, for all named kernels except the
    linear one; degree: of "poly"; coef0: of "poly" and "sigmoid". class_weight: None, "balanced" or {label: weight
    above 0}. fit_intercept: whether there is a bias b. probability: must be False, because probabilities need a second
    fit; use CalibratedClassifierCV(ExactSVC()).

    Several classes are solved one-vs-one, an SVM for each pair of classes, and the class with the most votes is
    predicted, the first of those that tie. decision_function_shape: "ovr" for one value for each class, "ovo" for one
    for each pair (i, j), i < j, which is above 0 for class i. break_ties: whether the largest value of "ovr" predicts,
    which also decides between classes with equally many votes.

    A row of whole weight k in sample_weight is the same as k equal rows, and a row of weight 0 is the same as no row.
    Therefore gamma="scale" uses the weighted variance and class_weight="balanced" the weighted class counts. SVC
    ignores the weights in both places. So with unequal weights the two agree only if gamma and class_weight are given
    as numbers.

    Fitted attributes, n classes and p = n (n - 1) / 2 pairs: solutions_ (a result of `solve` for each pair), solution_
    (of two classes: the only one), classes_ (n,), support_ (k,) rows of X, class by class, support_vectors_ (k, d),
    n_support_ (n,), dual_coef_ (n - 1, k), intercept_ (p,), coef_ (p, d) for the linear kernel, class_weight_ (n,),
    n_iter_ (p,) exchanges, n_features_in_, feature_names_in_. If a kernel is indefinite on the points, the problem that
    is solved differs from that of SVC, and `clipped_eigenvalue` of the solution says so.
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        kernel: str | Kernel | Callable[[Array, Array], Array] = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        class_weight: dict[Any, float] | str | None = None,
        fit_intercept: bool = True,
        probability: bool = False,
        decision_function_shape: str = "ovr",
        break_ties: bool = False,
    ) -> None:
        self.C = C
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.class_weight = class_weight
        self.fit_intercept = fit_intercept
        self.probability = probability
        self.decision_function_shape = decision_function_shape
        self.break_ties = break_ties

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ExactSVC:
        """Solve for X (m, d) and labels y (m,) of two or more classes.

        sample_weight: (m,), 0 or above, in units of C. Rows of weight 0 are left out before anything is computed, so a
        class without other rows is not in classes_. None gives every row the weight 1. Raises BadInput (a ValueError),
        NotSeparable if the hard margin has no solution, and SolverFailed.
        """
        self._check_parameters()
        X, y = self._validated(X, y)
        check_classification_targets(y)
        rows, weights = _weighted_rows(sample_weight, len(X))
        self.classes_, index = np.unique(y[rows], return_inverse=True)
        if len(self.classes_) < 2:
            raise BadInput(
                "y: there must be points of two classes, but there is only {classes} class{where}. Add points of the "
                "other class.",
                classes=len(self.classes_),
                where=N_(" once the rows of weight zero in sample_weight are left out") if len(rows) < len(X) else "",
            )
        self.class_weight_ = self._class_weight(y[rows], weights)
        costs = [Number(above=0.0)("class_weight", weight) for weight in self.class_weight_.tolist()]
        points, kernel = self._points_and_kernel(X, rows, weights)
        bias = boolean("fit_intercept", self.fit_intercept)
        labels = self.classes_.tolist()
        two = len(labels) == 2  # f of two classes is above 0 for the second one, and f of a pair for its first
        solutions = list[Solution]()
        for pair in combinations(range(len(labels)), 2):
            minus, plus = pair if two else pair[::-1]
            own = np.flatnonzero((index == minus) | (index == plus))
            data = Dataset(points[own], y[rows[own]], rows[own], labels=[labels[minus], labels[plus]])
            shares = None if weights is None else weights[own]
            solution = solve(Problem(data, kernel, self.C, bias, (costs[plus], costs[minus]), shares))
            solutions.append(replace(solution, warm_start=None))  # no other fit begins with this one
        self.solutions_ = tuple(solutions)
        self._fit_X = X if self._is_function else None
        self._collect(X, np.searchsorted(self.classes_, y[rows]), rows)
        return self

    def _check_parameters(self) -> None:
        if boolean("probability", self.probability):
            raise BadInput(
                "probability: True is not possible, because probabilities need a second fit. Use "
                "CalibratedClassifierCV(ExactSVC()) of sklearn.calibration."
            )
        one_of(("ovr", "ovo"))("decision_function_shape", self.decision_function_shape)
        boolean("break_ties", self.break_ties)

    def _collect(self, X: Array, index: Index, rows: Index) -> None:
        """Set the attributes that gather all pairs, as SVC has them."""
        n, m = len(self.classes_), len(X)
        of_class = np.full(m, -1)
        of_class[rows] = index
        coefficients = np.zeros((n - 1, m))
        for (i, j), solution in zip(combinations(range(n), 2), self.solutions_, strict=True):
            ids, c = solution.problem.data.ids, solution.coefficients
            own = of_class[ids] == i
            coefficients[j - 1, ids[own]] = c[own]
            coefficients[i, ids[~own]] = c[~own]
        terms = np.flatnonzero(coefficients.any(axis=0))
        terms = terms[np.argsort(of_class[terms], kind="stable")]
        self.support_ = terms
        self.support_vectors_ = self._vectors(X, terms)
        self.n_support_ = np.bincount(of_class[terms], minlength=n).astype(np.int32)
        self.dual_coef_ = coefficients[:, terms]
        self.intercept_ = np.array([solution.b for solution in self.solutions_])
        self.n_iter_ = np.array([solution.steps for solution in self.solutions_], dtype=np.int32)

    @property
    def solution_(self) -> Solution:
        """The result of `solve` for two classes. Raises AttributeError for several, which have `solutions_`."""
        check_is_fitted(self)
        if len(self.solutions_) > 1:
            raise AttributeError("solution_: there are several classes. See solutions_, a solution for each pair.")
        return self.solutions_[0]

    def _pair_values(self, X: Any) -> Array:
        """Return f of each pair at each row of X (n, d), shape (n, p)."""
        value = self._values_at(X)
        return np.stack([value(solution, solution.coefficients) for solution in self.solutions_], axis=1)

    def decision_function(self, X: Any) -> Array:
        """Return the decision values at each row of X (n, d).

        Of two classes f, shape (n,), which is above 0 for classes_[1]. Of several classes: "ovo" gives f of each pair,
        shape (n, p), and "ovr" the number of votes of each class plus its confidence, which is between -1/3 and 1/3,
        shape (n, number of classes), as SVC does.
        """
        return self._shaped(self._pair_values(X))

    def _shaped(self, f: Array) -> Array:
        n = len(self.classes_)
        if n == 2:
            return np.asarray(f[:, 0])
        if self.decision_function_shape == "ovo":
            return f
        votes, confidences = self._votes(f), np.zeros((len(f), n))
        for k, (i, j) in enumerate(combinations(range(n), 2)):
            confidences[:, i] += f[:, k]
            confidences[:, j] -= f[:, k]
        return np.asarray(votes + confidences / (3 * (np.abs(confidences) + 1)))

    def _votes(self, f: Array) -> Array:
        """Return the votes of the pairs with values f (k, p) for each class, shape (k, number of classes)."""
        votes = np.zeros((len(f), len(self.classes_)))
        for k, (i, j) in enumerate(combinations(range(len(self.classes_)), 2)):
            votes[:, i] += f[:, k] > 0
            votes[:, j] += f[:, k] <= 0
        return votes

    def predict(self, X: Any) -> NDArray[Any]:
        """Return the class of each row of X (n, d), shape (n,). Raises BadInput for break_ties with "ovo"."""
        check_is_fitted(self)
        if self.break_ties and self.decision_function_shape == "ovo":
            raise BadInput(
                'break_ties must be False when decision_function_shape is "ovo", which has no value for each class. '
                'Use "ovr".'
            )
        f = self._pair_values(X)
        if len(self.classes_) == 2:
            index = (f[:, 0] > 0).astype(np.intp)
        else:
            index = (self._shaped(f) if self.break_ties else self._votes(f)).argmax(axis=1)
        return np.asarray(self.classes_[index])

    @property
    def coef_(self) -> Array:
        """The vectors w of the linear kernel, shape (p, d)."""
        check_is_fitted(self)
        return frozen(np.stack([self._w(solution) for solution in self.solutions_]))

    def _class_weight(self, y: NDArray[Any], weights: Array | None) -> Array:
        """Return the cost of a row of each class, shape (number of classes,).

        "balanced" means: sum of all weights / (number of classes x sum of the weights of this class).
        """
        if weights is None or not (isinstance(self.class_weight, str) and self.class_weight == "balanced"):
            try:
                return np.asarray(compute_class_weight(self.class_weight, classes=self.classes_, y=y))
            except ValueError as error:
                raise BadInput(
                    "class_weight: {given} is neither None nor 'balanced' nor {{label: weight}} with labels of y. The "
                    "labels are {labels}.",
                    given=quoted(self.class_weight),
                    labels=", ".join(map(repr, self.classes_.tolist())),
                ) from error
        shares = weights / weights.max()
        counts = np.array([shares[y == label].sum() for label in self.classes_])
        return np.asarray(counts.sum() / (len(counts) * counts))


class ExactSVR(RegressorMixin, _KernelEstimator):
    """Support vector regression with an ε-insensitive tube, solved exactly, with the parameters of scikit-learn's SVR.

    kernel, degree, gamma, coef0: as for ExactSVC, but the kernel must be positive semidefinite. C: above 0 and finite.
    epsilon: half the height of the tube, 0 or above, in the units of y. fit_intercept: whether there is a bias b.

    Fitted attributes: solution_ (the result of `svmlab.regression.solve`), support_ (k,) rows of X, support_vectors_
    (k, d), n_support_ (1,), dual_coef_ (1, k) of alpha - alpha*, intercept_ (1,), coef_ (1, d) for the linear kernel,
    n_iter_ exchanges, n_features_in_, feature_names_in_.
    """

    def __init__(
        self,
        *,
        C: float = 1.0,
        epsilon: float = 0.1,
        kernel: str | Kernel | Callable[[Array, Array], Array] = "rbf",
        degree: int = 3,
        gamma: str | float = "scale",
        coef0: float = 0.0,
        fit_intercept: bool = True,
    ) -> None:
        self.C = C
        self.epsilon = epsilon
        self.kernel = kernel
        self.degree = degree
        self.gamma = gamma
        self.coef0 = coef0
        self.fit_intercept = fit_intercept

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ExactSVR:
        """Solve for X (m, d) and values y (m,).

        sample_weight: (m,) numbers that are 0 or above. They multiply C, row by row. A row of weight 0 is left out.
        None gives every row the weight 1. Raises BadInput (a ValueError) and SolverFailed.
        """
        X, y = self._validated(X, y, y_numeric=True)
        rows, weights = _weighted_rows(sample_weight, len(X))
        if not len(rows):
            raise BadInput("sample_weight: every weight is zero. Give at least one row a weight above 0.")
        points, kernel = self._points_and_kernel(X, rows, weights)
        eps = Number(minimum=0.0)("epsilon", self.epsilon)
        bias = boolean("fit_intercept", self.fit_intercept)
        tube = Tube(Values(points, y[rows], rows), kernel, self.C, eps, bias, weights)
        self.solution_ = solution = solve_tube(tube)
        self._fit_X = X if self._is_function else None
        terms = np.flatnonzero(solution.beta)
        self.support_ = rows[terms]
        self.support_vectors_ = self._vectors(X, self.support_)
        self.n_support_ = np.array([len(self.support_)], dtype=np.int32)
        self.dual_coef_ = solution.beta[terms][None, :]
        self.intercept_ = np.array([solution.b])
        self.n_iter_ = solution.steps
        return self

    def predict(self, X: Any) -> Array:
        """Return f at each row of X (n, d), shape (n,)."""
        return self._values_at(X)(self.solution_, self.solution_.beta)

    @property
    def coef_(self) -> Array:
        """The vector w of the linear kernel, shape (1, d)."""
        check_is_fitted(self)
        return frozen(self._w(self.solution_)[None, :])


NAMED: dict[str, Callable[[_KernelEstimator, float], Kernel]] = {
    "linear": lambda estimator, gamma: Linear(),
    "poly": lambda estimator, gamma: Polynomial(estimator.degree, estimator.coef0, gamma),
    "rbf": lambda estimator, gamma: Gaussian(gamma=gamma),
    "sigmoid": lambda estimator, gamma: Sigmoid(gamma, estimator.coef0),
}


def _weighted_rows(sample_weight: Any, m: int) -> tuple[Index, Array | None]:
    """Return the rows of m with a weight above 0, and these weights. Raises BadInput."""
    if sample_weight is None:
        return np.arange(m), None
    weights = checked_weights(sample_weight, m, "sample_weight", zero=True)
    rows = np.flatnonzero(weights)
    return rows, weights[rows]


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
        raise BadInput("{reason} You can also use 'scale' or 'auto'.", reason=reason) from None


def _variance(X: Array, weights: Array | None) -> float:
    """Return the variance of all entries of X, each row counted by its weight, and exactly 0 if they are equal."""
    if np.ptp(X) == 0:
        return 0.0
    if weights is None:
        return float(X.var())
    shares = weights / weights.max()
    middle = np.average(X.mean(axis=1), weights=shares)
    return float(np.average(np.square(X - middle).mean(axis=1), weights=shares))
