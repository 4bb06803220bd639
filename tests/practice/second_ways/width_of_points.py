"""The distance between the convex hulls: of every corner from every segment of the other class."""

from itertools import combinations
from math import dist


def answer(question):
    classes = {label: [row[:2] for row in question.board.points if row[2] == label] for label in (1, -1)}
    distances = []
    for label in (1, -1):
        for p in classes[label]:
            for q, r in combinations(classes[-label], 2):
                edge = r[0] - q[0], r[1] - q[1]
                along = (edge[0] * (p[0] - q[0]) + edge[1] * (p[1] - q[1])) / (edge[0] ** 2 + edge[1] ** 2)
                t = min(1.0, max(0.0, along))
                distances.append(dist(p, (q[0] + t * edge[0], q[1] + t * edge[1])))
    return (min(distances),)
