/** Elements for the page; no markup is ever made from text. */

/**
 * An element. "p.hint.wide" has two classes. In `set` functions are listeners, `text` is its text, true is an attribute
 * without a value, and null or false is no attribute.
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

/** Say something to screen readers; what stands outside an open dialog they do not hear. */
export function announce(/** @type {string} */ text) {
  const said = document.querySelector("dialog[open] [data-said]") ?? part("said");
  said.textContent = text;
}
