// @ts-check
// Popovers, dialogs and messages stand outside the element of Streamlit's app, which alone has the theme's color
// scheme. The document takes it over, so that light-dark() in a style sheet means the same everywhere.

/** Give the document the color scheme of the app, now and whenever the theme changes. */
export default function followColorScheme() {
  const app = document.querySelector("[data-testid=stApp]"), { style } = document.documentElement;
  if (!app || style.colorScheme) return;
  const follow = () => void (style.colorScheme = getComputedStyle(app).colorScheme);
  new MutationObserver(follow).observe(app, { attributeFilter: ["class", "style"] });
  follow();
}
