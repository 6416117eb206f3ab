/**
 * Exact decimal numbers, for money and weights: a whole number, and how many of its digits are after the decimal point. Nothing
 * here uses binary floating point. decimal.d.ts has the documentation.
 */

const DECIMAL = /^(-?)([0-9]+)(?:\.([0-9]+))?$/;

export const ZERO = fromUnits(0n, 0);

export function isDecimal(text) {
  return typeof text === "string" && DECIMAL.test(text);
}

// JavaScript numbers are refused: they may have lost digits already.
export function parse(text) {
  const parts = typeof text === "string" && DECIMAL.exec(text);
  if (!parts) throw new TypeError(`${typeof text} ${String(text)} is not a decimal string such as "12" or "12.50"`);
  const [, sign, whole, fraction = ""] = parts;
  const units = BigInt(whole + fraction);
  return fromUnits(sign ? -units : units, fraction.length);
}

export function fromInteger(number) {
  return fromUnits(BigInt(number), 0);
}

export function fromUnits(units, scale) {
  return Object.freeze({ units, scale });
}

export function add(left, right) {
  const scale = Math.max(left.scale, right.scale);
  return fromUnits(unitsAt(left, scale) + unitsAt(right, scale), scale);
}

export function subtract(left, right) {
  return add(left, fromUnits(-right.units, right.scale));
}

export function multiply(left, right) {
  return fromUnits(left.units * right.units, left.scale + right.scale);
}

export function divide(left, right, decimals) {
  const scale = Math.max(left.scale, right.scale);
  return fromUnits(halfUp(unitsAt(left, scale + decimals), unitsAt(right, scale)), decimals);
}

export function compare(left, right) {
  const { units } = subtract(left, right);
  if (units === 0n) return 0;
  return units < 0n ? -1 : 1;
}

// Rounds halves away from zero, as the service does.
export function round(number, decimals) {
  if (number.scale <= decimals) return number;
  return fromUnits(halfUp(number.units, 10n ** BigInt(number.scale - decimals)), decimals);
}

export function truncate(number, decimals) {
  if (number.scale <= decimals) return number;
  return fromUnits(number.units / 10n ** BigInt(number.scale - decimals), decimals);
}

export function toUnits(number, decimals) {
  return unitsAt(round(number, decimals), decimals);
}

export function toFixed(number, decimals) {
  const units = toUnits(number, decimals);
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = decimals > 0 ? `.${digits.slice(-decimals)}` : "";
  return `${units < 0n ? "-" : ""}${whole}${fraction}`;
}

export function toPlain(number) {
  const text = toFixed(number, number.scale);
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

function halfUp(units, step) {
  const isNegative = units < 0n !== step < 0n;
  const [size, whole] = [units, step].map((number) => (number < 0n ? -number : number));
  const rounded = (2n * size + whole) / (2n * whole);
  return isNegative ? -rounded : rounded;
}

// The number in whole units of a finer step: 1.5 in steps of 0.01 is 150.
function unitsAt(number, scale) {
  return number.units * 10n ** BigInt(scale - number.scale);
}
