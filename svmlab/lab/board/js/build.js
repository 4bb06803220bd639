// ---------------------------------------------------------------- building the elements, once

const ICONS = {
  eraser: "M8.5 16.5h8M3.9 11.4l6.9-6.9a1.6 1.6 0 0 1 2.3 0l2.9 2.9a1.6 1.6 0 0 1 0 2.3l-6.8 6.8H6.6l-2.7-2.8a1.6 1.6 0 0 1 0-2.3zM7.4 7.9l5.1 5.1",
  bin: "M3.5 5.5h13M7.8 5.5v-2h4.4v2M5 5.5l.8 11h8.4l.8-11M8.4 8.8v4.4M11.6 8.8v4.4",
  undo: "M7 4 3.5 7.5 7 11M4 7.5h7.7a4.4 4.4 0 0 1 0 8.8H8",
  redo: "M13 4l3.5 3.5L13 11M16 7.5H8.3a4.4 4.4 0 0 0 0 8.8H12",
  clear: "M3.5 6.2V3.5h2.7M8.9 3.5h2.2M13.8 3.5h2.7v2.7M16.5 8.9v2.2M16.5 13.8v2.7h-2.7M11.1 16.5H8.9M6.2 16.5H3.5v-2.7M3.5 11.1V8.9M7.6 7.6l4.8 4.8M12.4 7.6l-4.8 4.8",
  zoomOut: "M8.7 14.2a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12.8 12.8l4 4M6.2 8.7h5",
  zoomIn: "M8.7 14.2a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12.8 12.8l4 4M6.2 8.7h5M8.7 6.2v5",
  fit: "M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13M8 10h4M10 8v4",
  save: "M10 3v9M6.4 8.6 10 12.2l3.6-3.6M3.5 16.5h13",
  project: "M3 4.5h14v9H3zM10 13.5v3M6.5 16.5h7",
  help: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM7.9 8a2.1 2.1 0 1 1 3.2 1.8c-.7.4-1.1.9-1.1 1.6M10 13.9v.1",
  close: "M5.5 5.5l9 9M14.5 5.5l-9 9",
  more: "M5.5 8l4.5 4.5L14.5 8",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.3v4.2M10 6.5v.1",
  warn: "M10 3.2 17.3 16.3H2.7zM10 8.2v3.8M10 14.2v.1",
};
const icon = (name) => `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
const GROUPS = [["plus", "minus"], ["eraser", "bin", "undo", "redo", "clear"], ["zoomOut", "zoomIn", "fit"], ["project", "save", "help"]];
const THUMB = new Set(["plus", "minus", "undo", "eraser"]);
const TOGGLE = { plus: 1, minus: -1 };

const LAYERS = `<g class="grid"></g><g class="pin"></g><g class="lines"><path class="margin plus"/><path class="margin minus"/><path class="zero"/></g>
  <g class="overlay"></g><g class="film-layer overlay"></g><g class="ticks"></g><g class="slack"></g><g class="witness under"></g><g class="points"></g><g class="hand"></g><g class="witness over"></g><g class="cursor"></g><path class="leader"/>`;

function build(s) {
  s.root.innerHTML = `<div class="bar top" role="toolbar"></div>
    <div class="scene"><canvas aria-hidden="true"></canvas><svg class="plane" tabindex="0" role="application">${LAYERS}</svg>
      <div class="card empty" hidden></div><div class="hint" hidden></div><div class="tip" hidden></div>
      <div class="message" hidden>${icon("info")}<span></span><button type="button" data-act="dismiss">${icon("close")}</button></div>
      <div class="card help" role="dialog" tabindex="-1" hidden></div></div>
    <div class="film" hidden></div><div class="sliders"></div><div class="bar thumb" role="toolbar"></div><div class="legend"></div>
    <div class="live" aria-live="polite"></div><input type="file" accept=".csv,.json,.txt,text/csv,application/json" hidden>`;
  const one = (q) => s.root.querySelector(q);
  s.el = { top: one(".top"), thumb: one(".thumb"), scene: one(".scene"), canvas: one("canvas"), svg: one(".plane"), tip: one(".tip"), empty: one(".empty"), hint: one(".hint"),
    message: one(".message"), help: one(".help"), legend: one(".legend"), sliders: one(".sliders"), film: one(".film"), live: one(".live"), file: one("input"), leader: one(".leader"), cursor: one(".cursor"), points: one(".points") };
  s.buttons = {};
  for (const group of GROUPS) for (const act of group) s.buttons[act] = makeButton(act);
  s.menu = Object.assign(document.createElement("div"), { className: "menu", hidden: true,
    innerHTML: '<button type="button" data-act="saveSvg"></button><button type="button" data-act="savePng"></button>' });
  listen(s);
  arrange(s, false);
}

function makeButton(act) {
  const b = document.createElement("button");
  b.type = "button";
  b.dataset.act = act;
  b.className = act in TOGGLE ? "toggle" : "tool";
  b.innerHTML = act in TOGGLE ? `<svg class="mark" viewBox="-10 -10 20 20" aria-hidden="true" data-label="${TOGGLE[act]}">${shape(TOGGLE[act], 7.5, "body")}</svg><span class="long"></span><span class="short"></span>` : icon(act);
  return b;
}

// On a narrow screen what is used all the time sits below the scene, within reach of a thumb.
function arrange(s, phone) {
  s.phone = phone;
  s.root.classList.toggle("phone", phone);
  s.el.top.replaceChildren();
  s.el.thumb.replaceChildren();
  for (const group of GROUPS) {
    for (const [bar, below] of [[s.el.top, false], [s.el.thumb, true]]) {
      const acts = group.filter((act) => (phone && THUMB.has(act)) === below);
      if (!acts.length) continue;
      const box = Object.assign(document.createElement("div"), { className: acts.includes("plus") ? "group classes" : "group" });
      box.append(...acts.map((act) => s.buttons[act]));
      if (acts.includes("save")) box.append(s.menu);
      bar.append(box);
    }
  }
}

function listen(s) {
  const { svg, scene, legend, file } = s.el;
  const on = (target, types, fn, more = {}) => types.split(" ").forEach((type) => target.addEventListener(type, fn, { signal: s.off.signal, ...more }));
  on(svg, "pointerdown", (e) => pointerDown(s, e));
  on(svg, "pointermove", (e) => pointerMove(s, e));
  on(svg, "pointerup", (e) => pointerUp(s, e));
  on(svg, "pointercancel", (e) => s.gesture?.pointer === e.pointerId && cancelGesture(s));
  on(svg, "pointerleave", () => { s.pointer = null; hover(s); });
  on(svg, "contextmenu", (e) => e.preventDefault());
  on(svg, "touchstart", (e) => touchStart(s, e), { passive: false });
  on(svg, "keydown", (e) => sceneKey(s, e));
  on(svg, "keyup", (e) => ARROWS[e.key] && nudgeEnded(s));
  on(svg, "focus", () => { s.leaving = false; });
  on(svg, "blur", () => { nudgeEnded(s); s.cursor.on = false; paintCursor(s); });
  on(s.root, "click", (e) => clicked(s, e));
  on(s.root, "keydown", (e) => e.key === "Escape" && closeOverlays(s) && e.stopPropagation());
  on(s.el.sliders, "input", (e) => slid(s, e.target, true));
  on(s.el.sliders, "change", (e) => s.slideBy ?? slid(s, e.target, false));
  on(s.el.sliders, "keydown", () => { s.slideBy ??= "keys"; });
  on(s.el.sliders, "pointerdown", () => { s.slideBy = "pointer"; });
  on(s.el.sliders, "keyup focusout", () => s.slideBy === "keys" && slideEnded(s));
  on(document, "pointerup pointercancel", () => slideEnded(s));
  on(s.el.film, "input", (e) => e.target.type === "range" && filmTo(s, Number(e.target.value)));
  on(s.el.film, "change", (e) => { if (e.target.tagName === "SELECT") s.filmSpeed = Number(e.target.value); });
  on(legend, "pointerover pointerout", (e) => previewLegend(s, e));
  on(scene, "dragover drop", (e) => { e.preventDefault(); if (e.type === "drop") readFile(s, e.dataTransfer?.files?.[0]); });
  on(file, "change", () => { readFile(s, file.files[0]); file.value = ""; });
  on(document, "keydown pointerdown", (e) => { s.root.dataset.input = e.type === "keydown" ? "keys" : "pointer"; }, { capture: true }); // who sees the focus ring
  on(document, "keydown", (e) => pageKey(s, e));
  on(document, "pointerdown", (e) => { if (!e.composedPath().includes(s.menu.parentNode)) s.menu.hidden = true; });
  on(window, "resize", () => layout(s));
  on(matchMedia("(prefers-color-scheme: dark)"), "change", () => requestAnimationFrame(() => repaint(s)));
  s.watch = new ResizeObserver(() => layout(s));
  s.watch.observe(s.root);
  s.themes = new MutationObserver(() => requestAnimationFrame(() => theme(s) && repaint(s)));
  for (const el of [document.documentElement, document.body]) s.themes.observe(el, { attributes: true, attributeFilter: ["style", "class", "data-theme"] });
}

