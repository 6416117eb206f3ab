/** Exact decimal numbers: whole numbers of the twelfth decimal, as BigInt. Money never passes through binary floating point. */

const PLACES = 12;
const DECIMAL = /^[0-9]+(\.[0-9]+)?$/;
/** So many units of `fromDecimal` are 1. */
export const ONE = 10n ** BigInt(PLACES);

/**
 * Whether this is text such as "12" or "12.50".
 *
 * @param {unknown} text
 */
export function isDecimal(text) {
  return typeof text === "string" && DECIMAL.test(text);
}

/**
 * The number that a decimal string names, in units of 10^-12; digits behind the twelfth decimal are cut off.
 *
 * @param {string} text
 * @returns {bigint}
 */
export function fromDecimal(text) {
  const [whole, fraction = ""] = text.split(".");
  return BigInt(whole + fraction.slice(0, PLACES).padEnd(PLACES, "0"));
}
