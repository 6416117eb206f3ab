/** Amounts in the platform's money templates. */

import { parse, toFixed } from "./decimal.js";

/** The separator of thousands, the decimal point, and the number of decimals.
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

// Without tags, and with character references resolved.
function plainText(html) {
  return html.replace(/<[^>]*>/g, "").replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return CHARACTERS[name] ?? whole;
    return String.fromCodePoint(decimal ? Number(decimal) : parseInt(hex, 16));
  });
}
