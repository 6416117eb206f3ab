/** Elements for the page. Text is never parsed as markup. */

/** @import { ElementOf } from "../../storefront/component/types.js" */
/** @import { Part } from "./types.js" */

/**
 * Creates an element. "p.hint.wide" has two classes. In `set`, functions are listeners, `text` is the element's text, true means an
 * attribute without a value, and null or false means no attribute.
 *
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, unknown>>} [set]
 * @param {...(Node | string | null)} children
 * @returns {ElementOf<Tag>}
 */
export function h(tag, set = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(set)) {
    if (typeof value === "function") node.addEventListener(key, /** @type {EventListener} */ (value));
    else if (key === "text") node.textContent = /** @type {string} */ (value);
    else if (value != null && value !== false) node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return /** @type {ElementOf<Tag>} */ (node);
}

/**
 * The element of the page with this id.
 *
 * @template {string} Id
 * @param {Id} id
 * @returns {Part<Id>}
 */
export function part(id) {
  return /** @type {Part<Id>} */ (document.getElementById(id));
}

/** Announces a text to screen readers: inside the dialog if one is open, because they ignore the page behind it. */
export function announce(/** @type {string} */ text) {
  const said = document.querySelector("dialog[open] [data-said]") ?? part("said");
  said.textContent = text;
}
