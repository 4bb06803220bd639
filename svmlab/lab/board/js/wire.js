// The board: points, shading, lines, toolbar and legend. It draws what Python sends and reports what people do;
// it computes nothing about support vector machines. The only lasting state is what has not been acknowledged yet.

const VIEWS = [1.5, 2, 3, 4, 6, 8];
const LIVE_MS = 40, DIM_MS = 300, RESEND_MS = 2000, LONG_PRESS_MS = 500;
const POINT_OPS = new Set(["add", "move", "delete", "clear", "points"]);
const OPAQUE_OPS = new Set(["undo", "redo", "action", "file", "restore"]); // their effect is known to Python only
const QUIET_OPS = new Set(["select", "label", "project"]);                 // they change no line
const SHADE_STRENGTH = { light: 0.32, dark: 0.36 };

// What outlives a mount of the component, and this script where a server comes back with a newer one: what the address says,
// the points that go with it, and numbers that must never go down.
// `unsaid` is the whole set of points while a change of them is unanswered: a lost server or page does not lose it.
const memory = (window.svmlabMemory ??= {});
Object.assign(memory, { address: null, points: [], boot: null, seq: 0, maxId: 0, unsaid: null, ...memory });

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
  if (s.unanswered % 3 === 2) window.svmlabWhole?.(); // a restarted server answers no part of a page that it has not run
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
  if (memory.address === null) return;
  const url = new URL(location.href);
  if (url.searchParams.get("s") === memory.address) return;
  url.searchParams.set("s", memory.address);
  history.replaceState(history.state, "", url);
}

window.addEventListener("popstate", () => { writeLink(); setTimeout(writeLink); });

function keepLink(s) {
  const { address, boot, points } = s.said;
  if (typeof address !== "string" || s.restoring || s.live) return;
  Object.assign(memory, { address, boot, points: points ?? memory.points });
  writeLink();
}

// A new session answers. If this window remembers a state, the session adopts it; changes that were on their way are kept.
// A server that cannot read the address takes the points instead, and leaves the address alone.
function greet(s, data) {
  const met = memory.boot !== null && memory.boot !== data.boot;
  const unsaid = met && memory.unsaid?.boot === memory.boot ? memory.unsaid.op : null;
  const restore = met && memory.address !== null && (memory.address !== data.address || data.address !== data.share);
  Object.assign(s, { boot: data.boot, inflight: null, queue: [], restoring: 0, lane: newLane() });
  memory.unsaid = null;
  if (!restore && !unsaid) return (s.data = data);
  s.data = s.data ? { ...s.data, boot: data.boot, ack: data.ack } : data;
  if (restore) s.restoring = memory.seq + 1;
  post(s, [...(restore ? [{ op: "restore", share: memory.address, points: memory.points }] : []), ...(unsaid ? [{ ...unsaid, live: Boolean(s.gesture?.dragging) }] : [])]);
}

