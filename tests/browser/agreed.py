"""Whether the figures and the legend beside the board are those of the points on it."""

import pytest

from svmlab import Dataset, Problem, solve
from svmlab.lab.numbers import short

CATEGORIES = {"safe": ("outside",), "margin": ("margin_idle", "margin_free", "margin_full")}


def dataset(board):
    dots = board.dots.values()
    return Dataset([(d.x, d.y) for d in dots], [d.label for d in dots])


def check_against_mathematics(board, kernel, C=1.0, bias=True):
    """What the page shows is what svmlab computes from the points that the page shows."""
    solution = solve(Problem(dataset(board), kernel, C, bias))
    shown = board.figures
    assert shown["margin"] == short(1 / solution.norm_w)
    assert shown["width"] == short(2 / solution.norm_w)
    assert shown["support"] == str(int(solution.support.sum()))
    assert shown["errors"] == str(int(solution.errors.sum()))
    assert shown["slack"] == short(float(solution.xi.sum())) or float(board.exact["slack"]) < 1e-9
    assert float(board.exact["margin"]) == pytest.approx(1 / solution.norm_w, rel=1e-9)
    assert [d.cat for d in board.dots.values()] == [c.value for c in solution.categories]
    check_legend(board)


def check_legend(board):
    cats = [d.cat for d in board.dots.values()]
    safe, margin = (sum(c in CATEGORIES[group] for c in cats) for group in ("safe", "margin"))
    assert board.legend == {"safe": safe, "margin": margin, "violating": len(cats) - safe - margin}
