"""Delete every point in turn, and measure the widest gap over a fine grid of directions."""

import numpy as np

ANGLES = np.linspace(0, 2 * np.pi, 2880, endpoint=False)
NORMALS = np.stack([np.cos(ANGLES), np.sin(ANGLES)])


def answer(question):
    X = np.array([row[:2] for row in question.board.points])
    y = np.array([row[2] for row in question.board.points])
    heights = X @ NORMALS
    widths = []
    for left_out in range(len(y)):
        stays = np.arange(len(y)) != left_out
        widths.append((heights[stays & (y > 0)].min(axis=0) - heights[stays & (y < 0)].max(axis=0)).max())
    return {question.board.ids[int(np.argmax(widths))]}
