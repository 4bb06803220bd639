// ---------------------------------------------------------------- a film: frames sent once, played here

const FILM_SPEEDS = [0.5, 1, 2, 5, 10, 30];
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

function paintFilm(s) {
  const film = s.data.film ?? null, box = s.el.film;
  box.hidden = !film;
  if (!film) { stopFilm(s); s.filmKey = null; return void (s.root.querySelector(".film-layer").innerHTML = ""); }
  if (film.key !== s.filmKey) {
    stopFilm(s);
    Object.assign(s, { filmKey: film.key, filmAt: clamp(film.at ?? 0, 0, film.frames.length - 1) });
    s.filmSpeed ??= film.speed ?? 2;
    const t = film.text ?? {}, button = (act, glyph) => `<button type="button" class="tool" data-film="${act}" title="${esc(t[act])}" aria-label="${esc(t[act])}"><svg class="icon" viewBox="0 0 20 20" aria-hidden="true"><path d="${glyph}"/></svg></button>`;
    box.innerHTML = `<div class="film-bar">${button("reset", "M5 4v12M15 4.5 7.5 10l7.5 5.5z")}${button("back", "M13 4.5 5.5 10l7.5 5.5z")}${button("play", "M6 4v12l9.5-6z")}${button("next", "M7 4.5 14.5 10 7 15.5z")}
      <input type="range" min="0" max="${film.frames.length - 1}" step="1" aria-label="${esc(t.scrub)}"><select aria-label="${esc(t.speed)}" title="${esc(t.speed)}">${FILM_SPEEDS.map((v) => `<option value="${v}"${v === s.filmSpeed ? " selected" : ""}>${v}/s</option>`).join("")}</select></div>
      <div class="film-caption"></div>`;
  }
  drawFilm(s);
}

function drawFilm(s) {
  const { frames } = s.data.film, i = Math.floor(s.filmAt), now = frames[i], then = frames[i + 1], t = s.filmAt - i;
  const mix = (a, b) => (b?.length === a.length ? a.map((v, j) => v + t * (b[j] - v)) : a);
  s.root.querySelector(".film-layer").innerHTML = now.items.map((o, j) => {
    const pts = t > 0 ? mix(o.pts, then?.items[j]?.pts) : o.pts;
    return `<path class="${esc(o.style)}" d="${drawing(s, o.kind, pts)}"/>`;
  }).join("") + ringAt(s, now.ring);
  const q = (sel) => s.el.film.querySelector(sel), caption = q(".film-caption"), input = q("input"), play = q('[data-film="play"] path');
  if (caption.innerHTML !== now.caption) { caption.innerHTML = now.caption; }
  if (Number(input.value) !== i) input.value = i;
  play.setAttribute("d", s.filmTimer ? "M7 4v12M13 4v12" : "M6 4v12l9.5-6z");
  s.root.dataset.frame = i;
}

function ringAt(s, id) {
  const p = s.m.pts.get(id);
  return p ? `<circle class="drawn" cx="${X(s, p.x)}" cy="${Y(s, p.y)}" r="${fixed(s.r + 7 * s.k)}"/>` : "";
}

function filmTo(s, at) {
  stopFilm(s);
  s.filmAt = clamp(Math.round(at), 0, s.data.film.frames.length - 1);
  drawFilm(s);
  report(s, { op: "film", key: s.filmKey, at: s.filmAt });
}

function stopFilm(s) {
  cancelAnimationFrame(s.filmTimer);
  s.filmTimer = 0;
}

function playFilm(s) {
  const last = s.data.film.frames.length - 1;
  if (s.filmAt >= last) s.filmAt = 0;
  let before = performance.now();
  const tick = (now) => {
    s.filmAt = Math.min(last, s.filmAt + ((now - before) / 1000) * s.filmSpeed);
    before = now;
    s.filmTimer = s.filmAt < last ? requestAnimationFrame(tick) : 0;
    const exact = s.filmAt;
    if (still()) s.filmAt = Math.floor(exact);
    drawFilm(s);
    s.filmAt = exact;
    if (!s.filmTimer) filmTo(s, last);
  };
  s.filmTimer = requestAnimationFrame(tick);
  drawFilm(s);
}

function filmButton(s, name) {
  const acts = { reset: () => filmTo(s, 0), back: () => filmTo(s, Math.ceil(s.filmAt) - 1), next: () => filmTo(s, Math.floor(s.filmAt) + 1), play: () => (s.filmTimer ? filmTo(s, s.filmAt) : playFilm(s)) };
  acts[name]?.();
}
