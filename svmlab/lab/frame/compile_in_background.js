// @ts-check
// A line that is shown as long as the server compiles, and disappears without a run of the page.
const EVERY_MS = 1000;

/** @type {WeakSet<Element>} */
const asking = new WeakSet();

/**
 * @param {object} mount
 * @param {{ask: string, going: string, text: string}} mount.data
 * @param {Element | ShadowRoot} mount.parentElement
 */
export default function preparing({ data, parentElement }) {
  const line = parentElement.querySelector(".sv-preparing");
  if (!line || asking.has(line)) return;
  asking.add(line);
  line.textContent = data.text;
  const ask = async () => {
    if (!line.isConnected) return;
    const url = new URL(data.ask, location.href);
    const answer = await fetch(url).then((response) => response.text(), () => data.going); // a lost server may return
    if (answer === data.going) setTimeout(ask, EVERY_MS);
    else line.remove();
  };
  setTimeout(ask, EVERY_MS);
}
