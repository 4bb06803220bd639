"""Delete each listed point in turn, and see whether the widest gap over a fine grid of directions grows."""

import numpy as np

ANGLES = np.linspace(0, 2 * np.pi, 2880, endpoint=False)
NORMALS = np.stack([np.cos(ANGLES), np.sin(ANGLES)])


def answer(question):
    rows = np.array(question.board.points)
    heights, y = rows[:, :2] @ NORMALS, rows[:, 2]

    def width(stays):
        return (heights[stays & (y > 0)].min(axis=0) - heights[stays & (y < 0)].max(axis=0)).max()

    numbers = np.array(question.board.ids)
    before = width(numbers > 0)
    listed = [int(number) for number in question.given["listed"].split(", ")]
    return {number for number in listed if width(numbers != number) < 1.005 * before}
