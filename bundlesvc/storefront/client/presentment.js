/**
 * The price of a selection in its market's currency: the market's prices, reduced by the discount that was applied in
 * the shop's currency.
 */

import { ZERO, add, compare, divide, fromInteger, multiply, parse, subtract, toFixed } from "./decimal.js";
import { lesser, percentageOf } from "./pricing.js";
import { presentmentExponent, totalPrice } from "./selection-lines.js";

/** @import { PresentmentOf, ReductionInMarket, Total } from "./internal.js" */

const ONE = fromInteger(1);

/** @type {PresentmentOf} */
export function presentmentOf({ paid, granted }, priced, saving) {
  const units = [...paid, ...granted.map(({ line, count }) => ({ ...line, count }))];
  const { presentmentCurrency: currency, exchangeRate } = units[0]?.variant ?? {};
  if (!currency || currency === priced.pricing.currency) return null;
  if (units.some(({ variant }) => variant?.presentmentCurrency !== currency)) return null;
  const decimals = presentmentExponent(currency);
  const [amount, original] = [paid, units].map(marketTotal);
  // Without a fixed rate, use the rate at which the prices of these units were converted.
  const [per, worth] = exchangeRate ? [parse(exchangeRate), ONE] : [original, totalPrice(units)];
  const off = reduction(priced, amount, (value) => divide(multiply(value, per), worth, decimals), decimals);
  const left = subtract(amount, off);
  return {
    originalPrice: toFixed(original, decimals),
    discountedPrice: toFixed(subtract(left, percentageOf(left, parse(saving), decimals)), decimals),
    currency,
  };
}

/** @type {Total} */
function marketTotal(lines) {
  return lines.reduce(
    (sum, { variant, count }) => add(sum, multiply(parse(variant?.presentmentPrice ?? "0"), fromInteger(count))),
    ZERO,
  );
}

// Never more than the price of the units, and all of it where the discount takes everything off in the shop's currency.
/** @type {ReductionInMarket} */
function reduction({ applied: { type, value }, amount }, inMarket, convert, decimals) {
  if (type === "none") return ZERO;
  if (type === "fixed" && compare(value, amount) >= 0) return inMarket;
  if (type === "percentage") return percentageOf(inMarket, value, decimals);
  const converted = lesser(convert(value), inMarket);
  return type === "fixed" ? converted : subtract(inMarket, converted);
}
