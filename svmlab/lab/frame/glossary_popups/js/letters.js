// @ts-check
// Which letter of a typeset formula an element is, and its meaning there. An index, a star or a bar may decide.

/** @typedef {Record<string, string>} Letters the terms by letter: "ξ", "v_t", "w^*", "bar w" */
/** @typedef {{at: Element, key: string}} Letter */

/**
 * Return the letter that an element of KaTeX shows. An index belongs to the letter that has it.
 * @type {(target: Element, letters: Letters) => Letter | null}
 */
export function letterOf(target, letters) {
  const script = target.closest(".msupsub");
  const at = script ? script.previousElementSibling : target;
  if (!at || at.childElementCount || !at.closest(".katex-html")) return null;
  const key = meaning(at, letters);
  return key ? { at, key } : null;
}

/**
 * Return the terms of all letters of a formula, each once, in their order.
 * @type {(formula: Element, letters: Letters) => string[]}
 */
export function lettersOf(formula, letters) {
  const all = [...formula.querySelectorAll(".katex-html :is(.mord, .mopen)")];
  const own = all.filter((each) => !each.childElementCount && !each.closest(".msupsub"));
  return [...new Set(own.map((each) => meaning(each, letters)).filter((key) => key !== null))];
}

/** @type {(at: Element, letters: Letters) => string | null} */
function meaning(at, letters) {
  const glyph = bare(at), next = at.nextElementSibling;
  const scripts = next?.matches(".msupsub") ? bare(next) : "";
  if (at.closest(".mathbb")) return letters[glyph === "E" ? "𝔼" : ""] ?? null;
  if (at.closest(".text, .mop")) return null;
  const spellings = [at.closest(".accent") ? `bar ${glyph}` : "", /[∗*]/.test(scripts) ? `${glyph}^*` : "",
    `${glyph}_${scripts.replace(/[∗*]/g, "").slice(0, 1)}`, next?.matches(".mopen") ? glyph + bare(next) : "", glyph];
  return spellings.map((spelling) => letters[spelling]).find(Boolean) ?? null;
}

/** @type {(element: Element) => string} */
const bare = (element) => (element.textContent ?? "").replace(/[\s\u200b\u2061]/g, "");

/**
 * Return the terms of the letters that mean something else on this page.
 * @param {Record<string, string>} letters
 * @returns {Record<string, string>}
 */
export function here(letters) {
  const own = document.querySelector(".sv-letters")?.getAttribute("data-letters");
  return own ? { ...letters, ...JSON.parse(own) } : letters;
}
