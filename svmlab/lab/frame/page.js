// @ts-check
// The script of every page: a function that requests a run of the whole page, the address at the foot of a printed
// page, and the keys that are pressed before a board's script is loaded.

/**
 * @typedef {Window & {svmlabWhole?: () => void, svmlabFoot?: HTMLElement, svmlabKeys?: KeyboardEvent[] | null}} Page
 */

/**
 * @param {object} mount
 * @param {(name: "run", value: number) => void} mount.setTriggerValue
 */
export default function whole({ setTriggerValue }) {
  const page = /** @type {Page} */ (window);
  page.svmlabWhole = () => setTriggerValue("run", 1);
  if (page.svmlabFoot) return;
  if (page.svmlabKeys !== null) page.svmlabKeys = [];
  document.addEventListener("keydown", (e) => void (e.target === document.body && page.svmlabKeys?.push(e)));
  const foot = (page.svmlabFoot = Object.assign(document.createElement("p"), { className: "sv-address" }));
  const sign = () => {
    foot.textContent = location.href;
    document.body.append(foot); // after everything else that is open there
  };
  addEventListener("beforeprint", sign);
  matchMedia("print").addEventListener("change", sign);
}
