"""Where the labels of a figure stand, in px, for tests."""

from typing import NamedTuple

from svmlab.plot.labels import width

PAGE = 574  # px: a chart beside the board at 1280 x 800
LINE = 1.25  # height of a line of type, in its size


class Box(NamedTuple):
    text: str
    left: float
    right: float
    low: float
    high: float


def boxes(figure, page=PAGE):
    """The boxes of the labels, from the left and from the foot of the figure."""
    layout = figure.layout
    wide = page - layout.margin.l - layout.margin.r
    tall = layout.height - layout.margin.t - layout.margin.b
    return [_box(layout, a, wide, tall) for a in layout.annotations if a.text]


def _box(layout, a, wide, tall):
    x_axis, y_axis = layout[a.xref.replace("x", "xaxis")], layout[a.yref.replace("y", "yaxis")]
    (left, right), (bottom, top) = x_axis.range, y_axis.range
    low, high = y_axis.domain or (0.0, 1.0)
    x = layout.margin.l + (a.x - left) / (right - left) * wide
    if y_axis.scaleanchor:
        side = (tall / (top - bottom)) * (right - left)
        x = layout.margin.l + (wide - side) / 2 + (a.x - left) / (right - left) * side
    y = layout.margin.b + tall * (low + (high - low) * (a.y - bottom) / (top - bottom)) + (a.yshift or 0)
    w, h = width(a.text, a.font.size), LINE * a.font.size
    start = x + (a.xshift or 0) - {"left": 0.0, "center": 0.5, "right": 1.0}[a.xanchor] * w
    return Box(a.text, start, start + w, y - h / 2, y + h / 2)


def apart(boxes):
    """Whether no two of them overlap."""
    return not any(
        one.left < other.right and other.left < one.right and one.low < other.high and other.low < one.high
        for i, one in enumerate(boxes)
        for other in boxes[:i]
    )
