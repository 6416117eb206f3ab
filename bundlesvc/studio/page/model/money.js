/** Amounts and dates in the language of the page. */

import { language } from "../words/words.js";

/** @param {string | number} amount @param {string} currency "" for an amount without one */
export function money(amount, currency) {
  const number = Number(amount);
  if (!currency) return number.toLocaleString(language(), { minimumFractionDigits: 2 });
  return number.toLocaleString(language(), { style: "currency", currency });
}

/** A list of amounts, as text. @param {string[]} amounts */
export function listed(amounts) {
  return new Intl.ListFormat(language(), { type: "conjunction" }).format(amounts);
}

/** @param {string | number} percentage */
export function percent(percentage) {
  return (Number(percentage) / 100).toLocaleString(language(), { style: "percent", maximumFractionDigits: 2 });
}

/** @param {string} time ISO 8601 @param {string} [timeZone] default: that of the browser */
export function moment(time, timeZone) {
  const zone = timeZone ? { timeZone } : {};
  return new Date(time).toLocaleString(language(), { dateStyle: "medium", timeStyle: "short", ...zone });
}

/** @param {string} time ISO 8601 */
export function timeOfDay(time) {
  return new Date(time).toLocaleTimeString(language(), { timeStyle: "medium" });
}

/** The name of a language or country; an unknown code is its own name. @param {"language" | "region"} type @param {string} code */
export function nameOf(type, code) {
  try {
    return new Intl.DisplayNames(language(), { type }).of(code) ?? code;
  } catch {
    return code;
  }
}
