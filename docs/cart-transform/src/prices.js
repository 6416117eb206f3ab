/** The percentage of a discount, and whether the lines still cost what it was made for. */

import { fromDecimal, ONE } from "./decimal.js";

/** Eight decimals: up to 99 million the discounted amount comes out exact to the cent, wherever halves are rounded to. */
const PLACES = 8;
const STEPS = 10n ** BigInt(PLACES);

const NO_MINOR_UNIT = "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF".split(" ");

/**
 * What must be taken off `original`, in percent, as a decimal string: (original − discounted) / original, half up. "0" when
 * there is nothing to take off.
 *
 * @param {import("./discount.js").Claims} claims
 * @returns {string}
 */
export function percentageOff({ original, discounted }) {
  const whole = fromDecimal(original);
  const off = whole - fromDecimal(discounted);
  if (off <= 0n) {
    return "0";
  }
  const steps = (off * 100n * STEPS * 2n + whole) / (whole * 2n);
  const fraction = String(steps % STEPS).padStart(PLACES, "0").replace(/0+$/, "");
  return `${steps / STEPS}${fraction && "."}${fraction}`;
}

/**
 * Whether the lines come to what the discount was made for. In the shop's own currency that is the very amount. In another
 * one the sum of the lines is divided by the rate; it may differ by half a minor unit of the shop's currency for each unit,
 * because each unit was rounded by itself.
 *
 * @param {import("./discount.js").Claims} claims
 * @param {readonly import("./cart.js").Line[]} lines
 * @param {{rate: string, checkMarketPrices: boolean}} market market currency per shop currency; whether prices in it are
 *   looked at
 */
export function pricesHold(claims, lines, { rate, checkMarketPrices }) {
  const original = fromDecimal(claims.original);
  const sum = lines.reduce((total, line) => total + fromDecimal(line.unitPrice) * BigInt(line.quantity), 0n);
  if (lines.every((line) => line.currency === claims.currency)) {
    return sum === original;
  }
  if (!checkMarketPrices) {
    return true;
  }
  const units = BigInt(lines.reduce((total, line) => total + line.quantity, 0));
  const halfUnit = NO_MINOR_UNIT.includes(claims.currency) ? ONE / 2n : ONE / 200n;
  const difference = sum * ONE - original * fromDecimal(rate);
  const allowed = halfUnit * units * fromDecimal(rate);
  return difference <= allowed && difference >= -allowed;
}
