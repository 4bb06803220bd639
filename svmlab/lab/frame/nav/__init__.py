"""The navigation: a bar of groups on a large screen, and one button on a small one. It stays while pages change."""

from __future__ import annotations

from collections.abc import Mapping

from svmlab.lab.board.component import Component
from svmlab.lab.words import _

_component = Component("nav", html='<div class="sv-nav"></div>', css="nav.css")


def navigation(groups: Mapping[str, Mapping[str, str]], at: str) -> None:
    """Show the pages: for each group by its name, the name of each page by its path.

    at: the path of the open page, which may be no page's path.
    """
    shown = [
        {"title": group, "pages": [{"path": path, "title": title} for path, title in pages.items()]}
        for group, pages in groups.items()
    ]
    _component(data={"label": _("Pages"), "at": at, "groups": shown}, key="nav")
