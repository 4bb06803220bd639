"""Fisher's flowers, by figures that his paper and every textbook give."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from svmlab import BadInput, Dataset, Linear, separate
from svmlab.data import iris
from svmlab.data.measured import FEATURES, SPECIES


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
