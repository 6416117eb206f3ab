/** Formats amounts as text: with the platform's money templates, or as is usual in a language. */

import { parse, toFixed } from "./decimal.js";
import { presentmentExponent } from "./selection-lines.js";

/** The separator of thousands, the decimal point, and the number of decimal places.
 * @type {Readonly<Record<string, readonly [thousands: string, point: string, decimals: number]>>} */
const STYLES = {
  amount: [",", ".", 2],
  amount_no_decimals: [",", "", 0],
  amount_with_comma_separator: [".", ",", 2],
  amount_no_decimals_with_comma_separator: [".", "", 0],
  amount_with_apostrophe_separator: ["'", ".", 2],
  amount_no_decimals_with_space_separator: [" ", "", 0],
  amount_with_space_separator: [" ", ",", 2],
  amount_with_period_and_space_separator: [" ", ".", 2],
};

/** @type {Readonly<Record<string, string>>} */
const CHARACTERS = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\xa0", euro: "€", pound: "£", yen: "¥", cent: "¢" };

/** @type {typeof import("./client.js").formatMoney} */
export function formatMoney(amount, moneyFormat) {
  const number = parse(amount);
  return plainText(moneyFormat).replace(/\{\{\s*(\w+)\s*\}\}/g, (_, name) => {
    const [thousands, point, decimals] = STYLES[name] ?? STYLES.amount;
    const [whole, fraction] = toFixed(number, decimals).split(".");
    return whole.replace(/\B(?=(\d{3})+$)/g, thousands) + (fraction ? point + fraction : "");
  });
}

// The template of a shop that has set none. It has no currency, and separators of no particular language.
const NOT_SET = /^\s*\{\{\s*amount\s*\}\}\s*$/;

/** @type {typeof import("./client.js").priceFormatter} */
export function priceFormatter({ currency: own, moneyFormat }, locale) {
  /** @type {Map<string, Intl.NumberFormat>} */
  const formats = new Map(); // making one takes longer than a hundred uses
  const isSet = !NOT_SET.test(moneyFormat);
  return (amount, currency = own) => {
    if (isSet && currency === own) return formatMoney(amount, moneyFormat);
    const digits = presentmentExponent(currency);
    const set = {
      style: /** @type {const} */ ("currency"),
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    };
    const format = formats.get(currency) ?? new Intl.NumberFormat(locale, { ...set, currency });
    formats.set(currency, format);
    return format.format(/** @type {Intl.StringNumericLiteral} */ (toFixed(parse(amount), digits))); // a string keeps every digit
  };
}

/**
 * The text without tags, with character references resolved.
 *
 * @param {string} html
 */
function plainText(html) {
  return html.replace(/<[^>]*>/g, "").replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return CHARACTERS[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex, 16));
  });
}
