// @ts-check
// Words as a tree: a text, or [tag, node, ...]. Only known elements are built, so nothing in it becomes markup.

/** @typedef {string | [tag: string, ...nodes: any[]]} Node a text or an element with its nodes */

const MATHS = "http://www.w3.org/1998/Math/MathML";
const WORDS = new Set(["b", "i"]);
const MATH_TAGS = new Set(["math", "mi", "mn", "mo", "mrow", "msub", "msup", "msubsup", "mfrac", "msqrt", "mover",
  "munder", "munderover", "mtext", "mspace"]);

/**
 * Put the words of a tree into an element.
 * @param {Element} element
 * @param {Node[]} tree
 */
export function write(element, tree) {
  element.replaceChildren(...tree.map(built));
}

/** @type {(node: Node) => string | Element} */
function built(node) {
  if (typeof node === "string") return node;
  const [tag, ...nodes] = node;
  if (!WORDS.has(tag) && !MATH_TAGS.has(tag)) return "";
  const element = WORDS.has(tag) ? document.createElement(tag) : document.createElementNS(MATHS, tag);
  element.append(...nodes.map(built));
  if (tag === "mspace") element.setAttribute("width", "0.17em");
  if (tag === "mover") element.setAttribute("accent", "true");
  return element;
}
