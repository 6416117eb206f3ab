/** Elements for the page. Text is never parsed as markup. */

/**
 * Makes an element. "p.hint.wide" has two classes. In `set`, functions are listeners, `text` is the element's text, true is
 * an attribute without a value, and null or false means no attribute.
 *
 * @param {string} tag
 * @param {Record<string, any>} [set]
 * @param {...(Node | string | null)} children
 * @returns {any}
 */
export function h(tag, set = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(set)) {
    if (typeof value === "function") node.addEventListener(key, value);
    else if (key === "text") node.textContent = value;
    else if (value != null && value !== false) node.setAttribute(key, value === true ? "" : String(value));
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/**
 * The element of the page with this id.
 *
 * @param {string} id
 * @returns {any}
 */
export function part(id) {
  return document.getElementById(id);
}

/** Announces a text to screen readers, inside an open dialog if there is one: they ignore the page behind it. */
export function announce(/** @type {string} */ text) {
  const said = document.querySelector("dialog[open] [data-said]") ?? part("said");
  said.textContent = text;
}
