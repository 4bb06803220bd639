"""A link that hides controls hides at least what it always hid."""

from __future__ import annotations

import pytest

from svmlab.lab.cards import statement_cards
from tests.corpus.hiding import OF_A_KERNEL, RENAMED, recorded, shown
from tests.frozen_names import frozen

VIEWS = recorded()
OFFERS_BOARD = "_lend"  # a step that may not show its answer on the visitor's board offers one on which it may
NOTICE = {"prepared", "show_all"}  # a page says that something is hidden, and offers to show it


@pytest.fixture(autouse=True)
def _patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every page shows what was checked: how fast the processor is decides nothing."""
    monkeypatch.setattr(statement_cards, "PATIENCE", 60.0)


@pytest.mark.one_in(9)
@pytest.mark.parametrize("name", VIEWS)
def test_a_link_hides_at_least_as_much_as_before(name):
    view, offences = VIEWS[name], []
    everything = shown(view)
    for hide, parts in view["hidden"].items():
        visible, hidden = shown(view, hide), {RENAMED.get(part, part) for part in parts} - {None}
        offences += [f"{hide}: {part} is shown" for part in sorted(hidden & visible)]
        offences += [
            f"{hide}: {part} is shown although it is not there without"
            for part in sorted(visible - everything - NOTICE)
            if not part.endswith(OFFERS_BOARD)
        ]
        offences += [
            f"{part} is not on the page at all: say in RENAMED of tests/corpus/hiding.py what it is called now"
            for part in sorted(hidden - everything - OF_A_KERNEL)
        ]
    assert not offences, "\n".join(offences)


def test_hiding_is_recorded_for_every_name_and_several_names_hide_what_each_of_them_hides():
    names = frozen()["link"]
    every = {f"hide={name}" for name in names["hide"]} | {f"lock={name}" for name in names["lock"]}
    assert every <= VIEWS["lab"]["hidden"].keys()
    for view in VIEWS.values():
        alone = {hide: set(parts) for hide, parts in view["hidden"].items() if "," not in hide and "&" not in hide}
        for hide, parts in view["hidden"].items():
            kinds = dict(part.split("=") for part in hide.split("&"))
            several = [f"{kind}={name}" for kind, listed in kinds.items() for name in listed.split(",")]
            assert set(parts) >= set().union(*(alone.get(each, set()) for each in several))
