"""The room of a class: one lecturer whose board everybody follows, and members with a small page of their own.

A member's phone gets a static page and one socket, and no session of Streamlit. `room` is what everybody knows and what
each member has said, as a frozen value. `live_room` keeps the rooms of this process, `room_sockets` serves their
sockets, and `hand_in_route` takes what members hand in. `member` serves the page of a member. `lecturer` is the part of
a page on which the lecturer opens and leads a room.
"""
