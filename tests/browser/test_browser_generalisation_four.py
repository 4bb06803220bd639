"""All labellings of four points in a browser: small boards that follow a hand on the board, and set its labels."""

import pytest

BOARDS = ".st-key-chart .boards"


@pytest.fixture
def four(new_board):
    """The step shown, on a desk where nothing moves by itself."""
    board = new_board(1280, 800, reduced_motion="reduce").open("/generalisation?step=four")
    board.page.locator(".st-key-four_show button").click()
    board.page.locator(f"{BOARDS} button").last.wait_for()
    return board.settle(frames=12)


def drawn(board):
    return board.page.locator(BOARDS).inner_html()


def test_small_boards_follow_a_point_while_a_hand_holds_it(four):
    before = drawn(four)
    assert four.page.locator(f"{BOARDS} button.none").count() == 2
    four.grab(1.8, 2.2).pull(-0.6, -0.6)
    four.until(lambda: drawn(four) != before, "the small boards")
    four.settle(frames=12)
    while_held = drawn(four)
    assert four.page.locator(f"{BOARDS} button.none").count() == 2
    four.drop()
    four.settle(frames=12)
    assert four.page.locator(BOARDS).count() == 1
    four.until(lambda: drawn(four) == while_held, "what stands to be what was held")


def test_a_click_and_a_key_set_the_labels_of_the_board_once(four):
    with four.answered():
        four.page.locator(f'{BOARDS} button[data-id="1"]').click()
    labels = "root => root.board.data.points.map((p) => p[3])"
    assert four.root.evaluate(labels) == [-1, 1, 1, 1]
    with four.answered():
        four.page.locator(f'{BOARDS} button[data-id="3"]').press("Enter")
    assert four.root.evaluate(labels) == [-1, -1, 1, 1]
    four.page.locator(f'{BOARDS} button[data-id="3"][aria-pressed="true"]').wait_for()
    assert four.root.evaluate("root => root.board.data.can.undo")


def test_all_sixteen_are_seen_whole_on_a_projector_and_on_a_phone_they_have_the_width(new_board):
    for width, height, smallest_width in ((1280, 720, 68), (390, 844, 80)):
        board = new_board(width, height, reduced_motion="reduce").open("/generalisation?step=four")
        board.page.locator(".st-key-four_show button").click()
        board.page.locator(f"{BOARDS} button").last.wait_for()
        board.settle(frames=12)
        boxes = [each.bounding_box() for each in board.page.locator(f"{BOARDS} button").all()]
        assert len(boxes) == 16
        assert all(box["width"] >= smallest_width and abs(box["width"] - box["height"]) < 1 for box in boxes)
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= width for box in boxes)
        if width > 640:
            place = board.page.locator(".st-key-chart").bounding_box()
            assert max(box["y"] + box["height"] for box in boxes) <= place["y"] + place["height"] + 1
