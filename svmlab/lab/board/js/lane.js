// ---------------------------------------------------------------- the fast lane: while something is dragged, pictures come past the page

// One question at a time, about the newest state; the page follows a few times a second. The page's word counts again as
// soon as nothing is left unsaid. A lane that breaks or falls silent is left alone until the next session: every picture then
// comes with the page.
const LANE_MS = 30, LANE_BUSY_MS = 100, LANE_SILENT_MS = 3000, PAGE_MS = 250, PAGE_SHARE = 5;
const LANE_OPS = new Set(["move", "set", "view", "select", "label"]);

const newLane = () => ({ socket: null, askedAt: 0, next: 0, drawn: null, points: null, broken: false });
const laneOpen = (s) => Boolean(s.data?.lane) && !s.lane.broken;

function askLane(s) {
  const said = pending(s), { lane } = s;
  if (!laneOpen(s) || lane.askedAt || s.restoring || !said.at(-1)?.live || !said.every((op) => LANE_OPS.has(op.op))) return;
  if (lane.socket?.readyState !== WebSocket.OPEN) return lane.socket ?? openLane(s);
  const now = performance.now();
  clearTimeout(s.timers.lane);
  if (now < lane.next) return void (s.timers.lane = setTimeout(() => s.alive && askLane(s), lane.next - now));
  lane.points = wholeSet(s.m).points;
  lane.askedAt = now;
  const ops = [{ op: "points", points: lane.points }, { op: "view", half: s.m.view }, ...said.filter((op) => op.op === "set")];
  listenFor(s, lane);
  lane.socket.send(JSON.stringify({ share: s.data.share, ops }));
}

function openLane(s) {
  const { lane } = s, socket = (lane.socket = new WebSocket(new URL(s.data.lane, location.href.replace(/^http/, "ws"))));
  listenFor(s, lane);
  socket.onopen = () => { clearTimeout(s.timers.silent); askLane(s); };
  socket.onclose = () => { lane.broken = true; lane.askedAt = 0; };
  socket.onmessage = ({ data }) => {
    if (!s.alive || s.lane !== lane) return socket.close();
    clearTimeout(s.timers.silent);
    const took = performance.now() - lane.askedAt;
    lane.next = lane.askedAt + (took > LANE_BUSY_MS ? 2 * took : LANE_MS); // a busy server is asked half of the time
    lane.askedAt = 0;
    lane.drawn = { ...JSON.parse(data), points: lane.points };
    if (pending(s).length) paintAhead(s);
    askLane(s);
  };
}

// A socket may stay open and say nothing (a proxy that swallows it): it is closed, whose end breaks the lane.
function listenFor(s, lane) {
  clearTimeout(s.timers.silent);
  s.timers.silent = setTimeout(() => { lane.socket.close(); lane.socket.onclose(); pump(s); }, LANE_SILENT_MS);
}

// What is drawn: the page's last word, under the lane's picture while something is unsaid.
function lookAhead(s) {
  if (!pending(s).length) s.lane.drawn = null;
  s.data = s.lane.drawn ? { ...s.said, ...s.lane.drawn } : s.said;
}

function paintAhead(s) {
  lookAhead(s);
  fresh(s);
  s.m = replay(s.data, pending(s));
  paintShade(s);
  paintLines(s);
  paintWitness(s);
  refresh(s);
  s.root.dataset.frames = Number(s.root.dataset.frames ?? 0) + 1;
}
