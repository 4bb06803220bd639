// ---------------------------------------------------------------- a line that is placed by hand: two handles, and the side that counts as +1

const HAND_STEP = 40, HAND_TURN = Math.PI / 36;
const handOf = (s) => s.m?.hand ?? null;

function paintHand(s) {
  const h = handOf(s), g = s.root.querySelector(".hand");
  if (!h) return void (g.innerHTML = "");
  const [ax, ay, bx, by] = [X(s, h.a[0]), Y(s, h.a[1]), X(s, h.b[0]), Y(s, h.b[1])], len = Math.hypot(bx - ax, by - ay) || 1;
  const dx = (bx - ax) / len, dy = (by - ay) / len, far = 3 * s.size, mx = (ax + bx) / 2, my = (ay + by) / 2, out = 34 * s.k;
  const tip = [mx + dy * out, my - dx * out]; // a quarter turn to the left of a -> b on the screen: the side of +1
  g.innerHTML = `<path class="line" d="M${fixed(ax - far * dx)} ${fixed(ay - far * dy)}L${fixed(bx + far * dx)} ${fixed(by + far * dy)}"/>
    <path class="side" d="M${fixed(mx)} ${fixed(my)}L${fixed(tip[0])} ${fixed(tip[1])}m${fixed(-9 * s.k * dy - 5 * s.k * dx)} ${fixed(9 * s.k * dx - 5 * s.k * dy)}L${fixed(tip[0])} ${fixed(tip[1])}L${fixed(tip[0] - 9 * s.k * dy + 5 * s.k * dx)} ${fixed(tip[1] + 9 * s.k * dx + 5 * s.k * dy)}"/>
    ${["a", "b"].map((end) => `<circle class="hit" data-end="${end}" cx="${X(s, h[end][0])}" cy="${Y(s, h[end][1])}" r="20"/><circle class="grip" cx="${X(s, h[end][0])}" cy="${Y(s, h[end][1])}" r="${fixed(7.5 * s.k)}"/>`).join("")}`;
}

// Which part of the line is under the pointer: a handle, or the line between and beyond them.
function pickHand(s, at) {
  const h = handOf(s);
  if (!h) return null;
  const reach = at.touch ? 24 : 14, [ax, ay, bx, by] = [X(s, h.a[0]), Y(s, h.a[1]), X(s, h.b[0]), Y(s, h.b[1])];
  const near = [["a", Math.hypot(at.x - ax, at.y - ay)], ["b", Math.hypot(at.x - bx, at.y - by)]].sort((p, q) => p[1] - q[1])[0];
  if (near[1] <= reach) return near[0];
  const len = Math.hypot(bx - ax, by - ay) || 1, off = Math.abs((bx - ax) * (at.y - ay) - (by - ay) * (at.x - ax)) / len;
  return off <= reach / 2 ? "both" : null;
}

function handTo(s, h, live) {
  const put = ([x, y]) => [inside(s, x), inside(s, y)], a = put(h.a), b = put(h.b);
  if (Math.hypot(a[0] - b[0], a[1] - b[1]) < 0.02 * s.m.view) return;
  report(s, { op: "hand", a, b, live });
}

function dragHand(s, g, at) {
  const dx = unX(s, at.x) - unX(s, g.at.x), dy = unY(s, at.y) - unY(s, g.at.y), move = ([x, y]) => [x + dx, y + dy];
  g.dragging = true;
  handTo(s, { a: g.end === "b" ? g.hand.a : move(g.hand.a), b: g.end === "a" ? g.hand.b : move(g.hand.b) }, true);
}

// Arrows push the line, [ and ] turn it about its middle.
function handKey(s, e) {
  const h = handOf(s), dir = ARROWS[e.key], turn = { "[": HAND_TURN, "]": -HAND_TURN }[e.key];
  if (!h || s.m.selected !== null || (!dir && !turn)) return false;
  const step = s.m.view / HAND_STEP, mid = [(h.a[0] + h.b[0]) / 2, (h.a[1] + h.b[1]) / 2], c = Math.cos(turn ?? 0), n = Math.sin(turn ?? 0);
  const put = ([x, y]) => (dir ? [x + dir[0] * step, y + dir[1] * step] : [mid[0] + c * (x - mid[0]) - n * (y - mid[1]), mid[1] + n * (x - mid[0]) + c * (y - mid[1])]);
  handTo(s, { a: put(h.a), b: put(h.b) }, false);
  return true;
}
