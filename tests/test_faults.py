"""The tables of the tool that makes faults name what is there."""

from tests.faults import HARMLESS, ROOM_TESTS, ROOT, room


def test_every_room_has_tests_and_every_module_a_room():
    assert [name for name, globs in ROOM_TESTS.items() if not any(any(ROOT.glob(glob)) for glob in globs)] == []
    modules = [path.relative_to(ROOT).as_posix() for path in (ROOT / "svmlab").rglob("*.py")]
    assert {room(module) for module in modules} == set(ROOM_TESTS)
    assert [module for module in modules if not room(module) and module.count("/") > 1] == []


def test_every_harmless_constant_stands_on_a_line():
    for module, part in HARMLESS:
        assert part in (ROOT / module).read_text(encoding="utf-8"), (module, part)
