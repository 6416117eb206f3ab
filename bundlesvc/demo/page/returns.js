/** Refunds for parts of an order: the shopper chooses units to return, and sees the refund under each policy. */

import { announce, h } from "./dom.js";
import { less, money, sum } from "./money.js";
import { named } from "./order-lines.js";
import { quoteReturn } from "./orders.js";
import { say } from "./words.js";

/** @import { BoughtOrder, OrderLine, RefundQuote, Shop } from "./types.js" */

export class Returns {
  #shop;
  #order;
  /** The inputs, by the id of their line. @type {Map<string, HTMLInputElement>} */
  #units = new Map();
  #quotes = h("div.quotes", { "data-testid": "quotes" });
  #request = new AbortController();
  node;

  /**
   * @param {Shop} shop
   * @param {BoughtOrder} order
   */
  constructor(shop, order) {
    this.#shop = shop;
    this.#order = order;
    this.node = h(
      "section.returns",
      { "aria-labelledby": "returns-title" },
      h("h2", { id: "returns-title", text: say("returnTitle") }),
      h("p.more", { text: say("returnText") }),
      h("ul.return-lines", { role: "list" }, ...order.lines.map((line, place) => this.#row(line, place))),
      this.#quotes,
    );
  }

  /** Fetches the refunds for the chosen units, and shows them. */
  async ask() {
    this.#request.abort();
    this.#request = new AbortController();
    const { signal } = this.#request;
    const lines = [...this.#units].map(([line, input]) => ({ line, quantity: Number(input.value) }));
    const chosen = lines.filter(({ quantity }) => quantity > 0);
    if (!chosen.length) return this.#show([h("p", { text: say("returnNothing") })]);
    this.#quotes.setAttribute("aria-busy", "true");
    try {
      const quotes = await quoteReturn(this.#shop, this.#order.id, chosen, signal);
      if (!signal.aborted) this.#showQuotes(quotes);
    } catch (error) {
      const text = say("returnFailed", { reason: /** @type {Error} */ (error).message });
      if (!signal.aborted) this.#show([h("p.message", { role: "alert", text })]);
    }
  }

  /** A line, with an input for the number of units to return: initially 1 in the first line, and 0 in the others. */
  #row(/** @type {OrderLine} */ line, /** @type {number} */ place) {
    const id = `return-${place}`;
    const input = h("input.units", {
      id,
      type: "number",
      inputmode: "numeric",
      min: 0,
      max: line.quantity,
      value: place ? 0 : 1,
      "aria-describedby": `${id}-of`,
      change: () => this.#change(input, line),
    });
    this.#units.set(line.id, input);
    const count = say("returnUnits", { count: line.quantity });
    return h(
      "li.return-line",
      {},
      h("label", { for: id, text: named(line) }),
      h("span.more", { id: `${id}-of`, text: count }),
      input,
    );
  }

  /** Replaces what was typed with the nearest number of units that can be returned. */
  #change(/** @type {HTMLInputElement} */ input, /** @type {OrderLine} */ { quantity }) {
    input.value = String(Math.min(Math.max(Math.trunc(Number(input.value)) || 0, 0), quantity));
    this.ask().then(() => announce(this.#quotes.dataset.spoken ?? ""));
  }

  #showQuotes(/** @type {readonly RefundQuote[]} */ quotes) {
    const amounts = quotes.map(({ amount, currency }) => money(amount, currency));
    this.#show(quotes.map((quote) => this.#card(quote)));
    this.#quotes.dataset.spoken = say("returnSpoken", { amounts: amounts.join(", ") });
  }

  #show(/** @type {HTMLElement[]} */ nodes) {
    this.#quotes.removeAttribute("aria-busy");
    this.#quotes.dataset.spoken = nodes.length === 1 ? (nodes[0].textContent ?? "") : "";
    this.#quotes.replaceChildren(...nodes);
  }

  #card(/** @type {RefundQuote} */ { policy, amount, currency, lines }) {
    return h(
      "article.quote",
      { "data-testid": "quote", "data-policy": policy },
      h("h3", { text: say(policy) }),
      h("p.quote-amount", { text: money(amount, currency) }),
      h("p.more", { text: say(`${policy}Text`) }),
      h("p.more", { text: say("stays", { amount: money(less(this.#paidFor(lines), amount), currency) }) }),
    );
  }

  /** The amount charged for the bundles and lines that the returned units belong to. */
  #paidFor(/** @type {RefundQuote["lines"]} */ quoted) {
    const { bundles, lines } = this.#order;
    const touched = new Set(quoted.map(({ line }) => line));
    for (const bundle of bundles) {
      if (bundle.lines.some((id) => touched.has(id))) for (const id of bundle.lines) touched.add(id);
    }
    return sum(lines.filter(({ id }) => touched.has(id)).map(({ charged }) => charged));
  }
}
