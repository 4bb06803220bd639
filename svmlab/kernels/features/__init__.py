"""Explicit feature maps: the features whose inner product a kernel computes without writing them down."""

from __future__ import annotations

from svmlab.kernels.features.gaussian_definiteness import Definite, definite
from svmlab.kernels.features.gaussian_series import (
    Factors,
    gaussian_exponents,
    gaussian_factors,
    gaussian_features,
    gaussian_grid,
    gaussian_missing,
    gaussian_needed,
    gaussian_powers,
    gaussian_squares,
)
from svmlab.kernels.features.lift import Height, Lift, Plane, on_a_line
from svmlab.kernels.features.orthogonal_complement import beyond, outside, span
from svmlab.kernels.features.polynomial_features import (
    Product,
    distinct,
    exponents,
    features_cost,
    kernel_cost,
    ordered,
    plain,
    products,
    ranks,
    repeats,
    vanishing,
    weighted,
    weights,
)
from svmlab.kernels.features.random_fourier import RandomFeatures, random_deviation, random_features

__all__ = [
    "beyond",
    "definite",
    "Definite",
    "distinct",
    "exponents",
    "Factors",
    "features_cost",
    "gaussian_exponents",
    "gaussian_factors",
    "gaussian_features",
    "gaussian_grid",
    "gaussian_missing",
    "gaussian_needed",
    "gaussian_powers",
    "gaussian_squares",
    "Height",
    "kernel_cost",
    "Lift",
    "on_a_line",
    "ordered",
    "outside",
    "plain",
    "Plane",
    "Product",
    "products",
    "random_deviation",
    "random_features",
    "RandomFeatures",
    "ranks",
    "repeats",
    "span",
    "vanishing",
    "weighted",
    "weights",
]
