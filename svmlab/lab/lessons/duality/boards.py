"""The boards of the lesson: points that a line separates, few enough to be distinguished in the picture."""

from __future__ import annotations

from svmlab.lab.teach.boards import board_of_points, flowers, preset

FOUR = board_of_points(
    ((0, 0, -1), (2, 2, -1), (2, 0, 1), (3, 0, 1)), hard=True
)  # w = (1, -1), b = -1, alpha = (1/2, 1/2, 1, 0)
FLOWERS = flowers(  # 18 flowers
    "versicolor", "setosa", ("sepal_length", "petal_length"), (5.5, 2.9), every=6, hard=True
)
EIGHT = preset("separable", size=8, seed=26, hard=True)
TWELVE = board_of_points(  # three support vectors; without the one of smallest alpha the margin is a quarter larger
    (
        (0.4, 1.9, 1),
        (1.9, -0.9, 1),
        (2.4, 0.7, 1),
        (2.8, 2.2, 1),
        (1.4, 3.1, 1),
        (3.2, -0.4, 1),
        (-0.6, -0.4, -1),
        (-1.9, 1.4, -1),
        (-2.1, -0.9, -1),
        (-0.3, -2.4, -1),
        (-3, 0.3, -1),
        (-2.5, -2.2, -1),
    ),
    hard=True,
)
NARROW = preset("separable", size=12, seed=19, hard=True)
SIXTY = preset("separable", size=60, seed=0, hard=True)
