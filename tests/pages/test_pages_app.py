"""The app run by Streamlit's own test driver: no browser, every control."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from svmlab import DATASETS
from svmlab.kernels import KERNELS
from svmlab.lab import text
from svmlab.lab.session import share
from svmlab.lab.session.controls import CONTROLS, PARAMETERS
from svmlab.lab.session.state import Lab, Point, begin

ROOT = Path(__file__).parents[2]


def start(link: str | None = None) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if link is not None:
        at.query_params["s"] = link
    return sound(at.run())


def sound(at: AppTest) -> AppTest:
    assert not at.exception, at.exception[0].value
    return at


def lab(at: AppTest) -> Lab:
    return at.session_state["lab"].lab


@pytest.fixture(scope="module")
def shared() -> AppTest:
    """One app for tests that set every value they rely on."""
    return start()


def test_the_app_starts_with_the_default_board_and_no_exception():
    at = start()
    assert lab(at) == begin().present
    assert at.get("html")


def test_every_widget_shows_what_the_lab_holds():
    at = start(
        share.encode(Lab(kernel="polynomial", degree=5, coef0=2.0, scale=0.25, value=3.0, hard=False, bias=False))
    )
    assert at.selectbox(key="kernel").value == "polynomial"
    assert (at.number_input(key="degree").value, at.number_input(key="coef0").value) == (5, 2.0)
    assert at.number_input(key="scale").value == 0.25
    assert at.number_input(key="exact").value == 3.0
    assert at.toggle(key="bias").value is False


@pytest.mark.parametrize("preset", DATASETS)
def test_every_preset_runs_with_every_kernel(shared, preset):
    sound(shared.selectbox(key="preset").select(preset).run())
    for kernel in KERNELS:
        sound(shared.selectbox(key="kernel").select(kernel).run())
        assert (lab(shared).preset, lab(shared).kernel) == (preset, kernel)
        assert len(lab(shared).points) >= 2
        assert shared.session_state["lab"].outcome is not None


@pytest.mark.parametrize("preset", DATASETS)
def test_every_preset_runs_with_a_hard_margin_and_without_bias(preset):
    at = start(share.encode(Lab(preset=preset, hard=True)))
    sound(at.selectbox(key="preset").select(preset).run())
    sound(at.button(key="reset").click().run())
    assert lab(at).hard
    assert lab(at).points
    sound(at.toggle(key="bias").set_value(False).run())
    assert not lab(at).bias


@pytest.mark.parametrize(
    ("kernel", "widget", "name", "value"),
    [
        ("polynomial", "degree", "degree", 2),
        ("polynomial", "coef0", "coef0", 0.0),
        ("sigmoid", "scale", "scale", 0.125),
        ("linear", "exact", "value", 12.5),
        ("linear", "size", "size", 24),
        ("linear", "noise", "noise", 0.5),
        ("linear", "seed", "seed", 17),
    ],
)
def test_a_number_field_sets_its_value(kernel, widget, name, value):
    at = start()
    sound(at.selectbox(key="kernel").select(kernel).run())
    sound(at.number_input(key=widget).set_value(value).run())
    assert getattr(lab(at), name) == value
    assert at.number_input(key=widget).value == value
    if name == "size":
        assert len(lab(at).points) == value


@pytest.mark.parametrize("name", ["hard", "bias"])
def test_a_toggle_sets_its_value_and_back(name):
    at = start()
    was = getattr(lab(at), name)
    for now in (not was, was):
        sound(at.toggle(key=name).set_value(now).run())
        assert getattr(lab(at), name) is now


def test_the_face_changes_the_words_and_not_the_machine():
    at = start()
    C = lab(at).C
    sound(at.segmented_control(key="face").set_value("lambda").run())
    assert lab(at).face == "lambda"
    assert pytest.approx(C, rel=1e-12) == lab(at).C
    assert lab(at).value == pytest.approx(1 / 60, rel=1e-12)
    assert text.FORM_LAMBDA in "".join(m.value for m in at.markdown)
    sound(at.segmented_control(key="face").set_value("C").run())
    assert pytest.approx(C, rel=1e-12) == lab(at).C


@pytest.mark.parametrize("name", ["degree", "coef0", "scale", "size", "noise", "seed", "exact"])
@pytest.mark.parametrize("side", [-1, 1])
def test_a_value_beyond_the_limits_never_reaches_the_lab(name, side):
    """Streamlit's fields refuse such values in the browser; a forged message must not pass either."""
    at = start()
    limits = CONTROLS["value" if name == "exact" else name]
    value = limits.kind(2 * limits.high + 10 if side > 0 else limits.low - 5)
    sound(at.selectbox(key="kernel").select("polynomial").run())
    sound(at.number_input(key=name).set_value(value).run())
    assert limits.low <= getattr(lab(at), limits.key) <= limits.high
    assert len(lab(at).points) == lab(at).size


def test_reset_brings_the_preset_back_and_new_sample_another():
    at = start()
    first = lab(at).points
    sound(at.button(key="reseed").click().run())
    assert lab(at).points != first
    assert lab(at).seed == 1
    sound(at.button(key="reset").click().run())
    assert lab(at).seed == 1
    sound(at.number_input(key="seed").set_value(0).run())
    assert lab(at).points == first


def test_a_fixed_preset_disables_its_sample_with_a_reason():
    at = start()
    sound(at.selectbox(key="preset").select("four_corners").run())
    for name in ("size", "noise", "seed"):
        assert at.number_input(key=name).disabled
        assert at.number_input(key=name).help == text.IDLE_FIXED
    assert at.button(key="reseed").disabled


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_parameter_is_enabled_exactly_where_the_kernel_has_it(shared, kernel):
    sound(shared.selectbox(key="kernel").select(kernel).run())
    helps = {p.name: p.help for p in KERNELS[kernel].parameters}
    for name, p in PARAMETERS.items():
        widget = shared.number_input(key=name)
        assert widget.label == p.symbol
        assert widget.disabled is (name not in helps), name
        assert widget.help == helps.get(name, widget.help), name
        assert ("has no such parameter" in widget.help) is widget.disabled, name


def test_a_hard_margin_disables_the_price_of_slack_with_a_reason():
    at = start()
    sound(at.toggle(key="hard").set_value(True).run())
    assert at.number_input(key="exact").disabled
    assert at.number_input(key="exact").help == text.IDLE_HARD
    assert at.segmented_control(key="face").disabled


def test_every_widget_of_the_lab_has_a_help_text():
    at = start()
    kinds = ("selectbox", "number_input", "select_slider", "toggle", "button", "segmented_control")
    # `exact` stands beside its slider, which has the help; the bar of tabs has no label to hang one on.
    bare = {w.key for kind in kinds for w in at.get(kind) if not w.help}
    assert bare <= {"exact", "tab"}


@pytest.mark.parametrize("tab", text.TABS)
def test_every_tab_opens_on_a_board_and_on_an_unsolvable_one(tab):
    for link in (
        None,
        share.encode(Lab(points=(Point(1, 0, 0, 1), Point(2, 0, 0, -1)), hard=True)),
    ):
        at = start(link)
        sound(at.segmented_control(key="tab").set_value(tab).run())
        assert at.session_state["tab"] == tab


def test_a_pinned_fit_stands_beside_the_next_one_until_it_is_let_go():
    at = start()
    sound(at.button(key="pin").click().run())
    pinned = at.session_state["lab"].pin
    sound(at.number_input(key="exact").set_value(50.0).run())
    assert at.session_state["lab"].pin == pinned != lab(at)
    assert text.PINNED in "".join(h.value if hasattr(h, "value") else str(h.proto) for h in at.get("html"))
    sound(at.button(key="pin").click().run())
    assert at.session_state["lab"].pin is None


def test_the_guide_runs_and_keeps_the_state_of_the_lab():
    at = start()
    sound(at.selectbox(key="kernel").select("gaussian").run())
    before = lab(at)
    sound(at.switch_page("pages/guide.py").run())
    assert "Conventions" in at.markdown[0].value
    assert lab(at) == before
    sound(at.switch_page("pages/lab.py").run())
    assert at.selectbox(key="kernel").value == "gaussian"


def test_a_page_asked_for_before_the_app_has_run_builds_the_navigation_itself():
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    sound(at.switch_page("pages/guide.py").run())
    assert at.session_state["routed"] is True
    assert any(m.value == text.GUIDE.strip() for m in at.markdown)
    assert lab(at) == begin().present


def test_a_link_starts_the_session_and_a_broken_one_an_empty_board():
    points = (Point(1, 500, 250, 1), Point(2, -1, 8000, -1))
    assert lab(start(share.encode(Lab(points=points, kernel="sigmoid")))).points == points
    at = start("1broken")
    assert lab(at) == Lab()
    assert "damaged" in at.session_state["lab"].history.note


@pytest.mark.parametrize(
    "points",
    [
        (),
        (Point(1, 0, 0, 1),),
        (Point(1, 0, 0, 1), Point(2, 0, 0, -1)),
        (Point(1, 0, 0, 1), Point(2, 0, 0, 1)),
        (Point(1, 8000, 8000, 1), Point(2, -8000, -8000, -1), Point(3, 0, 0, 1)),
        tuple(Point(i, i, i, 1 if i % 2 else -1) for i in range(1, 41)),
    ],
    ids=["none", "one", "opposite", "equal", "corners", "line"],
)
@pytest.mark.parametrize("hard", [False, True], ids=["soft", "hard"])
def test_a_degenerate_board_is_something_to_read_and_never_a_stack_trace(points, hard):
    at = start(share.encode(Lab(points=points, hard=hard)))
    for kernel in list(KERNELS)[1:]:
        sound(at.selectbox(key="kernel").select(kernel).run())
    sound(at.toggle(key="bias").set_value(False).run())
