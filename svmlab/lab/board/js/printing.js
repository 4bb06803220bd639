// @ts-check
// The page on paper, with what a lesson's step folds away.

const OPENS_MS = 800; // at most, until what was folded away is there
const MORE = ".st-key-more button", BODY = "[data-testid=stPopoverBody]";

/** Print the page; "More" is open meanwhile, if there is one. */
export async function printPage() {
  const more = document.querySelector(MORE), opens = more instanceof HTMLElement && !document.querySelector(BODY);
  if (opens) {
    await new Promise((done) => setTimeout(done)); // the click that asked has ended: one beside "More" would close it
    more.click();
    await there(BODY);
  }
  window.print();
  if (opens && document.querySelector(BODY)) more.click();
}

/** @type {(selector: string) => Promise<void>} */
const there = (selector) => new Promise((done) => {
  const began = performance.now(), look = () => {
    if (document.querySelector(selector) || performance.now() - began > OPENS_MS) setTimeout(done, 100);
    else requestAnimationFrame(look);
  };
  look();
});
