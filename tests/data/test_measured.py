"""Fisher's flowers and the tumours from Wisconsin, by figures that are published and by scikit-learn's rows."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_iris

from svmlab import BadInput, Dataset, Linear, separate
from svmlab.data import breast_cancer, iris
from svmlab.data.measured import FEATURES, MEASUREMENTS, SPECIES


def test_there_are_fifty_flowers_of_each_species_with_the_means_of_the_paper():
    X, y = iris("setosa", "versicolor")
    assert (X.shape, (y > 0).sum(), (y < 0).sum()) == ((100, 4), 50, 50)
    assert np.allclose(X[y > 0].mean(0), [5.006, 3.428, 1.462, 0.246])
    assert np.allclose(X[y < 0].mean(0), [5.936, 2.770, 4.260, 1.326])


def test_they_are_those_of_scikit_learn_row_by_row():
    known = load_iris()
    for plus, minus in (("setosa", "versicolor"), ("virginica", "versicolor")):
        rows = np.isin(known.target_names[known.target], (plus, minus))
        X, y = iris(plus, minus)
        assert np.array_equal(X, known.data[rows])
        assert np.array_equal(y > 0, known.target_names[known.target[rows]] == plus)


def test_setosa_alone_can_be_separated_by_a_line():
    for features in (FEATURES[:3:2], FEATURES[2:]):
        assert separate(Dataset(*iris("setosa", "versicolor", features)), Linear()).separable
        assert not separate(Dataset(*iris("versicolor", "virginica", features)), Linear()).separable


@pytest.mark.parametrize(
    ("field", "arguments"),
    [("plus", ("rose",)), ("minus", ("setosa", "rose")), ("features", ("setosa", "virginica", ("height",)))],
)
def test_what_is_no_flower_is_refused_with_the_names_there_are(field, arguments):
    with pytest.raises(BadInput, match=f"{field}: '(rose|height)' is not in this data set") as refused:
        iris(*arguments)
    assert all(name in str(refused.value) for name in (FEATURES if field == "features" else SPECIES))


def test_one_species_is_no_pair():
    with pytest.raises(BadInput, match=r"minus: 'setosa' is the species of `plus` already"):
        iris("setosa", "setosa")


def test_there_are_569_tumours_with_the_ranges_that_uci_publishes():
    X, y = breast_cancer()
    assert (X.shape, (y > 0).sum(), (y < 0).sum()) == ((569, 10), 212, 357)
    assert X.min(0)[:5].tolist() == [6.981, 9.71, 43.79, 143.5, 0.05263]
    assert X.max(0)[:5].tolist() == [28.11, 39.28, 188.5, 2501.0, 0.1634]


def test_the_tumours_are_those_of_scikit_learn_row_by_row():
    known = load_breast_cancer()
    X, y = breast_cancer()
    assert [f"mean {name.replace('_', ' ')}" for name in MEASUREMENTS] == known.feature_names[:10].tolist()
    assert np.array_equal(X, known.data[:, :10])
    assert np.array_equal(y > 0, known.target_names[known.target] == "malignant")
    chosen, _ = breast_cancer(("texture", "radius"))
    assert np.array_equal(chosen, known.data[:, [1, 0]])


def test_an_unknown_measurement_is_refused_with_the_names_there_are():
    with pytest.raises(BadInput, match="features: 'colour' is not in this data set") as refused:
        breast_cancer(("radius", "colour"))
    assert all(name in str(refused.value) for name in MEASUREMENTS)
