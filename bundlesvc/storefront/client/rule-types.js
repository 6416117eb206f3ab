/**
 * The types of limit rules, one row each: unit, measure, sentence. The service has the same types in
 * `domain/rules/rule_types.py`.
 */

import { ZERO, add, fromInteger } from "./decimal.js";
import { knownOf, lineTitle } from "./offer.js";
import { discountedShare } from "./pricing.js";
import { totalCount, totalGrams, totalPrice } from "./selection-lines.js";

/** @import { Measured, MeasureEach, RuleType } from "./internal.js" */

/** @type {ReadonlyMap<string, RuleType>} */
export const RULE_TYPES = new Map([
  [
    "bundle-price",
    {
      unit: "money",
      measure: (_lines, section, priced) => [
        { actual: section === null ? priced.discounted : discountedShare(priced, section) },
      ],
      sentence: (place) => mustBe(`The price of ${place.where}`, place),
    },
  ],
  [
    "bundle-price-before-discount",
    {
      unit: "money",
      measure: (lines) => [{ actual: totalPrice(lines) }],
      sentence: (place) => mustBe(`The price of ${place.where} before discount`, place),
    },
  ],
  [
    "total-number-of-products",
    { unit: "items", measure: (lines) => [{ actual: totalCount(lines) }], sentence: (place) => choose("items", place) },
  ],
  [
    "number-of-different-products",
    {
      unit: "items",
      measure: (lines) => [{ actual: fromInteger(new Set(lines.map((line) => line.productId)).size) }],
      sentence: (place) => choose("different products", place),
    },
  ],
  [
    "multiples-of",
    {
      unit: "items",
      isMultiple: true,
      measure: (lines) => [{ actual: totalCount(lines) }],
      sentence: (place) =>
        `The number of items in ${place.where} must be a multiple of ${place.wanted}; now it is ${place.actual}.`,
    },
  ],
  [
    "amount-of-one-product",
    {
      unit: "items",
      measure: (lines) =>
        measureEach(lines, (line) => [knownOf(line).product.title, { platformProductId: line.productId }]),
      sentence: (place) => choose(`of ${place.subject}`, place),
    },
  ],
  [
    "amount-of-one-variant",
    {
      unit: "items",
      measure: (lines) => measureEach(lines, (line) => [lineTitle(line), { platformVariantId: line.variantId }]),
      sentence: (place) => choose(`of ${place.subject}`, place),
    },
  ],
  [
    "amount-of-weight",
    {
      unit: "weight",
      measure: (lines) => [{ actual: totalGrams(lines) }],
      sentence: (place) => mustBe(`The weight of ${place.where}`, place),
    },
  ],
]);

/**
 * The row of a type.
 *
 * @param {string} name
 * @throws TypeError for a type that this version does not know
 */
export function ruleType(name) {
  const type = RULE_TYPES.get(name);
  if (!type)
    throw new TypeError(`This version of the client does not know limit rules of the type ${name}. Update it.`);
  return type;
}

/** @type {(what: string, place: Parameters<RuleType["sentence"]>[0]) => string} */
function choose(what, { wanted, where, actual }) {
  return `Choose ${wanted} ${what} for ${where}; now there are ${actual}.`;
}

/** @type {(what: string, place: Parameters<RuleType["sentence"]>[0]) => string} */
function mustBe(what, { wanted, actual, unit }) {
  return `${what} must be ${wanted} ${unit}; now it is ${actual} ${unit}.`;
}

/** @type {MeasureEach} */
function measureEach(lines, naming) {
  /** @type {Map<string, Measured>} */
  const each = new Map();
  for (const line of lines) {
    const [subject, names] = naming(line);
    const key = JSON.stringify(names);
    each.set(key, { actual: add(each.get(key)?.actual ?? ZERO, fromInteger(line.count)), subject, names });
  }
  return [...each.values()];
}
