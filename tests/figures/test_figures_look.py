"""Every chart of every lesson in every palette: its colours, its type, its arrays, and labels that can be read."""

import inspect
import json

import numpy as np
import pytest

from svmlab.lab.charts import palette as palettes
from svmlab.lab.charts.frame import FONT
from tests.figures.boxes import PAGE, Box, apart, boxes
from tests.figures.charts import PALETTES, SHOWN, builders

TWO = ("light", "projector, dark")  # that differ in everything


def walk(tree, key=""):
    """Every value of a figure with the key that it stands under, those in lists too."""
    yield key, tree
    for name, value in tree.items() if isinstance(tree, dict) else ((key, v) for v in tree if isinstance(tree, list)):
        if isinstance(value, dict | list):
            yield from walk(value, name)
        else:
            yield name, value


def test_every_chart_of_a_lesson_is_among_those_shown_and_is_given_its_palette():
    found = builders()
    assert set(found) == set(SHOWN)
    for function in found.values():
        *_, last = inspect.signature(function).parameters.values()
        assert last.name == "palette"
        assert last.default is inspect.Parameter.empty


@pytest.fixture(
    scope="module",
    params=[
        pytest.param((name, theme), id=f"{name}: {theme}", marks=() if theme in TWO else pytest.mark.every_step)
        for name in SHOWN
        for theme in PALETTES
    ],
)
def drawn(request):
    name, theme = request.param
    return PALETTES[theme], SHOWN[name](PALETTES[theme])


def test_a_chart_has_the_colours_of_its_palette_alone(drawn):
    palette, figure = drawn
    values = walk(json.loads(figure.to_json()))
    found = {v for key, v in values if key.endswith(("color", "colorscale")) and isinstance(v, str)}
    own = {v for v in (*vars(palette).values(), *palette.series) if isinstance(v, str)}
    inks = {palette.ink(v) for v in own if v.startswith("#") and v != palette.paper}
    pale = {palettes.faded(v, 0.2) for v in own if v.startswith("#")}
    assert found <= own | inks | pale | {palettes.CLEAR}
    assert len(found & own) >= 4


def test_a_chart_has_the_type_of_its_palette(drawn):
    palette, figure = drawn
    fonts = [v for key, v in walk(json.loads(figure.to_json())) if key.endswith("font") and isinstance(v, dict)]
    assert {font["size"] for font in fonts if "size" in font} == {palette.small, palette.type}
    assert {font["family"] for font in fonts if "family" in font} == {FONT}


def test_words_of_a_chart_stand_out_from_its_paper(drawn):
    palette, figure = drawn
    values = walk(json.loads(figure.to_json()))
    fonts = {v["color"] for key, v in values if key.endswith("font") and isinstance(v, dict) and "color" in v}
    assert {ink for ink in fonts if palettes.contrast(ink, palette.paper) < palettes.READABLE} == set()


@pytest.mark.parametrize("page", [PAGE, 1.25 * PAGE])
def test_labels_stand_apart_and_inside(drawn, page):
    words = boxes(drawn[1], page)
    assert apart(words)
    high = drawn[1].layout.height
    assert all(box.left >= 0 and box.right <= page and box.low >= 0 and box.high <= high for box in words)


def test_a_chart_is_sent_as_arrays(drawn):
    for trace in drawn[1].data:
        assert all(isinstance(trace[key], np.ndarray | None) for key in ("x", "y", "z", "customdata") if key in trace)


def test_boxes_that_overlap_are_found():
    words = [Box("a", 0, 10, 0, 10), Box("b", 11, 20, 0, 10), Box("c", 5, 15, 8, 18)]
    assert apart(words[:2])
    assert not apart(words)
