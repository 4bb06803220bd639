// @ts-check
// Change the page within the session, and compute the addresses of pages for another tab.

/** The app's own address: that of this script without the part that belongs to Streamlit. */
export const BASE = import.meta.url.split("_stcore/")[0];

const KEPT = /^(s|hide|lock|exam|only|notation|embed|embed_options)=/;

/**
 * Return the address of a page with the parameters that do not belong to the open page: the own board, what its
 * link hides, locks and shows alone, and the notation.
 * @param {string} path
 * @param {string} search of the present address
 * @param {string} [base]
 */
export function hrefOf(path, search = "", base = BASE) {
  const kept = search.slice(1).split("&").filter((part) => KEPT.test(part));
  return base + path + (path && kept.length ? `?${kept.join("&")}` : ""); // at "/" a board would mean the page Lab
}

/**
 * Open a page. Streamlit notices it in the same way as Back: from the history of the browser.
 * @param {string} href
 */
export function visit(href) {
  history.pushState({}, "", href);
  dispatchEvent(new PopStateEvent("popstate"));
}
