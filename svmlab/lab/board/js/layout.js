// ---------------------------------------------------------------- size, theme, words

// The page's own stylesheet comes a moment after the board and moves it: nothing is shown before.
function settled(s) {
  s.waitedFrom ??= performance.now();
  const ready = getComputedStyle(document.documentElement).getPropertyValue("--sv-ready").trim() === "1" || performance.now() - s.waitedFrom > 2000;
  s.root.style.visibility = ready ? "" : "hidden";
  return ready;
}

function layout(s) {
  if (!s.el || !s.data || s.data.hidden) return;
  if (!settled(s)) return void requestAnimationFrame(() => s.alive && layout(s));
  const width = Math.floor(s.root.getBoundingClientRect().width), height = window.innerHeight;
  if (!width) return;
  if ((width < 480) !== s.phone) arrange(s, width < 480);
  const projector = s.m ? s.m.projector : Boolean(s.data.projector);
  const grow = clamp(Math.min(width, height - 220) / 600, 1, 1.4), k = projector ? 1.5 * Math.min(grow, 1.2) : grow; // k: strokes
  s.root.dataset.projector = projector ? "1" : "0";
  for (const [name, value] of Object.entries({ "--k": k, "--type": projector ? Math.max(1.5, grow) : grow, "--grow": Math.min(grow, 1.25) })) s.root.style.setProperty(name, fixed(value));
  s.k = k;
  s.tick = projector ? 24 : 13 * k;
  s.r = projector ? Math.max(9, 7 * grow) : 5.75 * k;
  const scroller = document.querySelector("[data-testid=stMain]");
  const scrolled = (scroller?.scrollTop ?? 0) + window.scrollY; // a board that stays in sight while the page scrolls keeps its size
  let top = scrolled && s.topWidth === width ? s.top : s.root.getBoundingClientRect().top + scrolled;
  Object.assign(s, { top, topWidth: width });
  if (top > 0.35 * height) top = 0;
  const around = s.el.top.offsetHeight + s.el.thumb.offsetHeight + s.el.sliders.offsetHeight + s.el.film.offsetHeight + (s.el.legend.firstChild?.offsetHeight ?? 0) + (s.data.below ?? 20) + 12;
  const size = Math.floor(Math.min(width, Math.max(height - top - around, 300), 900));
  s.root.style.setProperty("--size", `${size}px`);
  if (size === s.size && k === s.paintedK) return;
  Object.assign(s, { size, paintedK: k });
  s.el.svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  if (s.m) repaint(s);
}

const rgb = (text) => (text.match(/[\d.]+/g) ?? [255, 255, 255]).slice(0, 3).map(Number);
const luminance = (c) => { const [r, g, b] = c.map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };

function theme(s) {
  const style = getComputedStyle(s.root);
  s.paper = rgb(style.backgroundColor);
  const name = luminance(s.paper) < 0.2 ? "dark" : "light";
  s.root.dataset.theme = name;
  s.ink = { 1: rgb(style.getPropertyValue("--plus-rgb")), "-1": rgb(style.getPropertyValue("--minus-rgb")) };
  const key = name + s.paper;
  const changed = key !== s.themeKey;
  s.themeKey = key;
  return changed;
}

function words(s) {
  const key = JSON.stringify(s.data.text);
  if (key === s.wordsKey) return;
  s.wordsKey = key;
  for (const [act, b] of Object.entries(s.buttons)) {
    const name = act in TOGGLE ? word(s, act === "plus" ? "classPlus" : "classMinus") : word(s, act);
    b.title = act in TOGGLE ? word(s, act === "plus" ? "classPlusTitle" : "classMinusTitle") : name;
    b.setAttribute("aria-label", name);
    if (act in TOGGLE) { b.querySelector(".long").textContent = name; b.querySelector(".short").textContent = word(s, act === "plus" ? "shortPlus" : "shortMinus"); }
  }
  for (const b of s.menu.children) b.textContent = word(s, b.dataset.act);
  for (const bar of [s.el.top, s.el.thumb]) bar.setAttribute("aria-label", word(s, "toolbar"));
  s.el.svg.setAttribute("aria-label", word(s, "scene"));
  s.el.message.querySelector("button").setAttribute("aria-label", word(s, "close"));
  const rows = (s.data.text?.helpCard ?? []).map(([k, what]) => `<dt>${esc(k)}</dt><dd>${esc(what)}</dd>`).join("");
  s.el.help.setAttribute("aria-label", word(s, "help"));
  s.el.help.innerHTML = `<header><strong>${esc(word(s, "help"))}</strong><button type="button" class="tool" data-act="closeHelp" aria-label="${esc(word(s, "close"))}">${icon("close")}</button></header><dl>${rows}</dl>`;
}

