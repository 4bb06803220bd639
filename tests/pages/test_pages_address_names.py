"""The names in an address are reserved in one place, and no slider can be made with one of them."""

import pytest

from svmlab import BadInput
from svmlab.lab.session import link
from svmlab.lab.session.address_names import FOREIGN, PICK, RENAMED_DIALS, RESERVED, check_dial_name
from svmlab.lab.teach.overlay import set_dials
from svmlab.lab.teach.step import Dial, dial
from tests.corpus.opening import opened

KEPT_FREE = {"projector", "exam", "tab", "turn", "q", "only", "goal", "seed", "plan", "room", "notation"}


def test_every_parameter_that_is_read_or_kept_free_is_reserved():
    assert set(link.READERS) | KEPT_FREE | set(FOREIGN) <= RESERVED.keys()


@pytest.mark.parametrize("name", [*RESERVED, f"{PICK}kernel"])
def test_a_slider_with_a_reserved_name_cannot_be_made(name):
    for make in (
        lambda: Dial(name, "its help", "its words", 0.0, 1.0, 0.1),
        lambda: dial(name, "its help", "its words", 0.5, 0.0, 1.0, 0.1),
        lambda: set_dials(**{name: 1.0}),
    ):
        with pytest.raises(BadInput, match="is reserved in addresses"):
            make()
    assert check_dial_name("colour") == "colour"


@pytest.mark.parametrize("name", RESERVED)
def test_a_number_under_a_reserved_name_is_no_slider(name):
    place, _notes = link.parse_query(f"{name}=1", "lab")
    assert place.dials == {}


@pytest.mark.parametrize(
    ("page", "former", "present"), [(p, *pair) for p, all_ in RENAMED_DIALS.items() for pair in all_.items()]
)
def test_an_old_link_still_says_the_former_name_of_a_slider(page, former, present):
    assert opened(f"/{page}?{former}=2.5").session.lessons.dials == {present: 2.5}
    assert f"{present}=2.5" in opened(f"/{page}?{former}=2.5").link
    assert opened(f"/lab?{former}=2.5").session.lessons.dials == {}
