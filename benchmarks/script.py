"""What the board's script does in a browser, as far as a server can tell (`svmlab/lab/board/js/messages.js` and its
siblings).

One message is in flight and the rest waits; what is not acknowledged within 2 s is said again, once more after 4 s and
then every 8 s, changed points as one whole set; a session that is new is told what this tab remembers (`restore`).
Drags are not thinned out here.
"""

import asyncio
import json
from typing import Any

from frontend import Frontend
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

RESEND, DOUBLED = 2.0, 2  # seconds, and how often they are doubled while no answer comes
CHANGES, OPAQUE = ("add", "move", "delete", "points"), ("undo", "redo", "restore")
Row = tuple[float, float, int]
Op = dict[str, Any]


class Script:
    """The board of one tab; `answered` is when the last answer came that left nothing to be said."""

    front: Frontend

    def __init__(self) -> None:
        self.errors: list[str] = []
        self.board: dict[str, Any] = {}
        self.answered = 0.0
        self.heard: list[float] = []  # when something said was answered, or nothing was left to be said
        self.boots = self.restored = 0  # sessions met; how often one was told what this tab remembers
        self.quiet_now = asyncio.Event()
        self._fragment = self._component = ""
        self._boot: str | None = None
        self._seq = self._restoring = self._unanswered = 0
        self._said: tuple[int, list[Op]] | None = None  # in flight
        self._queue: list[Op] = []
        self._unsaid: list[Any] | None = None
        self._live = False
        self._resend: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()

    def stop(self) -> None:
        """Say nothing again."""
        if self._resend:
            self._resend.cancel()

    def settled(self) -> None:
        """Everything was said and answered."""

    def report(self, op: Op) -> None:
        """Tell the server what somebody did."""
        last = self._queue[-1] if self._queue else {}
        if last.get("live") and last["op"] == op["op"] == "move" and last["id"] == op["id"]:
            self._queue.pop()
        self._queue.append(op)
        self._remember()
        self.quiet_now.clear()
        self._pump()

    def hear(self, message: ForwardMsg, now: float) -> None:
        """Whatever the server says."""
        if message.WhichOneof("type") != "delta":
            return
        element = message.delta.new_element
        shown = element.WhichOneof("type")
        if shown == "exception":
            self.errors.append(f"exception {element.exception.type}: {element.exception.message}")
        elif shown == "bidi_component" and element.bidi_component.component_name.startswith("svmlab.board-"):
            self._fragment, self._component = message.delta.fragment_id, element.bidi_component.id
            self._answer(json.loads(element.bidi_component.bytes), now)

    def _answer(self, data: dict[str, Any], now: float) -> None:
        self._seq = max(self._seq, data["ack"])
        if data["boot"] != self._boot:
            self._greet(data)
        elif data["ack"] < self._restoring:
            self.board["ack"] = data["ack"]
        else:
            self.board, self._restoring = data, 0
        if self._said and self.board["ack"] >= self._said[0]:
            self._said, self._unanswered = None, 0
            if not self._restoring:
                self.heard.append(now)
            if not self._queue:
                self._unsaid = None
        if not self._restoring and not self._live:
            self.front.address = self.board["address"]
        self._pump()
        if not self._said:
            self.answered = now
            self.heard.append(now)
            self.settled()
            self.quiet_now.set()

    def _greet(self, data: dict[str, Any]) -> None:
        """A new session answers. Until it has adopted what this tab remembers, the board shows that."""
        ops: list[Op] = []
        if self._boot is not None and self.front.address and (self.front.address != data["address"] or data["unread"]):
            ops.append({"op": "restore", "share": self.front.address, "points": rows(points(self.board))})
        if self._boot is not None and self._unsaid is not None:
            ops.append({"op": "points", "points": self._unsaid, "live": False})
        mine = {name: self.board[name] for name in ("points", "address", "share")} if ops else {}
        self.board, self._boot, self._unsaid = data | mine, data["boot"], None
        self._said, self._queue, self._live, self._unanswered = None, [], False, 0
        self.boots += 1
        if any(op["op"] == "restore" for op in ops):
            self._restoring = self._seq + 1
            self.restored += 1
        if ops:
            self._post(ops)

    def _pump(self) -> None:
        if self._queue and not self._said:
            ops, self._queue = self._queue, []
            self._post(ops)

    def _post(self, ops: list[Op]) -> None:
        self._seq += 1
        self._said, self._live = (self._seq, ops), bool(ops[-1].get("live"))
        self.quiet_now.clear()
        self._remember()
        self._transmit()

    def _remember(self) -> None:
        ops = [*(self._said[1] if self._said else ()), *self._queue]
        if any(op["op"] in CHANGES for op in ops):
            self._unsaid = rows(replay(points(self.board), ops))

    def _transmit(self) -> None:
        assert self._said
        seq, ops = self._said
        self.stop()
        self._resend = asyncio.get_running_loop().call_later(RESEND * 2 ** min(self._unanswered, DOUBLED), self._again)
        message = {"boot": self._boot, "board": self.board["board"], "seq": seq, "ops": ops}
        trigger = f"$$STREAMLIT_INTERNAL_KEY_{self._component}__events"
        value = json.dumps([{"event": "event", "value": message}])
        states = {"widgets": [{"id": trigger, "json_trigger_value": value}]}
        self._do({"widget_states": states, "fragment_id": self._fragment})

    def _again(self) -> None:
        """No answer: everything is said again, changed points as one whole set."""
        if not self._said:
            return
        self._unanswered += 1
        if self._unanswered % 3 == 2:
            self._do({"widget_states": {}})
        ops = self._said[1]
        if any(op["op"] in OPAQUE for op in ops):
            self._transmit()
            return
        cut = next((k for k, op in enumerate(self._queue) if op["op"] in OPAQUE), len(self._queue))
        folded, self._queue = [*ops, *self._queue[:cut]], self._queue[cut:]
        whole = rows(replay(points(self.board), folded))
        self._post([{"op": "points", "points": whole, "live": all(op.get("live") for op in folded)}])

    def _do(self, run: dict[str, Any]) -> None:
        task = asyncio.ensure_future(self.front.say(run))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def points(board: dict[str, Any]) -> dict[int, Row]:
    return {id_: (x, y, label) for id_, x, y, label in board["points"]}


def rows(there: dict[int, Row]) -> list[list[float]]:
    return [[id_, *where] for id_, where in there.items()]


def replay(there: dict[int, Row], ops: list[Op]) -> dict[int, Row]:
    """The points after some operations."""
    after = dict(there)
    for op in ops:
        if op["op"] == "add" or (op["op"] == "move" and op["id"] in after):
            after[op["id"]] = op["x"], op["y"], op["label"] if op["op"] == "add" else after[op["id"]][2]
        elif op["op"] == "delete":
            for id_ in op["ids"]:
                after.pop(id_, None)
        elif op["op"] == "points":
            after = points(op)
    return after
