/** The page's state is in its address, so that every state can be linked to. */

import { NETWORKS } from "./network.js";
import { TAMPERINGS } from "./tampering.js";

/**
 * @typedef {{
 *   bundle: number | null, country: string, lang: string, visitor: string, template: string, network: string,
 *   tamper: readonly string[], cart: boolean, dev: boolean, edit: string, selection: string, order: string,
 * }} State texts are "" when nothing is chosen; `edit` is the key of a bundle in the cart, `selection` the text of a selection,
 *   `order` the id of an order
 */

const PATH = "/demo";
const ORDER = /^demo-[0-9a-f]{32}$/;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The state values that belong to one visitor, with their defaults. Links that are shared with others reset them to
 * these defaults. */
export const OWN = { edit: "", order: "", visitor: "", network: "normal", tamper: [], cart: false, dev: false };

/**
 * @param {string} search
 * @returns {State} invalid parameters are ignored
 */
export function stateOf(search) {
  const query = new URLSearchParams(search);
  const text = (/** @type {string} */ name) => query.get(name) ?? "";
  return {
    bundle: Number(text("bundle")) || null,
    country: /^[A-Z]{2}$/.test(text("country")) ? text("country") : "",
    lang: text("lang"),
    visitor: UUID.test(text("visitor")) ? text("visitor") : "",
    template: text("template"),
    network: text("network") in NETWORKS ? text("network") : "normal",
    tamper: text("tamper")
      .split(",")
      .filter((kind) => kind in TAMPERINGS),
    cart: text("cart") === "open",
    dev: text("dev") === "open",
    edit: text("edit"),
    selection: text("selection"),
    order: ORDER.test(text("order")) ? text("order") : "",
  };
}

/**
 * @param {State} state
 * @returns {string}
 */
export function addressOf(state) {
  const query = new URLSearchParams();
  if (state.bundle) query.set("bundle", String(state.bundle));
  for (const name of /** @type {const} */ (["country", "lang", "visitor", "template", "edit", "selection", "order"])) {
    if (state[name]) query.set(name, state[name]);
  }
  if (state.network !== "normal") query.set("network", state.network);
  if (state.tamper.length) query.set("tamper", state.tamper.join(","));
  if (state.cart) query.set("cart", "open");
  if (state.dev) query.set("dev", "open");
  return query.size ? `${PATH}?${query}` : PATH;
}

/** The state of the page. Listeners are called after every change: `(state, before) => void`. */
export class Address {
  state = stateOf(location.search);
  /** @type {((state: State, before: State) => void)[]} */
  #listeners = [];

  constructor() {
    window.addEventListener("popstate", () => this.#become(stateOf(location.search)));
  }

  onChange(/** @type {(state: State, before: State) => void} */ listener) {
    this.#listeners.push(listener);
  }

  /** The address of the state with these changes. */
  to(/** @type {Partial<State>} */ changes) {
    return addressOf({ ...this.state, ...changes });
  }

  /** Changes the state without a new entry in the browser's history. */
  set(/** @type {Partial<State>} */ changes) {
    history.replaceState(null, "", this.to(changes));
    this.#become({ ...this.state, ...changes });
  }

  /** Changes the state; the browser's back button undoes it. */
  go(/** @type {Partial<State>} */ changes) {
    history.pushState(null, "", this.to(changes));
    this.#become({ ...this.state, ...changes });
  }

  #become(/** @type {State} */ state) {
    const before = this.state;
    this.state = state;
    for (const listener of this.#listeners) listener(state, before);
  }
}
