// ---------------------------------------------------------------- sliders under the scene that report while they move

// A slider is logarithmic and sets a control, unless `linear` or `op` ("dial": a value beside the Lab) say otherwise.
const sliderText = (v, unit) => String(Number(v.toPrecision(3))).replace("-", "−") + (unit ?? "");
const sliderValue = (o, x) => (o.linear ? round3(x) : Number((10 ** x).toPrecision(4)));
const sliderAt = (o, v) => (o.linear ? v : Math.log10(v));

function paintSliders(s) {
  const list = s.data.sliders ?? [], key = JSON.stringify(list.map((o) => [o.key, o.label, o.lo, o.hi, o.title, o.ticks]));
  if (key !== s.slidersKey) {
    s.slidersKey = key;
    s.sliding = null;
    s.el.sliders.innerHTML = list.map((o) => `<label title="${esc(o.title)}"><span>${esc(o.label)}</span>
      <span class="track">${sliderTicks(o)}<input type="range" data-key="${esc(o.key)}" min="${o.lo}" max="${o.hi}" step="${o.step ?? 0.005}" aria-label="${esc(o.title)}"></span><output></output></label>`).join("");
  }
  for (const o of list) {
    const input = s.el.sliders.querySelector(`[data-key="${o.key}"]`), value = s.m.values[o.key] ?? o.value;
    if (Math.abs(Number(input.value) - sliderAt(o, value)) > 0.8 * (o.step ?? 0.005)) input.value = sliderAt(o, value);
    input.disabled = Boolean(o.disabled);
    const text = o.disabled ? "" : sliderText(value, o.unit);
    input.setAttribute("aria-valuetext", `${o.label} = ${text}`);
    input.style.setProperty("--at", `${fixed((100 * (Number(input.value) - o.lo)) / (o.hi - o.lo))}%`);
    const out = input.closest("label").querySelector("output");
    if (out.textContent !== text) out.textContent = text;
  }
}

const sliderTicks = (o) => (o.ticks?.length ? `<svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><path d="${o.ticks.filter((t) => t >= o.lo && t <= o.hi)
  .map((t) => `M${fixed((1000 * (t - o.lo)) / (o.hi - o.lo))} 0V10`).join("")}"/></svg>` : "");

function slid(s, input, live) {
  const { key } = input.dataset, o = s.data.sliders.find((each) => each.key === key), value = sliderValue(o, Number(input.value));
  if (live || s.sliding) report(s, { op: o.op ?? "set", values: { [key]: value }, live });
  s.sliding = live ? input : null;
  paintSliders(s);
}

// "change" does not come where a slider ends at the value it began with, and comes with every repeat of a held key: what ends
// a slide is the hand that lets go, of the pointer, of the key (`slideBy` says of which) or of the focus.
function slideEnded(s) {
  s.slideBy = null;
  if (s.sliding?.isConnected) slid(s, s.sliding, false);
}
