/**
 * Exact decimal numbers, for money and weights: a whole number, and the number of its digits after the decimal point. Nothing
 * here uses binary floating point. Documentation: decimal.d.ts.
 */

/** @import { Decimal } from "./decimal.js" */

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

export const ZERO = fromUnits(0n, 0);

/** @type {typeof import("./decimal.js").isDecimal} */
export function isDecimal(text) {
  return typeof text === "string" && DECIMAL.test(text);
}

// JavaScript numbers are refused, because they may have lost digits.
/** @type {typeof import("./decimal.js").parse} */
export function parse(text) {
  const parts = typeof text === "string" && DECIMAL.exec(text);
  if (!parts) throw new TypeError(`${typeof text} ${String(text)} is not a decimal string such as "12" or "12.50"`);
  const [, sign, whole, fraction = ""] = parts;
  const units = BigInt(whole + fraction);
  return fromUnits(sign ? -units : units, fraction.length);
}

/** @type {typeof import("./decimal.js").fromInteger} */
export function fromInteger(number) {
  return fromUnits(BigInt(number), 0);
}

/** @type {typeof import("./decimal.js").fromUnits} */
export function fromUnits(units, scale) {
  return Object.freeze({ units, scale });
}

/** @type {typeof import("./decimal.js").add} */
export function add(left, right) {
  const scale = Math.max(left.scale, right.scale);
  return fromUnits(unitsAt(left, scale) + unitsAt(right, scale), scale);
}

/** @type {typeof import("./decimal.js").subtract} */
export function subtract(left, right) {
  return add(left, fromUnits(-right.units, right.scale));
}

/** @type {typeof import("./decimal.js").multiply} */
export function multiply(left, right) {
  return fromUnits(left.units * right.units, left.scale + right.scale);
}

/** @type {typeof import("./decimal.js").divide} */
export function divide(left, right, decimals) {
  const scale = Math.max(left.scale, right.scale);
  return fromUnits(halfUp(unitsAt(left, scale + decimals), unitsAt(right, scale)), decimals);
}

/** @type {typeof import("./decimal.js").compare} */
export function compare(left, right) {
  const { units } = subtract(left, right);
  if (units === 0n) return 0;
  return units < 0n ? -1 : 1;
}

// Rounds halves away from zero, like the service.
/** @type {typeof import("./decimal.js").round} */
export function round(number, decimals) {
  if (number.scale <= decimals) return number;
  return fromUnits(halfUp(number.units, 10n ** BigInt(number.scale - decimals)), decimals);
}

/** @type {typeof import("./decimal.js").truncate} */
export function truncate(number, decimals) {
  if (number.scale <= decimals) return number;
  return fromUnits(number.units / 10n ** BigInt(number.scale - decimals), decimals);
}

/** @type {typeof import("./decimal.js").toUnits} */
export function toUnits(number, decimals) {
  return unitsAt(round(number, decimals), decimals);
}

/** @type {typeof import("./decimal.js").toFixed} */
export function toFixed(number, decimals) {
  const units = toUnits(number, decimals);
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals > 0 ? `.${digits.slice(-decimals)}` : "";
  return `${units < 0n ? "-" : ""}${whole}${fraction}`;
}

/** @type {typeof import("./decimal.js").toPlain} */
export function toPlain(number) {
  const text = toFixed(number, number.scale);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * @param {bigint} units
 * @param {bigint} step
 */
function halfUp(units, step) {
  const isNegative = units < 0n !== step < 0n;
  const [size, whole] = [units, step].map((number) => (number < 0n ? -number : number));
  const rounded = (2n * size + whole) / (2n * whole);
  return isNegative ? -rounded : rounded;
}

/**
 * The number in whole units of a finer step: 1.5 in steps of 0.01 is 150.
 *
 * @param {Decimal} number
 * @param {number} scale
 */
function unitsAt(number, scale) {
  return number.units * 10n ** BigInt(scale - number.scale);
}
