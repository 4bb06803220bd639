"""Points that somebody measured: Fisher's iris flowers, and breast tumours from Wisconsin.

iris.csv holds 150 flowers, 50 of each of three species, with four lengths in cm. Source: R. A. Fisher, The use of
multiple measurements in taxonomic problems, Annals of Eugenics 7 (1936), 179-188, as the UCI Machine Learning
Repository publishes it under the Creative Commons licence CC BY 4.0 (doi.org/10.24432/C56C76), with the two rows
corrected that differ there from Fisher's paper.

breast_cancer.csv holds 569 breast tumours, 212 of them malignant, with ten measurements, each the mean over the cell
nuclei in one image. Source: W. N. Street, W. H. Wolberg, O. L. Mangasarian, Nuclear feature extraction for breast tumor
diagnosis, SPIE 1905 (1993), 861-870, as the UCI Machine Learning Repository publishes it under the Creative Commons
licence CC BY 4.0 (doi.org/10.24432/C5DW2B). All rows are kept. Of its 30 columns these are the first ten. The other 20,
the standard errors of these means and the means of the three largest values, are left out.
"""

from __future__ import annotations

import csv
from functools import cache
from importlib.resources import files

import numpy as np

from svmlab.core.arrays import Array, Index, frozen
from svmlab.core.errors import BadInput, quoted

SPECIES = ("setosa", "versicolor", "virginica")
FEATURES = ("sepal_length", "sepal_width", "petal_length", "petal_width")
MEASUREMENTS = (
    *("radius", "texture", "perimeter", "area", "smoothness"),
    *("compactness", "concavity", "concave_points", "symmetry", "fractal_dimension"),
)

Names = str | tuple[str, ...]


@cache
def _table(name: str) -> tuple[tuple[tuple[float, ...], ...], tuple[str, ...]]:
    """Return the numbers of each row of a file, and the word in its last column."""
    text = files("svmlab.data").joinpath(f"{name}.csv").read_text(encoding="utf-8")
    _head, *rows = csv.reader(text.splitlines())
    return tuple(tuple(map(float, row[:-1])) for row in rows), tuple(row[-1] for row in rows)


def _require_known(field: str, names: tuple[str, ...], known: tuple[str, ...]) -> None:
    for name in names:
        if not isinstance(name, str) or name not in known:
            raise BadInput(
                "{field}: {name} is not in this data set. Choose from {choices}.",
                field=field,
                name=quoted(name),
                choices=", ".join(known),
            )


def _columns(features: Names, known: tuple[str, ...]) -> list[int]:
    features = tuple(features) if isinstance(features, tuple | list) else (features,)
    _require_known("features", features, known)
    return [known.index(feature) for feature in features]


def iris(plus: str = "setosa", minus: str = "versicolor", features: Names = FEATURES) -> tuple[Array, Index]:
    """Return the flowers of two species: their lengths X (100, d) in cm, and y (100,), +1 for `plus`, -1 for `minus`.

    Raises BadInput for an unknown species or feature, and for one species twice.
    """
    _require_known("plus", (plus,), SPECIES)
    _require_known("minus", (minus,), SPECIES)
    columns = _columns(features, FEATURES)
    if plus == minus:
        raise BadInput("minus: {name} is the species of `plus` already. Choose another one.", name=quoted(minus))
    lengths, species = _table("iris")
    rows = [i for i, name in enumerate(species) if name in (plus, minus)]
    X = np.array(lengths)[rows][:, columns]
    return frozen(X), frozen(np.where(np.array(species)[rows] == plus, 1, -1), np.intp)


def breast_cancer(features: Names = MEASUREMENTS) -> tuple[Array, Index]:
    """Return the tumours: their measurements X (569, d), and y (569,), +1 for malignant, -1 for benign.

    Raises BadInput for an unknown feature.
    """
    columns = _columns(features, MEASUREMENTS)
    measured, diagnosis = _table("breast_cancer")
    return frozen(np.array(measured)[:, columns]), frozen(np.where(np.array(diagnosis) == "malignant", 1, -1), np.intp)
