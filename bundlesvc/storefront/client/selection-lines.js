/**
 * A selection in lines of equal units, and what they come to.
 */

import { ZERO, add, fromInteger, multiply, parse } from "./decimal.js";

/** @typedef {import("./decimal.d.ts").Decimal} Decimal */
/** @typedef {import("./conditions.d.ts").Selection} Selection */
/** @typedef {import("./conditions.d.ts").SelectedItem} SelectedItem */
/** @typedef {import("./conditions.d.ts").VariantFacts} VariantFacts */
/** @typedef {import("./conditions.d.ts").Facts} Facts */

/**
 * Equal units: one variant in one section, with or without personalisation. Price and weight are those of one unit.
 * @typedef {{
 *   variantId: string, productId: string, sectionId: number, personalised: boolean,
 *   count: number, price: Decimal, grams: Decimal,
 * }} Line
 */

/**
 * The selection in lines, in the order of its items.
 *
 * @param {Selection} selection
 * @param {Facts} facts
 * @returns {Line[]}
 */
export function linesOf({ items, variants }, facts) {
  /** @type {Map<string, Line>} */
  const lines = new Map();
  for (const item of items) {
    const key = [bareId(item.variant), bareId(item.product), item.section, isPersonalised(item)].join();
    const line = lines.get(key);
    if (line) line.count += 1;
    else lines.set(key, unitOf(item, variants.get(bareId(item.variant)), facts));
  }
  return [...lines.values()];
}

/**
 * One unit as a line. A variant that nothing is known of has neither price nor weight: a free item need not be among the
 * products that a bundle lists.
 *
 * @param {SelectedItem} item
 * @param {VariantFacts | undefined} variant
 * @param {Facts} facts
 * @returns {Line}
 */
function unitOf(item, variant, facts) {
  return {
    variantId: bareId(item.variant),
    productId: bareId(item.product),
    sectionId: item.section,
    personalised: isPersonalised(item),
    count: 1,
    price: variant ? parse(unitPrice(variant, facts)) : ZERO,
    grams: variant ? fromInteger(variant.grams) : ZERO,
  };
}

/**
 * With a country the market's price in shop currency, as the service counts.
 *
 * @param {VariantFacts} variant
 * @param {Facts} facts
 * @returns {string}
 */
function unitPrice(variant, facts) {
  return (facts.country ? variant.priceInShopCurrency : null) ?? variant.price;
}

/**
 * Whether a field is answered: an empty text or a box that is not ticked is no answer.
 *
 * @param {SelectedItem} item
 * @returns {boolean}
 */
function isPersonalised(item) {
  return Object.values(item.personalisation ?? {}).some(Boolean);
}

/**
 * @param {readonly Line[]} lines
 * @returns {Decimal}
 */
export function totalCount(lines) {
  return fromInteger(lines.reduce((count, line) => count + line.count, 0));
}

/**
 * @param {readonly Line[]} lines
 * @returns {Decimal}
 */
export function totalPrice(lines) {
  return lines.reduce((sum, line) => add(sum, multiply(line.price, fromInteger(line.count))), ZERO);
}

/**
 * @param {readonly Line[]} lines
 * @returns {Decimal}
 */
export function totalGrams(lines) {
  return lines.reduce((sum, line) => add(sum, multiply(line.grams, fromInteger(line.count))), ZERO);
}

/**
 * The number of an id: "1001" of "gid://platform/ProductVariant/1001" and of "1001".
 *
 * @param {unknown} id
 * @returns {string}
 */
export function bareId(id) {
  const text = String(id);
  return text.slice(text.lastIndexOf("/") + 1);
}
