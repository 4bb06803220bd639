// @ts-check
// The search in the list of pages, steps, tasks, terms and statements. It does not use the page.

/** @typedef {[kind: string, title: string, beside: string, address: string, others: string]} Entry */
/** @typedef {{entry: Entry, marks: [number, number][], rank: number}} Match marks: the parts of the title that match */
/** @typedef {{text: string, from: number[]}} Plain a text in plain letters, and where each of them comes from */

const EACH = 6; // the most results of a kind
const MISSING = 100; // the rank of a word that does not occur
const LETTERS = "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma tau "
  + "upsilon phi chi psi omega";
/** @type {Map<string, string>} */
const GREEK = new Map(LETTERS.split(" ").map((name, i) => ["αβγδεζηθικλμνξοπρστυφχψω"[i], name]));

/**
 * Return a text in small Latin letters: without diacritics, with the names of Greek letters, and with one space for
 * every other sign.
 * @type {(text: string) => Plain}
 */
export function plain(text) {
  let out = "";
  const from = [];
  for (let i = 0; i < text.length; i++) {
    const letters = text[i].normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().replace("ς", "σ").replace("ß", "ss");
    for (const letter of letters) {
      const name = GREEK.get(letter) ?? (/[\p{L}\p{N}]/u.test(letter) ? letter : " ");
      out += name;
      from.push(...Array.from(name, () => i));
    }
  }
  return { text: out, from };
}

/**
 * Return where a word stands in a text, at the beginning of a word if possible, or −1. Words of one or two letters
 * count only at the beginning of a word, and a single letter only alone.
 * @type {(text: string, word: string) => number}
 */
export function positionOf(text, word) {
  const spaced = ` ${text}`;
  const at = spaced.indexOf(word.length > 1 ? ` ${word}` : ` ${word} `);
  if (at >= 0) return at;
  if (word.length === 1) return spaced.endsWith(` ${word}`) ? text.length - 1 : -1;
  return word.length > 2 ? text.indexOf(word) : -1;
}

/**
 * Return the best results of each kind, the kind with the best one first.
 * @type {(entries: Entry[], query: string) => [kind: string, matches: Match[]][]}
 */
export function search(entries, query) {
  const words = plain(query).text.split(" ").filter(Boolean);
  if (!words.length) return [];
  /** @type {Map<string, Match[]>} */
  const kinds = new Map();
  for (const entry of entries) {
    const match = matched(entry, words);
    if (match) kinds.set(entry[0], [...(kinds.get(entry[0]) ?? []), match]);
  }
  const groups = [...kinds].map(([kind, matches]) =>
    /** @type {[string, Match[]]} */ ([kind, matches.sort((a, b) => a.rank - b.rank).slice(0, EACH)]));
  return groups.sort(([, [a]], [, [b]]) => a.rank - b.rank);
}

/**
 * Return an entry with the marks of its title if a word occurs in its title, beside it, or among its other words.
 * The rank is smaller for a better match: the whole title, at the beginning of the title, of a word in it, within one,
 * or elsewhere. A word that does not occur counts more than all of these, and words of one or two letters must occur.
 * @type {(entry: Entry, words: string[]) => Match | null}
 */
function matched(entry, words) {
  const title = plain(entry[1]), elsewhere = plain(`${entry[2]}, ${entry[4]}`).text;
  /** @type {[number, number][]} */
  const marks = [];
  let rank = 0, missing = 0;
  for (const word of words) {
    const at = positionOf(title.text, word);
    if (at >= 0) {
      marks.push([title.from[at], title.from[at + word.length - 1] + 1]);
      rank += at === 0 ? 0 : title.text[at - 1] === " " ? 1 : 3;
    } else if (positionOf(elsewhere, word) >= 0) rank += elsewhere.startsWith(`${word} `) ? 0.5 : 2;
    else if (word.length < 3 || ++missing === words.length) return null;
  }
  rank += MISSING * missing;
  return { entry, marks: merged(marks), rank: title.text === words.join(" ") ? -1 : rank };
}

/** @type {(marks: [number, number][]) => [number, number][]} */
function merged(marks) {
  /** @type {[number, number][]} */
  const out = [];
  for (const [start, end] of marks.sort(([a], [b]) => a - b)) {
    const last = out.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else out.push([start, end]);
  }
  return out;
}
