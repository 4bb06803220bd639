// @ts-check
// A table drawn by Python; what carries a data-id reports itself when it is clicked.

/** @type {WeakMap<HTMLElement, string>} */
const written = new WeakMap(); // the HTML of each table as it came: what is read back may differ

/**
 * @param {object} mount
 * @param {{html: string}} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 * @param {(name: "picked", value: {id: number}) => void} mount.setTriggerValue
 */
export default function pick({ data, parentElement, setTriggerValue }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-pick"));
  if (written.get(root) !== data.html) {
    const { scrollLeft, scrollTop } = root, focused = focusedRow(root);
    root.innerHTML = data.html;
    written.set(root, data.html);
    Object.assign(root, { scrollLeft, scrollTop });
    const row = focused ? root.querySelector(`tr[data-id="${focused}"]`) : null;
    if (row instanceof HTMLElement) row.focus({ preventScroll: true });
  }
  /** @param {Event} e */
  const report = (e) => {
    const on = e.target instanceof Element ? e.target.closest("[data-id]") : null;
    if (!(on instanceof HTMLElement || on instanceof SVGElement)) return false;
    setTriggerValue("picked", { id: Number(on.dataset.id) });
    return true;
  };
  root.onclick = report;
  root.onkeydown = (e) => {
    if ((e.key === "Enter" || e.key === " ") && report(e)) e.preventDefault();
  };
}

/** @param {HTMLElement} root */
function focusedRow(root) {
  const place = root.getRootNode();
  const focused = place instanceof Document || place instanceof ShadowRoot ? place.activeElement : null;
  return focused instanceof HTMLElement ? focused.dataset.id : undefined;
}
