/** Elements that are created once and then updated. Unchanged parts are not touched, so focus and scroll position stay. */

/** @import { Session } from "../session.js" */
/** @import { Child, ElementOf, On, Settings, Value } from "../types.js" */

const PROPERTIES = new Set(["textContent", "hidden", "checked", "disabled", "inert", "value"]);

/** @type {WeakMap<Element, (() => void)[]>} */
const live = new WeakMap();
let made = 0;
// A server has no `document`.
let page = globalThis.document;

/**
 * Draws in another document, with ids that do not depend on earlier drawings.
 *
 * @template Drawn
 * @param {Document} other
 * @param {() => Drawn} draw
 * @returns {Drawn}
 */
export function drawIn(other, draw) {
  const before = page;
  [page, made] = [other, 0];
  try {
    return draw();
  } finally {
    page = before;
  }
}

export function uid() {
  made += 1;
  return `bundle-${made}`;
}

/**
 * Creates an element: "p.hint" gets the class and part `hint`. Functions in `set` run at every `refresh`. `set` may
 * also be just the text, or a function that returns the text and also runs at every `refresh`.
 *
 * @template {string} Tag
 * @param {Tag} tag
 * @param {Settings<ElementOf<Tag>> | string | number | (() => Value)} [set]
 * @param {(Child | readonly Child[])[]} children
 * @returns {ElementOf<Tag>}
 */
export function h(tag, set = {}, ...children) {
  const [name, ...classes] = tag.split(".");
  const node = page.createElement(name);
  if (classes.length) node.className = node.part = classes.join(" ");
  /** @type {Readonly<Record<string, unknown>>} */
  const settings = typeof set === "object" ? set : { text: set };
  for (const [key, value] of Object.entries(settings)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), /** @type {EventListener} */ (value));
    else if (typeof value === "function") track(node, () => put(node, key, value()));
    else put(node, key, /** @type {Value} */ (value));
  }
  node.append(.../** @type {(Node | string)[]} */ (children.flat().filter(Boolean)));
  return /** @type {ElementOf<Tag>} */ (node);
}

/**
 * @param {Element} node
 * @param {string} key
 * @param {Value} value
 */
export function put(node, key, value) {
  const name = key === "text" ? "textContent" : key;
  const text = value === true ? "" : String(value ?? "");
  if (PROPERTIES.has(name)) {
    const own = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (node));
    if (own[name] !== value) own[name] = value;
  } else if (value == null || value === false) node.removeAttribute(name);
  else if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/**
 * Keeps one child for each of `items()`. If a child with the same key is already shown, it stays.
 *
 * @template {HTMLElement} Parent
 * @template Item
 * @param {Parent} parent
 * @param {() => readonly Item[]} items
 * @param {(item: Item) => HTMLElement} make
 * @param {(item: Item) => unknown} [keyOf]
 */
export function each(parent, items, make, keyOf = (item) => item) {
  /** @type {Map<unknown, HTMLElement>} */
  let shown = new Map();
  track(parent, () => {
    const next = new Map(
      items().map((item) => /** @type {const} */ ([keyOf(item), shown.get(keyOf(item)) ?? refresh(make(item))])),
    );
    for (const [key, node] of shown) if (!next.has(key)) node.remove();
    [...next.values()].forEach((node, place) => {
      if (node !== parent.children[place]) parent.insertBefore(node, parent.children[place]);
    });
    parent.hidden = !next.size;
    shown = next;
  });
  return parent;
}

/**
 * @template {HTMLElement} Root
 * @param {Root} root
 */
export function refresh(root) {
  for (const node of [root, ...root.querySelectorAll("*")]) {
    for (const update of live.get(node) ?? []) update();
  }
  return root;
}

/**
 * @param {Element} node
 * @param {() => void} update
 */
function track(node, update) {
  live.set(node, [...(live.get(node) ?? []), update]);
}

/**
 * An image in the widths that its server offers. The browser chooses a width that suits the space.
 *
 * @param {string} tag
 * @param {Pick<Session, "image" | "widths">} session
 * @param {() => string | null | undefined} address
 */
export function picture(tag, { image, widths }, address) {
  const mark = (/** @type {On<HTMLImageElement>} */ { target, type }) => put(target, "data-broken", type === "error");
  const src = () => image(address());
  const srcset = () => widths(src());
  const sizes = () => srcset() && "auto, 240px";
  return h(
    tag,
    {},
    h("img", { alt: "", loading: "lazy", decoding: "async", sizes, srcset, src, onerror: mark, onload: mark }),
  );
}

/**
 * A shop's HTML, cleaned by the browser's sanitiser, or plain text in a browser without one.
 *
 * @param {string} html
 * @param {string} label
 */
export function description(html, label) {
  /** @type {HTMLElement & { setHTML?: (html: string) => void }} */
  const text = h("div.description");
  if (text.setHTML) text.setHTML(html);
  else text.textContent = plainText(html);
  const { length } = text.textContent.trim();
  return length > 120 ? h("details", {}, h("summary", label), text) : length > 0 && text;
}

/**
 * The text of HTML. A parsed document runs no scripts and loads nothing.
 *
 * @param {string} html
 */
function plainText(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const node of body.querySelectorAll("script, style, template")) node.remove();
  return body.textContent;
}
