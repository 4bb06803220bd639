// @ts-check
// The types of the data that Python sends (payload.py, rules.py) and of the operations that it receives.
// Nothing here runs. A test compares the names of the operations with those of Python.

/** @typedef {"binary" | "classes" | "values"} Task two classes, up to four classes, or values */
/** @typedef {1 | -1 | 2 | 3 | 4} Label 1 and -1 for two classes, the number of one of several, 1 for a value */
/** @typedef {[id: number, x: number, y: number, label: Label]} Row a point */
/** @typedef {[x: number, y: number]} Place in the plane */
/** @typedef {number[]} Polyline a polyline: x0, y0, x1, y1, ... */
/** @typedef {{zero: Polyline[], plus: Polyline[], minus: Polyline[]}} Lines where f is 0, +1, -1 */
/**
 * @typedef {{n: number, data: string}} Shade f clipped at +-2, n x n signed bytes in base64, the top row first; for
 * several classes, 32 times the index of the class in `labels` plus its strength from 0 to 31
 */
/** @typedef {"none" | "free" | "full"} AlphaState alpha is 0, between 0 and C, C */
/**
 * @typedef {"line" | "arrow" | "disc" | "dots" | "boxes"} ItemKind a disc is [x, y, radius], dots and boxes are points
 * @typedef {{kind: ItemKind, pts: Polyline, style: string, width?: number}} Item `width`: of its stroke in pixels, if
 * it has a meaning
 */
/** @typedef {{x: string, y: string, at: Place, text: string}} Probe a position set by two sliders, and a letter */
/** @typedef {{a: Place, b: Place}} Hand a line placed by hand; the side of +1 is to the left of a -> b */
/** @typedef {{ring?: number, items: Item[], caption: string}} Frame `ring`: the id of a point */
/** @typedef {{key: string, text: string, count: number}} Entry */
/** @typedef {"info" | "warn" | "error"} Tone */
/**
 * @typedef {{key: string, op?: "set" | "dial", from?: number, to: number, ms?: number, back?: boolean}} SliderMotion a
 * slider that moves to a value; `back`: it then returns
 */
/** @typedef {{point: number, from: Place, ms?: number}} PointMotion a point moves from there to its present position */
/** @typedef {{id: string} & (SliderMotion | PointMotion | {film: true})} Play */

/**
 * @typedef {object} Marks how each point is drawn, in the order of the points
 * @property {number[]} fill alpha over its bound
 * @property {AlphaState[]} [state]
 * @property {string[]} [cat] the category
 * @property {boolean[]} [wrong]
 * @property {string} [bound] the symbol of the upper bound of alpha, for the names of the categories
 * @property {[f: string, xi: string, alpha: string, several: string][]} [values] as text; empty during
 *   a drag
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
 * @property {{label: string, of: number} | null} [inverse] another parameter, 1/(value * of), which is shown beside it
 * @property {number[]} [ticks]
 * @property {"set" | "dial"} [op] "dial": the value is not a setting of the Lab
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
 * @typedef {object} Rules defined only in rules.py
 * @property {number} limit the largest number of points on the board
 * @property {number} edge coordinates run from -edge to edge
 * @property {number[]} views half widths of the board
 * @property {number} room the fraction of a view that points may fill before a larger one is chosen
 * @property {number} file the largest number of bytes of a file
 * @property {Record<string, string>} paper the colours for print by those of a dark page, "r,g,b"
 * @property {Record<"points" | "opaque" | "quiet" | "drawn", Op["op"][]>} ops the operations by their effect
 * @property {Op["op"][]} dragOps operations that may be unacknowledged when the drag socket is asked
 */

/**
 * @typedef {object} Wire the data that every page gets
 * @property {boolean} hidden a page without a board: the link is kept up to date, and the page projected or shared
 * @property {number} rev counts the answers
 * @property {number} ack the last message that was handled
 * @property {string} boot the identifier of the session
 * @property {string | null} board the lent board that is shown; null: the own board
 * @property {string} share the board that is shown, as a link
 * @property {string} address the query string of the address bar: the location and the own board
 * @property {string | null} began the board with which the shown one began, as a link; null during a drag
 * @property {string | null} history the steps of undo and redo as a text for a reload; null during a drag
 * @property {boolean} unread whether the address holds a link that this server could not read
 * @property {string} [socket] the address of the drag socket, if there is one
 * @property {Rules} rules
 */

/**
 * @typedef {object} Scene the data of the picture
 * @property {Row[]} points
 * @property {Marks | null} marks
 * @property {Shade | null} shade
 * @property {Lines | null} lines
 * @property {[string, string] | null} axes the names of the columns of a table that x₁ and x₂ are
 * @property {Lines | null} pin
 * @property {number[][]} slack [id, x0, y0, x1, y1, ...]
 * @property {{ids: number[], at: Place | null, segments: Polyline[]} | null} witness
 * @property {{tone: Tone, text: string} | null} message
 * @property {{groups: (Entry & {cats: string[]})[], cats: Entry[], moreText: string} | null} legend
 * @property {{id: number, text: string} | null} hint
 * @property {{text: string, actions: {id: string, text: string}[]} | null} empty
 * @property {Slider[]} sliders
 * @property {number} view
 * @property {Caption} caption
 * @property {number} spaceBelow pixels kept free under the board
 * @property {number | null} selected
 * @property {Label} label
 * @property {Task} task
 * @property {Label[]} labels that a point may have
 * @property {"place" | "line" | "locked"} tool
 * @property {{undo: boolean, redo: boolean, add: boolean, reset: boolean}} can
 * @property {boolean} [handout] whether the page can be printed as a handout of a whole lesson
 * @property {boolean} [still] a picture for paper that nobody changes
 * @property {boolean} [alone] whether the page shows nothing but the board, or a step without menus
 * @property {boolean} projector
 * @property {number} type the font size of charts in projector mode in px
 * @property {Words} text
 * @property {Item[]} [overlay]
 * @property {Film} [film]
 * @property {{key: string | null, at: number} | null} [filmPlace] where a film was left; key null: the first film
 * @property {Hand} [hand]
 * @property {Probe} [probe]
 * @property {{cats: string[]}} [focus] the categories that a page highlights
 * @property {Play} [play] an animation that is played once
 * @property {Partial<Scene> | null} second the data in which a second board differs: picture, message, sliders
 * @property {{board: string, text: string, title: string}[]} boardNames the names of two boards
 * @property {string} active the board whose SVM the controls change
 * @property {Record<string, string>} [heard] points, margin, support vectors and errors in words, for screen readers
 * @property {object} [space] the picture above the board (teach/space), which gets every move
 * @property {string} [table] the markup of a table beside the board that follows every move
 * @property {boolean} [lesson] whether the board is beside a lesson, where reading space comes first
 */

/** @typedef {{name: string, lines: string[][]}} Caption of a saved picture: name of the file, and parts of each line */
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
 *   | {op: "turn", az: number, el: number}
 *   | {op: "began", share: string}
 *   | {op: "history", share: string, text: string}
 *   | {op: "action", id: string}
 *   | {op: "file", name: string, text: string}
 *   | {op: "restore", share: string, points: Row[]}} Operation
 */
/** @typedef {Operation & {live?: boolean}} Op `live`: the drag has not ended */

export {};
