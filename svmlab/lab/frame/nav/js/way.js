// @ts-check
// From page to page within the session, and the addresses of pages for another tab.

/** The app's own address: where this script comes from, without what is Streamlit's. */
const BASE = import.meta.url.split("_stcore/")[0];

/**
 * The address of a page: with what is no matter of the page that is open, the own board and what its link hides and
 * locks.
 * @param {string} path
 * @param {string} search of the present address
 * @param {string} [base]
 */
export function hrefOf(path, search = "", base = BASE) {
  const kept = search.slice(1).split("&").filter((part) => /^(s|hide|lock|embed|embed_options)=/.test(part));
  return base + path + (path && kept.length ? `?${kept.join("&")}` : ""); // at "/" a board would mean the lab
}

/**
 * Open a page. Streamlit hears of it as it hears of Back: from the history of the browser.
 * @param {string} href
 */
export function visit(href) {
  history.pushState({}, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
}
