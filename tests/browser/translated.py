"""In the language of brackets: which words of a page stand in none."""

# The same in every language: names of programs and formats, functions of mathematics, values.
SAME = {"svmlab", "ln", "scikit", "learn", "CSV", "JSON", "max", "min", "exp", "tanh", "nan", "true", "false"}
# Streamlit's own words, in English whatever the app speaks; and what of it is all its own.
STREAMLITS = {
    "Main menu",
    "Skip to main content",
    "Help for",
    "Choose an option",
    "Open",
    "Decrement",
    "Increment",
    "Link to heading",
    "Copy to clipboard",
    "progress",
}
OWN = (
    "[data-testid=stFileUploaderDropzone], [data-testid=stElementToolbar], "
    '[data-testid=stToolbarActions], [data-testid=stStatusWidget], .modebar, [aria-label$=" icon"]'
)

# All text in the order of the page, shadow roots included, then all names and hints, each as [text, where]; but for
# what is
# read letter by letter (formulas, code), what is quoted in its own language, what is a picture (icons), and what nobody
# sees.
READ = """(own) => {
  const skip = `script, style, noscript, .katex, code, pre, blockquote[lang], [data-testid=stIconMaterial], ${own}`;
  const said = ["aria-label", "title", "placeholder", "alt", "data-pinned", "data-title"];
  const texts = [], names = [];
  const where = (e) => `${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""}`;
  const walk = (node, parent) => {
    if (node.nodeType === Node.TEXT_NODE && node.data.trim()) texts.push([node.data, where(parent)]);
    if (node.nodeType === Node.ELEMENT_NODE) {
      if (node.matches(skip) || getComputedStyle(node).display === "none") return;
      for (const name of said) if (node.getAttribute(name)) names.push([node.getAttribute(name), `${where(node)} ${name}`]);
      for (const child of node.shadowRoot?.childNodes ?? []) walk(child, node);
    }
    const inside = node.nodeType === Node.ELEMENT_NODE ? node : parent;
    for (const child of node.childNodes) walk(child, inside);
  };
  walk(document.body, document.body);
  return [texts, names];
}"""


def outside(text: str, depth: int = 0) -> tuple[str, int]:
    """Words of two letters and more that stand in no bracket, and how many brackets are open at the end."""
    free, word = [], ""
    for c in f"{text} ":
        if c.isascii() and c.isalpha() and depth == 0:
            word += c
            continue
        if len(word) > 1 and word not in SAME:
            free.append(word)
        word, depth = "", depth + {"⟦": 1, "⟧": -1}.get(c, 0)
    return " ".join(free), depth


def forgotten(page) -> str:
    """What stands outside of brackets on the page as it is now."""
    texts, names = page.evaluate(READ, OWN)
    untranslated, depth = [], 0
    for text, where in texts:  # a bracket may close in a later text than it opens
        words, depth = outside(text, depth)
        untranslated += [f"{words!r} in {text!r}, {where}"] if words and words not in STREAMLITS else []
    assert depth == 0, "a bracket stays open"
    for name, where in names:
        words, depth = outside(name)
        untranslated += [f"{words!r} in {name!r}, {where}"] if words and words not in STREAMLITS else []
        assert depth == 0, name
    assert any("⟦" in text for text, _where in texts)
    return "\n".join(untranslated)
