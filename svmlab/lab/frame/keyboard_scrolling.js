// @ts-check
// Elements that scroll (a long formula, quotation or line of a program) can be reached and scrolled by keys.

const SCROLLS = ".katex-display, blockquote[lang], [data-testid='stCode'] pre";
const here = /** @type {Window & {svmlabReach?: boolean}} */ (window);
let asked = 0;

function look() {
  asked = 0;
  for (const each of document.querySelectorAll(SCROLLS)) {
    const more = each.scrollWidth > each.clientWidth + 1;
    if (more === each.hasAttribute("tabindex")) continue;
    if (more) each.setAttribute("tabindex", "0");
    else each.removeAttribute("tabindex");
  }
}

const soon = () => void (asked ||= requestAnimationFrame(look));

export default function reach() {
  if (here.svmlabReach) return;
  here.svmlabReach = true;
  const watch = new MutationObserver(soon);
  watch.observe(document.body, { childList: true, subtree: true });
  watch.observe(document.documentElement, { attributeFilter: ["class"] }); // in projector mode formulas wrap
  addEventListener("resize", soon);
  soon();
}
