"""The one table of controls."""

import math
from dataclasses import fields, replace

import pytest

from svmlab import BadInput, make_dataset
from svmlab.data import DATASETS
from svmlab.lab.bench import widgets
from svmlab.lab.bench.number_field import accepted
from svmlab.lab.board.payload import sliders
from svmlab.lab.session.controls import CONTROLS, EDGE, MAX_POINTS, PARAMETERS, VIEWS
from svmlab.lab.session.lab import SETTINGS, Lab, Point, smallest_view
from svmlab.lab.session.state import switch_C_and_lambda


@pytest.mark.parametrize("key", CONTROLS)
def test_a_control_has_a_default_within_its_own_limits(key):
    control = CONTROLS[key]
    assert control.key == key
    assert control.check(control.default) == control.default
    assert type(control.default) is control.kind
    assert control.low <= control.high


def test_the_fields_of_a_lab_and_the_controls_are_the_same():
    settings = {f.name: f.default for f in fields(Lab) if f.name not in ("points", "selected", "second", "axes")}
    assert settings == {key: control.default for key, control in CONTROLS.items()}
    assert set(SETTINGS) == set(CONTROLS)


@pytest.mark.parametrize("key", [k for k, c in CONTROLS.items() if not c.options and c.kind in (int, float)])
def test_a_number_outside_its_limits_is_refused_with_the_control_the_value_and_the_rule(key):
    control = CONTROLS[key]
    for value in (control.low, control.high):
        assert control.check(value) == value
    for value in (control.low - 1, control.high + 1):
        with pytest.raises(BadInput, match=rf"^{key}: .* from "):
            control.check(value)
    for value in (math.nan, math.inf, -math.inf, "1", None, True, [1], 1j):
        with pytest.raises(BadInput, match=rf"^{key}: .* is not a number"):
            control.check(value)
    if control.kind is int:
        with pytest.raises(BadInput, match="whole number"):
            control.check(control.low + 0.5)


@pytest.mark.parametrize("key", [k for k, c in CONTROLS.items() if c.read])
def test_a_text_is_taken_in_its_canonical_form_and_nothing_else_is(key):
    control = CONTROLS[key]
    assert control.check(f" {control.default} ") == control.default
    for value in ("x" * 1000, "?", "", 1.0, math.nan, None, True, [1], 1j, {}):
        with pytest.raises(BadInput, match=f"^{key}: "):
            control.check(value)


@pytest.mark.parametrize("key", [k for k, c in CONTROLS.items() if c.options])
def test_only_the_options_of_a_choice_are_taken(key):
    control = CONTROLS[key]
    for option in control.options:
        assert control.check(option) == option
    for value in ("x" * 100, None, [1], {}, 99, math.nan):
        with pytest.raises(BadInput, match=f"^{key}: "):
            control.check(value)


@pytest.mark.parametrize("value", [0, 1, None, "true", 1.0])
@pytest.mark.parametrize("key", ["hard", "bias"])
def test_a_switch_is_true_or_false_and_nothing_else(key, value):
    with pytest.raises(BadInput, match="neither true nor false"):
        CONTROLS[key].check(value)


def test_every_choice_has_its_words():
    assert len({recipe.title for recipe in DATASETS.values()}) == len(DATASETS)
    shown = set(CONTROLS) - {
        "view",
        "label",
        "active",
        "task",
        "eps",
        *PARAMETERS,
    }  # the board's own, and what a step lends
    assert shown - {"value"} <= set(widgets.LABEL)
    assert shown <= set(widgets.HELP)


@pytest.mark.parametrize("preset", CONTROLS["preset"].options)
def test_every_preset_fits_the_board_at_its_limits(preset):
    for size, noise in ((4, 0.0), (MAX_POINTS, 1.0), (60, 0.1)):
        data = make_dataset(preset, size, noise, 3)
        assert data.m <= MAX_POINTS
        assert abs(data.X).max() <= EDGE / 1000


@pytest.mark.parametrize(
    ("face", "title"),
    [("C", "Penalty parameter C, on a logarithmic scale"), ("lambda", "λ, on a logarithmic scale")],
)
@pytest.mark.parametrize("value", [1e-6, 0.02, 1.0, 1e6])
def test_a_slider_of_the_board_holds_its_value_and_stays_within_the_limits(face, title, value):
    sliders_by_key = {o["key"]: o for o in sliders(Lab(face=face, value=value, kernel="gaussian", sigma=0.05))}
    assert set(sliders_by_key) == {"value", "sigma"}
    for key, slider in sliders_by_key.items():
        assert slider["lo"] <= math.log10(slider["value"]) <= slider["hi"]
        assert CONTROLS[key].low <= 10 ** slider["lo"] * (1 + 1e-12)
        assert 10 ** slider["hi"] <= CONTROLS[key].high * (1 + 1e-12)
    assert sliders_by_key["value"]["title"] == title
    assert [o["key"] for o in sliders(Lab(hard=True))] == ["value"]
    assert sliders(Lab(hard=True))[0]["disabled"]


@pytest.mark.parametrize("value", [1e-6, 0.013, 1.0, 1e6])
@pytest.mark.parametrize("m", [0, 1, 60, 300])
def test_the_other_parameter_stays_within_the_limits(value, m):
    lab = Lab(points=tuple(Point(i, i, 0, 1) for i in range(1, m + 1)), value=value)
    other = switch_C_and_lambda(lab, "lambda")
    assert other.face == "lambda"
    assert CONTROLS["value"].check(other.value) == other.value
    if 1e-6 < 1 / (value * max(m, 1)) < 1e6:
        assert pytest.approx(value, rel=1e-12) == other.C
        assert other.lam == pytest.approx(lab.lam, rel=1e-12)
    assert switch_C_and_lambda(other, "lambda") is other
    hard = replace(lab, hard=True)
    assert (hard.C, hard.lam) == (math.inf, 0)


def test_a_view_that_fits_holds_every_point():
    for reach in (0, 3000, 3681, 5600, 8000):
        half = smallest_view((Point(1, reach, -reach, 1),))
        assert half in VIEWS
        assert half >= reach / 1000


@pytest.mark.parametrize(
    ("parameter", "text", "said"),
    [
        ("C", "0", "0 is not above 0. With C = 0, slack would cost nothing. Type a number from 1e-6 to 1e6."),
        ("C", "-0,0", "-0,0 is not above 0. With C = 0, slack would cost nothing. Type a number from 1e-6 to 1e6."),
        ("C", "inf", "C = ∞ is the hard margin. It has a switch of its own. Otherwise type a number up to 1e6."),
        (
            "lambda",
            "0",
            "0 is not above 0. For λ = 0, turn on the switch “hard margin”. Otherwise type a number from 1e-6 to 1e6.",
        ),
        ("lambda", "∞", "∞ is not finite. With λ = ∞, w would be 0. Type a number from 1e-6 to 1e6."),
        ("lambda", "1e9", "1e9 is not a number from 1e-6 to 1e6."),
    ],
)
def test_a_penalty_parameter_that_is_not_above_0_or_infinite_says_what_to_type_instead(parameter, text, said):
    with pytest.raises(BadInput) as refused:
        accepted(CONTROLS["value"], text, parameter)
    assert str(refused.value) == said
