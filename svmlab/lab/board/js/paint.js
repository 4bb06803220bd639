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

