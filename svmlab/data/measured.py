"""Points that somebody measured: Fisher's iris flowers.

iris.csv holds 150 flowers, 50 of each of three species, with four lengths in cm. Source: R. A. Fisher, The use of
multiple measurements in taxonomic problems, Annals of Eugenics 7 (1936), 179-188, as the UCI Machine Learning
Repository publishes it under the Creative Commons licence CC BY 4.0 (doi.org/10.24432/C56C76), with the two rows
corrected that differ there from Fisher's paper.
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


@cache
def _iris() -> tuple[tuple[tuple[float, ...], ...], tuple[str, ...]]:
    text = files("svmlab.data").joinpath("iris.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    return tuple(tuple(float(row[name]) for name in FEATURES) for row in rows), tuple(row["species"] for row in rows)


def iris(
    plus: str = "setosa", minus: str = "versicolor", features: str | tuple[str, ...] = FEATURES
) -> tuple[Array, Index]:
    """Return the flowers of two species: their lengths X (100, d) in cm, and y (100,), +1 for `plus`, -1 for `minus`.

    Raises BadInput for an unknown species or feature, and for one species twice.
    """
    features = tuple(features) if isinstance(features, tuple | list) else (features,)
    for field, names, known in (
        ("plus", (plus,), SPECIES),
        ("minus", (minus,), SPECIES),
        ("features", features, FEATURES),
    ):
        for name in names:
            if not isinstance(name, str) or name not in known:
                raise BadInput(
                    "{field}: {name} is not in this data set. Choose from {choices}.",
                    field=field,
                    name=quoted(name),
                    choices=", ".join(known),
                )
    if plus == minus:
        raise BadInput("minus: {name} is the species of `plus` already. Choose another one.", name=quoted(minus))
    lengths, species = _iris()
    columns = [FEATURES.index(feature) for feature in features]
    rows = [i for i, name in enumerate(species) if name in (plus, minus)]
    X = np.array(lengths)[rows][:, columns]
    return frozen(X), frozen(np.where(np.array(species)[rows] == plus, 1, -1), np.intp)
