/** A selection as text for a link (docs/client.md#links). */

import { MAX_UNITS, answersOf, bareId } from "./selection-lines.js";

/** @import { LineText, Numbers, PartsOf, Plan, ReadLine } from "./internal.js" */
/** @import { ShopperSelection, SubscriptionChoice } from "./client.js" */

const VERSION = "1";
const MAX_LENGTH = 40_000;
// Starts with a capital letter, so that it cannot be confused with a number.
const PLAN = "P.";
const UNITS = /** @type {const} */ (["day", "week", "month", "year"]);

export class SelectionTextError extends Error {
  name = /** @type {const} */ ("SelectionTextError");

  /**
   * @param {string} message
   * @param {string} text
   * @param {unknown} cause
   */
  constructor(message, text, cause) {
    super(message, { cause });
    this.text = text;
  }
}

/** @type {typeof import("./client.js").encodeSelection} */
export function encodeSelection({ items, subscription }) {
  /** @type {{ text: string, count: number }[]} */
  const lines = [];
  for (const item of items) {
    const text = lineText(item);
    const last = lines.at(-1);
    if (last?.text === text) last.count += 1;
    else lines.push({ text, count: 1 });
  }
  const plan = subscription ? [planText(subscription)] : [];
  return [VERSION, ...lines.map(({ text, count }) => `${short(count)}.${text}`), ...plan].join("~");
}

/** @type {typeof import("./client.js").decodeSelection} */
export function decodeSelection(text) {
  try {
    return selectionOf(partsOf(text));
  } catch (cause) {
    const reason = cause instanceof RangeError ? cause.message : "This is not the text of a selection.";
    throw new SelectionTextError(reason, String(text).slice(0, 200), cause);
  }
}

/** @type {PartsOf} */
function partsOf(text) {
  if (typeof text !== "string") return broken();
  if (text.length > MAX_LENGTH) throw new RangeError(`A selection has up to ${MAX_LENGTH} characters.`);
  const [version, ...parts] = text.split("~");
  if (version === VERSION) return parts;
  if (!/^\d{1,3}$/.test(version)) return broken();
  throw new RangeError(`The selection has the version ${version}; this client reads ${VERSION}.`);
}

/**
 * @param {readonly string[]} parts
 * @returns {ShopperSelection}
 */
function selectionOf(parts) {
  const last = parts.at(-1);
  const plan = last?.startsWith(PLAN) ? planOf(last) : null;
  const items = [];
  for (const part of plan ? parts.slice(0, -1) : parts) {
    const { count, item } = lineOf(part);
    if (items.length + count > MAX_UNITS) throw new RangeError(`A selection has up to ${MAX_UNITS} units.`);
    for (let left = count; left > 0; left -= 1) items.push(item);
  }
  return plan ? { items, subscription: plan } : { items };
}

/** @type {LineText} */
function lineText(item) {
  const ids = [short(bareId(item.variant), 1), short(bareId(item.product), 1), short(item.section)];
  const answers = answersOf(item);
  return (answers.length ? [...ids, packed(Object.fromEntries(answers))] : ids).join(".");
}

/** @type {ReadLine} */
function lineOf(part) {
  const [count, variant, product, section, answers, ...more] = part.split(".");
  if (more.length) broken();
  const item = { variant: id(variant), product: id(product), section: long(section) };
  const personalisation = answers === undefined ? null : unpacked(answers);
  return { count: long(count) || broken(), item: personalisation ? { ...item, personalisation } : item };
}

/** @param {SubscriptionChoice} choice */
function planText({ id, frequency, unit }) {
  return PLAN + [short(id, 1), short(frequency, 1), short(UNITS.indexOf(unit))].join(".");
}

/** @type {Plan} */
function planOf(part) {
  const [, group, frequency, place, ...more] = part.split(".");
  if (more.length) broken();
  return { id: long(group) || broken(), frequency: long(frequency) || broken(), unit: UNITS[long(place)] ?? broken() };
}

/** @param {string | undefined} text */
const id = (text) => String(long(text) || broken());

// Numbers have up to eleven digits of base 36.
/** @type {Numbers["short"]} */
function short(value, least = 0) {
  const number = Number(value);
  if (!Number.isSafeInteger(number) || number < least) throw new TypeError(`${value} is not a number from ${least}.`);
  return number.toString(36);
}

/** @type {Numbers["long"]} */
function long(text) {
  const number = text && /^(0|[1-9a-z][0-9a-z]{0,10})$/.test(text) ? parseInt(text, 36) : NaN;
  return Number.isSafeInteger(number) ? number : broken();
}

/** @param {Readonly<Record<string, string>>} answers */
function packed(answers) {
  const bytes = new TextEncoder().encode(JSON.stringify(answers));
  const text = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return text.replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/**
 * @param {string} text
 * @returns {Readonly<Record<string, string>>}
 */
function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (byte) => byte.charCodeAt(0));
  const answers = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  const isPlain = typeof answers === "object" && answers !== null && !Array.isArray(answers);
  return isPlain && Object.values(answers).every((answer) => typeof answer === "string") ? answers : broken();
}

/** @returns {never} */
function broken() {
  throw new TypeError("A part of the text is broken.");
}
