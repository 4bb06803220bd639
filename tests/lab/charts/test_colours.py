"""The colours of the classes stay apart for eyes that see fewer of them; in grey their marks tell them."""

from itertools import combinations

import numpy as np
import pytest

from svmlab.lab.charts.marks import points
from svmlab.plot.palette import DARK, LIGHT

# Machado, Oliveira and Fernandes, A Physiologically-based Model for Simulation of Color Vision Deficiency (2009),
# severity 1, on linear RGB.
EYES = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    "any": np.eye(3),
}
TO_XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])
WHITE = TO_XYZ.sum(axis=1)
APART = 20  # in CIELAB, where 2.3 is just noticed


def linear(colour):
    rgb = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)


def lab(rgb):
    share = TO_XYZ @ np.clip(rgb, 0, 1) / WHITE
    f = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def of_classes(palette):
    return [palette.class_colour(label) for label in (1, 2, 3, 4)]


@pytest.mark.parametrize("eyes", EYES)
@pytest.mark.parametrize("palette", [LIGHT, DARK], ids=["light", "dark"])
def test_four_classes_are_distinguishable_by_colour(palette, eyes):
    seen = [lab(np.array(EYES[eyes]) @ linear(colour)) for colour in of_classes(palette)]
    assert min(np.linalg.norm(one - other) for one, other in combinations(seen, 2)) > APART


def test_each_class_has_a_mark_of_its_own():
    every = np.arange(1, 5)
    trace = points(LIGHT, every, every, every, every, every == 0, name="", hover="")
    assert len(set(trace.marker.symbol)) == 4
