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

