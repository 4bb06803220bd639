// @ts-check
// What every page has of script: the door for a run of the whole page, the address at its foot when it is printed, and
// the keys that are pressed before a board's script is there to answer them.

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
    document.body.append(foot); // after whatever else is open there
  };
  addEventListener("beforeprint", sign);
  matchMedia("print").addEventListener("change", sign);
}
