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
  const foot = (page.svmlabFoot = Object.assign(document.createElement("div"), { className: "sv-address" }));
  const code = Object.assign(document.createElement("img"), { alt: "" }), text = document.createElement("p");
  foot.append(code, text);
  const sign = () => {
    if (text.textContent !== location.href) code.src = codeOf(location.href);
    code.hidden = !code.getAttribute("src");
    text.textContent = location.href;
    document.body.append(foot); // after everything else that is open there
  };
  addEventListener("beforeprint", sign);
  matchMedia("print").addEventListener("change", sign);
}

/**
 * The QR code of an address as the source of an image. A page is printed at once, so the answer is waited for.
 * @param {string} address
 */
function codeOf(address) {
  const request = new XMLHttpRequest();
  try {
    request.open("GET", `qr?text=${encodeURIComponent(address)}`, false);
    request.send();
  } catch {
    return ""; // the server is away, and the address is printed without its code
  }
  return request.status === 200 ? `data:image/svg+xml,${encodeURIComponent(request.responseText)}` : "";
}
