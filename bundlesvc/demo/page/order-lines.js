/** The lines of an order. */

import { h } from "./dom.js";
import { money } from "./money.js";

/** @import { OrderLine } from "./types.js" */

/**
 * @param {OrderLine} line
 * @param {string} currency
 */
export function lineView(line, currency) {
  const { listed, charged, contents } = line;
  const inside = contents.length ? h("span.more", { text: contents.join(" · ") }) : null;
  return h(
    "li.charge.part",
    {},
    h("span", {}, named(line), inside),
    h(
      "span.amount",
      {},
      listed === charged ? null : h("s.more", { text: money(listed, currency) }),
      h("span", { text: money(charged, currency) }),
    ),
  );
}

/** A line in words: "2 × First Light, 250 g". */
export function named(/** @type {OrderLine} */ { title, variantTitle, quantity }) {
  return `${quantity}\u00a0× ${variantTitle ? `${title}, ${variantTitle}` : title}`;
}
