"""An app of one lesson, to try in a browser what only a lesson's board does: streamlit run
tests/browser/lesson_app.py."""

import streamlit as st
from starlette.middleware import Middleware

from svmlab.lab.board import component, drag_socket
from svmlab.lab.frame import compile_in_background
from svmlab.lab.practice.check_yourself import CheckYourself
from svmlab.lab.teach import lesson
from svmlab.lab.teach.boards import preset
from svmlab.lab.teach.step import Choice, Lesson, Step, dial


def drawn(stage):
    """The first point's place and the slider's, as lines, and the slider beside C."""
    c, view, x = stage.dial("c", 1.0), stage.lab.view, stage.lab.points[0].x / 1000
    overlay = [{"kind": "line", "pts": [at, -view, at, view], "style": "accent"} for at in (c, x)]
    price = {"key": "value", "label": "C", "title": "Price", "value": stage.lab.value, "lo": -3, "hi": 3}
    price["ticks"] = [] if stage.moving else [-1, 0, 1]  # as of a result that takes time
    return {"overlay": overlay, "sliders": [price, dial("c", "c", "Place", c, 0, 4, 0.01)]}


def step(name, **play):
    """A step that plays something when it is shown."""
    return Step(
        key=name,
        title=f"The {name}",
        question="What happens?",
        choices=(Choice("This"), Choice("That")),
        answer=lambda stage: 0,
        board=preset("overlapping", size=40),
        shows=(),
        draw=drawn,
        play=lambda stage: play,
    )


STEPS = (
    step("price", key="value", to=100.0, ms=2400),
    step("dial", key="c", op="dial", to=3.0, ms=2400),
    step("slow", key="value", to=100.0, ms=60_000),
    step("there", key="value", to=100.0, ms=2400, back=True),
)

if __name__ == "__main__":
    st.set_page_config(layout="wide")
    lesson.run(Lesson("margin", "", STEPS), CheckYourself)
    st.text_input("Name", key="name")
else:
    app = st.App(
        __file__,
        routes=[drag_socket.route(), *compile_in_background.routes()],
        middleware=[Middleware(component.ImmutableFiles)],
    )
