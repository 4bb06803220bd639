// @ts-check
// The progress of work on the server, requested without a run of the page. When the work ends, the page runs.
const AGAIN_MS = 1000; // the next try if the server has not answered, or if the page has not run
const BUSY_MS = 50; // a run in progress is not interrupted

/** @typedef {{going: boolean, said: string, done: number, again: number}} State */
/** @typedef {(name: string, value: unknown) => void} Trigger */
/** @typedef {State & {ask: string, name: string}} Data */
/** @typedef {{data: Data, parentElement: Element | ShadowRoot, setTriggerValue: Trigger}} Mount */

/** @type {WeakMap<Element, Mount>} */
const mounts = new WeakMap();

const running = () => document.querySelector('[data-test-script-state="running"]') !== null;

/**
 * @param {Element} line
 * @param {State} state
 */
function draw(line, state) {
  const said = /** @type {HTMLElement} */ (line.querySelector("span"));
  said.textContent = state.said;
  line.setAttribute("aria-valuetext", state.said);
  line.setAttribute("aria-valuenow", String(Math.round(100 * state.done)));
  /** @type {HTMLElement} */ (line).style.setProperty("--done", String(state.done));
}

/** @param {Element} line */
async function ask(line) {
  const mount = mounts.get(line);
  if (!line.isConnected || !mount) return;
  const again = (/** @type {number} */ ms) => setTimeout(() => ask(line), ms);
  const url = new URL(mount.data.ask, location.href);
  // If there is no answer, for example behind a proxy that does not know this address, runs of the page find out.
  const over = { going: false };
  const state = await fetch(url)
    .then((answer) => (answer.ok ? answer.json().catch(() => over) : over))
    .catch(() => null);
  if (!line.isConnected || mounts.get(line)?.data.ask !== mount.data.ask) again(0);
  else if (state === null) again(AGAIN_MS);
  else if (state.going) {
    draw(line, state);
    again(state.again);
  } else if (running()) again(BUSY_MS);
  else {
    mount.setTriggerValue("over", mount.data.ask);
    again(AGAIN_MS);
  }
}

/** @param {Mount} mount */
export default function work(mount) {
  const line = mount.parentElement.querySelector(".sv-work");
  if (!line) return;
  const asked = mounts.has(line);
  mounts.set(line, mount);
  line.setAttribute("aria-label", mount.data.name);
  if (mount.data.going) draw(line, mount.data);
  if (!asked) setTimeout(() => ask(line), mount.data.again);
}
