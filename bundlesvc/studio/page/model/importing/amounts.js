/** Amounts as people write them in tables: "12", "1,234.50", "1.234,50 €", "CHF 1'234.50". */

import { isSign, isSignOf } from "./currency-signs.js";

const AMOUNT = /^(?<before>\D*?)\s*(?<number>\d[\d.,'’\s]*)(?<after>\D*)$/u;
const GROUPED = /^\d{1,3}(?:([.,'’\s])\d{3})(?:\1\d{3})*$/u;

/** The maximum number of characters in an amount. */
const LONGEST = 60;

/** The maximum number of digits before the decimal mark: the service accepts amounts below 10^12. */
const MOST_DIGITS = 12;

/** @typedef {"." | "," | null} DecimalMark null where nothing says which it is */
/** @typedef {{ amount: string, fault?: undefined } | { fault: "no-price" | "which-price" | "large-price" } | { fault: "foreign-price", sign: string }} Reading */

/** The decimal mark of a column, if its amounts determine it. @param {readonly string[]} texts @returns {DecimalMark} */
export function decimalMark(texts) {
  const marks = new Set(texts.map((text) => /([.,])\d{1,2}$/.exec(partsOf(text).number)?.[1]).filter(Boolean));
  return marks.size === 1 ? /** @type {DecimalMark} */ ([...marks][0]) : null;
}

/**
 * Reads an amount in a shop's currency, with two decimal places. Faults: not an amount; an amount in another currency;
 * an ambiguous amount ("1,234" is more than a thousand if "." is the decimal mark, and less than two if "," is); an
 * amount too large for the service.
 *
 * @param {string} text
 * @param {string} currency
 * @param {DecimalMark} [mark]
 * @returns {Reading}
 */
export function readAmount(text, currency, mark = null) {
  const { number, signs } = partsOf(text);
  const sign = signs.find((each) => !isSignOf(each, currency));
  if (!number || (sign && !isSign(sign))) return { fault: "no-price" };
  if (sign) return { fault: "foreign-price", sign };
  const amount = plainAmount(number, mark);
  if (amount === null)
    return { fault: plainAmount(number, ".") === plainAmount(number, ",") ? "no-price" : "which-price" };
  return amount.indexOf(".") > MOST_DIGITS ? { fault: "large-price" } : { amount };
}

/** The number in a text, with the text before and after it; "" when there is none. @param {string} text */
function partsOf(text) {
  const { before = "", number = "", after = "" } = (text.length <= LONGEST && AMOUNT.exec(text.trim())?.groups) || {};
  return { number: number.trim(), signs: [before, after].map((sign) => sign.trim()).filter(Boolean) };
}

/**
 * The number with a point and two decimal places; null when the text is not a number, or when its decimal mark is
 * ambiguous.
 *
 * @param {string} number
 * @param {DecimalMark} mark
 */
function plainAmount(number, mark) {
  const [, decimals = ""] = /[.,](\d{1,2})$/.exec(number) ?? [];
  const whole = number.slice(0, number.length - (decimals ? decimals.length + 1 : 0));
  const [, separator] = GROUPED.exec(whole) ?? [];
  if (!separator && !/^\d+$/.test(whole)) return null;
  if (separator === number.at(-decimals.length - 1) && decimals) return null;
  if (!decimals && (separator === "." || separator === ",") && !isThousands(whole, separator, mark)) return null;
  return `${whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "")}.${decimals.padEnd(2, "0")}`;
}

/**
 * Whether a mark separates thousands: it occurs several times, or the other mark is known to be the decimal mark.
 *
 * @param {string} whole
 * @param {string} separator
 * @param {DecimalMark} mark
 */
function isThousands(whole, separator, mark) {
  return whole.split(separator).length > 2 || (mark !== null && mark !== separator);
}
