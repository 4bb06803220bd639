"""Texts as they were before the glossary marked them."""

import re


def unmarked(text: str) -> str:
    """Markdown or HTML without the links to the glossary."""
    text = re.sub(r"\[([^\]]*)\]\(glossary#[\w-]+\)", r"\1", text)
    return re.sub(r'<a href="glossary#[\w-]+" title="">(.*?)</a>', r"\1", text)
