"""How sparingly codes with their keys are given."""

import pytest

from svmlab.lab.room import keys, lecturer, live_room, offers
from svmlab.lab.room.allowance import Allowance, Allowances
from svmlab.lab.session.lab import Lab
from svmlab.lab.session.state import History
from svmlab.lab.session.tab import Session
from svmlab.lab.session.visitors import network_of


class Clock:
    """A clock that is set by hand."""

    now = 0.0

    def __call__(self):
        return self.now


def test_so_much_is_allowed_at_once_and_then_at_a_rate():
    clock = Clock()
    allowance = Allowance(2, 0.5, clock)
    assert [allowance.take() for _ in range(3)] == [True, True, False]
    assert allowance.wait_s == 2
    clock.now = 2
    assert [allowance.take() for _ in range(2)] == [True, False]
    clock.now = 100
    assert [allowance.take() for _ in range(3)] == [True, True, False], "what is not used is not saved"


def test_allowances_are_forgotten_when_there_are_too_many_names():
    several = Allowances(1, 0, most=2)
    assert several.of("a").take()
    assert not several.of("a").take()
    several.of("b")
    several.of("a")
    several.of("c")
    assert not several.of("a").take()
    assert several.of("b").take(), "whoever was here longest ago is forgotten first"


def test_a_browser_an_address_and_the_process_have_their_own_limits():
    clock = Clock()
    desk = offers.OpeningLimit(clock)

    def opened(browser, address):
        return desk.may_open(browser, address) == 0

    of_one = [opened("one", "home") for _ in range(99)]
    assert sum(of_one) == offers.OF_BROWSER[0]
    assert desk.may_open("one", "home") == 1 / offers.OF_BROWSER[1]
    assert opened("two", "home")
    of_address = [opened(f"b{i}", "home") for i in range(99)]
    assert sum(of_one) + 1 + sum(of_address) == offers.OF_ADDRESS[0], "made-up cookies do not help"
    assert opened("three", "elsewhere"), "what one address uses up is left to the others"
    everybody = [opened(f"c{i}", f"a{i}") for i in range(999)]
    assert sum(everybody) == offers.OF_PROCESS[0] - offers.OF_ADDRESS[0] - 1
    clock.now = 3600.0
    assert opened("one", "home")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.0.7", "192.168.0.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("::ffff:10.0.0.7", "10.0.0.7"),
        ("", ""),
    ],
)
def test_all_addresses_of_one_subscriber_are_one(address, network):
    assert network_of(address) == network


def test_a_tab_is_told_why_no_room_is_opened(monkeypatch):
    monkeypatch.setattr(keys, "secret", lambda: b"s" * 32)
    monkeypatch.setattr(lecturer, "OPENING_LIMIT", offers.OpeningLimit(Clock()))
    session = Session(History(Lab()))
    for _ in range(offers.OF_BROWSER[0]):
        assert len(lecturer.handle(session, {"open": True})["offered"]) == lecturer.OFFERED
    assert lecturer.handle(session, {"open": True}) == {"denied": ["often", round(1 / offers.OF_BROWSER[1])]}
    monkeypatch.setattr(live_room, "rooms_led_by", lambda browser: live_room.ROOMS_OF_A_BROWSER)
    assert lecturer.handle(session, {"open": True}) == {"denied": ["many", live_room.ROOMS_OF_A_BROWSER]}
