"""A board that a link is to bring back, and what of it is looked at."""

from svmlab.lab.session import share
from svmlab.lab.session.lab import Lab, Point

LAB = Lab(
    points=(Point(1, 1234, -567, 1), Point(2, -2000, 1999, -1), Point(3, 5, 0, 1)),
    kernel="gaussian",
    sigma=0.63,
    value=7.5,
    preset="moons",
)
GOOD = share.encode(LAB)


def edited(board):
    """A board with a new point, another kernel and no bias."""
    board.open()
    board.click(-3, 3)
    board.choose("kernel", "Gaussian")
    board.switch("bias")
    return board


def state(board):
    """What must survive."""
    return board.places, board.figures, board.lines


def to_guide(board):
    bar = board.page.get_by_role("navigation", name="Pages")
    bar.get_by_role("button", name="Help").click()
    bar.get_by_role("link", name="Guide").click()
    board.page.get_by_text("Conventions").wait_for()
    board.settle()


def looked_at(board):
    """A point selected, a fit pinned, then C changed: what one sees besides the board."""
    board.open()
    with board.answered():
        board.page.get_by_text("Pinned fit", exact=True).click()
    board.type("exact", "0.05")
    _, x, y = board.places[3]
    board.click(x, y)
    return board


def visible_state(board):
    pinned = board.root.locator(".pin path").evaluate_all("paths => paths.map(p => p.getAttribute('d'))")
    rows = [*board.dots].index(int(board.data("selected")))
    return rows, pinned, board.page.locator(".sv-inspector").inner_text(), state(board), board.page.url
