"""A choice beside a chart that something else has changed stays as it was changed, whatever the browser still says of
it."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page() -> None:
    from types import SimpleNamespace

    import streamlit as st

    from svmlab.lab.teach import sheet
    from svmlab.lab.teach.step import Pick

    chosen = st.session_state.setdefault("chosen", {"room": "a"})
    st.button("try", key="try", on_click=lambda: chosen.update(room="b"))
    hands = SimpleNamespace(apply=lambda op: chosen.update(op["values"]))
    pick = Pick("room", "Room", ("a", "b", "c"), "a", str)
    sheet.picks((pick,), SimpleNamespace(pick=chosen.get), hands)  # type: ignore[arg-type]


def test_a_choice_that_a_try_has_changed_is_another_widget():
    at = AppTest.from_function(page).run()
    old = at.segmented_control[0].key
    at.button(key="try").click().run()
    assert not at.exception
    assert at.segmented_control[0].value == "b"
    assert at.segmented_control[0].key != old
    assert at.session_state["chosen"] == {"room": "b"}


def test_a_choice_of_ones_own_stays_the_same_widget():
    at = AppTest.from_function(page).run()
    old = at.segmented_control[0].key
    at.segmented_control[0].set_value("c").run()
    assert (at.segmented_control[0].key, at.segmented_control[0].value) == (old, "c")
    at.button(key="try").click().run()
    at.segmented_control[0].set_value("a").run()
    assert at.session_state["chosen"] == {"room": "a"}
    assert at.segmented_control[0].value == "a"
