// @ts-check
// While the server is away, Streamlit's dialog, which would cover the page and take its focus, is closed; the style
// sheet makes it invisible from the beginning. The board says in its own words that the server is away. On a page
// without a board a line says so.

const AWAY_MS = 1500; // a connection that is back sooner is not worth a word
const APP = "[data-testid=stApp]", DIALOG = "[data-testid=stDialog]", STATE = "data-test-connection-state";
const here = /** @type {Window & {svmlabAway?: HTMLElement}} */ (window);

/**
 * @param {object} mount
 * @param {{text: string}} mount.data
 */
export default function connection({ data: { text } }) {
  const app = document.querySelector(APP), line = (here.svmlabAway ??= document.createElement("p"));
  const known = line.isConnected;
  line.dataset.text = text;
  if (!app || known) return;
  line.className = "sv-away";
  line.setAttribute("role", "status");
  document.body.append(line);
  /** @type {Set<Element>} the dialogs that were open before the server was away */
  let open = new Set();
  let timer = 0, was = true;
  const look = () => {
    const is = app.getAttribute(STATE) === "CONNECTED", dialogs = document.querySelectorAll(DIALOG);
    if (was && !is) {
      open = new Set(dialogs);
      timer = setTimeout(() => void (line.textContent = line.dataset.text ?? ""), AWAY_MS);
    } else if (is && !was) {
      clearTimeout(timer);
      line.textContent = "";
    }
    was = is;
    document.documentElement.classList.toggle("sv-server-away", !is && open.size === 0);
    if (!is) for (const each of dialogs) if (!open.has(each)) each.querySelector("button")?.click();
  };
  new MutationObserver(look).observe(app, { attributeFilter: [STATE] });
  new MutationObserver(look).observe(document.body, { childList: true }); // where dialogs come
  look();
}
