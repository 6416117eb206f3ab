/**
 * Loads the web component when a shopper first uses a bundle that a server has drawn; the component then repeats the clicks that
 * were made in the meantime (docs/first-paint.md). For a bundle that no server has drawn, the component is loaded immediately.
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
