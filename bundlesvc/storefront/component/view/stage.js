/** The element's shadow tree: the stage with the current view, the page's content between the tags, and the announcements. */

import { h, put } from "./dom.js";

/** @import { On } from "../types.js" */

const RIGHT_TO_LEFT = /^(ar|fa|he|ur)\b/i;
// Of several changes within this time, screen readers announce only the last.
const QUIET_MS = 400;

/**
 * Sets the template and the language on the root element of the view.
 *
 * @param {HTMLElement} stage
 * @param {string | null} template
 * @param {string | undefined} locale
 */
export function furnish(stage, template, locale) {
  put(stage, "data-template", template === "compact" ? template : "default");
  put(stage, "lang", locale);
  put(stage, "dir", RIGHT_TO_LEFT.test(/** @type {string} */ (locale)) ? "rtl" : "ltr");
}

export class Stage {
  #stage = h("div.root");
  // The page's content between the tags is shown until there is a bundle.
  fallback = h("slot");
  #live = h("p.vh", { role: "status" });
  #hadFocus = false;
  #timer = 0;

  /** @param {ShadowRoot} root */
  constructor(root) {
    this.root = root;
  }

  /** Fills the shadow root, replacing anything that a server has rendered there. */
  fill() {
    this.root.replaceChildren(this.#header(), this.#stage, this.fallback, this.#live);
  }

  /**
   * The slot for the page's own header, which replaces the bundle's header. The slot exists before the bundle, and
   * stays.
   */
  #header() {
    const isFilled = (/** @type {On<HTMLSlotElement>} */ { target }) =>
      put(this.#stage, "data-headed", target.assignedElements().length > 0);
    return h("slot", { name: "header", onslotchange: isFilled });
  }

  /** Records whether the focus is in this element. Called before the focused part may be replaced. */
  noteFocus() {
    this.#hadFocus ||= Boolean(this.root.activeElement);
  }

  wait() {
    put(this.#stage, "aria-busy", "true");
    this.#stage.inert = true;
  }

  /**
   * @param {HTMLElement} view
   * @param {string | null} template
   * @param {string | undefined} locale
   */
  show(view, template, locale) {
    this.#stage.inert = false;
    put(this.#stage, "aria-busy", false);
    furnish(this.#stage, template, locale);
    this.#stage.replaceChildren(view);
  }

  /** Moves a lost focus to the first heading. */
  keepFocus(mayMove = true) {
    const isLost = this.#hadFocus && document.activeElement === document.body;
    this.#hadFocus = false;
    if (!isLost || !mayMove) return;
    const headings = /** @type {HTMLElement[]} */ ([...this.#stage.querySelectorAll(".name, .notice, .heading")]);
    headings.find((node) => node.checkVisibility())?.focus();
  }

  /** @param {string} text */
  announce = (text) => {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => put(this.#live, "text", text), QUIET_MS);
  };

  end() {
    clearTimeout(this.#timer);
  }
}
