// @ts-check
// While the server is away, the board says so and goes on working. When it is back, the board is told.

import { notify, paintMessage } from "./overlays.js";

/** @import { State } from "./state.js" */

const AWAY_MS = 1500; // a connection that is back sooner is not worth a word
const APP = "[data-testid=stApp]", STATE = "data-test-connection-state";

/** Whether the server is there, as Streamlit sees it. */
export const connected = () => (document.querySelector(APP)?.getAttribute(STATE) ?? "CONNECTED") === "CONNECTED";

/**
 * @param {State} s
 * @param {() => void} back called when a connection that was lost is there again
 */
export function watchConnection(s, back) {
  const app = document.querySelector(APP);
  if (!app) return;
  let lost = false;
  const watch = new MutationObserver(() => {
    const there = connected(), returned = there && lost;
    clearTimeout(s.timers.away);
    lost = !there;
    if (!there) {
      s.timers.away = setTimeout(() => s.alive && !connected() && notify(s, "away"), AWAY_MS);
    } else if (s.note?.key === "away") {
      s.note = null;
      paintMessage(s);
    }
    if (returned) back();
  });
  watch.observe(app, { attributeFilter: [STATE] });
  s.listening.signal.addEventListener("abort", () => watch.disconnect());
}
