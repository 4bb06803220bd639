"""Every chart of every lesson in every palette: its colours, its type, its arrays, and labels that can be read."""

import inspect
import json

import numpy as np
import pytest

from svmlab.lab.charts import error_map
from svmlab.plot import palette as palettes
from svmlab.plot.frame import FONT
from tests.lab.charts.boxes import PAGE, Box, apart, boxes
from tests.lab.charts.charts import PALETTES, SHOWN, builders

THEMES = (("light",), ("projector, dark",), ("dark", "projector"))  # the first two differ in everything


def walk(tree, key=""):
    """Every value of a figure with the key that it stands under, those in lists too."""
    yield key, tree
    for name, value in tree.items() if isinstance(tree, dict) else ((key, v) for v in tree if isinstance(tree, list)):
        if isinstance(value, dict | list):
            yield from walk(value, name)
        else:
            yield name, value


def test_every_chart_of_a_lesson_is_among_those_shown_and_is_given_its_palette():
    builder_of = builders()
    assert set(builder_of) == set(SHOWN)
    assert sorted(theme for themes in THEMES for theme in themes) == sorted(PALETTES)
    for function in builder_of.values():
        *_, last = inspect.signature(function).parameters.values()
        assert last.name == "palette"
        assert last.default is inspect.Parameter.empty


def wrong_colours(figure, palette):
    """Colours that are not the palette's own, and whether it has too few of them to mean something."""
    values = walk(json.loads(figure.to_json()))
    colours = {v for key, v in values if key.endswith(("color", "colorscale")) and isinstance(v, str)}
    own = {v for v in (*vars(palette).values(), *palette.series) if isinstance(v, str)}
    inks = {palette.ink(v) for v in own if v.startswith("#") and v != palette.paper}
    pale = {palettes.faded(v, 0.2) for v in own if v.startswith("#")}
    few = [] if len(colours & own) >= 4 else [f"only {len(colours & own)} colours of the palette"]
    return [f"the colour {v}" for v in sorted(colours - own - inks - pale - {palettes.CLEAR})] + few


def wrong_type(figure, palette):
    """Sizes and families of type that are not the palette's, and inks that do not stand out from the paper."""
    fonts = [v for key, v in walk(json.loads(figure.to_json())) if key.endswith("font") and isinstance(v, dict)]
    sizes = {font["size"] for font in fonts if "size" in font}
    families = {font["family"] for font in fonts if "family" in font}
    inks = {font["color"] for font in fonts if "color" in font}
    return [
        *([] if sizes == {palette.small, palette.type} else [f"type of {sorted(sizes)} px"]),
        *([] if families == {FONT} else [f"type of the families {sorted(families)}"]),
        *(f"words in {ink}" for ink in sorted(inks) if palettes.contrast(ink, palette.paper) < palettes.READABLE),
    ]


def wrong_labels(figure, palette):
    """Labels that overlap or leave the figure, beside the board and on a page a quarter wider."""
    wrong, high = [], figure.layout.height
    for page in (PAGE, 1.25 * PAGE):
        words = boxes(figure, page)
        wrong += [] if apart(words) else [f"labels that overlap on {page:g} px"]
        inside = (b.left >= 0 and b.right <= page and b.low >= 0 and b.high <= high for b in words)
        wrong += [
            f"{box.text!r} outside on {page:g} px" for box, within in zip(words, inside, strict=True) if not within
        ]
    return wrong


def wrong_data(figure, palette):
    """Data that are no arrays: Plotly sends these as bytes, lists as text."""
    keys = ("x", "y", "z", "customdata")
    loose = [(i, key) for i, t in enumerate(figure.data) for key in keys if key in t]
    return [f"{key} of trace {i}" for i, key in loose if not isinstance(figure.data[i][key], np.ndarray | None)]


WRONG = (wrong_colours, wrong_type, wrong_labels, wrong_data)


@pytest.mark.one_in(5)
@pytest.mark.parametrize(
    ("name", "themes"),
    [
        pytest.param(name, themes, id=f"{name}: {' and '.join(themes)}", marks=marks)
        for themes, marks in zip(THEMES, ((), pytest.mark.slow, pytest.mark.sweep), strict=True)
        for name in SHOWN
    ],
)
def test_a_chart_has_the_look_of_its_palette_and_labels_that_can_be_read(name, themes):
    """Every chart is drawn once in each palette; whatever is wrong with the drawing is listed."""
    wrong = []
    for theme in themes:
        palette = PALETTES[theme]
        figure = SHOWN[name](palette)
        wrong += [f"{theme}: {each}" for look in WRONG for each in look(figure, palette)]
    assert wrong == []


def test_each_fault_of_a_chart_is_noticed():
    """A chart in foreign colours and type, or with one label on another, is complained of for each."""
    palette, other = PALETTES["light"], PALETTES["projector, dark"]
    figure = SHOWN["kernels.count.tree"](palette)
    assert [look(figure, palette) for look in WRONG] == [[], [], [], []]
    assert wrong_colours(figure, other)
    assert wrong_type(figure, other)
    text = {"x": 0.0, "y": 0.0, "xref": "x", "yref": "y", "showarrow": False, "font": {"size": 16}, "xanchor": "center"}
    figure.add_annotation(text="one", **text)
    figure.add_annotation(text="another", **text)
    assert wrong_labels(figure, palette)


def test_overlapping_boxes_are_noticed():
    words = [Box("a", 0, 10, 0, 10), Box("b", 11, 20, 0, 10), Box("c", 5, 15, 8, 18)]
    assert apart(words[:2])
    assert not apart(words)


def test_a_map_of_equal_errors_is_paper_and_not_the_darkest_grey():
    axis = error_map.Scale("x", np.array([0.0, 1.0]), np.array([0.0, 1.0]), ["0", "1"])
    error, spot = np.full((2, 2), 0.25), error_map.Spot("now", 0.0, 0.0)
    best = np.array([[True, True], [True, False]])
    figure = error_map.heat_map(axis, axis, error, best, np.full((2, 2), ""), None, spot, spot, PALETTES["light"])
    grey = figure.data[0]
    assert grey.zmin == 0.25
    assert grey.zmax == pytest.approx(0.25 + error_map.SMALLEST_RANGE)
    tied = next(trace for trace in figure.data if trace.name == "tied")
    sides = {
        (*a, *b)
        for a, b in zip(zip(tied.x, tied.y, strict=True), zip(tied.x[1:], tied.y[1:], strict=True), strict=False)
    }
    assert {side for side in sides if not np.isnan(side).any()} == {
        (-0.5, -0.5, 1.5, -0.5),
        (0.5, 0.5, 1.5, 0.5),
        (-0.5, 1.5, 0.5, 1.5),
        (-0.5, -0.5, -0.5, 1.5),
        (0.5, 0.5, 0.5, 1.5),
        (1.5, -0.5, 1.5, 0.5),
    }


def test_the_names_of_two_points_of_the_error_curve_leave_the_curve_in_sight():
    at = np.arange(-3.0, 3.0)
    scale = error_map.Scale("C", at, at, [f"{10.0**e:g}" for e in at])
    held_out = np.array([3.25, 3.25, 5.0, 3.75, 5.0, 6.0])
    hovers = np.array([""] * 6, dtype=object)
    for turned, x, anchor in ((1, 1.0, "right"), (-1, -2.0, "left")):  # the curve falls to the left, or to the right
        error = held_out[::turned]
        figure = error_map.error_curve(
            scale,
            error,
            error == error.min(),
            np.full(6, 0.5),
            np.full(6, 1.5),
            hovers,
            ("error", "test", "training"),
            error_map.Spot("smallest", float(at[int(error.argmin())]), 3.25),
            error_map.Spot("board", x, 5.0),
            PALETTES["light"],
        )
        names = {each.text: each for each in figure.layout.annotations}
        assert names["smallest"].yshift < 0, "the curve is nowhere below its minimum"
        assert names["board"].yshift > 0
        assert names["board"].xanchor == anchor
