"""Whether machine code can be kept is tried before another process compiles for nothing."""

from svmlab.jit import cache


def test_there_is_room_where_a_file_can_be_written_and_none_where_it_cannot(tmp_path, monkeypatch):
    monkeypatch.setattr(cache, "_reported", False)
    monkeypatch.setattr(cache, "_unkept", False)
    monkeypatch.setattr(cache, "_folders", {str(tmp_path)})
    assert cache.has_room()
    assert not cache.has_unsaved_code()
    assert list(tmp_path.iterdir()) == [], "nothing is left behind"
    monkeypatch.setattr(cache, "_folders", {str(tmp_path / "missing")})
    assert not cache.has_room()
    assert cache.has_unsaved_code()
