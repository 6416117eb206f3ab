/** Finds faults in a row of a table. No product can be created from a row with a fault. */

import { readAmount } from "./amounts.js";
import { htmlOf } from "./cells.js";

/** @import { DecimalMark } from "./amounts.js" */
/** @import { Cells } from "./cells.js" */
/** @import { Column, Columns } from "./columns.js" */
/** @import { Row } from "./csv.js" */

/**
 * @typedef {"open-quote" | "stray-quote" | "more-cells" | "no-title" | "too-long" | "hidden" | "no-price" | "which-price" | "large-price"
 *   | "foreign-price" | "no-quantity" | "no-grams" | "no-image" | "twice" | "sku-twice" | "sku-taken"} Code
 */
/**
 * @typedef {{ code: Code, cell: string, column?: Column, limit?: number, sign?: string, first?: number }} Found `column` and `limit` are
 *   those of a text, `sign` is that of another currency, `first` the line that has the SKU already
 */
/** @typedef {{ separator: string, names: number, width: number }} Shape `names` is how many cells the header has, `width` without the last ones that are empty */
/**
 * @typedef {{
 *   shape: Shape, columns: Columns, currency: string, mark: DecimalMark,
 *   variants: ReadonlyMap<string, ReadonlySet<string>>, skus: ReadonlyMap<string, number | null>,
 * }} Known
 *   The table, and what was read before: the variants of each title, and the line of each SKU; null for one that the shop has
 */

/** The lengths and characters that a shop file allows (docs/shop-file.md#products). */
const SHORT = 255;
const LONG = 100_000;
const HIDDEN_IN_LINE = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;
const HIDDEN_IN_LINES = /(?![\t\n])[\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

const LINES = /** @type {const} */ (["title", "variant", "sku", "handle"]);
const ADDRESS = /^(?:https?:\/\/[^\s/]|\/(?!\/))\S*$/i;
const ONLY_JOINERS = /^[\u200C\u200D]*$/;

/**
 * The first fault of a row; null when there is none.
 *
 * @param {Row} row
 * @param {Cells} cells
 * @param {Known} known
 * @returns {Found | null}
 */
export function faultOf(row, cells, known) {
  return (
    quoteFault(row, known) ??
    widthFault(row, known) ??
    textFault(cells) ??
    priceFault(cells, known) ??
    numberFault(cells) ??
    imageFault(cells) ??
    repetition(cells, known)
  );
}

/** @param {Row} row @param {Known} known @returns {Found | null} */
function quoteFault(row, known) {
  const code = row.fault ?? (isMerged(row, known) ? "open-quote" : null);
  return code && { code, cell: "" };
}

/**
 * Whether a quotation mark in a later row has closed a quotation that this row opened. In this case, the first line of
 * a cell ends a row with a price in the right column, or the last line begins a row that is as wide as the table.
 *
 * @param {Row} row
 * @param {Known} known
 */
function isMerged({ cells }, { shape, columns, currency }) {
  const place = cells.findIndex((cell) => cell.includes("\n"));
  if (place === -1) return false;
  const lines = (cells[place] ?? "").split("\n").map((line) => line.split(shape.separator));
  const [first = [], last = []] = [lines[0], lines.at(-1)];
  const isPrice = (/** @type {string} */ text = "") => readAmount(text, currency).fault !== "no-price";
  const isWide = last.length + cells.length - place - 1 >= shape.width;
  return (place <= columns.price && isPrice(first[columns.price - place])) || (isWide && isPrice(last[columns.price]));
}

/**
 * The fault of a row with more cells than the header, because it is then unknown to which column each cell belongs. An
 * additional cell that is empty counts only if the price seems to be split at its comma.
 *
 * @param {Row} row
 * @param {Known} known
 * @returns {Found | null}
 */
function widthFault({ cells }, { shape, columns }) {
  const [price = "", after = ""] = cells.slice(columns.price);
  const isSplit = shape.separator === "," && /\d$/.test(price) && /^\d\d(?!\d)/.test(after);
  const isTooWide = cells.slice(shape.width).some((cell) => cell.trim()) || (cells.length > shape.names && isSplit);
  return isTooWide ? { code: "more-cells", cell: "" } : null;
}

/** @param {Cells} cells @returns {Found | null} */
function textFault(cells) {
  if (ONLY_JOINERS.test(cells.title)) return { code: "no-title", cell: "" };
  for (const column of LINES) {
    if (HIDDEN_IN_LINE.test(cells[column])) return { code: "hidden", cell: cells[column], column };
    if (isLonger(cells[column], SHORT)) return { code: "too-long", cell: cells[column], column, limit: SHORT };
  }
  const { description: cell } = cells;
  if (HIDDEN_IN_LINES.test(cell)) return { code: "hidden", cell, column: "description" };
  return isLonger(htmlOf(cell), LONG) ? { code: "too-long", cell, column: "description", limit: LONG } : null;
}

/**
 * Whether a text is longer than a limit, counted as in the service: an emoji may be two JavaScript characters.
 *
 * @param {string} text
 * @param {number} limit
 */
function isLonger(text, limit) {
  return text.length > limit && [...text.slice(0, 2 * limit + 1)].length > limit;
}

/** @param {Cells} cells @param {Known} known @returns {Found | null} */
function priceFault({ price }, { currency, mark }) {
  const { amount: _, fault, ...others } = { amount: "", ...readAmount(price, currency, mark) };
  return fault ? { code: fault, cell: price, ...others } : null;
}

/** @param {Cells} cells @returns {Found | null} */
function numberFault({ quantity, grams }) {
  if (!isWhole(quantity)) return { code: "no-quantity", cell: quantity };
  return isWhole(grams) ? null : { code: "no-grams", cell: grams };
}

/** Whether a cell is empty or a whole number. @param {string} text */
function isWhole(text) {
  return /^\d{0,12}$/.test(text);
}

/** @param {Cells} cells @returns {Found | null} */
function imageFault({ imageUrl }) {
  const isFit = !imageUrl || (ADDRESS.test(imageUrl) && !HIDDEN_IN_LINE.test(imageUrl) && imageUrl.length <= LONG);
  return isFit ? null : { code: "no-image", cell: imageUrl };
}

/** @param {Cells} cells @param {Known} known @returns {Found | null} */
function repetition({ title, variant, sku }, { variants, skus }) {
  if (variants.get(title)?.has(variant)) return { code: "twice", cell: variant || title };
  const first = skus.get(sku);
  if (first === undefined) return null;
  return first === null ? { code: "sku-taken", cell: sku } : { code: "sku-twice", cell: sku, first };
}
