/** Details of the selection in the preview: its price, and the reasons why it cannot be bought. */

import { el, redraw } from "../dom.js";
import { money } from "../model/money.js";
import { say } from "../words/words.js";

/** @import { BundleChange } from "../../../storefront/bundle-builder.js" */

export function selection() {
  const prices = el("dl.prices");
  const missing = el("ul.missing", { "aria-label": say("selection-missing") });
  const node = el("section.selection", { "aria-label": say("selection") }, prices, missing);
  draw(null);
  return {
    node,
    /** Shows the detail of an event of the component. */
    note: (/** @type {Event} */ event) => draw(/** @type {CustomEvent<BundleChange>} */ (event).detail),
  };

  /** @param {BundleChange | null} change */
  function draw(change) {
    const pricing = change?.presentment ?? change?.pricing;
    redraw(prices, [
      row(say("selection-price"), pricing ? money(pricing.discountedPrice, pricing.currency) : "–"),
      row(say("selection-full-price"), pricing ? money(pricing.originalPrice, pricing.currency) : "–"),
    ]);
    redraw(missing, pricing ? (change?.failures ?? []).map((each) => el("li", { text: sentenceOf(each) })) : []);
  }

  /** @param {string} name @param {string} value */
  function row(name, value) {
    return el("div", {}, el("dt", { text: name }), el("dd", { text: value }));
  }
}

/**
 * The sentence for a failure. Failures that only the component knows have no message.
 *
 * @param {{ path: string, code: string, message?: string }} failure
 */
function sentenceOf({ path, code, message }) {
  return message ?? `${path}: ${code}`;
}
