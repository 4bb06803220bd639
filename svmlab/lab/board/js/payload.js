// @ts-check
// What goes over the wire: the data that Python sends (payload.py, rules.py) and the operations that it is told of.
// Types only, nothing here runs. A test holds the names of the operations against Python's.

/** @typedef {"binary" | "classes" | "values"} Task what the points are: of two classes, of up to four, or values */
/** @typedef {1 | -1 | 2 | 3 | 4} Label of two classes 1 and -1, of several their number, 1 of a value */
/** @typedef {[id: number, x: number, y: number, label: Label]} Row a point */
/** @typedef {[x: number, y: number]} Place in the plane */
/** @typedef {number[]} Flat a polyline: x0, y0, x1, y1, ... */
/** @typedef {{zero: Flat[], plus: Flat[], minus: Flat[]}} Lines where f is 0, +1, -1 */
/**
 * @typedef {{n: number, data: string}} Shade f clipped at +-2, n x n signed bytes in base64, the top row first; of
 * several classes 32 times the place of one in `labels`, plus how strongly it is shown, from 0 to 31
 */
/** @typedef {"none" | "free" | "full"} Ring alpha is 0, between 0 and C, C */
/**
 * @typedef {"line" | "arrow" | "disc" | "dots" | "boxes"} Form a disc is [x, y, radius], dots and boxes are places
 * @typedef {{kind: Form, pts: Flat, style: string, width?: number}} Item `width`: of its stroke in pixels, where that
 * says something
 */
/** @typedef {{x: string, y: string, at: Place, text: string}} Probe a place that is moved: two sliders, and a letter */
/** @typedef {{a: Place, b: Place}} Hand a line placed by hand; +1 is to the left of a -> b */
/** @typedef {{ring?: number, items: Item[], caption: string}} Frame `ring`: the id of a point */
/** @typedef {{key: string, text: string, count: number}} Entry */
/** @typedef {"info" | "warn" | "error"} Tone */
/**
 * @typedef {{key: string, op?: "set" | "dial", from?: number, to: number, ms?: number, back?: boolean}} Moves a slider
 * that goes to a value; `back`: and ends where it was
 */
/** @typedef {{point: number, from: Place, ms?: number}} Walk a point comes from there to where it is */
/** @typedef {{id: string} & (Moves | Walk | {film: true})} Play */

/**
 * @typedef {object} Marks how each point is drawn, in the order of the points
 * @property {number[]} fill alpha over its bound
 * @property {Ring[]} [state]
 * @property {string[]} [cat] the category
 * @property {boolean[]} [wrong]
 * @property {string} [bound] the letter of the largest alpha, as it is said of a category
 * @property {[f: string, xi: string, alpha: string, several: string][]} [values] as they are read; empty while a
 *   drag goes on
 */

/**
 * @typedef {object} Slider
 * @property {string} key
 * @property {string} label
 * @property {string} title
 * @property {number} value
 * @property {number} lo one end; a decimal logarithm unless `linear`
 * @property {number} hi
 * @property {boolean} [disabled]
 * @property {boolean} [linear]
 * @property {number} [step]
 * @property {string} [unit]
 * @property {number[]} [ticks]
 * @property {"set" | "dial"} [op] "dial": a value beside the Lab
 */

/**
 * @typedef {object} Film
 * @property {string} key
 * @property {Frame[]} frames
 * @property {number} [at]
 * @property {number} [speed] frames a second
 * @property {Record<string, string>} [text]
 */

/**
 * @typedef {object} Rules said in rules.py alone
 * @property {number} limit points on the board
 * @property {number} edge coordinates run from -edge to edge
 * @property {number[]} views half widths of the board
 * @property {number} room of a view that points fill before a larger one is taken
 * @property {number} file bytes of a file
 * @property {Record<string, string>} paper colours of a dark page as they are on paper, "r,g,b"
 * @property {Record<"points" | "opaque" | "quiet" | "drawn", Op["op"][]>} ops the operations by what they do
 * @property {Op["op"][]} lane operations that may be unsaid while the lane is asked
 */

/**
 * @typedef {object} Wire what comes to every page
 * @property {boolean} hidden a page without a board: the link is kept up to date, and the page projected or shared
 * @property {number} rev counts the answers
 * @property {number} ack the last message that was handled
 * @property {string} boot names the session
 * @property {string | null} board the lent board that stands, null: the own one
 * @property {string} share the board that stands as a link
 * @property {string} address what belongs into the address bar behind "?": the place and the own board
 * @property {boolean} unread whether the address holds a link that this server could not read
 * @property {string} [lane] where the socket is, if there is one
 * @property {Rules} rules
 */

/**
 * @typedef {object} Scene what is drawn
 * @property {Row[]} points
 * @property {Marks | null} marks
 * @property {Shade | null} shade
 * @property {Lines | null} lines
 * @property {Lines | null} pin
 * @property {number[][]} slack [id, x0, y0, x1, y1, ...]
 * @property {{ids: number[], at: Place | null, segments: Flat[]} | null} witness
 * @property {{tone: Tone, text: string} | null} message
 * @property {{groups: (Entry & {cats: string[]})[], cats: Entry[], moreText: string} | null} legend
 * @property {{id: number, text: string} | null} hint
 * @property {{text: string, actions: {id: string, text: string}[]} | null} empty
 * @property {Slider[]} sliders
 * @property {number} view
 * @property {Caption} caption
 * @property {number} below pixels kept free under the board
 * @property {number | null} selected
 * @property {Label} label
 * @property {Task} task
 * @property {Label[]} labels that a point may have
 * @property {"place" | "line" | "locked"} tool
 * @property {{undo: boolean, redo: boolean, add: boolean, given: boolean}} can
 * @property {boolean} projector
 * @property {number} type px of the type that charts have in projector mode
 * @property {Words} text
 * @property {Item[]} [overlay]
 * @property {Film} [film]
 * @property {{key: string | null, at: number} | null} [frame] where a film was left; null: the first that comes
 * @property {Hand} [hand]
 * @property {Probe} [probe]
 * @property {{cats: string[]}} [focus] the categories that a page asks to see
 * @property {Play} [play] what moves by itself, once
 * @property {Partial<Scene> | null} second what a second board shows otherwise: picture, message, sliders
 * @property {{board: string, text: string, title: string}[]} names of two boards
 * @property {string} active whose machine the controls change
 * @property {Record<string, string>} [heard] points, margin, support vectors, errors: in words, for those who listen
 * @property {object} [space] what a canvas above the board draws (teach/space), told with every move
 * @property {string} [table] the markup of a table beside the board that follows every move
 * @property {boolean} [lesson] beside a lesson: room for reading comes first
 */

/** @typedef {{name: string, lines: string[][]}} Caption of a saved picture: its file's name, and parts of each line */
/** @typedef {{helpCard?: [string, string][], [name: string]: string | [string, string][] | undefined}} Words */
/** @typedef {Wire & Scene} Data */

/**
 * @typedef {{op: "add", id: number, x: number, y: number, label: Label, select?: boolean}
 *   | {op: "move", id: number, x: number, y: number}
 *   | {op: "delete", ids: number[]}
 *   | {op: "clear"}
 *   | {op: "points", points: Row[]}
 *   | {op: "select", id: number | null}
 *   | {op: "label", label: Label}
 *   | {op: "view", half: number}
 *   | {op: "active", on: string}
 *   | {op: "project", on: boolean, type: number}
 *   | {op: "set", values: Record<string, number>}
 *   | {op: "dial", values: Record<string, number>}
 *   | Hand & {op: "hand"}
 *   | {op: "film", key: string, at: number}
 *   | {op: "undo"}
 *   | {op: "redo"}
 *   | {op: "given"}
 *   | {op: "share", full: boolean}
 *   | {op: "action", id: string}
 *   | {op: "file", name: string, text: string}
 *   | {op: "restore", share: string, points: Row[]}} Deed
 */
/** @typedef {Deed & {live?: boolean}} Op `live`: something is still being dragged */

export {};
