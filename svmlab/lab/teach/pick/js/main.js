// A table drawn by Python; what carries a data-id reports itself when it is clicked.
export default function pick({ data, parentElement, setTriggerValue }) {
  const root = parentElement.querySelector(".sv-pick");
  if (root.markup !== data.html) {
    const { scrollLeft, scrollTop } = root, focused = root.getRootNode().activeElement?.dataset?.id;
    root.innerHTML = root.markup = data.html;
    Object.assign(root, { scrollLeft, scrollTop });
    if (focused) root.querySelector(`tr[data-id="${focused}"]`)?.focus({ preventScroll: true });
  }
  const report = (e) => {
    const on = e.target.closest?.("[data-id]");
    if (!on) return false;
    setTriggerValue("picked", { id: Number(on.dataset.id) });
    return true;
  };
  root.onclick = report;
  root.onkeydown = (e) => { if ((e.key === "Enter" || e.key === " ") && report(e)) e.preventDefault(); };
}
