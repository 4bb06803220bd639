// ---------------------------------------------------------------- sliders under the scene that report while they move

const sliderText = (v) => String(Number(v.toPrecision(3))).replace("-", "−");
const sliderValue = (x) => Number((10 ** x).toPrecision(4));

function paintSliders(s) {
  const list = s.data.sliders ?? [], key = JSON.stringify(list.map((o) => [o.key, o.label, o.lo, o.hi, o.title, o.ticks]));
  if (key !== s.slidersKey) {
    s.slidersKey = key;
    s.el.sliders.innerHTML = list.map((o) => `<label title="${esc(o.title)}"><span>${esc(o.label)}</span>
      <span class="track">${sliderTicks(o)}<input type="range" data-key="${esc(o.key)}" min="${o.lo}" max="${o.hi}" step="0.005" aria-label="${esc(o.title)}"></span><output></output></label>`).join("");
  }
  for (const o of list) {
    const input = s.el.sliders.querySelector(`[data-key="${o.key}"]`), value = s.m.values[o.key] ?? o.value;
    if (Math.abs(Number(input.value) - Math.log10(value)) > 0.004) input.value = Math.log10(value);
    input.disabled = Boolean(o.disabled);
    const text = o.disabled ? "" : sliderText(value);
    input.setAttribute("aria-valuetext", `${o.label} = ${text}`);
    input.style.setProperty("--at", `${fixed((100 * (Number(input.value) - o.lo)) / (o.hi - o.lo))}%`);
    const out = input.closest("label").querySelector("output");
    if (out.textContent !== text) out.textContent = text;
  }
}

const sliderTicks = (o) => (o.ticks?.length ? `<svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><path d="${o.ticks.filter((t) => t >= o.lo && t <= o.hi)
  .map((t) => `M${fixed((1000 * (t - o.lo)) / (o.hi - o.lo))} 0V10`).join("")}"/></svg>` : "");

function slid(s, input, live) {
  const value = sliderValue(Number(input.value)), { key } = input.dataset;
  if (live || s.sliding) report(s, { op: "set", values: { [key]: value }, live });
  s.sliding = live;
  paintSliders(s);
}
