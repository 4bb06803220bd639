"""The recorded links of `links.json`, where each board stands once, with the settings that it changes."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "links.json"
BOARDS = ("board", "own", "pin")  # what an entry says of boards


@dataclass
class Corpus:
    """The entries in the order of their recording, and their boards by name.

    An entry is {"link": ...} with what `opening.as_entry` says of it. defaults: the settings of a new board when the
    first links were recorded. They stay as they are.
    """

    defaults: dict[str, Any]
    boards: dict[str, Any]
    entries: list[dict[str, Any]]

    def whole(self, entry: dict[str, Any]) -> dict[str, Any]:
        """An entry without its link, its boards with all their settings and points, as `opening.as_entry` says it."""
        boards = {name: self._board(entry[name]) for name in BOARDS if name in entry}
        return {name: value for name, value in entry.items() if name != "link"} | boards

    def _board(self, name: str) -> dict[str, Any]:
        kept = self.boards[name]
        return {"settings": self.defaults | kept["settings"], "points": kept["points"]}

    def add(self, link: str, content: dict[str, Any]) -> None:
        """One more entry, of a link that is not here yet."""
        names = {name: self._named(content[name]) for name in BOARDS if name in content}
        self.entries.append({"link": link} | content | names)

    def _named(self, board: dict[str, Any]) -> str:
        settings = {k: v for k, v in board["settings"].items() if k not in self.defaults or v != self.defaults[k]}
        kept = {"settings": settings, "points": board["points"]}
        name = hashlib.sha256(json.dumps(kept, sort_keys=True).encode()).hexdigest()[:8]
        self.boards[name] = kept
        return name

    def save(self) -> None:
        """Write the file, a board and an entry a line."""
        boards = ",\n".join(f"  {json.dumps(name)}: {_line(kept)}" for name, kept in self.boards.items())
        entries = ",\n".join(f"  {_line(entry)}" for entry in self.entries)
        head = f' "defaults": {_line(self.defaults)}'
        text = f'{{\n{head},\n "boards": {{\n{boards}\n }},\n "links": [\n{entries}\n ]\n}}\n'
        FILE.write_text(text, encoding="utf-8")


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def corpus() -> Corpus:
    """The recorded links."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    return Corpus(kept["defaults"], kept["boards"], kept["links"])
