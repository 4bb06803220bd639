// @ts-check
// Print the page, including what a step of a lesson folds away.

const OPENS_MS = 800; // the longest wait until the folded parts are shown
const MORE = ".st-key-more button", BODY = "[data-testid=stPopoverBody]";

/** Print the page, with "More" open if there is one. */
export async function printPage() {
  const more = document.querySelector(MORE), opens = more instanceof HTMLElement && !document.querySelector(BODY);
  if (opens) {
    await new Promise((done) => setTimeout(done)); // this click must end first: a click beside "More" closes it
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
