// @ts-check
// The address to copy, and its QR code: as large as the dialog allows, and on the whole screen with Q.

/** @typedef {"address" | "copy" | "copied" | "full" | "picture" | "long"} Word */
/** `full`: for each new number the code fills the screen once. */
/** @typedef {{address: string, code: string | null, full: number | null, words: Record<Word, string>}} Data */
/**
 * @typedef {object} State
 * @property {HTMLElement} root
 * @property {Data} data
 * @property {AbortController} off
 */

/** @type {WeakMap<HTMLElement, State>} */
const known = new WeakMap();
const HTML = `<div class="address"><input readonly spellcheck="false"><button type="button" class="copy"></button></div>
  <div class="picture" role="img"></div><p class="long"></p><button type="button" class="open"></button>
  <dialog><div class="picture" role="img"></div><p></p></dialog>`;

/**
 * @param {object} mount
 * @param {Data} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 */
export default function share({ data, parentElement }) {
  const root = /** @type {HTMLElement} */ (parentElement.querySelector(".sv-share"));
  const s = known.get(root) ?? begun(root, { ...data, full: null });
  const fills = data.full !== null && data.full !== s.data.full;
  s.data = data;
  paint(s);
  if (fills) setTimeout(() => root.isConnected && toggle(s, true));
  // A late cleanup may come while the dialog is still there.
  return () => void setTimeout(() => root.isConnected || s.off.abort());
}

/** @type {<T extends HTMLElement = HTMLElement>(s: State, selector: string) => T} */
const part = (s, selector) => /** @type {any} */ (s.root.querySelector(selector));

/** @type {(root: HTMLElement, data: Data) => State} */
function begun(root, data) {
  const s = { root, data, off: new AbortController() };
  root.innerHTML = HTML;
  known.set(root, s);
  const input = /** @type {HTMLInputElement} */ (part(s, "input"));
  input.addEventListener("focus", () => input.select());
  part(s, ".copy").addEventListener("click", () => copy(s));
  for (const selector of [".open", "dialog"]) part(s, selector).addEventListener("click", () => toggle(s));
  // This listener comes before the board under the dialog, and before the dialog, which Esc would also close.
  document.addEventListener("keydown", (e) => keyed(s, e), { capture: true, signal: s.off.signal });
  return s;
}

/** @param {State} s */
function paint(s) {
  const { address, code, words } = s.data, input = /** @type {HTMLInputElement} */ (part(s, "input"));
  input.value = address;
  input.setAttribute("aria-label", words.address);
  part(s, ".copy").textContent = words.copy;
  part(s, ".open").textContent = words.full;
  part(s, ".long").textContent = code ? "" : words.long;
  part(s, "dialog").setAttribute("aria-label", words.picture);
  part(s, "dialog p").textContent = address.length > 120 ? `${address.slice(0, 118)}…` : address;
  for (const picture of s.root.querySelectorAll(".picture")) {
    picture.innerHTML = code ?? "";
    picture.setAttribute("aria-label", words.picture);
  }
  for (const selector of [".picture", ".open"]) part(s, selector).hidden = !code;
}

/** @param {State} s */
async function copy(s) {
  const input = /** @type {HTMLInputElement} */ (part(s, "input"));
  input.select();
  try {
    await navigator.clipboard.writeText(s.data.address);
  } catch {
    document.execCommand("copy"); // a page without TLS has no clipboard
  }
  part(s, ".copy").textContent = s.data.words.copied;
}

/**
 * @param {State} s
 * @param {boolean} [open]
 */
function toggle(s, open) {
  const over = /** @type {HTMLDialogElement} */ (part(s, "dialog"));
  if (over.open && !open) over.close();
  else if (!over.open && s.data.code) over.showModal();
}

/** @type {(s: State, e: KeyboardEvent) => void} */
function keyed(s, e) {
  if (!s.root.isConnected) return s.off.abort();
  const over = /** @type {HTMLDialogElement} */ (part(s, "dialog"));
  const asked = e.key.toLowerCase() === "q" && !e.ctrlKey && !e.metaKey && !e.altKey;
  if (!asked && !(e.key === "Escape" && over.open)) return;
  e.preventDefault();
  e.stopPropagation();
  toggle(s);
}
