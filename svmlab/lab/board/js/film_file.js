// @ts-check
// A film as a file: the animation of a step, or a slider moved from end to end and back, is played on the board and
// recorded while it plays. So the file plays as fast as the board does.

import { make } from "./dom.js";
import { filmFromStart, filmTo } from "./inputs.js";
import { short } from "./numbers.js";
import { notify, paintMessage } from "./overlays.js";
import { pictureOnPaper } from "./picture.js";
import { endPlay, sweep } from "./play.js";
import { download, fontOf, imageOf } from "./saving.js";
import { courseOf } from "./sliders.js";
import { word } from "./state.js";
import { withDuration } from "./webm.js";

/** @import { State } from "./state.js" */
/** @import { Picture } from "./saving.js" */
/**
 * @typedef {{course: string, play: () => void, stop: () => void, share: () => number | null,
 *   lines: (longest?: boolean) => string[][]}} Animation
 * `course` is what it varies, from where to where. `share` is null when it has ended. `lines` is the caption of the
 * current frame, or the longest of all captions.
 */

const KINDS = ["video/webm;codecs=vp9", "video/webm;codecs=vp8", "video/webm", "video/mp4"];
const SWEEP_MS = 5000, LAST_MS = 700; // how long the last frame is shown
const BITS = 6e6; // a second
const SMALL = 640; // a narrower board is recorded in twice its size

/**
 * Return the animation that can be recorded: the film of a step, else the first slider that can move, or null.
 * @type {(s: State) => Animation | null}
 */
export function animationOf(s) {
  const { film, sliders } = s.data, slider = sliders.find(({ disabled }) => !disabled);
  if (film && film.frames.length > 1) {
    const { frames, course } = film, last = frames.length - 1;
    const longest = frames.reduce((a, b) => (b.caption.length > a.caption.length ? b : a));
    return {
      course,
      play: () => filmFromStart(s),
      stop: () => filmTo(s, s.film?.at ?? 0),
      share: () => (s.film?.timer ? s.film.at / last : null),
      lines: (all) => [[course], ...linesOf((all ? longest : frames[Math.floor(s.film?.at ?? 0)]).caption)],
    };
  }
  if (!slider) return null;
  const course = courseOf(s, slider);
  let begun = 0;
  return {
    course,
    play: () => {
      begun = performance.now();
      sweep(s, slider.key);
    },
    stop: () => endPlay(s),
    share: () => (s.playing ? Math.min((performance.now() - begun) / SWEEP_MS, 1) : null),
    lines: () => [[course], [`${slider.label} = ${short(s.m.values[slider.key] ?? slider.value, slider.unit)}`]],
  };
}

/**
 * The lines of a caption in HTML as plain text. A line may be broken between its sentences.
 * @type {(html: string) => string[][]}
 */
const linesOf = (html) => html.split("<br>").map((line) =>
  (new DOMParser().parseFromString(low(line), "text/html").body.textContent ?? "").split(/(?<=[.:]) | · /));

/** @type {(html: string) => string} */
const low = (html) => html.replace(/<sub>(\d+)<\/sub>/g, (_, n) => [...n].map((digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]).join(""));

/**
 * Record the animation and save it. The message shows the progress, and closing it cancels.
 * @param {State} s
 */
export async function saveFilm(s) {
  const animation = animationOf(s), kind = globalThis.MediaRecorder && KINDS.find(MediaRecorder.isTypeSupported);
  if (!animation || s.recording) return;
  if (!kind) return notify(s, "noFilm");
  const recording = { cancelled: false }, name = s.data.caption.name; // the board's own, before the film changes it
  s.recording = recording;
  try {
    const bytes = await recorded(s, animation, kind, recording);
    if (recording.cancelled || !bytes) return say(s, null);
    const type = kind.split(";")[0];
    download(`${name}.${type.split("/")[1]}`, new Blob([bytes], { type }));
    notify(s, "filmSaved", "info");
  } catch {
    notify(s, "noFilm");
  } finally {
    s.recording = null;
  }
}

/**
 * @param {State} s
 * @param {Animation} animation
 * @param {string} kind
 * @param {{cancelled: boolean}} at
 * @returns {Promise<Uint8Array<ArrayBuffer> | null>}
 */
async function recorded(s, animation, kind, at) {
  const font = await fontOf(s.root), picture = () => pictureOnPaper(s, font, animation.lines());
  const first = pictureOnPaper(s, font, animation.lines(true)), scale = first.width < SMALL ? 2 : 1;
  const canvas = make("canvas", { width: even(scale * first.width), height: even(scale * first.height) });
  const recorder = new MediaRecorder(canvas.captureStream(), { mimeType: kind, videoBitsPerSecond: BITS });
  /** @type {Blob[]} */
  const parts = [];
  const ended = new Promise((done) => (recorder.onstop = done));
  recorder.ondataavailable = ({ data }) => parts.push(data);
  await draw(canvas, first, scale);
  const begun = performance.now();
  recorder.start();
  animation.play();
  for (let share = animation.share(); share !== null && !at.cancelled && s.alive; share = animation.share()) {
    say(s, Math.floor(10 * share) * 10);
    await draw(canvas, picture(), scale);
    await new Promise(requestAnimationFrame);
  }
  if (at.cancelled) animation.stop();
  const until = performance.now() + LAST_MS, last = picture();
  while (performance.now() < until && !at.cancelled) {
    await draw(canvas, last, scale);
    await new Promise((done) => setTimeout(done, 100));
  }
  recorder.stop();
  await ended;
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer());
  return bytes.length ? withDuration(bytes, performance.now() - begun) : null;
}

/** @type {(canvas: HTMLCanvasElement, picture: Picture, scale: number) => Promise<void>} */
async function draw(canvas, picture, scale) {
  const image = await imageOf(picture), ctx = canvas.getContext("2d");
  if (!ctx) return;
  ctx.fillStyle = "#ffffff"; // a caption with fewer rows leaves the rest white
  ctx.fillRect(0, 0, canvas.width, canvas.height);
  ctx.drawImage(image, 0, 0, scale * picture.width, scale * picture.height);
}

/** Encoders want an even number of pixels. @type {(pixels: number) => number} */
const even = (pixels) => 2 * Math.ceil(pixels / 2);

/**
 * Show the progress in percent, or take it away.
 * @param {State} s
 * @param {number | null} percent
 */
function say(s, percent) {
  const text = percent === null ? "" : word(s, "recording").replace("{percent}", String(percent));
  if (s.note?.key === "recording" && s.note.text === text) return;
  s.note = percent === null ? null : { key: "recording", tone: "info", text };
  paintMessage(s);
}
