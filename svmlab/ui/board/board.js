// The board: points, shading, lines, toolbar and legend. It draws what Python sends and reports what people do;
// it computes nothing about support vector machines. The only lasting state is what has not been acknowledged yet.

const VIEWS = [1.5, 2, 3, 4, 6, 8];
const LIVE_MS = 40, DIM_MS = 300, RESEND_MS = 2000, LONG_PRESS_MS = 500;
const POINT_OPS = new Set(["add", "move", "delete", "clear", "points"]);
const OPAQUE_OPS = new Set(["undo", "redo", "action", "file", "restore"]); // their effect is known to Python only
const QUIET_OPS = new Set(["select", "label", "project"]);                 // they change no line
const SHADE_STRENGTH = { light: 0.32, dark: 0.36 };

// What outlives a mount of the component: the link, and numbers that must never go down.
// `unsaid` is the whole set of points while a change of them is unanswered: a lost server or page does not lose it.
const memory = { share: null, boot: null, hold: false, seq: 0, maxId: 0, unsaid: null };

const clamp = (v, lo, hi) => Math.min(hi, Math.max(lo, v));
const round3 = (v) => Math.round(v * 1000) / 1000 + 0;
const fixed = (v) => Math.round(v * 100) / 100;
const esc = (t) => String(t ?? "").replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
const word = (s, key) => s.data.text?.[key] ?? "";
const isMove = (op, id) => op?.op === "move" && (id === undefined || op.id === id);

// ---------------------------------------------------------------- the wire: one message in flight, the rest waits

function report(s, ...ops) {
  for (const op of ops) enqueue(s, op);
  refresh(s);
  pump(s);
}

function enqueue(s, op) {
  const last = s.queue.at(-1);
  const again = (a, b) => a?.live && a.op === b.op && (a.op === "hand" || (["set", "dial"].includes(a.op) && Object.keys(a.values)[0] === Object.keys(b.values)[0]));
  const replaces = (isMove(op, last?.id) && isMove(last) && last.live) || again(last, op) || (["select", "label", "view"].includes(op.op) && last?.op === op.op);
  if (replaces) s.queue.pop();
  s.queue.push(op);
}

function pump(s) {
  clearTimeout(s.timers.pump);
  if (s.queue.length && !s.inflight && s.alive) {
    const live = s.queue.every((op) => op.live);
    const wait = live ? s.sentAt + (laneOpen(s) ? Math.max(PAGE_MS, PAGE_SHARE * s.answeredIn) : LIVE_MS) - performance.now() : 0;
    if (wait > 0) s.timers.pump = setTimeout(() => pump(s), wait);
    else post(s, s.queue.splice(0));
  }
  if (s.lane.drawn && !pending(s).length) { lookAhead(s); refreshAll(s); }
  askLane(s);
  s.root.dataset.pending = s.inflight || s.queue.length ? "1" : "0";
}

function post(s, ops) {
  memory.seq += 1;
  s.inflight = { seq: memory.seq, ops };
  s.live = Boolean(ops.at(-1).live);
  if (s.gesture && ops.some((op) => isMove(op, s.gesture.id))) s.gesture.sent = true;
  if (ops.some((op) => POINT_OPS.has(op.op))) memory.unsaid = { boot: s.data.boot, op: wholeSet(replay(s.data, pending(s))) };
  transmit(s);
}

function transmit(s) {
  const { seq, ops } = s.inflight;
  s.sentAt = performance.now();
  clearTimeout(s.timers.resend);
  s.timers.resend = setTimeout(() => resend(s), RESEND_MS);
  if (!ops.every((op) => QUIET_OPS.has(op.op))) s.timers.dim ??= setTimeout(() => s.root.classList.add("stale"), DIM_MS);
  s.set("event", { boot: s.data.boot, seq, ops });
}

// No answer: say everything again as one whole set of points. What only Python can do is repeated under its old number,
// and Python ignores numbers it has handled.
function resend(s) {
  if (!s.inflight || !s.alive) return;
  s.unanswered += 1;
  if (s.unanswered > 1) notify(s, "lost", "warn");
  const opaque = (op) => OPAQUE_OPS.has(op.op);
  if (s.inflight.ops.some(opaque)) return transmit(s);
  const cut = s.queue.findIndex(opaque);
  const folded = [...s.inflight.ops, ...s.queue.splice(0, cut < 0 ? s.queue.length : cut)];
  const rest = folded.filter((op) => !POINT_OPS.has(op.op));
  post(s, [{ ...wholeSet(replay(s.data, folded)), live: folded.every((op) => op.live) }, ...rest]);
}

const wholeSet = (model) => ({ op: "points", points: [...model.pts.values()].map((p) => [p.id, p.x, p.y, p.label]) });
const pending = (s) => [...(s.inflight?.ops ?? []), ...s.queue];

function settle(s) {
  if (s.restoring && s.data.ack >= s.restoring) s.restoring = 0;
  if (!s.inflight || s.data.ack < s.inflight.seq) return;
  s.inflight = null;
  s.answeredIn = performance.now() - s.sentAt;
  if (!s.queue.length) memory.unsaid = null;
  s.unanswered = 0;
  clearTimeout(s.timers.resend);
  fresh(s);
  if (s.note?.key === "lost") s.note = null;
}

function fresh(s) {
  clearTimeout(s.timers.dim);
  s.timers.dim = null;
  s.root.classList.remove("stale");
}

// Python's last word with everything said since then applied on top: what is drawn.
function replay(data, ops) {
  const pts = new Map((data.points ?? []).map(([id, x, y, label]) => [id, { id, x, y, label }]));
  const m = { pts, selected: data.selected ?? null, label: data.label ?? 1, view: data.view ?? 4, projector: Boolean(data.projector), values: {}, hand: data.hand ?? null };
  const apply = {
    add: (o) => pts.set(o.id, { id: o.id, x: o.x, y: o.y, label: o.label }),
    move: (o) => pts.has(o.id) && Object.assign(pts.get(o.id), { x: o.x, y: o.y }),
    delete: (o) => o.ids.forEach((id) => pts.delete(id)),
    clear: () => pts.clear(),
    points: (o) => { pts.clear(); for (const [id, x, y, label] of o.points) pts.set(id, { id, x, y, label }); },
    select: (o) => { m.selected = o.id; },
    label: (o) => { m.label = o.label; },
    view: (o) => { m.view = o.half; },
    project: (o) => { m.projector = o.on; },
    set: (o) => Object.assign(m.values, o.values),
    dial: (o) => Object.assign(m.values, o.values),
    hand: (o) => { m.hand = { ...m.hand, a: o.a, b: o.b }; },
  };
  for (const op of ops) apply[op.op]?.(op);
  if (!pts.has(m.selected)) m.selected = null;
  return m;
}

// ---------------------------------------------------------------- the link in the address bar

function writeLink() {
  if (memory.share === null || memory.hold) return;
  const url = new URL(location.href);
  if (url.searchParams.get("s") === memory.share) return;
  url.searchParams.set("s", memory.share);
  history.replaceState(history.state, "", url);
}

window.addEventListener("popstate", () => { writeLink(); setTimeout(writeLink); });

function keepLink(s) {
  const { share, boot, keepLink: hold } = s.data;
  if (typeof share !== "string" || s.restoring || s.live) return;
  if (share !== memory.share) memory.hold = memory.share === null && Boolean(hold);
  memory.share = share;
  memory.boot = boot;
  writeLink();
}

// A new session answers. If this window remembers a state, the session adopts it; changes that were on their way are kept.
function greet(s, data) {
  const met = memory.boot !== null && memory.boot !== data.boot;
  const unsaid = met && memory.unsaid?.boot === memory.boot ? memory.unsaid.op : null;
  const restore = met && memory.share !== null && memory.share !== data.share;
  Object.assign(s, { boot: data.boot, inflight: null, queue: [], restoring: 0, lane: newLane() });
  memory.unsaid = null;
  if (!restore && !unsaid) return (s.data = data);
  s.data = s.data ? { ...s.data, boot: data.boot, ack: data.ack } : data;
  if (restore) s.restoring = memory.seq + 1;
  post(s, [...(restore ? [{ op: "restore", share: memory.share }] : []), ...(unsaid ? [{ ...unsaid, live: Boolean(s.gesture?.dragging) }] : [])]);
}

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
  on(s.el.sliders, "change", (e) => s.slideKey || slid(s, e.target, false));
  on(s.el.sliders, "keydown", () => { s.slideKey = true; });
  on(s.el.sliders, "pointerdown", () => { s.slideHeld = true; });
  on(s.el.sliders, "keyup focusout", () => { s.slideKey = false; s.slideHeld || slideEnded(s); });
  on(document, "pointerup pointercancel", () => { s.slideHeld = false; setTimeout(() => s.alive && slideEnded(s)); });
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

// ---------------------------------------------------------------- size, theme, words

// The page's own stylesheet comes a moment after the board and moves it: nothing is shown before.
function settled(s) {
  s.waitedFrom ??= performance.now();
  const ready = getComputedStyle(document.documentElement).getPropertyValue("--sv-ready").trim() === "1" || performance.now() - s.waitedFrom > 2000;
  s.root.style.visibility = ready ? "" : "hidden";
  return ready;
}

function layout(s) {
  if (!s.el || !s.data || s.data.hidden) return;
  if (!settled(s)) return void requestAnimationFrame(() => s.alive && layout(s));
  const width = Math.floor(s.root.getBoundingClientRect().width), height = window.innerHeight;
  if (!width) return;
  if ((width < 480) !== s.phone) arrange(s, width < 480);
  const projector = s.m ? s.m.projector : Boolean(s.data.projector);
  const grow = clamp(Math.min(width, height - 220) / 600, 1, 1.4), k = projector ? 1.5 * Math.min(grow, 1.2) : grow; // k: strokes
  s.root.dataset.projector = projector ? "1" : "0";
  for (const [name, value] of Object.entries({ "--k": k, "--type": projector ? Math.max(1.5, grow) : grow, "--grow": Math.min(grow, 1.25) })) s.root.style.setProperty(name, fixed(value));
  s.k = k;
  s.tick = projector ? 24 : 13 * k;
  s.r = projector ? Math.max(9, 7 * grow) : 5.75 * k;
  const scroller = document.querySelector("[data-testid=stMain]");
  const scrolled = (scroller?.scrollTop ?? 0) + window.scrollY; // a board that stays in sight while the page scrolls keeps its size
  let top = scrolled && s.topWidth === width ? s.top : s.root.getBoundingClientRect().top + scrolled;
  Object.assign(s, { top, topWidth: width });
  if (top > 0.35 * height) top = 0;
  const around = s.el.top.offsetHeight + s.el.thumb.offsetHeight + s.el.sliders.offsetHeight + s.el.film.offsetHeight + (s.el.legend.firstChild?.offsetHeight ?? 0) + (s.data.below ?? 20) + 12;
  const size = Math.floor(Math.min(width, Math.max(height - top - around, 300), 900));
  s.root.style.setProperty("--size", `${size}px`);
  if (size === s.size && k === s.paintedK) return;
  Object.assign(s, { size, paintedK: k });
  s.el.svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  if (s.m) repaint(s);
}

const rgb = (text) => (text.match(/[\d.]+/g) ?? [255, 255, 255]).slice(0, 3).map(Number);
const luminance = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };

function theme(s) {
  const style = getComputedStyle(s.root);
  s.paper = rgb(style.backgroundColor);
  const name = luminance(s.paper) < 0.2 ? "dark" : "light";
  s.root.dataset.theme = name;
  s.ink = { 1: rgb(style.getPropertyValue("--plus-rgb")), "-1": rgb(style.getPropertyValue("--minus-rgb")) };
  const key = name + s.paper;
  const changed = key !== s.themeKey;
  s.themeKey = key;
  return changed;
}

function words(s) {
  const key = JSON.stringify(s.data.text);
  if (key === s.wordsKey) return;
  s.wordsKey = key;
  for (const [act, b] of Object.entries(s.buttons)) {
    const name = act in TOGGLE ? word(s, act === "plus" ? "classPlus" : "classMinus") : word(s, act);
    b.title = act in TOGGLE ? word(s, act === "plus" ? "classPlusTitle" : "classMinusTitle") : name;
    b.setAttribute("aria-label", name);
    if (act in TOGGLE) { b.querySelector(".long").textContent = name; b.querySelector(".short").textContent = word(s, act === "plus" ? "shortPlus" : "shortMinus"); }
  }
  for (const b of s.menu.children) b.textContent = word(s, b.dataset.act);
  for (const bar of [s.el.top, s.el.thumb]) bar.setAttribute("aria-label", word(s, "toolbar"));
  s.el.svg.setAttribute("aria-label", word(s, "scene"));
  s.el.message.querySelector("button").setAttribute("aria-label", word(s, "close"));
  const rows = (s.data.text?.helpCard ?? []).map(([k, what]) => `<dt>${esc(k)}</dt><dd>${esc(what)}</dd>`).join("");
  s.el.help.setAttribute("aria-label", word(s, "help"));
  s.el.help.innerHTML = `<header><strong>${esc(word(s, "help"))}</strong><button type="button" class="tool" data-act="closeHelp" aria-label="${esc(word(s, "close"))}">${icon("close")}</button></header><dl>${rows}</dl>`;
}

// ---------------------------------------------------------------- drawing

const X = (s, x) => fixed(((x + s.m.view) / (2 * s.m.view)) * s.size);
const Y = (s, y) => fixed(((s.m.view - y) / (2 * s.m.view)) * s.size);
const unX = (s, px) => (px / s.size) * 2 * s.m.view - s.m.view;
const unY = (s, py) => s.m.view - (py / s.size) * 2 * s.m.view;

function polyline(s, flat) {
  let d = "";
  for (let i = 0; i < flat.length; i += 2) d += `${i ? "L" : "M"}${X(s, flat[i])} ${Y(s, flat[i + 1])}`;
  return d;
}
const polylines = (s, list) => (list ?? []).map((flat) => polyline(s, flat)).join("");

function shape(label, r, cls, more = "") {
  const h = fixed((r * Math.sqrt(Math.PI)) / 2); // a square of the same area as the disc
  return label > 0 ? `<circle class="${cls}" r="${fixed(r)}" ${more}/>` : `<rect class="${cls}" x="${-h}" y="${-h}" width="${2 * h}" height="${2 * h}" rx="1" ${more}/>`;
}

function markHtml(label, r, k, look) {
  const rings = { none: 0, free: 1, full: 2 }[look.state];
  const at = (i) => r + k * (0.2 + 3.3 * i), reach = at(Math.max(rings, 0.6)) + k;
  let html = look.hit ? '<circle class="hit" r="20"/>' : "";
  if (look.selected || look.hover) html += `<circle class="halo${look.selected ? "" : " light"}" r="${fixed(reach + 2.6 * k)}"/>`;
  for (let i = 1; i <= rings; i += 1) html += `<circle class="ring${i > 1 ? " outer" : ""}" r="${fixed(at(i))}"/>`;
  html += shape(label, r, "casing") + shape(label, r - 0.75 * k, "body", `fill-opacity="${look.fill}"`);
  const c = fixed(r * 0.42);
  if (look.wrong) html += `<path class="cross${look.fill < 0.6 ? " pale" : ""}" d="M${-c} ${-c}L${c} ${c}M${c} ${-c}L${-c} ${c}"/>`;
  return html;
}

// The model anew, then everything that follows from it except the lines and the shading.
function refresh(s) {
  s.m = replay(s.data, pending(s));
  for (const id of s.erased) s.m.pts.delete(id);
  for (const id of s.m.pts.keys()) if (id > memory.maxId) memory.maxId = id;
  if (s.data.hidden) return;
  if ((s.root.dataset.projector === "1") !== s.m.projector) layout(s);
  if (s.m.view !== s.paintedView) return repaint(s);
  paintPoints(s);
  paintHand(s);
  paintSlack(s);
  paintSliders(s);
  paintControls(s);
  paintTip(s);
  paintMessage(s);
}

function repaint(s) {
  if (!s.size || !s.m || s.data.hidden) return;
  theme(s);
  s.paintedView = s.m.view;
  paintShade(s);
  paintGrid(s);
  paintLines(s);
  paintWitness(s);
  paintCursor(s);
  refresh(s);
  paintFilm(s);
}

function paintShade(s) {
  const { canvas } = s.el, { shade } = s.data;
  const side = Math.round(s.size * (window.devicePixelRatio || 1));
  const key = `${side} ${s.m.view} ${s.themeKey} ${s.data.view}`;
  if (key === s.shadeKey && shade?.data === s.shadeData) return;
  Object.assign(s, { shadeKey: key, shadeData: shade?.data });
  if (canvas.width !== side) canvas.width = canvas.height = side;
  const ctx = canvas.getContext("2d");
  ctx.clearRect(0, 0, side, side);
  if (!shade) return;
  // The grid's outer nodes lie on the edges of the view for which it was made; after a zoom it is scaled until the new one comes.
  const { n } = shade, half = (side / 2) * (s.data.view / s.m.view);
  ctx.imageSmoothingQuality = "high";
  ctx.drawImage(shadeImage(s, shade), 0.5, 0.5, n - 1, n - 1, side / 2 - half, side / 2 - half, 2 * half, 2 * half);
}

function shadeImage(s, { n, data }) {
  const small = Object.assign(document.createElement("canvas"), { width: n, height: n });
  const ctx = small.getContext("2d"), image = ctx.createImageData(n, n), strength = SHADE_STRENGTH[s.root.dataset.theme];
  const values = Int8Array.from(atob(data), (c) => c.charCodeAt(0));
  for (let i = 0; i < n * n; i += 1) {
    const t = strength * Math.min(1, Math.abs(values[i]) / 127), ink = s.ink[values[i] < 0 ? "-1" : 1];
    for (let j = 0; j < 3; j += 1) image.data[4 * i + j] = s.paper[j] + t * (ink[j] - s.paper[j]);
    image.data[4 * i + 3] = 255;
  }
  ctx.putImageData(image, 0, 0);
  return small;
}

function paintGrid(s) {
  const { view } = s.m, { tick } = s, step = view <= 2 ? 0.5 : view <= 4 ? 1 : 2;
  let lines = "", text = "";
  for (let i = Math.ceil(-view / step); i * step <= view; i += 1) {
    const v = i * step, at = X(s, v), name = String(v).replace("-", "−");
    if (i && Math.abs(v) < view) lines += `M${at} 0V${s.size}M0 ${Y(s, v)}H${s.size}`;
    if (at < 2 * tick || at > s.size - 1.2 * tick) continue;
    text += `<text x="${at}" y="${s.size - 7}" text-anchor="middle">${name}</text>`;
    text += `<text x="7" y="${fixed(Y(s, v) + 0.35 * tick)}">${name}</text>`;
  }
  s.root.querySelector(".grid").innerHTML = `<path class="fine" d="${lines}"/><path class="axis" d="M${X(s, 0)} 0V${s.size}M0 ${Y(s, 0)}H${s.size}"/>
    <circle class="origin" cx="${X(s, 0)}" cy="${Y(s, 0)}" r="${fixed(3 * s.k)}"/>`;
  s.root.querySelector(".ticks").innerHTML = text;
  s.root.querySelector(".ticks").setAttribute("font-size", fixed(tick));
}

function paintLines(s) {
  const { lines, pin, overlay } = s.data, q = (sel) => s.root.querySelector(sel);
  q(".lines .zero").setAttribute("d", polylines(s, lines?.zero));
  q(".lines .plus").setAttribute("d", polylines(s, lines?.plus));
  q(".lines .minus").setAttribute("d", polylines(s, lines?.minus));
  q(".pin").innerHTML = pin ? `<path d="${polylines(s, pin.zero)}"/><path class="margin" d="${polylines(s, [...(pin.plus ?? []), ...(pin.minus ?? [])])}"/>` : "";
  q(".overlay").innerHTML = (overlay ?? []).map((o) => `<path class="${esc(o.style)}" d="${drawing(s, o.kind, o.pts)}"/>`).join("");
}

// One item of an overlay or a film: a polyline, an arrow, or a disc [x, y, radius].
function drawing(s, kind, pts) {
  if (kind !== "disc") return polyline(s, pts) + (kind === "arrow" ? arrowHead(s, pts) : "");
  const r = fixed((pts[2] / (2 * s.m.view)) * s.size);
  return `M${fixed(X(s, pts[0]) - r)} ${Y(s, pts[1])}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`;
}

// The direction, in pixels, of the last stretch of a polyline that has a length.
function ending(s, flat) {
  const n = flat.length, x = X(s, flat[n - 2]), y = Y(s, flat[n - 1]);
  for (let i = n - 4; i >= 0; i -= 2) {
    const dx = x - X(s, flat[i]), dy = y - Y(s, flat[i + 1]), len = Math.hypot(dx, dy);
    if (len > 0.5) return { x, y, dx: dx / len, dy: dy / len };
  }
  return null;
}

function arrowHead(s, flat) {
  const e = ending(s, flat), a = 9 * s.k, b = 4.5 * s.k;
  if (!e) return "";
  return `M${fixed(e.x - a * e.dx - b * e.dy)} ${fixed(e.y - a * e.dy + b * e.dx)}L${e.x} ${e.y}L${fixed(e.x - a * e.dx + b * e.dy)} ${fixed(e.y - a * e.dy - b * e.dx)}`;
}

function paintWitness(s) {
  const w = s.data.witness, at = (id) => s.m.pts.get(id);
  s.root.querySelector(".witness.under").innerHTML = (w?.segments ?? []).map((flat) => `<path d="${polyline(s, flat)}"/>`).join("");
  const rings = (w?.ids ?? []).filter(at).map((id) => `<circle cx="${X(s, at(id).x)}" cy="${Y(s, at(id).y)}" r="${fixed(s.r + 4.5 * s.k)}"/>`).join("");
  const d = 6 * s.k;
  s.root.querySelector(".witness.over").innerHTML = rings + (w?.at ? `<path class="at" d="M${X(s, w.at[0])} ${Y(s, w.at[1])}m0 ${-d}l${d} ${d}l${-d} ${d}l${-d} ${-d}z"/>` : "");
}

function paintSlack(s) {
  const foot = 4 * s.k;
  const html = (s.data.slack ?? []).map(([id, ...flat]) => {
    const p = s.m.pts.get(id);
    if (!p) return "";
    const e = ending(s, flat), pts = [p.x, p.y, ...flat.slice(2)];
    const end = e ? `M${fixed(e.x - foot * e.dy)} ${fixed(e.y + foot * e.dx)}L${fixed(e.x + foot * e.dy)} ${fixed(e.y - foot * e.dx)}` : "";
    return `<path data-id="${id}" data-label="${p.label}" d="${polyline(s, pts)}${end}"${s.dimmed?.(id) ? ' class="dim"' : ""}/>`;
  }).join("");
  if (html !== s.slackHtml) s.root.querySelector(".slack").innerHTML = s.slackHtml = html;
}

function paintPoints(s) {
  const { marks } = s.data, cats = s.legendHover ?? s.legendPinned ?? s.data.focus; // focus: {cats}, what a page asks to see
  s.index = new Map((s.data.points ?? []).map((p, i) => [p[0], i]));
  s.dimmed = cats ? (id) => !cats.cats.includes(marks?.cat?.[s.index.get(id)]) : null;
  for (const [id, node] of s.nodes) if (!s.m.pts.has(id)) { node.remove(); s.nodes.delete(id); }
  for (const p of s.m.pts.values()) paintPoint(s, p, marks, s.index.get(p.id));
}

function paintPoint(s, p, marks, i) {
  let node = s.nodes.get(p.id);
  if (!node) {
    node = document.createElementNS("http://www.w3.org/2000/svg", "g");
    node.dataset.id = p.id;
    s.nodes.set(p.id, node);
    s.el.points.append(node);
  }
  const known = marks && i !== undefined;
  const amount = known ? marks.fill?.[i] ?? 0 : marks ? 0 : 1;
  const look = { hit: true, fill: fixed(0.2 + 0.8 * clamp(amount, 0, 1)), state: (known && marks.state?.[i]) || "none", wrong: Boolean(known && marks.wrong?.[i]),
    selected: p.id === s.m.selected, hover: p.id === s.hover };
  const lookKey = [p.label, s.r, s.k, look.state, look.wrong, look.wrong && look.fill < 0.6, look.selected, look.hover].join(), cat = (known && marks.cat?.[i]) || "";
  const cls = `pt${s.dimmed?.(p.id) ? " dim" : ""}${s.gesture?.drop && s.gesture.id === p.id ? " leaving" : ""}`;
  if (node.lookKey !== lookKey) { node.lookKey = lookKey; node.innerHTML = markHtml(p.label, s.r, s.k, look); node.body = node.querySelector(".body"); }
  const set = (name, value, el = node) => { if (el.getAttribute(name) !== value) el.setAttribute(name, value); };
  set("fill-opacity", String(look.fill), node.body);
  set("class", cls);
  set("transform", `translate(${X(s, p.x)} ${Y(s, p.y)})`);
  set("data-label", String(p.label));
  set("data-cat", cat);
  set("data-x", String(p.x));
  set("data-y", String(p.y));
}

function paintCursor(s) {
  const { x, y, on } = s.cursor, a = 5 * s.k, b = 16 * s.k;
  s.el.cursor.innerHTML = on ? `<path d="M${X(s, x)} ${Y(s, y)}m${-b} 0h${b - a}m${2 * a} 0h${b - a}m${-b} ${-b}v${b - a}m0 ${2 * a}v${b - a}"/>` : "";
}

function paintControls(s) {
  const { m, data, buttons } = s, { can = {} } = data, busy = s.inflight || s.queue.length;
  Object.assign(s.root.dataset, { label: m.label, selected: m.selected ?? "" });
  for (const act in TOGGLE) buttons[act].setAttribute("aria-pressed", m.label === TOGGLE[act]);
  buttons.eraser.setAttribute("aria-pressed", s.eraser);
  buttons.help.setAttribute("aria-expanded", !s.el.help.hidden);
  s.el.svg.classList.toggle("erasing", s.eraser);
  const off = { undo: !can.undo && !busy, redo: !can.redo, bin: m.selected === null, eraser: !m.pts.size && !s.eraser, clear: !m.pts.size, zoomOut: m.view >= VIEWS.at(-1), zoomIn: m.view <= VIEWS[0] };
  for (const [act, value] of Object.entries(off)) buttons[act].disabled = value;
  buttons.bin.classList.toggle("ready", Boolean(s.gesture?.dragging));
  buttons.bin.classList.toggle("drop", Boolean(s.gesture?.drop));
  paintLegend(s);
  paintEmpty(s);
}

function paintEmpty(s) {
  const e = s.m.pts.size ? null : s.data.empty, key = e ? JSON.stringify(e) : "";
  s.el.empty.hidden = !e;
  if (key === s.emptyKey) return;
  s.emptyKey = key;
  if (e) s.el.empty.innerHTML = `<p>${esc(e.text)}</p><div>${e.actions.map((a) => `<button type="button" class="action" data-action="${esc(a.id)}">${esc(a.text)}</button>`).join("")}</div>`;
}

function paintTip(s) {
  const id = s.hover ?? (s.input === "mouse" ? null : s.m.selected), p = s.m.pts.get(id);
  const text = p && !s.gesture?.dragging ? s.data.marks?.hover?.[s.index.get(id)] : "";
  paintHint(s);
  s.el.tip.hidden = !text;
  if (!text) return;
  if (s.el.tip.textContent !== text) s.el.tip.textContent = text;
  const gap = s.r + 12 * s.k, w = s.el.tip.offsetWidth, h = s.el.tip.offsetHeight, x = X(s, p.x), y = Y(s, p.y);
  const left = x + gap + w <= s.size ? x + gap : x - gap - w >= 0 ? x - gap - w : clamp(x - w / 2, 0, s.size - w);
  const above = y - gap - h >= 0 ? y - gap - h : y + gap;
  s.el.tip.style.transform = `translate(${Math.round(left)}px, ${Math.round(above)}px)`;
}

function paintHint(s) {
  const { hint } = s.data, p = hint && s.m.pts.get(hint.id), show = p && s.hintDone !== hint.text;
  s.el.hint.hidden = !show;
  s.el.leader.setAttribute("d", "");
  if (!show) return;
  s.el.hint.textContent = hint.text;
  const x = X(s, p.x), y = Y(s, p.y), w = s.el.hint.offsetWidth, h = s.el.hint.offsetHeight, away = 46 * s.k;
  const covers = (left, top) => [...s.m.pts.values()].filter((o) => X(s, o.x) > left - 8 && X(s, o.x) < left + w + 8 && Y(s, o.y) > top - 8 && Y(s, o.y) < top + h + 8).length;
  const places = [[x + away, y - away - h], [x - away - w, y - away - h], [x + away, y + away], [x - away - w, y + away], [x - w / 2, y - 2 * away - h], [x - w / 2, y + 2 * away]]
    .map(([l, t]) => [clamp(l, 6, s.size - w - 6), clamp(t, 6, s.size - h - 6)]);
  const [left, top] = places.reduce((best, now) => (covers(...now) < covers(...best) ? now : best));
  const to = [clamp(x, left, left + w), clamp(y, top, top + h)], len = Math.hypot(to[0] - x, to[1] - y) || 1, clear = s.r + 10 * s.k;
  s.el.hint.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
  s.el.leader.setAttribute("d", `M${to[0]} ${to[1]}L${fixed(x + ((to[0] - x) / len) * clear)} ${fixed(y + ((to[1] - y) / len) * clear)}`);
}

function notify(s, key, tone = "warn") {
  s.note = { key, tone, text: word(s, key) };
  paintMessage(s);
}

function paintMessage(s) {
  const { message } = s.data, shown = s.note ?? (message && message.text !== s.dismissed ? message : null);
  if (!message) s.dismissed = null;
  s.el.message.hidden = !shown;
  const key = shown ? shown.tone + shown.text : "";
  if (key === s.messageKey) return;
  s.messageKey = key;
  if (!shown) return;
  s.el.message.dataset.tone = shown.tone;
  s.el.message.querySelector("path").setAttribute("d", ICONS[shown.tone === "info" ? "info" : "warn"]);
  s.el.message.querySelector("span").textContent = shown.text;
  announce(s, shown.text);
}

const announce = (s, text) => { s.el.live.textContent = text; };

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

// ---------------------------------------------------------------- what people do: pointer

function place(s, e) {
  const box = s.el.svg.getBoundingClientRect();
  return { x: e.clientX - box.left, y: e.clientY - box.top, touch: e.pointerType === "touch" || e.type.startsWith("touch") };
}

function pick(s, at) {
  let best = null, least = at.touch ? 22 : Math.max(s.r + 5, 11);
  for (const p of s.m.pts.values()) {
    const d = Math.hypot(X(s, p.x) - at.x, Y(s, p.y) - at.y);
    if (Math.abs(p.x) <= s.m.view && Math.abs(p.y) <= s.m.view && d <= least) { best = p.id; least = d; }
  }
  return best;
}

const editable = (s) => (s.data.tool ?? "place") === "place";
const edge = (s) => Math.min(s.m.view, 8);
const inside = (s, v) => clamp(round3(v), -edge(s), edge(s));

function addPoint(s, x, y, label) {
  if (!editable(s)) return;
  const added = pending(s).filter((op) => op.op === "add").length;
  if (s.data.can?.add === false || (s.data.points?.length ?? 0) + added >= (s.data.limit ?? 300)) return notify(s, "full");
  memory.maxId += 1;
  report(s, { op: "add", id: memory.maxId, x: inside(s, x), y: inside(s, y), label });
}

const remove = (s, ids) => ids.length && editable(s) && report(s, { op: "delete", ids });

function select(s, id) {
  if (id === s.m.selected) return;
  report(s, { op: "select", id });
  const i = s.index.get(id);
  if (id !== null) announce(s, s.data.marks?.hover?.[i] ?? "");
}

// A finger on a point (or with the eraser) must not scroll the page; anywhere else it may.
function touchStart(s, e) {
  const t = e.changedTouches[0];
  const at = place(s, { clientX: t.clientX, clientY: t.clientY, type: "touch" });
  if (s.eraser || pick(s, at) !== null || pickHand(s, at)) e.preventDefault();
}

function pointerDown(s, e) {
  if (s.gesture || (e.button !== 0 && e.button !== 2)) return;
  const at = place(s, e), id = pick(s, at), p = s.m.pts.get(id), other = e.button === 2 || e.shiftKey || e.ctrlKey;
  s.input = at.touch ? "touch" : "mouse";
  s.hintDone = s.data.hint?.text;
  if (s.note && s.note.key !== "lost") s.note = null;
  s.cursor.on = false;
  paintCursor(s);
  s.el.svg.focus({ preventScroll: true });
  s.el.svg.setPointerCapture(e.pointerId);
  const end = pickHand(s, at), kind = s.eraser ? "erase" : end && (!p || end !== "both") ? "hand" : p ? "point" : "press";
  s.gesture = { pointer: e.pointerId, kind, id, end, hand: handOf(s), at, other, slop: at.touch ? 8 : 4, from: p && { x: p.x, y: p.y }, grab: p && { x: X(s, p.x) - at.x, y: Y(s, p.y) - at.y } };
  if (kind === "press" && at.touch && editable(s)) s.timers.long = setTimeout(() => finishPress(s, -s.m.label), LONG_PRESS_MS);
  if (kind === "erase") erase(s, at);
  refresh(s);
}

function pointerMove(s, e) {
  const at = place(s, e), g = s.gesture;
  if (g && g.pointer !== e.pointerId) return; // another finger
  s.pointer = at;
  if (!g) return at.touch || hover(s);
  if (Math.hypot(at.x - g.at.x, at.y - g.at.y) > g.slop) g.moved = true;
  if (g.kind === "erase") return e.getCoalescedEvents?.().length ? e.getCoalescedEvents().forEach((c) => erase(s, place(s, c))) : erase(s, at);
  if (!g.moved) return;
  clearTimeout(s.timers.long);
  if (g.kind === "hand") dragHand(s, g, at);
  if (g.kind === "point" && editable(s) && s.m.pts.has(g.id)) drag(s, g, at, e);
}

function drag(s, g, at, e) {
  const bin = s.buttons.bin.getBoundingClientRect(), far = 20;
  const overBin = e.clientX >= bin.left && e.clientX <= bin.right && e.clientY >= bin.top && e.clientY <= bin.bottom;
  g.dragging = true;
  g.drop = overBin || at.x < -far || at.y < -far || at.x > s.size + far || at.y > s.size + far;
  s.hover = null;
  const x = inside(s, unX(s, at.x + g.grab.x)), y = inside(s, unY(s, at.y + g.grab.y)), p = s.m.pts.get(g.id);
  if (x !== p.x || y !== p.y) report(s, { op: "move", id: g.id, x, y, live: true });
  else refresh(s);
}

function pointerUp(s, e) {
  const g = s.gesture;
  if (g?.pointer !== e.pointerId) return;
  clearTimeout(s.timers.long);
  if (g.kind === "hand") { endGesture(s); if (g.dragging) handTo(s, handOf(s), false); return; }
  if (g.kind === "press") return g.moved ? endGesture(s) : finishPress(s, g.other ? -s.m.label : s.m.label);
  endGesture(s);
  if (g.kind === "erase") { const ids = [...s.erased]; s.erased.clear(); remove(s, ids); }
  else if (g.drop) { dropLive(s, g.id); remove(s, [g.id]); }
  else if (g.dragging) commitMove(s, g);
  else if (!g.moved && e.button === 0) select(s, g.id === s.m.selected ? null : g.id);
}

function finishPress(s, label) {
  const { at } = s.gesture;
  endGesture(s);
  addPoint(s, unX(s, at.x), unY(s, at.y), label);
}

function endGesture(s) {
  clearTimeout(s.timers.long);
  s.gesture = null;
  refresh(s);
}

const dropLive = (s, id) => { s.queue = s.queue.filter((op) => !(isMove(op, id) && op.live)); };

function commitMove(s, { id, from, sent }) {
  const p = s.m.pts.get(id);
  if (p && (sent || p.x !== from.x || p.y !== from.y)) report(s, { op: "move", id, x: p.x, y: p.y, live: false });
}

function cancelGesture(s) {
  const g = s.gesture;
  if (!g) return false;
  s.erased.clear();
  endGesture(s);
  if (g.kind === "hand") { if (g.dragging) handTo(s, g.hand, false); return true; }
  if (g.dragging) {
    dropLive(s, g.id);
    if (g.sent) report(s, { op: "move", id: g.id, ...g.from, live: false });
    else { refresh(s); pump(s); }
  }
  return true;
}

function erase(s, at) {
  const id = pick(s, at);
  if (id === null) return;
  s.erased.add(id);
  refresh(s);
}

function hover(s) {
  const id = s.pointer && !s.gesture ? pick(s, s.pointer) : null;
  s.el.svg.classList.toggle("over", id !== null);
  if (id === s.hover) return;
  s.hover = id;
  refresh(s);
}

// ---------------------------------------------------------------- what people do: buttons

function clicked(s, e) {
  const b = e.target.closest?.("button");
  if (!b) return;
  const entry = legendEntry(s, b);
  if (entry) { s.legendPinned = s.legendPinned?.key === entry.key ? null : entry; return refresh(s); }
  if (b.dataset.film) return filmButton(s, b.dataset.film);
  if (b.dataset.action === "open") return s.el.file.click();
  if (b.dataset.action) return report(s, { op: "action", id: b.dataset.action });
  act(s, b.dataset.act);
}

function act(s, name) {
  const zoom = (step) => { const i = VIEWS.findIndex((v) => v >= s.m.view), v = VIEWS[clamp(i + step, 0, VIEWS.length - 1)]; if (v !== s.m.view) report(s, { op: "view", half: v }); };
  const acts = {
    plus: () => setLabel(s, 1), minus: () => setLabel(s, -1),
    eraser: () => { s.eraser = !s.eraser && editable(s); refresh(s); },
    bin: () => remove(s, s.m.selected === null ? [] : [s.m.selected]),
    undo: () => (s.data.can?.undo || s.inflight || s.queue.length) && report(s, { op: "undo" }),
    redo: () => (s.data.can?.redo || s.inflight || s.queue.length) && report(s, { op: "redo" }),
    clear: () => s.m.pts.size && editable(s) && report(s, { op: "clear" }),
    zoomOut: () => zoom(1), zoomIn: () => zoom(-1), fit: () => fit(s),
    save: () => { s.menu.hidden = !s.menu.hidden; if (!s.menu.hidden) s.menu.firstChild.focus(); },
    saveSvg: () => savePicture(s, "svg"), savePng: () => savePicture(s, "png"),
    help: () => toggleHelp(s, s.el.help.hidden), closeHelp: () => toggleHelp(s, false),
    dismiss: () => { if (s.note) s.note = null; else s.dismissed = s.data.message?.text; paintMessage(s); },
    more: () => { s.details = !s.details; paintLegend(s); },
    project: () => report(s, { op: "project", on: !s.m.projector }),
  };
  acts[name]?.();
}

const setLabel = (s, label) => label !== s.m.label && report(s, { op: "label", label });

function fit(s) {
  const far = Math.max(0, ...[...s.m.pts.values()].map((p) => Math.max(Math.abs(p.x), Math.abs(p.y))));
  const half = VIEWS.find((v) => far <= 0.92 * v) ?? VIEWS.at(-1);
  if (half !== s.m.view) report(s, { op: "view", half });
}

function toggleHelp(s, show) {
  s.el.help.hidden = !show;
  (show ? s.el.help : s.el.svg).focus({ preventScroll: true });
  paintControls(s);
}

function closeOverlays(s) {
  if (!s.el.help.hidden) { toggleHelp(s, false); return true; }
  if (!s.menu.hidden) { s.menu.hidden = true; s.buttons.save.focus(); return true; }
  return false;
}

async function readFile(s, file) {
  if (!file) return;
  s.note = null;
  if (file.size > 1e6) return notify(s, "fileTooBig", "error");
  const text = await file.text();
  if (text.includes("\0") || text.includes("\uFFFD")) return notify(s, "fileNotText", "error");
  report(s, { op: "file", name: file.name, text });
}

// ---------------------------------------------------------------- what people do: keyboard

const KEYS = { 1: "plus", 2: "minus", e: "eraser", "+": "zoomIn", "=": "zoomIn", "-": "zoomOut", 0: "fit", "?": "help", p: "project", Delete: "bin", Backspace: "bin" };
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

function sceneKey(s, e) {
  if (e.target !== s.el.svg || e.ctrlKey || e.metaKey || s.gesture) return;
  const handled = handKey(s, e) ? true : e.key === "Tab" ? walk(s, e.shiftKey ? -1 : 1) : e.key === "Escape" ? escape(s) : ARROWS[e.key] ? arrow(s, e, ARROWS[e.key])
    : e.key === "Enter" || e.key === " " ? placeAtCursor(s) : KEYS[e.key] && !e.altKey ? (act(s, KEYS[e.key]), true) : false;
  if (!handled) return;
  if (e.key !== "?") s.input = "keys";
  e.preventDefault();
  e.stopPropagation();
}

// Tab goes from point to point and leaves at either end; after Esc the next Tab leaves.
function walk(s, step) {
  const ids = [...s.m.pts.keys()], i = ids.indexOf(s.m.selected);
  const next = s.leaving || (i < 0 && step < 0) ? undefined : ids[i + step];
  s.input = "keys";
  s.cursor.on = false;
  paintCursor(s);
  select(s, next ?? null);
  return next !== undefined;
}

function escape(s) {
  if (closeOverlays(s)) return true;
  if (s.m.projector && s.m.selected === null && !s.eraser && !s.cursor.on) { act(s, "project"); return true; }
  s.leaving = true;
  if (s.cursor.on) { s.cursor.on = false; paintCursor(s); }
  if (s.eraser) act(s, "eraser");
  select(s, null);
  return true;
}

function arrow(s, e, [dx, dy]) {
  const p = s.m.pts.get(s.m.selected), step = (e.shiftKey ? 0.001 : p ? s.m.view / 100 : s.m.view / 40) * (e.altKey ? 10 : 1);
  s.leaving = false;
  s.input = "keys";
  const from = p ?? s.cursor, x = inside(s, from.x + dx * step), y = inside(s, from.y + dy * step);
  if (!p) { s.cursor = { x, y, on: true }; paintCursor(s); }
  else if (editable(s) && (x !== p.x || y !== p.y)) {
    s.nudged = p.id;
    report(s, { op: "move", id: p.id, x, y, live: true });
  }
  return true;
}

// However long an arrow key is held, it is one step of undo.
function nudgeEnded(s) {
  const p = s.m?.pts.get(s.nudged);
  s.nudged = null;
  if (p) report(s, { op: "move", id: p.id, x: p.x, y: p.y, live: false });
}

function placeAtCursor(s) {
  if (s.m.selected !== null) return true;
  if (s.cursor.on) addPoint(s, s.cursor.x, s.cursor.y, s.m.label);
  s.cursor.on = true;
  paintCursor(s);
  return true;
}

// Undo and redo work wherever the focus is, except where text is being typed.
// Undo and redo work wherever one is but in a field; single keys where the page itself, a button or the board has the focus.
function pageKey(s, e) {
  if (s.data?.hidden) return;
  if (e.key === "Escape" && cancelGesture(s)) return;
  const el = e.composedPath()[0], key = e.key.toLowerCase();
  if (e.altKey || el.isContentEditable || el.closest?.("input:not([type=range]), textarea, select")) return;
  const chord = e.ctrlKey || e.metaKey;
  const name = chord ? (key === "z" ? (e.shiftKey ? "redo" : "undo") : key === "y" && e.ctrlKey ? "redo" : null) : looseKey(s, e, el);
  if (!name) return;
  e.preventDefault();
  if (!s.gesture && !s.sliding && s.nudged == null) act(s, name);
}

function looseKey(s, e, el) {
  if (e.defaultPrevented || !(el === document.body || s.root.contains(el) || el.closest?.("button"))) return null;
  if (e.key === "Escape") return s.m.projector && !closeOverlays(s) ? "project" : null;
  return KEYS[e.key] === "bin" ? null : KEYS[e.key];
}

// ---------------------------------------------------------------- saving the picture

const STYLES = { fill: "rgb(0, 0, 0)", "fill-opacity": "1", stroke: "none", "stroke-width": "1px", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", opacity: "1",
  "paint-order": "normal", "font-family": "", "font-size": "", "text-anchor": "start" };

function pictureOf(s, font) {
  s.root.classList.remove("stale");
  const copy = s.el.svg.cloneNode(true), from = s.el.svg.querySelectorAll("*"), to = copy.querySelectorAll("*");
  to.forEach((node, i) => {
    const style = getComputedStyle(from[i]), text = node.tagName === "text";
    for (const [name, plain] of Object.entries(STYLES)) {
      const value = style.getPropertyValue(name);
      if (value !== plain && (text || plain !== "") && !(name === "text-anchor" && !text)) node.setAttribute(name, value);
    }
    for (const name of [...node.getAttributeNames()]) if (name === "class" || name.startsWith("data-")) node.removeAttribute(name);
    if (from[i].matches(".hit, .halo, .cursor, .leader")) node.setAttribute("display", "none");
  });
  copy.querySelectorAll('[display="none"]').forEach((node) => node.remove());
  for (const name of copy.getAttributeNames()) if (name !== "viewBox") copy.removeAttribute(name);
  for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width: s.size, height: s.size })) copy.setAttribute(name, value);
  const paper = `<rect width="${s.size}" height="${s.size}" fill="rgb(${s.paper})"/>`;
  copy.innerHTML = font + paper + (s.data.shade ? `<image width="${s.size}" height="${s.size}" href="${s.el.canvas.toDataURL("image/png")}"/>` : "") + copy.innerHTML;
  return new XMLSerializer().serializeToString(copy);
}

// The font of the numbers travels with the picture, if the page declares it.
async function fontOf(s) {
  const family = (face) => face.split(",")[0].replace(/["']/g, "").trim(), wanted = family(getComputedStyle(s.root).fontFamily);
  for (const sheet of document.styleSheets) {
    let rules = [];
    try { rules = sheet.cssRules; } catch { continue; } // a sheet from elsewhere may not be read
    for (const { style, type } of rules) {
      if (type !== CSSRule.FONT_FACE_RULE || family(style.getPropertyValue("font-family")) !== wanted || style.getPropertyValue("font-style") === "italic") continue;
      const url = style.getPropertyValue("src").match(/url\(["']?([^"')]+)/)?.[1], answer = url && await fetch(new URL(url, sheet.href ?? location.href)).catch(() => null);
      if (!answer?.ok) continue;
      const reader = new FileReader(), done = new Promise((ok) => { reader.onload = () => ok(reader.result); });
      reader.readAsDataURL(await answer.blob());
      return `<style>@font-face{font-family:"${wanted}";src:url(${await done})}</style>`;
    }
  }
  return "";
}

async function savePicture(s, kind) {
  s.menu.hidden = true;
  const svg = new Blob([pictureOf(s, await fontOf(s))], { type: "image/svg+xml" });
  download(`svmlab.${kind}`, kind === "svg" ? svg : await rasterise(svg, s.size));
}

async function rasterise(svg, size) {
  const url = URL.createObjectURL(svg), image = new Image(size, size);
  image.src = url;
  await image.decode();
  const canvas = Object.assign(document.createElement("canvas"), { width: 2 * size, height: 2 * size });
  canvas.getContext("2d").drawImage(image, 0, 0, 2 * size, 2 * size);
  URL.revokeObjectURL(url);
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

function download(name, blob) {
  const a = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

// ---------------------------------------------------------------- one update from Python

function create(root) {
  return { root, alive: true, off: new AbortController(), timers: {}, data: null, boot: null, set: null, el: null, m: null,
    queue: [], inflight: null, sentAt: 0, answeredIn: 0, said: null, lane: newLane(), unanswered: 0, restoring: 0, live: false, nodes: new Map(), index: new Map(), erased: new Set(),
    cursor: { x: 0, y: 0, on: false }, input: "mouse", hover: null, gesture: null, eraser: false, details: false, phone: null };
}

function destroy(s) {
  s.alive = false;
  s.lane.socket?.close();
  s.off.abort();
  s.watch?.disconnect();
  s.themes?.disconnect();
  Object.values(s.timers).forEach(clearTimeout);
  stopFilm(s);
}

function receive(s, data) {
  memory.seq = Math.max(memory.seq, data.ack ?? 0);
  if (data.boot !== s.boot) greet(s, data);
  else s.data = s.restoring && data.ack < s.restoring && s.m ? { ...s.data, ack: data.ack } : data;
  settle(s);
  s.said = s.data;
  if (!s.live && !s.inflight) s.lane.drawn = null;
  lookAhead(s);
  s.root.hidden = Boolean(data.hidden);
  if (!data.hidden) {
    if (!s.el) build(s);
    words(s);
    refreshAll(s);
  }
  keepLink(s);
  pump(s);
  s.root.dataset.rev = data.rev;
}

function refreshAll(s) {
  s.m = replay(s.data, pending(s));
  paintLegend(s);
  layout(s);
  repaint(s);
}

export default function board({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".svmlab-board");
  const s = (root.board ??= create(root));
  s.set = setTriggerValue;
  if (data) receive(s, JSON.parse(new TextDecoder().decode(data)));
  // A late call may be cleaned up while the board is still there: only a board that has left the page is taken down.
  return () => setTimeout(() => { if (!root.isConnected) destroy(s); });
}
