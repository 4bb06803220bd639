"""A server whose loops are not compiled, or whose compiled ones are torn, answers at once and says so until it is
over."""

import pytest

from tests.kept import copy_compiled, truncate

COMPILED = 200_000  # ms: compiling takes some ten seconds of an idle core


@pytest.mark.sweep  # it compiles everything, as .ci/run does once anyway
def test_a_fresh_installation_shows_its_board_at_once_and_the_line_goes_by_itself(new_server, new_board, tmp_path):
    server = new_server(NUMBA_CACHE_DIR=str(tmp_path / "nothing"))
    board = new_board(base=server.url)
    board.open()
    notice = board.page.locator(".sv-preparing")
    assert notice.is_visible()
    before, figures = board.lines, board.figures
    dot = next(d for d in board.dots.values() if d.cat == "margin_free")
    board.grab(dot.x, dot.y).pull(dot.x + 0.4, dot.y).drop()
    assert board.lines["zero"] != before["zero"], "the picture follows"
    assert notice.is_visible()
    board.press("Control+z")
    projected = new_board(1920, 1080, base=server.url).open("/sources?projector").page
    notice_box = projected.locator(".sv-preparing").bounding_box()
    menu = projected.get_by_role("navigation", name="Pages").bounding_box()
    assert notice_box["x"] >= menu["x"] + menu["width"], "the line covers the menu"
    notice.wait_for(state="detached", timeout=COMPILED)
    board.settle()
    assert board.lines == before
    assert board.figures == figures
    assert "Traceback" not in server.log.read_text()


def test_a_torn_cache_is_no_trouble(new_server, new_board, tmp_path):
    copy_compiled(tmp_path / "cache")
    for file in tmp_path.rglob("dense._scale*.nbc"):
        truncate(file)
    server = new_server(NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    board = new_board(base=server.url)
    board.open()
    assert board.lines["zero"]
    board.page.locator(".sv-preparing").wait_for(state="detached", timeout=COMPILED)
    log = server.log.read_text()
    assert "Traceback" not in log
    assert log.count("is torn.") == 1
