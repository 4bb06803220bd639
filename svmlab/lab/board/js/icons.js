// @ts-check
// What the buttons show, in lines on a square of 20.

export const ICONS = {
  eraser: "M8.5 16.5h8M3.9 11.4l6.9-6.9a1.6 1.6 0 0 1 2.3 0l2.9 2.9a1.6 1.6 0 0 1 0 2.3l-6.8 6.8"
    + "H6.6l-2.7-2.8a1.6 1.6 0 0 1 0-2.3zM7.4 7.9l5.1 5.1",
  bin: "M3.5 5.5h13M7.8 5.5v-2h4.4v2M5 5.5l.8 11h8.4l.8-11M8.4 8.8v4.4M11.6 8.8v4.4",
  undo: "M7 4 3.5 7.5 7 11M4 7.5h7.7a4.4 4.4 0 0 1 0 8.8H8",
  redo: "M13 4l3.5 3.5L13 11M16 7.5H8.3a4.4 4.4 0 0 0 0 8.8H12",
  clear: "M3.5 6.2V3.5h2.7M8.9 3.5h2.2M13.8 3.5h2.7v2.7M16.5 8.9v2.2M16.5 13.8v2.7h-2.7M11.1 16.5H8.9M6.2 16.5H3.5v-2.7"
    + "M3.5 11.1V8.9M7.6 7.6l4.8 4.8M12.4 7.6l-4.8 4.8",
  zoomOut: "M8.7 14.2a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12.8 12.8l4 4M6.2 8.7h5",
  zoomIn: "M8.7 14.2a5.5 5.5 0 1 0 0-11 5.5 5.5 0 0 0 0 11zM12.8 12.8l4 4M6.2 8.7h5M8.7 6.2v5",
  fit: "M3.5 7V3.5H7M13 3.5h3.5V7M16.5 13v3.5H13M7 16.5H3.5V13M8 10h4M10 8v4",
  save: "M10 3v9M6.4 8.6 10 12.2l3.6-3.6M3.5 16.5h13",
  project: "M3 4.5h14v9H3zM10 13.5v3M6.5 16.5h7",
  help: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM7.9 8a2.1 2.1 0 1 1 3.2 1.8c-.7.4-1.1.9-1.1 1.6M10 13.9v.1",
  close: "M5.5 5.5l9 9M14.5 5.5l-9 9",
  more: "M5.5 8l4.5 4.5L14.5 8",
  info: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM10 9.3v4.2M10 6.5v.1",
  warn: "M10 3.2 17.3 16.3H2.7zM10 8.2v3.8M10 14.2v.1",
  reset: "M5 4v12M15 4.5 7.5 10l7.5 5.5z",
  back: "M13 4.5 5.5 10l7.5 5.5z",
  play: "M6 4v12l9.5-6z",
  pause: "M7 4v12M13 4v12",
  next: "M7 4.5 14.5 10 7 15.5z",
};

/** @typedef {keyof typeof ICONS} Icon */

/** @type {(name: Icon) => string} */
export const icon = (name) =>
  `<svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${ICONS[name]}"/></svg>`;
