// @ts-check
// The address to copy, or its QR code, which Q shows on the whole screen. The dialog has one of each.

/** @typedef {"address" | "copy" | "copied" | "full" | "picture" | "long" | "scan" | "frame"} Word */
/**
 * @typedef {object} Data
 * @property {"address" | "code"} part what is shown
 * @property {string} address
 * @property {string | null} code null if it is not shown, or if the address is too long for one
 * @property {number | null} full for each new number the code fills the screen once
 * @property {string} note what must be known about the address, or ""
 * @property {string} frame the line for another page, or ""
 * @property {Record<Word, string>} words
 */
/**
 * @typedef {object} State
 * @property {HTMLElement} root
 * @property {Data} data
 * @property {AbortController} off
 */

/** @type {WeakMap<HTMLElement, State>} */
const known = new WeakMap();
const TYPED = 160; // characters of the longest address that is shown in full under the code of the whole screen
const HTML = {
  address: `<div class="address"><input readonly spellcheck="false"><button type="button" class="copy"></button></div>
  <div class="address frame"><input readonly spellcheck="false"><button type="button" class="copy"></button></div>`,
  code: `<div class="picture" role="img"></div><p class="long"></p><button type="button" class="open"></button>
  <dialog><div class="picture" role="img"></div><p class="note"></p><p class="typed"></p></dialog>`,
};

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
  if (data.part === "address") paintAddress(s);
  else paintCode(s);
  if (fills) setTimeout(() => root.isConnected && toggle(s, true));
  // A late cleanup may come while the dialog is still there.
  return () => void setTimeout(() => root.isConnected || s.off.abort());
}

/** @type {<T extends HTMLElement = HTMLElement>(s: State, selector: string) => T} */
const part = (s, selector) => /** @type {any} */ (s.root.querySelector(selector));

/** @type {(s: State) => HTMLElement[]} the address, and the line for another page */
const rows = (s) => [...s.root.querySelectorAll(".address")].filter((line) => line instanceof HTMLElement);

/** @type {(line: HTMLElement) => [HTMLInputElement, HTMLButtonElement]} */
const fieldsOf = (line) => /** @type {any} */ ([line.querySelector("input"), line.querySelector("button")]);

/** @type {(root: HTMLElement, data: Data) => State} */
function begun(root, data) {
  const s = { root, data, off: new AbortController() };
  root.innerHTML = HTML[data.part];
  known.set(root, s);
  for (const line of rows(s)) {
    const [input, button] = fieldsOf(line);
    input.addEventListener("focus", () => input.select());
    button.addEventListener("click", () => copy(s, line));
  }
  if (data.part === "address") return s;
  for (const selector of [".open", "dialog"]) part(s, selector).addEventListener("click", () => toggle(s));
  // This listener comes before the board under the dialog, and before the dialog, which Esc would also close.
  document.addEventListener("keydown", (e) => keyed(s, e), { capture: true, signal: s.off.signal });
  return s;
}

/** @param {State} s */
function paintAddress(s) {
  const { address, words, frame } = s.data, texts = [address, frame], names = [words.address, words.frame];
  for (const [i, line] of rows(s).entries()) {
    const [input, button] = fieldsOf(line);
    if (input.value !== texts[i]) button.textContent = words.copy;
    input.value = texts[i];
    input.setAttribute("aria-label", names[i]);
    button.setAttribute("aria-label", `${words.copy}: ${names[i]}`);
    line.hidden = !texts[i];
  }
}

/** @param {State} s */
function paintCode(s) {
  const { address, code, words, note } = s.data;
  part(s, ".open").textContent = words.full;
  part(s, ".long").textContent = code ? "" : words.long;
  part(s, "dialog").setAttribute("aria-label", words.picture);
  part(s, ".note").textContent = note;
  part(s, ".typed").textContent = address.length > TYPED ? words.scan : address;
  part(s, ".typed").style.setProperty("--letters", String(letters(Math.min(address.length, TYPED))));
  for (const picture of s.root.querySelectorAll(".picture")) {
    picture.innerHTML = code ?? "";
    picture.setAttribute("aria-label", words.picture);
  }
  for (const selector of [".picture", ".open"]) part(s, selector).hidden = !code;
}

/** The letters of one line: a short address has one line, and a longer one up to four. @type {(n: number) => number} */
const letters = (n) => Math.max(20, Math.ceil(n / Math.min(4, Math.ceil(n / 40))));

/** @type {(s: State, line: HTMLElement) => Promise<void>} */
async function copy(s, line) {
  const [input, button] = fieldsOf(line);
  input.select();
  try {
    await navigator.clipboard.writeText(input.value);
  } catch {
    document.execCommand("copy"); // a page without TLS has no clipboard
  }
  button.textContent = s.data.words.copied;
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
