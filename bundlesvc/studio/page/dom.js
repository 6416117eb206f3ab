/** Elements of the studio. Text is never parsed as markup. */

/** @import { ElementOf } from "../../storefront/component/types.js" */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "selected", "hidden", "open"]);

/** @typedef {Node | string | null | false | undefined} Child */

/**
 * Creates an element. "p.hint.wide" has two classes. In `set`, functions are listeners, and null or false means no attribute.
 *
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Readonly<Record<string, unknown>>} [set]
 * @param {...(Child | readonly Child[])} children
 * @returns {ElementOf<Tag>}
 */
export function el(tag, set = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = document.createElement(name);
  if (classes.length) node.className = classes.join(" ");
  for (const [key, value] of Object.entries(set)) put(node, key, value);
  node.append(.../** @type {(Node | string)[]} */ (children.flat().filter((child) => child || child === "")));
  return /** @type {ElementOf<Tag>} */ (node);
}

/** @param {HTMLElement} node @param {string} key @param {unknown} value */
function put(node, key, value) {
  if (typeof value === "function") node.addEventListener(key, /** @type {EventListener} */ (value));
  else if (key === "text") node.textContent = String(value ?? "");
  else if (PROPERTIES.has(key)) Reflect.set(node, key, value ?? "");
  else if (value != null && value !== false) node.setAttribute(key, value === true ? "" : String(value));
}

/**
 * Creates an SVG element.
 *
 * @param {string} name
 * @param {Readonly<Record<string, string | number>>} [set]
 * @param {...(Node | string)} children
 */
export function drawn(name, set = {}, ...children) {
  const node = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(set)) node.setAttribute(key, String(value));
  node.append(...children);
  return node;
}

/**
 * The element with this id.
 *
 * @template {string} Id
 * @param {Id} id
 * @returns {import("./types.js").Part<Id>}
 */
export function part(id) {
  return /** @type {import("./types.js").Part<Id>} */ (/** @type {unknown} */ (document.getElementById(id)));
}

/**
 * Replaces the children of a node. The focused element, found again by its id, keeps the focus and its text selection.
 */
export function redraw(/** @type {Element} */ node, /** @type {readonly Child[]} */ children) {
  const focused = /** @type {HTMLInputElement | null} */ (document.activeElement);
  const id = focused && node.contains(focused) ? focused.id : "";
  const range = id && focused && "selectionStart" in focused ? [focused.selectionStart, focused.selectionEnd] : null;
  node.replaceChildren(.../** @type {(Node | string)[]} */ (children.filter(Boolean)));
  const same = id ? /** @type {HTMLInputElement | null} */ (document.getElementById(id)) : null;
  if (!same) return;
  same.focus({ preventScroll: true });
  if (range && range[0] !== null && same.type === "text") same.setSelectionRange(range[0], range[1]);
}

/** Makes screen readers announce a text. */
export function announce(/** @type {string} */ text) {
  const said = document.querySelector("dialog[open] [data-said]") ?? part("said");
  said.textContent = "";
  said.textContent = text;
}

/** Icons, drawn on a square of 24 by 24. */
const ICONS = {
  add: "M12 5v14M5 12h14",
  back: "m15 5-7 7 7 7",
  box: "M4 8 12 4l8 4v8l-8 4-8-4zM4 8l8 4 8-4M12 12v8",
  check: "m5 12.5 4.5 4.5L19 7.5",
  close: "m6 6 12 12M18 6 6 18",
  copy: "M9 9h10v10H9zM5 15V5h10",
  desktop: "M4 5h16v11H4zM9 20h6M12 16v4",
  down: "m6 9 6 6 6-6",
  drag: "M9 6h.01M15 6h.01M9 12h.01M15 12h.01M9 18h.01M15 18h.01",
  gift: "M4 11h16v9H4zM3 7h18v4H3zM12 7v13M12 7S10.500 3 8.500 3.500 8 7 12 7s5.500-3 3.500-3.500S12 7 12 7",
  pen: "M4 20h4L19 9l-4-4L4 16zM13 7l4 4",
  percent:
    "M6 18 18 6M8 6.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3M16 14.500a1.500 1.500 0 1 1 0 3 1.500 1.500 0 0 1 0-3",
  phone: "M8 3h8v18H8zM11 18h2",
  redo: "M19 8v5h-5M19 13c-2-4-6-5.500-9.500-4S5 14 6 18",
  repeat: "M5 12a7 7 0 0 1 12-5l2 2M19 4v5h-5M19 12a7 7 0 0 1-12 5l-2-2M5 20v-5h5",
  search: "M10.500 4a6.500 6.500 0 1 1 0 13 6.500 6.500 0 0 1 0-13M15.500 15.500 20 20",
  set: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z",
  tag: "M4 4h8l8 8-8 8-8-8zM8 8h.01",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13",
  undo: "M5 8v5h5M5 13c2-4 6-5.500 9.500-4S19 14 18 18",
  up: "m6 15 6-6 6 6",
  warn: "M12 4 3 20h18zM12 10v5M12 17.500v.01",
};

/** @typedef {keyof typeof ICONS} IconName */

/** @param {IconName} name */
export function icon(name) {
  return drawn(
    "svg",
    { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" },
    drawn("path", { d: ICONS[name] }),
  );
}

/**
 * A button with only an icon. `label` is for screen readers and the tooltip.
 *
 * @param {IconName} name
 * @param {string} label
 * @param {(event: Event) => void} click
 * @param {Readonly<Record<string, unknown>>} [set]
 */
export function iconButton(name, label, click, set = {}) {
  return el("button.icon-button", { type: "button", "aria-label": label, title: label, click, ...set }, icon(name));
}
