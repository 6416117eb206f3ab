/** The price of a selection (one discount, then a subscription's percentage, each rounded once), and the next tier. */

import { ZERO, add, compare, divide, fromInteger, fromUnits, multiply, parse } from "./decimal.js";
import { round, subtract, toFixed, toPlain, toUnits } from "./decimal.js";
import { exponent, holds, stepFrom, totalCount, totalPrice, withoutAnswers } from "./selection-lines.js";

/** @import { DiscountedShare, Lesser, Line, NextTierOf, PercentageOf, PriceSelection } from "./internal.js" */
/** @import { Reduction, TierAhead } from "./internal.js" */
/** @import { DiscountType } from "./conditions.js" */
/** @import { Decimal } from "./decimal.js" */
/** @import { Discount, Tier } from "./wire.js" */

/** @type {Reduction} */
const NOTHING_OFF = { type: "none", value: ZERO, amount: ZERO };
const HUNDRED = parse("100");
const HUNDREDTH = parse("0.01");

/** @type {PriceSelection} */
export function priceSelection(own, { conditions, paid, granted }, currency, saving) {
  const lines = withoutAnswers(paid);
  const amount = totalPrice(lines);
  const fired = conditions.discount;
  const applied = fired
    ? reduction(fired.type, parse(fired.value), amount, currency)
    : bestReduction(own, valuesReached(own, lines, amount), amount, currency);
  const left = subtract(amount, applied.amount);
  const discounted = subtract(left, percentageOf(left, parse(saving), exponent(currency)));
  const free = totalPrice(granted.map(({ line, count }) => ({ ...line, count })));
  const pricing = {
    originalPrice: toFixed(add(amount, free), 2),
    discountedPrice: toFixed(discounted, 2),
    discountType: applied.type,
    discountValue: toFixed(applied.value, 2),
    currency,
  };
  return { pricing, lines, applied, amount, discounted, off: subtract(amount, discounted) };
}

/**
 * The discount's value, or the values of the tiers reached.
 *
 * @param {Discount | null} discount
 * @param {readonly Line[]} lines
 * @param {Decimal} amount
 * @returns {readonly string[]}
 */
function valuesReached(discount, lines, amount) {
  if (discount?.flatOrTiered !== "tiered") return discount ? [discount.value] : [];
  return discount.tiers
    .filter((tier) => holds(measureTier(tier, lines, amount), tier.operation, parse(tier.value)))
    .map((tier) => tier.discount);
}

/**
 * @param {Tier} tier
 * @param {readonly Line[]} lines
 * @param {Decimal} amount
 */
function measureTier(tier, lines, amount) {
  if (tier.type === "total_price") return amount;
  return tier.type === "bulk_buy" ? largestProductCount(lines) : totalCount(lines);
}

/** @param {readonly Line[]} lines */
function largestProductCount(lines) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const { productId, count } of lines) counts.set(productId, count + (counts.get(productId) ?? 0));
  return fromInteger(Math.max(0, ...counts.values()));
}

/**
 * The largest reduction that any of the values gives (the first, if several are equal) or, if the tiers add up, the
 * reduction by their sum.
 *
 * @param {Discount | null} discount
 * @param {readonly string[]} values
 * @param {Decimal} amount
 * @param {string} currency
 * @returns {Reduction}
 */
function bestReduction(discount, values, amount, currency) {
  if (!discount || (discount.minimum !== null && compare(amount, parse(discount.minimum)) < 0)) return NOTHING_OFF;
  const { type, flatOrTiered, operator } = discount;
  const numbers = values.map(parse);
  const addUp = flatOrTiered === "tiered" && operator === "cumulative" && type !== "price";
  return (addUp ? [numbers.reduce(add, ZERO)] : numbers)
    .map((value) => reduction(type, value, amount, currency))
    .reduce((best, one) => (compare(one.amount, best.amount) > 0 ? one : best), NOTHING_OFF);
}

/**
 * The reduction by one value. A discount that takes nothing off counts as not applied.
 *
 * @param {DiscountType} type
 * @param {Decimal} written
 * @param {Decimal} amount
 * @param {string} currency
 * @returns {Reduction}
 */
function reduction(type, written, amount, currency) {
  const decimals = exponent(currency);
  const isPercentage = type === "percentage";
  const value = isPercentage ? lesser(written, HUNDRED) : written;
  const least = lesser(value, amount);
  const off = isPercentage
    ? percentageOf(amount, value, decimals)
    : round(type === "fixed" ? least : subtract(amount, least), decimals);
  return compare(off, ZERO) > 0 ? { type, value, amount: off } : NOTHING_OFF;
}

/** @type {Lesser} */
export function lesser(one, other) {
  return compare(one, other) <= 0 ? one : other;
}

/** @type {PercentageOf} */
export function percentageOf(amount, percentage, decimals) {
  return round(multiply(multiply(amount, percentage), HUNDREDTH), decimals);
}

/** @type {DiscountedShare} */
export function discountedShare({ lines, off, pricing }, sectionId) {
  const decimals = exponent(pricing.currency);
  const byId = [...lines].sort((one, other) => +one.variantId - +other.variantId || one.sectionId - other.sectionId);
  const weights = byId.map((line) => toUnits(totalPrice([line]), decimals));
  const shares = allocate(toUnits(off, decimals), weights);
  const units = byId.map((line, place) => (line.sectionId === sectionId ? weights[place] - shares[place] : 0n));
  return fromUnits(sum(units), decimals);
}

/**
 * Splits `total` in proportion to the weights. Shares are rounded down; the rest goes to the largest fractions.
 *
 * @param {bigint} total
 * @param {readonly bigint[]} weights
 */
function allocate(total, weights) {
  const whole = sum(weights) || 1n;
  const shares = weights.map((weight) => (total * weight) / whole);
  const fractions = weights.map((weight) => (total * weight) % whole);
  const byFraction = [...weights.keys()].sort((one, other) => Number(fractions[other] - fractions[one]));
  for (const place of byFraction.slice(0, Number(total - sum(shares)))) shares[place] += 1n;
  return shares;
}

/** @param {readonly bigint[]} numbers */
function sum(numbers) {
  return numbers.reduce((total, number) => total + number, 0n);
}

/** @type {NextTierOf} */
export function nextTier(discount, lines, currency) {
  if (discount?.flatOrTiered !== "tiered") return null;
  const amount = totalPrice(lines);
  const reached = valuesReached(discount, lines, amount);
  const [nearest] = discount.tiers
    .map((tier) => ({ tier, there: measureTier(tier, lines, amount), target: targetOf(tier, currency) }))
    .filter((ahead) => canRise(ahead) && takesMoreOff(ahead, discount, reached, amount, currency))
    .sort(byDistance);
  if (!nearest) return null;
  const { type, discount: value, customText } = nearest.tier;
  const missing = toPlain(subtract(nearest.target, nearest.there));
  return { type, missing, discount: value, discountType: discount.type, customText };
}

/**
 * The smallest measure that reaches the tier.
 *
 * @param {Tier} tier
 * @param {string} currency
 */
function targetOf({ type, operation, value }, currency) {
  return stepFrom(parse(value), type === "total_price" ? exponent(currency) : 0, operation === "gt");
}

/**
 * Whether adding to the selection can reach the tier.
 *
 * @param {TierAhead} ahead
 */
function canRise({ tier, there, target }) {
  const isMet = { gt: true, gte: true, lt: false, lte: false, eq: compare(target, parse(tier.value)) === 0 };
  return isMet[tier.operation] && compare(there, target) < 0;
}

/**
 * Whether the tier would take more off. Units still to be added count at the average price of the selected units.
 *
 * @param {TierAhead} ahead
 * @param {Discount} discount
 * @param {readonly string[]} reached
 * @param {Decimal} amount
 * @param {string} currency
 */
function takesMoreOff({ tier, there, target }, discount, reached, amount, currency) {
  const isPrice = tier.type === "total_price";
  if (!isPrice && compare(there, ZERO) === 0)
    return discount.type === "price" || compare(parse(tier.discount), ZERO) > 0;
  const then = isPrice ? target : divide(multiply(amount, target), there, exponent(currency));
  const more = bestReduction(discount, [...reached, tier.discount], then, currency);
  return compare(more.amount, bestReduction(discount, reached, then, currency).amount) > 0;
}

/**
 * Compares tiers by the share of the target that is already met, then by the smaller target.
 *
 * @param {TierAhead} one
 * @param {TierAhead} other
 */
function byDistance(one, other) {
  return (
    compare(multiply(other.there, one.target), multiply(one.there, other.target)) || compare(one.target, other.target)
  );
}
