/** Amounts as text for shoppers. */

import { decimal, priceFormatter } from "/storefront/client/client.js";

/** @typedef {import("../../storefront/client/client.js").Settings} Settings */

/** @type {ReturnType<typeof priceFormatter>} */
let write = (amount) => amount;

/** Sets the format of the shop's amounts. */
export function setMoney(/** @type {Settings} */ settings, /** @type {string} */ locale) {
  write = priceFormatter(settings, locale);
}

/**
 * @param {string} amount
 * @param {string} [currency] default: the shop's
 * @returns {string}
 */
export function money(amount, currency) {
  return write(amount, currency);
}

/** The difference between two amounts. @returns {string} */
export function less(/** @type {string} */ amount, /** @type {string} */ other) {
  return text(decimal.subtract(decimal.parse(amount), decimal.parse(other)));
}

/** The sum of amounts. @returns {string} */
export function sum(/** @type {readonly string[]} */ amounts) {
  return text(amounts.map(decimal.parse).reduce(decimal.add, decimal.ZERO));
}

/** The amount with two decimal places, or three if it has them. @returns {string} */
function text(/** @type {decimal.Decimal} */ amount) {
  return decimal.toFixed(amount, Math.max(2, amount.scale));
}
