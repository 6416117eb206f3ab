/**
 * A minimal document for servers, which have none: the few elements and methods that the component needs for drawing.
 */

import { appendFormatted } from "./formatted.js";

const VOID = new Set(["br", "hr", "img", "input"]);
const CHARACTERS = /** @type {Readonly<Record<string, string>>} */ ({
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
});
// A text that could end a declaration, or load something, is not accepted as a colour.
const COLOR = /^[\w#%.,()/ +-]+$/;

/** @param {unknown} text */
export const escaped = (text) => String(text).replace(/[&<>"]/g, (character) => CHARACTERS[character]);

/** A text, and its form in HTML. */
class Text {
  /** @type {ServerElement | null} */
  parent = null;

  /**
   * @param {string} textContent
   * @param {string} [outerHTML]
   */
  constructor(textContent, outerHTML = escaped(textContent)) {
    this.textContent = textContent;
    this.outerHTML = outerHTML;
  }
}

/** Creates elements, like a document. */
export class Elements {
  /** @param {string} name */
  createElement(name) {
    return new ServerElement(name);
  }
}

/**
 * An element that can only be written as HTML. Its properties become attributes, so that a browser that parses it gets
 * the same element.
 */
export class ServerElement {
  /** @type {ServerElement | null} */
  parent = null;
  /** @type {(ServerElement | Text)[]} */
  childNodes = [];
  /** @type {Map<string, string>} */
  #attributes = new Map();

  /** @param {string} name */
  constructor(name) {
    this.localName = name;
  }

  /** @param {string} name */
  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }

  /**
   * @param {string} name
   * @param {unknown} value
   */
  setAttribute(name, value) {
    this.#attributes.set(name, String(value));
  }

  /** @param {string} name */
  removeAttribute(name) {
    this.#attributes.delete(name);
  }

  addEventListener() {}

  set className(/** @type {string} */ names) {
    this.setAttribute("class", names);
  }

  set part(/** @type {string} */ names) {
    this.setAttribute("part", names);
  }

  get hidden() {
    return this.#is("hidden");
  }

  set hidden(is) {
    this.#turn("hidden", is);
  }

  get checked() {
    return this.#is("checked");
  }

  set checked(is) {
    this.#turn("checked", is);
  }

  get disabled() {
    return this.#is("disabled");
  }

  set disabled(is) {
    this.#turn("disabled", is);
  }

  get inert() {
    return this.#is("inert");
  }

  set inert(is) {
    this.#turn("inert", is);
  }

  get value() {
    return this.getAttribute("value") ?? "";
  }

  /** Ignores "", because a new select shows its first option, whose value is "". */
  set value(value) {
    if (value !== "") this.setAttribute("value", value);
  }

  get style() {
    return {
      setProperty: (/** @type {string} */ name, /** @type {string | null} */ value) => this.#paint(name, value),
    };
  }

  get children() {
    return this.childNodes.filter((node) => node instanceof ServerElement);
  }

  /** @returns {string} */
  get textContent() {
    return this.childNodes.map(({ textContent }) => textContent).join("");
  }

  set textContent(text) {
    this.childNodes = [];
    if (text != null && text !== "") this.append(text);
  }

  /** @returns {string} */
  get outerHTML() {
    const attributes = [...this.#attributes].map(([name, value]) =>
      value ? ` ${name}="${escaped(value)}"` : ` ${name}`,
    );
    const start = `<${this.localName}${attributes.join("")}>`;
    if (VOID.has(this.localName)) return start;
    return `${start}${this.childNodes.map(({ outerHTML }) => outerHTML).join("")}</${this.localName}>`;
  }

  /** @param {readonly unknown[]} nodes */
  append(...nodes) {
    for (const node of nodes) this.#insert(node, this.childNodes.length);
  }

  /**
   * @param {ServerElement} node
   * @param {ServerElement | undefined} before
   */
  insertBefore(node, before) {
    this.#insert(node, before ? this.childNodes.indexOf(before) : this.childNodes.length);
  }

  /** @param {ServerElement} node */
  after(node) {
    const { parent } = this;
    parent?.insertBefore(node, /** @type {ServerElement} */ (parent.childNodes[parent.childNodes.indexOf(this) + 1]));
  }

  remove() {
    if (this.parent) this.parent.childNodes = this.parent.childNodes.filter((node) => node !== this);
    this.parent = null;
  }

  /** @returns {ServerElement} */
  getRootNode() {
    return this.parent?.getRootNode() ?? this;
  }

  /**
   * All descendants: the only selector in use is "*".
   *
   * @returns {ServerElement[]}
   */
  querySelectorAll() {
    return this.children.flatMap((child) => [child, ...child.querySelectorAll()]);
  }

  /** @param {string} selector a class */
  querySelector(selector) {
    const isWanted = (/** @type {ServerElement} */ node) =>
      node.getAttribute("class")?.split(" ").includes(selector.slice(1));
    return this.querySelectorAll().find(isWanted) ?? null;
  }

  /** @param {string} html */
  setHTML(html) {
    appendFormatted(this, html, {
      elementOf: (name) => new ServerElement(name),
      textOf: (text, written) => new Text(text, written),
    });
  }

  /** @param {string} name */
  #is(name) {
    return this.#attributes.has(name);
  }

  /**
   * @param {string} name
   * @param {boolean} is
   */
  #turn(name, is) {
    if (is) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }

  /**
   * @param {string} name
   * @param {string | null} value
   */
  #paint(name, value) {
    if (value && COLOR.test(value)) this.setAttribute("style", `${name}: ${value}`);
  }

  /**
   * @param {unknown} node
   * @param {number} place
   */
  #insert(node, place) {
    const child = node instanceof ServerElement || node instanceof Text ? node : new Text(String(node));
    if (child instanceof ServerElement) child.remove();
    child.parent = this;
    this.childNodes.splice(place, 0, child);
  }
}
