/** Amounts as text for shoppers. */

import { decimal, formatMoney } from "/storefront/client/client.js";

let moneyFormat = "{{amount}}";

/** Sets the shop's money template. */
export function setMoneyFormat(/** @type {string} */ format) {
  moneyFormat = format;
}

/** An amount in shop currency. @returns {string} */
export function money(/** @type {string} */ amount) {
  return formatMoney(amount, moneyFormat);
}

/** An amount in a market's currency. @returns {string} */
export function foreign(/** @type {string} */ amount, /** @type {string} */ currency) {
  const format = new Intl.NumberFormat(document.documentElement.lang, { style: "currency", currency });
  return format.format(/** @type {any} */ (amount)); // a string keeps every digit
}

/** An amount minus another. @returns {string} */
export function less(/** @type {string} */ amount, /** @type {string} */ other) {
  return decimal.toFixed(decimal.subtract(decimal.parse(amount), decimal.parse(other)), 2);
}

/** The sum of amounts. @returns {string} */
export function sum(/** @type {readonly string[]} */ amounts) {
  return decimal.toFixed(amounts.map(decimal.parse).reduce(decimal.add, decimal.ZERO), 2);
}
