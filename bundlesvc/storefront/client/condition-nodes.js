/**
 * The kinds of nodes and types of conditions that this version knows: what each measures, and when it holds.
 */

import { ZERO, compare, isDecimal, multiply, parse } from "./decimal.js";
import { bareId, totalCount, totalGrams, totalPrice } from "./selection-lines.js";

/** @typedef {import("./decimal.d.ts").Decimal} Decimal */
/** @typedef {import("./conditions.d.ts").Facts} Facts */
/** @typedef {import("./selection-lines.js").Line} Line */

/**
 * A node as it was sent: its fields are read by name, once its kind and type are known.
 * @typedef {{ readonly id: string, readonly kind: string, readonly [field: string]: any }} Node
 */

/**
 * What each operation asks of the order of what is measured to the limit.
 * @type {ReadonlyMap<string, (order: number) => boolean>}
 */
const OPERATIONS = new Map([
  ["gt", (order) => order > 0],
  ["gte", (order) => order >= 0],
  ["lt", (order) => order < 0],
  ["lte", (order) => order <= 0],
  ["eq", (order) => order === 0],
]);

/** @type {ReadonlyMap<string, Decimal>} */
const GRAMS_PER_UNIT = new Map([
  ["g", parse("1")],
  ["kg", parse("1000")],
  ["oz", parse("28.349523125")],
  ["lb", parse("453.59237")],
]);

/**
 * What each condition measures on the lines of its scope.
 * @type {ReadonlyMap<string, (lines: readonly Line[], node: Node) => Decimal>}
 */
const MEASURES = new Map([
  ["total-products", (lines) => totalCount(lines)],
  ["total-price", (lines) => totalPrice(lines)],
  ["total-weight", (lines) => totalGrams(lines)],
  [
    "product-quantity",
    (lines, node) => totalCount(lines.filter((line) => line.productId === bareId(node.productId))),
  ],
  [
    "variant-selected",
    (lines, node) => totalCount(lines.filter((line) => line.variantId === bareId(node.variantId))),
  ],
  ["section-quantity", (lines) => totalCount(lines)],
]);

/**
 * Conditions that look at the shopper instead of the lines.
 * @type {ReadonlyMap<string, (facts: Facts, node: Node) => boolean>}
 */
const QUESTIONS = new Map([
  ["country", (facts, node) => facts.country?.toUpperCase() === node.value.toUpperCase()],
  ["subscription-chosen", (facts) => facts.subscribed === true],
]);

const GROUP_MODES = new Set(["all", "any", "none"]);
const DISCOUNT_TYPES = new Set(["percentage", "fixed", "price"]);

/**
 * What must be known of each action beside its type.
 * @type {ReadonlyMap<string, (node: Node) => boolean>}
 */
const ACTIONS = new Map([
  ["discount", (node) => DISCOUNT_TYPES.has(node.discount?.type)],
  ["free-item", (node) => Number.isSafeInteger(quantityOf(node)) && quantityOf(node) > 0],
  ["message", () => true],
  ["hide-section", () => true],
  ["hide-product", () => true],
  ["goto-section", () => true],
  ["block-cart", () => true],
]);

/**
 * @param {Node} node
 * @returns {boolean}
 */
export function isAction(node) {
  return node.kind === "action";
}

/**
 * How many units a free-item action grants at most.
 *
 * @param {Node} node
 * @returns {number}
 */
export function quantityOf(node) {
  return node.quantity ?? 1;
}

/**
 * Whether this version knows all that it must of a node to run it.
 *
 * @param {Node} node
 * @param {Facts} facts
 * @returns {boolean}
 */
export function canRun(node, facts) {
  switch (node.kind) {
    case "condition":
      return QUESTIONS.has(node.type) ? canAsk(node) : canMeasure(node, facts);
    case "group":
      return GROUP_MODES.has(node.mode);
    case "action":
      return ACTIONS.get(node.type)?.(node) ?? false;
    default:
      return false;
  }
}

/**
 * @param {Node} node
 * @returns {boolean}
 */
function canAsk(node) {
  return node.type !== "country" || (typeof node.value === "string" && (node.operation ?? "eq") === "eq");
}

/**
 * @param {Node} node
 * @param {Facts} facts
 * @returns {boolean}
 */
function canMeasure(node, facts) {
  return (
    MEASURES.has(node.type) &&
    OPERATIONS.has(operationOf(node)) &&
    isDecimal(valueOf(node)) &&
    (node.type !== "total-weight" || GRAMS_PER_UNIT.has(facts.weightUnit))
  );
}

/**
 * Whether a condition that can be run holds.
 *
 * @param {Node} node
 * @param {readonly Line[]} lines
 * @param {Facts} facts
 * @returns {boolean}
 */
export function conditionHolds(node, lines, facts) {
  const ask = QUESTIONS.get(node.type);
  if (ask) return ask(facts, node);
  const scoped = node.sectionId == null ? lines : lines.filter((line) => line.sectionId === node.sectionId);
  const measured = MEASURES.get(node.type)?.(scoped, node) ?? ZERO;
  return OPERATIONS.get(operationOf(node))?.(compare(measured, limitOf(node, facts))) ?? false;
}

/**
 * What a condition compares with, in the unit that is measured: grams for weights.
 *
 * @param {Node} node
 * @param {Facts} facts
 * @returns {Decimal}
 */
function limitOf(node, facts) {
  const value = parse(valueOf(node));
  const factor = node.type === "total-weight" ? GRAMS_PER_UNIT.get(facts.weightUnit) : undefined;
  return factor ? multiply(value, factor) : value;
}

/**
 * @param {Node} node
 * @returns {string}
 */
function operationOf(node) {
  return node.operation ?? "gte";
}

/**
 * @param {Node} node
 * @returns {string}
 */
function valueOf(node) {
  return node.value ?? "1";
}
