"""The room of a class as a value: who may say what, what a restart brings back, and what nobody learns too early."""

import json
import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from svmlab.core.rich_text import FUNCTIONS, is_rich_text, math_ml, plain_text, rich_text
from svmlab.lab.room.room import (
    MAX_MEMBERS,
    PULSE_S,
    RULES,
    Room,
    Stop,
    apply,
    count_view,
    kept_view,
    member_view,
)
from tests.lessons import LESSONS
from tests.offences import each_of

STOP = Stop(
    "margin.slide", "Distance", ("How far?",), (("One",), ("Two",), ("Three",)), link="margin", board_link="lab"
)


def said(room, *messages, role="lecturer"):
    for message in messages:
        room = apply(room, {"role": role, **message})
    return room


def led(stop=STOP):
    """A room whose lecturer is here and shows a step."""
    room = said(Room("K7Q4"), {"kind": "lead", "n": 0, "stop": None, "rounds": []})
    return said(room, {"kind": "stop", "stop": stop}, role="server")


def asked(id_="round1"):
    return said(led(), {"kind": "ask", "id": id_, "key": STOP.key})


def voted(room, by, choice, id_="round1"):
    return said(room, {"kind": "vote", "by": by, "round": id_, "choice": choice}, role="member")


def test_a_question_is_asked_changed_closed_shown_and_asked_again():
    room = voted(voted(asked(), "a", 0), "b", 2)
    room = voted(room, "a", 1)
    assert count_view(room, 5, 0.0) == {"members": 5, "votes": 2, "rounds": [[0, 1, 1]], "pulse": {}}
    assert member_view(room)["asked"]["bars"] is None
    closed = said(room, {"kind": "close", "id": "round1"})
    assert voted(closed, "a", 0) == voted(closed, "c", 0) == closed, "it is closed"
    assert member_view(closed)["asked"]["bars"] is None, "the class has not seen the bars yet"
    assert member_view(said(closed, {"kind": "bars", "id": "round1"}))["asked"]["bars"] == [[0, 1, 1]]
    again = voted(said(closed, {"kind": "ask", "id": "round2", "key": STOP.key}), "a", 2, "round2")
    assert count_view(again, 2, 0.0)["rounds"] == [[0, 1, 1], [0, 0, 1]]
    shown = said(again, {"kind": "show", "key": STOP.key, "right": 2}, role="server")
    view = member_view(shown)["asked"]
    assert (view["open"], view["right"], view["bars"]) == (False, 2, [[0, 1, 1], [0, 0, 1]])
    assert said(shown, {"kind": "show", "key": STOP.key, "right": 0}, role="server") == shown, "it is shown once"


def test_nobody_hears_the_answer_before_it_is_shown():
    room = voted(asked(), "a", 0)
    for view in (member_view(room), kept_view(room), count_view(room, 1, 0.0)):
        assert '"right": null' in json.dumps(view) or "right" not in json.dumps(view)
    other = said(room, {"kind": "show", "key": "margin.other", "right": 1}, role="server")
    assert other == room, "the answer to another question shows nothing"
    assert said(room, {"kind": "show", "key": STOP.key, "right": 1}) == room, "only the server shows it"


def test_while_a_question_is_open_the_link_is_that_of_the_board_alone():
    room = asked()
    assert member_view(room)["link"] == "lab"
    assert member_view(said(room, {"kind": "close", "id": "round1"}))["link"] == "margin"


def test_a_question_is_not_shown_at_another_stop():
    moved = said(asked(), {"kind": "stop", "stop": replace(STOP, key="margin.other")}, role="server")
    assert member_view(moved)["asked"] is None
    assert said(moved, {"kind": "ask", "id": "round2", "key": STOP.key}) == moved, "that page is no longer open"


@pytest.mark.parametrize("lecturer_first", [True, False])
def test_after_a_restart_everybody_is_where_they_were(lecturer_first):
    before = voted(voted(asked(), "a", 1), "b", 2)
    lead = {"kind": "lead", "role": "lecturer"} | json.loads(json.dumps(kept_view(before)))
    back = [{"kind": "back", "role": "member", "by": by, "votes": {"round1": c}} for by, c in (("a", 1), ("b", 2))]
    messages = [lead, *back] if lecturer_first else [*back, lead]
    room = Room("K7Q4")
    for message in [*messages, *back]:  # a second tab of a browser says the same again
        room = apply(room, message)
    assert (room.stop, room.rounds, room.votes) == (before.stop, before.rounds, before.votes)
    assert room.n > before.n, "no page takes it for an older state"


def test_what_is_published_before_the_lecturer_is_back_stays():
    newer = replace(STOP, key="margin.newer")
    room = said(Room("K7Q4"), {"kind": "stop", "stop": newer}, role="server")
    room = said(room, {"kind": "lead"} | json.loads(json.dumps(kept_view(asked()))))
    assert room.stop == newer
    assert [each.id for each in room.rounds] == ["round1"]
    assert said(room, {"kind": "lead", "n": 99, "stop": None, "rounds": []}) == room, "nobody leads a led room anew"


def test_one_bad_round_does_not_drop_the_others_and_votes_for_no_round_are_dropped():
    kept = json.loads(json.dumps(kept_view(asked())))
    kept["rounds"] += [
        {**kept["rounds"][0], "id": "<script>"},
        {**kept["rounds"][0], "id": "round9", "question": [["script"]]},
    ]
    waiting = said(Room("K7Q4"), {"kind": "back", "by": "a", "votes": {"round1": 1, "strange": 2}}, role="member")
    room = said(waiting, {"kind": "lead"} | kept)
    assert [each.id for each in room.rounds] == ["round1"]
    assert room.votes == {"round1": {"a": 1}}


def test_after_the_close_nobody_gets_in_and_no_earlier_choice_comes_back():
    closed = said(voted(asked(), "a", 1), {"kind": "close", "id": "round1"})
    assert voted(closed, "late", 0) == closed
    kept = {"kind": "lead"} | json.loads(json.dumps(kept_view(closed)))
    back = {"kind": "back", "by": "a", "votes": {"round1": 0}}  # the seal of a choice that was changed later
    waiting = said(said(Room("K7Q4"), back, role="member"), kept)
    for room in (said(closed, back, role="member"), waiting, said(said(Room("K7Q4"), kept), back, role="member")):
        assert room.counts(room.last_round) == [0, 1, 0], "the counts were final when the question was closed"
        assert member_view(said(room, {"kind": "bars", "id": "round1"}))["asked"]["bars"] == [[0, 1, 0]]


def test_a_vote_that_was_counted_comes_back_while_its_question_is_open():
    room = said(voted(asked(), "a", 1), {"kind": "back", "by": "b", "votes": {"round1": 2}}, role="member")
    assert room.votes["round1"] == {"a": 1, "b": 2}
    assert said(room, {"kind": "back", "by": "b", "votes": {"round1": 0}}, role="member") == room


@pytest.mark.parametrize("counts", [None, [1], [1, 2, "3"], [-1, 0, 0], [1, 2, MAX_MEMBERS + 1], "123"])
def test_counts_that_are_none_are_not_brought_back(counts):
    kept = json.loads(json.dumps(kept_view(said(voted(asked(), "a", 1), {"kind": "close", "id": "round1"}))))
    kept["rounds"][0]["counts"] = counts
    room = said(Room("K7Q4"), {"kind": "lead"} | kept)
    assert room.counts(room.last_round) == [0, 0, 0]


def test_a_pulse_fades():
    room = said(
        led(),
        *({"kind": "pulse", "by": by, "is": "lost", "at": at} for by, at in (("a", 0.0), ("b", 60.0))),
        role="member",
    )
    assert count_view(room, 2, 61.0)["pulse"] == {"lost": 2}
    assert count_view(room, 2, PULSE_S + 1)["pulse"] == {"lost": 1}
    later = said(room, {"kind": "pulse", "by": "b", "is": "faster", "at": 2 * PULSE_S}, role="member")
    assert set(later.pulse) == {"b"}
    assert said(later, {"kind": "pulse", "by": "b", "is": "<b>", "at": 1.0}, role="member") == later
    taken_back = said(room, {"kind": "pulse", "by": "b", "is": "", "at": 61.0}, role="member")
    assert count_view(taken_back, 2, 61.0)["pulse"] == {"lost": 1}


def test_in_a_full_room_the_last_who_has_left_gives_way_and_whoever_is_here_stays():
    names = [f"m{i}" for i in range(MAX_MEMBERS)]
    full = replace(asked(), votes={"round1": dict.fromkeys(names, 0)})
    vote = {"kind": "vote", "round": "round1", "choice": 1}
    assert said(full, vote | {"by": "one more", "present": {*names, "one more"}}, role="member") == full
    assert said(full, vote | {"by": "m1", "present": set(names)}, role="member").votes["round1"]["m1"] == 1
    here = {*names, "one more"} - {"m3", "m7"}
    for more in (vote, {"kind": "back", "votes": {"round1": 1}}):
        votes = said(full, more | {"by": "one more", "present": here}, role="member").votes["round1"]
        assert set(names) - set(votes) == {"m7"}
        assert (votes["one more"], len(votes)) == (1, MAX_MEMBERS)
    pulses = {"kind": "pulse", "is": "lost"}
    many = replace(full, pulse={name: ("lost", float(i)) for i, name in enumerate(names)})
    tapped = said(many, pulses | {"by": "one more", "at": 0.5}, role="member").pulse
    assert set(names) - set(tapped) == {"m0"}, "the first that would fade"


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(max_size=5)
    | st.sampled_from(["round1", STOP.key, "lost"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=3,
)
NAMES = ("round", "choice", "votes", "is", "at", "id", "key", "right", "stop", "n", "rounds", "by", "role", "kind")
KINDS = tuple(kind for rules in RULES.values() for kind in rules)
MESSAGES = st.fixed_dictionaries(
    {"kind": st.sampled_from(KINDS) | ANYTHING}, optional={name: ANYTHING for name in NAMES if name != "kind"}
)


@given(st.lists(MESSAGES, max_size=3))
def test_members_change_nothing_but_their_own_votes_and_pulse(messages):
    before = voted(asked(), "honest", 1)
    room = before
    for message in messages:
        room = apply(room, {**message, "role": "member", "by": "cheat"})
    assert replace(room, votes=before.votes, pulse={}) == before
    assert room.votes["round1"]["honest"] == 1
    assert set(room.votes["round1"]) <= {"honest", "cheat"}


@pytest.mark.slow
@given(st.lists(MESSAGES, max_size=6))
def test_whatever_a_key_holder_says_every_view_is_json_and_shows_no_answer(messages):
    room = asked()
    for message in messages:
        room = apply(room, {**message, "role": "lecturer", "by": "lecturer"})
    kept = json.loads(json.dumps(kept_view(room)))
    json.dumps([member_view(room), count_view(room, 3, 0.0)])
    assert all(each["right"] is None for each in kept["rounds"])
    assert said(Room("K7Q4"), {"kind": "lead"} | kept).rounds == room.rounds


def a_message(rng, depth=0):
    """Something that JSON can say, often with words that mean something."""
    pick = rng.randrange(9 if depth < 3 else 6)
    if pick < 6:
        return [None, rng.randint(-9, 9), 1e308, "x" * rng.randrange(60), True, "round1"][pick]
    if pick == 6:
        return [a_message(rng, depth + 1) for _ in range(3)]
    return {rng.choice(NAMES): a_message(rng, depth + 1) for _ in range(4)}


@pytest.mark.parametrize("n", [300, pytest.param(10_000, marks=pytest.mark.slow)])
def test_messages_without_sense_leave_no_trace(n):
    rng, before = random.Random(44), voted(asked(), "honest", 1)
    room = before
    for _ in range(n):
        message = a_message(rng, 1)
        message = dict(message) if isinstance(message, dict) else {"kind": message}
        kind = rng.choice([*KINDS, message.get("kind")])
        room = apply(room, {**message, "kind": kind, "role": "member", "by": f"cheat{rng.randrange(3)}"})
    assert replace(room, votes=before.votes, pulse={}) == before
    assert room.votes["round1"]["honest"] == 1


# Words with formulas.


def test_bold_italics_and_formulas_become_a_tree():
    assert rich_text("a **b** *c* w* and F(w*)") == ["a ", ["b", "b"], " ", ["i", "c"], " w* and F(w*)"]
    assert rich_text(r"$\frac12\|w\|^2$") == [
        ["math", ["mfrac", ["mn", "1"], ["mn", "2"]], ["mo", "‖"], ["mi", "w"], ["msup", ["mo", "‖"], ["mn", "2"]]]
    ]
    assert math_ml(r"\bar w_1") == ["math", ["msub", ["mover", ["mi", "w"], ["mo", "¯"]], ["mn", "1"]]]
    assert math_ml(r"\sum_i x_i^*")[1] == ["munder", ["mo", "∑"], ["mi", "i"]]
    assert math_ml(r"\sum_i x_i^*")[2] == ["msubsup", ["mi", "x"], ["mi", "i"], ["mo", "∗"]]
    for broken in ("{", "}", "\\", "x^", r"\frac", "_", "^^", r"\frac1", "{{{"):
        assert is_rich_text([math_ml(broken)])


def letters_of(tree):
    """The names and letters in the formulas of a tree."""
    for node in tree if isinstance(tree, list) else ():
        if isinstance(node, list):
            yield from [node[1]] if node[0] == "mi" else letters_of(node[1:])


@each_of([step for lesson in LESSONS for step in lesson.steps], lambda step: step.key)
def test_every_question_and_every_choice_becomes_a_tree_without_tex(step):
    for text in (step.question, *(choice.text for choice in step.choices)):
        tree = json.loads(json.dumps(rich_text(text)))
        assert is_rich_text(tree)
        words = plain_text(tree)
        assert words
        assert "$" not in words
        assert "\\" not in words
        assert "**" not in words
        unread = [name for name in letters_of(tree) if len(name) > 1 and name not in FUNCTIONS]
        assert not unread, "a command that rich_text.py does not know"


def test_only_known_elements_and_short_trees_are_words():
    assert is_rich_text(["a", ["b", "c"]])
    for bad in ("a", [["script", "x"]], [[]], [3], [["b", None]], ["x" * 5000], None, {"b": "x"}):
        assert not is_rich_text(bad)
    deep = "x"
    for _ in range(2000):
        deep = ["b", deep]
    assert not is_rich_text([deep])
