"""Kernels made of kernels: the language of recipes, and what follows for a kernel from the rules by which it is
made."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from svmlab import (
    BadInput,
    Composed,
    Dataset,
    Gaussian,
    Linear,
    Polynomial,
    Problem,
    Sigmoid,
    make_dataset,
    separate,
    solve,
)
from svmlab.kernels.composed import MAX_LENGTH, all_nodes, parse_recipe
from svmlab.plane.contours import draw_solution

RNG = np.random.default_rng(11)
X, Z = RNG.uniform(-1.5, 1.5, (9, 2)), RNG.uniform(-1.5, 1.5, (6, 2))

ATOMS = st.sampled_from(
    [
        "linear",
        "gaussian",
        "gaussian(0.5)",
        "form(1,0.5,1)",
        "form(2,-1,0.5)",
        "form(-1,0,-1)",
        "form(1,2,1)",
        "0.7",
        "3",
    ]
)


def combined(inner):
    factor = st.sampled_from(["0.5", "2", "-1", "-0.3"])
    return st.one_of(
        st.tuples(inner, st.sampled_from("+-*"), inner).map(lambda t: f"({t[0]}){t[1]}({t[2]})"),
        st.tuples(factor, inner).map(lambda t: f"{t[0]}*({t[1]})"),
        inner.map(lambda k: f"({k})**2"),
        st.tuples(inner, factor).map(lambda t: f"p({t[0]},1,{t[1]},0.5)"),
        inner.map(lambda k: f"exp(0.01*({k}))"),
        inner.map(lambda k: f"tanh(0.1*({k}))"),
        inner.map(lambda k: f"gaussian(2,{k})"),
        st.tuples(st.sampled_from(["x1", "r2", "bump"]), inner).map(lambda t: f"between({t[0]},{t[1]})"),
    )


RECIPES = st.recursive(ATOMS, combined, max_leaves=4)


def made(recipe: str) -> Composed | None:
    """A kernel, where the recipe is not too long."""
    try:
        return Composed(recipe)
    except BadInput as error:
        if not re.fullmatch(r"recipe: .*\.", str(error), re.DOTALL):
            raise
        return None


@settings(max_examples=60, deadline=None)
@given(RECIPES)
def test_what_a_kernel_writes_of_itself_is_read_as_the_same_and_its_features_and_claims_are_true(recipe):
    kernel = made(recipe)
    if kernel is None:
        return
    assert Composed(kernel.recipe) == kernel
    assert eval(kernel.key) == kernel
    K = kernel(X, X)
    size = max(1.0, float(np.abs(K).max()))
    assert kernel(X, Z) == pytest.approx(eval(kernel.numpy, {"np": np, "A": X, "B": Z}), rel=1e-9, abs=1e-9 * size)
    assert kernel.diag(X) == pytest.approx(np.diag(K), rel=1e-9, abs=1e-9 * size)
    if kernel.psd:
        assert np.linalg.eigvalsh(K)[0] > -1e-9 * size * len(X)
    D = kernel.feature_dim(2)
    if D is not None:
        Phi = kernel.feature_map(X)
        assert Phi.shape == (len(X), D)
        assert Phi @ Phi.T == pytest.approx(K, rel=1e-9, abs=1e-9 * size)
        powers = kernel.exponents(2)
        for column, a in zip(Phi.T, powers, strict=True) if powers is not None else ():
            ratio = column / np.prod(X ** np.array(a), axis=1)
            assert ratio.min() > 0
            assert np.ptp(ratio) < 1e-6 * ratio.max()
    c, h = RNG.normal(size=len(X)), 1e-5
    for j, e in enumerate(np.eye(2) * h):
        quotient = (c @ kernel(X, Z + e) - c @ kernel(X, Z - e)) / (2 * h)
        assert kernel.gradient(X, c, Z)[:, j] == pytest.approx(quotient, rel=1e-4, abs=1e-4 * size)


@settings(max_examples=60, deadline=None)
@given(RECIPES)
def test_turning_moving_and_telling_apart_are_claimed_only_where_they_are_true(recipe):
    kernel = made(recipe)
    if kernel is None:
        return
    K = kernel(X, Z)
    size = max(1.0, float(np.abs(K).max()))
    R = np.array([[math.cos(0.8), -math.sin(0.8)], [math.sin(0.8), math.cos(0.8)]])
    if kernel.rotation_invariant:
        assert kernel(X @ R, Z @ R) == pytest.approx(K, abs=1e-9 * size)
    if kernel.translation_invariant:
        assert kernel(X + [0.4, -0.2], Z + [0.4, -0.2]) == pytest.approx(K, abs=1e-9 * size)
    for node in all_nodes(parse_recipe(kernel.recipe)):
        if node.has_positive_diagonal:
            assert node.diag(X).min() > 0
        if node.injective and node.definiteness == 1:
            assert (node.squared_distances(X, X) + np.eye(len(X))).min() > 0
    if kernel.separates_distinct_points:
        assert np.linalg.matrix_rank(kernel(X[:4], X[:4]), tol=1e-14) == 4


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="linearguspxfomt()*+-,.^0123456789 e_", max_size=40) | st.text(max_size=30))
def test_whatever_is_written_is_a_kernel_or_a_message(text):
    kernel = made(text)
    if kernel is not None:
        assert Composed(kernel.recipe) == kernel


@pytest.mark.parametrize(
    ("recipe", "said"),
    [
        ("", "it ends where a kernel is expected"),
        ("linear +", "it ends where a kernel is expected"),
        ("sigmoid", "'sigmoid' at character 1 is not a kernel. Choose one of linear, gaussian, form"),
        ("linear ? 2", "'?' at character 8 has no meaning here"),
        ("linear linear", "'linear' at character 8 is wrong, because +, - or * between two kernels is expected there"),
        ("(linear", "it ends where ) is expected"),
        ("gaussian(0)", "the width at character 10 is not from 0.001"),
        ("gaussian(-1)", "the width at character 10"),
        ("linear**2.5", "the power 2.5 at character 9 is not a whole number from 1 to 12"),
        ("linear**13", "the power 13"),
        ("p(linear,1)", "has no degree from 1 to 6"),
        ("between(y,linear)", "'y' at character 9 is wrong, because x1, r2, bump is expected there"),
        ("form(0,0,0)", "are all 0"),
        ("1001*linear", "'1001' at character 1 is neither 0 nor from 1e-09 to 1000"),
        ("1e999*linear", "'1e999' at character 1 is neither 0 nor from"),
        ("100*100*linear", "the factor 10000 is not from"),
        ("0*linear", "the factor 0 is not from 1e-09"),
        ("0.00001*0.00001*linear", "the factor 1e-10 is not from 1e-09"),
        ("0.0000000001*linear", "'0.0000000001' at character 1 is neither 0 nor from 1e-09"),
        ("p(linear,1,1e-320)", "'1e-320' at character 12 is neither 0 nor from"),
        ("form(1e-200,1e-170,1e-200)", "'1e-200' at character 6 is neither 0 nor from"),
        ("(" * 60 + "linear" + ")" * 60, "brackets are nested"),
        ("+".join(["linear"] * 14), "parts"),
        ("linear+" * 60, "420 characters are more than"),
        (3, "3 is not a text"),
        (None, "None is not a text"),
    ],
)
def test_a_recipe_that_means_nothing_is_refused_with_what_is_wrong_and_where(recipe, said):
    with pytest.raises(BadInput, match=r"^recipe: ") as error:
        Composed(recipe)
    assert said in str(error.value)


@pytest.mark.parametrize("value", [None, 1, b"linear", ["linear"]])
def test_a_recipe_that_is_no_text_is_refused_by_the_parser_too(value):
    with pytest.raises(BadInput, match=r"^recipe: .* is not a text such as linear\+2\*gaussian\(0\.5\)\."):
        parse_recipe(value)


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        (" linear + 2.0 * gaussian ", "linear+2*gaussian(1)"),
        ("2*3*-linear", "-6*linear"),
        ("linear^2", "linear**2"),
        ("(linear*2)*(3*gaussian(0.5))", "6*linear*gaussian(0.5)"),
        ("linear-(gaussian-1)", "linear-(gaussian(1)-1)"),
        ("p(linear,0,1)", "linear"),
        ("p(linear,0,0,1)", "linear**2"),
        ("1*linear", "linear"),
        ("--linear", "linear"),
        ("linear\u00a0−\u202f2", "linear-2"),
        ("between(x1,−gaussian( 2 ))", "-between(x1,gaussian(2))"),
        ("0+linear-0", "linear"),
        ("between(x1,2*linear)", "2*between(x1,linear)"),
    ],
)
def test_a_recipe_has_one_canonical_text(written, canonical):
    kernel = Composed(written)
    assert kernel.recipe == canonical
    assert Composed(canonical) == kernel


@pytest.mark.parametrize(
    "kernel", [Linear(), Gaussian(0.37), Polynomial(3, 0.5, 2.0), Polynomial(2, 0.0), Sigmoid(0.3, -1.0)]
)
def test_a_kernel_of_the_notes_can_be_built_upon(kernel):
    again = Composed(kernel.recipe)
    assert again(X, Z) == pytest.approx(kernel(X, Z), rel=1e-12, abs=1e-14)
    assert (again.psd, again.separates_distinct_points) == (kernel.psd, kernel.separates_distinct_points)
    assert (again.feature_dim(2) is None) == (kernel.feature_dim(2) is None)
    assert Composed(f"1+{again.recipe}").node.parts[1] == again.node


def test_what_is_too_large_for_floating_point_is_said_and_what_lies_beyond_the_points_is_still_drawn():
    circles, distant = make_dataset("circles", 20, 0.1), Dataset([[7.0, 7.0], [-7.0, 7.0]], [1, -1])
    kernel = Composed("exp(linear**3)")
    with pytest.raises(BadInput, match="values above 10¹⁰⁰ here"):
        solve(Problem(distant, kernel))
    with pytest.raises(BadInput, match="values above"):
        kernel.diag(distant.X)
    small = solve(Problem(Dataset(circles.X / 4, circles.y), kernel))
    assert np.isfinite(draw_solution(small, 8.0).values).all()


@pytest.mark.parametrize("recipe", ["form(1,0.5,1)", "linear+form(2,1,2)", "form(1,1,1)"])
@pytest.mark.parametrize("bias", [True, False])
def test_features_that_are_no_monomials_are_separated_by_their_distance(recipe, bias):
    data = make_dataset("separable", 20, 0.2, seed=1)
    kernel = Composed(recipe)
    separation = separate(data, kernel, bias)
    assert separation.separable == separate(Dataset(kernel.feature_map(data.X), data.y), Linear(), bias).separable


def test_a_form_that_is_no_kernel_has_no_features_and_neither_has_what_is_made_of_it():
    for recipe in ("form(-1,0,-1)", "form(1,2,1)", "form(-1,0,-1)*form(-1,0,-1)", "form(-1,0,-1)**2"):
        kernel = Composed(recipe)
        assert (kernel.feature_dim(2), kernel.exponents(2)) == (None, None)
        with pytest.raises(BadInput, match="no finite feature map"):
            kernel.feature_map(X)
    assert Composed("form(-1,0,-1)*form(-1,0,-1)").psd


def test_coordinates_of_the_same_monomial_count_once_where_separation_is_decided():
    data = make_dataset("separable", 20, 0.2, seed=1)
    for recipe in ("linear+linear", "linear+form(2,0,3)+linear", "(linear+linear)**2+linear*linear"):
        kernel = Composed(recipe)
        powers = kernel.exponents(2)
        assert len(set(powers)) < len(powers)
        plain = Linear() if "*" not in recipe else Polynomial(2, 0.0)
        for labels in (data.y, np.where(np.arange(data.m) % 3 == 0, 1.0, -1.0)):
            given = Dataset(data.X, labels)
            assert separate(given, kernel).separable == separate(given, plain).separable


@pytest.mark.parametrize(
    ("recipe", "formula"), [("1e-5*linear", r"10^{-5}\,"), ("p(linear,2.5e-7,1,1)", r"2.5\cdot 10^{-7}")]
)
def test_a_small_number_is_written_as_a_power_of_ten_in_a_formula(recipe, formula):
    assert formula in Composed(recipe).formula
    assert "e-" not in Composed(recipe).formula


def test_the_svm_of_a_recipe_is_that_of_the_kernel_that_it_spells():
    data = make_dataset("moons", 30, 0.3, seed=2)
    for plain in (Linear(), Gaussian(0.8), Polynomial(3, 1.0, 0.5)):
        one, other = solve(Problem(data, plain, 2.0)), solve(Problem(data, Composed(plain.recipe), 2.0))
        assert other.proven
        assert other.margins == pytest.approx(one.margins, abs=1e-7)


def test_a_recipe_is_no_longer_than_a_link_bears():
    longest = "+".join(["gaussian(0.5)"] * 10 + ["gaussian(.25)"])
    assert len(longest) <= MAX_LENGTH < len(longest) + len("+gaussian(1)")
    assert Composed(longest).recipe == longest.replace("(.25)", "(0.25)")
    with pytest.raises(BadInput, match=f"{len(longest) + 12} characters are more than {MAX_LENGTH}"):
        Composed(longest + "+gaussian(1)")
