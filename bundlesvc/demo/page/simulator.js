/** The checkout simulator: fetches what a checkout would charge for the cart as it arrives there. */

import { announce, h } from "./dom.js";
import { money } from "./money.js";
import { charged, receiptView } from "./receipt.js";
import { TAMPERINGS, tampered } from "./tampering.js";

/** @typedef {import("./address.js").Address} Address */
/** @typedef {import("./cart.js").Cart} Cart */
/** @typedef {import("./cart.js").CartStore} CartStore */
/** @typedef {import("./types.js").Receipt} Receipt */

export class Simulator {
  #store;
  #address;
  #request = new AbortController();
  /** @type {(receipt: Receipt) => void} */
  #hear = () => {};
  #result = h("div.result", { "data-testid": "simulator" });
  #title = h("h3", { id: "simulator-title", tabindex: -1, text: "Checkout simulator" });
  #raw = h("code");
  #switches;
  node;

  /**
   * @param {CartStore} store
   * @param {Address} address
   */
  constructor(store, address) {
    this.#store = store;
    this.#address = address;
    this.#switches = Object.entries(TAMPERINGS).map(([kind, { label }]) => this.#switch(kind, label));
    this.node = h(
      "section.simulator",
      { "aria-labelledby": "simulator-title", lang: "en" },
      this.#title,
      h("p.more", {
        text: "What a checkout charges after the cart-transform step has merged the lines of each bundle.",
      }),
      this.#result,
      h(
        "details",
        { open: address.state.tamper.length > 0 },
        h("summary", { text: "Damage the cart on its way to the checkout" }),
        h("fieldset", {}, h("legend.hidden-text", { text: "Damage" }), ...this.#switches.map(({ node }) => node)),
      ),
      h(
        "details",
        {},
        h("summary", { text: "Cart data that the checkout receives" }),
        h("pre", { tabindex: 0, "data-testid": "cart-data" }, this.#raw),
      ),
    );
  }

  /** Calls a listener with each new receipt. */
  onReceipt(/** @type {(receipt: Receipt) => void} */ listener) {
    this.#hear = listener;
  }

  /** The cart as it arrives at the checkout. */
  get cart() {
    const { tamper, country } = this.#address.state;
    return { ...tampered(this.#store.cart, tamper), ...(country && { countryCode: country }) };
  }

  /** Fetches the receipt and shows it. */
  async run() {
    const { cart } = this;
    const { tamper } = this.#address.state;
    for (const { kind, input } of this.#switches) input.checked = tamper.includes(kind);
    this.#raw.textContent = JSON.stringify(cart, null, 2);
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    this.#result.setAttribute("aria-busy", "true");
    try {
      const receipt = await fetchReceipt(cart, signal);
      if (signal.aborted) return;
      this.#show(receiptView(receipt, this.#store.entries), spoken(receipt));
      this.#hear(receipt);
    } catch (error) {
      if (!signal.aborted) this.#show(this.#failure(error), "The checkout cannot be reached.");
    }
  }

  #show(/** @type {HTMLElement} */ view, /** @type {string} */ text) {
    const hadFocus = this.#result.contains(document.activeElement);
    this.#result.removeAttribute("aria-busy");
    this.#result.replaceChildren(view);
    if (hadFocus) this.#title.focus();
    announce(text);
  }

  #failure(/** @type {unknown} */ error) {
    const { message } = /** @type {Error} */ (error);
    const again = h("button.quiet", { type: "button", text: "Try again", click: () => this.run() });
    return h("div.message", {}, h("p", { text: `The checkout sent no receipt. ${message}` }), again);
  }

  #switch(/** @type {string} */ kind, /** @type {string} */ label) {
    const input = h("input", { type: "checkbox", change: () => this.#tamper() });
    return { kind, input, node: h("label.tick", {}, input, label) };
  }

  #tamper() {
    this.#address.set({ tamper: this.#switches.filter(({ input }) => input.checked).map(({ kind }) => kind) });
  }
}

/**
 * @param {Cart} cart
 * @param {AbortSignal} signal
 * @returns {Promise<Receipt>}
 */
async function fetchReceipt(cart, signal) {
  const response = await fetch("/demo/checkout", { method: "POST", body: JSON.stringify(cart), signal });
  const body = await response.json();
  if (!response.ok) throw new Error(body.error);
  return body;
}

function spoken(/** @type {Receipt} */ receipt) {
  const reasons = receipt.refusals.map(({ message }) => message);
  return [`Checkout: ${money(...charged(receipt, receipt))} to pay.`, ...reasons].join(" ");
}
