// @ts-check
// One step down or up for the field beside: two buttons, and the arrow keys up and down while the field has the focus.

/** @typedef {{text: string, less: boolean, more: boolean, words: [string, string]}} Data the data from Python */
/** @typedef {{data: Data, setTriggerValue: (name: "step", value: {text: string, by: number}) => void}} Mount */

/** @type {WeakMap<Element, Mount & {by: number}>} */
const mounts = new WeakMap();

/** @param {Mount & {parentElement: Element | ShadowRoot}} mount */
export default function steps({ data, setTriggerValue, parentElement }) {
  const root = parentElement.querySelector(".sv-steps");
  if (!root) return;
  const before = mounts.get(root);
  // Steps are counted from the last text of Python, so clicks that are faster than its answers are not lost.
  const mount = { data, setTriggerValue, by: before?.data.text === data.text ? before.by : 0 };
  mounts.set(root, mount);
  for (const [i, button] of root.querySelectorAll("button").entries()) {
    button.tabIndex = -1; // the arrow keys in the field do the same
    button.disabled = !(i ? data.more : data.less);
    button.setAttribute("aria-label", data.words[i]);
    button.onclick = () => step(root, i ? 1 : -1);
  }
  if (!before) listen(root);
}

/** @param {Element} root */
function listen(root) {
  const host = root.getRootNode();
  const place = (host instanceof ShadowRoot ? host.host : root).closest("[class*='st-key-number_']");
  place?.addEventListener("keydown", (e) => {
    const by = e instanceof KeyboardEvent ? { ArrowUp: 1, ArrowDown: -1 }[e.key] : undefined;
    if (!by || !root.isConnected || !(e.target instanceof HTMLInputElement)) return;
    e.preventDefault();
    if (e.target.value === mounts.get(root)?.data.text) step(root, by);
  });
}

/**
 * @param {Element} root
 * @param {number} by
 */
function step(root, by) {
  const mount = mounts.get(root);
  if (!mount || !(by > 0 ? mount.data.more : mount.data.less)) return;
  mount.by += by;
  mount.setTriggerValue("step", { text: mount.data.text, by: mount.by });
}
