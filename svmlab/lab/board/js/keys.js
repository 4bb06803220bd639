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

