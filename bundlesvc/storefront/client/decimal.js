/**
 * Exact decimal numbers, for money and weights: a decimal string of the API as a whole number of its last digit's unit, and
 * how many digits stand behind the point. Nothing here passes through binary floating point.
 */

/** @typedef {import("./decimal.d.ts").Decimal} Decimal */

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

export const ZERO = decimal(0n, 0);

/**
 * Whether this is text such as "12", "12.50" or "-0.5".
 *
 * @param {unknown} text
 * @returns {text is string}
 */
export function isDecimal(text) {
  return typeof text === "string" && DECIMAL.test(text);
}

/**
 * The number that a decimal string names. A JavaScript number is refused: it may have lost digits already.
 *
 * @param {string} text
 * @returns {Decimal}
 * @throws {TypeError} when it is no such text
 */
export function parse(text) {
  const parts = typeof text === "string" ? DECIMAL.exec(text) : null;
  if (!parts) {
    throw new TypeError(`${typeof text} ${String(text)} is no decimal string such as "12" or "12.50"`);
  }
  const [, sign, whole, fraction = ""] = parts;
  const units = BigInt(whole + fraction);
  return decimal(sign ? -units : units, fraction.length);
}

/**
 * @param {number | bigint} number a whole number
 * @returns {Decimal}
 * @throws {RangeError} when it has a fraction
 */
export function fromInteger(number) {
  return decimal(BigInt(number), 0);
}

/**
 * @param {Decimal} left
 * @param {Decimal} right
 * @returns {Decimal}
 */
export function add(left, right) {
  const scale = Math.max(left.scale, right.scale);
  return decimal(unitsAt(left, scale) + unitsAt(right, scale), scale);
}

/**
 * @param {Decimal} left
 * @param {Decimal} right
 * @returns {Decimal}
 */
export function subtract(left, right) {
  return add(left, decimal(-right.units, right.scale));
}

/**
 * @param {Decimal} left
 * @param {Decimal} right
 * @returns {Decimal}
 */
export function multiply(left, right) {
  return decimal(left.units * right.units, left.scale + right.scale);
}

/**
 * The order of two numbers: below 0 when `left` is the smaller, 0 when they are equal ("3" equals "3.00"), else above 0.
 *
 * @param {Decimal} left
 * @param {Decimal} right
 * @returns {-1 | 0 | 1}
 */
export function compare(left, right) {
  const { units } = subtract(left, right);
  if (units === 0n) return 0;
  return units < 0n ? -1 : 1;
}

/**
 * The number with at most `decimals` digits behind the point, rounded half up (a half goes away from zero), as the service
 * rounds amounts.
 *
 * @param {Decimal} number
 * @param {number} decimals
 * @returns {Decimal}
 */
export function round(number, decimals) {
  if (number.scale <= decimals) return number;
  const step = 10n ** BigInt(number.scale - decimals);
  const size = number.units < 0n ? -number.units : number.units;
  const rounded = (size + step / 2n) / step;
  return decimal(number.units < 0n ? -rounded : rounded, decimals);
}

/**
 * Text with exactly `decimals` digits behind the point, rounded: amounts on the wire have two.
 *
 * @param {Decimal} number
 * @param {number} decimals
 * @returns {string}
 */
export function toFixed(number, decimals) {
  const units = unitsAt(round(number, decimals), decimals);
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals > 0 ? `.${digits.slice(-decimals)}` : "";
  return `${units < 0n ? "-" : ""}${whole}${fraction}`;
}

/**
 * Text without trailing zeros: "1.3", "12", "0".
 *
 * @param {Decimal} number
 * @returns {string}
 */
export function toPlain(number) {
  const text = toFixed(number, number.scale);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/**
 * @param {bigint} units
 * @param {number} scale
 * @returns {Decimal}
 */
function decimal(units, scale) {
  return Object.freeze({ units, scale });
}

/**
 * The number in whole units of a finer step: 1.5 in steps of 0.01 is 150.
 *
 * @param {Decimal} number
 * @param {number} scale at least the number's own
 * @returns {bigint}
 */
function unitsAt(number, scale) {
  return number.units * 10n ** BigInt(scale - number.scale);
}
