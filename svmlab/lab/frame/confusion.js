// @ts-check
// The buttons that show and hide the confusion matrix. The page keeps the choice while the key figures are replaced.

const here = /** @type {Window & {svmlabConfusion?: boolean}} */ (window);

/** @param {Event} e */
function clicked({ target }) {
  const button = target instanceof Element ? target.closest("[data-confusion]") : null;
  if (!button) return;
  const { documentElement: root } = document, shown = root.classList.toggle("sv-confusion-shown");
  const other = button.parentElement?.querySelector(`[data-confusion="${shown ? "hide" : "show"}"]`);
  if (other instanceof HTMLElement) other.focus({ preventScroll: true }); // the button itself is hidden now
  if (shown) document.querySelector(".sv-confusion")?.scrollIntoView({ block: "nearest" });
}

export default function confusion() {
  if (here.svmlabConfusion) return;
  here.svmlabConfusion = true;
  addEventListener("click", clicked);
}
