"""The statements of the notes: each holds wherever it applies, each repaired one fails as printed on its witness."""

from __future__ import annotations

import importlib
import math
import pkgutil
import types
from dataclasses import FrozenInstanceError, replace
from itertools import product

import numpy as np
import pytest

from svmlab import DATASETS, BadInput, Dataset, Gaussian, Linear, Polynomial, Problem, Sigmoid, make_dataset, statements
from svmlab import kernels as registry
from svmlab.statements import CATALOGUE, Situation, entries, opinion
from tests.boards import check_all, complaints, random_board
from tests.offences import each_of

KERNELS = (Linear(), Polynomial(2), Gaussian(1.0))
REPAIRED = [id for id, entry in CATALOGUE.items() if entry.repair]
SAMPLED = ("P5", "X3")  # judged in standard errors, and by an exponent of growth
PRICES = (0.01, 1.0, 1000.0)
MACHINES = tuple(product(KERNELS, (True, False), PRICES))
PRESETS = [  # each preset with one machine or two, and each machine once; .ci/all tries two thirds of all pairs
    pytest.param(
        *(name, kernel, bias, C),
        id=f"{name}-{kernel.name}-{bias}-{C:g}",
        marks=() if k in (i, i + len(DATASETS)) else pytest.mark.sweep,
    )
    for i, name in enumerate(DATASETS)
    for k, (kernel, bias, C) in enumerate(MACHINES)
    if k in (i, i + len(DATASETS)) or (i + k) % 3
]
WHOLE = "MHSLP"  # letters of which every number is there


def test_every_statement_is_in_the_catalogue():
    for module_info in pkgutil.iter_modules(statements.__path__):
        module = importlib.import_module(f"{statements.__name__}.{module_info.name}")
        missing = [entry.id for entry in entries(module) if CATALOGUE.get(entry.id) is not entry]
        assert not missing, f"{missing} of {module.__name__}: write the module's name into THEMES"


@pytest.mark.parametrize("module", [None, "margin", {}])
def test_statements_of_something_that_is_no_module_are_refused(module):
    with pytest.raises(BadInput, match=r"^module: .* is not a module\. Give a module of svmlab\.statements, such as"):
        entries(module)


@pytest.mark.parametrize("letter", WHOLE)
def test_the_numbers_of_a_letter_have_no_gap(letter):
    numbers = [int(id[1:]) for id in CATALOGUE if id[0] == letter]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) >= 12


def test_a_number_given_twice_is_refused():
    twin = replace(CATALOGUE["M1"], title="Another one")
    module = types.ModuleType("theme")
    module.twin = twin
    with pytest.raises(ValueError, match="M1"):
        statements._catalogue((*statements.THEMES, module))


def test_every_statement_has_a_board_on_which_the_print_or_its_neighbour_fails():
    assert [id for id, entry in CATALOGUE.items() if entry.witness is None] == []


@each_of(CATALOGUE)
def test_an_entry_says_everything_a_reader_needs(id):
    entry = CATALOGUE[id]
    assert entry.sentence.endswith(".")
    assert entry.conditions.endswith(".")
    assert len(entry.title) <= 40
    assert entry.formula.count("{") == entry.formula.count("}")
    assert 0 <= entry.tolerance <= 1e-5 or id in SAMPLED
    with pytest.raises(FrozenInstanceError):
        entry.title = "x"


@pytest.mark.blas
@pytest.mark.one_in(12)
@pytest.mark.parametrize(("name", "kernel", "bias", "C"), PRESETS)
def test_on_every_preset_whatever_applies_holds(name, kernel, bias, C):
    assert complaints(check_all(Problem(make_dataset(name, 16), kernel, C, bias))) == []


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", registry.KERNELS)
@pytest.mark.parametrize(  # a board is looked at with both margins, whichever it asks for
    ("C", "bias"),
    [
        (1.0, True),
        (math.inf, False),
        pytest.param(math.inf, True, marks=pytest.mark.sweep),
        pytest.param(1.0, False, marks=pytest.mark.sweep),
    ],
)
def test_with_every_kernel_whatever_applies_holds(name, C, bias):
    assert complaints(check_all(Problem(make_dataset("moons", 16, 0.1), registry.KERNELS[name](), C, bias))) == []


@pytest.mark.one_in(6)
@pytest.mark.parametrize(
    ("name", "noise"),  # seven that a line separates and five that none does; .ci/all tries all pairs
    [
        pytest.param(name, noise, marks=() if i % 2 == j else pytest.mark.sweep)
        for i, name in enumerate(DATASETS)
        for j, noise in enumerate((0.0, 0.4))
    ],
)
def test_on_every_preset_whatever_applies_holds_where_the_board_asks_for_the_hard_margin(name, noise):
    assert complaints(check_all(Problem(make_dataset(name, 12, noise, seed=3), Linear(), math.inf))) == []


@pytest.mark.one_in(5)
@pytest.mark.parametrize(  # ten in a row are one of each kind
    "seed", [*range(10), *(pytest.param(n, marks=pytest.mark.sweep) for n in range(10, 60))]
)
@pytest.mark.filterwarnings("ignore::svmlab.NotExact")  # a statement allows for the rounding of its solution
def test_on_random_and_degenerate_boards_whatever_applies_holds(seed):
    assert complaints(check_all(random_board(seed))) == []


@each_of(REPAIRED)
def test_the_printed_reading_fails_on_its_witness_and_the_repaired_one_holds(id):
    verdict = CATALOGUE[id].check(CATALOGUE[id].witness.situation)
    assert verdict.applies, verdict.why
    assert verdict.printed is not None
    assert not verdict.printed.holds
    assert verdict.printed.residual > 1e-2
    assert verdict.repaired is not None
    assert verdict.repaired.holds
    assert verdict.witness is CATALOGUE[id].witness


def test_the_multiplier_of_the_lemma_without_a_condition_runs_off():
    verdict = CATALOGUE["H5"].check(Situation(CATALOGUE["H5"].witness.problem))
    values = [side.value for side in verdict.printed.sides]
    assert values == pytest.approx([0.5 / math.sqrt(0.1), 5.0, 50.0, 1.0])


@each_of([id for id, entry in CATALOGUE.items() if not entry.repair])
def test_a_statement_that_holds_has_a_neighbour_that_fails_on_its_witness(id):
    verdict = CATALOGUE[id].check(CATALOGUE[id].witness.situation)
    assert verdict.applies, verdict.why
    assert verdict.holds
    assert verdict.control is not None
    assert not verdict.control.holds
    assert verdict.control.residual > 1e-5
    assert verdict.control.words.endswith(".")


@each_of(CATALOGUE)
def test_a_witness_fits_the_board(id):
    X = np.array(CATALOGUE[id].witness.X)
    assert np.abs(X).max() <= 8
    np.testing.assert_array_equal(np.round(X, 3), X)
    assert CATALOGUE[id].witness.words.endswith(".")


def test_slack_counts_errors_where_b_is_not_unique():
    situation = Situation(Problem(make_dataset("overlapping", 16), C=0.01))
    lo, hi = situation.soft_solution.b_interval
    assert lo < situation.soft_primal.b < hi
    assert abs(situation.soft_primal.b - situation.soft_solution.b) > 1e-3  # two answers, both right
    assert CATALOGUE["S15"].check(situation).holds


def test_every_statement_applies_somewhere():
    boards = [
        Problem(make_dataset("overlapping", 16)),
        Problem(make_dataset("separable", 16)),
        Problem(make_dataset("xor", 16)),
        Problem(make_dataset("interval", 16)),
    ]
    pages = [check_all(board) for board in boards]
    assert [id for id in CATALOGUE if not any(verdicts[id].applies for verdicts in pages)] == []


@pytest.mark.one_in(2)
@pytest.mark.parametrize(
    "problem",
    [
        Problem(Dataset([], [])),
        Problem(Dataset([[1.0, 2.0]], [1])),
        Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1])),
        Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, -1]), C=math.inf),
        Problem(Dataset([[0.0, 0.0], [0.0, 0.0]], [1, 1]), bias=False),
        Problem(Dataset([[1.0, 1.0], [2.0, 1.0]], [1, 1]), C=math.inf),
        Problem(make_dataset("xor", 12), Sigmoid()),
        Problem(make_dataset("xor", 12), Polynomial(2, -1.0)),
        Problem(make_dataset("circles", 12), Polynomial(5), 100.0),
        Problem(make_dataset("moons", 12), Gaussian(0.05), math.inf),
        Problem(make_dataset("moons", 12), Gaussian(30.0), 1e3),
    ],
    ids=[
        "none",
        "one",
        "twins",
        "hard twins",
        "origin",
        "hard one class",
        "sigmoid",
        "indefinite",
        "quintic",
        "narrow",
        "wide",
    ],
)
@pytest.mark.filterwarnings("ignore::svmlab.NotExact")
def test_boards_with_little_to_say_get_reasons_not_errors(problem):
    assert complaints(check_all(problem)) == []


def test_a_reason_says_what_to_change():
    one = check_all(Problem(Dataset([[1.0, 1.0], [2.0, 1.0]], [1, 1])))
    assert "Add a point of the other class" in one["H3"].why
    assert one["H3"].holds is None
    assert math.isnan(one["H3"].residual)
    mixed = check_all(Problem(Dataset([[0.0, 0.0], [1.0, 0.0], [2.0, 0.0]], [1, -1, 1])))
    assert "another kernel" in mixed["M6"].why
    assert "Switch the bias on" in check_all(Problem(make_dataset("separable", 8), bias=False))["M11"].why
    assert "Gaussian" in check_all(Problem(make_dataset("separable", 8), Gaussian()))["H1"].why


def test_a_verdict_says_which_svm_was_checked():
    verdicts = check_all(Problem(make_dataset("separable", 8), C=math.inf))
    assert "C = 1" in verdicts["S1"].note
    assert verdicts["H1"].note == ""
    assert "hard margin" in check_all(Problem(make_dataset("separable", 8)))["M6"].note


def test_a_page_of_checks_solves_each_thing_once(monkeypatch):
    seen: list[str] = []
    dual = opinion.dual
    monkeypatch.setattr(opinion, "dual", lambda p: seen.append(p.key) or dual(p))
    soft = Problem(make_dataset("separable", 12))
    check_all(soft)
    assert len(seen) == len(set(seen))
    assert {soft.key, replace(soft, C=math.inf).key} <= set(seen)


def test_the_expensive_checks_do_not_apply_to_very_many_features():
    situation = Situation(Problem(make_dataset("overlapping", 300), Gaussian(0.5)))
    assert "at most 150 points" in CATALOGUE["S2"].check(situation).why
    assert "at most 150 points" in CATALOGUE["S16"].check(situation).why


def test_a_margin_that_floats_cannot_show_is_no_failure():
    collinear = random_board(1232)  # of decimals on one line
    data = collinear.data
    assert CATALOGUE["M10"].check(Situation(collinear)).holds
    beside = Dataset(
        [*data.X, data.X[0] + 2.0**-30], [*data.y, data.y[0]]
    )  # no decimal, so that all are taken as floats
    verdict = CATALOGUE["M10"].check(Situation(replace(collinear, data=beside)))
    assert not verdict.applies
    assert "narrow" in verdict.why
