/**
 * Loads the web component when a shopper first touches a bundle that a server has drawn; the component then repeats what was
 * clicked meanwhile (docs/first-paint.md). A bundle that no server has drawn is loaded at once.
 */

/** @import { Drawn } from "./component/types.js" */

const TOUCHES = ["pointerover", "pointerdown", "focusin", "keydown"];

const load = () =>
  import("./bundle-builder.js").then(
    () => {},
    (error) => console.error("<bundle-builder> cannot be loaded.", error),
  );

/** @type {NodeListOf<Drawn>} */
const builders = document.querySelectorAll("bundle-builder");
for (const builder of builders) {
  if (!builder.shadowRoot || builder.hasAttribute("configured")) load();
  else {
    builder.clicks = [];
    builder.shadowRoot.addEventListener("click", ({ target }) => builder.clicks?.push(/** @type {Element} */ (target)));
    for (const touch of TOUCHES) builder.addEventListener(touch, load, { once: true, passive: true });
  }
}
