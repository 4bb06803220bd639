// @ts-check
// A board that nobody can touch. The board's own modules draw what the lecturer's page has sent.

import { partsOf, plane } from "../../../board/js/build.js";
import { paintHandLine } from "../../../board/js/hand_line.js";
import { paintPoints } from "../../../board/js/points.js";
import { replay } from "../../../board/js/replay.js";
import { paintGrid, paintLines, paintShade, paintSlack, paintWitness } from "../../../board/js/scene.js";
import { EMPTY_SCENE, create } from "../../../board/js/state.js";
import { theme } from "../../../board/js/words.js";

/** @import { Data } from "../../../board/js/payload.js" */
/** @import { Elements } from "../../../board/js/build.js" */

const PARTS = [paintShade, paintGrid, paintLines, paintWitness, paintPoints, paintHandLine, paintSlack];
const SHARE = 0.56, SHARE_ASKED = 0.4; // of the height of the window, at most; the second while a question is open

const share = () => (document.body.dataset.asks === "1" ? SHARE_ASKED : SHARE);

/**
 * Return the function that draws a board in an element, or hides it if there is none.
 * @param {HTMLElement} root
 * @param {string} name what the picture is, for those who do not see it
 * @returns {(board: Partial<Data> | null) => void}
 */
export function viewOf(root, name) {
  root.innerHTML = `<div class="view">${plane("")}<div class="sliders"></div></div>`;
  const empty = /** @type {Data} */ (/** @type {unknown} */ ({ ...EMPTY_SCENE, text: {} }));
  const s = create(root, /** @type {Elements} */ (partsOf(/** @type {HTMLElement} */ (root.firstElementChild))), empty);
  s.el.svg.removeAttribute("tabindex");
  s.el.svg.removeAttribute("aria-describedby");
  s.el.svg.setAttribute("role", "img");
  s.el.svg.setAttribute("aria-label", name);
  const paint = () => {
    if (root.hidden) return;
    s.size = Math.floor(Math.min(root.getBoundingClientRect().width, share() * innerHeight));
    if (s.size <= 0) return;
    s.k = Math.min(1.4, Math.max(1, s.size / 600));
    s.tick = 13 * s.k;
    s.pointRadius = 7 * s.k;
    root.style.setProperty("--size", `${s.size}px`);
    root.style.setProperty("--k", String(s.k));
    root.dataset.task = s.data.task;
    theme(s);
    s.el.svg.setAttribute("viewBox", `0 0 ${s.size} ${s.size}`);
    for (const part of PARTS) part(s);
    root.dataset.frames = String(Number(root.dataset.frames ?? 0) + 1);
  };
  new ResizeObserver(paint).observe(root);
  addEventListener("resize", paint);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", paint);
  let waits = 0;
  return (board) => {
    root.hidden = board === null;
    s.data = s.lastData = { ...empty, ...board };
    s.m = replay(s.data, []);
    waits ||= requestAnimationFrame(() => {
      waits = 0;
      paint();
    });
  };
}
