"""What a kernel says of itself is complete and true, and nobody asks it for its name: a new kernel goes through all of
this."""

from __future__ import annotations

import ast
import math
import re
from dataclasses import fields
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import svmlab
from svmlab import BadInput, Composed, Dataset, Problem, kernels, make_dataset, separate, solve
from svmlab.core.arrays import as_fractions
from svmlab.kernels.base import Kernel, Parameter, TextParameter
from svmlab.kernels.standard import KERNELS
from tests.kernel_formulas import EVERY

ROOT = Path(__file__).parents[2]
NAMES = [kernel.key for kernel in EVERY]
RNG = np.random.default_rng(3)
X, Z = RNG.uniform(-2, 2, (9, 2)), RNG.uniform(-2, 2, (7, 2))
FAR = 4.0 * np.array([(i, j) for i in range(-4, 4) for j in range(-4, 4)]) + RNG.uniform(-1, 1, (64, 2))

every_name = pytest.mark.parametrize("name", KERNELS)
every_kernel = pytest.mark.parametrize("kernel", EVERY, ids=NAMES)


# ---------------------------------------------------------------- complete


def test_every_kernel_stands_in_the_registry():
    written = {k for k in vars(kernels).values() if isinstance(k, type) and issubclass(k, Kernel)}
    missing = sorted(k.__name__ for k in written - {Kernel, *KERNELS.values()})
    assert not missing, f"KERNELS of svmlab/kernels/standard.py has no line for {', '.join(missing)}"


@every_name
def test_a_kernel_has_its_name_a_place_among_the_public_names_and_a_reference(name):
    kernel = KERNELS[name]
    assert kernel().name == name
    word = kernel.__name__
    assert getattr(svmlab, word, None) is kernel, f"svmlab/__init__.py does not import {word}: the Code tab does"
    assert word in svmlab.__all__, f"{word} is missing in svmlab.__all__"
    assert eval(kernel().key, vars(svmlab)) == kernel()
    own = [k for k in EVERY if type(k) is kernel]
    assert own, f"REFERENCES of tests/kernel_formulas.py: add {word} with its formula at one pair of places"
    assert not fields(kernel) or any(k != kernel() for k in own), (
        f"REFERENCES of tests/kernel_formulas.py: {word} stands there with its defaults only"
    )


@every_name
def test_a_formula_is_sound_latex(name):
    formula = KERNELS[name]().formula
    assert formula.strip(), f"{name}: formula is empty"
    assert not set("$#%&~") & set(formula), f"{name}: {formula} has characters that end a formula"
    assert not re.search(r"[^\x20-\x7e]", formula), f"{name}: {formula} has characters that are not LaTeX"
    bare = re.sub(r"\\[{}]", "", formula)
    depths = np.cumsum([(c == "{") - (c == "}") for c in bare] or [0])
    assert depths.min() >= 0 == depths[-1], f"{name}: the braces of {formula} do not match"
    for one, other in ((r"\\left\b", r"\\right\b"), (r"\\langle\b", r"\\rangle\b"), (r"\(", r"\)"), (r"\[", r"\]")):
        assert len(re.findall(one, formula)) == len(re.findall(other, formula)), f"{name}: {formula}: {one}, {other}"


@every_name
def test_every_field_of_a_kernel_is_a_parameter_with_its_words_and_its_range(name):
    kernel = KERNELS[name]
    assert [p.name for p in kernel.parameters] == [f.name for f in fields(kernel)], (
        f"{name}: `parameters` are not the fields of the class (is it a dataclass, and has each field its Parameter?)"
    )
    for p in kernel.parameters:
        where = f"{name}.{p.name}"
        assert p.symbol.strip(), f"{where}: no symbol"
        assert p.help.strip().endswith("."), f"{where}: help is not a sentence"
        if isinstance(p, TextParameter):
            assert p.read(p.default) == p.default == getattr(kernel(), p.name), f"{where}: {p.default} is not canonical"
            assert len(p.default) <= p.longest
            continue
        assert -math.inf < p.low <= p.default <= p.high < math.inf, f"{where}: {p.default} is not in its range"
        assert p.low < p.high, f"{where}: nothing to choose from {p.low} to {p.high}"
        assert not p.whole or all(isinstance(v, int) for v in (p.low, p.default, p.high)), f"{where}: whole numbers"
        for value in (p.low, p.default, p.high):
            assert getattr(kernel(**{p.name: value}), p.name) == value, f"{where}: {value} is not taken"
        if p.slider:
            assert p.slider.title.strip(), f"{where}: the slider has no title"
            low, high = 10.0**p.slider.low, 10.0**p.slider.high
            assert p.low <= low < high <= p.high, f"{where}: the slider runs beyond {p.low} to {p.high}"


def works(kernel: Kernel) -> bool:
    """Whether its matrix can be computed, and is as positive as it says."""
    try:
        K = kernel(X, X)
    except ArithmeticError:
        return False
    return bool(np.isfinite(K).all()) and (not kernel.psd or np.linalg.eigvalsh(K)[0] > -1e-9 * np.abs(K).max())


@every_name
@pytest.mark.parametrize("value", [0, -0.5, -1])
def test_a_value_that_makes_no_kernel_is_refused_by_name(name, value):
    for p in KERNELS[name].parameters:
        try:
            sound = works(KERNELS[name](**{p.name: value}))
        except BadInput as error:
            sound = str(error).startswith(f"{p.name}: {value!r} ")
        assert sound, f"{name}.{p.name}: {value} makes no kernel: refuse it in __post_init__, with its name and value"


def shared(p: Parameter | TextParameter) -> dict[str, object]:
    """What is one for all kernels that have this parameter; help and title are each kernel's own."""
    if isinstance(p, TextParameter):
        return {k: getattr(p, k) for k in ("symbol", "default", "read", "longest")}
    return {"scrubbed": p.slider is not None} | {
        k: getattr(p, k) for k in ("symbol", "default", "low", "high", "whole")
    }


@every_name
def test_kernels_that_share_a_parameter_mean_one_control(name):
    for p in KERNELS[name].parameters:
        for other, kernel in KERNELS.items():
            for q in kernel.parameters:
                alike = shared(p) == shared(q)
                assert p.name != q.name or alike, f"{p.name}: {name} and {other} differ: {shared(p)}, {shared(q)}"


# ---------------------------------------------------------------- true


def turned(angle: float) -> np.ndarray:
    return np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])


def same(A: np.ndarray, B: np.ndarray) -> bool:
    return bool(np.abs(A - B).max() <= 1e-12 * max(1.0, np.abs(A).max()))


@every_kernel
def test_turning_and_moving_leave_the_values_exactly_where_a_kernel_says_so(kernel):
    K = kernel(X, Z)
    unchanged_by_rotation = all(same(K, kernel(X @ turned(a), Z @ turned(a))) for a in (0.3, 1.0, 2.2))
    unchanged_by_translation = all(same(K, kernel(X + v, Z + v)) for v in ([0.5, 0.0], [-1.0, 2.0]))
    assert kernel.rotation_invariant == unchanged_by_rotation, (
        f"{kernel.name}: rotation_invariant is to be {unchanged_by_rotation}"
    )
    assert kernel.translation_invariant == unchanged_by_translation, (
        f"{kernel.name}: translation_invariant is to be {unchanged_by_translation}"
    )


@every_kernel
def test_features_multiply_out_to_the_kernel_and_a_kernel_of_finite_rank_has_them(kernel):
    if not kernel.psd:
        assert not kernel.is_linear
        assert not kernel.separates_distinct_points
        return
    D = kernel.feature_dim(2)
    rank = np.linalg.matrix_rank(kernel(FAR, FAR))
    if D is None:
        assert rank == len(FAR), f"{kernel.name}: rank {rank} on {len(FAR)} points: give feature_dim and feature_map"
        assert not kernel.is_linear
        assert kernel.exponents(2) is None
        return
    Phi = kernel.feature_map(X)
    assert Phi.shape == (len(X), D)
    assert same(kernel(X, X), Phi @ Phi.T)
    assert kernel.is_linear == np.array_equal(Phi, X), f"{kernel.name}: is_linear is to be {not kernel.is_linear}"
    exponents = kernel.exponents(2)
    assert exponents is not None, f"{kernel.name}: without exponents, separation is not decided exactly"
    weights = np.stack([Phi[:, k] / np.prod(X**a, axis=1) for k, a in enumerate(map(np.array, exponents))])
    assert weights.shape == (D, len(X))
    assert weights.min() > 0
    assert same(weights, weights[:, :1] + 0 * weights)


@every_kernel
def test_values_in_fractions_are_those_of_the_kernel(kernel):
    K = kernel.fractions(as_fractions(X), as_fractions(Z))
    if K is None:
        assert not kernel.is_linear
        return
    assert all(isinstance(value, Fraction) for value in K.flat)
    assert same(K.astype(float), kernel(X, Z))


def test_what_is_added_and_multiplied_of_inner_products_has_values_in_fractions():
    K = np.array([[Fraction(1, 3), Fraction(1, 2)]])
    exact_values = {kernel.key: kernel.fractions(K, K) for kernel in EVERY}
    assert {key for key, value in exact_values.items() if value is not None} >= {
        "Linear()",
        "Polynomial(degree=3,coef0=0.5,scale=2.0)",
        "Polynomial(degree=2,coef0=0.0,scale=1.0)",
        "Polynomial(degree=4,coef0=-1.0,scale=1.0)",
        "Composed(recipe='2*linear')",
        "Composed(recipe='linear+0.5*linear*linear+3')",
        "Composed(recipe='p(linear+1,0,2,1)')",
    }
    composed = Composed("linear*form(2,1,1)+0.5").fractions(K, K)
    assert composed is not None
    assert composed.tolist() == [
        [Fraction(13, 36) * (Fraction(2, 9) + Fraction(2, 6) + Fraction(1, 4)) + Fraction(1, 2)]
    ]


@every_kernel
def test_what_keeps_the_digits_of_points_near_each_other_is_the_kernel_less_its_value_amid_them(kernel):
    for size in (1e-3, 0.1):
        scaled = size * X
        centred = kernel.centred_kernel(scaled, 0.5)
        assert centred is not None or kernel.centred_kernel(scaled) is None
        if centred is None:
            continue
        h, g = centred
        left = kernel(scaled, scaled) - np.add.outer(g, g) - h(scaled, scaled)
        assert left == pytest.approx(np.full(left.shape, left[0, 0]), abs=1e-14)
        assert np.abs(h.diag(scaled)).max() < np.abs(kernel.diag(scaled)).max() / 4


@every_kernel
def test_distinct_points_are_separable_however_labelled_exactly_where_a_kernel_says_so(kernel):
    if not kernel.psd:
        return
    values = np.linalg.eigvalsh(kernel(FAR, FAR))
    independent = bool(values[0] > 1e-9 * values[-1])
    assert kernel.separates_distinct_points == independent, (
        f"{kernel.name}: separates_distinct_points is to be {independent}"
    )
    y = np.random.default_rng(5).choice([-1, 1], len(FAR))
    for bias in (True, False):
        separation = separate(Dataset(FAR, y), kernel, bias)
        assert separation.separable == independent
        twins = separate(Dataset([*FAR, FAR[9]], [*y, -y[9]]), kernel, bias)
        assert not twins.separable
        assert not independent or twins.witness.tolist() == [9, 64]


@every_kernel
def test_the_entries_of_a_reproducible_kernel_have_their_bits_whatever_is_asked_for_beside_them(kernel):
    if not kernel.is_reproducible:
        return
    for d in (1, 2, 3, 7):
        A, B = RNG.uniform(-2, 2, (40, d)), RNG.uniform(-2, 2, (33, d))
        K = kernel(A, B)
        for rows in ([0], [3, 4], list(range(0, 40, 3))):
            assert np.array_equal(kernel(A[rows], B), K[rows])
            assert np.array_equal(kernel(B, A[rows]), K[rows].T)


@every_kernel
@pytest.mark.parametrize("bias", [True, False])
def test_a_machine_is_proven_and_the_same_in_any_order_place_and_direction_that_its_kernel_does_not_see(kernel, bias):
    data = make_dataset("moons", 24, 0.2, seed=2)
    one = solve(Problem(data, kernel, 2.0, bias))
    assert one.proven
    order = np.random.default_rng(1).permutation(data.m)
    assert (
        solve(Problem(Dataset(data.X[order], data.y[order]), kernel, 2.0, bias)).alpha.tolist()
        == one.alpha[order].tolist()
    )
    f, size = one.decision(FAR / 4), np.abs(one.decision(FAR / 4)).max()
    if kernel.rotation_invariant:
        R = turned(0.7)
        other = solve(Problem(Dataset(data.X @ R, data.y), kernel, 2.0, bias))
        assert other.decision(FAR / 4 @ R) == pytest.approx(f, abs=1e-8 * size)
    if kernel.translation_invariant or (kernel.is_linear and bias):
        other = solve(Problem(Dataset(data.X + [3.0, -1.0], data.y), kernel, 2.0, bias))
        assert other.decision(FAR / 4 + [3.0, -1.0]) == pytest.approx(f, abs=1e-8 * size)
        assert other.categories == one.categories


# ---------------------------------------------------------------- and nobody asks for a name


CLASSES = {kernel.__name__ for kernel in KERNELS.values()}


def words(node: ast.AST | None) -> set[str]:
    """The classes and names of kernels that an expression or a pattern consists of; what a call is given does not
    count."""
    if isinstance(node, ast.Constant):
        return {node.value} & set(KERNELS) if isinstance(node.value, str) else set()
    if isinstance(node, ast.Call):
        return words(node.func)
    if isinstance(node, ast.Name | ast.Attribute):
        return {getattr(node, "id", getattr(node, "attr", ""))} & CLASSES
    inside = (ast.List, ast.Tuple, ast.Set, ast.BinOp, ast.MatchOr, ast.MatchAs, ast.MatchValue, ast.MatchClass)
    return {word for n in ast.iter_child_nodes(node) for word in words(n)} if isinstance(node, inside) else set()


def asked(tree: ast.AST) -> list[tuple[int, str]]:
    """Where a kernel is asked for its class or its name: isinstance, comparisons, match, and tables over the
    kernels."""
    inquiries = []
    for node in ast.walk(tree):
        name = getattr(node.func, "id", "") if isinstance(node, ast.Call) else ""
        if name in ("isinstance", "issubclass") and words(node.args[1]):
            inquiries.append((node.lineno, f"{name} of a kernel"))
        elif isinstance(node, ast.Compare) and any(words(n) for n in (node.left, *node.comparators)):
            inquiries.append((node.lineno, "a comparison with a kernel"))
        elif isinstance(node, ast.match_case) and words(node.pattern):
            inquiries.append((node.pattern.lineno, "a case for a kernel"))
        elif isinstance(node, ast.Dict) and len({w for key in node.keys for w in words(key)}) > 2:
            inquiries.append((node.lineno, "a table over the kernels"))
    return inquiries


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("isinstance(k, Linear)", "isinstance of a kernel"),
        ("isinstance(k, svmlab.Linear | Gaussian)", "isinstance of a kernel"),
        ("issubclass(k, (A, Polynomial))", "issubclass of a kernel"),
        ("lab.kernel == 'linear'", "a comparison with a kernel"),
        ("lab.kernel in ('linear', 'gaussian')", "a comparison with a kernel"),
        ("type(k) is Sigmoid", "a comparison with a kernel"),
        ("k != Linear()", "a comparison with a kernel"),
        ("match k:\n case Gaussian(sigma=s): pass", "a case for a kernel"),
        ("match lab.kernel:\n case 'gaussian': pass", "a case for a kernel"),
        (repr(dict.fromkeys(KERNELS, 0)), "a table over the kernels"),
    ],
)
def test_the_search_for_names_finds_them(program, said):
    assert [what for _, what in asked(ast.parse(program))] == [said]


@pytest.mark.parametrize(
    "program",
    [
        "isinstance(k, Kernel)",
        "KERNELS[lab.kernel]()",
        "separate(data, Linear()) == found",
        "{'linear': 1, 'gaussian': 2}",
    ],
)
def test_the_search_for_names_lets_pass_what_asks_for_none(program):
    assert asked(ast.parse(program)) == []


ASKS_FOR_CLASSES = {  # the files that may ask, and why
    "svmlab/kernels/standard.py": "It defines the kernels.",
    "svmlab/statements/examples/kernel_values.py": "It states the textbook formula of each kernel, so that a fault in "
    "the kernel itself, or in what it says of itself, is noticed.",
}


def test_nothing_outside_its_file_asks_a_kernel_for_its_name_or_class():
    files = [ROOT / "app.py", *(ROOT / "pages").rglob("*.py"), *(ROOT / "svmlab").rglob("*.py")]
    assert len(files) > 100
    complaints = [
        f"{path.relative_to(ROOT)}:{line}: {what}"
        for path in files
        if path.relative_to(ROOT).as_posix() not in ASKS_FOR_CLASSES
        for line, what in asked(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert not complaints, "ask a trait of svmlab/kernels/base.py instead: " + "; ".join(complaints)
