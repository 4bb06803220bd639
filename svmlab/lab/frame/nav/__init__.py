"""The navigation: a bar of groups on a large screen, one button where there is no room for a bar. It stays while pages
change.
"""

from __future__ import annotations

from collections.abc import Mapping

from svmlab.lab.board.component import Component
from svmlab.lab.words import _

_component = Component("nav", html='<div class="sv-nav"></div>', css="nav.css")


def navigation(groups: Mapping[str, Mapping[str, str]], at: str) -> None:
    """Show the pages: by the name of a group, then by path, the name of each; `at` is the path that is open, of a page
    or none.
    """
    shown = [
        {"title": group, "pages": [{"path": path, "title": title} for path, title in pages.items()]}
        for group, pages in groups.items()
    ]
    _component(data={"label": _("Pages"), "at": at, "groups": shown}, key="nav")
