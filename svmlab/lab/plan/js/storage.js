// @ts-check
// What the browser keeps: the text of the plan for all its tabs, and for this tab alone which stop is open.

/** @returns {{keeps: string, at: number | null}} */
export function load() {
  try {
    const at = sessionStorage.getItem("svmlab.planAt");
    return { keeps: localStorage.getItem("svmlab.plan") ?? "", at: at === null ? null : Number(at) };
  } catch {
    return { keeps: "", at: null }; // a browser may forbid it; the plan then ends with the page
  }
}

/** @param {string} text */
export function keepText(text) {
  try {
    if (text) localStorage.setItem("svmlab.plan", text);
    else localStorage.removeItem("svmlab.plan");
  } catch {
    // the plan can be saved as a file
  }
}

/** @param {number | null} at */
export function keepPlace(at) {
  try {
    if (at === null) sessionStorage.removeItem("svmlab.planAt");
    else sessionStorage.setItem("svmlab.planAt", String(at));
  } catch {
    // a reload then closes the plan
  }
}
