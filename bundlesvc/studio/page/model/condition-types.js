/** The tests and actions that the editor offers, and the default node of each type. */

import { ACTION_TYPES, CONDITION_TYPES } from "../../../storefront/client/condition-types.js";

/** @import { Node } from "../types.js" */

/**
 * A type that the editor does not offer, because the number of units of the whole selection, restricted to a section,
 * measures the same.
 */
const ONLY_IN_FILE = "section-quantity";

export const TEST_TYPES = [...CONDITION_TYPES.keys()].filter((name) => name !== ONLY_IN_FILE);
export const ACTIONS = [...ACTION_TYPES.keys()];

/**
 * The fields that a test has in addition to its type, for each test of a fact about the shopper.
 *
 * @type {ReadonlyMap<string, Partial<Node>>}
 */
const FACTS = new Map([
  ["country", { operation: "eq", value: "DE" }],
  ["subscription-chosen", {}],
]);

/** @typedef {(first: { product: string, section: number }, text: string) => Partial<Node>} Effect */

/** The fields of an action in addition to its type. */
const EFFECTS = new Map(
  /** @type {[string, Effect][]} */ ([
    ["discount", () => ({ discount: { type: "percentage", value: "10.00" } })],
    ["free-item", () => ({ variantId: "", quantity: 1 })],
    ["message", (_first, text) => ({ text })],
    ["hide-section", ({ section }) => ({ sectionId: section })],
    ["hide-product", ({ product }) => ({ productId: product })],
    ["goto-section", ({ section }) => ({ sectionId: section })],
    ["block-cart", (_first, text) => ({ text })],
  ]),
);

/** @param {string} type */
export function isKnownTest(type) {
  return CONDITION_TYPES.has(type);
}

/** The key with the product or variant of a test, if its type has one. @param {string} type */
export function subjectOf(type) {
  const row = rowOf(CONDITION_TYPES, type);
  return "test" in row ? undefined : row.of;
}

/** The key of the translated sentence that describes a test of this type. @param {string} type */
export function sentenceOf(type) {
  if (FACTS.has(type)) return `test-sentence-${type}`;
  return subjectOf(type) ? "test-sentence-thing" : "test-sentence";
}

/**
 * The test converted to another type, with the fields of that type.
 *
 * @param {Node} test
 * @param {string} type
 * @param {{ productId: string, variantId: string }} first what it may be about
 * @returns {Node}
 */
export function testOfType({ id, kind, operation = "gte", value = "3" }, type, first) {
  const base = { id, kind, type };
  if ("test" in rowOf(CONDITION_TYPES, type)) return { ...base, ...rowOf(FACTS, type) };
  const own = { ...base, operation, value: Number.isNaN(Number(value)) ? "3" : value };
  const subject = subjectOf(type);
  return subject ? { ...own, [subject]: first[subject] } : own;
}

/**
 * The action converted to another type, with the fields of that type.
 *
 * @param {Node} action
 * @param {string} type
 * @param {{ product: string, section: number }} first what it may be about
 * @returns {Node}
 */
export function actionOfType({ id, kind, when, text = "" }, type, first) {
  const base = when === undefined ? { id, kind, type } : { id, kind, type, when };
  return { ...base, ...rowOf(EFFECTS, type)(first, text) };
}

/**
 * @template T
 * @param {ReadonlyMap<string, T>} rows
 * @param {string} type
 */
function rowOf(rows, type) {
  const row = rows.get(type);
  if (row === undefined) throw new TypeError(`The editor does not know the type ${type}.`);
  return row;
}
