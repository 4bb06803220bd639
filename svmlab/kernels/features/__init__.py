"""Explicit feature maps: the features whose inner product a kernel computes without writing them down."""

from __future__ import annotations

from svmlab.kernels.features.gaussian_definiteness import DefinitenessProof, prove_definite
from svmlab.kernels.features.gaussian_series import (
    Factors,
    gaussian_exponents,
    gaussian_factors,
    gaussian_features,
    gaussian_grid,
    gaussian_powers,
    gaussian_remainder,
    gaussian_squares,
    gaussian_terms_needed,
)
from svmlab.kernels.features.lift import Height, Lift, Plane, is_mostly_on_axis
from svmlab.kernels.features.orthogonal_complement import orthogonal_directions, orthogonal_part, span_basis
from svmlab.kernels.features.polynomial_features import (
    Product,
    exponents,
    features_cost,
    gram_ranks,
    kernel_cost,
    monomial_count,
    monomial_features,
    monomial_weights,
    ordered_product_count,
    ordered_product_features,
    ordered_products,
    vanishing_polynomials,
    weighted_features,
)
from svmlab.kernels.features.random_fourier import RandomFeatures, random_deviation, random_features

__all__ = [
    "orthogonal_directions",
    "prove_definite",
    "DefinitenessProof",
    "monomial_count",
    "exponents",
    "Factors",
    "features_cost",
    "gaussian_exponents",
    "gaussian_factors",
    "gaussian_features",
    "gaussian_grid",
    "gaussian_remainder",
    "gaussian_terms_needed",
    "gaussian_powers",
    "gaussian_squares",
    "Height",
    "kernel_cost",
    "Lift",
    "is_mostly_on_axis",
    "ordered_product_features",
    "orthogonal_part",
    "monomial_features",
    "Plane",
    "Product",
    "ordered_products",
    "random_deviation",
    "random_features",
    "RandomFeatures",
    "gram_ranks",
    "ordered_product_count",
    "span_basis",
    "vanishing_polynomials",
    "weighted_features",
    "monomial_weights",
]
