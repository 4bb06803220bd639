"""The confusion matrix of a classifier, and the ratios that are made of it.

    n_jk = sum of v_i over the points of class j that are predicted as class k,  v_i the weight of point i
    recall_j = n_jj / n_j.      precision_j = n_jj / n_.j      F1_j = 2 n_jj / (n_j. + n_.j)
    balanced accuracy = the mean of recall_j over the classes that have points

(n_j. sums a row, with the points of class j that have no predicted class, and n_.j sums a column.) A ratio whose
denominator is 0 has no value, and it says in words why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from svmlab.core.arrays import Array, Frozen, Index, Mask, frozen
from svmlab.core.errors import BadInput
from svmlab.core.phrase import N_, Phrase
from svmlab.core.validate import validated


@dataclass(frozen=True)
class Ratio:
    """A ratio part/whole, and why it has no value where whole = 0, as one sentence."""

    part: float
    whole: float
    undefined_because: str

    @property
    def value(self) -> float | None:
        """part/whole, or None where whole = 0."""
        return self.part / self.whole if self.whole else None

    def __str__(self) -> str:
        """Return the value with three digits, or the reason why there is none."""
        return self.undefined_because if self.value is None else f"{self.value:.3g}"


@dataclass(frozen=True, eq=False)
class Confusion(Frozen):
    """How many points of each class a classifier predicts as which class.

    classes: the k labels. counts: (k, k), entry (j, k) the total weight of the points of classes[j] that are predicted
    as classes[k]. undecided: (k,) the total weight of the points of each class that have no predicted class.
    """

    classes: tuple[int, ...]
    counts: Array
    undecided: Array

    @property
    def sizes(self) -> Array:
        """The total weight of the points of each class, shape (k,)."""
        return self.counts.sum(1) + self.undecided

    @property
    def predicted(self) -> Array:
        """The total weight of the points that are predicted as each class, shape (k,)."""
        return self.counts.sum(0)

    @property
    def recalls(self) -> tuple[Ratio, ...]:
        """The fraction of each class that is predicted correctly."""
        return self._ratios(self.sizes, N_("Class {label} has no points."))

    @property
    def precisions(self) -> tuple[Ratio, ...]:
        """The fraction of the points predicted as each class that belong to it."""
        return self._ratios(self.predicted, N_("No point is predicted as class {label}."))

    @property
    def f1_scores(self) -> tuple[Ratio, ...]:
        """The harmonic mean of recall and precision of each class, 2 TP/(2 TP + FP + FN)."""
        reason = N_("Class {label} has no points, and no point is predicted as class {label}.")
        return self._ratios((self.sizes + self.predicted) / 2, reason)

    @property
    def balanced_accuracy(self) -> Ratio:
        """The mean of the recalls of the classes that have points."""
        recalls = [value for value in (each.value for each in self.recalls) if value is not None]
        return Ratio(float(sum(recalls)), float(len(recalls)), N_("There are no points."))

    def _ratios(self, wholes: Array, reason: str) -> tuple[Ratio, ...]:
        return tuple(
            Ratio(float(part), float(whole), Phrase(reason, label=class_name(label, self.classes)))
            for part, whole, label in zip(np.diag(self.counts), wholes, self.classes, strict=True)
        )


def class_name(label: int, classes: Sequence[int]) -> str:
    """Return the name of a class: +1 or −1 of two classes, and the number of several."""
    return f"{label:+d}".replace("-", "−") if set(classes) == {1, -1} else str(label)


@validated
def confusion(
    labels: Index,
    predicted: Index,
    undecided: Mask | None = None,
    weights: Array | None = None,
    classes: Sequence[int] | None = None,
) -> Confusion:
    """Return the confusion matrix of points with these labels (m,) and predicted labels (m,).

    undecided: (m,) the points whose prediction does not count, because two classes tie. weights: (m,) how many times a
    point counts, 1 by default. Class costs change the solution and not how often a point counts. classes: the labels in
    the order of the rows, by default those that occur in increasing order. Raises BadInput.
    """
    if labels.ndim != 1:
        raise BadInput(
            "labels must be one-dimensional, with one label for each point. Its shape is {shape}.", shape=labels.shape
        )
    m = len(labels)
    open_cases = np.zeros(m, dtype=bool) if undecided is None else undecided
    v = np.ones(m) if weights is None else weights
    for name, values in (("predicted", predicted), ("undecided", open_cases), ("weights", v)):
        if values.shape != (m,):
            raise BadInput(
                "{name} has the shape {shape}, and there are {m} labels. Give one value for each label.",
                name=name,
                shape=values.shape,
                m=m,
            )
    if (v < 0).any():
        raise BadInput(
            "weights: {value} is negative. A weight says how many times a point counts, so give 0 or more.",
            value=float(v.min()),
        )
    known = np.unique(np.concatenate([labels, predicted[~open_cases]])).tolist() if classes is None else list(classes)
    if len(set(known)) < len(known):
        raise BadInput("classes: {classes} names a class twice. Give each label once.", classes=known)
    for name, values in (("labels", labels), ("predicted", predicted[~open_cases])):
        others = sorted(set(values.tolist()) - set(known))
        if others:
            raise BadInput(
                "{name}: class {other} is none of {classes}. Add it to classes.",
                name=name,
                other=others[0],
                classes=known,
            )
    place = {label: i for i, label in enumerate(known)}
    counts, missing = np.zeros((len(known), len(known))), np.zeros(len(known))
    for label, given, tie, weight in zip(labels.tolist(), predicted.tolist(), open_cases, v, strict=True):
        if tie:
            missing[place[label]] += weight
        else:
            counts[place[label], place[given]] += weight
    return Confusion(tuple(known), frozen(counts), frozen(missing))


@validated
def confusion_of_errors(y: Array, errors: Mask, weights: Array | None = None) -> Confusion:
    """Return the confusion matrix of two classes, +1 first, from the signs y (m,) and which points are errors (m,).

    An error counts as predicted as the other class. A point on the boundary, y f = 0, is an error. So the entries
    outside the diagonal sum to the number of errors, as in `Solution.errors` and `HeldOut.errors`. weights: as in
    `confusion`. Raises BadInput.
    """
    if y.ndim != 1 or not np.isin(y, (-1.0, 1.0)).all():
        raise BadInput("y: the signs must be a list of -1 and +1, one for each point.")
    if errors.shape != y.shape:
        raise BadInput(
            "errors has the shape {shape}, and y has {m} signs. Give one value for each sign.",
            shape=errors.shape,
            m=len(y),
        )
    signs = y.astype(np.int64)
    return confusion(signs, np.where(errors, -signs, signs), weights=weights, classes=(1, -1))
