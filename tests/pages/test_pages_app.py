"""The app run by Streamlit's own test driver: no browser, every control."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit.runtime.app_session import AppSession
from streamlit.testing.v1 import AppTest

from svmlab import DATASETS
from svmlab.kernels.standard import KERNELS
from svmlab.lab import frame
from svmlab.lab.bench import guide_page, panel, widgets
from svmlab.lab.bench.tabs import TABS
from svmlab.lab.numbers import editable_text
from svmlab.lab.session import inbox, share
from svmlab.lab.session.controls import CONTROLS, PARAMETERS
from svmlab.lab.session.lab import Lab, Point
from svmlab.lab.session.state import initial_history
from tests.lessons import LESSONS
from tests.marks import unmarked

ROOT = Path(__file__).parents[2]


def start(link: str | None = None) -> AppTest:
    at = AppTest.from_file(str(ROOT / "app.py"), default_timeout=60)
    if link is not None:
        at.query_params["s"] = link
    return sound(at.switch_page("pages/lab.py").run())


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
    assert lab(at) == initial_history().present
    assert at.get("html")


def test_every_widget_shows_what_the_lab_holds():
    at = start(
        share.encode(Lab(kernel="polynomial", degree=5, coef0=2.0, scale=0.25, value=3.0, hard=False, bias=False))
    )
    assert at.selectbox(key="kernel").value == "polynomial"
    fields = {name: at.text_input(key=name).value for name in ("degree", "coef0", "scale", "exact")}
    assert fields == {"degree": "5", "coef0": "2", "scale": "0.25", "exact": "3"}
    assert at.toggle(key="bias").value is False


@pytest.mark.one_in(6)
@pytest.mark.parametrize("preset", DATASETS)
def test_every_preset_runs_with_every_kernel(shared, preset):
    sound(shared.selectbox(key="preset").select(preset).run())
    for kernel in KERNELS:
        sound(shared.selectbox(key="kernel").select(kernel).run())
        assert (lab(shared).preset, lab(shared).kernel) == (preset, kernel)
        assert len(lab(shared).points) >= 2
        assert shared.session_state["lab"].outcome is not None


@pytest.mark.one_in(6)
@pytest.mark.parametrize("preset", DATASETS)
def test_every_preset_runs_with_a_hard_margin_and_without_bias(preset):
    at = start(share.encode(Lab(preset=preset, hard=True)))
    sound(at.selectbox(key="preset").select(preset).run())
    sound(at.button(key="reset").click().run())
    assert lab(at).hard
    assert lab(at).points
    sound(at.toggle(key="bias").set_value(False).run())
    assert not lab(at).bias


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("kernel", "widget", "text", "name", "value"),
    [
        ("polynomial", "degree", "2", "degree", 2),
        ("polynomial", "coef0", "0", "coef0", 0.0),
        ("sigmoid", "scale", "1/8", "scale", 0.125),
        ("linear", "exact", "12,5", "value", 12.5),
        ("linear", "size", "24", "size", 24),
        ("linear", "noise", "5e-1", "noise", 0.5),
        ("linear", "seed", "17", "seed", 17),
    ],
)
def test_a_number_field_sets_its_value(kernel, widget, text, name, value):
    at = start()
    sound(at.selectbox(key="kernel").select(kernel).run())
    sound(at.text_input(key=widget).set_value(text).run())
    assert getattr(lab(at), name) == value
    assert at.text_input(key=widget).value == editable_text(value)
    assert not refusals(at)
    if name == "size":
        assert len(lab(at).points) == value


@pytest.mark.parametrize("name", ["hard", "bias"])
def test_a_toggle_sets_its_value_and_back(name):
    at = start()
    was = getattr(lab(at), name)
    for setting in (not was, was):
        sound(at.toggle(key=name).set_value(setting).run())
        assert getattr(lab(at), name) is setting


def test_the_parameter_changes_the_words_and_not_the_svm():
    at = start()
    C = lab(at).C
    sound(at.segmented_control(key="face").set_value("lambda").run())
    assert lab(at).face == "lambda"
    assert pytest.approx(C, rel=1e-12) == lab(at).C
    assert lab(at).value == pytest.approx(1 / 60, rel=1e-12)
    assert widgets.FORM_LAMBDA in "".join(m.value for m in at.markdown)
    sound(at.segmented_control(key="face").set_value("C").run())
    assert pytest.approx(C, rel=1e-12) == lab(at).C


def refusals(at: AppTest) -> str:
    """What is said beside fields."""
    return " ".join(html(h) for h in at.get("html") if 'class="sv-refused"' in html(h))


def html(element) -> str:
    return element.value if hasattr(element, "value") else str(element.proto.body)


FIELDS = {
    "degree": "degree p",
    "coef0": "c₀",
    "scale": "s",
    "size": "How many",
    "noise": "Noise",
    "seed": "Seed",
    "exact": "C",
}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("name", FIELDS)
def test_a_number_refused_says_why_beside_its_field_and_stays_there_until_it_is_mended(name):
    at = start()
    limits = CONTROLS["value" if name == "exact" else name]
    sound(at.selectbox(key="kernel").select("polynomial").run())
    was = getattr(lab(at), limits.key)
    ends = f"from {editable_text(limits.low)} to {editable_text(limits.high)}"
    bad = {
        editable_text(2 * limits.high + 10): ends,
        editable_text(limits.low - 5): ends,
        "abc": "is not a number. Write it like",
    }
    if limits.kind is int:
        bad["4.5"] = "4.5 is not a whole number"
    for text, why in bad.items():
        sound(at.text_input(key=name).set_value(text).run())
        assert getattr(lab(at), limits.key) == was
        assert at.text_input(key=name).value == text
        said = refusals(at)
        assert f"{FIELDS[name]}: " in said
        assert why in said
        assert f"The value stays {editable_text(was)}." in said
    sound(at.text_input(key=name).set_value(editable_text(limits.high)).run())
    assert getattr(lab(at), limits.key) == limits.high
    assert not refusals(at)


def test_what_was_refused_goes_when_the_value_changes_in_another_way_or_the_field_is_emptied():
    at = start()
    for mend in ("undo", ""):
        sound(at.text_input(key="exact").set_value("7").run())
        sound(at.text_input(key="exact").set_value("∞").run())
        assert "hard margin" in refusals(at)
        if mend:
            inbox.do(at.session_state["lab"], {"op": mend})
            sound(at.run())
        else:
            sound(at.text_input(key="exact").set_value(mend).run())
        assert not refusals(at)
        assert at.text_input(key="exact").value == editable_text(lab(at).value)


def test_a_penalty_beyond_the_other_parameter_says_so_and_comes_back_when_nothing_else_was_done():
    at = start(share.encode(Lab(points=initial_history().present.points, value=1e6)))
    sound(at.segmented_control(key="face").set_value("lambda").run())
    said = refusals(at)
    assert "λ would be 1.667·10⁻⁸, but the smallest value is 10⁻⁶. So C = 16667." in said
    inbox.do(at.session_state["lab"], {"op": "select", "id": 3})
    sound(at.segmented_control(key="face").set_value("C").run())
    assert (lab(at).value, lab(at).selected) == (1e6, 3)
    assert not refusals(at)
    sound(at.segmented_control(key="face").set_value("lambda").run())
    sound(at.toggle(key="bias").set_value(False).run())
    assert not refusals(at)
    sound(at.segmented_control(key="face").set_value("C").run())
    assert lab(at).value == pytest.approx(1e6 / 60)


def test_reset_brings_the_preset_back_and_new_sample_another():
    at = start()
    first = lab(at).points
    sound(at.button(key="reseed").click().run())
    assert lab(at).points != first
    assert lab(at).seed == 1
    sound(at.button(key="reset").click().run())
    assert lab(at).seed == 1
    sound(at.text_input(key="seed").set_value("0").run())
    assert lab(at).points == first


def test_a_fixed_preset_disables_its_sample_with_a_reason():
    at = start()
    sound(at.selectbox(key="preset").select("four_corners").run())
    for name in ("size", "noise", "seed"):
        assert at.text_input(key=name).disabled
        assert at.text_input(key=name).help == widgets.IDLE_FIXED
    assert at.button(key="reseed").disabled


@pytest.mark.parametrize("kernel", KERNELS)
def test_a_parameter_has_a_field_exactly_where_the_kernel_has_it(shared, kernel):
    sound(shared.selectbox(key="kernel").select(kernel).run())
    helps = {p.name: p.help for p in KERNELS[kernel].parameters}
    for name, p in PARAMETERS.items():
        if name not in helps:
            assert name not in [field.key for field in shared.text_input], name
            continue
        widget = shared.text_input(key=name)
        assert widget.label == p.symbol
        assert not widget.disabled, name
        assert unmarked(widget.help) == helps[name], name


def test_a_recipe_that_means_nothing_stays_in_its_field_with_the_reason_and_the_kernel_stays():
    at = start()
    sound(at.selectbox(key="kernel").select("composed").run())
    sound(at.text_input(key="recipe").set_value("linear * gauss").run())
    assert at.text_input(key="recipe").value == "linear * gauss"
    said = next(each.value for each in at.get("html") if "sv-refused" in each.value)
    assert "recipe: &#x27;gauss&#x27; at character 10 is not a kernel." in said
    assert "The value stays linear+gaussian(1)." in said
    assert at.session_state["lab"].lab.recipe == "linear+gaussian(1)"
    sound(at.text_input(key="recipe").set_value("linear * gaussian").run())
    assert at.text_input(key="recipe").value == at.session_state["lab"].lab.recipe == "linear*gaussian(1)"
    assert not any("sv-refused" in each.value for each in at.get("html"))
    assert any("kernels?step=build" in each.value for each in at.caption)


def test_a_hard_margin_disables_the_penalty_of_slack_with_a_reason():
    at = start()
    sound(at.toggle(key="hard").set_value(True).run())
    assert at.text_input(key="exact").disabled
    assert at.text_input(key="exact").help == widgets.IDLE_HARD
    assert at.segmented_control(key="face").disabled


def test_every_widget_of_the_lab_has_a_help_text():
    at = start()
    kinds = ("selectbox", "text_input", "select_slider", "toggle", "button", "segmented_control")
    # `exact` stands beside its slider, which has the help; the bar of tabs has no label to hang one on.
    bare = {w.key for kind in kinds for w in at.get(kind) if not w.help}
    assert bare <= {"exact", "tab"}


@pytest.mark.parametrize("tab", TABS)
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
    sound(at.segmented_control(key="compare").set_value("ghost").run())
    pinned = at.session_state["lab"].boards.pinned
    sound(at.text_input(key="exact").set_value("50").run())
    assert at.session_state["lab"].boards.pinned == pinned != lab(at)
    assert panel.PINNED in "".join(h.value if hasattr(h, "value") else str(h.proto) for h in at.get("html"))
    sound(at.segmented_control(key="compare").set_value(None).run())
    assert at.session_state["lab"].boards.pinned is None


def test_the_controls_change_the_svm_that_was_chosen_on_either_board():
    at = start()
    sound(at.segmented_control(key="compare").set_value("second").run())
    sound(at.selectbox(key="kernel").select("gaussian").run())
    assert (lab(at).kernel, lab(at).second.kernel) == ("linear", "gaussian")
    sound(at.segmented_control(key="tab").set_value("code").run())
    assert "Gaussian" in at.code[0].value
    sound(at.segmented_control(key="active").set_value("A").run())
    assert at.selectbox(key="kernel").value == "linear"
    assert "Gaussian" not in at.code[0].value
    sound(at.toggle(key="hard").set_value(True).run())
    assert (lab(at).hard, lab(at).second.hard) == (True, False)
    sound(at.button(key="keep_b").click().run())
    assert (lab(at).kernel, lab(at).hard, lab(at).second) == ("gaussian", False, None)


def test_the_guide_runs_and_keeps_the_state_of_the_lab():
    at = start()
    sound(at.selectbox(key="kernel").select("gaussian").run())
    before = lab(at)
    sound(at.switch_page("pages/guide.py").run())
    assert [unmarked(m.value) for m in at.markdown] == [
        guide_page.SHOWN,
        guide_page.DATA,
        guide_page.CONVENTIONS,
        guide_page.CLASS,
        guide_page.LINK,
    ]
    assert lab(at) == before
    sound(at.switch_page("pages/lab.py").run())
    assert at.selectbox(key="kernel").value == "gaussian"


def test_every_page_has_its_place_in_the_navigation_and_every_lesson_among_the_lessons():
    assert sorted(path.stem for path in (ROOT / "pages").glob("*.py")) == sorted(frame.PAGES)
    assert sum(map(len, frame.GROUPS.values())) == len(frame.PAGES), "in one group only"
    assert {lesson.page for lesson in LESSONS} <= set(frame.GROUPS["Lessons"])


def test_a_link_starts_the_session_and_a_broken_one_an_empty_board():
    points = (Point(1, 500, 250, 1), Point(2, -1, 8000, -1))
    assert lab(start(share.encode(Lab(points=points, kernel="sigmoid")))).points == points
    at = start("1broken")
    assert lab(at) == Lab()
    assert "damaged" in at.session_state["lab"].history.note


@pytest.mark.one_in(2)
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


def test_a_session_that_comes_back_is_not_searched_for_files_to_watch() -> None:
    session = SimpleNamespace(_local_sources_watcher=None)
    AppSession.register_file_watchers(session)  # as where a socket was cut and comes back, whatever the option says
    assert vars(session) == {"_local_sources_watcher": None}
