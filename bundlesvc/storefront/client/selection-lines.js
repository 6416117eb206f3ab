/** A selection as lines of identical units, the units to set aside, and measures of lines. */

import { ZERO, add, compare, fromInteger, fromUnits, multiply, parse, truncate } from "./decimal.js";

/** @import { AnswersOf, BareId, Exponent, FreeUnitsOf, Holds, IsOperation, Line, LinesOf } from "./internal.js" */
/** @import { LineVariant, Node, SetAside, StepFrom, Taken, Total, Without, WithoutAnswers } from "./internal.js" */
/** @import { FreeUnits, SelectedItem } from "./conditions.js" */

/** The maximum number of units in a selection. */
export const MAX_UNITS = 200;

// Each function takes the result of comparing the measure with the limit.
/** @type {ReadonlyMap<unknown, (order: number) => boolean>} */
const OPERATIONS = new Map([
  ["gt", (order) => order > 0],
  ["gte", (order) => order >= 0],
  ["lt", (order) => order < 0],
  ["lte", (order) => order <= 0],
  ["eq", (order) => order === 0],
]);

export const GRAMS_PER_UNIT = new Map([
  ["g", parse("1")],
  ["kg", parse("1000")],
  ["oz", parse("28.349523125")],
  ["lb", parse("453.59237")],
]);

const THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND".split(" ");
const NO_MINOR_UNIT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ");

/** @type {LinesOf} */
export function linesOf({ items, variants }, { country }) {
  /** @type {Map<string, Line>} */
  const lines = new Map();
  items.forEach((item, first) => {
    const unit = unitOf(item, first, variants.get(bareId(item.variant)), country);
    const key = JSON.stringify([unit.variantId, unit.productId, unit.sectionId, unit.answers]);
    const line = lines.get(key);
    if (line) line.count += 1;
    else lines.set(key, unit);
  });
  return [...lines.values()];
}

/**
 * @param {SelectedItem} item
 * @param {number} first
 * @param {LineVariant | undefined} variant
 * @param {string | null | undefined} country
 * @returns {Line}
 */
function unitOf(item, first, variant, country) {
  return {
    variantId: bareId(item.variant),
    productId: bareId(item.product),
    sectionId: item.section,
    answers: answersOf(item),
    first,
    variant,
    price: variant ? parse((country ? variant.priceInShopCurrency : null) ?? variant.price) : ZERO,
    grams: variant ? fromInteger(variant.grams) : ZERO,
    count: 1,
  };
}

/** @type {AnswersOf} */
export function answersOf(item) {
  return Object.entries(item.personalisation ?? {})
    .filter(([, answer]) => answer)
    .map(([key, answer]) => /** @type {const} */ ([key, String(answer)]))
    .sort(([one], [other]) => (one < other ? -1 : 1));
}

/** @type {WithoutAnswers} */
export function withoutAnswers(lines) {
  /** @type {Map<string, Line>} */
  const merged = new Map();
  for (const line of lines) {
    const key = `${line.variantId}/${line.sectionId}`;
    merged.set(key, { ...line, count: line.count + (merged.get(key)?.count ?? 0) });
  }
  return [...merged.values()];
}

/** @type {Total} */
export function totalCount(lines) {
  return fromInteger(lines.reduce((count, line) => count + line.count, 0));
}

/** @type {Total} */
export function totalPrice(lines) {
  return lines.reduce((sum, line) => add(sum, multiply(line.price, fromInteger(line.count))), ZERO);
}

/** @type {Total} */
export function totalGrams(lines) {
  return lines.reduce((sum, line) => add(sum, multiply(line.grams, fromInteger(line.count))), ZERO);
}

/** @type {BareId} */
export function bareId(id) {
  const text = String(id);
  return text.slice(text.lastIndexOf("/") + 1);
}

/** @type {SetAside} */
export function setAside(lines, freeItems) {
  const inTurn = [...lines].sort(byTurn);
  const left = new Map(lines.map((line) => [line, line.count]));
  return freeItems.flatMap((action) => takeFrom(inTurn, left, action));
}

/** @type {Without} */
export function without(lines, taken) {
  const left = new Map(lines.map((line) => [line, line.count]));
  for (const { line, count } of taken) left.set(line, (left.get(line) ?? 0) - count);
  return lines.map((line) => ({ ...line, count: left.get(line) ?? 0 })).filter((line) => line.count > 0);
}

/** @type {FreeUnitsOf} */
export function freeUnits(taken) {
  /** @type {Map<string, FreeUnits>} */
  const units = new Map();
  for (const { line, count, actionId } of taken) {
    const { variantId, sectionId } = line;
    const key = JSON.stringify([actionId, sectionId]);
    units.set(key, { variantId, sectionId, count: count + (units.get(key)?.count ?? 0), actionId });
  }
  return [...units.values()];
}

/**
 * @param {Line} one
 * @param {Line} other
 */
function byTurn(one, other) {
  return Math.sign(one.answers.length) - Math.sign(other.answers.length) || one.sectionId - other.sectionId;
}

/**
 * The units that one action sets aside. Reduces the counts in `left`.
 *
 * @param {readonly Line[]} inTurn
 * @param {Map<Line, number>} left
 * @param {Node} action
 * @returns {Taken[]}
 */
function takeFrom(inTurn, left, action) {
  const variantId = bareId(action.variantId);
  const taken = [];
  let wanted = action.quantity ?? 1;
  for (const line of inTurn.filter((one) => one.variantId === variantId)) {
    const there = left.get(line) ?? 0;
    const count = Math.min(wanted, there);
    if (count > 0) taken.push({ line, count, actionId: action.id });
    left.set(line, there - count);
    wanted -= count;
  }
  return taken;
}

/** @type {IsOperation} */
export function isOperation(operation) {
  return OPERATIONS.has(operation);
}

/** @type {Holds} */
export function holds(measured, operation, limit) {
  return OPERATIONS.get(operation)?.(compare(measured, limit)) ?? false;
}

/** @type {Exponent} */
export function exponent(currency) {
  return NO_MINOR_UNIT.includes(currency) ? 0 : 2;
}

/** @type {Exponent} */
export function presentmentExponent(currency) {
  return THREE_DECIMALS.includes(currency) ? 3 : exponent(currency);
}

/** @type {StepFrom} */
export function stepFrom(limit, decimals, beyond) {
  const below = truncate(limit, decimals);
  return !beyond && compare(below, limit) === 0 ? below : add(below, fromUnits(1n, decimals));
}
