/**
 * The price of a bundle by its number of units, when all units are of one product. It is computed by the storefront
 * client, in the same way as by the service.
 */

import { fromInteger, isDecimal, parse } from "../../../storefront/client/decimal.js";
import { priceSelection } from "../../../storefront/client/pricing.js";

/** @import { Line } from "../../../storefront/client/internal.js" */
/** @import { Discount as ServedDiscount } from "../../../storefront/client/wire.js" */
/** @import { Bundle, Discount, Tier } from "../types.js" */

const FEWEST = 6;
const MOST = 30;

/** @typedef {{ units: number, full: string, paid: string }} Point the full and the discounted price, in the shop's currency */

/** @param {Discount} discount */
export function isTiered(discount) {
  return (discount.flatOrTiered ?? (discount.tiers?.length ? "tiered" : "flat")) === "tiered";
}

/**
 * The prices from one unit to a few more than the largest limit.
 *
 * @param {Bundle} bundle
 * @param {string} price of a unit
 * @param {string} currency
 * @returns {Point[]}
 */
export function pointsOf({ discount, limitRules = [] }, price, currency) {
  if (!discount) return [];
  const served = asServed(discount);
  const limits = served.tiers.map(({ type, value }) => Number(value) / (type === "total_price" ? Number(price) : 1));
  const rules = limitRules.filter(({ type }) => type === "total-number-of-products").map(({ value }) => Number(value));
  const most = Math.min(MOST, Math.max(FEWEST, ...[...limits, ...rules].map((limit) => Math.ceil(limit) + 2)));
  return Array.from({ length: most }, (_, place) => pointOf(place + 1, served, price, currency));
}

/** @param {number} units @param {ServedDiscount} discount @param {string} price @param {string} currency @returns {Point} */
function pointOf(units, discount, price, currency) {
  /** @type {Line} */
  const line = {
    variantId: "1",
    productId: "1",
    sectionId: 1,
    answers: [],
    first: 0,
    variant: undefined,
    price: parse(price),
    grams: fromInteger(0),
    count: units,
  };
  const outcome = { conditions: { discount: null }, paid: [line], granted: [] };
  const { pricing } = priceSelection(discount, outcome, currency, "0");
  return { units, full: pricing.originalPrice, paid: pricing.discountedPrice };
}

/**
 * A discount in the form in which the API returns it, without incomplete tiers and amounts.
 *
 * @param {Discount} discount
 * @returns {ServedDiscount}
 */
function asServed(discount) {
  const { type, value = "", minimum = "", operator = "max", tiers = [] } = discount;
  const isComplete = (/** @type {Tier} */ tier) => isDecimal(tier.value) && isDecimal(tier.discount);
  return {
    type,
    value: isDecimal(value) ? value : "0",
    flatOrTiered: isTiered(discount) ? "tiered" : "flat",
    minimum: isDecimal(minimum) ? minimum : null,
    operator,
    tiers: tiers.filter(isComplete).map((tier) => ({ customText: null, ...tier })),
  };
}
