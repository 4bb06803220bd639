// ---------------------------------------------------------------- the legend

const SYMBOLS = {
  safe: ["none"], margin: ["free", "dash"], violating: ["none", "slack"],
  outside: ["none"], margin_idle: ["none", "dash"], margin_free: ["free", "dash"], margin_full: ["full", "dash"], inside: ["none", "slack"], on_line: ["none", "solid"], wrong: ["none", "cross"],
};

function symbol(name) {
  const [state, extra] = SYMBOLS[name] ?? ["none"];
  const behind = { dash: '<path class="dashed" d="M-15 0H15"/>', solid: '<path class="thick" d="M-15 0H15"/>', slack: '<path class="thin" d="M0 0H14M14 -3.5V3.5"/>' }[extra] ?? "";
  const [from, to] = extra === "dash" || extra === "solid" ? [-15, 15] : [-8, extra === "slack" ? 16 : 8];
  return `<svg class="symbol" viewBox="${from} -12 ${to - from} 24" style="--wide: ${to - from}" aria-hidden="true"><g>${behind}${markHtml(1, 5, 0.85, { state, fill: extra === "cross" ? 1 : 0.35, wrong: extra === "cross" })}</g></svg>`;
}

const GROUP_SYMBOL = ["safe", "margin", "violating"];

function paintLegend(s) {
  const { groups = [], cats = [], moreText = "" } = s.data.legend ?? {};
  const key = JSON.stringify([groups.map((g) => [g.key, g.text, g.cats]), cats.map((c) => [c.key, c.text]), moreText]);
  if (key !== s.legendKey) {
    s.legendKey = key;
    const item = (kind, o, sym) => `<button type="button" class="item" data-${kind}="${esc(o.key)}">${symbol(sym)}<span>${esc(o.text)}</span><span class="n"></span></button>`;
    s.el.legend.innerHTML = groups.length ? `<div class="row">${groups.map((g, i) => item("group", g, SYMBOLS[g.key] ? g.key : GROUP_SYMBOL[i])).join("")}
      <button type="button" class="more" data-act="more" aria-label="${esc(moreText)}"><span>${esc(moreText)}</span>${icon("more")}</button></div><div class="row cats">${cats.map((c) => item("cat", c, c.key)).join("")}</div>` : "";
  }
  const chosen = s.legendPinned?.key;
  for (const o of [...groups, ...cats]) {
    const b = s.el.legend.querySelector(`[data-group="${o.key}"],[data-cat="${o.key}"]`), n = b.querySelector(".n");
    if (n.textContent !== String(o.count)) n.textContent = o.count;
    b.setAttribute("aria-pressed", chosen === o.key);
  }
  s.el.legend.querySelector(".more")?.setAttribute("aria-expanded", s.details);
  const more = s.el.legend.querySelector(".cats");
  if (more) more.hidden = !s.details;
}

function legendEntry(s, target) {
  const b = target.closest?.("[data-group],[data-cat]");
  if (!b) return null;
  const { group, cat } = b.dataset;
  return { key: group ?? cat, cats: group ? s.data.legend.groups.find((g) => g.key === group).cats : [cat] };
}

function previewLegend(s, e) {
  if (e.pointerType !== "mouse") return;
  s.legendHover = e.type === "pointerover" ? legendEntry(s, e.target) : null;
  refresh(s);
}

