"""The tables of the tool that makes faults name what is there."""

from tests.faults import HARMLESS, ROOT, SUBPACKAGE_TESTS, files_of, subpackage


def test_every_subpackage_has_tests_and_every_module_a_subpackage():
    assert [name for name, globs in SUBPACKAGE_TESTS.items() if not files_of(ROOT, globs)] == []
    modules = [path.relative_to(ROOT).as_posix() for path in (ROOT / "svmlab").rglob("*.py")]
    assert {subpackage(module) for module in modules} == set(SUBPACKAGE_TESTS)
    assert [module for module in modules if not subpackage(module) and module.count("/") > 1] == []


def test_every_test_of_a_subpackage_exists_and_every_folder_of_tests_belongs_to_one():
    lessons = {"lab/lessons/" + name for name in ("start", "margin", "duality", "soft", "losses", "pegasos", "kernels")}
    for name, globs in SUBPACKAGE_TESTS.items():
        if name not in lessons:
            assert [glob for glob in globs if not files_of(ROOT, (glob,))] == [], name
    known = {path.parent for globs in SUBPACKAGE_TESTS.values() for path in files_of(ROOT, globs)}
    folders = {path.parent for path in (ROOT / "tests").rglob("test_*.py")}
    assert {path.name for path in folders - known} <= {"browser"}


def test_every_harmless_constant_stands_on_a_line():
    for module, part in HARMLESS:
        assert part in (ROOT / module).read_text(encoding="utf-8"), (module, part)
