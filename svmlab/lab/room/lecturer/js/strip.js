// @ts-check
// The strip at the foot of the page, and the QR code on the whole screen.

import { kept } from "./key.js";
import { paintWall } from "./wall.js";
import { messageOf, paintBars, paintVotes, unfoldBars } from "./votes.js";

/** @import { Lead } from "./main.js" */

const SURE_MS = 4000; // in which a second press closes the room
const HTML = `<button type="button" class="open" tabindex="-1"><span></span><i></i></button>
  <p class="message" role="status"></p>
  <section class="strip" hidden><span class="join"></span><b class="address"></b><b class="code"></b>
    <span class="here" role="status"></span><span class="pulse" role="status"></span><span class="votes"></span>
    <button type="button" class="to-wall" hidden></button><button type="button" class="assistant"></button>
    <button type="button" class="qr"></button><button type="button" class="close"></button></section>
  <section class="bars" hidden></section>
  <dialog><p class="big"></p><div class="picture" role="img"></div><p class="typed"></p><p class="note"></p></dialog>
  <dialog class="wall"></dialog>`;

/** @type {<T extends HTMLElement = HTMLElement>(root: HTMLElement, selector: string) => T} */
export const part = (root, selector) => /** @type {any} */ (root.querySelector(selector));

/**
 * @param {HTMLElement} root
 * @param {{open: () => void, close: () => void, say: (said: object) => void, repaint: () => void}} acts
 */
export function buildStrip(root, { open, close, say, repaint }) {
  root.innerHTML = HTML;
  part(root, ".open").addEventListener("click", open);
  part(root, ".qr").addEventListener("click", () => showCode(root));
  part(root, "dialog").addEventListener("click", () => showCode(root));
  new ResizeObserver(([{ target }]) => reserve(/** @type {HTMLElement} */ (target))).observe(part(root, ".strip"));
  part(root, ".votes").addEventListener("click", ({ target }) => {
    const deed = target instanceof HTMLElement ? target.dataset.deed : undefined;
    if (deed === "bars" && unfoldBars(part(root, ".bars"))) return repaint();
    if (deed === "answer") return void document.dispatchEvent(new CustomEvent("svmlab-answer"));
    const said = messageOf(deed);
    if (said) say(said);
  });
  part(root, ".bars").addEventListener("click", ({ target }) => {
    if (!(target instanceof HTMLElement) || !target.matches(".fold")) return;
    part(root, ".bars").dataset.folded = target.dataset.round;
    repaint();
    /** @type {HTMLElement | null} */ (root.querySelector(".votes [data-deed=bars]"))?.focus();
  });
  part(root, ".assistant").addEventListener("click", ({ currentTarget }) =>
    void copy(/** @type {HTMLElement} */ (currentTarget)));
  const button = part(root, ".close");
  let sure = 0;
  button.addEventListener("click", () => {
    clearTimeout(sure);
    if (button.dataset.sure) close();
    if (button.dataset.sure) delete button.dataset.sure;
    else button.dataset.sure = "1";
    name(button);
    sure = setTimeout(() => {
      delete button.dataset.sure;
      name(button);
    }, SURE_MS);
  });
}

/** Copy the link of the assistant, which nobody in the room must read. @param {HTMLElement} button */
async function copy(button) {
  const { link = "", first = "", copied = "" } = button.dataset;
  try {
    await navigator.clipboard.writeText(link);
    button.textContent = copied;
    setTimeout(() => {
      button.textContent = first;
    }, SURE_MS);
  } catch {
    prompt(button.title, link); // without https a page may not copy
  }
}

/** @type {(button: HTMLElement) => void} */
const name = (button) => {
  button.textContent = (button.dataset.sure ? button.dataset.second : button.dataset.first) ?? "";
};

/** @param {Lead} lead */
export function paintStrip({ root, data, count, connected, message }) {
  const room = kept(), { words } = data, strip = part(root, ".strip"), led = room !== null && data.led === room.code;
  const text = (/** @type {string} */ selector, /** @type {string} */ said) => {
    const element = part(root, selector);
    if (element.textContent !== said) element.textContent = said;
  };
  part(root, ".open").hidden = room !== null;
  text(".open span", words.open);
  text(".open i", words.room);
  part(root, ".open").setAttribute("aria-label", words.open);
  document.documentElement.style.setProperty("--sv-room-item", room === null ? "" : "none");
  text(".message", message);
  part(root, ".message").hidden = !message;
  strip.hidden = !led;
  strip.setAttribute("aria-label", words.room);
  reserve(led ? strip : null);
  part(root, ".bars").hidden = true;
  if (!led) return;
  text(".join", words.join);
  text(".address", shortened(data.address ?? ""));
  text(".code", room.code);
  text(".here", connected ? words.here.replace("{n}", String(count?.members ?? 0)) : words.away);
  text(".pulse", pulseOf(words, count?.pulse ?? {}));
  paintVotes(part(root, ".votes"), words, count, part(root, ".bars").dataset.folded);
  paintBars(part(root, ".bars"), words, count);
  paintWall(root, words);
  strip.classList.toggle("warns", Boolean(data.loopback));
  strip.title = data.note ?? "";
  text(".qr", words.qr);
  const assistant = part(root, ".assistant"), assistantData = { link: data.assistant ?? "", first: words.assistant };
  if (assistant.dataset.link !== assistantData.link) text(".assistant", words.assistant);
  Object.assign(assistant.dataset, assistantData, { copied: words.copied });
  assistant.title = words.assist;
  const close = part(root, ".close");
  Object.assign(close.dataset, { first: words.close, second: words.sure });
  name(close);
  text(".big", room.code);
  text(".typed", data.address ?? "");
  text(".note", data.note ?? "");
  const picture = part(root, ".picture");
  if (picture.innerHTML !== (data.code ?? "")) picture.innerHTML = data.code ?? "";
  picture.setAttribute("aria-label", words.picture);
  part(root, "dialog").setAttribute("aria-label", words.picture);
}

/** What members have tapped. @type {(words: Record<string, string>, pulse: Record<string, number>) => string} */
const pulseOf = (words, pulse) =>
  Object.entries(pulse).map(([name, n]) => (words[name] ?? "").replace("{n}", String(n))).join(", ");

/** An address as it is typed. @type {(address: string) => string} */
const shortened = (address) => address.replace(/^https?:\/\//, "");

/**
 * Let the page and its board leave the height of the strip.
 * @param {HTMLElement | null} strip
 */
function reserve(strip) {
  const page = document.documentElement, height = strip?.offsetHeight ? `${strip.offsetHeight}px` : "";
  if (page.style.getPropertyValue("--sv-strip") === height) return;
  page.style.setProperty("--sv-strip", height);
  dispatchEvent(new Event("resize")); // the board measures itself again
}

/**
 * Show the code on the whole screen, or hide it.
 * @param {HTMLElement} root
 */
export function showCode(root) {
  const over = /** @type {HTMLDialogElement} */ (part(root, "dialog"));
  if (over.open) over.close();
  else over.showModal();
}

/**
 * The key Q shows the code on the whole screen, and any of Q and Esc closes it.
 * @param {Lead} lead
 * @param {KeyboardEvent} e
 */
export function toggleCode({ root }, e) {
  const over = /** @type {HTMLDialogElement} */ (part(root, "dialog"));
  const asked = e.key.toLowerCase() === "q" && !e.ctrlKey && !e.metaKey && !e.altKey;
  if (!(asked && !typing(e)) && !(e.key === "Escape" && over.open)) return;
  e.preventDefault();
  e.stopPropagation();
  showCode(root);
}

/** @type {(e: KeyboardEvent) => boolean} */
const typing = (e) => e.composedPath().some((each) => each instanceof HTMLElement
  && (each.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(each.tagName)));
