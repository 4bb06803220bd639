// @ts-check
// Requests that were made while the server was away. They are repeated once it is back, and Python handles each once.

/** @import { Data, Mark, State } from "./main.js" */

const AGAIN_MS = 2000; // a server that has just come back builds the page first
const APP = "[data-testid=stApp]";
const page = /** @type {Window & {svmlabWhole?: () => void}} */ (window); // set by the frame of every page

/** Whether the server answers. */
export const connected = () =>
  document.querySelector(APP)?.getAttribute("data-test-connection-state") === "CONNECTED";

/**
 * Return the data of Python, with what is requested and not handled yet on top. A handled request no longer waits.
 * @param {State} s
 * @param {Data} data
 * @returns {Data}
 */
export function settled(s, data) {
  if (s.waiting && data.ack >= s.waiting.n) s.waiting = null;
  s.n = Math.max(s.n, data.ack);
  const { waiting } = s, { marks, at } = data;
  if (!waiting || !connected()) return { ...data };
  if ("key" in waiting && marks.some(({ key }) => key === waiting.key)) return { ...data, at: waiting.key };
  if ("show" in waiting && waiting.show === at) return { ...data, marks: answered(marks, at) };
  return { ...data };
}

/**
 * Return the steps of which one needs no answer any more.
 * @param {Mark[]} marks
 * @param {string} at its key
 */
export const answered = (marks, at) => marks.map((mark) => (mark.key === at ? { ...mark, asks: false } : mark));

/**
 * Repeat the request that waits, each time the connection is back.
 * @param {State} s
 */
export function repeatWhenBack(s) {
  const app = document.querySelector(APP);
  if (!app) return;
  let before = connected();
  const watch = new MutationObserver(() => {
    const isConnected = connected(), back = isConnected && !before;
    before = isConnected;
    if (back && s.waiting) repeat(s);
  });
  watch.observe(app, { attributeFilter: ["data-test-connection-state"] });
  s.off.signal.addEventListener("abort", () => watch.disconnect());
}

/**
 * A restarted server runs no part of the page before it has run the whole page, so that is requested as well.
 * @param {State} s
 */
function repeat(s) {
  clearTimeout(s.timer);
  if (!s.waiting || !connected()) return;
  const running = document.querySelector(`${APP}[data-test-script-state=running]`);
  if (!running) s.say("go", s.waiting);
  s.timer = setTimeout(() => {
    if (s.waiting && connected() && !running) page.svmlabWhole?.();
    s.timer = setTimeout(() => repeat(s), AGAIN_MS);
  }, AGAIN_MS);
}
