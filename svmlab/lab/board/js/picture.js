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

// A new element or a newer script (of a server that was upgraded) takes the place over from what was there.
const SCRIPT = Symbol("script");

function boardOf(place) {
  const root = place.querySelector(".svmlab-board");
  if (place.board?.root !== root || place.board.script !== SCRIPT) {
    if (place.board) destroy(place.board);
    place.board = root.board = Object.assign(create(root), { script: SCRIPT });
  }
  return root.board;
}

export default function board({ data, parentElement, setTriggerValue }) {
  const s = boardOf(parentElement), { root } = s;
  s.set = setTriggerValue;
  if (data) receive(s, JSON.parse(new TextDecoder().decode(data)));
  // A late call may be cleaned up while the board is still there: only a board that has left the page is taken down.
  return () => setTimeout(() => { if (!root.isConnected) destroy(s); });
}
