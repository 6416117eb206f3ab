/** Transfers what a shopper has done in the HTML drawn by a server to the same elements of the component. */

/** @import { Drawn } from "./types.js" */

/**
 * Records clicks, unless the loader already records them. The returned function saves the clicks, the focus, expanded
 * parts and typed text, and returns a function that restores this state in the new drawing and repeats the clicks.
 *
 * @param {ShadowRoot} root
 */
export function watch(root) {
  const host = /** @type {Drawn} */ (root.host);
  if (!host.clicks) note(host, root);
  return () => {
    const places = elementsOf(root);
    const now = counterparts(root, places);
    const focus = root.activeElement;
    const open = places.filter((node) => node instanceof HTMLDetailsElement && node.open);
    const typed = places.filter((node) => node instanceof HTMLInputElement).filter(isTyped);
    const clicks = (host.clicks ?? []).flatMap((node) => node.closest("button, input") ?? []);
    host.clicks = undefined;
    return () => {
      for (const node of open) now(node)?.toggleAttribute("open", true);
      for (const node of typed) type(now(node), node.value);
      /** @type {HTMLElement | undefined} */ (now(focus))?.focus({ preventScroll: true });
      const clicked = clicks.map(now);
      // Run after the listeners of `bundle:ready`.
      queueMicrotask(() => {
        for (const node of clicked) /** @type {HTMLElement | undefined} */ (node)?.click();
      });
    };
  };
}

/**
 * @param {Drawn} host
 * @param {ShadowRoot} root
 */
function note(host, root) {
  host.clicks = [];
  root.addEventListener("click", ({ target }) => host.clicks?.push(/** @type {Element} */ (target)));
}

/** @param {ShadowRoot} root */
const elementsOf = (root) => [...root.querySelectorAll("*:not(style)")];

/**
 * The element in the same position as an earlier element, if it is the same part with the same name.
 *
 * @param {ShadowRoot} root
 * @param {readonly Element[]} places
 */
function counterparts(root, places) {
  const nameOf = (/** @type {Element} */ node) =>
    [node.localName, node.className, node.getAttribute("aria-label"), node.getAttribute("value")].join();
  return (/** @type {Element | null} */ node) => {
    const now = node && elementsOf(root)[places.indexOf(node)];
    return now && nameOf(now) === nameOf(node) ? now : undefined;
  };
}

/** @param {HTMLInputElement} field */
const isTyped = ({ type, value, defaultValue }) => !["radio", "checkbox"].includes(type) && value !== defaultValue;

/**
 * @param {Element | undefined} field
 * @param {string} text
 */
function type(field, text) {
  if (!(field instanceof HTMLInputElement)) return;
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
