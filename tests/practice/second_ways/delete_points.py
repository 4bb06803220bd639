"""The widest gap of the points before and after, over a fine grid of directions."""

import numpy as np

ANGLES = np.linspace(0, 2 * np.pi, 7200, endpoint=False)
NORMALS = np.stack([np.cos(ANGLES), np.sin(ANGLES)])


def width(points):
    rows = np.array(points)
    heights, y = rows[:, :2] @ NORMALS, rows[:, 2]
    return (heights[y > 0].min(axis=0) - heights[y < 0].max(axis=0)).max()


def answer(question):
    points = question.board.points
    before = width(points)
    if "numbers" not in question.given:

        def is_right(rows):
            kept = set(rows) <= set(points) and {row[2] for row in rows} == {1, -1}
            return kept and len(rows) == 3 and abs(width(rows) / before - 1) < 0.01

        return is_right
    deleted = {int(number) for number in str(question.given["numbers"]).split(", ")}
    after = width([row for i, row in enumerate(points, start=1) if i not in deleted])
    return "stay the same" if abs(after / before - 1) < 1e-3 else "wider" if after > before else "narrower"
